// SPDX-License-Identifier: MIT
// All boards that somebody has: his own and those of a server in one list, each row of which knows
// its home by its name; lessons and puzzles; and the computer. Leaves what can be done with a board
// to its home.
#pragma once

#include "boards/computer_attendant.hpp"
#include "boards/exercises.hpp"
#include "boards/remote_boards.hpp"

namespace pbm {

// Before the names of one's own boards where a server's are, too.
inline constexpr std::string_view kOwnBoards = "own:";

class Boards {
 public:
  // Pre: all of these outlive this; beside a server `own` calls its boards "own:". What is null is
  // not there.
  explicit Boards(Repository& own, RemoteBoards* there = nullptr, Exercises* exercises = nullptr,
                  ComputerAttendant* computer = nullptr);
  // Ends the program if somebody still uses the boards: whatever they would do at their own end
  // would be done to boards that are gone.
  ~Boards() { check(users_ == 0, "boards are gone before who uses them"); }
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

  // Held by what must end before the boards.
  class Use {
   public:
    explicit Use(Boards& boards) : boards_(boards) { ++boards_.users_; }
    ~Use() { --boards_.users_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Boards& boards_;
  };
  bool in_use() const { return users_ > 0; }

  // The home of a board by its id, of "" the server, where there is one. "own:toot-101",
  // "example:..." and the path of a save are one's own.
  Repository& of(std::string_view id);
  Repository& own() { return own_; }
  // Where there is none it refuses all that is asked, and tells nothing.
  RemoteBoards& server() { return there_; }
  // Null where it never plays.
  ComputerAttendant* computer() { return computer_; }
  // Null where there are none.
  Exercises* exercises() { return exercises_; }

  // Has something done that may take its time and concerns the board `board`, or "" for what is a
  // matter of the server: see RemoteBoards::ask(). Elsewhere it is done at once.
  [[nodiscard]] Handle ask(const std::string& board, Task task, Priority = Priority::person);
  // The same in two halves: `then` hears what `work` came to. `waiting` holds on to that meanwhile,
  // and is to live as long as what `then` is about.
  template <class Work, class Then>
  void ask(Handle& waiting, const std::string& board, Work work, Then then,
           Priority priority = Priority::person) {
    Task task = [&waiting, work = std::move(work), then = std::move(then)]() -> Callback {
      return [&waiting, then, came = work()] {
        waiting.reset();
        then(came);
      };
    };
    waiting = ask(board, std::move(task), priority);
  }

  // All of them, those of the server first; else with lessons and puzzles before the examples.
  std::vector<BoardSummary> list();
  // Refuses an unknown id, and what its home refuses.
  Result<Board> open(const std::string& id) {
    return exercises_ && is_exercise(id) ? exercises_->open(id) : of(id).open(id);
  }
  // By its home, or as an exercise.
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns);

  // As a home's.
  int changes() {
    static_cast<void>(own_.changes());  // it may watch a directory by now that was not there
    return watch_.get();
  }
  bool take_changes();
  std::string place() const { return there_.takes_commands() ? there_.place() : own_.place(); }

 private:
  Repository& own_;
  RemoteBoards& there_;
  Exercises* const exercises_;
  ComputerAttendant* const computer_;
  WaitSet watch_;
  int users_ = 0;
};

}  // namespace pbm
