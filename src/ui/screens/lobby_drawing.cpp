// SPDX-License-Identifier: MIT
// The drawing of the lobby: the list, the board beside it, and the row at the bottom.
#include <algorithm>
#include <array>

#include "ui/screens/lobby.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {
namespace {

constexpr int kFirstColumn = 3;  // of the list's words; > and * stand before it
constexpr int kWide = 60;        // columns of a list that has room for all
constexpr int kWidest = 80;      // columns of a list beside a board, unless the window is large
constexpr int kPaneWidth = 30;   // columns of a board beside a list
constexpr int kLow = 16;         // rows of a window without room for headings of the columns

constexpr std::array<std::string_view, 6> kHeadings{"players", "game", "moves",
                                                    "turn",    "time", "board"};

// Cuts a name in the middle, so that names with different ends, such as numbers, stay different.
std::string fit_middle(const std::string& name, int width) {
  constexpr std::size_t kEnd = 4;
  const bool is_short = width <= static_cast<int>(kEnd) + 1;
  if (columns(name) <= width || is_short || static_cast<std::size_t>(columns(name)) != name.size())
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

void draw_welcome(Canvas& canvas) {
  const std::string task = "Learn one of these in five minutes.", whole = "Welcome. " + task;
  canvas.put_text(2, 1, columns(whole) < canvas.size().columns - 1 ? whole : task, Style::text);
}

// Returns the number of unread chat lines, or "".
std::string unread_mark(const BoardSummary& line) {
  return line.unread_count > 0 ? " (" + std::to_string(line.unread_count) + ")" : "";
}

// Returns the time left to the player whose turn it is, or how long ago somebody played.
std::string time_text(const BoardSummary& line, Time now) {
  std::string left = line.to_move ? line.clock.text(*line.to_move, line.to_move, now) : "";
  if (!left.empty()) return left.substr(0, left.find(','));
  return line.is_example ? "" : age_text(line.last_change, now);
}

}  // namespace

// Calls the player "you".
Lobby::RowText Lobby::row_text(const BoardSummary& line, bool is_wide) const {
  RowText out;
  const std::string id = id_text(line, is_wide);
  out.is_fold = line.id.ends_with('/');
  if (line.game && is_wide) out.cells[kGame] = line.title();
  if (!line.load_error.empty() || !line.remark.empty()) {
    out.cells[kPlayers] = line.id == kLearnRow ? std::string(group_title(BoardGroup::learn)) : id;
    out.words = line.remark.empty() ? "cannot be read; Enter shows why" : line.remark;
    if (line.remark.empty()) out.words_style = Style::bad;
    // In a wide list the first column says "lesson" already.
    if (const std::string kind = "a " + id + ", "; out.words.starts_with(kind))
      out.words.erase(0, kind.size());
    if (line.seek_number > 0) out.words += ", " + age_text(line.last_change, now());
    return out;
  }
  const std::vector<std::string> names =
      visible_player_names(boards_.own_name(), {line.names, line.levels});
  const auto you = std::ranges::find(names, "you");
  std::string& opponents = out.cells[kPlayers];
  for (const std::string& name : names)
    if (name != "you") opponents += (opponents.empty() ? "" : ", ") + name;
  out.cells[kBoard] = id + unread_mark(line);
  out.cells[kMoves] = std::to_string(line.ply_count);
  out.cells[kMoves].insert(
      0, kHeadings[kMoves].size() - std::min(kHeadings[kMoves].size(), out.cells[kMoves].size()),
      ' ');
  out.cells[kTime] = time_text(line, now());
  // With one opponent, the group says whose turn it is.
  const bool is_obvious =
      you != names.end() && (line.to_move == you - names.begin() ||
                             (names.size() == 2 && list_.group_of(line) != BoardGroup::your_turn));
  std::string& state = out.cells[kTurn];
  if (line.is_example) state = "example";
  else if (line.offer || !line.to_move || !is_obvious) state = line.state();
  // Returns the columns of that player's name in a sentence.
  const auto name_size = [&](Seat seat) {
    return quote_you(display_name(line.names[static_cast<std::size_t>(seat)])).size();
  };
  if (!line.is_example && line.winner && names[static_cast<std::size_t>(*line.winner)] == "you")
    state.replace(0, name_size(*line.winner), "you");
  if (!line.is_example && line.offer && names[static_cast<std::size_t>(line.offer->seat)] == "you")
    state = "you " + second_person(state.substr(name_size(line.offer->seat)));
  if (is_wide) return out;
  // A narrow list has one column for both.
  if (state.empty()) state = out.cells[kTime];
  out.cells[kMoves].clear();
  out.cells[kTime].clear();
  return out;
}

// Gives each column the width of its words. If there is not enough room, the widest ones shrink.
Lobby::Columns Lobby::compute_columns(int width, const std::vector<RowText>& rows) const {
  constexpr int kLeast = 6;
  const bool is_wide = width >= kWide;
  const int limit = width > kWidest + kPaneWidth ? std::max(kWidest, width * 6 / 10) : width;
  Columns out;
  std::vector<std::size_t> order{kPlayers, kGame, kMoves, kTurn, kTime, kBoard};
  if (!is_wide) order = {kPlayers, kBoard, kTurn};
  int words = 0, count = 0, total = 0;
  for (const std::size_t c : order) {
    for (const RowText& row : rows)
      if (!row.is_fold) out.widths[c] = std::max(out.widths[c], columns(row.cells[c]));
    if (out.widths[c] > 0 || c == kPlayers)
      out.widths[c] = std::max(out.widths[c], static_cast<int>(kHeadings[c].size()) +
                                                  (c == kGame || c == kBoard ? 2 : 0));
    count += out.widths[c] > 0;
    total += out.widths[c];
  }
  for (const RowText& row : rows) {
    const int beyond = row.is_fold ? columns(row.cells[kPlayers]) - out.widths[kPlayers] : 0;
    words = std::max(words, columns(row.words) + std::max(0, beyond));
  }
  const int room = limit - kFirstColumn - 1;
  const int gap = total + 2 * (count - 1) <= room ? 2 : 1;
  for (total += gap * (count - 1); total > room; --total) {
    int& widest = *std::ranges::max_element(out.widths);
    if (widest <= kLeast) break;
    --widest;
  }
  int at = kFirstColumn;
  for (const std::size_t c : order) {
    if (out.widths[c] == 0) continue;
    out.at[c] = at;
    at += out.widths[c] + gap;
  }
  // Words stand behind the players and the game.
  const std::size_t before = out.widths[kGame] > 0 ? kGame : kPlayers;
  out.words = out.at[before] + out.widths[before] + gap;
  out.end = std::clamp(out.words + words, at - gap, limit - 1);
  return out;
}

void Lobby::draw_line(Canvas& canvas, int row, const Columns& at, const LobbyLine& line,
                      const RowText& text, bool is_selected) const {
  if (is_selected) canvas.put_text(row, 1, ">", Style::turn);
  if (line.card) {
    constexpr int kName = 11;
    canvas.put_text(row, kFirstColumn, fit(line.card->title, kName), Style::key);
    const int column = kFirstColumn + kName;
    canvas.put_text(
        row, column,
        fit_beginning(std::string(line.card->summary), canvas.size().columns - column - 1),
        Style::text);
    return;
  }
  if (!line.row) {
    const int after = canvas.put_text(row, 1, group_title(line.group), Style::title);
    canvas.put_text(row, after + 1, std::to_string(line.board_count), Style::dim);
    return;
  }
  const BoardSummary& b = *line.row;
  const BoardGroup group = list_.group_of(b);
  const bool is_mine = group == BoardGroup::your_turn && !b.is_local_extra;
  if (is_marked(b.id)) canvas.put_text(row, 2, "*", Style::key);
  const std::string unread = unread_mark(b);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const int width = at.widths[c];
    if (width == 0 || text.cells[c].empty()) continue;
    if (c == kBoard) {
      const std::string id = text.cells[c].substr(0, text.cells[c].size() - unread.size());
      const int after =
          canvas.put_text(row, at.at[c], fit_middle(id, width - columns(unread)), Style::dim);
      canvas.put_text(row, after, unread, Style::key);
      continue;
    }
    const bool is_name = c == kPlayers || c == kGame;
    canvas.put_text(row, at.at[c], text.is_fold ? text.cells[c] : fit(text.cells[c], width),
                    is_name && group != BoardGroup::finished ? Style::text
                    : c == kTurn && is_mine                  ? Style::turn
                                                             : Style::dim);
  }
  if (text.words.empty()) return;
  const int column = text.is_fold ? std::max(at.widths[kGame] > 0 ? at.at[kGame] : at.words,
                                             kFirstColumn + columns(text.cells[kPlayers]) + 2)
                                  : at.words;
  canvas.put_text(row, column, fit_beginning(text.words, at.end - column), text.words_style);
}

