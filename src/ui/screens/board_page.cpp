// SPDX-License-Identifier: MIT
#include "ui/screens/board_page.hpp"

#include <algorithm>
#include <climits>

namespace pbm {

namespace {

// Returns the middle of the pane for a smaller drawing; unless `rows_too`, only across.
Area center_in(Area pane, Size drawing, bool rows_too) {
  const int columns = std::max(0, pane.columns - drawing.columns);
  const int rows = rows_too ? std::max(0, pane.rows - drawing.rows) : 0;
  return {pane.row + rows / 2, pane.column + columns / 2, pane.rows - rows, pane.columns - columns};
}

// Makes links: a click on a possible continuation types it, a click on a complete move plays it.
void link_continuations(Canvas& canvas, const Area& lines, const std::string& message,
                        const MoveLine& line) {
  const Judgement& j = line.judgement();
  if (j.kind == Judgement::Kind::complete)
    for (int r = lines.row; r < lines.row + lines.rows; ++r)
      canvas.add_link(r, lines.column - 1, lines.columns + 2, {{Key::Code::enter}});
  const std::vector<std::string> rows = wrap(safe_text(message), lines.columns);
  for (int r = 0; r < lines.rows; ++r) {
    const std::string words = " " + rows[static_cast<std::size_t>(r)] + " ";
    for (const std::string& next : j.continuations) {
      const std::size_t at = words.find(" " + next + " ");
      // More letters do not complete a move in another spelling.
      if (at == std::string::npos || !starts_with_ignoring_case(next, line.text())) continue;
      std::vector<Key> keys;
      for (std::size_t i = std::min(next.size(), line.text().size()); i < next.size(); ++i)
        keys.push_back(character_key(static_cast<char32_t>(next[i])));
      canvas.add_link(lines.row + r, lines.column + static_cast<int>(at),
                      static_cast<int>(next.size()), std::move(keys));
    }
  }
}

// Returns the spot that is nearest to the place half way from `from` to the middle.
SpotId spot_towards_middle(const BoardView& picture, const Spot& from) {
  const auto distance = [&](const Spot& spot) {
    return std::abs(4 * spot.row - 2 * from.row - picture.size().rows) +
           std::abs(4 * spot.column - 2 * from.column - picture.size().columns);
  };
  return std::ranges::min_element(picture.drawing().spots, {}, distance)->id;
}

// Draws the kept answers below the list of plies. Returns the rows that they take.
int draw_kept_answers(Canvas& canvas, const Area& plies, std::vector<std::string> lines) {
  constexpr int kList = 3;  // rows left for the plies
  const int room = std::min(plies.rows / 2, plies.rows - kList) - 2;
  if (lines.empty() || room < 1) return 0;
  std::string heading = "your answers";
  if (static_cast<int>(lines.size()) > room) {
    heading = "answers shows all " + std::to_string(lines.size());
    lines.resize(static_cast<std::size_t>(room));
  }
  int row = plies.row + plies.rows - static_cast<int>(lines.size()) - 1;
  canvas.put_text(row, plies.column, fit(heading, plies.columns), Style::dim);
  for (const std::string& line : lines)
    canvas.put_text(++row, plies.column, fit("  " + line, plies.columns), Style::text);
  return static_cast<int>(lines.size()) + 2;
}

// Returns a title that fits: first without the save, then with "v", then without the opponent.
std::string fit_title(std::string title, const std::string& behind, int room) {
  using Words = std::pair<std::string_view, std::string_view>;
  for (const auto& [words, shorter] :
       {Words(", ", ""), Words(" against ", " v "), Words(": ", "")}) {
    if (columns(title + behind) <= room) return title + behind;
    if (const std::size_t at = title.rfind(words); at != std::string::npos)
      title.replace(at, shorter.empty() ? std::string::npos : words.size(), shorter);
  }
  return columns(title + behind) <= room ? title + behind : fit(title, room);
}

void draw_foot_keys(Canvas& canvas, int row, const BoardModel& model) {
  FootKeys keys = std::visit([&](const auto& mode) { return mode.foot_keys(model); }, model.mode);
  if (!canvas.is_mouse_on) keys.push_back({function_key(2), "mouse"});
  draw_keys(canvas, row, 1, keys);
}

}  // namespace

// Chooses the largest drawing that fits, in a small window at its usual size. If none fits, chooses
// the lowest one.
void BoardPage::choose_drawing(Size terminal) {
  constexpr int kAround = 5;       // rows: title, blank, sentence, typed line, keys
  constexpr int kAroundLarge = 6;  // rows: a large drawing also has the end of the frame
  constexpr int kBeside = 26;      // columns: margins, and a list of plies
  constexpr Size kLarge{24, 80};
  const std::string_view all = model_.match().game().drawing_styles;
  const std::string fields = all.empty() || chosen_field_ != '\0'
                                 ? std::string(1, all.empty() ? view_.drawing_style : chosen_field_)
                                 : std::string(all);
  const int size = model_.preferences.board_size, smallest = std::max(size, 1);
  const bool large = terminal.rows >= kLarge.rows && terminal.columns >= kLarge.columns;
  View best = view_;
  int lowest = INT_MAX;
  for (int scale = size == 0 && large ? kMaxScale : smallest; scale >= smallest && lowest > 0;
       --scale)
    for (const char field : fields) {
      Size& drawing = drawing_sizes_[{field, scale}];
      if (drawing.rows == 0)
        drawing = shown_size(shown_position_.draw(
            {.drawing_style = field, .scale = scale, .is_turned = view_.is_turned}));
      const bool fits = drawing.rows + (scale > 1 ? kAroundLarge : kAround) <= terminal.rows &&
                        (scale == 1 || drawing.columns + kBeside <= terminal.columns);
      if (!fits && drawing.rows >= lowest) continue;
      best.drawing_style = field;
      best.scale = scale;
      lowest = fits ? 0 : drawing.rows;
      if (fits) break;
    }
  if (view_.scale != best.scale || view_.drawing_style != best.drawing_style) reserved_columns_ = 0;
  if (std::exchange(view_, best) != best) update();
}

void BoardPage::update() {
  const Match& m = model_.match();
  const bool moves = model_.ply_motion.is_moving();
  const std::size_t n = moves ? model_.ply_motion.ply_number() - 1 : model_.shown_ply();
  Position position = m.position_after(n);
  std::vector<SpotId> touched = n > 0 ? m.plies()[n - 1].changed_spots : std::vector<SpotId>{};
  const Judgement* const previewed = model_.is_previewing() ? &model_.line.judgement() : nullptr;
  if (previewed && previewed->kind == Judgement::Kind::complete) {
    touched = position.changed_spots(previewed->text);
    position.play(previewed->text);
  }
  const bool now = n == m.plies().size() && !previewed;
  // Most keys change only the typed text, so keep the drawing. A finished game may look different.
  View drawn = view_;
  drawn.is_finished = now && m.ending();
  const bool same = shown_position_ == position;
  if (!same) drawing_sizes_.clear();
  if (drawn_view_ == drawn && same) picture_.clear_marks();
  else picture_.set_drawing(now ? m.draw(n, view_) : m.insert_names(position.draw(view_)));
  drawn_view_ = drawn;
  shown_position_ = std::move(position);
  // If a drawing grows, the area beside it moves in steps of a few columns.
  constexpr int kStep = 12;
  const int width = picture_.size().columns;
  if (width > reserved_columns_)
    reserved_columns_ = reserved_columns_ == 0 ? width : (width + kStep - 1) / kStep * kStep;
  if (moves) touched = m.plies()[n].changed_spots;
  auto looked_at = touched.empty() ? std::nullopt : std::optional(touched.back());
  // Before the first ply, scroll to an empty spot under the cursor, for games with falling letters;
  // from a piece there half way to the middle, where the battle is.
  if (const PickingMode* const picking = model_.mode_as<PickingMode>(); picking && touched.empty())
    for (const Spot& spot : picture_.drawing().spots)
      if (spot.id == picking->picker().cursor_spot())
        looked_at = spot.content.empty() ? spot.id : spot_towards_middle(picture_, spot);
  picture_.scroll_to(looked_at);
  if (moves) {
    picture_.mark_spots(model_.ply_motion.path_spots(m), Mark::picked);
    picture_.mark_spots(model_.ply_motion.capture_spots(m), Mark::wrong);
    return;
  }
  picture_.mark_spots(touched, Mark::last);
  draw_picked_move();
  if (const Threats* const threats = model_.help.threats_for(shown_position_);
      threats && (model_.line.empty() || model_.line.is_replaceable())) {
    picture_.mark_spots(threats->spots, Mark::wrong, seat_style(m.game(), threats->seat));
    if (!threats->spots.empty()) picture_.scroll_to(threats->spots.front());
  }
  std::visit([&](const auto& mode) { mode.add_marks(model_, shown_position_, picture_); },
             model_.mode);
}

// Shows the board after a fully picked move, if the drawing keeps its size.
void BoardPage::draw_picked_move() {
  const PickingMode* const picking = model_.mode_as<PickingMode>();
  const Judgement& said = model_.line.judgement();
  if (!picking || !picking->is_used() || model_.is_previewing() ||
      said.kind != Judgement::Kind::complete || model_.line.typed_line().is_match_word())
    return;
  Position next = shown_position_;
  next.play(said.text);
  Drawing drawing = model_.match().insert_names(next.draw(view_));
  if (shown_size(drawing) != picture_.size()) return;
  picture_.set_drawing(std::move(drawing));
  picture_.mark_spots(shown_position_.changed_spots(said.text), Mark::last);
  drawn_view_.reset();  // the picture shows another position now
}

// Adds a row of keys, unless a drawing needs it that just fits into a window of usual height. The
// chat gets at most half of the list's rows, then the advice what it needs, if some list is left.
BoardPage::Layout BoardPage::compute_layout(Size size, const std::string& watchers,
                                            const std::string& advice) const {
  constexpr int kPlies = 6, kMost = 12, kLow = 16;  // rows
  constexpr int kShort = 58;  // columns; in fewer, a sentence often needs a second row
  Layout l = layout_without_foot(size);
  const int left = l.board_pane.rows - picture_.size().rows;
  if (!l.is_beside && (size.rows < kLow || left != 0)) {
    if (Layout shorter = layout_without_foot({size.rows - 1, size.columns}); !shorter.is_beside) {
      l = shorter;
      l.has_foot = true;
    }
  }
  if (model_.chat.last_line().empty()) l.last_chat_line = {};
  constexpr int kBanner = 7;  // rows: three for the title, sentences, the next panel's title
  if (l.frame.rows > 0 && model_.match().ending() && !model_.mode_as<ReviewMode>() &&
      !model_.session.board().exercise && !model_.session.visible_analysis() &&
      l.plies.rows > kBanner + kPlies &&
      (l.plies.rows > 2 * kBanner + kPlies ||
       model_.chat.needed_rows(l.plies.columns, kMost) == 0)) {
    l.banner = {l.plies.row, l.plies.column, kBanner - 1, l.plies.columns};
    l.plies.row += kBanner;
    l.plies.rows -= kBanner;
    l.long_message = l.plies;
  }
  if (l.plies.columns <= 0) return l;
  const bool framed = l.frame.rows > 0;
  if (const int rows = model_.chat.needed_rows(
          l.plies.columns, std::min({l.plies.rows / 2, l.plies.rows - kPlies, kMost}));
      rows > 0) {
    l.plies.rows -= rows + (!framed && !l.is_beside && l.message.columns < kShort);
    l.chat_box = {l.plies.row + l.plies.rows, l.plies.column, rows, l.plies.columns};
    l.last_chat_line = {};
  }
  // Takes the last rows of the list for `needed` rows of text, below a row for the title.
  const auto split_off = [&](int needed, int kept) {
    const int rows = std::min(needed, l.plies.rows - kept - 1) + 1;
    if (rows <= 1) return Area{};
    l.plies.rows -= rows;
    return Area{l.plies.row + l.plies.rows + 1, l.plies.column, rows - 1, l.plies.columns};
  };
  constexpr int kList = 3, kCurve = 10;  // rows left for the plies, and for a curve above them
  constexpr int kAnalysis = 4;           // rows; during an analysis the panel keeps its size
  if (framed && !watchers.empty()) l.watchers = split_off(1, kList);
  const int needed = static_cast<int>(wrap(safe_text(advice), l.plies.columns).size());
  if (framed && model_.session.visible_analysis()) {
    // A longer sentence covers the end of the list instead.
    if (needed <= kAnalysis && l.plies.rows > kAnalysis + kCurve)
      l.advice = split_off(kAnalysis, kCurve);
  } else if (framed && !advice.empty()) {
    // A long advice takes the rows of the list, too.
    l.advice = split_off(needed, l.plies.rows > needed + kList ? kList : 0);
  }
  if (framed) l.long_message = l.plies;
  return l;
}

// Puts the drawing at the left and the rest at the right. In a narrow window the players stand
// above the drawing. In a low window all but the line stands beside it, so no sentence covers it.
BoardPage::Layout BoardPage::layout_without_foot(Size size) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 19, kMinPanel = 14, kMaxPanel = 43, kGap = 3,
                kMargin = 2, kSecondRow = 4, kFramed = 15;
  const Size drawing = picture_.size();
  const std::vector<std::string> times = model_.session.time_texts(now());
  const auto told = static_cast<int>(
      std::ranges::count_if(times, [](const auto& time) { return !time.empty(); }));
  const int players = model_.match().seats(), line = size.rows - 1;
  const int rows = size.rows - kTitle - kBottom;
  const int room = size.columns - kMargin - kGap - 2;  // columns of board and panel
  const int needed = room - reserved_columns_ >= kPanel ? reserved_columns_ : drawing.columns;
  // The board gets the columns that the panel does not need.
  const int width = std::max(needed, room - kMaxPanel), panel = kMargin + width + kGap;
  int panel_width = room - width;
  const bool above = panel_width < kPanel;
  // The clocks get rows only if there is room beside the drawing.
  const int seats = players + (above ? 0 : told);
  Layout l{};
  l.line_row = line;
  if (panel_width >= kMinPanel && drawing.rows > rows - (above ? seats : 0)) {
    l.is_beside = true;
    const int chat = model_.chat.last_line().empty() ? 0 : 2;
    l.board_pane = {0, kMargin, line, width};
    l.drawing = center_in(l.board_pane, drawing, true);
    l.players = {2, panel, seats, panel_width};
    constexpr int kSaid = 4;  // rows below the list, for the sentence
    l.plies = {3 + seats, panel, std::max(0, line - chat - kSaid - 4 - seats), panel_width};
    l.last_chat_line = {line - chat, panel, chat, panel_width};
    l.message = {2 + seats, panel, line - chat - 2 - seats, panel_width};
    return l;
  }
  if (above) {
    l.players = {kTitle, kMargin, seats, size.columns - kMargin - 1};
    l.board_pane = {kTitle + seats, kMargin, rows - seats, size.columns - kMargin - 1};
    l.last_chat_line = {0, 1, 1, size.columns - 2};
    l.long_message = {0, 1, kTitle + seats, size.columns - 2};
  } else {
    // The frame needs a row above and one below the panes. In a low window, sentences need them
    // more. A drawing that fills the height also needs the row below the title.
    const int spare = rows - drawing.rows, gap = spare > 0 ? 1 : 0,
              frame = spare > 1 && size.rows >= kFramed ? 1 : 0;
    int sentence = frame == 0 ? 0 : spare < kSecondRow ? 1 : 2;
    if (spare > kSecondRow && model_.session.visible_analysis()) ++sentence;
    const int height = rows - gap - std::max(0, frame + sentence - 1);
    l.board_pane = {kTitle + gap, kMargin, height, width};
    l.players = {kTitle + gap, panel, seats, panel_width};
    l.plies = {kTitle + gap + seats + 1, panel, height - seats - 1, panel_width};
    if (frame > 0) {
      l.frame = {kTitle, 0, height + 2, size.columns};
      l.drawing = center_in(l.board_pane, drawing, true);
      l.last_chat_line = {l.plies.row + l.plies.rows - 1, panel, 1, panel_width};
      l.long_message = {l.plies.row, panel, l.plies.rows, panel_width};
      l.message = {line - sentence, 1, sentence, size.columns - 2};
      return l;
    }
    // Without a frame there is no wall at the right.
    ++panel_width;
    for (Area* const area : {&l.players, &l.plies}) area->columns = panel_width;
    l.last_chat_line =
        spare > 0 ? Area{line - 2, 1, 1, size.columns - 2} : Area{line - 2, panel, 1, panel_width};
    l.long_message = {l.plies.row, panel, line - l.plies.row, panel_width};
  }
  l.drawing = center_in(l.board_pane, drawing, !above);
  // The sentence gets the rows that are free below the drawing.
  const int free = std::max(0, line - 1 - l.drawing.row - std::min(drawing.rows, l.drawing.rows));
  l.message = {line - 1 - free, 1, 1 + free, size.columns - 2};
  return l;
}

