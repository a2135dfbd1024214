// SPDX-License-Identifier: MIT
// One person at one board, on a screen or line by line: plies, the words that
// are typed like plies, and lines of plies tried without touching the game.
// Leaves keys and pictures to the front ends and keeping to boards/.
#pragma once

#include "boards/boards.hpp"

namespace pbm {

class BoardDesk {
 public:
  BoardDesk(Boards& boards, Board board);

  const std::string& id() const { return board_.id; }
  const Board& board() const { return board_; }
  // What is seen and played on: the board's, or the line that is tried.
  const Match& match() const { return trial_ ? *trial_ : board_.match; }

  // Whether a line is tried, and from the position after how many plies of the board.
  bool trying() const { return trial_.has_value(); }
  std::size_t tried_from() const { return tried_from_; }
  // Goes on from the position after ply `n` with nothing kept.
  void try_from(std::size_t n);
  // Back to the board; what was tried is forgotten.
  void stop_trying() { trial_.reset(); }

  // Words typed like plies, beside those a match knows: note, try, copy, redo.
  struct Word {
    std::string_view name, syntax, about;
  };
  static const std::vector<Word>& words();
  // The word that `typed` begins with, or null.
  static const Word* word_in(std::string_view typed);

  // What entering came to.
  struct Entered {
    std::string told;        // a sentence, or ""
    bool played = false;     // plies or words of the match were added
    std::string open;        // a board that was made and wants to be opened
  };
  // Does what was typed while the position after ply `shown` was looked at. A
  // refusal changes nothing and says why; its offset is into `typed`.
  Result<Entered> enter(std::string_view typed, std::size_t shown);

  // Reads the board again. True when somebody else played on it meanwhile.
  bool refresh();

 private:
  Result<Entered> play(std::string_view typed);
  Result<Entered> note(std::string_view text, std::size_t shown);
  // The number typed behind a word, or `otherwise`; refuses one that is no ply of the match.
  Result<std::size_t> ply_in(std::string_view text, std::size_t otherwise) const;

  Boards& boards_;
  Board board_;
  std::optional<Match> trial_;
  std::size_t tried_from_ = 0;
};

}  // namespace pbm
