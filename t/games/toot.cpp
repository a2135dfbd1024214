// SPDX-License-Identifier: MIT
// Toot and Tootris: each paragraph of the rules, and a comparison with a second, simple
// implementation.
#include <algorithm>
#include <map>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

constexpr unsigned kSeed = 40961;

Position toot(const std::vector<std::string>& options = {}) {
  return make_setup("toot", options).start();
}

// Returns the refusal as "at: sentence".
std::string refusal_text(const Position& p, std::string_view typed) {
  const Refusal r = require_refusal(p, typed);
  return std::to_string(r.offset) + ": " + r.reason;
}

// Returns how the game ended, as "TOOT: why", "tie: why" or "".
std::string ending_text(const Position& p) {
  const auto outcome = p.outcome();
  if (!outcome) return "";
  return (outcome->winner ? p.side_name(*outcome->winner) : "tie") + ": " + outcome->reason;
}

// Returns the place of a spot in the drawing, such as "B1": column and row from the bottom.
std::string spot_place(const Position& p, SpotId id) {
  const Drawing d = p.draw({});
  for (const Spot& s : d.spots)
    if (s.id == id) return s.name + std::to_string(static_cast<int>(d.rows.size()) - s.row);
  return "nowhere";
}

std::vector<std::string> spot_places(const Position& p, const std::vector<SpotId>& ids) {
  std::vector<std::string> out;
  for (const SpotId id : ids) out.push_back(spot_place(p, id));
  std::sort(out.begin(), out.end());
  return out;
}

using Words = std::vector<std::string>;

std::string option_refusal(const Words& options) {
  const auto read = read_options(*find_game("toot"), options);
  return read ? "accepted" : read.refusal().reason;
}

// The second implementation: one letter per cell, and a new look at every line each time.
struct SimpleGame {
  int width, height;
  bool tootris;
  std::map<std::pair<int, int>, char> cells;  // (column, row from the bottom)
  std::map<std::pair<int, char>, int> stock;  // (seat, letter)
  int mover = 0;
  std::string result;  // "", "0", "1" or "tie"

  SimpleGame(int w, int h, bool endless) : width(w), height(h), tootris(endless) {
    int quarter = w * h / 4;
    if (w * h % 4 != 0) ++quarter;
    for (int seat = 0; seat < 2; ++seat)
      for (char letter : {'T', 'O'}) stock[{seat, letter}] = quarter;
  }

  int column_height(int column) const {
    int n = 0;
    while (cells.count({column, n})) ++n;
    return n;
  }

  Words legal_plies() const {
    Words out;
    if (!result.empty()) return out;
    for (int c = 0; c < width; ++c)
      for (char letter : {'O', 'T'})
        if (column_height(c) < height && (tootris || stock.at({mover, letter}) > 0))
          out.push_back({static_cast<char>('A' + c), letter});
    return out;
  }

