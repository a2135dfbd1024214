// SPDX-License-Identifier: MIT
// Turns what the computer thinks of a position into sentences: hints, in two steps, and the threats
// of the next player. Leaves thinking to boards/, permission to board_session.hpp, and display to
// the front ends.
#pragma once

#include "game/match.hpp"
#include "game/thinker.hpp"

namespace pbm {

// Returns what the best line improves and worsens for the player to move, the most important first.
// Returns nothing if the line ends the game, and nothing with more than two seats: a gain for one
// is not the same loss for all others. Pre: `thought` is about the position of `match`.
std::vector<Term> changes_by(const Match& match, const Thought& thought);

// The advice behind a hint.
struct Advice {
  Line line;
  std::vector<Term> changes;  // by changes_by()
};

// A hint in two steps: first the square, then the ply.
class Hint {
 public:
  // Pre: `advice` is about the position of `match`. With `reasons` the last step gives reasons.
  Hint(const Match& match, Advice advice, bool reasons = true)
      : match_(match), advice_(std::move(advice)), reasons_(reasons) {}

  struct Step {
    std::string told;  // one or more sentences
    std::string ply;   // the advised ply; "" before the last step
  };
  // Goes one step on and returns that step; repeats the last one.
  Step next();
  // Returns the first square of the ply after the first step, else nothing.
  std::optional<SpotId> spot() const { return told_ == 1 ? spot_of_ply() : std::nullopt; }
  // True if the last step was shown.
  bool told() const { return told_ == 2; }

 private:
  std::optional<SpotId> spot_of_ply() const;
  std::string where() const;
  std::string why() const;

  Match match_;
  Advice advice_;
  bool reasons_;
  int told_ = 0;  // steps shown
};

// Returns the occupied squares that a legal ply captures or flips: they change, and the ply does
// not move over them.
std::vector<Spot> taken(const Position& position, const std::string& ply);

// The threats of the next player, if the seat to move did nothing.
struct Threats {
  Position about;             // the position before the threats
  std::string told;           // one or two sentences
  std::vector<SpotId> spots;  // the squares of the threats, or empty
  Seat by = 0;                // the seat that threatens
};

// Returns the position of `match` after passing the turn. Returns nothing if the game is over or
// has no pass (position.hpp).
std::optional<Position> passed_over(const Match& match);

// Tries every legal ply of the next player once; only `ahead` can show a win in several plies. A
// ply is no threat if it is impossible after every ply of the seat to move, as when that seat must
// capture. Pre: passed_over(match) has a value; `ahead` is the computer's thought about it, or {}
// if it has no legal ply.
Threats threats_in(const Match& match, const Thought& ahead);

}  // namespace pbm
