// SPDX-License-Identifier: MIT
// What the toy game's file hands to the table beside it.
#pragma once

#include "games/registry.hpp"

namespace pbm {

GameType noughts_row();

}  // namespace pbm
