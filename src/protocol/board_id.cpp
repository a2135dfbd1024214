// SPDX-License-Identifier: MIT
#include "protocol/board_id.hpp"

#include <algorithm>

namespace pbm {

std::optional<int> read_board_number(std::string_view digits) {
  const auto n = read_whole_number<int>(digits);
  return n && *n <= kLastNumber && digits.front() != '0' ? n : std::nullopt;
}

std::optional<BoardKey> read_board_id(std::string_view id) {
  const std::size_t dash = id.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto number = read_board_number(id.substr(dash + 1));
  const auto games = all_games();
  const auto game =
      std::ranges::find_if(games, [&](const GameType& g) { return g.name == id.substr(0, dash); });
  return number && game != games.end() ? std::optional(BoardKey{&*game, *number}) : std::nullopt;
}

Refusal number_limit_refusal(const GameType& game) {
  return Refusal{"No number is left for a new game of " + std::string(game.title) +
                 ". The last was " + BoardKey{&game, kLastNumber}.id() + "."};
}

}  // namespace pbm
