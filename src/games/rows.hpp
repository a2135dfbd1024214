// SPDX-License-Identifier: MIT
// What a game's file hands to the table in all.cpp, and nothing else.
#pragma once

#include "game/type.hpp"

namespace pbm {

GameType toot_row();

}  // namespace pbm
