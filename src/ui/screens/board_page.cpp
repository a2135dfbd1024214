// SPDX-License-Identifier: MIT
#include "ui/screens/board_page.hpp"

#include <algorithm>
#include <climits>

namespace pbm {

namespace {

// Returns the middle of the pane for a smaller drawing; unless `rows_too`, only across.
Area middle_of(Area pane, Size drawing, bool rows_too) {
  const int columns = std::max(0, pane.columns - drawing.columns);
  const int rows = rows_too ? std::max(0, pane.rows - drawing.rows) : 0;
  return {pane.row + rows / 2, pane.column + columns / 2, pane.rows - rows, pane.columns - columns};
}

// Makes links: a click on a possible continuation types it, a click on a complete move plays it.
void link_message(Canvas& canvas, const Area& lines, const std::string& message,
                  const MoveLine& line) {
  const Judgement& j = line.judgement();
  if (j.kind == Judgement::Kind::complete)
    for (int r = lines.row; r < lines.row + lines.rows; ++r)
      canvas.link(r, lines.column - 1, lines.columns + 2, {{Key::Code::enter}});
  const std::vector<std::string> rows = wrap(safe_text(message), lines.columns);
  for (int r = 0; r < lines.rows; ++r) {
    const std::string words = " " + rows[static_cast<std::size_t>(r)] + " ";
    for (const std::string& next : j.next) {
      const std::size_t at = words.find(" " + next + " ");
      // More letters do not complete a move in another spelling.
      if (at == std::string::npos || !starts_ignoring_case(next, line.text())) continue;
      std::vector<Key> keys;
      for (std::size_t i = std::min(next.size(), line.text().size()); i < next.size(); ++i)
        keys.push_back(typed(static_cast<char32_t>(next[i])));
      canvas.link(lines.row + r, lines.column + static_cast<int>(at), static_cast<int>(next.size()),
                  std::move(keys));
    }
  }
}

// Draws the kept answers below the list of plies. Returns the rows that they take.
int draw_answers(Canvas& canvas, const Area& plies, std::vector<std::string> lines) {
  constexpr int kList = 3;  // rows left for the plies
  const int room = std::min(plies.rows / 2, plies.rows - kList) - 2;
  if (lines.empty() || room < 1) return 0;
  if (static_cast<int>(lines.size()) > room) {
    lines.resize(static_cast<std::size_t>(room));
    lines.back() = "... answers shows all";
  }
  int row = plies.row + plies.rows - static_cast<int>(lines.size()) - 1;
  canvas.put(row, plies.column, fit("your answers", plies.columns), Style::dim);
  for (const std::string& line : lines)
    canvas.put(++row, plies.column, fit("  " + line, plies.columns), Style::text);
  return static_cast<int>(lines.size()) + 2;
}

// Returns a title that fits: first without the save, then with "v", then without the opponent.
std::string title_within(std::string title, const std::string& behind, int room) {
  using Words = std::pair<std::string_view, std::string_view>;
  for (const auto& [words, shorter] :
       {Words(", ", ""), Words(" against ", " v "), Words(": ", "")}) {
    if (columns(title + behind) <= room) return title + behind;
    if (const std::size_t at = title.rfind(words); at != std::string::npos)
      title.replace(at, shorter.empty() ? std::string::npos : words.size(), shorter);
  }
  return columns(title + behind) <= room ? title + behind : fit(title, room);
}

void draw_foot(Canvas& canvas, int row, const BoardModel& model) {
  FootKeys keys = std::visit([&](const auto& mode) { return mode.foot(model); }, model.mode);
  if (!canvas.mouse) keys.push_back({fkey(2), "mouse"});
  draw_keys(canvas, row, 1, keys);
}

}  // namespace

// Chooses the first drawing that fits, at double size in a large window. If none fits, chooses the
// lowest one.
void BoardPage::choose_drawing(Size terminal) {
  constexpr int kAround = 5;   // rows: title, blank, sentence, typed line, keys
  constexpr int kBeside = 26;  // columns: margins, and a list of plies
  constexpr Size kLarge{36, 100};
  const std::string_view all = model_.match().game().fields;
  const std::string fields = all.empty() || asked_ != '\0'
                                 ? std::string(1, all.empty() ? view_.field : asked_)
                                 : std::string(all);
  const int size = model_.preferences.size, smallest = std::max(size, 1);
  const bool large = terminal.rows >= kLarge.rows && terminal.columns >= kLarge.columns;
  View best = view_;
  int lowest = INT_MAX;
  for (int scale = size == 0 && large ? 2 : smallest; scale >= smallest && lowest > 0; --scale)
    for (const char field : fields) {
      Size& drawing = sizes_[{field, scale}];
      if (drawing.rows == 0)
        drawing = size_of(seen_.draw({.field = field, .scale = scale, .turned = view_.turned}));
      const bool fits = drawing.rows + kAround <= terminal.rows &&
                        (scale == 1 || drawing.columns + kBeside <= terminal.columns);
      if (!fits && drawing.rows >= lowest) continue;
      best.field = field;
      best.scale = scale;
      lowest = fits ? 0 : drawing.rows;
      if (fits) break;
    }
  if (std::exchange(view_, best) != best) follow();
}

void BoardPage::follow() {
  const Match& m = model_.match();
  const bool moves = model_.motion.moves();
  const std::size_t n = moves ? model_.motion.ply() - 1 : model_.shown();
  Position position = m.position_after(n);
  std::vector<SpotId> touched = n > 0 ? m.plies()[n - 1].touched : std::vector<SpotId>{};
  const Judgement* const previewed = model_.previews() ? &model_.line.judgement() : nullptr;
  if (previewed && previewed->kind == Judgement::Kind::complete) {
    touched = position.touched(previewed->text);
    position.play(previewed->text);
  }
  const bool now = n == m.plies().size() && !previewed;
  // Most keys change only the typed text, so keep the drawing. A finished game may look different.
  View drawn = view_;
  drawn.finished = now && m.ending();
  const bool same = seen_ == position;
  if (!same) sizes_.clear();
  if (drawn_ == drawn && same) picture_.unmark();
  else picture_.show(now ? m.draw(n, view_) : m.named(position.draw(view_)));
  drawn_ = drawn;
  seen_ = std::move(position);
  // If a drawing grows, the area beside it moves in steps of a few columns.
  constexpr int kStep = 12;
  const int width = picture_.size().columns;
  if (width > reserved_) reserved_ = reserved_ == 0 ? width : (width + kStep - 1) / kStep * kStep;
  if (moves) touched = m.plies()[n].touched;
  auto looked_at = touched.empty() ? std::nullopt : std::optional(touched.back());
  // Before the first ply, scroll to an empty spot under the cursor, for games with falling letters.
  if (const Picking* const picking = model_.doing<Picking>(); picking && touched.empty())
    for (const Spot& spot : picture_.drawing().spots)
      if (spot.id == picking->picker().cursor() && spot.what.empty()) looked_at = spot.id;
  picture_.follow(looked_at);
  if (moves) {
    picture_.mark(model_.motion.way(m), Mark::picked);
    picture_.mark(model_.motion.taken(m), Mark::wrong);
    return;
  }
  picture_.mark(touched, Mark::last);
  draw_picked();
  if (const Threats* const threats = model_.help.threats_in(seen_);
      threats && model_.line.empty()) {
    picture_.mark(threats->spots, Mark::wrong, style_of_seat(threats->by));
    if (!threats->spots.empty()) picture_.follow(threats->spots.front());
  }
  std::visit([&](const auto& mode) { mode.mark(model_, seen_, picture_); }, model_.mode);
}

// Shows the board after a fully picked move, if the drawing keeps its size.
void BoardPage::draw_picked() {
  const Picking* const picking = model_.doing<Picking>();
  const Judgement& said = model_.line.judgement();
  if (!picking || !picking->used() || model_.previews() || said.kind != Judgement::Kind::complete ||
      model_.line.typed().is_match_word())
    return;
  Position next = seen_;
  next.play(said.text);
  Drawing drawing = model_.match().named(next.draw(view_));
  if (size_of(drawing) != picture_.size()) return;
  picture_.show(std::move(drawing));
  picture_.mark(seen_.touched(said.text), Mark::last);
  drawn_.reset();  // the picture shows another position now
}

// Adds a row of keys if a few rows are free. The chat gets at most half of the list's rows.
BoardPage::Layout BoardPage::layout(Size size) const {
  constexpr int kPlies = 6, kMost = 12, kScrolled = 7;  // rows
  const int free = size.rows < 16 ? 4 : 3;
  constexpr int kShort = 58;  // columns; in fewer, a sentence often needs a second row
  Layout l = layout_above_foot(size);
  // A drawing that must scroll loses one more row to the keys.
  const int left = l.pane.rows - picture_.size().rows;
  if (!l.beside && (left >= free || (left <= -free && l.pane.rows >= kScrolled))) {
    l = layout_above_foot({size.rows - 1, size.columns});
    l.foot = true;
  }
  if (model_.talk.last().empty()) l.chat = {};
  if (l.plies.columns <= 0) return l;
  const int rows =
      model_.talk.rows(l.plies.columns, std::min({l.plies.rows / 2, l.plies.rows - kPlies, kMost}));
  if (rows == 0) return l;
  l.plies.rows -= rows + (!l.beside && l.said.columns < kShort);
  l.talk = {l.plies.row + l.plies.rows, l.plies.column, rows, l.plies.columns};
  l.chat = {};
  return l;
}

// Puts the drawing at the left and the rest at the right. In a narrow window the players stand
// above the drawing. In a low window all but the line stands beside it, so no sentence covers it.
BoardPage::Layout BoardPage::layout_above_foot(Size size) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 20, kMinPanel = 14, kMaxPanel = 44, kGap = 3,
                kMargin = 2;
  const Size drawing = picture_.size();
  const std::vector<std::string> times = model_.session.times(now());
  const auto told = static_cast<int>(
      std::ranges::count_if(times, [](const auto& time) { return !time.empty(); }));
  const int players = model_.match().seats(), line = size.rows - 1;
  const int rows = size.rows - kTitle - kBottom;
  const int needed =
      size.columns - (kMargin + reserved_ + kGap) - 1 >= kPanel ? reserved_ : drawing.columns;
  // The board gets the columns that the panel does not need.
  const int width = std::max(needed, size.columns - (kMargin + kGap) - 1 - kMaxPanel);
  const int panel = kMargin + width + kGap, panel_width = size.columns - panel - 1;
  const bool above = panel_width < kPanel;
  // The clocks get rows only if there is room beside the drawing.
  const int seats = players + (above ? 0 : told);
  Layout l{};
  l.line = line;
  if (panel_width >= kMinPanel && drawing.rows > rows - (above ? seats : 0)) {
    l.beside = true;
    const int chat = model_.talk.last().empty() ? 0 : 2;
    l.pane = {0, kMargin, line, width};
    l.board = middle_of(l.pane, drawing, true);
    l.players = {2, panel, seats, panel_width};
    constexpr int kSaid = 4;  // rows below the list, for the sentence
    l.plies = {3 + seats, panel, std::max(0, line - chat - kSaid - 4 - seats), panel_width};
    l.chat = {line - chat, panel, chat, panel_width};
    l.said = {2 + seats, panel, line - chat - 2 - seats, panel_width};
    return l;
  }
  if (above) {
    l.players = {kTitle, kMargin, seats, size.columns - kMargin - 1};
    l.pane = {kTitle + seats, kMargin, rows - seats, size.columns - kMargin - 1};
    l.chat = {0, 1, 1, size.columns - 2};
    l.said_at_length = {0, 1, kTitle + seats, size.columns - 2};
  } else {
    // A drawing that fills the height also needs the row below the title.
    const int gap = drawing.rows < rows ? 1 : 0;
    l.pane = {kTitle + gap, kMargin, rows - gap, width};
    l.players = {kTitle + gap, panel, seats, panel_width};
    l.plies = {kTitle + gap + seats + 1, panel, rows - gap - seats - 1, panel_width};
    const bool below = drawing.rows < l.pane.rows;
    l.chat = below ? Area{line - 2, 1, 1, size.columns - 2} : Area{line - 2, panel, 1, panel_width};
    l.said_at_length = {l.plies.row, panel, line - l.plies.row, panel_width};
  }
  l.board = middle_of(l.pane, drawing, !above);
  // The sentence gets the rows that are free below the drawing.
  const int free = std::max(0, line - 1 - l.board.row - std::min(drawing.rows, l.board.rows));
  l.said = {line - 1 - free, 1, 1 + free, size.columns - 2};
  return l;
}

