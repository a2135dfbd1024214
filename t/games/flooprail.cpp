// SPDX-License-Identifier: MIT
// FloopRail: each rule of rules/flooprail.md, each refusal, each ending, and a comparison of moves
// and counts with a second, naive implementation of the rules.
#include <algorithm>
#include <map>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

const std::string kStartPicture =
    "   A  B  C  D  E  F  G  H\n"
    "1           O--O\n"
    "            |  |\n"
    "2        O--O--O--.\n"
    "         |  |  |  |\n"
    "3     O--O--O--.--.--X\n"
    "      |  |  |  |  |  |\n"
    "4  O--O--O--.--.--X--X--X\n"
    "      |  |  |  |  |  |\n"
    "5     O--.--.--X--X--X\n"
    "         |  |  |  |\n"
    "6        .--X--X--X\n"
    "            |  |\n"
    "7           X--X\n";

// The rules again, with one character per space and one small step at a time. The start comes from
// the picture above. It can also play as English draughts, where a Flooper that becomes a
// SooperFlooper ends its move there.
struct NaiveBoard {
  using Path = std::vector<std::string>;

  std::map<std::string, char> pieces;
  char mover = 'O';
  bool stops_at_goal = false;

  explicit NaiveBoard(bool crowning_stops = false) : stops_at_goal(crowning_stops) {
    std::vector<std::string> lines(1);
    for (const char c : kStartPicture) {
      if (c == '\n') lines.emplace_back();
      else lines.back() += c;
    }
    for (std::size_t row = 1; row <= 7; ++row) {
      const std::string& line = lines[2 * row - 1];
      for (std::size_t column = 0; column < 8; ++column) {
        const std::size_t i = 3 + 3 * column;
        if (i < line.size() && line[i] != ' ')
          pieces[is_space(static_cast<int>(column), static_cast<int>(row))] = line[i];
      }
    }
  }

  static std::string is_space(int column, int row) {
    return {static_cast<char>('A' + column), static_cast<char>('0' + row)};
  }
  static std::string neighbour(const std::string& from, int across, int down) {
    return {static_cast<char>(from[0] + across), static_cast<char>(from[1] + down)};
  }
  char piece_on(const std::string& name) const {
    const auto found = pieces.find(name);
    return found == pieces.end() ? ' ' : found->second;
  }
  static char side_of(char piece) { return piece == '@' ? 'O' : piece == '#' ? 'X' : piece; }
  char opponent() const { return mover == 'O' ? 'X' : 'O'; }

  static char promote_on_goal(char piece, const std::string& name) {
    static const std::string o_goals = "H4 G5 F6 E7", x_goals = "D1 C2 B3 A4";
    if (piece == 'O' && o_goals.find(name) != std::string::npos) return '@';
    if (piece == 'X' && x_goals.find(name) != std::string::npos) return '#';
    return piece;
  }
  static bool is_allowed(char piece, int across, int down) {
    if (piece == 'O') return across + down > 0;
    if (piece == 'X') return across + down < 0;
    return true;
  }
  static const std::vector<std::pair<int, int>>& directions() {
    static const std::vector<std::pair<int, int>> all{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return all;
  }

  // Continues a move from the end of `path`. The Flooper itself is off the board, and '*' marks the
  // captured ones.
  void add_fleaps(NaiveBoard& board, char piece, Path path, std::vector<Path>& out) const {
    bool any = false;
    for (const auto& [across, down] : directions()) {
      if (!is_allowed(piece, across, down)) continue;
      const std::string over = neighbour(path.back(), across, down),
                        land = neighbour(over, across, down);
      const char prey = board.piece_on(over);
      if (prey == ' ' || side_of(prey) != opponent() || board.piece_on(land) != '.') continue;
      any = true;
      board.pieces[over] = '*';
      Path longer = path;
      longer.push_back(land);
      const char then = promote_on_goal(piece, land);
      if (stops_at_goal && then != piece) out.push_back(longer);
      else add_fleaps(board, then, longer, out);
      board.pieces[over] = prey;
    }
    if (!any && path.size() > 1) out.push_back(path);
  }

  std::vector<Path> moves() const {
    std::vector<Path> fleaps, floops;
    NaiveBoard board = *this;
    for (const auto& [name, piece] : pieces) {
      if (side_of(piece) != mover) continue;
      board.pieces[name] = '.';
      add_fleaps(board, piece, {name}, fleaps);
      board.pieces[name] = piece;
      for (const auto& [across, down] : directions())
        if (is_allowed(piece, across, down) && piece_on(neighbour(name, across, down)) == '.')
          floops.push_back({name, neighbour(name, across, down)});
    }
    return fleaps.empty() ? floops : fleaps;
  }

  static std::string text(const Path& path) {
    std::string out;
    for (const std::string& name : path) out += (out.empty() ? "" : "-") + name;
    return out;
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const Path& path : moves()) out.push_back(text(path));
    std::sort(out.begin(), out.end());
    return out;
  }

