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

constexpr int kFieldSize = 8;       // rows and columns of the field
constexpr int kMenPerSide = 6;      // men of a side, with jersey numbers 1 to 6
constexpr int kDirectionCount = 8;  // directions of the compass

// A square of the field is 8 * row + column, counted from the top left of the drawing. The count
// continues in the goals, where only the ball can go: -8 to -1 at the top, 64 to 71 at the bottom.
using Square = int;
using SquareSet = std::uint64_t;  // one bit per square of the field
constexpr Square kNowhere = 127;

constexpr SquareSet square_bit(Square s) { return SquareSet{1} << s; }
constexpr bool is_on_field(Square s) { return s >= 0 && s < kFieldSize * kFieldSize; }
constexpr int row_of(Square s) {
  return (s + kFieldSize) / kFieldSize - 1;
}  // -1 and 8 in the goals
constexpr int column_of(Square s) { return (s + kFieldSize) % kFieldSize; }

// The directions of the compass. South is at the top of the drawing ("The board").
struct CompassDirection {
  std::string_view name, long_name, drawing_name;
  int row_step, column_step;
  constexpr int square_step() const { return kFieldSize * row_step + column_step; }
};
constexpr std::array<CompassDirection, kDirectionCount> kCompass{
    {{"n", "north", "down", 1, 0},
     {"s", "south", "up", -1, 0},
     {"e", "east", "left", 0, -1},
     {"w", "west", "right", 0, 1},
     {"ne", "north-east", "down-left", 1, -1},
     {"nw", "north-west", "down-right", 1, 1},
     {"se", "south-east", "up-left", -1, -1},
     {"sw", "south-west", "up-right", -1, 1}}};

// Returns the square one step from `s` on the field, which may lie in a goal. Returns kNowhere
// beyond the sides and corners.
constexpr Square neighbour(Square s, int way) {
  const int column = column_of(s) + kCompass[way].column_step;
  return column < 0 || column >= kFieldSize ? kNowhere : s + kCompass[way].square_step();
}

// Facts by square; rays and goals by direction first.
struct FieldTables {
  std::array<SquareSet, kFieldSize * kFieldSize> neighbours{};  // the up to eight neighbours
  std::array<SquareSet, kFieldSize * kFieldSize>
      row_neighbours{};  // the square and its neighbours in the row
  std::array<std::array<SquareSet, kFieldSize * kFieldSize>, kDirectionCount>
      rays{};  // all squares to the edge
  std::array<std::array<std::int8_t, kFieldSize * kFieldSize>, kDirectionCount>
      goals{};  // the goal square or kNowhere
  // The direction between two neighbours, by their difference plus 9.
  std::array<std::int8_t, 2 * kFieldSize + 3> directions{};
};

constexpr FieldTables make_field_tables() {
  FieldTables t;
  for (int way = 0; way < kDirectionCount; ++way) {
    t.directions[kCompass[way].square_step() + kFieldSize + 1] = static_cast<std::int8_t>(way);
    for (Square s = 0; s < kFieldSize * kFieldSize; ++s) {
      Square to = neighbour(s, way);
      if (is_on_field(to)) t.neighbours[s] |= square_bit(to);
      for (; is_on_field(to); to = neighbour(to, way)) t.rays[way][s] |= square_bit(to);
      t.goals[way][s] = static_cast<std::int8_t>(to);
    }
  }
  for (Square s = 0; s < kFieldSize * kFieldSize; ++s)
    t.row_neighbours[s] =
        (t.neighbours[s] | square_bit(s)) & (SquareSet{0xFF} << (s / kFieldSize * kFieldSize));
  return t;
}
constexpr FieldTables kFieldTables = make_field_tables();

// Returns the direction from a square to its neighbour `to`.
constexpr int direction_between(Square from, Square to) {
  return kFieldTables.directions[to - from + kFieldSize + 1];
}

template <class F>
void each_square(SquareSet b, F f) {
  for (; b != 0; b &= b - 1) f(std::countr_zero(b));
}

enum class Action : std::uint8_t { run, dribble, kick };

struct KickTargets {
  SquareSet squares;
  Square goal;  // kNowhere if the kick reaches no goal
};

// "Dribble": returns where the man at `from` may go with the ball next to him. The goals are not
// squares of the field, so the code adds the ball's way into a goal itself.
inline SquareSet dribble_squares(Square from, Square ball, SquareSet men) {
  const int to_man = from - ball;
  // Rotated bits that leave at one edge come in at another, never next to `from`.
  SquareSet to = std::rotl(kFieldTables.neighbours[ball] & ~(men ^ square_bit(from)), to_man);
  if (ball < kFieldSize) to |= std::rotl(kFieldTables.row_neighbours[ball], to_man - kFieldSize);
  if (ball >= kFieldSize * (kFieldSize - 1))
    to |= std::rotl(kFieldTables.row_neighbours[ball], to_man + kFieldSize);
  return to & kFieldTables.neighbours[from] & ~men;
}

// "Kick": returns where the man at `from` may kick the ball next to him.
inline KickTargets kick_targets(Square from, Square ball, SquareSet men) {
  const int way = direction_between(from, ball);
  const auto& ray = kFieldTables.rays[way];
  const SquareSet in_the_way = ray[ball] & men;
  if (in_the_way == 0) return {ray[ball], kFieldTables.goals[way][ball]};
  const Square first =
      ball > from ? std::countr_zero(in_the_way) : 63 - std::countl_zero(in_the_way);
  return {ray[ball] & ~ray[first] & ~square_bit(first), kNowhere};
}

}  // namespace pbm::soccolot
