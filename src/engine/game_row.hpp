// SPDX-License-Identifier: MIT
// Makes a game's row of the table from its State: instantiates every template over that State once.
// Leaves the games to games/.
#pragma once

#include "engine/searcher.hpp"
#include "game/game_type.hpp"

namespace pbm {

// Returns how many sequences of `depth` legal plies begin at `state`; 1 for depth 0. Counts the
// last ply without playing it.
template <GameState S>
std::uint64_t perft(const S& state, int depth) {
  if (depth <= 0) return 1;
  std::uint64_t sum = 0;
  state.each_move([&](typename S::Move move) {
    if (depth == 1) return void(++sum);
    S next = state;
    next.play(move);
    sum += perft(next, depth - 1);
  });
  return sum;
}

// Fills in the functions of a row that follow from the State.
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
  if constexpr (requires(const S& s, typename S::Move m) { s.purpose(m); })
    row.purpose = [](const Position& position, std::string_view ply) {
      const S& state = *position.state_as<S>();
      return state.purpose(*state.parse(ply));
    };
  if constexpr (requires(const S& s) { s.capture_verb(); })
    row.capture_verb = [](const Position& position) {
      return position.state_as<S>()->capture_verb();
    };
  if (!row.newcomer_note) row.newcomer_note = [](const Options&, int) { return std::string(); };
  return row;
}

}  // namespace pbm
