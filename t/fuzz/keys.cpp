// SPDX-License-Identifier: MIT
// Keys: the first byte chooses a game, the others are pressed on its board.
#include "key_presses.hpp"

namespace pbm::test {

void try_input(std::string_view input) {
  if (input.empty()) return;
  static const std::vector<Setup> setups = all_setups();
  TestApp desk;
  desk.start_board(setups[static_cast<unsigned char>(input.front()) % setups.size()]);
  KeyPresses presses(desk.app, input.substr(1, 400));
  while (presses.press_next()) {
  }
  for (const BoardSummary& line : desk.local_boards.list())
    if (!line.load_error.empty()) FAIL(line.id << ": " << line.state());
}

}  // namespace pbm::test
