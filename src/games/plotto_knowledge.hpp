// SPDX-License-Identifier: MIT
// Plotto for the engine: the hexes on a small grid that wraps round and fits every usual game, and
// the lines that each empty hex would complete. Leaves games that spread too far, and the rules, to
// plotto.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "games/plotto_field.hpp"

namespace pbm::plotto {

// The lines that four hexes in a row allow, by the number on each (0: no piece).
struct Windows {
  struct Window {
    std::uint8_t empty = 0;  // the index of the only empty hex
    // For a piece there: the low four bits are the numbers that complete a line, the high four
    // bits the end numbers of a line that any number completes.
    std::uint8_t completes = 0;
  };
  std::array<Window, 625> at{};
};
constexpr Windows make_windows(bool tournament) {
  Windows out;
  const auto partner = [&](int n) { return tournament ? (n + 1) % 4 + 1 : n; };
  for (int i = 0; i < 625; ++i) {
    const std::array<int, 4> n{i % 5, i / 5 % 5, i / 25 % 5, i / 125};
    Windows::Window& w = out.at[static_cast<std::size_t>(i)];
    int filled = 0;
    for (int k = 0; k < 4; ++k)
      if (n[static_cast<std::size_t>(k)]) ++filled;
      else w.empty = static_cast<std::uint8_t>(k);
    if (filled != 3) continue;
    const auto bit = [](int number) { return 1U << (number - 1); };
    if (w.empty == 0) w.completes = static_cast<std::uint8_t>(bit(partner(n[3])));
    else if (w.empty == 3) w.completes = static_cast<std::uint8_t>(bit(partner(n[0])));
    else if (n[3] == partner(n[0])) w.completes = static_cast<std::uint8_t>(bit(n[0]) << 4);
  }
  return out;
}
inline constexpr std::array<Windows, 2> kWindows{make_windows(false), make_windows(true)};

// The number on a hex for Windows, or 0.
inline constexpr std::array<std::uint8_t, kCells> kLying = [] {
  std::array<std::uint8_t, kCells> out{};
  for (std::size_t c = 0; c < kCells; ++c)
    out[c] = kLies[c] ? static_cast<std::uint8_t>(std::countr_zero(unsigned{kLies[c]}) + 1) : 0;
  return out;
}();

class Board {
 public:
  struct Move {
    std::uint8_t at = 0, number = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Board(int seats, unsigned playing, bool tournament)
      : seats_(static_cast<std::uint8_t>(seats)),
        playing_(static_cast<std::uint8_t>(playing)),
        tournament_(tournament) {}
  // Adds a piece of the position, in any order. set_mover() comes last.
  void lay(Hex at, int number) {
    grow(at);
    put(index(at), number);
  }
  void set_mover(Seat mover) { mover_ = static_cast<std::uint8_t>(mover); }
  // True if the grid has room around the pieces for some more plies.
  bool fits() const { return spread() <= kMostSpread - 2; }
  Hex hex_of(Move m) const {
    const int left = low_.column - 1, top = low_.down - 1;
    return hex(left + ((m.at / kSide - left) & (kSide - 1)),
               top + ((m.at % kSide - top) & (kSide - 1)));
  }

  int seats() const { return seats_; }
  Seat to_move() const { return mover_; }
  bool plays(Seat seat) const { return (playing_ & (1U << seat)) != 0; }
  bool over() const { return over_; }
  Seat winner() const { return winner_; }

  // Gives the first plies, which look the same from several sides, only once.
  template <class F>
  void each_move(F f) const {
    if (over_) return;
    each_opening([&](std::uint8_t at, Cell cell) {
      for (int n = 1; n <= 4; ++n)
        if (!(cell & number_bit(n))) f(Move{at, static_cast<std::uint8_t>(n)});
    });
  }

  template <class F>
  int each_sound_move(F f) const {
    bool legal = false;
    const auto threat = seats_ == 2 ? wins_of(next_seat()) : std::nullopt;
    each_move([&](Move m) {
      const auto won = winner(completed(m));
      if (won && *won != mover_) return;
      legal = true;
      if (threat) {
        // Only a piece on this hex or next to it can stop the win.
        if (m.at != threat->at && !touch(m.at, threat->at)) return;
        Board next = *this;
        next.play(m);
        if (next.win_in_one()) return;
      }
      f(m);
    });
    return legal ? 2 : 1;
  }

  std::optional<Move> win_in_one() const { return wins_of(mover_); }
  // True if the next player must be stopped from winning.
  bool noisy() const { return wins_of(next_seat()).has_value(); }

