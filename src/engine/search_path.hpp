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
  void set_history(std::span<const std::uint64_t> game) {
    history_.assign(game.begin(), game.end());
    std::ranges::sort(history_);
    for (const std::uint64_t key : history_)
      key_filter_[static_cast<std::size_t>(key) % key_filter_.size()] = true;
  }
  void set_path_key(std::uint64_t key, int ply) { path_[static_cast<std::size_t>(ply)] = key; }

  // Returns how often the position occurred in the game.
  std::ptrdiff_t count_in_history(std::uint64_t key) const {
    if (!key_filter_[static_cast<std::size_t>(key) % key_filter_.size()]) return 0;
    const auto [from, to] = std::equal_range(history_.begin(), history_.end(), key);
    return to - from;
  }
  // True if it occurred in the game, or earlier on the path to `ply` with the same seat to move.
  bool has_occurred(std::uint64_t key, int ply) const {
    for (int i = ply - 2; i >= 0; i -= 2)
      if (path_[static_cast<std::size_t>(i)] == key) return true;
    return count_in_history(key) > 0;
  }

 private:
  std::vector<std::uint64_t> history_;   // sorted
  std::array<bool, 1024> key_filter_{};  // by key: false if the key is not in history_
  std::array<std::uint64_t, kMaxPly> path_{};
};

// The principal variation from each ply on: a triangular table.
template <class Move>
class VariationTable {
 public:
  std::span<const Move> variation(int ply) const {
    const auto here = static_cast<std::size_t>(ply);
    return std::span(variations_[here]).first(lengths_[here]);
  }
  void clear(int ply) { lengths_[static_cast<std::size_t>(ply)] = 0; }
  // Sets the variation of `ply` to `move`, followed by the variation of the next ply.
  void set(int ply, Move move) {
    const auto here = static_cast<std::size_t>(ply);
    variations_[here][0] = move;
    lengths_[here] = 1;
    if (here + 1 == variations_.size()) return;
    const std::size_t more = std::min(lengths_[here + 1], kMaxLength - 1);
    std::copy_n(variations_[here + 1].begin(), more, variations_[here].begin() + 1);
    lengths_[here] += more;
  }

 private:
  static constexpr std::size_t kMaxLength = 32;
  std::array<std::array<Move, kMaxLength>, kMaxPly> variations_{};
  std::array<std::size_t, kMaxPly> lengths_{};
};

}  // namespace pbm::engine