  void play(const Path& path) {
    char piece = pieces[path.front()];
    pieces[path.front()] = '.';
    for (std::size_t i = 1; i < path.size(); ++i) {
      const std::string &a = path[i - 1], &b = path[i];
      if (std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) == 2)
        pieces[{static_cast<char>((a[0] + b[0]) / 2), static_cast<char>((a[1] + b[1]) / 2)}] = '.';
      piece = promote_on_goal(piece, b);
    }
    pieces[path.back()] = piece;
    mover = opponent();
  }

  void play(const std::string& typed) {
    for (const Path& path : moves())
      if (text(path) == typed) return play(path);
    FAIL("the naive game does not know " << typed);
  }

  std::uint64_t perft(int depth) const {
    const auto all = moves();
    if (depth == 1) return all.size();
    std::uint64_t sum = 0;
    for (const Path& path : all) {
      NaiveBoard next = *this;
      next.play(path);
      sum += next.perft(depth - 1);
    }
    return sum;
  }

  // Returns the pieces by space, as the drawing of `p` shows them.
  static std::map<std::string, char> drawn_pieces(const Position& p) {
    std::map<std::string, char> out;
    const Drawing d = p.draw({});
    for (const Spot& s : d.spots)
      out[s.name] = d.rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)];
    return out;
  }
};

Position flooprail(std::string_view plies = "", bool reverse = false) {
  return play_plies(make_setup("flooprail", reverse ? std::vector<std::string>{"-reverse"}
                                                    : std::vector<std::string>{})
                        .start(),
                    plies);
}

using Texts = std::vector<std::string>;

// X can Fleap from E6 over three Floopers, or from D7 over one.
const std::string kThreeFleaps = "D3-D4 F4-F3 C4-C5 F3-F2 D2-D3 F2-D2 C2-E2 D6-D5 D4-D6";
// X's Flooper on D3 can only Fleap onto B3, a goal, and then back to D3.
const std::string kRoundTrip = "C4-D4 D6-C6 D3-E3 F4-F3 B5-C5 C6-C4 C3-C5 F3-D3 B3-C3";
// O has two Floopers left; X's SooperFlooper is on D5.
const std::string kTwoLeft =
    "C4-D4 E5-D5 C3-C4 E6-E5 C2-C3 E5-E4 E2-E3 E4-E2-C2 B5-C5 D5-B5 C4-C5 C2-C4-E4 E1-E2 E4-E3 "
    "E2-E4 F4-D4-D2 D1-D3 F5-E5 "
    "B3-C3 B5-B3 A4-B4 B3-B5-D5";
// X's SooperFlooper on F3 is next to X's Flooper on G3.
const std::string kOwnSooper =
    "B5-C5 D6-D5 D3-E3 D5-B5 C3-D3 E5-D5 B3-C3 B5-B3 E2-F2 E6-E5 D3-D4 D5-D3 D2-D4 B3-D3-F3 C4-C5";
// X's next move, C2-C4, leaves O's two Floopers blocked.
const std::string kNearlyBlocked =
    "E2-E3 F4-F3 E3-E4 E5-E3 C4-C5 E3-E2 D2-F2-F4 G4-E4 C3-C4 E6-E5 C2-C3 D6-D5 E1-E2 E7-E6 E2-E3 "
    "E4-E2 D1-D2 E2-C2 C5-C6 "
    "C2-D2 C4-C5 D2-D4 C6-D6 E6-C6-C4-C2 B5-C5 D5-B5 B3-C3";

void check_refusal(const Position& p, const std::string& typed, const std::string& why,
                   std::size_t at) {
  INFO("typed '" << typed << "'");
  CHECK(require_refusal(p, typed) == Refusal{why, at});
}

}  // namespace

TEST_CASE("FloopRail starts with twelve Floopers each on the diamond of rails", "[flooprail]") {
  const Position p = flooprail();
  CHECK(drawing_text(p) == kStartPicture);
  CHECK(p.to_move() == 0);
  CHECK(p.side_name(0) == "O");
  CHECK(p.side_name(1) == "X");
  CHECK(p.holdings(0) == "12 Floopers");
  CHECK(p.holdings(1) == "12 Floopers");
  CHECK(p.legal_plies() == Texts{"B5-C5", "C4-C5", "C4-D4", "D3-D4", "D3-E3", "E2-E3", "E2-F2"});
}

TEST_CASE("with its blanks squeezed FloopRail's drawing is the help text's", "[flooprail]") {
  std::string squeezed;
  for (const std::string& row : flooprail().draw({}).rows) {
    std::string line;
    for (const std::string& w : split_words(row)) line += (line.empty() ? "" : " ") + w;
    squeezed += line + "\n";
  }
  CHECK(squeezed ==
        "A B C D E F G H\n1 O--O\n| |\n2 O--O--O--.\n| | | |\n3 O--O--O--.--.--X\n| | | | | |\n4 "
        "O--O--O--.--.--X--X--X\n"
        "| | | | | |\n5 O--.--.--X--X--X\n| | | |\n6 .--X--X--X\n| |\n7 X--X\n");
}

