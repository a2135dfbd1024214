// SPDX-License-Identifier: MIT
// When a computer offers or takes a draw, and when it gives up: out of what it
// said of the game so far. Leaves saying it to whoever runs the board.
#pragma once

#include <span>

#include "game/thinker.hpp"

namespace pbm {

// `said`: what a computer thought of its own plies, in order, the latest last.
// `plies`: how many plies stand on the board.

// A tie that is sure, or a game that has long been even: nothing happens any more.
bool offers_draw(std::span<const Verdict> said, std::size_t plies);

// The same, and also where the computer stands worse.
bool accepts_draw(std::span<const Verdict> said, std::size_t plies);

// Late, and never below level 8: who plays those wants to see the end.
bool resigns(std::span<const Verdict> said, int level);

}  // namespace pbm
