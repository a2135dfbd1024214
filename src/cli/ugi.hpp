// SPDX-License-Identifier: MIT
// The computer as an engine for other programs: the Universal Game Interface
// (https://github.com/kz04px/cutegames), which is UCI without chess. Leaves
// thinking to boards/thinker.hpp.
#pragma once

#include "game/game_type.hpp"

namespace pbm {

// Answers lines on standard input by lines on standard output, until `quit` or the end of
// the input. Positions are startpos and plies from there. Pre: the game starts with these.
void run_ugi(const GameType& game, const Options& options, int seats);

}  // namespace pbm
