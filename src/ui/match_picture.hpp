// SPDX-License-Identifier: MIT
// Draws a match as a picture to share: a position, or the whole game move by move. Leaves the form
// of the picture to svg.hpp, and files to the caller.
#pragma once

#include "game/match.hpp"
#include "ui/theme.hpp"

namespace pbm {

// Returns an SVG of the position after `ply` plies. With `has_moves` it shows all positions up to
// there, pauses and begins again; a long game goes on by several plies at a time.
std::string draw_match_picture(const Match& match, std::size_t ply, View view, const Theme& theme,
                               bool has_moves);

}  // namespace pbm
