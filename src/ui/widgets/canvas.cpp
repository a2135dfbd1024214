// SPDX-License-Identifier: MIT
#include "ui/widgets/canvas.hpp"

#include <algorithm>

namespace pbm {

Style style_of(Role role) {
  return static_cast<Style>(static_cast<int>(Style::board) + static_cast<int>(role));
}
Style style_of_seat(Seat seat) {
  return static_cast<Style>(static_cast<int>(Style::piece1) + seat % 4);  // there are four
}
static_assert(static_cast<int>(Style::ball) - static_cast<int>(Style::board) ==
                  static_cast<int>(Role::ball),
              "the styles of a board follow the roles");
static_assert(static_cast<int>(Style::ball) + 1 == kStyles);

Canvas::Canvas(Size size) : size_{std::max(size.rows, 0), std::max(size.columns, 0)} {
  cells_.resize(static_cast<std::size_t>(size_.rows) * static_cast<std::size_t>(size_.columns));
}

int Canvas::put(int row, int column, std::string_view text, Style style, Mark mark) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
  if (ascii && row >= 0 && row < size_.rows) {
    for (const char c : text) {
      if (column >= 0 && column < size_.columns)
        cells_[index(row, column)] = Cell{static_cast<char32_t>(c), {}, style, mark, false};
      ++column;
    }
    return column;
  }
  const std::string safe = safe_text(text);
  for (std::string_view rest = safe; !rest.empty();) {
    const Decoded d = decode_utf8(rest);
    rest.remove_prefix(d.bytes);
    const int width = columns(d.c);
    if (width == 0) {
      if (inside(row, column - 1)) {
        Cell* base = &cells_[index(row, column - 1)];
        if (base->tail) --base;
        (base->accents[0] ? base->accents[1] : base->accents[0]) = d.c;
      }
      continue;
    }
    if (inside(row, column)) {
      const bool whole = inside(row, column + width - 1);
      cells_[index(row, column)] = Cell{whole ? d.c : U'~', {}, style, mark, false};
      if (width == 2 && whole) cells_[index(row, column + 1)] = Cell{U' ', {}, style, mark, true};
    }
    column += width;
  }
  return column;
}

void Canvas::rule(int row) {
  for (int c = 0; frames && c < size_.columns; ++c)
    if (inside(row, c)) cells_[index(row, c)] = Cell{kRule, {}, Style::dim, Mark::none, false};
}

void Canvas::clear(int row) {
  for (int c = 0; c < size_.columns; ++c)
    if (inside(row, c)) cells_[index(row, c)] = Cell{};
}

void Canvas::wall(int row, int column, int rows) {
  for (int r = row; frames && r < row + rows; ++r)
    if (inside(r, column))
      cells_[index(r, column)] = Cell{kWall, {}, Style::dim, Mark::none, false};
}

void Canvas::paste(int row, int column, const Canvas& other) {
  const int first = std::max(0, -column),
            end = std::min(other.size_.columns, size_.columns - column);
  for (int r = 0; r < other.size_.rows && first < end; ++r)
    if (inside(row + r, column + first))
      std::copy_n(&other.at(r, first), end - first, &cells_[index(row + r, column + first)]);
  for (const Link& l : other.links_) link(row + l.at.row, column + l.at.column, l.width, l.keys);
  if (other.cursor) cursor = Point{row + other.cursor->row, column + other.cursor->column};
}

int page_start(int lines, int room, int wanted, int now) {
  if (room <= 0 || lines <= room) return 0;
  const int step = std::max(1, room / 2);
  while (wanted < now) now -= step;
  while (wanted >= now + room) now += step;
  return std::clamp(now, 0, std::max(0, lines - 1));
}

}  // namespace pbm
