// SPDX-License-Identifier: MIT
// The arithmetic of ratings, as the old server's rating page has it. Leaves which games count to
// history.hpp.
#pragma once

#include <cstddef>

namespace pbm {

inline constexpr double kFirstRating = 1600;
inline constexpr std::size_t kProvisional = 20;  // rated games under which a rating is provisional

// A player at one game.
struct Rating {
  double value = kFirstRating;
  std::size_t won = 0, lost = 0, tied = 0;
  double sum = 0;  // of what the games so far were worth while provisional

  std::size_t games() const { return won + lost + tied; }
  bool provisional() const { return games() < kProvisional; }
};

// One game's result for one of its two players.
enum class Score { lost, tied, won };

// What `player` has after a game against `opponent`; both as they were before it.
Rating after_game(const Rating& player, const Rating& opponent, Score score);

}  // namespace pbm
