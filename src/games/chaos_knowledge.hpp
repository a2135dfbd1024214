// SPDX-License-Identifier: MIT
// Chaos for the engine: a position in two words, its moves by their results, and an evaluation.
// Leaves the rules to chaos_cells.hpp and searching to engine/.
#pragma once

#include <optional>

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "engine/proved.hpp"
#include "games/chaos_table.hpp"

namespace pbm::chaos {

// The fifteen lines of the board, five in each of three directions. Tables list the jumps for each
// content of a line, which is a number, so that the board need not walk over its cells.
struct Lines {
  static constexpr int kDirections = 3, kLines = 5;
  static constexpr std::array<int, kLines> kShift{0, 3, 7, 12, 16}, kLength{3, 4, 5, 4, 3};
  static constexpr int kLow = 10;  // bits of a set in the first table; the second has the others

  // By direction: the image of a set in which the lines of the direction follow each other.
  std::array<std::array<Cells, 1U << kLow>, kDirections> low{};
  std::array<std::array<Cells, 1U << (kCells - kLow)>, kDirections> high{};
  struct Jumps {
    Cells from = 0;                     // the mover's pieces with a jump
    std::uint8_t mine = 0, theirs = 0;  // jumps of each side that are valid moves
  };
  // By direction, line and content: the mover's pieces, plus 32 times the opponent's.
  std::array<std::array<std::array<Jumps, 1024>, kLines>, kDirections> jumps{};

  Lines() {
    for (int d = 0; d < kDirections; ++d) {
      std::array<Cell, kCells> order{};
      for (Cell c = 0; c < kCells; ++c) order[static_cast<std::size_t>(c)] = c;
      const auto line_of = [&](Cell c) {
        const auto i = static_cast<std::size_t>(c);
        return d == 0   ? int{kMap.row[i]}
               : d == 1 ? int{kMap.number[i]}
                        : kMap.number[i] - kMap.row[i];
      };
      std::ranges::stable_sort(order, [&](Cell a, Cell b) { return line_of(a) < line_of(b); });
      const auto dir = static_cast<std::size_t>(d);
      for (std::size_t place = 0; place < kCells; ++place) {
        const Cell c = order[place];
        for (Cells set = 0; set < (1U << kLow); ++set)
          if (c < kLow && (set & bit(c))) low[dir][set] |= Cells{1} << place;
        for (Cells set = 0; set < (1U << (kCells - kLow)); ++set)
          if (c >= kLow && (set & bit(c - kLow))) high[dir][set] |= Cells{1} << place;
      }
      for (std::size_t line = 0; line < kLines; ++line)
        for (unsigned all = 0; all < 1024; ++all)
          jumps[dir][line][all] = jumps_in(order, line, all & 31U, all >> 5);
    }
  }

  Cells turned(std::size_t direction, Cells set) const {
    return low[direction][set & ((1U << kLow) - 1)] | high[direction][set >> kLow];
  }

 private:
  static Jumps jumps_in(const std::array<Cell, kCells>& order, std::size_t line, unsigned mine,
                        unsigned theirs) {
    Jumps out;
    const int length = kLength[line];
    const auto cell = [&](int i) { return order[static_cast<std::size_t>(kShift[line] + i)]; };
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
        if (own) out.from |= bit(cell(from));
        if (turns || is_inner(cell(to))) ++(own ? out.mine : out.theirs);
      }
    return out;
  }
};
inline const Lines& lines() {
  static const Lines all;
  return all;
}

class Board {
 public:
  // The position after a move. Many paths lead to the same one.
  struct Move {
    Cells mine = 0, theirs = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Board(Cells mine, Cells theirs, Seat mover)
      : mine_(mine), theirs_(theirs), mover_(static_cast<std::uint8_t>(mover)) {
    look();
  }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  // rules/chaos.md, "The end": a player without a valid move can only pass, and has lost.
  bool over() const { return false; }
  Seat winner() const { return 1 - mover_; }

