// SPDX-License-Identifier: MIT
#include "ui/board_screen.hpp"

#include <algorithm>

#include "game/options.hpp"

namespace pbm {

enum class BoardScreen::Command : std::uint8_t {
  enter, leave, complete, older, newer, up, down, left, right, plies_up, plies_down, field, rules, help
};

const std::vector<Binding<BoardScreen::Command>>& BoardScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::enter, {{enter}}, "play what is typed, and keep it"},
      {Command::leave, {{escape}}, "clear the line; on an empty line, back to the boards"},
      {Command::complete, {{tab}}, "complete what is typed as far as it is clear"},
      {Command::older, {{Key::Code::up}}, "what was typed before"},
      {Command::newer, {{Key::Code::down}}, "what was typed after that"},
      {Command::up, {{page_up}, ctrl('B')}, "scroll a board larger than the screen up"},
      {Command::down, {{page_down}, ctrl('F')}, "scroll it down"},
      {Command::left, {typed('<')}, "scroll it to the left"},
      {Command::right, {typed('>')}, "scroll it to the right"},
      {Command::plies_up, {typed('[')}, "scroll the list of plies up"},
      {Command::plies_down, {typed(']')}, "scroll the list of plies down"},
      {Command::field, {ctrl('T')}, "draw the field in its next style (where a game has several)"},
      {Command::rules, {{function, 1}, ctrl('R')}, "the rules of this game"},
      {Command::help, {typed('?')}, "this help"},
  };
  return table;
}

BoardScreen::BoardScreen(Boards& boards, Board board, View view) : boards_(boards), board_(std::move(board)), view_(view) {
  notice_ = board_.warning;
  notice_is_wrong_ = !notice_.empty();
  changed();
}

std::vector<KeyHelp> BoardScreen::keys() const {
  std::vector<KeyHelp> out = key_help<Command>(bindings());
  if (board_.match.game().fields.empty()) std::erase_if(out, [](const KeyHelp& k) { return k.keys == "Ctrl-T"; });
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  out.push_back({"resign", "typed as a move: give the game up"});
  out.push_back({"propose", "typed as a move: offer a draw (answer: accept or reject)"});
  out.push_back({"undo", "typed as a move: take the last ply back"});
  return out;
}

void BoardScreen::changed() {
  judge_.reset(board_.match);
  drawing_ = board_.match.position().draw(view_now());
  follow_ = follow_plies_ = true;
}

View BoardScreen::view_now() const {
  View v = view_;
  v.finished = board_.match.ending() && !board_.match.ending()->on_board;
  return v;
}

// The drawing at the left and what is said about it at the right; where there
// is no room beside, the players stand above the drawing.
BoardScreen::Layout BoardScreen::layout(Size size, const Drawing& drawing) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 20, kGap = 3, kMargin = 2;
  int width = 0;
  for (const std::string& row : drawing.rows) width = std::max(width, static_cast<int>(row.size()));
  const int seats = board_.match.seats();
  const int rows = size.rows - kTitle - kBottom;
  const int panel = kMargin + width + kGap;
  Layout l{};
  if (size.columns - panel - 1 >= kPanel) {
    const int panel_width = std::min(size.columns - panel - 1, 44);
    // A drawing that fills the height needs the row under the title too.
    const int gap = static_cast<int>(drawing.rows.size()) < rows ? 1 : 0;
    l.board = {kTitle + gap, kMargin, rows - gap, width};
    l.players = {kTitle + gap, panel, seats, panel_width};
    l.plies = {kTitle + gap + seats + 1, panel, rows - gap - seats - 1, panel_width};
  } else {
    l.players = {kTitle, kMargin, seats, size.columns - kMargin - 1};
    l.board = {kTitle + seats, kMargin, rows - seats, size.columns - kMargin - 1};
  }
  return l;
}

