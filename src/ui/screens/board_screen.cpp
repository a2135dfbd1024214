// SPDX-License-Identifier: MIT
#include "ui/screens/board_screen.hpp"

#include <algorithm>

#include "game/options.hpp"
#include "game/record.hpp"

namespace pbm {

namespace {
constexpr std::chrono::milliseconds kSight{500};  // nobody has seen and answered a ply sooner
constexpr std::size_t kManyPlies = 64;  // what may become more plies than that names no square yet
}  // namespace

enum class BoardScreen::Command : std::uint8_t {
  enter,
  leave,
  complete,
  older,
  newer,
  past,
  later,
  now,
  preview,
  undo,
  redo,
  try_moves,
  next_board,
  scroll_up,
  scroll_down,
  scroll_left,
  scroll_right,
  plies_up,
  plies_down,
  field,
  record,
  rules,
  help,
  left,
  right,
  up,
  down,
  up_left,
  up_right,
  down_left,
  down_right,
  next,
  pick,
  unpick,
  stop,
};

const std::vector<Binding<BoardScreen::Command>>& BoardScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::enter,
       {{enter}},
       "play what is typed, and keep it; #12 shows the board after ply 12"},
      {Command::leave, {{escape}}, "clear the line; on an empty line, back to the boards"},
      {Command::complete, {{tab}}, "complete what is typed; with nothing to add, go on by hand"},
      {Command::preview, {ctrl('O')}, "see the board as the typed move would make it"},
      {Command::older, {{Key::Code::up}}, "what was typed before"},
      {Command::newer, {{Key::Code::down}}, "what was typed after that"},
      {Command::past, {ctrl('P')}, "the board a ply earlier"},
      {Command::later, {ctrl('N')}, "the board a ply later"},
      {Command::now, {{end}}, "after looking back: the board as it is now"},
      {Command::undo, {ctrl('X')}, "take the last ply back (as undo, typed as a move)"},
      {Command::redo, {ctrl('Y')}, "play it again"},
      {Command::try_moves,
       {{function, 3}},
       "try moves from the position shown; nothing is kept, Esc ends it"},
      {Command::next_board, {ctrl('G')}, "the next board that waits for a move"},
      {Command::scroll_up, {{page_up}, ctrl('B')}, "scroll a board larger than the screen up"},
      {Command::scroll_down, {{page_down}, ctrl('F')}, "scroll it down"},
      {Command::scroll_left, {typed('<')}, "scroll it to the left"},
      {Command::scroll_right, {typed('>')}, "scroll it to the right"},
      {Command::plies_up, {typed('[')}, "scroll the list of plies up"},
      {Command::plies_down, {typed(']')}, "scroll the list of plies down"},
      {Command::field, {ctrl('T')}, "draw the field in its next style (where a game has several)"},
      {Command::record,
       {{function, 5}, ctrl('V')},
       "the whole game as a text: plies in columns, notes"},
      {Command::rules, {{function, 1}, ctrl('R')}, "the rules of this game"},
      {Command::help, {typed('?')}, "this help"},
  };
  return table;
}

// While a move is made by hand these come before the others.
const std::vector<Binding<BoardScreen::Command>>& BoardScreen::picking_bindings() {
  static const std::vector<Binding<Command>> table{
      {Command::left, {{Key::Code::left}, typed('h')}, "to the left"},
      {Command::right, {{Key::Code::right}, typed('l')}, "to the right"},
      {Command::up, {{Key::Code::up}, typed('k')}, "up"},
      {Command::down, {{Key::Code::down}, typed('j')}, "down"},
      {Command::up_left, {typed('y')}, "up and left"},
      {Command::up_right, {typed('u')}, "up and right"},
      {Command::down_left, {typed('b')}, "down and left"},
      {Command::down_right, {typed('n')}, "down and right"},
      {Command::next, {{Key::Code::tab}}, "to the next square that can be picked"},
      {Command::pick,
       {{Key::Code::enter}, typed(' ')},
       "pick the square; play the move once it is whole"},
      {Command::unpick, {{Key::Code::backspace}}, "take the last pick back"},
      {Command::stop, {{Key::Code::escape}}, "back to typing"},
  };
  return table;
}

BoardScreen::BoardScreen(Boards& boards, Board board, const Preferences& preferences)
    : boards_(boards),
      desk_(boards, std::move(board)),
      preferences_(preferences),
      view_{wanted_field()},
      seen_(match().position()) {
  complain(desk_.board().warning);
  changed();
}

