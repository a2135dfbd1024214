// SPDX-License-Identifier: MIT
// Game options as players type them, -size=7x9 -tootris, checked against a
// game's table. Leaves what they mean to the game.
#pragma once

#include "game/game_type.hpp"

namespace pbm {

// The options in `words` (each with its dash), in any order and case. Refuses
// unknown, doubled and malformed ones, with the syntax in the sentence.
Result<Options> read_options(const GameType& game, const std::vector<std::string>& words);

// "-size=WxH -tootris", or "" when the game has none.
std::string option_syntax(const GameType& game);
// Of one: "-size=WxH", "-reverse|-misere|-losing".
std::string option_syntax(const OptionSpec& option);

// "Toot -size=7x9": the title and what differs from the standard.
std::string title_with_options(const GameType& game, const Options& options);

}  // namespace pbm
