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

// Enlarges one character outside words to four cells. Lines extend to the characters they touch.
void enlarge_character(const Grid& from, Grid& to, int r, int c) {
  const int row = 2 * r, column = 2 * c;
  switch (const char glyph = from.character_at(r, c)) {
    case ' ': return;
    case '/': to.put(row, column + 1, '/'); return to.put(row + 1, column, '/');
    case '\\': to.put(row, column, '\\'); return to.put(row + 1, column + 1, '\\');
    case '|':
      to.put(row, column, '|');
      to.put(row + 1, column, '|');
      if (from.character_at(r + 1, c) != ' ') to.put_if_blank(row + 2, column, '|');
      return;
    case '-':
    case '_':
      to.put(row + 1, column, glyph);
      // A horizontal line of the frame ends above the wall at its end.
      if (from.character_at(r, c - 1) == '-' && from.character_at(r, c + 1) == ' ' &&
          (from.character_at(r + 1, c) == '|' || from.character_at(r - 1, c) == '|'))
        return to.put_if_blank(row + 1, column - 1, '-');
      to.put(row + 1, column + 1, glyph);
      if (glyph == '-' && from.character_at(r, c - 1) != ' ')
        to.put_if_blank(row + 1, column - 1, '-');
      if (glyph == '-' && from.character_at(r, c + 1) != ' ')
        to.put_if_blank(row + 1, column + 2, '-');
      return;
    default: return to.put(row + 1, column, glyph);
  }
}

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

Drawing enlarge_drawing(Drawing drawing) {
  const Grid from(drawing);
  Grid to(2 * from.height(), 2 * from.width());
  const auto place = [](auto& word) {
    word.row = 2 * word.row + 1;
    word.column = 2 * word.column + word.width / 2;
  };
  redraw(drawing, from, to, place,
         [&](int row, int column) { enlarge_character(from, to, row, column); });
  // Removes the blank row and columns that doubling added before the drawing.
  std::vector<std::string>& rows = drawing.rows;
  const bool top = !rows.empty() && rows.front().empty();
  std::size_t left = to.width() > 0 ? index(to.width()) : 0;
  for (const std::string& row : rows)
    if (!row.empty()) left = std::min(left, row.find_first_not_of(' '));
  rows.erase(rows.begin(), rows.begin() + top);
  for (std::string& row : rows) row.erase(0, left);
  const auto move = [&](auto& word) {
    word.row -= top;
    word.column -= static_cast<int>(left);
  };
  for (Spot& s : drawing.spots) move(s);
  for (Label& l : drawing.labels) move(l);
  for (Caption& c : drawing.captions) move(c);
  drawing.scale = 2;
  return drawing;
}

}  // namespace pbm
