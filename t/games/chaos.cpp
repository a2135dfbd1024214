// SPDX-License-Identifier: MIT
// Chaos: every paragraph of rules/chaos.md, every refusal, and a comparison with a slow and simple
// implementation of the rules.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

Position chaos(std::string_view plies = "") {
  return play_plies(make_setup("chaos").start(), plies);
}

bool legal(const Position& p, const std::string& ply) {
  const auto all = p.legal_plies();
  return std::find(all.begin(), all.end(), ply) != all.end();
}

// The rules again, in strings and maps, without regard for speed.
namespace plain {

const std::vector<std::string> kCellNames{"a1", "a2", "a3", "b1", "b2", "b3", "b4",
                                          "c1", "c2", "c3", "c4", "c5", "d2", "d3",
                                          "d4", "d5", "e3", "e4", "e5"};
const std::set<std::string> kInnerCells{"b2", "b3", "c2", "c3", "c4", "d3", "d4"};

using Board = std::map<std::string, char>;  // only cells with a piece

bool is_cell(const std::string& cell) {
  return std::find(kCellNames.begin(), kCellNames.end(), cell) != kCellNames.end();
}

std::string next_cell(const std::string& cell, int letter, int number) {
  return {static_cast<char>(cell[0] + letter), static_cast<char>(cell[1] + number)};
}

struct Ply {
  std::string text;
  Board board;
};

void add_jumps(const Board& start, const Board& now, const std::string& path,
               std::set<std::string> made, char mover, bool flipped, std::vector<Ply>& out) {
  const std::vector<std::pair<int, int>> ways{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}};
  const std::string from = path.substr(path.size() - 2);
  for (const auto& [letter, number] : ways) {
    std::vector<std::string> over;
    std::string to = next_cell(from, letter, number);
    for (; is_cell(to) && now.count(to); to = next_cell(to, letter, number)) over.push_back(to);
    if (!is_cell(to) || over.empty()) continue;
    std::set<char> colours;
    for (const auto& cell : over) colours.insert(now.at(cell));
    if (colours.size() != 1) continue;
    if (made.count(from + to) || made.count(to + from)) continue;
    Board next = now;
    for (const auto& cell : over) next[cell] = mover;
    const bool flips = flipped || *colours.begin() != mover;
    Board end = next;
    end[to] = mover;
    if (end != start && (kInnerCells.count(to) || flips)) out.push_back({path + "-" + to, end});
    auto more = made;
    more.insert(from + to);
    add_jumps(start, next, path + "-" + to, more, mover, flips, out);
  }
}

std::vector<Ply> legal_plies(const Board& board, char mover) {
  std::vector<Ply> out;
  for (const auto& [cell, colour] : board)
    if (colour == mover) {
      Board without = board;
      without.erase(cell);
      add_jumps(board, without, cell, {}, mover, false, out);
    }
  std::sort(out.begin(), out.end(), [](const Ply& a, const Ply& b) { return a.text < b.text; });
  return out;
}

Board start_board() {
  Board out;
  for (const auto& cell : kCellNames)
    if (cell[0] != 'c') out[cell] = cell[0] < 'c' ? 'o' : 'x';
  return out;
}

char opponent(char mover) { return mover == 'o' ? 'x' : 'o'; }

// Counts a pass as a ply that ends its sequence.
std::uint64_t perft(const Board& board, char mover, int depth) {
  const auto all = legal_plies(board, mover);
  if (all.empty()) return depth == 1;
  if (depth == 1) return all.size();
  std::uint64_t sum = 0;
  for (const Ply& p : all) sum += perft(p.board, opponent(mover), depth - 1);
  return sum;
}

std::string picture(const Board& board) {
  const auto row = [&](const std::string& before, const std::string& cells,
                       const std::string& behind) {
    std::string out = before;
    for (std::size_t i = 0; i < cells.size(); i += 2) {
      const auto here = board.find(cells.substr(i, 2));
      out += std::string(i ? " " : "") + (here == board.end() ? '.' : here->second);
    }
    return out + behind + "\n";
  };
  return "          1 2 3\n         / / / 4\n              / 5\n" +
         row("  a-   ", "a1a2a3", "   /") + row(" b-   ", "b1b2b3b4", "") +
         row("c-   ", "c1c2c3c4c5", "") + row(" d-   ", "d2d3d4d5", "") +
         row("  e-   ", "e3e4e5", "");
}

}  // namespace plain

