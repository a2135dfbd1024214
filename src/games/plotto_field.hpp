// SPDX-License-Identifier: MIT
// The hexes of a Plotto game: the number on each, and where the next piece may go. No board bounds
// them. The hexes near the first piece lie in a small array, which most games never leave, and
// those farther out in sorted vectors. Leaves turns and winning to plotto.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <vector>

namespace pbm::plotto {

// A hex, relative to the first piece. Columns count to the right, and within a column hexes count
// down along its own axis. The opening letters follow the order of hexes.
struct Hex {
  std::int16_t column = 0, row = 0;

  // Returns the line of the drawing with its digit or letter. A hex is two lines high, and each
  // column to the right starts one line lower.
  constexpr int drawing_line() const { return 2 * row + column; }

  friend constexpr auto operator<=>(const Hex&, const Hex&) = default;
};

constexpr Hex make_hex(int column, int down) {
  return {static_cast<std::int16_t>(column), static_cast<std::int16_t>(down)};
}

// The three axes; a neighbour is one step along an axis in either direction.
constexpr int kAxisCount = 3;
constexpr std::array<Hex, kAxisCount> kAxisSteps{
    {{0, 1}, {1, 0}, {1, -1}}};  // down; falling to the right; rising to the right
constexpr Hex step_along(Hex from, int axis, int steps) {
  const Hex by = kAxisSteps[static_cast<std::size_t>(axis)];
  return make_hex(from.column + steps * by.column, from.row + steps * by.row);
}

// The six neighbours, in the order in which sentences name them.
struct Neighbour {
  int axis, steps;
  const char* name;
};
constexpr std::array<Neighbour, 6> kNeighbours{{{0, -1, "above"},
                                                {0, 1, "below"},
                                                {1, -1, "upper left"},
                                                {2, -1, "lower left"},
                                                {2, 1, "upper right"},
                                                {1, 1, "lower right"}}};

// The state of a hex. With a piece: the piece bit and the bit of its number. Without: the bits of
// all numbers that it touches, and the open bit if it touches enough pieces for an opening.
using HexState = std::uint8_t;
constexpr HexState kNumberBits = 15;  // bit n-1 for number n
constexpr HexState kOpenBit = 16;
constexpr HexState kPieceBit = 32;
constexpr std::size_t kStateCount = 64;  // every value of a Cell is below this

constexpr unsigned number_bit(int number) { return 1U << (number - 1); }

// The count of numbers that fit on a hex: none on a piece, none if the hex touches all four.
constexpr std::array<std::uint8_t, kStateCount> kFreeNumberCount = [] {
  std::array<std::uint8_t, kStateCount> room{};
  for (unsigned c = 0; c < kStateCount; ++c)
    if ((c & kOpenBit) && !(c & kPieceBit))
      room[c] = static_cast<std::uint8_t>(4 - std::popcount(c & kNumberBits));
  return room;
}();

// Returns the state of an empty hex after a piece next to it. From the third piece on, the second
// neighbour opens a hex.
constexpr HexState add_neighbour(HexState cell, unsigned bit) {
  return static_cast<HexState>(cell | bit | ((cell & kNumberBits) ? kOpenBit : 0U));
}

// The bit of the number on a hex, or 0 without a piece.
constexpr std::array<std::uint8_t, kStateCount> kPieceNumberBit = [] {
  std::array<std::uint8_t, kStateCount> lies{};
  for (unsigned c = 0; c < kStateCount; ++c)
    lies[c] = (c & kPieceBit) ? static_cast<std::uint8_t>(c & kNumberBits) : 0;
  return lies;
}();

// All hexes of a game. Copies are independent, and == ignores the order of the plies.
class Field {
 public:
  // The greatest distance from the first piece at which hexes are kept. Each piece lies next to
  // others, so a game needs at least this many plies to get there.
  static constexpr int kMaxDistance = 16000;

  Field() { set_state(Hex{}, kOpenBit); }

  int piece_count() const { return piece_count_; }
  std::uint32_t choice_count() const { return choice_count_; }  // legal pairs of opening and number
  std::size_t opening_count() const;                            // hexes with at least one of them

  HexState state(Hex at) const {
    if (is_near(at)) return near_states_[near_index(at)];
    const auto found = std::lower_bound(far_hexes_.begin(), far_hexes_.end(), at, is_before);
    return found != far_hexes_.end() && found->hex == at ? found->state : HexState{0};
  }

