// SPDX-License-Identifier: MIT
// What the commands of more than one file need. Leaves what one alone needs to its own file.
#pragma once

#include <string>

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "cli/arguments.hpp"
#include "cli/cli.hpp"
#include "protocol/address.hpp"
#include "ui/settings.hpp"

namespace pbm {

// Ends a command: what whoever asked is told, and the exit status.
struct Ended {
  int status;
  std::string why;
};

// What a result holds. Ends the command with that status where it is a refusal; need() of it alone
// says wrong usage.
template <class T>
T need(Result<T> result, int status) {
  if (!result) throw Ended{status, result.refusal().why};
  return *std::move(result);
}

// Says a sentence on standard error, harmless to any terminal; returns `status`.
int complain(int status, const std::string& sentence);

// Prints a text to read: through a pager where somebody sits at a terminal, in place of this
// program then. The exit status.
int page(const std::string& text);

// The text of a topic of help, the rules of a game among them. Refuses what is
// no topic and a text that cannot be read.
Result<std::string> help_text(const std::string& topic);

// The boards of --saves, or of whoever plays.
LocalBoards own_boards(const Arguments& arguments, std::string_view called = "");
// The board to show, read or play on, with what was left out of it said.
Board opened(LocalBoards& boards, const std::string& name);

// Plays that there; of an example it says which board it has become.
void play_told(LocalBoards& boards, Board& board, const std::vector<MoveRequest>& turns);

Exercises exercises_of(const Arguments& arguments);

// One's own boards, lessons and puzzles, and the computer; or beside the boards of a server.
struct AllBoards {
  explicit AllBoards(const Arguments& arguments, RemoteBoards* there = nullptr);
  LocalBoards own;
  Exercises exercises;
  ComputerAttendant computer;
  Boards boards;
};

// The drawing asked for with --field; without it, the one remembered. `game` is null for any.
View view_of(const Arguments& arguments, const GameType* game, const Settings& settings);

// Says a refusal, and puts a caret below the byte of `typed` it is about; kRefused.
int refuse_typed(const Refusal& refusal, std::string_view typed);

// The match that GAME [-options] [NAME...] describes, the names from words[first] on.
Match described_match(const Arguments& arguments, const GameType& game, std::size_t first);

// The server that --socket or --connect names, else the one of whoever runs this. A socket has its
// whole path, by which it is known from everywhere.
ServerAddress address_of(const Arguments& arguments);
// That, and the userid of --user, "" for nobody.
struct There {
  std::string user;
  ServerAddress address;
};
There there_of(const Arguments& arguments);

// With a user: gives up every right to files but to what belongs to that user,
// and to read what everybody may. Whoever came in by a door that is shared and
// gets the better of this program has got no further into the login.
void confine_to_user(const Arguments& arguments, const There& there,
                     const std::vector<std::filesystem::path>& written = {});

}  // namespace pbm
