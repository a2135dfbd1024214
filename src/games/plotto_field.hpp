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
  std::int16_t column = 0, down = 0;

  // Returns the line of the drawing with its digit or letter. A hex is two lines high, and each
  // column to the right starts one line lower.
  constexpr int line() const { return 2 * down + column; }

  friend constexpr auto operator<=>(const Hex&, const Hex&) = default;
};

constexpr Hex hex(int column, int down) {
  return {static_cast<std::int16_t>(column), static_cast<std::int16_t>(down)};
}

// The three axes; a neighbour is one step along an axis in either direction.
constexpr int kAxes = 3;
constexpr std::array<Hex, kAxes> kAxis{
    {{0, 1}, {1, 0}, {1, -1}}};  // down; falling to the right; rising to the right
constexpr Hex step(Hex from, int axis, int steps) {
  const Hex by = kAxis[static_cast<std::size_t>(axis)];
  return hex(from.column + steps * by.column, from.down + steps * by.down);
}

// The six neighbours, in the order in which sentences name them.
struct Side {
  int axis, steps;
  const char* name;
};
constexpr std::array<Side, 6> kSides{{{0, -1, "above"},
                                      {0, 1, "below"},
                                      {1, -1, "upper left"},
                                      {2, -1, "lower left"},
                                      {2, 1, "upper right"},
                                      {1, 1, "lower right"}}};

// The state of a hex. With a piece: the piece bit and the bit of its number. Without: the bits of
// all numbers that it touches, and the open bit if it touches enough pieces for an opening.
using Cell = std::uint8_t;
constexpr Cell kNumbers = 15;  // bit n-1 for number n
constexpr Cell kOpen = 16;
constexpr Cell kPiece = 32;
constexpr std::size_t kCells = 64;  // every value of a Cell is below this

constexpr unsigned number_bit(int number) { return 1U << (number - 1); }

// The count of numbers that fit on a hex: none on a piece, none if the hex touches all four.
constexpr std::array<std::uint8_t, kCells> kRoom = [] {
  std::array<std::uint8_t, kCells> room{};
  for (unsigned c = 0; c < kCells; ++c)
    if ((c & kOpen) && !(c & kPiece))
      room[c] = static_cast<std::uint8_t>(4 - std::popcount(c & kNumbers));
  return room;
}();

// Returns the state of an empty hex after a piece next to it. From the third piece on, the second
// neighbour opens a hex.
constexpr Cell beside(Cell cell, unsigned bit) {
  return static_cast<Cell>(cell | bit | ((cell & kNumbers) ? kOpen : 0U));
}

// The change of that count when a piece of number n comes next to the hex: [cell][n - 1].
constexpr std::array<std::array<std::int8_t, 4>, kCells> kGrowth = [] {
  std::array<std::array<std::int8_t, 4>, kCells> growth{};
  for (unsigned c = 0; c < kPiece; ++c)
    for (unsigned n = 0; n < 4; ++n)
      growth[c][n] = static_cast<std::int8_t>(int{kRoom[beside(static_cast<Cell>(c), 1U << n)]} -
                                              int{kRoom[c]});
  return growth;
}();

// The bit of the number on a hex, or 0 without a piece.
constexpr std::array<std::uint8_t, kCells> kLies = [] {
  std::array<std::uint8_t, kCells> lies{};
  for (unsigned c = 0; c < kCells; ++c)
    lies[c] = (c & kPiece) ? static_cast<std::uint8_t>(c & kNumbers) : 0;
  return lies;
}();

// All hexes of a game. Copies are independent, and == ignores the order of the plies.
class Field {
 public:
  // The greatest distance from the first piece at which hexes are kept. Each piece lies next to
  // others, so a game needs at least this many plies to get there.
  static constexpr int kEdge = 16000;

  Field() { put(Hex{}, kOpen); }

  int pieces() const { return pieces_; }
  std::uint32_t choices() const { return choices_; }  // legal pairs of opening and number
  std::size_t openings() const;                       // hexes with at least one of them

