// SPDX-License-Identifier: MIT
// The tables by which the computer knows the ends of some games: made when they are
// first needed, and kept in a directory. Leaves what is in them to the games.
#pragma once

#include <filesystem>
#include <map>

#include "game/game_type.hpp"

namespace pbm {

class Tables {
 public:
  explicit Tables(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // The one that helps with a position of `game`; nothing where there is none, or making it was
  // stopped. It takes seconds the first time. Stays where it is as long as this object does.
  std::span<const std::uint8_t> of(const GameType& game, const Position& position,
                                   const std::stop_token& stop = {});

 private:
  std::filesystem::path directory_;
  std::map<std::string, std::vector<std::uint8_t>> tables_;
};

}  // namespace pbm
