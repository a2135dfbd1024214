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

constexpr int kCellCount = 19;
constexpr int kRowCount = 5;
constexpr int kDirections =
    6;  // directions: three raise the index of the cell, then three lower it
constexpr Cells kAllCells = (Cells{1} << kCellCount) - 1;

// The maximum number of jumps in a move. While a piece moves, thirteen pieces stand and six cells
// are empty. A jump joins two of these six with only pieces between them. Any six cells have at
// most nine such pairs, and a move makes no jump twice.
constexpr int kMaxJumps = 9;
constexpr int kPathBits = 5;  // bits of each cell in Move::path

constexpr Cells cell_bit(Cell c) { return Cells{1} << c; }
constexpr Cell first_cell(Cells cells) { return std::countr_zero(cells); }
constexpr Cell last_cell(Cells cells) { return 31 - std::countl_zero(cells); }

// Rows a to e hold the numbers first_number() to last_number(). A number runs along its "/" in the
// drawing, so d begins at 2 and e at 3.
constexpr int first_number(int row) { return std::max(1, row - 1); }
constexpr int last_number(int row) { return std::min(5, row + 3); }

// Tables of the board.
struct Geometry {
  std::array<std::uint8_t, kCellCount> row{}, number{};
  std::array<std::array<Cells, kDirections>, kCellCount>
      rays{};  // all cells in a direction, to the edge
  std::array<std::array<Cells, kCellCount>, kCellCount> between{};  // the cells between two in line
  std::array<Cells, kCellCount> aligned_cells{};                    // all cells in line with a cell
  Cells inner_cells = 0;  // the seven cells off the outer circle

  constexpr Cell find_cell(int r, int n) const {
    for (Cell c = 0; c < kCellCount; ++c)
      if (row[static_cast<std::size_t>(c)] == r && number[static_cast<std::size_t>(c)] == n)
        return c;
    return -1;
  }

