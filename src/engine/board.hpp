// SPDX-License-Identifier: MIT
// The interface between a game and the searches: a board is the State itself, or a faster form of
// it (games/GAME_knowledge.hpp). Leaves searching to alpha_beta.hpp, proof.hpp and uct.hpp, and the
// choice of search to think.hpp.
#pragma once

#include <span>
#include <string_view>

#include "game/game.hpp"

namespace pbm::engine {

inline constexpr Seat kNobody = -1;

// The functions that a board must have. Copies are cheap.
//
//   using Move = ...;            trivially copyable, ==
//   int seats() const;
//   Seat to_move() const;
//   bool over() const;           cheap; may be false if the seat to move has no move
//   Seat winner() const;         kNobody for a tie; pre: over(), or each_move() finds no move
//   void each_move(F f) const;   same order for equal boards; of moves with equal results it may
//                                give only one
//   void play(Move);
//
// The functions and constants that a board may have:
//
//   static constexpr bool kForTwo;          true: never more than two seats
//   std::uint64_t hash() const;             equal for equal boards
//   std::uint64_t rules() const;            differs for other rules with equal hash()
//   static constexpr bool kRepeats;         false: no position can occur twice
//   void terms(F f) const;                  calls f(name, points) for the seat to move, for each
//                                           term of the evaluation, beginners' knowledge first
//   int scale() const;                      points that raise the odds to 3 to 1, measured in games
//                                           of the computer against itself
//   static constexpr int kNoise;            the maximum error in points at a noise of 100 %
//   bool plays(Seat) const;                 false: the seat left a game of more than two
//   std::optional<Move> win_in_one() const; a move that wins at once for the seat to move
//   int each_sound_move(F f) const;         each_move() without moves that lose at once; if no move
//                                           remains, returns in how many plies the game is lost;
//                                           pre: there is no win in one
//   bool noisy() const;                     true: the position is too unquiet to evaluate
//   static constexpr bool kMustTake;        true: positions are noisy only during forced captures,
//                                           which are short, and each capture is obvious
//   bool obvious(Move) const;               true: beginners see it, such as a capture, or a move
//                                           next to the last one
//   int promise(Move) const;                move ordering: higher is tried earlier; 0 for most
//   static constexpr int kSlots;            number of slots, which group similar
//   int slot(Move) const;                       moves for the history heuristic
//   int plies_left() const;                 upper bound on the rest of the game
//   bool blind() const;                     true: too deep for some moves to be known; no proofs
//   Move playout_move(Dice&) const;         a random move for playouts, if each_move() is slow or
//                                           uniform moves are too weak; pre: not over()
//   static constexpr bool kReduces;         true: allows late move reductions
//   std::optional<Verdict> known(table) const;  from the bytes of EndTable::make(); if a position
//                                               is known, so are all that follow it
//   bool forces() const;                    true: long forced lines matter, and proof search finds
//                                           wins; false: no extension for a single move
//   static constexpr int kPlaces;           number of places in which play can be, and the
//   int place() const;                          present one: evaluations fade if play stays there
//   const Rungs& rungs() const;             the rung of each level (levels.hpp)
//   const Skill& lowest() const;            the skill of rung 0, instead of kLadder[0]
//   static constexpr int kWinsSeen;         per cent of wins in one that the weakest level sees
//
// The functions that a State may have if its board is another type:
//
//   auto with_board(F f) const;             calls f(board) with the board type that fits best, or
//                                           f(*this) if none does
//   Move meant(board, board's move) const;  the State's move for a board's move
//   optional solved(board) const;           from a book of solved openings: a best `move` of the
//                                           board and its `verdict`
template <class B>
concept Board = std::copyable<B> && requires(const B b, B& m, typename B::Move move) {
  { b.seats() } -> std::same_as<int>;
  { b.to_move() } -> std::same_as<Seat>;
  { b.over() } -> std::same_as<bool>;
  { b.winner() } -> std::same_as<Seat>;
  b.each_move([](typename B::Move) {});
  m.play(move);
};

// A board for a State that has no board of its own.
template <GameState S>
struct Plain : S {
  explicit Plain(const S& state) : S(state) {}
  Seat winner() const { return S::outcome()->winner.value_or(kNobody); }
};

template <class B> concept Hashed = requires(const B b) { b.hash(); };
template <class B>
concept Estimated = requires(const B b) { b.terms([](std::string_view, int) {}); };
template <class B>
concept Tabled = requires(const B b) { b.known(std::span<const std::uint8_t>()); };
template <class B>
constexpr bool kCanRepeat = [] {
  if constexpr (requires { B::kRepeats; }) return B::kRepeats;
  else return true;
}();
template <class B>
constexpr bool kIsForTwo = [] {
  if constexpr (requires { B::kForTwo; }) return B::kForTwo;
  else return false;
}();
template <class B>
constexpr int kNoiseOf = [] {
  if constexpr (requires { B::kNoise; }) return B::kNoise;
  else return 100;
}();

template <class B>
bool is_blind(const B& board) {
  if constexpr (requires { board.blind(); }) return board.blind();
  else return false;
}

template <class S, class F>
auto with_board(const S& state, F f) {
  const auto wrapped = [&](const auto& board) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(board)>, S>) return f(Plain<S>(board));
    else return f(board);
  };
  if constexpr (requires { state.with_board(wrapped); }) return state.with_board(wrapped);
  else return f(Plain<S>(state));
}

