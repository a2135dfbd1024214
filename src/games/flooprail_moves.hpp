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
using Board = std::uint64_t;

constexpr int kColumns = 8;
constexpr int kRows = 7;
constexpr int kBits = 36;

enum Direction : unsigned { kRight, kDown, kLeft, kUp };

constexpr bool is_space(int column, int row) {
  const int cut = row < 4 ? 4 - row : row - 4;  // columns missing at each end of the row
  return row >= 1 && row <= kRows && column >= cut && column < kColumns - cut;
}
constexpr int bit_of(int column, int row) { return 5 * column + 4 * row - 16; }
constexpr Board at_bit(int bit) { return Board{1} << bit; }
constexpr Board board_of(int column, int row) { return at_bit(bit_of(column, row)); }

struct Place {
  std::int8_t column = -1, row = -1;
};
constexpr std::array<Place, kBits> kPlaces = [] {
  std::array<Place, kBits> out{};
  for (int row = 1; row <= kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      if (is_space(column, row))
        out[static_cast<std::size_t>(bit_of(column, row))] = {static_cast<std::int8_t>(column),
                                                              static_cast<std::int8_t>(row)};
  return out;
}();
constexpr Place place(int bit) { return kPlaces[static_cast<std::size_t>(bit)]; }

// Returns the spaces with column + row from `low` to `high`. These lines cross the way of O and X.
constexpr Board lines(int low, int high) {
  Board out = 0;
  for (int row = 1; row <= kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      if (is_space(column, row) && column + row >= low && column + row <= high)
        out |= board_of(column, row);
  return out;
}
constexpr Board kBoard = lines(4, 11);
constexpr std::array<Board, 2> kStart{lines(4, 6), lines(9, 11)};
constexpr std::array<Board, 2> kGoal{lines(11, 11), lines(4, 4)};

// Moves all of `b` one space in direction `d`. The caller masks what leaves the board.
constexpr Board stepped(Board b, unsigned d) {
  switch (d) {
    case kRight: return b << 5;
    case kDown: return b << 4;
    case kLeft: return b >> 5;
    default: return b >> 4;
  }
}

// The directions of a Flooper: O goes right and down, X left and up.
constexpr unsigned first_direction(Seat seat) { return seat == 0 ? kRight : kLeft; }
constexpr bool goes_forward(Seat seat, unsigned d) { return (d < kLeft) == (seat == 0); }

inline int lowest(Board b) { return std::countr_zero(b); }

template <class F>
inline void each_bit(Board b, F f) {
  for (; b != 0; b &= b - 1) f(lowest(b));
}

class Floopers {
 public:
  struct Move {
    Board captured = 0;     // empty for a Floop
    std::uint32_t way = 0;  // a Direction of two bits for each space after the first, lowest first
    std::uint8_t from = 0, to = 0;
    std::uint8_t steps = 0;  // number of directions; at most 12, one for each opposing Flooper
    bool sooper = false;     // the Flooper arrives as a SooperFlooper
    friend bool operator==(const Move&, const Move&) = default;
  };

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }

  template <class F>
  void each_move(F f) const {
    if (mover_ == 0) each_move_of<0>(f);
    else each_move_of<1>(f);
  }
  std::uint64_t count_moves() const {
    return mover_ == 0 ? count_moves_of<0>() : count_moves_of<1>();
  }

  void play(Move m) {
    const Board from = at_bit(m.from), to = at_bit(m.to);
    pieces_[mover_] = (pieces_[mover_] & ~from) | to;  // `to` may be `from`: a round trip
    mover_ ^= 1U;
    pieces_[mover_] &= ~m.captured;
    soopers_ = (soopers_ & ~(from | m.captured)) | (Board{m.sooper} << m.to);
  }
  void skip() { mover_ ^= 1U; }

  friend bool operator==(const Floopers&, const Floopers&) = default;

 protected:
  Board own() const { return pieces_[mover_]; }
  Board other() const { return pieces_[1 - mover_]; }
  Board empty() const { return kBoard & ~(pieces_[0] | pieces_[1]); }

  std::array<Board, 2> pieces_ = kStart;  // by seat, including SooperFloopers
  Board soopers_ = 0;                     // of both seats
  std::uint8_t mover_ = 0;

 private:
  template <Seat kMover, class F>
  void each_move_of(F& f) const;
  template <Seat kMover, class F>
  static bool each_fleap_on(const Move& so_far, Board prey, Board empty, F& f);
  template <Seat kMover>
  std::uint64_t count_moves_of() const;
  template <Seat kMover>
  static std::uint64_t count_fleaps_on(Board at, Board prey, Board empty, bool sooper);
};

// Returns the spaces to which Floopers of `who` can Fleap in direction `d` over `prey`.
constexpr Board landings(Board who, Board prey, Board empty, unsigned d) {
  return stepped(stepped(who, d) & prey, d) & empty;
}

// Counts the bits of four sets together without the processor's popcount, which a portable build
// may not use.
constexpr std::uint64_t bits_in(Board a, Board b, Board c, Board d) {
  constexpr Board k1 = 0x5555555555555555U, k2 = 0x3333333333333333U, k4 = 0x0F0F0F0F0F0F0F0FU,
                  k8 = 0x0101010101010101U;
  // Full adders: a + b + c + d = ones + 2 * (twos + carry) for each bit.
  const Board ab = a ^ b, ones3 = ab ^ c, twos = (a & b) | (ab & c);
  const Board ones = ones3 ^ d, carry = ones3 & d;
  const auto pairs = [&](Board x) { return x - ((x >> 1) & k1); };
  const auto nibbles = [&](Board x) { return (x & k2) + ((x >> 2) & k2); };
  const Board low = nibbles(pairs(ones)), high = nibbles(pairs(twos)) + nibbles(pairs(carry));
  const Board bytes = (low & k4) + ((low >> 4) & k4) + 2 * ((high & k4) + ((high >> 4) & k4));
  return (bytes * k8) >> 56;
}

// Calls f for each complete move that begins with `so_far` and Fleaps on: a Flooper that can Fleap
// on must (rules/flooprail.md, "Fleaps"). Returns false if there is no further Fleap. `prey` lacks
// the captured Floopers, and `empty` has the space on which the move began. Captured Floopers are
// in neither, because they block their spaces until the move ends.
template <Seat kMover, class F>
bool Floopers::each_fleap_on(const Move& so_far, Board prey, Board empty, F& f) {
  bool any = false;
  const auto go = [&](unsigned d) {
    const Board over = stepped(at_bit(so_far.to), d) & prey;
    const Board land = stepped(over, d) & empty;
    if (land == 0) return;
    any = true;
    Move m = so_far;
    m.captured |= over;
    m.way |= d << (2 * m.steps++);
    m.to = static_cast<std::uint8_t>(lowest(land));
    m.sooper = m.sooper || (land & kGoal[kMover]) != 0;
    if (!each_fleap_on<kMover>(m, prey ^ over, empty, f)) f(m);
  };
  constexpr unsigned forward = first_direction(kMover);
  go(forward);
  go(forward + 1);
  if (so_far.sooper) {
    go(forward ^ 2U);
    go((forward + 1) ^ 2U);
  }
  return any;
}

template <Seat kMover, class F>
void Floopers::each_move_of(F& f) const {
  const Board men = pieces_[kMover], prey = pieces_[1 - kMover], free = empty(),
              soopers = men & soopers_;
  constexpr unsigned forward = first_direction(kMover);
  const auto fleapers = [&](Board who, unsigned d) {
    return who & stepped(stepped(free, d ^ 2U) & prey, d ^ 2U);
  };
  const Board can_fleap = fleapers(men, forward) | fleapers(men, forward + 1) |
                          fleapers(soopers, forward ^ 2U) | fleapers(soopers, (forward + 1) ^ 2U);
  if (can_fleap != 0) {
    each_bit(can_fleap, [&](int bit) {
      Move m;
      m.from = m.to = static_cast<std::uint8_t>(bit);
      m.sooper = (soopers_ & at_bit(bit)) != 0;
      each_fleap_on<kMover>(m, prey, free | at_bit(bit), f);
    });
    return;
  }
  const auto floops = [&](Board who, unsigned d) {
    each_bit(stepped(who, d) & free, [&](int to) {
      Move m;
      m.way = d;
      m.steps = 1;
      m.to = static_cast<std::uint8_t>(to);
      m.from = static_cast<std::uint8_t>(lowest(stepped(at_bit(to), d ^ 2U)));
      m.sooper = ((soopers_ & at_bit(m.from)) | (kGoal[kMover] & at_bit(to))) != 0;
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

// Counts the ways in which a Flooper that has landed on `at` can end its move.
template <Seat kMover>
inline std::uint64_t Floopers::count_fleaps_on(Board at, Board prey, Board empty, bool sooper) {
  constexpr unsigned forward = first_direction(kMover);
  sooper = sooper || (at & kGoal[kMover]) != 0;
  std::uint64_t n = 0;
  const auto go = [&](unsigned d) {
    const Board over = stepped(at, d) & prey;
    const Board land = stepped(over, d) & empty;
    if (land != 0) n += count_fleaps_on<kMover>(land, prey ^ over, empty, sooper);
  };
  go(forward);
  go(forward + 1);
  if (sooper) {
    go(forward ^ 2U);
    go((forward + 1) ^ 2U);
  }
  return n == 0 ? 1 : n;
}

template <Seat kMover>
std::uint64_t Floopers::count_moves_of() const {
  const Board men = pieces_[kMover], prey = pieces_[1 - kMover], free = empty(),
              soopers = men & soopers_;
  constexpr unsigned forward = first_direction(kMover);
  constexpr std::array<unsigned, 4> ways{forward, forward + 1, forward ^ 2U, (forward + 1) ^ 2U};
  const std::array<Board, 4> fleaps{
      landings(men, prey, free, ways[0]), landings(men, prey, free, ways[1]),
      landings(soopers, prey, free, ways[2]), landings(soopers, prey, free, ways[3])};
  if ((fleaps[0] | fleaps[1] | fleaps[2] | fleaps[3]) == 0)
    return bits_in(stepped(men, ways[0]) & free, stepped(men, ways[1]) & free,
                   stepped(soopers, ways[2]) & free, stepped(soopers, ways[3]) & free);
  std::uint64_t n = 0;
  const auto count = [&](Board land, unsigned d) {
    each_bit(land, [&](int bit) {
      const Board to = at_bit(bit), over = stepped(to, d ^ 2U), from = stepped(over, d ^ 2U);
      n += count_fleaps_on<kMover>(to, prey ^ over, free | from, (soopers & from) != 0);
    });
  };
  count(fleaps[0], ways[0]);
  count(fleaps[1], ways[1]);
  count(fleaps[2], ways[2]);
  count(fleaps[3], ways[3]);
  return n;
}

}  // namespace pbm::flooprail
