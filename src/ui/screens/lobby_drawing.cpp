// SPDX-License-Identifier: MIT
// The drawing of the lobby: the list, the board beside it, and the row at the bottom.
#include <algorithm>
#include <array>

#include "ui/screens/lobby.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {

namespace {

constexpr int kIdColumn = 3;
constexpr int kListWidth = 80;  // columns of a list beside a board
constexpr int kPaneWidth = 30;  // columns of a board beside a list

// Cuts a name in the middle, so that names with different ends, such as numbers, stay different.
std::string fit_middle(const std::string& name, int width) {
  constexpr std::size_t kEnd = 4;
  if (columns(name) <= width || static_cast<std::size_t>(columns(name)) != name.size())
    return fit(name, width);
  return name.substr(0, static_cast<std::size_t>(width) - kEnd - 1) + "~" +
         name.substr(name.size() - kEnd);
}

// If `wide`, the list also has a column for the game.
std::string id_text(const BoardSummary& line, bool wide) {
  if (!line.is_example)
    return safe_text(line.id.substr(0, line.id.size() - line.id.ends_with('/')));
  if (!line.remark.empty() && !wide) return line.title();
  const std::size_t colon = line.id.find(':');
  return line.remark.empty() ? line.id.substr(colon + 1) : line.id.substr(0, colon);
}

// Returns "5 min ago", "yesterday" and so on for less than ten days; then the date.
std::string age_text(Time t, Time today) {
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
  return line.unread_count > 0 ? " (" + std::to_string(line.unread_count) + ")" : "";
}

}  // namespace

Size Lobby::wanted_size(Size terminal) {
  constexpr int kRows = 30;
  const int rows = std::max(kRows, static_cast<int>(list_.boards().size()) + kFirstRow + 2);
  return {std::min(terminal.rows, rows), std::min(terminal.columns, kMaxColumns)};
}

// Calls the player "you".
std::vector<std::string> Lobby::player_names(const BoardSummary& line) const {
  return visible_player_names(boards_.own_name(), {line.names, line.levels});
}