// Draws the lines with the headings of the columns, and the selected board where it is largest:
// beside the list, or below a short one.
void Lobby::draw_list(Canvas& canvas) {
  constexpr int kMargin = 3, kLeastRows = 7;
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const std::vector<LobbyLine>& lines = list_.lines();
  const bool is_wide = width >= kWide, has_headings = rows >= kLow;
  std::vector<RowText> texts;
  for (const LobbyLine& line : lines)
    texts.push_back(line.row ? row_text(*line.row, is_wide) : RowText{});
  const Columns at = compute_columns(width, texts);
  const bool has_cards = list_.has_cards();
  if (has_cards) draw_welcome(canvas);
  for (std::size_t c = 0; has_headings && !has_cards && c < kColumns; ++c) {
    const bool is_sorted =
        list_.order() != Order::time && c == (list_.order() == Order::name ? kBoard : kGame);
    if (at.widths[c] > 0)
      canvas.put_text(2, at.at[c], std::string(kHeadings[c]) + (is_sorted ? " v" : ""),
                      is_sorted ? Style::key : Style::dim);
  }
  const int first = 2 + (has_headings || has_cards);
  // The heading above the selected row is visible, too.
  const int selected = rows_.selected_row();
  if (selected > 0 && lines[static_cast<std::size_t>(selected) - 1].is_heading())
    rows_.select(selected - 1);
  rows_.set_layout(first, rows - first - 2);
  rows_.select(selected);
  rows_.set_layout(first, rows - first - 2);
  for (int i = rows_.first_visible(); i < rows_.end_visible(); ++i)
    draw_line(canvas, rows_.screen_row(i), at, lines[static_cast<std::size_t>(i)],
              texts[static_cast<std::size_t>(i)], i == rows_.selected_row());
  canvas.put_text(rows - 2, 1, rows_.more_text(), Style::dim);
  canvas.cursor = Point{rows_.screen_row(rows_.selected_row()), 1};
  if (has_cards) return;
  const int below = rows_.screen_row(rows_.end_visible()) + 1;
  const Area beside{2, at.end + kMargin, rows - 4, width - at.end - kMargin - 1},
      under{below, kFirstColumn, rows - 1 - below, width - kFirstColumn - 1};
  const bool fits_beside = beside.columns >= kPaneWidth,
             fits_under = is_wide && rows_.more_text().empty() && under.rows >= kLeastRows;
  // A cell of a screen is about twice as high as wide.
  const int aside = std::min(beside.columns / 2, beside.rows - kLeastRows),
            down = std::min(under.columns / 3, under.rows);
  if (fits_beside && (aside >= down || !fits_under)) draw_board(canvas, beside, true);
  else if (fits_under) draw_board(canvas, under, false);
}

