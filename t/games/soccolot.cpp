// SPDX-License-Identifier: MIT
// Soccolot: every paragraph of rules/soccolot.md, every refusal, and an independent implementation
// of the rules along random games.
#include <map>
#include <random>
#include <set>

#include "engine/alpha_beta.hpp"
#include "games/soccolot_knowledge.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::soccolot;
using namespace pbm::test;

template <>
struct Catch::StringMaker<Refusal> {
  static std::string convert(const Refusal& r) {
    return r.reason + " @" + std::to_string(r.offset);
  }
};

namespace {

constexpr unsigned kSeed = 20000229;

// Positions for several tests, as the plies that lead to them.
constexpr std::string_view kFiveDribbles = "3rs 4rn 3rs 4rn 5rs 4rn 5rs 4rn 5rs 6rn 5rsw";
constexpr std::string_view kKickExample =
    "2rsw 3rn 2rne 3rn 2rsw 3dn 2rne 3de 2rsw 3de 6rs 6rn 6rs 3rne 6rse 6rn 4rs 6rnw 6rs 6re 6rsw "
    "6rne 4rs 6rnw 4rs 3rnw "
    "4rs 4rn 4rs 4rne 4rsw 4rn 2rs 4rnw 2rs 4rnw 2rs 2rn 3rs 2rn 2rs 2rn 2rse 2rn 3rse 2rn 3rsw "
    "5rn 5rs 5rn 5rsw 5rn 5rs "
    "5rne 5rs 5rne 5rs 5rnw 5rs 5rw 5rse 5rnw 3rsw 1rn 1rs 1rn 1rs 1rn 1rs 1rne 1rs 1rnw 1rs 1rn "
    "1rs 1rn 1rs";
constexpr std::string_view kBoxedIn =
    "6rs 6re 6rs 5re 6rs 4re 6rs 3re 6rs 3rne 5rs 2re 5rs 2rne 5rs 2rne 4rs 2rse 5rs 1re 5rs 1rnw "
    "4rs 1rnw 4rs 1rn 4rs 1re "
    "4rs 1rsw 3rs 1re 3rs 1re 3rs 1rw 3rse 1rse 3rsw 1rn 3rse 1rs 1rs 1rse 1rs 1rn 1rs 1rn 1rs "
    "1rne 1rse 1re 1rse 1re 1rse "
    "1re 2rse 1rs 2rse 1rn 2rse 1rs 2rse 1rs";  // 2rse leaves White without a move
constexpr std::string_view kFourFromTheGoal =
    "3rs 3rne 3rs 3rn 3rs 6rn";  // B3 below the ball, the way south free
constexpr std::string_view kOwnGoalAhead = "3rs 6re 3rsw 6rw 3rs 6re 3rs 6rw 3rse 6re";
constexpr std::string_view kCorner =
    "4rs 6re 4rs 6rw 4rs 6re 4dsw 6rw 4dsw 6re 4dsw 6rw";  // the ball at the top right

constexpr std::string_view kNoKick = "4rs 2rne 4rse 2rnw 4rsw";
constexpr std::string_view kRunOnly = "4rs 3rn 4rsw 3rn 4rsw 3ds 4rs 3ds 4rse 3rnw 4ds";
constexpr std::string_view kBlockedBehind =
    "1rw 6re 1re 5rne 1rw 5re 1re 4rne 1rw 4re 1re 3re 1rw 3re 1re 3re 1rw";

// The ends of the answer to a man next to the ball, by the actions that the man has. A man who can
// kick can dribble in the same direction.
const std::map<std::string, std::string> kOfferTexts{
    {"rdk", "Add r and a direction to run, d to dribble or k to kick."},
    {"rd", "Add r and a direction to run, or d to dribble. @ has no kick now."},
    {"dk", "Add d to dribble or k to kick. @ has no run now."},
    {"r", "Add r and a direction to run. @ has no dribble and no kick now."},
    {"d", "Add d to dribble. @ has no run and no kick now."},
    {"", "has no move now. It cannot run, dribble or kick."}};

Position start_position() { return make_setup("soccolot").start(); }
Position position_after(std::string_view plies) { return play_plies(start_position(), plies); }

// Returns the legal plies of `p` that begin with `beginning`.
std::string legal_plies_from(const Position& p, std::string_view beginning) {
  std::string out;
  for (const std::string& ply : p.legal_plies())
    if (ply.rfind(beginning, 0) == 0) out += (out.empty() ? "" : " ") + ply;
  return out;
}

// Returns rows `first` to `last` of field c, without what is beside them.
std::string drawn_squares(const Position& p, int first = 0, int last = 7) {
  const Drawing d = p.draw({'c', false});
  std::string out;
  for (int r = first; r <= last; ++r)
    out += d.rows[static_cast<std::size_t>(r + 2)].substr(8, 23) + "\n";
  return out;
}

// The rules again, as simple as possible: ten rows of eight squares, of which the first and the
// last are the goals, and the piece on each.
class NaiveBoard {
 public:
  NaiveBoard() {
    for (int jersey = 1; jersey <= 6; ++jersey) {
      places_["W" + std::to_string(jersey)] = {1, 7 - jersey};
      places_["B" + std::to_string(jersey)] = {8, 7 - jersey};
    }
    places_["SB"] = {4, 4};
    for (const auto& [what, where] : places_) grid_[where.row][where.column] = what;
  }

  char mover() const { return mover_; }
  bool has_scored() const { return is_goal(ball_place().row); }
  bool is_own_goal() const {
    return ball_place().row == 0 ? mover_ == 'B' : mover_ == 'W';
  }  // the winner is to move

