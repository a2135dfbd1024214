// SPDX-License-Identifier: MIT
// Toot and Tootris for the engine: the letters as two sets of bits, the threats, and the plies
// worth a look. It tests all lines at once (after the bitboards of Connect Four, Tromp 1995). For
// boards that fit into the word; leaves larger ones, and the rules, to toot.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "engine/board.hpp"
#include "engine/levels.hpp"

namespace pbm::toot {

// A word of 128 bits for processors of 32 bits, where the compiler has none.
struct TwoWords {
  std::uint64_t low = 0, high = 0;
  constexpr TwoWords() = default;
  constexpr TwoWords(std::uint64_t word, std::uint64_t upper = 0) : low(word), high(upper) {}
  constexpr explicit operator std::uint64_t() const { return low; }
  constexpr explicit operator bool() const { return (low | high) != 0; }
  constexpr TwoWords operator~() const { return {~low, ~high}; }
  constexpr TwoWords operator<<(int n) const {
    if (n >= 64) return {0, low << (n - 64)};
    return {low << n, high << n | low >> 1 >> (63 - n)};
  }
  constexpr TwoWords operator>>(int n) const {
    if (n >= 64) return {high >> (n - 64)};
    return {low >> n | high << 1 << (63 - n), high >> n};
  }
  friend constexpr TwoWords operator&(TwoWords a, TwoWords b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr TwoWords operator|(TwoWords a, TwoWords b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr TwoWords operator^(TwoWords a, TwoWords b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  friend constexpr TwoWords operator-(TwoWords a, TwoWords b) {
    return {a.low - b.low, a.high - b.high - (a.low < b.low)};
  }
  constexpr TwoWords& operator&=(TwoWords b) { return *this = *this & b; }
  constexpr TwoWords& operator|=(TwoWords b) { return *this = *this | b; }
  constexpr TwoWords& operator>>=(int n) { return *this = *this >> n; }
  friend constexpr bool operator==(TwoWords, TwoWords) = default;
};
#ifdef __SIZEOF_INT128__
__extension__ using Word128 = unsigned __int128;
#else
using Word128 = TwoWords;
#endif

inline int count_bits(std::uint64_t bits) { return engine::count_bits(bits); }
template <class Word>
int count_bits(Word bits) {
  return engine::count_bits(static_cast<std::uint64_t>(bits)) +
         engine::count_bits(static_cast<std::uint64_t>(bits >> 64));
}
inline int lowest_bit(std::uint64_t bits) { return std::countr_zero(bits); }
template <class Word>
int lowest_bit(Word bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low ? std::countr_zero(low)
             : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
}
inline std::uint64_t hash_word(std::uint64_t bits) { return engine::mix_bits(bits); }
template <class Word>
std::uint64_t hash_word(Word bits) {
  return engine::mix_bits(static_cast<std::uint64_t>(bits) +
                          engine::mix_bits(static_cast<std::uint64_t>(bits >> 64)));
}

inline constexpr int kT = 0, kO = 1;

// The words of T and of O, for operations on both at once.
template <class Word>
struct LetterWords {
  Word t, o;
  Word operator[](int letter) const { return letter == kT ? t : o; }
  LetterWords operator<<(int n) const { return {t << n, o << n}; }
  LetterWords operator>>(int n) const { return {t >> n, o >> n}; }
  LetterWords operator&(Word mask) const { return {t & mask, o & mask}; }
  LetterWords operator&(LetterWords other) const { return {t & other.t, o & other.o}; }
  LetterWords operator|(LetterWords other) const { return {t | other.t, o | other.o}; }
  LetterWords& operator|=(LetterWords other) { return *this = *this | other; }
};
template <class Word>
LetterWords<Word> swap_letters(LetterWords<Word> x) {
  return {x.o, x.t};
}
using LetterWords64 __attribute__((vector_size(16))) = std::uint64_t;  // the same in one register
inline LetterWords64 swap_letters(LetterWords64 x) { return LetterWords64{x[1], x[0]}; }

template <class Word, bool kTootris>
class Board {
 public:
  struct Move {
    std::uint8_t bit = 255;  // of the cell where the letter lands; 255: none yet
    std::uint8_t letter = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };
  static constexpr int kWordBits = static_cast<int>(sizeof(Word)) * CHAR_BIT;
  // True if the board fits into a word, and so does a name on a diagonal.
  static bool can_hold(int width, int height) {
    return width * height <= kWordBits && 3 * (height + 1) < kWordBits;
  }

  Board(int width, int height, Seat mover)
      : stride_(static_cast<std::uint8_t>(height)),
        width_(static_cast<std::uint8_t>(width)),
        mover_(static_cast<std::uint8_t>(mover)) {
    for (int c = 0; c < width; ++c) {
      bottom_row_ |= Word{1} << (c * stride_);
      board_cells_ |= ((Word{1} << height) - 1) << (c * stride_);
    }
    if (height >= 4)
      upper_rows_ = board_cells_ & ~(bottom_row_ | bottom_row_ << 1 | bottom_row_ << 2);
  }
  // Set up a position: first the letters on the board and in stock, then begin().
  void put_letter(int column, int row, int letter) {
    letters_[static_cast<std::size_t>(letter)] |= Word{1} << (column * stride_ + row);
  }
  void set_stock(Seat seat, int letter, int n) {
    stock_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(letter)] =
        static_cast<std::uint8_t>(n);
  }
  void finish_setup() { find_completions(); }
  bool has_size(int width, int height) const { return width_ == width && stride_ == height; }
  int move_column(Move m) const { return m.bit / stride_; }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool is_over() const { return winner_ != kNotOver; }
  Seat winner() const { return winner_ == kNotOver ? engine::kNobody : winner_; }

  template <class F>
  void each_move(F f) const {
    each_move_in(landing_cells(), f);
  }

  // Leaves out the moves that lose at once. If no move remains, returns in how many plies the game
  // is lost. Pre: there is no win in one.
  template <class F>
  int each_sound_move(F f) const {
    const Word land = landing_cells();
    const CompletionCells& theirs = completion_cells(1 - mover_);
    const Word threats = land & playable_completions(theirs, 1 - mover_);
    const Word where = threats == 0 ? land : (threats & (threats - 1)) == 0 ? threats : Word{0};
    bool legal = false;
    const auto give = [&](Move m) {
      const Word cell = Word{1} << m.bit;
      if (theirs[m.letter] & cell) return;
      legal = true;
      if ((where & cell) || clears_row(cell)) f(m);
    };
    each_move_in(land, give);
    return legal ? 2 : 1;
  }

  std::optional<Move> win_in_one() const {
    const Word land = landing_cells();
    const CompletionCells& mine = completion_cells(mover_);
    for (const int letter : {kT, kO})
      if (const Word wins = mine[static_cast<std::size_t>(letter)] & land;
          wins != 0 && has_letter(mover_, letter))
        return Move{static_cast<std::uint8_t>(lowest_bit(wins)), static_cast<std::uint8_t>(letter)};
    return std::nullopt;
  }

  void play(Move m) {
    const Word cell = Word{1} << m.bit;
    const Seat other = 1 - mover_;
    // rules/toot.md, "Winning", "Tootris": names come before rows, the player's name before the
    // other.
    if (completes_name(mover_, cell, m.letter)) winner_ = static_cast<std::int8_t>(mover_);
    else if (completes_name(other, cell, m.letter)) winner_ = static_cast<std::int8_t>(other);
    const bool clearing = clears_row(cell);
    letters_[m.letter] |= cell;
    if (!kTootris) --stock_[mover_][m.letter];
    if (winner_ == kNotOver) {
      if (clearing)
        for (Word& letters : letters_) letters = (letters & ~bottom_row_) >> 1;
      else if (filled_cells() == board_cells_) winner_ = engine::kNobody;
    }
    mover_ ^= 1U;
    find_completions();
  }

  std::uint64_t hash() const {
    std::uint64_t rest = mover_;
    if (!kTootris)
      for (const auto& of_seat : stock_)
        for (const std::uint8_t n : of_seat) rest = rest << 8 | n;
    return hash_word(letters_[0]) + 3 * hash_word(letters_[1] ^ (Word{rest} << 20)) + rest;
  }

  bool can_win(Seat seat) const
    requires(!kTootris)
  {
    Word any = 0;
    each_open_line(seat, [&](int, Word open) { any |= open; });
    return any != 0;
  }
  // Mirror images are equal, and so are boards that differ in letters on lines without a future, or
  // in stocks that cannot run out.
  std::uint64_t outcome_key() const
    requires(!kTootris)
  {
    Word useful = 0;
    for (const Seat seat : {0, 1})
      each_open_line(seat, [&](int s, Word open) {
        useful |= open | open << s | open << 2 * s | open << 3 * s;
      });
    const int left = plies_left();
    std::uint64_t rest = mover_;
    for (const Seat seat : {0, 1})
      for (const std::uint8_t n : stock_[static_cast<std::size_t>(seat)])
        rest = rest << 8 | static_cast<unsigned>(std::min<int>(n, (left + (seat == mover_)) / 2));
    const Word t = letters_[kT] & useful, o = letters_[kO] & useful, all = filled_cells();
    const auto key = [](Word ts, Word os, Word filled) {
      return hash_word(ts) + 3 * hash_word(os) + 5 * hash_word(filled);
    };
    return std::min(key(t, o, all), key(mirror_image(t), mirror_image(o), mirror_image(all))) +
           7 * engine::mix_bits(rest);
  }

  std::uint64_t rules_key() const { return stride_ << 9U | width_ << 1U | unsigned{kTootris}; }

  static constexpr bool kHasRepetitions = kTootris;
  int plies_left() const { return kTootris ? INT_MAX : count_bits(board_cells_ & ~filled_cells()); }

  static constexpr bool kIsForTwo = true;
  bool has_forced_lines() const { return true; }
  static constexpr bool kAllowsReductions = true;
  static constexpr int kMaxNoise = 60;
  int odds_scale() const { return 20; }
  static constexpr engine::LevelRungs kRungs =
      kTootris ? engine::LevelRungs{0, 11, 16, 19, 29, 41, 53, 65, 80}
               : engine::LevelRungs{0, 13, 18, 26, 37, 48, 60, 70, 82};
  // Boards of at least this many cells have steps of their own.
  static constexpr int kLargeCells = 40;
  static constexpr engine::LevelRungs kLargeRungs{0, 11, 17, 21, 31, 39, 49, 59, 69};
  const engine::LevelRungs& level_rungs() const {
    return !kTootris && count_bits(board_cells_) >= kLargeCells ? kLargeRungs : kRungs;
  }
  // Points of 100 against itself without one term (1,000 games, 3,000 positions a ply), on 6x4, in
  // Tootris and on 7x9: threats 54.0, 51.4 and 64.1, open lines 55.8, 57.7 and 55.3, all +-2.
  template <class F>
  void evaluation_terms(F f) const {
    const CompletionCells &mine = completion_cells(mover_), &theirs = completion_cells(1 - mover_);
    const Word empty = board_cells_ & ~filled_cells();
    f("gains threats", kThreatPoints * (count_bits((mine[kT] | mine[kO]) & empty) -
                                        count_bits((theirs[kT] | theirs[kO]) & empty)));
    f("gains open lines", kLinePoints * (count_open_lines(mover_) - count_open_lines(1 - mover_)));
  }

  static constexpr int kHistorySlots = 2 * 128;
  int history_slot(Move m) const { return 2 * m.bit + m.letter; }
  int ordering_score(Move m) const {
    const int from_middle = 2 * (m.bit / stride_) + 1 - width_;
    return from_middle < 3 && from_middle > -3 ? 1 : 0;
  }

 private:
  using LetterPair =
      std::conditional_t<std::is_same_v<Word, std::uint64_t>, LetterWords64, LetterWords<Word>>;
  using CompletionCells = std::array<Word, 2>;  // by letter: the cells where it completes a name
  static constexpr std::int8_t kNotOver = -2;
  static constexpr int kThreatPoints = 14, kLinePoints = 2;

  Word filled_cells() const { return letters_[0] | letters_[1]; }
  Word landing_cells() const {
    return (filled_cells() << 1 | bottom_row_) & board_cells_ & ~filled_cells();
  }
  bool has_letter(Seat seat, int letter) const {
    return kTootris || stock_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(letter)] > 0;
  }
  // True if a letter on `cell` fills the bottom row of Tootris.
  bool clears_row(Word cell) const {
    return kTootris && ((filled_cells() | cell) & bottom_row_) == bottom_row_;
  }

  template <class F>
  void each_move_in(Word land, F f) const {
    const bool t = has_letter(mover_, kT), o = has_letter(mover_, kO);
    for (; land != 0; land &= land - 1) {
      const auto bit = static_cast<std::uint8_t>(lowest_bit(land));
      if (o) f(Move{bit, kO});
      if (t) f(Move{bit, kT});
    }
  }

  const CompletionCells& completion_cells(Seat seat) const {
    return completion_cells_[static_cast<std::size_t>(seat)];
  }

  // Finds the cells where a letter completes a name, as an outer letter (T of TOOT, O of OTTO) or
  // an inner one (O of TOOT, T of OTTO). A word holds the columns one after the other. Masks keep
  // lines out that would run over the top of a column into the next one.
  void find_completions() {
    const LetterPair x{letters_[kT], letters_[kO]};
    LetterPair outer{}, inner{};
    const auto along = [&](int s, Word first, Word second, Word third, Word fourth)
        __attribute__((always_inline)) {
      const LetterPair before = x << s, before2 = x << 2 * s, behind = x >> s, behind2 = x >> 2 * s;
      const LetterPair other_before = swap_letters(before), other_behind = swap_letters(behind);
      outer |= (other_behind & swap_letters(behind2) & (x >> 3 * s) & first) |
               (other_before & swap_letters(before2) & (x << 3 * s) & fourth);
      inner |=
          (before & other_behind & behind2 & second) | (other_before & before2 & behind & third);
    };
    const Word all = ~Word{0}, first = upper_rows_ >> 3, second = upper_rows_ >> 2,
               third = upper_rows_ >> 1;
    along(stride_, all, all, all, all);
    along(1, first, second, third, upper_rows_);
    along(stride_ + 1, first, second, third, upper_rows_);
    along(stride_ - 1, upper_rows_, third, second, first);
    completion_cells_[0] = {outer[kT], inner[0]};
    completion_cells_[1] = {inner[1], outer[kO]};
  }
  Word playable_completions(const CompletionCells& spelling, Seat seat) const {
    return (has_letter(seat, kT) ? spelling[kT] : 0) | (has_letter(seat, kO) ? spelling[kO] : 0);
  }
  bool completes_name(Seat seat, Word cell, int letter) const {
    return (completion_cells(seat)[static_cast<std::size_t>(letter)] & cell) != 0;
  }

  // Calls f(step, first cells) for the lines on which the seat's name still fits.
  template <class F>
  void each_open_line(Seat seat, F f) const {
    const Word outer = board_cells_ & ~letters_[static_cast<std::size_t>(1 - seat)],
               inner = board_cells_ & ~letters_[static_cast<std::size_t>(seat)];
    const auto along = [&](int s, Word first) {
      f(s, first & outer & (inner >> s) & (inner >> 2 * s) & (outer >> 3 * s));
    };
    along(stride_, ~Word{0});
    along(1, upper_rows_ >> 3);
    along(stride_ + 1, upper_rows_ >> 3);
    along(stride_ - 1, upper_rows_);
  }
  int count_open_lines(Seat seat) const {
    const Word any = filled_cells();
    int sum = 0;
    each_open_line(seat, [&](int s, Word open) {  // lines with a letter
      sum += count_bits(open & (any | (any >> s) | (any >> 2 * s) | (any >> 3 * s)));
    });
    return sum;
  }
  Word mirror_image(Word cells) const {
    Word out = 0;
    for (int c = 0; c < width_; ++c, cells >>= stride_)
      out = out << stride_ | (cells & ((Word{1} << stride_) - 1));
    return out;
  }

  std::array<Word, 2> letters_{};  // column by column from the bottom
  Word bottom_row_ = 0, board_cells_ = 0;
  Word upper_rows_ = 0;  // the rows from the fourth up, where a rising name can end
  std::array<CompletionCells, 2> completion_cells_{};  // by the seat whose name it is
  std::array<std::array<std::uint8_t, 2>, 2> stock_{};
  std::uint8_t stride_, width_, mover_;
  std::int8_t winner_ = kNotOver;
};

}  // namespace pbm::toot