void Lobby::draw_cards(Canvas& canvas) {
  const int width = canvas.size().columns;
  draw_welcome(canvas);
  const std::vector<LobbyLine>& lines = list_.lines();
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int index = static_cast<int>(i);
    const GameType* const game = lines[i].card;
    const BoardSummary* const row = lines[i].row;
    if (!cards_.is_visible(index)) ++hidden;
    else
      cards_.draw(canvas, index, index == rows_.selected_row(), game,
                  game                   ? std::string(game->title)
                  : row->id == kLearnRow ? std::string(group_title(BoardGroup::learn))
                                         : id_text(*row, true),
                  game ? std::string(game->summary) : row->remark);
  }
  const std::string more = hidden > 0 ? std::to_string(hidden) + " more" : "";
  canvas.put_text(2, width - 1 - columns(more), more, Style::dim);
}

// Draws the selected board and who plays it, and reads it again after a change.
void Lobby::draw_board(Canvas& canvas, Area area, bool is_beside) {
  constexpr int kAside = 34, kMostWords = 50;  // columns of the players, beside a board or above
  const BoardSummary* line = selected_row();
  if (!line || !line->game || !line->load_error.empty() || line->seek_number > 0 ||
      line->is_tournament)
    return;
  if (!preview_ || preview_->id != line->id || preview_state_ != state_of(*line))
    request_preview(*line);
  if (!preview_ || preview_->id != line->id) return;
  const Match& m = preview_->match;
  const auto own = preview_->own_seat(boards_.own_name());
  Area words = area, place = area;
  if (is_beside) {
    canvas.draw_wall(area.row, area.column - 2, area.rows);
  } else {
    words.column += area.columns - kAside;
    words.columns = kAside;
    place.columns -= kAside + 2;
  }
  words.columns = std::min(words.columns, kMostWords);
  words.rows = m.seats();
  draw_players(canvas, words, m, m.position(), false, own);
  const std::vector<std::string> said = wrap(m.status(own), words.columns);
  int row = words.row + m.seats() + 1;
  if (is_beside) {
    place.row = row;
    place.rows -= m.seats() + 1 + static_cast<int>(said.size()) + 1;
  }
  if (const Size room{place.rows, place.columns}; room.rows > 0 && preview_room_ != room) {
    preview_room_ = room;
    const char style = preview_->drawing_or(preferences_.field);
    preview_view_.set_drawing(
        fit_drawing(m, room, style ? std::string_view(&style, 1) : m.game().drawing_styles));
    if (!m.plies().empty()) preview_view_.mark_spots(m.plies().back().changed_spots, Mark::last);
    if (const auto outcome = m.position().outcome())
      preview_view_.mark_ending(outcome->spots, outcome->winner, m.game());
  }
  const Size size{std::min(place.rows, preview_view_.size().rows),
                  std::min(place.columns, preview_view_.size().columns)};
  if (size.rows > 0)
    preview_view_.draw(canvas, {place.row, place.column + (place.columns - size.columns) / 2,
                                size.rows, size.columns});
  if (is_beside) row += std::max(0, size.rows) + 1;
  for (const std::string& text : said)
    canvas.put_text(row++, words.column, text, m.ending() ? Style::turn : Style::dim);
}