  bool has_name(const std::string& name) const {
    for (const auto& [cell, letter] : cells)
      for (const auto& [right, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
        std::size_t read = 0;
        for (int i = 0; read < 4; ++i, ++read) {
          const auto found = cells.find({cell.first + i * right, cell.second + i * up});
          if (found == cells.end() || found->second != name[read]) break;
        }
        if (read == 4) return true;
      }
    return false;
  }

  void play(const std::string& ply) {
    const int column = ply[0] - 'A';
    cells[{column, column_height(column)}] = ply[1];
    --stock[{mover, ply[1]}];
    const std::string own = mover == 0 ? "TOOT" : "OTTO", other = mover == 0 ? "OTTO" : "TOOT";
    if (has_name(own)) result = std::to_string(mover);
    else if (has_name(other)) result = std::to_string(1 - mover);
    bool bottom = true;
    for (int c = 0; c < width; ++c) bottom = bottom && cells.count({c, 0});
    if (tootris && result.empty() && bottom) {
      std::map<std::pair<int, int>, char> fallen;
      for (const auto& [cell, letter] : cells)
        if (cell.second > 0) fallen[{cell.first, cell.second - 1}] = letter;
      cells = fallen;
    }
    if (!tootris && result.empty() && static_cast<int>(cells.size()) == width * height)
      result = "tie";
    mover = 1 - mover;
  }

  std::string picture() const {
    std::string out;
    for (int c = 0; c < width; ++c)
      out += std::string(c > 0 ? " " : "") + static_cast<char>('A' + c);
    out += "\n";
    for (int row = height - 1; row >= 0; --row) {
      for (int c = 0; c < width; ++c) {
        const auto found = cells.find({c, row});
        out += std::string(c > 0 ? " " : "") + (found == cells.end() ? '.' : found->second);
      }
      out += "\n";
    }
    return out;
  }

  std::uint64_t perft(int depth) const {
    if (depth == 0) return 1;
    if (depth == 1) return legal_plies().size();
    std::uint64_t sum = 0;
    for (const std::string& ply : legal_plies()) {
      SimpleGame next = *this;
      next.play(ply);
      sum += next.perft(depth - 1);
    }
    return sum;
  }
};

std::string result_text(const Position& p) {
  const auto outcome = p.outcome();
  if (!outcome) return "";
  return outcome->winner ? std::to_string(*outcome->winner) : "tie";
}

struct BoardForm {
  Words options;
  int width, height;
  bool tootris;
};
const std::vector<BoardForm>& board_forms() {
  static const std::vector<BoardForm> all{
      {{}, 6, 4, false},
      {{"-tootris"}, 6, 4, true},
      {{"-size=1x1"}, 1, 1, false},
      {{"-size=1x20"}, 1, 20, false},
      {{"-size=14x1"}, 14, 1, false},
      {{"-size=3x3"}, 3, 3, false},
      {{"-size=4x4"}, 4, 4, false},
      {{"-size=7x9"}, 7, 9, false},
      {{"-size=14x20"}, 14, 20, false},
      {{"-size=1x1", "-tootris"}, 1, 1, true},
      {{"-size=1x6", "-tootris"}, 1, 6, true},
      {{"-size=2x5", "-tootris"}, 2, 5, true},
      {{"-size=3x3", "-tootris"}, 3, 3, true},
      {{"-size=4x4", "-tootris"}, 4, 4, true},
      {{"-size=5x5", "-tootris"}, 5, 5, true},
      {{"-size=14x20", "-tootris"}, 14, 20, true},
      {{"-size=14x1", "-tootris"}, 14, 1, true},
  };
  return all;
}

}  // namespace

TEST_CASE("Toot starts on an empty board of six by four, and TOOT moves first", "[toot]") {
  const Position p = toot();
  CHECK(drawing_text(p) == "A B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n");
  CHECK(p.to_move() == 0);
  CHECK(p.seats() == 2);
  CHECK(p.side_name(0) == "TOOT");
  CHECK(p.side_name(1) == "OTTO");
  CHECK(p.holdings(0) == "6 T 6 O");
  CHECK(p.holdings(1) == "6 T 6 O");
  CHECK(p.legal_plies() ==
        Words{"AO", "AT", "BO", "BT", "CO", "CT", "DO", "DT", "EO", "ET", "FO", "FT"});
}

TEST_CASE("a letter lands on the lowest empty cell, and either player drops either letter",
          "[toot]") {
  const Position p = play_plies(toot(), "BT bo Bt AO");
  CHECK(drawing_text(p) == "A B C D E F\n. . . . . .\n. T . . . .\n. O . . . .\nO T . . . .\n");
  CHECK(p.holdings(0) == "4 T 6 O");
  CHECK(p.holdings(1) == "6 T 4 O");
  CHECK(p.to_move() == 0);
}

