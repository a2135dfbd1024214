// SPDX-License-Identifier: MIT
// A board's screen: what stands where, and the picture in it.
#include <algorithm>

#include "game/options.hpp"
#include "ui/screens/board_screen.hpp"

namespace pbm {

void BoardScreen::refresh_view() {
  place_cursor();
  const Match& m = match();
  const bool moves = motion_ && motion_->frame != Motion::Frame::board;
  const std::size_t n = moves ? motion_->ply - 1 : shown();
  Position position = m.position_after(n);
  std::vector<SpotId> touched = n > 0 ? m.plies()[n - 1].touched : std::vector<SpotId>{};
  if (previews() && judgement().kind == Judgement::Kind::complete) {
    const std::string& ply = judgement().text;
    touched = position.touched(ply);
    position.play(ply);
  }
  const bool now = n == m.plies().size() && !previews();
  // Most keys change only what is typed. The end of a game may be drawn, too.
  const std::pair drawn{view_.field, now && m.ending()};
  if (drawn_ == drawn && seen_ == position) picture_.unmark();
  else picture_.show(now ? m.draw(n, view_) : position.draw(view_));
  drawn_ = drawn;
  seen_ = std::move(position);
  // What stands beside a drawing that grows moves a few columns at a time.
  constexpr int kStep = 12;
  const int width = picture_.size().columns;
  if (width > reserved_) reserved_ = reserved_ == 0 ? width : (width + kStep - 1) / kStep * kStep;
  if (moves) touched = m.plies()[n].touched;
  picture_.follow(touched.empty() ? std::nullopt : std::optional(touched.back()));
  if (moves) {
    picture_.mark(moving(Motion::Frame::way), Mark::picked);
    if (motion_->frame == Motion::Frame::taken)
      picture_.mark(moving(Motion::Frame::taken), Mark::wrong);
    return;
  }
  picture_.mark(touched, Mark::last);
  if (const Threats* const threats = help_.threats_in(seen_); threats && line_.empty()) {
    picture_.mark(threats->spots, Mark::choice);
    if (!threats->spots.empty()) picture_.follow(threats->spots.front());
  }
  std::visit([&](const auto& mode) { mode.mark(*this, picture_); }, mode_);
}

std::vector<SpotId> common_beginning(const std::vector<std::vector<SpotId>>& trails) {
  if (trails.empty()) return {};
  std::vector<SpotId> common = trails.front();
  for (const std::vector<SpotId>& trail : trails) {
    std::size_t n = 0;
    while (n < common.size() && n < trail.size() && common[n] == trail[n]) ++n;
    common.resize(n);
  }
  return common;
}

// What is typed shows on the board: the squares it names, and those that can come next.
void BoardScreen::light_typed(BoardView& picture) const {
  const auto trails = trails_of(typed_line().text);
  const auto common = common_beginning(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture.mark(next, Mark::choice);
  picture.mark(common, Mark::picked);
}

namespace {

// The part of a pane in its middle that a smaller drawing needs.
Area middle_of(Area pane, Size drawing, bool rows_too) {
  const int columns = std::max(0, pane.columns - drawing.columns);
  const int rows = rows_too ? std::max(0, pane.rows - drawing.rows) : 0;
  return {pane.row + rows / 2, pane.column + columns / 2, pane.rows - rows, pane.columns - columns};
}

}  // namespace

// Keys below the line take a row only where a few are free.
BoardScreen::Layout BoardScreen::layout(Size size) const {
  constexpr int kFree = 4;
  Layout l = layout_above_foot(size);
  if (!l.beside && l.pane.rows - picture_.size().rows >= kFree) {
    l = layout_above_foot({size.rows - 1, size.columns});
    l.foot = true;
  }
  share_with_talk(l);
  return l;
}

// The last lines that were said, the latest last, in at most so many rows: each whole, but for one
// that is longer than that.
std::vector<std::string> BoardScreen::talk_lines(int columns, int most) const {
  std::vector<std::string> out;
  for (auto line = talk_.rbegin(); line != talk_.rend(); ++line) {
    const std::vector<std::string> rows = wrapped({line->userid + ": " + line->text}, columns);
    if (!out.empty() && std::ssize(out) + std::ssize(rows) > most) break;
    out.insert(out.begin(), rows.begin(), rows.end());
  }
  if (std::ssize(out) > most) out.resize(static_cast<std::size_t>(most));
  return out;
}

// What was said has the lower half of the plies' rows at most.
void BoardScreen::share_with_talk(Layout& l) const {
  constexpr int kPlies = 6, kMost = 12, kAround = 2;  // rows
  constexpr int kShort = 58;  // columns for a sentence, which often takes a second row then
  if (chat_.empty()) l.chat = {};
  if (talk_.empty() || l.plies.columns <= 0) return;
  const int room = std::min({l.plies.rows / 2, l.plies.rows - kPlies, kMost});
  if (room <= kAround) return;
  const int rows = static_cast<int>(talk_lines(l.plies.columns, room - kAround).size()) + kAround;
  l.plies.rows -= rows + (!l.beside && l.said.columns < kShort);
  l.talk = {l.plies.row + l.plies.rows, l.plies.column, rows, l.plies.columns};
  l.chat = {};
}

// The drawing at the left and what is said about it at the right; where there
// is no room beside, the players stand above the drawing. Where rows are short
// all but the line stands beside. No sentence takes a row of the drawing.
BoardScreen::Layout BoardScreen::layout_above_foot(Size size) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 20, kMinPanel = 14, kMaxPanel = 44, kGap = 3,
                kMargin = 2;
  const Size drawing = picture_.size();
  const std::vector<std::string> times = desk_.times(now());
  const auto told = static_cast<int>(
      std::count_if(times.begin(), times.end(), [](const auto& time) { return !time.empty(); }));
  const int players = match().seats(), line = size.rows - 1;
  const int rows = size.rows - kTitle - kBottom;
  const int needed =
      size.columns - (kMargin + reserved_ + kGap) - 1 >= kPanel ? reserved_ : drawing.columns;
  // What the panel does not need is the board's.
  const int width = std::max(needed, size.columns - (kMargin + kGap) - 1 - kMaxPanel);
  const int panel = kMargin + width + kGap, panel_width = size.columns - panel - 1;
  const bool above = panel_width < kPanel;
  // Beside the drawing there are rows enough.
  const int seats = players + (above ? 0 : told);
  Layout l{};
  l.line = line;
  if (panel_width >= kMinPanel && drawing.rows > rows - (above ? seats : 0)) {
    l.beside = true;
    const int chat = chat_.empty() ? 0 : 2;
    l.pane = {0, kMargin, line, width};
    l.board = middle_of(l.pane, drawing, true);
    l.players = {2, panel, seats, panel_width};
    constexpr int kSaid = 4;  // rows below the list, for what is said
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
    // A drawing that fills the height needs the row under the title too.
    const int gap = drawing.rows < rows ? 1 : 0;
    l.pane = {kTitle + gap, kMargin, rows - gap, width};
    l.players = {kTitle + gap, panel, seats, panel_width};
    l.plies = {kTitle + gap + seats + 1, panel, rows - gap - seats - 1, panel_width};
    const bool below = drawing.rows < l.pane.rows;
    l.chat = below ? Area{line - 2, 1, 1, size.columns - 2} : Area{line - 2, panel, 1, panel_width};
    l.said_at_length = {l.plies.row, panel, line - l.plies.row, panel_width};
  }
  l.board = middle_of(l.pane, drawing, !above);
  // What the drawing leaves free below it is the sentence's.
  const int free = std::max(0, line - 1 - l.board.row - std::min(drawing.rows, l.board.rows));
  l.said = {line - 1 - free, 1, 1 + free, size.columns - 2};
  return l;
}

// Enough for the drawing and a list beside it, so that the line for moves is
// near the board; a drawing that grows takes a few rows at a time.
Size BoardScreen::wanted(Size terminal) const {
  constexpr int kRows = 24, kColumns = 100, kStep = 6, kAround = 5;
  const int rows = (picture_.size().rows + kAround + kStep - 1) / kStep * kStep;
  return {std::min(terminal.rows, std::max(rows, kRows)),
          std::min(terminal.columns, std::max(kColumns, reserved_ + 46))};
}

void BoardScreen::draw_head(Canvas& canvas, const Layout& l) const {
  const Match& m = match();
  std::string title = desk_.id() + "  " + title_with_options(m.game(), m.options()) +
                      (desk_.trying() ? " - trying moves" : "");
  if (const std::size_t watching = desk_.watching())
    title += " - " + count_of(watching, "watches", "watch");
  const std::string out = desk_.trying() ? "Esc ends" : "Esc boards";
  const std::vector<std::pair<std::string, Key>> links{{"? help", typed('?')},
                                                       {out, {Key::Code::escape}}};
  if (!l.beside) return draw_title(canvas, title, "? help  " + out, links);
  canvas.put(0, l.players.column, fit(title, l.players.columns), Style::title);
  const std::string keys = canvas.aside.empty() ? fit("? help  " + out, l.players.columns)
                                                : fit(canvas.aside, l.players.columns);
  canvas.put(1, l.players.column, keys, canvas.aside.empty() ? Style::key : Style::turn);
  link_words(canvas, 1, l.players.column, keys, links);
}

void BoardScreen::draw(Canvas& canvas) {
  const Layout l = layout(canvas.size());
  const Match& m = match();
  const LookingBack* back = doing<LookingBack>();
  draw_head(canvas, l);
  // A drawing as high as the window takes the line's row.
  if (l.players.row == 1) canvas.clear(1);
  const bool chat_below = l.chat.rows > 0 && l.chat.column == 1;
  const int end = l.beside || (l.chat.rows > 0 && !chat_below) ? l.line : l.line - 1 - chat_below;
  if (l.plies.columns > 0) canvas.wall(l.pane.row, l.plies.column - 2, end - l.pane.row);
  picture_.draw(canvas, l.board);
  draw_players(canvas, l.players, m, seen_, looking_back() || previews(), desk_.times(now()));
  if (Area plies = l.plies; plies.columns > 0) {
    const Analysis* analysis = desk_.analysed();
    const int curve = analysis ? draw_curve(canvas, plies, m, *analysis, shown()) : 0;
    plies.row += curve;
    plies.rows -= curve;
    plies.rows -= draw_answers(canvas, plies);
    list_.draw(canvas, plies, m, back ? std::optional(back->ply) : std::nullopt, analysis);
  }
  if (l.talk.rows > 0) draw_talk(canvas, l.talk);
  draw_line(canvas, l);
  if (l.foot) draw_foot(canvas, canvas.size().rows - 1);
  if (const Picking* picking = doing<Picking>())
    if (const auto place = picture_.place(picking->picker().cursor())) canvas.cursor = place;
}

void BoardScreen::draw_talk(Canvas& canvas, const Area& area) const {
  int row = area.row + 1;
  canvas.put(row, area.column, fit("said here", area.columns), Style::dim);
  for (const std::string& line : talk_lines(area.columns, area.rows - 2))
    canvas.put(++row, area.column, fit(line, area.columns), Style::key);
}

// What is kept to be answered, at the foot of the list of plies; the rows it took.
int BoardScreen::draw_answers(Canvas& canvas, const Area& plies) const {
  constexpr int kList = 3;  // rows that the plies keep
  std::vector<std::string> lines = desk_.kept_answers();
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

// The keys that are of use now, as many as there is room for.
void BoardScreen::draw_foot(Canvas& canvas, int row) const {
  int column = 1;
  const auto foot = [&](const auto& mode) -> const FootKeys& { return mode.foot(*this); };
  for (const auto& [key, word] : std::visit(foot, mode_)) {
    const std::string text = key_name(key) + " " + std::string(word);
    if (column + columns(text) > canvas.size().columns - 1) return;
    canvas.put(row, column, text, Style::dim);
    canvas.link(row, column, columns(text), {key});
    column += columns(text) + 2;
  }
}

}  // namespace pbm