// One player has no move, and the other has 352, the most of any position in these games.
constexpr std::string_view kMostMoves =
    "a1-c3 e4-c2 a2-c4-e4 e5-a1-c1-c4-a2 a3-a1 e3-a3-c5-e5-e3-c1-c4 a1-a3-c5-e5-e3-c1";
// o has one piece left, on b2, and cannot move it.
constexpr std::string_view kStuck =
    "a3-c3 e4-c2-c4-e4 a2-c4-c2 d3-a3-c5 c2-a2-c4-c2 e3-c1-c4-a2 a1-c1-c4 c5-a3-a1-c1-c5";
// x has a piece on a2 that cannot move, and others that can.
constexpr std::string_view kCannotMove = "a1-c3 e4-c2-c4 a2-c2 d2-a2 a3-c5-c1";

struct RefusalCase {
  std::string_view plies_before, typed;
  std::size_t offset;
  std::string_view reason;
};

void check_refusals(const std::vector<RefusalCase>& table) {
  for (const RefusalCase& r : table) {
    INFO("after '" << r.plies_before << "' typing '" << r.typed << "'");
    const Refusal got = require_refusal(chaos(r.plies_before), r.typed);
    CHECK(got.reason == r.reason);
    CHECK(got.offset == r.offset);
    CHECK(got.reason.size() <= 120);
  }
}

}  // namespace

// --- the board and the start ---

TEST_CASE("Chaos starts with o on rows a and b, x on rows d and e, and o to move", "[chaos]") {
  const Position p = chaos();
  CHECK(drawing_text(p) ==
        "          1 2 3\n"
        "         / / / 4\n"
        "              / 5\n"
        "  a-   o o o   /\n"
        " b-   o o o o\n"
        "c-   . . . . .\n"
        " d-   x x x x\n"
        "  e-   x x x\n");
  CHECK(p.to_move() == 0);
  CHECK(p.side_name(0) == "o");
  CHECK(p.side_name(1) == "x");
  CHECK(p.holdings(0) == "7 pieces");
  CHECK(p.holdings(1) == "7 pieces");
  CHECK(p.legal_plies() == std::vector<std::string>{"a1-c3", "a2-c2", "a2-c4", "a3-c3"});
}

TEST_CASE("Chaos spots lie where the drawing shows their pieces, numbers along the slanting lines",
          "[chaos]") {
  const Drawing d = chaos("a2-c2").draw({});
  REQUIRE(d.spots.size() == 19);
  for (std::size_t i = 0; i < d.spots.size(); ++i) {
    const Spot& s = d.spots[i];
    INFO(s.name);
    CHECK(s.name == plain::kCellNames[i]);
    CHECK(s.id == static_cast<SpotId>(i));
    const char here = d.rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)];
    CHECK(here == (s.role == SpotRole::piece1 ? 'o' : s.role == SpotRole::piece2 ? 'x' : '.'));
    CHECK(s.content == (here == '.' ? "" : here == 'o' ? "piece of o" : "piece of x"));
    // Along a "/", the text column decreases by one for each row.
    CHECK(s.column + s.row == 8 + 2 * (s.name[1] - '0'));
  }
}

TEST_CASE("Chaos says a position in words", "[chaos]") {
  CHECK(chaos("a2-c2 d2-a2-c4").description_lines() ==
        std::vector<std::string>{
            "Player o has 4 pieces, on a1, a3, b1 and b4.",
            "Player x has 10 pieces, on b2, b3, c2, c4, d3, d4, d5, e3, e4 and e5.",
        });
  CHECK(chaos(kStuck).description_lines()[0] == "Player o has 1 piece, on b2.");
  CHECK(chaos(kStuck).holdings(0) == "1 piece");
}

