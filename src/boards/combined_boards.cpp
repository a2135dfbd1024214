// SPDX-License-Identifier: MIT
#include "boards/combined_boards.hpp"

#include <algorithm>

#include "boards/exercises.hpp"
#include "boards/local_boards.hpp"

namespace pbm {

namespace {

// The id that one's own boards know, if it means one of them.
std::optional<std::string> own_id(const std::string& id) {
  if (id.starts_with(kOwnBoards)) return id.substr(kOwnBoards.size());
  return is_example_or_path(id) || is_exercise(id) ? std::optional(id) : std::nullopt;
}

// The other way round. A board of one's own can be called anything.
std::string shown_id(const std::string& id) {
  return is_example_or_path(id) || is_exercise(id) ? id : std::string(kOwnBoards) + id;
}

Board shown(Board board) {
  board.id = shown_id(board.id);
  return board;
}

}  // namespace

CombinedBoards::CombinedBoards(Boards& there, Boards& own) : there_(there), own_(own) {
  for (const int fd : {there_.changes(), own_.changes()}) watch_.add(fd);
}

int CombinedBoards::changes() {
  static_cast<void>(own_.changes());  // it may watch a directory by now that was not there before
  return watch_.get();
}

bool CombinedBoards::take_changes() {
  const bool there = there_.take_changes(), here = own_.take_changes();
  return there || here;
}

Ticket CombinedBoards::ask(const std::string& board, Work work, Haste haste) {
  return own_id(board)
             ? Boards::ask(board, std::move(work), haste)
             : there_.ask(
                   board, [this, work = std::move(work)](Boards&) { return work(*this); }, haste);
}

std::vector<BoardSummary> CombinedBoards::list() {
  std::vector<BoardSummary> out = there_.list();
  for (BoardSummary& line : own_.list()) {
    if (line.example) continue;  // whoever plays with others knows how the games look
    line.id = shown_id(line.id);
    line.aside = true;
    out.push_back(std::move(line));
  }
  return out;
}

Result<Board> CombinedBoards::open(const std::string& id) {
  const auto own = own_id(id);
  if (!own) return there_.open(id);
  auto board = own_.open(*own);
  if (!board) return board.refusal();
  return shown(std::move(*board));
}

Result<Board> CombinedBoards::create(const GameType& game, const Options& options,
                                     const std::vector<std::string>& names) {
  // The computer plays here, and not there.
  const auto seats = read_seats(names);
  if (!seats ||
      std::all_of(seats->levels.begin(), seats->levels.end(), [](int l) { return l == 0; }))
    return there_.create(game, options, names);
  auto board = own_.create(game, options, names);
  if (!board) return board.refusal();
  return shown(std::move(*board));
}

Result<Board> CombinedBoards::keep(const Match& match) {
  auto board = own_.keep(match);
  if (!board) return board.refusal();
  return shown(std::move(*board));
}

Result<std::string> CombinedBoards::rename(const std::string& id, const std::string& name) {
  const auto own = own_id(id);
  if (!own) return there_.rename(id, name);
  auto renamed =
      own_.rename(*own, name.starts_with(kOwnBoards) ? name.substr(kOwnBoards.size()) : name);
  if (!renamed) return renamed.refusal();
  return shown_id(*renamed);
}

Result<Done> CombinedBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  const auto own = own_id(board.id);
  if (!own) return there_.play(board, turns);
  board.id = *own;
  auto played = own_.play(board, turns);
  board.id = shown_id(board.id);
  return played;
}

Result<Done> CombinedBoards::set_computer(Board& board, Seat seat, int level) {
  const auto own = own_id(board.id);
  if (!own) return Boards::set_computer(board, seat, level);
  board.id = *own;
  auto done = own_.set_computer(board, seat, level);
  board.id = shown_id(board.id);
  return done;
}

Result<Done> CombinedBoards::remove(const std::string& id) {
  const auto own = own_id(id);
  return own ? own_.remove(*own) : there_.remove(id);
}

Result<Done> CombinedBoards::restore(const std::string& id) {
  const auto own = own_id(id);
  return own ? own_.restore(*own) : there_.restore(id);
}

}  // namespace pbm
