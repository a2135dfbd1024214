// SPDX-License-Identifier: MIT
// The levels of the computer, made of the rungs of one ladder. Leaves their use to think.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "game/thinker.hpp"

namespace pbm::engine {

// The strength of a player: its work limits and its handicaps.
struct Skill {
  std::uint64_t nodes;  // maximum of positions; 0: limited by time only
  int depth;            // maximum in plies, for searches with a depth; 0: none
  int seen;             // per cent of the moves that a beginner may overlook
  int noise;            // error of evaluations, per cent of the board's kNoise
  int terms;            // how many terms of the evaluation it knows
  bool threats;         // true if it sees the opponent's wins in one
  bool replies = true;  // true if it searches noisy positions beyond its own ply
};

// The ladder from the weakest skill up, with kBetween rungs from one skill to the next. Limits are
// of work, never of time, so a rung is equally strong on every machine.
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

// Returns the skill of a rung between two of the ladder. Values that cannot be mixed come from the
// upper skill in some positions, chosen by `position`, a hash of game and position. `lowest` is the
// skill of rung 0. Pre: 0 <= rung <= kTopRung.
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

// The rung of each level except the highest. Every game has its own (Board::rungs()), found with
// pbmplay duel, so that strength grows evenly.
using Rungs = std::array<std::uint8_t, kTopLevel - 1>;
inline constexpr Rungs kUsualRungs{0, 20, 30, 40, 50, 60, 70, 80, 90};

// The time of the highest level if the question sets no limit.
inline constexpr std::chrono::milliseconds kTimeAtTop{1000};

}  // namespace pbm::engine