  // Calls f(Hex, Cell) for every opening; those near the first piece come first.
  template <class F>
  void each_opening(F f) const {
    for (std::size_t word = 0; word < near_openings_.size(); ++word)
      for (std::uint64_t bits = near_openings_[word]; bits != 0; bits &= bits - 1) {
        const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        f(near_hex(i), near_states_[i]);
      }
    for (const Hex at : far_openings_) f(at, state(at));
  }

  // Return all openings or all pieces, column by column from the left, and downwards in a column.
  std::vector<Hex> sorted_openings() const;
  std::vector<Hex> sorted_pieces() const;

  // Returns how many openings come before `at` in that order.
  std::size_t count_openings_before(Hex at) const;

  // Adds a piece. Pre: `at` is an opening that does not touch `number`.
  void lay_piece(Hex at, int number);

  // Finds the lines of four that a piece with `bit` on `at` would complete. Returns the numbers at
  // one end of each, as a set of bits. `partner` maps the bit at one end to the bit that the other
  // end must have.
  template <class Partner>
  unsigned completed_line_ends(Hex at, unsigned bit, Partner partner) const {
    if (has_near_lines(at)) {
      const HexState* here = &near_states_[near_index(at)];
      return find_line_ends(bit, partner, [&](int axis, int steps) -> unsigned {
        return kPieceNumberBit[here[steps * kNearAxisSteps[static_cast<std::size_t>(axis)]]];
      });
    }
    return find_line_ends(bit, partner, [&](int axis, int steps) -> unsigned {
      return kPieceNumberBit[state(step_along(at, axis, steps))];
    });
  }

  friend bool operator==(const Field&, const Field&) = default;

 private:
  struct FarHex {
    Hex hex;
    HexState state;
    friend bool operator==(const FarHex&, const FarHex&) = default;
  };
  static bool is_before(const FarHex& far, Hex at) { return far.hex < at; }

  static constexpr int kGridSide = 16, kHalfGrid = kGridSide / 2;
  static constexpr int kLineReach = 3;  // from one end of a line to the other
  static constexpr std::array<std::ptrdiff_t, kAxisCount> kNearAxisSteps{
      1, kGridSide, kGridSide - 1};  // the axes as steps of an index

  static constexpr bool is_within(int v, int low, int high) { return v >= low && v <= high; }
  static constexpr bool is_near(Hex at) {
    return is_within(at.column, -kHalfGrid, kHalfGrid - 1) &&
           is_within(at.row, -kHalfGrid, kHalfGrid - 1);
  }
  // True if the hex and all hexes of its lines are in the array of near hexes.
  static constexpr bool has_near_lines(Hex at) {
    return is_within(at.column, kLineReach - kHalfGrid, kHalfGrid - 1 - kLineReach) &&
           is_within(at.row, kLineReach - kHalfGrid, kHalfGrid - 1 - kLineReach);
  }
  static constexpr bool is_stored(Hex at) {
    return is_within(at.column, -kMaxDistance, kMaxDistance) &&
           is_within(at.row, -kMaxDistance, kMaxDistance);
  }
  static constexpr std::size_t near_index(Hex at) {
    return static_cast<std::size_t>((at.column + kHalfGrid) * kGridSide + at.row + kHalfGrid);
  }
  static constexpr Hex near_hex(std::size_t i) {
    return make_hex(static_cast<int>(i) / kGridSide - kHalfGrid,
                    static_cast<int>(i) % kGridSide - kHalfGrid);
  }

  // A line of four through the new piece lies along one axis, with the piece first, second, third
  // or last: four windows for each axis.
  template <class Partner, class Lies>
  static unsigned find_line_ends(unsigned bit, Partner partner, Lies lies) {
    unsigned ends = 0;
    for (int axis = 0; axis < kAxisCount; ++axis) {
      const unsigned right = lies(axis, 1), left = lies(axis, -1);
      if (right) {
        const unsigned second = lies(axis, 2);
        if (second) ends |= bit & partner(lies(axis, 3));
        ends |= left & partner(second);
      }
      if (left) {
        const unsigned second = lies(axis, -2);
        if (second) ends |= lies(axis, -3) & partner(bit);
        if (right) ends |= second & partner(right);
      }
    }
    return ends;
  }

  void set_state(Hex at, HexState now);
  void touch_neighbour(Hex at, unsigned bit);

