// SPDX-License-Identifier: MIT
// Plotto: each rule of rules/plotto.md, every refusal, every ending, and a comparison with a
// second, slow implementation.
#include <algorithm>
#include <map>
#include <set>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

constexpr unsigned kSeed = 1995;

// The rules again, slowly: text coordinates in maps, and each question computed from scratch.
struct ReferenceGame {
  using HexPlace = std::pair<int, int>;  // column of hexes, line of its digit
  std::map<HexPlace, int> pieces;
  int seats = 2, mover = 0;
  bool tournament = false;
  std::set<int> dropped_seats;  // seats that gave up
  bool has_ended = false;
  int winner = -1;  // -1: no winner

  static std::vector<HexPlace> neighbours(HexPlace h) {
    return {{h.first, h.second - 2},     {h.first, h.second + 2},     {h.first - 1, h.second - 1},
            {h.first - 1, h.second + 1}, {h.first + 1, h.second - 1}, {h.first + 1, h.second + 1}};
  }

  std::vector<int> neighbour_numbers(HexPlace h) const {
    std::vector<int> out;
    for (const HexPlace& n : neighbours(h))
      if (pieces.count(n)) out.push_back(pieces.at(n));
    return out;
  }

  std::vector<int> free_numbers(HexPlace h) const {
    const auto near = neighbour_numbers(h);
    std::vector<int> out;
    for (int n = 1; n <= 4; ++n)
      if (std::count(near.begin(), near.end(), n) == 0) out.push_back(n);
    return out;
  }

  // In the order of their letters, which is the order of a set of (column, line).
  std::vector<HexPlace> openings() const {
    if (has_ended) return {};
    if (pieces.empty()) return {HexPlace{0, 0}};
    std::set<HexPlace> near;
    for (const auto& piece : pieces)
      for (const HexPlace& n : neighbours(piece.first)) near.insert(n);
    std::vector<HexPlace> out;
    for (const HexPlace& h : near)
      if (!pieces.count(h) && neighbour_numbers(h).size() >= (pieces.size() == 1 ? 1U : 2U) &&
          !free_numbers(h).empty())
        out.push_back(h);
    return out;
  }

  static std::string opening_name(std::size_t i) {
    std::string out = "a";
    for (; i > 0; --i) {  // counts up step by step
      std::size_t at = out.size();
      while (at > 0 && out[at - 1] == 'z') out[--at] = 'a';
      if (at == 0) out = "a" + out;
      else ++out[at - 1];
    }
    return out;
  }