TEST_CASE("each refusal of Toot names the place and says what would do", "[toot]") {
  const Position p = play_plies(toot(), "AT AT AT AT");
  CHECK(refusal_text(p, "AT") == "0: Column A is full. Open columns: B to F.");
  CHECK(refusal_text(p, "  ao") == "2: Column A is full. Open columns: B to F.");
  CHECK(refusal_text(p, "GT") == "0: There is no column G. The columns are A to F.");
  CHECK(refusal_text(p, "zo") == "0: There is no column Z. The columns are A to F.");
  CHECK(refusal_text(p, "1T") == "0: '1' is not a column. The columns are A to F.");
  CHECK(refusal_text(p, "?") == "0: '?' is not a column. The columns are A to F.");
  CHECK(refusal_text(p, "\xc3\xa9T") == "0: '\xc3\xa9' is not a column. The columns are A to F.");
  CHECK(refusal_text(p, "\x1b[A") == "0: '?' is not a column. The columns are A to F.");
  CHECK(refusal_text(p, "") == "0: Type a column and a letter. BT drops a T down column B.");
  CHECK(refusal_text(p, "   ") == "0: Type a column and a letter. BT drops a T down column B.");
  CHECK(refusal_text(p, "b") == "1: Which letter goes down column B? Add T or O.");
  CHECK(refusal_text(p, "BX") == "1: You cannot drop 'X'. Drop T or O.");
  CHECK(refusal_text(p, "BBT") == "1: You cannot drop 'B'. Drop T or O.");
  CHECK(refusal_text(p, "B\xe2\x82\xac") == "1: You cannot drop '\xe2\x82\xac'. Drop T or O.");
  CHECK(refusal_text(p, "B x") == "2: You cannot drop 'x'. Drop T or O.");
  CHECK(refusal_text(p, "TG") == "0: There is no column T. The columns are A to F.");
  CHECK(refusal_text(p, "TBT") == "0: There is no column T. The columns are A to F.");
  CHECK(refusal_text(p, "BTT") ==
        "2: Too long. A move is one column and one letter, for example BT.");
  CHECK(refusal_text(p, " bo now") ==
        "4: Too long. A move is one column and one letter, for example BO.");
}

TEST_CASE("letter and column may change places, and a nought is an O", "[toot]") {
  const Position p = toot();
  for (const char* typed : {"TB", "tb", "t b", "b t", "B-T", "\"BT"}) {
    const auto read = p.parse(typed);
    INFO(typed);
    CHECK(read.ok() == (typed[0] != '"'));
    if (read) CHECK(*read == "BT");
  }
  CHECK(*p.parse("of") == "FO");
  CHECK(*p.parse("B0") == "BO");
  CHECK(*p.parse("0b") == "BO");
  CHECK(refusal_text(toot({"-size=1x1"}), "TB") ==
        "0: There is no column T. The only column is A.");
}

TEST_CASE("a letter that has run out is refused, and what is left is named", "[toot]") {
  Position p = play_plies(toot({"-size=4x1"}), "AT BO");
  CHECK(p.holdings(0) == "0 T 1 O");
  CHECK(refusal_text(p, "CT") == "1: TOOT has no T left. Drop O.");
  CHECK(refusal_text(p, "C") == "1: Which letter goes down column C? Add O.");
  CHECK(refusal_text(p, "Cx") == "1: You cannot drop 'x'. Drop O.");
  CHECK(refusal_text(p, "C T") == "2: TOOT has no T left. Drop O.");
  CHECK(p.legal_plies() == Words{"CO", "DO"});
  p = play_plies(p, "CO");
  CHECK(refusal_text(p, "DO") == "1: OTTO has no O left. Drop T.");
  CHECK(p.legal_plies() == Words{"DT"});
}

TEST_CASE("boards of one column and of one row name their columns rightly", "[toot]") {
  CHECK(refusal_text(toot({"-size=1x3"}), "BT") ==
        "0: There is no column B. The only column is A.");
  CHECK(refusal_text(toot({"-size=2x3"}), "CT") ==
        "0: There is no column C. The columns are A to B.");
  CHECK(refusal_text(play_plies(toot({"-size=2x1"}), "AT"), "AT") ==
        "0: Column A is full. Open columns: B.");
  CHECK(refusal_text(play_plies(toot({"-size=3x1"}), "AT"), "AT") ==
        "0: Column A is full. Open columns: B and C.");
}

