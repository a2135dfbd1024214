// SPDX-License-Identifier: MIT
// Turns golden games into key scripts: with typed plies, with the cursor, or with clicks. The
// scripts show the result.
#pragma once

#include "test_app.hpp"

namespace pbm::test {

struct GoldenGame {
  std::string file_name;
  Setup setup;
  std::vector<std::string> plies;
  std::string plies_text() const;  // separated by blanks
};

// Returns all games of t/golden, sorted by file name.
std::vector<GoldenGame> read_golden_games();

// Returns a script that plays a golden game; `way` is "typed", "cursor" or "mouse". If `screens`, a
// typed game has a screen after each ply. The others have every screen of the first two plies, and
// then one after every fifth.
std::string make_script(const GoldenGame& golden, const std::string& way, Size size, bool screens);

// Returns the script of the shortest golden game of `game`, with screens of 80x24.
std::string make_script(const GameType& game, const std::string& way);

}  // namespace pbm::test
