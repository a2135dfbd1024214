// SPDX-License-Identifier: MIT
// Positions of a game that the computer is to think about one after the other, and what becomes of
// the answers. Leaves the thinking itself, and threads, to its callers.
#pragma once

#include "game/game_type.hpp"

namespace pbm {

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