TEST_CASE("TOOT is spelled across, up and on both diagonals, and the line is shown", "[toot]") {
  const auto ends = [](const Words& options, std::string_view plies, const std::string& how,
                       const Words& line) {
    const Position p = play_plies(toot(options), plies);
    CHECK(ending_text(p) == how);
    REQUIRE(p.outcome());
    CHECK(spot_places(p, p.outcome()->spots) == line);
    CHECK(p.legal_plies().empty());
  };
  ends({}, "BT CO DO FO ET", "TOOT: TOOT stands in the bottom row, B to E",
       {"B1", "C1", "D1", "E1"});
  ends({}, "AT BT AO CT AO DT AT", "TOOT: TOOT stands in column A", {"A1", "A2", "A3", "A4"});
  ends({}, "AT BT CT DT CT BO DT CO FO DT DT",
       "TOOT: TOOT stands on the rising diagonal from A to D", {"A1", "B2", "C3", "D4"});
  ends({}, "FT ET DT CT DT EO CT DO AO CT CT",
       "TOOT: TOOT stands on the falling diagonal from C to F", {"C4", "D3", "E2", "F1"});
  ends({}, "AO BO CO DO FO AT FT BO EO CO ET DT", "TOOT: TOOT stands in row 2 from below, A to D",
       {"A2", "B2", "C2", "D2"});
}

TEST_CASE("the first name in every direction is found wherever the last letter falls", "[toot]") {
  // Completes every line of four on a board of seven by seven at each of its four cells. Letters
  // that cannot spell a name fill the rest of the board.
  int lines = 0, wrong = 0;
  for (const auto& [right, up, how] : std::vector<std::tuple<int, int, std::string>>{
           {1, 0, "row"}, {0, 1, "column"}, {1, 1, "rising"}, {1, -1, "falling"}})
    for (int column = 0; column < 7; ++column)
      for (int row = 0; row < 7; ++row) {
        if (column + 3 * right > 6 || row + 3 * up > 6 || row + 3 * up < 0) continue;
        for (int last = 0; last < 4; ++last) {
          if (right == 0 && last != 3) continue;
          ++lines;
          const std::string name = "TOOT";
          std::map<int, std::map<int, char>> wanted;
          for (int i = 0; i < 4; ++i)
            wanted[column + i * right][row + i * up] = name[static_cast<std::size_t>(i)];
          std::string plies;
          const int last_column = column + last * right, last_row = row + last * up;
          for (const auto& [c, cells] : wanted) {
            const int top = cells.rbegin()->first;
            for (int r = 0; r <= top; ++r) {
              if (c == last_column && r == last_row) break;
              const auto found = cells.find(r);
              // Ts below cannot make a name: TOOT needs two Os in the middle.
              plies += std::string(1, static_cast<char>('A' + c)) +
                       (found == cells.end() ? 'T' : found->second) + " ";
            }
          }
          Position p = toot({"-size=7x7", "-tootris"});
          SimpleGame plain(7, 7, true);
          bool early = false;
          for (const std::string& ply : split_words(plies)) {
            if (p.outcome()) early = true;
            if (early) break;
            p.play(ply);
            plain.play(ply);
          }
          if (early || p.outcome()) continue;  // the other letters spelled something first
          const std::string ply{static_cast<char>('A' + last_column),
                                name[static_cast<std::size_t>(last)]};
          p.play(ply);
          plain.play(ply);
          const std::string why = p.outcome() ? p.outcome()->reason : "no end";
          const bool right_line =
              why.find(how) != std::string::npos && p.outcome()->spots.size() == 4;
          if (result_text(p) != plain.result || !right_line) {
            ++wrong;
            CAPTURE(plies, ply, why, plain.result);
            CHECK(false);
          }
        }
      }
  CHECK(lines == 28 * 4 + 28 + 16 * 4 + 16 * 4);
  CHECK(wrong == 0);
}

TEST_CASE("OTTO wins with OTTO, whoever drops the last letter", "[toot]") {
  Position p = play_plies(toot(), "AO BT CT DO");
  CHECK(ending_text(p) == "OTTO: OTTO stands in the bottom row, A to D");
  p = play_plies(toot(), "AO BT CT FO DO");
  CHECK(ending_text(p) == "OTTO: OTTO stands in the bottom row, A to D");
  CHECK(p.to_move() != 0);
}

