// SPDX-License-Identifier: MIT
// All boards of a person in one list: local ones, those of a server, lessons and puzzles; and the
// computer. The name of a board tells which repository has it. Leaves all that is done with a board
// to its repository.
#pragma once

#include "boards/computer_seats.hpp"
#include "boards/exercises.hpp"
#include "boards/remote_boards.hpp"

namespace pbm {

// Begins the ids of local boards if there is a server, too.
inline constexpr std::string_view kLocalPrefix = "own:";

class Boards {
 public:
  // Pre: all arguments outlive this object; if there is a server, the ids of `own` begin with
  // "own:". A null argument means that there is none.
  explicit Boards(Repository& own, RemoteBoards* there = nullptr, Exercises* exercises = nullptr,
                  ComputerSeats* computer = nullptr);
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

  // Returns the repository of a board id; for "" the server, if there is one. "own:toot-101",
  // "example:..." and the path of a save belong to local().
  Repository& repository_of(std::string_view id);
  Repository& local() { return local_; }
  // If there is no server, this object refuses every request and has no news.
  RemoteBoards& server() { return server_; }
  // Returns the name of "you": the signed-in userid; else the name in the settings; else that of
  // the person in the latest game of one person with computers; else the login name. May be "".
  std::string own_name() const;
  // Sets the player's name in the settings, or "".
  void set_player_name(const std::string& name) { player_name_ = name; }
  // Null if the computer never plays.
  ComputerSeats* computer() { return computer_; }
  // Null if there are none.
  Exercises* exercises() { return exercises_; }

  // Runs a task about `board`, or about the server for "". Tasks for the server run in the
  // background: see RemoteBoards::start_task(). Other tasks run at once.
  [[nodiscard]] TaskHandle start_task(const std::string& board, Task task,
                                      Priority = Priority::person);
  // The same in two parts: `then` gets the result of `work`. `waiting` holds the handle until then
  // and must live as long as the objects that `then` uses.
  template <class Work, class Then>
  void start_task(TaskHandle& waiting, const std::string& board, Work work, Then then,
                  Priority priority = Priority::person) {
    Task task = [&waiting, work = std::move(work), then = std::move(then)]() -> Callback {
      return [&waiting, then, came = work()] {
        waiting.reset();
        then(came);
      };
    };
    waiting = start_task(board, std::move(task), priority);
  }

  // Lists all boards: the server's first; without a server, exercises come before examples.
  std::vector<BoardSummary> list();
  // Refuses an unknown id, and what the repository refuses.
  Result<Board> open(const std::string& id) {
    return exercises_ && is_exercise(id) ? exercises_->open(id) : repository_of(id).open(id);
  }
  // Lets the computer of a new match play as well as the player; another engine keeps its level.
  void adapt_computer(Match& match);
  // Counts the end of a game against a computer that adapts to the player; see Exercises. With
  // another engine nothing counts.
  std::string count_result(const Board& board);
  // Plays in the repository of the board, or in its exercise.
  Result<Success> play(Board& board, const std::vector<MoveRequest>& turns);

  // See Repository.
  int change_descriptor() {
    static_cast<void>(
        local_.change_descriptor());  // begins to watch a directory that did not exist before
    return wait_set_.get();
  }
  bool take_changes();
  std::string location() const {
    return server_.has_server() ? server_.location() : local_.location();
  }

 private:
  Repository& local_;
  RemoteBoards& server_;
  Exercises* const exercises_;
  ComputerSeats* const computer_;
  WaitSet wait_set_;
  std::string player_name_;
  std::string lone_name_;  // of the person in the latest game of one person with computers, or ""
  int users_ = 0;
};

}  // namespace pbm
