// SPDX-License-Identifier: MIT
// Whole games as key scripts, made out of the golden games: what to type, where
// the cursor has to go, where to click. What comes of it the scripts show.
#pragma once

#include "test_app.hpp"

namespace pbm::test {

struct GoldenGame {
  std::string file;
  Setup setup;
  std::vector<std::string> plies;
  std::string plies_text() const;  // parted by blanks
};

// All of t/golden, in the order of their names.
std::vector<GoldenGame> golden_games();

// The script that plays a golden game: `way` is "typed", "cursor" or "mouse".
// With screens: after each ply when it is typed, else for all of the first two
// plies and after every fifth.
std::string script_of(const GoldenGame& golden, const std::string& way, Size size, bool screens);

// That of the shortest golden game of `game` to be read, at 80x24.
std::string script_of(const GameType& game, const std::string& way);

}  // namespace pbm::test
