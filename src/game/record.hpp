// SPDX-License-Identifier: MIT
// A match as a text to mail or keep: who played, the plies in columns, the
// drawing at the end. Leaves where it goes to its callers.
#pragma once

#include "game/match.hpp"

namespace pbm {

// Lines of ASCII but for the players' names, which come out harmless.
std::string record_text(const Match& match, const View& view);

// What was agreed beside the game's options, a sentence each: which seats are the computer's, and
// the limits of time.
std::vector<std::string> terms_text(const Match& match);

// The drawing, what is left to place, whose turn it is or how the game ended, and what is offered.
std::vector<std::string> position_text(const Match& match, const View& view);

// What was played, noted and taken back, a line each.
std::vector<std::string> plies_in_words(const Match& match);

}  // namespace pbm