  std::vector<std::string> legal() const {
    std::vector<std::string> out;
    std::size_t i = 0;
    for (const HexPlace& h : openings()) {
      const std::string name = opening_name(i++);
      for (const int n : free_numbers(h)) out.push_back(name + std::to_string(n));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  // Returns the seats with a line through `h`.
  std::set<int> lines_through(HexPlace h) const {
    std::set<int> out;
    for (const HexPlace& d : {HexPlace{0, 2}, HexPlace{1, 1}, HexPlace{1, -1}})
      for (int back = 0; back < 4; ++back) {
        std::string line;
        for (int i = 0; i < 4; ++i) {
          const HexPlace p{h.first + (i - back) * d.first, h.second + (i - back) * d.second};
          line += pieces.count(p) ? static_cast<char>('0' + pieces.at(p)) : '.';
        }
        if (line.find('.') != std::string::npos) continue;
        const std::string ends{line.front(), line.back()};
        for (int s = 0; s < seats; ++s) {
          const char own = static_cast<char>('1' + s);
          const bool made = tournament
                                ? ends == (s == 0 ? "13" : "24") || ends == (s == 0 ? "31" : "42")
                                : ends == std::string(2, own);
          if (made && !dropped_seats.count(s)) out.insert(s);
        }
      }
    return out;
  }

  void play(HexPlace h, int number) {
    pieces[h] = number;
    const auto lines = lines_through(h);
    if (lines.count(mover)) winner = mover;
    else if (lines.size() == 1) winner = *lines.begin();
    if (winner >= 0 || openings().empty()) has_ended = true;
    pass_turn();
  }

  void play(const std::string& ply) {
    const std::string name = ply.substr(0, ply.size() - 1);
    std::size_t i = 0;
    while (opening_name(i) != name) ++i;
    play(openings().at(i), ply.back() - '0');
  }

  void pass_turn() {
    do mover = (mover + 1) % seats;
    while (dropped_seats.count(mover));
  }

  void drop_seat(int seat) {
    dropped_seats.insert(seat);
    if (mover == seat) pass_turn();
  }

  std::string drawing() const {
    std::map<HexPlace, char> ink;  // text column, line
    const auto write = [&](int column, int line, const std::string& text) {
      for (std::size_t i = 0; i < text.size(); ++i)
        ink[{column + static_cast<int>(i), line}] = text[i];
    };
    int leftmost = 1000000;
    for (const auto& [h, number] : pieces) {
      const int c = 3 * h.first;
      write(c, h.second - 1, "__");
      write(c - 1, h.second, "/" + std::to_string(number) + " \\");
      write(c - 1, h.second + 1, "\\__/");
      leftmost = std::min(leftmost, c);
    }
    std::size_t i = 0;
    for (const HexPlace& h : openings()) {
      write(3 * h.first, h.second, opening_name(i++));
      leftmost = std::min(leftmost, 3 * h.first);
    }
    std::map<int, std::string> rows;
    for (const auto& [at, c] : ink) {  // in order of columns, so that rows grow to the right
      std::string& row = rows[at.second];
      row.resize(static_cast<std::size_t>(at.first - leftmost + 3), ' ');
      row += c;
    }
    std::string out;
    for (const auto& row : rows) {
      const std::size_t end = row.second.find_last_not_of(' ');
      out += row.second.substr(0, end + 1) + "\n";
    }
    return out;
  }

  std::uint64_t perft(int depth) const {
    std::uint64_t sum = 0;
    for (const HexPlace& h : openings())
      for (const int n : free_numbers(h)) {
        if (depth > 1) {
          ReferenceGame next = *this;
          next.play(h, n);
          sum += next.perft(depth - 1);
        } else {
          ++sum;
        }
      }
    return sum;
  }
};

const char* const kExample = "a1 f3 b2 c4 c3 e2 d1";  // the position in which most tests start

Position plotto(std::string_view plies = "", int seats = 2) {
  return play_plies(make_setup("plotto", {}, seats).start(), plies);
}
Position tournament(std::string_view plies = "") {
  return play_plies(make_setup("plotto", {"-tournament"}).start(), plies);
}

std::string join_words(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& s : items) out += (out.empty() ? "" : " ") + s;
  return out;
}

std::string winner_text(const Position& p) {
  const auto end = p.outcome();
  return !end ? "nobody yet" : end->winner ? "player " + std::to_string(*end->winner + 1) : "a tie";
}

// Returns the numbers at the spots of the ending, in the order of their columns.
std::string ending_numbers(const Position& p) {
  std::string out;
  const Drawing d = p.draw({});
  for (const Spot& s : d.spots) {
    const auto ids = p.outcome()->spots;
    if (std::find(ids.begin(), ids.end(), s.id) != ids.end())
      out += d.rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)];
  }
  return out;
}

void check_refusal(const Position& p, std::string_view typed, const std::string& why,
                   std::size_t at) {
  const Refusal r = require_refusal(p, typed);
  INFO("typed '" << typed << "'");
  CHECK(r.reason == why);
  CHECK(r.offset == at);
}

// Compares everything that a player sees. Returns a difference, or "".
std::string find_difference(const Position& position, const ReferenceGame& reference) {
  if (position.legal_plies() != reference.legal())
    return "legal: " + join_words(position.legal_plies()) +
           "\nnot: " + join_words(reference.legal());
  if (drawing_text(position) != reference.drawing())
    return drawing_text(position) + "is not\n" + reference.drawing();
  const auto end = position.outcome();
  if (end.has_value() != reference.has_ended) return "only one of them is over";
  if (end && end->winner.value_or(-1) != reference.winner) return "another winner";
  if (!end && position.to_move() != reference.mover) return "another player to move";
  return "";
}

struct BothGames {
  Position position;
  ReferenceGame reference;

  explicit BothGames(const Setup& setup) : position(setup.start()) {
    reference.seats = setup.seats;
    reference.tournament = setup.options.has("tournament");
  }
  void play(const std::string& ply) {
    position.play(ply);
    reference.play(ply);
  }
};

