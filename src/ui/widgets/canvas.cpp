// SPDX-License-Identifier: MIT
#include "ui/widgets/canvas.hpp"

#include <algorithm>

namespace pbm {

Style role_style(SpotRole role) {
  return static_cast<Style>(static_cast<int>(Style::board) + static_cast<int>(role));
}
Style seat_style(const GameType& game, Seat seat) {
  if (!game.common_pieces.empty()) return Style::text;
  return static_cast<Style>(static_cast<int>(Style::piece1) + seat % 4);  // there are four
}
static_assert(static_cast<int>(Style::ball) - static_cast<int>(Style::board) ==
                  static_cast<int>(SpotRole::ball),
              "the styles of a board follow the roles");
static_assert(static_cast<int>(Style::ball) + 1 == kStyleCount);

Canvas::Canvas(Size size) : size_{std::max(size.rows, 0), std::max(size.columns, 0)} {
  cells_.resize(static_cast<std::size_t>(size_.rows) * static_cast<std::size_t>(size_.columns));
}

int Canvas::put_text(int row, int column, std::string_view text, Style style, Mark mark) {
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
    const DecodedCharacter d = decode_utf8(rest);
    rest.remove_prefix(d.size);
    const int width = columns(d.code_point);
    if (width == 0) {
      if (is_inside(row, column - 1)) {
        Cell* base = &cells_[index(row, column - 1)];
        if (base->is_tail) --base;
        (base->accents[0] ? base->accents[1] : base->accents[0]) = d.code_point;
      }
      continue;
    }
    if (is_inside(row, column)) {
      const bool whole = is_inside(row, column + width - 1);
      cells_[index(row, column)] = Cell{whole ? d.code_point : U'~', {}, style, mark, false};
      if (width == 2 && whole) cells_[index(row, column + 1)] = Cell{U' ', {}, style, mark, true};
    }
    column += width;
  }
  return column;
}

char plain_glyph(char32_t glyph) {
  if (glyph < 0x80) return static_cast<char>(glyph);
  if (glyph == kHorizontalLine) return '-';
  if (glyph == kVerticalLine) return '|';
  if (glyph > kVerticalLine && glyph < U'\u2580') return '+';
  if (glyph >= kLowestBlock && glyph < kLowestBlock + 8) return "..::**##"[glyph - kLowestBlock];
  return '?';
}

void Canvas::draw_box(Area box, Style style) {
  const int right = box.column + box.columns - 1, bottom = box.row + box.rows - 1;
  for (int c = box.column + 1; c < right; ++c)
    for (const int row : {box.row, bottom}) draw_joint(row, c, kHorizontalLine, style);
  for (int r = box.row + 1; r < bottom; ++r)
    for (const int column : {box.column, right}) draw_joint(r, column, kVerticalLine, style);
  draw_joint(box.row, box.column, U'\u250C', style);
  draw_joint(box.row, right, U'\u2510', style);
  draw_joint(bottom, box.column, U'\u2514', style);
  draw_joint(bottom, right, U'\u2518', style);
}

void Canvas::clear_row(int row) {
  for (int c = 0; c < size_.columns; ++c)
    if (is_inside(row, c)) cells_[index(row, c)] = Cell{};
}

void Canvas::draw_canvas(int row, int column, const Canvas& other) {
  const int first = std::max(0, -column),
            end = std::min(other.size_.columns, size_.columns - column);
  for (int r = 0; r < other.size_.rows && first < end; ++r)
    if (is_inside(row + r, column + first))
      std::copy_n(&other.cell(r, first), end - first, &cells_[index(row + r, column + first)]);
  for (const Link& l : other.links_)
    add_link(row + l.place.row, column + l.place.column, l.width, l.keys);
  if (other.cursor) cursor = Point{row + other.cursor->row, column + other.cursor->column};
}

int first_line_to_show(int lines, int room, int wanted, int now) {
  if (room <= 0 || lines <= room) return 0;
  const int step = std::max(1, room / 2);
  while (wanted < now) now -= step;
  while (wanted >= now + room) now += step;
  return std::clamp(now, 0, std::max(0, lines - 1));
}

}  // namespace pbm
