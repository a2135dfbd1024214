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
class Proved;
}

// The value of a position or move for one seat: an estimate, or a certain result. Only proofs
// (engine/proved.hpp), the end of a game and other certain results make a certain result.
class Verdict {
 public:
  enum class Kind : std::uint8_t {
    estimate,  // nothing is proved: see share()
    win,
    loss,
    tie,
    endless,  // no seat can force a win, and the game need not end
  };

  Verdict() = default;  // an estimate of 50 %
  // `share` is the chance of winning in per cent; a tie counts as half a win.
  static Verdict estimate(int share) { return {Kind::estimate, 0, share}; }
  // Returns the verdict on a ply that ends the game, seen by `seat`.
  static Verdict of_last_ply(std::optional<Seat> winner, Seat seat) {
    return !winner           ? Verdict{Kind::tie, 0, 50}
           : *winner == seat ? Verdict{Kind::win, 1, 100}
                             : Verdict{Kind::loss, 1, 0};
  }

  Kind kind() const { return kind_; }
  // Returns after how many plies a won or lost game ends with best play of both; 0 if unknown.
  int plies() const { return plies_; }
  int share() const { return share_; }
  bool proved() const { return kind_ != Kind::estimate; }

  // Returns the verdict seen by the opponent. Pre: two seats.
  Verdict turned() const;
  // Returns the verdict counted from one ply earlier.
  Verdict ply_before() const;
  // Returns the verdict without the number of plies.
  Verdict of_any_length() const { return {kind_, 0, share_}; }

  friend bool operator==(const Verdict&, const Verdict&) = default;

 private:
  friend class engine::Proved;
  Verdict(Kind kind, int plies, int share) : kind_(kind), plies_(plies), share_(share) {}

  Kind kind_ = Kind::estimate;
  int plies_ = 0;
  int share_ = 50;
};

// Returns "win in 9", "loss in 2", "win", "tie", "nobody wins" or "61 %".
std::string in_words(const Verdict& verdict);

// One reason for an estimate, in points for the seat to move: "men" 200.
struct Term {
  std::string name;
  int value = 0;
};

// A legal ply with its verdict and expected continuation.
struct Line {
  std::string ply;                     // canonical
  Verdict verdict;                     // for the seat that plays it
  std::vector<std::string> variation;  // the expected plies, `ply` first
  std::vector<int> shares;             // per cent for each seat; only for more than two seats
};

// Returns the value of `line`, which starts at `position`, for any `seat`.
Verdict worth(const Line& line, const Position& position, Seat seat);

// The result of a search.
struct Thought {
  std::vector<Line> lines;  // best first; at least one, unless the game is over
  int depth = 0;            // plies searched completely; for playouts the longest line in the tree
  std::uint64_t nodes = 0;  // positions visited
  std::vector<Term> terms;  // the static evaluation of the position, for the seat to move
};

// The limits of a search. 0 means no limit.
struct Limits {
  std::uint64_t nodes = 0;
  std::chrono::milliseconds time{0};
  int depth = 0;
  bool by_processor = false;  // `time` is processor time of this thread, not wall-clock time
};

inline constexpr int kTopLevel = 10;
inline constexpr int kTopRung = 90;

// A question about a position: how strong, how long and with what knowledge to search.
struct Question {
  int level = kTopLevel;      // 1 to kTopLevel; sets everything that `limits` leaves open
  std::optional<int> rung{};  // 0 to kTopRung, instead of a level; levels are made of rungs
  Limits limits{};
  std::uint64_t seed = 0;           // equal seed, position and level give the same ply, unless
                                    // the time ran out
  std::size_t lines = 1;            // how many moves need a verdict of their own
  std::vector<Position> history{};  // earlier positions of the game, in any order
  std::span<const std::uint8_t> table{};  // the bytes of EndTable::make; may be empty
  ZeroedBytes* memory = nullptr;  // the caller's, empty at first: keeps the transposition table
                                  // for the next search at kTopLevel with a time limit
  std::function<void(const Thought&)> progress{};  // receives the result so far, now and then
  std::stop_token stop{};                          // on request the search returns at once
};

// Counts nodes and stops a search at its limits. Only this class here reads a clock.
class Brake {
 public:
  Brake(const Limits& limits, std::stop_token stop);

  // Counts one node. Returns true if the search must stop; stays true until allow().
  bool tick() { return ++nodes_ >= check_at_ && check(); }
  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const { return nodes_; }
  // Limits the total work to `percent` of the limits, 100 for all of it. Returns false if that is
  // spent already. Time and stop requests take effect only after `fewest` more nodes.
  bool allow(int percent, std::uint64_t fewest = 0);

 private:
  bool check();
  Moment now() const;

  static constexpr std::uint64_t kEvery = 512;  // nodes between two looks at the clock
  Limits limits_;
  std::stop_token stop_;
  Moment started_;
  std::uint64_t nodes_ = 0, check_at_ = kEvery, most_ = UINT64_MAX, fewest_ = 0;
  Moment until_ = Moment::max();
  bool stopped_ = false;
};

}  // namespace pbm
