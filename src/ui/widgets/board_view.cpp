// SPDX-License-Identifier: MIT
#include "ui/widgets/board_view.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <set>

namespace pbm {
namespace {

// The characters of rails, which connect spots, and of frames, which surround them.
constexpr std::string_view kRails = "-|", kFrames = "/\\_";

bool is_line(char glyph) {
  return kRails.find(glyph) != std::string_view::npos ||
         kFrames.find(glyph) != std::string_view::npos;
}

}  // namespace

Size shown_size(Drawing drawing) {
  BoardView view;
  view.set_drawing(std::move(drawing));
  return view.size();
}

void BoardView::set_drawing(Drawing drawing) {
  drawing_ = std::move(drawing);
  clear_marks();
  drawing_size_ = {static_cast<int>(drawing_.rows.size()), 0};
  for (const std::string& row : drawing_.rows)
    drawing_size_.columns = std::max(drawing_size_.columns, static_cast<int>(row.size()));
  headings_size_ = measure_headings();
  tile_margin_ = measure_tiles();
  // A large piece at the edge needs room.
  for (const Spot& s : drawing_.spots) {
    drawing_size_.rows = std::max(drawing_size_.rows, s.row + tile_margin_.rows + 1);
    drawing_size_.columns =
        std::max(drawing_size_.columns, s.column + s.width + tile_margin_.columns);
  }
}

// A tile leaves a free column to the next one, and a free row if the spots are far enough apart.
Size BoardView::measure_tiles() const {
  int columns_apart = INT_MAX, rows_apart = INT_MAX, width = 1;
  const std::vector<Spot>& spots = drawing_.spots;
  const auto is_square = [](const Spot& s) { return s.role != SpotRole::board; };
  for (const Spot& a : spots) {
    if (!is_square(a)) continue;
    width = std::max(width, sign_width(a));
    for (const Spot& b : spots)
      if (b.row == a.row && b.column > a.column && is_square(b))
        columns_apart = std::min(columns_apart, b.column - a.column);
  }
  if (columns_apart == INT_MAX) columns_apart = 2 * drawing_.scale;
  const int side = std::max(0, (columns_apart - 1 - width) / 2);
  for (const Spot& a : spots)
    for (const Spot& b : spots)
      if (b.row > a.row && std::abs(b.column - a.column) <= width + 2 * side && is_square(a) &&
          is_square(b))
        rows_apart = std::min(rows_apart, b.row - a.row);
  if (rows_apart == INT_MAX) rows_apart = drawing_.scale;
  // A tile stays within the frame of its spot, and is as large as possible there.
  const int most_above = std::max(0, (rows_apart - 2) / 2);
  const auto fits = [&](int above, int beside) {
    return std::ranges::all_of(spots, [&](const Spot& s) {
      for (int r = s.row - above; r <= s.row + above && is_square(s); ++r)
        for (int c = s.column - beside; c < s.column + sign_width(s) + beside; ++c)
          if (kFrames.find(glyph_at(r, c)) != std::string_view::npos) return false;
      return true;
    });
  };
  Size best;
  for (int beside = side; beside >= 0; --beside)
    for (int above = most_above; above >= 0; --above)
      if ((2 * above + 1) * (width + 2 * beside) >
              (2 * best.rows + 1) * (width + 2 * best.columns) &&
          fits(above, beside))
        best = {above, beside};
  return best;
}

// Returns the columns of a spot's sign, without blanks behind it.
int BoardView::sign_width(const Spot& s) const {
  int width = s.width;
  while (width > 1 && glyph_at(s.row, s.column + width - 1) == ' ') --width;
  return width;
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
  int heading = 0;                      // the first row with a character
  while (heading < first_row && drawing_.rows[static_cast<std::size_t>(heading)].empty()) ++heading;
  for (const Label& l : drawing_.labels) {
    if (l.row == heading && first_row > heading && columns.count(l.column)) over += l.width;
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
  const bool above = over > 1 && over == drawn(drawing_.rows[static_cast<std::size_t>(heading)]);
  return {above ? heading + 1 : 0, before > 1 && before == beside ? width : 0};
}

void BoardView::mark_ending(const std::vector<SpotId>& spots, std::optional<Seat> winner,
                            const GameType& game) {
  mark_spots(spots, Mark::win);
  // The line of the winner alone keeps its tiles; other spots show why the opponent lost.
  has_spotlight_ = !game.common_pieces.empty();
  for (const SpotId id : spots)
    if (const Spot* spot = find_spot(id); spot && winner)
      has_spotlight_ = has_spotlight_ || role_style(spot->role) == seat_style(game, *winner);
}

void BoardView::scroll(int down, int right) {
  if (down != 0 || right != 0) painted_canvas_.reset();
  first_row_ = std::clamp(first_row_ + down * std::max(1, area_.rows / 2), 0,
                          std::max(0, drawing_size_.rows - area_.rows));
  first_column_ = std::clamp(first_column_ + right * std::max(1, area_.columns / 2), 0,
                             std::max(0, drawing_size_.columns - area_.columns));
}

const Spot* BoardView::find_spot(SpotId id) const {
  const auto found = std::ranges::find(drawing_.spots, id, &Spot::id);
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
  if (r < 0 || r >= static_cast<int>(drawing_.rows.size())) return ' ';
  const std::string& row = drawing_.rows[static_cast<std::size_t>(r)];
  return c >= 0 && c < static_cast<int>(row.size()) ? row[static_cast<std::size_t>(c)] : ' ';
}

// Returns the columns to mark for a spot: from the first to before the last. A word of the frame,
// as over a goal, is marked as a whole.
std::pair<int, int> BoardView::marked_columns(const Spot& s) const {
  int from = s.column, to = s.column + sign_width(s);
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
    // Lines are weaker than letters and numbers.
    std::string row;
    const int columns = std::min(area_.columns, drawing_size_.columns - first_column_);
    for (int c = 0; c < columns; ++c) row += glyph_at(drawing_row(r), drawing_column(c));
    for (std::size_t from = 0, end = 0; from < row.size(); from = end) {
      const bool line = is_line(row[from]);
      for (end = from + 1; end < row.size() && is_line(row[end]) == line;) ++end;
      out.put_text(r, static_cast<int>(from), std::string_view(row).substr(from, end - from),
                   line ? Style::board : Style::dim);
    }
  }
  for (const Spot& s : drawing_.spots) {
    Mark mark = Mark::none;
    Style style = role_style(s.role);
    bool is_hint = false;
    for (const SpotMark& m : marks_)
      if (m.id == s.id) {
        mark = m.mark;
        is_hint = mark == Mark::win && m.style;
        style = m.style.value_or(role_style(s.role));
      }
    // The row has drawn an empty square already.
    if (s.role == SpotRole::board && mark == Mark::none) continue;
    const auto [from, to] = marked_columns(s);
    const bool is_piece_tile = is_piece(role_style(s.role)) && mark != Mark::wrong &&
                               (!has_spotlight_ || mark == Mark::win);
    // In a large drawing, empty squares are dark tiles.
    const bool is_tile = is_piece_tile || (s.role != SpotRole::board && drawing_.scale > 1 &&
                                           !is_piece(role_style(s.role)) && !has_spotlight_);
    // Tiles and, in a large drawing, marks include blanks around the sign.
    const int marked_side = mark == Mark::none || mark == Mark::choice
                                ? 0
                                : std::min(drawing_.scale - 1, tile_margin_.columns),
              side = is_tile ? tile_margin_.columns : marked_side,
              above = is_tile ? tile_margin_.rows : 0;
    for (int r = s.row - above; r <= s.row + above; ++r)
      for (int i = from - side; i < to + side; ++i) {
        if (r < 0 || i < 0 || !is_visible(r, i)) continue;
        char glyph = glyph_at(r, i);
        const bool is_sign = r == s.row && i >= from && i < to;
        // At its usual size a drawing keeps each character. In a larger one, tiles cover rails.
        const bool is_rail = kRails.find(glyph) != std::string_view::npos;
        if (!is_sign && is_piece_tile && drawing_.scale > 1 && is_rail) glyph = ' ';
        if (glyph != ' ' && !is_sign && (is_piece_tile || !is_tile || !is_rail)) continue;
        if (glyph == ' ' && mark == Mark::none && !is_tile) continue;
        const int row = window_row(r), column = window_column(i);
        // On a large tile, the frame around the sign or the last row is enough of a mark.
        const bool is_marked =
            !is_piece_tile ? (is_tile && (mark == Mark::win || mark == Mark::picked)) ||
                                 (r == s.row && i >= from - marked_side && i < to + marked_side)
            : mark == Mark::choice ? r == s.row + above
            : mark == Mark::picked ? r == s.row && i >= from - 1 && i <= to
                                   : true;
        // The style of a mark is for the marked cells of an empty square alone.
        const Style drawn = is_piece_tile || is_marked ? style : role_style(s.role);
        out.put_text(row, column, std::string_view(&glyph, 1), drawn,
                     is_marked ? mark : Mark::none);
        if (is_piece_tile || (is_tile && !is_piece(drawn))) out.make_tile(row, column, column + 1);
      }
    if ((mark == Mark::picked || is_hint) && (is_piece_tile ? side : marked_side) > 0)
      draw_brackets(out, {}, s, {from, to}, style);
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

// Puts brackets on the blanks around a sign. On a tile they have its style.
void BoardView::draw_brackets(Canvas& canvas, Point origin, const Spot& spot,
                              std::pair<int, int> sign, Style style) const {
  for (const auto& [at, bracket] :
       {std::pair(sign.first - 1, U'['), std::pair(sign.second, U']')}) {
    const int row = origin.row + window_row(spot.row), column = origin.column + window_column(at);
    if (at < 0 || !is_visible(spot.row, at) || canvas.cell(row, column).glyph != U' ') continue;
    const Cell below = canvas.cell(row, column);
    canvas.put_glyph(row, column, bracket, below.is_tile ? below.style : style, below.mark);
    if (below.is_tile) canvas.make_tile(row, column, column + 1);
  }
}

void BoardView::draw_cursor(Canvas& canvas, SpotId id, bool has_frame) const {
  const Spot* spot = find_spot(id);
  const auto place = find_place(id);
  if (!place) return;
  canvas.cursor = place;
  if (has_frame && tile_margin_.columns > 0)
    draw_brackets(canvas, {area_.row, area_.column}, *spot,
                  {spot->column, spot->column + sign_width(*spot)}, Style::turn);
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
