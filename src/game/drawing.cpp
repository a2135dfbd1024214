// SPDX-License-Identifier: MIT
#include "game/drawing.hpp"

#include <algorithm>

namespace pbm {
namespace {

// The characters of a drawing as a rectangle. Outside it every character is a blank.
class Grid {
 public:
  Grid(int rows, int columns) : rows_(index(rows), std::string(index(columns), ' ')) {}
  explicit Grid(const Drawing& drawing) : rows_(drawing.rows) {
    std::size_t columns = 0;
    for (const std::string& row : rows_) columns = std::max(columns, row.size());
    for (const Spot& s : drawing.spots) columns = std::max(columns, index(s.column + s.width));
    for (std::string& row : rows_) row.resize(columns, ' ');
  }

  int height() const { return static_cast<int>(rows_.size()); }
  int width() const { return rows_.empty() ? 0 : static_cast<int>(rows_.front().size()); }
  char character_at(int row, int column) const {
    const bool inside = row >= 0 && row < height() && column >= 0 && column < width();
    return inside ? rows_[index(row)][index(column)] : ' ';
  }
  std::string text_at(int row, int column, int width) const {
    return rows_[index(row)].substr(index(column), index(width));
  }
  void put(int row, int column, char glyph) { rows_[index(row)][index(column)] = glyph; }
  void put_if_blank(int row, int column, char glyph) {
    if (character_at(row, column) == ' ') put(row, column, glyph);
  }
  void write(int row, int column, const std::string& text) {
    rows_[index(row)].replace(index(column), text.size(), text);
  }

  // Returns the rows without trailing blanks.
  std::vector<std::string> rows() const {
    std::vector<std::string> out = rows_;
    for (std::string& row : out) row.resize(row.find_last_not_of(' ') + 1);
    return out;
  }

 private:
  std::vector<std::string> rows_;
};

// Calls f(word, text) for every spot and label, which move as a whole. `text` is its characters,
// or "" for a square of the frame: then only its place moves.
template <class F>
void for_each_word(Drawing& drawing, const Grid& grid, F f) {
  for (Spot& s : drawing.spots)
    f(s, s.role == SpotRole::board ? "" : grid.text_at(s.row, s.column, s.width));
  for (Label& l : drawing.labels) f(l, grid.text_at(l.row, l.column, l.width));
}

// Moves the contents of `from` to `to`. place(word) changes the row and column of a spot, label or
// caption; write(row, column) copies any other character.
template <class Place, class Write>
void redraw(Drawing& drawing, const Grid& from, Grid& to, Place place, Write write) {
  Grid rest = from;
  for_each_word(drawing, from, [&](auto& word, const std::string& text) {
    rest.write(word.row, word.column, std::string(text.size(), ' '));
    place(word);
    to.write(word.row, word.column, text);
  });
  for (Caption& caption : drawing.captions) place(caption);
  for (int r = 0; r < from.height(); ++r)
    for (int c = 0; c < from.width(); ++c)
      if (rest.character_at(r, c) != ' ') write(r, c);
  drawing.rows = to.rows();
}

// Copies characters outside words to `scale` times `scale` cells. A single character stands in the
// middle of its cells; lines extend to the characters they touch.
class Enlarger {
 public:
  Enlarger(const Grid& from, Grid& to, int scale)
      : from_(from),
        to_(to),
        scale_(scale),
        middle_row_(scale / 2),
        middle_column_((scale - 1) / 2) {}

  void enlarge(int r, int c) {
    const int row = scale_ * r, column = scale_ * c;
    switch (const char glyph = from_.character_at(r, c)) {
      case ' ': return;
      case '/':
        for (int i = 0; i < scale_; ++i) to_.put(row + i, column + scale_ - 1 - i, '/');
        return;
      case '\\':
        for (int i = 0; i < scale_; ++i) to_.put(row + i, column + i, '\\');
        return;
      case '|': {
        const bool above = from_.character_at(r - 1, c) != ' ',
                   below = from_.character_at(r + 1, c) != ' ';
        const int first = above ? row - scale_ + middle_row_ + 1 : row,
                  end = row + scale_ + (below ? middle_row_ : 0);
        for (int i = first; i < end; ++i) to_.put_if_blank(i, column + middle_column_, '|');
        return;
      }
      case '-':
      case '_': return enlarge_horizontal(r, c, glyph);
      default: return to_.put(row + middle_row_, column + middle_column_, glyph);
    }
  }

