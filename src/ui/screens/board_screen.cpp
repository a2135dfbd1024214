// SPDX-License-Identifier: MIT
#include "ui/screens/board_screen.hpp"

#include <algorithm>

#include "ui/settings.hpp"

namespace pbm {
namespace {

// Returns the player's own marked plies, or nothing if none or all are their own.
std::optional<std::vector<std::size_t>> own_mistakes(const BoardModel& model,
                                                     const Analysis& analysis) {
  std::vector<std::size_t> own = analysis.marked_plies();
  const std::size_t theirs = std::erase_if(own, [&](std::size_t n) {
    return !model.session.is_own_seat(model.match().plies()[n - 1].seat);
  });
  return theirs == 0 || own.empty() ? std::nullopt : std::optional(std::move(own));
}

// Returns the key under which the settings remember a turned board. The start time is part of it,
// because a later board may have the same id.
std::string turned_key(const Board& board) {
  return turned_prefix(board.id) + iso_time(board.match.start_time());
}

}  // namespace

BoardScreen::BoardScreen(Boards& boards, Board board, const Preferences& preferences)
    : model_(
          boards, std::move(board), preferences,
          [this](const BoardHelp::HelpResult& said) { show_help(said); },
          [this](const std::string& told) {
            if (notice_.empty()) show_notice(told, Style::good);
          }),
      page_(model_),
      enter_check_(model_,
                   [this](const std::string& warning) { show_notice(warning, Style::warning); }) {
  show_error(session().board().warning);
  if (std::ranges::count(preferences.turned_boards, turned_key(session().board())) > 0)
    page_.turn_board();
  handle_match_change();
  model_.chat.request_new_lines();
}

std::vector<KeyHelp> BoardScreen::keys() const {
  std::vector<KeyHelp> out = key_help<BoardCommand>(board_bindings());
  out.push_back({"", "Words to type instead of a move, or their keys"});
  for (const TypedWord* w : session().available_words(FrontEnd::screen))
    if (!w->description.empty()) out.push_back({w->usage_and_keys(), session().describe_word(*w)});
  if (session().has_server())
    out.push_back({":COMMAND", "send a command to the server; :help lists them"});
  if (session().board().has_others()) out.push_back({": TEXT", "chat TEXT, after a blank"});
  out.push_back({"", "With the cursor on the board and an empty line"});
  for (KeyHelp& k : key_help<BoardCommand>(picking_bindings())) out.push_back(std::move(k));
  out.push_back({"", "In the list of moves"});
  out.push_back({"*", "the move has a note"});
  out.push_back({"?? ? ?!", "after analyse: a blunder, a mistake, a slip"});
  out.push_back({"+", "other moves were played here, too"});
  out.push_back({"", "In the line"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

std::vector<KeyHelp> BoardScreen::first_keys() const {
  using enum BoardCommand;
  const bool others = session().board().has_others();
  if (match().ending() && !session().board().exercise && !session().is_trying()) {
    const bool analysed = session().visible_analysis() != nullptr;
    std::vector<Binding<BoardCommand>> rows{
        {enter, {character_key('r')}, "play again with the seats swapped"},
        {computer_help,
         {command_key(computer_help)},
         analysed ? "hide the analysis" : "have the computer analyse the game"},
        {earlier,
         {command_key(earlier), command_key(later)},
         "look back a move, or forward; End shows the last board"},
        {replay, {command_key(replay)}, "replay the game from the start"},
        {previous_mistake,
         {command_key(previous_mistake), command_key(next_mistake)},
         "go to the mistakes of an analysis"},
        {enter, {first_key_of_word("better")}, "try the moves that were better there"},
        {enter, {first_key_of_word("try")}, "try moves from the board that you see"},
        {enter, {first_key_of_word("record")}, "show the record, to save or mail it"},
        {toggle_tutor,
         {command_key(toggle_tutor)},
         "let a tutor warn you before bad moves in the next game"},
        {enter, {first_key_of_word("next")}, "go to the next game that needs your move"},
        {leave, {command_key(leave)}, "go back to the list of games"},
        {enter, {character_key('?')}, "show all keys and words"},
    };
    std::erase_if(rows, [&](const auto& row) {
      return (row.keys.front() == character_key('r') && !session().can_rematch()) ||
             (!analysed && row.command == previous_mistake) ||
             (others && row.command == toggle_tutor);
    });
    return key_help<BoardCommand>(rows);
  }
  std::vector<Binding<BoardCommand>> rows{
      {pick, {command_key(pick)}, "play the typed or picked move, or pick a square"},
      {left,
       {command_key(left), command_key(up), command_key(next_square)},
       "move the cursor; Tab goes to the next possible square"},
      {unpick, {command_key(unpick)}, "take back the last letter or pick"},
      {leave, {command_key(leave)}, "clear the line, then stop looking back, then leave"},
      {enter,
       {first_key_of_word("undo"), first_key_of_word("redo")},
       others ? "ask to take back the last move; play it again"
              : "take back the last move; play it again"},
      {earlier,
       {command_key(earlier), command_key(later)},
       "look back a move, or forward; End shows the board now"},
      {computer_help,
       {command_key(computer_help)},
       session().board().exercise ? "show a hint, then the move"
       : others                   ? "after the end: show an analysis"
                                  : "show a hint, then threats; after the end an analysis"},
      {enter, {first_key_of_word("try")}, "try moves; nothing is saved"},
      {enter,
       {function_key(4)},
       others ? "change colours, mouse, bell and your name"
              : "change settings; tutor there warns before a bad move"},
      {enter, {first_key_of_word("rules")}, "read the rules of this game"},
      {enter, {character_key('?')}, "show all keys and words"},
  };
  if (session().can_show_solution())
    std::erase_if(rows,
                  [](const auto& row) { return row.keys.front() == first_key_of_word("undo"); });
  std::vector<KeyHelp> out = key_help<BoardCommand>(rows);
  if (!session().board().exercise)
    out.insert(out.end() - 3, {"resign, propose", "type it to give up; to offer a draw"});
  if (others) out.insert(out.end() - 3, {": TEXT", "send a chat message; BT : TEXT plays BT, too"});
  return out;
}

void BoardScreen::update_computer_seats() {
  ComputerSeats* computers = model_.boards.computer();
  if (!computers) return;
  computers->set_watched_ply_time(std::chrono::milliseconds(model_.preferences.pace_ms));
  if (model_.is_paused && model_.is_watching_computers()) computer_handle_.reset();
  else computer_handle_ = computers->play_on(session().board());
}

void BoardScreen::set_pace(int pace) {
  model_.boards.computer()->set_watched_ply_time(std::chrono::milliseconds(pace));
  notice_ = "Each move takes at least " + pace_text(pace) + " s.";
  request(SettingsChange{[pace](Preferences& wanted) { wanted.pace_ms = pace; }});
}

// Offers the tutor after the first game that the player lost against the computer.
void BoardScreen::offer_tutor() {
  const auto own = session().own_seat();
  const auto& end = match().ending();
  if (!end || !own || !match().has_computer() || session().is_trying() ||
      session().board().exercise || end->winner.value_or(*own) == *own ||
      model_.preferences.has_tutor || model_.preferences.was_tutor_offered)
    return;
  if (notice_.empty())
    notice_ = model_.line.empty() ? status_message(model_, match().position(), {}).text
                                  : session().status();
  notice_.text += " Press F7 for a tutor that warns you before a bad move.";
  request(SettingsChange{[](Preferences& wanted) { wanted.was_tutor_offered = true; }});
}

void BoardScreen::handle_match_change(PlyMotion::Frame first) {
  model_.ply_motion.update(match(), page_.shown_position(), first, model_.preferences.has_motion);
  model_.help.drop_outdated();
  page_.set_field(model_.preferred_field());
  model_.line.update();
  update_computer_seats();
  page_.ply_list().scroll_to_current();
  set_mode(TypingMode{});
}

void BoardScreen::set_mode(BoardMode mode) {
  model_.mode = std::move(mode);
  model_.confirmation.reset();
  refresh();
}

void BoardScreen::place_cursor() {
  const std::string line = model_.line.text();
  if (const PickingMode* const picking = model_.mode_as<PickingMode>();
      picking && line != picking->picker().picked_text() &&
      (picking->picker().picked_spots().empty() || !model_.line.can_become_ply(line)))
    model_.mode = TypingMode{};
  if (!model_.mode_as<TypingMode>() || !line.empty() || match().ending() || !session().can_move() ||
      session().can_continue_exercise())
    return;
  const Position& position = match().position();
  PickingMode picking(position, position.draw(page_.view()));
  if (!picking.picker().next_spots().empty()) model_.mode = std::move(picking);
}

bool BoardScreen::close_question() {
  const bool previewed = model_.is_previewing();
  model_.confirmation.reset();
  if (previewed) refresh();
  return previewed;
}

void BoardScreen::show_notice(std::string sentence, Style style) {
  if (!model_.is_previewing()) close_question();
  Screen::show_notice(std::move(sentence), style);
}

std::optional<BoardCommand> BoardScreen::find_command(const Key& key) const {
  const auto own = [&](const auto& mode) { return mode.find_command(model_, key); };
  if (const auto command = std::visit(own, model_.mode)) return command;
  const auto command = bound_command<BoardCommand>(board_bindings(), key);
  // Elsewhere these keys type characters of a move.
  const bool past = review_mode() || (model_.mode_as<TypingMode>() && match().ending()),
             typing = !model_.line.empty();
  if (past && !typing && key.code == Key::Code::left) return BoardCommand::earlier;
  if (past && !typing && key.code == Key::Code::right) return BoardCommand::later;
  if (command == BoardCommand::replay && (typing || !(past || model_.is_watching_computers())))
    return std::nullopt;
  if ((command == BoardCommand::faster || command == BoardCommand::slower) &&
      (typing || !model_.is_watching_computers()))
    return std::nullopt;
  // Only the mode for earlier positions has this key.
  return command == BoardCommand::current ? std::nullopt : command;
}

void BoardScreen::press(const Key& key) {
  const bool replayed = model_.ply_motion.is_replaying();
  end_motion();
  if (replayed && key.code == Key::Code::character) {
    const std::size_t behind = match().plies().size() - model_.shown_ply();
    return set_notice("Stopped. " + format_count(behind, "move follows", "moves follow") +
                      ". Space continues, End shows the current board.");
  }
  const std::string before = model_.line.text();
  handle_key(key);
  cancel_pending_unless(before);
}

void BoardScreen::handle_key(const Key& key) {
  model_.line.restart_if_refused(key);
  // A character after "rematch" means that the player was typing another word with r.
  if (std::exchange(has_typed_rematch_, false) && key.code == Key::Code::character &&
      model_.line.text() == "rematch")
    model_.line.set("r");
  // The key r only types "rematch": a letter meant for this board must not start another game.
  if (key == character_key('r') && model_.line.empty() && session().can_rematch() &&
      (!review_mode() || page_.shown_position().parse("r").refusal().offset == 0)) {
    model_.line.set("rematch");
    has_typed_rematch_ = true;
    handle_edit();
    return set_notice("Enter starts a rematch with the seats swapped; Esc cancels.");
  }
  const bool text = key.code == Key::Code::character && !model_.mode_as<PickingMode>() &&
                    model_.line.accepts_text();
  const auto command = text ? std::nullopt : find_command(key);
  if (command != BoardCommand::enter && command != BoardCommand::pick) {
    enter_check_.note_other_key();
    if (close_question() && (command == BoardCommand::preview || command == BoardCommand::leave))
      return clear_notice();
  }
  if (command) {
    clear_notice();
    return run_command(*command);
  }
  if (const TypedWord* const word = text ? nullptr : find_typed_word(key)) {
    clear_notice();
    return enter_line(session().parse_line(word->name));
  }
  if (model_.line.press(key)) handle_edit();
}

void BoardScreen::paste(char32_t c) {
  end_motion();
  enter_check_.note_other_key();
  close_question();
  const std::string before = model_.line.text();
  model_.line.restart_if_refused(character_key(c));
  model_.line.press(character_key(c));
  handle_edit();
  cancel_pending_unless(before);
}

// Handles a change of the line by an editing key.
void BoardScreen::handle_edit() {
  clear_notice();
  model_.line.restart_history();
  refresh();
}

void BoardScreen::click(Point place) {
  end_motion();
  enter_check_.note_other_key();
  close_question();
  clear_notice();
  const auto spot = page_.picture().nearest_spot(place);
  if (!spot || review_mode() || match().ending()) return;
  const std::string before = model_.line.text();
  if (!model_.mode_as<PickingMode>()) start_picking();
  // If no square can be picked, the click has no effect.
  if (PickingMode* const picking = model_.mode_as<PickingMode>())
    finish_pick(picking->pick_at(model_, *spot));
  cancel_pending_unless(before);
}

void BoardScreen::finish_pick(const PickingMode::PickResult& left) {
  if (!left.message.empty()) notice_ = left.message;
  left.should_enter ? enter_line(model_.line.typed_line()) : refresh();
}

void BoardScreen::resume() {
  end_motion();
  update_field();
  update_computer_seats();  // the settings may have changed
  boards_changed();
}

// Uses the field that the player may have chosen on another screen.
void BoardScreen::update_field() {
  if (pending_field_save_ || page_.chosen_field() == model_.preferred_field()) return;
  page_.set_field(model_.preferred_field());
  stop_picking();
  refresh();
}

bool BoardScreen::handle_event(const Notification& news) {
  if (news.board != session().id()) return false;
  if (news.kind == Notification::Kind::message) model_.chat.add_line(news.text);
  // Add it to the sentence about what was just done there.
  if (news.kind == Notification::Kind::board || news.kind == Notification::Kind::connection)
    show_notice(has_news_notice_ ? notice_.text + " " + news.text : news.text, Style::good);
  page_.ply_list().scroll_to_current();
  return true;
}

// Handles Esc one step at a time: clear the line, stop looking back, end the trial, leave.
void BoardScreen::handle_escape() {
  BoardHelp& help = model_.help;
  if (help.running_help()) return set_notice(help.stop());
  const PickingMode* const picking = model_.mode_as<PickingMode>();
  if (!model_.line.empty() || help.threats_for(page_.shown_position()) || help.hint_spot() ||
      !help.reason_spots().empty() || (picking && picking->is_used())) {
    model_.line.set("");
    help.clear();
    stop_picking();
    return refresh();
  }
  if (review_mode()) return show_ply(match().plies().size());
  // If the player has a seat, it only makes the computer play now. If not, it leaves.
  if (model_.is_computer_thinking() && session().has_seat())
    return model_.boards.computer()->play_now();
  go_back();
}

void BoardScreen::go_back() {
  if (!session().is_trying()) return request(BackRequest{});
  const std::size_t from = session().trial_start();
  model_.session.stop_trial();
  handle_match_change();
  show_ply(from);  // the trial began there
  if (const auto at = std::exchange(review_before_trial_, std::nullopt);
      at && at->shown_ply < match().plies().size())
    set_mode(*at);
}

void BoardScreen::run_command(BoardCommand command) {
  const std::size_t plies = match().plies().size();
  const std::size_t at = review_mode() ? review_mode()->shown_ply : plies;
  MoveLine& line = model_.line;
  BoardView& picture = page_.picture();
  switch (command) {
    case BoardCommand::enter: return enter_line(line.typed_line());
    case BoardCommand::leave: return handle_escape();
    // Complete the text if that adds something, else use the cursor.
    case BoardCommand::complete_line:
      return line.complete(model_.boards.server()) ? refresh() : start_picking();
    case BoardCommand::preview: notice_ = enter_check_.preview(); return refresh();
    case BoardCommand::older_line: return line.recall(-1);
    case BoardCommand::newer_line: return line.recall(1);
    case BoardCommand::earlier: return show_ply(at - (at > 0));
    case BoardCommand::later: return show_ply(at + 1);
    case BoardCommand::current: return show_ply(plies);
    case BoardCommand::replay: return replay_or_pause();
    case BoardCommand::previous_mistake: return show_mistake(false);
    case BoardCommand::next_mistake: return show_mistake(true);
    case BoardCommand::computer_help: return show_next_help();
    case BoardCommand::toggle_tutor:
      notice_ = model_.preferences.has_tutor
                    ? "The tutor is off."
                    : "The tutor is on. Against the computer, it warns you before a bad move.";
      return request(SettingsChange{
          [on = !model_.preferences.has_tutor](Preferences& wanted) { wanted.has_tutor = on; }});
    case BoardCommand::faster: return set_pace(next_pace(model_.preferences.pace_ms, -1));
    case BoardCommand::slower: return set_pace(next_pace(model_.preferences.pace_ms, 1));
    case BoardCommand::scroll_up: return picture.scroll(-1, 0);
    case BoardCommand::scroll_down: return picture.scroll(1, 0);
    case BoardCommand::scroll_left: return picture.scroll(0, -1);
    case BoardCommand::scroll_right: return picture.scroll(0, 1);
    case BoardCommand::plies_up: return page_.ply_list().scroll(-1);
    case BoardCommand::plies_down: return page_.ply_list().scroll(1);
    default: break;
  }
  if (PickingMode* const picking = model_.mode_as<PickingMode>())
    finish_pick(picking->run_command(model_, command));
}

void BoardScreen::show_help(const BoardHelp::HelpResult& said) {
  if (said.is_refused) return show_error(said.message);
  if (said.message.empty()) return request(TextRequest{"", said.make_text});
  // The player may have moved to another position meanwhile.
  if (said.kind == HelpKind::threats && !model_.help.threats_for(page_.shown_position())) return;
  // The hint's ply goes into the line, in place of started picks.
  if (!said.ply.empty() && model_.mode_as<PickingMode>()) {
    model_.line.set("");
    stop_picking();
  }
  if (!said.ply.empty()) {
    if (!model_.line.empty()) model_.line.add_to_history(model_.line.text());
    model_.line.set(said.ply);
    model_.line.mark_refused();  // typing another move replaces it
  }
  refresh();
  const Analysis* const analysis =
      said.kind == HelpKind::analysis ? session().visible_analysis() : nullptr;
  show_notice(
      said.message + (said.ply.empty() ? "" : " Enter plays it.") +
          (!analysis || analysis->marked_plies().empty()
               ? ""
               : " { and } go to " + std::string(own_mistakes(model_, *analysis) ? "your" : "the") +
                     " mistakes, F8 tries the better moves, analyse lists all."),
      Style::good);
}

// Shows the next step of the computer's help; after the last one hides it.
void BoardScreen::show_next_help() {
  BoardHelp& help = model_.help;
  if (const auto busy = help.running_help())
    return set_notice(busy == HelpKind::hint || busy == HelpKind::threats
                          ? help.progress_text() + " Esc stops it."
                          : help.stop());
  const std::size_t plies = match().plies().size();
  if (review_mode() || match().ending()) {
    if (!session().visible_analysis()) return enter_line(session().parse_line("analyse"));
    model_.session.hide_analysis();
    return refresh();
  }
  const bool threatened = help.threats_for(page_.shown_position()) != nullptr;
  if (!threatened && !help.is_hint_complete()) {
    help.request(HelpKind::hint, plies);
  } else if (const std::string text = help.last_text(page_.shown_position());
             page_.is_message_cut() && std::exchange(last_read_text_, text) != text) {
    request(wrapped_text_request(text));
  } else {
    help.clear();
    last_read_text_.clear();
    if (!threatened && session().check_threats_allowed(plies))
      help.request(HelpKind::threats, plies);
    refresh();
  }
}

// First asks which ply would be better, so that the player can find it; then shows the next ply.
void BoardScreen::show_mistake(bool forward) {
  model_.session.show_analysis();
  const Analysis* analysis = session().visible_analysis();
  if (!analysis)
    return show_error(session().is_trying() ? "The analysis is about the game. Esc goes back to it."
                                            : "There is no analysis yet. Type analyse.");
  model_.line.set("");
  const std::size_t plies = match().plies().size();
  if (forward && review_mode() && review_mode()->question_analysis(model_)) {
    const std::size_t asked = review_mode()->shown_ply + 1;
    show_ply(asked);
    if (asked == plies) show_notice(analysis->sentence(asked), Style::warning);
    return;
  }
  // Prefer the player's own mistakes. The question is about the ply after the shown one.
  const auto all = analysis->marked_plies();
  const auto own = own_mistakes(model_, *analysis);
  if (all.empty())
    return show_error(model_.help.running_help() == HelpKind::analysis
                          ? "No mistake is known yet. " + model_.help.progress_text()
                      : analysis->next_index() ? "No mistake is known yet. " + analysis->summary()
                                               : "There are no mistakes.");
  const std::vector<std::size_t>& walked = own ? *own : all;
  const std::size_t at =
      review_mode() ? review_mode()->shown_ply + review_mode()->has_question : plies + 1;
  // From the current position, go to the last or the first.
  const auto after = std::ranges::upper_bound(walked, at),
             before = std::ranges::lower_bound(walked, at);
  if (review_mode() && (forward ? after == walked.end() : before == walked.begin()))
    return show_error(std::string("There is no mistake") + (own ? " of yours" : "") +
                      (forward ? " after this." : " before this."));
  const std::size_t ply = !forward                ? *std::prev(before)
                          : after == walked.end() ? walked.front()
                                                  : *after;
  show_ply(ply - 1);
  model_.mode_as<ReviewMode>()->has_question = true;
}

void BoardScreen::choose_field(char field) {
  page_.set_field(session().next_field(field, page_.view().drawing_style));
  save_field();
  stop_picking();
  refresh();
  request(SettingsChange{
      [field = page_.chosen_field()](Preferences& wanted) { wanted.field = field; }});
}

void BoardScreen::turn_board() {
  page_.turn_board();
  if (const PickingMode* const picking = model_.mode_as<PickingMode>();
      picking && picking->is_used()) {
    start_picking();
  } else {
    stop_picking();
    refresh();
  }
  request(SettingsChange{
      [name = turned_key(session().board()), on = page_.view().is_turned](Preferences& wanted) {
        constexpr std::size_t kMost = 50;
        std::erase(wanted.turned_boards, name);
        if (on) wanted.turned_boards.push_back(name);
        if (wanted.turned_boards.size() > kMost)
          wanted.turned_boards.erase(wanted.turned_boards.begin());
      }});
}

// Starts or continues picking, with the squares that the typed text names.
void BoardScreen::start_picking() {
  if (model_.line.accepts_text()) return;  // the line is no move, or has its chat text
  if (match().ending() || !session().can_move()) return set_notice(session().status());
  const Position& position = match().position();
  MoveLine& line = model_.line;
  const std::string typed = line.text();
  PickingMode picking(position, position.draw(page_.view()));
  // If the only ply touches no square, type it: the cursor cannot reach it.
  if (picking.picker().next_spots().empty()) {
    if (const auto legal = position.legal_plies(); legal.size() == 1) line.set(legal.front());
    return set_mode(TypingMode{});
  }
  picking.pick_trail(common_prefix(line.possible_trails(typed)));
  if (!starts_with_ignoring_case(typed, picking.picker().picked_text()))
    picking = PickingMode(position, position.draw(page_.view()));
  picking.show_cursor();
  if (picking.picker().picked_spots().empty() && !typed.empty() &&
      line.possible_trails(typed).empty())
    return set_notice("No move begins with '" + fit(typed, 20) + "'. Press Esc to clear the line.");
  if (picking.picker().picked_spots().empty()) line.set("");
  set_mode(std::move(picking));
}

void BoardScreen::show_ply(std::size_t ply) {
  const std::size_t plies = match().plies().size();
  page_.ply_list().scroll_to_current();
  if (ply < plies) set_mode(ReviewMode{ply, review_mode() ? review_mode()->known_plies : plies});
  else set_mode(TypingMode{});
}

// Replays from the shown ply, or from the start. If only computers play on, pauses or continues.
void BoardScreen::replay_or_pause() {
  if (!review_mode() && model_.is_watching_computers()) {
    model_.is_paused = !model_.is_paused;
    return update_computer_seats();
  }
  if (!review_mode()) show_ply(0);
  if (review_mode()) model_.ply_motion.start_replay(review_mode()->shown_ply);
}

void BoardScreen::tick() {
  PlyMotion& motion = model_.ply_motion;
  if (!motion.next_time()) return;
  if (const auto ply = motion.advance(match(), model_.preferences.has_motion)) show_ply(*ply);
  if (motion.is_replaying() && !motion.is_moving() && !review_mode()) motion.stop();
  refresh();
}

}  // namespace pbm
