// SPDX-License-Identifier: MIT
// What the computer says of a position: what it advises, in two steps, where, then what and why;
// and what whoever comes next would win or take, if the seat to move did nothing. Leaves thinking
// to boards/, who may ask to board_session.hpp, and how it is shown to the front ends.
#pragma once

#include "game/match.hpp"
#include "game/thinker.hpp"

namespace pbm {

// What the best line makes better and worse for whoever plays it, what matters most first. Nothing
// once the game is over, and with more than two seats, where what is good for one is not bad for
// the others alike. Pre: `thought` is about the position that stands in `match`.
std::vector<Term> changes_by(const Match& match, const Thought& thought);

struct Advice {
  Line line;
  std::vector<Term> changes;  // changes_by() it
};

class Hint {
 public:
  // Pre: `advice` is about the position that stands in `match`. With `reasons` the last step says
  // why.
  Hint(const Match& match, Advice advice, bool reasons = true)
      : match_(match), advice_(std::move(advice)), reasons_(reasons) {}

  struct Step {
    std::string told;  // a sentence or more
    std::string ply;   // to be played; "" while that is not told yet
  };
  // What is told next; at the end the last step again.
  Step next();
  // Where the ply begins, while no more than that is told.
  std::optional<SpotId> spot() const { return told_ == 1 ? spot_of_ply() : std::nullopt; }
  // Whether there is no more to tell.
  bool told() const { return told_ == 2; }

 private:
  std::optional<SpotId> spot_of_ply() const;
  std::string where() const;
  std::string why() const;

  Match match_;
  Advice advice_;
  bool reasons_;
  int told_ = 0;  // steps
};

// The spots of what a legal ply takes away or turns over: they change by it, something stands
// there, and it does not go by them.
std::vector<Spot> taken(const Position& position, const std::string& ply);

struct Threats {
  Position about;             // where the seat to move should beware
  std::string told;           // a sentence, or two
  std::vector<SpotId> spots;  // where the threats are; empty when there are none
  Seat by = 0;                // whose they are
};

// The position that stands in `match` with the turn passed over. Nothing where the game is over, or
// says nothing of that (game.hpp).
std::optional<Position> passed_over(const Match& match);

// Pre: passed_over(match) is something; `ahead` is what the computer thinks of it, {} where no ply
// is legal. Tries every legal ply there once; that a win takes several plies, only `ahead` tells.
// What no ply of the seat to move leaves possible, as it has to capture first, is no threat.
Threats threats_in(const Match& match, const Thought& ahead);

}  // namespace pbm