// --- moves ---

TEST_CASE("Chaos moves jump over one piece or an unbroken row of either colour to the next cell",
          "[chaos]") {
  CHECK(legal(chaos(), "a2-c2"));            // over a piece of o's own
  CHECK(legal(chaos("a2-c2"), "d2-a2"));     // over two of the opponent's
  CHECK(legal(chaos("a2-c2"), "e4-c4"));     // over a piece of x's own
  CHECK(legal(chaos("a2-c2"), "e3-c3-c1"));  // over x's own, then the opponent's
  const Position p = chaos("a2-c2 d2-a2");
  CHECK(drawing_text(p) == plain::picture({{"a1", 'o'},
                                           {"a2", 'x'},
                                           {"a3", 'o'},
                                           {"b1", 'o'},
                                           {"b2", 'x'},
                                           {"b3", 'o'},
                                           {"b4", 'o'},
                                           {"c2", 'x'},
                                           {"d3", 'x'},
                                           {"d4", 'x'},
                                           {"d5", 'x'},
                                           {"e3", 'x'},
                                           {"e4", 'x'},
                                           {"e5", 'x'}}));
}

TEST_CASE("Chaos examples in its rules are true", "[chaos]") {
  CHECK(legal(chaos(), "a2-c2"));
  CHECK(legal(chaos(), "a2-c4"));
  CHECK_FALSE(chaos().parse("a2-d2").ok());
  CHECK_FALSE(chaos().parse("a2-c2-c5").ok());
  CHECK(chaos("a2-c2").describe("e4-c4-a2") == "jumps from e4 to c4 to a2, flipping b3");
  CHECK(chaos("a3-c3").describe("e4-c2-c4-e4") == "jumps from e4 to c2 to c4 to e4, flipping c3");
}

TEST_CASE("Chaos players may stop after any jump or go on", "[chaos]") {
  const Position p = chaos("a1-c3");
  for (const char* ply : {"e4-c2", "e4-c2-c4", "e4-c2-c4-e4"}) CHECK(legal(p, ply));
}

TEST_CASE("Chaos pieces flip at once, which opens and closes the next jumps of the same move",
          "[chaos]") {
  // d4-a1 flips c3 and b2. Only then does a1-c1 jump over one colour, so that the move may end on
  // the outer circle.
  const Position p = chaos("a1-c3");
  CHECK(legal(p, "d4-a1-c1"));
  // e5-a1 would pass d4 (x), c3 (o) and b2 (o).
  CHECK_FALSE(legal(p, "e5-a1"));
  CHECK(p.describe("d4-a1-c1") == "jumps from d4 to a1 to c1, flipping b1, b2 and c3");
}

TEST_CASE("Chaos pieces may end where they began when something was flipped, and only then",
          "[chaos]") {
  const Position p = chaos("a1-c3");
  CHECK(legal(p, "e4-c2-c4-e4"));
  Position q = p;
  q.play("e4-c2-c4-e4");
  CHECK(drawing_text(q) == plain::picture({{"a2", 'o'},
                                           {"a3", 'o'},
                                           {"b1", 'o'},
                                           {"b2", 'o'},
                                           {"b3", 'o'},
                                           {"b4", 'o'},
                                           {"c3", 'x'},
                                           {"d2", 'x'},
                                           {"d3", 'x'},
                                           {"d4", 'x'},
                                           {"d5", 'x'},
                                           {"e3", 'x'},
                                           {"e4", 'x'},
                                           {"e5", 'x'}}));
  CHECK_FALSE(legal(chaos("a2-c2 e4-c4"), "a1-c1-c3-a1"));
}

TEST_CASE("Chaos moves that end on an outer cell must have flipped a piece by any of their jumps",
          "[chaos]") {
  CHECK_FALSE(legal(chaos(), "a1-c1"));
  CHECK_FALSE(legal(chaos(), "a3-c5"));
  // The flip of the first jump is enough: the second jumps over x's own e4.
  CHECK(legal(chaos("a2-c2"), "e3-c3-c1-e3"));
  // A landing on an outer cell during the move needs no flip.
  CHECK(legal(chaos("a2-c2"), "e3-c1-c3"));
}

