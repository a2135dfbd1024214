// SPDX-License-Identifier: MIT
// The panels beside a drawing: players, chances and the list of plies. Leaves their places to the
// board screen.
#pragma once

#include <algorithm>

#include "boards/analysis.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

// Draws a row for each seat in the position `seen`, which may be a past one: turn or result, sign,
// name, and holdings. The seat `own` is "you". `times` is empty, or has a text for each seat, which
// goes below the name if there is room, else beside it.
void draw_players(Canvas& canvas, Area area, const Match& match, const Position& seen, bool past,
                  std::optional<Seat> own = {}, const std::vector<std::string>& times = {});

// Draws the chance to win after each ply, for Analysis::shown_seat() or, with more than two seats,
// for each seat, and marks the position after `shown` plies. Returns its height with a blank row,
// or 0 if there is no room.
int draw_curve(Canvas& canvas, Area area, const Match& match, const Analysis& analysis,
               std::size_t shown);

// Draws a bar beside the board: how much of it is filled is the chance of Analysis::shown_seat()
// after `shown` plies. The row below says so in words. Draws nothing while that is not known, or
// with more than two seats.
void draw_chance_bar(Canvas& canvas, Area area, const Match& match, const Analysis& analysis,
                     std::size_t shown);

// Draws the end of the game for the seat `own`, as far as it fits: who won, how, and after how many
// moves.
void draw_banner(Canvas& canvas, Area area, const Match& match, std::optional<Seat> own);

// Returns the first sentences of `text` that fit into `room`, wrapped; "" if none does.
std::string fit_sentences(std::string text, Size room);

// Returns `text`. If it does not fit into `room` and ends with an instruction ("Press ..."), leaves
// out sentences before the last one, and writes "..." for them.
std::string fit_instruction(const std::string& text, Size room);

// The list of plies, in columns if they fit. A * stands for a note, a + for other plies taken back
// there. A click on a ply shows the board after it.
class PlyList {
 public:
  // `past` is the ply looked back to. `analysis`, if not null, adds a mark and a chance to plies.
  void draw(Canvas& canvas, Area area, const Match& match, std::optional<std::size_t> past,
            const Analysis* analysis);
  // Scrolls by halves of the visible part.
  void scroll(int down) {
    first_line_ = std::max(0, std::min(first_line_ + down * std::max(1, visible_lines_ / 2),
                                       line_count_ - visible_lines_));
  }
  // Scrolls to the ply looked at, or to the last one, at the next draw().
  void scroll_to_current() { should_scroll_ = true; }

 private:
  int first_line_ = 0, visible_lines_ = 1,
      line_count_ = 0;      // the first visible line, visible lines, all lines
  int plies_per_line_ = 0;  // plies on a line
  bool should_scroll_ = true;
};

}  // namespace pbm
