// SPDX-License-Identifier: MIT
// What the computer is asked about several positions, one after the other, and what becomes of the
// answers. Leaves the thinking itself, and threads, to its callers.
#pragma once

#include "protocol/openings.hpp"

namespace pbm {

// Several positions that are thought about one after the other.
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

// What is proved of the plies of an opening. Of games for more than two nothing is.
class OpeningProofs final : public Inquiry {
 public:
  // Pre: `openings` outlives this, and no game is added to it any more.
  explicit OpeningProofs(Openings& openings);

  const GameType& game() const override { return openings_.game(); }
  std::optional<std::size_t> next() const override;
  const Position& position(std::size_t n) const override { return judged_[n].position; }
  Question question() const override;
  void take(Thought thought) override;

 private:
  struct Judged {
    std::string ply;
    Position position;  // after it
  };
  Openings& openings_;
  std::vector<Judged> judged_;  // the first to be judged last
  std::size_t waiting_ = 0;     // of them, the first ones
};

}  // namespace pbm