Size BoardPage::wanted_size(Size terminal) {
  choose_drawing(terminal);
  return {terminal.rows,
          std::min(terminal.columns, std::max(Screen::kMaxColumns, reserved_columns_ + 46))};
}

void BoardPage::draw_title_row(Canvas& canvas, const Layout& l) const {
  // Adds the number of watchers if there is room and no panel names them.
  const auto title = [&](int room) {
    const std::size_t watching = l.watchers.rows > 0 ? 0 : model_.session.watcher_count();
    const std::string others =
        watching > 0 ? " - " + format_count(watching, "watcher", "watchers") : std::string();
    std::string out =
        fit_title(model_.title(), model_.session.is_trying() ? " - trying moves" : "", room);
    return columns(out + others) <= room ? out + others : out;
  };
  constexpr int kWide = 60;  // columns; a wider title explains Esc
  const int width = canvas.size().columns, aside = columns(canvas.status_text);
  const std::string out = width < kWide ? "Esc" : "Esc back", right = "? help  " + out;
  const std::vector<std::pair<std::string, Key>> links{{"? help", character_key('?')},
                                                       {out, {Key::Code::escape}}};
  if (!l.is_beside) {
    const int room = width - columns(right) - 3 - (aside > 0 ? aside + 2 : 0);
    return draw_title(canvas, title(room), right, links);
  }
  canvas.put_text(0, l.players.column, title(l.players.columns), Style::title);
  const bool fits = columns("? help  " + out) <= l.players.columns;
  const std::string keys = canvas.status_text.empty() ? fits ? "? help  " + out : "? help  Esc"
                                                      : fit(canvas.status_text, l.players.columns);
  canvas.put_text(1, l.players.column, keys, canvas.status_text.empty() ? Style::key : Style::turn);
  link_words(canvas, 1, l.players.column, keys, links);
}

