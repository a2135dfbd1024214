// SPDX-License-Identifier: MIT
#include "boards/boards.hpp"

#include <algorithm>

#include "boards/local_boards.hpp"

namespace pbm {

namespace {

// Stands in for a server if there is none.
RemoteBoards& nobody() {
  static RemoteBoards none({});
  return none;
}

}  // namespace

Boards::Boards(Repository& own, RemoteBoards* there, Exercises* exercises,
               ComputerAttendant* computer)
    : own_(own), there_(there ? *there : nobody()), exercises_(exercises), computer_(computer) {
  watch_.add(own_.changes());
  if (there) watch_.add(there->changes());
  if (computer_) computer_->wait_in(watch_);
}

Repository& Boards::of(std::string_view id) {
  const bool own = !there_.takes_commands() || id.starts_with(kOwnBoards) || is_example_or_path(id);
  return own ? own_ : there_;
}

Handle Boards::ask(const std::string& board, Task task, Priority priority) {
  if (!is_exercise(board) && &of(board) == &there_) return there_.ask(std::move(task), priority);
  if (const Callback done = task()) done();
  return nullptr;
}

std::vector<BoardSummary> Boards::list() {
  std::vector<BoardSummary> out = own_.list(), more;
  const auto examples =
      std::ranges::find_if(out, [](const BoardSummary& line) { return line.example; });
  if (there_.takes_commands()) {
    // Players on a server know the games, so they need no examples.
    out.erase(examples, out.end());
    for (BoardSummary& line : out) line.aside = true;
    more = there_.list();
    out.insert(out.begin(), more.begin(), more.end());
  } else if (exercises_) {
    // A new player, who has only examples, also sees the lessons that are done.
    more = exercises_->list(examples == out.begin());
    out.insert(examples, more.begin(), more.end());
  }
  return out;
}

Result<Done> Boards::play(Board& board, const std::vector<MoveRequest>& turns) {
  if (!board.exercise) return of(board.id).play(board, turns);
  const auto played = board.exercise->play(turns);
  board.match = board.exercise->match();
  return played;
}

bool Boards::take_changes() {
  const bool there = there_.takes_commands() && there_.take_changes();
  const bool own = own_.take_changes();
  const bool played = computer_ && computer_->take_changes(own);
  return there || own || played;
}

}  // namespace pbm