TEST_CASE("FloopRail's 32 spots carry the names, words and roles of its spaces", "[flooprail]") {
  const Drawing d = flooprail().draw({});
  REQUIRE(d.spots.size() == 32);
  std::map<std::string, Spot> by_name;
  for (const Spot& s : d.spots) by_name[s.name] = s;
  REQUIRE(by_name.size() == 32);
  CHECK(by_name["D1"].content == "O Flooper");
  CHECK(by_name["D1"].role == SpotRole::piece1);
  CHECK(by_name["D1"].row == 1);
  CHECK(by_name["D1"].column == 12);
  CHECK(by_name["H4"].content == "X Flooper");
  CHECK(by_name["H4"].role == SpotRole::piece2);
  CHECK(by_name["H4"].row == 7);
  CHECK(by_name["H4"].column == 24);
  CHECK(by_name["C6"].content == "");
  CHECK(by_name["C6"].role == SpotRole::empty);
  // Each space keeps its id, and both kinds of SooperFlooper have their own roles.
  const Drawing later =
      flooprail("C4-D4 F4-E4 D4-F4 F5-F3 B5-C5 F6-F5 E2-F2 D6-C6 F2-F4-F6-D6").draw({});
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(later.spots[i].id == d.spots[i].id);
    CHECK(later.spots[i].name == d.spots[i].name);
    if (later.spots[i].name != "D6") continue;
    CHECK(later.spots[i].content == "O SooperFlooper");
    CHECK(later.spots[i].role == SpotRole::king1);
  }
  const Drawing last = flooprail(kTwoLeft).draw({});
  for (const Spot& s : last.spots) {
    if (s.name != "D5") continue;
    CHECK(s.content == "X SooperFlooper");
    CHECK(s.role == SpotRole::king2);
  }
}

TEST_CASE("a Floop goes along a rail to an empty neighbour, O down or right and X up or left",
          "[flooprail]") {
  const Position p = flooprail("B5-C5 D6-D5 B4-B5");
  const auto legal = p.legal_plies();
  CHECK(std::binary_search(legal.begin(), legal.end(), "E6-D6"));  // the Floop of the help text
  CHECK(p.describe("E6-D6") == "Floops E6 to D6");
  CHECK(p.selected_spots("E6-D6").size() == 2);
  CHECK(p.selected_spots("E6-D6") != p.selected_spots("D5-D4"));
  CHECK(drawing_text(play_plies(p, "e6-d6")) ==
        "   A  B  C  D  E  F  G  H\n"
        "1           O--O\n"
        "            |  |\n"
        "2        O--O--O--.\n"
        "         |  |  |  |\n"
        "3     O--O--O--.--.--X\n"
        "      |  |  |  |  |  |\n"
        "4  O--.--O--.--.--X--X--X\n"
        "      |  |  |  |  |  |\n"
        "5     O--O--X--X--X--X\n"
        "         |  |  |  |\n"
        "6        .--X--.--X\n"
        "            |  |\n"
        "7           X--X\n");
}

TEST_CASE("a series of Fleaps names every landing, and captures leave when it is over",
          "[flooprail]") {
  const Position p = flooprail(kThreeFleaps);
  // The player may choose any Fleap, not only the longest, but no Floop.
  CHECK(p.legal_plies() == Texts{"D7-D5", "E6-C6-C4-C2"});
  const std::string ply = "E6-C6-C4-C2";  // the series of the help text
  CHECK(p.describe(ply) ==
        "Fleaps E6 to C6 to C4 to C2, capturing 3 Floopers, and makes a SooperFlooper");
  CHECK(p.selected_spots(ply).size() == 4);
  CHECK(p.changed_spots(ply).size() == 7);
  CHECK(p.describe("D7-D5") == "Fleaps D7 to D5, capturing a Flooper");
  const Position next = play_plies(p, ply);
  CHECK(drawing_text(next) ==
        "   A  B  C  D  E  F  G  H\n"
        "1           O--O\n"
        "            |  |\n"
        "2        #--.--O--.\n"
        "         |  |  |  |\n"
        "3     O--.--O--.--.--X\n"
        "      |  |  |  |  |  |\n"
        "4  O--O--.--.--.--.--X--X\n"
        "      |  |  |  |  |  |\n"
        "5     O--.--.--X--X--X\n"
        "         |  |  |  |\n"
        "6        .--.--.--X\n"
        "            |  |\n"
        "7           X--X\n");
  CHECK(next.holdings(0) == "8 Floopers");
  CHECK(next.holdings(1) == "9 + 1 Sooper");
}