// Plays `plies` plies that do not end the game, each the best of a few random ones by `worth`.
template <class Worth>
void play_best_plies(BothGames& both, int plies, std::mt19937& random, Worth worth) {
  for (int i = 0; i < plies; ++i) {
    const auto legal = both.position.legal_plies();
    std::string best;
    long best_worth = 0;
    for (int tries = 0; best.empty() || tries < 6; ++tries) {
      const std::string& ply = legal[random_below(random, legal.size())];
      Position next = both.position;
      next.play(ply);
      if (next.outcome()) continue;
      const long w = worth(next, ply);
      if (best.empty() || w > best_worth) {
        best = ply;
        best_worth = w;
      }
    }
    both.play(best);
  }
}

long count_openings(const Position& p) {
  const Drawing d = p.draw({});
  return std::count_if(d.spots.begin(), d.spots.end(),
                       [](const Spot& s) { return s.role == SpotRole::opening; });
}

// Returns a game with more than 26 openings.
Position many_openings() {
  std::mt19937 random(kSeed);
  BothGames both(make_setup("plotto"));
  while (count_openings(both.position) < 30)
    play_best_plies(both, 1, random,
                    [](const Position& p, const std::string&) { return count_openings(p); });
  return both.position;
}

}  // namespace

TEST_CASE("a Plotto game starts with one opening for any number", "[plotto]") {
  const Position p = plotto();
  CHECK(drawing_text(p) == "   a\n");
  CHECK(join_words(p.legal_plies()) == "a1 a2 a3 a4");
  CHECK(p.to_move() == 0);
}

TEST_CASE("the second piece goes to any of the six edges of the first", "[plotto]") {
  const Position p = plotto("a3");
  CHECK(drawing_text(p) ==
        "      c\n"
        "   a  __ e\n"
        "     /3 \\\n"
        "   b \\__/f\n"
        "      d\n");
  CHECK(join_words(p.legal_plies()) == "a1 a2 a4 b1 b2 b4 c1 c2 c4 d1 d2 d4 e1 e2 e4 f1 f2 f4");
}

TEST_CASE("from the third piece on an opening touches two pieces", "[plotto]") {
  const Position p = plotto("a1 f3");
  CHECK(drawing_text(p) ==
        "   __ b\n"
        "  /1 \\__\n"
        "  \\__/3 \\\n"
        "   a \\__/\n");
  CHECK(join_words(p.legal_plies()) == "a2 a4 b2 b4");
}

TEST_CASE("the example of the rules is drawn and its moves are those listed", "[plotto]") {
  for (int seats = 2; seats <= 4; ++seats) {
    const Position p = plotto(kExample, seats);
    CHECK(drawing_text(p) ==
          "      c  __ e\n"
          "   a  __/3 \\__\n"
          "   __/2 \\__/2 \\\n"
          "  /1 \\__/4 \\__/\n"
          "  \\__/3 \\__/f\n"
          "   b \\__/1 \\\n"
          "      d \\__/\n");
    CHECK(join_words(p.legal_plies()) == "a3 a4 b2 b4 c1 c4 d2 d4 e1 e4 f3");
  }
}

TEST_CASE("e1 wins for player 1 and 2b for player 2, whoever plays it", "[plotto]") {
  for (int seats = 2; seats <= 4; ++seats) {
    const Position p = plotto(kExample, seats);
    INFO(seats << " seats, player " << p.to_move() + 1 << " to move");
    CHECK(winner_text(play_plies(p, "e1")) == "player 1");
    CHECK(winner_text(play_plies(p, "2b")) == "player 2");
    CHECK(winner_text(play_plies(p, "a3")) == "nobody yet");
  }
  const Position p = play_plies(plotto(kExample), "e1");
  CHECK(p.outcome()->reason == "1 2 3 1 rises to the right");
  CHECK(ending_numbers(p) == "1231");
  CHECK(p.legal_plies().empty());
  CHECK(play_plies(plotto(kExample), "b2").outcome()->reason == "2 3 4 2 rises to the right");
}

TEST_CASE("a finished game of Plotto shows no letters and is cropped to its pieces", "[plotto]") {
  const std::string without =
      "         __\n"
      "      __/3 \\__\n"
      "   __/2 \\__/2 \\\n"
      "  /1 \\__/4 \\__/\n"
      "  \\__/3 \\__/\n"
      "     \\__/1 \\\n"
      "        \\__/\n";
  const View given_up{'a', true};
  CHECK(drawing_text(plotto(kExample), given_up) == without);
  CHECK(plotto(kExample).draw(given_up).spots.size() == 7);
  CHECK(drawing_text(play_plies(plotto(kExample), "e1")) ==
        "            __\n"
        "         __/1 \\\n"
        "      __/3 \\__/\n"
        "   __/2 \\__/2 \\\n"
        "  /1 \\__/4 \\__/\n"
        "  \\__/3 \\__/\n"
        "     \\__/1 \\\n"
        "        \\__/\n");
  CHECK(drawing_text(plotto(), given_up) == "\n");
}

