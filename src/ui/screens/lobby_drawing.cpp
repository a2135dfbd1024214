// SPDX-License-Identifier: MIT
// The drawing of the lobby: the list, the board beside it, and the row at the bottom.
#include <algorithm>
#include <array>

#include "ui/screens/lobby.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {

namespace {

constexpr int kIdColumn = 3;
constexpr int kListWide = 80;  // columns of a list beside a board
constexpr int kPaneWide = 30;  // columns of a board beside a list

// Cuts a name in the middle, so that names with different ends, such as numbers, stay different.
std::string fit_middle(const std::string& name, int width) {
  constexpr std::size_t kEnd = 4;
  if (columns(name) <= width || static_cast<std::size_t>(columns(name)) != name.size())
    return fit(name, width);
  return name.substr(0, static_cast<std::size_t>(width) - kEnd - 1) + "~" +
         name.substr(name.size() - kEnd);
}

// If `wide`, the list also has a column for the game.
std::string shown_id(const BoardSummary& line, bool wide) {
  if (!line.example) return safe_text(line.id.substr(0, line.id.size() - line.id.ends_with('/')));
  if (!line.remark.empty() && !wide) return line.title();
  const std::size_t colon = line.id.find(':');
  return line.remark.empty() ? line.id.substr(colon + 1) : line.id.substr(0, colon);
}

// Returns "5 min ago", "yesterday" and so on for less than ten days; then the date.
std::string how_long_ago(Time t, Time today) {
  const auto age = today - t;
  if (t == Time{} || age < std::chrono::seconds(0)) return short_time(t, today);
  if (age < std::chrono::minutes(1)) return "just now";
  if (age < std::chrono::hours(1))
    return std::to_string(age / std::chrono::minutes(1)) + " min ago";
  const auto days = local_day(today) - local_day(t);
  if (days == 0 || age < std::chrono::hours(6))
    return std::to_string(age / std::chrono::hours(1)) + " h ago";
  if (days == 1) return "yesterday";
  return days < 10 ? std::to_string(days) + " days ago" : short_time(t, today);
}

// Returns the number of unread chat lines, or "".
std::string unread_mark(const BoardSummary& line) {
  return line.unread > 0 ? " (" + std::to_string(line.unread) + ")" : "";
}

}  // namespace

// Returns the height of the list.
Size Lobby::wanted(Size terminal) {
  constexpr int kRows = 30;
  const int rows = std::max(kRows, static_cast<int>(list_.all().size()) + kFirstRow + 2);
  return {std::min(terminal.rows, rows), std::min(terminal.columns, kWidest)};
}

// Calls the player "you": by their userid, or by the name in the settings.
std::vector<std::string> Lobby::players_of(const BoardSummary& line) const {
  const std::string user = boards_.server().user();
  return players_for(user.empty() ? preferences_.name : user, {line.names, line.levels});
}

