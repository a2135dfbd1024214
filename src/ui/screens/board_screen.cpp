// SPDX-License-Identifier: MIT
#include "ui/screens/board_screen.hpp"

#include "ui/lobby_model.hpp"

namespace pbm {

namespace {
constexpr std::size_t kManyPlies = 64;  // what may become more plies than that names no square yet
}  // namespace

BoardScreen::BoardScreen(Boards& boards, Board board, const Preferences& preferences)
    : boards_(boards),
      desk_(boards, std::move(board)),
      preferences_(preferences),
      view_{wanted_field()},
      seen_(match().position()),
      help_(desk_, boards_, [this](const BoardHelp::Said& said) { helped(said); }),
      known_(match().plies().size()) {
  complain(desk_.board().warning);
  changed();
  ask_talk();
}

std::vector<KeyHelp> BoardScreen::keys() const {
  std::vector<KeyHelp> out = key_help<BoardCommand>(board_bindings());
  out.push_back({"", "Typed in place of a move, or by its key"});
  for (const TypedWord* w : desk_.words_now(Front::screen))
    if (!w->about.empty()) out.push_back({w->term_and_keys(), desk_.about(*w)});
  if (desk_.takes_commands())
    out.push_back({":COMMAND", "any command for the server; :help lists them"});
  out.push_back({"", "With the cursor on the board, while nothing else is typed"});
  for (KeyHelp& k : key_help<BoardCommand>(picking_bindings())) out.push_back(std::move(k));
  out.push_back({"", "In the list of plies"});
  out.push_back({"*", "the ply has a note"});
  out.push_back({"?? ? ?!", "after analyse: it gave away much, less, a little"});
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
  read_.reset();
  completion_.reset(match(), words,
                    [this](std::string_view typed) { return desk_.acting_seat(typed); });
  attend();
}

// The computer plays its seats as long as this is open.
void BoardScreen::attend() {
  ComputerBoards* computers = boards_.computers();
  if (!computers) return;
  computers->watch_at(std::chrono::milliseconds(preferences_.pace));
  attending_ = computers->attend(desk_.board());
}

// All seats that are still in play are the computer's, and it plays.
bool BoardScreen::watches_computers() const {
  return boards_.computers() && desk_.shared() && !desk_.trying() && !desk_.plays() &&
         !match().ending();
}

ScreenRequest BoardScreen::watch_at(int pace) {
  boards_.computers()->watch_at(std::chrono::milliseconds(pace));
  notice_ = "A ply takes " + pace_text(pace) + " s at least.";
  return RememberPace{pace};
}

bool BoardScreen::computer_thinks() const {
  const ComputerBoards* computers = boards_.computers();
  return computers && !desk_.trying() && computers->thinking(desk_.id());
}

// The match is another one now, or a ply longer.
void BoardScreen::changed(Motion::Frame first) {
  start_motion(first);
  help_.follow();
  judge();
  list_.follow();
  go_on(Typing{});
}

const BoardScreen::Read& BoardScreen::read() const {
  // A picture asks several times, and each answer parses what is typed.
  if (std::string line = line_.text(); !read_ || line != read_->line) {
    TypedLine typed = desk_.read(line);
    Judgement judgement = completion_.judge(match(), typed.text);
    judgement.at += typed.text_at;
    read_ = Read{std::move(line), std::move(typed), std::move(judgement)};
  }
  return *read_;
}

std::vector<std::string> BoardScreen::plies_of(std::string_view text) const {
  return completion_.meant(text, kManyPlies);
}

std::vector<std::vector<SpotId>> BoardScreen::trails_of(std::string_view text) const {
  std::vector<std::vector<SpotId>> out;
  for (const std::string& ply : plies_of(text)) out.push_back(match().position().trail(ply));
  return out;
}

bool BoardScreen::names_ply(const std::string& typed) const {
  return !completion_.meant(typed, std::string::npos).empty();
}

void BoardScreen::go_on(BoardMode mode) {
  mode_ = std::move(mode);
  confirming_.reset();
  refresh_view();
}

void BoardScreen::place_cursor() {
  const std::string line = line_.text();
  if (const Picking* const picking = doing<Picking>();
      picking && line != picking->picker().text() &&
      (picking->picker().picked().empty() || !names_ply(line)))
    mode_ = Typing{};
  if (!doing<Typing>() || !line.empty() || match().ending() || !desk_.may_move()) return;
  const Position& position = match().position();
  Picking picking(position, position.draw(view_));
  if (!picking.picker().choices().empty()) mode_ = std::move(picking);
}

bool BoardScreen::end_question() {
  const bool previewed = previews();
  confirming_.reset();
  if (previewed) refresh_view();
  return previewed;
}

bool BoardScreen::looking_back() const {
  if (!doing<LookingBack>()) return false;
  // A word or a number may be about the ply looked back to.
  const TypedLine& typed = typed_line();
  if (typed.kind != TypedLine::Kind::move && !typed.is_match_word()) return true;
  return judgement().kind == Judgement::Kind::partial && plies_of(typed.text).empty();
}

std::size_t BoardScreen::shown() const {
  return looking_back() ? doing<LookingBack>()->ply : match().plies().size();
}

void BoardScreen::say(std::string sentence, Style style) {
  if (!previews()) end_question();
  Screen::say(std::move(sentence), style);
}

void BoardScreen::forget_notice() {
  history_.settle();
  notice_.clear();
}

// Behind a word that takes a text, or in a line for the server, each character is one of it.
bool BoardScreen::typing_text() const {
  if (doing<Picking>()) return false;
  using enum TypedWord::Where;
  const TypedLine& typed = typed_line();
  return typed.kind == TypedLine::Kind::command ||
         ((typed.of(session) || typed.of(server)) && line_.text().find(' ') != std::string::npos);
}

std::optional<BoardCommand> BoardScreen::command_of(const Key& key) const {
  if (key.code == Key::Code::character && typing_text()) return std::nullopt;
  const auto own = [&](const auto& mode) { return mode.command_of(*this, key); };
  if (const auto command = std::visit(own, mode_)) return command;
  const auto command = command_for<BoardCommand>(board_bindings(), key);
  // Elsewhere they are characters of a move.
  const bool past = doing<LookingBack>() || (doing<Typing>() && match().ending());
  if (command == BoardCommand::replay && (!line_.empty() || !past)) return std::nullopt;
  if ((command == BoardCommand::faster || command == BoardCommand::slower) &&
      (!watches_computers() || !line_.empty()))
    return std::nullopt;
  // Where one looks back it is that mode's own.
  return command == BoardCommand::now ? std::nullopt : command;
}

const TypedWord* BoardScreen::word_of(const Key& key) const {
  return key.code == Key::Code::character && typing_text() ? nullptr : pbm::word_of(key);
}

ScreenRequest BoardScreen::press(const Key& key) {
  const bool replayed = motion_ && motion_->goes_on;
  end_motion();
  if (replayed && key == typed(' ')) return {};
  const std::string before = line_.text();
  ScreenRequest request = take(key);
  call_off_unless(before);
  return request;
}

// What was refused is begun anew by the first letter where it cannot become a move by that:
// whatever is added, or as the letter begins one. So is a legal one that an exercise did not ask
// for.
void BoardScreen::begin_anew(const Key& key) {
  if (!std::exchange(refused_, false) || key.code != Key::Code::character ||
      typed_line().kind != TypedLine::Kind::move)
    return;
  const auto refused = [&](const std::string& text) {
    return completion_.judge(match(), text).kind == Judgement::Kind::refused;
  };
  std::string letter;
  append_utf8(letter, key.c);
  if (judgement().kind == Judgement::Kind::refused || !desk_.task().empty() ||
      (refused(line_.text() + letter) && !refused(letter)))
    line_.set("");
}

ScreenRequest BoardScreen::take(const Key& key) {
  begin_anew(key);
  if (key == typed('r') && line_.empty() && !looking_back() && desk_.may_rematch())
    return enter_word("rematch");
  const auto command = command_of(key);
  if (command != BoardCommand::enter && command != BoardCommand::pick) {
    answer_overtaking();
    if (end_question() && (command == BoardCommand::preview || command == BoardCommand::leave))
      return {};
  }
  if (command) {
    forget_notice();
    return run(*command);
  }
  if (const TypedWord* const word = word_of(key)) {
    forget_notice();
    return enter_word(word->name);
  }
  if (line_.press(key)) typed_on();
  return {};
}

void BoardScreen::paste(char32_t c) {
  end_motion();
  answer_overtaking();
  end_question();
  const std::string before = line_.text();
  line_.press(typed(c));
  typed_on();
  call_off_unless(before);
}

// The line has changed, by a key that edits it.
void BoardScreen::typed_on() {
  forget_notice();
  history_.restart();
  refresh_view();
}

ScreenRequest BoardScreen::click(Point place) {
  end_motion();
  answer_overtaking();
  end_question();
  forget_notice();
  const auto spot = picture_.spot_near(place);
  if (!spot || doing<LookingBack>() || match().ending()) return {};
  const std::string before = line_.text();
  if (!doing<Picking>()) start_picking();
  // Where nothing can be picked it is none.
  if (Picking* const picking = doing<Picking>()) picking->pick_at(*this, *spot);
  call_off_unless(before);
  return {};
}

void BoardScreen::wake() {
  end_motion();
  follow_field();
  attend();  // the settings may have changed
  boards_changed();
}

// It may have been chosen elsewhere.
void BoardScreen::follow_field() {
  if (keeping_ || view_.field == wanted_field()) return;
  view_.field = wanted_field();
  if (doing<Picking>()) mode_ = Typing{};
  refresh_view();
}

bool BoardScreen::handle_event(const Notification& news) {
  if (news.board != desk_.id()) return false;
  if (news.kind == Notification::Kind::talk) {
    chat_ = news.text;
    ask_talk();
  }
  // Behind what was done there just now.
  if (news.kind == Notification::Kind::board || news.kind == Notification::Kind::connection)
    say(just_told_ ? notice_.text + " " + news.text : news.text, Style::good);
  list_.follow();
  return true;
}

// Esc, one step at a time: what is typed, the past, what is tried, the board.
ScreenRequest BoardScreen::leave() {
  if (help_.busy()) {
    notice_ = help_.stop();
    return take_request();
  }
  const Picking* const picking = doing<Picking>();
  if (!line_.empty() || help_.threats_in(seen_) || (picking && picking->used())) {
    line_.set("");
    help_.forget_threats();
    if (picking) mode_ = Typing{};
    refresh_view();
    return {};
  }
  if (doing<LookingBack>()) {
    show_ply(match().plies().size());
    return {};
  }
  // Where all seats are its own it plays on, and this leads away.
  if (computer_thinks() && desk_.plays()) {
    boards_.computers()->hurry();
    return {};
  }
  if (!desk_.trying()) return GoBack{};
  desk_.stop_trying();
  changed();
  return {};
}

ScreenRequest BoardScreen::run(BoardCommand command) {
  const std::size_t plies = match().plies().size();
  const LookingBack* const back = doing<LookingBack>();
  const std::size_t at = back ? back->ply : plies;
  switch (command) {
    case BoardCommand::enter: return enter(typed_line());
    case BoardCommand::leave: return leave();
    case BoardCommand::complete: complete(); return {};
    case BoardCommand::preview: preview(); return {};
    case BoardCommand::older: recall(-1); return {};
    case BoardCommand::newer: recall(1); return {};
    case BoardCommand::past: show_ply(at - (at > 0)); return {};
    case BoardCommand::later: show_ply(at + 1); return {};
    case BoardCommand::now: show_ply(plies); return {};
    case BoardCommand::replay: replay(); return {};
    case BoardCommand::mistake_before: show_mistake(false); return {};
    case BoardCommand::mistake_after: show_mistake(true); return {};
    case BoardCommand::faster: return watch_at(next_pace(preferences_.pace, -1));
    case BoardCommand::slower: return watch_at(next_pace(preferences_.pace, 1));
    case BoardCommand::scroll_up: picture_.scroll(-1, 0); return {};
    case BoardCommand::scroll_down: picture_.scroll(1, 0); return {};
    case BoardCommand::scroll_left: picture_.scroll(0, -1); return {};
    case BoardCommand::scroll_right: picture_.scroll(0, 1); return {};
    case BoardCommand::plies_up: list_.scroll(-1); return {};
    case BoardCommand::plies_down: list_.scroll(1); return {};
    default:
      if (Picking* const picking = doing<Picking>()) picking->run(*this, command);
      return {};
  }
}

void BoardScreen::preview() {
  if (doing<LookingBack>()) mode_ = Typing{};
  const TypedLine& typed = typed_line();
  if (judgement().kind == Judgement::Kind::complete && typed.kind == TypedLine::Kind::move)
    confirming_ = Confirming{typed.text, true};
  else notice_ = "Type a legal move first: then this shows what it would do.";
  refresh_view();
}

void BoardScreen::helped(const BoardHelp::Said& said) {
  if (said.refused) return complain(said.told);
  if (said.told.empty()) {
    later_ = ReadText{"", said.text};
    return;
  }
  if (said.about == Help::threats && !help_.threats_in(seen_)) return;  // looked away meanwhile
  // A hint is a ply to type, whatever was begun with the cursor.
  if (said.about == Help::hint && doing<Picking>()) {
    line_.set("");
    mode_ = Typing{};
  }
  if (!said.ply.empty()) line_.set(said.ply);
  refresh_view();
  const Analysis* const analysis = said.about == Help::analysis ? desk_.analysed() : nullptr;
  say(said.told + (analysis && analysis->marked(0, true)
                       ? " { and } go to the mistakes, F8 to the better line, F7 to all."
                       : ""),
      Style::good);
}

void BoardScreen::show_mistake(bool forward) {
  const Analysis* analysis = desk_.analysed();
  if (!analysis) return complain("Nothing is analysed here: F7 or analyse does it.");
  const std::size_t plies = match().plies().size();
  auto ply = analysis->marked(shown(), forward);
  // From the last to the first, and back.
  if (!ply) ply = analysis->marked(forward ? 0 : plies + 1, forward);
  if (!ply) return complain("No mistake is known.");
  show_ply(*ply);
  if (*ply == plies) say(analysis->sentence(*ply), Style::warning);
}

ScreenRequest BoardScreen::draw_field(char field) {
  view_.field = desk_.drawing(field, view_.field);
  keep_field();
  if (doing<Picking>()) mode_ = Typing{};
  refresh_view();
  return RememberField{view_.field};
}

// Tab: what can only be typed, else the squares themselves.
void BoardScreen::complete() {
  const std::string typed = line_.text();
  const bool command = desk_.takes_commands() && trim(typed).starts_with(':');
  const std::string whole =
      command ? complete_last(typed, boards_.server()) : completion_.complete(typed);
  if (command && whole == typed) return;
  if (whole == typed) return start_picking();
  line_.set(whole);
  refresh_view();
}

// Goes on with the cursor from what is typed, as far as it names squares.
void BoardScreen::start_picking() {
  if (match().ending() || !desk_.may_move()) {
    notice_ = match().standing();
    return;
  }
  const Position& position = match().position();
  const std::string typed = line_.text();
  Picking picking(position, position.draw(view_));
  // A ply that touches no square is typed for the player, who could not find it with the cursor.
  if (picking.picker().choices().empty()) {
    if (const auto legal = position.legal(); legal.size() == 1) line_.set(legal.front());
    return go_on(Typing{});
  }
  picking.begin(common_beginning(trails_of(typed)));
  if (!starts_ignoring_case(typed, picking.picker().text()))
    picking = Picking(position, position.draw(view_));
  picking.use();
  if (picking.picker().picked().empty()) line_.set("");
  else picking.picker().go_to_next();
  go_on(std::move(picking));
}

void BoardScreen::show_ply(std::size_t ply) {
  const std::size_t plies = match().plies().size();
  const LookingBack* const back = doing<LookingBack>();
  list_.follow();
  if (ply < plies) go_on(LookingBack{ply, back ? back->known : plies});
  else go_on(Typing{});
}

void BoardScreen::look_on(const LookingBack& before) {
  const std::size_t plies = match().plies().size(), known = before.known;
  const std::string what =
      plies > known ? count_of(plies - known, "new ply", "new plies") : "The board has changed";
  notice_ = what + ", End shows " + (plies > known + 1 ? "them." : "it.") +
            (notice_.empty() ? "" : " " + notice_.text);
  motion_.reset();
  go_on(before);
}

void BoardScreen::recall(int step) {
  if (const std::string* line = history_.step(step)) line_.set(*line);
}

}  // namespace pbm