Size BoardPage::wanted(Size terminal) {
  choose_drawing(terminal);
  constexpr int kRows = 30, kStep = 6, kAround = 8;
  const int rows = (picture_.size().rows + kAround + kStep - 1) / kStep * kStep;
  return {std::min(terminal.rows, std::max(rows, kRows)),
          std::min(terminal.columns, std::max(Screen::kWidest, reserved_ + 46))};
}

void BoardPage::draw_head(Canvas& canvas, const Layout& l) const {
  // Adds the number of watchers if there is room.
  const auto title = [&](int room) {
    const std::size_t watching = model_.session.watching();
    const std::string others =
        watching > 0 ? " - " + count_of(watching, "watches", "watch") : std::string();
    std::string out =
        title_within(model_.title(), model_.session.trying() ? " - trying moves" : "", room);
    return columns(out + others) <= room ? out + others : out;
  };
  constexpr int kWide = 60;  // columns; a wider title explains Esc
  const int width = canvas.size().columns, aside = columns(canvas.aside);
  const std::string out = width < kWide ? "Esc" : "Esc back", right = "? help  " + out;
  const std::vector<std::pair<std::string, Key>> links{{"? help", typed('?')},
                                                       {out, {Key::Code::escape}}};
  if (!l.beside) {
    const int room = width - columns(right) - 3 - (aside > 0 ? aside + 2 : 0);
    return draw_title(canvas, title(room), right, links);
  }
  canvas.put(0, l.players.column, title(l.players.columns), Style::title);
  const bool fits = columns("? help  " + out) <= l.players.columns;
  const std::string keys = canvas.aside.empty() ? fits ? "? help  " + out : "? help  Esc"
                                                : fit(canvas.aside, l.players.columns);
  canvas.put(1, l.players.column, keys, canvas.aside.empty() ? Style::key : Style::turn);
  link_words(canvas, 1, l.players.column, keys, links);
}

