// SPDX-License-Identifier: MIT
// The functions that return each game's row of the table in registry.cpp. Leaves everything else to
// the file of each game.
#pragma once

#include "engine/game_row.hpp"

namespace pbm {

GameType toot_row();
GameType flooprail_row();
GameType plotto_row();
GameType chaos_row();
GameType soccolot_row();

}  // namespace pbm