TEST_CASE("a move is read either way round and kept with the opening first", "[plotto]") {
  const Position p = plotto(kExample);
  for (const char* typed : {"e1", "1e", "E1", "1E", " e1 "}) CHECK(*p.parse(typed) == "e1");
  const auto all = p.spellings();
  CHECK(all.size() == 2 * p.legal_plies().size());
  CHECK(std::count(all.begin(), all.end(), Spelling{"1e", "e1"}) == 1);
}

TEST_CASE("an opening that touches all four numbers has no letter", "[plotto]") {
  std::mt19937 random(kSeed);
  int seen = 0;
  for (int game = 0; game < 60 && seen < 5; ++game) {
    BothGames both(make_setup("plotto", {}, 2));
    for (int ply = 0; ply < 30 && !both.reference.has_ended; ++ply) {
      const auto legal = both.position.legal_plies();
      both.play(legal[random_below(random, legal.size())]);
      for (const auto& piece : both.reference.pieces)
        for (const auto& h : ReferenceGame::neighbours(piece.first))
          if (!both.reference.pieces.count(h) && both.reference.free_numbers(h).empty()) ++seen;
      REQUIRE(find_difference(both.position, both.reference).empty());
    }
  }
  CHECK(seen >= 5);
}

TEST_CASE(
    "after z the openings are called aa, ab and so on, and moves there are read either way round",
    "[plotto]") {
  const Position p = many_openings();
  const Drawing d = p.draw({});
  std::map<std::string, Spot> named;
  for (const Spot& s : d.spots)
    if (s.role == SpotRole::opening) named[s.name] = s;
  REQUIRE(named.count("aa") == 1);
  CHECK(named["aa"].width == 2);
  CHECK(named["aa"].column % 3 == 0);
  CHECK(d.rows[static_cast<std::size_t>(named["aa"].row)].substr(
            static_cast<std::size_t>(named["aa"].column), 2) == "aa");
  int two_letters = 0;
  for (const auto& s : p.spellings()) {
    REQUIRE(p.parse(s.text).ok());
    REQUIRE(*p.parse(s.text) == s.ply);
    two_letters += s.text.size() == 3;
  }
  CHECK(two_letters > 0);
  const std::string last = ReferenceGame::opening_name(named.size() - 1);
  const Refusal half = require_refusal(p, "a");
  CHECK(half.offset == 1);
  CHECK(half.reason.find(" (or type on: aa to " + last + ").") != std::string::npos);
  check_refusal(p, "az1", "There is no opening az. Openings: a to " + last + ".", 1);
  check_refusal(p, "1az", "There is no opening az. Openings: a to " + last + ".", 2);
  check_refusal(p, "zz", "There is no opening zz. Openings: a to " + last + ".", 1);
}

TEST_CASE("half an opening is asked to go on by the openings there are", "[plotto]") {
  std::mt19937 random(kSeed);
  std::set<long> seen;
  for (int game = 0; game < 8; ++game) {
    BothGames both(make_setup("plotto"));
    while (count_openings(both.position) < 30) {
      play_best_plies(both, 1, random,
                      [](const Position& p, const std::string&) { return count_openings(p); });
      const long n = count_openings(both.position);
      const std::string on =
          n <= 26   ? ""
          : n == 27 ? "aa"
          : n == 28 ? "aa or ab"
                    : "aa to " + ReferenceGame::opening_name(static_cast<std::size_t>(n - 1));
      const std::string why = require_refusal(both.position, "a").reason;
      INFO(n << " openings: " << why);
      REQUIRE((why.find("type on") != std::string::npos) == !on.empty());
      if (!on.empty()) REQUIRE(why.find(" (or type on: " + on + ").") != std::string::npos);
      seen.insert(n);
    }
  }
  for (const long n : {26L, 27L, 28L, 29L}) CHECK(seen.count(n) == 1);
}

TEST_CASE("a line of nobody's number wins nothing", "[plotto]") {
  CHECK(winner_text(plotto("a3 a1 a4 b4 c2 c1 d4")) == "nobody yet");   // a 4xx4 with two players
  CHECK(winner_text(plotto("a3 a1 a4 b4 c2 c1 d4", 4)) == "player 4");  // and with four
  CHECK(winner_text(plotto("a4 e3 b1 b2 d4 a3 b4", 3)) == "nobody yet");
}

