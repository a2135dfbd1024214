// SPDX-License-Identifier: MIT
// What the computer advises in a position, told in three steps: where, what, and why.
// Leaves thinking to boards/ and who may ask to board_session.hpp.
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
  // Pre: `advice` is about the position that stands in `match`. Of three steps the last says why.
  Hint(const Match& match, Advice advice, int steps = 3)
      : match_(match), advice_(std::move(advice)), steps_(steps) {}

  struct Step {
    std::string told;  // a sentence or more
    std::string ply;   // to be played; "" while that is not told yet
  };
  // What is told next; at the end the last step again.
  Step next();
  // Where the ply begins, while no more than that is told.
  std::optional<SpotId> spot() const;

 private:
  std::string where() const;
  std::string why() const;

  Match match_;
  Advice advice_;
  int steps_, told_ = 0;
};

}  // namespace pbm
