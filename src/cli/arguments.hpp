// SPDX-License-Identifier: MIT
// The words of a command line told apart: the program's own options
// (--theme=amber), game options (-size=7x9) and the rest. Leaves what they
// ask for to commands.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace pbm {

struct Arguments {
  std::vector<std::string> words;              // what is no option, in order
  std::vector<std::string> game_options;       // each with its dash
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
  std::string notify;               // with serve: a program, for who is away
  bool count = false;               // with waiting: only how many
  bool line = false;                // no screen control
  bool no_signup = false;           // with serve: nobody takes a userid
  bool rate_computers = false;      // with serve: games against them count
  bool notes = false;               // with analyse: keep what it says
  bool record = false;              // show the whole game as a text
  bool help = false, version = false;
};

// Options may stand anywhere, game options beside the program's own; but what
// follows `send` and its options is a command as it is, for the server. Refuses
// what is unknown, doubled or lacks its value.
Result<Arguments> read_arguments(const std::vector<std::string>& words);

// The program's own options for help texts, one a line.
std::string options_help();

// One of them by itself: what read_arguments() takes, nothing else.
struct ProgramOption {
  std::string name;   // without dashes
  std::string value;  // what it takes, as help shows it: "NAME|FILE"; "" for a plain switch
  std::string about;
};
std::vector<ProgramOption> program_options();

}  // namespace pbm
