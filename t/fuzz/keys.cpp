// SPDX-License-Identifier: MIT
// Keys: the first byte chooses a game, the others are pressed on its board.
#include "presses.hpp"

namespace pbm::test {

void try_input(std::string_view input) {
  if (input.empty()) return;
  static const std::vector<Setup> setups = all_setups();
  TestApp desk;
  desk.start(setups[static_cast<unsigned char>(input.front()) % setups.size()]);
  Presses presses(desk.app, input.substr(1, 400));
  while (presses.press()) {
  }
  for (const BoardSummary& line : desk.boards.list())
    if (!line.broken.empty()) FAIL(line.id << ": " << line.state());
}

}  // namespace pbm::test
