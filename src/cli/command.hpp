// SPDX-License-Identifier: MIT
// What a command line can begin with, a row each: a command, a game, or nothing, which is the
// lobby. From the row come what is refused, help, completion and the manual's test. Leaves doing
// it to the row's function.
#pragma once

#include "cli/arguments.hpp"
#include "game/game_type.hpp"

namespace pbm {

class Command {
 public:
  // `also` has the options that it takes beside those of its syntax, parted by blanks.
  Command(std::string name, std::string syntax, std::string about, std::string_view also,
          std::string example, int (*run)(const Arguments&), const GameType* game = nullptr,
          bool hidden = false);

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

  std::string name;              // "" for the lobby
  std::string syntax;            // how it is written on: "FILE GAME [-options] [NAME...]"
  std::string about;             // a short phrase
  std::string example;           // what may stand behind the program's name
  int (*run)(const Arguments&);  // the exit status; words[0] is the name
  const GameType* game;          // the one it begins, or null
  bool hidden;                   // for who measures programs: in the manual, but in no list
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
