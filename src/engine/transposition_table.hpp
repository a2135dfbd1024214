// SPDX-License-Identifier: MIT
// The scale of scores, and the transposition table (Greenblatt 1967). Leaves searching to
// alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/zeroed_memory.hpp"

namespace pbm::engine {

// Scores are points for the seat to move. A proved win scores kWinScore minus the plies until then.
inline constexpr int kWinScore = 30000;
inline constexpr int kProvedScore = kWinScore - 2000;  // scores from here up are proved wins
inline constexpr int kMaxPoints = 20000;               // maximum of an evaluation

class TranspositionTable {
 public:
  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Entry {        // all zero: empty
    std::uint64_t key;  // of the board and its rules
    std::int16_t score;
    std::int8_t depth;
    Bound bound;
    std::uint16_t move_index;  // the position in each_move()

    bool has_key(std::uint64_t wanted) const { return key == wanted && bound != kNone; }
    // Proved scores count plies from this node, not from the root.
    int score_at(int ply) const {
      return score >= kProvedScore ? score - ply : score <= -kProvedScore ? score + ply : score;
    }
    // True if the entry replaces a search. With an open window an exact score does so only if it is
    // proved: the principal variation needs the moves that follow.
    bool causes_cutoff(int wanted, int ply, int alpha, int beta) const {
      if (depth < wanted) return false;
      const int here = score_at(ply);
      if (bound == kExact) return beta - alpha == 1 || std::abs(here) >= kProvedScore;
      return bound == kAtLeast ? here >= beta : here <= alpha;
    }
    // Replaces this entry, unless it is a deeper result for the same position. A proved win always
    // replaces it.
    void store(const Entry& found, int ply) {
      if (key == found.key && found.depth < depth && found.score < kProvedScore) return;
      *this = found;
      if (found.score >= kProvedScore) score = static_cast<std::int16_t>(found.score + ply);
      if (found.score <= -kProvedScore) score = static_cast<std::int16_t>(found.score - ply);
    }
  };

  TranspositionTable() = default;
  // `entries`: a power of two, and the number of entries in `kept` if that is not empty.
  TranspositionTable(std::size_t entries, ZeroedBytes* kept)
      : entry_count_(std::max<std::size_t>(entries, 1024)) {
    ZeroedBytes& bytes = kept ? *kept : own_bytes_;
    if (bytes.get() == nullptr) bytes = ZeroedBytes(entry_count_ * sizeof(Entry));
    entries_ = static_cast<Entry*>(bytes.get());
  }

  // Pre: `key` is well spread over all its bits.
  Entry& entry_for(std::uint64_t key) const { return entries_[key & (entry_count_ - 1)]; }
  // Loads the entry into the processor's cache for later use.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&entry_for(key)); }

 private:
  ZeroedBytes own_bytes_;
  Entry* entries_ = nullptr;
  std::size_t entry_count_ = 0;
};

}  // namespace pbm::engine
