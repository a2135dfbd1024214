// SPDX-License-Identifier: MIT
// Chaos for the engine: a position in two words, its moves by their results, and an evaluation.
// Leaves the rules to chaos_cells.hpp and searching to engine/.
#pragma once

#include <optional>

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "engine/proved_verdict.hpp"
#include "games/chaos_table.hpp"

namespace pbm::chaos {

// The fifteen lines of the board, five in each of three directions. Tables list the jumps for each
// content of a line, which is a number, so that the board need not walk over its cells.
struct LineTables {
  static constexpr int kAxes = 3, kLinesPerAxis = 5;
  static constexpr std::array<int, kLinesPerAxis> kShifts{0, 3, 7, 12, 16}, kLengths{3, 4, 5, 4, 3};
  static constexpr int kLowBits =
      10;  // bits of a set in the first table; the second has the others

  // By direction: the image of a set in which the lines of the direction follow each other.
  std::array<std::array<Cells, 1U << kLowBits>, kAxes> low_images{};
  std::array<std::array<Cells, 1U << (kCellCount - kLowBits)>, kAxes> high_images{};
  struct LineJumps {
    Cells movable_pieces = 0;                        // the mover's pieces with a jump
    std::uint8_t own_moves = 0, opponent_moves = 0;  // jumps of each side that are valid moves
  };
  // By direction, line and content: the mover's pieces, plus 32 times the opponent's.
  std::array<std::array<std::array<LineJumps, 1024>, kLinesPerAxis>, kAxes> line_jumps{};

  LineTables() {
    for (int d = 0; d < kAxes; ++d) {
      std::array<Cell, kCellCount> order{};
      for (Cell c = 0; c < kCellCount; ++c) order[static_cast<std::size_t>(c)] = c;
      const auto line_of = [&](Cell c) {
        const auto i = static_cast<std::size_t>(c);
        return d == 0   ? int{kGeometry.row[i]}
               : d == 1 ? int{kGeometry.number[i]}
                        : kGeometry.number[i] - kGeometry.row[i];
      };
      std::ranges::stable_sort(order, [&](Cell a, Cell b) { return line_of(a) < line_of(b); });
      const auto dir = static_cast<std::size_t>(d);
      for (std::size_t place = 0; place < kCellCount; ++place) {
        const Cell c = order[place];
        for (Cells set = 0; set < (1U << kLowBits); ++set)
          if (c < kLowBits && (set & cell_bit(c))) low_images[dir][set] |= Cells{1} << place;
        for (Cells set = 0; set < (1U << (kCellCount - kLowBits)); ++set)
          if (c >= kLowBits && (set & cell_bit(c - kLowBits)))
            high_images[dir][set] |= Cells{1} << place;
      }
      for (std::size_t line = 0; line < kLinesPerAxis; ++line)
        for (unsigned all = 0; all < 1024; ++all)
          line_jumps[dir][line][all] = find_jumps(order, line, all & 31U, all >> 5);
    }
  }

  Cells align_lines(std::size_t direction, Cells set) const {
    return low_images[direction][set & ((1U << kLowBits) - 1)] |
           high_images[direction][set >> kLowBits];
  }

 private:
  static LineJumps find_jumps(const std::array<Cell, kCellCount>& order, std::size_t line,
                              unsigned mine, unsigned theirs) {
    LineJumps out;
    const int length = kLengths[line];
    const auto cell = [&](int i) { return order[static_cast<std::size_t>(kShifts[line] + i)]; };
    const auto at = [](unsigned set, int i) { return (set >> i) & 1U; };
    for (int from = 0; from < length; ++from)
      for (const int way : {-1, 1}) {
        if (!at(mine | theirs, from)) continue;
        int to = from + way, passed_mine = 0, passed_theirs = 0;
        for (; to >= 0 && to < length && at(mine | theirs, to); to += way)
          ++(at(mine, to) ? passed_mine : passed_theirs);
        const bool one_colour = (passed_mine == 0) != (passed_theirs == 0);
        if (to < 0 || to >= length || !one_colour) continue;
        const bool own = at(mine, from) != 0, turns = own == (passed_theirs > 0);
        if (own) out.movable_pieces |= cell_bit(cell(from));
        if (turns || is_inner(cell(to))) ++(own ? out.own_moves : out.opponent_moves);
      }
    return out;
  }
};
inline const LineTables& line_tables() {
  static const LineTables all;
  return all;
}

class Board {
 public:
  // The position after a move. Many paths lead to the same one.
  struct Move {
    Cells own_pieces = 0, opponent_pieces = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Board(Cells mine, Cells theirs, Seat mover)
      : own_pieces_(mine), opponent_pieces_(theirs), mover_(static_cast<std::uint8_t>(mover)) {
    update_jumps();
  }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  // rules/chaos.md, "The end": a player without a valid move can only pass, and has lost.
  bool is_over() const { return false; }
  Seat winner() const { return 1 - mover_; }

