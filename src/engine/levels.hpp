// SPDX-License-Identifier: MIT
// The levels: how much each looks at and what it does not see. One table,
// calibrated with pbmplay duel. Leaves how that is used to think.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "game/thinker.hpp"

namespace pbm::engine {

// All levels but the highest are bounded by work and never by time, so that
// they are as strong on every machine.
struct Level {
  std::uint64_t nodes;  // positions looked at; 0: all that the time allows
  int depth;            // plies looked ahead, where the search counts in plies
  int seen;             // of 100 moves that a beginner might overlook
  int noise;            // of 100 parts of what makes three chances of four
  int terms;            // how many of the terms of the estimate are known
  bool threats;         // sees what the other side would win by at once
};

inline constexpr std::array<Level, kTopLevel> kLevels{{
    {200, 1, 68, 90, 1, false},
    {600, 2, 74, 65, 1, false},
    {1'500, 2, 80, 50, 2, true},
    {3'000, 3, 82, 45, 2, true},
    {6'000, 4, 86, 38, 3, true},
    {12'000, 5, 90, 28, 4, true},
    {30'000, 7, 95, 18, 1000, true},
    {80'000, 9, 98, 8, 1000, true},
    {250'000, 99, 100, 0, 1000, true},
    {0, 0, 100, 0, 1000, true},
}};

// Pre: 1 to kTopLevel.
constexpr const Level& level_of(int level) { return kLevels[static_cast<std::size_t>(level - 1)]; }

// Of the highest level, unless something else was said.
inline constexpr std::chrono::milliseconds kTimeAtTop{1000};

}  // namespace pbm::engine
