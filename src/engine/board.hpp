// SPDX-License-Identifier: MIT
// The interface between a game and the searches: a board is the State itself, or a faster form of
// it (games/GAME_knowledge.hpp). Leaves searching to alpha_beta.hpp, proof_search.hpp and uct.hpp,
// and the choice of search to searcher.hpp.
#pragma once

#include <span>
#include <string_view>

#include "game/game.hpp"

namespace pbm::engine {

inline constexpr Seat kNobody = -1;

// The functions that a board must have. Copies are cheap.
//
//   using Move = ...;                      trivially copyable, ==
//   int seats() const;
//   Seat to_move() const;
//   bool is_over() const;                  cheap; may be false if the seat to move has no move
//   Seat winner() const;
//                                   kNobody for a tie; pre: is_over(), or each_move() finds no move
//   void each_move(F f) const;
//                                   same order for equal boards; of moves with equal results it may
//                                          give only one
//   void play(Move);
//
// The functions and constants that a board may have:
//
//   static constexpr bool kIsForTwo;       true: never more than two seats
//   std::uint64_t hash() const;            equal for equal boards
//   std::uint64_t rules_key() const;       differs for other rules with equal hash()
//   static constexpr bool kHasRepetitions; false: no position can occur twice
//   void evaluation_terms(F f) const;      calls f(name, points) for the seat to move, for each
//                                          term of the evaluation, beginners' knowledge first; the
//                                          name says what the player ahead does, "gains threats",
//                                          or is "" if it tells a person nothing
//   int odds_scale() const;                points that raise the odds to 3 to 1, measured in games
//                                          of the computer against itself
//   static constexpr int kMaxNoise;        the maximum error in points at a noise of 100 %
//   bool is_playing(Seat) const;           false: the seat left a game of more than two
//   std::optional<Move> win_in_one() const; a move that wins at once for the seat to move
//   int each_sound_move(F f) const;        each_move() without moves that lose at once; if no move
//                                          remains, returns in how many plies the game is lost;
//                                          pre: there is no win in one
//   bool is_noisy() const;                 true: the position is too unquiet to evaluate
//   static constexpr bool kHasForcedCaptures;
//                                          true: positions are noisy only during forced captures,
//                                          which are short, and each capture is obvious
//   bool is_obvious(Move) const;           true: beginners see it, such as a capture, or a move
//                                          next to the last one
//   int ordering_score(Move) const;        move ordering: higher is tried earlier; 0 for most
//   static constexpr int kHistorySlots;    number of slots, which group similar
//   int history_slot(Move) const;          moves for the history heuristic
//   int plies_left() const;                upper bound on the rest of the game
//   bool is_blind() const;                 true: too deep for some moves to be known; no proofs
//   Move playout_move(Dice&) const;        a random move for playouts, if each_move() is slow or
//                                          uniform moves are too weak; pre: not is_over()
//   static constexpr bool kAllowsReductions; true: allows late move reductions
//   std::optional<Verdict> table_verdict(table) const;
//                                          from the bytes of EndgameTable::make(); if a position
//                                          is known, so are all that follow it
//   bool can_win(Seat) const;              false: the seat cannot win any more; with outcome_key(),
//   std::uint64_t outcome_key() const;     equal for positions with equal outcomes, such as mirror
//                                          images, and plies_left(): outcome_search.hpp solves it
//   bool has_forced_lines() const;         true: long forced lines matter, and proof search finds
//                                          wins; false: no extension for a single move
//   void pass();                           gives the turn to the next seat, where a move is hardly
//                                          ever worse than none: allows null move pruning
//   static constexpr int kRepetitionPoints; by how much the seat that thinks dislikes a repetition
//   const LevelRungs& level_rungs() const; the rung of each level (levels.hpp)
//   const Skill& lowest_skill() const;     the skill of rung 0, instead of kSkillLadder[0]
//   static constexpr int kSeenWinPercent;  per cent of wins in one that the weakest level sees
//
// The functions that a State may have if its board is another type:
//
//   auto with_board(F f) const;            calls f(board) with the board type that fits best, or
//                                          f(*this) if none does
//   Move state_move(board, board's move) const; the State's move for a board's move
//   static std::optional<int> known_outcome(board); 1, 0 or -1 for a position in a book of solved
//                                          openings that is won, tied or lost for the seat to move
template <class B>
concept Board = std::copyable<B> && requires(const B b, B& m, typename B::Move move) {
  { b.seats() } -> std::same_as<int>;
  { b.to_move() } -> std::same_as<Seat>;
  { b.is_over() } -> std::same_as<bool>;
  { b.winner() } -> std::same_as<Seat>;
  b.each_move([](typename B::Move) {});
  m.play(move);
};

// A board for a State that has no board of its own.
template <GameState S>
struct StateBoard : S {
  explicit StateBoard(const S& state) : S(state) {}
  Seat winner() const { return S::outcome()->winner.value_or(kNobody); }
};

template <class B> concept HasHash = requires(const B b) { b.hash(); };
template <class B>
concept HasEvaluation = requires(const B b) { b.evaluation_terms([](std::string_view, int) {}); };
template <class B>
concept HasEndgameTable = requires(const B b) { b.table_verdict(std::span<const std::uint8_t>()); };
template <class B>
constexpr bool kCanRepeat = [] {
  if constexpr (requires { B::kHasRepetitions; }) return B::kHasRepetitions;
  else return true;
}();
template <class B>
constexpr bool kIsForTwo = [] {
  if constexpr (requires { B::kIsForTwo; }) return B::kIsForTwo;
  else return false;
}();
template <class B>
constexpr int kMaxNoiseOf = [] {
  if constexpr (requires { B::kMaxNoise; }) return B::kMaxNoise;
  else return 100;
}();

template <class B>
bool is_blind(const B& board) {
  if constexpr (requires { board.is_blind(); }) return board.is_blind();
  else return false;
}

template <class S, class F>
auto with_board(const S& state, F f) {
  const auto wrapped = [&](const auto& board) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(board)>, S>)
      return f(StateBoard<S>(board));
    else return f(board);
  };
  if constexpr (requires { state.with_board(wrapped); }) return state.with_board(wrapped);
  else return f(StateBoard<S>(state));
}