TEST_CASE("who makes lines for several players wins by the own one", "[plotto]") {
  const Position two = plotto("a1 f3 b4 c1 a2 e2 c1 b4 d3 c2 e4 h2 g1 f4 g3");
  CHECK(winner_text(two) == "player 1");  // who placed the fifteenth piece
  CHECK(two.outcome()->reason ==
        "1 2 3 1 runs straight down. Several players have a line, so the player who "
        "placed the piece wins");
  const Position three = plotto("a1 d2 b4 c3 c3 e1 e4 a3 c2 e2 f1 b1 a2 d4", 3);
  INFO(drawing_text(three));
  CHECK(winner_text(three) == "player 2");
}

TEST_CASE("lines for several other players count for nobody, then or later", "[plotto]") {
  const Position before = plotto("a1 e2 a4 b1 d3 b3 a1 a4 e4 a3 b4 g2", 4);
  CHECK(before.warning("c2") ==
        "This makes lines for several other players, so none of them counts.");
  const Position p = play_plies(before, "c2");
  CHECK(winner_text(p) == "nobody yet");
  // A later piece that does not touch the old lines does not make them count.
  for (const std::string& ply : p.legal_plies()) {
    Position next = p;
    next.play(ply);
    if (next.outcome()) {
      const auto shown = next.outcome()->spots;
      CHECK(std::count(shown.begin(), shown.end(), p.changed_spots(ply).front()) == 1);
    }
  }
}

TEST_CASE("in a tournament 1xx3 wins for player 1 and 2xx4 for player 2, from either end",
          "[plotto]") {
  const Position own = tournament("a4 e2 a3 c1 d4 e3 a1");
  INFO(drawing_text(own));
  CHECK(winner_text(own) == "player 1");
  const std::string shown = ending_numbers(own);
  CHECK(std::set<char>{shown.front(), shown.back()} == std::set<char>{'1', '3'});
  const Position other = tournament("a3 c1 a2 b1 a3 e2 b4");
  CHECK(winner_text(other) == "player 2");
  CHECK(tournament("a3 c1 a2 b1 a3 e2").warning("b4") == "This makes a line 2xx4. Player 2 wins.");
  CHECK(winner_text(tournament("a1 c3 b2 a4 a1 a3 a2")) == "nobody yet");  // equal ends win nothing
  CHECK(own.side_name(0) == "1-3");
  CHECK(own.side_name(1) == "2-4");
}

TEST_CASE("a tournament is for two players", "[plotto]") {
  const GameType* type = find_game("plotto");
  const auto options = read_options(*type, {"-tournament"});
  REQUIRE(options.ok());
  CHECK(type->start(*options, 2).ok());
  for (int seats : {3, 4}) {
    const auto refusal = type->start(*options, seats);
    REQUIRE_FALSE(refusal.ok());
    CHECK(refusal.refusal().reason ==
          "Only two players can play with -tournament. Leave it out for three or four.");
  }
  CHECK(type->start({}, 5).refusal().reason == "Plotto is for two, three or four players.");
}

TEST_CASE("a seat that gave up is passed over and its number wins for nobody", "[plotto]") {
  Position p = plotto("a1", 3);
  CHECK(p.to_move() == 1);
  p.eliminate(1);
  CHECK(p.to_move() == 2);
  p = play_plies(p, "a2");
  CHECK(p.to_move() == 0);
  p = play_plies(p, "a4");
  CHECK(p.to_move() == 2);
  // 2b makes a line only for player 2, who may have given up.
  Position example = plotto(kExample, 3);
  example.eliminate(1);
  CHECK(example.warning("b2").empty());
  CHECK(winner_text(play_plies(example, "b2")) == "nobody yet");
  CHECK(winner_text(play_plies(example, "e1")) == "player 1");
}

TEST_CASE("of lines for two players only those of players still there count", "[plotto]") {
  Position p = plotto("a1 e2 a4 b1 d3 b3 a1 a4 e4 a3 b4 g2", 4);
  ReferenceGame r;
  r.seats = 4;
  for (const std::string& ply : split_words("a1 e2 a4 b1 d3 b3 a1 a4 e4 a3 b4 g2")) r.play(ply);
  ReferenceGame made = r;
  made.play("c2");
  std::set<int> lines;
  for (const auto& piece : made.pieces)
    if (!r.pieces.count(piece.first)) lines = made.lines_through(piece.first);
  REQUIRE(lines.size() == 2);
  p.eliminate(*lines.begin());  // now only the other player has a line
  CHECK(winner_text(play_plies(p, "c2")) == "player " + std::to_string(*lines.rbegin() + 1));
}

