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
struct LineWindows {
  struct Window {
    std::uint8_t empty_index = 0;  // the index of the only empty hex
    // For a piece there: the low four bits are the numbers that complete a line, the high four
    // bits the end numbers of a line that any number completes.
    std::uint8_t completions = 0;
  };
  std::array<Window, 625> windows{};
};
constexpr LineWindows make_windows(bool tournament) {
  LineWindows out;
  const auto partner = [&](int n) { return tournament ? (n + 1) % 4 + 1 : n; };
  for (int i = 0; i < 625; ++i) {
    const std::array<int, 4> n{i % 5, i / 5 % 5, i / 25 % 5, i / 125};
    LineWindows::Window& w = out.windows[index(i)];
    int filled = 0;
    for (int k = 0; k < 4; ++k)
      if (n[index(k)]) ++filled;
      else w.empty_index = static_cast<std::uint8_t>(k);
    if (filled != 3) continue;
    const auto bit = [](int number) { return 1U << (number - 1); };
    if (w.empty_index == 0) w.completions = static_cast<std::uint8_t>(bit(partner(n[3])));
    else if (w.empty_index == 3) w.completions = static_cast<std::uint8_t>(bit(partner(n[0])));
    else if (n[3] == partner(n[0])) w.completions = static_cast<std::uint8_t>(bit(n[0]) << 4);
  }
  return out;
}
inline constexpr std::array<LineWindows, 2> kWindows{make_windows(false), make_windows(true)};

// The number on a hex for Windows, or 0.
inline constexpr std::array<std::uint8_t, kStateCount> kPieceNumber = [] {
  std::array<std::uint8_t, kStateCount> out{};
  for (std::size_t c = 0; c < kStateCount; ++c)
    out[c] = kPieceNumberBit[c]
                 ? static_cast<std::uint8_t>(std::countr_zero(unsigned{kPieceNumberBit[c]}) + 1)
                 : 0;
  return out;
}();

class Board {
 public:
  struct Move {
    std::uint8_t hex_index = 0, number = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Board(int seats, unsigned playing, bool tournament)
      : seat_count_(static_cast<std::uint8_t>(seats)),
        playing_seats_(static_cast<std::uint8_t>(playing)),
        is_tournament_(tournament) {}
  // Adds a piece of the position, in any order. set_mover() comes last.
  void add_piece(Hex at, int number) {
    extend_bounds(at);
    place_piece(hex_index(at), number);
  }
  void set_mover(Seat mover) { mover_ = static_cast<std::uint8_t>(mover); }
  // True if the grid has room around the pieces for some more plies.
  bool has_room() const { return piece_spread() <= kMaxSpread - 2; }
  Hex move_hex(Move m) const {
    const int left = min_corner_.column - 1, top = min_corner_.row - 1;
    return make_hex(left + ((m.hex_index / kGridSide - left) & (kGridSide - 1)),
                    top + ((m.hex_index % kGridSide - top) & (kGridSide - 1)));
  }

  int seats() const { return seat_count_; }
  Seat to_move() const { return mover_; }
  bool is_playing(Seat seat) const { return (playing_seats_ & (1U << seat)) != 0; }
  bool is_over() const { return is_over_; }
  Seat winner() const { return winner_; }

  // Gives the first plies, which look the same from several sides, only once.
  template <class F>
  void each_move(F f) const {
    if (is_over_) return;
    each_opening([&](std::uint8_t at, HexState cell) {
      for (int n = 1; n <= 4; ++n)
        if (!(cell & number_bit(n))) f(Move{at, static_cast<std::uint8_t>(n)});
    });
  }