namespace {

void draw_heading(Canvas& canvas, const Area& frame, int row, int column, const std::string& text) {
  const int room = frame.columns - 3 - column;
  canvas.put_text(row, column, " " + fit(text, room) + " ", Style::dim);
}

}  // namespace

// Draws the upper edge of a panel at the right of the frame, with its title.
void BoardPage::draw_panel_edge(Canvas& canvas, const Layout& l, int row,
                                const std::string& title) const {
  const int right = l.frame.columns - 1, wall = l.players.column - 2;
  canvas.draw_joint(row, wall, U'\u251C');
  for (int c = wall + 1; c < right; ++c) canvas.draw_joint(row, c, kHorizontalLine);
  canvas.draw_joint(row, right, U'\u2524');
  draw_heading(canvas, l.frame, row, wall + 1, title);
}

// Draws the frame of the panes, with a title on each.
void BoardPage::draw_frame(Canvas& canvas, const Layout& l) const {
  const int wall = l.players.column - 2, top = l.frame.row, bottom = top + l.frame.rows - 1;
  canvas.draw_box(l.frame);
  canvas.draw_wall(top, wall, l.frame.rows);
  canvas.draw_joint(top, wall, U'\u252C');
  canvas.draw_joint(bottom, wall, U'\u2534');
  const auto& remote = model_.session.board().remote;
  const std::string contest = remote ? remote->contest : "";
  draw_heading(canvas, l.frame, top, 1,
               fit(model_.session.id() + (contest.empty() ? "" : ", " + contest), wall - 4));
  draw_heading(canvas, l.frame, top, wall + 1, "Players");
  const auto split = [&](int row, const std::string& text) {
    draw_panel_edge(canvas, l, row, text);
  };
  if (l.plies.rows > 0)
    split(l.plies.row - 1, !model_.session.exercise_text().empty()                ? "Task"
                           : has_introduction() && model_.match().plies().empty() ? "How to play"
                                                                                  : "Moves");
  if (l.banner.rows > 0) split(l.banner.row - 1, "The end");
  if (l.chat_box.rows > 0) split(l.chat_box.row, "Chat");
  if (l.watchers.rows > 0)
    split(l.watchers.row - 1, "Watchers " + std::to_string(model_.session.watcher_count()));
  if (l.advice.rows > 0) split(l.advice.row - 1, "Computer");
}

