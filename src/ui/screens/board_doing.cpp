// SPDX-License-Identifier: MIT
// The modes of a board's screen, and the keys that belong to them.
#include <algorithm>

#include "boards/analysis.hpp"
#include "ui/screens/board_model.hpp"

namespace pbm {

const std::vector<Binding<BoardCommand>>& board_bindings() {
  using enum Key::Code;
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::enter, by_keys(enter),
       "play what is typed, and keep it; #12 shows the board after move 12"},
      {BoardCommand::leave, by_keys(escape),
       "clear the line; on an empty line, back to the boards"},
      {BoardCommand::complete, by_keys(tab),
       "complete what is typed; with nothing to add, go on with the cursor"},
      {BoardCommand::preview, by_keys(ctrl('O')), "see the board as the typed move would make it"},
      {BoardCommand::computer, by_keys(fkey(6)),
       "what the computer sees: a hint, again what and why, again threats, again nothing; looking "
       "back or after the end: the analysis, or nothing"},
      {BoardCommand::older, by_keys(Key::Code::up), "after something typed: what was typed before"},
      {BoardCommand::newer, by_keys(Key::Code::down), "what was typed after that"},
      {BoardCommand::past, by_keys(ctrl('P')),
       "the board a move earlier; after the end, or once one looks back, so does Left"},
      {BoardCommand::later, by_keys(ctrl('N')), "the board a move later; so does Right then"},
      {BoardCommand::now, by_keys(end), "after looking back: the board as it is now"},
      {BoardCommand::replay, by_keys(typed(' ')),
       "after the end or looking back: plays the game through, or stops that; where computers play "
       "each other: they pause"},
      {BoardCommand::mistake_before, by_keys(typed('{')), "after analyse: to the mistake before"},
      {BoardCommand::mistake_after, by_keys(typed('}')), "to the next mistake"},
      {BoardCommand::faster, by_keys(typed('+')), "where computers play each other: faster"},
      {BoardCommand::slower, by_keys(typed('-')), "slower; both are remembered"},
      {BoardCommand::scroll_up, by_keys(page_up, ctrl('B')),
       "scroll a board larger than the screen up"},
      {BoardCommand::scroll_down, by_keys(page_down, ctrl('F')), "scroll it down"},
      {BoardCommand::scroll_left, by_keys(typed('<')), "scroll it to the left"},
      {BoardCommand::scroll_right, by_keys(typed('>')), "scroll it to the right"},
      {BoardCommand::plies_up, by_keys(typed('[')), "scroll the list of moves up"},
      {BoardCommand::plies_down, by_keys(typed(']')), "scroll the list of moves down"},
  };
  return table;
}

const std::vector<Binding<BoardCommand>>& picking_bindings() {
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::left, by_keys(Key::Code::left), "to the left"},
      {BoardCommand::right, by_keys(Key::Code::right), "to the right"},
      {BoardCommand::up, by_keys(Key::Code::up), "up"},
      {BoardCommand::down, by_keys(Key::Code::down), "down"},
      {BoardCommand::next, by_keys(Key::Code::tab), "to the next square that can be picked"},
      {BoardCommand::pick, by_keys(Key::Code::enter, typed(' ')),
       "pick the square; play the move once it is whole"},
      {BoardCommand::unpick, by_keys(Key::Code::backspace), "take the last pick back"},
  };
  return table;
}

Key key_for(BoardCommand command) {
  for (const auto* table : {&board_bindings(), &picking_bindings()})
    for (const auto& binding : *table)
      if (binding.command == command) return binding.keys.front();
  return {};
}

