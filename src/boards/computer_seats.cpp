// SPDX-License-Identifier: MIT
#include "boards/computer_seats.hpp"

#include <algorithm>

namespace pbm {
namespace {

using namespace std::chrono;

// Returns a computer's seat that has to answer an offer, or nothing.
std::optional<Seat> answering_computer(const Match& match) {
  for (const Seat seat : seats_to_answer(match))
    if (match.computer_level(seat) > 0) return seat;
  return std::nullopt;
}

}  // namespace

ComputerSeats::ComputerSeats(Repository& repository, const Setup& setup)
    : repository_(repository),
      ply_time_(setup.ply_time),
      watched_ply_time_(setup.watched_ply_time),
      slow_start_(setup.slow_start),
      engine_(setup.engine_command.empty() ? nullptr
                                           : std::make_shared<EngineProcess>(setup.engine_command)),
      thinker_(setup.table_directories) {}

// --- the board -----------------------------------------------------------------------

TaskHandle ComputerSeats::play_on(const Board& board) {
  auto attended = open_board_.lock();
  if (board.remote) return nullptr;  // a server's computers are players like others
  if (!attended || attended->id != board.id) {
    stop_all();
    problem_.clear();
    failed_match_.reset();
    attended = std::make_shared<OpenBoard>(OpenBoard{board.id, {}});
    open_board_ = attended;
  }
  start_next_task(board.match);
  return attended;
}

std::optional<Seat> ComputerSeats::thinking_seat(const std::string& id) const {
  const auto attended = open_board_.lock();
  if (!attended || attended->id != id || !current_match_) return std::nullopt;
  return replying_seat_ ? replying_seat_ : current_match_->to_move();
}

void ComputerSeats::play_now() {
  if (pending_thought_ && is_engine_slow())
    return report_failure(Match(*current_match_), "The engine was not ready yet.");
  if (pending_thought_) pending_thought_->answer_now();
  plays_now_ = true;
  timer_.set(1ms);  // its answer may be ready and only wait for its time
}

// Returns when it may play its answer.
SteadyTime ComputerSeats::due_time() const {
  if (plays_now_) return {};
  for (Seat s = 0; s < current_match_->seats(); ++s)
    if (current_match_->computer_level(s) == 0 && current_match_->is_playing(s))
      return start_time_ + ply_time_;
  return start_time_ + watched_ply_time_;
}

void ComputerSeats::stop_all() {
  is_engine_slow_ = false;
  pending_thought_.reset();
  current_match_.reset();
  ready_thought_.reset();
  replying_seat_.reset();
}

// Stops until the board changes; the computer does not try again in the same position.
void ComputerSeats::report_failure(const Match& match, const std::string& why) {
  stop_all();
  has_new_failure_ = true;
  problem_ = "The computer cannot play. " + why;
  failed_match_ = match;
}

// --- what the computer does -------------------------------------------------------------

void ComputerSeats::start_next_task(const Match& match) {
  const auto same = [&](const std::optional<Match>& other) {
    return other && other->is_same_game(match);
  };
  if (same(current_match_) || same(failed_match_)) return;
  stop_all();
  problem_.clear();
  failed_match_.reset();
  if (match.ending()) return;
  const Seat next = *match.to_move();
  if ((replying_seat_ = answering_computer(match)) &&
      !player(*replying_seat_).needs_thought(match)) {
    current_match_ = match;
    timer_.set(1ms);  // so that the reply comes from take_changes(), like a person's
  } else if (replying_seat_) {
    start_thinking(match, *replying_seat_);
  } else if (match.computer_level(next) > 0) {
    start_thinking(match, next);
  }
}

void ComputerSeats::start_thinking(const Match& match, Seat seat) {
  current_match_ = match;
  start_time_ = steady_clock::now();
  plays_now_ = false;
  if (engine_) timer_.set(slow_start_);
  pending_thought_ =
      player(seat).think(thinker_, match, make_question(match, match.computer_level(seat)),
                         [this](const Result<SearchResult>& thought) {
                           pending_thought_.reset();
                           if (thought) ready_thought_ = *thought;
                           else report_failure(Match(*current_match_), thought.refusal().reason);
                         });
}

void ComputerSeats::play_requests(const Match& meant_for, const std::vector<MoveRequest>& turns) {
  const auto attended = open_board_.lock();
  try {
    Board board{attended->id, meant_for, ""};
    const auto done = repository_.play(board, turns);
    // If another program was faster, `board` has its newer state, and the computer goes on there.
    if (!done && board.match.is_same_game(meant_for))
      report_failure(meant_for, done.refusal().reason);
    else start_next_task(board.match);
  } catch (const Error& error) {
    report_failure(meant_for, error.what());
  }
}

bool ComputerSeats::play_due() {
  if (const auto seat = replying_seat_; seat && !pending_thought_) {
    const Match match = std::move(*current_match_);
    const auto thought = std::move(ready_thought_);
    stop_all();
    play_requests(
        match, {{*seat, player(*seat).answer_offer(match, *seat, thought ? &*thought : nullptr)}});
    return true;
  }
  if (!ready_thought_) {
    if (!pending_thought_ || !engine_ || is_engine_slow_) return false;
    const auto spent = floor<milliseconds>(engine_->time_getting_ready());
    is_engine_slow_ = spent >= slow_start_;
    if (!is_engine_slow_) timer_.set(spent > 0ms ? slow_start_ - spent : 1s);
    return is_engine_slow_;
  }
  is_engine_slow_ = false;
  if (const auto wait = ceil<milliseconds>(due_time() - steady_clock::now()); wait > 0ms) {
    timer_.set(wait);
    return false;
  }
  const Match match = std::move(*current_match_);
  const SearchResult thought = std::move(*ready_thought_);
  stop_all();
  const Seat seat = *match.to_move();
  std::vector<MoveRequest> turns;
  for (std::string& what : player(seat).choose_actions(match, thought, match.computer_level(seat)))
    turns.push_back({seat, std::move(what)});
  play_requests(match, turns);
  return true;
}

bool ComputerSeats::take_changes(bool played) {
  timer_.clear();
  const auto attended = open_board_.lock();
  if (!attended) stop_all();
  if (attended && played)
    if (const auto board = repository_.open(attended->id)) start_next_task(board->match);
  thinker_.take_changes();
  played = play_due();
  return std::exchange(has_new_failure_, false) || played;
}

}  // namespace pbm