// Enough for the drawing and a list beside it, so that the line for moves is
// near the board; a drawing that grows takes a few rows at a time.
Size BoardScreen::wanted(Size terminal) const {
  constexpr int kRows = 24, kColumns = 100, kStep = 6, kAround = 5;
  int width = 0;
  for (const std::string& row : drawing_.rows) width = std::max(width, static_cast<int>(row.size()));
  const int rows = (static_cast<int>(drawing_.rows.size()) + kAround + kStep - 1) / kStep * kStep;
  return {std::min(terminal.rows, std::max(rows, kRows)), std::min(terminal.columns, std::max(kColumns, width + 46))};
}

void BoardScreen::draw(Canvas& canvas) const {
  const Layout l = layout(canvas.size(), drawing_);
  if (!(drawn_ == canvas.size())) follow_ = follow_plies_ = true;
  drawn_ = canvas.size();
  draw_title(canvas, board_.id + "  " + title_with_options(board_.match.game(), board_.match.options()), "? help  Esc boards");
  draw_board(canvas, l.board, drawing_);
  draw_players(canvas, l.players);
  if (l.plies.columns > 0) draw_plies(canvas, l.plies);
  draw_line(canvas);
}

void BoardScreen::draw_board(Canvas& canvas, Area area, const Drawing& drawing) const {
  const int height = static_cast<int>(drawing.rows.size());
  int width = 0;
  for (const std::string& row : drawing.rows) width = std::max(width, static_cast<int>(row.size()));
  top_most_ = std::max(0, height - area.rows);
  left_most_ = std::max(0, width - area.columns);
  board_page_ = std::max(1, area.rows / 2);
  const auto& plies = board_.match.plies();
  if (follow_ && plies.empty()) {
    // Of a drawing a little too large the frame goes first.
    top_ = top_most_ / 2;
    left_ = left_most_ / 2;
  }
  if (follow_ && !plies.empty() && (top_most_ > 0 || left_most_ > 0))
    for (const Spot& s : drawing.spots)
      if (!plies.back().touched.empty() && s.id == plies.back().touched.back()) {
        if (s.row < top_ + 1 || s.row >= top_ + area.rows - 1) top_ = s.row - area.rows / 2;
        if (s.column < left_ + 2 || s.column >= left_ + area.columns - 3) left_ = s.column - area.columns / 2;
      }
  follow_ = false;
  top_ = std::clamp(top_, 0, top_most_);
  left_ = std::clamp(left_, 0, left_most_);

  const auto visible = [&](int row, int column) { return row >= top_ && row < top_ + area.rows && column >= left_ && column < left_ + area.columns; };
  for (int r = top_; r < std::min(height, top_ + area.rows); ++r) {
    const std::string& row = drawing.rows[static_cast<std::size_t>(r)];
    if (static_cast<int>(row.size()) > left_)
      canvas.put(area.row + r - top_, area.column, std::string_view(row).substr(static_cast<std::size_t>(left_), static_cast<std::size_t>(area.columns)), Style::board);
  }
  const auto& ending = board_.match.ending();
  const auto among = [](const std::vector<SpotId>& ids, SpotId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  for (const Spot& s : drawing.spots) {
    Mark mark = Mark::none;
    if (!plies.empty() && among(plies.back().touched, s.id)) mark = Mark::last;
    if (ending && among(ending->spots, s.id)) mark = Mark::win;
    const std::string& row = drawing.rows[static_cast<std::size_t>(s.row)];
    for (int i = s.column; i < s.column + s.width; ++i)
      if (visible(s.row, i)) {
        const char glyph = i < static_cast<int>(row.size()) ? row[static_cast<std::size_t>(i)] : ' ';
        if (glyph != ' ' || mark != Mark::none)
          canvas.put(area.row + s.row - top_, area.column + i - left_, std::string_view(&glyph, 1), style_of(s.role), mark);
      }
  }
  // There is more of the board in these directions.
  const int edge = canvas.size().columns - 1;
  if (top_ > 0) canvas.put(area.row, edge, "^", Style::key);
  if (top_ < top_most_) canvas.put(area.row + area.rows - 1, edge, "v", Style::key);
  if (left_ > 0) canvas.put(area.row + area.rows / 2, 0, "<", Style::key);
  if (left_ < left_most_) canvas.put(area.row + area.rows / 2, edge, ">", Style::key);
}

void BoardScreen::draw_players(Canvas& canvas, Area area) const {
  const Match& m = board_.match;
  std::size_t sign_width = 0, holding_width = 0;
  for (Seat s = 0; s < m.seats(); ++s) {
    sign_width = std::max(sign_width, m.position().sign(s).size());
    holding_width = std::max(holding_width, m.position().holdings(s).size());
  }
  for (Seat s = 0; s < m.seats(); ++s) {
    const int row = area.row + s;
    const bool turn = m.to_move() == s;
    const bool won = m.ending() && m.ending()->winner == s;
    if (turn || won) canvas.put(row, area.column, won ? "*" : ">", Style::turn);
    // The turn is the marker alone: names that change their look with every
    // ply would cost a slow line more than they tell.
    const Style style = won ? Style::turn : m.plays(s) ? Style::text : Style::dim;
    const int name_column = area.column + 2 + static_cast<int>(sign_width) + 1;
    canvas.put(row, area.column + 2, m.position().sign(s), style);
    std::string right = m.position().holdings(s);
    if (won) right = "won";
    else if (!m.plays(s)) right = "resigned";
    const int end = area.column + area.columns;
    const int right_column = end - static_cast<int>(std::max(holding_width, right.size()));
    canvas.put(row, name_column, fit(m.names()[static_cast<std::size_t>(s)], right_column - 1 - name_column), style);
    canvas.put(row, right_column, right, style);
  }
}

void BoardScreen::draw_plies(Canvas& canvas, Area area) const {
  const auto& plies = board_.match.plies();
  const int across = std::max(2, std::min(board_.match.seats(), area.columns / 9));
  const int width = area.columns / across;
  const int digits = static_cast<int>(std::to_string(std::max<std::size_t>(plies.size(), 10)).size());
  plies_page_ = std::max(1, area.rows);
  plies_lines_ = (static_cast<int>(plies.size()) + across - 1) / across;
  if (follow_plies_) plies_top_ = page_start(plies_lines_, plies_page_, plies_lines_ - 1, plies_top_);
  follow_plies_ = false;
  plies_top_ = std::clamp(plies_top_, 0, std::max(0, plies_lines_ - 1));
  for (int r = 0; r < area.rows && plies_top_ + r < plies_lines_; ++r)
    for (int c = 0; c < across; ++c) {
      const std::size_t i = static_cast<std::size_t>((plies_top_ + r) * across + c);
      if (i >= plies.size()) break;
      std::string number = std::to_string(i + 1);
      number.insert(0, static_cast<std::size_t>(digits) - number.size(), ' ');
      const int at = canvas.put(area.row + r, area.column + c * width, number, Style::text);
      canvas.put(area.row + r, at + 1, fit(plies[i].text, width - digits - 2), Style::text);
    }
}

std::string BoardScreen::idle_message() const {
  const Match& m = board_.match;
  if (m.offer()) return m.offered() + " Type accept or reject.";
  if (m.ending()) return m.standing();
  if (m.plies().empty()) return "A move is " + std::string(m.game().move_syntax) + ".";
  return "";
}

std::string BoardScreen::judgement_message(const Judgement& j, Style& style) const {
  style = Style::partial;
  const auto some = [&](std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < std::min(most, j.next.size()); ++i) out += (i ? " " : "") + j.next[i];
    return j.next.size() > most ? out + " ..." : out;
  };
  switch (j.kind) {
    case Judgement::Kind::empty: return "";
    case Judgement::Kind::partial: return "... " + some(12);
    case Judgement::Kind::refused: style = Style::bad; return j.why;
    case Judgement::Kind::complete: break;
  }
  style = Style::good;
  if (is_match_word(j.text)) return "Enter: " + j.text;
  const std::string caution = board_.match.position().caution(j.text);
  if (!caution.empty()) {
    style = Style::warning;
    return "Legal, but: " + caution;
  }
  return "Legal: " + board_.match.position().describe(j.text) + (j.next.empty() ? "." : ", or on: " + some(8));
}

