// SPDX-License-Identifier: MIT
// The nineteen cells of Chaos and the jumps between them (rules/chaos.md,
// "The board", "Moves"). Leaves whose turn it is, reading and telling to chaos.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace pbm::chaos {

using Cells = std::uint32_t;  // a bit a cell, in the order a1 a2 a3 b1 ... e5
using Cell = int;             // 0 for a1, 18 for e5

constexpr int kCells = 19;
constexpr int kRows = 5;
constexpr int kWays = 6;  // the first three raise the cell's number, the others lower it
constexpr Cells kBoard = (Cells{1} << kCells) - 1;

// No piece ever leaves the board, so thirteen stand and six cells are empty
// while a piece moves, and it jumps between two of those six with only pieces
// between. No six cells have more than nine such pairs, and no jump is made
// twice: a path of landing cells is never longer than this.
constexpr int kMaxJumps = 9;
constexpr int kPathBits = 5;  // a cell in Move::path

constexpr Cells bit(Cell c) { return Cells{1} << c; }
constexpr Cell first_of(Cells cells) { return std::countr_zero(cells); }
constexpr Cell last_of(Cells cells) { return 31 - std::countl_zero(cells); }

// Rows a to e hold the numbers [lowest, highest]: a number runs along its "/"
// in the drawing, which is why d begins at 2 and e at 3.
constexpr int lowest(int row) { return std::max(1, row - 1); }
constexpr int highest(int row) { return std::min(5, row + 3); }

// Everything about the board that never changes.
struct Geometry {
  std::array<std::uint8_t, kCells> row{}, number{};
  std::array<std::array<Cells, kWays>, kCells> ray{};       // the cells beyond one, to the edge
  std::array<std::array<Cells, kCells>, kCells> between{};  // strictly between two of a line
  std::array<Cells, kCells> line{};                         // all cells in line with one
  Cells inner = 0;                                          // the seven off the outer circle

  constexpr Cell at(int r, int n) const {
    for (Cell c = 0; c < kCells; ++c)
      if (row[static_cast<std::size_t>(c)] == r && number[static_cast<std::size_t>(c)] == n)
        return c;
    return -1;
  }

