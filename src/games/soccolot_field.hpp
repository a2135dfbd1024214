// SPDX-License-Identifier: MIT
// The field of Soccolot, and the dribbles and kicks of a man next to the ball (rules/soccolot.md,
// "Dribble", "Kick"), as sets of squares. Leaves sides, turns, parsing and descriptions to
// soccolot.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace pbm::soccolot {

constexpr int kSide = 8;  // rows and columns of the field
constexpr int kMen = 6;   // men of a side, with jersey numbers 1 to 6
constexpr int kWays = 8;  // directions of the compass

// A square of the field is 8 * row + column, counted from the top left of the drawing. The
// count continues in the goals, where only the ball can go: -8 to -1 at the top, 64 to 71 at the
// bottom.
using Square = int;
using Bits = std::uint64_t;  // one bit per square of the field
constexpr Square kNowhere = 127;

constexpr Bits bit(Square s) { return Bits{1} << s; }
constexpr bool on_field(Square s) { return s >= 0 && s < kSide * kSide; }
constexpr int row_of(Square s) { return (s + kSide) / kSide - 1; }  // -1 and 8 in the goals
constexpr int column_of(Square s) { return (s + kSide) % kSide; }

// The directions of the compass. South is at the top of the drawing ("The board").
struct Way {
  std::string_view name, word, drawn;
  int row, column;
  constexpr int step() const { return kSide * row + column; }
};
constexpr std::array<Way, kWays> kCompass{{{"n", "north", "down", 1, 0},
                                           {"s", "south", "up", -1, 0},
                                           {"e", "east", "left", 0, -1},
                                           {"w", "west", "right", 0, 1},
                                           {"ne", "north-east", "down-left", 1, -1},
                                           {"nw", "north-west", "down-right", 1, 1},
                                           {"se", "south-east", "up-left", -1, -1},
                                           {"sw", "south-west", "up-right", -1, 1}}};

// Returns the square one step from `s` on the field, which may lie in a goal. Returns kNowhere
// beyond the sides and corners.
constexpr Square beside(Square s, int way) {
  const int column = column_of(s) + kCompass[way].column;
  return column < 0 || column >= kSide ? kNowhere : s + kCompass[way].step();
}

// Facts by square; rays and goals by direction first.
struct Tables {
  std::array<Bits, kSide * kSide> near{};   // the up to eight neighbours
  std::array<Bits, kSide * kSide> level{};  // the square and its neighbours in the row
  std::array<std::array<Bits, kSide * kSide>, kWays> ray{};          // all squares to the edge
  std::array<std::array<std::int8_t, kSide * kSide>, kWays> goal{};  // the goal square or kNowhere
  // The direction between two neighbours, by their difference plus 9.
  std::array<std::int8_t, 2 * kSide + 3> way{};
};

constexpr Tables make_tables() {
  Tables t;
  for (int way = 0; way < kWays; ++way) {
    t.way[kCompass[way].step() + kSide + 1] = static_cast<std::int8_t>(way);
    for (Square s = 0; s < kSide * kSide; ++s) {
      Square to = beside(s, way);
      if (on_field(to)) t.near[s] |= bit(to);
      for (; on_field(to); to = beside(to, way)) t.ray[way][s] |= bit(to);
      t.goal[way][s] = static_cast<std::int8_t>(to);
    }
  }
  for (Square s = 0; s < kSide * kSide; ++s)
    t.level[s] = (t.near[s] | bit(s)) & (Bits{0xFF} << (s / kSide * kSide));
  return t;
}
constexpr Tables kTables = make_tables();

// Returns the direction from a square to its neighbour `to`.
constexpr int way_between(Square from, Square to) { return kTables.way[to - from + kSide + 1]; }

// A number from 0 to 7 for each square, with one binary digit in each plane.
struct Planes {
  Bits one = 0, two = 0, four = 0;
  friend bool operator==(const Planes&, const Planes&) = default;
};

// Returns the sum of `n` over the squares of `where`: three population counts in one.
inline std::uint64_t sum(const Planes& n, Bits where) {
  constexpr Bits k1 = 0x5555555555555555, k2 = 0x3333333333333333, k4 = 0x0F0F0F0F0F0F0F0F,
                 k8 = 0x0101010101010101;
  const auto by_four = [&](Bits plane) {
    plane &= where;
    plane -= (plane >> 1) & k1;
    return (plane & k2) + ((plane >> 2) & k2);
  };
  const Bits one = by_four(n.one), two = by_four(n.two), four = by_four(n.four);
  const Bits by_eight = (one & k4) + ((one >> 4) & k4) + 2 * ((two & k4) + ((two >> 4) & k4)) +
                        4 * ((four & k4) + ((four >> 4) & k4));
  return (by_eight * k8) >> 56;
}

// Counts the squares of `b`.
inline std::uint64_t count(Bits b) {
  std::uint64_t n = 0;
  for (; b != 0; b &= b - 1) ++n;  // at most eight, so no popcount instruction is needed
  return n;
}

template <class F>
void each_square(Bits b, F f) {
  for (; b != 0; b &= b - 1) f(std::countr_zero(b));
}

enum class Action : std::uint8_t { run, dribble, kick };

struct Kick {
  Bits squares;
  Square goal;  // kNowhere if the kick reaches no goal
};

// "Dribble": returns where the man at `from` may go with the ball next to him. The goals are not
// squares of the field, so the code adds the ball's way into a goal itself.
inline Bits dribbles(Square from, Square ball, Bits men) {
  const int to_man = from - ball;
  // Rotated bits that leave at one edge come in at another, never next to `from`.
  Bits to = std::rotl(kTables.near[ball] & ~(men ^ bit(from)), to_man);
  if (ball < kSide) to |= std::rotl(kTables.level[ball], to_man - kSide);
  if (ball >= kSide * (kSide - 1)) to |= std::rotl(kTables.level[ball], to_man + kSide);
  return to & kTables.near[from] & ~men;
}

// "Kick": returns where the man at `from` may kick the ball next to him.
inline Kick kicks(Square from, Square ball, Bits men) {
  const int way = way_between(from, ball);
  const auto& ray = kTables.ray[way];
  const Bits in_the_way = ray[ball] & men;
  if (in_the_way == 0) return {ray[ball], kTables.goal[way][ball]};
  const Square first =
      ball > from ? std::countr_zero(in_the_way) : 63 - std::countl_zero(in_the_way);
  return {ray[ball] & ~ray[first] & ~bit(first), kNowhere};
}

}  // namespace pbm::soccolot