  template <class F>
  int each_sound_move(F f) const {
    bool legal = false;
    const auto threat = seat_count_ == 2 ? find_win(next_seat()) : std::nullopt;
    each_move([&](Move m) {
      const auto won = winner(completed_lines(m));
      if (won && *won != mover_) return;
      legal = true;
      if (threat) {
        // Only a piece on this hex or next to it can stop the win.
        if (m.hex_index != threat->hex_index && !is_adjacent(m.hex_index, threat->hex_index))
          return;
        Board next = *this;
        next.play(m);
        if (next.win_in_one()) return;
      }
      f(m);
    });
    return legal ? 2 : 1;
  }

  std::optional<Move> win_in_one() const { return find_win(mover_); }
  // True if the next player must be stopped from winning.
  bool is_noisy() const { return find_win(next_seat()).has_value(); }

  void play(Move m) {
    const unsigned lines = completed_lines(m);
    extend_bounds(move_hex(m));
    place_piece(m.hex_index, m.number);
    if (const auto won = winner(lines)) {
      is_over_ = true;
      winner_ = static_cast<std::int8_t>(*won);
    } else if (piece_count_ > 2 &&
               (opening_bits_[0] | opening_bits_[1] | opening_bits_[2] | opening_bits_[3]) == 0) {
      is_over_ = true;
    }
    mover_ = static_cast<std::uint8_t>(next_seat());
  }

  std::uint64_t hash() const { return hash_ ^ mover_ ^ playing_seats_ << 4; }
  std::uint64_t rules_key() const { return is_tournament_; }
  static constexpr bool kHasRepetitions = false;
  // True if pieces spread so far that the grid would meet itself.
  bool is_blind() const { return piece_spread() > kMaxSpread; }

  static constexpr int kMaxNoise = 60;
  int odds_scale() const { return 36; }
  static constexpr engine::LevelRungs kRungs{0, 13, 19, 28, 35, 43, 53, 65, 77},
      kTournamentRungs{0, 10, 13, 16, 19, 23, 27, 34, 58};
  const engine::LevelRungs& level_rungs() const {
    return seat_count_ > 2 ? engine::kDefaultRungs : is_tournament_ ? kTournamentRungs : kRungs;
  }
  template <class F>
  void evaluation_terms(F f) const {
    if (is_tournament_) {
      f("gains open lines", open_line_points());
      return;
    }
    int threats = 0;
    for (std::size_t w = 0; w < completing_bits_.size(); ++w)
      for (std::uint64_t bits = completing_bits_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + index(std::countr_zero(bits));
        if (states_[i] & kPieceBit) continue;
        const unsigned free = kNumberBits & ~states_[i];
        if (free == 0) continue;
        const unsigned who = line_owners((completions_[i] & free) | unsigned{completions_[i]} >> 4);
        const int worth = (states_[i] & kOpenBit) ? 2 : 1;
        for (unsigned seat = 0; seat < seat_count_; ++seat)
          if (who & (1U << seat)) threats += seat == mover_ ? worth : -worth;
      }
    f("gains threats", kThreatPoints * threats);
  }

  static constexpr int kHistorySlots = 256 * 4;
  int history_slot(Move m) const { return m.hex_index * 4 + m.number - 1; }
  int ordering_score(Move m) const { return completions_[m.hex_index] != 0 ? 1 : 0; }
  // True if the move may complete a line or lies next to the last piece.
  bool is_obvious(Move m) const {
    if (completions_[m.hex_index]) return true;
    return is_adjacent(m.hex_index, last_index_);
  }

  // Returns a random ply for a playout. It stops a win of the next player, and gives no opponent a
  // line if another ply is found soon. Pre: not is_over().
  Move playout_move(engine::Dice& dice) const {
    if (const auto danger = find_win(next_seat())) {
      const HexState cell = states_[danger->hex_index];
      const auto first = dice.random_below(4);
      for (unsigned k = 0; k < 4; ++k) {
        const Move m{danger->hex_index, static_cast<std::uint8_t>((first + k) % 4 + 1)};
        if (!(cell & number_bit(m.number)) && !winner(completed_lines(m))) return m;
      }
    }
    Move m{};
    for (int tries = 0; tries < 3; ++tries) {
      m = random_move(dice);
      const auto won = winner(completed_lines(m));
      if (!won || *won == mover_) break;
    }
    return m;
  }

