// SPDX-License-Identifier: MIT
// Chaos (rules/chaos.md): fourteen pieces on nineteen cells. They jump over lines of pieces of one
// colour and flip the pieces of the opponent.
#include <algorithm>
#include <array>
#include <bit>

#include "games/chaos_knowledge.hpp"
#include "games/registry.hpp"

namespace pbm {
namespace {

using namespace chaos;

constexpr std::size_t kMaxNamed = 6;  // cells that a sentence lists

std::string name(Cell c) {
  return {static_cast<char>('a' + kMap.row[static_cast<std::size_t>(c)]),
          static_cast<char>('0' + kMap.number[static_cast<std::size_t>(c)])};
}

std::vector<std::string> names(Cells cells) {
  std::vector<std::string> out;
  for (Cells rest = cells; rest != 0; rest &= rest - 1) out.push_back(name(first_of(rest)));
  return out;
}

// Returns count_jumps() from a cache. Many paths end in the same position, and perft meets the same
// positions again and again.
std::uint64_t recalled_count(Cells mine, Cells theirs) {
  constexpr int kTableBits = 16, kCountBits = 12;  // no position has more than 516 moves
  thread_local std::vector<std::uint64_t> table(std::size_t{1} << kTableBits);
  const std::uint64_t key = std::uint64_t{mine} << kCells | theirs;  // never 0: there are pieces
  std::uint64_t& entry = table[(key * 0x9E3779B97F4A7C15U) >> (64 - kTableBits)];
  if (entry >> kCountBits != key) entry = key << kCountBits | count_jumps(mine, theirs);
  return entry & ((1U << kCountBits) - 1);
}

class Chaos {
 public:
  struct Move {
    std::uint64_t path = 0;  // the start and all landing cells: kPathBits each, lowest first
    Cells flips = 0;         // the pieces that change to the mover's colour
    std::uint8_t to = 0;     // the last landing cell
    std::uint8_t jumps = 0;  // 0 for a pass
    Cell stop(int i) const {
      return static_cast<Cell>((path >> (kPathBits * i)) & ((1U << kPathBits) - 1));
    }
    Cell from() const { return stop(0); }
    friend bool operator==(const Move&, const Move&) = default;
  };

  Chaos() {
    for (Cell c = 0; c < kCells; ++c) {
      const int row = kMap.row[static_cast<std::size_t>(c)];
      if (row != 2) pieces_[row < 2 ? 0 : 1] |= bit(c);
    }
  }
  static Result<Chaos> start(const Options&, int) { return Chaos(); }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool over() const { return over_; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (over_) return;
    bool any = false;
    each_jump_move([&](Move m) {
      any = true;
      f(m);
    });
    if (!any) f(Move{});
  }

  std::uint64_t count_moves() const {
    return over_ ? 0 : at_least_pass(count_jumps(mine(), theirs()));
  }

  // count_moves() of the position after `m`, without playing it.
  std::uint64_t count_after(Move m) const {
    return m.jumps == 0 ? 0 : at_least_pass(recalled_count(theirs() & ~m.flips, mine_after(m)));
  }

  void play(Move m) {
    if (m.jumps == 0) {
      over_ = true;
    } else {
      const Cells mine = mine_after(m);
      pieces_[1U - mover_] &= ~m.flips;
      pieces_[mover_] = mine;
    }
    mover_ ^= 1U;
  }
  void skip() { mover_ ^= 1U; }

  std::string text(Move m) const;
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }

  // For the engine; see chaos_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(Board(mine(), theirs(), mover_));
  }
  Move meant(const Board&, Board::Move m) const { return shortest(m); }
  std::vector<SpotId> trail(Move m) const;
  std::vector<SpotId> touched(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string caution(Move m) const;
  std::string sign(Seat seat) const { return seat == 0 ? "o" : "x"; }
  std::string holdings(Seat seat) const {
    return count_of(
        static_cast<std::size_t>(std::popcount(pieces_[static_cast<std::size_t>(seat)])), "piece",
        "pieces");
  }
  Drawing draw(const View&) const;
  std::vector<std::string> in_words() const;

  friend bool operator==(const Chaos&, const Chaos&) = default;

 private:
  // A partly read move, with the pieces of each side after its jumps, without the moving piece.
  struct Journey {
    Move so_far;
    Cells mine = 0, theirs = 0;
    Cell at() const { return so_far.to; }
    Cells occupied() const { return mine | theirs; }
  };

  Cells mine() const { return pieces_[mover_]; }
  Cells theirs() const { return pieces_[1U - mover_]; }
  Cells mine_after(Move m) const { return (mine() & ~bit(m.from())) | bit(m.to) | m.flips; }
  std::string own_sign() const { return sign(mover_); }
  std::string sign_at(Cell c) const {
    return pieces_[0] & bit(c) ? "o" : pieces_[1] & bit(c) ? "x" : "";
  }

  // rules/chaos.md, "The end": a player without a valid move passes.
  static std::uint64_t at_least_pass(std::uint64_t jumps) { return jumps + (jumps == 0); }
  bool stuck() const { return count_jumps(mine(), theirs()) == 0; }

  template <class F>
  void each_jump_move(F f) const {
    Links links(mine(), theirs());
    auto give = [&](std::uint64_t path, int jumps, Cell to, Cells flips) {
      f(Move{path, flips, static_cast<std::uint8_t>(to), static_cast<std::uint8_t>(jumps)});
    };
    for (Cells rest = mine(); rest != 0; rest &= rest - 1)
      if (links.lift(first_of(rest))) {
        links.each(give);
        links.put_down();
      }
  }

  // The steps of parse(). Each refuses the errors that it finds.
  Result<Move> parse_pass(std::string_view typed) const;
  Refusal half_named(int row, std::size_t at, const Journey* journey) const;
  Result<Cell> read_cell(std::string_view typed, std::size_t at, const Journey* journey) const;
  Result<Journey> lift(Cell from, std::size_t at) const;
  Result<Done> jump(Journey& journey, Cell to, std::size_t at) const;
  std::string broken_line(const Journey& journey, Cell to) const;
  std::string mixed_colours(const Journey& journey, Cell to) const;
  std::string made_before(const Journey& journey, Cell to) const;
  Result<Move> finish(const Journey& journey, std::size_t size) const;

  // Returns the shortest of the paths that lead to `m`.
  Move shortest(Board::Move m) const;

  // Advice for refusals: what the player can type instead.
  Cells movers() const;
  std::string movable() const;
  std::vector<std::string> next_stops(const Move& so_far) const;
  std::string advice(const Journey& journey) const;
  Refusal half_typed(const Journey& journey, std::size_t at) const;
  std::string example() const;

  std::array<Cells, 2> pieces_{};
  std::uint8_t mover_ = 0;
  bool over_ = false;
};

// rules/chaos.md, "What a move must do".
bool may_end(const Chaos::Move& m) { return m.flips != 0 || (is_inner(m.to) && m.to != m.from()); }

std::optional<Outcome> Chaos::outcome() const {
  if (!over_) return std::nullopt;
  const Seat loser = 1 - mover_;
  const Cells left = pieces_[static_cast<std::size_t>(loser)];
  Outcome out{
      mover_,
      sign(loser) + (left ? " had no valid move and passed" : " had no piece left and passed"),
      {}};
  for (Cells rest = left; rest != 0; rest &= rest - 1) out.spots.push_back(first_of(rest));
  return out;
}

std::string Chaos::text(Move m) const {
  if (m == Move{}) return "pass";
  std::string out = name(m.from());
  for (int i = 1; i <= m.jumps; ++i) out += "-" + name(m.stop(i));
  return out;
}

std::vector<SpotId> Chaos::trail(Move m) const {
  std::vector<SpotId> out;
  if (m.jumps == 0) return out;
  for (int i = 0; i <= m.jumps; ++i) out.push_back(m.stop(i));
  return out;
}

std::vector<SpotId> Chaos::touched(Move m) const {
  std::vector<SpotId> out;
  if (m.jumps == 0) return out;
  for (Cells rest = m.flips | bit(m.from()) | bit(m.to); rest != 0; rest &= rest - 1)
    out.push_back(first_of(rest));
  return out;
}

std::string Chaos::describe(Move m) const {
  if (m.jumps == 0) return "has no valid move and passes";
  std::string out = "jumps from " + name(m.from());
  for (int i = 1; i <= m.jumps; ++i) out += " to " + name(m.stop(i));
  return m.flips ? out + ", flipping " + all_of(names(m.flips)) : out;
}

std::string Chaos::caution(Move m) const {
  if (m.jumps == 0) return "Passing ends the game: " + sign(1 - mover_) + " wins.";
  Chaos next = *this;
  next.play(m);
  std::string worst;
  next.each_jump_move([&](Move reply) {
    if (recalled_count(next.theirs() & ~reply.flips, next.mine_after(reply)) != 0) return;
    const std::string said = text(reply);
    if (worst.empty() || said.size() < worst.size() ||
        (said.size() == worst.size() && said < worst))
      worst = said;
  });
  return worst.empty() ? ""
                       : "Your opponent could play " + worst + " and leave you without a move.";
}

Chaos::Move Chaos::shortest(Board::Move m) const {
  Move out;
  std::string said;
  each_jump_move([&](Move path) {
    if (mine_after(path) != m.mine || (theirs() & ~path.flips) != m.theirs) return;
    if (out.jumps != 0 && path.jumps > out.jumps) return;
    const std::string text_here = text(path);
    if (out.jumps == path.jumps && said <= text_here) return;
    out = path;
    said = text_here;
  });
  return out;
}

// Returns the mover's pieces that have a valid move.
Cells Chaos::movers() const {
  Cells from = 0;
  each_jump_move([&](Move m) { from |= bit(m.from()); });
  return from;
}

// Returns movers() in words.
std::string Chaos::movable() const {
  const Cells from = movers();
  return from ? own_sign() + " can move " + one_of(names(from), kMaxNamed) : "only pass is left";
}

// Returns the next landing cells of the valid moves that begin with `so_far`.
std::vector<std::string> Chaos::next_stops(const Move& so_far) const {
  const std::uint64_t mask = (std::uint64_t{1} << (kPathBits * (so_far.jumps + 1))) - 1;
  Cells to = 0;
  each_jump_move([&](Move m) {
    if (m.jumps > so_far.jumps && (m.path & mask) == so_far.path)
      to |= bit(m.stop(so_far.jumps + 1));
  });
  return names(to);
}

// Says what can follow `journey`, or what else the player can play.
std::string Chaos::advice(const Journey& journey) const {
  const Move& m = journey.so_far;
  if (const auto next = next_stops(m); !next.empty())
    return m.jumps == 0 ? name(m.from()) + " can jump to " + one_of(next)
                        : "from " + name(m.to) + " it can jump on to " + one_of(next);
  if (m.jumps > 0 && may_end(m)) return "the move can only end on " + name(m.to);
  if (m.jumps > 0) {
    Move begin;
    begin.path = static_cast<std::uint64_t>(m.from());
    if (const auto first = next_stops(begin); !first.empty())
      return name(m.from()) + " can jump to " + one_of(first);
  }
  return movable();
}

// Returns the shortest valid move, or "pass".
std::string Chaos::example() const {
  std::string out = "pass";
  bool any = false;
  each_jump_move([&](Move m) {
    const std::string said = text(m);
    if (!any || said.size() < out.size() || (said.size() == out.size() && said < out)) out = said;
    any = true;
  });
  return out;
}

Result<Chaos::Move> Chaos::parse(std::string_view typed) const {
  if (typed.empty()) {
    if (stuck()) return Refusal{"No piece of " + own_sign() + " has a valid move: type pass.", 0};
    return Refusal{"Type the cell of a piece and every cell it lands on, as in " + example() + ".",
                   0};
  }
  constexpr std::string_view kPass = "pass";
  if (starts_ignoring_case(typed, kPass) || starts_ignoring_case(kPass, typed))
    return parse_pass(typed);
  auto from = read_cell(typed, 0, nullptr);
  if (!from) return from.refusal();
  auto journey = lift(*from, 0);
  if (!journey) return journey.refusal();
  std::size_t at = 2;
  for (; at < typed.size(); at += 2) {
    if (typed[at] != '-')
      return Refusal{
          "A '-' belongs between two cells and nothing after the last, as in " + example() + ".",
          at};
    ++at;
    const auto to = read_cell(typed, at, &*journey);
    if (!to) return to.refusal();
    if (const auto done = jump(*journey, *to, at); !done) return done.refusal();
  }
  return finish(*journey, at);
}

// Reads a pass (rules/chaos.md, "The end"). Pre: `typed` begins with "pass", or "pass" with
// `typed`.
Result<Chaos::Move> Chaos::parse_pass(std::string_view typed) const {
  constexpr std::size_t kSize = 4;
  if (!stuck())
    return Refusal{"Only a player without a valid move may pass: " + own_sign() + " can play " +
                       example() + ".",
                   0};
  if (typed.size() < kSize)
    return Refusal{"Write pass in full: it is the only move left.", typed.size()};
  if (typed.size() > kSize) return Refusal{"Too long: a pass is the one word pass.", kSize};
  return Move{};
}

// Reads the cell at offset `at`. `journey` is the move so far, or null at the first cell.
Result<Cell> Chaos::read_cell(std::string_view typed, std::size_t at,
                              const Journey* journey) const {
  if (at >= typed.size()) return half_typed(*journey, at);  // a piece's cell is never missing here
  const int row = lower(typed[at]) - 'a';
  if (row < 0 || row >= kRows)
    return Refusal{quoted_at(typed, at) + " is no row of the board: cells run from a1 to e5.", at};
  const std::string letter(1, lower(typed[at]));
  const std::string range = "row " + letter + " has " + letter + std::to_string(lowest(row)) +
                            " to " + letter + std::to_string(highest(row));
  if (at + 1 >= typed.size()) return half_named(row, at, journey);
  if (!is_digit(typed[at + 1]))
    return Refusal{quoted_at(typed, at + 1) + " is no number of a cell: " + range + ".", at + 1};
  const Cell cell = kMap.at(row, typed[at + 1] - '0');
  if (cell < 0)
    return Refusal{"There is no cell " + letter + typed[at + 1] + ": " + range + ".", at};
  return cell;
}

// Refuses a text that stops after the letter of a cell, typed at `at`.
Refusal Chaos::half_named(int row, std::size_t at, const Journey* journey) const {
  const char letter = static_cast<char>('a' + row);
  const auto cells = journey ? next_stops(journey->so_far) : names(movers());
  const std::string can = (journey ? advice(*journey) : movable()) + ".",
                    in_row = std::string("row ") + letter;
  if (std::ranges::any_of(cells, [&](const std::string& cell) { return cell[0] == letter; }))
    return {"Name the cell of " + in_row + ": " + can, at + 1};
  if (!journey)
    return {(cells.empty() ? "No piece can move: "
                           : "No piece of " + own_sign() + " in " + in_row + " can move: ") +
                can,
            at};
  if (journey->so_far.jumps > 0) return {"No jump goes on to " + in_row + ": " + can, at};
  return cells.empty() ? half_typed(*journey, at)
                       : Refusal{"No jump goes to " + in_row + ": " + can, at};
}

// Refuses a text that stops at `at`, before the next landing cell. If the piece cannot move, the
// error is at the piece.
Refusal Chaos::half_typed(const Journey& journey, std::size_t at) const {
  const Move& m = journey.so_far;
  const auto next = next_stops(m);
  if (next.empty()) {
    if (m.jumps == 0)
      return {"The piece on " + name(m.to) + " has no valid move: " + movable() + ".", 0};
    return {(may_end(m) ? "Leave out the last '-': "
                        : "There is no jump on from " + name(m.to) + ": ") +
                advice(journey) + ".",
            at};
  }
  if (m.jumps == 0)
    return {"Where does " + name(m.to) + " go? It can jump to " + one_of(next) + ".", at};
  return {"Where does it go from " + name(m.to) + "? It can jump on to " + one_of(next) + ".", at};
}

// Begins a move with the piece on `from`, which must be the player's (rules/chaos.md, "Moves").
Result<Chaos::Journey> Chaos::lift(Cell from, std::size_t at) const {
  if (!((mine() | theirs()) & bit(from)))
    return Refusal{"Cell " + name(from) + " is empty: " + movable() + ".", at};
  if (theirs() & bit(from))
    return Refusal{
        "The piece on " + name(from) + " belongs to " + sign(1 - mover_) + ": " + movable() + ".",
        at};
  Journey out;
  out.so_far.path = static_cast<std::uint64_t>(from);
  out.so_far.to = static_cast<std::uint8_t>(from);
  out.mine = mine() & ~bit(from);
  out.theirs = theirs();
  return out;
}

// Adds a jump to `journey` (rules/chaos.md, "Moves" and "No jump twice").
Result<Done> Chaos::jump(Journey& journey, Cell to, std::size_t at) const {
  const Cell from = journey.at();
  const auto refuse = [&](const std::string& why) {
    return Refusal{why + advice(journey) + ".", at};
  };
  if (to == from)
    return refuse("The piece is on " + name(to) + " already: a jump ends on another cell; ");
  if (!in_line(from, to))
    return refuse("Cells " + name(from) + " and " + name(to) + " are not in one line: ");
  if (journey.occupied() & bit(to)) {
    const std::string whose = (journey.mine & bit(to)) != 0 ? own_sign() : sign(1 - mover_);
    return refuse("Cell " + name(to) + " holds a piece of " + whose +
                  ": a jump ends on an empty cell; ");
  }
  const Cells over = between(from, to);
  if (over == 0)
    return refuse("Cell " + name(to) + " is next to " + name(from) +
                  ": a jump passes at least one piece; ");
  if (over & ~journey.occupied()) return refuse(broken_line(journey, to));
  if ((over & journey.mine) && (over & journey.theirs)) return refuse(mixed_colours(journey, to));
  if (const std::string why = made_before(journey, to); !why.empty()) return refuse(why);
  Move& m = journey.so_far;
  m.flips |= over & journey.theirs;
  journey.mine |= over;
  journey.theirs &= ~over;
  m.to = static_cast<std::uint8_t>(to);
  ++m.jumps;
  check(m.jumps <= kMaxJumps, "a Chaos move has more jumps than there can be");
  m.path |= static_cast<std::uint64_t>(to) << (kPathBits * m.jumps);
  return Done{};
}

// Explains why a jump over empty cells is not valid.
std::string Chaos::broken_line(const Journey& journey, Cell to) const {
  const Cell from = journey.at();
  const std::string said = "Jump " + name(from) + "-" + name(to);
  const Cells over = between(from, to), gaps = over & ~journey.occupied();
  const std::string empty =
      all_of(names(gaps)) + (std::popcount(gaps) == 1 ? " is empty; " : " are empty; ");
  if (gaps == over) return said + " would pass no piece: " + empty;
  const Cell first = to > from ? first_of(gaps) : last_of(gaps);
  if (between(from, first) == 0) return said + " would pass a gap: " + empty;
  return said + " is too long: a jump ends on the first empty cell, here " + name(first) + "; ";
}

std::string Chaos::mixed_colours(const Journey& journey, Cell to) const {
  const Cells over = between(journey.at(), to);
  std::vector<std::string> pieces;
  for (Cells rest = over; rest != 0; rest &= rest - 1) {
    const Cell c = first_of(rest);
    pieces.push_back(name(c) + " (" +
                     ((journey.mine & bit(c)) != 0 ? own_sign() : sign(1 - mover_)) + ")");
  }
  if (to < journey.at()) std::ranges::reverse(pieces);  // in the order of the jump
  return "Jump " + name(journey.at()) + "-" + name(to) + " would pass " + all_of(pieces) +
         ": all jumped pieces must be one colour; ";
}

std::string Chaos::made_before(const Journey& journey, Cell to) const {
  const Move& m = journey.so_far;
  const std::string said = name(m.to) + "-" + name(to);
  for (int i = 0; i < m.jumps; ++i) {
    if (m.stop(i) == m.to && m.stop(i + 1) == to)
      return "Jump " + said + " was made before: no jump may be made twice in a move; ";
    if (m.stop(i) == to && m.stop(i + 1) == m.to)
      return "Jump " + said + " is " + name(to) + "-" + name(m.to) +
             " reversed: no jump may be taken back in a move; ";
  }
  return "";
}

// rules/chaos.md, "What a move must do".
Result<Chaos::Move> Chaos::finish(const Journey& journey, std::size_t size) const {
  const Move& m = journey.so_far;
  if (m.jumps == 0) return half_typed(journey, size);
  if (may_end(m)) return m;
  const std::string why =
      m.to == m.from()
          ? "The move ends where it began and flips nothing, so it changes nothing; "
          : "A move that ends on an outer cell, as " + name(m.to) + ", must flip a piece; ";
  return Refusal{why + advice(journey) + ".", size - 2};
}

Drawing Chaos::draw(const View&) const {
  static const std::array<std::string, 3 + kRows> board{
      "          1 2 3", "         / / / 4", "              / 5", "  a-   . . .   /",
      " b-   . . . .",   "c-   . . . . .",   " d-   . . . .",     "  e-   . . ."};
  Drawing out;
  out.rows.assign(board.begin(), board.end());
  for (Cell c = 0; c < kCells; ++c) {
    const int row = kMap.row[static_cast<std::size_t>(c)],
              number = kMap.number[static_cast<std::size_t>(c)];
    const std::string here = sign_at(c);
    Spot s;
    s.id = c;
    s.name = name(c);
    s.what = here.empty() ? "" : "piece of " + here;
    s.row = 3 + row;
    s.column = 5 + std::abs(row - 2) + 2 * (number - lowest(row));
    s.role = here.empty() ? Role::empty : here == "o" ? Role::piece1 : Role::piece2;
    if (!here.empty())
      out.rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)] = here[0];
    out.spots.push_back(std::move(s));
  }
  return out;
}

std::vector<std::string> Chaos::in_words() const {
  std::vector<std::string> out;
  for (Seat seat = 0; seat < 2; ++seat) {
    const Cells here = pieces_[static_cast<std::size_t>(seat)];
    out.push_back(here ? "Player " + sign(seat) + " has " + holdings(seat) + ", on " +
                             all_of(names(here)) + "."
                       : "Player " + sign(seat) + " has no piece left.");
  }
  return out;
}

// One table holds every position of the game.
constexpr EndTable kChaosTable{"chaos", 17'022'976, 0x3B2629D4C0B31975U, Positions::make};

}  // namespace

GameType chaos_row() {
  return game_row<Chaos>({
      .name = "chaos",
      .title = "Chaos",
      .about = "jump over lines of pieces and turn them; block the other side",
      .move_syntax = "the piece's cell and each landing cell, as a2-c2",
      .first_look = "Letters name the rows, numbers the slants that run down to the left. A piece "
                    "jumps in line over pieces of one side to the free cell behind them, and "
                    "those of the other side turn. Who has no move loses.",
      .turns = true,
      .variants = {""},
      .table = [](const Position&) { return &kChaosTable; },
  });
}

}  // namespace pbm
