// SPDX-License-Identifier: MIT
// Soccolot for the engine. The men of a side are one set of squares, because it does not matter
// which man stands where. The evaluation estimates which side scores next. Leaves jersey numbers
// and the rules to soccolot.cpp.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "games/soccolot_field.hpp"

namespace pbm::soccolot {

class Board {
 public:
  struct Move {
    Action action = Action::run;
    std::int8_t from = 0, to = 0;  // squares of the man; in a kick, `to` is where the ball stops
    friend bool operator==(const Move&, const Move&) = default;
  };

  Board(Bits first, Bits second, Square ball, Seat mover)
      : side_{first, second},
        ball_(static_cast<std::int8_t>(ball)),
        mover_(static_cast<std::uint8_t>(mover)) {}

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  // rules/soccolot.md, "How it ends". If the side to move has no move, the game is a tie; the
  // engine finds that out itself.
  bool over() const { return !on_field(ball_); }
  Seat winner() const { return ball_ < 0 ? 0 : on_field(ball_) ? engine::kNobody : 1; }

  template <class F>
  void each_move(F f) const {
    if (over()) return;
    const Bits men = side_[0] | side_[1], empty = ~(men | bit(ball_));
    const auto give = [&](Action action, Square from, Square to) {
      f(Move{action, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)});
    };
    each_square(kTables.near[ball_] & side_[mover_], [&](Square from) {
      each_square(dribbles(from, ball_, men), [&](Square to) { give(Action::dribble, from, to); });
      const Kick kick = kicks(from, ball_, men);
      if (kick.goal != kNowhere) give(Action::kick, from, kick.goal);
      each_square(kick.squares, [&](Square to) { give(Action::kick, from, to); });
    });
    each_square(side_[mover_], [&](Square from) {
      each_square(kTables.near[from] & empty, [&](Square to) { give(Action::run, from, to); });
    });
  }

  void play(Move m) {
    if (m.action == Action::kick) {
      ball_ = m.to;
    } else {
      if (m.action == Action::dribble) ball_ = static_cast<std::int8_t>(ball_ + m.to - m.from);
      side_[mover_] ^= bit(m.from) | bit(m.to);
    }
    mover_ ^= 1U;
  }

  std::optional<Move> win_in_one() const { return goal_of(mover_); }
  // True if the other side threatens to score.
  bool noisy() const { return goal_of(1 - mover_).has_value(); }

  std::uint64_t hash() const {
    return engine::mixed(
        side_[0] ^ engine::mixed(side_[1] + 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(
                                                                      2 * ball_ + mover_ + 100)));
  }

  static constexpr bool kForTwo = true;
  static constexpr int kNoise = 60;
  int scale() const { return 60; }
  static constexpr engine::Rungs kRungs{10, 16, 20, 26, 30, 38, 46, 54, 68};
  const engine::Rungs& rungs() const { return kRungs; }
  static constexpr bool kReduces = true;
  template <class F>
  void terms(F f) const {
    const Seat me = mover_, you = 1 - mover_;
    f("where the ball is", kFar[at(forward(me))] - kFar[at(forward(you))]);
    f("men at the ball", at_ball(me) - at_ball(you));
    f("free ways to the goal", ways(me) - ways(you));
  }

  // The area of the ball, of two by two squares. A penalty for staying there makes games end: of
  // the engine's own games at 30 ms a ply, four of eight pass 300 plies without it, one of seven
  // with it. It costs strength: 35.3 +-10.3 of 100 against itself without.
  static constexpr int kPlaces = kSide * kSide / 4;
  int place() const {
    return on_field(ball_) ? row_of(ball_) / 2 * (kSide / 2) + column_of(ball_) / 2 : 0;
  }

