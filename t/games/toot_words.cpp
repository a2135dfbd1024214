// SPDX-License-Identifier: MIT
// The word of 128 bits for processors of 32 bits, beside the compiler's own.
#include <random>

#include "games/toot_knowledge.hpp"
#include "support.hpp"

using namespace pbm;

namespace {

// Plays random games on two boards that differ in their words only.
template <bool kTootris>
void compare_words(int width, int height) {
  std::mt19937 random(7);
  for (int game = 0; game < 20; ++game) {
    toot::Board<toot::Word128, kTootris> one(width, height, 0);
    toot::Board<toot::TwoWords, kTootris> other(width, height, 0);
    for (const Seat seat : {0, 1})
      for (const int letter : {toot::kT, toot::kO}) {
        one.set_stock(seat, letter, width * height);
        other.set_stock(seat, letter, width * height);
      }
    one.finish_setup(), other.finish_setup();
    for (int ply = 0; ply < 300 && !one.is_over(); ++ply) {
      std::vector<std::pair<int, int>> moves, same;
      one.each_move([&](auto m) { moves.emplace_back(m.bit, m.letter); });
      other.each_move([&](auto m) { same.emplace_back(m.bit, m.letter); });
      REQUIRE(moves == same);
      if constexpr (!kTootris) REQUIRE(one.outcome_key() == other.outcome_key());
      REQUIRE(one.plies_left() == other.plies_left());
      std::vector<int> points, same_points;
      one.evaluation_terms([&](std::string_view, int n) { points.push_back(n); });
      other.evaluation_terms([&](std::string_view, int n) { same_points.push_back(n); });
      REQUIRE(points == same_points);
      const auto [bit, letter] = moves[random() % moves.size()];
      one.play({static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(letter)});
      other.play({static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(letter)});
      REQUIRE(one.hash() == other.hash());
    }
    CHECK(one.is_over() == other.is_over());
  }
}

}  // namespace

TEST_CASE("two words count a large board as one of 128 bits does", "[toot]") {
  compare_words<false>(9, 9);
  compare_words<true>(9, 9);
  compare_words<false>(16, 8);
}