  void play(Move m) {
    const unsigned lines = completed(m);
    grow(hex_of(m));
    put(m.at, m.number);
    if (const auto won = winner(lines)) {
      over_ = true;
      winner_ = static_cast<std::int8_t>(*won);
    } else if (pieces_ > 2 && (open_[0] | open_[1] | open_[2] | open_[3]) == 0) {
      over_ = true;
    }
    mover_ = static_cast<std::uint8_t>(next_seat());
  }

  std::uint64_t hash() const { return hash_ ^ mover_ ^ playing_ << 4; }
  std::uint64_t rules() const { return tournament_; }
  static constexpr bool kRepeats = false;
  // True if pieces spread so far that the grid would meet itself.
  bool blind() const { return spread() > kMostSpread; }

  static constexpr int kNoise = 60;
  int scale() const { return 36; }
  static constexpr engine::Rungs kRungs{0, 15, 20, 29, 35, 43, 53, 65, 77},
      kTournamentRungs{0, 10, 13, 16, 19, 23, 27, 34, 58};
  const engine::Rungs& rungs() const {
    return seats_ > 2 ? engine::kUsualRungs : tournament_ ? kTournamentRungs : kRungs;
  }
  template <class F>
  void terms(F f) const {
    if (tournament_) {
      f("open lines", open_lines());
      return;
    }
    int threats = 0;
    for (std::size_t w = 0; w < hot_.size(); ++w)
      for (std::uint64_t bits = hot_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (cell_[i] & kPiece) continue;
        const unsigned free = kNumbers & ~cell_[i];
        if (free == 0) continue;
        const unsigned who = owners((completes_[i] & free) | unsigned{completes_[i]} >> 4);
        const int worth = (cell_[i] & kOpen) ? 2 : 1;
        for (unsigned seat = 0; seat < seats_; ++seat)
          if (who & (1U << seat)) threats += seat == mover_ ? worth : -worth;
      }
    f("threats", kThreat * threats);
  }

  static constexpr int kSlots = 256 * 4;
  int slot(Move m) const { return m.at * 4 + m.number - 1; }
  int promise(Move m) const { return completes_[m.at] != 0 ? 1 : 0; }
  // True if the move may complete a line or lies next to the last piece.
  bool obvious(Move m) const {
    if (completes_[m.at]) return true;
    return touch(m.at, last_);
  }

  // Returns a random ply for a playout. It stops a win of the next player, and gives no opponent a
  // line if another ply is found soon. Pre: not over().
  Move playout_move(engine::Dice& dice) const {
    if (const auto danger = wins_of(next_seat())) {
      const Cell cell = cell_[danger->at];
      const auto first = dice.below(4);
      for (unsigned k = 0; k < 4; ++k) {
        const Move m{danger->at, static_cast<std::uint8_t>((first + k) % 4 + 1)};
        if (!(cell & number_bit(m.number)) && !winner(completed(m))) return m;
      }
    }
    Move m{};
    for (int tries = 0; tries < 3; ++tries) {
      m = any_move(dice);
      const auto won = winner(completed(m));
      if (!won || *won == mover_) break;
    }
    return m;
  }

 private:
  static constexpr int kSide = 16, kMostSpread = 12;
  static constexpr int kThreat = 20, kLine = 7;

  static std::uint8_t index(Hex at) {
    return static_cast<std::uint8_t>((at.column & (kSide - 1)) * kSide + (at.down & (kSide - 1)));
  }
  // The hexes up to three steps away: [hex][axis][steps + 3].
  using Rings = std::array<std::array<std::array<std::uint8_t, 7>, 3>, 256>;
  static constexpr Rings make_rings() {
    Rings out{};
    for (int at = 0; at < 256; ++at)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (int steps = -3; steps <= 3; ++steps) {
          const int column = at / kSide + steps * kAxis[axis].column,
                    down = at % kSide + steps * kAxis[axis].down;
          out[static_cast<std::size_t>(at)][axis][static_cast<std::size_t>(steps + 3)] =
              static_cast<std::uint8_t>((column & (kSide - 1)) * kSide + (down & (kSide - 1)));
        }
    return out;
  }
  static const Rings& rings() {
    static const Rings all = make_rings();
    return all;
  }

  static bool touch(std::uint8_t a, std::uint8_t b) {
    const auto& around = rings()[a];
    return std::ranges::any_of(around,
                               [&](const auto& line) { return line[2] == b || line[4] == b; });
  }

