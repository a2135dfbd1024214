// SPDX-License-Identifier: MIT
// The drawing of a position in a window that scrolls, with its marks. Leaves the choice of position
// and marks to the board screen.
#pragma once

#include "ui/widgets/canvas.hpp"

namespace pbm {

// Returns the size of BoardView for a drawing, with room for tiles at its edges.
Size shown_size(Drawing drawing);

// A window on a drawing.
class BoardView {
 public:
  // Shows another drawing, without marks.
  void set_drawing(Drawing drawing);
  void clear_marks() {
    marks_.clear();
    has_spotlight_ = false;
    painted_canvas_.reset();
  }
  // Marks spots; a later mark replaces an earlier one. `style` replaces the spot's own style.
  void mark_spots(const std::vector<SpotId>& spots, Mark mark, std::optional<Style> style = {}) {
    painted_canvas_.reset();
    for (const SpotId id : spots) marks_.push_back({id, mark, style});
  }

  // Marks the spots that show an ending. If they are the winner's, other pieces lose their tiles.
  void mark_ending(const std::vector<SpotId>& spots, std::optional<Seat> winner,
                   const GameType& game);

  const Drawing& drawing() const { return drawing_; }
  Size size() const { return drawing_size_; }  // of the drawing

  // Scrolls to `spot` at the next draw(), or to the middle for nothing.
  void scroll_to(std::optional<SpotId> spot) {
    should_scroll_ = true;
    target_spot_ = spot;
  }
  // Scrolls by halves of the window, up to the edges of the drawing.
  void scroll(int down, int right);

  // Draws into `area`, with signs beside it if there is more. The headings, letters above and
  // numbers at the left, do not scroll.
  void draw(Canvas& canvas, Area area);
  // Puts the terminal's cursor on a spot and, if wanted and possible, a frame around its sign.
  void draw_cursor(Canvas& canvas, SpotId spot, bool has_frame) const;
  // Returns the place of a spot on the canvas, or nothing if it is not visible.
  std::optional<Point> find_place(SpotId spot) const;
  // Returns the spot nearest to a place of the canvas, at most two columns and one row away, times
  // the scale of the drawing.
  std::optional<SpotId> nearest_spot(Point place) const;

 private:
  void scroll_into_view(const Spot& spot);
  const Spot* find_spot(SpotId id) const;
  bool is_visible(int row, int column) const;
  char glyph_at(int row, int column) const;  // a blank outside the drawing
  std::pair<int, int> marked_columns(const Spot& spot) const;
  Canvas paint() const;
  void draw_brackets(Canvas& canvas, Point origin, const Spot& spot, std::pair<int, int> sign,
                     Style style) const;
  Size measure_headings() const;
  Size measure_tiles() const;
  int sign_width(const Spot& spot) const;
  // Return the row and column of the drawing for those of the window.
  int drawing_row(int row) const { return row < headings_size_.rows ? row : row + first_row_; }
  int drawing_column(int column) const {
    return column < headings_size_.columns ? column : column + first_column_;
  }
  // The reverse, for visible places.
  int window_row(int row) const { return row < headings_size_.rows ? row : row - first_row_; }
  int window_column(int column) const {
    return column < headings_size_.columns ? column : column - first_column_;
  }

  Drawing drawing_;
  Size drawing_size_, headings_size_;  // of the drawing, and of its headings
  Size tile_margin_;                   // rows above and below a spot, columns at both sides
  struct SpotMark {
    SpotId id;
    Mark mark;
    std::optional<Style> style;
  };
  std::vector<SpotMark> marks_;
  bool has_spotlight_ = false;            // only winning pieces have tiles
  std::optional<Canvas> painted_canvas_;  // the window's picture; nothing after a change
  Area area_;                             // of the last draw()
  int first_row_ = 0, first_column_ = 0;  // the first visible row and column
  bool should_scroll_ = true;
  std::optional<SpotId> target_spot_;
};

}  // namespace pbm