TEST_CASE("refusals of Plotto say what is wrong, where, and what would do", "[plotto]") {
  const Position p = plotto(kExample);
  check_refusal(p, "", "Type an opening and a number. a3 puts a 3 at opening a.", 0);
  check_refusal(p, "d5", "There is no number 5. d takes 2 or 4.", 1);
  check_refusal(p, "d0", "There is no number 0. d takes 2 or 4.", 1);
  check_refusal(p, "5d", "There is no number 5. Numbers: 1 to 4.", 0);
  check_refusal(p, "5", "There is no number 5. Numbers: 1 to 4.", 0);
  check_refusal(p, "g1", "There is no opening g. Openings: a to f.", 0);
  check_refusal(p, "1g", "There is no opening g. Openings: a to f.", 1);
  check_refusal(p, "aa1", "There is no opening aa. Openings: a to f.", 1);
  check_refusal(p, "resign", "There is no opening resign. Openings: a to f.", 0);
  check_refusal(p, std::string(5000, 'a'), "There is no opening aaaaaaaaaaa~. Openings: a to f.",
                1);
  check_refusal(p, "a", "Which number goes at a? Add 3 or 4.", 1);
  check_refusal(p, "f", "Which number goes at f? Add 3.", 1);
  check_refusal(p, "1", "Where does the 1 go? Add c or e.", 1);
  check_refusal(p, "4", "Where does the 4 go? Add a, b, c, d or e.", 1);
  check_refusal(p, "e-", "'-' is not a number. e takes 1 or 4.", 1);
  check_refusal(p, "e\x1b[2J", "'?' is not a number. e takes 1 or 4.", 1);
  check_refusal(p, "1-", "'-' is not an opening. Openings: a to f.", 1);
  check_refusal(p, "11", "'1' is not an opening. Openings: a to f.", 1);
  check_refusal(p, "-e1", "'-' is not an opening or a number. Openings: a to f. Numbers: 1 to 4.",
                0);
  check_refusal(p, "e1x", "Too long. A move is one opening and one number, for example e1.", 2);
  check_refusal(p, "e11", "Too long. A move is one opening and one number, for example e1.", 2);
  check_refusal(p, "1e1", "Too long. A move is one opening and one number, for example e1.", 2);
  check_refusal(p, "a1", "A 1 at a may not touch the 1 below it. a takes 3 or 4.", 1);
  check_refusal(p, "2a", "A 2 at a may not touch the 2 to the lower right of it. a takes 3 or 4.",
                1);
  check_refusal(p, "f2", "A 2 at f may not touch the 2 above it. f takes 3.", 1);
  check_refusal(p, "E3", "A 3 at e may not touch the 3 to the lower left of it. e takes 1 or 4.",
                1);
  check_refusal(plotto("a3 f1 b4 a2 c3 e3"), "d3",
                "A 3 at d may not touch the 3s below it and to the upper left. d takes 1 or 2.", 1);
  check_refusal(plotto(), "b1", "There is no opening b. The only opening is a.", 0);
  check_refusal(plotto(), "a9", "There is no number 9. a takes 1, 2, 3 or 4.", 1);
  check_refusal(plotto("a1"), "1",
                "No opening takes a 1. Each touches a 1, so place another number.", 0);
  check_refusal(plotto("a1"), "2", "Where does the 2 go? Add a, b, c, d, e or f.", 1);
}

TEST_CASE("a number that would touch two of its own names both", "[plotto]") {
  std::mt19937 random(kSeed);
  for (int game = 0;; ++game) {
    REQUIRE(game < 200);
    BothGames both(make_setup("plotto"));
    while (!both.reference.has_ended) {
      const auto legal = both.position.legal_plies();
      both.play(legal[random_below(random, legal.size())]);
      std::size_t i = 0;
      for (const auto& h : both.reference.openings()) {
        const std::string name = ReferenceGame::opening_name(i++);
        const auto near = both.reference.neighbour_numbers(h);
        const auto at = [&](int dc, int dl) {
          const auto found = both.reference.pieces.find({h.first + dc, h.second + dl});
          return found == both.reference.pieces.end() ? 0 : found->second;
        };
        const int n = at(0, -2);
        if (n == 0 || n != at(0, 2) || std::count(near.begin(), near.end(), n) != 2) continue;
        const Refusal r = require_refusal(both.position, name + std::to_string(n));
        const std::string digit = std::to_string(n);
        CHECK(r.reason.find("A " + digit + " at " + name + " may not touch the " + digit +
                            "s above it and below it. ") == 0);
        return;
      }
    }
  }
}