TEST_CASE("a Flooper that reaches its goal in mid-move Fleaps on as a SooperFlooper",
          "[flooprail]") {
  const Position p = flooprail(kRoundTrip);
  // B3 is X's goal. From there the SooperFlooper goes down and right, and its start is empty again.
  CHECK(p.legal_plies() == Texts{"D3-B3-B5-D5-D3"});
  CHECK(p.describe("D3-B3-B5-D5-D3") ==
        "Fleaps D3 to B3 to B5 to D5 to D3, capturing 4 Floopers, and makes a SooperFlooper");
  CHECK(p.selected_spots("D3-B3-B5-D5-D3").front() == p.selected_spots("D3-B3-B5-D5-D3").back());
  const Position next = play_plies(p, "D3-B3-B5-D5-D3");
  const auto drawn = NaiveBoard::drawn_pieces(next);
  CHECK(drawn.at("D3") == '#');
  for (const char* gone : {"C3", "B4", "C5", "D4", "B3", "B5", "D5"}) CHECK(drawn.at(gone) == '.');
  CHECK(next.holdings(0) == "6 Floopers");
}

TEST_CASE("a SooperFlooper goes all four ways, one space or one Fleap at a time", "[flooprail]") {
  const Position p = flooprail(kTwoLeft + " D3-E3");
  const auto legal = p.legal_plies();
  for (const char* ply : {"D5-C5", "D5-D4"})
    CHECK(std::binary_search(legal.begin(), legal.end(), ply));
  CHECK_FALSE(std::binary_search(legal.begin(), legal.end(), "D5-B5"));
  CHECK_FALSE(std::binary_search(legal.begin(), legal.end(), "D5-D3"));
  const auto back = play_plies(p, "D5-C5 C3-C4").legal_plies();  // now it Fleaps
  CHECK(back == Texts{"C5-C3"});
  CHECK(require_refusal(play_plies(p, "D5-D4 C3-C4"), "D4-D5").reason ==
        "You must capture with a Fleap. Play D4-B4.");
}

TEST_CASE("a Floop onto a goal space makes a SooperFlooper", "[flooprail]") {
  std::mt19937 random(4);
  // Finds the first such Floop in seeded random games, for each side.
  std::array<bool, 2> seen{};
  for (int game = 0; game < 200 && !(seen[0] && seen[1]); ++game) {
    Position p = flooprail();
    for (auto legal = p.legal_plies(); !legal.empty() && !(seen[0] && seen[1]);
         legal = p.legal_plies()) {
      for (const std::string& ply : legal) {
        const std::string said = p.describe(ply);
        if (said.find(" and makes a SooperFlooper") == std::string::npos ||
            said.substr(0, 6) != "Floops")
          continue;
        const auto mover = static_cast<std::size_t>(p.to_move());
        seen[mover] = true;
        const std::string to = ply.substr(3);
        CHECK(std::string(mover == 0 ? "H4 G5 F6 E7" : "D1 C2 B3 A4").find(to) !=
              std::string::npos);
        CHECK(NaiveBoard::drawn_pieces(play_plies(p, ply)).at(to) == (mover == 0 ? '@' : '#'));
        CHECK(said == "Floops " + ply.substr(0, 2) + " to " + to + " and makes a SooperFlooper");
      }
      p.play(legal[random_below(random, legal.size())]);
    }
  }
  CHECK(seen == std::array<bool, 2>{true, true});
}

TEST_CASE("FloopRail says which text is no space", "[flooprail]") {
  const Position p = flooprail();
  check_refusal(p, "", "Type the Flooper's space, a dash and the next space, for example B5-C5.",
                0);
  check_refusal(
      p, "?",
      "'?' is not a column. Write a letter from A to H and a row from 1 to 7, for example D3.", 0);
  check_refusal(
      p, "3D",
      "'3' is not a column. Write a letter from A to H and a row from 1 to 7, for example D3.", 0);
  check_refusal(p, "K3", "There is no column K. The columns are A to H.", 0);
  check_refusal(p, "resign", "There is no column R. The columns are A to H.", 0);
  check_refusal(p, "d", "Which row of column D? It has rows 1 to 7.", 1);
  check_refusal(p, "A", "Which row of column A? It has only row 4.", 1);
  check_refusal(p, "Dx", "'x' is not a row. Column D has rows 1 to 7.", 1);
  check_refusal(p, "H\xff", "'" + safe_text("\xff") + "' is not a row. Column H has only row 4.",
                1);
  check_refusal(p, "B1", "There is no space B1. Column B has rows 3 to 5.", 0);
  check_refusal(p, "C7-C6", "There is no space C7. Column C has rows 2 to 6.", 0);
  check_refusal(p, "D9", "There is no space D9. Column D has rows 1 to 7.", 0);
  check_refusal(p, "D3-F1", "There is no space F1. Column F has rows 2 to 6.", 3);
  check_refusal(p, "D3-E", "Which row of column E? It has rows 1 to 7.", 4);
  check_refusal(
      p, "D3--",
      "'-' is not a column. Write a letter from A to H and a row from 1 to 7, for example D3.", 3);
  check_refusal(p, "D3E4", "No rail runs from D3 to E4. D3 can Floop to D4 or E3.", 2);
  check_refusal(p, "D3-E3x", "After E3 only a dash and another space can follow, not 'x'.", 5);
  check_refusal(p, "D3-E3\x1b[2J", "After E3 only a dash and another space can follow, not '?'.",
                5);
}

