// SPDX-License-Identifier: MIT
#include "server/tournaments/ladder.hpp"

#include <algorithm>

namespace pbm {
namespace {

bool is_idle(const LadderPlayer& player, Time now) {
  return !player.is_playing && now - player.last_game >= kLadderIdleTime;
}

// Returns how many places a player should have lost by now.
std::size_t due_drops(const LadderPlayer& player, Time now) {
  if (!is_idle(player, now)) return 0;
  const auto idle = now - player.last_game - kLadderIdleTime;
  return static_cast<std::size_t>(idle / kLadderDropInterval) + 1;
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
    for (std::size_t i = ladder.size(); i-- > 0;) {
      if (ladder[i].drop_count >= due_drops(ladder[i], now)) continue;
      ++ladder[i].drop_count;
      more = true;
      const auto player = ladder.begin() + static_cast<std::ptrdiff_t>(i);
      const auto active = std::find_if(player + 1, ladder.end(),
                                       [&](const LadderPlayer& p) { return !is_idle(p, now); });
      if (active != ladder.end()) std::rotate(player, player + 1, active + 1);
    }
  }
}

}  // namespace pbm
