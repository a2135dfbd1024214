// SPDX-License-Identifier: MIT
// The format of a file of puzzles: saves with one more key, separated by lines of "---". Leaves
// the search for puzzles to puzzles.cpp, and checking them to the tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "game/position.hpp"

namespace pbm::test {

inline constexpr std::string_view kSeparatorLine = "---\n";

// Returns a text that is equal for positions with the same solution: mirror images, and on boards
// without edges shifted positions.
inline std::string canonical_image(const Position& position) {
  using Thing = std::tuple<int, int, int>;
  std::vector<Thing> things;
  int top = 1000, left = 1000, bottom = 0, right = 0;
  for (const Spot& spot : position.draw({}).spots) {
    if (spot.role == SpotRole::opening) continue;
    things.emplace_back(spot.row, spot.column, static_cast<int>(spot.role));
    top = std::min(top, spot.row);
    bottom = std::max(bottom, spot.row);
    left = std::min(left, spot.column);
    right = std::max(right, spot.column);
  }
  std::vector<Thing> least;
  for (const bool turns_rows : {false, true})
    for (const bool turns_columns : {false, true}) {
      std::vector<Thing> turned = things;
      for (auto& [row, column, role] : turned) {
        row = turns_rows ? bottom - row : row - top;
        column = turns_columns ? right - column : column - left;
      }
      std::sort(turned.begin(), turned.end());
      if (least.empty() || turned < least) least = std::move(turned);
    }
  std::string out = std::to_string(position.to_move());
  for (const auto& [row, column, role] : least)
    out += " " + std::to_string(row) + "," + std::to_string(column) + ":" + std::to_string(role);
  for (Seat seat = 0; seat < position.seats(); ++seat) out += "/" + position.holdings(seat);
  return out;
}

}  // namespace pbm::test
