// SPDX-License-Identifier: MIT
#include "ui/screens/board_keys.hpp"

namespace pbm {

const std::vector<Binding<BoardCommand>>& board_bindings() {
  using enum Key::Code;
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::enter,
       {{enter}},
       "play what is typed, and keep it; #12 shows the board after ply 12"},
      {BoardCommand::leave, {{escape}}, "clear the line; on an empty line, back to the boards"},
      {BoardCommand::complete,
       {{tab}},
       "complete what is typed; with nothing to add, go on with the cursor"},
      {BoardCommand::preview, {ctrl('O')}, "see the board as the typed move would make it"},
      {BoardCommand::computer,
       {{function, 6}},
       "what the computer sees: a hint, again what and why, again threats, again nothing; looking "
       "back or after the end: the analysis, or nothing"},
      {BoardCommand::older, {{Key::Code::up}}, "behind something typed: what was typed before"},
      {BoardCommand::newer, {{Key::Code::down}}, "what was typed after that"},
      {BoardCommand::past, {ctrl('P')}, "the board a ply earlier"},
      {BoardCommand::later, {ctrl('N')}, "the board a ply later"},
      {BoardCommand::now, {{end}}, "after looking back: the board as it is now"},
      {BoardCommand::replay,
       {typed(' ')},
       "after the end or looking back: plays the game through, or stops that"},
      {BoardCommand::mistake_before, {typed('{')}, "after analyse: to the mistake before"},
      {BoardCommand::mistake_after, {typed('}')}, "to the next mistake"},
      {BoardCommand::faster, {typed('+')}, "where computers play each other: faster"},
      {BoardCommand::slower, {typed('-')}, "slower; both are remembered"},
      {BoardCommand::scroll_up, {{page_up}, ctrl('B')}, "scroll a board larger than the screen up"},
      {BoardCommand::scroll_down, {{page_down}, ctrl('F')}, "scroll it down"},
      {BoardCommand::scroll_left, {typed('<')}, "scroll it to the left"},
      {BoardCommand::scroll_right, {typed('>')}, "scroll it to the right"},
      {BoardCommand::plies_up, {typed('[')}, "scroll the list of plies up"},
      {BoardCommand::plies_down, {typed(']')}, "scroll the list of plies down"},
  };
  return table;
}

const std::vector<Binding<BoardCommand>>& picking_bindings() {
  static const std::vector<Binding<BoardCommand>> table{
      {BoardCommand::left, {{Key::Code::left}}, "to the left"},
      {BoardCommand::right, {{Key::Code::right}}, "to the right"},
      {BoardCommand::up, {{Key::Code::up}}, "up"},
      {BoardCommand::down, {{Key::Code::down}}, "down"},
      {BoardCommand::next, {{Key::Code::tab}}, "to the next square that can be picked"},
      {BoardCommand::pick,
       {{Key::Code::enter}, typed(' ')},
       "pick the square; play the move once it is whole"},
      {BoardCommand::unpick, {{Key::Code::backspace}}, "take the last pick back"},
  };
  return table;
}

Key key_for(BoardCommand command) {
  for (const auto* table : {&board_bindings(), &picking_bindings()})
    for (const auto& binding : *table)
      if (binding.command == command) return binding.keys.front();
  return {};
}

}  // namespace pbm
