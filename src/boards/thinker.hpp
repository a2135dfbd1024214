// SPDX-License-Identifier: MIT
// The one thread on which the computer thinks, and the tables of how games end, while everything
// else goes on. Leaves how it thinks to engine/, and what is made of it to whoever asks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "base/cache.hpp"
#include "base/wait_set.hpp"
#include "game/game_type.hpp"

namespace pbm {

// A question is asked with kTopLevel: then the table of how that game ends helps, once it is made.
// That takes seconds, the first time of all, and is done while nothing else is to be thought about;
// what is made so far stays as long as this lives. All calls are for one thread.
class Thinker {
 public:
  // Which question comes first. One that comes later has the thread at once where it ranks higher,
  // and the other is begun anew behind it.
  enum class Rank : std::uint8_t {
    person,  // somebody waits for it
    ply,     // of a seat that the computer has
    study,   // of many positions: waits until there is a table
    spare,   // nobody waits for it: the same behind all others
  };

  // Held by whoever asked. Once it is let go of nobody thinks about that, and nobody is told.
  class Asked {
   public:
    ~Asked();
    // The best that is known by now is the answer.
    void hurry() { stop_.request_stop(); }

   private:
    friend class Thinker;
    std::stop_source stop_, dropped_;
  };
  using Handle = std::shared_ptr<Asked>;

  // Called out of take_changes(), with why not where a thought has failed.
  using Callback = std::function<void(const Result<Thought>&)>;
  // Runs on the thread: ends soon with what it knows on the question's `stop`, at once on
  // `dropped`.
  using Think = std::function<Thought(const Question&, const std::stop_token& dropped)>;

  // Tables are kept in that directory.
  explicit Thinker(std::filesystem::path tables) : directory_(std::move(tables)) {}
  // Ends what it thinks about at once.
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  [[nodiscard]] Handle ask(Rank rank, const GameType& game, const Position& position,
                           Question question, Callback callback);
  // Has somebody else asked in place of the game.
  [[nodiscard]] Handle ask(Rank rank, Think think, Question question, Callback callback) {
    return add({rank, std::move(think), std::move(question), std::move(callback), nullptr, {}, {}});
  }

  // How far the table is that a study waits for, a sentence, or "".
  std::string making() const;

  // Readable when there is something for take_changes(), or making() has gone on.
  int bell() const { return bell_.get(); }
  void take_changes();

  // The same for who has nothing else to do meanwhile: waits for the answer, with `meanwhile`
  // called when the bell has rung. Throws Error.
  Thought think(
      Rank rank, const GameType& game, const Position& position, Question question,
      const std::function<void()>& meanwhile = [] {});
  // Until the bell rings.
  void wait() const;

 private:
  struct Task {
    Rank rank;
    Think think;
    Question question;
    Callback callback;
    const EndTable* table;  // that helps, or null
    std::stop_token stop, dropped;
    Thought thought{};
    std::exception_ptr failed{};
  };
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] Handle add(Task task);
  void run();
  std::shared_ptr<Task> next();
  void answer(const std::shared_ptr<Task>& task, Lock& lock);
  bool waits_for_table(const Task& task) {
    return task.rank >= Rank::study && task.table && look_for(*task.table).wanted;
  }
  std::filesystem::path file_of(const EndTable& table) const {
    return directory_ / (std::string(table.name) + ".table");
  }
  void make(const EndTable& table, Lock& lock);

  const std::filesystem::path directory_;
  EventFd bell_;
  std::thread thread_;  // begun with the first question
  std::atomic<int> percent_ = -1;

  // The thread's own:
  struct Table {
    KeptBytes bytes{};
    bool wanted = false, hopeless = false;  // to be made; there is no memory for that
  };
  Table& look_for(const EndTable& table);
  std::map<const EndTable*, Table> tables_;
  ZeroedBytes memory_;  // from one thought to the next
  bool making_ = false;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Task>> waiting_, done_;  // in the order they came in
  std::shared_ptr<Task> running_;
  std::stop_source run_stop_, run_dropped_;  // of that
  bool interrupted_ = false;                 // it gives way to another
  bool ends_ = false;
};

}  // namespace pbm
