// SPDX-License-Identifier: MIT
#include "server/tournaments/ladder.hpp"

#include <algorithm>

namespace pbm {
namespace {

// Returns how many places an idle player should have lost by now.
std::size_t due_drops(const LadderPlayer& player, Time now) {
  const auto idle = now - player.last_game;
  if (player.is_playing || idle < kLadderIdleTime) return 0;
  return static_cast<std::size_t>((idle - kLadderIdleTime) / kLadderDropInterval) + 1;
}

}  // namespace

bool is_in_reach(std::size_t from, std::size_t to, std::size_t players) {
  return to < from && (from - to <= kLadderReach || (players >= kLongLadder && to <= players / 5));
}

void apply_win(std::vector<LadderPlayer>& ladder, const std::string& winner,
               const std::string& loser) {
  const auto from = std::ranges::find(ladder, winner, &LadderPlayer::userid),
             to = std::ranges::find(ladder, loser, &LadderPlayer::userid);
  if (from != ladder.end() && to < from) std::rotate(to, from, from + 1);
}

// Goes from the bottom up, so that two idle neighbours both move down.
void drop_idle_players(std::vector<LadderPlayer>& ladder, Time now) {
  for (bool more = true; more;) {
    more = false;
    std::size_t end = ladder.size();  // idle players from here on are at the bottom and stay there
    for (std::size_t i = ladder.size(); i-- > 0;) {
      LadderPlayer& player = ladder[i];
      if (player.drop_count >= due_drops(player, now)) continue;
      ++player.drop_count;
      more = true;
      if (i + 1 < end) std::swap(ladder[i], ladder[i + 1]);
      else end = i;
    }
  }
}

}  // namespace pbm
