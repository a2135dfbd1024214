// SPDX-License-Identifier: MIT
// The cards of a newcomer's lobby: each game with a sentence and a small board. Leaves keys and the
// selection to the lobby.
#pragma once

#include "boards/boards.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

// Returns the largest drawing of the current position that fits into `room`, in one of the
// drawing styles; without room for any, the spots alone, close together.
Drawing fit_drawing(const Match& match, Size room, std::string_view styles);

// Returns that drawing in the middle of a canvas of the size of `room`. Without room for all of it,
// the middle is left.
Canvas draw_centered(const Match& match, Size room, std::string_view styles);

class GameCards {
 public:
  // Pre: `boards` outlives this object.
  explicit GameCards(Boards& boards) : boards_(boards) {}

  // Makes room for that many cards; more scroll. Returns false if `area` is too small for cards.
  bool set_layout(Area area, int cards, int selected);
  int per_row() const { return per_row_; }
  bool is_visible(int index) const {
    return index / per_row_ >= first_row_ && index / per_row_ < first_row_ + visible_rows_;
  }
  // Returns the card at a place, or nothing. Pre: set_layout() returned true.
  std::optional<int> card_at(Point place) const;
  // Draws a visible card: of a game, or of something else with that title. Puts the cursor on the
  // selected one.
  void draw(Canvas& canvas, int index, bool is_selected, const GameType* game,
            const std::string& title, std::string text);

 private:
  struct Board {
    const GameType* game = nullptr;
    std::optional<Match> match = {};
    Canvas picture{Size{}};
  };
  // Returns a lively position: that of the example, or else the start.
  Board& board_of(const GameType& game);

  Boards& boards_;
  std::vector<Board> shown_boards_;
  Area area_;
  int count_ = 0, per_row_ = 1, visible_rows_ = 1, first_row_ = 0;
  Size card_;
};

}  // namespace pbm
