// SPDX-License-Identifier: MIT
// The modes of a board's screen, and the keys that belong to them.
#include <algorithm>

#include "boards/analysis.hpp"
#include "ui/screens/board_model.hpp"

namespace pbm {

const std::vector<Binding<BoardCommand>>& board_bindings() {
  using enum Key::Code;
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::enter, key_list(enter),
       "play the typed move; #12 shows the board after move 12"},
      {BoardCommand::leave, key_list(escape),
       "clear the line; if it is empty, go back to the list"},
      {BoardCommand::complete_line, key_list(tab),
       "complete the text; if nothing can be added, use the cursor"},
      {BoardCommand::preview, key_list(control_key('O')), "show the board after the typed move"},
      {BoardCommand::computer_help, key_list(function_key(6)),
       "show a hint, its move, why, threats; after the end an analysis"},
      {BoardCommand::toggle_tutor, key_list(function_key(7)),
       "switch the tutor on or off: it warns you before a bad move"},
      {BoardCommand::older_line, key_list(Key::Code::up), "fetch the line typed before"},
      {BoardCommand::newer_line, key_list(Key::Code::down), "fetch the line typed after that"},
      {BoardCommand::earlier, key_list(control_key('P')),
       "show the board a move earlier; after the end also with Left"},
      {BoardCommand::later, key_list(control_key('N')),
       "show the board a move later; after the end also with Right"},
      {BoardCommand::current, key_list(end), "show the current board again"},
      {BoardCommand::replay, key_list(character_key(' ')),
       "replay the game, or stop; if only computers play: pause"},
      {BoardCommand::previous_mistake, key_list(character_key('{')),
       "after analyse: go to the mistake before"},
      {BoardCommand::next_mistake, key_list(character_key('}')),
       "after analyse: go to the next mistake"},
      {BoardCommand::faster, key_list(character_key('+')), "if only computers play: play faster"},
      {BoardCommand::slower, key_list(character_key('-')), "if only computers play: play slower"},
      {BoardCommand::scroll_up, key_list(page_up, control_key('B')), "scroll a large board up"},
      {BoardCommand::scroll_down, key_list(page_down, control_key('F')),
       "scroll a large board down"},
      {BoardCommand::scroll_left, key_list(character_key('<')), "scroll a large board to the left"},
      {BoardCommand::scroll_right, key_list(character_key('>')),
       "scroll a large board to the right"},
      {BoardCommand::plies_up, key_list(character_key('[')), "scroll the list of moves up"},
      {BoardCommand::plies_down, key_list(character_key(']')), "scroll the list of moves down"},
  };
  return table;
}

const std::vector<Binding<BoardCommand>>& picking_bindings() {
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::left, key_list(Key::Code::left), "move the cursor left"},
      {BoardCommand::right, key_list(Key::Code::right), "move the cursor right"},
      {BoardCommand::up, key_list(Key::Code::up), "move the cursor up"},
      {BoardCommand::down, key_list(Key::Code::down), "move the cursor down"},
      {BoardCommand::next_square, key_list(Key::Code::tab),
       "go to the next square that can be picked"},
      {BoardCommand::pick, key_list(Key::Code::enter, character_key(' ')),
       "pick the square; if the move is complete, play it"},
      {BoardCommand::unpick, key_list(Key::Code::backspace), "take back the last pick"},
  };
  return table;
}

Key command_key(BoardCommand command) {
  for (const auto* table : {&board_bindings(), &picking_bindings()})
    for (const auto& binding : *table)
      if (binding.command == command) return binding.keys.front();
  return {};
}

