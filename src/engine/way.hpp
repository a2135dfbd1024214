// SPDX-License-Identifier: MIT
// The state of a search on its path from the root: earlier positions, for repetitions, and the
// principal variations. Leaves searching to alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pbm::engine {

inline constexpr int kMaxPly = 128;

// The keys of the positions in the game and on the path from the root.
class Repetitions {
 public:
  void begin(std::span<const std::uint64_t> game) {
    game_.assign(game.begin(), game.end());
    std::ranges::sort(game_);
    for (const std::uint64_t key : game_) maybe_[key % maybe_.size()] = true;
  }
  void enter(std::uint64_t key, int ply) { way_[static_cast<std::size_t>(ply)] = key; }

  // Returns how often the position occurred in the game.
  std::ptrdiff_t times(std::uint64_t key) const {
    if (!maybe_[key % maybe_.size()]) return 0;
    const auto [from, to] = std::equal_range(game_.begin(), game_.end(), key);
    return to - from;
  }
  // True if it occurred in the game, or earlier on the path to `ply` with the same seat to move.
  bool stood(std::uint64_t key, int ply) const {
    for (int i = ply - 2; i >= 0; i -= 2)
      if (way_[static_cast<std::size_t>(i)] == key) return true;
    return times(key) > 0;
  }

 private:
  std::vector<std::uint64_t> game_;  // sorted
  std::array<bool, 1024> maybe_{};   // by key: false if the key is not in game_
  std::array<std::uint64_t, kMaxPly> way_{};
};

// The principal variation from each ply on: a triangular table.
template <class Move>
class Lines {
 public:
  std::span<const Move> from(int ply) const {
    const auto here = static_cast<std::size_t>(ply);
    return std::span(lines_[here]).first(lengths_[here]);
  }
  void clear(int ply) { lengths_[static_cast<std::size_t>(ply)] = 0; }
  // Sets the variation of `ply` to `move`, followed by the variation of the next ply.
  void set(int ply, Move move) {
    const auto here = static_cast<std::size_t>(ply);
    lines_[here][0] = move;
    lengths_[here] = 1;
    if (here + 1 == lines_.size()) return;
    const std::size_t more = std::min(lengths_[here + 1], kLongest - 1);
    std::copy_n(lines_[here + 1].begin(), more, lines_[here].begin() + 1);
    lengths_[here] += more;
  }

 private:
  static constexpr std::size_t kLongest = 32;
  std::array<std::array<Move, kLongest>, kMaxPly> lines_{};
  std::array<std::size_t, kMaxPly> lengths_{};
};

}  // namespace pbm::engine
