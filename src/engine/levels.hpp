// SPDX-License-Identifier: MIT
// The levels: how much each looks at and what it does not see, as rungs of one
// ladder. Leaves how that is used to think.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "game/thinker.hpp"

namespace pbm::engine {

// What a player spends, and what it overlooks and does not know.
struct Skill {
  std::uint64_t nodes;  // positions looked at; 0: all that the time allows
  int depth;            // plies looked ahead, where the search counts in plies
  int seen;             // of 100 moves that a beginner might overlook
  int noise;            // of 100 parts of a board's kNoise
  int terms;            // how many of the terms of the estimate are known
  bool threats;         // sees what the other side would win by at once
  bool replies = true;  // looks further than its own ply where a position is no quiet one
};

// The ladder, from the weakest on, kBetween rungs from one of these to the next. All of it is
// bounded by work and never by time, so that it is as strong on every machine.
inline constexpr std::array<Skill, 10> kLadder{{
    {200, 1, 40, 100, 0, false, false},
    {200, 1, 70, 80, 1, false},
    {400, 1, 74, 65, 2, true},
    {1'000, 2, 78, 55, 2, true},
    {2'500, 3, 82, 45, 2, true},
    {6'000, 4, 86, 38, 3, true},
    {12'000, 5, 90, 28, 4, true},
    {30'000, 7, 95, 18, 1000, true},
    {80'000, 9, 98, 8, 1000, true},
    {250'000, 99, 100, 0, 1000, true},
}};
inline constexpr int kBetween = 10;
static_assert(kTopRung == kBetween * (kLadder.size() - 1));
inline constexpr Skill kAllThereIs{0, 0, 100, 0, 1000, true};

// What cannot be had in part is had in some positions, and which these are `position` says, a
// number of its own for each position of each game; `lowest` is what stands on rung 0.
// Pre: 0 <= rung <= kTopRung.
inline Skill skill_at(int rung, std::uint64_t position, const Skill& lowest) {
  const auto below = static_cast<std::size_t>(rung / kBetween);
  const int over = rung % kBetween;
  Skill out = below == 0 ? lowest : kLadder[below];
  if (over == 0) return out;
  const Skill& next = kLadder[below + 1];
  const auto between = [&](int from, int to) {
    return from + ((to - from) * over + kBetween / 2) / kBetween;
  };
  const double share = static_cast<double>(over) / kBetween;
  out.nodes =
      static_cast<std::uint64_t>(std::lround(std::pow(static_cast<double>(out.nodes), 1 - share) *
                                             std::pow(static_cast<double>(next.nodes), share)));
  out.seen = between(out.seen, next.seen);
  out.noise = between(out.noise, next.noise);
  if (position % kBetween < static_cast<std::uint64_t>(over)) {
    out.depth = next.depth;
    out.terms = next.terms;
    out.threats = next.threats;
    out.replies = next.replies;
  }
  return out;
}

// On which rung each level but the highest stands, so that each is about as much stronger than the
// one below: every game has its own (Board::rungs()), found with pbmplay duel.
using Rungs = std::array<std::uint8_t, kTopLevel - 1>;
inline constexpr Rungs kUsualRungs{0, 20, 30, 40, 50, 60, 70, 80, 90};

// Of the highest level, unless something else was said.
inline constexpr std::chrono::milliseconds kTimeAtTop{1000};

}  // namespace pbm::engine