  std::array<HexState, kGridSide * kGridSide> near_states_{};
  std::array<std::uint64_t, kGridSide * kGridSide / 64>
      near_openings_{};            // openings near the first piece, by index
  std::vector<FarHex> far_hexes_;  // farther hexes with a state, sorted
  std::vector<Hex> far_openings_;  // the openings among them, sorted
  std::int32_t piece_count_ = 0;
  std::uint32_t choice_count_ = 0;
};

inline std::size_t Field::opening_count() const {
  std::size_t n = far_openings_.size();
  for (const std::uint64_t word : near_openings_)
    n += static_cast<std::size_t>(std::popcount(word));
  return n;
}

inline std::size_t Field::count_openings_before(Hex at) const {
  // Counts the near hexes before `at`, which may be far: whole columns, then a part of one.
  const int whole = std::clamp(at.column + kHalfGrid, 0, kGridSide);
  const int part = is_within(at.column, -kHalfGrid, kHalfGrid - 1)
                       ? std::clamp(at.row + kHalfGrid, 0, kGridSide)
                       : 0;
  const auto end = static_cast<std::size_t>(whole * kGridSide + part);
  std::size_t n = 0;
  for (std::size_t word = 0; word * 64 < end; ++word) {
    const std::size_t left = end - word * 64;
    const std::uint64_t mask = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    n += static_cast<std::size_t>(std::popcount(near_openings_[word] & mask));
  }
  return n +
         static_cast<std::size_t>(std::lower_bound(far_openings_.begin(), far_openings_.end(), at) -
                                  far_openings_.begin());
}

inline std::vector<Hex> Field::sorted_openings() const {
  std::vector<Hex> out;
  out.reserve(opening_count());
  each_opening([&](Hex at, HexState) { out.push_back(at); });
  std::ranges::sort(out);
  return out;
}

inline std::vector<Hex> Field::sorted_pieces() const {
  std::vector<Hex> out;
  out.reserve(static_cast<std::size_t>(piece_count_));
  for (std::size_t i = 0; i < near_states_.size(); ++i)
    if (near_states_[i] & kPieceBit) out.push_back(near_hex(i));
  for (const FarHex& far : far_hexes_)
    if (far.state & kPieceBit) out.push_back(far.hex);
  std::ranges::sort(out);
  return out;
}

// Writes a hex and updates the openings and their count.
inline void Field::set_state(Hex at, HexState now) {
  HexState was = 0;
  const bool open = kFreeNumberCount[now] != 0;
  if (is_near(at)) {
    const std::size_t i = near_index(at);
    was = near_states_[i];
    near_states_[i] = now;
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    near_openings_[i / 64] = open ? near_openings_[i / 64] | bit : near_openings_[i / 64] & ~bit;
  } else {
    const auto place = std::lower_bound(far_hexes_.begin(), far_hexes_.end(), at, is_before);
    if (place != far_hexes_.end() && place->hex == at) {
      was = place->state;
      place->state = now;
    } else {
      far_hexes_.insert(place, FarHex{at, now});
    }
    if (open != (kFreeNumberCount[was] != 0)) {
      const auto opening = std::lower_bound(far_openings_.begin(), far_openings_.end(), at);
      if (open) far_openings_.insert(opening, at);
      else far_openings_.erase(opening);
    }
  }
  choice_count_ += kFreeNumberCount[now];
  choice_count_ -= kFreeNumberCount[was];
}

inline void Field::touch_neighbour(Hex at, unsigned bit) {
  if (!is_stored(at)) return;
  const HexState was = state(at);
  if (was & kPieceBit) return;
  set_state(at, piece_count_ == 1 ? static_cast<HexState>(was | bit | kOpenBit)
                                  : add_neighbour(was, bit));
}

inline void Field::lay_piece(Hex at, int number) {
  const unsigned bit = number_bit(number);
  if (++piece_count_ == 2)  // openings next to the first piece had one neighbour; now they need two
    for (const Neighbour& side : kNeighbours) {
      const Hex next = step_along(Hex{}, side.axis, side.steps);
      set_state(next, static_cast<HexState>(state(next) & ~kOpenBit));
    }
  set_state(at, static_cast<HexState>(kPieceBit | bit));
  for (const Neighbour& side : kNeighbours)
    touch_neighbour(step_along(at, side.axis, side.steps), bit);
}

}  // namespace pbm::plotto
