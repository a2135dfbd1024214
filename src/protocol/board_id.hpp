// SPDX-License-Identifier: MIT
// Identifies a board by its game and number, in a directory as on a server, and reads such names.
// Leaves boards with other names to board_files.hpp.
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

// Parses "101". Returns nothing if no board can have the number.
std::optional<int> read_board_number(std::string_view digits);

// Parses "toot-101", in lower case as in file names. Returns nothing for other names.
std::optional<BoardKey> read_board_id(std::string_view id);

// Returns the refusal for a new board of a game whose last number is taken.
Refusal number_limit_refusal(const GameType& game);

}  // namespace pbm
