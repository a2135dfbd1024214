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

constexpr std::size_t kMaxListedCells = 6;  // cells that a sentence lists

std::string cell_name(Cell c) {
  return {static_cast<char>('a' + kGeometry.row[index(c)]),
          static_cast<char>('0' + kGeometry.number[index(c)])};
}

std::vector<std::string> cell_names(Cells cells) {
  std::vector<std::string> out;
  for (Cells rest = cells; rest != 0; rest &= rest - 1) out.push_back(cell_name(first_cell(rest)));
  return out;
}

class Chaos {
 public:
  struct Move {
    std::uint64_t path = 0;       // the start and all landing cells: kPathBits each, lowest first
    Cells flipped = 0;            // the pieces that change to the mover's colour
    std::uint8_t to = 0;          // the last landing cell
    std::uint8_t jump_count = 0;  // 0 for a pass
    Cell cell_at(int i) const {
      return static_cast<Cell>((path >> (kPathBits * i)) & ((1U << kPathBits) - 1));
    }
    Cell from() const { return cell_at(0); }
    friend bool operator==(const Move&, const Move&) = default;
  };

  Chaos() {
    for (Cell c = 0; c < kCellCount; ++c) {
      const int row = kGeometry.row[index(c)];
      if (row != 2) pieces_[row < 2 ? 0 : 1] |= cell_bit(c);
    }
  }
  static Result<Chaos> start(const Options&, int) { return Chaos(); }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool is_over() const { return is_over_; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (is_over_) return;
    bool any = false;
    each_jump_move([&](Move m) {
      any = true;
      f(m);
    });
    if (!any) f(Move{});
  }

  void play(Move m) {
    if (m.jump_count == 0) {
      is_over_ = true;
    } else {
      const Cells mine = own_pieces_after(m);
      pieces_[1U - mover_] &= ~m.flipped;
      pieces_[mover_] = mine;
    }
    mover_ ^= 1U;
  }
  void skip_turn() { mover_ ^= 1U; }

  std::string text(Move m) const;
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }

  // For the engine; see chaos_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(Board(own_pieces(), opponent_pieces(), mover_));
  }
  Move state_move(const Board&, Board::Move m) const { return shortest_path(m); }
  std::vector<SpotId> selected_spots(Move m) const;
  std::vector<SpotId> changed_spots(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string warning(Move m) const;
  Reason purpose(Move m) const;
  std::string side_name(Seat seat) const { return seat == 0 ? "o" : "x"; }
  std::string holdings(Seat seat) const {
    return format_count(index(std::popcount(pieces_[index(seat)])), "piece", "pieces");
  }
  Drawing draw(const View&) const;
  std::vector<std::string> description_lines() const;

  friend bool operator==(const Chaos&, const Chaos&) = default;

 private:
  // A partly read move, with the pieces of each side after its jumps, without the moving piece.
  struct PartialMove {
    Move move;
    Cells own_pieces = 0, opponent_pieces = 0;
    Cell cell() const { return move.to; }
    Cells occupied_cells() const { return own_pieces | opponent_pieces; }
  };

  Cells own_pieces() const { return pieces_[mover_]; }
  Cells opponent_pieces() const { return pieces_[1U - mover_]; }
  Cells own_pieces_after(Move m) const {
    return (own_pieces() & ~cell_bit(m.from())) | cell_bit(m.to) | m.flipped;
  }
  std::string own_side_name() const { return side_name(mover_); }
  std::string side_name_at(Cell c) const {
    return pieces_[0] & cell_bit(c) ? "o" : pieces_[1] & cell_bit(c) ? "x" : "";
  }

  bool is_stuck() const { return count_jump_moves(own_pieces(), opponent_pieces()) == 0; }

  template <class F>
  void each_jump_move(F f) const {
    JumpGraph links(own_pieces(), opponent_pieces());
    auto give = [&](std::uint64_t path, int jumps, Cell to, Cells flips) {
      f(Move{path, flips, static_cast<std::uint8_t>(to), static_cast<std::uint8_t>(jumps)});
    };
    for (Cells rest = own_pieces(); rest != 0; rest &= rest - 1)
      if (links.pick_up(first_cell(rest))) {
        links.each_move(give);
        links.put_down();
      }
  }

  // The steps of parse(). Each refuses the errors that it finds.
  Result<Move> parse_pass(std::string_view typed) const;
  Refusal refuse_missing_number(int row, std::size_t at, const PartialMove* journey) const;
  Result<Cell> read_cell(std::string_view typed, std::size_t at, const PartialMove* journey) const;
  Result<PartialMove> begin_move(Cell from, std::size_t at) const;
  Result<Success> add_jump(PartialMove& journey, Cell to, std::size_t at) const;
  std::string explain_gap(const PartialMove& journey, Cell to) const;
  std::string explain_mixed_colours(const PartialMove& journey, Cell to) const;
  std::string explain_repeated_jump(const PartialMove& journey, Cell to) const;
  Result<Move> finish_move(const PartialMove& journey, std::size_t size) const;

  // Returns the shortest of the paths that lead to `m`.
  Move shortest_path(Board::Move m) const;

  // Advice for refusals: what the player can type instead.
  Cells movable_pieces() const;
  std::string movable_text() const;
  std::vector<std::string> next_landings(const Move& so_far) const;
  std::string advice_text(const PartialMove& journey) const;
  Refusal refuse_missing_cell(const PartialMove& journey, std::size_t at) const;
  std::string example_move() const;

  std::array<Cells, 2> pieces_{};
  std::uint8_t mover_ = 0;
  bool is_over_ = false;
};