  template <class F>
  void each_move(F f) const {
    Links links(mine_, theirs_);
    std::array<std::uint64_t, kMost> given;
    std::size_t count = 0;
    std::uint64_t filter = 0;
    for (Cells rest = from_; rest != 0; rest &= rest - 1) {
      const Cell from = first_of(rest);
      if (!links.lift(from)) continue;
      auto give = [&](std::uint64_t, int, Cell to, Cells flips) {
        const Move m{(mine_ & ~bit(from)) | bit(to) | flips, theirs_ & ~flips};
        const std::uint64_t key = std::uint64_t{m.mine} << kCells | m.theirs;
        const std::uint64_t sign = std::uint64_t{1} << ((key * 0x9E3779B97F4A7C15U) >> 58);
        if ((filter & sign) != 0 &&
            std::find(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(count), key) !=
                given.begin() + static_cast<std::ptrdiff_t>(count))
          return;
        filter |= sign;
        given[count++] = key;
        f(m);
      };
      links.each(give);
      links.put_down();
    }
  }

  void play(Move m) {
    mine_ = m.theirs;
    theirs_ = m.mine;
    mover_ ^= 1U;
    look();
  }

  std::uint64_t hash() const {
    return engine::mixed((std::uint64_t{mine_} << kCells | theirs_) << 1 | mover_);
  }

  // True if the mover has no move and so has lost: no estimate can show that.
  bool noisy() const { return my_jumps_ == 0 && (from_ == 0 || !any_move()); }

  static constexpr bool kForTwo = true;
  static constexpr int kNoise = 100;
  int scale() const { return 55; }
  static constexpr engine::Rungs kRungs{0, 22, 28, 33, 43, 56, 66, 75, 90};
  const engine::Rungs& rungs() const { return kRungs; }
  // A player must look at the whole board, not at a line, to see that the opponent has no move.
  static constexpr int kWinsSeen = 30;
  // Points of 100 against itself without one term (1,000 games, 1,000 positions a ply): pieces 57.4
  // +-1.9, room to jump 59.1 +-1.8.
  template <class F>
  void terms(F f) const {
    f("pieces", kPiece * (engine::bits_in(mine_) - engine::bits_in(theirs_)));
    f("room to jump",
      kFreedom[std::min(kMostCounted, my_jumps_)] - kFreedom[std::min(kMostCounted, their_jumps_)]);
  }

  std::optional<Verdict> known(std::span<const std::uint8_t> table) const {
    if (table.size() != Positions::size()) return std::nullopt;
    const auto plies = Positions::plies(table, mine_, theirs_);
    if (!plies) return engine::Proved::endless();
    return *plies % 2 == 1 ? engine::Proved::win(*plies) : engine::Proved::loss(*plies);
  }

  bool obvious(Move m) const { return engine::bits_in(theirs_ & ~m.theirs) >= 2; }
  int promise(Move m) const { return engine::bits_in(theirs_ & ~m.theirs); }

 private:
  static constexpr std::size_t kMost = 520;  // no position has more moves, counting every path
  static constexpr int kPiece = 12;
  static constexpr std::uint32_t kMostCounted = 31;
  // By the number of jumps that are moves: the first few are worth most.
  static constexpr std::array<int, kMostCounted + 1> kFreedom = [] {
    std::array<int, kMostCounted + 1> out{};
    out[0] = -80;
    int worth = 40;
    for (std::uint32_t n = 1; n <= kMostCounted; ++n, worth = worth * 4 / 5 + 1)
      out[n] = out[n - 1] + worth;
    return out;
  }();

  void look() {
    const Lines& all = lines();
    from_ = 0;
    my_jumps_ = their_jumps_ = 0;
    for (std::size_t d = 0; d < Lines::kDirections; ++d) {
      const Cells m = all.turned(d, mine_), t = all.turned(d, theirs_);
      for (std::size_t line = 0; line < Lines::kLines; ++line) {
        const Cells only = (1U << Lines::kLength[line]) - 1;
        const Lines::Jumps& j = all.jumps[d][line][((m >> Lines::kShift[line]) & only) |
                                                   ((t >> Lines::kShift[line]) & only) << 5];
        from_ |= j.from;
        my_jumps_ += j.mine;
        their_jumps_ += j.theirs;
      }
    }
  }

  bool any_move() const {
    bool any = false;
    each_move([&](Move) { any = true; });
    return any;
  }

  Cells mine_, theirs_;
  Cells from_ = 0;                                // the mover's pieces with a jump
  std::uint32_t my_jumps_ = 0, their_jumps_ = 0;  // jumps that are valid moves
  std::uint8_t mover_;
};

}  // namespace pbm::chaos
