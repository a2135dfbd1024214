// SPDX-License-Identifier: MIT
// What the computer is asked about a match, and about several positions one after the other, and
// what becomes of the answers. Leaves the thinking itself, and threads, to its callers.
#pragma once

#include "game/match.hpp"

namespace pbm {

// What to ask about the position that stands: told of those that came before it, and with a seed
// that is the board's, so that the computer does not change its mind when it is asked again.
Question question_about(const Match& match, int level);

// What the best line makes better and worse for whoever plays it, what matters most first. Nothing
// once the game is over, and with more than two seats, where what is good for one is not bad for
// the others alike. Pre: `thought` is about the position that stands in `match`.
std::vector<Term> changes_by(const Match& match, const Thought& thought);

class Inquiry {
 public:
  virtual ~Inquiry() = default;

  virtual const GameType& game() const = 0;
  // Which position is to be thought about next; nothing at the end.
  virtual std::optional<std::size_t> next() const = 0;
  virtual const Position& position(std::size_t n) const = 0;
  // What is asked about it.
  virtual Question question() const = 0;
  // What came of it. Pre: next().
  virtual void take(Thought thought) = 0;
};

}  // namespace pbm