std::pair<std::string, std::optional<Seat>> BoardPage::prompt() const {
  const Match& m = model_.match();
  const BoardSession& session = model_.session;
  const auto name = [&](Seat seat) { return seat_name(m, seat, session.own_seat()); };
  if (model_.mode_as<ReviewMode>()) {
    const std::size_t ply = model_.shown_ply();
    const std::string at = ply > 0 ? "move " + std::to_string(ply) + ", " : "start, ";
    if (shown_position_.outcome()) return {at + "the end", std::nullopt};
    const Seat seat = shown_position_.to_move();
    return {at + name(seat) + " (" + shown_position_.side_name(seat) + ")", seat};
  }
  if (session.can_continue_exercise()) return {"go on", std::nullopt};
  if (m.ending()) return {"game over", std::nullopt};
  // If an offer is open, the seat that answers it comes first.
  const auto seat = session.acting_seat(m.offer() ? to_string(MatchWord::accept) : "");
  if (!seat) return {session.has_no_updates() ? "not watching" : "watching", seat};
  if (session.can_move() || (m.offer() && session.should_answer()))
    return {session.player_label(*seat), seat};
  return {session.board().remote ? "queue a move" : possessive(name(*m.to_move())) + " turn", seat};
}

int BoardPage::draw_move_line(Canvas& canvas, const Layout& l, const StatusMessage& status) {
  const int width = canvas.size().columns;
  const BoardSession& session = model_.session;
  const Style style = status.style;
  std::string said = status.text;
  // After an exercise, the player looks at earlier positions without its task.
  const bool aside = model_.mode_as<ReviewMode>() && session.can_continue_exercise();
  const std::string task = aside ? "" : session.exercise_text();
  const auto rows_of = [&](const std::string& text, int columns) {
    return static_cast<int>(wrap(safe_text(text), columns).size());
  };
  const int needed = rows_of(said, l.message.columns),
            all = needed + (task == said ? 0 : rows_of(task, l.message.columns));
  // A task has its own panel, from the top; another long sentence covers the end of the list.
  const bool at_length = l.long_message.rows > l.message.rows &&
                         (all > l.message.rows || (!task.empty() && l.frame.rows > 0));
  // A long sentence covers the last chat line for as long as it is shown.
  const Area& wide = l.long_message;
  const bool has_chat =
      l.last_chat_line.rows > 0 && !(at_length && l.last_chat_line.row >= wide.row &&
                                     l.last_chat_line.row < wide.row + wide.rows);
  if (has_chat) draw_message(canvas, l.last_chat_line, model_.chat.last_line(), Style::key);
  Area area = at_length ? wide : l.message;
  if (!task.empty() && at_length && l.frame.rows > 0)
    area.rows = std::min(
        area.rows, rows_of(said, area.columns) + (task == said ? 0 : rows_of(task, area.columns)));
  if (task.empty()) said = fit_instruction(said, {area.rows, area.columns});
  const Area drawn = draw_message(canvas, area, said, style,
                                  task == said ? " ... Enter: more"
                                  : said == model_.help.last_text(shown_position_) ? " ... F6: more"
                                                                                   : " ...");
  link_continuations(canvas, drawn, said, model_.line);
  if (at_length && l.frame.rows == 0 && !l.is_beside)
    canvas.draw_wall(l.line_row - 1, area.column - 2, 1);
  is_message_cut_ = drawn.rows < (at_length ? rows_of(said, area.columns) : needed);
  // The task of a lesson stays above the sentence about the typed line. If there is little room,
  // only its end is shown, at least the last sentence: it says what to do.
  int first = drawn.row;
  if (task != said) {
    std::string asked = task;
    const Area room{area.row, area.column, first - area.row, area.columns};
    const std::size_t last = task.rfind(". ") + 1;  // before the last sentence; 0 if it is the only
    for (std::size_t end = 0; rows_of(asked, room.columns) > room.rows;) {
      if (end = task.find(' ', end + 1); end > last) break;
      asked = end == last ? task.substr(last + 1) : "..." + task.substr(end);
    }
    first = draw_message(canvas, room, asked, Style::dim).row;
  }
  const GameType& game = model_.match().game();
  const auto [who, seat] = prompt();
  const int c = canvas.put_text(l.line_row, 1, (session.is_trying() ? "try: " : "") + who + "> ",
                                seat ? seat_style(game, *seat) : Style::text);
  model_.line.draw(canvas, l.line_row, c, width - c - 1,
                   !model_.mode_as<ReviewMode>() &&
                       (session.is_shared() || session.can_move() || session.can_queue()));
  return has_chat && l.last_chat_line.row > l.plies.row ? std::min(first, l.last_chat_line.row)
                                                        : first;
}

