// SPDX-License-Identifier: MIT
#include "boards/computer_boards.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "game/telling.hpp"

namespace pbm {

namespace {

using namespace std::chrono;

// The computer's seat that has to answer an offer.
std::optional<Seat> answering_computer(const Match& match) {
  for (const Seat seat : answering(match))
    if (match.computer(seat) > 0) return seat;
  return std::nullopt;
}

}  // namespace

ComputerBoards::ComputerBoards(Boards& boards, Exercises& exercises, const Setup& setup)
    : ForwardingBoards(boards),
      exercises_(exercises),
      pace_(setup.pace),
      watched_(setup.watched),
      engine_(setup.engine.empty() ? nullptr : std::make_shared<EngineProcess>(setup.engine)),
      thinker_(setup.tables) {
  for (const int fd : {boards_.changes(), timer_.get(), thinker_.bell()}) watch_.add(fd);
}

int ComputerBoards::changes() {
  static_cast<void>(boards_.changes());  // it may watch a directory by now that was not there
  return watch_.get();
}

// --- which board ---------------------------------------------------------------------

Ticket ComputerBoards::attend(const Board& board) {
  auto attended = attended_.lock();
  if (board.remote) return nullptr;  // there it is a player like others
  if (!attended || attended->id != board.id) {
    rest();
    trouble_.clear();
    troubled_.reset();
    attended = std::make_shared<Attended>(Attended{board.id, {}});
    attended_ = attended;
  }
  look(board.match);
  return attended;
}

std::optional<Seat> ComputerBoards::thinking(const std::string& id) const {
  const auto attended = attended_.lock();
  if (!attended || attended->id != id || !asked_) return std::nullopt;
  return asked_->to_move();
}

void ComputerBoards::hurry() {
  if (thinks_) thinks_->hurry();
  hurried_ = true;
  timer_.set(1ms);  // it may only wait
}

void ComputerBoards::watch_at(milliseconds pace) {
  if (std::exchange(watched_, pace) != pace) timer_.set(1ms);
}

// When what it plays is seen.
Moment ComputerBoards::due() const {
  if (hurried_) return {};
  for (Seat s = 0; s < asked_->seats(); ++s)
    if (asked_->computer(s) == 0 && asked_->plays(s)) return begun_ + pace_;
  return begun_ + watched_;
}

ComputerPlayer& ComputerBoards::player(Seat seat) {
  return attended_.lock()->players.try_emplace(seat, engine_).first->second;
}

void ComputerBoards::rest() {
  thinks_.reset();
  asked_.reset();
  answer_.reset();
}

// It does not try again where it failed, until something was done there.
void ComputerBoards::give_up(const Match& match, const std::string& why) {
  rest();
  gave_up_ = true;
  trouble_ = "The computer does not play: " + why;
  troubled_ = match;
}

// --- what the computer does -------------------------------------------------------------

void ComputerBoards::look(const Match& match) {
  const auto same = [&](const std::optional<Match>& other) {
    return other && other->same_game(match) && other->seating().levels == match.seating().levels;
  };
  if (same(asked_) || same(troubled_)) return;
  rest();
  trouble_.clear();
  troubled_.reset();
  if (match.ending()) return;
  const Seat next = *match.to_move();
  if (const auto seat = answering_computer(match)) {
    do_turns(match, {{*seat, player(*seat).reply(match)}});
  } else if (match.computer(next) > 0) {
    begin(match, next);
  }
}

void ComputerBoards::begin(const Match& match, Seat seat) {
  asked_ = match;
  begun_ = steady_clock::now();
  hurried_ = false;
  thinks_ = player(seat).think(thinker_, match, question_about(match, match.computer(seat)),
                               [this](const Result<Thought>& thought) {
                                 thinks_.reset();
                                 if (thought) answer_ = *thought;
                                 else give_up(Match(*asked_), thought.refusal().why);
                               });
}

void ComputerBoards::do_turns(const Match& meant_for, const std::vector<MoveRequest>& turns) {
  const auto attended = attended_.lock();
  try {
    auto board = boards_.open(attended->id);
    Result<Done> done = Done{};
    if (!board) done = board.refusal();
    else if (board->match.same_game(meant_for)) done = boards_.play(*board, turns);
    if (!done) give_up(meant_for, done.refusal().why);
    if (board) look(board->match);
  } catch (const Error& error) {
    give_up(meant_for, error.what());
  }
}

bool ComputerBoards::play_what_is_due() {
  if (!answer_) return false;
  if (const auto wait = ceil<milliseconds>(due() - steady_clock::now()); wait > 0ms) {
    timer_.set(wait);
    return false;
  }
  const Match match = std::move(*asked_);
  const Thought thought = std::move(*answer_);
  rest();
  const Seat seat = *match.to_move();
  std::vector<MoveRequest> turns;
  for (std::string& what : player(seat).deeds(match, thought, match.computer(seat)))
    turns.push_back({seat, std::move(what)});
  do_turns(match, turns);
  return true;
}

// --- the service -------------------------------------------------------------------------

Ticket ComputerBoards::ask(const std::string& board, Work work, Haste haste) {
  return is_exercise(board) ? Boards::ask(board, std::move(work), haste)
                            : boards_.ask(board, std::move(work), haste);
}

std::vector<BoardSummary> ComputerBoards::list() {
  std::vector<BoardSummary> out = boards_.list();
  if (server().takes_commands()) return out;
  // Examples come last; a newcomer has nothing else.
  const auto examples =
      std::find_if(out.begin(), out.end(), [](const BoardSummary& line) { return line.example; });
  auto more = exercises_.list(examples == out.begin());
  out.insert(examples, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return out;
}

Result<Board> ComputerBoards::open(const std::string& id) {
  return is_exercise(id) ? exercises_.open(id) : boards_.open(id);
}

Result<Done> ComputerBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  if (!board.exercise) return boards_.play(board, turns);
  const auto played = board.exercise->play(turns);
  board.match = board.exercise->match();
  return played;
}

Result<Done> ComputerBoards::set_computer(Board& board, Seat seat, int level) {
  if (board.exercise) return Refusal{"Nobody else plays here: find the ply."};
  return boards_.set_computer(board, seat, level);
}

bool ComputerBoards::look_again() {
  if (const auto attended = attended_.lock())
    if (const auto board = boards_.open(attended->id)) look(board->match);
  return true;
}

bool ComputerBoards::take_changes() {
  timer_.clear();
  const bool any = boards_.take_changes() && look_again();
  if (attended_.expired()) rest();
  thinker_.take_changes();
  const bool played = play_what_is_due();
  return std::exchange(gave_up_, false) || played || any;
}

}  // namespace pbm
