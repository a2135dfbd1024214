// SPDX-License-Identifier: MIT
// What a command line can begin with, a row each: a command, a game, or nothing, which is the
// lobby. From the row come what is refused, help, completion and the manual's test. Leaves doing
// it to the row's function.
#pragma once

#include "cli/arguments.hpp"
#include "game/game_type.hpp"

namespace pbm {

// A row as it is written.
struct CommandText {
  std::string name;                // "" for the lobby
  std::string syntax;              // how it is written on: "FILE GAME [-options] [NAME...]"
  std::string about;               // a short phrase
  std::string also;                // options it takes beside those of its syntax, parted by blanks
  std::string example;             // what may stand behind the program's name
  int (*run)(const Arguments&);    // the exit status; words[0] is the name
  bool hidden = false;             // for who measures programs: in the manual, but in no list
  const GameType* game = nullptr;  // the one it begins, or null
};

struct Command : CommandText {
  explicit Command(CommandText text);

  // One word of the syntax that is no option.
  struct Word {
    std::string kinds;                    // "FILE|BOARD"
    bool optional = false, many = false;  // may be left out; more like it may follow
    bool is(std::string_view kind) const;
  };

  // An option that means something to it, or must be there, and its value: GAME,... where the
  // table has N|GAME,...
  struct Option : ProgramOption {
    Word takes;
    std::size_t group = 0;  // of those parted by a bar, which have the same one, there may be one
  };

  std::vector<Word> words;
  std::vector<Option> options;
  bool game_options = false;  // whether it takes a game's own

  // The option of that name if it means something to it, or null.
  const Option* takes(std::string_view option) const;
};

// The table: the lobby, the commands, then the games.
const std::vector<Command>& commands();
// The row that begins with that word, or null.
const Command* find_command(std::string_view first);

// The row that these begin with. Refuses an unknown one, what means nothing to it, what its syntax
// does not have and games that are none; of the others the name in `arguments` becomes the game's.
Result<const Command*> command_of(Arguments& arguments);

// Names the one that was nearly typed, or all.
Refusal no_such_game(const std::string& name);

// What the syntax of the command that they begin with is, as a complaint.
int wrong_use(const Arguments& arguments);

// What --help says: what most people want, of the whole, or of one command.
std::string short_help();
std::string command_list();
std::string command_help(const Command& command);

}  // namespace pbm