bool BoardPage::has_introduction() const {
  const Match& m = model_.match();
  const auto own = model_.session.own_seat();
  return m.log().empty() ||
         (!m.ending() && own && m.log().size() == m.plies().size() &&
          std::ranges::none_of(m.plies(), [&](const auto& ply) { return ply.seat == *own; }));
}

// Explains the board below the list before the player's first ply, with as many sentences as fit.
void BoardPage::draw_introduction(Canvas& canvas, const Layout& l, Area area) const {
  // The text names directions, so it is wrong on a turned board.
  if (!has_introduction() || !model_.session.exercise_text().empty() || view_.is_turned) return;
  const int listed = static_cast<int>(model_.match().plies().size());
  if (listed > 0) {
    area.row += listed + 1;
    area.rows -= listed + 1;
  }
  const std::string look = fit_sentences(
      std::string(model_.match().game().introduction) + describe_variant(model_.match()),
      {area.rows, area.columns});
  if (look.empty()) return;
  if (listed > 0 && l.frame.rows > 0) draw_panel_edge(canvas, l, area.row - 1, "How to play");
  area.rows = static_cast<int>(wrap(look, area.columns).size());
  draw_message(canvas, area, look, Style::dim);
}

void BoardPage::draw_plies(Canvas& canvas, Area area) {
  const Analysis* const analysis = model_.session.visible_analysis();
  const ReviewMode* const back = model_.mode_as<ReviewMode>();
  const int curve =
      analysis ? draw_curve(canvas, area, model_.match(), *analysis, model_.shown_ply()) : 0;
  area.row += curve;
  area.rows -= curve;
  area.rows -= draw_kept_answers(canvas, area, model_.session.queued_answers());
  ply_list_.draw(canvas, area, model_.match(), back ? std::optional(back->shown_ply) : std::nullopt,
                 analysis);
}