 private:
  static constexpr int kGridSide = 16, kMaxSpread = 12;
  static constexpr int kThreatPoints = 20, kLinePoints = 7;

  static std::uint8_t hex_index(Hex at) {
    return static_cast<std::uint8_t>((at.column & (kGridSide - 1)) * kGridSide +
                                     (at.row & (kGridSide - 1)));
  }
  // The hexes up to three steps away: [hex][axis][steps + 3].
  using LineHexes = std::array<std::array<std::array<std::uint8_t, 7>, 3>, 256>;
  static constexpr LineHexes make_line_hexes() {
    LineHexes out{};
    for (int at = 0; at < 256; ++at)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (int steps = -3; steps <= 3; ++steps) {
          const int column = at / kGridSide + steps * kAxisSteps[axis].column,
                    down = at % kGridSide + steps * kAxisSteps[axis].row;
          out[index(at)][axis][index(steps + 3)] = static_cast<std::uint8_t>(
              (column & (kGridSide - 1)) * kGridSide + (down & (kGridSide - 1)));
        }
    return out;
  }
  static const LineHexes& line_hexes() {
    static const LineHexes all = make_line_hexes();
    return all;
  }

  static bool is_adjacent(std::uint8_t a, std::uint8_t b) {
    const auto& around = line_hexes()[a];
    return std::ranges::any_of(around,
                               [&](const auto& line) { return line[2] == b || line[4] == b; });
  }

  int piece_spread() const {
    return std::max(max_corner_.column - min_corner_.column, max_corner_.row - min_corner_.row);
  }
  Seat next_seat() const {
    Seat seat = mover_;
    do seat = (seat + 1) % seat_count_;
    while (!is_playing(seat));
    return seat;
  }

  // Returns the seats, as bits, whose lines end in these numbers.
  unsigned line_owners(unsigned numbers) const {
    return (is_tournament_ ? numbers | numbers >> 2 : numbers) & playing_seats_;
  }
  unsigned completed_lines(Move m) const {
    const unsigned c = completions_[m.hex_index];
    return line_owners((c & number_bit(m.number)) | c >> 4);
  }
  // rules/plotto.md, "Winning".
  std::optional<Seat> winner(unsigned seats) const {
    if (seats & (1U << mover_)) return mover_;
    if (seats != 0 && (seats & (seats - 1)) == 0) return std::countr_zero(seats);
    return std::nullopt;
  }

  // Returns a ply that would win for `seat` if it were their turn.
  std::optional<Move> find_win(Seat seat) const {
    const unsigned own = 1U << seat, numbers = is_tournament_ ? own | own << 2 : own;
    for (std::size_t w = 0; w < completing_bits_.size(); ++w)
      for (std::uint64_t bits = completing_bits_[w] & opening_bits_[w]; bits != 0;
           bits &= bits - 1) {
        const std::size_t i = w * 64 + index(std::countr_zero(bits));
        const unsigned c = completions_[i], free = kNumberBits & ~unsigned{states_[i]},
                       wins = (c >> 4 & numbers) != 0 ? free : c & free & numbers;
        if (wins != 0)
          return Move{static_cast<std::uint8_t>(i),
                      static_cast<std::uint8_t>(std::countr_zero(wins) + 1)};
      }
    return std::nullopt;
  }

  // One bit for each hex, by column. The first three columns are repeated at the end, so that no
  // line wraps round.
  using HexColumns = std::array<std::uint16_t, kGridSide + 3>;
  static constexpr HexColumns all_hexes() {
    HexColumns out{};
    out.fill(0xFFFF);
    return out;
  }
  static void clear_hex(HexColumns& of, std::size_t at) {
    const auto others = static_cast<std::uint16_t>(~(1U << at % kGridSide));
    const std::size_t column = at / kGridSide;
    of[column] &= others;
    if (column < 3) of[column + kGridSide] &= others;
  }