TEST_CASE("Chaos moves can be eight jumps long", "[chaos]") {
  const Position p = chaos("a2-c2 e3-c1-c3 a1-c1-c4-a2 e5-e3-c1-c4 a3-a1-c1-e3");
  const std::string longest = "c3-a1-a3-c3-c5-e5-c3-c1-a1";
  REQUIRE(legal(p, longest));
  CHECK(p.selected_spots(longest).size() == 9);
  CHECK(p.parse("C3-a1-A3-c3-C5-e5-C3-c1-A1").ok());
}

TEST_CASE("Chaos has no room for a tenth jump in a move", "[chaos]") {
  // While one piece moves, six cells are empty. Any six cells have at most nine pairs with only
  // pieces between them, and a move uses no pair twice.
  std::vector<std::vector<int>> ways;  // the cells of each line, in order
  const auto number_of = [](const std::string& cell) {
    return static_cast<int>(std::find(plain::kCellNames.begin(), plain::kCellNames.end(), cell) -
                            plain::kCellNames.begin());
  };
  for (const auto& [letter, number] : std::vector<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 1}})
    for (const std::string& first : plain::kCellNames) {
      if (plain::is_cell(plain::next_cell(first, -letter, -number))) continue;
      std::vector<int> line;
      for (std::string c = first; plain::is_cell(c); c = plain::next_cell(c, letter, number))
        line.push_back(number_of(c));
      ways.push_back(line);
    }
  int most = 0;
  for (std::uint32_t empty = 0; empty < 1U << 19; ++empty) {
    if (__builtin_popcount(empty) != 6) continue;
    int pairs = 0;
    for (const auto& line : ways) {
      int pieces = 0;
      bool begun = false;
      for (const int c : line) {
        if (!((empty >> c) & 1U)) {
          ++pieces;
          continue;
        }
        pairs += begun && pieces > 0;
        begun = true;
        pieces = 0;
      }
    }
    most = std::max(most, pairs);
  }
  CHECK(ways.size() == 15);
  CHECK(most == 9);
}

// --- refusals ---

TEST_CASE("Chaos refuses each kind of wrong jump with its rule and the cell", "[chaos]") {
  check_refusals({
      {"", "a2-c2-c5", 6,
       "c3 and c4 are empty, so c2-c5 passes no piece. The move must end on c2."},
      {"", "c3-e3", 0, "Cell c3 is empty. o can move a1, a2 or a3."},
      {"", "d2-b2", 0, "The piece on d2 belongs to x. o can move a1, a2 or a3."},
      {"", "a1-b3", 3, "Cells a1 and b3 are not in one line. a1 can jump to c3."},
      {"", "a1-b2", 3, "Cell b2 already has a piece of o. a1 can jump to c3."},
      {"", "a1-c3-e3", 6, "Cell e3 already has a piece of x. The move must end on c3."},
      {"", "b4-c5", 3,
       "Cell c5 is next to b4, so the jump passes no piece. o can move a1, a2 or a3."},
      {"", "a2-a2", 3, "The piece is already on a2. a2 can jump to c2 or c4."},
      {"", "a1-c3-c5", 6, "c4 is empty, so c3-c5 passes no piece. The move must end on c3."},
      {"a2-c2", "d5-a2", 3, "c4 is empty, so d5-a2 passes a gap. x can move d2, e3, e4 or e5."},
      {"a1-c3", "e4-c2-c5", 6,
       "c2-c5 goes past c4, the first empty cell. From c2 it can jump "
       "on to c4."},
      {"a1-c3", "e5-a1", 3,
       "e5-a1 passes two colours, d4 (x), c3 (o) and b2 (o). x "
       "can move d4, e3 or e4."},
      {"", "a2-c2-a2", 6,
       "You cannot jump back from c2 to a2 in one move. The move must end "
       "on c2."},
      {"a3-c3", "e4-c2-c4-e4-c2", 12,
       "You cannot jump from e4 to c2 twice in one move. The move must end on "
       "e4."},
      {"a2-c2 e4-c4", "a1-c1-c3-a1", 9,
       "The move ends where it began and flips nothing. a1 can jump to c1 "
       "or c3."},
      {"", "a1-c1", 3, "c1 is an outer cell, so the move must flip a piece. a1 can jump to c3."},
      {"", "b1", 0, "The piece on b1 has no valid move. o can move a1, a2 or a3."},
  });
}