TEST_CASE("lists of openings in refusals are cut short", "[plotto]") {
  const Position p = many_openings();
  for (const char* number : {"1", "2", "3", "4"}) {
    const Refusal r = require_refusal(p, number);
    CHECK(r.offset == 1);
    CHECK(r.reason.size() < 100);
    CHECK(r.reason.find(" or another.") != std::string::npos);
  }
}

TEST_CASE("Plotto says what a move does and warns of a line for someone else", "[plotto]") {
  const Position p = plotto(kExample);  // player 2 to move
  CHECK(p.describe("e1") == "places a 1 beside the 2 below and 3 lower left");
  CHECK(p.warning("e1") == "This makes a line 1xx1. Player 1 wins.");
  CHECK(p.warning("b2").empty());
  CHECK(p.warning("a3").empty());
  CHECK(p.selected_spots("e1") == p.selected_spots("e4"));
  CHECK(p.changed_spots("e1") == p.selected_spots("e1"));
  CHECK(p.side_name(0) == "1");
  CHECK(p.side_name(1) == "2");
  CHECK(p.holdings(0).empty());
}

TEST_CASE("spots of Plotto keep their number while the drawing moves", "[plotto]") {
  Position p = plotto("a1");
  const SpotId first = p.draw({}).spots.front().id;
  for (const std::string& ply : split_words("f3 b2 c4 c3 e2 d1 e1")) {
    p.play(ply);
    const Drawing d = p.draw({});
    const auto found =
        std::find_if(d.spots.begin(), d.spots.end(), [&](const Spot& s) { return s.id == first; });
    REQUIRE(found != d.spots.end());
    CHECK(found->content == "piece 1");
    CHECK(found->role == SpotRole::piece1);
    CHECK(d.rows[static_cast<std::size_t>(found->row)][static_cast<std::size_t>(found->column)] ==
          '1');
  }
}

TEST_CASE("Plotto tells its position in words", "[plotto]") {
  CHECK(
      plotto().description_lines() ==
      std::vector<std::string>{"There are no pieces yet. The only opening is a, for any number."});
  CHECK(plotto(kExample).description_lines() ==
        std::vector<std::string>{
            "There are 7 pieces and 6 openings in 4 columns.",
            "Heights count half hexes from the bottom. Neighbours are 2 apart in a column, 1 apart "
            "in the next column.",
            "Column 1 from the left, downwards: opening a at height 6, 1 at height 4, opening b at "
            "height 2.",
            "Column 2 from the left, downwards: opening c at height 7, 2 at height 5, 3 at height "
            "3, opening d at height 1.",
            "Column 3 from the left, downwards: 3 at height 6, 4 at height 4, 1 at height 2.",
            "Column 4 from the left, downwards: opening e at height 7, 2 at height 5, opening f at "
            "height 3.",
            "Opening a touches 1 below and 2 lower right. It takes 3 or 4.",
            "Opening b touches 1 above and 3 upper right. It takes 2 or 4.",
            "Opening c touches 2 below and 3 lower right. It takes 1 or 4.",
            "Opening d touches 3 above and 1 upper right. It takes 2 or 4.",
            "Opening e touches 2 below and 3 lower left. It takes 1 or 4.",
            "Opening f touches 2 above, 4 upper left and 1 lower left. It takes 3."});
  CHECK(play_plies(plotto(kExample), "e1").description_lines().front() ==
        "The game is over, with 8 pieces in 4 columns.");
}

TEST_CASE("the order in which pieces came does not matter to a position", "[plotto]") {
  // The first three pieces are the same; then a 4 above and a 4 below come in either order.
  const Position p = plotto("a1 f3 b2 c4 b4"), q = plotto("a1 f3 b2 b4 d4");
  INFO(drawing_text(p) << drawing_text(q));
  CHECK(drawing_text(p) == drawing_text(q));
  CHECK(p == q);
  CHECK_FALSE(p == plotto("a1 f3 b2 c4"));
}