  std::vector<std::string> legal_plies() const {
    std::vector<std::string> out;
    if (has_scored()) return out;
    for (int jersey = 1; jersey <= 6; ++jersey) {
      const std::string n = std::to_string(jersey);
      for (const auto& [name, step] : directions()) {
        if (can_run(jersey, step)) out.push_back(n + "r" + name);
        if (can_dribble(jersey, step)) out.push_back(n + "d" + name);
      }
      for (int distance = 1; distance <= 8; ++distance)
        if (can_kick(jersey, distance)) out.push_back(n + "k" + std::to_string(distance));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void play(const std::string& ply) {
    const std::string who = find_man(ply[0] - '0');
    const Place from = places_.at(who), old_ball = ball_place();
    if (ply[1] == 'k') {
      const int distance = ply[2] - '0';
      put_piece("SB", {old_ball.row + distance * (old_ball.row - from.row),
                       old_ball.column + distance * (old_ball.column - from.column)});
    } else {
      const Place step = directions().at(ply.substr(2));
      put_piece(who, from + step);
      if (ply[1] == 'd') put_piece("SB", old_ball + step);
    }
    mover_ = mover_ == 'B' ? 'W' : 'B';
  }

  std::uint64_t perft(int depth) const {
    if (depth == 0) return 1;
    std::uint64_t n = 0;
    const auto plies = legal_plies();
    if (depth == 1) return plies.size();
    for (const std::string& ply : plies) {
      NaiveBoard next = *this;
      next.play(ply);
      n += next.perft(depth - 1);
    }
    return n;
  }

  // Returns the same as the function squares() above.
  std::string squares() const {
    std::string out;
    for (int r = 1; r <= 8; ++r)
      for (int c = 0; c < 8; ++c)
        out += (grid_[r][c].empty() ? ".." : grid_[r][c]) + (c < 7 ? " " : "\n");
    return out;
  }

 private:
  struct Place {
    int row = 0, column = 0;
    Place operator+(Place o) const { return {row + o.row, column + o.column}; }
    bool operator==(const Place&) const = default;
  };

  static const std::map<std::string, Place>& directions() {
    static const std::map<std::string, Place> all{{"n", {1, 0}},    {"s", {-1, 0}},  {"e", {0, -1}},
                                                  {"w", {0, 1}},    {"ne", {1, -1}}, {"nw", {1, 1}},
                                                  {"se", {-1, -1}}, {"sw", {-1, 1}}};
    return all;
  }
  static bool is_goal(int row) { return row == 0 || row == 9; }
  static bool can_hold_man(Place p) {
    return p.row >= 1 && p.row <= 8 && p.column >= 0 && p.column <= 7;
  }
  static bool can_hold_ball(Place p) {
    return p.row >= 0 && p.row <= 9 && p.column >= 0 && p.column <= 7;
  }
  const std::string& piece_on(Place p) const { return grid_[p.row][p.column]; }
  std::string find_man(int jersey) const { return mover_ + std::to_string(jersey); }
  Place ball_place() const { return places_.at("SB"); }

  bool is_next_to_ball(int jersey) const {
    const Place p = places_.at(find_man(jersey)), b = ball_place();
    return std::abs(p.row - b.row) <= 1 && std::abs(p.column - b.column) <= 1;
  }
  bool can_run(int jersey, Place step) const {
    const Place to = places_.at(find_man(jersey)) + step;
    return can_hold_man(to) && piece_on(to).empty();
  }
  bool can_dribble(int jersey, Place step) const {
    if (!is_next_to_ball(jersey)) return false;
    const Place to = places_.at(find_man(jersey)) + step, to_ball = ball_place() + step;
    if (!can_hold_man(to) || !can_hold_ball(to_ball)) return false;
    const bool man_free = piece_on(to).empty() || piece_on(to) == "SB";
    const bool ball_free = piece_on(to_ball).empty() || piece_on(to_ball) == find_man(jersey);
    return man_free && ball_free;
  }
  bool can_kick(int jersey, int distance) const {
    if (!is_next_to_ball(jersey)) return false;
    const Place p = places_.at(find_man(jersey)),
                step{ball_place().row - p.row, ball_place().column - p.column};
    Place b = ball_place();
    for (int i = 0; i < distance; ++i) {
      if (is_goal(b.row)) return false;  // the ball stopped in the goal
      b = b + step;
      if (!can_hold_ball(b) || !piece_on(b).empty()) return false;
    }
    return true;
  }
  void put_piece(const std::string& what, Place to) {
    Place& p = places_.at(what);
    if (grid_[p.row][p.column] == what) grid_[p.row][p.column].clear();
    p = to;
    grid_[to.row][to.column] = what;
  }

  char mover_ = 'B';
  std::map<std::string, Place> places_;
  std::array<std::array<std::string, 8>, 10> grid_;
};

// Chooses a random ply, often with the ball, so that games reach the goals.
std::string random_lively_ply(const std::vector<std::string>& legal, std::mt19937& random) {
  std::vector<std::string> ball;
  for (const std::string& ply : legal)
    if (ply[1] != 'r') ball.push_back(ply);
  const auto& from = !ball.empty() && random_below(random, 3) != 0 ? ball : legal;
  return from[random_below(random, from.size())];
}

}  // namespace

TEST_CASE("field a is the help text's drawing, character by character", "[soccolot]") {
  REQUIRE(drawing_text(start_position()) ==
          "                    S\n"
          "     -------------------------------\n"
          "     |           G O A L           |  player1 : Black\n"
          "     -------------------------------\n"
          "       ||  |W6|W5|W4|W3|W2|W1|  ||\n"
          "       |-------------------------|\n"
          "       ||  |  |  |  |  |  |  |  ||\n"
          "       |-------------------------|\n"
          "     S ||  |  |  |  |  |  |  |  ||\n"
          "     | |-------------------------|\n"
          "       ||  |  |  |  |SB|  |  |  ||\n"
          "     E |-------------------------| W\n"
          "       ||  |  |  |  |  |  |  |  ||\n"
          "     | |-------------------------|\n"
          "     N ||  |  |  |  |  |  |  |  ||\n"
          "       |-------------------------|\n"
          "       ||  |  |  |  |  |  |  |  ||\n"
          "       |-------------------------|\n"
          "       ||  |B6|B5|B4|B3|B2|B1|  ||\n"
          "     -------------------------------\n"
          "     |           G O A L           |  player2 : White\n"
          "     -------------------------------\n"
          "                    N\n");
  REQUIRE(drawing_text(start_position(), {'?', false}) ==
          drawing_text(start_position()));  // a is the default
}

TEST_CASE("field b is a grid of the same field the same way round", "[soccolot]") {
  REQUIRE(drawing_text(start_position(), {'b', false}) ==
          "       +---------- S ----------+\n"
          "       |        G O A L        |  player1 : Black\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "       |  |W6|W5|W4|W3|W2|W1|  |\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "       |  |  |  |  |  |  |  |  |\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "     S |  |  |  |  |  |  |  |  |\n"
          "     | +--+--+--+--+--+--+--+--+\n"
          "       |  |  |  |  |SB|  |  |  |\n"
          "     E +--+--+--+--+--+--+--+--+ W\n"
          "       |  |  |  |  |  |  |  |  |\n"
          "     | +--+--+--+--+--+--+--+--+\n"
          "     N |  |  |  |  |  |  |  |  |\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "       |  |  |  |  |  |  |  |  |\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "       |  |B6|B5|B4|B3|B2|B1|  |\n"
          "       +--+--+--+--+--+--+--+--+\n"
          "       |        G O A L        |  player2 : White\n"
          "       +---------- N ----------+\n");
}

TEST_CASE("field c needs twelve lines for the same field the same way round", "[soccolot]") {
  REQUIRE(drawing_text(start_position(), {'c', false}) ==
          "                   S\n"
          "        ------- G O A L -------  player1 : Black\n"
          "        .. W6 W5 W4 W3 W2 W1 ..\n"
          "     S  .. .. .. .. .. .. .. ..\n"
          "     |  .. .. .. .. .. .. .. ..\n"
          "        .. .. .. .. SB .. .. ..\n"
          "     E  .. .. .. .. .. .. .. ..  W\n"
          "        .. .. .. .. .. .. .. ..\n"
          "     |  .. .. .. .. .. .. .. ..\n"
          "     N  .. B6 B5 B4 B3 B2 B1 ..\n"
          "        ------- G O A L -------  player2 : White\n"
          "                   N\n");
}

TEST_CASE(
    "a ball in the goal is drawn over its lettering, in its column of squares, in every field",
    "[soccolot]") {
  const Position top = position_after(std::string(kFourFromTheGoal) + " 3k4"),
                 bottom = position_after(std::string(kOwnGoalAhead) + " 3k5");
  REQUIRE(top.draw({'a', false}).rows[2] ==
          "     |           G O SBL           |  player1 : Black");
  REQUIRE(top.draw({'b', false}).rows[1] == "       |        G O SBL        |  player1 : Black");
  REQUIRE(top.draw({'c', false}).rows[1] == "        ------- G O SBL -------  player1 : Black");
  REQUIRE(bottom.draw({'a', false}).rows[20] ==
          "     |           G O SBL           |  player2 : White");
  REQUIRE(bottom.draw({'b', false}).rows[19] ==
          "       |        G O SBL        |  player2 : White");
  REQUIRE(bottom.draw({'c', false}).rows[10] == "        ------- G O SBL -------  player2 : White");
  const Position left = position_after("2rs 6re 2rs 1rn 2rs 1rn 2k4");
  REQUIRE(left.draw({'a', false}).rows[2] ==
          "     |   SB      G O A L           |  player1 : Black");
  REQUIRE(left.draw({'b', false}).rows[1] == "       |SB      G O A L        |  player1 : Black");
  REQUIRE(left.draw({'c', false}).rows[1] == "        SB----- G O A L -------  player1 : Black");
}

TEST_CASE("spots know men, ball, field and goals", "[soccolot]") {
  const Drawing d = start_position().draw({});
  REQUIRE(d.spots.size() == 80);
  std::map<std::string, const Spot*> by_what;
  int empty = 0, board = 0;
  for (const Spot& s : d.spots) {
    if (!s.content.empty()) by_what[s.content] = &s;
    empty += s.role == SpotRole::empty;
    board += s.role == SpotRole::board;
    CHECK(s.width == 2);
  }
  REQUIRE(empty == 51);
  REQUIRE(board == 16);
  REQUIRE(by_what.size() == 13);
  REQUIRE(by_what.at("the ball")->role == SpotRole::ball);
  REQUIRE(by_what.at("the ball")->name.empty());
  REQUIRE(by_what.at("Black man 3")->name == "B3");
  REQUIRE(by_what.at("Black man 3")->role == SpotRole::piece1);
  REQUIRE(by_what.at("Black man 3")->row == 18);
  REQUIRE(by_what.at("Black man 3")->column == 21);
  REQUIRE(by_what.at("White man 6")->role == SpotRole::piece2);
}

TEST_CASE("Black moves first, and a man runs like a Chess king, south being up and east left",
          "[soccolot]") {
  const Position p = position_after("3rs 3rn 3rs 1rnw");
  REQUIRE(p.side_name(p.to_move()) == "Black");
  REQUIRE(legal_plies_from(p, "3r") == "3re 3rn 3rne 3rnw 3rs 3rse 3rsw 3rw");
  const std::map<std::string, std::string> ends{
      {"3rs", ".. .. .. .. B3 .. .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n"},
      {"3rsw", ".. .. .. .. .. B3 .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n"},
      {"3rw", ".. .. .. .. .. .. .. ..\n.. .. .. .. .. B3 .. ..\n.. .. .. .. .. .. .. ..\n"},
      {"3rnw", ".. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. .. .. B3 .. ..\n"},
      {"3rn", ".. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. .. B3 .. .. ..\n"},
      {"3rne", ".. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. B3 .. .. .. ..\n"},
      {"3re", ".. .. .. .. .. .. .. ..\n.. .. .. B3 .. .. .. ..\n.. .. .. .. .. .. .. ..\n"},
      {"3rse", ".. .. .. B3 .. .. .. ..\n.. .. .. .. .. .. .. ..\n.. .. .. .. .. .. .. ..\n"}};
  for (const auto& [ply, end] : ends) {
    Position next = p;
    next.play(ply);
    CHECK(drawn_squares(next, 4, 6) == end);
  }
}

TEST_CASE("the help text's five dribbles are the five there are", "[soccolot]") {
  const Position p = position_after(kFiveDribbles);
  REQUIRE(drawn_squares(p, 2, 5) ==
          ".. .. .. .. .. .. .. ..\n"
          ".. .. .. B5 SB .. .. ..\n"
          ".. .. .. W4 .. .. .. ..\n"
          ".. .. .. .. B3 .. .. ..\n");
  REQUIRE(legal_plies_from(p, "4d") == "4dn 4dne 4dse 4dsw 4dw");
  const auto then = [&](std::string_view ply) { return drawn_squares(play_plies(p, ply), 2, 5); };
  CHECK(then("4dw") ==
        ".. .. .. .. .. .. .. ..\n"
        ".. .. .. B5 .. SB .. ..\n"
        ".. .. .. .. W4 .. .. ..\n"
        ".. .. .. .. B3 .. .. ..\n");
  CHECK(then("4dsw") ==  // the man takes the ball's old square
        ".. .. .. .. .. SB .. ..\n"
        ".. .. .. B5 W4 .. .. ..\n"
        ".. .. .. .. .. .. .. ..\n"
        ".. .. .. .. B3 .. .. ..\n");
  CHECK(then("4dse") ==
        ".. .. .. SB .. .. .. ..\n"
        ".. .. W4 B5 .. .. .. ..\n"
        ".. .. .. .. .. .. .. ..\n"
        ".. .. .. .. B3 .. .. ..\n");
  CHECK(then("4dne") ==  // the ball takes the man's old square
        ".. .. .. .. .. .. .. ..\n"
        ".. .. .. B5 .. .. .. ..\n"
        ".. .. .. SB .. .. .. ..\n"
        ".. .. W4 .. B3 .. .. ..\n");
  CHECK(then("4dn") ==
        ".. .. .. .. .. .. .. ..\n"
        ".. .. .. B5 .. .. .. ..\n"
        ".. .. .. .. SB .. .. ..\n"
        ".. .. .. W4 B3 .. .. ..\n");
}

TEST_CASE("the help text's kicks reach exactly the squares it marks", "[soccolot]") {
  const Position p = position_after(kKickExample);
  REQUIRE(drawn_squares(p) ==
          ".. .. B5 .. .. .. B1 ..\n"
          ".. .. .. .. B4 B2 .. ..\n"
          ".. B6 .. .. .. .. .. ..\n"
          ".. .. .. .. .. B3 .. ..\n"
          ".. .. SB .. .. .. .. ..\n"
          ".. W6 W3 .. W4 W2 .. ..\n"
          ".. .. .. .. .. .. .. ..\n"
          ".. .. .. W5 .. .. W1 ..\n");
  std::string kicks;
  for (const std::string& ply : p.legal_plies())
    if (ply[1] == 'k') kicks += ply + " ";
  REQUIRE(kicks == "3k1 3k2 3k3 6k1 6k2 ");
  CHECK(drawn_squares(play_plies(p, "3k3"), 0, 2) ==
        ".. .. B5 .. .. .. B1 ..\n"
        ".. .. SB .. B4 B2 .. ..\n"
        ".. B6 .. .. .. .. .. ..\n");
  CHECK(drawn_squares(play_plies(p, "6k2"), 0, 2) ==
        ".. .. B5 .. .. .. B1 ..\n"
        ".. .. .. .. B4 B2 .. ..\n"
        ".. B6 .. .. SB .. .. ..\n");
  CHECK(require_refusal(p, "3k4") ==
        Refusal{"B5 is in the way at distance 4 (south is usually up). W3 can kick 1 to 3.", 2});
  CHECK(require_refusal(p, "6k3") ==
        Refusal{
            "B2 is in the way at distance 3 (south-west is usually up-right). W6 can kick 1 or 2.",
            2});
}

TEST_CASE("the help text's three moves are read: w2dne, 3k5 and b5rs", "[soccolot]") {
  REQUIRE(*position_after("1rs 2rn 1rs 2rn 1rs").parse("w2dne") == "2dne");
  REQUIRE(*position_after(kOwnGoalAhead).parse("3k5") == "3k5");
  REQUIRE(*start_position().parse("b5rs") == "5rs");
  REQUIRE(*start_position().parse(" B5RS ") == "5rs");
  const auto spellings = start_position().spellings();
  REQUIRE(spellings.size() == 4 * start_position().legal_plies().size());
  REQUIRE(spellings.back() == Spelling{"b6rsw", "6rsw"});
}

TEST_CASE("a ball in the top goal scores for Black, in the bottom goal for White", "[soccolot]") {
  const Position black = position_after(std::string(kFourFromTheGoal) + " 3k4");
  REQUIRE(black.outcome()->winner == 0);
  REQUIRE(black.outcome()->reason == "Black scored in the south goal");
  REQUIRE(black.outcome()->spots == std::vector<SpotId>{4});
  REQUIRE(black.legal_plies().empty());
  REQUIRE(require_refusal(black, "3rs") ==
          Refusal{"The game is over. Black wins. Black scored in the south goal.", 0});

  const Position white = position_after("3rs 3rn 3rs 3rn 3rw 6re 3rnw 3k5");
  REQUIRE(white.outcome()->winner == 1);
  REQUIRE(white.outcome()->reason == "White scored in the north goal");
  REQUIRE(white.outcome()->spots == std::vector<SpotId>{76});
}

TEST_CASE("a kick longer than the way to the goal stops in it and is recorded exactly",
          "[soccolot]") {
  const Position p = position_after(kFourFromTheGoal);
  for (const std::string_view typed : {"3k4", "3k5", "3k6", "3k7", "3k8", "b3k8", "B3K8"})
    CHECK(*p.parse(typed) == "3k4");
  REQUIRE(legal_plies_from(p, "3k") == "3k1 3k2 3k3 3k4");
  REQUIRE(p.parse("3k9").ok() == false);
  const Position slanted = position_after("2rs 6re 2rs 1rn 2rs 1rn");
  REQUIRE(*slanted.parse("2k8") == "2k4");
  REQUIRE(play_plies(slanted, "2k8").outcome()->spots == std::vector<SpotId>{0});
}

TEST_CASE("a kick past the side or the corner is refused, not shortened", "[soccolot]") {
  const Position corner = position_after("4rs 6re 4rs 6rw 4rs 6re");
  REQUIRE(legal_plies_from(corner, "4k") == "4k1 4k2 4k3");
  REQUIRE(require_refusal(corner, "4k4") ==
          Refusal{"Distance 4 is off the field at the top right corner (south-west is usually "
                  "up-right). B4 can kick 1 to 3.",
                  2});
  REQUIRE_FALSE(corner.parse("4k8").ok());
  const Position side = position_after("4rs 6re 4rs 6rw 4rs 6re 4rs 6rw");
  REQUIRE(
      require_refusal(side, "4k4") ==
      Refusal{
          "Distance 4 is off the field at the right (west is usually right). B4 can kick 1 to 3.",
          2});
  const Position close = position_after(kCorner);
  REQUIRE(require_refusal(close, "4k1") ==
          Refusal{"Distance 1 is off the field at the top right corner (south-west is usually "
                  "up-right). B4 cannot kick now.",
                  2});
  REQUIRE(require_refusal(close, "4k").offset == 2);
  REQUIRE(require_refusal(close, "4k").reason == require_refusal(close, "4k1").reason);
}

TEST_CASE("the ball may be dribbled into a goal while the man stays on the field", "[soccolot]") {
  const Position p = position_after("3rs 3rne 3rs 6re 3rs 6rw 3ds 6re 3ds 6rw 3ds 6re");
  REQUIRE(drawn_squares(p, 0, 1) ==
          "W6 .. W5 W4 SB W2 W1 ..\n"
          ".. .. .. W3 B3 .. .. ..\n");
  REQUIRE(legal_plies_from(p, "3k") == "3k1");
  REQUIRE(p.describe("3ds") == "dribbles the ball with B3 south, into the south goal");
  REQUIRE(play_plies(p, "3ds").outcome()->winner == 0);
  REQUIRE(drawn_squares(play_plies(p, "3ds"), 0, 0) == "W6 .. W5 W4 B3 W2 W1 ..\n");
  REQUIRE(*p.parse("3k8") == "3k1");
  REQUIRE(require_refusal(p, "3dsw") == Refusal{"W2 stands where B3 would go (south-west is "
                                                "usually up-right). B3 can dribble n, s or nw.",
                                                2});
  REQUIRE(require_refusal(p, "3k0") ==
          Refusal{"A kick goes 1 to 8 squares. B3 can kick 1 (the south goal).", 2});
}

TEST_CASE("an own goal counts for the other side, and a quiet word comes before it", "[soccolot]") {
  const Position p = position_after(kOwnGoalAhead);
  REQUIRE(p.warning("3k5") == "This scores for White.");
  REQUIRE(p.warning("3k4").empty());
  REQUIRE(p.describe("3k5") == "kicks the ball 5 squares north with B3, into the north goal");
  const Position end = play_plies(p, "3k5");
  REQUIRE(end.outcome()->winner == 1);
  REQUIRE(end.outcome()->reason == "Black scored an own goal in the north goal");
  REQUIRE(require_refusal(end, "1rn") ==
          Refusal{"The game is over. White wins. Black scored an own goal in the north goal.", 0});
}

TEST_CASE("a quiet word warns when the other side could score at once", "[soccolot]") {
  const Position p = position_after("3rs 3rne 3rs 3rn 3rs");
  REQUIRE(p.warning("6rn") == "Black can then score at once with 3k4.");
  REQUIRE(p.warning("3rw").empty());  // blocks the way
  REQUIRE(start_position().warning("3rs").empty());
}

TEST_CASE("a side without a legal move ties the game", "[soccolot]") {
  const Position p = position_after(kBoxedIn);
  REQUIRE(p.warning("2rse") == "This leaves White without a move. The game would be a tie.");
  const Position end = play_plies(p, "2rse");
  REQUIRE(drawn_squares(end, 0, 3) ==
          "W6 W5 W4 B1 .. .. .. ..\n"
          "W1 W2 W3 B3 .. .. .. ..\n"
          "B2 B6 B5 B4 .. .. .. ..\n"
          ".. .. .. .. SB .. .. ..\n");
  REQUIRE(end.legal_plies().empty());
  REQUIRE(end.outcome().has_value());
  REQUIRE_FALSE(end.outcome()->winner.has_value());
  REQUIRE(end.outcome()->reason == "White has no legal move");
  REQUIRE(end.outcome()->spots.size() == 6);
  REQUIRE(require_refusal(end, "1rn") ==
          Refusal{"The game is over. It is a tie. White has no legal move.", 0});
}

TEST_CASE("half a move is answered with what may follow", "[soccolot]") {
  const Position s = start_position(), d = position_after(kFiveDribbles);
  CHECK(require_refusal(s, "") ==
        Refusal{"Type a man's number, r, d or k, and a direction or a distance, for example 1rse.",
                0});
  CHECK(require_refusal(s, "b") ==
        Refusal{"Which of Black's men? Add a jersey number, 1 to 6.", 1});
  CHECK(require_refusal(s, "3") ==
        Refusal{"What does B3 do? Add r and a direction to run. The ball is not next to B3.", 1});
  CHECK(require_refusal(s, "b3") ==
        Refusal{"What does B3 do? Add r and a direction to run. The ball is not next to B3.", 2});
  CHECK(require_refusal(d, "4") ==
        Refusal{"What does W4 do? Add r and a direction to run, d to dribble or k to kick.", 1});
  CHECK(require_refusal(s, "3r") == Refusal{"Which way does B3 run? Add s, se or sw.", 2});
  CHECK(require_refusal(d, "w4d") ==
        Refusal{"Which way does W4 dribble? Add n, w, ne, se or sw.", 3});
  CHECK(require_refusal(d, "4k") ==
        Refusal{"How far does W4 kick the ball south-west? Add 1 to 3.", 2});
  CHECK(require_refusal(position_after(kFourFromTheGoal), "3k") ==
        Refusal{"How far does B3 kick the ball south? Add 1 to 4 (4 is the south goal).", 2});
  CHECK(require_refusal(position_after(std::string(kBoxedIn) + " "), "w").reason ==
        "It is Black's turn, and w means White. Leave out the w.");
}

TEST_CASE("a man alone is asked only about what he can do", "[soccolot]") {
  const Position no_kick = position_after(kNoKick), run_only = position_after(kRunOnly),
                 blocked = position_after(kBlockedBehind);
  CHECK(
      require_refusal(no_kick, "2") ==
      Refusal{"What does W2 do? Add r and a direction to run, or d to dribble. W2 has no kick now.",
              1});
  CHECK(require_refusal(run_only, "2") ==
        Refusal{"What does W2 do? Add r and a direction to run. W2 has no dribble and no kick now.",
                1});
  CHECK(require_refusal(blocked, "6") ==
        Refusal{"W6 has no move now. It has no empty square and no ball next to it.", 0});
  CHECK(require_refusal(blocked, "w6") ==
        Refusal{"W6 has no move now. It has no empty square and no ball next to it.", 1});
}

namespace {

void compare_offers(int games) {
  const std::vector<std::pair<char, std::string>> told{
      {'r', "r and a direction"}, {'d', "d to dribble"}, {'k', "k to kick"}};
  std::mt19937 random(kSeed + 3);
  std::set<std::string> seen;  // the actions of men next to the ball: "rd", "k", ...
  for (int game = 0; game < games; ++game) {
    Position p = start_position();
    for (int ply = 0; ply < 80 && !p.outcome(); ++ply) {
      const auto legal = p.legal_plies();
      for (char jersey = '1'; jersey <= '6'; ++jersey) {
        const Refusal r = require_refusal(p, std::string(1, jersey));
        std::string has, offered;
        for (const auto& [action, words] : told) {
          const std::string beginning{jersey, action};
          const auto own = std::lower_bound(legal.begin(), legal.end(), beginning);
          if (own != legal.end() && own->starts_with(beginning)) has += action;
          if (r.reason.find(words) != std::string::npos) offered += action;
        }
        const bool none = r.reason.find("has no move now") != std::string::npos;
        if (offered != has || none != has.empty() || r.offset != (has.empty() ? 0 : 1))
          FAIL("after " << ply << " moves of game " << game << " he has '" << has
                        << "': " << r.reason);
        const bool far = r.reason.find("next to") != std::string::npos;
        if (far || !seen.insert(has).second) continue;
        std::string offer = kOfferTexts.at(has);
        if (const std::size_t who = offer.find('@'); who != std::string::npos)
          offer.replace(who, 1, p.side_name(p.to_move()).substr(0, 1) + jersey);
        CHECK(r.reason.substr(r.reason.find(has.empty() ? "has" : "Add")) == offer);
      }
      p.play(random_lively_ply(legal, random));
    }
  }
  for (const char* often : {"rdk", "rd", "dk", "r"}) CHECK(seen.count(often) == 1);
}

}  // namespace

TEST_CASE("what a man alone is offered is what he has, in games full of ball play", "[soccolot]") {
  compare_offers(100);
}
TEST_CASE("what a man alone is offered is what he has, in 2,000 games", "[soccolot][long]") {
  compare_offers(2000);
}

TEST_CASE("malformed moves are refused where they go wrong", "[soccolot]") {
  const Position s = start_position(), d = position_after(kFiveDribbles),
                 k = position_after(kFourFromTheGoal);
  CHECK(require_refusal(s, "w3rn") ==
        Refusal{"It is Black's turn, and w means White. Leave out the w.", 0});
  CHECK(require_refusal(d, "B5rs") ==
        Refusal{"It is White's turn, and b means Black. Leave out the b.", 0});
  CHECK(require_refusal(s, "x") ==
        Refusal{"'x' is not a jersey number. Black's men are 1 to 6.", 0});
  CHECK(require_refusal(s, "bb") ==
        Refusal{"'b' is not a jersey number. Black's men are 1 to 6.", 1});
  CHECK(require_refusal(s, "\xc3\xa9") ==
        Refusal{"'\xc3\xa9' is not a jersey number. Black's men are 1 to 6.", 0});
  CHECK(require_refusal(s, "\x1b[2J") ==
        Refusal{"'?' is not a jersey number. Black's men are 1 to 6.", 0});
  CHECK(require_refusal(s, "0rs") ==
        Refusal{"Black has no man 0. The jersey numbers are 1 to 6.", 0});
  CHECK(require_refusal(s, "b7rs") ==
        Refusal{"Black has no man 7. The jersey numbers are 1 to 6.", 1});
  CHECK(require_refusal(s, "3x") ==
        Refusal{"'x' is not an action. Type r to run, d to dribble or k to kick.", 1});
  CHECK(
      require_refusal(s, "3 rn") ==
      Refusal{
          "Only the ball may enter the north goal (north is usually down). B3 can run s, se or sw.",
          3});
  CHECK(
      require_refusal(s, "3rx") ==
      Refusal{"'x' is not a direction. Write n, s, e, w, ne, nw, se or sw. B3 can run s, se or sw.",
              2});
  CHECK(require_refusal(s, "3r5") ==
        Refusal{"A run takes a direction, not a distance. B3 can run s, se or sw.", 2});
  CHECK(require_refusal(d, "4d5") ==
        Refusal{"A dribble takes a direction, not a distance. W4 can dribble n, w, ne, se or sw.",
                2});
  CHECK(require_refusal(s, "3rwn") == Refusal{"Write nw, not wn. North and south come first.", 2});
  CHECK(require_refusal(s, "b3RSX") ==
        Refusal{"Too long. Nothing follows the direction in 3rs.", 4});
  CHECK(require_refusal(s, "3rsww") ==
        Refusal{"Too long. Nothing follows the direction in 3rsw.", 4});
  CHECK(require_refusal(k, "3kx") == Refusal{"'x' is not a distance. A kick goes 1 to 8 squares. "
                                             "B3 can kick 1 to 4 (4 is the south goal).",
                                             2});
  CHECK(require_refusal(d, "4ksw") == Refusal{"A kick takes a distance, not a direction. Here the "
                                              "ball goes south-west. W4 can kick 1 to 3.",
                                              2});
  CHECK(require_refusal(d, "4k0") == Refusal{"A kick goes 1 to 8 squares. W4 can kick 1 to 3.", 2});
  CHECK(require_refusal(d, "4k9") == Refusal{"A kick goes 1 to 8 squares. W4 can kick 1 to 3.", 2});
  CHECK(require_refusal(d, "4k12") ==
        Refusal{"Too long. The distance is one digit, 1 to 8, and ends the move.", 3});
  CHECK_FALSE(require_refusal(s, std::string(5000, '3')).reason.empty());
  CHECK_FALSE(require_refusal(s, "3r" + std::string(5000, 's')).reason.empty());
}

TEST_CASE("runs that the rules forbid are refused with the square and the reason", "[soccolot]") {
  const Position s = start_position(), d = position_after(kFiveDribbles),
                 c = position_after(kCorner);
  CHECK(require_refusal(s, "3re") ==
        Refusal{"B4 stands there (east is usually left). B3 can run s, se or sw.", 2});
  CHECK(
      require_refusal(s, "3rn") ==
      Refusal{
          "Only the ball may enter the north goal (north is usually down). B3 can run s, se or sw.",
          2});
  CHECK(require_refusal(d, "4rsw") ==
        Refusal{"The ball is there (south-west is usually up-right). To take it along, type 4dsw.",
                2});
  CHECK(require_refusal(c, "4rsw") ==
        Refusal{"The ball is there (south-west is usually up-right). B4 can run n, e, w, ne or nw.",
                2});
  const Position side = position_after("6re 6re");
  CHECK(
      require_refusal(side, "6re") ==
      Refusal{"B6 would leave the field at the left (east is usually left). B6 can run s, w or sw.",
              2});
  CHECK(require_refusal(side, "6rne") ==
        Refusal{"B6 would leave the field at the bottom left corner (north-east is usually "
                "down-left). B6 can run s, w or sw.",
                2});
  CHECK(require_refusal(side, "6rse") == Refusal{"B6 would leave the field at the left (south-east "
                                                 "is usually up-left). B6 can run s, w or sw.",
                                                 2});
  const Position boxed =
      position_after(kBoxedIn);  // W1 has just gone home; B2 is about to close the last square
  CHECK(require_refusal(play_plies(boxed, "2rn"), "6r") ==
        Refusal{"W6 cannot run. No square beside W6 is empty.", 2});
  CHECK(require_refusal(play_plies(boxed, "2rn"), "6rn") ==
        Refusal{"W1 stands there (north is usually down). W6 cannot run now.", 2});
}

TEST_CASE("dribbles that the rules forbid are refused for the man first, then for the ball",
          "[soccolot]") {
  const Position s = start_position(), d = position_after(kFiveDribbles),
                 c = position_after(kCorner);
  CHECK(
      require_refusal(s, "3ds") ==
      Refusal{
          "B3 is not next to the ball and cannot dribble it. No man of Black is next to the ball.",
          1});
  CHECK(require_refusal(d, "w6d") ==
        Refusal{"W6 is not next to the ball and cannot dribble it. Next to the ball: W4.", 2});
  CHECK(require_refusal(d, "4ds") ==
        Refusal{
            "B5 stands where W4 would go (south is usually up). W4 can dribble n, w, ne, se or sw.",
            2});
  CHECK(require_refusal(d, "4de") == Refusal{"B5 stands where the ball would go (east is usually "
                                             "left). W4 can dribble n, w, ne, se or sw.",
                                             2});
  CHECK(require_refusal(c, "4dw") == Refusal{"The ball would leave the field at the right (west is "
                                             "usually right). B4 can dribble n or ne.",
                                             2});
  CHECK(require_refusal(c, "4dsw") ==
        Refusal{"The ball would leave the field at the top right corner (south-west is usually "
                "up-right). B4 can dribble n or ne.",
                2});
  // The man next to the ball in the back row would have to enter the goal himself.
  const Position row =
      position_after("4rs 4rn 4rs 1rnw 4rs 1rn 4rs 6re 4dsw 6rw 4dw 6re 4dsw 6rw 4ds 6re");
  REQUIRE(drawn_squares(row, 0, 0) == "W6 .. W5 .. W3 W2 B4 SB\n");
  CHECK(require_refusal(row, "4ds") ==
        Refusal{
            "Only the ball may enter the south goal (south is usually up). B4 can dribble n or ne.",
            2});
  CHECK(require_refusal(row, "4k") ==
        Refusal{
            "Distance 1 is off the field at the right (west is usually right). B4 cannot kick now.",
            2});
}

TEST_CASE("kicks that the rules forbid are refused with the distance that fails", "[soccolot]") {
  const Position s = position_after("3rs 6re 3rs 6rw 3rs 6re");
  CHECK(
      require_refusal(start_position(), "2k3") ==
      Refusal{"B2 is not next to the ball and cannot kick it. No man of Black is next to the ball.",
              1});
  CHECK(require_refusal(s, "2k3") ==
        Refusal{"B2 is not next to the ball and cannot kick it. Next to the ball: B3.", 1});
  CHECK(require_refusal(s, "3k3") ==
        Refusal{"W3 is in the way at distance 3 (south is usually up). B3 can kick 1 or 2.", 2});
  CHECK(require_refusal(s, "3k8").reason == require_refusal(s, "3k3").reason);
  const Position blocked = position_after("3rs 3rn 3rs 3rn 3rs");
  CHECK(require_refusal(blocked, "3k1") ==
        Refusal{"B3 is in the way at distance 1 (north is usually down). W3 cannot kick now.", 2});
  CHECK(require_refusal(blocked, "3k") ==
        Refusal{"B3 is in the way at distance 1 (north is usually down). W3 cannot kick now.", 2});
}

TEST_CASE("trails lead from the man over the ball, and no two moves share one", "[soccolot]") {
  const Position p = position_after(kFiveDribbles);
  REQUIRE(p.selected_spots("4re") == std::vector<SpotId>{43, 42});
  REQUIRE(p.selected_spots("4dn") == std::vector<SpotId>{43, 36, 51});
  REQUIRE(p.selected_spots("4dsw") == std::vector<SpotId>{43, 36, 36});
  REQUIRE(p.selected_spots("4k1") == std::vector<SpotId>{43, 36, 29});
  REQUIRE(p.changed_spots("4re") == std::vector<SpotId>{43, 42});
  REQUIRE(p.changed_spots("4dsw") == std::vector<SpotId>{43, 36, 29});
  REQUIRE(p.changed_spots("4dne") == std::vector<SpotId>{43, 50, 36});
  REQUIRE(p.changed_spots("4k3") == std::vector<SpotId>{36, 15});
  REQUIRE(position_after(kFourFromTheGoal).selected_spots("3k4") == std::vector<SpotId>{44, 36, 4});
  std::mt19937 random(kSeed);
  Position q = start_position();
  for (int ply = 0; ply < 60 && !q.outcome(); ++ply) {
    const auto legal = q.legal_plies();
    std::set<std::vector<SpotId>> trails;
    for (const std::string& m : legal) trails.insert(q.selected_spots(m));
    REQUIRE(trails.size() == legal.size());
    q.play(random_lively_ply(legal, random));
  }
}

TEST_CASE("moves and positions are put into words", "[soccolot]") {
  const Position p = position_after(kFiveDribbles);
  CHECK(p.describe("6rs") == "runs W6 south");
  CHECK(p.describe("4dne") == "dribbles the ball with W4 north-east");
  CHECK(p.describe("4k1") == "kicks the ball 1 square south-west with W4");
  CHECK(p.holdings(0).empty());
  CHECK(p.description_lines() ==
        std::vector<std::string>{
            "In the usual drawing, row 1 is at the top (south) and column 1 at the left (east).",
            "The ball lies in row 4 column 5. Next to it: B5, W4.",
            "Black scores at the top: B1 row 8 column 7, B2 row 8 column 6, B3 row 6 column 5, B4 "
            "row 8 column 4, B5 row 4 column 4, "
            "B6 row 8 column 2.",
            "White scores at the bottom: W1 row 1 column 7, W2 row 1 column 6, W3 row 1 column 5, "
            "W4 row 5 column 4, W5 row 1 column "
            "3, W6 row 2 column 2."});
  CHECK(start_position().description_lines()[1] == "The ball lies in row 4 column 5.");
  CHECK(position_after(std::string(kFourFromTheGoal) + " 3k4").description_lines()[1] ==
        "The ball is in the south goal, column 5.");
}

TEST_CASE("an independent reading of the rules agrees along seeded random games", "[soccolot]") {
  std::mt19937 random(kSeed);
  int goals = 0, own = 0;
  std::set<SpotId> used;
  for (int game = 0; game < 60; ++game) {
    Position p = start_position();
    NaiveBoard n;
    std::string played;
    for (int ply = 0; ply < 120; ++ply) {
      INFO("seed " << kSeed << ", game " << game << ", after" << played);
      const auto legal = p.legal_plies();
      REQUIRE(legal == n.legal_plies());
      if (legal.empty()) {
        ++goals;
        own += n.is_own_goal();
        REQUIRE(n.has_scored());
        REQUIRE((*p.outcome()->winner == 0) == ((n.mover() == 'B') == n.is_own_goal()));
        used.insert(p.outcome()->spots.front());
        break;
      }
      REQUIRE(p.side_name(p.to_move())[0] == n.mover());
      const std::string next = random_lively_ply(legal, random);
      played += " " + next;
      p.play(next);
      n.play(next);
      REQUIRE(drawn_squares(p) == n.squares());
    }
  }
  INFO(goals << " goals, " << own << " own goals, in " << used.size() << " squares");
  CHECK(goals > 30);
  CHECK(own > 3);
  CHECK(used.size() > 8);
}

TEST_CASE("every short text is a move exactly when the independent reading says so", "[soccolot]") {
  std::mt19937 random(kSeed + 1);
  for (int game = 0; game < 4; ++game) {
    Position p = start_position();
    for (int ply = 0; ply < 60 && !p.outcome(); ++ply)
      p.play(random_lively_ply(p.legal_plies(), random));
    const auto legal = p.legal_plies();
    const std::set<std::string> known(legal.begin(), legal.end());
    std::set<std::string> read;
    for (char jersey = '0'; jersey <= '9'; ++jersey)
      for (const char action : std::string("rdkx"))
        for (const std::string_view rest :
             {"n", "s", "e", "w", "ne", "nw", "se", "sw", "en", "ns", "0", "1",
              "2", "3", "4", "5", "6",  "7",  "8",  "9",  "11", "",   "x"}) {
          const auto got = p.parse(std::string{jersey, action} + std::string(rest));
          if (got) read.insert(*got);
        }
    CHECK(read == known);
  }
}

TEST_CASE("perft from the start counts what an independent counter counts", "[soccolot]") {
  const Setup s = make_setup("soccolot");
  for (int depth = 0; depth <= 3; ++depth)
    CHECK(s.game->perft(s.options, 2, depth) == NaiveBoard().perft(depth));
  // From the same independent counter, which ran once. The sixth ply is the first that can touch
  // the ball.
  CHECK(s.game->perft(s.options, 2, 4) == 204304);
  CHECK(s.game->perft(s.options, 2, 5) == 4996408);
  CHECK(s.game->perft(s.options, 2, 6) == 125082572);
}

namespace {

// A position for a simple player that searches three plies (alpha-beta). It values how far the ball
// has come, and how far the nearest man is from it.
struct SimplePlayer {
  std::array<SquareSet, 2> men{SquareSet{0x7E} << 56, 0x7E};
  Square ball = 28;
  Seat mover = 0;

