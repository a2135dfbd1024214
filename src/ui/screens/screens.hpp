// SPDX-License-Identifier: MIT
// The screens of which nobody asks more than what screen.hpp asks of each. Leaves the list of
// boards and a board, which are asked more, to lobby.hpp and board_screen.hpp.
#pragma once

#include <filesystem>
#include <memory>

#include "ui/screen.hpp"

namespace pbm {

class Settings;

// What there is to read.
std::unique_ptr<Screen> help_screen();

// `me` is who sits there, "" for nobody in particular. `people` are offered as players in that
// order; whoever types a name takes that seat instead. `open`: an open challenge on a server, which
// has no other seat yet. `game` stands there first, or null for the first of all.
std::unique_ptr<Screen> new_game(Boards& boards, std::string me, std::vector<std::string> people,
                                 bool open = false, const GameType* game = nullptr);

// Who has a userid on the server.
std::unique_ptr<Screen> people_screen(Boards& boards);

// With the themes in `directories` to choose from.
std::unique_ptr<Screen> settings_screen(Settings& settings,
                                        const std::vector<std::filesystem::path>& directories);

// Whoever is known already signs in again, and `why` says why. Pre: the boards are on a server.
std::unique_ptr<Screen> sign_in(Boards& boards, const std::string& why = "");

// `markdown` in the subset rules/ uses: # headings, paragraphs, - lists, blocks indented by four
// blanks. It is made for a width, in columns, whenever that changes. `lesson` is a board that
// teaches what it is about, or "".
std::unique_ptr<Screen> text_screen(std::string title,
                                    std::function<std::string(int columns)> markdown,
                                    std::string lesson = "");
// A table of keys as markdown, its second column wrapped to `columns`.
std::string keys_as_text(const std::vector<KeyHelp>& keys, int columns);

}  // namespace pbm
