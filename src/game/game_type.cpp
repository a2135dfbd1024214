// SPDX-License-Identifier: MIT
#include "game/game_type.hpp"

namespace pbm {

const GameType* find_game(std::string_view name) {
  for (const GameType& game : all_games())
    if (same_ignoring_case(game.name, name)) return &game;
  return nullptr;
}

std::string game_names() {
  std::vector<std::string> names;
  for (const GameType& game : all_games()) names.emplace_back(game.name);
  return one_of(names);
}

}  // namespace pbm
