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

class Positions {
 public:
  // Returns the size of the table in bytes.
  static std::size_t size() { return layout().orbits.size() << kPieces; }

  // Returns the plies until a player can only pass, or nothing if neither ever must. If they are
  // odd, the player to move wins. Pre: `table` is of size(), and there are kPieces pieces.
  static std::optional<int> plies(std::span<const std::uint8_t> table, Cells mine, Cells theirs) {
    const std::uint8_t byte = table[layout().find(mine, kBoard & ~(mine | theirs)).index];
    return byte == 0 ? std::nullopt : std::optional(byte - 1);
  }

  // Computes the table; see EndTable::make.
  static std::vector<std::uint8_t> make(const std::function<bool(int percent)>& go_on);

 private:
  static constexpr int kPieces = 14, kSymmetries = 12;

  using Turn = std::array<std::uint8_t, kCells>;  // the image of each cell

  struct Found {
    std::uint32_t index;
    int alike;  // the number of symmetries that map the position to itself
  };

  // The order of the table: by the empty cells, up to symmetry, then by the colours of the others.
  struct Layout {
    struct Orbit {
      Cells empty = 0;
      std::vector<std::uint8_t> keeping;  // symmetries that keep these cells, except the identity
    };
    std::vector<Orbit> orbits;
    std::vector<std::uint32_t> way;  // by empty cells: the orbit and the symmetry that leads to it
    static constexpr int kLow = 10;  // bits of a set in the first table; the second has the others
    std::array<std::array<Cells, 1U << kLow>, kSymmetries> low{};
    std::array<std::array<Cells, 1U << (kCells - kLow)>, kSymmetries> high{};

    Layout();
    Cells turned(std::size_t symmetry, Cells set) const {
      return low[symmetry][set & ((1U << kLow) - 1)] | high[symmetry][set >> kLow];
    }
    Found find(Cells mine, Cells empty) const {
      const std::uint32_t w = way[empty];
      const Orbit& orbit = orbits[w / kSymmetries];
      const Cells set = turned(w % kSymmetries, mine);
      std::uint32_t colours = closed_up(set, orbit.empty);
      Found out{0, 1};
      for (const std::uint8_t symmetry : orbit.keeping) {
        const std::uint32_t other = closed_up(turned(symmetry, set), orbit.empty);
        if (other < colours) {
          colours = other;
          out.alike = 1;
        } else if (other == colours) {
          ++out.alike;
        }
      }
      out.index = (w / kSymmetries << kPieces) + colours;
      return out;
    }
  };
  static const Layout& layout() {
    static const Layout all;
    return all;
  }

  static Turn turn(int symmetry);
  // Removes the bits of the empty cells and closes the gaps. spread_out() inserts them as 0.
  static std::uint32_t closed_up(Cells set, Cells empty) {
    for (; empty != 0; empty ^= bit(last_of(empty))) {
      const Cells below = bit(last_of(empty)) - 1;
      set = (set & below) | (set >> 1 & ~below);
    }
    return set;
  }
  static Cells spread_out(std::uint32_t colours, Cells empty) {
    for (; empty != 0; empty &= empty - 1) {
      const Cells below = bit(first_of(empty)) - 1;
      colours = (colours & below) | (colours & ~below) << 1;
    }
    return colours;
  }
};

// Returns a rotation by `symmetry` sixths of a turn; the last six mirror the board first.
inline Positions::Turn Positions::turn(int symmetry) {
  Turn out{};
  for (std::size_t c = 0; c < kCells; ++c) {
    int row = kMap.row[c] - 2, number = kMap.number[c] - 3;
    if (symmetry >= kSymmetries / 2) std::swap(row, number);
    for (int i = 0; i < symmetry % (kSymmetries / 2); ++i) {
      const int before = row;
      row = number;
      number -= before;
    }
    out[c] = static_cast<std::uint8_t>(kMap.at(row + 2, number + 3));
  }
  return out;
}

