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

namespace engine {
class Proved;
}

// What a position is worth to the seat to move: an estimate, or a result that is certain. The
// latter is made by what proves it (engine/proved.hpp) or by the end of a game, and follows from
// another that is certain; no estimate becomes one.
class Verdict {
 public:
  enum class Kind : std::uint8_t {
    estimate,  // nothing is proved: see share()
    win,
    loss,
    tie,
    endless,  // nobody can bring the game to an end that is good for them
  };

  Verdict() = default;  // estimated to be even
  // Of 100: the chance of winning, half of a tie's counted.
  static Verdict estimate(int share) { return {Kind::estimate, 0, share}; }
  // Of a ply by which the game ends, for a seat, which may be any.
  static Verdict of_last_ply(std::optional<Seat> winner, Seat seat) {
    return !winner           ? Verdict{Kind::tie, 0, 50}
           : *winner == seat ? Verdict{Kind::win, 1, 100}
                             : Verdict{Kind::loss, 1, 0};
  }

  Kind kind() const { return kind_; }
  // Of a win or a loss: the game ends after so many, with best play of both; 0 where that is not
  // known.
  int plies() const { return plies_; }
  int share() const { return share_; }
  bool proved() const { return kind_ != Kind::estimate; }

  // The same for the other seat of two.
  Verdict turned() const;
  // The same counted from one ply earlier.
  Verdict ply_before() const;
  // The same without saying after how many plies.
  Verdict of_any_length() const { return {kind_, 0, share_}; }

  friend bool operator==(const Verdict&, const Verdict&) = default;

 private:
  friend class engine::Proved;
  Verdict(Kind kind, int plies, int share) : kind_(kind), plies_(plies), share_(share) {}

  Kind kind_ = Kind::estimate;
  int plies_ = 0;
  int share_ = 50;
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

// What a line from that position comes to for `seat`, whoever is to move there.
Verdict worth(const Line& line, const Position& position, Seat seat);

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
inline constexpr int kTopRung = 90;

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
  // From now on only `percent` of all that is allowed may be spent; 100 for all of it. False when
  // that is spent already. Neither time nor a stop ends it before `fewest` nodes more.
  bool allow(int percent, std::uint64_t fewest = 0);

 private:
  bool check();
  Moment now() const;

  static constexpr std::uint64_t kEvery = 512;  // nodes between looks at the clock
  Limits limits_;
  std::stop_token stop_;
  Moment started_;
  std::uint64_t nodes_ = 0, check_at_ = kEvery, most_ = UINT64_MAX, fewest_ = 0;
  Moment until_ = Moment::max();
  bool stopped_ = false;
};

}  // namespace pbm
