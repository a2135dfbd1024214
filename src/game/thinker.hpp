// SPDX-License-Identifier: MIT
// A question to the computer about a position, and its answer: values only. Leaves the search to
// engine/, which fills in GameType::think, and the use of the answer to the callers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "base/clock.hpp"
#include "base/zeroed_memory.hpp"
#include "game/position.hpp"

namespace pbm {

namespace engine {
class ProvedVerdict;
}

// The value of a position or move for one seat: an estimate, or a certain result. Only proofs
// (engine/proved_verdict.hpp), the end of a game and other certain results make a certain result.
class Verdict {
 public:
  enum class Kind : std::uint8_t {
    estimate,  // nothing is proved: see win_percent()
    win,
    loss,
    tie,
    endless,  // no seat can force a win, and the game need not end
  };

  Verdict() = default;  // an estimate of 50 %
  // `share` is the chance of winning in per cent; a tie counts as half a win.
  static Verdict estimate(int share) { return {Kind::estimate, 0, share}; }
  // Returns the verdict on a ply that ends the game, seen by `seat`.
  static Verdict for_last_ply(std::optional<Seat> winner, Seat seat) {
    return !winner           ? Verdict{Kind::tie, 0, 50}
           : *winner == seat ? Verdict{Kind::win, 1, 100}
                             : Verdict{Kind::loss, 1, 0};
  }

  Kind kind() const { return kind_; }
  // Returns after how many plies a won or lost game ends with best play of both; 0 if unknown.
  int plies() const { return plies_; }
  int win_percent() const { return win_percent_; }
  bool is_proved() const { return kind_ != Kind::estimate; }

  // Returns the verdict seen by the opponent. Pre: two seats.
  Verdict opponent_verdict() const;
  // Returns the verdict counted from one ply earlier.
  Verdict earlier_verdict() const;
  // Returns the verdict without the number of plies.
  Verdict without_length() const { return {kind_, 0, win_percent_}; }

  friend bool operator==(const Verdict&, const Verdict&) = default;

 private:
  friend class engine::ProvedVerdict;
  Verdict(Kind kind, int plies, int share) : kind_(kind), plies_(plies), win_percent_(share) {}

  Kind kind_ = Kind::estimate;
  int plies_ = 0;
  int win_percent_ = 50;
};

// Returns "win in 9", "loss in 2", "win", "tie", "nobody wins" or "61 %".
std::string verdict_text(const Verdict& verdict);

// One reason for an estimate, in points for the seat to move: "men" 200.
struct EvaluationTerm {
  std::string name;
  int points = 0;
};

// A legal ply with its verdict and expected continuation.
struct AnalysisLine {
  std::string ply;                     // canonical
  Verdict verdict;                     // for the seat that plays it
  std::vector<std::string> variation;  // the expected plies, `ply` first
  std::vector<int> seat_percents;      // per cent for each seat; only for more than two seats
};

// Returns the value of `line`, which starts at `position`, for any `seat`.
Verdict verdict_for(const AnalysisLine& line, const Position& position, Seat seat);

// The result of a search.
struct SearchResult {
  std::vector<AnalysisLine> lines;  // best first; at least one, unless the game is over
  int depth = 0;            // plies searched completely; for playouts the longest line in the tree
  std::uint64_t nodes = 0;  // positions visited
  std::vector<EvaluationTerm> terms;  // the static evaluation of the position, for the seat to move
};

// The limits of a search. 0 means no limit.
struct SearchLimits {
  std::uint64_t nodes = 0;
  std::chrono::milliseconds time{0};
  int depth = 0;
  bool is_processor_time = false;   // `time` is processor time of this thread, not wall-clock time
  std::uint64_t solving_nodes = 0;  // nodes beyond the others to solve a short game; 0: none
};

inline constexpr int kMaxLevel = 10;
inline constexpr int kMaxRung = 90;

// A question about a position: how strong, how long and with what knowledge to search.
struct SearchRequest {
  int level = kMaxLevel;      // 1 to kMaxLevel; sets everything that `limits` leaves open
  std::optional<int> rung{};  // 0 to kMaxRung, instead of a level; levels are made of rungs
  SearchLimits limits{};
  std::uint64_t seed = 0;           // equal seed, position and level give the same ply, unless
                                    // the time ran out
  std::size_t line_count = 1;       // how many moves need a verdict of their own
  std::vector<Position> history{};  // earlier positions of the game, in any order
  std::span<const std::uint8_t> endgame_table{};  // the bytes of EndgameTable::make; may be empty
  ZeroedBytes* table_memory =
      nullptr;  // the caller's, empty at first: keeps the transposition table
                // for the next search at kMaxLevel with a time limit
  std::function<void(const SearchResult&)>
      on_progress{};             // receives the result so far, now and then
  std::stop_token stop_token{};  // on request the search returns at once
};

// Counts nodes and stops a search at its limits. Only this class here reads a clock.
class SearchBudget {
 public:
  SearchBudget(const SearchLimits& limits, std::stop_token stop);

  // Counts one node. Returns true if the search must stop; stays true until allow_percent().
  bool count_node() { return ++node_count_ >= next_check_ && check_limits(); }
  bool is_stopped() const { return is_stopped_; }
  std::uint64_t nodes() const { return node_count_; }
  // Limits the total work to `percent` of the limits, 100 for all of it. Returns false if that is
  // spent already. Time and stop requests take effect only after `fewest` more nodes.
  bool allow_percent(int percent, std::uint64_t fewest = 0);
  // Allows `count` more nodes. Until the next allow_percent(), nodes do not count for the limits.
  void allow_uncounted(std::uint64_t count);

 private:
  bool check_limits();
  SteadyTime now() const;

  static constexpr std::uint64_t kCheckInterval = 512;  // nodes between two looks at the clock
  SearchLimits limits_;
  std::stop_token stop_token_;
  SteadyTime start_;
  std::uint64_t node_count_ = 0, next_check_ = kCheckInterval, max_nodes_ = UINT64_MAX,
                min_nodes_ = 0, uncounted_nodes_ = 0;
  std::optional<std::uint64_t> uncounted_from_{};  // set: nodes from there on do not count
  SteadyTime deadline_ = SteadyTime::max();
  bool is_stopped_ = false;
};

}  // namespace pbm
