// SPDX-License-Identifier: MIT
// What can be asked of the computer about a position, and what it answers.
// Values only. Leaves how it is found out to engine/, which fills in
// GameType::think, and what is done with it to whoever asks.
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

// What a position is worth to the seat to move.
struct Verdict {
  enum class Kind : std::uint8_t {
    estimate,  // nothing is proved: see `share`
    win,       // proved, as are the next three
    loss,
    tie,
    endless,  // nobody can bring the game to an end that is good for them
  };
  Kind kind = Kind::estimate;
  int plies = 0;   // of a win or a loss: the game ends after so many, with best play of both; 0
                   // where that is not known
  int share = 50;  // of 100: the chance of winning, half of a tie's counted
  bool proved() const { return kind != Kind::estimate; }
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

// "win in 9", "loss in 2", "win", "tie", "nobody wins", "61 %".
std::string in_words(const Verdict& verdict);

// A reason for an estimate, in points for the seat to move: "men" 200.
struct Term {
  std::string name;
  int value = 0;
};

// A legal ply and what comes of it.
struct Line {
  std::string ply;                     // canonical
  Verdict verdict;                     // for the seat that plays it
  std::vector<std::string> variation;  // plies as they are expected, `ply` first
  std::vector<int> shares;             // of 100, for each seat: only where more than two play
};

struct Thought {
  std::vector<Line> lines;  // best first; at least one, unless the game is over
  int depth = 0;            // plies looked ahead everywhere; of playouts the longest line
  std::uint64_t nodes = 0;  // positions looked at
  std::vector<Term> terms;  // what the position has for and against the seat to move, at a glance
};

// How much may be spent. What is 0 sets no limit.
struct Limits {
  std::uint64_t nodes = 0;
  std::chrono::milliseconds time{0};
  int depth = 0;
  bool by_processor = false;  // time is what the thread has had of a processor, not the clock's
};

inline constexpr int kTopLevel = 10;
inline constexpr int kTopRung = 80;

struct Question {
  int level = kTopLevel;      // 1 to kTopLevel; says what is not limited otherwise
  std::optional<int> rung{};  // in place of a level: 0 to kTopRung, of which levels are made
  Limits limits{};
  std::uint64_t seed = 0;  // of the game: the same board, level and seed give the same ply,
                           // unless time was the limit
  std::size_t lines = 1;   // how many are wanted with a verdict of their own
  std::vector<Position> history{};        // positions of the game that came before, in any order
  std::span<const std::uint8_t> table{};  // what EndTable::make made; may be missing
  ZeroedBytes* memory =
      nullptr;  // of whoever asks: what it found with kTopLevel it leaves there for
                // the next time, where time is the limit; empty at first
  std::function<void(const Thought&)> progress{};  // told what is known so far, now and then
  std::stop_token stop{};                          // asked for: gives the best so far at once
};

// Counts work and says when it is enough. The only thing here that looks at a clock.
class Brake {
 public:
  Brake(const Limits& limits, std::stop_token stop);

  // One position more was looked at. True from the moment on when it is time to stop.
  bool tick() { return ++nodes_ >= check_at_ && check(); }
  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const { return nodes_; }
  // From now on only `percent` of all that is allowed may be spent; 100 for all of it.
  // False when that is spent already.
  bool allow(int percent);

 private:
  bool check();
  Moment now() const;

  static constexpr std::uint64_t kEvery = 512;  // nodes between looks at the clock
  Limits limits_;
  std::stop_token stop_;
  Moment started_;
  std::uint64_t nodes_ = 0, check_at_ = kEvery, most_ = UINT64_MAX;
  Moment until_ = Moment::max();
  bool stopped_ = false;
};

}  // namespace pbm
