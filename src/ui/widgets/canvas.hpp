// SPDX-License-Identifier: MIT
// A screen as a value: cells of glyph and style. Screens draw on it, tests
// read it, curses.cpp puts it on a terminal. Whatever text is put here comes
// out harmless. Leaves colours to theme.hpp.
#pragma once

#include <array>
#include <optional>
#include <type_traits>

#include "game/game.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

// What a piece of the screen is; a theme says how it looks.
enum class Style : std::uint8_t {
  text,
  dim,
  title,
  key,
  good,
  partial,
  bad,
  warning,
  turn,  // the program's own words
  board,
  empty,
  opening,
  piece1,
  piece2,
  piece3,
  piece4,
  king1,
  king2,
  ball,  // the game's, as Role
};
inline constexpr int kStyles = 19;

// What is said about a cell on top of its style.
enum class Mark : std::uint8_t { none, last, win, wrong, choice, picked };
inline constexpr int kMarks = 6;

Style style_of(Role role);
// Of the pieces a seat plays with, its name too.
Style style_of_seat(Seat seat);

struct Cell {
  char32_t glyph = U' ';
  std::array<char32_t, 2> accents{};  // combining marks, 0 for none
  Style style = Style::text;
  Mark mark = Mark::none;
  bool tail = false;  // the right half of a wide glyph to the left
  std::uint8_t unused = 0;
  // Spelled out, as the compiler's own calls memcmp for two accents of every cell of every picture.
  friend bool operator==(const Cell& a, const Cell& b) {
    return a.glyph == b.glyph && a.style == b.style && a.mark == b.mark && a.tail == b.tail &&
           a.accents[0] == b.accents[0] && a.accents[1] == b.accents[1];
  }
};
// A row of them is compared as bytes.
static_assert(std::has_unique_object_representations_v<Cell>);

struct Size {
  int rows = 0, columns = 0;
  friend bool operator==(const Size&, const Size&) = default;
};
struct Point {
  int row = 0, column = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// A part of a screen.
struct Area {
  int row = 0, column = 0, rows = 0, columns = 0;
};

// The glyphs of lines; a terminal that has none shows - and |.
inline constexpr char32_t kRule = U'\u2500', kWall = U'\u2502';

// Words that do what keys do when they are clicked.
struct Link {
  Point at;
  int width = 0;
  std::vector<Key> keys;
};

class Canvas {
 public:
  explicit Canvas(Size size);

  Size size() const { return size_; }
  const Cell& at(int row, int column) const { return cells_[index(row, column)]; }

  // Puts `text` (safe_text() of it) from there to the right, cut at the edge;
  // nothing outside the canvas. Returns the column behind it.
  int put(int row, int column, std::string_view text, Style style = Style::text,
          Mark mark = Mark::none);

  // Marks a cell that is already drawn.
  void mark(int row, int column, Mark mark) {
    if (inside(row, column)) cells_[index(row, column)].mark = mark;
  }

  // Makes the `width` cells from there on a link.
  void link(int row, int column, int width, std::vector<Key> keys) {
    links_.push_back({{row, column}, width, std::move(keys)});
  }
  const std::vector<Link>& links() const { return links_; }  // what was drawn later lies on top

  // Draws `other` with its corner there, its cursor with it.
  void paste(int row, int column, const Canvas& other);

  // Whether lines part what is drawn; without them rule() and wall() leave blanks.
  bool frames = false;
  // A few words that every title has room for, or "": how many boards wait.
  std::string aside;
  // Whether clicks come.
  bool mouse = false;
  // A line across the canvas, and one down from there.
  void rule(int row);
  // Blanks a row.
  void clear(int row);
  void wall(int row, int column, int rows);

  // Where the terminal's cursor stands; nothing hides it.
  std::optional<Point> cursor;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) +
           static_cast<std::size_t>(column);
  }
  bool inside(int row, int column) const {
    return row >= 0 && row < size_.rows && column >= 0 && column < size_.columns;
  }

  Size size_;
  std::vector<Cell> cells_;
  std::vector<Link> links_;
};

// The first line to show of `lines`, `room` of them visible, so that `wanted`
// is: moves by half a page, as a slow line repaints every line it moves.
int page_start(int lines, int room, int wanted, int now);

}  // namespace pbm
