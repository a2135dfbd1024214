// SPDX-License-Identifier: MIT
// Tests the knowledge of single games for the engine. engine.cpp tests what holds for every game.
#include <random>
#include <unordered_map>

#include "catch.hpp"
#include "engine/alpha_beta.hpp"
#include "engine/outcome_search.hpp"
#include "engine/proof_search.hpp"
#include "engine/uct.hpp"
#include "games/flooprail_knowledge.hpp"
#include "games/plotto_knowledge.hpp"
#include "games/soccolot_knowledge.hpp"
#include "games/toot_book.hpp"

using namespace pbm;

namespace {

using Pitch = soccolot::Board;

// Returns a pitch with the men and the ball on random squares.
Pitch random_pitch(std::mt19937& random) {
  soccolot::SquareSet taken = 0;
  const auto free_square = [&] {
    for (;;) {
      const auto square = static_cast<soccolot::Square>(random() % 64);
      if (taken & soccolot::square_bit(square)) continue;
      taken |= soccolot::square_bit(square);
      return square;
    }
  };
  std::array<soccolot::SquareSet, 2> sides{};
  for (soccolot::SquareSet& side : sides)
    for (int man = 0; man < soccolot::kMenPerSide; ++man)
      side |= soccolot::square_bit(free_square());
  const soccolot::Square ball = free_square();
  return {sides[0], sides[1], ball, static_cast<Seat>(random() % 2)};
}

template <class B>
std::vector<B> next_boards(const B& board) {
  std::vector<B> out;
  board.each_move([&](typename B::Move m) {
    out.push_back(board);
    out.back().play(m);
  });
  return out;
}

// True if `seat` has scored. can_score(): true if the seat to move can score with its next ply.
bool has_scored(const Pitch& board, Seat seat) { return board.is_over() && board.winner() == seat; }
bool can_score(const Pitch& board) {
  const auto all = next_boards(board);
  return std::any_of(all.begin(), all.end(),
                     [&](const Pitch& next) { return has_scored(next, board.to_move()); });
}

// Checks that a search of 2,000 nodes scores, or stops the opponent, in random positions.
void check_goals(int positions, unsigned seed) {
  std::mt19937 random(seed);
  int to_score = 0, to_stop = 0;
  for (int i = 0; i < positions; ++i) {
    const Pitch board = random_pitch(random);
    const Seat me = board.to_move();
    const auto all = next_boards(board);
    if (all.empty()) continue;
    SearchLimits limits;
    limits.nodes = 2000;
    SearchBudget brake(limits, {});
    engine::AlphaBeta<Pitch>::SearchOptions setup;
    setup.table_entries = 2048;
    engine::AlphaBeta<Pitch> search(brake, setup);
    Pitch next = board;
    next.play(search.search(board, 1, [](int) {}).front().move);
    INFO("position " << i);
    if (can_score(board)) {
      ++to_score;
      REQUIRE(has_scored(next, me));
      continue;
    }
    const auto sound = [&](const Pitch& p) { return !p.is_over() && !can_score(p); };
    if (std::none_of(all.begin(), all.end(), sound)) continue;
    to_stop += !std::all_of(all.begin(), all.end(), sound);
    REQUIRE(sound(next));
  }
  CHECK(to_score > positions / 100);
  CHECK(to_stop > positions / 10);
}

using toot::BookBoard;

int outcome_at_end(const BookBoard& board) {
  return board.winner() == engine::kNobody ? 0 : board.winner() == board.to_move() ? 1 : -1;
}

// Returns 1, 0 or -1 for the seat to move by playing everything. Remembers the results.
int brute_outcome(const BookBoard& board, std::unordered_map<std::uint64_t, int>& known) {
  if (board.is_over()) return outcome_at_end(board);
  if (const auto at = known.find(board.hash()); at != known.end()) return at->second;
  int best = -1;
  for (const BookBoard& next : next_boards(board))
    best = std::max(best, -brute_outcome(next, known));
  return known[board.hash()] = best;
}

int outcome_of(const std::optional<Verdict>& verdict) {
  REQUIRE(verdict);
  return verdict->win_percent() / 50 - 1;
}

// Plays up to `plies` random plies from the start of a board.
BookBoard random_board(int width, int height, int plies, std::mt19937& random) {
  BookBoard out = toot::start_of({width, height, 0, {}});
  for (int ply = 0; ply < plies && !out.is_over(); ++ply) {
    const auto all = next_boards(out);
    out = all[random() % all.size()];
  }
  return out;
}

// Compares OutcomeSearch with brute force in the starting position and in random ones.
void check_solver(int width, int height, int fewest_plies, int positions) {
  std::mt19937 random(20261129);
  SearchBudget budget({}, {});
  engine::OutcomeSearch<BookBoard> search(budget, 1U << 14, {});
  std::unordered_map<std::uint64_t, int> known;
  for (int i = 0; i < positions; ++i) {
    const BookBoard board =
        random_board(width, height, i == 0 ? fewest_plies : fewest_plies + i % 5, random);
    INFO(width << "x" << height << ", position " << i);
    CHECK(outcome_of(search.solve(board)) == brute_outcome(board, known));
  }
}

// Checks in one of `of` positions of each book that its outcome follows from those after each ply.
void check_book(unsigned of) {
  for (const toot::Book& book : toot::kBooks) {
    SearchBudget budget({}, {});
    engine::OutcomeSearch<BookBoard> search(budget, 1U << 20, {});
    unsigned n = 0;
    toot::walk_book(book, [&](std::uint64_t, const BookBoard& board) {
      if (n++ % of != 0) return;
      int best = -1;
      for (const BookBoard& next : next_boards(board)) {
        const auto known = toot::find_in_book(next);
        best = std::max(best, -(known ? *known : outcome_of(search.solve(next))));
      }
      INFO(book.width << "x" << book.height << ", position " << n);
      CHECK(toot::find_in_book(board) == best);
    });
    CHECK(n > 100);
  }
}

// Returns 2 points for each open line of two pieces and 5 for each of three, for the mover less the
// opponent. Counts one by one.
int open_lines(const plotto::Field& field, Seat mover) {
  using namespace plotto;
  const auto may = [&](Hex at, int number) {
    const HexState cell = field.state(at);
    return ((cell & number_bit(number)) != 0) == ((cell & kPieceBit) != 0);
  };
  int sum = 0;
  for (int column = -20; column <= 20; ++column)
    for (int down = -20; down <= 20; ++down)
      for (int axis = 0; axis < kAxisCount; ++axis) {
        std::array<Hex, 4> line{};
        for (int i = 0; i < 4; ++i)
          line[static_cast<std::size_t>(i)] = step_along(make_hex(column, down), axis, i);
        const auto pieces =
            std::ranges::count_if(line, [&](Hex h) { return field.state(h) & kPieceBit; });
        const auto takes_any = [&](Hex h) {
          return may(h, 1) || may(h, 2) || may(h, 3) || may(h, 4);
        };
        if ((pieces != 2 && pieces != 3) || !takes_any(line[1]) || !takes_any(line[2])) continue;
        const auto ends = [&](int a, int b) { return may(line[0], a) && may(line[3], b); };
        for (const Seat seat : {0, 1})
          if (ends(seat + 1, seat + 3) || ends(seat + 3, seat + 1))
            sum += (seat == mover ? 1 : -1) * (pieces == 2 ? 2 : 5);
      }
  return sum;
}

using Tootris = toot::Board<std::uint64_t, true>;

// Returns a board of six columns and four rows after plies as players type them.
Tootris tootris_after(std::string_view plies) {
  Tootris out(6, 4, 0);
  out.finish_setup();
  for (; plies.size() >= 2; plies.remove_prefix(std::min<std::size_t>(3, plies.size()))) {
    Tootris::Move move;
    out.each_move([&](Tootris::Move m) {
      if (out.move_column(m) == plies[0] - 'A' && (m.letter == toot::kT) == (plies[1] == 'T'))
        move = m;
    });
    out.play(move);
  }
  return out;
}

// A game for three with two moves each. The first seat wins after four plies, but the board is
// is_blind() after two.
struct BlindGame {
  using Move = int;
  int plies = 0;
  int seats() const { return 3; }
  Seat to_move() const { return plies % 3; }
  bool is_over() const { return plies >= 4; }
  Seat winner() const { return 0; }
  template <class F>
  void each_move(F f) const {
    for (Move m = 0; m < 2 && !is_over(); ++m) f(m);
  }
  void play(Move) { ++plies; }
  bool is_blind() const { return plies > 2; }
};

}  // namespace

