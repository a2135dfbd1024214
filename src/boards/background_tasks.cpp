// SPDX-License-Identifier: MIT
#include "boards/background_tasks.hpp"

#include <poll.h>

#include <algorithm>

namespace pbm {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A key may wait this long unnoticed; then the screen handles its keys first.
constexpr milliseconds kUnnoticed{2};
// A task may run this long on available input before the screen handles its keys.
constexpr milliseconds kTurn{2};

int left_until(Clock::time_point until) {
  return static_cast<int>(
      std::max(milliseconds(0), std::chrono::ceil<milliseconds>(until - Clock::now())).count());
}

}  // namespace

BackgroundTasks::BackgroundTasks(int idle, std::function<bool()> look)
    : idle_(idle), look_(std::move(look)), fiber_([this] { run(); }) {
  for (const int fd : {bell_.get(), timer_.get()}) waits_.add(fd);
}

// --- on the fiber --------------------------------------------------------------------

void BackgroundTasks::run() {
  while (!ending_) {
    if (!tasks_.empty()) {
      run_task();
      continue;
    }
    giving_up_ = false;
    try {
      new_ = look_() || new_;
    } catch (...) {
      failed_ = std::current_exception();
    }
    if (new_ || failed_) bell_.ring();
    if (tasks_.empty()) wait(idle_, POLLIN, -1);
  }
}

void BackgroundTasks::run_task() {
  const auto entry = tasks_.front();
  // Skips a picture's task that nobody waits for any more.
  if (entry->priority == Priority::person || !entry->wanted.expired()) try {
      entry->callback = entry->task();
    } catch (const std::exception&) {
      entry->callback = [failed = std::current_exception()] { std::rethrow_exception(failed); };
    }
  entry->task = nullptr;
  entry->done = true;
  tasks_.pop_front();
  if (entry->wanted.expired()) return;
  done_.push_back(entry);
  bell_.ring();
}

std::optional<int> BackgroundTasks::wait(int fd, short events, int milliseconds_left) {
  const auto until = Clock::now() + milliseconds(milliseconds_left);
  const bool idle = fd == idle_;
  if (giving_up_) return std::nullopt;
  pollfd wanted{fd, events, 0};
  if (milliseconds_left == 0) return ::poll(&wanted, 1, 0);
  if (fd >= 0) waits_.add(fd, 0, static_cast<std::uint32_t>(events));  // epoll and poll bits agree
  // Input that never ends must not stop the screen, so the screen goes first.
  if (idle || Clock::now() - resumed_ > kTurn) fiber_.suspend();
  std::optional<int> ready;
  while (!giving_up_) {
    ready = ::poll(&wanted, 1, 0);
    if (*ready > 0 || (milliseconds_left >= 0 && Clock::now() >= until)) break;
    if (idle && !tasks_.empty()) break;
    if (milliseconds_left >= 0) timer_.set(milliseconds(left_until(until)));
    fiber_.suspend();
    ready.reset();
  }
  if (fd >= 0) waits_.remove(fd);
  return ready;
}

// --- called by the screen ------------------------------------------------------------

Handle BackgroundTasks::ask(Task task, Priority priority) {
  const Handle handle = std::make_shared<char>();
  const bool idle = tasks_.empty();
  const auto entry = std::make_shared<Entry>(Entry{std::move(task), priority, handle});
  tasks_.push_back(entry);
  resume();
  const auto until = Clock::now() + kUnnoticed;
  while (idle && !entry->done && Clock::now() < until) {
    pollfd wanted{changes(), POLLIN, 0};
    if (::poll(&wanted, 1, left_until(until)) <= 0) break;
    timer_.clear();
    resume();
  }
  // Callbacks run in the order of their tasks; take() runs an earlier one first.
  if (!entry->done || done_.size() != 1) return handle;
  done_.clear();
  if (entry->callback) entry->callback();
  return nullptr;
}

bool BackgroundTasks::asking() const {
  return std::ranges::any_of(tasks_, [](const auto& entry) {
    return entry->priority == Priority::person && !entry->wanted.expired();
  });
}

void BackgroundTasks::give_up() {
  if (tasks_.empty()) return;
  giving_up_ = true;
  resume();
}

bool BackgroundTasks::take() {
  bell_.clear();
  timer_.clear();
  resume();
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  while (!done_.empty()) {
    const auto entry = done_.front();
    done_.pop_front();
    if (!done_.empty() || new_) bell_.ring();  // in case the callback throws
    if (const Handle wanted = entry->wanted.lock(); wanted && entry->callback) entry->callback();
  }
  return std::exchange(new_, false);
}

}  // namespace pbm
