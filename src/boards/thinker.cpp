// SPDX-License-Identifier: MIT
#include "boards/thinker.hpp"

#include <poll.h>

#include <algorithm>
#include <new>

#include "base/worker.hpp"

namespace pbm {

Thinker::PendingQuestion::~PendingQuestion() {
  drop_source_.request_stop();
  stop_source_.request_stop();
}

Thinker::~Thinker() {
  if (!thread_.joinable()) return;
  {
    const Lock lock(mutex_);
    is_stopping_ = true;
    run_drop_.request_stop();
    run_stop_.request_stop();
  }
  task_added_.notify_all();
  thread_.join();
}

// --- questions and answers ---------------------------------------------------------------

Thinker::Handle Thinker::ask(Rank rank, const GameType& game, const Position& position,
                             SearchRequest question, Callback callback) {
  const bool by_table = question.level == kMaxLevel && !question.rung && game.endgame_table;
  const EndgameTable* const table = by_table ? game.endgame_table(position) : nullptr;
  const auto think = [&game, position](const SearchRequest& asked, const std::stop_token&) {
    return game.think(position, asked);
  };
  return add({rank, think, std::move(question), std::move(callback), table, {}, {}});
}

Thinker::Handle Thinker::add(Task task) {
  const auto asked = std::make_shared<PendingQuestion>();
  task.stop_token = asked->stop_source_.get_token();
  task.drop_token = asked->drop_source_.get_token();
  {
    const Lock lock(mutex_);
    if (running_task_ && task.rank < running_task_->rank) {
      is_interrupted_ = true;
      run_drop_.request_stop();
      run_stop_.request_stop();
    }
    waiting_tasks_.push_back(std::make_shared<Task>(std::move(task)));
  }
  task_added_.notify_all();
  if (!thread_.joinable()) thread_ = start_masked_thread([this] { run(); });
  return asked;
}

std::string Thinker::table_progress() const {
  const int percent = table_percent_;
  return percent < 0
             ? ""
             : "Making a table of endings, only once: " + std::to_string(percent) + " % done.";
}

void Thinker::take_changes() {
  if (!bell_.clear()) return;
  std::vector<std::shared_ptr<Task>> done;
  {
    const Lock lock(mutex_);
    done.swap(finished_);
  }
  for (const auto& task : done) {
    if (task->drop_token.stop_requested()) continue;
    Result<SearchResult> answer = std::move(task->thought);
    try {
      if (task->error) std::rethrow_exception(task->error);
    } catch (const Error& error) {
      answer = Refusal{error.what()};
    } catch (const std::bad_alloc&) {
      answer = Refusal{"The computer has too little memory to think."};
    }
    task->callback(answer);
  }
}

void Thinker::wait_for_bell() const {
  pollfd rings{bell_.get(), POLLIN, 0};
  ::poll(&rings, 1, -1);
}

SearchResult Thinker::think(Rank rank, const GameType& game, const Position& position,
                            SearchRequest question, const std::function<void()>& meanwhile) {
  std::optional<Result<SearchResult>> answer;
  const Handle asked = ask(rank, game, position, std::move(question),
                           [&](const Result<SearchResult>& thought) { answer = thought; });
  while (!answer) {
    wait_for_bell();
    meanwhile();
    take_changes();
  }
  if (!*answer) throw Error(answer->refusal().reason);
  return std::move(**answer);
}

// --- on the background thread ----------------------------------------------------------------

void Thinker::run() {
  for (Lock lock(mutex_); !is_stopping_;) {
    const auto wanted =
        std::ranges::find_if(tables_, [](const auto& table) { return table.second.is_wanted; });
    if (const auto task = next_task()) run_task(task, lock);
    else if (wanted != tables_.end()) make_table(*wanted->first, lock);
    else task_added_.wait(lock);
  }
}

// Returns the first task of the highest rank. Skips tasks that wait for the table that is being
// made.
std::shared_ptr<Thinker::Task> Thinker::next_task() {
  const auto gone =
      std::stable_partition(waiting_tasks_.begin(), waiting_tasks_.end(),
                            [](const auto& task) { return !task->drop_token.stop_requested(); });
  std::move(gone, waiting_tasks_.end(),
            std::back_inserter(finished_));  // the other thread destroys them
  waiting_tasks_.erase(gone, waiting_tasks_.end());
  std::shared_ptr<Task> out;
  for (const auto& task : waiting_tasks_)
    if ((!out || task->rank < out->rank) && !(is_making_table_ && waits_for_table(*task)))
      out = task;
  return out;
}

void Thinker::run_task(const std::shared_ptr<Task>& task, Lock& lock) {
  running_task_ = task;
  run_stop_ = {};
  run_drop_ = {};
  is_interrupted_ = false;
  SearchRequest question = task->question;
  question.stop_token = run_stop_.get_token();
  if (question.table_memory == nullptr) question.table_memory = &memory_;
  lock.unlock();
  const bool waits = waits_for_table(*task);
  if (!waits) {
    if (task->table) question.endgame_table = find_table(*task->table).bytes.get();
    const std::stop_callback hurried(task->stop_token, [this] { run_stop_.request_stop(); });
    const std::stop_callback dropped(task->drop_token, [this] { run_drop_.request_stop(); });
    try {
      task->thought = task->think(question, run_drop_.get_token());
      task->error = nullptr;
    } catch (...) {
      task->error = std::current_exception();
    }
  }
  lock.lock();
  running_task_.reset();
  if (waits) return make_table(*task->table, lock);
  // The task begins again later, unless its caller wanted the best answer known by now.
  if (is_stopping_ || (is_interrupted_ && (task->error || !task->stop_token.stop_requested())))
    return;
  std::erase(waiting_tasks_, task);
  finished_.push_back(task);
  bell_.notify();
}

// --- tables ------------------------------------------------------------------------------------

Thinker::Table& Thinker::find_table(const EndgameTable& table) {
  Table& out = tables_[&table];
  if (out.is_wanted) return out;
  for (const auto& file : table_files(table))
    if (out.bytes.get().empty()) out.bytes = CachedBytes::load(file, table.size, table.checksum);
  out.is_wanted = out.bytes.get().empty() && !out.is_too_large && !directories_.empty();
  return out;
}

// Makes a table in the idle time: answers tasks in between.
void Thinker::make_table(const EndgameTable& table, Lock& lock) {
  Table& made = tables_[&table];
  is_making_table_ = true;
  lock.unlock();
  const auto go_on = [&](int percent) {
    lock.lock();
    while (const auto task = is_stopping_ ? nullptr : next_task()) run_task(task, lock);
    const bool waited_for = std::ranges::any_of(
        waiting_tasks_, [&](const auto& task) { return waits_for_table(*task); });
    const bool goes_on = !is_stopping_;
    lock.unlock();
    const int shown = waited_for ? percent : -1;
    if (table_percent_.exchange(shown) != shown) bell_.notify();
    return goes_on;
  };
  try {
    if (auto bytes = table.compute(go_on); !bytes.empty())
      made.bytes = CachedBytes::store(table_files(table).back(), std::move(bytes));
  } catch (const std::bad_alloc&) {
    made.is_too_large = true;  // the computer plays well without it
  }
  made.is_wanted = false;
  is_making_table_ = false;
  table_percent_ = -1;
  lock.lock();
}

}  // namespace pbm
