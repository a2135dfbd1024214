// SPDX-License-Identifier: MIT
// The drawing of a position in a window that scrolls, with its marks. Leaves the choice of position
// and marks to the board screen.
#pragma once

#include "ui/widgets/canvas.hpp"

namespace pbm {

Size size_of(const Drawing& drawing);

// A window on a drawing.
class BoardView {
 public:
  // Shows another drawing, without marks.
  void show(Drawing drawing);
  void unmark() {
    marks_.clear();
    painted_.reset();
  }
  // Marks spots; a later mark replaces an earlier one. `style` replaces the spot's own style.
  void mark(const std::vector<SpotId>& spots, Mark mark, std::optional<Style> style = {}) {
    painted_.reset();
    for (const SpotId id : spots) marks_.push_back({id, mark, style});
  }

  const Drawing& drawing() const { return drawing_; }
  Size size() const { return size_; }  // of the drawing

  // Scrolls to `spot` at the next draw(), or to the middle for nothing.
  void follow(std::optional<SpotId> spot) {
    follow_ = true;
    followed_ = spot;
  }
  // Scrolls by halves of the window, up to the edges of the drawing.
  void scroll(int down, int right);

  // Draws into `area`, with signs beside it if there is more. The headings, letters above and
  // numbers at the left, do not scroll.
  void draw(Canvas& canvas, Area area);
  // Returns the place of a spot on the canvas, or nothing if it is not visible.
  std::optional<Point> place(SpotId spot) const;
  // Returns the spot nearest to a place of the canvas, at most two columns and one row away; twice
  // as far for a drawing of scale 2.
  std::optional<SpotId> spot_near(Point place) const;

 private:
  void make_visible(const Spot& spot);
  const Spot* find(SpotId id) const;
  bool visible(int row, int column) const;
  char glyph_at(int row, int column) const;  // a blank outside the drawing
  std::pair<int, int> marked_columns(const Spot& spot) const;
  Canvas painted() const;
  Size headings() const;
  // Return the row and column of the drawing for those of the window.
  int row_at(int row) const { return row < heads_.rows ? row : row + top_; }
  int column_at(int column) const { return column < heads_.columns ? column : column + left_; }
  // The reverse, for visible places.
  int row_in_window(int row) const { return row < heads_.rows ? row : row - top_; }
  int column_in_window(int column) const {
    return column < heads_.columns ? column : column - left_;
  }

  Drawing drawing_;
  Size size_, heads_;  // of the drawing, and of its headings
  struct Marked {
    SpotId id;
    Mark mark;
    std::optional<Style> style;
  };
  std::vector<Marked> marks_;
  std::optional<Canvas> painted_;  // the window's picture; nothing after a change
  Area area_;                      // of the last draw()
  int top_ = 0, left_ = 0;         // the first visible row and column
  bool follow_ = true;
  std::optional<SpotId> followed_;
};

}  // namespace pbm