TEST_CASE("open lines of a Plotto tournament are those that can be completed", "[engine]") {
  std::mt19937 random(1);
  int told = 0;
  for (int game = 0; game < 60; ++game) {
    plotto::Field field;
    plotto::Board board(2, 3, true);
    while (!board.is_over() && board.has_room()) {
      std::vector<plotto::Board::Move> moves;
      board.each_move([&](plotto::Board::Move m) { moves.push_back(m); });
      const auto m = moves[random() % moves.size()];
      field.lay_piece(board.move_hex(m), m.number);
      board.play(m);
      int points = 0;
      board.evaluation_terms([&](std::string_view, int value) { points = value; });
      REQUIRE(points == 7 * open_lines(field, board.to_move()));
      told += points != 0;
    }
  }
  CHECK(told > 300);
}

TEST_CASE("a proof that one side wins is none that the other does", "[engine]") {
  const Tootris before = tootris_after("AT DO AT AO AO DO BT"),
                after = tootris_after("AT DO AT AO AO DO BT FO");
  REQUIRE(before.hash() == after.hash() + 1);
  SearchLimits limits;
  limits.nodes = 2000;
  SearchBudget brake(limits, {});
  engine::ProofSearch<Tootris> proofs(brake, 1U << 16);
  REQUIRE(proofs.prove_win(before, 0));
  CHECK_FALSE(proofs.prove_win(after, 1));
}

