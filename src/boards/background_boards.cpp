// SPDX-License-Identifier: MIT
#include "boards/background_boards.hpp"

#include <poll.h>

#include <algorithm>
#include <array>

#include "base/thread.hpp"

namespace pbm {

namespace {

// So long nobody notices that it is waited for; then the keys go on.
constexpr std::chrono::milliseconds kUnnoticed{100};

// Of more than anybody reads the oldest go.
void add_news(std::vector<Notification>& to, std::vector<Notification> news) {
  to.insert(to.end(), std::make_move_iterator(news.begin()), std::make_move_iterator(news.end()));
  if (to.size() > RemoteBoards::kMaxNews)
    to.erase(to.begin(), to.end() - static_cast<std::ptrdiff_t>(RemoteBoards::kMaxNews));
}

}  // namespace

BackgroundBoards::BackgroundBoards(RemoteBoards& boards, const EventFd& give_up)
    : boards_(boards), give_up_(give_up), place_(boards.place()) {
  thread_ = quiet_thread([this] { run(); });
}

BackgroundBoards::~BackgroundBoards() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    give_up_.ring();
  }
  wake_.ring();
  thread_.join();
}

// --- the thread ----------------------------------------------------------------------

void BackgroundBoards::run() {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (ending_) return;
      busy_since_ = Clock::now();
    }
    if (run_job()) continue;
    look_around();
    {
      const std::lock_guard lock(mutex_);
      if (ending_ || !jobs_.empty()) continue;
      busy_since_.reset();
    }
    std::array<pollfd, 2> waits{{{wake_.get(), POLLIN, 0}, {boards_.changes(), POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), -1);
    wake_.clear();
  }
}

// False when there was none.
bool BackgroundBoards::run_job() {
  std::shared_ptr<Job> job;
  bool wanted = false;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return false;
    job = jobs_.front();
    // What only a picture wanted that is gone by now is not asked for.
    wanted = job->haste == Haste::person || !job->wanted.expired();
  }
  const std::string user = boards_.user();
  if (wanted) try {
      job->then = job->work(boards_);
      // Whoever has just come sees his boards at once.
      if (boards_.user() != user) static_cast<void>(boards_.list());
    } catch (const std::exception&) {
      job->then = [failed = std::current_exception()] { std::rethrow_exception(failed); };
    }
  publish(boards_.user() != user);
  {
    const std::lock_guard lock(mutex_);
    jobs_.pop_front();
    job->done = true;
    job->work = nullptr;
    if (!job->wanted.expired()) done_.push_back(job);
    if (to_give_up_ > 0 && --to_give_up_ == 0 && !ending_) give_up_.clear();
  }
  finished_.notify_all();
  ring();
  return true;
}

// What came by itself, and what is due: a new line, the list.
void BackgroundBoards::look_around() {
  if (!boards_.take_changes()) return;
  static_cast<void>(boards_.list());
  publish(true);
  {
    const std::lock_guard lock(mutex_);
    changed_ = true;
  }
  ring();
}

void BackgroundBoards::publish(bool with_list) {
  auto news = boards_.take_news();
  std::string sign_out = boards_.take_sign_out();
  auto list = with_list ? boards_.listed() : std::vector<BoardSummary>{};
  auto people = with_list ? boards_.people() : std::vector<Person>{};
  const std::lock_guard lock(mutex_);
  next_.user = boards_.user();
  next_.trouble = boards_.trouble();
  next_.turned_away = boards_.turned_away();
  next_.pending = boards_.all_pending();
  changed_ = changed_ || !news.empty();
  add_news(next_.news, std::move(news));
  if (!sign_out.empty()) next_.sign_out = std::move(sign_out);
  next_.shows_others = boards_.shows_others();
  if (!with_list) return;
  next_.list = std::move(list);
  next_.people = std::move(people);
}

void BackgroundBoards::ring() { bell_.ring(); }

// --- the screen's side -----------------------------------------------------------------

std::shared_ptr<BackgroundBoards::Job> BackgroundBoards::post(Work work, Haste haste,
                                                              const Ticket& ticket) {
  auto job = std::make_shared<Job>(Job{std::move(work), haste, ticket, {}, false});
  jobs_.push_back(job);
  wake_.ring();
  return job;
}

Ticket BackgroundBoards::ask(const std::string&, Work work, Haste haste) {
  const Ticket ticket = std::make_shared<char>();
  std::unique_lock lock(mutex_);
  const auto since = busy_since_.value_or(Clock::now());
  const auto job = post(std::move(work), haste, ticket);
  // Ends are told in their order: what ended before is told first, by take_changes().
  const auto alone = [&] { return job->done && done_.size() == 1; };
  if (!finished_.wait_until(lock, since + kUnnoticed, [&] { return job->done; }) || !alone())
    return ticket;
  done_.clear();
  lock.unlock();
  take_known();
  if (job->then) job->then();
  return nullptr;
}

Result<Done> BackgroundBoards::connect(const std::string& user,
                                       std::chrono::milliseconds patience) {
  known_.user = next_.user = user;
  auto answer = std::make_shared<std::optional<Result<Done>>>();
  std::unique_lock lock(mutex_);
  const auto job = post(
      [this, user, answer](Boards&) -> Then {
        auto connected = user.empty() ? boards_.connect() : boards_.connect_as(user);
        const std::lock_guard late(mutex_);
        if (too_late_ && !connected) boards_.connect_later(connected.refusal().why);
        *answer = std::move(connected);
        return {};
      },
      Haste::person, connecting_);
  too_late_ = !finished_.wait_for(lock, patience, [&] { return job->done; });
  const Result<Done> out = too_late_ ? Result<Done>(Done{}) : **answer;
  lock.unlock();
  take_known();
  return out;
}

bool BackgroundBoards::asking() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(jobs_.begin(), jobs_.end(), [](const auto& job) {
    return job->haste == Haste::person && !job->wanted.expired();
  });
}

void BackgroundBoards::give_up() {
  const std::lock_guard lock(mutex_);
  if (jobs_.empty()) return;
  to_give_up_ = jobs_.size();
  give_up_.ring();
}

void BackgroundBoards::take_known() {
  const std::lock_guard lock(mutex_);
  auto news = std::move(known_.news);
  std::string sign_out = std::move(known_.sign_out);
  add_news(news, std::exchange(next_.news, {}));
  if (!next_.sign_out.empty()) sign_out = std::exchange(next_.sign_out, "");
  known_ = next_;
  known_.news = std::move(news);
  known_.sign_out = std::move(sign_out);
}

bool BackgroundBoards::take_changes() {
  bell_.clear();
  take_known();
  for (;;) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (done_.empty()) return std::exchange(changed_, false);
      job = std::move(done_.front());
      done_.pop_front();
      if (!done_.empty() || changed_) ring();  // should this one fail
    }
    if (const Ticket wanted = job->wanted.lock(); wanted && job->then) job->then();
  }
}

void BackgroundBoards::forget(const std::string& id) {
  known_.pending.erase(id);
  const std::lock_guard lock(mutex_);
  next_.pending.erase(id);
  post(
      [id](Boards& boards) -> Then {
        boards.server().forget(id);
        return {};
      },
      Haste::person, nullptr);
}

std::size_t BackgroundBoards::waiting(const std::string& but) {
  return static_cast<std::size_t>(std::count_if(
      known_.list.begin(), known_.list.end(),
      [&](const BoardSummary& l) { return l.id != but && waits_for(l, known_.user); }));
}

std::vector<std::string> BackgroundBoards::talk() { return boards_.talk_of(known_.user); }

}  // namespace pbm
