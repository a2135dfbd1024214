// SPDX-License-Identifier: MIT
#include "boards/background_tasks.hpp"

#include <poll.h>

#include <algorithm>

namespace pbm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A key may wait this long unnoticed; then the screen handles its keys first.
constexpr milliseconds kMaxTaskWait{2};
// A task may run this long on available input before the screen handles its keys.
constexpr milliseconds kMaxTaskSlice{2};

int milliseconds_left(Clock::time_point until) {
  return static_cast<int>(
      std::max(milliseconds(0), std::chrono::ceil<milliseconds>(until - Clock::now())).count());
}

}  // namespace

BackgroundTasks::BackgroundTasks(int idle, std::function<bool()> look)
    : idle_descriptor_(idle), on_idle_(std::move(look)), fiber_([this] { run(); }) {
  for (const int fd : {bell_.get(), timer_.get()}) wait_set_.add(fd);
}

// --- on the fiber --------------------------------------------------------------------

void BackgroundTasks::run() {
  while (!is_stopping_) {
    if (!tasks_.empty()) {
      run_task();
      continue;
    }
    is_cancelling_ = false;
    try {
      has_changes_ = on_idle_() || has_changes_;
    } catch (...) {
      error_ = std::current_exception();
    }
    if (has_changes_ || error_) bell_.notify();
    if (tasks_.empty()) wait(idle_descriptor_, POLLIN, -1);
  }
}

void BackgroundTasks::run_task() {
  const auto entry = tasks_.front();
  // Skips a picture's task that nobody waits for any more.
  if (entry->priority == Priority::person || !entry->handle.expired()) try {
      entry->callback = entry->task();
    } catch (const std::exception&) {
      entry->callback = [failed = std::current_exception()] { std::rethrow_exception(failed); };
    }
  entry->task = nullptr;
  entry->is_done = true;
  tasks_.pop_front();
  if (entry->handle.expired()) return;
  finished_.push_back(entry);
  bell_.notify();
}

std::optional<int> BackgroundTasks::wait(int fd, short events, int milliseconds_left) {
  const auto until = Clock::now() + milliseconds(milliseconds_left);
  const bool idle = fd == idle_descriptor_;
  if (is_cancelling_) return std::nullopt;
  pollfd wanted{fd, events, 0};
  if (milliseconds_left == 0) return ::poll(&wanted, 1, 0);
  if (fd >= 0)
    wait_set_.add(fd, 0, static_cast<std::uint32_t>(events));  // epoll and poll bits agree
  // Input that never ends must not stop the screen, so the screen goes first.
  if (idle || Clock::now() - resume_time_ > kMaxTaskSlice) fiber_.suspend();
  std::optional<int> ready;
  while (!is_cancelling_) {
    ready = ::poll(&wanted, 1, 0);
    if (*ready > 0 || (milliseconds_left >= 0 && Clock::now() >= until)) break;
    if (idle && !tasks_.empty()) break;
    if (milliseconds_left >= 0) timer_.set(milliseconds(pbm::milliseconds_left(until)));
    fiber_.suspend();
    ready.reset();
  }
  if (fd >= 0) wait_set_.remove(fd);
  return ready;
}

// --- called by the screen ------------------------------------------------------------

TaskHandle BackgroundTasks::start_task(Task task, Priority priority) {
  const TaskHandle handle = std::make_shared<char>();
  const bool idle = tasks_.empty();
  const auto entry = std::make_shared<Entry>(Entry{std::move(task), priority, handle});
  tasks_.push_back(entry);
  resume();
  const auto until = Clock::now() + kMaxTaskWait;
  while (idle && !entry->is_done && Clock::now() < until) {
    pollfd wanted{change_descriptor(), POLLIN, 0};
    if (::poll(&wanted, 1, milliseconds_left(until)) <= 0) break;
    timer_.clear();
    resume();
  }
  // Callbacks run in the order of their tasks; take_changes() runs an earlier one first.
  if (!entry->is_done || finished_.size() != 1) return handle;
  finished_.clear();
  if (entry->callback) entry->callback();
  return nullptr;
}

bool BackgroundTasks::has_person_task() const {
  return std::ranges::any_of(tasks_, [](const auto& entry) {
    return entry->priority == Priority::person && !entry->handle.expired();
  });
}

void BackgroundTasks::cancel_tasks() {
  if (tasks_.empty()) return;
  is_cancelling_ = true;
  resume();
}

bool BackgroundTasks::take_changes() {
  bell_.clear();
  timer_.clear();
  resume();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  while (!finished_.empty()) {
    const auto entry = finished_.front();
    finished_.pop_front();
    if (!finished_.empty() || has_changes_) bell_.notify();  // in case the callback throws
    if (const TaskHandle wanted = entry->handle.lock(); wanted && entry->callback)
      entry->callback();
  }
  return std::exchange(has_changes_, false);
}

}  // namespace pbm