inline Positions::Layout::Layout() : way(std::size_t{1} << kCells) {
  for (std::size_t s = 0; s < kSymmetries; ++s) {
    const Turn to = turn(static_cast<int>(s));
    for (std::size_t c = 0; c < kCells; ++c) {
      for (Cells set = 0; set < (1U << kLow); ++set)
        if (c < kLow && (set >> c & 1U)) low[s][set] |= bit(to[c]);
      for (Cells set = 0; set < (1U << (kCells - kLow)); ++set)
        if (c >= kLow && (set >> (c - kLow) & 1U)) high[s][set] |= bit(to[c]);
    }
  }
  std::array<std::uint8_t, kSymmetries> back{};
  for (std::size_t s = 0; s < kSymmetries; ++s)
    for (std::size_t t = 0; t < kSymmetries; ++t)
      if (turned(t, turned(s, 1)) == 1 && turned(t, turned(s, 2)) == 2)
        back[s] = static_cast<std::uint8_t>(t);
  std::vector<bool> seen(way.size());
  for (Cells empty = 0; empty < way.size(); ++empty) {
    if (std::popcount(empty) != kCells - kPieces || seen[empty]) continue;
    Orbit orbit;
    orbit.empty = empty;
    for (std::size_t s = 0; s < kSymmetries; ++s) {
      const Cells image = turned(s, empty);
      if (image == empty && s > 0) orbit.keeping.push_back(static_cast<std::uint8_t>(s));
      if (seen[image]) continue;
      seen[image] = true;
      way[image] = static_cast<std::uint32_t>(orbits.size() * kSymmetries) + back[s];
    }
    orbits.push_back(std::move(orbit));
  }
}

inline std::vector<std::uint8_t> Positions::make(const std::function<bool(int percent)>& go_on) {
  constexpr std::size_t kOften = 1 << 12;       // positions between two calls of go_on()
  constexpr std::size_t kDecided = 13'990'000;  // positions that come to an end
  constexpr std::size_t kToBegin = 30;          // per cent of the progress after the first pass
  const Layout& all = layout();
  std::vector<std::uint8_t> out(size());
  // The moves that are not known to lose, summed over all images of the position under symmetry.
  // Each predecessor found from a result stands for one move to every image of that result.
  std::vector<std::uint16_t> open(size());
  std::vector<std::uint32_t> now, then;
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (i % kOften == 0 && !go_on(static_cast<int>(i * kToBegin / out.size()))) return {};
    const Cells empty = all.orbits[i >> kPieces].empty;
    const Cells mine = spread_out(i & ((1U << kPieces) - 1), empty),
                theirs = kBoard & ~(mine | empty);
    const Found found = all.find(mine, empty);
    if (found.index != i) continue;
    const std::uint64_t moves = count_jumps(mine, theirs);
    open[i] = static_cast<std::uint16_t>(moves * kSymmetries / static_cast<unsigned>(found.alike));
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
      const Cells empty = all.orbits[i >> kPieces].empty;
      const Cells theirs = spread_out(i & ((1U << kPieces) - 1), empty),
                  mine = kBoard & ~(theirs | empty);
      const int less = kSymmetries / all.find(theirs, empty).alike;
      Links links(mine, theirs);
      for (Cells rest = mine; rest != 0; rest &= rest - 1) {
        const Cell to = first_of(rest);
        if (!links.lift(to)) continue;
        auto found = [&](Cell from, Cells flips) {
          const Found before = all.find((mine & ~bit(to) & ~flips) | bit(from),
                                        (empty & ~bit(from)) | (from == to ? 0 : bit(to)));
          if (out[before.index] != 0) return;
          if (plies % 2 == 0) {
            open[before.index] = static_cast<std::uint16_t>(open[before.index] - less);
            if (open[before.index] > 0) return;
          }
          out[before.index] = static_cast<std::uint8_t>(plies + 1);
          then.push_back(before.index);
        };
        links.each_back(found);
        links.put_down();
      }
    }
    std::swap(now, then);
  }
  return out;
}

}  // namespace pbm::chaos