TEST_CASE("Chaos refuses malformed and half-typed moves where they go wrong", "[chaos]") {
  check_refusals({
      {"", "", 0, "Type the piece's cell and each landing cell, for example a1-c3."},
      {"", "a", 1, "Which cell of row a? o can move a1, a2 or a3."},
      {"", "a2", 2, "Where does a2 go? It can jump to c2 or c4."},
      {"", "a2-", 3, "Where does a2 go? It can jump to c2 or c4."},
      {"", "a2-c", 4, "Which cell of row c? a2 can jump to c2 or c4."},
      {"", "a2-c2-", 6, "Leave out the last '-'. The move must end on c2."},
      {"", "a1-c1-", 6, "No jump goes on from c1. a1 can jump to c3."},
      {"a1-c3", "e4-c2-", 6, "Where does it go from c2? It can jump on to c4."},
      {"a2-c2", "a", 0, "No piece of x in row a can move. x can move d2, e3, e4 or e5."},
      {"", "a2-d", 3, "No jump goes to row d. a2 can jump to c2 or c4."},
      {"", "a2-c2-c", 6, "No jump goes on to row c. The move must end on c2."},
      {"", "a1-c1-c", 6, "No jump goes on to row c. a1 can jump to c3."},
      {"a1-c3", "e4-c2-c", 7, "Which cell of row c? From c2 it can jump on to c4."},
      {kCannotMove, "a2", 0, "The piece on a2 has no valid move. x can move b2, d3 or e5."},
      {kCannotMove, "a2-", 0, "The piece on a2 has no valid move. x can move b2, d3 or e5."},
      {kCannotMove, "a2-c", 0, "The piece on a2 has no valid move. x can move b2, d3 or e5."},
      {"a3-c3 d3-a3 a2-c2 b3-d3 b1-b3 a3-c5 c2-c4 b4-b1 c3-a3", "c3", 0,
       "Cell c3 is empty. x can move b2, c5, d4, d5, e3 or 2 others."},
      {"", "b1-", 0, "The piece on b1 has no valid move. o can move a1, a2 or a3."},
      {"", "a2b2", 2, "Cell b2 already has a piece of o. a2 can jump to c2 or c4."},
      {"", "a2+c2", 2, "Write '-' between cells and nothing after the last, for example a1-c3."},
      {"", "a2-c2x", 5, "Write '-' between cells and nothing after the last, for example a1-c3."},
      {"", "a2--b2", 3, "'-' is not a row. The rows are a to e."},
      {"", "f1", 0, "'f' is not a row. The rows are a to e."},
      {"", "ax", 1, "'x' is not a number. Row a has a1 to a3."},
      {"", "a0", 0, "There is no cell a0. Row a has a1 to a3."},
      {"", "a4", 0, "There is no cell a4. Row a has a1 to a3."},
      {"", "b5", 0, "There is no cell b5. Row b has b1 to b4."},
      {"", "a2-c6", 3, "There is no cell c6. Row c has c1 to c5."},
      {"", "d1", 0, "There is no cell d1. Row d has d2 to d5."},
      {"", "E2", 0, "There is no cell e2. Row e has e3 to e5."},
      {"", "\xff", 0, "'?' is not a row. The rows are a to e."},
      {"", "a2-\x1b[2J", 3, "'?' is not a row. The rows are a to e."},
  });
}

// --- the end ---