std::string Lobby::names_of(const BoardSummary& line, bool you) const {
  std::string out;
  for (const std::string& name : players_of(line))
    if (you || name != "you") out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string Lobby::state_of(const BoardSummary& line) const {
  if (line.example) return "example";
  std::string state = line.state_at(now());
  if (line.winner && players_of(line)[static_cast<std::size_t>(*line.winner)] == "you")
    state.replace(0, shown_name(line.names[static_cast<std::size_t>(*line.winner)]).size(), "you");
  if (line.offer || !line.to_move) return state;
  const auto seat = static_cast<std::size_t>(*line.to_move);
  const std::string turn = line.names[seat] + "'s turn";
  return players_of(line)[seat] == "you" && state.starts_with(turn)
             ? "your turn" + state.substr(turn.size())
             : state;
}

// Gives each column the width of its words. If there is not enough room, wide columns share it.
Lobby::Columns Lobby::columns_for(int width) const {
  constexpr int kGap = 1, kMostGap = 3, kWhen = 10, kRoomForWhen = 72, kRoomForYou = 76;
  Columns c{};
  c.width = width > kListWide + kPaneWide ? std::max(kListWide, width * 6 / 10) : width;
  const bool wide = c.width >= 60;
  const int end = c.width - 1;
  c.you = c.width >= kRoomForYou;
  if (c.width >= kRoomForWhen) c.when = end - kWhen;
  std::array<int, 4> wanted{7, wide ? 6 : 0, 7, 6};  // "board v", "game v", "players", "turn v"
  for (const BoardSummary* line : shown()) {
    wanted[0] = std::max(wanted[0], columns(shown_id(*line, wide) + unread_mark(*line)));
    if (wide) wanted[1] = std::max(wanted[1], columns(line->title()));
    if (!line->remark.empty() || !line->broken.empty()) continue;  // it has no such columns
    wanted[2] = std::max(wanted[2], columns(names_of(*line, c.you)));
    wanted[3] = std::max(wanted[3], columns(state_of(*line)));
  }
  const int gaps = wide ? (c.when ? 4 : 3) : 2;
  // The board's name comes first, then the column by which the list is sorted.
  std::array<int, 4> got{std::min(wanted[0], wide ? c.width / 3 : 13)};
  int room = (c.when ? c.when : end) - kIdColumn - gaps * kGap - got[0], left = 3;
  if (const std::size_t sorted = list_.order() == Order::turn ? 3 : 1;
      list_.order() == Order::turn || (list_.order() == Order::game && wide)) {
    got[sorted] = std::min(wanted[sorted], room * 6 / 10);
    room -= got[sorted];
    --left;
  }
  // The narrowest columns come first; the others share the room that is left.
  std::array<std::size_t, 4> narrowest{0, 1, 2, 3};
  std::ranges::sort(narrowest, [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  for (const std::size_t i : narrowest)
    if (got[i] == 0) {
      got[i] = std::min(wanted[i], room / std::max(1, left--));
      room -= got[i];
    }
  const int gap = kGap + std::clamp(room / gaps, 0, kMostGap - kGap);
  c.id_width = got[0];
  c.title = kIdColumn + c.id_width + gap;
  c.title_width = wide ? got[1] : 0;
  c.names = wide ? c.title + c.title_width + gap : c.title;
  c.names_width = got[2];
  c.state = c.names + c.names_width + gap;
  c.state_width = c.when ? c.when - c.state - 1 : end - c.state;
  return c;
}

// Marks the column by which the list is sorted, unless that is the usual one.
void Lobby::draw_heads(Canvas& canvas, const Columns& at) const {
  const auto head = [&](int column, int width, const std::string& name, Order order) {
    const bool sorted = list_.order() == order;
    canvas.put(2, column, fit(name + (sorted && order != Order::turn ? " v" : ""), width),
               sorted ? Style::key : Style::dim);
  };
  head(kIdColumn, at.id_width, "board", Order::name);
  if (at.title_width) head(at.title, at.title_width, "game", Order::game);
  canvas.put(2, at.names, fit("players", at.names_width), Style::dim);
  head(at.state, at.state_width, "turn", Order::turn);
  if (at.when) head(at.when, 10, "played", Order::played);
}

void Lobby::draw_row(Canvas& canvas, int row, const Columns& at, const BoardSummary& line,
                     bool selected) const {
  if (selected) canvas.put(row, 1, ">", Style::turn);
  const std::string unread = unread_mark(line);
  const int behind_id = canvas.put(
      row, kIdColumn, fit_middle(shown_id(line, at.title_width > 0), at.id_width - columns(unread)),
      (line.to_move && !line.example) || !line.remark.empty() ? Style::text : Style::dim);
  canvas.put(row, behind_id, unread, Style::key);
  if (!line.broken.empty()) {
    canvas.put(row, kIdColumn + at.id_width + 1,
               fit("cannot be read: Enter tells why", at.width - kIdColumn - at.id_width - 2),
               Style::bad);
    return;
  }
  if (at.title_width) canvas.put(row, at.title, fit(line.title(), at.title_width), Style::text);
  if (!line.remark.empty()) {
    const int end = line.seek > 0 && at.when ? at.when : at.width;
    canvas.put(row, at.names, beginning(line.remark, end - at.names - 1), Style::turn);
    if (line.seek > 0 && at.when)
      canvas.put(row, at.when, how_long_ago(line.changed, now()), Style::dim);
    return;
  }
  canvas.put(row, at.names, fit(names_of(line, at.you), at.names_width), Style::text);
  // If there is no room for both, the time left is more useful than the turn.
  std::string state = state_of(line);
  if (const std::string time = line.clock.in_short(line.to_move, now());
      !time.empty() && !line.offer && columns(state) > at.state_width)
    state = time;
  canvas.put(row, at.state, fit(state, at.state_width),
             line.to_move && !line.example && !line.watched ? Style::turn : Style::dim);
  if (at.when && !line.example)
    canvas.put(row, at.when, how_long_ago(line.changed, now()), Style::dim);
}

// Draws the selected board beside the list, and reads it again after a change.
void Lobby::draw_board(Canvas& canvas, Area area) {
  const BoardSummary* line = selected();
  if (!line || !line->game || !line->broken.empty() || line->seek > 0) return;
  if (!seen_ || seen_->id != line->id || seen_at_ != line->changed) look_at(*line);
  if (!seen_ || seen_->id != line->id) return;
  const Match& m = seen_->match;
  canvas.wall(area.row, area.column - 2, area.rows);
  draw_players(canvas, {area.row, area.column, m.seats(), area.columns}, m, m.position(), false);
  const std::vector<std::string> said = wrap(m.standing(), area.columns);
  const int top = area.row + m.seats() + 1, below = static_cast<int>(said.size()) + 1;
  BoardView view;
  view.show(m.draw(m.plies().size(), View{seen_->field(preferences_.field), false}));
  if (!m.plies().empty()) view.mark(m.plies().back().touched, Mark::last);
  const int rows = std::min(view.size().rows, area.rows - (top - area.row) - below);
  if (rows > 0)
    view.draw(canvas, {top, area.column, rows, std::min(view.size().columns, area.columns)});
  for (std::size_t i = 0; i < said.size(); ++i)
    canvas.put(top + std::max(0, rows) + 1 + static_cast<int>(i), area.column, said[i],
               m.ending() ? Style::turn : Style::dim);
}

// Counts the boards, and those that wait. If there is room, adds the player and the server.
std::string Lobby::heading(int room) const {
  std::size_t own = 0, waiting = 0;
  for (const BoardSummary& line : list_.all()) {
    own += !line.example && line.seek == 0 && !line.of_others;
    waiting += list_.waits(line);
  }
  const RemoteBoards& server = boards_.server();
  const std::string user = server.user();
  const std::string whose = !user.empty()               ? "you"
                            : preferences_.name.empty() ? "a move"
                                                        : preferences_.name;
  std::string title =
      count_of(own, "board", "boards") + (waiting ? ", " + count_of(waiting, "waits", "wait") : "");
  // The path of a socket is not shown.
  for (const auto& [before, behind] :
       {std::pair((user.empty() ? "pbmplay" : user) + " - ", waiting ? " for " + whose : ""),
        std::pair(std::string(), user.empty() || boards_.place().find('/') != std::string::npos
                                     ? ""
                                     : " at " + boards_.place())})
    if (columns(before + title + behind) <= room) title = before + title + behind;
  return title;
}

void Lobby::draw(Canvas& canvas) {
  read();
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const RemoteBoards& server = boards_.server();
  const std::string keys = "? help  q quit";
  draw_title(canvas, heading(width - columns(keys) - 4), keys,
             {{"? help", typed('?')}, {"q quit", typed('q')}});
  if (const std::string others = server.user().empty() ? "" : here(); !others.empty())
    canvas.put(1, 1, fit(" here: " + others + " ", width - 2), Style::text);
  const Columns at = columns_for(width);
  draw_heads(canvas, at);

  rows_.lay_out(kFirstRow, rows - kFirstRow - 2);
  for (int i = rows_.begin(); i < rows_.end(); ++i)
    draw_row(canvas, rows_.place_of(i), at, *shown()[static_cast<std::size_t>(i)],
             i == rows_.selected());
  if (rows_.more_below()) canvas.put(rows - 2, 1, "v more below", Style::dim);
  if (shown().empty()) {
    const std::string none = !list_.all().empty()
                                 ? "No board has all of these words. Esc shows all boards."
                             : server.asking() ? "Asking the server for them."
                                               : "No boards yet: press s to start one.";
    const bool alone = none.ends_with("one.") && server.takes_commands();
    draw_message(canvas, std::min(8, rows - 2), 6,
                 none + (alone ? " The computer plays, too: Right at a player's name. To learn a "
                                 "game press F1, choose it, and press l."
                               : ""),
                 Style::text);
  }

  if (at.width < width) draw_board(canvas, {2, at.width + 2, rows - 4, width - at.width - 3});
  canvas.cursor = Point{rows_.place_of(rows_.selected()), 1};
  draw_bottom(canvas);
}

void Lobby::draw_asked(Canvas& canvas) {
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const int c = canvas.put(rows - 1, 1,
                           asked_ == Asked::filter    ? "show only: "
                           : asked_ == Asked::command ? ":"
                                                      : "new name: ",
                           Style::key);
  asked_line().draw(canvas, rows - 1, c, width - c - 1, Style::text);
  if (!notice_.empty()) draw_message(canvas, rows - 1, 3, notice_.text, Style::warning);
  else if (asked_ == Asked::command)
    draw_message(canvas, rows - 1, 3, session_.about(command_.text()), Style::dim);
}

void Lobby::draw_bottom(Canvas& canvas) {
  if (asked_ != Asked::nothing) return draw_asked(canvas);
  if (const std::string& said = notice_.empty() ? session_.just_removed() : notice_.text;
      !said.empty()) {
    const int row = draw_message(canvas, canvas.size().rows, 4, said, Style::warning);
    link_words(canvas, row, 1, said, {{"u brings", typed('u')}});
    return;
  }
  const bool newcomer =
      std::ranges::all_of(list_.all(), [](const BoardSummary& l) { return l.example; });
  std::string said;
  if (!filter_.empty()) said = "showing only '" + filter_.text() + "'";
  else if (newcomer && !list_.all().empty() && canvas.size().columns >= 70)
    said = "No boards of your own yet.";
  std::string open = "open";
  if (selected() && selected()->unread > 0)
    open += ": " + count_of(selected()->unread, "unread line", "unread lines");
  if (selected() && newcomer && !selected()->remark.empty()) open = "begin it";
  draw_foot(canvas, {}, said, foot_keys(open));
}

// `open` names the effect of Enter.
FootKeys Lobby::foot_keys(std::string_view open) const {
  const RemoteBoards& server = boards_.server();
  FootKeys keys;
  const auto add = [&](const Key& key, std::string_view words) { keys.emplace_back(key, words); };
  if (!filter_.empty() || list_.unfolded())
    add({Key::Code::escape}, filter_.empty() ? "fold" : "all");
  if (const BoardSummary* const line = selected()) {
    const std::string user = server.user();
    if (line->seek > 0 && line->plays(user)) add(typed('x'), "take it back");
    else if (line->seek > 0) add(typed('y'), "take it, and play");
    else add({Key::Code::enter}, list_.folded(line->id) ? "list them" : open);
    if (line->id == kOlder) add(typed('d'), "delete them");
    if (session_.removed_any()) add(typed('u'), "undelete");
    if (line->offer && waits_for(*line, user) && server.takes_commands()) {
      add(typed('y'), "accept");
      add(typed('x'), "reject");
    } else if (line->plies > 0 && server.takes_commands() && session_.may_refuse(*line)) {
      add(typed('x'), "refuse");
    }
  }
  add(typed('s'), "start");
  if (server.takes_commands()) {
    add(typed('l'), "look for a player");
    add(typed('p'), "players");
    add(typed('e'), "everybody");
  }
  add(typed('n'), "next turn");
  add(typed('/'), "filter");
  if (!server.takes_commands() && !(selected() && selected()->id == kOlder))
    add(typed('d'), "delete");
  return keys;
}

}  // namespace pbm
