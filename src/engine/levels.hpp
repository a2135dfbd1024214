// SPDX-License-Identifier: MIT
// The levels of the computer, made of the rungs of one ladder. Leaves their use to searcher.hpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "game/thinker.hpp"

namespace pbm::engine {

// The strength of a player: its work limits and its handicaps.
struct Skill {
  std::uint64_t nodes;            // maximum of positions; 0: limited by time only
  int depth;                      // maximum in plies, for searches with a depth; 0: none
  int seen_percent;               // per cent of the moves that a beginner may overlook
  int noise_percent;              // error of evaluations, per cent of the board's kMaxNoise
  int known_terms;                // how many terms of the evaluation it knows
  bool sees_threats;              // true if it sees the opponent's wins in one
  bool considers_replies = true;  // true if it searches noisy positions beyond its own ply
};

// The ladder from the weakest skill up, with kRungsPerSkill rungs from one skill to the next.
// Limits are of work, never of time, so a rung is equally strong on every machine.
inline constexpr std::array<Skill, 10> kSkillLadder{{
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
inline constexpr int kRungsPerSkill = 10;
static_assert(kMaxRung == kRungsPerSkill * (kSkillLadder.size() - 1));
inline constexpr Skill kTopSkill{0, 0, 100, 0, 1000, true};

// Returns the skill of a rung between two of the ladder. Values that cannot be mixed come from the
// upper skill in some positions, chosen by `position`, a hash of game and position. `lowest` is the
// skill of rung 0. Pre: 0 <= rung <= kMaxRung.
inline Skill skill_at_rung(int rung, std::uint64_t position, const Skill& lowest) {
  const auto below = static_cast<std::size_t>(rung / kRungsPerSkill);
  const int over = rung % kRungsPerSkill;
  Skill out = below == 0 ? lowest : kSkillLadder[below];
  if (over == 0) return out;
  const Skill& next = kSkillLadder[below + 1];
  const auto between = [&](int from, int to) {
    return from + ((to - from) * over + kRungsPerSkill / 2) / kRungsPerSkill;
  };
  const double share = static_cast<double>(over) / kRungsPerSkill;
  out.nodes =
      static_cast<std::uint64_t>(std::lround(std::pow(static_cast<double>(out.nodes), 1 - share) *
                                             std::pow(static_cast<double>(next.nodes), share)));
  out.seen_percent = between(out.seen_percent, next.seen_percent);
  out.noise_percent = between(out.noise_percent, next.noise_percent);
  if (position % kRungsPerSkill < static_cast<std::uint64_t>(over)) {
    out.depth = next.depth;
    out.known_terms = next.known_terms;
    out.sees_threats = next.sees_threats;
    out.considers_replies = next.considers_replies;
  }
  return out;
}

// The rung of each level except the highest. Every game has its own (Board::rungs()), found with
// pbmplay duel, so that strength grows evenly.
using LevelRungs = std::array<std::uint8_t, kMaxLevel - 1>;
inline constexpr LevelRungs kDefaultRungs{0, 20, 30, 40, 50, 60, 70, 80, 90};

// The time of the highest level if the question sets no limit.
inline constexpr std::chrono::milliseconds kTopLevelTime{1000};

}  // namespace pbm::engine
