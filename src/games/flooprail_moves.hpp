// SPDX-License-Identifier: MIT
// The Floopers of a FloopRail game and their moves (rules/flooprail.md, "The board", "Moves",
// "Fleaps", "Goal spaces"), made for speed. Leaves winners, parsing and descriptions to
// flooprail.cpp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "game/game.hpp"

namespace pbm::flooprail {

// A set of spaces. Columns A to H are 0 to 7, rows are 1 to 7, and a space is bit 5 * column + 4 *
// row - 16: one space right is a shift by 5, one down a shift by 4. Four of the bits 0 to 35 are no
// space (4, 13, 22, 31). A step off the board ends on one of them or beyond, where a mask finds it.
using SpaceSet = std::uint64_t;

constexpr int kColumnCount = 8;
constexpr int kRowCount = 7;
constexpr int kBitCount = 36;

enum Direction : unsigned { kRight, kDown, kLeft, kUp };

constexpr bool is_space(int column, int row) {
  const int cut = row < 4 ? 4 - row : row - 4;  // columns missing at each end of the row
  return row >= 1 && row <= kRowCount && column >= cut && column < kColumnCount - cut;
}
constexpr int space_bit(int column, int row) { return 5 * column + 4 * row - 16; }
constexpr SpaceSet space_at_bit(int bit) { return SpaceSet{1} << bit; }
constexpr SpaceSet space_set(int column, int row) { return space_at_bit(space_bit(column, row)); }

struct Place {
  std::int8_t column = -1, row = -1;
};
constexpr std::array<Place, kBitCount> kPlaces = [] {
  std::array<Place, kBitCount> out{};
  for (int row = 1; row <= kRowCount; ++row)
    for (int column = 0; column < kColumnCount; ++column)
      if (is_space(column, row))
        out[static_cast<std::size_t>(space_bit(column, row))] = {static_cast<std::int8_t>(column),
                                                                 static_cast<std::int8_t>(row)};
  return out;
}();
constexpr Place place_of_bit(int bit) { return kPlaces[static_cast<std::size_t>(bit)]; }

// Returns the spaces with column + row from `low` to `high`. These lines cross the way of O and X.
constexpr SpaceSet diagonals(int low, int high) {
  SpaceSet out = 0;
  for (int row = 1; row <= kRowCount; ++row)
    for (int column = 0; column < kColumnCount; ++column)
      if (is_space(column, row) && column + row >= low && column + row <= high)
        out |= space_set(column, row);
  return out;
}
constexpr SpaceSet kAllSpaces = diagonals(4, 11);
constexpr std::array<SpaceSet, 2> kStartSpaces{diagonals(4, 6), diagonals(9, 11)};
constexpr std::array<SpaceSet, 2> kGoalSpaces{diagonals(11, 11), diagonals(4, 4)};

// Moves all of `b` one space in direction `d`. The caller masks what leaves the board.
constexpr SpaceSet shift_spaces(SpaceSet b, unsigned d) {
  switch (d) {
    case kRight: return b << 5;
    case kDown: return b << 4;
    case kLeft: return b >> 5;
    default: return b >> 4;
  }
}

// The directions of a Flooper: O goes right and down, X left and up.
constexpr unsigned first_forward_direction(Seat seat) { return seat == 0 ? kRight : kLeft; }
constexpr bool is_forward(Seat seat, unsigned d) { return (d < kLeft) == (seat == 0); }

inline int lowest_bit(SpaceSet b) { return std::countr_zero(b); }

template <class F>
inline void each_bit(SpaceSet b, F f) {
  for (; b != 0; b &= b - 1) f(lowest_bit(b));
}

class Floopers {
 public:
  struct Move {
    SpaceSet captured = 0;   // empty for a Floop
    std::uint32_t path = 0;  // a Direction of two bits for each space after the first, lowest first
    std::uint8_t from = 0, to = 0;
    std::uint8_t step_count = 0;  // number of directions; at most 12, one for each opposing Flooper
    bool is_sooper = false;       // the Flooper arrives as a SooperFlooper
    friend bool operator==(const Move&, const Move&) = default;
  };

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }

  template <class F>
  void each_move(F f) const {
    if (mover_ == 0) each_move_for<0>(f);
    else each_move_for<1>(f);
  }

  void play(Move m) {
    const SpaceSet from = space_at_bit(m.from), to = space_at_bit(m.to);
    floopers_[mover_] = (floopers_[mover_] & ~from) | to;  // `to` may be `from`: a round trip
    mover_ ^= 1U;
    floopers_[mover_] &= ~m.captured;
    soopers_ = (soopers_ & ~(from | m.captured)) | (SpaceSet{m.is_sooper} << m.to);
  }
  void skip_turn() { mover_ ^= 1U; }

  friend bool operator==(const Floopers&, const Floopers&) = default;

 protected:
  SpaceSet own_floopers() const { return floopers_[mover_]; }
  SpaceSet opponent_floopers() const { return floopers_[1 - mover_]; }
  SpaceSet empty_spaces() const { return kAllSpaces & ~(floopers_[0] | floopers_[1]); }

