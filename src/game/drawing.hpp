// SPDX-License-Identifier: MIT
// A drawing seen otherwise than its game drew it: turned round, or twice as large. Knows no game.
// Leaves which of it is wanted to who looks (View).
#pragma once

#include "game/game.hpp"

namespace pbm {

// The words of letters or digits that no spot covers, from the top, from the left.
std::vector<Label> labels_of(const Drawing& drawing);

// As seen from the opposite side. Signs and words stay upright.
Drawing turned(Drawing drawing);

// Twice as large: lines are twice as long, and each sign and word stands once, in the middle of
// twice the room.
Drawing enlarged(Drawing drawing);

}  // namespace pbm
