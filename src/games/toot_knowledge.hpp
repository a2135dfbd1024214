// SPDX-License-Identifier: MIT
// Toot and Tootris for the engine: the letters as two sets of bits, the threats, and the plies
// worth a look. It tests all lines at once (after the bitboards of Connect Four, Tromp 1995). For
// boards that fit into the word; leaves larger ones, and the rules, to toot.cpp.
#pragma once

#include <array>
#include <bit>
#include <climits>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "engine/board.hpp"
#include "engine/levels.hpp"

namespace pbm::toot {

__extension__ using Wide = unsigned __int128;

inline int count(std::uint64_t bits) { return engine::bits_in(bits); }
inline int count(Wide bits) {
  return engine::bits_in(static_cast<std::uint64_t>(bits)) +
         engine::bits_in(static_cast<std::uint64_t>(bits >> 64));
}
inline int lowest(std::uint64_t bits) { return std::countr_zero(bits); }
inline int lowest(Wide bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  return low ? std::countr_zero(low)
             : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
}
inline std::uint64_t folded(std::uint64_t bits) { return engine::mixed(bits); }
inline std::uint64_t folded(Wide bits) {
  return engine::mixed(static_cast<std::uint64_t>(bits) +
                       engine::mixed(static_cast<std::uint64_t>(bits >> 64)));
}

inline constexpr int kT = 0, kO = 1;

// The words of T and of O, for operations on both at once.
template <class Word>
struct Two {
  Word t, o;
  Word operator[](int letter) const { return letter == kT ? t : o; }
  Two operator<<(int n) const { return {t << n, o << n}; }
  Two operator>>(int n) const { return {t >> n, o >> n}; }
  Two operator&(Word mask) const { return {t & mask, o & mask}; }
  Two operator&(Two other) const { return {t & other.t, o & other.o}; }
  Two operator|(Two other) const { return {t | other.t, o | other.o}; }
  Two& operator|=(Two other) { return *this = *this | other; }
};
inline Two<Wide> swapped(Two<Wide> x) { return {x.o, x.t}; }
using Two64 __attribute__((vector_size(16))) = std::uint64_t;  // the same in one register
inline Two64 swapped(Two64 x) { return Two64{x[1], x[0]}; }

template <class Word, bool kTootris>
class Board {
 public:
  struct Move {
    std::uint8_t bit = 255;  // of the cell where the letter lands; 255: none yet
    std::uint8_t letter = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };
  static constexpr int kWord = static_cast<int>(sizeof(Word)) * CHAR_BIT;
  // True if the board fits into a word, and so does a name on a diagonal.
  static bool fits(int width, int height) {
    return width * height <= kWord && 3 * (height + 1) < kWord;
  }

  Board(int width, int height, Seat mover)
      : stride_(static_cast<std::uint8_t>(height)),
        width_(static_cast<std::uint8_t>(width)),
        mover_(static_cast<std::uint8_t>(mover)) {
    for (int c = 0; c < width; ++c) {
      bottom_ |= Word{1} << (c * stride_);
      board_ |= ((Word{1} << height) - 1) << (c * stride_);
    }
    if (height >= 4) tops_ = board_ & ~(bottom_ | bottom_ << 1 | bottom_ << 2);
  }
  // Set up a position: first the letters on the board and in stock, then begin().
  void put(int column, int row, int letter) {
    letters_[static_cast<std::size_t>(letter)] |= Word{1} << (column * stride_ + row);
  }
  void set_stock(Seat seat, int letter, int n) {
    stock_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(letter)] =
        static_cast<std::uint8_t>(n);
  }
  void begin() { look(); }
  int column(Move m) const { return m.bit / stride_; }
  // Pre: the column is not full.
  Move move_of(int column, int letter) const {
    const Word all = landings() >> (column * stride_) & ((Word{1} << stride_) - 1);
    return {static_cast<std::uint8_t>(column * stride_ + lowest(all)),
            static_cast<std::uint8_t>(letter)};
  }
  Board mirrored() const {
    Board out = *this;
    for (Word& letters : out.letters_) {
      Word turned = 0;
      for (int c = 0; c < width_; ++c, letters >>= stride_)
        turned = turned << stride_ | (letters & ((Word{1} << stride_) - 1));
      letters = turned;
    }
    out.look();
    return out;
  }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool over() const { return winner_ != kPlaying; }
  Seat winner() const { return winner_ == kPlaying ? engine::kNobody : winner_; }