  Cell cell(Hex at) const {
    if (is_home(at)) return home_[index(at)];
    const auto found = std::lower_bound(far_.begin(), far_.end(), at, before);
    return found != far_.end() && found->at == at ? found->cell : Cell{0};
  }

  // Calls f(Hex, Cell) for every opening; those near the first piece come first.
  template <class F>
  void each_opening(F f) const {
    for (std::size_t word = 0; word < open_.size(); ++word)
      for (std::uint64_t bits = open_[word]; bits != 0; bits &= bits - 1) {
        const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        f(hex_at(i), home_[i]);
      }
    for (const Hex at : far_open_) f(at, cell(at));
  }

  // Return all openings or all pieces, column by column from the left, and downwards in a column.
  std::vector<Hex> sorted_openings() const;
  std::vector<Hex> sorted_pieces() const;

  // Returns how many openings come before `at` in that order.
  std::size_t openings_before(Hex at) const;

  // Adds a piece. Pre: `at` is an opening that does not touch `number`.
  void lay(Hex at, int number);

  // Returns choices() after lay(), without laying. Pre: two pieces lie already.
  std::uint32_t choices_after(Hex at, int number) const {
    int sum = static_cast<int>(choices_) - kRoom[cell(at)];
    const auto n = static_cast<std::size_t>(number - 1);
    if (is_inner(at)) {
      const Cell* here = &home_[index(at)];
      for (const std::ptrdiff_t axis : kHomeAxis)
        sum += kGrowth[here[axis]][n] + kGrowth[here[-axis]][n];
    } else {
      for (const Side& side : kSides) {
        const Hex next = step(at, side.axis, side.steps);
        if (is_kept(next)) sum += kGrowth[cell(next)][n];
      }
    }
    return static_cast<std::uint32_t>(sum);
  }

  // Finds the lines of four that a piece with `bit` on `at` would complete. Returns the numbers at
  // one end of each, as a set of bits. `partner` maps the bit at one end to the bit that the other
  // end must have.
  template <class Partner>
  unsigned line_ends(Hex at, unsigned bit, Partner partner) const {
    if (is_inner(at)) {
      const Cell* here = &home_[index(at)];
      return line_ends_by(bit, partner, [&](int axis, int steps) -> unsigned {
        return kLies[here[steps * kHomeAxis[static_cast<std::size_t>(axis)]]];
      });
    }
    return line_ends_by(bit, partner, [&](int axis, int steps) -> unsigned {
      return kLies[cell(step(at, axis, steps))];
    });
  }

  friend bool operator==(const Field&, const Field&) = default;

 private:
  struct Far {
    Hex at;
    Cell cell;
    friend bool operator==(const Far&, const Far&) = default;
  };
  static bool before(const Far& far, Hex at) { return far.at < at; }

  static constexpr int kSide = 16, kHalf = kSide / 2;
  static constexpr int kReach = 3;  // from one end of a line to the other
  static constexpr std::array<std::ptrdiff_t, kAxes> kHomeAxis{
      1, kSide, kSide - 1};  // the axes as steps of an index

  static constexpr bool within(int v, int low, int high) { return v >= low && v <= high; }
  static constexpr bool is_home(Hex at) {
    return within(at.column, -kHalf, kHalf - 1) && within(at.down, -kHalf, kHalf - 1);
  }
  // True if the hex and all hexes of its lines are in the array of near hexes.
  static constexpr bool is_inner(Hex at) {
    return within(at.column, kReach - kHalf, kHalf - 1 - kReach) &&
           within(at.down, kReach - kHalf, kHalf - 1 - kReach);
  }
  static constexpr bool is_kept(Hex at) {
    return within(at.column, -kEdge, kEdge) && within(at.down, -kEdge, kEdge);
  }
  static constexpr std::size_t index(Hex at) {
    return static_cast<std::size_t>((at.column + kHalf) * kSide + at.down + kHalf);
  }
  static constexpr Hex hex_at(std::size_t i) {
    return hex(static_cast<int>(i) / kSide - kHalf, static_cast<int>(i) % kSide - kHalf);
  }