TEST_CASE("a move that is none yet is none that could be played", "[engine]") {
  // An empty killer slot holds Move{}, so that must be no legal move.
  tootris_after("").each_move([](Tootris::Move m) { CHECK_FALSE(m == Tootris::Move{}); });
  Pitch(1, 2, 30, 0).each_move([](Pitch::Move m) { CHECK_FALSE(m == Pitch::Move{}); });
}

TEST_CASE("playouts prove nothing of a board that cannot be believed", "[engine]") {
  SearchLimits limits;
  limits.nodes = 2000;
  SearchBudget brake(limits, {});
  engine::Uct<BlindGame> search(brake, {}, false);
  const BlindGame board;
  search.search(
      board, [] {}, [](BlindGame::Move) { return false; });
  for (const auto& move : search.moves()) {
    CHECK_FALSE(search.verdict(move).is_proved());
    CHECK(move.visits > 100);
  }
}

TEST_CASE("the solver of Toot agrees with brute force on small boards", "[engine]") {
  check_solver(4, 2, 0, 50);
  check_solver(3, 4, 0, 50);
  check_solver(4, 3, 0, 50);
  check_solver(4, 4, 6, 50);
}

TEST_CASE("the solver of Toot agrees with brute force on 4x4 from the start", "[engine][long]") {
  check_solver(4, 4, 0, 2000);
}

TEST_CASE("what a book of Toot says follows from what comes after", "[engine]") {
  check_book(5000);
}

TEST_CASE(
    "what the books of Toot say of a hundredth of their positions follows from what comes after",
    "[engine][long]") {
  check_book(100);
}

TEST_CASE("in Soccolot every goal is taken, and none left open that can be stopped", "[engine]") {
  check_goals(1000, 20261124);
}

TEST_CASE("in ten thousand positions of Soccolot every goal is taken, and none left open",
          "[engine][long]") {
  check_goals(10'000, std::random_device{}());
}
