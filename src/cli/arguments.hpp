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
  std::string_view summary;
  Range range{};       // for an option that takes only numbers
  char letter = '\0';  // -h for --help

  bool takes_number() const { return range.max > 0; }
};
inline constexpr ProgramOption kProgramOptions[]{
    {"theme", "THEME|FILE", "how things look"},
    {"saves", "DIR", "where boards are kept"},
    {"field", "a|b|c", "how a game with several drawings is drawn"},
    {"seats", "N", "players of a game for two to four, two without it", {2, 8}},
    {"games", "N|GAME,...", "of a duel how many, 20 without it; of a bot which, all without it"},
    {"boards", "N", "on how many it plays at once, 20 without it", {1, 200}},
    {"seed", "N", "for other games of the same two", {0, 1e9}},
    {"level", "N", "how strong, from 1 to 10", {1, kMaxLevel}},
    {"seconds", "S", "how long to think of a move", {0.001, 3600, false}},
    {"lines", "K", "how many moves, 3 without it", {1, 1e6}},
    {"notes", "", "keep what it finds as notes in the save"},
    {"record", "", "the whole game as a text, moves in columns"},
    {"output", "FILE", "with --record: into a new file"},
    {"dir", "DIR", "where the server keeps everything"},
    {"socket", "PATH", "the Unix socket of a server"},
    {"listen", "HOST:PORT", "a port of this machine, 127.0.0.1:4000"},
    {"login-seconds",
     "N",
     "how long a connection may be silent before it says who it is",
     {1, 3600}},
    {"per-user", "N", "connections one may have", {1, 2000}},
    {"no-signup", "", "nobody takes a userid"},
    {"rate-computers", "", "games against computers count for ratings"},
    {"notify", "PROGRAM", "a program that tells who is not here what waits"},
    {"connect", "HOST:PORT", "the port of a server on this machine"},
    {"user", "NAME", "speak for a userid you are trusted with"},
    {"engine", "COMMAND", "a program that plays for the computer, by the Universal Game Interface"},
    {"exec", "PROGRAM", "a program that is run for each event"},
    {"count", "", "only how many boards do"},
    {"line", "", "no screen control: questions and answers, line by line"},
    {"help", "", "this help", {}, 'h'},
    {"version", "", "the version", {}, 'V'},
};
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
  bool has_server() const { return has("socket") || has("connect") || has("user"); }

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