void BoardScreen::draw_line(Canvas& canvas) const {
  const int rows = canvas.size().rows, width = canvas.size().columns;
  const Match& m = board_.match;
  const Judgement j = judge_.judge(m, line_.text());
  Style style = Style::dim;
  std::string message = idle_message();
  if (!notice_.empty()) {
    style = notice_is_wrong_ ? Style::bad : Style::good;
    message = notice_;
  } else if (j.kind != Judgement::Kind::empty && recalling_) {
    message.clear();  // leafing through old lines: each is judged when it is touched
  } else if (j.kind != Judgement::Kind::empty) {
    message = judgement_message(j, style);
  } else if (m.ending() || m.offer()) {
    style = Style::turn;
  }
  draw_message(canvas, rows - 1, std::max(1, rows / 4), message, style);
  const std::string who = m.ending() ? "over" : fit(m.names()[static_cast<std::size_t>(*m.to_move())], 16) + " (" + m.position().sign(*m.to_move()) + ")";
  const int c = canvas.put(rows - 1, 1, who + "> ", Style::text);
  const auto wrong = j.kind == Judgement::Kind::refused ? std::optional<std::size_t>(j.at) : std::nullopt;
  line_.draw(canvas, rows - 1, c, width - c - 1, Style::text, wrong);
}