std::pair<std::string, std::optional<Seat>> BoardPage::prompt() const {
  const Match& m = model_.match();
  const auto name = [&](Seat seat) {
    return shown_name(m.names()[static_cast<std::size_t>(seat)]);
  };
  if (model_.doing<LookingBack>()) {
    const std::size_t ply = model_.shown();
    const std::string at = ply > 0 ? "move " + std::to_string(ply) + ", " : "start, ";
    if (seen_.outcome()) return {at + "the end", std::nullopt};
    const Seat seat = seen_.to_move();
    return {at + name(seat) + " (" + seen_.sign(seat) + ")", seat};
  }
  if (m.ending()) return {"game over", std::nullopt};
  // If an offer is open, the seat that answers it comes first.
  const BoardSession& session = model_.session;
  const auto seat = session.acting_seat(m.offer() ? to_string(MatchWord::accept) : "");
  if (!seat) return {session.stands_still() ? "looking on" : "watching", seat};
  if (session.may_move() || (m.offer() && session.answers())) return {m.player(*seat), seat};
  return {session.board().remote ? "your next move" : name(*m.to_move()) + "'s turn", seat};
}

int BoardPage::draw_line(Canvas& canvas, const Layout& l, const Notice& notice) {
  const int width = canvas.size().columns;
  const BoardSession& session = model_.session;
  const auto [said, style] = message_of(model_, seen_, notice);
  // After an exercise, the player looks at earlier positions without its task.
  const bool aside = model_.doing<LookingBack>() && session.may_go_on();
  const std::string task = aside ? "" : session.task();
  const auto rows_of = [&](const std::string& text, int columns) {
    return static_cast<int>(wrap(safe_text(text), columns).size());
  };
  const int needed = rows_of(said, l.said.columns),
            all = needed + (task == said ? 0 : rows_of(task, l.said.columns));
  const bool at_length = all > l.said.rows && l.said_at_length.rows > l.said.rows;
  // A long sentence covers the last chat line for as long as it is shown.
  const Area& wide = l.said_at_length;
  if (l.chat.rows > 0 &&
      !(at_length && l.chat.row >= wide.row && l.chat.row < wide.row + wide.rows))
    draw_message(canvas, l.chat, model_.talk.last(), Style::key);
  const Area& area = at_length ? wide : l.said;
  const Area drawn =
      draw_message(canvas, area, said, style, task == said ? " ... Enter: all" : " ...");
  link_message(canvas, drawn, said, model_.line);
  cut_ = drawn.rows < (at_length ? rows_of(said, area.columns) : needed);
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
  const auto [who, seat] = prompt();
  const int c = canvas.put(l.line, 1, (session.trying() ? "try: " : "") + who + "> ",
                           seat ? style_of_seat(*seat) : Style::text);
  model_.line.draw(canvas, l.line, c, width - c - 1,
                   !model_.doing<LookingBack>() && (session.shared() || session.may_move()));
  return first;
}

