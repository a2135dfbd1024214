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

  // Gives the turn to the other side.
  void pass() { mover_ ^= 1U; }
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
  // 56.2 +-6.4 of 100 against itself without (24 games at 10 ms a ply).
  static constexpr int kRepetitionPoints = 20;
  static constexpr int kMaxNoise = 60;
  int odds_scale() const { return 45; }
  static constexpr engine::LevelRungs kRungs{10, 14, 19, 23, 27, 31, 36, 41, 46};
  const engine::LevelRungs& level_rungs() const { return kRungs; }
  static constexpr bool kAllowsReductions = true;
  // Points of 100: with the men's squares 60.0 +-11 against the terms without (20 games at 20 ms a
  // ply); without the men at the ball and the free ways 43.8 +-11 against all terms.
  template <class F>
  void evaluation_terms(F f) const {
    const Seat me = mover_, you = 1 - mover_;
    f("gets the ball nearer to the goal",
      kAdvancePoints[index_of(ball_advance(me))] - kAdvancePoints[index_of(ball_advance(you))]);
    f("places men on better squares", place_points(me) - place_points(you));
    f("controls the ball better", ball_contact_points(me) - ball_contact_points(you));
    f("gains free ways to the goal", goal_path_points(me) - goal_path_points(you));
    f("", kTurnPoints);  // the turn
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
  // Points, fitted by logistic regression to 700,000 positions of its own games. The target is a
  // mean of later estimates and the result (Sutton 1988: temporal differences).
  static constexpr std::array<int, kFieldSize> kAdvancePoints{0, 0, 0,  0,
                                                              0, 0, 15, 38};  // by rows of the ball
  // By the number of men near the ball, by the number of runs to a square behind it (4: there is
  // none), and by the number of paths.
  static constexpr std::array<int, 5> kNearBallPoints{-20, -13, -1, 8, 10},
      kBehindBallPoints{8, 4, -4, -7, -18};
  static constexpr std::array<int, 4> kGoalPathPoints{0, 1, 5, 15};
  static constexpr int kTurnPoints = 3;
  // The points of a man by its square, for the side that scores beyond row 0: 'P' is 0, 'Q' is 1.
  // One line for each square of the ball in the columns 0 to 3 of the rows 0 to 7.
  static constexpr std::array<std::string_view, 32> kPlaceLetters{
      R"(NVSPSKODW~]QOOmPf_ZRNMK[[ZVQTKNITXURRDFGNQNMQIDOHGILID<;HECCDA?:)",
      R"(GNoRRMH;VWX\WXUIZXUW\YLG\]ZV[VFHXTTROGIFMQMMMHHCJIJDDEEDGECFDAC@)",
      R"(KUN`]TQEfVWX[]RFZSWY[^SLRR]\e\KJVMQUOMLJGMJMSIFFCGJGCFHDADAFCBID)",
      R"(HIXNYTKMU[VWXYXIRYZ\[\^NRN`df^QKDKSUSSLKALIKOGHBAHFFFCDDBBAEDAC=)",
      R"(5ALP[HW;Pg]MRRH9hiXXTLIIZUX^WNQEcX\]XMJJSTVULJLERRQPMJEEOQOQLIGD)",
      R"(=APUJNHOUPo]WOPA^bh_`RLLUXZX^UHF[]\]VPKIRWUSQOOIOQPMLLJGNOLNJLKJ)",
      R"(HDLRRKJFRePe]XLCM]fbZZMINW\\W[MMSZ_]ZVQMQXVQSPOKPRQKLNMJOPNKIKLH)",
      R"(FAMMSFMJIQdPbVMFQRUd\XVQQTY[\WSLSU]]^\UTLSRVQRRKLOOQNNOMOOMOMMPP)",
      R"(ADLND;C<JTVSOUH=Qi__VLJH\\Y^ZRFBUUX\WRNKYYXZTQPIWVUSQMMJTUQSOONL)",
      R"(<@IMHICHDP\LYWJIXQe`[RLLW\a[]VIGYWZZYTMCWZZZVRQOUXVTQQOMUVRSOPOM)",
      R"(C;RHCELA@QZfPQJKO^QeZXPQP\a_YWQISYZ[VZTJT]XYWSUMSWUTRRPPUVTQNQRP)",
      R"(AIDKFKKJ@OYX]MQRNSdQeTKKLTZa^WSOVUWX[TYQTYW[ZXVMRUVTUTTSQRRSQQRP)",
      R"(CBHH==D5GFOMJC=;RXVXPLJ@P`\YVODGXXV^USODVUVVUPRLXVVTRPNKVTSSNPOM)",
      R"(H9HG@DC9AGHKHOJAK]^ZRMNMZPd\YRGDZ^]ZWSLEVXVTWRSLXYYVSQOOWVUSONON)",
      R"(@?B=CEAEC>ILJLKEHP[ZVSL>P`PeZVKIV\``UWSLQXVZUVUOXZXXVSTQSVSTQRSP)",
      R"(AFH?GLGAB@CQMIICGMY\^UNLLSdPhVRLSV^a_UVUVTVWXRWRUXWWVVSRQUTRRSSO)",
      R"(@<G:;AC2>GME?CE8EOPSPKG?RVTTSMHIP[XVTQMFVVUVVQQMUUTUTPMMVVTTPNMM)",
      R"(:>BC@BA9E?DFDH<=GNOKSLIEM\aWTPHI[PcXUROIZ\ZXXRSLTTWQTQPKUWWTNONM)",
      R"(@:A;CG@@<H=EIHG?IKNROUI?KS`_WWHKXaPdYVNLZ_][WVVOUUWVMSSKWWVTTNPP)",
      R"(C>A@>IE?FABIHL>?@JLINTHCKO[a`SNJRVePeYRPSY\]ZW\T[STRROXUSVSTRSRR)",
      R"(;6D;4?8+4C??:C:6=JJDLIA9KPLNNKDJ[SROPMK<OYTSSOOLTTSROMKIRTPRNLKI)",
      R"(:2D883>02?B@C?;CFJPMIFDBFPMQPJDJOZ^USQMJZO]XURQOXVTSROOIRRONONLJ)",
      R"(=A@9;<C59;8EEB8DCLGJIGF>AJTPLMFANY`^VTLMU_O]YUTQXWXTPRQMQRPOLOOK)",
      R"(><@6=:>>>@>D@F;<AFQIJNF>GGLSTNFFIUZ^[VQQR[aO^XZRTVUTRTRNQPPNRMPN)",
      R"(7-230+B$=B7@2@52FEG>AE=5GONIHIF?VTRORHA@PXTNROPHPTUUPNIDPRRROLKE)",
      R"(63;-34249>;F@>76?CEHGFBCHOLNGKECSTSPOOMDPZXVWSRNYPVTPQNJQRQONPMK)",
      R"(=7=069716E:DEB;A:BLHLGECCLMPPOHGGRVPQUQKWWXVWUUTWYPUSRRMVRROOPNN)",
      R"(K@:252;.EB@CA@>;D>HLOKI<CIKMPOFKEOTZYSMMRXSYWVXPPW[PVURNRRQSOPPO)",
      R"($33A:-/2331B44/$;FEABF8(@KNIAHG1JMNOMK>8QTKRRGKBKXURSK?ERWRTMILC)",
      R"(+$3)>7)-3-<47<1=?6?ACA>=EGMJLH@@IQTOOJH=U[RTTPRIJTWSRSPO]RURQPQL)",
      R"($(&1-@:*71A92?A2FA@GDDF?AFKLJJHCPROQMMPFSVWWTTTQSNVQUVSMUYRTURSR)",
      R"(@(2&/2C;DF62<>F8RCABQHIFH>FJJFHGKIQKSSMGPVVZVTXTPSQSRXUNUSURVSUQ)"};
  using PlacePoints = std::array<std::array<std::int8_t, 64>, 64>;  // by squares of ball and man
  static constexpr std::array<PlacePoints, 2> kPlacePoints = [] {
    std::array<PlacePoints, 2> out{};
    for (std::size_t ball = 0; ball < 64; ++ball)
      for (std::size_t man = 0; man < 64; ++man) {
        const std::size_t mirror = ball % 8 < 4 ? 0 : 7, to = ball ^ mirror;
        const int points = kPlaceLetters[to / 8 * 4 + to % 8][man ^ mirror] - 'P';
        out[0][ball][man] = out[1][ball ^ 56][man ^ 56] = static_cast<std::int8_t>(points);
      }
    return out;
  }();

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

  // Returns points for the squares of the men.
  int place_points(Seat seat) const {
    const auto& points = kPlacePoints[index_of(seat)][index_of(ball_)];
    int sum = 0;
    each_square(side_squares_[index_of(seat)], [&](Square s) { sum += points[index_of(s)]; });
    return sum;
  }

  // Returns the squares from which a side can kick the ball towards its goal.
  SquareSet squares_behind_ball(Seat seat) const {
    const SquareSet row = SquareSet{0xFF} << (8 * row_of(ball_)), above = (row & (0 - row)) - 1;
    return kFieldTables.neighbours[ball_] & ~row & (seat == 0 ? ~above : above);
  }
  // Returns the squares of `b` and all next to them.
  static SquareSet with_neighbours(SquareSet b) {
    constexpr SquareSet kFirstColumn = 0x0101010101010101U;
    b |= (b << 1 & ~kFirstColumn) | (b >> 1 & ~(kFirstColumn << 7));
    return b | b << 8 | b >> 8;
  }

  // Returns points for the number of men within two squares of the ball, and for the number of runs
  // until one stands behind it.
  int ball_contact_points(Seat seat) const {
    const SquareSet mine = side_squares_[index_of(seat)], men = mine | side_squares_[1 - seat],
                    behind = squares_behind_ball(seat),
                    near = with_neighbours(with_neighbours(square_bit(ball_)));
    std::size_t runs = 0;
    if ((behind & mine) == 0) {
      const SquareSet one_run = with_neighbours(behind & ~men);
      runs = behind == 0 ? 4 : (one_run & mine) ? 1 : (with_neighbours(one_run) & mine) ? 2 : 3;
    }
    return kNearBallPoints[index_of(std::min(count_men(near & mine), 4))] + kBehindBallPoints[runs];
  }

  // Returns points for the straight paths from the ball to a side's goal that no man blocks, and on
  // which a man can kick the ball after one run.
  int goal_path_points(Seat seat) const {
    const SquareSet mine = side_squares_[index_of(seat)], men = mine | side_squares_[1 - seat];
    std::size_t later = 0;
    each_square(squares_behind_ball(seat) & ~men, [&](Square behind) {
      const auto way = index_of(direction_between(behind, ball_));
      if (kFieldTables.goals[way][index_of(ball_)] != kNowhere &&
          !(kFieldTables.rays[way][index_of(ball_)] & men) &&
          (kFieldTables.neighbours[behind] & mine))
        ++later;
    });
    return kGoalPathPoints[later];
  }

  std::array<SquareSet, 2> side_squares_;
  std::int8_t ball_;
  std::uint8_t mover_;
};

}  // namespace pbm::soccolot