namespace {

// Marks the squares that the typed text names, and those that can come next.
void mark_typed_squares(const MoveLine& line, BoardView& picture) {
  const auto trails = line.possible_trails(line.typed_line().text);
  const auto common = common_prefix(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture.mark_spots(next, Mark::choice);
  picture.mark_spots(common, Mark::picked);
  if (!common.empty()) picture.scroll_to(common.back());
  else if (!next.empty()) picture.scroll_to(next.front());
}

void mark_hint(const BoardModel& model, const Position& seen, BoardView& picture) {
  picture.mark_spots(model.help.reason_spots(), Mark::win);
  const auto spot = model.help.hint_spot();
  if (!spot) return;
  picture.mark_spots({*spot}, Mark::win, seat_style(model.match().game(), seen.to_move()));
  picture.scroll_to(spot);
}

// Marks the squares that show why the last shown ply is a mistake.
void mark_mistake(const BoardModel& model, BoardView& picture) {
  if (const Analysis* const analysis = model.session.visible_analysis())
    picture.mark_spots(analysis->reason(model.shown_ply()).spots, Mark::wrong);
}

void mark_outcome(const BoardModel& model, const Position& seen, BoardView& picture) {
  auto outcome = seen.outcome();
  if (!outcome) return;
  outcome->spots.resize(std::min(outcome->spots.size(), model.ply_motion.lit_spots()));
  picture.mark_ending(outcome->spots, outcome->winner, model.match().game());
}

}  // namespace

void ReviewMode::add_marks(const BoardModel& model, const Position& seen,
                           BoardView& picture) const {
  mark_outcome(model, seen, picture);
  if (!has_question) mark_mistake(model, picture);
}

void TypingMode::add_marks(const BoardModel& model, const Position& seen,
                           BoardView& picture) const {
  mark_outcome(model, seen, picture);
  if (model.line.empty()) mark_mistake(model, picture);
  else if (!model.is_previewing()) mark_typed_squares(model.line, picture);
  mark_hint(model, seen, picture);
}

FootKeys TypingMode::foot_keys(const BoardModel& model) const {
  const BoardSession& session = model.session;
  const bool trying = session.is_trying(), exercise = session.board().exercise && !trying,
             found = session.can_continue_exercise(),
             watches = !exercise && model.is_watching_computers(),
             over = !exercise && !watches && !trying && model.match().ending(),
             plays = !found && !watches && !over,
             hint = plays && !trying && (exercise || session.check_hint_allowed()),
             begun = !exercise && !model.match().plies().empty(),
             redo = !model.match().redo_ply().empty();
  FootKeys out;
  const auto add = [&](bool here, const Key& key, std::string_view words) {
    if (here) out.emplace_back(key, words);
  };
  add(found, command_key(BoardCommand::enter), "continue");
  add((found || trying) && redo, first_key_of_word("redo"), "next move");
  add(watches, command_key(BoardCommand::replay), model.is_paused ? "continue" : "pause");
  add(watches, command_key(BoardCommand::faster), "faster");
  add(watches, command_key(BoardCommand::slower), "slower");
  add(plays && session.can_move(), command_key(BoardCommand::complete_line), "cursor");
  add(hint, command_key(BoardCommand::computer_help), "hint");
  add(over && session.can_rematch(), character_key('r'), "rematch");
  add(begun, over ? Key{Key::Code::left} : command_key(BoardCommand::earlier), "look back");
  add(over, command_key(BoardCommand::computer_help),
      session.visible_analysis() ? "no analysis" : "analyse");
  add(over && !session.visible_analysis(), first_key_of_word("record"), "record");
  add(over && session.visible_analysis(), command_key(BoardCommand::previous_mistake), "mistakes");
  add(plays && begun && session.has_seat(), first_key_of_word("undo"), "take back");
  add(plays && !begun && !exercise && !trying && redo, first_key_of_word("redo"), "redo");
  add(trying, command_key(BoardCommand::leave), "back to the game");
  add(watches || (plays && !trying && !exercise && !(hint && begun)), first_key_of_word("try"),
      watches ? "try moves" : "try");
  add(over, first_key_of_word("next"), "next game");
  add(true, first_key_of_word("rules"), "rules");
  return out;
}

// While the player types, End goes to the end of the line instead.
std::optional<BoardCommand> ReviewMode::find_command(const BoardModel& model,
                                                     const Key& key) const {
  return key.code == Key::Code::end && model.line.empty() ? std::optional(BoardCommand::current)
                                                          : std::nullopt;
}

const Analysis* ReviewMode::question_analysis(const BoardModel& model) const {
  const Analysis* const found = has_question ? model.session.visible_analysis() : nullptr;
  return found && found->mark(shown_ply + 1) != MoveMark::none ? found : nullptr;
}

FootKeys ReviewMode::foot_keys(const BoardModel& model) const {
  const bool asking = question_analysis(model) != nullptr;
  if (const Analysis* known = model.session.visible_analysis();
      known && !known->marked_plies().empty())
    return {{asking ? Key{Key::Code::enter} : command_key(BoardCommand::previous_mistake),
             asking ? "answer" : "mistake before"},
            {command_key(BoardCommand::next_mistake), "next"},
            {first_key_of_word("better"), "better line"},
            {command_key(BoardCommand::current), "now"},
            {command_key(BoardCommand::computer_help), "no analysis"}};
  if (model.ply_motion.is_replaying()) return {{command_key(BoardCommand::replay), "stop"}};
  FootKeys out{{{Key::Code::left}, "earlier"},
               {{Key::Code::right}, "later"},
               {command_key(BoardCommand::current), "now"},
               {command_key(BoardCommand::replay), "replay"},
               {first_key_of_word("try"), "try moves"}};
  if (model.match().ending() && model.session.check_help_allowed())
    out.emplace_back(command_key(BoardCommand::computer_help), "analyse");
  return out;
}

// Returns the ply played there, its side lines, its time and its note.
std::string ReviewMode::hint_text(const BoardModel& model) const {
  if (!model.line.empty()) return "";
  const Match& m = model.match();
  std::string out;
  if (question_analysis(model)) {
    const Match::Ply& next = m.plies()[shown_ply];
    return "Which move is better than " + next.text + ", move " + std::to_string(shown_ply + 1) +
           " by " + model.session.player_label(next.seat) + "? Enter shows it, F3 tries moves.";
  }
  out += shown_ply == 0 ? "The start."
                        : "Move " + std::to_string(shown_ply) + ": " +
                              ply_sentence(model, m.plies()[shown_ply - 1].seat,
                                           m.plies()[shown_ply - 1].description);
  out += " " + format_count(m.plies().size() - shown_ply, "move follows", "moves follow") + ".";
  for (const auto& line : m.side_lines(shown_ply))
    out += " Also played here: " + first_words(line, 8) + ".";
  if (shown_ply > 0)
    if (const std::string when = long_time(m.plies()[shown_ply - 1].time); !when.empty())
      out += " Played " + when + ".";
  if (!m.note(shown_ply).empty()) out += " Note: " + m.note(shown_ply);
  return out;
}

std::optional<BoardCommand> PickingMode::find_command(const BoardModel& model,
                                                      const Key& key) const {
  const std::string line = model.line.text();
  // After typed letters a blank is text. In an exercise Enter continues or shows the task again.
  if (key == character_key(' ') && line != picker_.picked_text()) return std::nullopt;
  if (key.code == Key::Code::enter && line.empty() && !is_used_ &&
      !model.session.exercise_text().empty())
    return std::nullopt;
  // After a ply, a second Enter pressed by mistake only shows the cursor.
  if (key.code == Key::Code::enter && line.empty() && !is_used_) return BoardCommand::next_square;
  // If only a letter is left to choose, Enter or a blank chooses the first; the next one plays it.
  if ((key.code == Key::Code::enter || key == character_key(' ')) &&
      line == picker_.picked_text() && !letter_choices(model).empty())
    return BoardCommand::next_square;
  return bound_command<BoardCommand>(picking_bindings(), key);
}

void PickingMode::add_marks(const BoardModel& model, const Position& seen,
                            BoardView& picture) const {
  if (!is_used_) return TypingMode().add_marks(model, seen, picture);
  picture.mark_spots(picker_.next_spots(), Mark::choice);
  mark_hint(model, seen, picture);
  picture.mark_spots(picker_.picked_spots(), Mark::picked);
  picture.scroll_to(picker_.cursor_spot());
}

std::string PickingMode::hint_text(const BoardModel& model) const {
  return !is_used_ || model.has_used_cursor || model.match().offer()
             ? ""
             : "Arrows and Tab move, Enter picks, Backspace takes back, Esc clears.";
}

FootKeys PickingMode::foot_keys(const BoardModel& model) const {
  if (!is_used_) return TypingMode().foot_keys(model);
  return {{command_key(BoardCommand::next_square), "next"},
          {command_key(BoardCommand::pick),
           model.line.judgement().kind == Judgement::Kind::complete ? "play" : "pick"},
          {command_key(BoardCommand::unpick), "take back"},
          {command_key(BoardCommand::leave), "clear"},
          {first_key_of_word("rules"), "rules"}};
}

void PickingMode::pick_trail(const std::vector<SpotId>& trail) {
  for (const SpotId spot : trail) {
    picker_.move_to(spot);
    picker_.pick();
  }
}

std::vector<std::string> PickingMode::letter_choices(const BoardModel& model) const {
  std::vector<std::string> out;
  if (picker_.picked_spots().empty() || !picker_.next_spots().empty()) return out;
  for (const std::string& ply : model.line.possible_plies(picker_.picked_text()))
    if (model.match().position().selected_spots(ply) == picker_.picked_spots()) out.push_back(ply);
  if (out.size() < 2) out.clear();
  return out;
}

// Puts the next of `plies`, or the one before, into the line. Returns false if there are none.
bool PickingMode::choose_letter(MoveLine& line, const std::vector<std::string>& plies,
                                BoardCommand command) const {
  if (plies.empty()) return false;
  const bool back = command == BoardCommand::left || command == BoardCommand::up;
  const auto now = std::ranges::find_if(
      plies, [&](const std::string& ply) { return equals_ignoring_case(ply, line.text()); });
  const std::size_t n = plies.size(), at = static_cast<std::size_t>(now - plies.begin());
  line.set(plies[at == n ? (back ? n - 1 : 0) : (at + (back ? n - 1 : 1)) % n]);
  return true;
}

PickingMode::PickResult PickingMode::run_command(BoardModel& model, BoardCommand command) {
  // The first such key only shows the cursor.
  if (!std::exchange(is_used_, true) && command == BoardCommand::next_square) return {};
  switch (command) {
    case BoardCommand::pick: return pick(model);
    case BoardCommand::unpick:
      if (model.line.text() != picker_.picked_text()) {
        model.line.press({Key::Code::backspace});
      } else {
        picker_.unpick();
        model.line.set(picker_.picked_text());
      }
      return {};
    default: break;
  }
  if (choose_letter(model.line, letter_choices(model), command)) return {};
  if (command == BoardCommand::next_square) picker_.move_to_next();
  else
    picker_.move(static_cast<MovePicker::Direction>(static_cast<int>(command) -
                                                    static_cast<int>(BoardCommand::left)));
  return {};
}

// Puts the picked squares into the line, in notation. Picking the last square of a complete move
// again enters it. Any other square that was possible before replaces the later picks.
PickingMode::PickResult PickingMode::pick(BoardModel& model) {
  const bool whole = model.line.judgement().kind == Judgement::Kind::complete,
             at_picks = model.line.text() == picker_.picked_text();
  // A typed letter or number after the picks completes the move.
  if (whole && (!at_picks || picker_.picked_spots().empty())) return {"", true};
  PickResult left;
  if (at_picks && !picker_.pick()) {
    const bool last = picker_.is_on_last_pick();
    if (last && whole) return {"", true};
    const std::string& name = picker_.cursor_name();
    if (last) picker_.unpick();
    else if (!picker_.repick() && (whole || !picker_.next_spots().empty()))
      left.message = picker_.picked_spots().empty()
                         ? "No move begins " + (name.empty() ? "there" : "at " + name) +
                               ". Tab goes to a square where one does."
                         : "This move cannot continue " + (name.empty() ? "there" : "to " + name) +
                               (whole ? ". Enter on its last square plays it."
                                      : ". Tab goes to a square where it can.");
  }
  model.line.set(picker_.picked_text());
  return left;
}

PickingMode::PickResult PickingMode::pick_at(BoardModel& model, SpotId spot) {
  is_used_ = true;
  picker_.move_to(spot);
  return pick(model);
}

}  // namespace pbm
