// SPDX-License-Identifier: MIT
// What the engine searches: a board, which is a game's State itself or what
// the State makes for it (games/GAME_knowledge.hpp). Leaves searching to
// alpha_beta.hpp, proof.hpp and uct.hpp, and which board to think.hpp.
#pragma once

#include <span>
#include <string_view>

#include "game/game.hpp"

namespace pbm::engine {

inline constexpr Seat kNobody = -1;

// What a board must offer. Copies are cheap.
//
//   using Move = ...;            trivially copyable, ==
//   int seats() const;
//   Seat to_move() const;
//   bool over() const;           cheap; may leave out that the mover has no move
//   Seat winner() const;         or kNobody for a tie; pre: over(), or each_move() gives nothing
//   void each_move(F f) const;   the same order for equal boards; moves that come to the same
//                                need be given once only
//   void play(Move);
//
// What it may offer, and the engine uses if it is there:
//
//   static constexpr bool kForTwo;          true: there are never more than two seats
//   std::uint64_t hash() const;             equal boards, equal numbers
//   std::uint64_t rules() const;            another number for other rules, with the same hash()
//   static constexpr bool kRepeats;         false where no position can come twice
//   void terms(F f) const;                  f(name, points) for the seat to move, each reason of an
//                                           estimate, what a beginner knows first
//   int scale() const;                      so many points more are three chances of four, in games
//                                           of the computer with itself
//   static constexpr int kNoise;            the most points that a level of noise 100 errs by
//   bool plays(Seat) const;                 false: it has given up, of more than two
//   std::optional<Move> win_in_one() const; a move by which the mover wins at once
//   int each_sound_move(F f) const;         each_move() without what loses at once, and in how many
//                                           plies the game is lost where that is all; pre: no win
//                                           in one
//   bool noisy() const;                     this is no moment to estimate: look on
//   static constexpr bool kMustTake;        true: only where pieces must be taken is it noisy, for
//                                           a few plies, and each of these is obvious
//   bool obvious(Move) const;               a beginner sees it: it takes, it is beside the last
//   int promise(Move) const;                moves that promise more are tried earlier; 0 for most
//   static constexpr int kSlots;            moves with the same
//   int slot(Move) const;                       slot resemble each other
//   int plies_left() const;                 no game goes on for longer than that
//   bool blind() const;                     so far out that moves are missing: nothing is proved
//   Move playout_move(Dice&) const;         one for games by chance, where each_move() is slow or
//                                           any move is too weak; pre: not over()
//   static constexpr bool kReduces;         late moves may be searched less deep
//   std::optional<Verdict> known(table) const;  out of what EndTable::make() made; of all
//                                               that comes after a known position as well
//   bool forces() const;                    true: lines in which each ply forces the next are long,
//                                           and wins by them are proved; false: an only ply is no
//                                           reason to look further
//   static constexpr int kPlaces;           places where play may be,
//   int place() const;                          counted from 0: the longer it has been in one the
//                                               less an estimate says there
//   const Rungs& rungs() const;             how strong each level is (levels.hpp)
//   const Skill& lowest() const;            what the weakest is like, instead of kLadder[0]
//   static constexpr int kWinsSeen;         of 100 wins in one as many as the weakest sees
//
// and in the State, where the board is another type than itself:
//
//   auto with_board(F f) const;             f(board), with the board of whichever type fits best;
//                                           f(*this) where none does
//   Move meant(board, board's move) const;  the State's own move for it
//   optional solved(board) const;           out of openings that are solved: a `move` of the board,
//                                           than which none is better, and the `verdict` of it
template <class B>
concept Board = std::copyable<B> && requires(const B b, B& m, typename B::Move move) {
  { b.seats() } -> std::same_as<int>;
  { b.to_move() } -> std::same_as<Seat>;
  { b.over() } -> std::same_as<bool>;
  { b.winner() } -> std::same_as<Seat>;
  b.each_move([](typename B::Move) {});
  m.play(move);
};

// A State that says nothing of itself, as a board.
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

// How many bits are set, without the machine's instruction, which a portable
// build may not use (Warren 2012, "Hacker's Delight").
constexpr int bits_in(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>((x * 0x0101010101010101U) >> 56);
}

// Spreads the bits of a number over all of it (Stafford 2011, the finalizer of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// Small and quick random numbers (Steele, Lea and Flood 2014: SplitMix).
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

// Where a search is weaker than it could be: by not knowing and not seeing,
// always the same of the same position in the same game.
struct Ignorance {
  std::uint64_t seed = 0;
  int seen = 100;       // of 100 moves that are not obvious
  int noise = 0;        // points by which an estimate is wrong, at most
  int terms = 1000;     // how many terms of the estimate are known
  bool threats = true;  // whether a win in one of the other side is seen
  bool replies = true;  // whether there is any thought of what the other side does
  bool any() const { return seen < 100 || noise > 0 || terms < 1000 || !threats || !replies; }
};

// The estimate of a board for the seat to move.
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

// Whether a move that is number `index` of its position is seen at all. One that
// wins is, by whoever sees what the other side would win by; who thinks of no replies misses some.
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

// Whether the move gives the game away, or lets the next seat win with its first ply.
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
