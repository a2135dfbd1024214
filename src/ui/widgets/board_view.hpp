// SPDX-License-Identifier: MIT
// The picture of a position in a window of its own: what is marked, what can
// be seen of a drawing larger than the window. Leaves which position and
// which marks to the board screen.
#pragma once

#include "ui/widgets/canvas.hpp"

namespace pbm {

Size size_of(const Drawing& drawing);

class BoardView {
 public:
  // Shows another drawing, without marks.
  void show(Drawing drawing);
  // The same drawing without marks.
  void unmark() {
    marks_.clear();
    painted_.reset();
  }
  // Marks spots, over what was marked before; in that style instead of their own.
  void mark(const std::vector<SpotId>& spots, Mark mark, std::optional<Style> style = {}) {
    painted_.reset();
    for (const SpotId id : spots) marks_.push_back({id, mark, style});
  }

  const Drawing& drawing() const { return drawing_; }
  Size size() const { return size_; }  // of the drawing

  // From the next drawing on `spot` is to be seen; nothing asks for the middle.
  void follow(std::optional<SpotId> spot) {
    follow_ = true;
    followed_ = spot;
  }
  // Scrolls by so many halves of the window, as far as the drawing goes.
  void scroll(int down, int right);

  // Draws into `area`, with signs beside it where there is more. Letters over the
  // columns and numbers before the rows stay where they are.
  void draw(Canvas& canvas, Area area);
  // Where a spot was drawn, if it could be seen.
  std::optional<Point> place(SpotId spot) const;
  // The spot nearest to a place of the canvas, at most two columns and one row away, of a large
  // drawing twice as many.
  std::optional<SpotId> spot_near(Point place) const;

 private:
  void make_visible(const Spot& spot);
  const Spot* find(SpotId id) const;
  bool visible(int row, int column) const;
  char glyph_at(int row, int column) const;  // a blank beside the drawing
  std::pair<int, int> marked_columns(const Spot& spot) const;
  Canvas painted() const;
  Size headings() const;
  // The row and column of the drawing at those of the window.
  int row_at(int row) const { return row < heads_.rows ? row : row + top_; }
  int column_at(int column) const { return column < heads_.columns ? column : column + left_; }
  // And the other way round, of what is visible.
  int row_in_window(int row) const { return row < heads_.rows ? row : row - top_; }
  int column_in_window(int column) const {
    return column < heads_.columns ? column : column - left_;
  }

  Drawing drawing_;
  Size size_, heads_;  // of all of it, of its rows and columns that only name the others
  struct Marked {
    SpotId id;
    Mark mark;
    std::optional<Style> style;
  };
  std::vector<Marked> marks_;
  std::optional<Canvas> painted_;  // what the window shows, until something of it changes
  Area area_;                      // of the last drawing
  int top_ = 0, left_ = 0;         // the first row and column seen
  bool follow_ = true;
  std::optional<SpotId> followed_;
};

}  // namespace pbm