TEST_CASE("FloopRail asks where a Flooper goes when only that is missing", "[flooprail]") {
  check_refusal(flooprail(), "D3", "Where does D3 go? It can Floop to D4 or E3.", 2);
  check_refusal(flooprail(), "d3-", "Where does D3 go? It can Floop to D4 or E3.", 3);
  const Position p = flooprail(kThreeFleaps);
  check_refusal(p, "E6", "Where does E6 go? It can Fleap to C6.", 2);
  check_refusal(p, "E6-C6-", "Where does E6 go on to? From C6 it can Fleap to C4.", 6);
}

TEST_CASE("FloopRail refuses a space from which the player cannot move", "[flooprail]") {
  const Position p = flooprail();
  check_refusal(p, "F3-F4", "There is no Flooper on F3. O can move B5, C4, D3 or E2.", 0);
  check_refusal(p, "E6-D6",
                "E6 holds an X Flooper, and it is O's turn. O can move B5, C4, D3 or E2.", 0);
  check_refusal(p, "D1", "D1 cannot Floop or Fleap. O can move B5, C4, D3 or E2.", 0);
  check_refusal(flooprail(kTwoLeft), "D5-C5",
                "D5 holds an X SooperFlooper, and it is O's turn. O can move C3 or D3.", 0);
  check_refusal(flooprail(kThreeFleaps), "G3",
                "You must capture with a Fleap, and G3 cannot. Play D7-D5 or E6-C6-C4-C2.", 0);
  check_refusal(flooprail("C4-D4 F4-E4"), "D1",
                "You must capture with a Fleap, and D1 cannot. Play D4-F4.", 0);
}

TEST_CASE("FloopRail refuses steps that follow no rail or are too far", "[flooprail]") {
  const Position p = flooprail();
  check_refusal(p, "D3-D3", "D3-D3 goes nowhere. A Floop goes one space, a Fleap two.", 3);
  check_refusal(p, "D3-E4", "No rail runs from D3 to E4. D3 can Floop to D4 or E3.", 3);
  check_refusal(p, "D1-E2",
                "No rail runs from D1 to E2. Rails join neighbours in a row or a column.", 3);
  check_refusal(
      p, "D3-G3",
      "G3 is 3 spaces from D3. A Floop goes one space, a Fleap two. D3 can Floop to D4 or E3.", 3);
  check_refusal(p, "D1-D7", "D7 is 6 spaces from D1. A Floop goes one space, a Fleap two.", 3);
  const Position q = flooprail(kThreeFleaps);
  check_refusal(q, "E6-C6-B5", "No rail runs from C6 to B5. From C6 it can Fleap to C4.", 6);
  check_refusal(
      q, "E6-C6-C3",
      "C3 is 3 spaces from C6. A Floop goes one space, a Fleap two. From C6 it can Fleap to C4.",
      6);
}

TEST_CASE("FloopRail refuses a Flooper that goes backwards", "[flooprail]") {
  const Position p = flooprail();
  check_refusal(p, "D3-D2",
                "D3-D2 goes up, as only a SooperFlooper may. O's Floopers go down or right.", 3);
  check_refusal(p, "D3-C3",
                "D3-C3 goes left, as only a SooperFlooper may. O's Floopers go down or right.", 3);
  check_refusal(p, "D3-B3",
                "D3-B3 goes left, as only a SooperFlooper may. O's Floopers go down or right.", 3);
  const Position q = flooprail(kThreeFleaps);
  check_refusal(q, "E6-F6",
                "E6-F6 goes right, as only a SooperFlooper may. X's Floopers go up or left.", 3);
  check_refusal(q, "D7-D9", "There is no space D9. Column D has rows 1 to 7.", 3);
  check_refusal(q, "E6-C6-E6",
                "C6-E6 goes right, as only a SooperFlooper may. X's Floopers go up or left.", 6);
}

