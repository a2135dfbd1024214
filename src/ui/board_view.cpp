// SPDX-License-Identifier: MIT
#include "ui/board_view.hpp"

#include <algorithm>
#include <cstdlib>

namespace pbm {

void BoardView::show(Drawing drawing) {
  drawing_ = std::move(drawing);
  marks_.clear();
  painted_.reset();
  size_ = {static_cast<int>(drawing_.rows.size()), 0};
  for (const std::string& row : drawing_.rows) size_.columns = std::max(size_.columns, static_cast<int>(row.size()));
}

void BoardView::mark(const std::vector<SpotId>& spots, Mark mark) {
  painted_.reset();
  for (const SpotId id : spots) marks_.emplace_back(id, mark);
}

void BoardView::follow(std::optional<SpotId> spot) {
  follow_ = true;
  followed_ = spot;
}

void BoardView::scroll(int down, int right) {
  if (down != 0 || right != 0) painted_.reset();
  top_ = std::clamp(top_ + down * std::max(1, area_.rows / 2), 0, std::max(0, size_.rows - area_.rows));
  left_ = std::clamp(left_ + right * std::max(1, area_.columns / 2), 0, std::max(0, size_.columns - area_.columns));
}

const Spot* BoardView::find(SpotId id) const {
  const auto found = std::find_if(drawing_.spots.begin(), drawing_.spots.end(), [&](const Spot& s) { return s.id == id; });
  return found == drawing_.spots.end() ? nullptr : &*found;
}

bool BoardView::visible(int row, int column) const {
  return row >= top_ && row < top_ + area_.rows && column >= left_ && column < left_ + area_.columns;
}

// Scrolls no further than needed, but then far enough to see around the spot.
void BoardView::make_visible(const Spot& spot) {
  if (spot.row < top_ + 1 || spot.row >= top_ + area_.rows - 1) top_ = spot.row - area_.rows / 2;
  if (spot.column < left_ + 2 || spot.column >= left_ + area_.columns - 3) left_ = spot.column - area_.columns / 2;
}

Canvas BoardView::painted() const {
  Canvas out({area_.rows, area_.columns});
  for (int r = top_; r < std::min(size_.rows, top_ + area_.rows); ++r) {
    const std::string& row = drawing_.rows[static_cast<std::size_t>(r)];
    if (static_cast<int>(row.size()) > left_) out.put(r - top_, 0, std::string_view(row).substr(static_cast<std::size_t>(left_)), Style::board);
  }
  for (const Spot& s : drawing_.spots) {
    Mark mark = Mark::none;
    for (const auto& [id, m] : marks_)
      if (id == s.id) mark = m;
    // An empty square looks as the row around it already does.
    if (s.role == Role::board && mark == Mark::none) continue;
    const std::string& row = drawing_.rows[static_cast<std::size_t>(s.row)];
    for (int i = s.column; i < s.column + s.width; ++i) {
      if (!visible(s.row, i)) continue;
      const char glyph = i < static_cast<int>(row.size()) ? row[static_cast<std::size_t>(i)] : ' ';
      if (glyph != ' ' || mark != Mark::none) out.put(s.row - top_, i - left_, std::string_view(&glyph, 1), style_of(s.role), mark);
    }
  }
  return out;
}

void BoardView::draw(Canvas& canvas, Area area) {
  const bool resized = area.rows != area_.rows || area.columns != area_.columns;
  area_ = area;
  const Spot* spot = followed_ ? find(*followed_) : nullptr;
  const int top = top_, left = left_;
  if ((follow_ || resized) && spot) {
    make_visible(*spot);
  } else if ((follow_ || resized) && !followed_) {
    // Of a drawing a little too large the frame goes first.
    top_ = (size_.rows - area.rows) / 2;
    left_ = (size_.columns - area.columns) / 2;
  }
  follow_ = false;
  scroll(0, 0);
  if (!painted_ || resized || top != top_ || left != left_) painted_ = painted();
  canvas.paste(area.row, area.column, *painted_);
  const int edge = canvas.size().columns - 1;
  if (top_ > 0) canvas.put(area.row, edge, "^", Style::key);
  if (top_ + area.rows < size_.rows) canvas.put(area.row + area.rows - 1, edge, "v", Style::key);
  if (left_ > 0) canvas.put(area.row + area.rows / 2, 0, "<", Style::key);
  if (left_ + area.columns < size_.columns) canvas.put(area.row + area.rows / 2, edge, ">", Style::key);
}

std::optional<Point> BoardView::place(SpotId id) const {
  const Spot* spot = find(id);
  if (!spot || !visible(spot->row, spot->column)) return std::nullopt;
  return Point{area_.row + spot->row - top_, area_.column + spot->column - left_};
}

std::optional<SpotId> BoardView::spot_near(Point place) const {
  std::optional<SpotId> nearest;
  int best = 6;
  for (const Spot& s : drawing_.spots) {
    if (!visible(s.row, s.column)) continue;
    const int row = area_.row + s.row - top_, column = area_.column + s.column - left_;
    const int aside = place.column < column ? column - place.column : std::max(0, place.column - (column + s.width - 1));
    const int distance = 3 * std::abs(place.row - row) + aside;
    if (aside > 2 || std::abs(place.row - row) > 1 || distance >= best) continue;
    best = distance;
    nearest = s.id;
  }
  return nearest;
}

}  // namespace pbm
