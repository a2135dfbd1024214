// SPDX-License-Identifier: MIT
// All positions of Chaos up to symmetry, each with the number of plies until its end. The method is
// retrograde analysis (Strohlein 1970), which counts for each position the moves that are not known
// to lose (Thompson 1986). Leaves keeping the bytes to the caller.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "games/chaos_cells.hpp"

namespace pbm::chaos {

class PositionTable {
 public:
  // Returns the size of the table in bytes.
  static std::size_t byte_count() { return table_layout().orbits.size() << kPieces; }

  // Returns the plies until a player can only pass, or nothing if neither ever must. If they are
  // odd, the player to move wins. Pre: `table` is of size(), and there are kPieces pieces.
  static std::optional<int> plies_to_end(std::span<const std::uint8_t> table, Cells mine,
                                         Cells theirs) {
    const std::uint8_t byte =
        table[table_layout().find_entry(mine, kAllCells & ~(mine | theirs)).index];
    return byte == 0 ? std::nullopt : std::optional(byte - 1);
  }

  // Computes the table; see EndgameTable::make.
  static std::vector<std::uint8_t> compute(const std::function<bool(int percent)>& go_on);

 private:
  static constexpr int kPieces = 14, kSymmetries = 12;

  using CellMap = std::array<std::uint8_t, kCellCount>;  // the image of each cell

  struct TableEntry {
    std::uint32_t index;
    int symmetry_count;  // the number of symmetries that map the position to itself
  };

  // The order of the table: by the empty cells, up to symmetry, then by the colours of the
  // occupied cells.
  struct TableLayout {
    struct Orbit {
      Cells empty_cells = 0;
      std::vector<std::uint8_t>
          own_symmetries;  // symmetries that keep these cells, except the identity
    };
    std::vector<Orbit> orbits;
    std::vector<std::uint32_t>
        orbit_codes;  // by empty cells: the orbit and the symmetry that leads to it
    static constexpr int kLowBits =
        10;  // bits of a set in the first table; the second has the others
    std::array<std::array<Cells, 1U << kLowBits>, kSymmetries> low_images{};
    std::array<std::array<Cells, 1U << (kCellCount - kLowBits)>, kSymmetries> high_images{};

    TableLayout();
    Cells apply_symmetry(std::size_t symmetry, Cells set) const {
      return low_images[symmetry][set & ((1U << kLowBits) - 1)] |
             high_images[symmetry][set >> kLowBits];
    }
    TableEntry find_entry(Cells mine, Cells empty) const {
      const std::uint32_t w = orbit_codes[empty];
      const Orbit& orbit = orbits[w / kSymmetries];
      const Cells set = apply_symmetry(w % kSymmetries, mine);
      std::uint32_t colours = close_gaps(set, orbit.empty_cells);
      TableEntry out{0, 1};
      for (const std::uint8_t symmetry : orbit.own_symmetries) {
        const std::uint32_t other = close_gaps(apply_symmetry(symmetry, set), orbit.empty_cells);
        if (other < colours) {
          colours = other;
          out.symmetry_count = 1;
        } else if (other == colours) {
          ++out.symmetry_count;
        }
      }
      out.index = (w / kSymmetries << kPieces) + colours;
      return out;
    }
  };
  static const TableLayout& table_layout() {
    static const TableLayout all;
    return all;
  }

