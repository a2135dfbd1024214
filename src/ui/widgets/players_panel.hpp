// SPDX-License-Identifier: MIT
// What stands beside a drawing: who plays, and the list of plies. Leaves
// where that is to the board screen.
#pragma once

#include <algorithm>

#include "boards/analysis.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

// A row a seat: whose turn it is or who won, what it plays, who that is, what
// is left to it; all of it in the position `seen`, which may be a past one. `times` has what is to
// be told of each seat's time, or nothing: where there is room below a row of its own each, else
// what there is room for beside the name.
void draw_players(Canvas& canvas, Area area, const Match& match, const Position& seen, bool past,
                  const std::vector<std::string>& times = {});

// How the first seat's chance to win went, or of more than two each one's, and where in that the
// position after `shown` plies is. Returns the rows it took, with a blank one; none where there is
// no room.
int draw_curve(Canvas& canvas, Area area, const Match& match, const Analysis& analysis,
               std::size_t shown);

// The plies that stand, some beside each other; one with a note has a *, one
// at whose place others were taken back a +. A click on one shows the board after it.
class PlyList {
 public:
  // `past`: the ply looked back to. `analysis`: null, or what marks the plies and says how good a
  // chance each left.
  void draw(Canvas& canvas, Area area, const Match& match, std::optional<std::size_t> past,
            const Analysis* analysis);
  // Scrolls by so many halves of what is seen.
  void scroll(int down) {
    top_ = std::max(0, std::min(top_ + down * std::max(1, page_ / 2), lines_ - page_));
  }
  // From the next drawing on the ply looked at, or the last, is to be seen.
  void follow() { follow_ = true; }

 private:
  int top_ = 0, page_ = 1, lines_ = 0;  // the first line shown, lines that fit, lines in all
  int across_ = 0;                      // plies in a line
  bool follow_ = true;
};

}  // namespace pbm