// rules/chaos.md, "What a move must do".
bool can_end(const Chaos::Move& m) {
  return m.flipped != 0 || (is_inner(m.to) && m.to != m.from());
}

std::optional<Outcome> Chaos::outcome() const {
  if (!is_over_) return std::nullopt;
  const Seat loser = 1 - mover_;
  const Cells left = pieces_[index(loser)];
  Outcome out{
      mover_,
      side_name(loser) + (left ? " had no valid move and passed" : " had no piece left and passed"),
      {}};
  for (Cells rest = left; rest != 0; rest &= rest - 1) out.spots.push_back(first_cell(rest));
  return out;
}

std::string Chaos::text(Move m) const {
  if (m == Move{}) return "pass";
  std::string out = cell_name(m.from());
  for (int i = 1; i <= m.jump_count; ++i) out += "-" + cell_name(m.cell_at(i));
  return out;
}

std::vector<SpotId> Chaos::selected_spots(Move m) const {
  std::vector<SpotId> out;
  if (m.jump_count == 0) return out;
  for (int i = 0; i <= m.jump_count; ++i) out.push_back(m.cell_at(i));
  return out;
}

std::vector<SpotId> Chaos::changed_spots(Move m) const {
  std::vector<SpotId> out;
  if (m.jump_count == 0) return out;
  for (Cells rest = m.flipped | cell_bit(m.from()) | cell_bit(m.to); rest != 0; rest &= rest - 1)
    out.push_back(first_cell(rest));
  return out;
}

std::string Chaos::describe(Move m) const {
  if (m.jump_count == 0) return "has no valid move and passes";
  std::string out = "jumps from " + cell_name(m.from());
  for (int i = 1; i <= m.jump_count; ++i) out += " to " + cell_name(m.cell_at(i));
  return m.flipped ? out + ", flipping " + join_with_and(cell_names(m.flipped)) : out;
}

std::string Chaos::warning(Move m) const {
  if (m.jump_count == 0) return "A pass ends the game. " + side_name(1 - mover_) + " wins.";
  Chaos next = *this;
  next.play(m);
  std::string worst;
  next.each_jump_move([&](Move reply) {
    Chaos last = next;
    last.play(reply);
    if (!last.is_stuck()) return;
    const std::string said = text(reply);
    if (worst.empty() || said.size() < worst.size() ||
        (said.size() == worst.size() && said < worst))
      worst = said;
  });
  return worst.empty() ? "" : "Your opponent can play " + worst + ". Then you have no move.";
}