  bool obvious(Move m) const {
    return m.action != Action::run || (kTables.near[ball_] & bit(m.from)) != 0;
  }
  int promise(Move m) const {
    if (m.action == Action::run) return (kTables.near[ball_] & bit(m.to)) ? 1 : 0;
    const Square ball = m.action == Action::kick ? m.to : ball_ + m.to - m.from;
    const int rows = row_of(ball_) - row_of(ball);
    return (mover_ == 0 ? rows : -rows) > 0 ? 2 : 1;
  }
  static constexpr int kSlots = 3 * 64 * 80;
  int slot(Move m) const { return (static_cast<int>(m.action) * 64 + m.from) * 80 + m.to + kSide; }

 private:
  // Points, fitted to the scorers in 20,000 positions of its own games (logistic regression).
  static constexpr std::array<int, kSide> kFar{0, 0, 0, 0, 17, 43, 57, 123};  // by rows of the ball
  static constexpr int kAnyAtBall = 23, kAnyBehindBall = 15, kBehindBall = 4, kBesideBall = 11,
                       kScores = 42, kAnyWouldScore = 19, kWouldScore = 5;

  static std::size_t at(Seat seat) { return static_cast<std::size_t>(seat); }
  static int count_of(Bits b) { return engine::bits_in(b); }

  // Returns how far the ball has come: seat 0 scores beyond row 0, seat 1 beyond the last row.
  int forward(Seat seat) const { return seat == 0 ? kSide - 1 - row_of(ball_) : row_of(ball_); }

  std::optional<Move> goal_of(Seat seat) const {
    if (over()) return std::nullopt;
    const Bits men = side_[0] | side_[1], back = seat == 0 ? Bits{0xFF} : Bits{0xFF} << 56;
    std::optional<Move> out;
    for (Bits rest = kTables.near[ball_] & side_[at(seat)]; rest != 0; rest &= rest - 1) {
      const Square from = std::countr_zero(rest);
      const auto move = [&](Action action, Square to) {
        out = Move{action, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
      };
      const Kick kick = kicks(from, ball_, men);
      if (kick.goal != kNowhere && (kick.goal < 0) == (seat == 0)) {
        move(Action::kick, kick.goal);
        return out;
      }
      if (!(bit(ball_) & back)) continue;
      each_square(dribbles(from, ball_, men), [&](Square to) {
        const Square ball = ball_ + to - from;
        if (!on_field(ball) && (ball < 0) == (seat == 0)) move(Action::dribble, to);
      });
      if (out) return out;
    }
    return out;
  }

  // Returns points for men next to the ball, most for those that can play it towards the goal.
  int at_ball(Seat seat) const {
    const Bits men = kTables.near[ball_] & side_[at(seat)];
    if (men == 0) return 0;
    const Bits beside = Bits{0xFF} << (8 * row_of(ball_)), above = (beside & (0 - beside)) - 1,
               behind = men & ~beside & (seat == 0 ? ~above : above);
    return kAnyAtBall + (behind != 0 ? kAnyBehindBall : 0) + kBehindBall * count_of(behind) +
           kBesideBall * count_of(men & beside);
  }

  // Returns points for the straight paths from the ball to a side's goal that no man blocks, and on
  // which a man can kick the ball now or after one step.
  int ways(Seat seat) const {
    const Bits men = side_[0] | side_[1];
    int sum = 0, later = 0;
    for (int way = 0; way < kWays; ++way) {
      const Square goal = kTables.goal[at(way)][at(ball_)];
      if (goal == kNowhere || (goal < 0) != (seat == 0) || (kTables.ray[at(way)][at(ball_)] & men))
        continue;
      const Square behind = ball_ - kCompass[at(way)].step();
      if (!on_field(behind) || !(kTables.near[ball_] & bit(behind))) continue;
      if (side_[at(seat)] & bit(behind)) sum += kScores;
      else if (!(men & bit(behind)) && (kTables.near[behind] & side_[at(seat)])) ++later;
    }
    return sum + kWouldScore * later + (later > 0 ? kAnyWouldScore : 0);
  }

  std::array<Bits, 2> side_;
  std::int8_t ball_;
  std::uint8_t mover_;
};

}  // namespace pbm::soccolot