  static CellMap symmetry_map(int symmetry);
  // Removes the bits of the empty cells and closes the gaps. open_gaps() inserts them as 0.
  static std::uint32_t close_gaps(Cells set, Cells empty) {
    for (; empty != 0; empty ^= cell_bit(last_cell(empty))) {
      const Cells below = cell_bit(last_cell(empty)) - 1;
      set = (set & below) | (set >> 1 & ~below);
    }
    return set;
  }
  static Cells open_gaps(std::uint32_t colours, Cells empty) {
    for (; empty != 0; empty &= empty - 1) {
      const Cells below = cell_bit(first_cell(empty)) - 1;
      colours = (colours & below) | (colours & ~below) << 1;
    }
    return colours;
  }
};

// Returns a rotation by `symmetry` sixths of a turn; the last six mirror the board first.
inline PositionTable::CellMap PositionTable::symmetry_map(int symmetry) {
  CellMap out{};
  for (std::size_t c = 0; c < kCellCount; ++c) {
    int row = kGeometry.row[c] - 2, number = kGeometry.number[c] - 3;
    if (symmetry >= kSymmetries / 2) std::swap(row, number);
    for (int i = 0; i < symmetry % (kSymmetries / 2); ++i) {
      const int before = row;
      row = number;
      number -= before;
    }
    out[c] = static_cast<std::uint8_t>(kGeometry.find_cell(row + 2, number + 3));
  }
  return out;
}

inline PositionTable::TableLayout::TableLayout() : orbit_codes(std::size_t{1} << kCellCount) {
  for (std::size_t s = 0; s < kSymmetries; ++s) {
    const CellMap to = symmetry_map(static_cast<int>(s));
    for (std::size_t c = 0; c < kCellCount; ++c) {
      for (Cells set = 0; set < (1U << kLowBits); ++set)
        if (c < kLowBits && (set >> c & 1U)) low_images[s][set] |= cell_bit(to[c]);
      for (Cells set = 0; set < (1U << (kCellCount - kLowBits)); ++set)
        if (c >= kLowBits && (set >> (c - kLowBits) & 1U)) high_images[s][set] |= cell_bit(to[c]);
    }
  }
  std::array<std::uint8_t, kSymmetries> back{};
  for (std::size_t s = 0; s < kSymmetries; ++s)
    for (std::size_t t = 0; t < kSymmetries; ++t)
      if (apply_symmetry(t, apply_symmetry(s, 1)) == 1 &&
          apply_symmetry(t, apply_symmetry(s, 2)) == 2)
        back[s] = static_cast<std::uint8_t>(t);
  std::vector<bool> seen(orbit_codes.size());
  for (Cells empty = 0; empty < orbit_codes.size(); ++empty) {
    if (std::popcount(empty) != kCellCount - kPieces || seen[empty]) continue;
    Orbit orbit;
    orbit.empty_cells = empty;
    for (std::size_t s = 0; s < kSymmetries; ++s) {
      const Cells image = apply_symmetry(s, empty);
      if (image == empty && s > 0) orbit.own_symmetries.push_back(static_cast<std::uint8_t>(s));
      if (seen[image]) continue;
      seen[image] = true;
      orbit_codes[image] = static_cast<std::uint32_t>(orbits.size() * kSymmetries) + back[s];
    }
    orbits.push_back(std::move(orbit));
  }
}

inline std::vector<std::uint8_t> PositionTable::compute(
    const std::function<bool(int percent)>& go_on) {
  constexpr std::size_t kOften = 1 << 12;       // positions between two calls of go_on()
  constexpr std::size_t kDecided = 13'990'000;  // positions that come to an end
  constexpr std::size_t kToBegin = 30;          // per cent of the progress after the first pass
  const TableLayout& all = table_layout();
  std::vector<std::uint8_t> out(byte_count());
  // The moves that are not known to lose, summed over all images of the position under symmetry.
  // Each predecessor found from a result stands for one move to every image of that result.
  std::vector<std::uint16_t> open(byte_count());
  std::vector<std::uint32_t> now, then;
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (i % kOften == 0 && !go_on(static_cast<int>(i * kToBegin / out.size()))) return {};
    const Cells empty = all.orbits[i >> kPieces].empty_cells;
    const Cells mine = open_gaps(i & ((1U << kPieces) - 1), empty),
                theirs = kAllCells & ~(mine | empty);
    const TableEntry found = all.find_entry(mine, empty);
    if (found.index != i) continue;
    const std::uint64_t moves = count_jump_moves(mine, theirs);
    open[i] = static_cast<std::uint16_t>(moves * kSymmetries /
                                         static_cast<unsigned>(found.symmetry_count));
    if (moves > 0) continue;
    out[i] = 1;
    now.push_back(i);
  }
  std::size_t done = 0;
  for (int plies = 1; !now.empty(); ++plies) {
    then.clear();
    for (const std::uint32_t i : now) {
      if (++done % kOften == 0 &&
          !go_on(static_cast<int>(kToBegin + done * (100 - kToBegin) / kDecided)))
        return {};
      const Cells empty = all.orbits[i >> kPieces].empty_cells;
      const Cells theirs = open_gaps(i & ((1U << kPieces) - 1), empty),
                  mine = kAllCells & ~(theirs | empty);
      const int less = kSymmetries / all.find_entry(theirs, empty).symmetry_count;
      JumpGraph links(mine, theirs);
      for (Cells rest = mine; rest != 0; rest &= rest - 1) {
        const Cell to = first_cell(rest);
        if (!links.pick_up(to)) continue;
        auto found = [&](Cell from, Cells flips) {
          const TableEntry before =
              all.find_entry((mine & ~cell_bit(to) & ~flips) | cell_bit(from),
                             (empty & ~cell_bit(from)) | (from == to ? 0 : cell_bit(to)));
          if (out[before.index] != 0) return;
          if (plies % 2 == 0) {
            open[before.index] = static_cast<std::uint16_t>(open[before.index] - less);
            if (open[before.index] > 0) return;
          }
          out[before.index] = static_cast<std::uint8_t>(plies + 1);
          then.push_back(before.index);
        };
        links.each_previous_move(found);
        links.put_down();
      }
    }
    std::swap(now, then);
  }
  return out;
}

}  // namespace pbm::chaos
