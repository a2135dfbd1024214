// SPDX-License-Identifier: MIT
// Boards that are called by their game and a number, in a directory as on a server: which numbers
// there are and how they are read. Leaves boards of other names to board_files.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "game/game_type.hpp"

namespace pbm {

inline constexpr int kFirstNumber = 101, kLastNumber = 999'999;

struct BoardKey {
  const GameType* game = nullptr;
  int number = 0;
  friend auto operator<=>(const BoardKey&, const BoardKey&) = default;
  std::string id() const {
    return std::string(game->name) + "-" + std::to_string(number);
  }  // "toot-101"
  std::string to_string() const {
    return std::string(game->name) + " " + std::to_string(number);
  }  // "toot 101"
};

// The number in "101"; nothing when no board can have it.
std::optional<int> read_board_number(std::string_view digits);

// The board called "toot-101", in that case only, as files are named; nothing when that is no name
// of a numbered board.
std::optional<BoardKey> read_board_id(std::string_view id);

// Why there is no new board of a game whose last number is taken.
Refusal no_number_left(const GameType& game);

}  // namespace pbm