void BoardScreen::forget_notice() {
  recalling_ = false;
  notice_.clear();
  notice_is_wrong_ = false;
}

Request BoardScreen::press(const Key& key) {
  const auto command = command_for<Command>(bindings(), key);
  if (command) {
    forget_notice();
    return run(*command);
  }
  if (line_.press(key)) {
    forget_notice();
    recalled_ = history_.size();
  }
  return {};
}

void BoardScreen::paste(char32_t c) {
  forget_notice();
  line_.press(typed(c));
}

Request BoardScreen::run(Command command) {
  const auto scroll = [](int& where, int by, int most) { where = std::clamp(where + by, 0, std::max(0, most)); };
  switch (command) {
    case Command::enter: enter(); return {};
    case Command::leave:
      if (line_.empty()) return {Request::Kind::back, ""};
      line_.set("");
      return {};
    case Command::complete: complete(); return {};
    case Command::older: recall(-1); return {};
    case Command::newer: recall(1); return {};
    case Command::up: scroll(top_, -board_page_, top_most_); return {};
    case Command::down: scroll(top_, board_page_, top_most_); return {};
    case Command::left: scroll(left_, -8, left_most_); return {};
    case Command::right: scroll(left_, 8, left_most_); return {};
    case Command::plies_up: scroll(plies_top_, -std::max(1, plies_page_ / 2), plies_lines_ - 1); return {};
    case Command::plies_down: scroll(plies_top_, std::max(1, plies_page_ / 2), plies_lines_ - plies_page_); return {};
    case Command::field: {
      const std::string_view fields = board_.match.game().fields;
      if (fields.empty()) return {};
      view_.field = fields[(fields.find(view_.field) + 1) % fields.size()];
      drawing_ = board_.match.position().draw(view_now());
      return {Request::Kind::field, std::string(1, view_.field)};
    }
    case Command::rules: return {Request::Kind::rules, std::string(board_.match.game().name)};
    case Command::help: return {Request::Kind::help, ""};
  }
  return {};
}

void BoardScreen::enter() {
  const std::string typed(trim(line_.text()));
  if (typed.empty()) return;
  const bool word = is_match_word(typed);
  const auto played = boards_.play(board_, turns_at_one_keyboard(board_.match, typed));
  changed();
  if (!played) {
    notice_ = played.refusal().why;
    notice_is_wrong_ = true;
    return;
  }
  if (history_.empty() || history_.back() != typed) history_.push_back(typed);
  recalled_ = history_.size();
  line_.set("");
  if (word && lower(typed) == "undo") notice_ = "The last ply is taken back.";
}

void BoardScreen::complete() {
  line_.set(judge_.complete(line_.text()));
}

void BoardScreen::recall(int step) {
  recalling_ = true;
  if (step < 0 && recalled_ > 0) line_.set(history_[--recalled_]);
  if (step > 0 && recalled_ < history_.size()) {
    ++recalled_;
    line_.set(recalled_ < history_.size() ? history_[recalled_] : "");
  }
}

}  // namespace pbm
