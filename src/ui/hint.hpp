// SPDX-License-Identifier: MIT
// What the computer advises in a position, told in two steps: where, then what and why.
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

}  // namespace pbm
