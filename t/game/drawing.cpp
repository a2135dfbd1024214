// SPDX-License-Identifier: MIT
// Tests turned and enlarged drawings.
#include "game/drawing.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

std::string seen(const std::string& game, const std::string& plies, const View& view) {
  Position position = setup_of(game, {}).start();
  for (const std::string& ply : words(plies)) position.play(ply);
  std::string out = "\n";
  for (const std::string& row : position.draw(view).rows) out += row + "\n";
  return out;
}

const View kLarge{.field = 'c', .scale = 2}, kTurned{.field = 'c', .turned = true};

}  // namespace

TEST_CASE("a drawing twice as large has longer lines, and each sign once", "[drawing]") {
  CHECK(seen("toot", "BT", kLarge) == R"(
A   B   C   D   E   F

.   .   .   .   .   .

.   .   .   .   .   .

.   .   .   .   .   .

.   T   .   .   .   .
)");
  CHECK(seen("plotto", "a1 f3", kLarge) == R"(
  ____   b
 /    \
/  1   \____
\      /    \
 \____/  3   \
      \      /
   a   \____/
)");
  const std::string rails = seen("flooprail", "", kLarge);
  CHECK(rails.starts_with(R"(
      A     B     C     D     E     F     G     H

1                       O-----O
                        |     |
                        |     |
                        |     |
2                 O-----O-----O-----.
)"));
  CHECK(seen("chaos", "a3-c3", kLarge) == R"(
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
  CHECK(seen("soccolot", "", kLarge).find(R"(
      --------------     G O A L      --------------  player1 : Black

       ..    W6    W5    W4    W3    W2    W1    ..
)") != std::string::npos);
}

TEST_CASE("a drawing is turned with its coordinates, and its words stay upright", "[drawing]") {
  CHECK(seen("chaos", "a3-c3", kTurned) == R"(
     x x x   -e
    x x x x   -d
   . . o . .   -c
    o o o o   -b
 /   . o o   -a
5 /
 4 / / /
  3 2 1
)");
  CHECK(seen("soccolot", "", kTurned) == R"(
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
    const Drawing usual = setup_of(std::string(game.name), {}).start().draw({});
    CHECK(turned(usual).rows != usual.rows);
    CHECK(turned(turned(turned(usual))).rows == turned(usual).rows);
  }
}
