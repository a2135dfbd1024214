// SPDX-License-Identifier: MIT
// Splits the words of a command line into the program's own options (--theme=amber), game options
// (-size=7x9) and the rest. Leaves the checks of commands to command.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "game/thinker.hpp"

namespace pbm {

// One of the program's own options.
struct ProgramOption {
  // The numbers that an option takes.
  struct Range {
    double min = 0, max = 0;
    bool is_whole = true;
  };
  std::string_view name;          // without dashes
  std::string_view value_syntax;  // its value, as help shows it: "THEME|FILE"; "" for a switch
  std::string_view summary;       // one, or one for each kind of value, separated by a bar
  Range range{};                  // for an option that takes only numbers
  char letter = '\0';             // -h for --help

  bool takes_value() const { return !value_syntax.empty(); }
  bool takes_number() const { return range.max > 0; }
};
inline constexpr ProgramOption kProgramOptions[]{
    {"theme", "THEME|FILE", "colour theme of the screen"},
    {"saves", "DIR", "directory of your saves"},
    {"field", "a|b|c", "drawing style, for games that have several"},
    {"seats", "N", "number of players; the default is 2", {2, 8}},
    {"games", "N|GAME,...",
     "number of games; the default is 20|games to play; the default is all of them"},
    {"boards", "N", "most boards at a time; the default is 20", {1, 200}},
    {"seed", "N", "random seed; another number gives other games", {0, 1e9}},
    {"level", "N", "playing strength, from 1 to 10", {1, kMaxLevel}},
    {"seconds", "S", "seconds to think about each move", {0.001, 3600, false}},
    {"lines", "K", "number of moves to show; the default is 3", {1, 1e6}},
    {"notes", "", "write the results into the save as notes"},
    {"from", "RECORD", "read the game from a record or a mail that quotes it; -: standard input"},
    {"record", "", "print the whole game as a text, moves in columns"},
    {"moves", "", "draw all moves as one moving picture"},
    {"output", "FILE", "write to this new file", {}, 'o'},
    {"dir", "DIR", "directory of the server's data"},
    {"socket", "PATH", "Unix socket of the server"},
    {"listen", "HOST:PORT", "port of this machine, such as 127.0.0.1:4000"},
    {"per-user", "N", "most connections of one userid", {1, 2000}},
    {"signup", "open|invited|closed", "who may create an account; the default is open"},
    {"tournaments", "members|owner", "who may open a tournament; the default is members"},
    {"host", "NAME", "name of this machine in invitations; the default is its full name"},
    {"rate-computers", "", "rate games against computers"},
    {"check", "", "only look at the set-up, and say what is missing or unsafe"},
    {"check-data", "DIR", "only check that the database and the saves of a server agree"},
    {"backup", "DIR", "with --check: the copy that pbmplay backup makes"},
    {"notify", "PROGRAM", "program that notifies players who are away"},
    {"connect", "HOST:PORT", "port of a server on this machine"},
    {"user", "NAME", "userid to sign in as, if the server trusts you"},
    {"key", "FINGERPRINT", "SSH key to sign in with, as a line of door --any-key has it"},
    {"any-key", "", "let everybody in who has a key"},
    {"engine", "COMMAND", "program that plays as the computer (Universal Game Interface)"},
    {"count", "", "print only the number of boards"},
    {"line", "", "use plain lines of text, without screen control"},
    {"help", "", "show this help", {}, 'h'},
    {"version", "", "show the version", {}, 'V'},
};
// Returns the option of one letter, such as -h for --help, or null.
constexpr const ProgramOption* find_short_option(std::string_view word) {
  for (const ProgramOption& option : kProgramOptions)
    if (option.letter != '\0' && word.size() == 2 && word[0] == '-' && word[1] == option.letter)
      return &option;
  return nullptr;
}

// Returns the option with that name, or null.
constexpr const ProgramOption* find_option(std::string_view name) {
  for (const ProgramOption& option : kProgramOptions)
    if (option.name == name) return &option;
  return nullptr;
}

// The name of an option in the source. A name that is not in the table does not compile.
struct OptionName {
  consteval OptionName(const char* text) : name(text) {
    bool known = false;  // a pointer is no constant under g++'s undefined-behaviour sanitizer
    for (const ProgramOption& option : kProgramOptions) known = known || option.name == name;
    if (!known) throw "there is no such option";
  }
  std::string_view name;
};

struct Arguments {
  std::vector<std::string> words;                           // words that are no options, in order
  std::vector<std::string> game_options;                    // each with its dash
  std::map<std::string, std::string, std::less<>> options;  // the program's own; "" for a switch
  // The words after the server's command `key`, which signs in --user; "": none.
  std::string key_words = {};

  bool has(OptionName option) const { return options.contains(option.name); }
  // Returns the value of the option, or "" if it is not given.
  std::string option_text(OptionName option) const {
    return has(option) ? option_value(option) : "";
  }
  // Returns the value as a number. Pre: the option takes one.
  template <class N>
  N option_number(OptionName option, N otherwise) const {
    return has(option) ? static_cast<N>(std::stod(option_value(option))) : otherwise;
  }
  // True if the options name a server, or a userid on one.
  bool has_server() const { return has("socket") || has("connect") || has("user") || has("key"); }
  // True if the options name the player: others may share the login.
  bool has_player() const { return has("user") || has("key"); }

 private:
  const std::string& option_value(OptionName option) const {
    return options.find(option.name)->second;
  }
};

// Reads options anywhere, game options between the program's own. After `send` and its options, all
// words are a command for the server. Refuses unknown and repeated options, missing values and
// numbers out of range.
Result<Arguments> read_arguments(const std::vector<std::string>& words);

}  // namespace pbm
