// SPDX-License-Identifier: MIT
#include "ui/widgets/board_view.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace pbm {

Size drawing_size(const Drawing& drawing) {
  Size out{static_cast<int>(drawing.rows.size()), 0};
  for (const std::string& row : drawing.rows)
    out.columns = std::max(out.columns, static_cast<int>(row.size()));
  return out;
}

void BoardView::set_drawing(Drawing drawing) {
  drawing_ = std::move(drawing);
  clear_marks();
  drawing_size_ = drawing_size(drawing_);
  headings_size_ = measure_headings();
}

// Headings are a first row that has only labels of columns, and first columns that have only labels
// of rows. A single label is no heading.
Size BoardView::measure_headings() const {
  int first_row = drawing_size_.rows, first_column = drawing_size_.columns;
  std::set<int> rows, columns;
  for (const Spot& s : drawing_.spots) {
    first_row = std::min(first_row, s.row);
    first_column = std::min(first_column, s.column);
    rows.insert(s.row);
    for (int c = s.column; c < s.column + s.width; ++c) columns.insert(c);
  }
  int over = 0, before = 0, width = 0;  // characters of labels above and at the left; columns
  for (const Label& l : drawing_.labels) {
    if (l.row == 0 && first_row > 0 && columns.count(l.column)) over += l.width;
    if (l.column + l.width > first_column || !rows.count(l.row)) continue;
    before += l.width;
    width = std::max(width, l.column + l.width);
  }
  const auto drawn = [](std::string_view text) {
    return static_cast<int>(text.size()) - static_cast<int>(std::ranges::count(text, ' '));
  };
  int beside = 0;
  for (const std::string& row : drawing_.rows)
    beside += drawn(std::string_view(row).substr(0, static_cast<std::size_t>(first_column)));
  const bool above = over > 1 && over == drawn(drawing_.rows.front());
  return {above ? 1 : 0, before > 1 && before == beside ? width : 0};
}

void BoardView::scroll(int down, int right) {
  if (down != 0 || right != 0) painted_canvas_.reset();
  first_row_ = std::clamp(first_row_ + down * std::max(1, area_.rows / 2), 0,
                          std::max(0, drawing_size_.rows - area_.rows));
  first_column_ = std::clamp(first_column_ + right * std::max(1, area_.columns / 2), 0,
                             std::max(0, drawing_size_.columns - area_.columns));
}

const Spot* BoardView::find_spot(SpotId id) const {
  const auto found =
      std::ranges::find_if(drawing_.spots, [&](const Spot& s) { return s.id == id; });
  return found == drawing_.spots.end() ? nullptr : &*found;
}

bool BoardView::is_visible(int row, int column) const {
  const auto within = [](int at, int heads, int first, int room) {
    return at < heads ? at < room : at >= first + heads && at < first + room;
  };
  return within(row, headings_size_.rows, first_row_, area_.rows) &&
         within(column, headings_size_.columns, first_column_, area_.columns);
}

// Scrolls only if the spot is out of sight, and no further than necessary.
void BoardView::scroll_into_view(const Spot& spot) {
  first_row_ =
      std::max(std::min(first_row_, spot.row - headings_size_.rows), spot.row - area_.rows + 1);
  first_column_ = std::max(std::min(first_column_, spot.column - headings_size_.columns),
                           spot.column + spot.width - area_.columns);
}

char BoardView::glyph_at(int r, int c) const {
  const std::string& row = drawing_.rows[static_cast<std::size_t>(r)];
  return c >= 0 && c < static_cast<int>(row.size()) ? row[static_cast<std::size_t>(c)] : ' ';
}

// Returns the columns to mark for a spot: from the first to before the last. A word of the frame,
// as over a goal, is marked as a whole.
std::pair<int, int> BoardView::marked_columns(const Spot& s) const {
  int from = s.column, to = s.column + s.width;
  const auto letter = [&](int c) { return is_letter(glyph_at(s.row, c)); };
  if (s.role == SpotRole::board && (letter(from) || letter(to - 1))) {
    while (letter(from - 1) || letter(from - 2)) --from;
    while (letter(to) || letter(to + 1)) ++to;
    while (!letter(to - 1)) --to;
  }
  return {from, to};
}