  soccolot::Board make_board() const { return {men[0], men[1], ball, mover}; }
  void play(soccolot::Board::Move m) {
    if (m.action == Action::kick) ball = m.to;
    if (m.action == Action::dribble) ball += m.to - m.from;
    if (m.action != Action::kick) men[index(mover)] ^= square_bit(m.from) | square_bit(m.to);
    mover = 1 - mover;
  }
  std::vector<soccolot::Board::Move> legal_moves() const {
    std::vector<soccolot::Board::Move> out;
    make_board().each_move([&](soccolot::Board::Move m) { out.push_back(m); });
    return out;
  }
  int evaluate() const {
    const auto nearest = [&](Seat seat) {
      int least = kFieldSize;
      each_square(men[index(seat)], [&](Square s) {
        least = std::min(least, std::max(std::abs(row_of(s) - row_of(ball)),
                                         std::abs(column_of(s) - column_of(ball))));
      });
      return least;
    };
    const int black = 10 * (kFieldSize - 1 - 2 * row_of(ball)) + 3 * (nearest(1) - nearest(0));
    return mover == 0 ? black : -black;
  }
  int search(int depth, int alpha, int beta) const {
    if (!is_on_field(ball)) return (ball < 0) == (mover == 0) ? 1000 + depth : -1000 - depth;
    if (depth == 0) return evaluate();
    for (const auto m : legal_moves()) {
      SimplePlayer next = *this;
      next.play(m);
      alpha = std::max(alpha, -next.search(depth - 1, -beta, -alpha));
      if (alpha >= beta) break;
    }
    return alpha;
  }
  soccolot::Board::Move best_move() const {
    const auto all = legal_moves();
    return *std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      SimplePlayer after_a = *this, after_b = *this;
      after_a.play(a);
      after_b.play(b);
      return -after_a.search(2, -2000, 2000) < -after_b.search(2, -2000, 2000);
    });
  }
};

}  // namespace

