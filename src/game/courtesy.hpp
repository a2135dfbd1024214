// SPDX-License-Identifier: MIT
// The computer as a player of a board: what it is asked; when it offers or takes a draw, and when
// it gives up, out of what it said of the game so far. Leaves saying it to whoever runs the board.
#pragma once

#include <span>

#include "game/match.hpp"

namespace pbm {

inline constexpr std::size_t kRemembered = 60;  // positions that it is told of, to shun them

// What to ask about the position that stands: told of those that came before it, and with a seed
// that is the board's, so that the computer does not change its mind when it is asked again.
Question question_about(const Match& match, int level);

// `said`: what a computer thought of its own plies, in order, the latest last.
// `plies`: how many plies stand on the board.

// A tie that is sure, or a game that has long been even: nothing happens any more.
bool offers_draw(std::span<const Verdict> said, std::size_t plies);

// The same, and also where the computer stands worse.
bool accepts_draw(std::span<const Verdict> said, std::size_t plies);

// Late, and never below level 8: who plays those wants to see the end.
bool resigns(std::span<const Verdict> said, int level);

// All of that for one seat of a game, as long as it is followed.
class Manners {
 public:
  // What the computer of that level does that found `best` for the position that stands in
  // `match`, one after the other: the ply, maybe with an offer behind it; or it gives up.
  std::vector<std::string> deeds(const Match& match, const Line& best, int level);
  // What it says to what is offered there: accept or reject.
  std::string reply(const Match& match) const;

 private:
  std::vector<Verdict> said_;
  std::size_t offered_at_ = 0;  // plies, when it last offered a draw
};

}  // namespace pbm