TEST_CASE("one move that spells only the opponent's name loses, and is cautioned against",
          "[toot]") {
  Position p = play_plies(toot(), "AT BO CO");
  CHECK(p.warning("DT") == "This spells TOOT, so your opponent wins.");
  CHECK(p.warning("DO") == "");
  p.play("DT");
  CHECK(ending_text(p) == "TOOT: TOOT stands in the bottom row, A to D");
}

TEST_CASE("one move that spells both names wins for whoever played it", "[toot]") {
  const std::string filling = "AO BO CO DO EO FO AT BO CO EO FO ET FO FO";
  Position p = play_plies(toot({"-size=7x9"}), filling);
  REQUIRE(p.to_move() == 0);
  CHECK(p.warning("DT") == "");
  p.play("DT");
  CHECK(ending_text(p) ==
        "TOOT: TOOT stands in row 2 from below, A to D. The last letter made both names, so its "
        "player wins");
  CHECK(spot_places(p, p.outcome()->spots) == Words{"A2", "B2", "C2", "D2"});
  p = play_plies(toot({"-size=7x9"}), filling + " GO");
  REQUIRE(p.to_move() == 1);
  CHECK(p.warning("DT") == "");
  p.play("DT");
  CHECK(ending_text(p) ==
        "OTTO: OTTO stands on the rising diagonal from C to F. The last letter made both names, so "
        "its player wins");
  CHECK(spot_places(p, p.outcome()->spots) == Words{"C1", "D2", "E3", "F4"});
}

TEST_CASE("one move that spells a name twice shows both lines", "[toot]") {
  // TOOT ends at the last letter on the left, and begins at it on the right.
  const Position p = play_plies(toot({"-size=7x9"}), "AT BO CO EO FO GT DT");
  CHECK(ending_text(p) == "TOOT: TOOT stands in the bottom row, D to G");
  CHECK(spot_places(p, p.outcome()->spots) == Words{"A1", "B1", "C1", "D1", "E1", "F1", "G1"});
}

TEST_CASE("a full board without a name is a tie", "[toot]") {
  Position p = play_plies(toot({"-size=4x1"}), "AT BO CO");
  CHECK(ending_text(p) == "");
  p = play_plies(p, "DT");
  CHECK(ending_text(p) == "TOOT: TOOT stands in the bottom row, A to D");
  p = play_plies(toot({"-size=4x1"}), "AT BT CO");
  CHECK(ending_text(p) == "");
  p = play_plies(p, "DO");
  CHECK(ending_text(p) == "tie: The board is full and has no name");
  CHECK(refusal_text(p, "AT") ==
        "0: The game is over. It is a tie. The board is full and has no name.");
}

TEST_CASE("a board of one cell is full after one move", "[toot]") {
  Position p = toot({"-size=1x1"});
  CHECK(p.legal_plies() == Words{"AO", "AT"});
  p.play("AT");
  CHECK(ending_text(p) == "tie: The board is full and has no name");
  CHECK(p.outcome()->spots.empty());
}

TEST_CASE(
    "the stock is a quarter of the cells rounded up, of each letter, and never runs out before the "
    "board is full",
    "[toot]") {
  CHECK(toot({"-size=1x1"}).holdings(0) == "1 T 1 O");
  CHECK(toot({"-size=3x3"}).holdings(1) == "3 T 3 O");
  CHECK(toot({"-size=5x5"}).holdings(0) == "7 T 7 O");
  CHECK(toot({"-size=7x9"}).holdings(0) == "16 T 16 O");
  CHECK(toot({"-size=14x20"}).holdings(1) == "70 T 70 O");
  std::mt19937 random(kSeed);
  Words wrong;
  for (int w = 1; w <= 14; ++w)
    for (int h = 1; h <= 20; ++h) {
      const std::string size = "-size=" + std::to_string(w) + "x" + std::to_string(h);
      Position p = toot({size});
      const std::string quarter = std::to_string((w * h + 3) / 4);
      if (p.holdings(0) != quarter + " T " + quarter + " O")
        wrong.push_back(size + " has " + p.holdings(0));
      for (auto legal = p.legal_plies(); !p.outcome(); legal = p.legal_plies()) {
        if (legal.empty()) {
          wrong.push_back(size + " leaves nothing to drop");
          break;
        }
        p.play(legal[random_below(random, legal.size())]);
      }
    }
  CHECK(wrong == Words{});
}

