// SPDX-License-Identifier: MIT
// The one background thread on which the computer thinks and makes the tables of endings. Leaves
// the search to engine/, and the use of its results to the callers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "base/file_cache.hpp"
#include "base/wait_set.hpp"
#include "game/game_type.hpp"

namespace pbm {

// At kMaxLevel the table of a game's endings helps, if it exists. Making a table takes seconds and
// happens while there is nothing to think about; the file is then kept for later runs. Memory from
// one thought helps the next. All public functions are for one thread.
class Thinker {
 public:
  // The priority of a question. A question with a higher rank interrupts a running one, which then
  // begins again later.
  enum class Rank : std::uint8_t {
    person,  // a person waits for it
    ply,     // for a seat that the computer plays
    study,   // one of many positions: waits until there is a table
  };

  // Held by the caller. If the caller drops it, the thought stops and there is no callback.
  class PendingQuestion {
   public:
    ~PendingQuestion();
    // Ends the thought with the best answer known by now.
    void answer_now() { stop_source_.request_stop(); }

   private:
    friend class Thinker;
    std::stop_source stop_source_, drop_source_;
  };
  using Handle = std::shared_ptr<PendingQuestion>;

  // Called from take_changes(), with a refusal if the thought failed.
  using Callback = std::function<void(const Result<SearchResult>&)>;
  // Runs on the background thread. On the question's `stop` it ends soon with the best it knows, on
  // `dropped` at once.
  using ThinkFunction =
      std::function<SearchResult(const SearchRequest&, const std::stop_token& dropped)>;

  using Directories = std::vector<std::filesystem::path>;
  // Reads its tables from the first of these directories that has them. A table that it makes goes
  // to the last.
  explicit Thinker(Directories tables) : directories_(std::move(tables)) {}
  // Stops thinking at once.
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  [[nodiscard]] Handle ask(Rank rank, const GameType& game, const Position& position,
                           SearchRequest question, Callback callback);
  // Asks another engine instead of the game.
  [[nodiscard]] Handle ask(Rank rank, ThinkFunction think, SearchRequest question,
                           Callback callback) {
    return add({rank, std::move(think), std::move(question), std::move(callback), nullptr, {}, {}});
  }

  // Returns the progress of a table that a study waits for, as a sentence, or "".
  std::string table_progress() const;

  // Returns a descriptor that is readable if take_changes() has work or making() has changed.
  int bell_descriptor() const { return bell_.get(); }
  void take_changes();

  // Asks, waits for the answer, and returns it; calls `meanwhile` whenever the bell rings. Throws
  // Error if the thought failed.
  SearchResult think(
      Rank rank, const GameType& game, const Position& position, SearchRequest question,
      const std::function<void()>& meanwhile = [] {});
  // Waits until the bell rings.
  void wait_for_bell() const;

 private:
  struct Task {
    Rank rank;
    ThinkFunction think;
    SearchRequest question;
    Callback callback;
    const EndgameTable* table;  // helps to answer; or null
    std::stop_token stop_token, drop_token;
    SearchResult thought{};
    std::exception_ptr error{};
  };
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] Handle add(Task task);
  void run();
  std::shared_ptr<Task> next_task();
  void run_task(const std::shared_ptr<Task>& task, Lock& lock);
  bool waits_for_table(const Task& task) {
    return task.rank == Rank::study && task.table && find_table(*task.table).is_wanted;
  }
  Directories table_files(const EndgameTable& table) const {
    Directories out;
    for (const auto& directory : directories_) out.push_back(directory / table.file_name());
    return out;
  }
  void make_table(const EndgameTable& table, Lock& lock);

  const Directories directories_;
  EventFd bell_;
  std::thread thread_;  // starts with the first question
  std::atomic<int> table_percent_ = -1;

  // Only for the background thread:
  struct Table {
    CachedBytes bytes{};
    bool is_wanted = false,
         is_too_large = false;  // wanted: make it; hopeless: it needs too much memory
  };
  Table& find_table(const EndgameTable& table);
  std::map<const EndgameTable*, Table> tables_;
  ZeroedBytes memory_;  // kept from one thought to the next
  bool is_making_table_ = false;

  std::mutex mutex_;  // protects all members below
  std::condition_variable task_added_;
  std::vector<std::shared_ptr<Task>> waiting_tasks_, finished_;  // in the order of arrival
  std::shared_ptr<Task> running_task_;
  std::stop_source run_stop_, run_drop_;  // of the running task
  bool is_interrupted_ = false;           // the running task gives way to another
  bool is_stopping_ = false;
};

}  // namespace pbm
