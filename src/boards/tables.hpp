// SPDX-License-Identifier: MIT
// The tables by which the computer knows the ends of some games: made when they are first needed,
// and kept in a directory. Leaves what is in them to the games.
#pragma once

#include <filesystem>
#include <map>

#include "game/game_type.hpp"

namespace pbm {

class Tables {
 public:
  explicit Tables(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // What the computer thinks of a position of `game`, by the table that helps with it where it
  // plays its best: who plays weaker need not know how every game ends. Making a table takes
  // seconds, the first time; a stop ends that, too.
  Thought think(const GameType& game, const Position& position, Question question);

 private:
  const std::vector<std::uint8_t>& of(const GameType& game, const Position& position,
                                      const std::stop_token& stop);

  std::filesystem::path directory_;
  std::map<std::string, std::vector<std::uint8_t>> tables_;
};

}  // namespace pbm