// "Object": a player without a valid move loses, so the pieces that can jump count.
Reason Chaos::purpose(Move m) const {
  if (m.jump_count == 0) return {};
  Chaos next = *this;
  next.play(m);
  const Cells theirs = next.movable_pieces();
  const std::string other = side_name(1 - mover_);
  Reason out{
      (m.flipped ? "flips " + join_with_and(cell_names(m.flipped)) + " and leaves " : "leaves ") +
          other + " " + next.holdings(1 - mover_) + ", and " +
          std::to_string(std::popcount(theirs)) +
          " of them can jump next. A player without a jump loses",
      {}};
  for (Cells rest = theirs; rest != 0; rest &= rest - 1) out.spots.push_back(first_cell(rest));
  return out;
}

Chaos::Move Chaos::shortest_path(Board::Move m) const {
  Move out;
  std::string said;
  each_jump_move([&](Move path) {
    if (own_pieces_after(path) != m.own_pieces ||
        (opponent_pieces() & ~path.flipped) != m.opponent_pieces)
      return;
    if (out.jump_count != 0 && path.jump_count > out.jump_count) return;
    const std::string text_here = text(path);
    if (out.jump_count == path.jump_count && said <= text_here) return;
    out = path;
    said = text_here;
  });
  return out;
}

// Returns the mover's pieces that have a valid move.
Cells Chaos::movable_pieces() const {
  Cells from = 0;
  each_jump_move([&](Move m) { from |= cell_bit(m.from()); });
  return from;
}

// Returns movable_pieces() in words.
std::string Chaos::movable_text() const {
  const Cells from = movable_pieces();
  return from ? own_side_name() + " can move " + join_with_or(cell_names(from), kMaxListedCells)
              : own_side_name() + " can only pass";
}

// Returns the next landing cells of the valid moves that begin with `so_far`.
std::vector<std::string> Chaos::next_landings(const Move& so_far) const {
  const std::uint64_t mask = (std::uint64_t{1} << (kPathBits * (so_far.jump_count + 1))) - 1;
  Cells to = 0;
  each_jump_move([&](Move m) {
    if (m.jump_count > so_far.jump_count && (m.path & mask) == so_far.path)
      to |= cell_bit(m.cell_at(so_far.jump_count + 1));
  });
  return cell_names(to);
}

// Says what can follow `journey`, or what else the player can play.
std::string Chaos::advice_text(const PartialMove& journey) const {
  const Move& m = journey.move;
  if (const auto next = next_landings(m); !next.empty())
    return m.jump_count == 0
               ? cell_name(m.from()) + " can jump to " + join_with_or(next)
               : "From " + cell_name(m.to) + " it can jump on to " + join_with_or(next);
  if (m.jump_count > 0 && can_end(m)) return "The move must end on " + cell_name(m.to);
  if (m.jump_count > 0) {
    Move begin;
    begin.path = static_cast<std::uint64_t>(m.from());
    if (const auto first = next_landings(begin); !first.empty())
      return cell_name(m.from()) + " can jump to " + join_with_or(first);
  }
  return movable_text();
}

// Returns the shortest valid move, or "pass".
std::string Chaos::example_move() const {
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
    if (is_stuck()) return Refusal{own_side_name() + " has no valid move. Type pass.", 0};
    return Refusal{
        "Type the piece's cell and each landing cell, for example " + example_move() + ".", 0};
  }
  constexpr std::string_view kPass = "pass";
  if (starts_with_ignoring_case(typed, kPass) || starts_with_ignoring_case(kPass, typed))
    return parse_pass(typed);
  auto from = read_cell(typed, 0, nullptr);
  if (!from) return from.refusal();
  auto journey = begin_move(*from, 0);
  if (!journey) return journey.refusal();
  std::size_t at = 2;
  for (; at < typed.size(); at += 2) {
    if (typed[at] != '-')
      return Refusal{
          "Write '-' between cells and nothing after the last, for example " + example_move() + ".",
          at};
    ++at;
    const auto to = read_cell(typed, at, &*journey);
    if (!to) return to.refusal();
    if (const auto done = add_jump(*journey, *to, at); !done) return done.refusal();
  }
  return finish_move(*journey, at);
}