  // A line of four through the new piece lies along one axis, with the piece first, second, third
  // or last: four windows for each axis.
  template <class Partner, class Lies>
  static unsigned line_ends_by(unsigned bit, Partner partner, Lies lies) {
    unsigned ends = 0;
    for (int axis = 0; axis < kAxes; ++axis) {
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

  void put(Hex at, Cell now);
  void touch(Hex at, unsigned bit);

  std::array<Cell, kSide * kSide> home_{};
  std::array<std::uint64_t, kSide * kSide / 64> open_{};  // openings near the first piece, by index
  std::vector<Far> far_;                                  // farther hexes with a state, sorted
  std::vector<Hex> far_open_;                             // the openings among them, sorted
  std::int32_t pieces_ = 0;
  std::uint32_t choices_ = 0;
};

inline std::size_t Field::openings() const {
  std::size_t n = far_open_.size();
  for (const std::uint64_t word : open_) n += static_cast<std::size_t>(std::popcount(word));
  return n;
}

inline std::size_t Field::openings_before(Hex at) const {
  // Counts the near hexes before `at`, which may be far: whole columns, then a part of one.
  const int whole = std::clamp(at.column + kHalf, 0, kSide);
  const int part = within(at.column, -kHalf, kHalf - 1) ? std::clamp(at.down + kHalf, 0, kSide) : 0;
  const auto end = static_cast<std::size_t>(whole * kSide + part);
  std::size_t n = 0;
  for (std::size_t word = 0; word * 64 < end; ++word) {
    const std::size_t left = end - word * 64;
    const std::uint64_t mask = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    n += static_cast<std::size_t>(std::popcount(open_[word] & mask));
  }
  return n + static_cast<std::size_t>(std::lower_bound(far_open_.begin(), far_open_.end(), at) -
                                      far_open_.begin());
}

inline std::vector<Hex> Field::sorted_openings() const {
  std::vector<Hex> out;
  out.reserve(openings());
  each_opening([&](Hex at, Cell) { out.push_back(at); });
  std::ranges::sort(out);
  return out;
}

inline std::vector<Hex> Field::sorted_pieces() const {
  std::vector<Hex> out;
  out.reserve(static_cast<std::size_t>(pieces_));
  for (std::size_t i = 0; i < home_.size(); ++i)
    if (home_[i] & kPiece) out.push_back(hex_at(i));
  for (const Far& far : far_)
    if (far.cell & kPiece) out.push_back(far.at);
  std::ranges::sort(out);
  return out;
}

// Writes a hex and updates the openings and their count.
inline void Field::put(Hex at, Cell now) {
  Cell was = 0;
  const bool open = kRoom[now] != 0;
  if (is_home(at)) {
    const std::size_t i = index(at);
    was = home_[i];
    home_[i] = now;
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    open_[i / 64] = open ? open_[i / 64] | bit : open_[i / 64] & ~bit;
  } else {
    const auto place = std::lower_bound(far_.begin(), far_.end(), at, before);
    if (place != far_.end() && place->at == at) {
      was = place->cell;
      place->cell = now;
    } else {
      far_.insert(place, Far{at, now});
    }
    if (open != (kRoom[was] != 0)) {
      const auto opening = std::lower_bound(far_open_.begin(), far_open_.end(), at);
      if (open) far_open_.insert(opening, at);
      else far_open_.erase(opening);
    }
  }
  choices_ += kRoom[now];
  choices_ -= kRoom[was];
}

inline void Field::touch(Hex at, unsigned bit) {
  if (!is_kept(at)) return;
  const Cell was = cell(at);
  if (was & kPiece) return;
  put(at, pieces_ == 1 ? static_cast<Cell>(was | bit | kOpen) : beside(was, bit));
}

inline void Field::lay(Hex at, int number) {
  const unsigned bit = number_bit(number);
  if (++pieces_ == 2)  // openings next to the first piece had one neighbour; now they need two
    for (const Side& side : kSides) {
      const Hex next = step(Hex{}, side.axis, side.steps);
      put(next, static_cast<Cell>(cell(next) & ~kOpen));
    }
  put(at, static_cast<Cell>(kPiece | bit));
  for (const Side& side : kSides) touch(step(at, side.axis, side.steps), bit);
}

}  // namespace pbm::plotto
