// SPDX-License-Identifier: MIT
// The service every front end uses: which boards there are, and playing on
// them. Implemented by a directory of saves (directory.hpp). Leaves keys and
// pictures to its callers and rules to the match.
#pragma once

#include <memory>

#include "game/match.hpp"

namespace pbm {

// A board as it was last seen.
struct Board {
  std::string id;       // what open() takes: "toot-101", or a file's path
  Match match;
  std::string warning;  // a sentence about what its file needed, or ""
};

// A board in a list.
struct BoardLine {
  std::string id;
  std::string title;                 // "Toot -tootris"; "" when the file cannot be read
  std::vector<std::string> names;    // harmless to any terminal
  std::optional<Seat> to_move;       // nothing when over or unreadable
  std::string state;                 // "fred's turn", "fred won", "a tie"; or why it cannot be read
  std::size_t plies = 0;
  Time changed{};
  bool example = false;              // one that came with the program: play() makes a board of one's own of it
  bool broken = false;
};

// Whether a board waits for a move of the one called `name`; "" for anybody at this keyboard.
bool waits_for(const BoardLine& line, std::string_view name);

// What somebody typed on a board.
struct Turn {
  std::optional<Seat> seat;  // nothing: all seats are at one keyboard, and Match::speaker() says who it is
  std::string typed;
  std::optional<std::size_t> note_on = {};  // it is a note on that ply
};

class Boards {
 public:
  virtual ~Boards() = default;

  // Every board: those in play first, the latest changed first; then finished,
  // unreadable ones and examples.
  virtual std::vector<BoardLine> list() = 0;

  // Refuses an unknown id and what the file's loader refuses.
  virtual Result<Board> open(const std::string& id) = 0;

  // A new board, kept before it is returned. Refuses what Match::start() does.
  virtual Result<Board> create(const GameType& game, const Options& options, const std::vector<std::string>& names) = 0;

  // A new board on which all that was done on `match` is done already.
  virtual Result<Board> keep(const Match& match) = 0;

  // Gives a board another name; it is a new id. Refuses a name that is taken or cannot be one.
  virtual Result<std::string> rename(const std::string& id, const std::string& name) = 0;

  // Does what was typed, all of it or nothing, and has it kept before `board`
  // shows it. The refusal's `at` is into the text of the turn that was wrong.
  // When somebody else has played on the board meanwhile, `board` becomes the
  // newer one and the refusal says so; nothing is played.
  virtual Result<Done> play(Board& board, const std::vector<Turn>& turns) = 0;

  // Puts a board away and back again.
  virtual Result<Done> remove(const std::string& id) = 0;
  virtual Result<Done> restore(const std::string& id) = 0;

  // A descriptor that becomes readable when a board may have changed, by
  // whomever; -1 where nothing can be watched.
  virtual int changes() = 0;
  // Takes what has come there. True when something did.
  virtual bool take_changes() = 0;

  // Where the boards are kept, for people: a directory.
  virtual std::string place() const = 0;
};

// `typed` at a keyboard that all seats share: taking back needs no leave there.
std::vector<Turn> turns_at_one_keyboard(const Match& match, std::string_view typed);

}  // namespace pbm