void BoardPage::draw(Canvas& canvas, const Notice& notice) {
  constexpr int kWide = 100;  // columns
  const std::string watchers = model_.session.watchers_text();
  const std::string advice = computer_advice(model_, shown_position_);
  const Layout l = compute_layout(canvas.size(), watchers, advice);
  const int advice_rows = static_cast<int>(wrap(safe_text(advice), l.plies.columns).size());
  draw_title_row(canvas, l);
  // A drawing as high as the window uses the row of the line below the title.
  if (l.players.row == 1) canvas.clear_row(1);
  if (l.frame.rows > 0) draw_frame(canvas, l);
  else if (l.plies.columns > 0)
    canvas.draw_wall(l.board_pane.row, l.plies.column - 2,
                     (l.is_beside ? l.line_row : l.line_row - 1) - l.board_pane.row);
  picture_.draw(canvas, l.drawing);
  draw_players(canvas, l.players, model_.match(), shown_position_,
               model_.mode_as<ReviewMode>() || model_.is_previewing(), model_.session.own_seat(),
               model_.session.time_texts(now()));
  if (l.banner.rows > 0) draw_banner(canvas, l.banner, model_.match(), model_.session.own_seat());
  if (const Analysis* analysis = model_.session.visible_analysis();
      analysis && l.frame.rows > 0 && canvas.size().columns >= kWide)
    draw_chance_bar(canvas, {l.board_pane.row, l.players.column - 3, l.board_pane.rows, 1},
                    model_.match(), *analysis, model_.shown_ply());
  // The sentence may cover some rows of the list. The chat stays above it.
  Area plies = l.plies, chat = l.chat_box;
  // Without room for a panel the sentence says the advice.
  const int first = draw_move_line(
      canvas, l, status_message(model_, shown_position_, notice, l.advice.rows > 0 ? advice : ""));
  if (l.frame.rows == 0) chat.row = std::min(chat.row, first - chat.rows);
  if (chat.row <= plies.row) chat.rows = 0;
  if (chat.rows > 0) model_.chat.draw(canvas, chat);
  if (l.watchers.rows > 0)
    canvas.put_text(l.watchers.row, l.watchers.column, fit(watchers, l.watchers.columns),
                    Style::text);
  if (l.advice.rows > 0) {
    Area area = l.advice;
    area.rows = std::min(area.rows, advice_rows);
    draw_message(canvas, area, fit_instruction(advice, {area.rows, area.columns}), Style::good);
  }
  if (chat.rows > 0 && l.frame.rows == 0)
    canvas.put_text(chat.row, chat.column, fit("Chat", chat.columns), Style::dim);
  plies.rows = std::min(plies.rows, first - (l.frame.rows == 0 ? chat.rows : 0) - plies.row);
  if (plies.columns > 0 && plies.rows > 0) draw_plies(canvas, plies);
  if (plies.columns > 0) draw_introduction(canvas, l, plies);
  if (l.has_foot) draw_foot_keys(canvas, canvas.size().rows - 1, model_);
  if (const PickingMode* picking = model_.mode_as<PickingMode>())
    picture_.draw_cursor(canvas, picking->picker().cursor_spot(), picking->is_used());
}

}  // namespace pbm
