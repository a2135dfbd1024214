// SPDX-License-Identifier: MIT
// The nineteen cells of Chaos and the jumps between them (rules/chaos.md, "The board", "Moves").
// Leaves turns, parsing and descriptions to chaos.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace pbm::chaos {

using Cells = std::uint32_t;  // one bit per cell, in the order a1 a2 a3 b1 ... e5
using Cell = int;             // 0 for a1, 18 for e5

constexpr int kCells = 19;
constexpr int kRows = 5;
constexpr int kWays = 6;  // directions: three raise the index of the cell, then three lower it
constexpr Cells kBoard = (Cells{1} << kCells) - 1;

// The maximum number of jumps in a move. While a piece moves, thirteen pieces stand and six cells
// are empty. A jump joins two of these six with only pieces between them. Any six cells have at
// most nine such pairs, and a move makes no jump twice.
constexpr int kMaxJumps = 9;
constexpr int kPathBits = 5;  // bits of each cell in Move::path

constexpr Cells bit(Cell c) { return Cells{1} << c; }
constexpr Cell first_of(Cells cells) { return std::countr_zero(cells); }
constexpr Cell last_of(Cells cells) { return 31 - std::countl_zero(cells); }

// Rows a to e hold the numbers lowest() to highest(). A number runs along its "/" in the drawing,
// so d begins at 2 and e at 3.
constexpr int lowest(int row) { return std::max(1, row - 1); }
constexpr int highest(int row) { return std::min(5, row + 3); }

// Tables of the board.
struct Geometry {
  std::array<std::uint8_t, kCells> row{}, number{};
  std::array<std::array<Cells, kWays>, kCells> ray{};       // all cells in a direction, to the edge
  std::array<std::array<Cells, kCells>, kCells> between{};  // the cells between two in line
  std::array<Cells, kCells> line{};                         // all cells in line with a cell
  Cells inner = 0;                                          // the seven cells off the outer circle

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
    // rules/chaos.md, "The board": same letter; same number; both rise together.
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

// Returns the first cell of `empty` from `from` in direction `way`, or -1.
constexpr Cell landing(Cell from, std::size_t way, Cells empty) {
  const Cells hit = kMap.ray[static_cast<std::size_t>(from)][way] & empty;
  if (hit == 0) return -1;
  return way < kWays / 2 ? first_of(hit) : last_of(hit);
}

// The jumps between landing cells, as edges of a graph. The first edges are those of the position.
// Those of the cell that one lifted piece leaves follow. Edges ignore colours, because colours
// change during a move; the walks check them.
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

  // Picks up the piece on `from`. Returns false and does nothing if its colours allow no first
  // jump. Otherwise call put_down() before the next lift().
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
    // Removes the jumps over the cell that is now empty.
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

  // Returns the number of valid moves of the lifted piece.
  std::uint64_t count() const { return count_plain(lifted_, mine_ & ~bit(lifted_), left_); }

  // Calls f(path, jumps, to, flips) for each valid move of the lifted piece.
  template <class F>
  void each(F& f) const {
    walk(static_cast<std::uint64_t>(lifted_), 0, lifted_, mine_ & ~bit(lifted_), 0, left_, f);
  }

  // Takes the position as the result of a move of `mine` that the lifted piece made. Calls f(from,
  // flips) for each such move.
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

  // rules/chaos.md, "Moves": all jumped pieces have one colour at the time of the jump. "No jump
  // twice": `left` holds the edges that the move has used in neither direction.
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

  // Retraces walk() from the last jump to the first. After a jump, all jumped pieces are the
  // mover's.
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

  // Counts the moves of walk() while nothing has flipped yet.
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

  // Counts the moves of walk() after a flip: the move may end on any cell.
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

  // Room for the edges of the position, then those of a lifted piece.
  static constexpr std::size_t kMaxEdges = kMaxJumps + kWays;

  Cells mine_, empty_;
  std::size_t edges_ = 0, fixed_ = 0;
  Cell lifted_ = 0;
  std::uint32_t left_ = 0;
  // Only the entries of existing edges and landing cells are set and read.
  std::array<Cells, kMaxEdges> over_;          // the jumped cells
  std::array<std::uint8_t, kMaxEdges> sides_;  // XOR of both ends
  std::array<std::uint32_t, kCells> at_;       // the edges at each cell
};

// Returns the number of valid moves of `mine`, without a pass.
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