std::string Lobby::joined_names(const BoardSummary& line, bool you) const {
  std::string out;
  for (const std::string& name : player_names(line))
    if (you || name != "you") out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string Lobby::state_text(const BoardSummary& line) const {
  if (line.is_example) return "example";
  std::string state = line.state_with_time(now());
  if (line.winner && player_names(line)[static_cast<std::size_t>(*line.winner)] == "you")
    state.replace(0, quote_you(display_name(line.names[static_cast<std::size_t>(*line.winner)])).size(),
                  "you");
  if (line.offer) {
    const std::string who = quote_you(display_name(line.names[static_cast<std::size_t>(line.offer->seat)]));
    return player_names(line)[static_cast<std::size_t>(line.offer->seat)] == kYou
               ? "you " + second_person(state.substr(who.size()))
               : state;
  }
  if (!line.to_move) return state;
  const auto seat = static_cast<std::size_t>(*line.to_move);
  const std::string turn = line.names[seat] + "'s turn";
  return player_names(line)[seat] == "you" && state.starts_with(turn)
             ? "your turn" + state.substr(turn.size())
             : state;
}

// Gives each column the width of its words. If there is not enough room, wide columns share it.
Lobby::Columns Lobby::compute_columns(int width) const {
  constexpr int kGap = 1, kMostGap = 3, kWhen = 10, kRoomForWhen = 72, kRoomForYou = 76;
  Columns c{};
  c.width = width > kListWidth + kPaneWidth ? std::max(kListWidth, width * 6 / 10) : width;
  const bool wide = c.width >= 60;
  const int end = c.width - 1;
  c.shows_you = c.width >= kRoomForYou;
  if (c.width >= kRoomForWhen) c.time = end - kWhen;
  std::array<int, 4> wanted{7, wide ? 6 : 0, 7, 6};  // "board v", "game v", "players", "turn v"
  for (const BoardSummary* line : shown_rows()) {
    wanted[0] = std::max(wanted[0], columns(id_text(*line, wide) + unread_mark(*line)));
    if (wide) wanted[1] = std::max(wanted[1], columns(line->title()));
    if (!line->remark.empty() || !line->load_error.empty()) continue;  // it has no such columns
    wanted[2] = std::max(wanted[2], columns(joined_names(*line, c.shows_you)));
    wanted[3] = std::max(wanted[3], columns(state_text(*line)));
  }
  const int gaps = wide ? (c.time ? 4 : 3) : 2;
  // The board's name comes first, then the column by which the list is sorted.
  std::array<int, 4> got{std::min(wanted[0], wide ? c.width / 3 : 13)};
  int room = (c.time ? c.time : end) - kIdColumn - gaps * kGap - got[0], left = 3;
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
  c.state_width = c.time ? c.time - c.state - 1 : end - c.state;
  return c;
}

// Marks the column by which the list is sorted, unless that is the usual one.
void Lobby::draw_headings(Canvas& canvas, const Columns& at) const {
  const auto head = [&](int column, int width, const std::string& name, Order order) {
    const bool sorted = list_.order() == order;
    canvas.put_text(2, column, fit(name + (sorted && order != Order::turn ? " v" : ""), width),
                    sorted ? Style::key : Style::dim);
  };
  head(kIdColumn, at.id_width, "board", Order::name);
  if (at.title_width) head(at.title, at.title_width, "game", Order::game);
  canvas.put_text(2, at.names, fit("players", at.names_width), Style::dim);
  head(at.state, at.state_width, "turn", Order::turn);
  if (at.time) head(at.time, 10, "played", Order::played);
}

void Lobby::draw_row(Canvas& canvas, int row, const Columns& at, const BoardSummary& line,
                     bool selected) const {
  if (selected) canvas.put_text(row, 1, ">", Style::turn);
  if (is_marked(line.id)) canvas.put_text(row, 2, "*", Style::key);
  const std::string unread = unread_mark(line);
  const int behind_id = canvas.put_text(
      row, kIdColumn, fit_middle(id_text(line, at.title_width > 0), at.id_width - columns(unread)),
      (line.to_move && !line.is_example) || !line.remark.empty() ? Style::text : Style::dim);
  canvas.put_text(row, behind_id, unread, Style::key);
  if (!line.load_error.empty()) {
    canvas.put_text(row, kIdColumn + at.id_width + 1,
                    fit("cannot be read; Enter shows why", at.width - kIdColumn - at.id_width - 2),
                    Style::bad);
    return;
  }
  if (at.title_width)
    canvas.put_text(row, at.title, fit(line.title(), at.title_width), Style::text);
  if (!line.remark.empty()) {
    const int end = line.seek_number > 0 && at.time ? at.time : at.width;
    canvas.put_text(row, at.names, fit_beginning(line.remark, end - at.names - 1), Style::turn);
    if (line.seek_number > 0 && at.time)
      canvas.put_text(row, at.time, age_text(line.last_change, now()), Style::dim);
    return;
  }
  canvas.put_text(row, at.names, fit(joined_names(line, at.shows_you), at.names_width),
                  Style::text);
  // If there is no room for both, the time left is more useful than the turn.
  std::string state = state_text(line);
  if (const std::string time = line.clock.short_text(line.to_move, now());
      !time.empty() && !line.offer && columns(state) > at.state_width)
    state = time;
  canvas.put_text(row, at.state, fit(state, at.state_width),
                  line.to_move && !line.is_example && !line.is_watched ? Style::turn : Style::dim);
  if (at.time && !line.is_example)
    canvas.put_text(row, at.time, age_text(line.last_change, now()), Style::dim);
}

// Draws the selected board beside the list, and reads it again after a change.
void Lobby::draw_board(Canvas& canvas, Area area) {
  const BoardSummary* line = selected_row();
  if (!line || !line->game || !line->load_error.empty() || line->seek_number > 0) return;
  if (!preview_ || preview_->id != line->id || preview_time_ != line->last_change)
    request_preview(*line);
  if (!preview_ || preview_->id != line->id) return;
  const Match& m = preview_->match;
  canvas.draw_wall(area.row, area.column - 2, area.rows);
  const auto own = preview_->own_seat(boards_.own_name());
  draw_players(canvas, {area.row, area.column, m.seats(), area.columns}, m, m.position(), false,
               own);
  const std::vector<std::string> said = wrap(m.status(own), area.columns);
  const int top = area.row + m.seats() + 1, below = static_cast<int>(said.size()) + 1;
  BoardView view;
  view.set_drawing(m.draw(m.plies().size(), View{preview_->drawing_or(preferences_.field), false}));
  if (!m.plies().empty()) view.mark_spots(m.plies().back().changed_spots, Mark::last);
  const int rows = std::min(view.size().rows, area.rows - (top - area.row) - below);
  if (rows > 0)
    view.draw(canvas, {top, area.column, rows, std::min(view.size().columns, area.columns)});
  for (std::size_t i = 0; i < said.size(); ++i)
    canvas.put_text(top + std::max(0, rows) + 1 + static_cast<int>(i), area.column, said[i],
                    m.ending() ? Style::turn : Style::dim);
}

// Counts the boards, and those that wait. If there is room, adds the player and the server.
std::string Lobby::title_text(int room) const {
  std::size_t own = 0, waiting = 0;
  for (const BoardSummary& line : list_.boards()) {
    own += !line.is_example && line.seek_number == 0 && !line.is_of_others;
    waiting += list_.is_waiting(line);
  }
  const RemoteBoards& server = boards_.server();
  const std::string user = server.userid();
  const std::string whose = !user.empty()                      ? "you"
                            : preferences_.player_name.empty() ? "a move"
                                                               : preferences_.player_name;
  std::string title = format_count(own, "game", "games") +
                      (waiting ? ", " + format_count(waiting, "waits", "wait") : "");
  // The path of a socket is not shown.
  for (const auto& [before, behind] :
       {std::pair((user.empty() ? "pbmplay" : user) + " - ", waiting ? " for " + whose : ""),
        std::pair(std::string(), user.empty() || boards_.location().find('/') != std::string::npos
                                     ? ""
                                     : " at " + boards_.location())})
    if (columns(before + title + behind) <= room) title = before + title + behind;
  return title;
}

void Lobby::draw(Canvas& canvas) {
  read_list();
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const RemoteBoards& server = boards_.server();
  const std::string keys = "? help  q quit";
  draw_title(canvas, title_text(width - columns(keys) - 4), keys,
             {{"? help", character_key('?')}, {"q quit", character_key('q')}});
  if (const std::string others = server.userid().empty() ? "" : connected_names(); !others.empty())
    canvas.put_text(1, 1, fit(" here: " + others + " ", width - 2), Style::text);
  const Columns at = compute_columns(width);
  draw_headings(canvas, at);

  rows_.set_layout(kFirstRow, rows - kFirstRow - 2);
  for (int i = rows_.first_visible(); i < rows_.end_visible(); ++i)
    draw_row(canvas, rows_.screen_row(i), at, *shown_rows()[static_cast<std::size_t>(i)],
             i == rows_.selected_row());
  canvas.put_text(rows - 2, 1, rows_.more_text(), Style::dim);
  if (shown_rows().empty()) {
    const std::string none = !list_.boards().empty()
                                 ? "No game has all of these words. Esc shows all games."
                             : server.has_person_task() ? "Asking the server for your games."
                                                        : "No games yet. Press s to start one.";
    const bool alone = none.ends_with("one.") && server.has_server();
    draw_message(canvas, std::min(8, rows - 2), 6,
                 none + (alone ? " Press Right at a player's name to play the computer. To learn "
                                 "a game, press F1, choose it, and press l."
                               : ""),
                 Style::text);
  }

  if (at.width < width) draw_board(canvas, {2, at.width + 2, rows - 4, width - at.width - 3});
  canvas.cursor = Point{rows_.screen_row(rows_.selected_row()), 1};
  draw_bottom(canvas);
}

void Lobby::draw_prompt(Canvas& canvas) {
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const int c = canvas.put_text(rows - 1, 1,
                                prompt_ == Prompt::filter    ? "show only: "
                                : prompt_ == Prompt::command ? ":"
                                                             : "new name: ",
                                Style::key);
  prompt_editor().draw(canvas, rows - 1, c, width - c - 1, Style::text);
  if (!notice_.empty()) draw_message(canvas, rows - 1, 3, notice_.text, Style::warning);
  else if (prompt_ == Prompt::command)
    draw_message(canvas, rows - 1, 3, session_.describe_line(command_.text()), Style::dim);
}

void Lobby::draw_bottom(Canvas& canvas) {
  if (prompt_ != Prompt::none) return draw_prompt(canvas);
  if (const std::string& said = notice_.empty() ? session_.deletion_notice() : notice_.text;
      !said.empty()) {
    const int row = draw_message(canvas, canvas.size().rows, 4, said, Style::warning);
    link_words(canvas, row, 1, said, {{"u brings", character_key('u')}});
    return;
  }
  const bool newcomer =
      std::ranges::all_of(list_.boards(), [](const BoardSummary& l) { return l.is_example; });
  std::string said;
  if (const std::size_t marks = shown_marks().size(); marks > 0)
    said = std::to_string(marks) + " marked";
  else if (!filter_.empty()) said = "showing only '" + filter_.text() + "'";
  else if (newcomer && !list_.boards().empty() && canvas.size().columns >= 70)
    said = "You have no games yet.";
  std::string open = "open";
  if (selected_row() && selected_row()->unread_count > 0)
    open += ": " + format_count(selected_row()->unread_count, "unread line", "unread lines");
  if (selected_row() && newcomer && !selected_row()->remark.empty()) open = "begin";
  draw_foot(canvas, {}, said, foot_keys(open));
}

// `open` names the effect of Enter.
FootKeys Lobby::foot_keys(std::string_view open) const {
  const RemoteBoards& server = boards_.server();
  FootKeys keys;
  const auto add = [&](const Key& key, std::string_view words) { keys.emplace_back(key, words); };
  const bool several =
      !shown_marks().empty() || (selected_row() && selected_row()->id == kOlderRow);
  if (!filter_.empty() || list_.is_unfolded())
    add({Key::Code::escape}, filter_.empty() ? "fold" : "all");
  if (const BoardSummary* const line = selected_row()) {
    const std::string user = server.userid();
    if (line->seek_number > 0 && line->has_player(user)) add(character_key('x'), "take it back");
    else if (line->seek_number > 0) add(character_key('y'), "accept and play");
    else add({Key::Code::enter}, list_.folded_boards(line->id) ? "list them" : open);
    if (several) add(character_key('d'), "delete them");
    if (session_.has_deleted()) add(character_key('u'), "undelete");
    if (line->offer && is_waiting_for(*line, user) && server.has_server()) {
      add(character_key('y'), "accept");
      add(character_key('x'), "decline");
    } else if (line->ply_count > 0 && server.has_server() && session_.can_refuse(*line)) {
      add(character_key('x'), "refuse");
    }
  }
  add(character_key('s'), "start");
  if (server.has_server()) {
    add(character_key('l'), "open challenge");
    add(character_key('p'), "players");
    add(character_key('e'), "everybody's games");
  }
  add(character_key('n'), "next turn");
  add(character_key('/'), "filter");
  if (!server.has_server() && !several) add(character_key('d'), "delete");
  return keys;
}

}  // namespace pbm
