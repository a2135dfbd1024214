// SPDX-License-Identifier: MIT
#include "ui/widgets/players_panel.hpp"

#include <algorithm>

namespace pbm {
namespace {

// Fills a column from `bottom` upwards, by eighths of a row.
void fill_column(Canvas& canvas, int bottom, int column, int eighths, Style style, Mark mark) {
  for (int r = 0; r * 8 < eighths; ++r)
    canvas.put_glyph(bottom - r, column,
                     kLowestBlock + static_cast<char32_t>(std::min(8, eighths - r * 8) - 1), style,
                     mark);
}

// Returns the keys that show the board after ply `n`; the first one clears text and picks.
std::vector<Key> ply_keys(std::size_t n) {
  std::vector<Key> out{control_key('U'), character_key('#')};
  for (const char c : std::to_string(n)) out.push_back(character_key(static_cast<char32_t>(c)));
  out.push_back({Key::Code::enter});
  return out;
}

}  // namespace

void draw_players(Canvas& canvas, Area area, const Match& m, const Position& seen, bool past,
                  std::optional<Seat> own, const std::vector<std::string>& times) {
  // Returns the text at the right: the seat's holdings, or its result.
  const auto right_of = [&](Seat s) -> std::string {
    if (!past && m.ending() && m.ending()->winner == s) return "won";
    if (!past && m.ending() && !m.ending()->winner && m.is_playing(s)) return "tie";
    return m.is_playing(s) ? seen.holdings(s) : std::string(m.leave_reason(s));
  };
  std::size_t sign_width = 0, right_width = 0;
  int computers = 0;
  for (Seat s = 0; s < m.seats(); ++s) {
    computers += m.computer_level(s) > 0;
    sign_width = std::max(sign_width, seen.side_name(s).size());
    // Also as wide as the holdings, so that nothing moves at the end.
    right_width = std::max({right_width, right_of(s).size(), seen.holdings(s).size()});
  }
  int row = area.row;
  for (Seat s = 0; s < m.seats(); ++s, ++row) {
    const bool turn = past ? !seen.outcome() && seen.to_move() == s : m.to_move() == s;
    // A tie marks all seats that still play.
    const bool won =
        !past && m.ending() && (m.ending()->winner ? m.ending()->winner == s : m.is_playing(s));
    // Only this marker shows the turn: a row that changed its look with every ply would be slow on
    // a slow connection.
    if (turn || won)
      canvas.put_text(row, area.column, won ? "*" : ">", won ? Style::turn : Style::text);
    const Style style = won ? Style::turn : m.is_playing(s) ? Style::text : Style::dim;
    const Style name = m.is_playing(s) ? seat_style(m.game(), s) : Style::dim;
    const int name_column = area.column + 2 + static_cast<int>(sign_width) + 1;
    const int behind_side = canvas.put_text(row, area.column + 2, seen.side_name(s), name);
    if (is_piece(name)) canvas.make_tile(row, area.column + 2, behind_side);
    const int right_column = area.column + area.columns - static_cast<int>(right_width);
    // "computer2, level 3": sentences use the same name.
    std::string who = s == own ? "you" : quote_you(m.names()[index(s)]);
    if (m.computer_level(s) > 0)
      who += (computers > 1 ? ", level " : " ") + std::to_string(m.computer_level(s));
    const int behind =
        canvas.put_text(row, name_column, fit(who, right_column - 1 - name_column), name) + 2;
    // Texts that begin with a number end in the same column.
    const std::string right = right_of(s);
    const int indent = right.empty() || !is_digit(right.front())
                           ? 0
                           : static_cast<int>(right_width - right.size());
    canvas.put_text(row, right_column + indent, right, style);
    // Pieces of no seat have the same colours as on the board.
    const std::string held = " " + (m.is_playing(s) ? right : "") + " ";
    for (std::size_t i = 0; i < m.game().common_pieces.size(); ++i) {
      const std::string_view sign = m.game().common_pieces.substr(i, 1);
      const auto at = static_cast<int>(held.find(" " + std::string(sign) + " "));
      if (at >= 0)
        canvas.put_text(row, right_column + indent + at, sign,
                        role_style(static_cast<SpotRole>(static_cast<int>(SpotRole::piece1) +
                                                         static_cast<int>(i))));
    }
    const std::string time = times.empty() ? "" : times[index(s)];
    if (time.empty()) continue;
    const std::string first = time.substr(0, time.find(','));
    if (area.rows > m.seats()) {
      const int room = area.columns - 4;
      canvas.put_text(++row, area.column + 4, fit(columns(time) > room ? first : time, room),
                      Style::dim);
    } else if (right_column - 1 - behind >= columns(first)) {
      canvas.put_text(row, behind, fit(time, right_column - 1 - behind), Style::dim);
    }
  }
}

int draw_curve(Canvas& canvas, Area area, const Match& match, const Analysis& analysis,
               std::size_t shown) {
  constexpr int kList = 3;    // rows left for the plies
  constexpr int kWidest = 4;  // columns of a position
  constexpr int kLeft = 4;    // columns of the scale
  // With two seats, the second chance is the rest to 100, so one tall curve is enough.
  const bool two = match.seats() == 2;
  const int seats = two ? 1 : match.seats(), height = two ? 4 : 1, rows = seats * (height + 1) + 2;
  if (area.rows - rows < kList) return 0;
  const auto room = index(std::max(1, area.columns - kLeft));
  const std::size_t all = match.plies().size() + 1;
  const int width = std::clamp(static_cast<int>(room / all), 1, kWidest);
  const auto column_of = [&](std::size_t ply) {
    return area.column + kLeft + width * static_cast<int>(analysis.curve_index(ply, room));
  };
  int row = area.row;
  for (Seat s = two ? analysis.shown_seat() : 0, end = s + seats; s < end; ++s) {
    canvas.put_text(row++, area.column,
                    fit(possessive(analysis.seat_name(s)) + " chance in %", area.columns),
                    seat_style(match.game(), s));
    const auto chances = analysis.chances(s, room);
    canvas.put_text(row, area.column, "100", Style::dim);
    if (two) canvas.put_text(row + height - 1, area.column, "  0", Style::dim);
    for (std::size_t i = 0; i < chances.size(); ++i) {
      if (!chances[i]) continue;
      const Mark mark = i == analysis.curve_index(shown, room) ? Mark::last : Mark::none;
      // The lowest block stands for less than an eighth of a row, too.
      const int eighths = std::max(1, *chances[i] * height * 8 / 100);
      for (int c = 0; c < width; ++c)
        fill_column(canvas, row + height - 1, area.column + kLeft + width * static_cast<int>(i) + c,
                    eighths, seat_style(match.game(), s), mark);
    }
    row += height;
  }
  // The mistakes and the last move's number stand below.
  const std::string last = std::to_string(match.plies().size());
  canvas.put_text(row, area.column, "move", Style::dim);
  canvas.put_text(
      row,
      std::min(column_of(match.plies().size()) + width, area.column + area.columns - columns(last)),
      last, Style::dim);
  for (const std::size_t ply : analysis.marked_plies())
    canvas.put_text(row, column_of(ply), "?", Style::bad);
  return rows;
}

std::string fit_sentences(std::string text, Size room) {
  while (!text.empty() && static_cast<int>(wrap(text, room.columns).size()) > room.rows) {
    text.pop_back();
    text.resize(text.rfind('.') + 1);  // of the sentence before, if any
  }
  return text;
}

std::string fit_instruction(const std::string& text, Size room) {
  const auto fits = [&](const std::string& part) {
    return static_cast<int>(wrap(safe_text(part), room.columns).size()) <= room.rows;
  };
  if (fits(text)) return text;
  std::vector<std::size_t> starts;  // of the sentences after the first
  for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos;)
    if ((at += 2) < text.size() && text[at] >= 'A' && text[at] <= 'Z') starts.push_back(at);
  const auto instructs = [&](std::string_view word) {
    return !starts.empty() && text.compare(starts.back(), word.size(), word) == 0;
  };
  if (!instructs("Press ") && !instructs("Enter ")) return text;
  for (std::size_t i = starts.size() - 1; i-- > 0;)
    if (std::string out = text.substr(0, starts[i]) + "... " + text.substr(starts.back());
        fits(out))
      return out;
  return text;
}