  int spread() const { return std::max(high_.column - low_.column, high_.down - low_.down); }
  Seat next_seat() const {
    Seat seat = mover_;
    do seat = (seat + 1) % seats_;
    while (!plays(seat));
    return seat;
  }

  // Returns the seats, as bits, whose lines end in these numbers.
  unsigned owners(unsigned numbers) const {
    return (tournament_ ? numbers | numbers >> 2 : numbers) & playing_;
  }
  unsigned completed(Move m) const {
    const unsigned c = completes_[m.at];
    return owners((c & number_bit(m.number)) | c >> 4);
  }
  // rules/plotto.md, "Winning".
  std::optional<Seat> winner(unsigned seats) const {
    if (seats & (1U << mover_)) return mover_;
    if (seats != 0 && (seats & (seats - 1)) == 0) return std::countr_zero(seats);
    return std::nullopt;
  }

  // Returns a ply that would win for `seat` if it were their turn.
  std::optional<Move> wins_of(Seat seat) const {
    const unsigned own = 1U << seat, numbers = tournament_ ? own | own << 2 : own;
    for (std::size_t w = 0; w < hot_.size(); ++w)
      for (std::uint64_t bits = hot_[w] & open_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        const unsigned c = completes_[i], free = kNumbers & ~unsigned{cell_[i]},
                       wins = (c >> 4 & numbers) != 0 ? free : c & free & numbers;
        if (wins != 0)
          return Move{static_cast<std::uint8_t>(i),
                      static_cast<std::uint8_t>(std::countr_zero(wins) + 1)};
      }
    return std::nullopt;
  }

  // One bit for each hex, by column. The first three columns are repeated at the end, so that no
  // line wraps round.
  using Hexes = std::array<std::uint16_t, kSide + 3>;
  static constexpr Hexes all() {
    Hexes out{};
    out.fill(0xFFFF);
    return out;
  }
  static void clear(Hexes& of, std::size_t at) {
    const auto others = static_cast<std::uint16_t>(~(1U << at % kSide));
    const std::size_t column = at / kSide;
    of[column] &= others;
    if (column < 3) of[column + kSide] &= others;
  }

  // Returns the value of the mover's open lines, less that of the opponent's, for two seats. An
  // open line has two or three pieces and can still be completed. Its weight, 2 or 5, comes from a
  // regression over who won 500 tournaments (t/bench/fit.cpp). This had 70 +-8 of 100 games against
  // a count of all unblocked lines. The code handles eight columns at a time.
  int open_lines() const {
    using Columns [[gnu::vector_size(16)]] = std::uint16_t;
    const auto counted = [](Columns x) {  // the set bits of each byte
      x -= (x >> 1) & std::uint16_t{0x5555};
      x = (x & std::uint16_t{0x3333}) + ((x >> 2) & std::uint16_t{0x3333});
      return (x + (x >> 4)) & std::uint16_t{0x0F0F};
    };
    std::array<Columns, 2> promised{};  // by seat and byte
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      for (std::size_t column = 0; column < kSide; column += 8) {
        // For each hex, the bit of the hex that lies `steps` farther along the axis.
        const auto seen = [&](const Hexes& of, int steps) {
          Columns out;
          const int from = static_cast<int>(column) + kAxis[axis].column * steps,
                    down = kAxis[axis].down * steps & (kSide - 1);
          std::memcpy(&out, of.data() + from, sizeof out);
          return down == 0 ? out : out >> down | out << (kSide - down);
        };
        const auto seen_any = [&](int steps) {
          return seen(may_[0], steps) | seen(may_[1], steps) | seen(may_[2], steps) |
                 seen(may_[3], steps);
        };
        const Columns a = ~seen(empty_, 0), b = ~seen(empty_, 1), c = ~seen(empty_, 2),
                      d = ~seen(empty_, 3), one_of_ab = a ^ b, one_of_cd = c ^ d,
                      two = (((a & b) ^ (c & d)) & ~(one_of_ab | one_of_cd)) |
                            (one_of_ab & one_of_cd),
                      three = (a & b & one_of_cd) | (c & d & one_of_ab),
                      within = seen_any(1) & seen_any(2);
        const auto ends = [&](std::size_t n) { return seen(may_[n], 0) & seen(may_[n ^ 2U], 3); };
        for (std::size_t seat = 0; seat < 2; ++seat) {
          const Columns open = within & (ends(seat) | ends(seat + 2));
          promised[seat] += 2 * counted(open & two) + 5 * counted(open & three);
        }
      }
    const Columns mine = promised[mover_], theirs = promised[1U - mover_];
    int sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += (mine[i] >> 8) + (mine[i] & 0xFF) - (theirs[i] >> 8) - (theirs[i] & 0xFF);
    return kLine * sum;
  }