  template <class F>
  void each_move(F f) const {
    JumpGraph links(own_pieces_, opponent_pieces_);
    std::array<std::uint64_t, kMaxMoves> given;
    std::size_t count = 0;
    std::uint64_t filter = 0;
    for (Cells rest = movable_pieces_; rest != 0; rest &= rest - 1) {
      const Cell from = first_cell(rest);
      if (!links.pick_up(from)) continue;
      auto give = [&](std::uint64_t, int, Cell to, Cells flips) {
        const Move m{(own_pieces_ & ~cell_bit(from)) | cell_bit(to) | flips,
                     opponent_pieces_ & ~flips};
        const std::uint64_t key = std::uint64_t{m.own_pieces} << kCellCount | m.opponent_pieces;
        const std::uint64_t sign = std::uint64_t{1} << ((key * 0x9E3779B97F4A7C15U) >> 58);
        if ((filter & sign) != 0 &&
            std::find(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(count), key) !=
                given.begin() + static_cast<std::ptrdiff_t>(count))
          return;
        filter |= sign;
        given[count++] = key;
        f(m);
      };
      links.each_move(give);
      links.put_down();
    }
  }

  void play(Move m) {
    own_pieces_ = m.opponent_pieces;
    opponent_pieces_ = m.own_pieces;
    mover_ ^= 1U;
    update_jumps();
  }

  std::uint64_t hash() const {
    return engine::mix_bits((std::uint64_t{own_pieces_} << kCellCount | opponent_pieces_) << 1 |
                            mover_);
  }

  // True if the mover has no move and so has lost: no estimate can show that.
  bool is_noisy() const { return own_jumps_ == 0 && (movable_pieces_ == 0 || !has_move()); }

  static constexpr bool kIsForTwo = true;
  static constexpr int kMaxNoise = 100;
  int odds_scale() const { return 55; }
  static constexpr engine::LevelRungs kRungs{0, 20, 26, 32, 43, 56, 66, 75, 90};
  const engine::LevelRungs& level_rungs() const { return kRungs; }
  // A player must look at the whole board, not at a line, to see that the opponent has no move.
  static constexpr int kSeenWinPercent = 30;
  // Points of 100 against itself without one term (1,000 games, 1,000 positions a ply): pieces 57.4
  // +-1.9, room to jump 59.1 +-1.8.
  template <class F>
  void evaluation_terms(F f) const {
    f("gains pieces",
      kPiecePoints * (engine::count_bits(own_pieces_) - engine::count_bits(opponent_pieces_)));
    f("gains room to jump", kFreedomPoints[std::min(kMaxCountedJumps, own_jumps_)] -
                                kFreedomPoints[std::min(kMaxCountedJumps, opponent_jumps_)]);
  }

  std::optional<Verdict> table_verdict(std::span<const std::uint8_t> table) const {
    if (table.size() != PositionTable::byte_count()) return std::nullopt;
    const auto plies = PositionTable::plies_to_end(table, own_pieces_, opponent_pieces_);
    if (!plies) return engine::ProvedVerdict::endless();
    return *plies % 2 == 1 ? engine::ProvedVerdict::win(*plies)
                           : engine::ProvedVerdict::loss(*plies);
  }

  bool is_obvious(Move m) const {
    return engine::count_bits(opponent_pieces_ & ~m.opponent_pieces) >= 2;
  }
  int ordering_score(Move m) const {
    return engine::count_bits(opponent_pieces_ & ~m.opponent_pieces);
  }

 private:
  static constexpr std::size_t kMaxMoves = 520;  // no position has more moves, counting every path
  static constexpr int kPiecePoints = 12;
  static constexpr std::uint32_t kMaxCountedJumps = 31;
  // By the number of jumps that are moves: the first few are worth most.
  static constexpr std::array<int, kMaxCountedJumps + 1> kFreedomPoints = [] {
    std::array<int, kMaxCountedJumps + 1> out{};
    out[0] = -80;
    int worth = 40;
    for (std::uint32_t n = 1; n <= kMaxCountedJumps; ++n, worth = worth * 4 / 5 + 1)
      out[n] = out[n - 1] + worth;
    return out;
  }();

  void update_jumps() {
    const LineTables& all = line_tables();
    movable_pieces_ = 0;
    own_jumps_ = opponent_jumps_ = 0;
    for (std::size_t d = 0; d < LineTables::kAxes; ++d) {
      const Cells m = all.align_lines(d, own_pieces_), t = all.align_lines(d, opponent_pieces_);
      for (std::size_t line = 0; line < LineTables::kLinesPerAxis; ++line) {
        const Cells only = (1U << LineTables::kLengths[line]) - 1;
        const LineTables::LineJumps& j =
            all.line_jumps[d][line][((m >> LineTables::kShifts[line]) & only) |
                                    ((t >> LineTables::kShifts[line]) & only) << 5];
        movable_pieces_ |= j.movable_pieces;
        own_jumps_ += j.own_moves;
        opponent_jumps_ += j.opponent_moves;
      }
    }
  }

  bool has_move() const {
    bool any = false;
    each_move([&](Move) { any = true; });
    return any;
  }

  Cells own_pieces_, opponent_pieces_;
  Cells movable_pieces_ = 0;                          // the mover's pieces with a jump
  std::uint32_t own_jumps_ = 0, opponent_jumps_ = 0;  // jumps that are valid moves
  std::uint8_t mover_;
};

}  // namespace pbm::chaos