template <class S, class B>
typename S::Move state_move(const S& state, const B& board, typename B::Move move) {
  if constexpr (std::same_as<B, StateBoard<S>>) return move;
  else return state.state_move(board, move);
}

// Counts set bits without the processor's instruction, which portable builds may not use (Warren
// 2012, "Hacker's Delight").
constexpr int count_bits(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>((x * 0x0101010101010101U) >> 56);
}

// Returns a hash of a number (Stafford 2011, the finalizer of SplitMix64).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// A small and fast generator of random numbers (Steele, Lea and Flood 2014: SplitMix).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() { return mix_bits(state_ += 0x9E3779B97F4A7C15U); }
  std::uint32_t random_below(std::uint32_t n) {
    return static_cast<std::uint32_t>((((*this)() >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

// The handicaps of a level: missing knowledge and overlooked moves. They are deterministic: the
// same position in the same game (`seed`) always meets the same ones.
struct Handicaps {
  std::uint64_t seed = 0;
  int seen_percent = 100;         // per cent of the moves that are not obvious
  int noise = 0;                  // maximum error of an evaluation in points
  int known_terms = 1000;         // how many terms of the evaluation it knows
  bool sees_threats = true;       // true if it sees the opponent's wins in one
  bool considers_replies = true;  // true if it considers the opponent's replies
  bool has_any() const {
    return seen_percent < 100 || noise > 0 || known_terms < 1000 || !sees_threats ||
           !considers_replies;
  }
};

// Evaluates a board for the seat to move, with the handicaps.
template <Board B>
int evaluate(const B& board, const Handicaps& handicaps) {
  int sum = 0;
  if constexpr (HasEvaluation<B>) {
    int n = 0;
    board.evaluation_terms(
        [&](std::string_view, int points) { sum += n++ < handicaps.known_terms ? points : 0; });
  }
  if constexpr (HasHash<B>)
    if (handicaps.noise > 0) {
      const auto width = static_cast<std::uint64_t>(2 * handicaps.noise + 1);
      sum += static_cast<int>(mix_bits(board.hash() ^ handicaps.seed) % width) - handicaps.noise;
    }
  return sum;
}

// True if the level sees the move with number `index` of its position. A level that sees threats
// sees all winning moves; one that ignores replies misses some.
template <Board B>
bool is_seen(const B& board, typename B::Move move, std::size_t index, std::uint64_t key,
             const Handicaps& handicaps) {
  constexpr std::uint64_t kWinsSeen = [] {  // of 100
    if constexpr (requires { B::kSeenWinPercent; }) return B::kSeenWinPercent;
    else return 68;
  }();
  const std::uint64_t roll = mix_bits(key ^ handicaps.seed ^ (index * 0x9E3779B97F4A7C15U)) % 100;
  const auto wins = [&] {
    B next = board;
    next.play(move);
    bool over = next.is_over();
    if (!over && !handicaps.considers_replies) {
      over = true;
      next.each_move([&](typename B::Move) { over = false; });
    }
    return over && next.winner() == board.to_move();
  };
  if (!handicaps.considers_replies && wins()) return roll < kWinsSeen;
  if (roll < static_cast<std::uint64_t>(handicaps.seen_percent)) return true;
  if constexpr (requires { board.is_obvious(move); })
    if (board.is_obvious(move)) return true;
  return handicaps.sees_threats && wins();
}

// True if the move loses the game, or lets the next seat win with its first ply.
template <Board B>
bool loses_at_once(const B& board, typename B::Move move) {
  B next = board;
  next.play(move);
  if (next.is_over()) return next.winner() != kNobody && next.winner() != board.to_move();
  if constexpr (requires { next.win_in_one(); }) return next.win_in_one().has_value();
  bool lost = false;
  next.each_move([&](typename B::Move reply) {
    if (lost) return;
    B after = next;
    after.play(reply);
    lost = after.is_over() && after.winner() == next.to_move();
  });
  return lost;
}

}  // namespace pbm::engine
