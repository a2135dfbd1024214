// SPDX-License-Identifier: MIT
// The picture of a screen: cells with glyphs and styles. Screens draw on it, tests read it, and
// curses.cpp shows it. Makes every text safe for a terminal. Leaves colours to theme.hpp.
#pragma once

#include <array>
#include <optional>
#include <type_traits>

#include "game/game_type.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

// The kinds of text on a screen; a theme gives each its look.
enum class Style : std::uint8_t {
  text,
  dim,
  title,
  key,
  cap,
  good,
  partial,
  bad,
  warning,
  turn,  // up to here: the program's own text
  board,
  empty,
  opening,
  piece1,
  piece2,
  piece3,
  piece4,
  king1,
  king2,
  ball,  // from `board` on: the drawing, as in Role
};
inline constexpr int kStyleCount = 20;

// A mark on a cell, shown on top of its style.
enum class Mark : std::uint8_t { none, last, win, wrong, choice, picked };
inline constexpr int kMarkCount = 6;

Style role_style(SpotRole role);
// True for the style of a piece, which can have a tile.
inline bool is_piece(Style style) { return style >= Style::piece1; }
// Returns the style of a seat's pieces and name; plain text if its pieces belong to no seat.
Style seat_style(const GameType& game, Seat seat);

// A character on the screen.
struct Cell {
  char32_t glyph = U' ';
  std::array<char32_t, 2> accents{};  // combining characters, or 0
  Style style = Style::text;
  Mark mark = Mark::none;
  bool is_tail = false;  // the right half of the wide glyph to the left
  bool is_tile = false;  // part of a piece's tile, which has the piece's colour behind it
  // Not defaulted: the compiler would call memcmp() for the two accents of each cell.
  friend bool operator==(const Cell& a, const Cell& b) {
    return a.glyph == b.glyph && a.style == b.style && a.mark == b.mark && a.is_tail == b.is_tail &&
           a.is_tile == b.is_tile && a.accents[0] == b.accents[0] && a.accents[1] == b.accents[1];
  }
};
// is_same_row() compares rows as bytes.
static_assert(std::has_unique_object_representations_v<Cell>);

struct Size {
  int rows = 0, columns = 0;
  friend bool operator==(const Size&, const Size&) = default;
};
struct Point {
  int row = 0, column = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// A rectangle on a screen.
struct Area {
  int row = 0, column = 0, rows = 0, columns = 0;
};

// The glyphs of lines: a frame's corners and joints have names by the sides that they join.
inline constexpr char32_t kHorizontalLine = U'\u2500', kVerticalLine = U'\u2502';
// The glyphs for levels: the first of eighth blocks; seven more follow.
inline constexpr char32_t kLowestBlock = U'\u2581';
// Returns the ASCII character for a terminal that cannot show `glyph`.
char plain_glyph(char32_t glyph);

// A place where a click acts like keys.
struct Link {
  Point place;
  int width = 0;
  std::vector<Key> keys;
};

// The cells, links and cursor of a picture.
class Canvas {
 public:
  explicit Canvas(Size size);

  Size size() const { return size_; }
  const Cell& cell(int row, int column) const { return cells_[index(row, column)]; }

  // Draws safe_text(text) to the right, cut at the edges. Returns the column after it.
  int put_text(int row, int column, std::string_view text, Style style = Style::text,
               Mark mark = Mark::none);

  // Draws a single glyph of one column.
  void put_glyph(int row, int column, char32_t glyph, Style style, Mark mark) {
    if (is_inside(row, column)) cells_[index(row, column)] = Cell{glyph, {}, style, mark, false};
  }

  // Marks a cell.
  void mark_cell(int row, int column, Mark mark) {
    if (is_inside(row, column)) cells_[index(row, column)].mark = mark;
  }

  // Makes the cells from `column` to before `end` part of a tile.
  void make_tile(int row, int column, int end) {
    for (; column < end; ++column)
      if (is_inside(row, column)) cells_[index(row, column)].is_tile = true;
  }

  // Makes `width` cells a link.
  void add_link(int row, int column, int width, std::vector<Key> keys) {
    links_.push_back({{row, column}, width, std::move(keys)});
  }
  const std::vector<Link>& links() const { return links_; }  // later ones lie on top

  // Draws `other` at that place, with its links and its cursor.
  void draw_canvas(int row, int column, const Canvas& other);

  // A few words for titles that have room, or "": how many boards wait.
  std::string status_text;
  // True if clicks are reported.
  bool is_mouse_on = false;
  // Draws a line across the canvas.
  void draw_rule(int row) {
    for (int c = 0; c < size_.columns; ++c) draw_joint(row, c, kHorizontalLine);
  }
  // Blanks a row.
  void clear_row(int row);
  // Draws a line downwards.
  void draw_wall(int row, int column, int rows) {
    for (int r = row; r < row + rows; ++r) draw_joint(r, column, kVerticalLine);
  }
  // Draws a glyph of a frame.
  void draw_joint(int row, int column, char32_t glyph, Style style = Style::board) {
    put_glyph(row, column, glyph, style, Mark::none);
  }
  // Draws a frame along the edges of `box`.
  void draw_box(Area box, Style style = Style::board);

  // The place of the terminal's cursor; nothing hides it.
  std::optional<Point> cursor;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) +
           static_cast<std::size_t>(column);
  }
  bool is_inside(int row, int column) const {
    return row >= 0 && row < size_.rows && column >= 0 && column < size_.columns;
  }

  Size size_;
  std::vector<Cell> cells_;
  std::vector<Link> links_;
};

// Returns the first line to show, so that line `wanted` is among the `room` visible ones; `now` is
// the current one. Scrolls by half pages, because a slow connection repaints each moved line.
int first_line_to_show(int lines, int room, int wanted, int now);

}  // namespace pbm