  // Returns the value of the mover's open lines, less that of the opponent's, for two seats. An
  // open line has two or three pieces and can still be completed. Its weight, 2 or 5, comes from a
  // regression over who won 500 tournaments (t/bench/fit.cpp). This had 70 +-8 of 100 games against
  // a count of all unblocked lines. The code handles eight columns at a time.
  int open_line_points() const {
    using Columns [[gnu::vector_size(16)]] = std::uint16_t;
    const auto counted = [](Columns x) {  // the set bits of each byte
      x -= (x >> 1) & std::uint16_t{0x5555};
      x = (x & std::uint16_t{0x3333}) + ((x >> 2) & std::uint16_t{0x3333});
      return (x + (x >> 4)) & std::uint16_t{0x0F0F};
    };
    std::array<Columns, 2> promised{};  // by seat and byte
    for (std::size_t axis = 0; axis < kAxisCount; ++axis)
      for (std::size_t column = 0; column < kGridSide; column += 8) {
        // For each hex, the bit of the hex that lies `steps` farther along the axis.
        const auto seen = [&](const HexColumns& of, int steps) {
          Columns out;
          const int from = static_cast<int>(column) + kAxisSteps[axis].column * steps,
                    down = kAxisSteps[axis].row * steps & (kGridSide - 1);
          std::memcpy(&out, of.data() + from, sizeof out);
          return down == 0 ? out : out >> down | out << (kGridSide - down);
        };
        const auto seen_any = [&](int steps) {
          return seen(possible_hexes_[0], steps) | seen(possible_hexes_[1], steps) |
                 seen(possible_hexes_[2], steps) | seen(possible_hexes_[3], steps);
        };
        const Columns a = ~seen(empty_hexes_, 0), b = ~seen(empty_hexes_, 1),
                      c = ~seen(empty_hexes_, 2), d = ~seen(empty_hexes_, 3), one_of_ab = a ^ b,
                      one_of_cd = c ^ d,
                      two = (((a & b) ^ (c & d)) & ~(one_of_ab | one_of_cd)) |
                            (one_of_ab & one_of_cd),
                      three = (a & b & one_of_cd) | (c & d & one_of_ab),
                      within = seen_any(1) & seen_any(2);
        const auto ends = [&](std::size_t n) {
          return seen(possible_hexes_[n], 0) & seen(possible_hexes_[n ^ 2U], 3);
        };
        for (std::size_t seat = 0; seat < 2; ++seat) {
          const Columns open = within & (ends(seat) | ends(seat + 2));
          promised[seat] += 2 * counted(open & two) + 5 * counted(open & three);
        }
      }
    const Columns mine = promised[mover_], theirs = promised[1U - mover_];
    int sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += (mine[i] >> 8) + (mine[i] & 0xFF) - (theirs[i] >> 8) - (theirs[i] & 0xFF);
    return kLinePoints * sum;
  }

  template <class F>
  void each_opening(F f) const {
    if (piece_count_ == 0) {
      f(hex_index(Hex{}), HexState{0});
      return;
    }
    if (piece_count_ == 1) {  // six sides, all equivalent
      const std::uint8_t side = line_hexes()[last_index_][0][4];
      f(side, states_[side]);
      return;
    }
    for (std::size_t w = 0; w < opening_bits_.size(); ++w)
      for (std::uint64_t bits = opening_bits_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t i = w * 64 + index(std::countr_zero(bits));
        f(static_cast<std::uint8_t>(i), states_[i]);
        if (piece_count_ == 2) return;  // two openings, mirror images of each other
      }
  }

