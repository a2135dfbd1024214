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

  Board(SquareSet first, SquareSet second, Square ball, Seat mover)
      : side_squares_{first, second},
        ball_(static_cast<std::int8_t>(ball)),
        mover_(static_cast<std::uint8_t>(mover)) {}

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  // rules/soccolot.md, "How it ends". If the side to move has no move, the game is a tie; the
  // engine finds that out itself.
  bool is_over() const { return !is_on_field(ball_); }
  Seat winner() const { return ball_ < 0 ? 0 : is_on_field(ball_) ? engine::kNobody : 1; }

  template <class F>
  void each_move(F f) const {
    if (is_over()) return;
    const SquareSet men = side_squares_[0] | side_squares_[1], empty = ~(men | square_bit(ball_));
    const auto give = [&](Action action, Square from, Square to) {
      f(Move{action, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)});
    };
    each_square(kFieldTables.neighbours[ball_] & side_squares_[mover_], [&](Square from) {
      each_square(dribble_squares(from, ball_, men),
                  [&](Square to) { give(Action::dribble, from, to); });
      const KickTargets kick = kick_targets(from, ball_, men);
      if (kick.goal != kNowhere) give(Action::kick, from, kick.goal);
      each_square(kick.squares, [&](Square to) { give(Action::kick, from, to); });
    });
    each_square(side_squares_[mover_], [&](Square from) {
      each_square(kFieldTables.neighbours[from] & empty,
                  [&](Square to) { give(Action::run, from, to); });
    });
  }

  void play(Move m) {
    if (m.action == Action::kick) {
      ball_ = m.to;
    } else {
      if (m.action == Action::dribble) ball_ = static_cast<std::int8_t>(ball_ + m.to - m.from);
      side_squares_[mover_] ^= square_bit(m.from) | square_bit(m.to);
    }
    mover_ ^= 1U;
  }

  std::optional<Move> win_in_one() const { return find_goal(mover_); }
  // True if the other side threatens to score.
  bool is_noisy() const { return find_goal(1 - mover_).has_value(); }

  std::uint64_t hash() const {
    return engine::mix_bits(
        side_squares_[0] ^
        engine::mix_bits(side_squares_[1] + 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(
                                                                      2 * ball_ + mover_ + 100)));
  }

  static constexpr bool kIsForTwo = true;
  static constexpr int kMaxNoise = 60;
  int odds_scale() const { return 60; }
  static constexpr engine::LevelRungs kRungs{10, 16, 20, 26, 30, 38, 46, 54, 68};
  const engine::LevelRungs& level_rungs() const { return kRungs; }
  static constexpr bool kAllowsReductions = true;
  template <class F>
  void evaluation_terms(F f) const {
    const Seat me = mover_, you = 1 - mover_;
    f("place of the ball",
      kAdvancePoints[index_of(ball_advance(me))] - kAdvancePoints[index_of(ball_advance(you))]);
    f("men at the ball", ball_contact_points(me) - ball_contact_points(you));
    f("free ways to the goal", goal_path_points(me) - goal_path_points(you));
  }

  // The area of the ball, of two by two squares. A penalty for staying there makes games end: of
  // the engine's own games at 30 ms a ply, four of eight pass 300 plies without it, one of seven
  // with it. It costs strength: 35.3 +-10.3 of 100 against itself without.
  static constexpr int kPlayAreas = kFieldSize * kFieldSize / 4;
  int play_area() const {
    return is_on_field(ball_) ? row_of(ball_) / 2 * (kFieldSize / 2) + column_of(ball_) / 2 : 0;
  }

  bool is_obvious(Move m) const {
    return m.action != Action::run || (kFieldTables.neighbours[ball_] & square_bit(m.from)) != 0;
  }
  int ordering_score(Move m) const {
    if (m.action == Action::run) return (kFieldTables.neighbours[ball_] & square_bit(m.to)) ? 1 : 0;
    const Square ball = m.action == Action::kick ? m.to : ball_ + m.to - m.from;
    const int rows = row_of(ball_) - row_of(ball);
    return (mover_ == 0 ? rows : -rows) > 0 ? 2 : 1;
  }
  static constexpr int kHistorySlots = 3 * 64 * 80;
  int history_slot(Move m) const {
    return (static_cast<int>(m.action) * 64 + m.from) * 80 + m.to + kFieldSize;
  }

 private:
  // Points, fitted to the scorers in 20,000 positions of its own games (logistic regression).
  static constexpr std::array<int, kFieldSize> kAdvancePoints{0,  0,  0,  0, 17,
                                                              43, 57, 123};  // by rows of the ball
  static constexpr int kAnyAtBallPoints = 23, kAnyBehindBallPoints = 15, kBehindBallPoints = 4,
                       kBesideBallPoints = 11, kGoalPathPoints = 42, kAnyLaterPathPoints = 19,
                       kLaterPathPoints = 5;

  static std::size_t index_of(Seat seat) { return static_cast<std::size_t>(seat); }
  static int count_men(SquareSet b) { return engine::count_bits(b); }

  // Returns how far the ball has come: seat 0 scores beyond row 0, seat 1 beyond the last row.
  int ball_advance(Seat seat) const {
    return seat == 0 ? kFieldSize - 1 - row_of(ball_) : row_of(ball_);
  }

  std::optional<Move> find_goal(Seat seat) const {
    if (is_over()) return std::nullopt;
    const SquareSet men = side_squares_[0] | side_squares_[1],
                    back = seat == 0 ? SquareSet{0xFF} : SquareSet{0xFF} << 56;
    std::optional<Move> out;
    for (SquareSet rest = kFieldTables.neighbours[ball_] & side_squares_[index_of(seat)]; rest != 0;
         rest &= rest - 1) {
      const Square from = std::countr_zero(rest);
      const auto move = [&](Action action, Square to) {
        out = Move{action, static_cast<std::int8_t>(from), static_cast<std::int8_t>(to)};
      };
      const KickTargets kick = kick_targets(from, ball_, men);
      if (kick.goal != kNowhere && (kick.goal < 0) == (seat == 0)) {
        move(Action::kick, kick.goal);
        return out;
      }
      if (!(square_bit(ball_) & back)) continue;
      each_square(dribble_squares(from, ball_, men), [&](Square to) {
        const Square ball = ball_ + to - from;
        if (!is_on_field(ball) && (ball < 0) == (seat == 0)) move(Action::dribble, to);
      });
      if (out) return out;
    }
    return out;
  }

  // Returns points for men next to the ball, most for those that can play it towards the goal.
  int ball_contact_points(Seat seat) const {
    const SquareSet men = kFieldTables.neighbours[ball_] & side_squares_[index_of(seat)];
    if (men == 0) return 0;
    const SquareSet beside = SquareSet{0xFF} << (8 * row_of(ball_)),
                    above = (beside & (0 - beside)) - 1,
                    behind = men & ~beside & (seat == 0 ? ~above : above);
    return kAnyAtBallPoints + (behind != 0 ? kAnyBehindBallPoints : 0) +
           kBehindBallPoints * count_men(behind) + kBesideBallPoints * count_men(men & beside);
  }

  // Returns points for the straight paths from the ball to a side's goal that no man blocks, and on
  // which a man can kick the ball now or after one step.
  int goal_path_points(Seat seat) const {
    const SquareSet men = side_squares_[0] | side_squares_[1];
    int sum = 0, later = 0;
    for (int way = 0; way < kDirectionCount; ++way) {
      const Square goal = kFieldTables.goals[index_of(way)][index_of(ball_)];
      if (goal == kNowhere || (goal < 0) != (seat == 0) ||
          (kFieldTables.rays[index_of(way)][index_of(ball_)] & men))
        continue;
      const Square behind = ball_ - kCompass[index_of(way)].square_step();
      if (!is_on_field(behind) || !(kFieldTables.neighbours[ball_] & square_bit(behind))) continue;
      if (side_squares_[index_of(seat)] & square_bit(behind)) sum += kGoalPathPoints;
      else if (!(men & square_bit(behind)) &&
               (kFieldTables.neighbours[behind] & side_squares_[index_of(seat)]))
        ++later;
    }
    return sum + kLaterPathPoints * later + (later > 0 ? kAnyLaterPathPoints : 0);
  }

  std::array<SquareSet, 2> side_squares_;
  std::int8_t ball_;
  std::uint8_t mover_;
};

}  // namespace pbm::soccolot