TEST_CASE("the last letter of a kind is cautioned about, but not in Tootris", "[toot]") {
  CHECK(toot({"-size=4x1"}).warning("BO") == "This is your last O.");
  CHECK(play_plies(toot({"-size=4x1"}), "AT BT").warning("CO") == "This is your last O.");
  CHECK(play_plies(toot({"-size=4x1"}), "AT BT CO").warning("DO") == "");  // fills the board: a tie
  CHECK(toot({"-size=1x1"}).warning("AT") == "");
  CHECK(toot().warning("AT") == "");
  CHECK(toot({"-size=1x1", "-tootris"}).warning("AT") == "");
}

TEST_CASE("in Tootris a full bottom row disappears and everything falls one row", "[toot]") {
  Position p = play_plies(toot({"-size=4x4", "-tootris"}), "AT BT CO AO");
  CHECK(p.describe("DO") == "drops an O down column D and the bottom row disappears");
  CHECK(p.describe("AO") == "drops an O down column A");
  CHECK(p.changed_spots("DO").empty());
  CHECK(spot_places(p, p.selected_spots("DO")) == Words{"D1"});
  CHECK(spot_places(p, p.selected_spots("AT")) == Words{"A3"});
  p.play("DO");
  CHECK(drawing_text(p) == "A B C D\n. . . .\n. . . .\n. . . .\nO . . .\n");
  CHECK(p.holdings(0) == "");
  CHECK(p.to_move() == 1);
}

TEST_CASE("a name is judged before the row disappears", "[toot]") {
  const Position p = play_plies(toot({"-size=4x4", "-tootris"}), "AT BO CO DT");
  CHECK(ending_text(p) == "TOOT: TOOT stands in the bottom row, A to D");
  CHECK(drawing_text(p) == "A B C D\n. . . .\n. . . .\n. . . .\nT O O T\n");
  CHECK(play_plies(toot({"-size=4x4", "-tootris"}), "AT BO CO").describe("DT") ==
        "drops a T down column D");
}

TEST_CASE("what falls together in Tootris spells nothing until the next letter", "[toot]") {
  // The rows above keep their shape when they drop, so no new line can appear.
  std::mt19937 random(kSeed);
  Words wrong;
  for (int game = 0; game < 60; ++game) {
    SimpleGame plain(5, 5, true);
    for (int ply = 0; ply < 120 && plain.result.empty(); ++ply) {
      const auto legal = plain.legal_plies();
      plain.play(legal[random_below(random, legal.size())]);
      if (plain.result.empty() && (plain.has_name("TOOT") || plain.has_name("OTTO")))
        wrong.push_back(plain.picture());
    }
  }
  CHECK(wrong == Words{});
}

TEST_CASE("in Tootris a column can be full but never all of them", "[toot]") {
  Position p = play_plies(toot({"-size=2x2", "-tootris"}), "AT AT");
  CHECK(refusal_text(p, "AO") == "0: Column A is full. Open columns: B.");
  CHECK(p.legal_plies() == Words{"BO", "BT"});
  p.play("BT");
  CHECK(drawing_text(p) == "A B\n. .\nT .\n");
  CHECK_FALSE(p.outcome());
}

TEST_CASE("in Tootris of one column every letter disappears at once", "[toot]") {
  Position p = toot({"-size=1x6", "-tootris"});
  for (int i = 0; i < 50; ++i) {
    CHECK(p.describe("AT") == "drops a T down column A and the bottom row disappears");
    p.play(i % 3 ? "AT" : "AO");
  }
  CHECK(drawing_text(p) == "A\n.\n.\n.\n.\n.\n.\n");
  CHECK_FALSE(p.outcome());
}

TEST_CASE("spots are named after their column and say what stands there", "[toot]") {
  const Drawing d = play_plies(toot({"-size=2x2"}), "BT BO").draw({});
  Words seen;
  for (const Spot& s : d.spots)
    seen.push_back(s.name + "@" + std::to_string(s.row) + "," + std::to_string(s.column) + "=" +
                   s.content);
  CHECK(seen == Words{"A@1,0=", "B@1,2=O", "A@2,0=", "B@2,2=T"});
  CHECK(d.spots[0].role == SpotRole::empty);
  // Letters have no seat's colour.
  CHECK(d.spots[1].role == SpotRole::piece2);
  CHECK(d.spots[3].role == SpotRole::piece1);
}

