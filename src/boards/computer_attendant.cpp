// SPDX-License-Identifier: MIT
#include "boards/computer_attendant.hpp"

#include <algorithm>

namespace pbm {

namespace {

using namespace std::chrono;

constexpr milliseconds kAhead = 10s;

// Returns a computer's seat that has to answer an offer, or nothing.
std::optional<Seat> answering_computer(const Match& match) {
  for (const Seat seat : answering(match))
    if (match.computer(seat) > 0) return seat;
  return std::nullopt;
}

}  // namespace

ComputerAttendant::ComputerAttendant(Repository& repository, const Setup& setup)
    : repository_(repository),
      pace_(setup.pace),
      watched_(setup.watched),
      engine_(setup.engine.empty() ? nullptr : std::make_shared<EngineProcess>(setup.engine)),
      thinker_(setup.tables) {}

// --- the board -----------------------------------------------------------------------

Handle ComputerAttendant::attend(const Board& board) {
  auto attended = attended_.lock();
  if (board.remote) return nullptr;  // a server's computers are players like others
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

std::optional<Seat> ComputerAttendant::thinking(const std::string& id) const {
  const auto attended = attended_.lock();
  if (!attended || attended->id != id || !asked_) return std::nullopt;
  return replies_ ? replies_ : asked_->to_move();
}

void ComputerAttendant::hurry() {
  if (thinks_) thinks_->hurry();
  hurried_ = true;
  timer_.set(1ms);  // its answer may be ready and only wait for its time
}

// Returns when it may play its answer.
Moment ComputerAttendant::due() const {
  if (hurried_) return {};
  for (Seat s = 0; s < asked_->seats(); ++s)
    if (asked_->computer(s) == 0 && asked_->plays(s)) return begun_ + pace_;
  return begun_ + watched_;
}

void ComputerAttendant::rest() {
  thinks_.reset();
  asked_.reset();
  answer_.reset();
  replies_.reset();
  if (const auto attended = attended_.lock()) attended->ahead.reset();
}

// Stops until the board changes; the computer does not try again in the same position.
void ComputerAttendant::give_up(const Match& match, const std::string& why) {
  rest();
  gave_up_ = true;
  trouble_ = "The computer does not play: " + why;
  troubled_ = match;
}

// --- what the computer does -------------------------------------------------------------

void ComputerAttendant::look(const Match& match) {
  const auto same = [&](const std::optional<Match>& other) {
    return other && other->same_game(match);
  };
  const auto attended = attended_.lock();
  if (same(asked_) || same(troubled_) || (attended->ahead && same(attended->left))) return;
  rest();
  trouble_.clear();
  troubled_.reset();
  if (match.ending()) return;
  const Seat next = *match.to_move();
  if ((replies_ = answering_computer(match)) && !player(*replies_).asks_first(match)) {
    asked_ = match;
    timer_.set(1ms);  // so that the reply comes from take_changes(), like a person's
  } else if (replies_) {
    begin(match, *replies_);
  } else if (match.computer(next) > 0) {
    begin(match, next);
  }
}

void ComputerAttendant::begin(const Match& match, Seat seat) {
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

// Thinks about the question that follows if the person plays the ply that the computer expects.
void ComputerAttendant::foresee(const Match& match, const Thought& thought) {
  const auto& line = thought.lines.front().variation;
  if (!thinks_ahead_ || engine_ || match.ending() || match.offer() || match.seats() > 2 ||
      match.computer(*match.to_move()) > 0 || line.size() < 2 ||
      line.front() != match.plies().back().text)
    return;
  Match then = match;
  then.add({line[1], *match.to_move(), {}, {}});
  if (then.ending() || then.computer(*then.to_move()) < kTopLevel) return;
  Question question = question_about(then, kTopLevel);
  question.limits.time = kAhead;
  const auto attended = attended_.lock();
  attended->left = match;
  attended->ahead = thinker_.ask(Thinker::Rank::spare, then.game(), then.position(),
                                 std::move(question), [](const Result<Thought>&) {});
}

std::optional<Match> ComputerAttendant::do_turns(const Match& meant_for,
                                                 const std::vector<MoveRequest>& turns) {
  const auto attended = attended_.lock();
  try {
    Board board{attended->id, meant_for, ""};
    const auto done = repository_.play(board, turns);
    // If another program was faster, `board` has its newer state, and the computer goes on there.
    if (!done && board.match.same_game(meant_for)) give_up(meant_for, done.refusal().why);
    else look(board.match);
    if (done) return board.match;
  } catch (const Error& error) {
    give_up(meant_for, error.what());
  }
  return std::nullopt;
}

bool ComputerAttendant::play_what_is_due() {
  if (const auto seat = replies_; seat && !thinks_) {
    const Match match = std::move(*asked_);
    const auto thought = std::move(answer_);
    rest();
    do_turns(match, {{*seat, player(*seat).reply(match, *seat, thought ? &*thought : nullptr)}});
    return true;
  }
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
  if (const auto played = do_turns(match, turns)) foresee(*played, thought);
  return true;
}

bool ComputerAttendant::take_changes(bool played) {
  timer_.clear();
  const auto attended = attended_.lock();
  if (!attended) rest();
  if (attended && played)
    if (const auto board = repository_.open(attended->id)) look(board->match);
  thinker_.take_changes();
  played = play_what_is_due();
  return std::exchange(gave_up_, false) || played;
}

}  // namespace pbm
