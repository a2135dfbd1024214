// SPDX-License-Identifier: MIT
// A move that is made with the cursor.
#include <algorithm>

#include "ui/screens/board_screen.hpp"

namespace pbm {

std::optional<BoardCommand> Picking::command_of(const BoardScreen& screen, const Key& key) const {
  const std::string line = screen.line_.text();
  // Behind letters a blank is typed; in an exercise Enter goes on or says the task again.
  if (key == typed(' ') && line != picker_.text()) return std::nullopt;
  if (key.code == Key::Code::enter && line.empty() && !used_ && !screen.desk_.task().empty())
    return std::nullopt;
  return command_for<BoardCommand>(picking_bindings(), key);
}

void Picking::mark(const BoardScreen& screen, BoardView& picture) const {
  if (!used_) return Typing().mark(screen, picture);
  picture.mark(picker_.choices(), Mark::choice);
  picture.mark(picker_.picked(), Mark::picked);
  picture.follow(picker_.cursor());
}

std::string Picking::hint(const BoardScreen& screen) const {
  return !used_ || screen.played_by_hand_ || screen.match().offer()
             ? ""
             : "Arrows and Tab move, Enter picks, Backspace takes back, Esc ends.";
}

const FootKeys& Picking::foot(const BoardScreen& screen) const {
  static const FootKeys keys{{key_for(BoardCommand::next), "next"},
                             {key_for(BoardCommand::pick), "pick"},
                             {key_for(BoardCommand::unpick), "take back"},
                             {key_for(BoardCommand::leave), "begin anew"},
                             {key_of_word("rules"), "rules"}};
  return used_ ? keys : Typing().foot(screen);
}

void Picking::begin(const std::vector<SpotId>& trail) {
  for (const SpotId spot : trail) {
    picker_.go_to(spot);
    picker_.pick();
  }
  use();
}

std::vector<std::string> Picking::letters_left(const BoardScreen& screen) const {
  std::vector<std::string> out;
  if (picker_.picked().empty() || !picker_.choices().empty()) return out;
  for (const std::string& ply : screen.plies_of(picker_.text()))
    if (screen.match().position().trail(ply) == picker_.picked()) out.push_back(ply);
  if (out.size() < 2) out.clear();
  return out;
}

// Goes on to the next of these, or back to the one before; false where there are none.
bool Picking::chose_letter(BoardScreen& screen, BoardCommand command) const {
  const std::vector<std::string> plies = letters_left(screen);
  if (plies.empty()) return false;
  const bool back = command == BoardCommand::left || command == BoardCommand::up;
  const auto now = std::find_if(plies.begin(), plies.end(), [&](const std::string& ply) {
    return same_ignoring_case(ply, screen.line_.text());
  });
  const std::size_t n = plies.size(), at = static_cast<std::size_t>(now - plies.begin());
  screen.line_.set(plies[at == n ? (back ? n - 1 : 0) : (at + (back ? n - 1 : 1)) % n]);
  screen.refresh_view();
  return true;
}

void Picking::run(BoardScreen& screen, BoardCommand command) {
  // The first of these, which may be an Enter too much, only shows where the cursor is.
  if (!std::exchange(used_, true) &&
      (command == BoardCommand::pick || command == BoardCommand::next))
    return screen.refresh_view();
  switch (command) {
    case BoardCommand::pick: return pick(screen);
    case BoardCommand::unpick:
      if (screen.line_.text() != picker_.text()) {
        screen.line_.press({Key::Code::backspace});
        return;
      }
      picker_.unpick();
      return picked(screen);
    default: break;
  }
  if (chose_letter(screen, command)) return;
  if (command == BoardCommand::next) picker_.go_to_next();
  else
    picker_.go(static_cast<MovePicker::Direction>(static_cast<int>(command) -
                                                  static_cast<int>(BoardCommand::left)));
  screen.refresh_view();
}

void Picking::pick(BoardScreen& screen) {
  const auto at_picks = [&] { return screen.line_.text() == picker_.text(); };
  // What is typed behind the picks (a letter, a number) makes it whole.
  if (screen.judgement().kind == Judgement::Kind::complete && (!at_picks() || !picker_.pick())) {
    screen.enter(screen.typed_line());
    return;
  }
  if (at_picks() && !picker_.pick() && !picker_.choices().empty()) {
    const std::string& name = picker_.name();
    screen.notice_ = picker_.picked().empty()
                         ? "No move begins " + (name.empty() ? "there" : "at " + name) +
                               ": Tab goes to where one does."
                         : "This move does not go on " + (name.empty() ? "there" : "to " + name) +
                               ": Tab goes to where it can.";
  }
  picked(screen);
}

// The picks have changed: they stand in the line, in notation.
void Picking::picked(BoardScreen& screen) const {
  screen.line_.set(picker_.text());
  screen.refresh_view();
}

void Picking::pick_at(BoardScreen& screen, SpotId spot) {
  use();
  picker_.go_to(spot);
  const auto before = picker_.picked();
  pick(screen);
  // A click beside the trail begins a new one.
  const Picking* now = screen.doing<Picking>();
  if (!now || before.empty() || now->picker_.picked() != before || now->picker_.cursor() != spot)
    return;
  screen.forget_notice();
  screen.line_.set("");
  screen.start_picking();
  Picking* anew = screen.doing<Picking>();
  if (!anew) return;
  anew->picker_.go_to(spot);
  anew->pick(screen);
}

}  // namespace pbm
