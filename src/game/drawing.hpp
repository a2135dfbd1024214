// SPDX-License-Identifier: MIT
// Transforms a drawing: turns it round or enlarges it. Works on the drawing of any game.
// Leaves the choice to the viewer (View).
#pragma once

#include "game/game.hpp"

namespace pbm {

// Returns the words of letters and digits that no spot covers, by row and then by column.
std::vector<Label> find_labels(const Drawing& drawing);

// Returns the drawing as seen from the opposite side. Pieces and words stay upright.
Drawing turn_drawing(Drawing drawing);

// Returns the drawing at `scale` times its size, from 2 to kMaxScale. Lines get longer. Each piece
// or word keeps its size and stands in the middle of its space.
Drawing enlarge_drawing(Drawing drawing, int scale);

}  // namespace pbm
