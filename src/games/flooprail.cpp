// SPDX-License-Identifier: MIT
// FloopRail (rules/flooprail.md): Floopers on the 32 spaces of a diamond of
// rails, moving one space or capturing by Fleaps, until a player cannot move.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "games/registry.hpp"

namespace pbm {
namespace {

// A set of spaces. Columns A to H are 0 to 7, rows are 1 to 7, and a space is
// bit 5 * column + 4 * row - 16: one space right is a shift by 5, one down a
// shift by 4. Of bits 0 to 35 four (4, 13, 22, 31) are no space; a step that
// leaves the board ends on one of them or outside, so kBoard catches it.
using Board = std::uint64_t;

constexpr int kColumns = 8;
constexpr int kRows = 7;
constexpr int kBits = 36;

enum Direction : unsigned { kRight, kDown, kLeft, kUp };
constexpr std::array<std::string_view, 4> kDirectionNames{"right", "down", "left", "up"};

constexpr bool is_space(int column, int row) {
  const int cut = row < 4 ? 4 - row : row - 4;  // columns missing at either end of the row
  return row >= 1 && row <= kRows && column >= cut && column < kColumns - cut;
}
constexpr int bit_of(int column, int row) { return 5 * column + 4 * row - 16; }
constexpr Board at_bit(int bit) { return Board{1} << bit; }
constexpr Board board_of(int column, int row) { return at_bit(bit_of(column, row)); }

struct Place {
  std::int8_t column = -1, row = -1;
};
constexpr std::array<Place, kBits> kPlaces = [] {
  std::array<Place, kBits> out{};
  for (int row = 1; row <= kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      if (is_space(column, row))
        out[static_cast<std::size_t>(bit_of(column, row))] = {static_cast<std::int8_t>(column),
                                                              static_cast<std::int8_t>(row)};
  return out;
}();
constexpr Place place(int bit) { return kPlaces[static_cast<std::size_t>(bit)]; }

// The spaces whose column + row lies from `low` to `high`: the lines across
// the way O and X go.
constexpr Board lines(int low, int high) {
  Board out = 0;
  for (int row = 1; row <= kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      if (is_space(column, row) && column + row >= low && column + row <= high)
        out |= board_of(column, row);
  return out;
}
constexpr Board kBoard = lines(4, 11);
constexpr std::array<Board, 2> kStart{lines(4, 6), lines(9, 11)};
constexpr std::array<Board, 2> kGoal{lines(11, 11), lines(4, 4)};

// All of `b` one space further in direction d; off the board is for the caller to mask.
constexpr Board stepped(Board b, unsigned d) {
  switch (d) {
    case kRight: return b << 5;
    case kDown: return b << 4;
    case kLeft: return b >> 5;
    default: return b >> 4;
  }
}

// A Flooper's own directions: O goes right and down, X left and up.
constexpr unsigned first_direction(Seat seat) { return seat == 0 ? kRight : kLeft; }
constexpr bool goes_forward(Seat seat, unsigned d) { return (d < kLeft) == (seat == 0); }

int lowest(Board b) { return std::countr_zero(b); }

template <class F>
inline void each_bit(Board b, F f) {
  for (; b != 0; b &= b - 1) f(lowest(b));
}

std::string name_of(int bit) {
  const Place p = place(bit);
  return {static_cast<char>('A' + p.column), static_cast<char>('0' + p.row)};
}

std::vector<std::string> names_of(Board b) {
  std::vector<std::string> out;
  each_bit(b, [&](int bit) { out.push_back(name_of(bit)); });
  std::sort(out.begin(), out.end());
  return out;
}

// one_of(), shortened to what a sentence can carry.
std::string some_of(std::vector<std::string> items) { return one_of(std::move(items), 6); }

// The rows of a column: "rows 3 to 5".
std::string rows_of(int column) {
  const int reach = std::min(column, kColumns - 1 - column);
  if (reach == 0) return "only row 4";
  return "rows " + std::to_string(4 - reach) + " to " + std::to_string(4 + reach);
}

// "a Flooper", "2 Floopers".
std::string some(int n, const std::string& what) {
  return n == 1 ? "a " + what : std::to_string(n) + " " + what + "s";
}

class FloopRail {
 public:
  struct Move {
    Board captured = 0;  // none: a Floop
    std::uint32_t way =
        0;  // a Direction in two bits for each space named after the first, from the lowest
    std::uint8_t from = 0, to = 0;
    std::uint8_t steps = 0;  // directions in `way`; a player has 12 Floopers, so never more than 12
    bool sooper = false;     // the Flooper is a SooperFlooper when it arrives
    friend bool operator==(const Move&, const Move&) = default;
  };

  explicit FloopRail(bool reverse) : reverse_(reverse) {}
  static Result<FloopRail> start(const Options& options, int) {
    return FloopRail(options.has("reverse"));
  }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool over() const { return movable() == 0; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (mover_ == 0) each_move_of<0>(f);
    else each_move_of<1>(f);
  }
  std::uint64_t count_moves() const {
    return mover_ == 0 ? count_moves_of<0>() : count_moves_of<1>();
  }

  void play(Move m) {
    const Board from = at_bit(m.from), to = at_bit(m.to);
    pieces_[mover_] = (pieces_[mover_] & ~from) | to;  // `to` may be `from`: a round trip
    mover_ ^= 1U;
    pieces_[mover_] &= ~m.captured;
    soopers_ = (soopers_ & ~(from | m.captured)) | (Board{m.sooper} << m.to);
  }

  std::string text(Move m) const;
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }
  std::vector<SpotId> trail(Move m) const;
  std::vector<SpotId> touched(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string caution(Move m) const;
  std::string sign(Seat seat) const { return seat == 0 ? "O" : "X"; }
  std::string holdings(Seat seat) const;
  Drawing draw(const View&) const;
  std::vector<std::string> in_words() const;

  friend bool operator==(const FloopRail&, const FloopRail&) = default;

 private:
  Board own() const { return pieces_[mover_]; }
  Board other() const { return pieces_[1 - mover_]; }
  Board empty() const { return kBoard & ~(pieces_[0] | pieces_[1]); }

  template <Seat kMover, class F>
  void each_move_of(F& f) const;
  template <Seat kMover, class F>
  static bool each_fleap_on(const Move& so_far, Board prey, Board empty, F& f);
  template <Seat kMover>
  std::uint64_t count_moves_of() const;
  template <Seat kMover>
  static std::uint64_t count_fleaps_on(Board at, Board prey, Board empty, bool sooper);

  // A move being made, for parse() and the sentences: nothing is moved yet,
  // `to` is where the Flooper has got to.
  Move begun(int from) const;
  Move extended(Move m, unsigned d, bool fleap) const;
  bool may_go(const Move& m, unsigned d) const { return m.sooper || goes_forward(mover_, d); }
  Board floops_from(const Move& m) const;
  Board fleaps_from(const Move& m) const;
  Board movers(bool fleap) const;
  Board movable() const;
  bool must_fleap() const { return movers(true) != 0; }

  std::string kind_on(int bit) const {
    return (soopers_ & at_bit(bit)) != 0 ? "SooperFlooper" : "Flooper";
  }
  std::string piece_on(int bit) const;
  std::string fleaps_in_words() const;
  std::string choices(const Move& m) const;
  Result<int> read_space(std::string_view typed, std::size_t at) const;
  std::optional<Refusal> refuse_from(int from) const;
  Refusal ask_where(int from, std::size_t at) const;
  Refusal ask_on(const Move& m, std::size_t dash) const;
  std::optional<Refusal> refuse_floop(const Move& m, unsigned d, std::size_t at) const;
  std::optional<Refusal> refuse_fleap(const Move& m, unsigned d, std::size_t at) const;
  Result<Move> read_step(const Move& m, int to, std::size_t at) const;

  std::array<Board, 2> pieces_ = kStart;  // of either seat, SooperFloopers among them
  Board soopers_ = 0;                     // of both seats
  std::uint8_t mover_ = 0;
  bool reverse_;
};

// --- Moves, fast ------------------------------------------------------------

// The spaces a set of Floopers can Fleap to in direction d, over `prey`.
constexpr Board landings(Board who, Board prey, Board empty, unsigned d) {
  return stepped(stepped(who, d) & prey, d) & empty;
}

// How many bits four sets have together, without the machine's popcount,
// which a portable build may not use.
constexpr std::uint64_t bits_in(Board a, Board b, Board c, Board d) {
  constexpr Board k1 = 0x5555555555555555U, k2 = 0x3333333333333333U, k4 = 0x0F0F0F0F0F0F0F0FU,
                  k8 = 0x0101010101010101U;
  // Full adders first: a + b + c + d = ones + 2 * (twos + carry) bit by bit.
  const Board ab = a ^ b, ones3 = ab ^ c, twos = (a & b) | (ab & c);
  const Board ones = ones3 ^ d, carry = ones3 & d;
  const auto pairs = [&](Board x) { return x - ((x >> 1) & k1); };
  const auto nibbles = [&](Board x) { return (x & k2) + ((x >> 2) & k2); };
  const Board low = nibbles(pairs(ones)), high = nibbles(pairs(twos)) + nibbles(pairs(carry));
  const Board bytes = (low & k4) + ((low >> 4) & k4) + 2 * ((high & k4) + ((high >> 4) & k4));
  return (bytes * k8) >> 56;
}

// Goes on from so_far.to as long as there is a Fleap (rules/flooprail.md,
// "Fleaps": a Flooper that can Fleap on must); false when there was none.
// `prey` lacks what was Fleaped over; `empty` has the space the move began on,
// and what was captured is in neither: it stays on the board, in the way.
template <Seat kMover, class F>
bool FloopRail::each_fleap_on(const Move& so_far, Board prey, Board empty, F& f) {
  bool any = false;
  const auto go = [&](unsigned d) {
    const Board over = stepped(at_bit(so_far.to), d) & prey;
    const Board land = stepped(over, d) & empty;
    if (land == 0) return;
    any = true;
    Move m = so_far;
    m.captured |= over;
    m.way |= d << (2 * m.steps++);
    m.to = static_cast<std::uint8_t>(lowest(land));
    m.sooper = m.sooper || (land & kGoal[kMover]) != 0;
    if (!each_fleap_on<kMover>(m, prey ^ over, empty, f)) f(m);
  };
  constexpr unsigned forward = first_direction(kMover);
  go(forward);
  go(forward + 1);
  if (so_far.sooper) {
    go(forward ^ 2U);
    go((forward + 1) ^ 2U);
  }
  return any;
}

template <Seat kMover, class F>
void FloopRail::each_move_of(F& f) const {
  const Board men = pieces_[kMover], prey = pieces_[1 - kMover], free = empty(),
              soopers = men & soopers_;
  constexpr unsigned forward = first_direction(kMover);
  const auto fleapers = [&](Board who, unsigned d) {
    return who & stepped(stepped(free, d ^ 2U) & prey, d ^ 2U);
  };
  const Board can_fleap = fleapers(men, forward) | fleapers(men, forward + 1) |
                          fleapers(soopers, forward ^ 2U) | fleapers(soopers, (forward + 1) ^ 2U);
  if (can_fleap != 0) {
    each_bit(can_fleap, [&](int bit) {
      Move m;
      m.from = m.to = static_cast<std::uint8_t>(bit);
      m.sooper = (soopers_ & at_bit(bit)) != 0;
      each_fleap_on<kMover>(m, prey, free | at_bit(bit), f);
    });
    return;
  }
  const auto floops = [&](Board who, unsigned d) {
    each_bit(stepped(who, d) & free, [&](int to) {
      Move m;
      m.way = d;
      m.steps = 1;
      m.to = static_cast<std::uint8_t>(to);
      m.from = static_cast<std::uint8_t>(lowest(stepped(at_bit(to), d ^ 2U)));
      m.sooper = ((soopers_ & at_bit(m.from)) | (kGoal[kMover] & at_bit(to))) != 0;
      f(m);
    });
  };
  floops(men, forward);
  floops(men, forward + 1);
  if (soopers != 0) {
    floops(soopers, forward ^ 2U);
    floops(soopers, (forward + 1) ^ 2U);
  }
}

// How many ways a Flooper that has landed on `at` can end its move.
template <Seat kMover>
std::uint64_t FloopRail::count_fleaps_on(Board at, Board prey, Board empty, bool sooper) {
  constexpr unsigned forward = first_direction(kMover);
  sooper = sooper || (at & kGoal[kMover]) != 0;
  std::uint64_t n = 0;
  const auto go = [&](unsigned d) {
    const Board over = stepped(at, d) & prey;
    const Board land = stepped(over, d) & empty;
    if (land != 0) n += count_fleaps_on<kMover>(land, prey ^ over, empty, sooper);
  };
  go(forward);
  go(forward + 1);
  if (sooper) {
    go(forward ^ 2U);
    go((forward + 1) ^ 2U);
  }
  return n == 0 ? 1 : n;
}

template <Seat kMover>
std::uint64_t FloopRail::count_moves_of() const {
  const Board men = pieces_[kMover], prey = pieces_[1 - kMover], free = empty(),
              soopers = men & soopers_;
  constexpr unsigned forward = first_direction(kMover);
  constexpr std::array<unsigned, 4> ways{forward, forward + 1, forward ^ 2U, (forward + 1) ^ 2U};
  const std::array<Board, 4> fleaps{
      landings(men, prey, free, ways[0]), landings(men, prey, free, ways[1]),
      landings(soopers, prey, free, ways[2]), landings(soopers, prey, free, ways[3])};
  if ((fleaps[0] | fleaps[1] | fleaps[2] | fleaps[3]) == 0)
    return bits_in(stepped(men, ways[0]) & free, stepped(men, ways[1]) & free,
                   stepped(soopers, ways[2]) & free, stepped(soopers, ways[3]) & free);
  std::uint64_t n = 0;
  const auto count = [&](Board land, unsigned d) {
    each_bit(land, [&](int bit) {
      const Board to = at_bit(bit), over = stepped(to, d ^ 2U), from = stepped(over, d ^ 2U);
      n += count_fleaps_on<kMover>(to, prey ^ over, free | from, (soopers & from) != 0);
    });
  };
  count(fleaps[0], ways[0]);
  count(fleaps[1], ways[1]);
  count(fleaps[2], ways[2]);
  count(fleaps[3], ways[3]);
  return n;
}

// --- One move, step by step -------------------------------------------------

FloopRail::Move FloopRail::begun(int from) const {
  Move m;
  m.from = m.to = static_cast<std::uint8_t>(from);
  m.sooper = (soopers_ & at_bit(from)) != 0;
  return m;
}

FloopRail::Move FloopRail::extended(Move m, unsigned d, bool fleap) const {
  Board to = stepped(at_bit(m.to), d);
  if (fleap) {
    m.captured |= to;
    to = stepped(to, d);
  }
  m.way |= d << (2 * m.steps++);
  m.to = static_cast<std::uint8_t>(lowest(to));
  // "Goal spaces": a SooperFlooper from the moment it lands there.
  m.sooper = m.sooper || (to & kGoal[mover_]) != 0;
  return m;
}

Board FloopRail::floops_from(const Move& m) const {
  Board out = 0;
  if (m.steps > 0) return out;
  for (unsigned d = 0; d < 4; ++d)
    if (may_go(m, d)) out |= stepped(at_bit(m.to), d) & empty();
  return out;
}

Board FloopRail::fleaps_from(const Move& m) const {
  Board out = 0;
  const Board prey = other() & ~m.captured, free = empty() | at_bit(m.from);
  for (unsigned d = 0; d < 4; ++d)
    if (may_go(m, d)) out |= landings(at_bit(m.to), prey, free, d);
  return out;
}

// The mover's spaces from which there is a Fleap, or a Floop.
Board FloopRail::movers(bool fleap) const {
  Board out = 0;
  for (unsigned d = 0; d < 4; ++d) {
    const Board who = goes_forward(mover_, d) ? own() : own() & soopers_;
    const unsigned back = d ^ 2U;
    out |= who & stepped(fleap ? stepped(empty(), back) & other() : empty(), back);
  }
  return out;
}

Board FloopRail::movable() const {
  const Board fleaping = movers(true);
  return fleaping != 0 ? fleaping : movers(false);
}

std::string FloopRail::text(Move m) const {
  std::string out;
  for (const SpotId id : trail(m)) out += (out.empty() ? "" : "-") + name_of(id);
  return out;
}

std::vector<SpotId> FloopRail::trail(Move m) const {
  std::vector<SpotId> out{m.from};
  Board at = at_bit(m.from);
  for (unsigned i = 0; i < m.steps; ++i) {
    const unsigned d = (m.way >> (2 * i)) & 3U;
    at = stepped(at, d);
    if (m.captured != 0) at = stepped(at, d);
    out.push_back(lowest(at));
  }
  return out;
}

std::vector<SpotId> FloopRail::touched(Move m) const {
  std::vector<SpotId> out = trail(m);
  each_bit(m.captured, [&](int bit) { out.push_back(bit); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// --- Reading a move -----------------------------------------------------------

// "X SooperFlooper".
std::string FloopRail::piece_on(int bit) const {
  const Seat seat = (pieces_[0] & at_bit(bit)) != 0 ? 0 : 1;
  return sign(seat) + " " + kind_on(bit);
}

// Every Fleap there is, whole.
std::string FloopRail::fleaps_in_words() const {
  std::vector<std::string> out;
  each_move([&](Move m) { out.push_back(text(m)); });
  std::sort(out.begin(), out.end());
  return some_of(std::move(out));
}

// "E6 can Floop to D6 or E5", "from C6 it can Fleap to C4", or "".
std::string FloopRail::choices(const Move& m) const {
  const Board fleaps = fleaps_from(m), floops = must_fleap() ? 0 : floops_from(m);
  if ((fleaps | floops) == 0) return "";
  const std::string who =
      m.steps == 0 ? name_of(m.to) + " can" : "from " + name_of(m.to) + " it can";
  return who + (fleaps != 0 ? " Fleap to " : " Floop to ") +
         some_of(names_of(fleaps != 0 ? fleaps : floops));
}

// The space named at typed[at] and typed[at + 1] ("The board").
Result<int> FloopRail::read_space(std::string_view typed, std::size_t at) const {
  if (!is_letter(typed[at]))
    return Refusal{
        quoted_at(typed, at) +
            " is not a column: a space is a letter from A to H and a row from 1 to 7, as D3.",
        at};
  const std::string name(1, upper(typed[at]));
  const int column = lower(typed[at]) - 'a';
  if (column >= kColumns)
    return Refusal{"There is no column " + name + ": the columns are A to H.", at};
  if (at + 1 == typed.size())
    return Refusal{"Which row of column " + name + "? It has " + rows_of(column) + ".", at + 1};
  if (!is_digit(typed[at + 1]))
    return Refusal{quoted_at(typed, at + 1) + " is not a row: column " + name + " has " +
                       rows_of(column) + ".",
                   at + 1};
  const int row = typed[at + 1] - '0';
  if (!is_space(column, row))
    return Refusal{"There is no space " + name + std::to_string(row) + ": column " + name +
                       " has " + rows_of(column) + ".",
                   at};
  return bit_of(column, row);
}

// Why no move begins on `from`, whatever would follow.
std::optional<Refusal> FloopRail::refuse_from(int from) const {
  const Board at = at_bit(from);
  if ((own() & at) != 0) return std::nullopt;
  const std::string can = sign(mover_) + " can move " + some_of(names_of(movable())) + ".";
  if ((other() & at) != 0)
    return Refusal{name_of(from) + " holds an " + piece_on(from) + ", and it is " + sign(mover_) +
                       "'s turn: " + can,
                   0};
  return Refusal{"There is no Flooper on " + name_of(from) + ": " + can, 0};
}

// The answer to a from-space alone.
Refusal FloopRail::ask_where(int from, std::size_t at) const {
  const Move m = begun(from);
  const std::string name = name_of(from), can = choices(m);
  if (!can.empty()) return {"Where does " + name + " go? It" + can.substr(name.size()) + ".", at};
  if (floops_from(m) != 0)
    return {"A Floop is not allowed while a Fleap is, and " + name + " cannot Fleap: play " +
                fleaps_in_words() + ".",
            0};
  return {name + " has no Floop and no Fleap: " + sign(mover_) + " can move " +
              some_of(names_of(movable())) + ".",
          0};
}

// The answer to a Fleap with a dash after it and no more.
Refusal FloopRail::ask_on(const Move& m, std::size_t dash) const {
  const Board on = fleaps_from(m);
  if (on == 0)
    return {
        "The move ends on " + name_of(m.to) + ": there is nothing more to Fleap over from there.",
        dash};
  return {"Where does " + name_of(m.from) + " Fleap on to? From " + name_of(m.to) +
              " it can Fleap to " + some_of(names_of(on)) + ".",
          dash + 1};
}

// Why the mover may not go one space in direction d; the space is there.
std::optional<Refusal> FloopRail::refuse_floop(const Move& m, unsigned d, std::size_t at) const {
  const int to = lowest(stepped(at_bit(m.to), d));
  if (m.steps > 0) {
    const bool more = fleaps_from(m) != 0;
    const std::string instead = (more ? choices(m) : "the move ends on " + name_of(m.to)) + ".";
    if ((empty() & at_bit(to)) != 0)
      return Refusal{"A Floop cannot follow a Fleap, and " + name_of(m.to) + "-" + name_of(to) +
                         " is one: " + instead,
                     at};
    return Refusal{"After a Fleap only another Fleap can follow" +
                       (more ? ": " : ", and " + text(m) + " has none: ") + instead,
                   at};
  }
  if ((own() & at_bit(to)) != 0)
    return Refusal{name_of(to) + " is not empty: an " + piece_on(to) + " stands there.", at};
  if ((other() & at_bit(to)) != 0) {
    const std::string there = name_of(to) + " is not empty: ";
    const Board beyond = stepped(at_bit(to), d) & kBoard;
    if ((beyond & empty()) != 0)
      return Refusal{there + "to capture the " + piece_on(to) + " there, Fleap over it to " +
                         name_of(lowest(beyond)) + ".",
                     at};
    const std::string why = beyond != 0 ? name_of(lowest(beyond)) + " beyond it is not empty either"
                                        : "there is no space beyond it";
    return Refusal{there + "an " + piece_on(to) + " stands there, and " + why + ".", at};
  }
  // "Fleaps": who can Fleap must. The fault is the Flooper's unless it can Fleap itself.
  if (must_fleap())
    return Refusal{"A Floop is not allowed while a Fleap is: play " + fleaps_in_words() + ".",
                   fleaps_from(m) != 0 ? at : 0};
  return std::nullopt;
}

// Why the mover may not go two spaces in direction d; both are there.
std::optional<Refusal> FloopRail::refuse_fleap(const Move& m, unsigned d, std::size_t at) const {
  const Board over = stepped(at_bit(m.to), d), land = stepped(over, d);
  const std::string middle = name_of(lowest(over)), to = name_of(lowest(land)),
                    step = name_of(m.to) + "-" + to;
  // The space the Flooper left counts as empty. A captured Flooper is never
  // landed on: landings stay an even number of spaces from the start each way.
  if ((land & (empty() | at_bit(m.from))) == 0)
    return Refusal{to + " is not empty: a Fleap must end on an empty space, and an " +
                       piece_on(lowest(land)) + " stands there.",
                   at};
  if ((over & m.captured) != 0)
    return Refusal{"The " + kind_on(lowest(over)) + " on " + middle +
                       " was already Fleaped over in this move: it cannot be captured twice.",
                   at};
  if ((over & own()) != 0)
    return Refusal{step + " would Fleap over " + sign(mover_) + "'s own " + kind_on(lowest(over)) +
                       " on " + middle + ": only " + sign(1 - mover_) + "'s can be Fleaped over.",
                   at};
  if ((over & other()) != 0) return std::nullopt;
  const std::string can = choices(m);
  return Refusal{
      "There is nothing to Fleap over on " + middle + (can.empty() ? "." : ": " + can + "."), at};
}

// `m` with the step to the space `to`, typed at `at`; or what forbids it.
Result<FloopRail::Move> FloopRail::read_step(const Move& m, int to, std::size_t at) const {
  const Place a = place(m.to), b = place(to);
  const int across = b.column - a.column, down = b.row - a.row;
  const std::string here = name_of(m.to), there = name_of(to), can = choices(m);
  if (to == m.to)
    return Refusal{here + "-" + there + " goes nowhere: a Floop goes one space, a Fleap two.", at};
  if (across != 0 && down != 0) {
    const std::string rule = "rails join neighbours in a row or a column";
    return Refusal{
        "No rail runs from " + here + " to " + there + ": " + (can.empty() ? rule : can) + ".", at};
  }
  const int far = std::abs(across + down);
  if (far > 2)
    return Refusal{there + " is " + std::to_string(far) + " spaces from " + here +
                       ": a Floop goes one space, a Fleap two" +
                       (can.empty() ? "." : "; " + can + "."),
                   at};
  const unsigned d = across > 0 ? kRight : across < 0 ? kLeft : down > 0 ? kDown : kUp;
  // "Moves": O down and right, X up and left, a SooperFlooper all ways.
  if (!may_go(m, d))
    return Refusal{sign(mover_) + "'s Floopers go only " +
                       (mover_ == 0 ? "down or right: " : "up or left: ") + here + "-" + there +
                       " goes " + std::string(kDirectionNames[d]) +
                       ", as only a SooperFlooper may.",
                   at};
  const auto wrong = far == 1 ? refuse_floop(m, d, at) : refuse_fleap(m, d, at);
  if (wrong) return *wrong;
  return extended(m, d, far == 2);
}

Result<FloopRail::Move> FloopRail::parse(std::string_view typed) const {
  if (const auto end = outcome())
    return Refusal{
        "The game is over and " + sign(*end->winner) + " won: no more moves can be made.", 0};
  if (typed.empty()) {
    std::vector<std::string> moves;
    each_move([&](Move m) { moves.push_back(text(m)); });
    return Refusal{"Type the space a Flooper leaves, a dash and where it goes, as " +
                       *std::min_element(moves.begin(), moves.end()) + ".",
                   0};
  }
  const auto from = read_space(typed, 0);
  if (!from) return from.refusal();
  if (const auto wrong = refuse_from(*from)) return *wrong;
  Move m = begun(*from);
  std::size_t at = 2;
  for (; at < typed.size(); at += 3) {
    if (typed[at] != '-') {
      return Refusal{"After " + name_of(m.to) + " only a dash and another space can follow, not " +
                         quoted_at(typed, at) + ".",
                     at};
    }
    if (m.steps > 0 && m.captured == 0)
      return Refusal{
          "A Floop goes one space and ends the move: nothing can follow " + text(m) + ".", at};
    if (at + 1 == typed.size()) return m.steps == 0 ? ask_where(*from, at + 1) : ask_on(m, at);
    const auto to = read_space(typed, at + 1);
    if (!to) return to.refusal();
    const auto step = read_step(m, *to, at + 1);
    if (!step) return step.refusal();
    m = *step;
  }
  if (m.steps == 0) return ask_where(*from, at);
  if (m.captured != 0 && fleaps_from(m) != 0)
    return Refusal{name_of(m.from) + " must Fleap on: from " + name_of(m.to) +
                       " it can still Fleap to " + some_of(names_of(fleaps_from(m))) + ".",
                   at};
  return m;
}

// --- Words and pictures -------------------------------------------------------

std::optional<Outcome> FloopRail::outcome() const {
  if (!over()) return std::nullopt;
  // "The end": a player to move who cannot has lost, or won in the reverse game.
  const std::string stuck = sign(mover_);
  const std::string kind = (own() & ~soopers_) == 0 ? "SooperFlooper" : "Flooper";
  const std::size_t left = names_of(own()).size();
  Outcome out{reverse_ ? mover_ : 1 - mover_, "", {}};
  if (left == 0)
    out.why = reverse_ ? stuck + " has got rid of all its Floopers"
                       : "all Floopers of " + stuck + " are captured";
  else if (left == 1) out.why = "the last " + kind + " of " + stuck + " is blocked";
  else out.why = "all " + std::to_string(left) + " " + kind + "s of " + stuck + " are blocked";
  if (reverse_) out.why += ", which wins the reverse game";
  each_bit(own(), [&](int bit) { out.spots.push_back(bit); });
  return out;
}

std::string FloopRail::describe(Move m) const {
  std::string out = m.captured == 0 ? "Floops " : "Fleaps ";
  bool first = true;
  for (const SpotId id : trail(m)) {
    out += (first ? "" : " to ") + name_of(id);
    first = false;
  }
  const int soopers = std::popcount(m.captured & soopers_),
            men = std::popcount(m.captured) - soopers;
  if (m.captured != 0) out += ", capturing ";
  if (men > 0) out += some(men, "Flooper") + (soopers > 0 ? " and " : "");
  if (soopers > 0) out += some(soopers, "SooperFlooper");
  if (m.sooper && (soopers_ & at_bit(m.from)) == 0)
    out += m.captured != 0 ? ", and makes a SooperFlooper" : " and makes a SooperFlooper";
  return out;
}

std::string FloopRail::caution(Move m) const {
  FloopRail next = *this;
  next.play(m);
  const std::string opponent = sign(1 - mover_);
  if (next.over())
    return reverse_ ? "This leaves " + opponent + " without a move, and in the reverse game " +
                          opponent + " wins."
                    : "";
  if (reverse_) return "";
  std::string answer;
  next.each_move([&](Move reply) {
    FloopRail then = next;
    then.play(reply);
    if (then.over() && (answer.empty() || next.text(reply) < answer)) answer = next.text(reply);
  });
  return answer.empty() ? ""
                        : opponent + " can answer " + answer + " and win: " + sign(mover_) +
                              " would have no move left.";
}

std::string FloopRail::holdings(Seat seat) const {
  const Board all = pieces_[static_cast<std::size_t>(seat)];
  const int soopers = std::popcount(all & soopers_), men = std::popcount(all) - soopers;
  if (all == 0) return "no Floopers";
  if (soopers == 0) return count_of(static_cast<std::size_t>(men), "Flooper", "Floopers");
  return (men > 0 ? std::to_string(men) + " + " : "") + std::to_string(soopers) + " Sooper";
}

Drawing FloopRail::draw(const View&) const {
  Drawing out;
  std::string header = "  ";
  for (int c = 0; c < kColumns; ++c)
    header += std::string(c == 0 ? " " : "  ") + static_cast<char>('A' + c);
  out.rows.push_back(header);
  for (int r = 1; r <= kRows; ++r) {
    std::string line(1, static_cast<char>('0' + r)), rails;
    for (int c = 0; c < kColumns; ++c) {
      if (!is_space(c, r)) continue;
      const auto column = static_cast<std::size_t>(3 + 3 * c);
      const Board at = board_of(c, r);
      const int seat = (pieces_[0] & at) != 0 ? 0 : (pieces_[1] & at) != 0 ? 1 : -1;
      const bool sooper = (soopers_ & at) != 0;
      line.resize(column, is_space(c - 1, r) ? '-' : ' ');
      line += seat < 0 ? '.' : seat == 0 ? (sooper ? '@' : 'O') : (sooper ? '#' : 'X');
      Spot s;
      s.id = bit_of(c, r);
      s.name = name_of(s.id);
      s.what = seat < 0 ? "" : sign(seat) + (sooper ? " SooperFlooper" : " Flooper");
      s.row = static_cast<int>(out.rows.size());
      s.column = static_cast<int>(column);
      s.role = seat < 0    ? Role::empty
               : seat == 0 ? (sooper ? Role::king1 : Role::piece1)
                           : (sooper ? Role::king2 : Role::piece2);
      out.spots.push_back(std::move(s));
      if (!is_space(c, r + 1)) continue;
      rails.resize(column, ' ');
      rails += '|';
    }
    out.rows.push_back(line);
    if (r < kRows) out.rows.push_back(rails);
  }
  return out;
}

std::vector<std::string> FloopRail::in_words() const {
  std::vector<std::string> out;
  for (const Seat seat : {0, 1}) {
    const Board all = pieces_[static_cast<std::size_t>(seat)];
    if (all == 0) out.push_back(sign(seat) + " has no Floopers left.");
    for (const bool sooper : {false, true}) {
      const std::vector<std::string> names = names_of(sooper ? all & soopers_ : all & ~soopers_);
      if (names.empty()) continue;
      const std::string what =
          some(static_cast<int>(names.size()), sooper ? "SooperFlooper" : "Flooper");
      out.push_back(sign(seat) + " has " + what + " on " + all_of(names) + ".");
    }
  }
  return out;
}

}  // namespace

GameType flooprail_row() {
  return game_row<FloopRail>({
      .name = "flooprail",
      .title = "FloopRail",
      .about = "capture along the rails; who cannot move loses",
      .move_syntax = "the spaces in order with dashes, as E6-D6 or E6-C6-C4",
      .options = {{.name = "reverse",
                   .aliases = {"misere", "losing"},
                   .value = "",
                   .standard = "",
                   .about = "the first player without a move wins"}},
      .fields = "",
      .variants = {"", "-reverse"},
      .remark = nullptr,
  });
}

}  // namespace pbm
