// SPDX-License-Identifier: MIT
// The table of games, in the order of the lists. The games do not register themselves, because a
// linker drops an object file of a library that no other file refers to.
#include "games/registry.hpp"

namespace pbm {

std::span<const GameType> all_games() {
  static const std::vector<GameType> games{toot_row(), flooprail_row(), plotto_row(), chaos_row(),
                                           soccolot_row()};
  return games;
}

}  // namespace pbm