  template <class F>
  void each_move(F f) const {
    each_move_on(landings(), f);
  }

  // Leaves out the moves that lose at once. If no move remains, returns in how many plies the game
  // is lost. Pre: there is no win in one.
  template <class F>
  int each_sound_move(F f) const {
    const Word land = landings();
    const Spelling& theirs = spelling(1 - mover_);
    const Word threats = land & will_spell(theirs, 1 - mover_);
    const Word where = threats == 0 ? land : (threats & (threats - 1)) == 0 ? threats : Word{0};
    bool legal = false;
    const auto give = [&](Move m) {
      const Word cell = Word{1} << m.bit;
      if (theirs[m.letter] & cell) return;
      legal = true;
      if ((where & cell) || clears(cell)) f(m);
    };
    each_move_on(land, give);
    return legal ? 2 : 1;
  }

  std::optional<Move> win_in_one() const {
    const Word land = landings();
    const Spelling& mine = spelling(mover_);
    for (const int letter : {kT, kO})
      if (const Word wins = mine[static_cast<std::size_t>(letter)] & land;
          wins != 0 && has(mover_, letter))
        return Move{static_cast<std::uint8_t>(lowest(wins)), static_cast<std::uint8_t>(letter)};
    return std::nullopt;
  }

  void play(Move m) {
    const Word cell = Word{1} << m.bit;
    const Seat other = 1 - mover_;
    // rules/toot.md, "Winning", "Tootris": names come before rows, the player's name before the
    // other.
    if (spells(mover_, cell, m.letter)) winner_ = static_cast<std::int8_t>(mover_);
    else if (spells(other, cell, m.letter)) winner_ = static_cast<std::int8_t>(other);
    const bool clearing = clears(cell);
    letters_[m.letter] |= cell;
    if (!kTootris) --stock_[mover_][m.letter];
    if (winner_ == kPlaying) {
      if (clearing)
        for (Word& letters : letters_) letters = (letters & ~bottom_) >> 1;
      else if (filled() == board_) winner_ = engine::kNobody;
    }
    mover_ ^= 1U;
    look();
  }

  std::uint64_t hash() const {
    std::uint64_t rest = mover_;
    if (!kTootris)
      for (const auto& of_seat : stock_)
        for (const std::uint8_t n : of_seat) rest = rest << 8 | n;
    return folded(letters_[0]) + 3 * folded(letters_[1] ^ (Word{rest} << 20)) + rest;
  }

  std::uint64_t rules() const { return stride_ << 9U | width_ << 1U | unsigned{kTootris}; }

  static constexpr bool kRepeats = kTootris;
  int plies_left() const { return kTootris ? INT_MAX : count(board_ & ~filled()); }

  static constexpr bool kForTwo = true;
  bool forces() const { return true; }
  static constexpr bool kReduces = true;
  static constexpr int kNoise = 60;
  int scale() const { return 20; }
  static constexpr engine::Rungs kRungs = kTootris
                                              ? engine::Rungs{0, 15, 20, 32, 39, 47, 56, 66, 80}
                                              : engine::Rungs{0, 16, 20, 32, 40, 51, 61, 70, 82};
  const engine::Rungs& rungs() const { return kRungs; }
  // Points of 100 against itself without one term (1,000 games, 3,000 positions a ply), on 6x4, in
  // Tootris and on 7x9: threats 54.0, 51.4 and 64.1, open lines 55.8, 57.7 and 55.3, all +-2.
  template <class F>
  void terms(F f) const {
    const Spelling &mine = spelling(mover_), &theirs = spelling(1 - mover_);
    const Word empty = board_ & ~filled();
    f("threats",
      kThreat * (count((mine[kT] | mine[kO]) & empty) - count((theirs[kT] | theirs[kO]) & empty)));
    f("open lines", kLine * (open_lines(mover_) - open_lines(1 - mover_)));
  }

  static constexpr int kSlots = 2 * 128;
  int slot(Move m) const { return 2 * m.bit + m.letter; }
  int promise(Move m) const {
    const int from_middle = 2 * (m.bit / stride_) + 1 - width_;
    return from_middle < 3 && from_middle > -3 ? 1 : 0;
  }