// On a server the one kept with the userid.
char BoardScreen::wanted_field() const {
  const auto& remote = desk_.board().remote;
  return remote ? remote->field.value_or(preferences_.field) : preferences_.field;
}

std::vector<KeyHelp> BoardScreen::keys() const {
  std::vector<KeyHelp> out = key_help<Command>(bindings());
  if (match().game().fields.empty())
    std::erase_if(out, [](const KeyHelp& k) { return k.keys == "Ctrl-T"; });
  out.push_back({"", "While a move is made by hand"});
  for (KeyHelp& k : key_help<Command>(picking_bindings())) out.push_back(std::move(k));
  out.push_back({"", "Typed in place of a move"});
  for (const TypedWord* w : desk_.words_now(Front::screen))
    if (!w->about.empty()) out.push_back({w->term(), desk_.about(*w)});
  if (boards_.server()) out.push_back({":COMMAND", "any command for the server; :help lists them"});
  out.push_back({"", "In the list of plies"});
  out.push_back({"*", "the ply has a note"});
  out.push_back({"+", "others were played here and taken back"});
  out.push_back({"", "In the line that is typed"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

// What can be typed may be something else now.
void BoardScreen::judge() {
  std::vector<std::string> words;
  for (const TypedWord* w : desk_.words_now(Front::screen))
    if (w->where != TypedWord::Where::match) words.emplace_back(w->name);
  view_.field = wanted_field();
  const bool shared = desk_.trying() || !desk_.board().remote;
  read_.reset();
  judge_.reset(
      match(), words, shared ? MoveCompletion::Speaker() : [this](std::string_view typed) {
        return desk_.acting_seat(typed);
      });
}

// The match is another one now, or a ply longer.
void BoardScreen::changed() {
  judge();
  past_.reset();
  preview_ = false;
  asked_about_.clear();  // it was a question about the position before
  picker_.reset();
  list_.follow();
  refresh_view();
}

const BoardScreen::Read& BoardScreen::read() const {
  // A picture asks several times, and each answer parses what is typed.
  if (std::string line = line_.text(); !read_ || line != read_->line) {
    TypedLine typed = desk_.read(line);
    Judgement judgement = judge_.judge(match(), typed.text);
    judgement.at += typed.text_at;
    read_ = Read{std::move(line), std::move(typed), std::move(judgement)};
  }
  return *read_;
}

// Makes the picture that of the ply looked at, of the move typed, or of now.
void BoardScreen::refresh_view() {
  const Match& m = match();
  const auto& plies = m.plies();
  const bool now = shown() == plies.size();
  if (!past_) known_plies_ = plies.size();
  Position position = m.position_after(shown());
  std::vector<SpotId> touched = shown() > 0 ? plies[shown() - 1].touched : std::vector<SpotId>{};
  if (preview_) {
    const std::string ply = judgement().text;
    touched = position.touched(ply);
    position.play(ply);
  }
  picture_.show(now && !preview_ ? m.draw(shown(), view_) : position.draw(view_));
  seen_ = position;
  // What stands beside a drawing that grows moves a few columns at a time.
  constexpr int kStep = 12;
  const int width = picture_.size().columns;
  if (width > reserved_) reserved_ = reserved_ == 0 ? width : (width + kStep - 1) / kStep * kStep;
  picture_.follow(touched.empty() ? std::nullopt : std::optional(touched.back()));
  picture_.mark(touched, Mark::last);
  if (picker_) {
    picture_.mark(picker_->choices(), Mark::choice);
    picture_.mark(picker_->picked(), Mark::picked);
    picture_.follow(picker_->cursor());
    return;
  }
  if (const auto outcome = position.outcome()) picture_.mark(outcome->spots, Mark::win);
  if (now && !preview_ && !line_.empty()) light_typed();
}

namespace {

// The spots with which all these trails begin.
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

}  // namespace

// The trails of the plies that `text` may become.
std::vector<std::vector<SpotId>> BoardScreen::trails_of(std::string_view text) const {
  std::vector<std::vector<SpotId>> out;
  for (const std::string& ply : judge_.meant(text, kManyPlies))
    out.push_back(match().position().trail(ply));
  return out;
}

// What is typed shows on the board: the squares it names, and those that can come next.
void BoardScreen::light_typed() {
  const auto trails = trails_of(typed_line().text);
  const auto common = common_beginning(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture_.mark(next, Mark::choice);
  picture_.mark(common, Mark::picked);
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
  const Layout l = layout_above_foot(size);
  if (l.beside || l.pane.rows - picture_.size().rows < kFree) return l;
  Layout with_foot = layout_above_foot({size.rows - 1, size.columns});
  with_foot.foot = true;
  return with_foot;
}

// The drawing at the left and what is said about it at the right; where there
// is no room beside, the players stand above the drawing. Where rows are short
// all but the line stands beside. No sentence takes a row of the drawing.
BoardScreen::Layout BoardScreen::layout_above_foot(Size size) const {
  constexpr int kTitle = 1, kBottom = 2, kPanel = 20, kMinPanel = 14, kMaxPanel = 44, kGap = 3,
                kMargin = 2;
  const Size drawing = picture_.size();
  const int seats = match().seats(), line = size.rows - 1;
  const int rows = size.rows - kTitle - kBottom;
  const int needed =
      size.columns - (kMargin + reserved_ + kGap) - 1 >= kPanel ? reserved_ : drawing.columns;
  // What the panel does not need is the board's.
  const int width = std::max(needed, size.columns - (kMargin + kGap) - 1 - kMaxPanel);
  const int panel = kMargin + width + kGap, panel_width = size.columns - panel - 1;
  const bool above = panel_width < kPanel;
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
  if (const auto& remote = desk_.board().remote;
      remote && !desk_.trying() && !remote->watching.empty())
    title += " - " + one_of(remote->watching, 3) +
             (remote->watching.size() == 1 ? " watches" : " watch");
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
  draw_head(canvas, l);
  // A drawing as high as the window takes the line's row.
  if (l.players.row == 1) canvas.clear(1);
  const bool chat_below = !chat_.empty() && l.chat.column == 1;
  const int end = l.beside || (!chat_.empty() && !chat_below) ? l.line : l.line - 1 - chat_below;
  if (l.plies.columns > 0) canvas.wall(l.pane.row, l.plies.column - 2, end - l.pane.row);
  picture_.draw(canvas, l.board);
  draw_players(canvas, l.players, m, seen_, looking_back() || preview_);
  if (l.plies.columns > 0) list_.draw(canvas, l.plies, m, past_);
  draw_line(canvas, l);
  if (l.foot) draw_foot(canvas, canvas.size().rows - 1);
  if (picker_)
    if (const auto place = picture_.place(picker_->cursor())) canvas.cursor = place;
}

// The keys that are of use now, as many as there is room for.
void BoardScreen::draw_foot(Canvas& canvas, int row) const {
  using Words = std::vector<std::pair<Command, std::string_view>>;
  static const Words by_hand{{Command::next, "next"},
                             {Command::pick, "pick"},
                             {Command::unpick, "take back"},
                             {Command::stop, "type"},
                             {Command::rules, "rules"}};
  static const Words back{{Command::past, "earlier"},
                          {Command::later, "later"},
                          {Command::now, "now"},
                          {Command::try_moves, "try moves"},
                          {Command::record, "record"}};
  static const Words trying{{Command::complete, "by hand"},
                            {Command::past, "look back"},
                            {Command::undo, "take back"},
                            {Command::leave, "back to the game"},
                            {Command::rules, "rules"}};
  static const Words over{{Command::past, "look back"},
                          {Command::record, "record"},
                          {Command::undo, "take back"},
                          {Command::next_board, "next board"},
                          {Command::rules, "rules"}};
  static const Words playing{{Command::complete, "by hand"},
                             {Command::past, "look back"},
                             {Command::undo, "take back"},
                             {Command::try_moves, "try moves"},
                             {Command::rules, "rules"}};
  int column = 1;
  for (const auto& [command, word] : picker_            ? by_hand
                                     : looking_back()   ? back
                                     : desk_.trying()   ? trying
                                     : match().ending() ? over
                                                        : playing) {
    Key key;
    for (const auto* table : {&picking_bindings(), &bindings()})
      for (const auto& binding : *table)
        if (binding.command == command) key = binding.keys.front();
    const std::string text = key_name(key) + " " + std::string(word);
    if (column + columns(text) > canvas.size().columns - 1) return;
    canvas.put(row, column, text, Style::dim);
    canvas.link(row, column, columns(text), {key});
    column += columns(text) + 2;
  }
}

void BoardScreen::forget_notice() {
  recalling_ = false;
  notice_.clear();
  notice_style_ = Style::good;
}

// A move that is typed is one for the board as it is now; a word or a number
// may be about the ply looked back to.
bool BoardScreen::looking_back() const {
  if (!past_) return false;
  const TypedLine& typed = typed_line();
  if (typed.kind != TypedLine::Kind::move && !typed.is_match_word()) return true;
  return judgement().kind == Judgement::Kind::partial &&
         judge_.meant(typed.text, kManyPlies).empty();
}

// Behind a word that takes a text, or in a line for the server, each character is one of it.
bool BoardScreen::typing_text() const {
  if (picker_) return false;
  using enum TypedWord::Where;
  const TypedLine& typed = typed_line();
  return typed.kind == TypedLine::Kind::command ||
         ((typed.of(session) || typed.of(server)) && line_.text().find(' ') != std::string::npos);
}

// Whether a letter is one of what is typed while a move is made by hand: behind
// anything but picks, and where the move that was picked goes on with it.
bool BoardScreen::types_on(const Key& key) const {
  if (key.code != Key::Code::character || key.c <= ' ' || key.c > '~') return false;
  const std::string line = line_.text();
  return line != picker_->text() || (!line.empty() && names_ply(line + static_cast<char>(key.c)));
}

bool BoardScreen::names_ply(const std::string& typed) const {
  return !judge_.meant(typed, std::string::npos).empty();
}

// Letters that have moved the cursor may turn out to begin a word or a move, with
// `c` behind them: then they are in the line, and the cursor where it was. False when they do not.
bool BoardScreen::steps_were_typed(char32_t c) {
  if (c <= ' ' || c > '~') return false;
  std::string typed;
  for (const auto& [letter, from] : steps_) typed += letter;
  typed += static_cast<char>(c);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::string text = typed.substr(i);
    // Behind other steps only a word is meant: a letter may be the last part of a move.
    if (judge_.judge(match(), text).kind == Judgement::Kind::refused || (i > 0 && names_ply(text)))
      continue;
    picker_->go_to(steps_[i].second);
    line_.set(text);
    return true;
  }
  return false;
}

std::optional<BoardScreen::Command> BoardScreen::command_of(const Key& key) const {
  if (key.code == Key::Code::character && typing_text()) return std::nullopt;
  if (picker_ && !types_on(key))
    if (const auto command = command_for<Command>(picking_bindings(), key)) return command;
  const auto command = command_for<Command>(bindings(), key);
  // The end of a line that is being typed is nearer than the end of the game.
  if (command == Command::now && (!past_ || !line_.empty())) return std::nullopt;
  return command;
}

ScreenRequest BoardScreen::press(const Key& key) {
  const std::string before = line_.text();
  ScreenRequest request = take(key);
  call_off_unless(before);
  return request;
}

// A key shows that the ply somebody else made was seen: one that was pressed a
// while after it came, or after the refusal that speaks of it.
void BoardScreen::answer_overtaking() {
  const bool seen = told_overtaken_ || std::chrono::steady_clock::now() - overtaken_ >= kSight;
  if (!desk_.board().remote && seen) overtaken_ = {};
}

ScreenRequest BoardScreen::take(const Key& key) {
  if (key == typed('r') && line_.empty() && !looking_back() && desk_.may_rematch())
    return enter_word(Word::rematch);
  const auto command = command_of(key);
  if (command != Command::enter && command != Command::pick) {
    answer_overtaking();
    asked_about_.clear();
    if (preview_) {
      preview_ = false;
      refresh_view();
      if (command == Command::preview || command == Command::leave || command == Command::stop)
        return {};
    }
  }
  if (command) {
    const bool step = picker_ && key.code == Key::Code::character && key.c > ' ';
    if (!step) steps_.clear();
    else steps_.emplace_back(static_cast<char>(key.c), picker_->cursor());
    forget_notice();
    return run(*command);
  }
  if ((picker_ && key.code == Key::Code::character && steps_were_typed(key.c)) || line_.press(key))
    typed_on();
  return {};
}

void BoardScreen::paste(char32_t c) {
  asked_about_.clear();
  preview_ = false;
  answer_overtaking();
  const std::string before = line_.text();
  line_.press(typed(c));
  typed_on();
  call_off_unless(before);
}

// A ply whose answer was lost is not asked again once the line is another one,
// whichever way it became so.
void BoardScreen::call_off_unless(const std::string& line) {
  if (sent_.empty() || line_.text() == line) return;
  boards_.server()->forget(desk_.id());
  sent_.clear();
}

// The line has changed, by a key that edits it. What is none of the moves ends making one by hand.
void BoardScreen::typed_on() {
  forget_notice();
  recalled_ = history_.size();
  steps_.clear();
  const std::string line = line_.text();
  if (picker_ && line.empty() && !picker_->picked().empty()) start_picking();
  else if (picker_ && !line.empty() && line != picker_->text() && !names_ply(line)) picker_.reset();
  refresh_view();
}

ScreenRequest BoardScreen::click(Point place) {
  asked_about_.clear();
  answer_overtaking();
  forget_notice();
  const std::string before = line_.text();
  pick_at(place);
  call_off_unless(before);
  return {};
}

// Picks the spot there; a click beside the trail begins a new one.
void BoardScreen::pick_at(Point place) {
  const auto spot = picture_.spot_near(place);
  if (!spot || past_ || match().ending()) return;
  if (!picker_) start_picking();
  if (!picker_) return;  // nothing there can be picked
  picker_->go_to(*spot);
  const auto before = picker_->picked();
  run_picking(Command::pick);
  if (picker_ && !before.empty() && picker_->picked() == before && picker_->cursor() == *spot) {
    forget_notice();
    line_.set("");
    start_picking();
    picker_->go_to(*spot);
    run_picking(Command::pick);
  }
}

void BoardScreen::wake() {
  if (view_.field != wanted_field()) {
    view_.field = wanted_field();
    picker_.reset();
    refresh_view();
  }
  boards_changed();
}

// A ply that was asked again by itself leaves the line when it is played.
void BoardScreen::settle_sent(std::size_t before) {
  if (sent_.empty() || boards_.server()->pending(desk_.id())) return;
  const Board& board = desk_.board();
  const auto& plies = board.match.plies();
  const bool played =
      is_match_word(sent_) || (plies.size() > before && plies[before].seat == board.remote->mine);
  if (played && trim(line_.text()) == sent_) line_.set("");
  sent_.clear();
}

bool BoardScreen::handle_event(const Notification& news) {
  if (news.board != desk_.id()) return false;
  if (news.kind == Notification::Kind::talk) chat_ = news.text;
  // Behind what was done there just now.
  if (news.kind == Notification::Kind::board || news.kind == Notification::Kind::connection)
    say(just_told_ ? notice_ + " " + news.text : news.text, Style::good);
  list_.follow();
  return true;
}

bool BoardScreen::boards_changed() {
  refresh_again_ = refreshing_ != nullptr;
  if (refresh_again_) return false;
  refreshing_ = boards_.ask(
      desk_.id(),
      [this, id = desk_.id()](Boards& boards) -> Boards::Then {
        return [this, fresh = boards.open(id)] { refreshed(fresh); };
      },
      Haste::picture);
  return take_attention();
}

void BoardScreen::refreshed(const Result<Board>& fresh) {
  refreshing_.reset();
  calls_ = see(fresh) || calls_;
  if (std::exchange(refresh_again_, false)) calls_ = boards_changed() || calls_;
}

// What was done on the board meanwhile; whether that calls for attention.
bool BoardScreen::see(const Result<Board>& fresh) {
  const std::size_t before = desk_.board().match.plies().size();
  const BoardSession::Meanwhile meanwhile = desk_.see(fresh);
  read_.reset();  // who one is there may have changed
  just_told_ = false;
  settle_sent(before);
  if (meanwhile.told.empty()) return false;
  if (meanwhile.done) say(meanwhile.told, Style::good);
  just_told_ = meanwhile.done;
  if (desk_.trying()) return meanwhile.done;  // what is tried goes on undisturbed
  // An offer leaves the position as it is, and what is done with it.
  if (!meanwhile.played) {
    judge();
    return meanwhile.done;
  }
  const std::size_t known = known_plies_;
  const std::optional<std::size_t> past = past_;
  changed();
  if (past && *past < match().plies().size()) look_on(*past, known);
  else if (match().ending()) notice_.clear();  // the result says enough
  // One's own was queued or asked again.
  if (meanwhile.done) {
    overtaken_ = std::chrono::steady_clock::now();
    told_overtaken_ = false;
  }
  return meanwhile.done;
}

// Goes on looking at the board after ply `past`, when `known` plies had been seen.
void BoardScreen::look_on(std::size_t past, std::size_t known) {
  past_ = past;
  known_plies_ = known;
  const std::size_t plies = match().plies().size();
  const std::string what =
      plies > known ? count_of(plies - known, "new ply", "new plies") : "The board has changed";
  notice_ = what + ", End shows " + (plies > known + 1 ? "them." : "it.") +
            (notice_.empty() ? "" : " " + notice_);
  refresh_view();
}

// Esc, one step at a time: what is typed, the past, what is tried, the board.
ScreenRequest BoardScreen::leave() {
  if (!line_.empty()) {
    line_.set("");
    refresh_view();
    return {};
  }
  if (past_) {
    show_ply(match().plies().size());
    return {};
  }
  if (!desk_.trying()) return {ScreenRequest::Kind::back, ""};
  desk_.stop_trying();
  changed();
  return {};
}

ScreenRequest BoardScreen::run(Command command) {
  const std::size_t plies = match().plies().size();
  switch (command) {
    case Command::enter: return enter(typed_line());
    case Command::leave: return leave();
    case Command::complete: complete(); return {};
    case Command::preview: {
      const Judgement& j = judgement();
      past_.reset();
      preview_ = j.kind == Judgement::Kind::complete && !typed_line().is_match_word();
      if (!preview_) notice_ = "Type a legal move first: then this shows what it would do.";
      refresh_view();
      return {};
    }
    case Command::older: recall(-1); return {};
    case Command::newer: recall(1); return {};
    case Command::past: show_ply(past_.value_or(plies) - (past_.value_or(plies) > 0)); return {};
    case Command::later: show_ply(past_.value_or(plies) + 1); return {};
    case Command::now: show_ply(plies); return {};
    case Command::undo: return enter_word(Word::undo);
    case Command::redo: return enter_word(Word::redo);
    case Command::try_moves: return enter_word(Word::try_moves);
    case Command::next_board: return {ScreenRequest::Kind::next, desk_.id()};
    case Command::scroll_up: picture_.scroll(-1, 0); return {};
    case Command::scroll_down: picture_.scroll(1, 0); return {};
    case Command::scroll_left: picture_.scroll(0, -1); return {};
    case Command::scroll_right: picture_.scroll(0, 1); return {};
    case Command::plies_up: list_.scroll(-1); return {};
    case Command::plies_down: list_.scroll(1); return {};
    case Command::field: {
      const std::string_view fields = match().game().fields;
      if (fields.empty()) return {};
      view_.field = fields[(fields.find(view_.field) + 1) % fields.size()];
      keep_field();
      picker_.reset();
      refresh_view();
      return {ScreenRequest::Kind::field, std::string(1, view_.field)};
    }
    case Command::record: return {ScreenRequest::Kind::text, record_text(match(), view_)};
    case Command::rules: return {ScreenRequest::Kind::rules, std::string(match().game().name)};
    case Command::help: return {ScreenRequest::Kind::help, ""};
    default: run_picking(command); return {};
  }
}

// Tab: what can only be typed, else the squares themselves.
void BoardScreen::complete() {
  const std::string typed = line_.text(), whole = judge_.complete(typed);
  if (whole != typed) {
    line_.set(whole);
    refresh_view();
    return;
  }
  start_picking();
}

// The plies of the squares picked, where none can be picked any more and only a
// letter or a number is open.
std::vector<std::string> BoardScreen::letters_left() const {
  std::vector<std::string> out;
  if (picker_->picked().empty() || !picker_->choices().empty()) return out;
  for (const std::string& ply : judge_.meant(picker_->text(), kManyPlies))
    if (match().position().trail(ply) == picker_->picked()) out.push_back(ply);
  if (out.size() < 2) out.clear();
  return out;
}

// Goes on to the next of these, or back to the one before; false where there are none.
bool BoardScreen::chose_letter(Command command) {
  const std::vector<std::string> plies = letters_left();
  if (plies.empty()) return false;
  const bool back = command == Command::left || command == Command::up ||
                    command == Command::up_left || command == Command::down_left;
  const auto now = std::find_if(plies.begin(), plies.end(), [&](const std::string& ply) {
    return same_ignoring_case(ply, line_.text());
  });
  const std::size_t n = plies.size(), at = static_cast<std::size_t>(now - plies.begin());
  line_.set(plies[at == n ? (back ? n - 1 : 0) : (at + (back ? n - 1 : 1)) % n]);
  refresh_view();
  return true;
}

void BoardScreen::run_picking(Command command) {
  const bool moves =
      command != Command::pick && command != Command::unpick && command != Command::stop;
  if (moves && chose_letter(command)) return;
  switch (command) {
    case Command::next: picker_->go_to_next(); break;
    case Command::pick:
      // What is typed behind the picks (a letter, a number) makes it whole.
      if (judgement().kind == Judgement::Kind::complete &&
          (line_.text() != picker_->text() || !picker_->pick())) {
        enter(typed_line());
        return;
      }
      if (line_.text() == picker_->text() && !picker_->pick() && !picker_->choices().empty()) {
        const std::string& name = picker_->name();
        notice_ = picker_->picked().empty()
                      ? "No move begins " + (name.empty() ? "there" : "at " + name) +
                            ": Tab goes to where one does."
                      : "This move does not go on " + (name.empty() ? "there" : "to " + name) +
                            ": Tab goes to where it can.";
      }
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
    default:
      picker_->go(static_cast<MovePicker::Direction>(static_cast<int>(command) -
                                                     static_cast<int>(Command::left)));
      break;
  }
  refresh_view();
}

// Goes on by hand from what is typed, as far as it names squares.
void BoardScreen::start_picking() {
  if (match().ending() || !desk_.may_move()) {
    notice_ = match().standing();
    return;
  }
  past_.reset();
  steps_.clear();
  const std::string typed = line_.text();
  picker_.emplace(match().position(), match().position().draw(view_));
  // A ply that touches no square is typed for the player, who could not find it by hand.
  if (picker_->choices().empty()) {
    picker_.reset();
    const auto legal = match().position().legal();
    if (legal.size() == 1) line_.set(legal.front());
    refresh_view();
    return;
  }
  for (const SpotId spot : common_beginning(trails_of(typed))) {
    picker_->go_to(spot);
    picker_->pick();
  }
  if (!starts_ignoring_case(typed, picker_->text()))
    picker_.emplace(match().position(), match().position().draw(view_));
  if (!picker_->picked().empty()) picker_->go_to_next();
  if (picker_->picked().empty()) line_.set("");
  refresh_view();
}

// The picks have changed: they stand in the line, in notation.
void BoardScreen::picked() {
  line_.set(picker_->text());
  refresh_view();
}

void BoardScreen::show_ply(std::size_t ply) {
  past_ = ply < match().plies().size() ? std::optional(ply) : std::nullopt;
  picker_.reset();
  list_.follow();
  refresh_view();
}

void BoardScreen::go_to_typed_ply(std::string_view typed) {
  const auto ply = match().ply_named(typed);
  if (!ply) return complain(ply.refusal().why);
  line_.set("");
  show_ply(*ply);
}

// Whether Enter only shows what it would do, and a second one does it: always
// for giving up, which no undo brings back, and for plies where that was chosen.
bool BoardScreen::wants_another_enter(const TypedLine& typed) {
  const bool giving_up = typed.is(Word::resign);
  if (asked_about_ == typed.text || desk_.trying() || !(giving_up || preferences_.confirm))
    return false;
  if (!giving_up && typed.kind != TypedLine::Kind::move) return false;
  if (judgement().kind != Judgement::Kind::complete) return false;
  asked_about_ = typed.text;
  if (giving_up) {
    notice_ = match().player(desk_.acting_seat(typed.text).value_or(0)) +
              " gives the game up: Enter again does it, any other key goes back.";
  } else if (!preview_) {
    past_.reset();
    preview_ = true;
    refresh_view();
  } else {
    return false;  // it was looked at already
  }
  return true;
}

ScreenRequest BoardScreen::enter_word(Word word) { return enter(desk_.read(name_of(word))); }

ScreenRequest BoardScreen::enter(const TypedLine& line) {
  const TypedLine typed = line;  // which the line may be read anew from
  if (typed.kind == TypedLine::Kind::nothing) return {};
  if (typed.kind == TypedLine::Kind::number) {
    go_to_typed_ply(typed.text);
    return {};
  }
  if (typed.word && typed.word->of_front(Front::screen)) {
    line_.set("");
    refresh_view();
    return run_word(typed);
  }
  // An Enter that was on its way when another ply came was meant for the position
  // before it: nobody has seen and answered this one so soon. Where all seats are at
  // this keyboard that ply may have been for the very seat that was typed for.
  const bool shared =
      !desk_.board().remote && overtaken_ != std::chrono::steady_clock::time_point{};
  const bool plays =
      !desk_.trying() && (typed.kind == TypedLine::Kind::move || typed.is_match_word() ||
                          typed.is(Word::redo) || typed.is(Word::queue));
  if (plays && (shared || std::chrono::steady_clock::now() - overtaken_ < kSight)) {
    told_overtaken_ = true;
    complain("Not played: look at the position again. " + told_of_last(match()) + " " +
             match().standing());
    return {};
  }
  if (desk_.would_queue(typed)) {
    // The line is kept until it is meant for one's own turn.
    if (std::exchange(asked_about_, typed.text) != typed.text) {
      notice_ = match().standing() + " Enter again queues " + typed.text + " for yours.";
      return {};
    }
    asked_about_.clear();
    return do_typed(typed, true);
  }
  if (wants_another_enter(typed)) return {};
  asked_about_.clear();
  return do_typed(typed, false);
}

ScreenRequest BoardScreen::do_typed(const TypedLine& typed, bool queue) {
  const auto done = [typed, queue, shown = shown()](BoardSession& desk) {
    return queue ? desk.queue(typed.text) : desk.enter(typed, shown);
  };
  if (!desk_.asks_server(typed)) return entered(done(desk_), typed.text);
  if (asking_) {
    complain("The server is still asked for " + asked_for_ + ": Esc gives that up.");
    return {};
  }
  asked_for_ = typed.text;
  // Another one at the same board, who can wait while this one goes on.
  asking_ = boards_.ask(
      desk_.id(),
      [this, done, typed = typed.text, desk = desk_](Boards& boards) mutable -> Boards::Then {
        desk.sit_at(boards);
        auto answer = done(desk);
        return [this, typed, board = desk.board(), answer = std::move(answer)] {
          desk_.take(board);
          later_ = answered(answer, typed);
        };
      });
  if (asking_) {
    line_.set("");  // for what comes next
    picker_.reset();
    refresh_view();
  }
  return take_request();
}

// What the keys do that these words stand for.
ScreenRequest BoardScreen::run_word(const TypedLine& typed) {
  using Kind = ScreenRequest::Kind;
  switch (typed.word->word) {
    case Word::show:
      if (typed.rest.empty()) show_ply(match().plies().size());
      else go_to_typed_ply(typed.rest);
      return {};
    case Word::legal: return read_legal();
    case Word::plies: return {Kind::text, joined_lines(plies_in_words(match()))};
    case Word::record: return run(Command::record);
    case Word::rules: return run(Command::rules);
    case Word::next: return run(Command::next_board);
    case Word::boards: return {Kind::back, ""};
    case Word::mouse: return {Kind::mouse, ""};
    case Word::settings: return {Kind::settings, ""};
    case Word::help: return run(Command::help);
    case Word::quit: return {Kind::quit, ""};
    default: return {};
  }
}

ScreenRequest BoardScreen::read_legal() {
  const auto legal = match().ending() ? std::vector<std::string>{} : match().position().legal();
  constexpr int kWidth = 72;
  if (!legal.empty())
    return {ScreenRequest::Kind::text, joined_lines(wrap(joined(legal, 0, legal.size()), kWidth))};
  notice_ = match().standing();
  return {};
}

// What was typed while the server was asked stays.
ScreenRequest BoardScreen::answered(const Result<BoardSession::Entered>& answer,
                                    const std::string& typed) {
  const bool late = std::exchange(asking_, nullptr) != nullptr;
  const std::string meanwhile = late ? line_.text() : "";
  if (late && !answer && meanwhile.empty()) line_.set(typed);
  const ScreenRequest request = entered(answer, typed);
  if (!meanwhile.empty()) {
    line_.set(meanwhile);
    refresh_view();
  }
  return request;
}

void BoardScreen::keep_field() {
  desk_.set_field(view_.field);
  if (!desk_.board().remote) return;
  keeping_ = boards_.ask(
      desk_.id(),
      [this, desk = desk_, field = view_.field](Boards& boards) mutable -> Boards::Then {
        desk.sit_at(boards);
        return [this, kept = desk.keep_field(field)] {
          keeping_.reset();
          if (!kept) complain(kept.refusal().why);
        };
      },
      Haste::picture);
}

// What entering came to, and how it looks now.
ScreenRequest BoardScreen::entered(const Result<BoardSession::Entered>& entered,
                                   const std::string& typed) {
  const bool by_hand = picker_.has_value();
  std::optional<std::size_t> past = past_;
  changed();
  if (past && *past >= match().plies().size())
    past.reset();  // another save may have come, of a shorter game
  if (!entered) {
    past_ = past;
    refresh_view();
    // Undo or redo by its key may be refused while the ply in the line is still to be asked again.
    if (sent_.empty() && boards_.server() && boards_.server()->pending(desk_.id())) sent_ = typed;
    complain(entered.refusal().why + (sent_ == typed ? " Change the line to call it off." : ""));
    return {};
  }
  if (history_.empty() || history_.back() != typed) history_.push_back(typed);
  recalled_ = history_.size();
  line_.set("");
  notice_ = entered->told;
  if (!entered->open.empty()) return {ScreenRequest::Kind::open, entered->open, entered->told};
  if (!entered->played && !desk_.trying()) past_ = past;  // a note leaves one where one is
  refresh_view();
  if (!entered->text.empty()) return {ScreenRequest::Kind::text, entered->text};
  // Whoever plays by hand goes on so.
  played_by_hand_ = played_by_hand_ || (by_hand && entered->played);
  if (by_hand && entered->played && desk_.may_move()) start_picking();
  return {};
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
