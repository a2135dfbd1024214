// SPDX-License-Identifier: MIT
#include "game/game_type.hpp"

#include <algorithm>

namespace pbm {

const GameType* find_game(std::string_view name) {
  for (const GameType& game : all_games())
    if (same_ignoring_case(game.name, name)) return &game;
  return nullptr;
}

const GameType* find_game(std::string_view name, std::vector<std::string>& options) {
  for (const GameType& game : all_games())
    for (const OptionSpec& spec : game.options) {
      if (!spec.names_a_game || !same_ignoring_case(spec.name, name)) continue;
      const std::string option = "-" + std::string(spec.name);
      if (std::ranges::none_of(options,
                               [&](const std::string& o) { return same_ignoring_case(o, option); }))
        options.push_back(option);
      return &game;
    }
  return find_game(name);
}

std::string game_names() {
  std::vector<std::string> names;
  for (const GameType& game : all_games()) names.emplace_back(game.name);
  return one_of(names);
}

}  // namespace pbm