  Move random_move(engine::Dice& dice) const {
    if (piece_count_ < 2) {
      Move out{};
      unsigned n = 0;
      each_move([&](Move m) {
        if (dice.random_below(++n) == 0) out = m;
      });
      return out;
    }
    std::array<int, 4> counts{};
    int all = 0;
    for (std::size_t w = 0; w < 4; ++w) all += counts[w] = engine::count_bits(opening_bits_[w]);
    auto nth = static_cast<int>(dice.random_below(static_cast<std::uint32_t>(all)));
    std::size_t w = 0;
    while (nth >= counts[w]) nth -= counts[w++];
    std::uint64_t bits = opening_bits_[w];
    for (; nth > 0; --nth) bits &= bits - 1;
    const std::size_t i = w * 64 + index(std::countr_zero(bits));
    for (unsigned n = dice.random_below(4);; n = (n + 1) % 4)
      if (!(states_[i] & (1U << n)))
        return {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(n + 1)};
  }

  static void set_bit(std::array<std::uint64_t, 4>& bits, std::size_t i, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if (on) bits[i / 64] |= bit;
    else bits[i / 64] &= ~bit;
  }

  void extend_bounds(Hex at) {
    if (piece_count_ == 0) min_corner_ = max_corner_ = at;
    min_corner_ =
        make_hex(std::min(min_corner_.column, at.column), std::min(min_corner_.row, at.row));
    max_corner_ =
        make_hex(std::max(max_corner_.column, at.column), std::max(max_corner_.row, at.row));
  }

  void place_piece(std::uint8_t at, int number) {
    const auto& ring = line_hexes()[at];
    const auto& windows = kWindows[is_tournament_].windows;
    ++piece_count_;
    last_index_ = at;
    hash_ ^= engine::mix_bits(std::uint64_t{at} * 8 + static_cast<std::uint64_t>(number));
    const auto bit = static_cast<std::uint8_t>(number_bit(number));
    states_[at] = static_cast<HexState>(kPieceBit | bit);
    clear_hex(empty_hexes_, at);
    for (int n = 1; n <= 4; ++n)
      if (n != number) clear_hex(possible_hexes_[index(n - 1)], at);
    set_bit(opening_bits_, at, false);
    for (const auto& line : ring) {
      for (const std::size_t side : {2U, 4U}) {
        const std::uint8_t next = line[side];
        if (states_[next] & kPieceBit) continue;
        states_[next] = add_neighbour(states_[next], bit);
        clear_hex(possible_hexes_[index(number - 1)], next);
        set_bit(opening_bits_, next, kFreeNumberCount[states_[next]] != 0);
      }
      std::array<unsigned, 7> lying{};
      for (std::size_t i = 0; i < 7; ++i) lying[i] = kPieceNumber[states_[line[i]]];
      for (std::size_t first = 0; first < 4; ++first) {
        const unsigned now =
            lying[first] + 5 * lying[first + 1] + 25 * lying[first + 2] + 125 * lying[first + 3];
        if (const unsigned completes = windows[now].completions) {
          const std::uint8_t empty = line[first + windows[now].empty_index];
          completions_[empty] = static_cast<std::uint8_t>(completions_[empty] | completes);
          set_bit(completing_bits_, empty, true);
        }
      }
    }
  }

  std::array<HexState, 256> states_{};
  std::array<std::uint8_t, 256> completions_{};  // as in Windows
  HexColumns empty_hexes_ = all_hexes();
  std::array<HexColumns, 4> possible_hexes_{all_hexes(), all_hexes(), all_hexes(),
                                            all_hexes()};  // by number: where it lies or could lie
  std::array<std::uint64_t, 4> opening_bits_{},
      completing_bits_{};  // openings; hexes that complete lines
  std::uint64_t hash_ = 0;
  Hex min_corner_{}, max_corner_{};  // the bounds of the pieces
  std::uint16_t piece_count_ = 0;
  std::uint8_t seat_count_, playing_seats_, mover_ = 0, last_index_ = 0;
  std::int8_t winner_ = engine::kNobody;
  bool is_tournament_, is_over_ = false;
};

}  // namespace pbm::plotto
