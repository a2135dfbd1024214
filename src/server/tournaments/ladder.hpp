// SPDX-License-Identifier: MIT
// The rules of a ladder: who may challenge whom, and how places change. Every function depends only
// on its arguments. Places count from 1, the leader. The rules are those of the ladders of clubs
// for tennis and squash. Leaves games to contest_rounds.hpp.
#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"

namespace pbm {

inline constexpr std::size_t kLadderReach = 3;  // places above that may be challenged
inline constexpr std::size_t kLongLadder = 20;  // players; its upper fifth is open to all
inline constexpr auto kLadderIdleTime = std::chrono::hours(24 * 30);
inline constexpr auto kLadderDropInterval = std::chrono::hours(24 * 7);

// True if the player at `from` may challenge the one at `to` on a ladder of `players`: somebody
// above, by at most kLadderReach places or in the upper fifth of a long ladder.
bool is_in_reach(std::size_t from, std::size_t to, std::size_t players);

// A player on a ladder, as the rules see them.
struct LadderPlayer {
  std::string userid;
  Time last_game{};            // since then they are idle, if no game runs
  std::size_t drop_count = 0;  // places lost since then for playing none
  bool is_playing = false;     // a game of this ladder runs
};

// Moves the winner to the place of the loser if that is above. The players between them move down
// one place. Does nothing if one of them has left.
void apply_win(std::vector<LadderPlayer>& ladder, const std::string& winner,
               const std::string& loser);

// Moves each idle player down: below the next player who is not idle after kLadderIdleTime without
// a game, and below one more for each kLadderDropInterval after that. A player with a running game
// is not idle.
void drop_idle_players(std::vector<LadderPlayer>& ladder, Time now);

}  // namespace pbm
