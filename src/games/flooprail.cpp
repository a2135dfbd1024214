// SPDX-License-Identifier: MIT
// FloopRail (rules/flooprail.md): Floopers on the 32 spaces of a diamond of rails. They move one
// space or capture by Fleaps, until a player cannot move.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "games/flooprail_knowledge.hpp"
#include "games/registry.hpp"

namespace pbm {
namespace {

using namespace flooprail;

constexpr std::array<std::string_view, 4> kDirectionNames{"right", "down", "left", "up"};

std::string name_of(int bit) {
  const Place p = place(bit);
  return {static_cast<char>('A' + p.column), static_cast<char>('0' + p.row)};
}

std::vector<std::string> names_of(Board b) {
  std::vector<std::string> out;
  each_bit(b, [&](int bit) { out.push_back(name_of(bit)); });
  std::ranges::sort(out);
  return out;
}

// Returns one_of() with at most six items.
std::string some_of(std::vector<std::string> items) { return one_of(std::move(items), 6); }

// Returns the rows of a column, for example "rows 3 to 5".
std::string rows_of(int column) {
  const int reach = std::min(column, kColumns - 1 - column);
  if (reach == 0) return "only row 4";
  return "rows " + std::to_string(4 - reach) + " to " + std::to_string(4 + reach);
}

// Returns for example "a Flooper" or "2 Floopers".
std::string some(int n, const std::string& what) {
  return n == 1 ? "a " + what : std::to_string(n) + " " + what + "s";
}

class FloopRail : public Floopers {
 public:
  explicit FloopRail(bool reverse) : reverse_(reverse) {}
  static Result<FloopRail> start(const Options& options, int) {
    return FloopRail(options.has("reverse"));
  }

  bool over() const { return movable() == 0; }
  std::optional<Outcome> outcome() const;

  // For the engine; see flooprail_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(Rails(*this, reverse_));
  }
  Move meant(const Rails&, Move m) const { return m; }
  int floopers() const { return std::popcount(pieces_[0] | pieces_[1]); }
  bool is_reverse() const { return reverse_; }

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
  // An unfinished move, for parse() and its sentences: no piece has moved yet, and `to` is the
  // space that the Flooper has reached.
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

  bool reverse_;
};

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
  // "Goal spaces": a Flooper becomes a SooperFlooper when it lands there.
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

// Returns the mover's Floopers that can Fleap or, if `fleap` is false, that can Floop.
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
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// --- Reading a move -----------------------------------------------------------

// Returns for example "X SooperFlooper".
std::string FloopRail::piece_on(int bit) const {
  const Seat seat = (pieces_[0] & at_bit(bit)) != 0 ? 0 : 1;
  return sign(seat) + " " + kind_on(bit);
}

// Lists the Fleaps as whole moves.
std::string FloopRail::fleaps_in_words() const {
  std::vector<std::string> out;
  each_move([&](Move m) { out.push_back(text(m)); });
  std::ranges::sort(out);
  return some_of(std::move(out));
}

// Returns "E6 can Floop to D6 or E5", "from C6 it can Fleap to C4", or "".
std::string FloopRail::choices(const Move& m) const {
  const Board fleaps = fleaps_from(m), floops = must_fleap() ? 0 : floops_from(m);
  if ((fleaps | floops) == 0) return "";
  const std::string who =
      m.steps == 0 ? name_of(m.to) + " can" : "from " + name_of(m.to) + " it can";
  return who + (fleaps != 0 ? " Fleap to " : " Floop to ") +
         some_of(names_of(fleaps != 0 ? fleaps : floops));
}

// Reads the space at typed[at] and typed[at + 1] ("The board").
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

// Explains why no move can begin on `from`, or returns nothing.
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

// Refuses a move that has only its first space.
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

// Refuses a Fleap that ends with a dash.
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

// Explains why the mover may not go one space in direction `d`. Pre: the space exists.
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
  // "Fleaps": a player who can Fleap must. The error is the Flooper unless it can Fleap itself.
  if (must_fleap())
    return Refusal{"A Floop is not allowed while a Fleap is: play " + fleaps_in_words() + ".",
                   fleaps_from(m) != 0 ? at : 0};
  return std::nullopt;
}

// Explains why the mover may not go two spaces in direction `d`. Pre: both spaces exist.
std::optional<Refusal> FloopRail::refuse_fleap(const Move& m, unsigned d, std::size_t at) const {
  const Board over = stepped(at_bit(m.to), d), land = stepped(over, d);
  const std::string middle = name_of(lowest(over)), to = name_of(lowest(land)),
                    step = name_of(m.to) + "-" + to;
  // The space that the Flooper left counts as empty. A Fleap never lands on a captured Flooper:
  // landings stay an even number of spaces from the start in each direction.
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

// Returns `m` with the step to the space `to`, typed at `at`, or the reason against it.
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
  // "Moves": O goes down and right, X up and left, a SooperFlooper in all directions.
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
  if (typed.empty()) {
    std::vector<std::string> moves;
    each_move([&](Move m) { moves.push_back(text(m)); });
    return Refusal{"Type the space a Flooper leaves, a dash and where it goes, as " +
                       *std::ranges::min_element(moves) + ".",
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

// --- Descriptions and the drawing ---------------------------------------------

std::optional<Outcome> FloopRail::outcome() const {
  if (!over()) return std::nullopt;
  // "The end": a player who cannot move loses, or wins the reverse game.
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

template <bool kReverse>
std::vector<std::uint8_t> make_endings(const std::function<bool(int percent)>& go_on) {
  return Endings::make<Rails>(kReverse, go_on);
}
constexpr EndTable kEndings{"flooprail-4", 9'659'392, 0xC7596FCF74F90CC1U, make_endings<false>};
constexpr EndTable kReverseEndings{"flooprail-reverse-4", 9'659'392, 0x4BFA67A850DE18EEU,
                                   make_endings<true>};

// Returns the table if few enough Floopers are left for a search to reach its positions.
const EndTable* endings_for(const Position& position) {
  constexpr int kNear = 8;
  const auto* state = position.as<FloopRail>();
  if (!state || state->floopers() > kNear) return nullptr;
  return state->is_reverse() ? &kReverseEndings : &kEndings;
}

}  // namespace

GameType flooprail_row() {
  return game_row<FloopRail>({
      .name = "flooprail",
      .title = "FloopRail",
      .about = "capture along the rails; who cannot move loses",
      .move_syntax = "the spaces in order with dashes, as E6-D6 or E6-C6-C4",
      .first_look = "Lines are rails, points are free spaces. An O goes right or down, an X left "
                    "or up, one space: that is a Floop. What can be jumped must be, in a Fleap, "
                    "and is taken. On the far edge an O becomes @, an X becomes #: that goes all "
                    "ways.",
      .options = {{.name = "reverse",
                   .aliases = {"misere", "losing"},
                   .about = "the first player without a move wins"}},
      .turns = true,
      .variants = {"", "-reverse"},
      .table = endings_for,
  });
}

}  // namespace pbm