Canvas BoardView::paint() const {
  Canvas out({area_.rows, area_.columns});
  for (int r = 0; r < area_.rows && drawing_row(r) < drawing_size_.rows; ++r) {
    std::string row;
    for (int c = 0; c < area_.columns && drawing_column(c) < drawing_size_.columns; ++c)
      row += glyph_at(drawing_row(r), drawing_column(c));
    out.put_text(r, 0, row, Style::board);
  }
  for (const Spot& s : drawing_.spots) {
    Mark mark = Mark::none;
    Style style = role_style(s.role);
    for (const SpotMark& m : marks_)
      if (m.id == s.id) {
        mark = m.mark;
        style = m.style.value_or(role_style(s.role));
      }
    // The row has drawn an empty square already.
    if (s.role == SpotRole::board && mark == Mark::none) continue;
    const auto [from, to] = marked_columns(s);
    // In a large drawing, a mark includes blanks around the sign.
    const int around = mark == Mark::none ? 0 : drawing_.scale - 1;
    for (int i = from - around; i < to + around; ++i) {
      if (i < 0 || !is_visible(s.row, i)) continue;
      const char glyph = glyph_at(s.row, i);
      if (glyph != ' ' && (i < from || i >= to)) continue;
      if (glyph == ' ' && mark == Mark::none) continue;
      out.put_text(window_row(s.row), window_column(i), std::string_view(&glyph, 1), style, mark);
    }
  }
  return out;
}

void BoardView::draw(Canvas& canvas, Area area) {
  const bool resized = area.rows != area_.rows || area.columns != area_.columns,
             first = area_.rows == 0;
  area_ = area;
  const Spot* spot = target_spot_ ? find_spot(*target_spot_) : nullptr;
  const int top = first_row_, left = first_column_;
  if ((should_scroll_ || resized) && spot) {
    if (first) first_row_ = spot->row - area.rows / 2;
    scroll_into_view(*spot);
  } else if ((should_scroll_ || resized) && !target_spot_) {
    // Centres the drawing, so that a slightly too large one loses its frame first.
    first_row_ = (drawing_size_.rows - area.rows) / 2;
    first_column_ = (drawing_size_.columns - area.columns) / 2;
  }
  should_scroll_ = false;
  scroll(0, 0);
  if (!painted_canvas_ || resized || top != first_row_ || left != first_column_)
    painted_canvas_ = paint();
  canvas.draw_canvas(area.row, area.column, *painted_canvas_);
  // The signs at the right are outside the drawing.
  const int edge = area.column + area.columns;
  if (first_row_ > 0) canvas.put_text(area.row, edge, "^", Style::key);
  if (first_row_ + area.rows < drawing_size_.rows)
    canvas.put_text(area.row + area.rows - 1, edge, "v", Style::key);
  if (first_column_ > 0)
    canvas.put_text(area.row + area.rows / 2, area.column - 1, "<", Style::key);
  if (first_column_ + area.columns < drawing_size_.columns)
    canvas.put_text(area.row + area.rows / 2, edge, ">", Style::key);
}

std::optional<Point> BoardView::find_place(SpotId id) const {
  const Spot* spot = find_spot(id);
  if (!spot || !is_visible(spot->row, spot->column)) return std::nullopt;
  return Point{area_.row + window_row(spot->row), area_.column + window_column(spot->column)};
}

std::optional<SpotId> BoardView::nearest_spot(Point place) const {
  std::optional<SpotId> nearest;
  const int scale = drawing_.scale;
  int best = 6 * scale;
  for (const Spot& s : drawing_.spots) {
    if (!is_visible(s.row, s.column)) continue;
    const int row = area_.row + window_row(s.row), column = area_.column + window_column(s.column);
    const int aside = place.column < column ? column - place.column
                                            : std::max(0, place.column - (column + s.width - 1));
    const int distance = 3 * std::abs(place.row - row) + aside;
    if (aside > 2 * scale || std::abs(place.row - row) > scale || distance >= best) continue;
    best = distance;
    nearest = s.id;
  }
  return nearest;
}

}  // namespace pbm
