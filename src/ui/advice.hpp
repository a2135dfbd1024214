// SPDX-License-Identifier: MIT
// Turns what the computer thinks of a position into sentences: hints, in two steps, and the threats
// of the next player. Leaves thinking to boards/, permission to board_session.hpp, and display to
// the front ends.
#pragma once

#include "boards/reasons.hpp"

namespace pbm {

// Returns what the best line improves and worsens for the player to move, the most important first.
// Returns nothing if the line ends the game, and nothing with more than two seats: a gain for one
// is not the same loss for all others. Pre: `thought` is about the position of `match`.
std::vector<EvaluationTerm> line_changes(const Match& match, const SearchResult& thought);

// The advice behind a hint.
struct Advice {
  AnalysisLine line;
  std::vector<EvaluationTerm> changes;  // by line_changes()
};

// A hint in three steps: the square, the ply, and why.
class Hint {
 public:
  // Pre: `advice` is about the position of `match`. Without `reasons` there is no last step, and
  // the ply stands alone. The words are for the person in the seat `own`, if any.
  Hint(const Match& match, Advice advice, bool reasons = true, std::optional<Seat> own = {})
      : match_(match), advice_(std::move(advice)), has_reasons_(reasons), own_seat_(own) {}

  struct Step {
    std::string text;  // one or more sentences
    std::string ply;   // the advised ply, in its step; else ""
  };
  // Goes one step on and returns that step; repeats the last one.
  Step next_step();
  // Returns the first square of the ply after the first step, else nothing.
  std::optional<SpotId> first_spot() const { return steps_shown_ == 1 ? ply_spot() : std::nullopt; }
  // True if the last step was shown.
  bool is_complete() const { return steps_shown_ == last_step(); }
  // Returns the squares of the reason after the last step, else nothing.
  const std::vector<SpotId>& reason_spots() const { return reason_spots_; }

 private:
  int last_step() const { return has_reasons_ ? 3 : 2; }
  std::optional<SpotId> ply_spot() const;
  std::string describe_place() const;
  std::string describe_reasons() const;
  std::string describe_balance() const;
  std::string start_text() const;

  Match match_;
  Advice advice_;
  bool has_reasons_;
  std::optional<Seat> own_seat_;
  int steps_shown_ = 0;
  std::vector<SpotId> reason_spots_ = {};
};

// The threats of the next player, if the seat to move did nothing.
struct Threats {
  Position position;          // the position before the threats
  std::string text;           // one or two sentences
  std::vector<SpotId> spots;  // the squares of the threats, or empty
  Seat seat = 0;              // the seat that threatens
};

// Returns the position of `match` after passing the turn. Returns nothing if the game is over or
// has no pass (position.hpp).
std::optional<Position> position_after_pass(const Match& match);

// Tries every legal ply of the next player once; only `ahead` can show a win in several plies. A
// ply is no threat if it is impossible after every ply of the seat to move, as when that seat must
// capture. Pre: position_after_pass(match) has a value; `ahead` is the computer's thought about it,
// or {} if it has no legal ply. The text is for the person in the seat `own`, if any.
Threats find_threats(const Match& match, const SearchResult& ahead, std::optional<Seat> own = {});

}  // namespace pbm
