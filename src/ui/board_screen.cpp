// SPDX-License-Identifier: MIT
#include "ui/board_screen.hpp"

#include <algorithm>
#include <charconv>

#include "game/options.hpp"

namespace pbm {

enum class BoardScreen::Command : std::uint8_t {
  enter, leave, complete, older, newer, past, later, now, preview,
  scroll_up, scroll_down, scroll_left, scroll_right, plies_up, plies_down, field, rules, help,
  left, right, up, down, up_left, up_right, down_left, down_right, next, pick, unpick, stop,
};

const std::vector<Binding<BoardScreen::Command>>& BoardScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::enter, {{enter}}, "play what is typed, and keep it; #12 shows the board after ply 12"},
      {Command::leave, {{escape}}, "clear the line; on an empty line, back to the boards"},
      {Command::complete, {{tab}}, "complete what is typed; on an empty line, make a move by hand"},
      {Command::preview, {ctrl('O')}, "see the board as the typed move would make it"},
      {Command::older, {{Key::Code::up}}, "what was typed before"},
      {Command::newer, {{Key::Code::down}}, "what was typed after that"},
      {Command::past, {ctrl('P')}, "the board a ply earlier"},
      {Command::later, {ctrl('N')}, "the board a ply later"},
      {Command::now, {{end}}, "after looking back: the board as it is now"},
      {Command::scroll_up, {{page_up}, ctrl('B')}, "scroll a board larger than the screen up"},
      {Command::scroll_down, {{page_down}, ctrl('F')}, "scroll it down"},
      {Command::scroll_left, {typed('<')}, "scroll it to the left"},
      {Command::scroll_right, {typed('>')}, "scroll it to the right"},
      {Command::plies_up, {typed('[')}, "scroll the list of plies up"},
      {Command::plies_down, {typed(']')}, "scroll the list of plies down"},
      {Command::field, {ctrl('T')}, "draw the field in its next style (where a game has several)"},
      {Command::rules, {{function, 1}, ctrl('R')}, "the rules of this game"},
      {Command::help, {typed('?')}, "this help"},
  };
  return table;
}

