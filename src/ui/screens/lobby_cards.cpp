// SPDX-License-Identifier: MIT
#include "ui/screens/lobby_cards.hpp"

#include <algorithm>
#include <set>

#include "ui/screen.hpp"

namespace pbm {
namespace {

constexpr Size kSmallestCard{9, 26};

// Returns the spots alone, close together, in at most `rows` rows if that is possible.
Drawing compact_drawing(const Drawing& full, int rows) {
  std::set<int> all_rows, all_columns;
  for (const Spot& s : full.spots) {
    if (s.role == SpotRole::opening || s.role == SpotRole::board) continue;
    all_rows.insert(s.row);
    all_columns.insert(s.column);
  }
  const auto rank = [](const std::set<int>& all, int at) {
    return static_cast<int>(std::distance(all.begin(), all.find(at)));
  };
  // Columns of hexagons lie half a row apart, so that two rows may become one.
  Drawing out;
  for (int joined = static_cast<int>(all_rows.size()) > rows ? 2 : 1, step = 1;; ++step) {
    out = {};
    int widest = 1;
    bool is_clear = true;
    for (const Spot& s : full.spots) {
      // A square of the frame may be a letter of a word.
      if (s.role == SpotRole::opening || s.role == SpotRole::board) continue;
      Spot spot = s;
      spot.row = rank(all_rows, s.row) / joined;
      spot.column = rank(all_columns, s.column) * step;
      widest = std::max(widest, s.width);
      out.rows.resize(std::max(out.rows.size(), static_cast<std::size_t>(spot.row) + 1));
      std::string& row = out.rows[static_cast<std::size_t>(spot.row)];
      const auto from = static_cast<std::size_t>(spot.column),
                 width = static_cast<std::size_t>(spot.width);
      row.resize(std::max(row.size(), from + width), ' ');
      // A blank stays between two spots.
      const std::size_t before = from > 0 ? from - 1 : 0;
      is_clear =
          is_clear &&
          std::string_view(row).substr(before, from + width + 1 - before).find_first_not_of(' ') ==
              std::string_view::npos;
      std::string sign = full.rows[static_cast<std::size_t>(s.row)].substr(
          static_cast<std::size_t>(s.column), width);
      if (trim(sign).empty()) sign.assign(width, '.');
      row.replace(from, width, sign);
      out.spots.push_back(std::move(spot));
    }
    if (is_clear) return out;
    if (step > widest) {
      if (joined == 1) return out;
      joined = 1;
      step = 0;
    }
  }
}

bool fits(Size size, Size room) { return size.rows <= room.rows && size.columns <= room.columns; }

}  // namespace

Drawing fit_drawing(const Match& match, Size room, std::string_view styles) {
  const std::size_t n = match.plies().size();
  const auto draw = [&](char style, int scale) {
    return match.draw(n, {.drawing_style = style, .scale = scale});
  };
  if (styles.empty()) styles = "a";
  std::optional<Drawing> best;
  for (const char style : styles)
    for (int scale = best ? best->scale + 1 : 1; scale <= kMaxScale; ++scale) {
      Drawing drawing = draw(style, scale);
      if (!fits(shown_size(drawing), room)) break;
      best = std::move(drawing);
    }
  return best ? *best : compact_drawing(draw(styles.front(), 1), room.rows);
}

Canvas draw_centered(const Match& match, Size room, std::string_view styles) {
  BoardView view;
  view.set_drawing(fit_drawing(match, room, styles));
  const Size size = view.size();
  Canvas whole(size), out(room);
  view.draw(whole, {0, 0, size.rows, size.columns});
  out.draw_canvas((room.rows - size.rows) / 2, (room.columns - size.columns) / 2, whole);
  out.cursor.reset();
  return out;
}

// Chooses the number of cards in a row that makes the cards largest.
bool GameCards::set_layout(Area area, int cards, int selected) {
  area_ = area;
  count_ = cards;
  per_row_ = area.columns / kSmallestCard.columns;
  visible_rows_ = area.rows / kSmallestCard.rows;
  if (per_row_ < 2 || visible_rows_ < 1) return false;
  int best = 0;
  const int most = per_row_;
  for (int n = 1; n <= most; ++n) {
    const int rows = (cards + n - 1) / n, height = area.rows / rows;
    const int size = std::min(area.columns / n / 2, height);
    if (height < kSmallestCard.rows || size <= best) continue;
    best = size;
    per_row_ = n;
    visible_rows_ = rows;
  }
  card_ = {area.rows / visible_rows_, area.columns / per_row_};
  const int row = selected / per_row_;
  first_row_ = std::clamp(first_row_, std::max(0, row - visible_rows_ + 1), row);
  first_row_ = std::min(first_row_, std::max(0, (cards + per_row_ - 1) / per_row_ - visible_rows_));
  return true;
}

std::optional<int> GameCards::card_at(Point place) const {
  const int row = place.row - area_.row, column = (place.column - area_.column) / card_.columns;
  const int index = (first_row_ + row / card_.rows) * per_row_ + column;
  const bool inside = row >= 0 && row < visible_rows_ * card_.rows &&
                      place.column >= area_.column && column < per_row_ && index < count_;
  return inside ? std::optional(index) : std::nullopt;
}

GameCards::Board& GameCards::board_of(const GameType& game) {
  const auto known = std::ranges::find(shown_boards_, &game, &Board::game);
  if (known != shown_boards_.end()) return *known;
  Board& board = shown_boards_.emplace_back();
  board.game = &game;
  if (const auto example =
          boards_.local().open(std::string(kExamplePrefix) + std::string(game.name));
      example && &example->match.game() == &game)
    board.match = example->match;
  else if (auto start = Match::start(game, {}, complete_seating(game, {})->names, now()))
    board.match = std::move(*start);
  return board;
}

void GameCards::draw(Canvas& canvas, int index, bool is_selected, const GameType* game,
                     const std::string& title, std::string text) {
  const int top = area_.row + (index / per_row_ - first_row_) * card_.rows,
            left = area_.column + index % per_row_ * card_.columns, inner = card_.columns - 3,
            rows = card_.rows - 2;
  canvas.draw_box({top, left, rows + 2, inner + 2}, is_selected ? Style::turn : Style::dim);
  canvas.put_text(top, left + 1, (is_selected ? "> " : " ") + fit(title, inner - 3) + " ",
                  is_selected ? Style::turn : Style::title);
  if (is_selected) canvas.cursor = Point{top, left + 1};
  if (!text.empty()) text.front() = upper(text.front());
  std::vector<std::string> lines = wrap(text, inner);
  if (game) {
    Board& board = board_of(*game);
    const int most = rows > kSmallestCard.rows ? 3 : 2;
    if (std::ssize(lines) > most) lines = wrap(fit_beginning(text, most * (inner - 4)), inner);
    const Size room{rows - static_cast<int>(lines.size()), inner};
    if (board.match && board.picture.size() != room)
      board.picture = draw_centered(*board.match, room, game->drawing_styles);
    canvas.draw_canvas(top + 1, left + 1, board.picture);
  }
  int row = game ? top + 1 + rows - static_cast<int>(lines.size()) : top + 2;
  for (const std::string& line : lines) {
    if (row > top) canvas.put_text(row, left + 1, line, is_selected ? Style::text : Style::dim);
    ++row;
  }
}

}  // namespace pbm
