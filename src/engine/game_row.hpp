// SPDX-License-Identifier: MIT
// A game's row of the table out of its State: everything that is a template
// over that is made here, once for each game. Leaves the games to games/.
#pragma once

#include "engine/think.hpp"
#include "game/game_type.hpp"

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

// Fills in what follows from the State.
template <GameState S>
GameType game_row(GameType row) {
  row.start = [](const Options& options, int seats) -> Result<Position> {
    auto state = S::start(options, seats);
    if (!state) return state.refusal();
    return Position(std::move(*state));
  };
  row.perft = [](const Options& options, int seats, int depth) {
    return perft(*S::start(options, seats), depth);
  };
  row.think = engine::think<S>;
  if (!row.remark) row.remark = [](const Options&, int) { return std::string(); };
  return row;
}

}  // namespace pbm
