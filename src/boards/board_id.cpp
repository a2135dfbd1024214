// SPDX-License-Identifier: MIT
#include "boards/board_id.hpp"

#include <algorithm>
#include <charconv>

namespace pbm {

std::optional<int> read_board_number(std::string_view digits) {
  int n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  const bool number = !digits.empty() && is_digit(digits.front()) && digits.front() != '0' && error == std::errc() && end == digits.data() + digits.size();
  return number && n <= kLastNumber ? std::optional(n) : std::nullopt;
}

std::optional<BoardKey> read_board_id(std::string_view id) {
  const std::size_t dash = id.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto number = read_board_number(id.substr(dash + 1));
  const auto games = all_games();
  const auto game = std::find_if(games.begin(), games.end(), [&](const GameType& g) { return g.name == id.substr(0, dash); });
  return number && game != games.end() ? std::optional(BoardKey{&*game, *number}) : std::nullopt;
}

Refusal no_number_left(const GameType& game) {
  return Refusal{"No number is left for a new board of " + std::string(game.title) + ": " + BoardKey{&game, kLastNumber}.id() + " has had the last one."};
}

}  // namespace pbm