// While a move is made by hand these come before the others.
const std::vector<Binding<BoardScreen::Command>>& BoardScreen::picking_bindings() {
  static const std::vector<Binding<Command>> table{
      {Command::left, {{Key::Code::left}, typed('h')}, "by hand: to the left"},
      {Command::right, {{Key::Code::right}, typed('l')}, "by hand: to the right"},
      {Command::up, {{Key::Code::up}, typed('k')}, "by hand: up"},
      {Command::down, {{Key::Code::down}, typed('j')}, "by hand: down"},
      {Command::up_left, {typed('y')}, "by hand: up and left"},
      {Command::up_right, {typed('u')}, "by hand: up and right"},
      {Command::down_left, {typed('b')}, "by hand: down and left"},
      {Command::down_right, {typed('n')}, "by hand: down and right"},
      {Command::next, {{Key::Code::tab}}, "by hand: to the next square that can be picked"},
      {Command::pick, {{Key::Code::enter}, typed(' ')}, "by hand: pick the square; play the move once it is whole"},
      {Command::unpick, {{Key::Code::backspace}}, "by hand: take the last pick back"},
      {Command::stop, {{Key::Code::escape}}, "by hand: back to typing"},
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
  for (KeyHelp& k : key_help<Command>(picking_bindings())) out.push_back(std::move(k));
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  out.push_back({"resign", "typed as a move: give the game up"});
  out.push_back({"propose", "typed as a move: offer a draw (answer: accept or reject)"});
  out.push_back({"undo", "typed as a move: take the last ply back"});
  return out;
}

// The match is another one now, or a ply longer.
void BoardScreen::changed() {
  judge_.reset(board_.match);
  past_.reset();
  preview_ = false;
  picker_.reset();
  follow_plies_ = true;
  look();
}

View BoardScreen::view_now(bool finished) const {
  View v = view_;
  v.finished = finished;
  return v;
}

// Makes the picture that of the ply looked at, of the move typed, or of now.
void BoardScreen::look() {
  const Match& m = board_.match;
  const auto& plies = m.plies();
  const std::size_t shown = past_.value_or(plies.size());
  const bool now = shown == plies.size();
  const bool beside = now && m.ending() && !m.ending()->on_board;  // resigned or agreed
  Position position = m.position_after(shown);
  std::vector<SpotId> touched = shown > 0 ? plies[shown - 1].touched : std::vector<SpotId>{};
  if (preview_) {
    const std::string ply = judge_.judge(m, line_.text()).text;
    touched = position.touched(ply);
    position.play(ply);
  }
  picture_.show(position.draw(view_now(beside)));
  picture_.follow(touched.empty() ? std::nullopt : std::optional(touched.back()));
  if (picker_) {
    picture_.mark(picker_->choices(), Mark::choice);
    picture_.mark(picker_->picked(), Mark::picked);
    picture_.follow(picker_->cursor());
    return;
  }
  picture_.mark(touched, Mark::last);
  if (const auto outcome = position.outcome()) picture_.mark(outcome->spots, Mark::win);
}

// The drawing at the left and what is said about it at the right; where there
// is no room beside, the players stand above the drawing.
BoardScreen::Layout BoardScreen::layout(Size size) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 20, kGap = 3, kMargin = 2;
  const Size drawing = picture_.size();
  const int seats = board_.match.seats();
  const int rows = size.rows - kTitle - kBottom;
  const int panel = kMargin + drawing.columns + kGap;
  Layout l{};
  if (size.columns - panel - 1 >= kPanel) {
    const int panel_width = std::min(size.columns - panel - 1, 44);
    // A drawing that fills the height needs the row under the title too.
    const int gap = drawing.rows < rows ? 1 : 0;
    l.board = {kTitle + gap, kMargin, rows - gap, drawing.columns};
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
  const int rows = (picture_.size().rows + kAround + kStep - 1) / kStep * kStep;
  return {std::min(terminal.rows, std::max(rows, kRows)), std::min(terminal.columns, std::max(kColumns, picture_.size().columns + 46))};
}

void BoardScreen::draw(Canvas& canvas) {
  const Layout l = layout(canvas.size());
  draw_title(canvas, board_.id + "  " + title_with_options(board_.match.game(), board_.match.options()), "? help  Esc boards", {{"? help", typed('?')}, {"Esc boards", {Key::Code::escape}}});
  picture_.draw(canvas, l.board);
  draw_players(canvas, l.players);
  if (l.plies.columns > 0) draw_plies(canvas, l.plies);
  draw_line(canvas);
  if (picker_)
    if (const auto place = picture_.place(picker_->cursor())) canvas.cursor = place;
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

void BoardScreen::draw_plies(Canvas& canvas, Area area) {
  const auto& plies = board_.match.plies();
  const int across = std::max(2, std::min(board_.match.seats(), area.columns / 9));
  const int width = area.columns / across;
  const int digits = static_cast<int>(std::to_string(std::max<std::size_t>(plies.size(), 10)).size());
  plies_page_ = std::max(1, area.rows);
  plies_lines_ = (static_cast<int>(plies.size()) + across - 1) / across;
  const int wanted = past_ ? (static_cast<int>(*past_) - 1) / across : plies_lines_ - 1;
  if (follow_plies_) plies_top_ = page_start(plies_lines_, plies_page_, std::max(0, wanted), plies_top_);
  follow_plies_ = false;
  plies_top_ = std::clamp(plies_top_, 0, std::max(0, plies_lines_ - 1));
  for (int r = 0; r < area.rows && plies_top_ + r < plies_lines_; ++r)
    for (int c = 0; c < across; ++c) {
      const std::size_t i = static_cast<std::size_t>((plies_top_ + r) * across + c);
      if (i >= plies.size()) break;
      std::string number = std::to_string(i + 1);
      number.insert(0, static_cast<std::size_t>(digits) - number.size(), ' ');
      const Mark mark = past_ == i + 1 ? Mark::last : Mark::none;
      const int at = canvas.put(area.row + r, area.column + c * width, number, Style::text, mark);
      canvas.put(area.row + r, at + 1, fit(plies[i].text, width - digits - 2), Style::text);
    }
}

std::string BoardScreen::idle_message() const {
  const Match& m = board_.match;
  if (picker_) return "Arrows and Tab move, Enter picks, Backspace takes back, Esc ends.";
  if (m.offer()) return m.offered() + " Type accept or reject.";
  if (m.ending()) return m.standing();
  if (m.plies().empty()) return "A move is " + std::string(m.game().move_syntax) + ". Tab makes one by hand.";
  return "";
}

// Where one looks back to, and what was played there.
std::string BoardScreen::past_message() const {
  const Match& m = board_.match;
  const std::size_t n = *past_, behind = m.plies().size() - n;
  std::string out = count_of(behind, "ply", "plies") + " behind, End returns. ";
  if (n == 0) return out + "The start.";
  const Match::Ply& ply = m.plies()[n - 1];
  const std::string when = long_time(ply.at);
  return out + std::to_string(n) + ": " + m.player(ply.seat) + " " + ply.described + (when.empty() ? "." : ", " + when + ".");
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
  if (preview_) return "Not played yet: " + j.text + ". Enter plays it, any other key goes back.";
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
  } else if (past_) {
    message = past_message();
  } else if (line_.text().starts_with('#')) {
    message = "Enter shows the board after that ply.";
  } else if (j.kind != Judgement::Kind::empty && recalling_) {
    message.clear();  // leafing through old lines: each is judged when it is touched
  } else if (j.kind != Judgement::Kind::empty) {
    message = judgement_message(j, style);
  } else if (m.ending() || m.offer()) {
    style = Style::turn;
  }
  const int first = draw_message(canvas, rows - 1, std::max(1, rows / 4), message, style);
  // What can follow is typed by a click on it; a whole move is played by one.
  if (j.kind == Judgement::Kind::complete)
    for (int r = first; r < rows - 1; ++r) canvas.link(r, 0, width, {{Key::Code::enter}});
  const std::string words = " " + message + " ";
  for (const std::string& next : j.next) {
    const std::size_t at = words.find(" " + next + " ");
    std::vector<Key> keys;
    for (std::size_t i = std::min(next.size(), line_.text().size()); i < next.size(); ++i) keys.push_back(typed(static_cast<char32_t>(next[i])));
    if (at != std::string::npos && first == rows - 2) canvas.link(first, 1 + static_cast<int>(at), static_cast<int>(next.size()), std::move(keys));
  }
  const std::string who = m.ending() ? "over" : fit(m.names()[static_cast<std::size_t>(*m.to_move())], 16) + " (" + m.position().sign(*m.to_move()) + ")";
  const int c = canvas.put(rows - 1, 1, who + "> ", Style::text);
  const bool judged = j.kind == Judgement::Kind::refused && !line_.text().starts_with('#');
  const auto wrong = judged ? std::optional<std::size_t>(j.at) : std::nullopt;
  line_.draw(canvas, rows - 1, c, width - c - 1, Style::text, wrong);
}

void BoardScreen::forget_notice() {
  recalling_ = false;
  notice_.clear();
  notice_is_wrong_ = false;
}

std::optional<BoardScreen::Command> BoardScreen::command_of(const Key& key) const {
  if (picker_)
    if (const auto command = command_for<Command>(picking_bindings(), key)) return command;
  const auto command = command_for<Command>(bindings(), key);
  // The end of a line that is being typed is nearer than the end of the game.
  if (command == Command::now && !past_) return std::nullopt;
  return command;
}

Request BoardScreen::press(const Key& key) {
  const auto command = command_of(key);
  if (preview_ && command != Command::enter && command != Command::pick) {
    preview_ = false;
    look();
    if (command == Command::preview || command == Command::leave || command == Command::stop) return {};
  }
  if (command) {
    forget_notice();
    return run(*command);
  }
  if (line_.press(key)) {
    forget_notice();
    recalled_ = history_.size();
    if (past_) show_ply(board_.match.plies().size());
  }
  return {};
}

void BoardScreen::paste(char32_t c) {
  forget_notice();
  if (past_ || preview_) {
    preview_ = false;
    show_ply(board_.match.plies().size());
  }
  line_.press(typed(c));
}

Request BoardScreen::click(Point place) {
  forget_notice();
  const auto spot = picture_.spot_near(place);
  if (!spot || past_ || board_.match.ending()) return {};
  if (!picker_) {
    line_.set("");
    start_picking();
  }
  picker_->go_to(*spot);
  const auto before = picker_->picked();
  run_picking(Command::pick);
  // A click beside the trail begins a new one.
  if (picker_ && !before.empty() && picker_->picked() == before && picker_->cursor() == *spot) {
    start_picking();
    picker_->go_to(*spot);
    line_.set("");
    run_picking(Command::pick);
  }
  return {};
}

void BoardScreen::boards_changed() {
  auto fresh = boards_.open(board_.id);
  // A file that cannot be read just now is told when somebody plays.
  if (!fresh || fresh->match.log() == board_.match.log() || fresh->match.names() != board_.match.names()) return;
  const std::size_t before = board_.match.plies().size();
  board_ = std::move(*fresh);
  changed();
  overtaken_ = std::chrono::steady_clock::now();
  const auto& plies = board_.match.plies();
  notice_is_wrong_ = false;
  if (board_.match.ending()) return;  // which says enough
  notice_ = plies.size() == before + 1 ? plies.back().text + ": " + board_.match.player(plies.back().seat) + " " + plies.back().described + "."
                                       : "This board was played on by somebody else.";
}

Request BoardScreen::run(Command command) {
  const std::size_t plies = board_.match.plies().size();
  switch (command) {
    case Command::enter: enter(); return {};
    case Command::leave:
      if (past_) {
        show_ply(plies);
        return {};
      }
      if (line_.empty()) return {Request::Kind::back, ""};
      line_.set("");
      return {};
    case Command::complete:
      if (line_.empty())
        start_picking();
      else
        line_.set(judge_.complete(line_.text()));
      return {};
    case Command::preview: {
      const Judgement j = judge_.judge(board_.match, line_.text());
      preview_ = j.kind == Judgement::Kind::complete && !is_match_word(j.text);
      if (!preview_) notice_ = "Type a legal move first: then this shows what it would do.";
      past_.reset();
      look();
      return {};
    }
    case Command::older: recall(-1); return {};
    case Command::newer: recall(1); return {};
    case Command::past: show_ply(past_.value_or(plies) - (past_.value_or(plies) > 0)); return {};
    case Command::later: show_ply(past_.value_or(plies) + 1); return {};
    case Command::now: show_ply(plies); return {};
    case Command::scroll_up: picture_.scroll(-1, 0); return {};
    case Command::scroll_down: picture_.scroll(1, 0); return {};
    case Command::scroll_left: picture_.scroll(0, -1); return {};
    case Command::scroll_right: picture_.scroll(0, 1); return {};
    case Command::plies_up: plies_top_ = std::max(0, plies_top_ - std::max(1, plies_page_ / 2)); return {};
    case Command::plies_down: plies_top_ = std::max(0, std::min(plies_top_ + std::max(1, plies_page_ / 2), plies_lines_ - plies_page_)); return {};
    case Command::field: {
      const std::string_view fields = board_.match.game().fields;
      if (fields.empty()) return {};
      view_.field = fields[(fields.find(view_.field) + 1) % fields.size()];
      picker_.reset();
      look();
      return {Request::Kind::field, std::string(1, view_.field)};
    }
    case Command::rules: return {Request::Kind::rules, std::string(board_.match.game().name)};
    case Command::help: return {Request::Kind::help, ""};
    default: run_picking(command); return {};
  }
}

void BoardScreen::run_picking(Command command) {
  switch (command) {
    case Command::next: picker_->go_to_next(); break;
    case Command::pick:
      // What is typed behind the picks (a letter, a number) makes it whole.
      if (judge_.judge(board_.match, line_.text()).kind == Judgement::Kind::complete && (line_.text() != picker_->text() || !picker_->pick())) {
        enter();
        return;
      }
      if (line_.text() == picker_->text()) picker_->pick();
      picked();
      return;
    case Command::unpick:
      if (line_.text() != picker_->text()) {
        line_.press({Key::Code::backspace});
        return;
      }
      picker_->unpick();
      picked();
      return;
    case Command::stop:
      picker_.reset();
      line_.set("");
      break;
    default: picker_->go(static_cast<Picker::Direction>(static_cast<int>(command) - static_cast<int>(Command::left))); break;
  }
  look();
}

void BoardScreen::start_picking() {
  if (board_.match.ending()) {
    notice_ = board_.match.standing();
    return;
  }
  past_.reset();
  picker_.emplace(board_.match.position(), board_.match.position().draw(view_now(false)));
  look();
}

// The picks have changed: they stand in the line, in notation.
void BoardScreen::picked() {
  line_.set(picker_->text());
  look();
}

void BoardScreen::show_ply(std::size_t ply) {
  const std::size_t plies = board_.match.plies().size();
  past_ = ply < plies ? std::optional(ply) : std::nullopt;
  picker_.reset();
  follow_plies_ = true;
  look();
}

void BoardScreen::enter() {
  const std::string typed(trim(line_.text()));
  if (typed.empty()) return;
  if (typed.front() == '#') {
    const std::size_t plies = board_.match.plies().size();
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(typed.data() + 1, typed.data() + typed.size(), n);
    if (error != std::errc() || end != typed.data() + typed.size() || n > plies) {
      notice_ = "This board has " + count_of(plies, "ply", "plies") + ": type #0 to #" + std::to_string(plies) + " to see one.";
      notice_is_wrong_ = true;
      return;
    }
    line_.set("");
    show_ply(n);
    return;
  }
  // An Enter that was on its way when another ply came was meant for the
  // position before it: nobody has seen and answered this one so soon.
  constexpr std::chrono::milliseconds kSight{500};
  if (std::chrono::steady_clock::now() - overtaken_ < kSight) {
    notice_ = "Somebody else played on this board meanwhile: look at the position again. " + board_.match.standing();
    notice_is_wrong_ = true;
    return;
  }
  const bool by_hand = picker_.has_value();
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
  if (same_ignoring_case(typed, "undo")) notice_ = "The last ply is taken back.";
  // Whoever plays by hand goes on so.
  if (by_hand && !board_.match.ending()) start_picking();
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
