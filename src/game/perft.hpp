// SPDX-License-Identifier: MIT
// Counting legal ply sequences: the check on move generation and the measure
// of its speed. A template over State, so that nothing is erased or allocated.
#pragma once

#include <cstdint>

#include "game/game.hpp"

namespace pbm {

// How many sequences of `depth` legal plies start at `state`; 1 for depth 0.
// The last ply is counted, not played. A State may offer count_after(move),
// the count_moves() of the position after `move`, where that is cheaper.
template <GameState S>
std::uint64_t perft(const S& state, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return state.count_moves();
  std::uint64_t sum = 0;
  state.each_move([&](typename S::Move move) {
    if constexpr (requires { state.count_after(move); }) {
      if (depth == 2) {
        sum += state.count_after(move);
        return;
      }
    }
    S next = state;
    next.play(move);
    sum += perft(next, depth - 1);
  });
  return sum;
}

}  // namespace pbm