  template <class F>
  void each_opening(F f) const {
    if (pieces_ == 0) {
      f(index(Hex{}), Cell{0});
      return;
    }
    if (pieces_ == 1) {  // six sides, all equivalent
      const std::uint8_t side = rings()[last_][0][4];
      f(side, cell_[side]);
      return;
    }
    for (std::size_t w = 0; w < open_.size(); ++w)
      for (std::uint64_t bits = open_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        f(static_cast<std::uint8_t>(i), cell_[i]);
        if (pieces_ == 2) return;  // two openings, mirror images of each other
      }
  }

  Move any_move(engine::Dice& dice) const {
    if (pieces_ < 2) {
      Move out{};
      unsigned n = 0;
      each_move([&](Move m) {
        if (dice.below(++n) == 0) out = m;
      });
      return out;
    }
    std::array<int, 4> counts{};
    int all = 0;
    for (std::size_t w = 0; w < 4; ++w) all += counts[w] = engine::bits_in(open_[w]);
    auto nth = static_cast<int>(dice.below(static_cast<std::uint32_t>(all)));
    std::size_t w = 0;
    while (nth >= counts[w]) nth -= counts[w++];
    std::uint64_t bits = open_[w];
    for (; nth > 0; --nth) bits &= bits - 1;
    const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    for (unsigned n = dice.below(4);; n = (n + 1) % 4)
      if (!(cell_[i] & (1U << n)))
        return {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(n + 1)};
  }

  static void set(std::array<std::uint64_t, 4>& bits, std::size_t i, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if (on) bits[i / 64] |= bit;
    else bits[i / 64] &= ~bit;
  }

  void grow(Hex at) {
    if (pieces_ == 0) low_ = high_ = at;
    low_ = hex(std::min(low_.column, at.column), std::min(low_.down, at.down));
    high_ = hex(std::max(high_.column, at.column), std::max(high_.down, at.down));
  }

  void put(std::uint8_t at, int number) {
    const auto& ring = rings()[at];
    const auto& windows = kWindows[tournament_].at;
    ++pieces_;
    last_ = at;
    hash_ ^= engine::mixed(std::uint64_t{at} * 8 + static_cast<std::uint64_t>(number));
    const auto bit = static_cast<std::uint8_t>(number_bit(number));
    cell_[at] = static_cast<Cell>(kPiece | bit);
    clear(empty_, at);
    for (int n = 1; n <= 4; ++n)
      if (n != number) clear(may_[static_cast<std::size_t>(n - 1)], at);
    set(open_, at, false);
    for (const auto& line : ring) {
      for (const std::size_t side : {2U, 4U}) {
        const std::uint8_t next = line[side];
        if (cell_[next] & kPiece) continue;
        cell_[next] = beside(cell_[next], bit);
        clear(may_[static_cast<std::size_t>(number - 1)], next);
        set(open_, next, kRoom[cell_[next]] != 0);
      }
      std::array<unsigned, 7> lying{};
      for (std::size_t i = 0; i < 7; ++i) lying[i] = kLying[cell_[line[i]]];
      for (std::size_t first = 0; first < 4; ++first) {
        const unsigned now =
            lying[first] + 5 * lying[first + 1] + 25 * lying[first + 2] + 125 * lying[first + 3];
        if (const unsigned completes = windows[now].completes) {
          const std::uint8_t empty = line[first + windows[now].empty];
          completes_[empty] = static_cast<std::uint8_t>(completes_[empty] | completes);
          set(hot_, empty, true);
        }
      }
    }
  }

  std::array<Cell, 256> cell_{};
  std::array<std::uint8_t, 256> completes_{};  // as in Windows
  Hexes empty_ = all();
  std::array<Hexes, 4> may_{all(), all(), all(), all()};  // by number: where it lies or could lie
  std::array<std::uint64_t, 4> open_{}, hot_{};           // openings; hexes that complete lines
  std::uint64_t hash_ = 0;
  Hex low_{}, high_{};  // the bounds of the pieces
  std::uint16_t pieces_ = 0;
  std::uint8_t seats_, playing_, mover_ = 0, last_ = 0;
  std::int8_t winner_ = engine::kNobody;
  bool tournament_, over_ = false;
};

}  // namespace pbm::plotto
