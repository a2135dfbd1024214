// SPDX-License-Identifier: MIT
#include "ui/screens/board_keys.hpp"

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

}  // namespace pbm