// Reads a pass (rules/chaos.md, "The end"). Pre: `typed` begins with "pass", or "pass" with
// `typed`.
Result<Chaos::Move> Chaos::parse_pass(std::string_view typed) const {
  constexpr std::size_t kSize = 4;
  if (!is_stuck())
    return Refusal{"You cannot pass while you have a move. " + own_side_name() + " can play " +
                       example_move() + ".",
                   0};
  if (typed.size() < kSize)
    return Refusal{"Write pass in full. It is the only move.", typed.size()};
  if (typed.size() > kSize) return Refusal{"Too long. Type just pass.", kSize};
  return Move{};
}

// Reads the cell at offset `at`. `journey` is the move so far, or null at the first cell.
Result<Cell> Chaos::read_cell(std::string_view typed, std::size_t at,
                              const PartialMove* journey) const {
  if (at >= typed.size())
    return refuse_missing_cell(*journey, at);  // a piece's cell is never missing here
  const int row = lower(typed[at]) - 'a';
  if (row < 0 || row >= kRowCount)
    return Refusal{quote_character_at(typed, at) + " is not a row. The rows are a to e.", at};
  const std::string letter(1, lower(typed[at]));
  const std::string range = "Row " + letter + " has " + letter + std::to_string(first_number(row)) +
                            " to " + letter + std::to_string(last_number(row));
  if (at + 1 >= typed.size()) return refuse_missing_number(row, at, journey);
  if (!is_digit(typed[at + 1]))
    return Refusal{quote_character_at(typed, at + 1) + " is not a number. " + range + ".", at + 1};
  const Cell cell = kGeometry.find_cell(row, typed[at + 1] - '0');
  if (cell < 0)
    return Refusal{"There is no cell " + letter + typed[at + 1] + ". " + range + ".", at};
  return cell;
}

// Refuses a text that stops after the letter of a cell, typed at `at`.
Refusal Chaos::refuse_missing_number(int row, std::size_t at, const PartialMove* journey) const {
  const char letter = static_cast<char>('a' + row);
  const auto cells = journey ? next_landings(journey->move) : cell_names(movable_pieces());
  const std::string can = (journey ? advice_text(*journey) : movable_text()) + ".",
                    in_row = std::string("row ") + letter;
  if (std::ranges::any_of(cells, [&](const std::string& cell) { return cell[0] == letter; }))
    return {"Which cell of " + in_row + "? " + can, at + 1};
  if (!journey)
    return {(cells.empty() ? "No piece can move. "
                           : "No piece of " + own_side_name() + " in " + in_row + " can move. ") +
                can,
            at};
  if (journey->move.jump_count > 0) return {"No jump goes on to " + in_row + ". " + can, at};
  return cells.empty() ? refuse_missing_cell(*journey, at)
                       : Refusal{"No jump goes to " + in_row + ". " + can, at};
}

// Refuses a text that stops at `at`, before the next landing cell. If the piece cannot move, the
// error is at the piece.
Refusal Chaos::refuse_missing_cell(const PartialMove& journey, std::size_t at) const {
  const Move& m = journey.move;
  const auto next = next_landings(m);
  if (next.empty()) {
    if (m.jump_count == 0)
      return {"The piece on " + cell_name(m.to) + " has no valid move. " + movable_text() + ".", 0};
    return {(can_end(m) ? "Leave out the last '-'. "
                        : "No jump goes on from " + cell_name(m.to) + ". ") +
                advice_text(journey) + ".",
            at};
  }
  if (m.jump_count == 0)
    return {"Where does " + cell_name(m.to) + " go? It can jump to " + join_with_or(next) + ".",
            at};
  return {"Where does it go from " + cell_name(m.to) + "? It can jump on to " + join_with_or(next) +
              ".",
          at};
}

