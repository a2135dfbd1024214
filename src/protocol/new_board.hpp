// SPDX-License-Identifier: MIT
// Reads and checks the request for a new board, the same way for a form, a typed line, the command
// line and a challenge. Also writes the line that asks a server for it. Leaves making the board to
// the owner of the boards.
#pragma once

#include "game/match.hpp"
#include "protocol/people.hpp"

namespace pbm {

// The terms of a server's board, apart from its players.
struct BoardTerms {
  Options options;
  TimeLimits limits = kDefaultLimits;
  bool is_pair = false;  // two boards, with the seats swapped
  // Formats the terms without `is_pair` as a player types them: "-size=7x9", "--nagtime=3".
  std::vector<std::string> words() const;
};
// Reads terms. Refuses invalid options, time limits and -pair. Throws nothing.
Result<BoardTerms> read_board_terms(const GameType& game, std::vector<std::string> words);

// The player who asks for a board.
struct Requester {
  std::string userid = {};   // the userid on a server, or ""
  bool uses_server = false;  // boards without computer players go to the server
  std::string default_name =
      {};  // the name of an unnamed player against computers; "": the login name
};

// The words of the request.
struct BoardRequest {
  std::vector<std::string> options;  // with dashes
  std::vector<std::string> names;    // userids, names or "computer:3"; "" if a name is missing
  bool is_open_challenge = false;    // it has no names
};

struct NewBoard {
  Match match;                // with its time limits
  bool is_on_server = false;  // the server makes it
  bool is_pair = false;
  bool is_open_challenge = false;  // an open challenge: the player who takes it is the opponent
  bool is_adaptive = false;        // its computers get the level that suits the player
  // Formats the request to the server: "toot challenge fred wilma -size=7x9 --nagtime=3",
  // "toot seek -pair". Pre: `is_on_server` is true.
  std::string request_line() const;
};
// Reads a request. If it refuses, `offset` is the number of the wrong word, with options before
// names.
Result<NewBoard> read_new_board(const GameType& game, const BoardRequest& words,
                                const Requester& asker);

}  // namespace pbm
