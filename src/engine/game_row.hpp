// SPDX-License-Identifier: MIT
// A game's row of the table out of its State: everything that is a template
// over that is made here, once for each game.
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
  if (!row.remark) row.remark = [](const Options&, int) { return std::string(); };
  return row;
}

}  // namespace pbm
