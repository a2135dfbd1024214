// SPDX-License-Identifier: MIT
// What a game's file hands to the table in registry.cpp, and nothing else. Leaves its own to each
// game.
#pragma once

#include "engine/game_row.hpp"

namespace pbm {

GameType toot_row();
GameType flooprail_row();
GameType plotto_row();
GameType chaos_row();
GameType soccolot_row();

}  // namespace pbm
