// SPDX-License-Identifier: MIT
// A move that is made with the cursor.
#include <algorithm>

#include "ui/screens/board_model.hpp"

namespace pbm {

std::optional<BoardCommand> Picking::command_of(const BoardModel& model, const Key& key) const {
  const std::string line = model.line.text();
  // Behind letters a blank is typed; in an exercise Enter goes on or says the task again.
  if (key == typed(' ') && line != picker_.text()) return std::nullopt;
  if (key.code == Key::Code::enter && line.empty() && !used_ && !model.session.task().empty())
    return std::nullopt;
  // An Enter too much behind a ply only shows where the cursor is.
  if (key.code == Key::Code::enter && line.empty() && !used_) return BoardCommand::next;
  // Of several letters Enter takes the first, and plays it then; so does a blank.
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

void Picking::go_on() {
  used_ = true;
  if (!picker_.picked().empty()) picker_.go_to_next();
}

std::vector<std::string> Picking::letters_left(const BoardModel& model) const {
  std::vector<std::string> out;
  if (picker_.picked().empty() || !picker_.choices().empty()) return out;
  for (const std::string& ply : model.line.plies_of(picker_.text()))
    if (model.match().position().trail(ply) == picker_.picked()) out.push_back(ply);
  if (out.size() < 2) out.clear();
  return out;
}

// Goes on to the next of these, or back to the one before; false where there are none.
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
  // The first of these only shows where the cursor is.
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

// The picks stand in the line, in notation. A move that is whole is entered on its last square, and
// any other square that could have been picked before takes the place of what was picked since.
Picking::Left Picking::pick(BoardModel& model) {
  const bool whole = model.line.judgement().kind == Judgement::Kind::complete,
             at_picks = model.line.text() == picker_.text();
  // What is typed behind the picks (a letter, a number) makes it whole.
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