namespace {

// Marks the squares that the typed text names, and those that can come next.
void light_typed(const MoveLine& line, BoardView& picture) {
  const auto trails = line.trails_of(line.typed().text);
  const auto common = common_beginning(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture.mark(next, Mark::choice);
  picture.mark(common, Mark::picked);
}

}  // namespace

void Typing::mark(const BoardModel& model, const Position& seen, BoardView& picture) const {
  if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
  if (!model.previews() && !model.line.empty()) light_typed(model.line, picture);
  if (const auto spot = model.help.spot()) {
    picture.mark({*spot}, Mark::win, style_of_seat(seen.to_move()));
    picture.follow(spot);
  }
}

FootKeys Typing::foot(const BoardModel& model) const {
  const BoardSession& session = model.session;
  const bool trying = session.trying(), exercise = session.board().exercise && !trying,
             found = session.may_go_on(), watches = !exercise && model.watches_computers(),
             over = !exercise && !watches && !trying && model.match().ending(),
             plays = !found && !watches && !over,
             hint = plays && !trying && (exercise || session.may_have_hint()),
             begun = !exercise && !model.match().plies().empty(),
             redo = !model.match().redo().empty();
  FootKeys out;
  const auto add = [&](bool here, const Key& key, std::string_view words) {
    if (here) out.emplace_back(key, words);
  };
  add(found, key_for(BoardCommand::enter), "goes on");
  add((found || trying) && redo, key_of_word("redo"), "next move");
  add(watches, key_for(BoardCommand::replay), model.paused ? "go on" : "pause");
  add(watches, key_for(BoardCommand::faster), "faster");
  add(watches, key_for(BoardCommand::slower), "slower");
  add(plays && session.may_move(), key_for(BoardCommand::complete), "cursor");
  add(hint, key_for(BoardCommand::computer), "hint");
  add(begun, over ? Key{Key::Code::left} : key_for(BoardCommand::past), "look back");
  add(over, key_for(BoardCommand::computer), session.analysed() ? "no analysis" : "analyse");
  add(over && !session.analysed(), key_of_word("record"), "record");
  add(over && session.analysed(), key_for(BoardCommand::mistake_before), "mistakes");
  add(plays && begun && session.plays(), key_of_word("undo"), "take back");
  add(plays && !begun && !exercise && !trying && redo, key_of_word("redo"), "play it again");
  add(trying, key_for(BoardCommand::leave), "back to the game");
  add(watches || (plays && !trying && !exercise && !(hint && begun)), key_of_word("try"),
      watches ? "try moves" : "try");
  add(over, key_of_word("next"), "next board");
  add(true, key_of_word("rules"), "rules");
  return out;
}

// While the player types, End goes to the end of the line instead.
std::optional<BoardCommand> LookingBack::command_of(const BoardModel& model, const Key& key) const {
  return key.code == Key::Code::end && model.line.empty() ? std::optional(BoardCommand::now)
                                                          : std::nullopt;
}

const Analysis* LookingBack::asked(const BoardModel& model) const {
  const Analysis* const found = asks ? model.session.analysed() : nullptr;
  return found && found->nag(ply + 1) != Nag::none ? found : nullptr;
}

FootKeys LookingBack::foot(const BoardModel& model) const {
  const bool asking = asked(model) != nullptr;
  if (model.session.analysed())
    return {{asking ? Key{Key::Code::enter} : key_for(BoardCommand::mistake_before),
             asking ? "tell" : "mistake before"},
            {key_for(BoardCommand::mistake_after), "next"},
            {key_of_word("better"), "better line"},
            {key_for(BoardCommand::now), "now"},
            {key_for(BoardCommand::computer), "no analysis"}};
  if (model.motion.replays()) return {{key_for(BoardCommand::replay), "stop"}};
  FootKeys out{{{Key::Code::left}, "earlier"},
               {{Key::Code::right}, "later"},
               {key_for(BoardCommand::now), "now"},
               {key_for(BoardCommand::replay), "replay"},
               {key_of_word("try"), "try moves"}};
  if (model.match().ending() && model.session.may_be_helped())
    out.emplace_back(key_for(BoardCommand::computer), "analyse");
  return out;
}

// Returns the ply played there, its side lines, its time and its note.
std::string LookingBack::hint(const BoardModel& model) const {
  if (!model.line.empty()) return "";
  const Match& m = model.match();
  std::string out;
  if (const Analysis* analysis = asked(model)) {
    const Match::Ply& next = m.plies()[ply];
    return "What is better here than " + next.text + " " +
           std::string(to_string(analysis->nag(ply + 1))) + ", move " + std::to_string(ply + 1) +
           ", by " + m.player(next.seat) + "? Enter tells, F3 tries.";
  }
  if (model.help.busy() == Help::analysis) return model.help.progress();
  if (const Analysis* analysis = model.session.analysed())
    if (out = analysis->sentence(ply); !out.empty()) out += " ";
  out += ply == 0 ? "The start."
                  : std::to_string(ply) + ": " +
                        said_of(m, m.plies()[ply - 1].seat, m.plies()[ply - 1].described);
  out += " " + count_of(m.plies().size() - ply, "move", "moves") + " ahead, End returns.";
  for (const auto& line : m.side_lines(ply))
    out += " Also played here: " + first_words(line, 8) + ".";
  if (ply > 0)
    if (const std::string when = long_time(m.plies()[ply - 1].at); !when.empty())
      out += " " + when + ".";
  if (!m.note(ply).empty()) out += " Note: " + m.note(ply);
  return out;
}

std::optional<BoardCommand> Picking::command_of(const BoardModel& model, const Key& key) const {
  const std::string line = model.line.text();
  // After typed letters a blank is text. In an exercise Enter continues or shows the task again.
  if (key == typed(' ') && line != picker_.text()) return std::nullopt;
  if (key.code == Key::Code::enter && line.empty() && !used_ && !model.session.task().empty())
    return std::nullopt;
  // After a ply, a second Enter pressed by mistake only shows the cursor.
  if (key.code == Key::Code::enter && line.empty() && !used_) return BoardCommand::next;
  // If only a letter is left to choose, Enter or a blank chooses the first; the next one plays it.
  if ((key.code == Key::Code::enter || key == typed(' ')) && line == picker_.text() &&
      !letters_left(model).empty())
    return BoardCommand::next;
  return command_for<BoardCommand>(picking_bindings(), key);
}

void Picking::mark(const BoardModel& model, const Position& seen, BoardView& picture) const {
  if (!used_) return Typing().mark(model, seen, picture);
  picture.mark(picker_.choices(), Mark::choice);
  picture.mark(picker_.picked(), Mark::picked);
  picture.follow(picker_.cursor());
}

std::string Picking::hint(const BoardModel& model) const {
  return !used_ || model.played_by_hand || model.match().offer()
             ? ""
             : "Arrows and Tab move, Enter picks, Backspace takes back, Esc clears.";
}

FootKeys Picking::foot(const BoardModel& model) const {
  if (!used_) return Typing().foot(model);
  return {{key_for(BoardCommand::next), "next"},
          {key_for(BoardCommand::pick),
           model.line.judgement().kind == Judgement::Kind::complete ? "play" : "pick"},
          {key_for(BoardCommand::unpick), "take back"},
          {key_for(BoardCommand::leave), "clear"},
          {key_of_word("rules"), "rules"}};
}

void Picking::begin(const std::vector<SpotId>& trail) {
  for (const SpotId spot : trail) {
    picker_.go_to(spot);
    picker_.pick();
  }
}

std::vector<std::string> Picking::letters_left(const BoardModel& model) const {
  std::vector<std::string> out;
  if (picker_.picked().empty() || !picker_.choices().empty()) return out;
  for (const std::string& ply : model.line.plies_of(picker_.text()))
    if (model.match().position().trail(ply) == picker_.picked()) out.push_back(ply);
  if (out.size() < 2) out.clear();
  return out;
}

// Puts the next of `plies`, or the one before, into the line. Returns false if there are none.
bool Picking::chose_letter(MoveLine& line, const std::vector<std::string>& plies,
                           BoardCommand command) const {
  if (plies.empty()) return false;
  const bool back = command == BoardCommand::left || command == BoardCommand::up;
  const auto now = std::ranges::find_if(
      plies, [&](const std::string& ply) { return same_ignoring_case(ply, line.text()); });
  const std::size_t n = plies.size(), at = static_cast<std::size_t>(now - plies.begin());
  line.set(plies[at == n ? (back ? n - 1 : 0) : (at + (back ? n - 1 : 1)) % n]);
  return true;
}

Picking::Left Picking::run(BoardModel& model, BoardCommand command) {
  // The first such key only shows the cursor.
  if (!std::exchange(used_, true) && command == BoardCommand::next) return {};
  switch (command) {
    case BoardCommand::pick: return pick(model);
    case BoardCommand::unpick:
      if (model.line.text() != picker_.text()) {
        model.line.press({Key::Code::backspace});
      } else {
        picker_.unpick();
        model.line.set(picker_.text());
      }
      return {};
    default: break;
  }
  if (chose_letter(model.line, letters_left(model), command)) return {};
  if (command == BoardCommand::next) picker_.go_to_next();
  else
    picker_.go(static_cast<MovePicker::Direction>(static_cast<int>(command) -
                                                  static_cast<int>(BoardCommand::left)));
  return {};
}

// Puts the picked squares into the line, in notation. Picking the last square of a complete move
// again enters it. Any other square that was possible before replaces the later picks.
Picking::Left Picking::pick(BoardModel& model) {
  const bool whole = model.line.judgement().kind == Judgement::Kind::complete,
             at_picks = model.line.text() == picker_.text();
  // A typed letter or number after the picks completes the move.
  if (whole && (!at_picks || picker_.picked().empty())) return {"", true};
  Left left;
  if (at_picks && !picker_.pick()) {
    const bool last = picker_.on_last_pick();
    if (last && whole) return {"", true};
    const std::string& name = picker_.name();
    if (last) picker_.unpick();
    else if (!picker_.repick() && (whole || !picker_.choices().empty()))
      left.why = picker_.picked().empty()
                     ? "No move begins " + (name.empty() ? "there" : "at " + name) +
                           ": Tab goes to where one does."
                     : "This move does not go on " + (name.empty() ? "there" : "to " + name) +
                           (whole ? ": Enter plays it on its last square."
                                  : ": Tab goes to where it can.");
  }
  model.line.set(picker_.text());
  return left;
}

Picking::Left Picking::pick_at(BoardModel& model, SpotId spot) {
  used_ = true;
  picker_.go_to(spot);
  return pick(model);
}

}  // namespace pbm