void draw_banner(Canvas& canvas, Area area, const Match& m, std::optional<Seat> own) {
  const std::optional<Seat> winner = m.ending()->winner;
  const bool lost = own && winner && winner != own;
  const std::string title = !winner ? "A tie" : capitalize(seat_name(m, *winner, own)) + " won";
  const std::string said = m.ending_reason(own) + ".";
  // A defeat does not look like a victory.
  const Style owner = winner ? seat_style(m.game(), *winner) : Style::text;
  const bool is_tile = !lost && is_piece(owner);
  const Style style = is_tile ? owner : lost ? Style::title : Style::cap;
  int row = area.row;
  for (const std::string& text : {std::string(), fit(title, area.columns), std::string()}) {
    const int left = (area.columns - columns(text)) / 2;
    canvas.put_text(row, area.column,
                    pad(std::string(index(std::max(left, 0)), ' ') + text, area.columns), style);
    if (is_tile) canvas.make_tile(row, area.column, area.column + area.columns);
    ++row;
  }
  for (const std::string& line :
       wrap(said + " " + format_count(m.plies().size(), "move", "moves") + ".", area.columns))
    if (row < area.row + area.rows) canvas.put_text(row++, area.column, line, Style::text);
}

void draw_chance_bar(Canvas& canvas, Area area, const Match& match, const Analysis& analysis,
                     std::size_t shown) {
  const auto known = analysis.chances(analysis.shown_seat(), match.plies().size() + 1);
  if (match.seats() != 2 || shown >= known.size() || !known[shown]) return;
  const int eighths = *known[shown] * area.rows * 8 / 100;
  const std::string legend = " " + possessive(analysis.seat_name(analysis.shown_seat())) +
                             " chance " + std::to_string(*known[shown]) + " % ";
  canvas.put_text(area.row + area.rows, area.column + 1 - columns(legend), legend, Style::dim);
  for (int r = 0; r < area.rows; ++r) canvas.put_text(area.row + r, area.column, ":", Style::dim);
  fill_column(canvas, area.row + area.rows - 1, area.column, eighths,
              seat_style(match.game(), analysis.shown_seat()), Mark::none);
}