  constexpr Geometry() {
    std::size_t next = 0;
    for (int r = 0; r < kRows; ++r)
      for (int n = lowest(r); n <= highest(r); ++n, ++next) {
        row[next] = static_cast<std::uint8_t>(r);
        number[next] = static_cast<std::uint8_t>(n);
      }
    // rules/chaos.md, "The board": same letter; same number; both rising together.
    constexpr std::array<std::array<int, 2>, kWays> steps{
        {{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}};
    for (std::size_t c = 0; c < kCells; ++c) {
      int neighbours = 0;
      for (std::size_t way = 0; way < kWays; ++way) {
        Cells passed = 0;
        int r = row[c] + steps[way][0], n = number[c] + steps[way][1];
        for (Cell to = at(r, n); to >= 0; to = at(r, n)) {
          if (passed == 0) ++neighbours;
          between[c][static_cast<std::size_t>(to)] = passed;
          passed |= bit(to);
          r += steps[way][0];
          n += steps[way][1];
        }
        ray[c][way] = passed;
        line[c] |= passed;
      }
      if (neighbours == kWays) inner |= bit(static_cast<Cell>(c));
    }
  }
};
constexpr Geometry kMap;

constexpr Cells between(Cell from, Cell to) {
  return kMap.between[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}
constexpr bool in_line(Cell from, Cell to) {
  return (kMap.line[static_cast<std::size_t>(from)] & bit(to)) != 0;
}
constexpr bool is_inner(Cell c) { return (kMap.inner & bit(c)) != 0; }
static_assert(std::popcount(kMap.inner) == 7);

// The first cell of `empty` from `from` on this way, or -1.
constexpr Cell landing(Cell from, std::size_t way, Cells empty) {
  const Cells hit = kMap.ray[static_cast<std::size_t>(from)][way] & empty;
  if (hit == 0) return -1;
  return way < kWays / 2 ? first_of(hit) : last_of(hit);
}

// Which landing cells a jump joins, as edges of a graph: first those of the
// position, then, for one piece at a time, those of the cell it leaves. The
// colours stay out of it, as they change under way; the walks look at them.
class Links {
 public:
  Links(Cells mine, Cells theirs) : mine_(mine), empty_(kBoard & ~(mine | theirs)) {
    for (Cells rest = empty_; rest != 0; rest &= rest - 1)
      at_[static_cast<std::size_t>(first_of(rest))] = 0;
    for (Cells rest = empty_; rest != 0; rest &= rest - 1) {
      const Cell from = first_of(rest);
      for (std::size_t way = 0; way < kWays / 2; ++way) {
        const Cell to = landing(from, way, empty_);
        if (to >= 0) join(from, to);
      }
    }
    fixed_ = edges_;
  }

  // Takes the piece of `from` in hand. False when its colours allow it no first jump: then
  // nothing was done. Else put_down() before the next lift().
  bool lift(Cell from) {
    const Cells mine = mine_ & ~bit(from);
    bool open = false;
    at_[static_cast<std::size_t>(from)] = 0;
    for (std::size_t way = 0; way < kWays; ++way) {
      const Cell to = landing(from, way, empty_);
      if (to < 0) continue;
      const Cells over = between(from, to);
      if (over == 0) continue;
      const Cells own = over & mine;
      open |= own == 0 || own == over;
      over_[edges_] = over;
      sides_[edges_++] = static_cast<std::uint8_t>(from ^ to);
    }
    if (!open) {
      edges_ = fixed_;
      return false;
    }
    // Jumps over the cell that is now empty are none any more.
    left_ = (1U << edges_) - 1;
    for (std::size_t e = 0; e < fixed_; ++e) left_ &= ~(((over_[e] >> from) & 1U) << e);
    for (std::size_t e = fixed_; e < edges_; ++e) {
      at_[static_cast<std::size_t>(from)] |= 1U << e;
      at_[static_cast<std::size_t>(sides_[e] ^ from)] |= 1U << e;
    }
    lifted_ = from;
    return true;
  }

  void put_down() {
    const std::uint32_t keep = (1U << fixed_) - 1;
    for (std::size_t e = fixed_; e < edges_; ++e)
      at_[static_cast<std::size_t>(sides_[e] ^ lifted_)] &= keep;
    edges_ = fixed_;
  }

  // How many valid moves the lifted piece has.
  std::uint64_t count() const { return count_plain(lifted_, mine_ & ~bit(lifted_), left_); }

  // f(path, jumps, to, flips) for each of them.
  template <class F>
  void each(F& f) const {
    walk(static_cast<std::uint64_t>(lifted_), 0, lifted_, mine_ & ~bit(lifted_), 0, left_, f);
  }

  // Of a position that stands after a move of `mine`, with a piece in hand that may have made it:
  // f(from, flips) for each move that ends there.
  template <class F>
  void each_back(F& f) const {
    walk_back(lifted_, mine_ & ~bit(lifted_), 0, left_, f);
  }

 private:
  void join(Cell from, Cell to) {
    const Cells over = between(from, to);
    if (over == 0) return;
    at_[static_cast<std::size_t>(from)] |= 1U << edges_;
    at_[static_cast<std::size_t>(to)] |= 1U << edges_;
    over_[edges_] = over;
    sides_[edges_++] = static_cast<std::uint8_t>(from ^ to);
  }

  // rules/chaos.md, "Moves": all jumped pieces of one colour, now.
  // "No jump twice": `left` holds the edges not used yet, either way.
  template <class F>
  void walk(std::uint64_t path, int jumps, Cell at, Cells mine, Cells flips, std::uint32_t left,
            F& f) const {
    ++jumps;
    for (std::uint32_t rest = at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = over_[e] & mine;
      if (own != 0 && own != over_[e]) continue;
      const Cell to = sides_[e] ^ at;
      const Cells flipped = own == 0 ? flips | over_[e] : flips;
      const std::uint64_t longer = path | static_cast<std::uint64_t>(to) << (kPathBits * jumps);
      // "What a move must do".
      if (flipped != 0 || (is_inner(to) && to != lifted_)) f(longer, jumps, to, flipped);
      walk(longer, jumps, to, mine | flipped, flipped, left & ~(1U << e), f);
    }
  }

  // As walk(), from the last jump to the first. Behind a jump all that was jumped is one's own.
  template <class F>
  void walk_back(Cell at, Cells mine, Cells flips, std::uint32_t left, F& f) const {
    for (std::uint32_t rest = at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells over = over_[e];
      if ((over & mine) != over) continue;
      const Cell from = sides_[e] ^ at;
      const std::uint32_t before = left & ~(1U << e);
      if (flips != 0 || (is_inner(lifted_) && from != lifted_)) f(from, flips);
      f(from, flips | over);
      walk_back(from, mine, flips, before, f);
      walk_back(from, mine & ~over, flips | over, before, f);
    }
  }

  // As walk(), before anything is flipped.
  std::uint64_t count_plain(Cell at, Cells mine, std::uint32_t left) const {
    std::uint64_t sum = 0;
    for (std::uint32_t rest = at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = over_[e] & mine;
      const Cell to = sides_[e] ^ at;
      const std::uint32_t after = left & ~(1U << e);
      const bool further = (at_[static_cast<std::size_t>(to)] & after) != 0;
      if (own == 0) sum += 1 + (further ? count_flipped(to, mine | over_[e], after) : 0);
      else if (own == over_[e])
        sum += std::uint64_t{is_inner(to) && to != lifted_} +
               (further ? count_plain(to, mine, after) : 0);
    }
    return sum;
  }

  // As walk(), once something is flipped: the move may end anywhere.
  std::uint64_t count_flipped(Cell at, Cells mine, std::uint32_t left) const {
    std::uint64_t sum = 0;
    for (std::uint32_t rest = at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = over_[e] & mine;
      if (own != 0 && own != over_[e]) continue;
      const Cell to = sides_[e] ^ at;
      const std::uint32_t after = left & ~(1U << e);
      ++sum;
      if ((at_[static_cast<std::size_t>(to)] & after) != 0)
        sum += count_flipped(to, mine | over_[e], after);
    }
    return sum;
  }

  // The position's own edges and those of a lifted piece lie side by side.
  static constexpr std::size_t kMaxEdges = kMaxJumps + kWays;

  Cells mine_, empty_;
  std::size_t edges_ = 0, fixed_ = 0;
  Cell lifted_ = 0;
  std::uint32_t left_ = 0;
  // Set where there is an edge or a landing cell, and read nowhere else.
  std::array<Cells, kMaxEdges> over_;          // the cells jumped
  std::array<std::uint8_t, kMaxEdges> sides_;  // both ends, xored
  std::array<std::uint32_t, kCells> at_;       // the edges at a cell
};

// How many valid moves `mine` has, a pass left out.
inline std::uint64_t count_jumps(Cells mine, Cells theirs) {
  std::uint64_t sum = 0;
  Links links(mine, theirs);
  for (Cells rest = mine; rest != 0; rest &= rest - 1)
    if (links.lift(first_of(rest))) {
      sum += links.count();
      links.put_down();
    }
  return sum;
}

}  // namespace pbm::chaos
