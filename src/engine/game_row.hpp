// SPDX-License-Identifier: MIT
// A game's row of the table out of its State: everything that is a template
// over that is made here, once for each game. Leaves the games to games/.
#pragma once

#include "engine/think.hpp"
#include "game/game_type.hpp"
#include "game/perft.hpp"

namespace pbm {

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
  row.playouts = [](const Options& options, int seats, std::uint64_t games) {
    return engine::with_board(*S::start(options, seats), [&](const auto& board) {
      std::vector<typename std::remove_cvref_t<decltype(board)>::Move> choices;
      engine::Rewards rewards{};
      engine::Dice dice(games);
      std::uint64_t plies = 0;
      for (std::uint64_t i = 0; i < games; ++i)
        engine::play_out(board, dice, choices, rewards, [&] { return ++plies == 0; });
      return plies;
    });
  };
  if (!row.remark) row.remark = [](const Options&, int) { return std::string(); };
  return row;
}

}  // namespace pbm
