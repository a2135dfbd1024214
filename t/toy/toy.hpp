// SPDX-License-Identifier: MIT
// Declares the toy game for the table beside it. Leaves its rules to noughts.cpp.
#pragma once

#include "games/registry.hpp"

namespace pbm {

GameType noughts_row();

}  // namespace pbm