void PlyList::draw(Canvas& canvas, Area area, const Match& match, std::optional<std::size_t> past,
                   const Analysis* analysis) {
  const auto nag = [&](std::size_t ply) {
    return analysis ? to_string(analysis->mark(ply)) : std::string_view();
  };
  const int chance = analysis ? 4 : 0;  // columns after each ply
  const auto& plies = match.plies();
  const int digits =
      static_cast<int>(std::to_string(std::max<std::size_t>(plies.size(), 10)).size());
  int across = std::max(2, std::min(match.seats(), area.columns / 9));
  // One ply on a line if two would be cut.
  for (std::size_t i = 0; i < plies.size() && across > 1; ++i)
    if (static_cast<int>(plies[i].text.size() + nag(i + 1).size()) >
        area.columns / across - digits - 2 - chance)
      across = 1;
  const int width = area.columns / across;
  // Scrolls to the last ply again if an analysis takes rows or columns.
  const int page = std::max(1, area.rows);
  should_scroll_ = should_scroll_ || page != visible_lines_ || across != plies_per_line_;
  visible_lines_ = page;
  plies_per_line_ = across;
  line_count_ = (static_cast<int>(plies.size()) + across - 1) / across;
  const int wanted = past ? (static_cast<int>(*past) - 1) / across : line_count_ - 1;
  if (should_scroll_)
    first_line_ = first_line_to_show(line_count_, visible_lines_, std::max(0, wanted), first_line_);
  should_scroll_ = false;
  first_line_ = std::clamp(first_line_, 0, std::max(0, line_count_ - visible_lines_));
  if (first_line_ > 0)
    canvas.put_text(area.row - 1, area.column,
                    "^ " + format_count(index(first_line_ * across), "move", "moves") + " above ",
                    Style::dim);
  const auto draw_ply = [&](std::size_t i, int row, int column) {
    std::string number = std::to_string(i + 1);
    number.insert(0, index(digits) - number.size(), ' ');
    canvas.put_text(row, column, number, Style::text, past == i + 1 ? Mark::last : Mark::none);
    const std::string flags = std::string(nag(i + 1)) + (match.note(i + 1).empty() ? "" : "*") +
                              (match.side_lines(i).empty() ? "" : "+");
    canvas.put_text(row, column + digits + 1,
                    fit(plies[i].text + flags, width - digits - 2 - chance), Style::text);
    if (const auto of_100 = analysis ? analysis->chance(i + 1) : std::nullopt) {
      const std::string share = std::to_string(*of_100);
      canvas.put_text(row, column + width - 1 - static_cast<int>(share.size()), share, Style::dim);
    }
    canvas.add_link(row, column, width - 1, ply_keys(i + 1));
  };
  const std::size_t first = index(first_line_ * across);
  const std::size_t end = std::min(plies.size(), first + index(area.rows * across));
  for (std::size_t i = first; i < end; ++i) {
    const auto n = static_cast<int>(i - first);
    draw_ply(i, area.row + n / across, area.column + n % across * width);
  }
}

}  // namespace pbm