TEST_CASE("FloopRail refuses a landing that is not empty", "[flooprail]") {
  check_refusal(flooprail(), "D1-E1", "E1 already has an O Flooper.", 3);
  check_refusal(flooprail(), "D1-D3", "D3 already has an O Flooper.", 3);
  const Position p = flooprail(kThreeFleaps);
  check_refusal(p, "E6-D6", "D6 has an O Flooper. To capture it, Fleap over it to C6.", 3);
  check_refusal(p, "E6-C6-C4-C2-E2", "E2 already has an O Flooper.", 12);
  // Beyond the Flooper in the way is another Flooper, or no space.
  check_refusal(flooprail("D3-E3 F4-E4 D2-D3 E5-D5"), "E3-E4",
                "E4 has an X Flooper. To capture it, Fleap over it to E5.", 3);
  check_refusal(flooprail("D3-D4 E5-E4"), "D4-E4",
                "E4 has an X Flooper, and F4 behind it is not empty. D4 can Floop to D5.", 3);
  check_refusal(flooprail("E2-F2 G3-F3 C4-C5"), "F3-F2",
                "F2 has an O Flooper, and there is no space behind it. F3 can Floop to E3.", 3);
}

TEST_CASE("FloopRail refuses a Fleap over nothing, over one's own and twice over one",
          "[flooprail]") {
  check_refusal(flooprail(), "D3-F3",
                "There is nothing to Fleap over on E3. D3 can Floop to D4 or E3.", 3);
  check_refusal(flooprail(), "C3-E3", "C3-E3 goes over O's own Flooper on D3. Fleap only over X's.",
                3);
  check_refusal(
      flooprail(kThreeFleaps), "E5-E3",
      "There is nothing to Fleap over on E4. You must capture with a Fleap. Play D7-D5 or "
      "E6-C6-C4-C2.",
      3);
  const Position p = flooprail(kRoundTrip);
  check_refusal(p, "D3-B3-D3",
                "You already captured the Flooper on C3 in this move. From B3 it can Fleap to B5.",
                6);
  check_refusal(p, "D3-B3-B5-D5-D3-B3", "You already captured the Flooper on C3 in this move.", 15);
}

TEST_CASE("FloopRail calls a SooperFlooper by its name", "[flooprail]") {
  check_refusal(flooprail(kOwnSooper), "G3-E3",
                "G3-E3 goes over X's own SooperFlooper on F3. Fleap only over O's.", 3);
}

TEST_CASE("FloopRail refuses to leave a Fleap out or to stop short of one", "[flooprail]") {
  const Position p = flooprail(kThreeFleaps);
  check_refusal(p, "G3-F3", "You must capture with a Fleap. Play D7-D5 or E6-C6-C4-C2.", 0);
  check_refusal(p, "E6-C6", "E6 must Fleap on. From C6 it can Fleap to C4.", 5);
  check_refusal(p, "E6-C6-C4", "E6 must Fleap on. From C4 it can Fleap to C2.", 8);
  check_refusal(p, "E6-C6-C5", "Only another Fleap can follow a Fleap. From C6 it can Fleap to C4.",
                6);
  check_refusal(p, "D7-D5-D4", "D5-D4 is a Floop and cannot follow a Fleap. The move ends on D5.",
                6);
  check_refusal(flooprail("B5-C5 E5-D5"), "C5-E5-F5",
                "Only another Fleap can follow a Fleap. The move ends on E5.", 6);
  check_refusal(p, "E6-C6-C4-C2-", "Leave out the last '-'. From C2 there is no further Fleap.",
                11);
  check_refusal(flooprail(kRoundTrip), "D3-B3", "D3 must Fleap on. From B3 it can Fleap to B5.", 5);
  check_refusal(flooprail(), "D3-E3-", "A Floop ends the move. Nothing can follow D3-E3.", 5);
  check_refusal(flooprail(), "D3-E3-F3", "A Floop ends the move. Nothing can follow D3-E3.", 5);
  // The Flooper that Floops could Fleap itself, so the error is at its destination.
  const Position q = flooprail("C4-D4 F4-E4");
  CHECK(q.legal_plies() == Texts{"D4-F4"});
  check_refusal(q, "D4-D5", "You must capture with a Fleap. Play D4-F4.", 3);
}

TEST_CASE("long lists of moves in FloopRail's sentences are cut short", "[flooprail]") {
  check_refusal(flooprail("C4-D4 E5-D5 B4-C4 E6-E5"), "F2-F3",
                "There is no Flooper on F2. O can move A4, B3, B5, C4, D3 or 2 others.", 0);
  const Position p = flooprail(
      "D3-D4 F4-F3 D2-D3 F5-F4 E2-F2 E5-D5 C2-D2 F4-E4 D4-F4 G4-E4 F2-F4 H4-G4 F4-H4 E6-E5 D2-E2 "
      "F6-F5 E2-E3 E4-E2 E1-E3 "
      "F5-F4 D1-E1 E7-E6 H4-G4 F4-F3 C4-C5 G5-F5 G4-F4 E5-E4");
  CHECK(p.legal_plies() ==
        Texts{"C5-E5-E7", "C5-E5-G5", "E3-E5-E7", "E3-E5-G5", "F4-D4", "F4-F2", "F4-F6"});
  check_refusal(p, "D3-D4",
                "You must capture with a Fleap. Play C5-E5-E7, C5-E5-G5, E3-E5-E7, E3-E5-G5, F4-D4 "
                "or 2 others.",
                0);
}