TEST_CASE("the engine brings the ball into the goal of who only looks at where it lies",
          "[soccolot]") {
  std::mt19937 random(kSeed);
  int won = 0, missed = 0, left_open = 0;
  for (int game = 0; game < 10; ++game) {
    SimplePlayer p;
    std::vector<std::uint64_t> before;
    for (int i = 0; i < 4; ++i) {
      const auto all = p.legal_moves();
      p.play(all[random() % all.size()]);
    }
    const Seat mine = game % 2;
    for (int ply = 0; ply < 160 && is_on_field(p.ball); ++ply) {
      if (p.mover != mine) {
        p.play(p.best_move());
        continue;
      }
      SearchBudget brake({.nodes = 3000}, {});
      engine::AlphaBeta<soccolot::Board>::SearchOptions setup;
      setup.table_entries = 4096;
      setup.history = before;
      const bool scores = p.make_board().win_in_one().has_value();
      const auto could = p.legal_moves();
      const bool can_stop = std::any_of(could.begin(), could.end(), [&](const auto& m) {
        return !engine::loses_at_once(p.make_board(), m);
      });
      engine::AlphaBeta<soccolot::Board> search(brake, setup);
      const auto chosen = search.search(p.make_board(), 1, [](int) {}).front().move;
      if (can_stop && engine::loses_at_once(p.make_board(), chosen)) ++left_open;
      before.push_back(p.make_board().hash());
      p.play(chosen);
      if (scores && is_on_field(p.ball)) ++missed;
    }
    won += !is_on_field(p.ball) && (p.ball < 0) == (mine == 0);
  }
  CHECK(won >= 8);
  CHECK(missed == 0);
  CHECK(left_open == 0);
}
