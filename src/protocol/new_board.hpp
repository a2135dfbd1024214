// SPDX-License-Identifier: MIT
// A new board as somebody asks for it: by a form, a typed line, the command line or a challenge.
// Reads and checks it, the same for all of them, and writes the line that asks a server for it.
// Leaves making it to whoever has boards.
#pragma once

#include "game/match.hpp"
#include "protocol/people.hpp"

namespace pbm {

// What is said of a board of a server beside who plays.
struct BoardTerms {
  Options options;
  TimeLimits limits = kUsualLimits;
  bool pair = false;  // two boards, with the seats swapped
  // Without `pair`, as they are typed: "-size=7x9", "--nagtime=3".
  std::vector<std::string> words() const;
};
// Refuses what the game's options, its time or -pair cannot be. Throws nothing.
Result<BoardTerms> read_terms(const GameType& game, std::vector<std::string> words);

// Who asks, and where.
struct Asker {
  std::string user = {};  // connected to a server, or ""
  bool server = false;    // boards without the computer are a server's
  std::string here = {};  // who plays against computers alone and is not named; "": by the login
};

// The words somebody asks with.
struct BoardWords {
  std::vector<std::string> options;  // with their dashes
  std::vector<std::string> names;    // "computer:3" among them; "" where nobody is named
  // Of an open challenge, which has no names: those who may take it, as "1500-1700", or "".
  std::optional<std::string> ratings = {};
};

struct NewBoard {
  Match match;         // with its limits of time
  bool there = false;  // a server's
  bool pair = false;
  bool open = false;  // an open challenge: whoever takes it is the other player
  std::optional<RatingRange> ratings = {};
  // "toot challenge fred wilma -size=7x9 --nagtime=3", "toot seek 1500-1700 -pair". Pre: there.
  std::string line() const;
};
// Refuses what cannot be begun; the refusal's `at` is the number of the word that is wrong, options
// before names.
Result<NewBoard> read_new_board(const GameType& game, const BoardWords& words, const Asker& asker);

}  // namespace pbm