 private:
  void enlarge_horizontal(int r, int c, char glyph) {
    // A low line is at the bottom of its cells.
    const int row = scale_ * r + (glyph == '_' ? scale_ - 1 : middle_row_), column = scale_ * c;
    const bool before = from_.character_at(r, c - 1) != ' ',
               behind = from_.character_at(r, c + 1) != ' ';
    // A horizontal line of the frame ends above the wall at its end.
    const bool corner =
        from_.character_at(r, c - 1) == '-' && !behind &&
        (from_.character_at(r + 1, c) == '|' || from_.character_at(r - 1, c) == '|');
    const int end = column + (corner ? middle_column_ + 1 : scale_);
    for (int i = column; i < end; ++i) to_.put_if_blank(row, i, glyph);
    if (glyph != '-') return;
    // Words are in the middle of their cells, so the gap may be wide.
    const int gap = 2 * scale_;
    for (int i = column - 1; before && i > column - gap && to_.character_at(row, i) == ' '; --i)
      to_.put(row, i, glyph);
    int word = end;
    while (word < end + gap && to_.character_at(row, word) == ' ') ++word;
    for (int i = end; behind && i < (word < end + gap ? word : end + middle_column_); ++i)
      to_.put(row, i, glyph);
  }

  const Grid& from_;
  Grid& to_;
  const int scale_, middle_row_, middle_column_;
};

}  // namespace

std::vector<Label> find_labels(const Drawing& drawing) {
  std::vector<Label> out;
  Grid bare(drawing);
  for (const Spot& s : drawing.spots) bare.write(s.row, s.column, std::string(index(s.width), ' '));
  for (int row = 0; row < bare.height(); ++row)
    for (int at = 0; at < bare.width(); ++at) {
      const auto stands = [&] {
        return is_letter(bare.character_at(row, at)) || is_digit(bare.character_at(row, at));
      };
      if (!stands()) continue;
      Label label{row, at, 0};
      for (; stands(); ++at) ++label.width;
      out.push_back(label);
    }
  return out;
}

Drawing turn_drawing(Drawing drawing) {
  const Grid from(drawing);
  Grid to(from.height(), from.width());
  const auto place = [&](auto& word) {
    word.row = from.height() - 1 - word.row;
    word.column = from.width() - word.column - word.width;
  };
  redraw(drawing, from, to, place, [&](int row, int column) {
    to.put(from.height() - 1 - row, from.width() - 1 - column, from.character_at(row, column));
  });
  return drawing;
}

Drawing enlarge_drawing(Drawing drawing, int scale) {
  const Grid from(drawing);
  Grid to(scale * from.height(), scale * from.width());
  const auto place = [scale](auto& word) {
    word.row = scale * word.row + scale / 2;
    word.column = scale * word.column + (scale - 1) * word.width / 2;
  };
  Enlarger enlarger(from, to, scale);
  redraw(drawing, from, to, place, [&](int row, int column) { enlarger.enlarge(row, column); });
  // Removes a blank row and blank columns before the drawing, except the room of a large piece.
  std::vector<std::string>& rows = drawing.rows;
  const int top = !rows.empty() && rows.front().empty() ? 1 : 0;
  int left = to.width();  // to remove; below 0: to add
  for (const std::string& row : rows)
    if (!row.empty()) left = std::min(left, static_cast<int>(row.find_first_not_of(' ')));
  for (const Spot& s : drawing.spots) left = std::min(left, s.column - (scale - 1));
  rows.erase(rows.begin(), rows.begin() + top);
  for (std::string& row : rows)
    if (!row.empty()) row.replace(0, index(std::max(left, 0)), index(std::max(-left, 0)), ' ');
  const auto move = [&](auto& word) {
    word.row -= top;
    word.column -= left;
  };
  for (Spot& s : drawing.spots) move(s);
  for (Label& l : drawing.labels) move(l);
  for (Caption& c : drawing.captions) move(c);
  drawing.scale = scale;
  return drawing;
}

}  // namespace pbm
