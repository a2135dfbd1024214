// SPDX-License-Identifier: MIT
// The commands with which a command line can begin: a command, a game, or nothing for the lobby.
// Checks, help, completion and the manual's test use these rows. Leaves the work to the function of
// each row.
#pragma once

#include "cli/arguments.hpp"
#include "game/game_type.hpp"

namespace pbm {

// A row as the source writes it.
struct CommandSpec {
  std::string name;                // "" for the lobby
  std::string syntax;              // what follows the name: "FILE GAME [-options] [NAME...]"
  std::string summary;             // a short phrase
  std::string extra_options;       // more options than those of the syntax, separated by spaces
  std::string example;             // words after the program's name
  int (*run)(const Arguments&);    // returns the exit status; words[0] is the name
  bool is_hidden = false;          // for measurements: in the manual, but in no list
  const GameType* game = nullptr;  // the game that it starts, or null
};

struct Command : CommandSpec {
  explicit Command(CommandSpec text);

  // One word of the syntax that is no option.
  struct SyntaxWord {
    std::string kinds;                                // "FILE|BOARD"
    bool is_optional = false, is_repeatable = false;  // may be missing; may be repeated
    bool has_kind(std::string_view kind) const;
  };

  // An option that the command takes or needs. Its value may be narrower: GAME,... where the
  // table has N|GAME,...
  struct Option : ProgramOption {
    SyntaxWord value_word;
    std::size_t exclusive_group = 0;  // options with the same group exclude each other
  };

  std::vector<SyntaxWord> words;
  std::vector<Option> options;
  bool takes_game_options = false;  // true if it takes the options of a game

  // Returns the option if the command takes it, or null.
  const Option* supported_option(std::string_view option) const;
};

// Returns the table: the lobby, the commands, then the games.
const std::vector<Command>& commands();
// Returns the row whose name is that word, or null.
const Command* find_command(std::string_view first);

// Returns the row for these arguments, and changes words in `arguments` that name a game to its own
// name. Refuses unknown commands, options and games, and words that do not fit the syntax.
Result<const Command*> resolve_command(Arguments& arguments);

// Refuses the name of a game. Suggests the game that looks most like it, or lists all.
Refusal refuse_unknown_game(const std::string& name);

// Prints the syntax of the command as an error. Returns the exit status.
int report_wrong_use(const Arguments& arguments);

// Return the texts of help: the short one, the list of commands, and that of one command.
std::string short_help();
std::string command_list();
std::string command_help(const Command& command);

}  // namespace pbm