TEST_CASE("Chaos refuses a pass while there is a valid move, and names one", "[chaos]") {
  for (const char* typed : {"pass", "PASS", "p", "pas", "passs"}) {
    const Refusal r = require_refusal(chaos(), typed);
    CHECK(r.reason == "You cannot pass while you have a move. o can play a1-c3.");
    CHECK(r.offset == 0);
  }
}

TEST_CASE("Chaos ends with the pass of a player without a move, and the opponent wins", "[chaos]") {
  Position p = chaos(kStuck);
  REQUIRE_FALSE(p.outcome().has_value());
  CHECK(p.legal_plies() == std::vector<std::string>{"pass"});
  CHECK(p.selected_spots("pass").empty());
  CHECK(p.changed_spots("pass").empty());
  CHECK(p.describe("Pass") == "has no valid move and passes");
  CHECK(p.warning("pass") == "A pass ends the game. x wins.");
  const std::string before = drawing_text(p);
  p.play("pass");
  REQUIRE(p.outcome().has_value());
  CHECK(p.outcome()->winner == Seat{1});
  CHECK(p.outcome()->reason == "o had no valid move and passed");
  CHECK(p.outcome()->spots == std::vector<SpotId>{4});  // b2
  CHECK(p.legal_plies().empty());
  CHECK(drawing_text(p) == before);
  for (const char* typed : {"pass", "a2-c2", "", "zz"})
    CHECK(require_refusal(p, typed) ==
          Refusal{"The game is over. x wins. o had no valid move and passed.", 0});
}

TEST_CASE("Chaos says that only a pass is left", "[chaos]") {
  check_refusals({
      {kStuck, "", 0, "o has no valid move. Type pass."},
      {kStuck, "pa", 2, "Write pass in full. It is the only move."},
      {kStuck, "passs", 4, "Too long. Type just pass."},
      {kStuck, "b2", 0, "The piece on b2 has no valid move. o can only pass."},
      {kStuck, "b", 0, "No piece can move. o can only pass."},
      {kStuck, "b2-d", 0, "The piece on b2 has no valid move. o can only pass."},
      {kStuck, "b2-d2", 3, "Cell d2 already has a piece of x. o can only pass."},
      {kStuck, "a1-c1", 0, "Cell a1 is empty. o can only pass."},
  });
}

// --- what the table shows ---

TEST_CASE("Chaos describes moves, and warns of an answer that leaves no move", "[chaos]") {
  CHECK(chaos().describe("a2-c2") == "jumps from a2 to c2");
  CHECK(chaos().changed_spots("a2-c2") == std::vector<SpotId>{1, 8});
  CHECK(chaos().selected_spots("a2-c2") == std::vector<SpotId>{1, 8});
  CHECK(chaos("a2-c2").describe("d2-a2") == "jumps from d2 to a2, flipping b2 and c2");
  CHECK(chaos("a1-c3").changed_spots("e4-c2-c4-e4") == std::vector<SpotId>{9, 17});
  CHECK(chaos("a1-c3").selected_spots("e4-c2-c4-e4") == std::vector<SpotId>{17, 8, 10, 17});
  CHECK(chaos().warning("a2-c2").empty());
  const Position p = chaos("a3-c3 e4-c2-c4-e4 a2-c4-c2 d3-a3-c5 c2-a2-c4-c2 e3-c1-c4-a2");
  CHECK(p.warning("a1-c1-c4") == "Your opponent can play c5-c1-a1. Then you have no move.");
  Position q = p;
  q.play("a1-c1-c4");
  q.play("c5-c1-a1");
  CHECK(q.legal_plies() == std::vector<std::string>{"pass"});
}

// --- counting ---

