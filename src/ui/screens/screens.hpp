// SPDX-License-Identifier: MIT
// The screens that need only the interface of screen.hpp. Leaves the lobby and a board, which need
// more, to lobby.hpp and board_screen.hpp.
#pragma once

#include <filesystem>
#include <memory>

#include "ui/screen.hpp"

namespace pbm {

class Settings;

// Lists the topics of the manual.
std::unique_ptr<Screen> make_help_screen();

// A form for a new board. `me` is the player's name, or "". `people` are the suggested players in
// this order; a typed name replaces a suggestion. `open` makes an open challenge on a server, which
// has no other seat yet. `game` is the first choice, or null; `level` that of the computer in the
// latest game, 0 if it adapts.
std::unique_ptr<Screen> make_new_game_form(Boards& boards, std::string me,
                                           std::vector<std::string> people, bool open = false,
                                           const GameType* game = nullptr,
                                           std::optional<int> level = {});

// Lists the userids of the server.
std::unique_ptr<Screen> make_people_screen(Boards& boards);

// Shows the answer to a command about tournaments, ladders or a player; for "" lists all
// tournaments and ladders.
std::unique_ptr<Screen> make_contest_screen(Boards& boards, std::string command);

// A form for the settings, with the themes in `directories`.
std::unique_ptr<Screen> make_settings_screen(Settings& settings,
                                             const std::vector<std::filesystem::path>& directories);

// A form to sign in. For a known userid it asks for the password again, and `why` gives the reason.
// Pre: the boards are on a server.
std::unique_ptr<Screen> make_sign_in_form(Boards& boards, const std::string& why = "");

// The form of the first visit with a new SSH key: it takes a name, or adds the key to an account.
// When the key belongs to an account, it asks to leave the program, which starts again.
std::unique_ptr<Screen> make_key_form(Boards& boards);

// Shows a text. `markdown` returns it for a width in columns, as often as that changes, in the
// subset that rules/ uses: # headings, paragraphs, - lists, blocks indented by four blanks.
// `lesson` is the board that teaches the game of the text, or "". The reader of a record can save
// `picture`.
std::unique_ptr<Screen> make_text_screen(std::string title,
                                         std::function<std::string(int columns)> markdown,
                                         std::string lesson = "",
                                         std::optional<PictureRequest> picture = {});
// Returns a table of keys as markdown, with the second column wrapped to `columns`.
std::string keys_as_markdown(const std::vector<KeyHelp>& keys, int columns);

}  // namespace pbm
