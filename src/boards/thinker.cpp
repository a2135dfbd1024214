// SPDX-License-Identifier: MIT
#include "boards/thinker.hpp"

#include <poll.h>

#include <algorithm>
#include <new>

#include "base/worker.hpp"

namespace pbm {

Thinker::Asked::~Asked() {
  dropped_.request_stop();
  stop_.request_stop();
}

Thinker::~Thinker() {
  if (!thread_.joinable()) return;
  {
    const Lock lock(mutex_);
    ends_ = true;
    run_dropped_.request_stop();
    run_stop_.request_stop();
  }
  changed_.notify_all();
  thread_.join();
}

// --- questions and answers ---------------------------------------------------------------

Thinker::Handle Thinker::ask(Rank rank, const GameType& game, const Position& position,
                             Question question, Callback callback) {
  const bool by_table = question.level == kTopLevel && !question.rung && game.table;
  const EndTable* const table = by_table ? game.table(position) : nullptr;
  const auto think = [&game, position](const Question& asked, const std::stop_token&) {
    return game.think(position, asked);
  };
  return add({rank, think, std::move(question), std::move(callback), table, {}, {}});
}

Thinker::Handle Thinker::add(Task task) {
  const auto asked = std::make_shared<Asked>();
  task.stop = asked->stop_.get_token();
  task.dropped = asked->dropped_.get_token();
  {
    const Lock lock(mutex_);
    if (running_ && task.rank < running_->rank) {
      interrupted_ = true;
      run_dropped_.request_stop();
      run_stop_.request_stop();
    }
    waiting_.push_back(std::make_shared<Task>(std::move(task)));
  }
  changed_.notify_all();
  if (!thread_.joinable()) thread_ = quiet_thread([this] { run(); });
  return asked;
}

std::string Thinker::making() const {
  const int percent = percent_;
  return percent < 0
             ? ""
             : "First a table of endings, made once: " + std::to_string(percent) + " % done.";
}

void Thinker::take_changes() {
  if (!bell_.clear()) return;
  std::vector<std::shared_ptr<Task>> done;
  {
    const Lock lock(mutex_);
    done.swap(done_);
  }
  for (const auto& task : done) {
    if (task->dropped.stop_requested()) continue;
    Result<Thought> answer = std::move(task->thought);
    try {
      if (task->failed) std::rethrow_exception(task->failed);
    } catch (const Error& error) {
      answer = Refusal{error.what()};
    }
    task->callback(answer);
  }
}

void Thinker::wait() const {
  pollfd rings{bell_.get(), POLLIN, 0};
  ::poll(&rings, 1, -1);
}

Thought Thinker::think(Rank rank, const GameType& game, const Position& position, Question question,
                       const std::function<void()>& meanwhile) {
  std::optional<Result<Thought>> answer;
  const Handle asked = ask(rank, game, position, std::move(question),
                           [&](const Result<Thought>& thought) { answer = thought; });
  while (!answer) {
    wait();
    meanwhile();
    take_changes();
  }
  if (!*answer) throw Error(answer->refusal().why);
  return std::move(**answer);
}

// --- on the background thread ----------------------------------------------------------------

void Thinker::run() {
  for (Lock lock(mutex_); !ends_;) {
    const auto wanted =
        std::ranges::find_if(tables_, [](const auto& table) { return table.second.wanted; });
    if (const auto task = next()) answer(task, lock);
    else if (wanted != tables_.end()) make(*wanted->first, lock);
    else changed_.wait(lock);
  }
}

// Returns the first task of the highest rank. Skips tasks that wait for the table that is being
// made.
std::shared_ptr<Thinker::Task> Thinker::next() {
  const auto gone = std::stable_partition(waiting_.begin(), waiting_.end(), [](const auto& task) {
    return !task->dropped.stop_requested();
  });
  std::move(gone, waiting_.end(), std::back_inserter(done_));  // the other thread destroys them
  waiting_.erase(gone, waiting_.end());
  std::shared_ptr<Task> out;
  for (const auto& task : waiting_)
    if ((!out || task->rank < out->rank) && !(making_ && waits_for_table(*task))) out = task;
  return out;
}

void Thinker::answer(const std::shared_ptr<Task>& task, Lock& lock) {
  running_ = task;
  run_stop_ = {};
  run_dropped_ = {};
  interrupted_ = false;
  Question question = task->question;
  question.stop = run_stop_.get_token();
  if (question.memory == nullptr) question.memory = &memory_;
  lock.unlock();
  const bool waits = waits_for_table(*task);
  if (!waits) {
    if (task->table) question.table = look_for(*task->table).bytes.get();
    const std::stop_callback hurried(task->stop, [this] { run_stop_.request_stop(); });
    const std::stop_callback dropped(task->dropped, [this] { run_dropped_.request_stop(); });
    try {
      task->thought = task->think(question, run_dropped_.get_token());
      task->failed = nullptr;
    } catch (...) {
      task->failed = std::current_exception();
    }
  }
  lock.lock();
  running_.reset();
  if (waits) return make(*task->table, lock);
  // The task begins again later, unless its caller wanted the best answer known by now.
  if (ends_ || (interrupted_ && (task->failed || !task->stop.stop_requested()))) return;
  std::erase(waiting_, task);
  done_.push_back(task);
  bell_.ring();
}

// --- tables ------------------------------------------------------------------------------------

Thinker::Table& Thinker::look_for(const EndTable& table) {
  Table& out = tables_[&table];
  if (out.bytes.get().empty() && !out.wanted)
    out.bytes = KeptBytes::in(file_of(table), table.size, table.sum);
  out.wanted = out.bytes.get().empty() && !out.hopeless;
  return out;
}

// Makes a table in the idle time: answers tasks in between.
void Thinker::make(const EndTable& table, Lock& lock) {
  Table& made = tables_[&table];
  making_ = true;
  lock.unlock();
  const auto go_on = [&](int percent) {
    lock.lock();
    while (const auto task = ends_ ? nullptr : next()) answer(task, lock);
    const bool waited_for =
        std::ranges::any_of(waiting_, [&](const auto& task) { return waits_for_table(*task); });
    const bool goes_on = !ends_;
    lock.unlock();
    const int shown = waited_for ? percent : -1;
    if (percent_.exchange(shown) != shown) bell_.ring();
    return goes_on;
  };
  try {
    if (auto bytes = table.make(go_on); !bytes.empty())
      made.bytes = KeptBytes::keep(file_of(table), std::move(bytes));
  } catch (const std::bad_alloc&) {
    made.hopeless = true;  // the computer plays well without it
  }
  made.wanted = false;
  making_ = false;
  percent_ = -1;
  lock.lock();
}

}  // namespace pbm
