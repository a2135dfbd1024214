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

// What the best line makes better and worse for whoever plays it, what matters most first. Nothing
// once the game is over, and with more than two seats, where what is good for one is not bad for
// the others alike. Pre: `thought` is about the position that stands in `match`.
std::vector<Term> changes_by(const Match& match, const Thought& thought);

// `said`: what a computer thought of its own plies, in order, the latest last.
// `plies`: how many plies stand on the board.

// A tie that is sure, or a game that has long been even: nothing happens any more.
bool offers_draw(std::span<const Verdict> said, std::size_t plies);

// The same, and also where the computer stands worse.
bool accepts_draw(std::span<const Verdict> said, std::size_t plies);

// Late, and never below level 8: who plays those wants to see the end.
bool resigns(std::span<const Verdict> said, int level);

}  // namespace pbm
