// SPDX-License-Identifier: MIT
// Functions for several commands. Leaves what only one command needs to its own file.
#pragma once

#include <string>

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "cli/arguments.hpp"
#include "cli/cli.hpp"
#include "protocol/address.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm {

// Ends a command, when thrown: the message for the user, and the exit status.
struct CommandExit {
  int status;
  std::string message;
};

// Returns the value of a result. If it is a refusal, ends the command with `status`.
template <class T>
T need(Result<T> result, int status) {
  if (!result) throw CommandExit{status, result.refusal().reason};
  return *std::move(result);
}

// Prints a sentence on standard error, safe for any terminal. Returns `status`.
int print_error(int status, const std::string& sentence);

// Prints a long text. At a terminal a pager replaces this program. Returns the exit status.
int show_in_pager(const std::string& text);

// Returns the text of a help topic; the rules of games are topics. Refuses unknown topics and
// unreadable files.
Result<std::string> help_text(const std::string& topic);

// Returns the boards in --saves, or else the user's own.
LocalBoards open_own_boards(const Arguments& arguments, std::string_view called = "");
// Opens a board. Prints a warning if the save has parts that were left out.
Board open_board(LocalBoards& boards, const std::string& name);

// Plays moves on a board. If the board was an example, prints the id of the new board.
void play_and_report(LocalBoards& boards, Board& board, const std::vector<MoveRequest>& turns);

Exercises open_exercises(const Arguments& arguments);

// The user's own boards, exercises and computer, and perhaps the boards of a server.
struct AllBoards {
  explicit AllBoards(const Arguments& arguments, RemoteBoards* there = nullptr);
  LocalBoards own_boards;
  Exercises exercises;
  ComputerSeats computer;
  Boards boards;
};

// Returns the drawing of --field, or else the remembered one. `game` is null for any game.
View read_view(const Arguments& arguments, const GameType* game, const Settings& settings);

// Returns the theme called `name`, or else the default theme, or else the plain one.
Theme theme_or_default(const std::string& name);

// Prints a refusal, with a caret below the wrong byte of `typed`. Returns the exit status.
int print_refusal(const Refusal& refusal, std::string_view typed);

// Returns a new match for GAME [-options] [NAME...], with the names from words[first] on.
Match new_match(const Arguments& arguments, const GameType& game, std::size_t first);

// Returns the server of --socket or --connect, or else the user's own. A socket has its absolute
// path, which is the same from every directory.
ServerAddress server_address(const Arguments& arguments);
// A server, the userid of --user, or "", and the key that signs in as it, or "".
struct ServerTarget {
  std::string userid;
  ServerAddress address;
  std::string key = {};  // "SHA256:... from 192.0.2.1": the words after the command `key`
  // Returns the line that signs in without a password. Pre: there is a userid.
  std::string login_line() const { return key.empty() ? "as " + userid : "key " + key; }
};
ServerTarget server_target(const Arguments& arguments);

// With a user: gives up all rights to files, except to the user's own and to read public ones. An
// attacker who comes through a shared login and takes over this program cannot reach the rest of
// the login.
void confine_to_user(const Arguments& arguments, const ServerTarget& there,
                     const std::vector<std::filesystem::path>& written = {});

}  // namespace pbm