TEST_CASE("a slow second implementation agrees along random games of Plotto", "[plotto]") {
  std::mt19937 random(kSeed);
  for (const Setup& setup : all_setups()) {
    if (setup.game->name != "plotto") continue;
    for (int game = 0; game < 25; ++game) {
      BothGames both(setup);
      std::string played;
      for (int ply = 0; ply < 60; ++ply) {
        INFO(setup.name << ", seed " << kSeed << ", after" << played);
        REQUIRE(find_difference(both.position, both.reference) == "");
        if (both.reference.has_ended) break;
        if (setup.seats > 2 && both.reference.dropped_seats.empty() &&
            random_below(random, 20) == 0) {
          const int seat =
              static_cast<int>(random_below(random, static_cast<std::size_t>(setup.seats)));
          both.position.eliminate(seat);
          both.reference.drop_seat(seat);
          continue;
        }
        const auto legal = both.reference.legal();
        played += " " + legal[random_below(random, legal.size())];
        both.play(split_words(played).back());
      }
    }
  }
}

TEST_CASE("a slow second implementation agrees along games that nobody ends", "[plotto]") {
  std::mt19937 random(kSeed);
  for (int seats = 2; seats <= 4; ++seats) {
    BothGames both(make_setup("plotto", {}, seats));
    for (int i = 0; i < 12; ++i) {
      play_best_plies(both, 10, random,
                      [](const Position& p, const std::string&) { return count_openings(p); });
      INFO(seats << " seats, seed " << kSeed);
      REQUIRE(find_difference(both.position, both.reference) == "");
    }
  }
}

TEST_CASE("a game may wander far from its first piece in any direction", "[plotto]") {
  // Always takes the opening that the drawing shows farthest out in one direction.
  struct Way {
    int column, line;
  };
  for (const Way way : {Way{1, 0}, Way{-1, 0}, Way{0, 1}, Way{0, -1}, Way{1, 1}, Way{-1, 1},
                        Way{1, -1}, Way{-1, -1}}) {
    BothGames both(make_setup("plotto"));
    for (int ply = 0; ply < 90; ++ply) {
      auto openings = both.reference.openings();
      std::vector<std::pair<int, std::size_t>> order;
      for (std::size_t i = 0; i < openings.size(); ++i)
        order.emplace_back(-(openings[i].first * way.column + openings[i].second * way.line), i);
      std::sort(order.begin(), order.end());
      std::string chosen;
      for (std::size_t k = 0; k < order.size() && chosen.empty(); ++k)
        for (const int n : both.reference.free_numbers(openings[order[k].second])) {
          ReferenceGame next = both.reference;
          next.play(openings[order[k].second], n);
          if (next.has_ended) continue;
          chosen = ReferenceGame::opening_name(order[k].second) + std::to_string(n);
          break;
        }
      REQUIRE_FALSE(chosen.empty());
      both.play(chosen);
      if (ply % 15 == 14) REQUIRE(find_difference(both.position, both.reference) == "");
    }
    const Position copy = both.position;
    REQUIRE(copy == both.position);
    int reach = 0;
    for (const auto& piece : both.reference.pieces)
      reach = std::max({reach, std::abs(piece.first.first), std::abs(piece.first.second)});
    CHECK(reach > 20);
  }
}

TEST_CASE("Plotto has as many move sequences as an independent count", "[plotto]") {
  struct Line {
    std::vector<std::string> options;
    int seats;
    std::vector<std::uint64_t> counts;
  };
  const std::vector<Line> table{
      {{}, 2, {4, 72, 288, 1728, 13824, 138240, 1513728, 17362944}},
      {{}, 3, {4, 72, 288, 1728, 13824, 138240, 1513728, 17121024}},
      {{}, 4, {4, 72, 288, 1728, 13824, 138240, 1513728, 16879104}},
      {{"-tournament"}, 2, {4, 72, 288, 1728, 13824, 138240, 1513728, 17137152}},
  };
  for (const Line& line : table) {
    const Setup setup = make_setup("plotto", line.options, line.seats);
    std::vector<std::uint64_t> counts;
    for (std::size_t depth = 1; depth <= line.counts.size(); ++depth)
      counts.push_back(setup.game->perft(setup.options, line.seats, static_cast<int>(depth)));
    CHECK(counts == line.counts);
    ReferenceGame reference;
    reference.seats = line.seats;
    reference.tournament = !line.options.empty();
    CHECK(reference.perft(4) == line.counts[3]);
  }
}