  std::array<SpaceSet, 2> floopers_ = kStartSpaces;  // by seat, including SooperFloopers
  SpaceSet soopers_ = 0;                             // of both seats
  std::uint8_t mover_ = 0;

 private:
  template <Seat kMover, class F>
  void each_move_for(F& f) const;
  template <Seat kMover, class F>
  static bool each_continuation(const Move& so_far, SpaceSet prey, SpaceSet empty, F& f);
};

// Returns the spaces to which Floopers of `who` can Fleap in direction `d` over `prey`.
constexpr SpaceSet fleap_landings(SpaceSet who, SpaceSet prey, SpaceSet empty, unsigned d) {
  return shift_spaces(shift_spaces(who, d) & prey, d) & empty;
}

// Counts the bits of four sets together without the processor's popcount, which a portable build
// may not use.
constexpr std::uint64_t count_bits_of_four(SpaceSet a, SpaceSet b, SpaceSet c, SpaceSet d) {
  constexpr SpaceSet k1 = 0x5555555555555555U, k2 = 0x3333333333333333U, k4 = 0x0F0F0F0F0F0F0F0FU,
                     k8 = 0x0101010101010101U;
  // Full adders: a + b + c + d = ones + 2 * (twos + carry) for each bit.
  const SpaceSet ab = a ^ b, ones3 = ab ^ c, twos = (a & b) | (ab & c);
  const SpaceSet ones = ones3 ^ d, carry = ones3 & d;
  const auto pairs = [&](SpaceSet x) { return x - ((x >> 1) & k1); };
  const auto nibbles = [&](SpaceSet x) { return (x & k2) + ((x >> 2) & k2); };
  const SpaceSet low = nibbles(pairs(ones)), high = nibbles(pairs(twos)) + nibbles(pairs(carry));
  const SpaceSet bytes = (low & k4) + ((low >> 4) & k4) + 2 * ((high & k4) + ((high >> 4) & k4));
  return (bytes * k8) >> 56;
}

// Calls f for each complete move that begins with `so_far` and Fleaps on: a Flooper that can Fleap
// on must (rules/flooprail.md, "Fleaps"). Returns false if there is no further Fleap. `prey` lacks
// the captured Floopers, and `empty` has the space on which the move began. Captured Floopers are
// in neither, because they block their spaces until the move ends.
template <Seat kMover, class F>
bool Floopers::each_continuation(const Move& so_far, SpaceSet prey, SpaceSet empty, F& f) {
  bool any = false;
  const auto go = [&](unsigned d) {
    const SpaceSet over = shift_spaces(space_at_bit(so_far.to), d) & prey;
    const SpaceSet land = shift_spaces(over, d) & empty;
    if (land == 0) return;
    any = true;
    Move m = so_far;
    m.captured |= over;
    m.path |= d << (2 * m.step_count++);
    m.to = static_cast<std::uint8_t>(lowest_bit(land));
    m.is_sooper = m.is_sooper || (land & kGoalSpaces[kMover]) != 0;
    if (!each_continuation<kMover>(m, prey ^ over, empty, f)) f(m);
  };
  constexpr unsigned forward = first_forward_direction(kMover);
  go(forward);
  go(forward + 1);
  if (so_far.is_sooper) {
    go(forward ^ 2U);
    go((forward + 1) ^ 2U);
  }
  return any;
}

template <Seat kMover, class F>
void Floopers::each_move_for(F& f) const {
  const SpaceSet men = floopers_[kMover], prey = floopers_[1 - kMover], free = empty_spaces(),
                 soopers = men & soopers_;
  constexpr unsigned forward = first_forward_direction(kMover);
  const auto fleapers = [&](SpaceSet who, unsigned d) {
    return who & shift_spaces(shift_spaces(free, d ^ 2U) & prey, d ^ 2U);
  };
  const SpaceSet can_fleap = fleapers(men, forward) | fleapers(men, forward + 1) |
                             fleapers(soopers, forward ^ 2U) |
                             fleapers(soopers, (forward + 1) ^ 2U);
  if (can_fleap != 0) {
    each_bit(can_fleap, [&](int bit) {
      Move m;
      m.from = m.to = static_cast<std::uint8_t>(bit);
      m.is_sooper = (soopers_ & space_at_bit(bit)) != 0;
      each_continuation<kMover>(m, prey, free | space_at_bit(bit), f);
    });
    return;
  }
  const auto floops = [&](SpaceSet who, unsigned d) {
    each_bit(shift_spaces(who, d) & free, [&](int to) {
      Move m;
      m.path = d;
      m.step_count = 1;
      m.to = static_cast<std::uint8_t>(to);
      m.from = static_cast<std::uint8_t>(lowest_bit(shift_spaces(space_at_bit(to), d ^ 2U)));
      m.is_sooper =
          ((soopers_ & space_at_bit(m.from)) | (kGoalSpaces[kMover] & space_at_bit(to))) != 0;
      f(m);
    });
  };
  floops(men, forward);
  floops(men, forward + 1);
  if (soopers != 0) {
    floops(soopers, forward ^ 2U);
    floops(soopers, (forward + 1) ^ 2U);
  }
}

}  // namespace pbm::flooprail