TEST_CASE("Chaos legal moves, boards and drawings agree with a plain reading of the rules",
          "[chaos]") {
  std::mt19937 random(20091229);
  const auto compare = [&](const Position& p, const plain::Board& board, char mover) {
    const auto all = plain::legal_plies(board, mover);
    std::vector<std::string> texts;
    for (const auto& ply : all) texts.push_back(ply.text);
    if (texts.empty()) texts.push_back("pass");
    CHECK(p.legal_plies() == texts);
    CHECK(drawing_text(p) == plain::picture(board));
    return all;
  };
  std::size_t passes = 0, most = 0;
  for (int game = 0; game < 60; ++game) {
    Position p = chaos();
    plain::Board board = plain::start_board();
    char mover = 'o';
    for (int ply = 0; ply < 40; ++ply) {
      const auto all = compare(p, board, mover);
      most = std::max(most, all.size());
      if (all.empty()) {
        ++passes;
        p.play("pass");
        CHECK(p.outcome()->winner == Seat{mover == 'o' ? 1 : 0});
        break;
      }
      const auto& next = all[random_below(random, all.size())];
      p.play(next.text);
      board = next.board;
      mover = plain::opponent(mover);
    }
  }
  CHECK(passes > 10);
  CHECK(most > 100);
}

TEST_CASE("Chaos accepts exactly the legal moves among many near them", "[chaos]") {
  std::mt19937 random(7);
  Position p = chaos();
  for (int ply = 0; ply < 60; ++ply) {
    const auto all = p.legal_plies();
    if (all.empty()) {
      p = chaos();
      continue;
    }
    std::vector<std::string> accepted, expected;
    for (int i = 0; i < 150; ++i) {
      std::string typed = all[random_below(random, all.size())];
      if (typed == "pass") typed = plain::kCellNames[random_below(random, 19)];
      if (random_below(random, 2))
        typed.resize(2 + 3 * random_below(random, (typed.size() + 1) / 3));
      for (std::size_t more = random_below(random, 4); more > 0; --more)
        typed += "-" + plain::kCellNames[random_below(random, 19)];
      if (p.parse(typed).ok()) accepted.push_back(typed);
      // The two ends of a chain are enough if no other move has these ends.
      const bool ends =
          typed.size() == 5 &&
          std::count_if(all.begin(), all.end(), [&](const std::string& whole) {
            return whole.size() > 5 && whole.substr(0, 3) + whole.substr(whole.size() - 2) == typed;
          }) == 1;
      if (ends || std::binary_search(all.begin(), all.end(), typed)) expected.push_back(typed);
    }
    CHECK(accepted == expected);
    p.play(all[random_below(random, all.size())]);
  }
}

TEST_CASE("Chaos perft counts every path, and the pass that ends a game", "[chaos]") {
  const Setup setup = make_setup("chaos");
  // These counts come from a separate program.
  const std::vector<std::uint64_t> counts{1, 4, 40, 300, 2874, 24388, 314462, 5626040};
  std::vector<std::uint64_t> now;
  for (int depth = 0; depth <= 7; ++depth)
    now.push_back(setup.game->perft(setup.options, 2, depth));
  CHECK(now == counts);
  for (int depth = 1; depth <= 4; ++depth)
    CHECK(plain::perft(plain::start_board(), 'o', depth) ==
          counts[static_cast<std::size_t>(depth)]);
}

TEST_CASE("Chaos lists the most moves any position in play has in a moment", "[chaos]") {
  const Position p = chaos(kMostMoves);
  const auto before = std::chrono::steady_clock::now();
  const auto all = p.legal_plies();
  const auto took = std::chrono::steady_clock::now() - before;
  CHECK(all.size() == 352);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == 352);
  CHECK(took < std::chrono::seconds(5));
}

TEST_CASE("Chaos reads very long and hostile texts at once", "[chaos]") {
  const Position p = chaos("a1-c3");
  std::string round = "e4-c2-c4-e4";
  while (round.size() < 5000) round += "-c2-c4-e4";
  CHECK(require_refusal(p, round).offset == 12);
  CHECK(require_refusal(p, std::string(5000, '-')).offset == 0);
  CHECK(require_refusal(p, "e4-" + std::string(5000, 'c')).offset == 4);
  for (int byte = 0; byte < 256; ++byte) {
    const std::string typed = std::string("e4-c2-c4") + static_cast<char>(byte);
    const auto read = p.parse(typed);
    const bool blank = byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
    if (read.ok() != blank) FAIL("byte " << byte);
  }
}
