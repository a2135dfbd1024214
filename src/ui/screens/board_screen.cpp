// SPDX-License-Identifier: MIT
#include "ui/screens/board_screen.hpp"

#include <algorithm>

#include "ui/settings.hpp"

namespace pbm {

namespace {

// Returns the player's own marked plies, or nothing if none or all are their own.
std::optional<std::vector<std::size_t>> own_mistakes(const BoardModel& model,
                                                     const Analysis& analysis) {
  std::vector<std::size_t> own = analysis.marked();
  const std::size_t theirs = std::erase_if(own, [&](std::size_t n) {
    return !model.session.is_mine(model.match().plies()[n - 1].seat, model.preferences.name);
  });
  return theirs == 0 || own.empty() ? std::nullopt : std::optional(std::move(own));
}

// Returns the key under which the settings remember a turned board. The start time is part of it,
// because a later board may have the same id.
std::string turned_name(const Board& board) {
  return turned_as(board.id) + iso_time(board.match.started());
}

}  // namespace

BoardScreen::BoardScreen(Boards& boards, Board board, const Preferences& preferences)
    : model_(
          boards, std::move(board), preferences,
          [this](const BoardHelp::Said& said) { helped(said); },
          [this](const std::string& told) {
            if (notice_.empty()) say(told, Style::good);
          }),
      page_(model_),
      check_(model_, [this](const std::string& warning) { say(warning, Style::warning); }) {
  complain(session().board().warning);
  if (std::ranges::count(preferences.turned, turned_name(session().board())) > 0) page_.turn();
  changed();
  model_.talk.ask();
}

std::vector<KeyHelp> BoardScreen::keys() const {
  std::vector<KeyHelp> out = key_help<BoardCommand>(board_bindings());
  out.push_back({"", "Typed in place of a move, or by its key"});
  for (const TypedWord* w : session().words_now(Front::screen))
    if (!w->about.empty()) out.push_back({w->term_and_keys(), session().about(*w)});
  if (session().takes_commands())
    out.push_back({":COMMAND", "any command for the server; :help lists them"});
  out.push_back({"", "With the cursor on the board, while nothing else is typed"});
  for (KeyHelp& k : key_help<BoardCommand>(picking_bindings())) out.push_back(std::move(k));
  out.push_back({"", "In the list of moves"});
  out.push_back({"*", "the move has a note"});
  out.push_back({"?? ? ?!", "after analyse: a blunder, a mistake, a slip"});
  out.push_back({"+", "others were played here, too"});
  out.push_back({"", "In the line that is typed"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

std::vector<KeyHelp> BoardScreen::first_keys() const {
  using enum BoardCommand;
  const Binding<BoardCommand> rows[]{
      {pick,
       {key_for(pick)},
       "play the move that is typed or picked; on the board, pick the square"},
      {left,
       {key_for(left), key_for(up), key_for(next)},
       "arrows: the cursor on the board; Tab: to the "
       "next square that can be picked"},
      {unpick, {key_for(unpick)}, "take the last letter or pick back"},
      {leave, {key_for(leave)}, "back: clear the line, then stop looking back, then leave"},
      {enter, {key_of_word("undo"), key_of_word("redo")}, "take the last move back; play it again"},
      {past,
       {key_for(past), key_for(later)},
       "the board a move earlier; later (End: as it is now)"},
      {computer,
       {key_for(computer)},
       "what the computer sees: a hint, threats; afterwards the analysis"},
      {enter, {key_of_word("try")}, "try moves: nothing of it is kept"},
      {enter, {fkey(4)}, "settings; tutor there warns before a bad move against the computer"},
      {enter, {key_of_word("rules")}, "the rules of this game"},
      {enter, {typed('?')}, "all keys, and all words that can be typed"},
  };
  std::vector<KeyHelp> out = key_help<BoardCommand>(rows);
  if (!session().board().exercise)
    out.insert(out.end() - 3, {"resign, propose", "typed: give the game up; offer a draw"});
  return out;
}

void BoardScreen::attend() {
  ComputerAttendant* computers = model_.boards.computer();
  if (!computers) return;
  computers->watch_at(std::chrono::milliseconds(model_.preferences.pace));
  computers->think_ahead(model_.preferences.ahead);
  if (model_.paused && model_.watches_computers()) attending_.reset();
  else attending_ = computers->attend(session().board());
}

void BoardScreen::watch_at(int pace) {
  model_.boards.computer()->watch_at(std::chrono::milliseconds(pace));
  notice_ = "A move takes " + pace_text(pace) + " s at least.";
  request(Remember{[pace](Preferences& wanted) { wanted.pace = pace; }});
}

void BoardScreen::changed(PlyMotion::Frame first) {
  model_.motion.follow(match(), page_.seen(), first, model_.preferences.motion);
  model_.help.follow();
  page_.set_field(model_.wanted_field());
  model_.line.follow();
  attend();
  page_.list().follow();
  go_on(Typing{});
}

void BoardScreen::go_on(BoardMode mode) {
  model_.mode = std::move(mode);
  model_.confirming.reset();
  refresh();
}

void BoardScreen::place_cursor() {
  const std::string line = model_.line.text();
  if (const Picking* const picking = model_.doing<Picking>();
      picking && line != picking->picker().text() &&
      (picking->picker().picked().empty() || !model_.line.names_ply(line)))
    model_.mode = Typing{};
  if (!model_.doing<Typing>() || !line.empty() || match().ending() || !session().may_move() ||
      session().may_go_on())
    return;
  const Position& position = match().position();
  Picking picking(position, position.draw(page_.view()));
  if (!picking.picker().choices().empty()) model_.mode = std::move(picking);
}

bool BoardScreen::end_question() {
  const bool previewed = model_.previews();
  model_.confirming.reset();
  if (previewed) refresh();
  return previewed;
}

void BoardScreen::say(std::string sentence, Style style) {
  if (!model_.previews()) end_question();
  Screen::say(std::move(sentence), style);
}

std::optional<BoardCommand> BoardScreen::command_of(const Key& key) const {
  const auto own = [&](const auto& mode) { return mode.command_of(model_, key); };
  if (const auto command = std::visit(own, model_.mode)) return command;
  const auto command = command_for<BoardCommand>(board_bindings(), key);
  // Elsewhere these keys type characters of a move.
  const bool past = back() || (model_.doing<Typing>() && match().ending()),
             typing = !model_.line.empty();
  if (past && !typing && key.code == Key::Code::left) return BoardCommand::past;
  if (past && !typing && key.code == Key::Code::right) return BoardCommand::later;
  if (command == BoardCommand::replay && (typing || !(past || model_.watches_computers())))
    return std::nullopt;
  if ((command == BoardCommand::faster || command == BoardCommand::slower) &&
      (typing || !model_.watches_computers()))
    return std::nullopt;
  // Only the mode for earlier positions has this key.
  return command == BoardCommand::now ? std::nullopt : command;
}

void BoardScreen::press(const Key& key) {
  const bool replayed = model_.motion.replays();
  end_motion();
  if (replayed && key.code == Key::Code::character) {
    const std::size_t behind = match().plies().size() - model_.shown();
    return tell("Stopped, " + count_of(behind, "move", "moves") +
                " ahead: Space goes on, End shows the board as it is now.");
  }
  const std::string before = model_.line.text();
  take(key);
  call_off_unless(before);
}

void BoardScreen::take(const Key& key) {
  model_.line.begin_anew(key);
  // A character after "rematch" means that the player was typing another word with r.
  if (std::exchange(rematch_asked_, false) && key.code == Key::Code::character &&
      model_.line.text() == "rematch")
    model_.line.set("r");
  // The key r only types "rematch": a letter meant for this board must not start another game.
  if (key == typed('r') && model_.line.empty() && session().may_rematch() &&
      (!back() || page_.seen().parse("r").refusal().at == 0)) {
    model_.line.set("rematch");
    rematch_asked_ = true;
    typed_on();
    return tell("Enter begins another game, with the seats swapped; Esc does not.");
  }
  const bool text =
      key.code == Key::Code::character && !model_.doing<Picking>() && model_.line.takes_text();
  const auto command = text ? std::nullopt : command_of(key);
  if (command != BoardCommand::enter && command != BoardCommand::pick) {
    check_.answer();
    if (end_question() && (command == BoardCommand::preview || command == BoardCommand::leave))
      return forget_notice();
  }
  if (command) {
    forget_notice();
    return run(*command);
  }
  if (const TypedWord* const word = text ? nullptr : word_of(key)) {
    forget_notice();
    return enter(session().read(word->name));
  }
  if (model_.line.press(key)) typed_on();
}

void BoardScreen::paste(char32_t c) {
  end_motion();
  check_.answer();
  end_question();
  const std::string before = model_.line.text();
  model_.line.press(typed(c));
  typed_on();
  call_off_unless(before);
}

// Handles a change of the line by an editing key.
void BoardScreen::typed_on() {
  forget_notice();
  model_.line.restart();
  refresh();
}

void BoardScreen::click(Point place) {
  end_motion();
  check_.answer();
  end_question();
  forget_notice();
  const auto spot = page_.picture().spot_near(place);
  if (!spot || back() || match().ending()) return;
  const std::string before = model_.line.text();
  if (!model_.doing<Picking>()) start_picking();
  // If no square can be picked, the click has no effect.
  if (Picking* const picking = model_.doing<Picking>()) picked(picking->pick_at(model_, *spot));
  call_off_unless(before);
}

void BoardScreen::picked(const Picking::Left& left) {
  if (!left.why.empty()) notice_ = left.why;
  left.enters ? enter(model_.line.typed()) : refresh();
}

void BoardScreen::wake() {
  end_motion();
  follow_field();
  attend();  // the settings may have changed
  boards_changed();
}

// Uses the field that the player may have chosen on another screen.
void BoardScreen::follow_field() {
  if (keeping_ || page_.field_asked() == model_.wanted_field()) return;
  page_.set_field(model_.wanted_field());
  stop_picking();
  refresh();
}

bool BoardScreen::handle_event(const Notification& news) {
  if (news.board != session().id()) return false;
  if (news.kind == Notification::Kind::talk) model_.talk.hear(news.text);
  // Add it to the sentence about what was just done there.
  if (news.kind == Notification::Kind::board || news.kind == Notification::Kind::connection)
    say(just_told_ ? notice_.text + " " + news.text : news.text, Style::good);
  page_.list().follow();
  return true;
}

// Handles Esc one step at a time: clear the line, stop looking back, end the trial, leave.
void BoardScreen::leave() {
  BoardHelp& help = model_.help;
  if (help.busy()) return tell(help.stop());
  const Picking* const picking = model_.doing<Picking>();
  if (!model_.line.empty() || help.threats_in(page_.seen()) || help.spot() ||
      (picking && picking->used())) {
    model_.line.set("");
    help.forget();
    stop_picking();
    return refresh();
  }
  if (back()) return show_ply(match().plies().size());
  // If the player has a seat, it only makes the computer play now. If not, it leaves.
  if (model_.computer_thinks() && session().plays()) return model_.boards.computer()->hurry();
  go_back();
}

void BoardScreen::go_back() {
  if (!session().trying()) return request(GoBack{});
  const std::size_t from = session().tried_from();
  model_.session.stop_trying();
  changed();
  show_ply(from);  // the trial began there
  if (const auto at = std::exchange(tried_at_, std::nullopt);
      at && at->ply < match().plies().size())
    go_on(*at);
}

void BoardScreen::run(BoardCommand command) {
  const std::size_t plies = match().plies().size();
  const std::size_t at = back() ? back()->ply : plies;
  MoveLine& line = model_.line;
  BoardView& picture = page_.picture();
  switch (command) {
    case BoardCommand::enter: return enter(line.typed());
    case BoardCommand::leave: return leave();
    // Complete the text if that adds something, else use the cursor.
    case BoardCommand::complete:
      return line.complete(model_.boards.server()) ? refresh() : start_picking();
    case BoardCommand::preview: notice_ = check_.preview(); return refresh();
    case BoardCommand::older: return line.recall(-1);
    case BoardCommand::newer: return line.recall(1);
    case BoardCommand::past: return show_ply(at - (at > 0));
    case BoardCommand::later: return show_ply(at + 1);
    case BoardCommand::now: return show_ply(plies);
    case BoardCommand::replay: return replay();
    case BoardCommand::mistake_before: return show_mistake(false);
    case BoardCommand::mistake_after: return show_mistake(true);
    case BoardCommand::computer: return step_computer();
    case BoardCommand::faster: return watch_at(next_pace(model_.preferences.pace, -1));
    case BoardCommand::slower: return watch_at(next_pace(model_.preferences.pace, 1));
    case BoardCommand::scroll_up: return picture.scroll(-1, 0);
    case BoardCommand::scroll_down: return picture.scroll(1, 0);
    case BoardCommand::scroll_left: return picture.scroll(0, -1);
    case BoardCommand::scroll_right: return picture.scroll(0, 1);
    case BoardCommand::plies_up: return page_.list().scroll(-1);
    case BoardCommand::plies_down: return page_.list().scroll(1);
    default: break;
  }
  if (Picking* const picking = model_.doing<Picking>()) picked(picking->run(model_, command));
}

void BoardScreen::helped(const BoardHelp::Said& said) {
  if (said.refused) return complain(said.told);
  if (said.told.empty()) return request(ReadText{"", said.text});
  // The player may have moved to another position meanwhile.
  if (said.about == Help::threats && !model_.help.threats_in(page_.seen())) return;
  // The hint's ply goes into the line, in place of started picks.
  if (!said.ply.empty() && model_.doing<Picking>()) {
    model_.line.set("");
    stop_picking();
  }
  if (!said.ply.empty()) {
    if (!model_.line.empty()) model_.line.remember(model_.line.text());
    model_.line.set(said.ply);
    model_.line.refuse();  // typing another move replaces it
  }
  refresh();
  const Analysis* const analysis = said.about == Help::analysis ? session().analysed() : nullptr;
  say(said.told + (said.ply.empty() ? "" : " [Enter]") +
          (!analysis || analysis->marked().empty()
               ? ""
               : " { and } go to " +
                     std::string(own_mistakes(model_, *analysis) ? "yours" : "the mistakes") +
                     ", F8 tries what was better; analyse tells all."),
      Style::good);
}

// Shows the next step of the computer's help; after the last one hides it.
void BoardScreen::step_computer() {
  BoardHelp& help = model_.help;
  if (const auto busy = help.busy())
    return tell(busy == Help::hint || busy == Help::threats ? help.progress() + " Esc stops that."
                                                            : help.stop());
  const std::size_t plies = match().plies().size();
  if (back() || match().ending()) {
    if (!session().analysed()) return enter(session().read("analyse"));
    model_.session.hide_analysis();
    return refresh();
  }
  const bool threatened = help.threats_in(page_.seen()) != nullptr;
  if (!threatened && !help.hint_is_told()) {
    help.ask(Help::hint, plies);
  } else {
    if (help.hint_is_told()) model_.line.set("");
    help.forget();
    if (!threatened && session().may_see_threats(plies)) help.ask(Help::threats, plies);
    refresh();
  }
}

// First asks which ply would be better, so that the player can find it; then shows the next ply.
void BoardScreen::show_mistake(bool forward) {
  const Analysis* analysis = session().analysed();
  if (!analysis) return complain("Nothing is analysed here yet: type analyse.");
  model_.line.set("");
  const std::size_t plies = match().plies().size();
  if (forward && back() && back()->asked(model_)) {
    const std::size_t asked = back()->ply + 1;
    show_ply(asked);
    if (asked == plies) say(analysis->sentence(asked), Style::warning);
    return;
  }
  // Prefer the player's own mistakes. The question is about the ply after the shown one.
  const auto all = analysis->marked();
  const auto own = own_mistakes(model_, *analysis);
  if (all.empty())
    return complain(model_.help.busy() == Help::analysis
                        ? "No mistake is known yet. " + model_.help.progress()
                        : "No mistake is known.");
  const std::vector<std::size_t>& walked = own ? *own : all;
  const std::size_t at = back() ? back()->ply + back()->asks : plies + 1;
  // From the current position, go to the last or the first.
  const auto after = std::ranges::upper_bound(walked, at),
             before = std::ranges::lower_bound(walked, at);
  if (back() && (forward ? after == walked.end() : before == walked.begin()))
    return complain(std::string("There is no mistake") + (own ? " of yours" : "") +
                    (forward ? " after this." : " before this."));
  const std::size_t ply = !forward                ? *std::prev(before)
                          : after == walked.end() ? walked.front()
                                                  : *after;
  show_ply(ply - 1);
  model_.doing<LookingBack>()->asks = true;
}

void BoardScreen::draw_field(char field) {
  page_.set_field(session().drawing(field, page_.view().field));
  keep_field();
  stop_picking();
  refresh();
  request(Remember{[field = page_.field_asked()](Preferences& wanted) { wanted.field = field; }});
}

void BoardScreen::turn() {
  page_.turn();
  if (const Picking* const picking = model_.doing<Picking>(); picking && picking->used()) {
    start_picking();
  } else {
    stop_picking();
    refresh();
  }
  request(Remember{
      [name = turned_name(session().board()), on = page_.view().turned](Preferences& wanted) {
        constexpr std::size_t kMost = 50;
        std::erase(wanted.turned, name);
        if (on) wanted.turned.push_back(name);
        if (wanted.turned.size() > kMost) wanted.turned.erase(wanted.turned.begin());
      }});
}

// Starts or continues picking, with the squares that the typed text names.
void BoardScreen::start_picking() {
  if (match().ending() || !session().may_move()) return tell(match().standing());
  const Position& position = match().position();
  MoveLine& line = model_.line;
  const std::string typed = line.text();
  Picking picking(position, position.draw(page_.view()));
  // If the only ply touches no square, type it: the cursor cannot reach it.
  if (picking.picker().choices().empty()) {
    if (const auto legal = position.legal(); legal.size() == 1) line.set(legal.front());
    return go_on(Typing{});
  }
  picking.begin(common_beginning(line.trails_of(typed)));
  if (!starts_ignoring_case(typed, picking.picker().text()))
    picking = Picking(position, position.draw(page_.view()));
  picking.go_on();
  if (picking.picker().picked().empty() && !typed.empty() && line.trails_of(typed).empty())
    return tell("No move begins so: Esc clears the line, and the cursor is on the board again.");
  if (picking.picker().picked().empty()) line.set("");
  go_on(std::move(picking));
}

void BoardScreen::show_ply(std::size_t ply) {
  const std::size_t plies = match().plies().size();
  page_.list().follow();
  if (ply < plies) go_on(LookingBack{ply, back() ? back()->known : plies});
  else go_on(Typing{});
}

// Replays from the shown ply, or from the start. If only computers play on, pauses or continues.
void BoardScreen::replay() {
  if (!back() && model_.watches_computers()) {
    model_.paused = !model_.paused;
    return attend();
  }
  if (!back()) show_ply(0);
  if (back()) model_.motion.replay(back()->ply);
}

void BoardScreen::tick() {
  PlyMotion& motion = model_.motion;
  if (!motion.due()) return;
  if (const auto ply = motion.next(match(), model_.preferences.motion)) show_ply(*ply);
  if (!motion.moves() && !(motion.replays() && back())) end_motion();
  else refresh();
}

}  // namespace pbm
