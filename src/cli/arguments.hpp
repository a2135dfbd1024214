// SPDX-License-Identifier: MIT
// The words of a command line told apart: the program's own options
// (--theme=amber), game options (-size=7x9) and the rest. Leaves what they
// ask for to command.cpp.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace pbm {

struct Arguments {
  std::vector<std::string> words;              // what is no option, in order
  std::vector<std::string> game_options;       // each with its dash
  std::vector<std::string> given;              // which of the program's own are there, by name
  std::string theme;                           // "" for the standard one
  std::string saves;                           // directory; "" for the standard one
  std::string field;                           // "", or a letter
  std::string output;                          // a file for the record; "" for standard output
  std::string dir;                             // boards a server keeps
  std::string socket, listen, connect;         // where a server is, or is to be; "" when not said
  std::string engine;                          // a program that plays the computer's seats
  std::string user;                            // for whom to speak; "" for nobody
  std::optional<int> login_seconds, per_user;  // of a server; nothing when not said
  std::optional<int> seats;  // of a game that is described; nothing: as few as the game takes
  std::string games;         // how many, of a duel; which, of a bot
  std::optional<int> seed;   // of a duel
  std::optional<int> level, lines;  // of a hint or an analysis
  std::optional<int> boards;        // of a bot
  std::optional<double> seconds;    // for a hint, or each ply of an analysis
  std::string exec;                 // a program, for each event
  std::string notify;               // of a server: a program, for who is away
  bool count = false;               // only how many boards wait
  bool line = false;                // no screen control
  bool no_signup = false;           // nobody takes a userid on a server
  bool rate_computers = false;      // games against them count on a server
  bool notes = false;               // an analysis is kept
  bool record = false;              // show the whole game as a text
  bool help = false, version = false;

  // Whether the boards of a server are meant.
  bool names_server() const { return !socket.empty() || !connect.empty() || !user.empty(); }
};

// Options may stand anywhere, game options beside the program's own; but what
// follows `send` and its options is a command as it is, for the server. Refuses
// what is unknown, doubled or lacks its value.
Result<Arguments> read_arguments(const std::vector<std::string>& words);

// A row of the table of the program's own options.
struct ProgramOption {
  std::string name;   // without dashes
  std::string value;  // what it takes, as help shows it: "NAME|FILE"; "" for a plain switch
  std::string about;
  // Where it goes, which says of what kind it is.
  std::variant<bool Arguments::*, std::string Arguments::*, std::optional<int> Arguments::*,
               std::optional<double> Arguments::*>
      field;
  char letter = '\0';  // -h for --help
};
const std::vector<ProgramOption>& program_options();
// The option of that name, or null.
const ProgramOption* find_option(std::string_view name);

}  // namespace pbm