TEST_CASE("the last letter of a move is where it shows after it fell", "[toot]") {
  Position p = play_plies(toot({"-size=3x3", "-tootris"}), "AT BT");
  CHECK(spot_places(p, p.changed_spots("AO")) == Words{"A2"});
  CHECK(spot_places(p, p.changed_spots("CO")) == Words{});
  p = play_plies(toot({"-size=3x3", "-tootris"}), "AT AO BT");
  p.play("CT");
  CHECK(drawing_text(p) == "A B C\n. . .\n. . .\nO . .\n");
  CHECK(spot_places(p, p.changed_spots("AT")) == Words{"A2"});
}

TEST_CASE("a position is told in words, column by column", "[toot]") {
  CHECK(toot().description_lines() ==
        Words{"The columns are A to F, 4 rows high.", "The board is empty."});
  CHECK(toot({"-size=1x1"}).description_lines() ==
        Words{"The only column is A, 1 row high.", "The board is empty."});
  CHECK(play_plies(toot({"-size=3x2"}), "BT BO CO").description_lines() ==
        Words{"The columns are A to C, 2 rows high.", "Column B from the bottom: T O, full.",
              "Column C from the bottom: O.", "Empty: A."});
}

TEST_CASE("a move is described after the player's name", "[toot]") {
  CHECK(toot().describe("BT") == "drops a T down column B");
  CHECK(toot().describe("FO") == "drops an O down column F");
}

TEST_CASE("sizes outside one to fourteen by one to twenty are refused with the syntax", "[toot]") {
  Words accepted;
  for (const std::string value : {"7",
                                  "7x",
                                  "x9",
                                  "0x5",
                                  "5x0",
                                  "7x9x1",
                                  "15x4",
                                  "14x21",
                                  "-1x4",
                                  "+3x3",
                                  "03x3",
                                  "3x03",
                                  "3 x3",
                                  " 3x3",
                                  "3x3 ",
                                  "3*3",
                                  "axb",
                                  "",
                                  "x",
                                  "xx",
                                  "3.0x3",
                                  "99999999999999999999x4",
                                  "4x99999999999999999999",
                                  "0x0",
                                  "3x-3",
                                  "3xx3",
                                  "3\xc3\x97"
                                  "3"}) {
    const std::string why = option_refusal({"-size=" + value});
    if (why != "'-size=" + value +
                   "' is not valid. Write -size=WxH with W from 1 to 14 and H from 1 to 20, for "
                   "example -size=7x9.")
      accepted.push_back(value + " gave " + why);
  }
  CHECK(accepted == Words{});
  CHECK(option_refusal({"-size"}) ==
        "-size needs a value. Write -size=WxH: W columns from 1 to 14, H rows from 1 to 20.");
}

TEST_CASE("doubled, unknown and malformed options are refused with the syntax", "[toot]") {
  CHECK(option_refusal({"-size=7x9", "-size=7x9"}) ==
        "-size is given twice. Write each option once: -size=WxH -tootris.");
  CHECK(option_refusal({"-tootris", "-TOOTRIS"}) ==
        "-tootris is given twice. Write each option once: -size=WxH -tootris.");
  CHECK(option_refusal({"-size=6x4", "-size=7x9"}) ==
        "-size is given twice. Write each option once: -size=WxH -tootris.");
  CHECK(option_refusal({"-tootris=1"}) == "-tootris takes no value. Write just -tootris.");
  CHECK(option_refusal({"-tootris="}) == "-tootris takes no value. Write just -tootris.");
  CHECK(option_refusal({"-reverse"}) ==
        "There is no option -reverse for Toot. Options: -size=WxH -tootris.");
  CHECK(option_refusal({"-siz=3x3"}) ==
        "There is no option -siz=3x3 for Toot. Options: -size=WxH -tootris.");
  CHECK(option_refusal({"tootris"}) == "'tootris' is not an option. Options start with a dash.");
  CHECK(option_refusal({"-"}) ==
        "'-' is not an option. Write a name after the dash, for example -size=7x9.");
  CHECK(option_refusal({""}) == "'' is not an option. Options start with a dash.");
  CHECK(option_refusal({"-\x1b[2J"}) ==
        "There is no option -?[2J for Toot. Options: -size=WxH -tootris.");
}

