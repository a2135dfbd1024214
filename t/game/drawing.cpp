// SPDX-License-Identifier: MIT
// Tests turned and enlarged drawings.
#include "game/drawing.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

std::string draw_text(const std::string& game, const std::string& plies, const View& view) {
  Position position = make_setup(game, {}).start();
  for (const std::string& ply : split_words(plies)) position.play(ply);
  std::string out = "\n";
  for (const std::string& row : position.draw(view).rows) out += row + "\n";
  return out;
}

const View kLarge{.drawing_style = 'c', .scale = 2},
    kTurned{.drawing_style = 'c', .is_turned = true};

}  // namespace

TEST_CASE("at each scale a drawing has its signs, so many times as far apart", "[drawing]") {
  for (const GameType& game : all_games()) {
    const Position start = make_setup(std::string(game.name), {}).start();
    const Drawing usual = start.draw({});
    for (int scale = 2; scale <= kMaxScale; ++scale) {
      INFO(game.name << " " << scale);
      const Drawing large = start.draw({.scale = scale});
      CHECK(large.scale == scale);
      REQUIRE(large.spots.size() == usual.spots.size());
      const auto sign = [](const Drawing& drawing, const Spot& s) {
        return drawing.rows[static_cast<std::size_t>(s.row)].substr(
            static_cast<std::size_t>(s.column), static_cast<std::size_t>(s.width));
      };
      for (std::size_t i = 0; i < usual.spots.size(); ++i) {
        const Spot &a = usual.spots[i], &b = large.spots[i], &first = usual.spots.front();
        CHECK(a.id == b.id);
        CHECK(a.width == b.width);
        CHECK(b.row - large.spots.front().row == scale * (a.row - first.row));
        if (a.width == first.width)
          CHECK(b.column - large.spots.front().column == scale * (a.column - first.column));
        if (a.role != SpotRole::board) CHECK(sign(large, b) == sign(usual, a));
        // A large piece has room at the edges.
        CHECK((a.role == SpotRole::board || b.column >= scale - 1));
      }
    }
  }
}

TEST_CASE("a drawing twice as large has longer lines, and each sign once", "[drawing]") {
  CHECK(draw_text("toot", "BT", kLarge) == R"(
 A   B   C   D   E   F

 .   .   .   .   .   .

 .   .   .   .   .   .

 .   .   .   .   .   .

 .   T   .   .   .   .
)");
  CHECK(draw_text("plotto", "a1 f3", kLarge) == R"(
  ____   b
 /    \
/  1   \____
\      /    \
 \____/  3   \
      \      /
   a   \____/
)");
  const std::string rails = draw_text("flooprail", "", kLarge);
  CHECK(rails.starts_with(R"(
      A     B     C     D     E     F     G     H

1                       O-----O
                        |     |
                        |     |
                        |     |
2                 O-----O-----O-----.
)"));
  CHECK(draw_text("chaos", "a3-c3", kLarge) == R"(
                    1   2   3
                   /   /   /
                  /   /   /   4
                             /
                            /   5
                               /
    a---      o   o   .       /

  b---      o   o   o   o

c---      .   .   o   .   .

  d---      x   x   x   x

    e---      x   x   x
)");
  CHECK(draw_text("soccolot", "", kLarge).find(R"(
      --------------     G O A L      --------------  player1 : Black

       ..    W6    W5    W4    W3    W2    W1    ..
)") != std::string::npos);
}

TEST_CASE("a drawing is turned with its coordinates, and its words stay upright", "[drawing]") {
  CHECK(draw_text("chaos", "a3-c3", kTurned) == R"(
     x x x   -e
    x x x x   -d
   . . o . .   -c
    o o o o   -b
 /   . o o   -a
5 /
 4 / / /
  3 2 1
)");
  CHECK(draw_text("soccolot", "", kTurned) == R"(
              N
   ------- G O A L -------  player2 : White
   .. B1 B2 B3 B4 B5 B6 ..  N
   .. .. .. .. .. .. .. ..  |
   .. .. .. .. .. .. .. ..
W  .. .. .. .. .. .. .. ..  E
   .. .. .. SB .. .. .. ..
   .. .. .. .. .. .. .. ..  |
   .. .. .. .. .. .. .. ..  S
   .. W1 W2 W3 W4 W5 W6 ..
   ------- G O A L -------  player1 : Black
              S
)");
}

TEST_CASE("a drawing that is turned twice is what it was", "[drawing]") {
  for (const GameType& game : all_games()) {
    const Drawing usual = make_setup(std::string(game.name), {}).start().draw({});
    CHECK(turn_drawing(usual).rows != usual.rows);
    CHECK(turn_drawing(turn_drawing(turn_drawing(usual))).rows == turn_drawing(usual).rows);
  }
}
