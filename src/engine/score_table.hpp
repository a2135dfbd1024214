// SPDX-License-Identifier: MIT
// What scores are, and a table of those that a search has found (transposition table, Greenblatt
// 1967). Leaves searching to alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/zeroed_memory.hpp"

namespace pbm::engine {

// Scores are points for the seat to move. What is proved is counted from the
// top: kWin less the plies until then.
inline constexpr int kWin = 30000;
inline constexpr int kProved = kWin - 2000;  // from here on a win is proved
inline constexpr int kMostPoints = 20000;    // of an estimate

class ScoreTable {
 public:
  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Entry {        // all zero: nothing is known
    std::uint64_t key;  // of the board and its rules
    std::int16_t score;
    std::int8_t depth;
    Bound bound;
    std::uint16_t move;  // which of each_move()'s

    bool holds(std::uint64_t wanted) const { return key == wanted && bound != kNone; }
    // Proved scores are kept as they count from here, not from the root.
    int score_at(int ply) const {
      return score >= kProved ? score - ply : score <= -kProved ? score + ply : score;
    }
    // Whether it is as good as a search, and not on the main line, where the rest of the line is
    // wanted as well.
    bool settles(int wanted, int ply, int alpha, int beta) const {
      if (depth < wanted) return false;
      const int here = score_at(ply);
      if (bound == kExact) return beta - alpha == 1 || std::abs(here) >= kProved;
      return bound == kAtLeast ? here >= beta : here <= alpha;
    }
    // Unless what is there was found by looking deeper.
    void keep(const Entry& found, int ply) {
      if (key == found.key && found.depth < depth && found.score < kProved) return;
      *this = found;
      if (found.score >= kProved) score = static_cast<std::int16_t>(found.score + ply);
      if (found.score <= -kProved) score = static_cast<std::int16_t>(found.score - ply);
    }
  };

  ScoreTable() = default;
  // `entries`: a power of two, so many as there are already in `kept`, if it is not empty.
  ScoreTable(std::size_t entries, ZeroedBytes* kept) : size_(std::max<std::size_t>(entries, 1024)) {
    ZeroedBytes& bytes = kept ? *kept : own_;
    if (bytes.get() == nullptr) bytes = ZeroedBytes(size_ * sizeof(Entry));
    entries_ = static_cast<Entry*>(bytes.get());
  }

  // `key` spreads over all its bits.
  Entry& at(std::uint64_t key) const { return entries_[key & (size_ - 1)]; }
  // It will be wanted soon.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&at(key)); }

 private:
  ZeroedBytes own_;
  Entry* entries_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pbm::engine