// Explains the board in place of the list before the first ply, with as many sentences as fit.
void BoardPage::draw_first_look(Canvas& canvas, Area area) const {
  // The text names directions, so it is wrong on a turned board.
  if (!model_.match().log().empty() || !model_.session.task().empty() || view_.turned) return;
  std::string look =
      std::string(model_.match().game().first_look) + variant_in_words(model_.match());
  const auto rows = [&] { return static_cast<int>(wrap(look, area.columns).size()); };
  while (!look.empty() && rows() > area.rows) {
    look.pop_back();
    look.resize(look.rfind('.') + 1);  // of the sentence before, if any
  }
  if (!look.empty())
    draw_message(canvas, {area.row, area.column, rows(), area.columns}, look, Style::dim);
}

void BoardPage::draw_plies(Canvas& canvas, Area area) {
  const Analysis* const analysis = model_.session.analysed();
  const LookingBack* const back = model_.doing<LookingBack>();
  const int curve =
      analysis ? draw_curve(canvas, area, model_.match(), *analysis, model_.shown()) : 0;
  area.row += curve;
  area.rows -= curve;
  area.rows -= draw_answers(canvas, area, model_.session.kept_answers());
  list_.draw(canvas, area, model_.match(), back ? std::optional(back->ply) : std::nullopt,
             analysis);
}