// Begins a move with the piece on `from`, which must be the player's (rules/chaos.md, "Moves").
Result<Chaos::PartialMove> Chaos::begin_move(Cell from, std::size_t at) const {
  if (!((own_pieces() | opponent_pieces()) & cell_bit(from)))
    return Refusal{"Cell " + cell_name(from) + " is empty. " + movable_text() + ".", at};
  if (opponent_pieces() & cell_bit(from))
    return Refusal{"The piece on " + cell_name(from) + " belongs to " + side_name(1 - mover_) +
                       ". " + movable_text() + ".",
                   at};
  PartialMove out;
  out.move.path = static_cast<std::uint64_t>(from);
  out.move.to = static_cast<std::uint8_t>(from);
  out.own_pieces = own_pieces() & ~cell_bit(from);
  out.opponent_pieces = opponent_pieces();
  return out;
}

// Adds a jump to `journey` (rules/chaos.md, "Moves" and "No jump twice").
Result<Success> Chaos::add_jump(PartialMove& journey, Cell to, std::size_t at) const {
  const Cell from = journey.cell();
  const auto refuse = [&](const std::string& why) {
    return Refusal{why + advice_text(journey) + ".", at};
  };
  if (to == from) return refuse("The piece is already on " + cell_name(to) + ". ");
  if (!is_in_line(from, to))
    return refuse("Cells " + cell_name(from) + " and " + cell_name(to) + " are not in one line. ");
  if (journey.occupied_cells() & cell_bit(to)) {
    const std::string whose =
        (journey.own_pieces & cell_bit(to)) != 0 ? own_side_name() : side_name(1 - mover_);
    return refuse("Cell " + cell_name(to) + " already has a piece of " + whose + ". ");
  }
  const Cells over = cells_between(from, to);
  if (over == 0)
    return refuse("Cell " + cell_name(to) + " is next to " + cell_name(from) +
                  ", so the jump passes no piece. ");
  if (over & ~journey.occupied_cells()) return refuse(explain_gap(journey, to));
  if ((over & journey.own_pieces) && (over & journey.opponent_pieces))
    return refuse(explain_mixed_colours(journey, to));
  if (const std::string why = explain_repeated_jump(journey, to); !why.empty()) return refuse(why);
  Move& m = journey.move;
  m.flipped |= over & journey.opponent_pieces;
  journey.own_pieces |= over;
  journey.opponent_pieces &= ~over;
  m.to = static_cast<std::uint8_t>(to);
  ++m.jump_count;
  check(m.jump_count <= kMaxJumps, "a Chaos move has more jumps than there can be");
  m.path |= static_cast<std::uint64_t>(to) << (kPathBits * m.jump_count);
  return Success{};
}

// Explains why a jump over empty cells is not valid.
std::string Chaos::explain_gap(const PartialMove& journey, Cell to) const {
  const Cell from = journey.cell();
  const std::string said = cell_name(from) + "-" + cell_name(to);
  const Cells over = cells_between(from, to), gaps = over & ~journey.occupied_cells();
  const std::string empty = join_with_and(cell_names(gaps)) +
                            (std::popcount(gaps) == 1 ? " is empty, so " : " are empty, so ") +
                            said;
  if (gaps == over) return empty + " passes no piece. ";
  const Cell first = to > from ? first_cell(gaps) : last_cell(gaps);
  if (cells_between(from, first) == 0) return empty + " passes a gap. ";
  return said + " goes past " + cell_name(first) + ", the first empty cell. ";
}