  constexpr Geometry() {
    std::size_t next = 0;
    for (int r = 0; r < kRowCount; ++r)
      for (int n = first_number(r); n <= last_number(r); ++n, ++next) {
        row[next] = static_cast<std::uint8_t>(r);
        number[next] = static_cast<std::uint8_t>(n);
      }
    // rules/chaos.md, "The board": same letter; same number; both rise together.
    constexpr std::array<std::array<int, 2>, kDirections> steps{
        {{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}};
    for (std::size_t c = 0; c < kCellCount; ++c) {
      int neighbours = 0;
      for (std::size_t way = 0; way < kDirections; ++way) {
        Cells passed = 0;
        int r = row[c] + steps[way][0], n = number[c] + steps[way][1];
        for (Cell to = find_cell(r, n); to >= 0; to = find_cell(r, n)) {
          if (passed == 0) ++neighbours;
          between[c][static_cast<std::size_t>(to)] = passed;
          passed |= cell_bit(to);
          r += steps[way][0];
          n += steps[way][1];
        }
        rays[c][way] = passed;
        aligned_cells[c] |= passed;
      }
      if (neighbours == kDirections) inner_cells |= cell_bit(static_cast<Cell>(c));
    }
  }
};
constexpr Geometry kGeometry;

constexpr Cells cells_between(Cell from, Cell to) {
  return kGeometry.between[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}
constexpr bool is_in_line(Cell from, Cell to) {
  return (kGeometry.aligned_cells[static_cast<std::size_t>(from)] & cell_bit(to)) != 0;
}
constexpr bool is_inner(Cell c) { return (kGeometry.inner_cells & cell_bit(c)) != 0; }
static_assert(std::popcount(kGeometry.inner_cells) == 7);

// Returns the first cell of `empty` from `from` in direction `way`, or -1.
constexpr Cell find_landing(Cell from, std::size_t way, Cells empty) {
  const Cells hit = kGeometry.rays[static_cast<std::size_t>(from)][way] & empty;
  if (hit == 0) return -1;
  return way < kDirections / 2 ? first_cell(hit) : last_cell(hit);
}

// The jumps between landing cells, as edges of a graph. The first edges are those of the position.
// Those of the cell that one lifted piece leaves follow. Edges ignore colours, because colours
// change during a move; the walks check them.
class JumpGraph {
 public:
  JumpGraph(Cells mine, Cells theirs)
      : own_pieces_(mine), empty_cells_(kAllCells & ~(mine | theirs)) {
    for (Cells rest = empty_cells_; rest != 0; rest &= rest - 1)
      edges_at_[static_cast<std::size_t>(first_cell(rest))] = 0;
    for (Cells rest = empty_cells_; rest != 0; rest &= rest - 1) {
      const Cell from = first_cell(rest);
      for (std::size_t way = 0; way < kDirections / 2; ++way) {
        const Cell to = find_landing(from, way, empty_cells_);
        if (to >= 0) add_edge(from, to);
      }
    }
    fixed_edge_count_ = edge_count_;
  }

  // Picks up the piece on `from`. Returns false and does nothing if its colours allow no first
  // jump. Otherwise call put_down() before the next pick_up().
  bool pick_up(Cell from) {
    const Cells mine = own_pieces_ & ~cell_bit(from);
    bool open = false;
    edges_at_[static_cast<std::size_t>(from)] = 0;
    for (std::size_t way = 0; way < kDirections; ++way) {
      const Cell to = find_landing(from, way, empty_cells_);
      if (to < 0) continue;
      const Cells over = cells_between(from, to);
      if (over == 0) continue;
      const Cells own = over & mine;
      open |= own == 0 || own == over;
      jumped_cells_[edge_count_] = over;
      edge_ends_[edge_count_++] = static_cast<std::uint8_t>(from ^ to);
    }
    if (!open) {
      edge_count_ = fixed_edge_count_;
      return false;
    }
    // Removes the jumps over the cell that is now empty.
    available_edges_ = (1U << edge_count_) - 1;
    for (std::size_t e = 0; e < fixed_edge_count_; ++e)
      available_edges_ &= ~(((jumped_cells_[e] >> from) & 1U) << e);
    for (std::size_t e = fixed_edge_count_; e < edge_count_; ++e) {
      edges_at_[static_cast<std::size_t>(from)] |= 1U << e;
      edges_at_[static_cast<std::size_t>(edge_ends_[e] ^ from)] |= 1U << e;
    }
    start_cell_ = from;
    return true;
  }

  void put_down() {
    const std::uint32_t keep = (1U << fixed_edge_count_) - 1;
    for (std::size_t e = fixed_edge_count_; e < edge_count_; ++e)
      edges_at_[static_cast<std::size_t>(edge_ends_[e] ^ start_cell_)] &= keep;
    edge_count_ = fixed_edge_count_;
  }

  // Returns the number of valid moves of the lifted piece.
  std::uint64_t count_moves() const {
    return count_before_flip(start_cell_, own_pieces_ & ~cell_bit(start_cell_), available_edges_);
  }

  // Calls f(path, jumps, to, flips) for each valid move of the lifted piece.
  template <class F>
  void each_move(F& f) const {
    walk(static_cast<std::uint64_t>(start_cell_), 0, start_cell_,
         own_pieces_ & ~cell_bit(start_cell_), 0, available_edges_, f);
  }

  // Takes the position as the result of a move of `mine` that the lifted piece made. Calls f(from,
  // flips) for each such move.
  template <class F>
  void each_previous_move(F& f) const {
    retrace(start_cell_, own_pieces_ & ~cell_bit(start_cell_), 0, available_edges_, f);
  }

 private:
  void add_edge(Cell from, Cell to) {
    const Cells over = cells_between(from, to);
    if (over == 0) return;
    edges_at_[static_cast<std::size_t>(from)] |= 1U << edge_count_;
    edges_at_[static_cast<std::size_t>(to)] |= 1U << edge_count_;
    jumped_cells_[edge_count_] = over;
    edge_ends_[edge_count_++] = static_cast<std::uint8_t>(from ^ to);
  }

  // rules/chaos.md, "Moves": all jumped pieces have one colour at the time of the jump. "No jump
  // twice": `left` holds the edges that the move has used in neither direction.
  template <class F>
  void walk(std::uint64_t path, int jumps, Cell at, Cells mine, Cells flips, std::uint32_t left,
            F& f) const {
    ++jumps;
    for (std::uint32_t rest = edges_at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = jumped_cells_[e] & mine;
      if (own != 0 && own != jumped_cells_[e]) continue;
      const Cell to = edge_ends_[e] ^ at;
      const Cells flipped = own == 0 ? flips | jumped_cells_[e] : flips;
      const std::uint64_t longer = path | static_cast<std::uint64_t>(to) << (kPathBits * jumps);
      // "What a move must do".
      if (flipped != 0 || (is_inner(to) && to != start_cell_)) f(longer, jumps, to, flipped);
      walk(longer, jumps, to, mine | flipped, flipped, left & ~(1U << e), f);
    }
  }

  // Retraces walk() from the last jump to the first. After a jump, all jumped pieces are the
  // mover's.
  template <class F>
  void retrace(Cell at, Cells mine, Cells flips, std::uint32_t left, F& f) const {
    for (std::uint32_t rest = edges_at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells over = jumped_cells_[e];
      if ((over & mine) != over) continue;
      const Cell from = edge_ends_[e] ^ at;
      const std::uint32_t before = left & ~(1U << e);
      if (flips != 0 || (is_inner(start_cell_) && from != start_cell_)) f(from, flips);
      f(from, flips | over);
      retrace(from, mine, flips, before, f);
      retrace(from, mine & ~over, flips | over, before, f);
    }
  }

  // Counts the moves of walk() while nothing has flipped yet.
  std::uint64_t count_before_flip(Cell at, Cells mine, std::uint32_t left) const {
    std::uint64_t sum = 0;
    for (std::uint32_t rest = edges_at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = jumped_cells_[e] & mine;
      const Cell to = edge_ends_[e] ^ at;
      const std::uint32_t after = left & ~(1U << e);
      const bool further = (edges_at_[static_cast<std::size_t>(to)] & after) != 0;
      if (own == 0) sum += 1 + (further ? count_after_flip(to, mine | jumped_cells_[e], after) : 0);
      else if (own == jumped_cells_[e])
        sum += std::uint64_t{is_inner(to) && to != start_cell_} +
               (further ? count_before_flip(to, mine, after) : 0);
    }
    return sum;
  }

  // Counts the moves of walk() after a flip: the move may end on any cell.
  std::uint64_t count_after_flip(Cell at, Cells mine, std::uint32_t left) const {
    std::uint64_t sum = 0;
    for (std::uint32_t rest = edges_at_[static_cast<std::size_t>(at)] & left; rest != 0;
         rest &= rest - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(rest));
      const Cells own = jumped_cells_[e] & mine;
      if (own != 0 && own != jumped_cells_[e]) continue;
      const Cell to = edge_ends_[e] ^ at;
      const std::uint32_t after = left & ~(1U << e);
      ++sum;
      if ((edges_at_[static_cast<std::size_t>(to)] & after) != 0)
        sum += count_after_flip(to, mine | jumped_cells_[e], after);
    }
    return sum;
  }

  // Room for the edges of the position, then those of a lifted piece.
  static constexpr std::size_t kMaxEdges = kMaxJumps + kDirections;

  Cells own_pieces_, empty_cells_;
  std::size_t edge_count_ = 0, fixed_edge_count_ = 0;
  Cell start_cell_ = 0;
  std::uint32_t available_edges_ = 0;
  // Only the entries of existing edges and landing cells are set and read.
  std::array<Cells, kMaxEdges> jumped_cells_;       // the jumped cells
  std::array<std::uint8_t, kMaxEdges> edge_ends_;   // XOR of both ends
  std::array<std::uint32_t, kCellCount> edges_at_;  // the edges at each cell
};

// Returns the number of valid moves of `mine`, without a pass.
inline std::uint64_t count_jump_moves(Cells mine, Cells theirs) {
  std::uint64_t sum = 0;
  JumpGraph links(mine, theirs);
  for (Cells rest = mine; rest != 0; rest &= rest - 1)
    if (links.pick_up(first_cell(rest))) {
      sum += links.count_moves();
      links.put_down();
    }
  return sum;
}

}  // namespace pbm::chaos