TEST_CASE("who has no Flooper left has lost FloopRail at once, and won it in reverse",
          "[flooprail]") {
  for (const bool reverse : {false, true}) {
    const Position p = flooprail(kTwoLeft + " D3-D4 D5-D3-B3", reverse);
    REQUIRE(p.outcome());
    CHECK(p.outcome()->winner == (reverse ? 0 : 1));
    CHECK(p.outcome()->reason == (reverse ? "O has no Floopers left. This wins the reverse game"
                                          : "O has no Floopers left"));
    CHECK(p.outcome()->spots.empty());
    CHECK(p.legal_plies().empty());
    CHECK(p.holdings(0) == "no Floopers");
    CHECK(p.description_lines().front() == "O has no Floopers left.");
  }
}

TEST_CASE("who cannot move has lost FloopRail at once, and won it in reverse", "[flooprail]") {
  for (const bool reverse : {false, true}) {
    const Position p = flooprail(kNearlyBlocked + " C2-C4", reverse);
    REQUIRE(p.outcome());
    CHECK(p.outcome()->winner == (reverse ? 0 : 1));
    CHECK(p.outcome()->reason == std::string("O's 2 Floopers are all blocked") +
                                     (reverse ? ". This wins the reverse game" : ""));
    std::vector<std::string> shown;
    const Outcome end = *p.outcome();
    const Drawing drawn = p.draw({});
    for (const SpotId id : end.spots)
      for (const Spot& s : drawn.spots)
        if (s.id == id) shown.push_back(s.name);
    CHECK(shown == Texts{"A4", "B4"});
  }
  const Position last = flooprail(
      "C4-D4 D6-C6 C3-C4 E5-E4 B5-C5 G3-F3 C2-C3 E6-E5 E2-E3 E4-E2-C2 B4-B5 C2-D2 D4-E4 F4-D4-B4 "
      "A4-C4 D2-D4-B4 D1-D2 "
      "C6-C4-C2-E2 E1-E3-G3 B4-C4 B3-B4 C4-A4 B5-C5 F5-F4 C5-D5 E5-C5");
  REQUIRE(last.outcome());
  CHECK(last.outcome()->reason == "O's last Flooper is blocked");
  CHECK(last.outcome()->winner == 1);
}

TEST_CASE("reverse FloopRail has three names and the same moves", "[flooprail]") {
  const Options reverse = make_setup("flooprail", {"-reverse"}).options;
  for (const char* name : {"-misere", "-losing", "-LOSING", "-Reverse"})
    CHECK(make_setup("flooprail", {name}).options == reverse);
  CHECK(reverse.to_words() == Texts{"-reverse"});
  const auto refused_with = [](const Texts& options) {
    return read_options(*find_game("flooprail"), options).refusal().reason;
  };
  CHECK(refused_with({"-reverse", "-misere"}) ==
        "-misere is another name for -reverse. Write one of them.");
  CHECK(refused_with({"-Losing", "-MISERE"}) ==
        "-misere is another name for -losing. Write one of them.");
  CHECK(refused_with({"-misere", "-Misere"}) ==
        "-misere is given twice. Write each option once: -reverse|-misere|-losing.");
  CHECK(refused_with({"-"}) ==
        "'-' is not an option. Write a name after the dash, for example -reverse.");
  CHECK(read_options(*find_game("chaos"), {"-"}).refusal().reason ==
        "'-' is not an option. Write a name after the dash.");
  CHECK(flooprail(kThreeFleaps, true).legal_plies() == flooprail(kThreeFleaps).legal_plies());
  CHECK_FALSE(flooprail("", true) == flooprail());
}

TEST_CASE("FloopRail gives a quiet word before a move that loses at once", "[flooprail]") {
  const Position p = flooprail(kTwoLeft);
  CHECK(p.warning("D3-D4") == "X can answer D5-D3-B3 and win. O would have no move left.");
  CHECK(p.warning("D3-E3") == "");
  CHECK(flooprail(kTwoLeft, true).warning("D3-D4") == "");
  CHECK(flooprail(kNearlyBlocked).warning("C2-C4") == "");
  CHECK(flooprail(kNearlyBlocked, true).warning("C2-C4") ==
        "This leaves O without a move. In the reverse game O wins.");
  CHECK(flooprail().warning("D3-E3") == "");
}