std::string Chaos::explain_mixed_colours(const PartialMove& journey, Cell to) const {
  const Cells over = cells_between(journey.cell(), to);
  std::vector<std::string> pieces;
  for (Cells rest = over; rest != 0; rest &= rest - 1) {
    const Cell c = first_cell(rest);
    pieces.push_back(
        cell_name(c) + " (" +
        ((journey.own_pieces & cell_bit(c)) != 0 ? own_side_name() : side_name(1 - mover_)) + ")");
  }
  if (to < journey.cell()) std::ranges::reverse(pieces);  // in the order of the jump
  return cell_name(journey.cell()) + "-" + cell_name(to) + " passes two colours, " +
         join_with_and(pieces) + ". ";
}

std::string Chaos::explain_repeated_jump(const PartialMove& journey, Cell to) const {
  const Move& m = journey.move;
  const std::string from = cell_name(m.to), there = cell_name(to);
  for (int i = 0; i < m.jump_count; ++i) {
    if (m.cell_at(i) == m.to && m.cell_at(i + 1) == to)
      return "You cannot jump from " + from + " to " + there + " twice in one move. ";
    if (m.cell_at(i) == to && m.cell_at(i + 1) == m.to)
      return "You cannot jump back from " + from + " to " + there + " in one move. ";
  }
  return "";
}

// rules/chaos.md, "What a move must do".
Result<Chaos::Move> Chaos::finish_move(const PartialMove& journey, std::size_t size) const {
  const Move& m = journey.move;
  if (m.jump_count == 0) return refuse_missing_cell(journey, size);
  if (can_end(m)) return m;
  const std::string why =
      m.to == m.from() ? "The move ends where it began and flips nothing. "
                       : cell_name(m.to) + " is an outer cell, so the move must flip a piece. ";
  return Refusal{why + advice_text(journey) + ".", size - 2};
}

Drawing Chaos::draw(const View&) const {
  static const std::array<std::string, 3 + kRowCount> board{
      "          1 2 3", "         / / / 4", "              / 5", "  a-   . . .   /",
      " b-   . . . .",   "c-   . . . . .",   " d-   . . . .",     "  e-   . . ."};
  Drawing out;
  out.rows.assign(board.begin(), board.end());
  for (Cell c = 0; c < kCellCount; ++c) {
    const int row = kGeometry.row[index(c)], number = kGeometry.number[index(c)];
    const std::string here = side_name_at(c);
    Spot s;
    s.id = c;
    s.name = cell_name(c);
    s.content = here.empty() ? "" : "piece of " + here;
    s.row = 3 + row;
    s.column = 5 + std::abs(row - 2) + 2 * (number - first_number(row));
    s.role = here.empty() ? SpotRole::empty : here == "o" ? SpotRole::piece1 : SpotRole::piece2;
    if (!here.empty()) out.rows[index(s.row)][index(s.column)] = here[0];
    out.spots.push_back(std::move(s));
  }
  return out;
}

std::vector<std::string> Chaos::description_lines() const {
  std::vector<std::string> out;
  for (Seat seat = 0; seat < 2; ++seat) {
    const Cells here = pieces_[index(seat)];
    out.push_back(here ? "Player " + side_name(seat) + " has " + holdings(seat) + ", on " +
                             join_with_and(cell_names(here)) + "."
                       : "Player " + side_name(seat) + " has no pieces left.");
  }
  return out;
}

// One table holds every position of the game.
constexpr EndgameTable kEndgameTable{"chaos", 17'022'976, 0x3B2629D4C0B31975U,
                                     PositionTable::compute};

}  // namespace

GameType chaos_row() {
  return game_row<Chaos>({
      .name = "chaos",
      .title = "Chaos",
      .summary = "jump over rows and flip them; block your opponent",
      .move_syntax = "the cells in order with dashes, such as a2-c2",
      .introduction =
          "Letters name the rows, numbers the lines that slant down to the left. A piece "
          "jumps in a line over pieces of one colour to the empty cell behind them. Enemy "
          "pieces become yours. A move that ends at the edge must flip a piece. A player without "
          "a move loses.",
      .can_turn = true,
      .variants = {""},
      .endgame_table = [](const Position&) { return &kEndgameTable; },
      .endgame_tables = {&kEndgameTable, 1},
  });
}

}  // namespace pbm
