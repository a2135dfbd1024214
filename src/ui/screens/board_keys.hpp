// SPDX-License-Identifier: MIT
// What keys do on a board's screen that no word does (board_words.hpp): tables that it dispatches
// from and that its help and the row of keys at its foot are made of. Leaves doing it to
// board_screen.hpp.
#pragma once

#include "ui/widgets/keys.hpp"

namespace pbm {

enum class BoardCommand : std::uint8_t {
  enter,
  leave,
  complete,
  older,
  newer,
  past,
  later,
  now,
  replay,
  preview,
  computer,
  mistake_before,
  mistake_after,
  faster,
  slower,
  scroll_up,
  scroll_down,
  scroll_left,
  scroll_right,
  plies_up,
  plies_down,
  // Of the cursor; the first four in the order of MovePicker::Direction.
  left,
  right,
  up,
  down,
  next,
  pick,
  unpick,
};

const std::vector<Binding<BoardCommand>>& board_bindings();
// While there is a cursor on the board these come before the others.
const std::vector<Binding<BoardCommand>>& picking_bindings();
// A key that does it.
Key key_for(BoardCommand command);

}  // namespace pbm