TEST_CASE("options are read in any order and case and kept in one spelling", "[toot]") {
  const auto kept = [](const Words& options) {
    return read_options(*find_game("TOOT"), options)->to_words();
  };
  CHECK(kept({"-TOOTRIS", "-Size=7X9"}) == Words{"-size=7x9", "-tootris"});
  CHECK(kept({"-size=6x4"}) == Words{});
  CHECK(kept({}) == Words{});
  CHECK(kept({"-size=14x20"}) == Words{"-size=14x20"});
}

TEST_CASE("a board too small for a name says so before it is chosen", "[toot]") {
  const auto said = [](const Words& options) {
    const Setup s = make_setup("toot", options);
    return s.game->newcomer_note(s.options, 2);
  };
  CHECK(said({}) == "");
  CHECK(said({"-size=1x4"}) == "");
  CHECK(said({"-size=4x1", "-tootris"}) == "");
  CHECK(said({"-size=3x3"}) ==
        "This board is too small for a name. The game always ends in a tie.");
  CHECK(said({"-size=3x3", "-tootris"}) ==
        "This board is too small for a name. The game never ends by itself.");
}

TEST_CASE("Toot plays random games as the plain implementation does", "[toot]") {
  std::mt19937 random(kSeed);
  INFO("seed " << kSeed);
  Words wrong;
  int names = 0, ties = 0;
  for (const BoardForm& form : board_forms())
    for (int game = 0; game < (form.width > 10 ? 6 : 40); ++game) {
      Position p = toot(form.options);
      SimpleGame plain(form.width, form.height, form.tootris);
      std::string played;
      for (int ply = 0; ply < 300; ++ply) {
        const auto legal = p.legal_plies();
        if (legal != plain.legal_plies() || drawing_text(p) != plain.picture() ||
            result_text(p) != plain.result ||
            (plain.result.empty() && p.to_move() != plain.mover)) {
          wrong.push_back(make_setup("toot", form.options).name + " after" + played);
          break;
        }
        if (legal.empty()) break;
        const std::string next = legal[random_below(random, legal.size())];
        played += " " + next;
        p.play(next);
        plain.play(next);
      }
      names += plain.result == "0" || plain.result == "1";
      ties += plain.result == "tie";
    }
  CHECK(wrong == Words{});
  CHECK(names > 100);
  CHECK(ties > 50);
}

TEST_CASE("Toot counts move sequences as the plain implementation does", "[toot]") {
  for (const BoardForm& form : board_forms()) {
    const Setup s = make_setup("toot", form.options);
    const SimpleGame plain(form.width, form.height, form.tootris);
    const int deepest = form.width == 1   ? 8
                        : form.width <= 2 ? 6
                        : form.width <= 4 ? 5
                        : form.width <= 7 ? 3
                                          : 2;
    for (int depth = 1; depth <= deepest; ++depth) {
      CAPTURE(form.options, depth);
      CHECK(s.game->perft(s.options, 2, depth) == plain.perft(depth));
    }
  }
}

TEST_CASE("Toot counts move sequences deep enough to meet every rule", "[toot][long]") {
  for (const auto& [options, width, height, tootris, deepest] :
       std::vector<std::tuple<Words, int, int, bool, int>>{
           {{"-size=3x3", "-tootris"}, 3, 3, true, 7},
           {{"-size=4x2"}, 4, 2, false, 6},
           {{"-size=2x4"}, 2, 4, false, 8},
           {{"-size=4x2", "-tootris"}, 4, 2, true, 6}}) {
    const Setup s = make_setup("toot", options);
    const SimpleGame plain(width, height, tootris);
    CAPTURE(options, deepest);
    CHECK(s.game->perft(s.options, 2, deepest) == plain.perft(deepest));
  }
}