void BoardPage::draw(Canvas& canvas, const Notice& notice) {
  const Layout l = layout(canvas.size());
  draw_head(canvas, l);
  // A drawing as high as the window uses the row of the line below the title.
  if (l.players.row == 1) canvas.clear(1);
  const bool chat_below = l.chat.rows > 0 && l.chat.column == 1;
  const int end = l.beside || (l.chat.rows > 0 && !chat_below) ? l.line : l.line - 1 - chat_below;
  if (l.plies.columns > 0) canvas.wall(l.pane.row, l.plies.column - 2, end - l.pane.row);
  picture_.draw(canvas, l.board);
  draw_players(canvas, l.players, model_.match(), seen_,
               model_.doing<LookingBack>() || model_.previews(), model_.session.times(now()));
  if (l.talk.rows > 0) model_.talk.draw(canvas, l.talk);
  // The sentence may cover some rows of the list.
  Area plies = l.plies;
  plies.rows = std::min(plies.rows, draw_line(canvas, l, notice) - plies.row);
  if (plies.columns > 0 && plies.rows > 0) draw_plies(canvas, plies);
  if (plies.columns > 0) draw_first_look(canvas, plies);
  if (l.foot) draw_foot(canvas, canvas.size().rows - 1, model_);
  if (const Picking* picking = model_.doing<Picking>())
    if (const auto place = picture_.place(picking->picker().cursor())) canvas.cursor = place;
}

}  // namespace pbm