TEST_CASE("FloopRail is told in words", "[flooprail]") {
  CHECK(flooprail().description_lines() ==
        Texts{"O has 12 Floopers on A4, B3, B4, B5, C2, C3, C4, D1, D2, D3, E1 and E2.",
              "X has 12 Floopers on D6, D7, E5, E6, E7, F4, F5, F6, G3, G4, G5 and H4."});
  CHECK(flooprail(kTwoLeft).description_lines() ==
        Texts{"O has 2 Floopers on C3 and D3.",
              "X has 9 Floopers on D6, D7, E5, E7, F6, G3, G4, G5 and H4.",
              "X has a SooperFlooper on D5."});
  CHECK(flooprail("C4-D4 F4-E4 D4-F4 F5-F3 B5-C5 F6-F5 E2-F2 D6-C6 F2-F4-F6-D6")
            .describe("D7-D5-B5") ==
        "Fleaps D7 to D5 to B5, capturing a Flooper and a SooperFlooper");
}

TEST_CASE("FloopRail's moves and drawing agree with a naive reading of the rules", "[flooprail]") {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    std::mt19937 random(seed);
    NaiveBoard naive;
    Position p = flooprail();
    std::string played;
    for (int ply = 0; ply < 140; ++ply) {
      const auto legal = p.legal_plies();
      INFO("seed " << seed << ", after" << played);
      REQUIRE(legal == naive.texts());
      REQUIRE(NaiveBoard::drawn_pieces(p) == naive.pieces);
      if (legal.empty()) break;
      const std::string next = legal[random_below(random, legal.size())];
      p.play(next);
      naive.play(next);
      played += " " + next;
    }
  }
}

TEST_CASE("FloopRail refuses every move between spaces that the naive reading does not know",
          "[flooprail]") {
  std::mt19937 random(11);
  for (int game = 0; game < 4; ++game) {
    Position p = flooprail();
    NaiveBoard naive;
    for (int ply = 0; ply < 60; ++ply) {
      const auto legal = naive.texts();
      Texts accepted;
      for (const auto& [from, a] : naive.pieces)
        for (const auto& [to, b] : naive.pieces)
          if (p.parse(from + "-" + to)) accepted.push_back(from + "-" + to);
      // The two ends of a chain are enough if no other move has these ends.
      std::map<std::string, int> ends;
      for (const std::string& text : legal)
        ends[text.substr(0, 3) + text.substr(text.size() - 2)] += text.size() == 5 ? 100 : 1;
      Texts known;
      for (const auto& [text, n] : ends)
        if (n == 1 || n >= 100) known.push_back(text);
      REQUIRE(accepted == known);
      if (legal.empty()) break;
      const std::string next = legal[random_below(random, legal.size())];
      p.play(next);
      naive.play(next);
    }
  }
}

TEST_CASE(
    "FloopRail counts as a naive counter does, and as English draughts until a crowned Flooper "
    "goes on",
    "[flooprail]") {
  const Setup setup = make_setup("flooprail"), reverse = make_setup("flooprail", {"-reverse"});
  const auto ours = [](const Setup& s, int depth) { return s.game->perft(s.options, 2, depth); };
  for (int depth = 1; depth <= 5; ++depth) CHECK(ours(setup, depth) == NaiveBoard().perft(depth));
  const std::vector<std::uint64_t> known{1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963629};
  for (std::size_t depth = 0; depth < known.size(); ++depth)
    CHECK(ours(setup, static_cast<int>(depth)) == known[depth]);
  CHECK(ours(reverse, 8) == 845931);
  // After seven plies, a new SooperFlooper can Fleap on. The moves of the two games differ at the
  // eighth ply, and the counts (English draughts: 3963680) at the ninth.
  const std::string plies = "E2-E3 F4-E4 C4-D4 E4-C4 C3-C5 D6-C6 C2-C3";
  NaiveBoard goes_on, stops(true);
  for (const std::string& ply : split_words(plies)) {
    goes_on.play(ply);
    stops.play(ply);
  }
  CHECK(flooprail(plies).legal_plies() == goes_on.texts());
  const auto here = goes_on.texts(), there = stops.texts();
  CHECK(std::binary_search(here.begin(), here.end(), "C6-C4-C2-E2-E4"));
  CHECK_FALSE(std::binary_search(here.begin(), here.end(), "C6-C4-C2"));
  CHECK(std::binary_search(there.begin(), there.end(), "C6-C4-C2"));
}

// Runs only on request: it takes some minutes under the sanitizers.
TEST_CASE("FloopRail's counts part from English draughts at the ninth move",
          "[.long][flooprail-long]") {
  for (int depth = 6; depth <= 9; ++depth) {
    const std::uint64_t ours = NaiveBoard().perft(depth), draughts = NaiveBoard(true).perft(depth);
    INFO("depth " << depth);
    const Setup setup = make_setup("flooprail");
    CHECK(ours == setup.game->perft(setup.options, 2, depth));
    if (depth <= 8) CHECK(draughts == ours);
    else CHECK(draughts == 3963680);
  }
}