template <class S, class B>
typename S::Move meant(const S& state, const B& board, typename B::Move move) {
  if constexpr (std::same_as<B, Plain<S>>) return move;
  else return state.meant(board, move);
}

// Counts set bits without the processor's instruction, which portable builds may not use (Warren
// 2012, "Hacker's Delight").
constexpr int bits_in(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>((x * 0x0101010101010101U) >> 56);
}

// Returns a hash of a number (Stafford 2011, the finalizer of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// A small and fast generator of random numbers (Steele, Lea and Flood 2014: SplitMix).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() { return mixed(state_ += 0x9E3779B97F4A7C15U); }
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((((*this)() >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

// The handicaps of a level: missing knowledge and overlooked moves. They are deterministic: the
// same position in the same game (`seed`) always meets the same ones.
struct Ignorance {
  std::uint64_t seed = 0;
  int seen = 100;       // per cent of the moves that are not obvious
  int noise = 0;        // maximum error of an evaluation in points
  int terms = 1000;     // how many terms of the evaluation it knows
  bool threats = true;  // true if it sees the opponent's wins in one
  bool replies = true;  // true if it considers the opponent's replies
  bool any() const { return seen < 100 || noise > 0 || terms < 1000 || !threats || !replies; }
};

// Evaluates a board for the seat to move, with the handicaps.
template <Board B>
int estimate(const B& board, const Ignorance& ignorance) {
  int sum = 0;
  if constexpr (Estimated<B>) {
    int n = 0;
    board.terms([&](std::string_view, int points) { sum += n++ < ignorance.terms ? points : 0; });
  }
  if constexpr (Hashed<B>)
    if (ignorance.noise > 0) {
      const auto width = static_cast<std::uint64_t>(2 * ignorance.noise + 1);
      sum += static_cast<int>(mixed(board.hash() ^ ignorance.seed) % width) - ignorance.noise;
    }
  return sum;
}

// True if the level sees the move with number `index` of its position. A level that sees threats
// sees all winning moves; one that ignores replies misses some.
template <Board B>
bool seen(const B& board, typename B::Move move, std::size_t index, std::uint64_t key,
          const Ignorance& ignorance) {
  constexpr std::uint64_t kWinsSeen = [] {  // of 100
    if constexpr (requires { B::kWinsSeen; }) return B::kWinsSeen;
    else return 68;
  }();
  const std::uint64_t roll = mixed(key ^ ignorance.seed ^ (index * 0x9E3779B97F4A7C15U)) % 100;
  const auto wins = [&] {
    B next = board;
    next.play(move);
    bool over = next.over();
    if (!over && !ignorance.replies) {
      over = true;
      next.each_move([&](typename B::Move) { over = false; });
    }
    return over && next.winner() == board.to_move();
  };
  if (!ignorance.replies && wins()) return roll < kWinsSeen;
  if (roll < static_cast<std::uint64_t>(ignorance.seen)) return true;
  if constexpr (requires { board.obvious(move); })
    if (board.obvious(move)) return true;
  return ignorance.threats && wins();
}

// True if the move loses the game, or lets the next seat win with its first ply.
template <Board B>
bool loses_at_once(const B& board, typename B::Move move) {
  B next = board;
  next.play(move);
  if (next.over()) return next.winner() != kNobody && next.winner() != board.to_move();
  if constexpr (requires { next.win_in_one(); }) return next.win_in_one().has_value();
  bool lost = false;
  next.each_move([&](typename B::Move reply) {
    if (lost) return;
    B after = next;
    after.play(reply);
    lost = after.over() && after.winner() == next.to_move();
  });
  return lost;
}

}  // namespace pbm::engine
