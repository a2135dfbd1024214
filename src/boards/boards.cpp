// SPDX-License-Identifier: MIT
#include "boards/boards.hpp"

#include <algorithm>

#include "boards/local_boards.hpp"

namespace pbm {
namespace {

// Stands in for a server if there is none.
RemoteBoards& no_server() {
  static RemoteBoards none({});
  return none;
}

// Returns the name of the only person in the latest game with computers. Names such as player1 are
// only seats.
std::string find_lone_name(const std::vector<BoardSummary>& boards) {
  const auto latest = std::ranges::find_if(boards, &BoardSummary::has_lone_person);
  if (latest == boards.end()) return "";
  const auto seat = std::ranges::find(latest->levels, 0) - latest->levels.begin();
  const std::string& name = latest->names[static_cast<std::size_t>(seat)];
  return starts_with_ignoring_case(name, "player") ? "" : name;
}

}  // namespace

std::optional<Seat> Board::own_seat(std::string_view me) const {
  if (remote) return remote->own_seat;
  return exercise ? std::optional(exercise->own_seat()) : find_own_seat(me, match.seating());
}

Boards::Boards(Repository& own, RemoteBoards* there, Exercises* exercises, ComputerSeats* computer)
    : local_(own),
      server_(there ? *there : no_server()),
      exercises_(exercises),
      computer_(computer) {
  wait_set_.add(local_.change_descriptor());
  if (there) wait_set_.add(there->change_descriptor());
  if (computer_) computer_->add_to(wait_set_);
}

Repository& Boards::repository_of(std::string_view id) {
  const bool own = !server_.has_server() || id.starts_with(kLocalPrefix) || is_example_or_path(id);
  return own ? local_ : server_;
}

TaskHandle Boards::start_task(const std::string& board, Task task, Priority priority) {
  if (!is_exercise(board) && &repository_of(board) == &server_)
    return server_.start_task(std::move(task), priority);
  if (const Callback done = task()) done();
  return nullptr;
}

std::string Boards::own_name() const {
  if (const std::string user = server_.userid(); !user.empty()) return user;
  return local_player_name(player_name_.empty() ? lone_name_ : player_name_, "");
}

std::vector<BoardSummary> Boards::list() {
  std::vector<BoardSummary> out = local_.list(), more;
  const auto examples =
      std::ranges::find_if(out, [](const BoardSummary& line) { return line.is_example; });
  if (server_.has_server()) {
    // Players on a server know the games, so they need no examples.
    out.erase(examples, out.end());
    for (BoardSummary& line : out) line.is_local_extra = true;
    more = server_.list();
    out.insert(out.begin(), more.begin(), more.end());
  } else if (exercises_) {
    // A new player, who has only examples, also sees the lessons that are done.
    more = exercises_->list(examples == out.begin());
    out.insert(examples, more.begin(), more.end());
  }
  lone_name_ = find_lone_name(out);
  return out;
}

Result<Success> Boards::play(Board& board, const std::vector<MoveRequest>& turns) {
  if (!board.exercise) return repository_of(board.id).play(board, turns);
  const auto played = board.exercise->play(turns);
  board.match = board.exercise->match();
  return played;
}

void Boards::adapt_computer(Match& match) {
  if (exercises_ && !(computer_ && computer_->has_engine())) exercises_->adapt_computer(match);
}

std::string Boards::count_result(const Board& board) {
  if (exercises_ && board.match.has_computer()) exercises_->reload();
  const bool counts = !board.remote && !board.exercise && board.match.ending() && exercises_ &&
                      !(computer_ && computer_->has_engine());
  return counts ? exercises_->count_result(board.match) : "";
}

bool Boards::take_changes() {
  const bool there = server_.has_server() && server_.take_changes();
  const bool own = local_.take_changes();
  const bool played = computer_ && computer_->take_changes(own);
  return there || own || played;
}

}  // namespace pbm
