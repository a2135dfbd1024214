// SPDX-License-Identifier: MIT
// Counting legal ply sequences: the check on move generation and the measure
// of its speed. A template over State, so that nothing is erased or allocated. Leaves the numbers
// they must be to t/.
#pragma once

#include <cstdint>

#include "game/game.hpp"

namespace pbm {

// How many legal moves a state has: counted by the game where it can do that faster.
template <GameState S>
std::uint64_t count_moves(const S& state) {
  if constexpr (requires { state.count_moves(); }) return state.count_moves();
  std::uint64_t sum = 0;
  state.each_move([&](typename S::Move) { ++sum; });
  return sum;
}

// How many sequences of `depth` legal plies start at `state`; 1 for depth 0.
// The last ply is counted, not played.
template <GameState S>
std::uint64_t perft(const S& state, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return count_moves(state);
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