 private:
  using Both = std::conditional_t<std::is_same_v<Word, std::uint64_t>, Two64, Two<Word>>;
  using Spelling = std::array<Word, 2>;  // by letter: the cells where it completes a name
  static constexpr std::int8_t kPlaying = -2;
  static constexpr int kThreat = 14, kLine = 2;

  Word filled() const { return letters_[0] | letters_[1]; }
  Word landings() const { return (filled() << 1 | bottom_) & board_ & ~filled(); }
  bool has(Seat seat, int letter) const {
    return kTootris || stock_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(letter)] > 0;
  }
  // True if a letter on `cell` fills the bottom row of Tootris.
  bool clears(Word cell) const { return kTootris && ((filled() | cell) & bottom_) == bottom_; }

  template <class F>
  void each_move_on(Word land, F f) const {
    const bool t = has(mover_, kT), o = has(mover_, kO);
    for (; land != 0; land &= land - 1) {
      const auto bit = static_cast<std::uint8_t>(lowest(land));
      if (o) f(Move{bit, kO});
      if (t) f(Move{bit, kT});
    }
  }

  const Spelling& spelling(Seat seat) const { return spelled_[static_cast<std::size_t>(seat)]; }

  // Finds the cells where a letter completes a name, as an outer letter (T of TOOT, O of OTTO) or
  // an inner one (O of TOOT, T of OTTO). A word holds the columns one after the other. Masks keep
  // lines out that would run over the top of a column into the next one.
  void look() {
    const Both x{letters_[kT], letters_[kO]};
    Both outer{}, inner{};
    const auto along = [&](int s, Word first, Word second, Word third, Word fourth)
        __attribute__((always_inline)) {
      const Both before = x << s, before2 = x << 2 * s, behind = x >> s, behind2 = x >> 2 * s;
      const Both other_before = swapped(before), other_behind = swapped(behind);
      outer |= (other_behind & swapped(behind2) & (x >> 3 * s) & first) |
               (other_before & swapped(before2) & (x << 3 * s) & fourth);
      inner |=
          (before & other_behind & behind2 & second) | (other_before & before2 & behind & third);
    };
    const Word all = ~Word{0}, first = tops_ >> 3, second = tops_ >> 2, third = tops_ >> 1;
    along(stride_, all, all, all, all);
    along(1, first, second, third, tops_);
    along(stride_ + 1, first, second, third, tops_);
    along(stride_ - 1, tops_, third, second, first);
    spelled_[0] = {outer[kT], inner[0]};
    spelled_[1] = {inner[1], outer[kO]};
  }
  Word will_spell(const Spelling& spelling, Seat seat) const {
    return (has(seat, kT) ? spelling[kT] : 0) | (has(seat, kO) ? spelling[kO] : 0);
  }
  bool spells(Seat seat, Word cell, int letter) const {
    return (spelling(seat)[static_cast<std::size_t>(letter)] & cell) != 0;
  }

  // Counts the lines with a letter, but with none that blocks the seat's name.
  int open_lines(Seat seat) const {
    const Word outer = board_ & ~letters_[static_cast<std::size_t>(1 - seat)],
               inner = board_ & ~letters_[static_cast<std::size_t>(seat)], any = filled();
    int sum = 0;
    const auto along = [&](int s, Word first) {
      const Word open = first & outer & (inner >> s) & (inner >> 2 * s) & (outer >> 3 * s);
      sum += count(open & (any | (any >> s) | (any >> 2 * s) | (any >> 3 * s)));
    };
    along(stride_, ~Word{0});
    along(1, tops_ >> 3);
    along(stride_ + 1, tops_ >> 3);
    along(stride_ - 1, tops_);
    return sum;
  }

  std::array<Word, 2> letters_{};  // column by column from the bottom
  Word bottom_ = 0, board_ = 0;
  Word tops_ = 0;                      // the rows from the fourth up, where a rising name can end
  std::array<Spelling, 2> spelled_{};  // by the seat whose name it is
  std::array<std::array<std::uint8_t, 2>, 2> stock_{};
  std::uint8_t stride_, width_, mover_;
  std::int8_t winner_ = kPlaying;
};

}  // namespace pbm::toot