// Counts the boards, and those that wait. If there is room, adds the player and the server.
std::string Lobby::title_text(int room) const {
  std::size_t own = 0, waiting = 0;
  for (const BoardSummary& line : list_.boards()) {
    own += !line.is_example && line.seek_number == 0 && !line.is_tournament && !line.is_of_others;
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
  canvas.cursor = Point{rows - 1, 1};
  const int lines = static_cast<int>(list_.lines().size());
  const bool asks = list_.boards().empty() && server.has_person_task();
  shows_cards_ = list_.has_cards() &&
                 cards_.set_layout({3, 1, rows - 4, width - 2}, lines, rows_.selected_row());
  if (asks || lines == 0)
    draw_message(canvas, std::min(8, rows - 2), 6,
                 asks ? "Asking the server for your games."
                      : "No game has all of these words. Esc shows all games.",
                 Style::text);
  else if (shows_cards_) draw_cards(canvas);
  else draw_list(canvas);
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
  std::string said;
  if (const std::size_t marks = shown_marks().size(); marks > 0)
    said = std::to_string(marks) + " marked";
  else if (!filter_.empty()) said = "showing only '" + filter_.text() + "'";
  std::string open = "open";
  if (selected_row() && selected_row()->unread_count > 0)
    open += ": " + format_count(selected_row()->unread_count, "unread line", "unread lines");
  draw_foot(canvas, {}, said, foot_keys(open));
}

// `open` names the effect of Enter.
FootKeys Lobby::foot_keys(std::string_view open) const {
  const RemoteBoards& server = boards_.server();
  FootKeys keys;
  const auto add = [&](const Key& key, std::string_view words) { keys.emplace_back(key, words); };
  const bool several =
      !shown_marks().empty() || (selected_row() && list_.folded_boards(selected_row()->id) &&
                                 selected_row()->id != kLearnRow);
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
  if (has_selected_card()) {
    add({Key::Code::enter}, "learn it");
    add(character_key('c'), "play the computer");
    if (!server.has_server()) add(character_key('2'), "two players");
    add(character_key('r'), "rules");
  }
  add(character_key('s'), has_selected_card() && !server.has_server() ? "other games" : "start");
  if (server.has_server()) {
    if (list_.has_tournaments()) add(character_key('T'), "tournaments");
    add(character_key('l'), "open challenge");
    add(character_key('p'), "players");
    add(character_key('e'), "everybody's games");
    if (!list_.has_tournaments()) add(character_key('T'), "tournaments");
  }
  if (list_.is_newcomer()) return keys;
  add(character_key('n'), "next turn");
  add(character_key('/'), "filter");
  if (!server.has_server() && !several) add(character_key('d'), "delete");
  return keys;
}

}  // namespace pbm
