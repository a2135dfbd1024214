// SPDX-License-Identifier: MIT
// The field of Soccolot and what a man can do with the ball beside him
// (rules/soccolot.md, "Dribble", "Kick"), as sets of squares. Leaves whose men
// they are, turns, reading and telling to soccolot.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace pbm::soccolot {

constexpr int kSide = 8;  // rows and columns of the field
constexpr int kMen = 6;   // a side, jersey numbers 1 to 6
constexpr int kWays = 8;  // directions of the compass

// A square of the field is kSide * row + column, counted from the top left of
// the drawing. The count runs on beyond both back rows, where only the ball
// gets: -8 to -1 are the goal at the top, 64 to 71 the one at the bottom.
using Square = int;
using Bits = std::uint64_t;  // a bit a square of the field
constexpr Square kNowhere = 127;

constexpr Bits bit(Square s) { return Bits{1} << s; }
constexpr bool on_field(Square s) { return s >= 0 && s < kSide * kSide; }
constexpr int row_of(Square s) { return (s + kSide) / kSide - 1; }  // -1 and 8 in the goals
constexpr int column_of(Square s) { return (s + kSide) % kSide; }

// The compass ("The board": it is turned).
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

// The square one step from `s` on the field, which may lie in a goal; kNowhere
// past the sides and the corners.
constexpr Square beside(Square s, int way) {
  const int column = column_of(s) + kCompass[way].column;
  return column < 0 || column >= kSide ? kNowhere : s + kCompass[way].step();
}

struct Tables {
  std::array<Bits, kSide * kSide> near{};   // the up to eight squares around
  std::array<Bits, kSide * kSide> level{};  // the square and its neighbours in the row
  std::array<std::array<Bits, kSide * kSide>, kWays> ray{};  // all squares one way, to the edge
  std::array<std::array<std::int8_t, kSide * kSide>, kWays>
      goal{};  // where that way meets a goal, or kNowhere
  std::array<std::int8_t, 2 * kSide + 3>
      way{};  // by the difference of two neighbours, plus kSide + 1
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

// The way from a square to the neighbour `to`.
constexpr int way_between(Square from, Square to) { return kTables.way[to - from + kSide + 1]; }

// Numbers from 0 to 7 for every square at once, one binary digit a plane.
struct Planes {
  Bits one = 0, two = 0, four = 0;
  friend bool operator==(const Planes&, const Planes&) = default;
};

// The sum of `n` over the squares of `where`: three population counts in one.
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

// How many squares are in `b`.
inline std::uint64_t count(Bits b) {
  std::uint64_t n = 0;
  for (; b != 0; b &= b - 1) ++n;  // eight at most: no popcount instruction is asked for
  return n;
}

template <class F>
void each_square(Bits b, F f) {
  for (; b != 0; b &= b - 1) f(std::countr_zero(b));
}

enum class Action : std::uint8_t { run, dribble, kick };

struct Kick {
  Bits squares;
  Square goal;  // or kNowhere
};

// "Dribble": where the man at `from` may go with the ball beside him. A goal
// is no square of the field, so the ball's way into one is added by itself.
inline Bits dribbles(Square from, Square ball, Bits men) {
  const int to_man = from - ball;
  // Rotated bits that leave one edge come in at another, never beside `from`.
  Bits to = std::rotl(kTables.near[ball] & ~(men ^ bit(from)), to_man);
  if (ball < kSide) to |= std::rotl(kTables.level[ball], to_man - kSide);
  if (ball >= kSide * (kSide - 1)) to |= std::rotl(kTables.level[ball], to_man + kSide);
  return to & kTables.near[from] & ~men;
}

// "Kick": where the man at `from` may send the ball beside him.
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
