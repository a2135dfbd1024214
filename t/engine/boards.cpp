// SPDX-License-Identifier: MIT
// Tests the knowledge of single games for the engine. engine.cpp tests what holds for every game.
#include <random>

#include "catch.hpp"
#include "engine/alpha_beta.hpp"
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

std::vector<Pitch> next_boards(const Pitch& board) {
  std::vector<Pitch> out;
  board.each_move([&](Pitch::Move m) {
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

// Returns the proved value of `board` for the seat to move: 100, 50 or 0.
int proved_percent(const toot::BookBoard& board) {
  if (board.is_over()) return board.winner() == board.to_move() ? 100 : board.winner() < 0 ? 50 : 0;
  if (const auto known = toot::find_in_book(board)) return known->verdict.win_percent();
  SearchLimits limits;
  limits.nodes = 400'000;
  SearchBudget brake(limits, {}), more(limits, {});
  engine::ProofSearch<toot::BookBoard> proofs(brake, 1U << 16);
  if (proofs.prove_win(board, board.to_move())) return 100;
  engine::AlphaBeta<toot::BookBoard>::SearchOptions setup;
  setup.table_entries = 1U << 16;
  engine::AlphaBeta<toot::BookBoard> search(more, setup);
  const Verdict out = search.verdict(board, search.search(board, 1, [](int) {}).front());
  REQUIRE(out.is_proved());
  return out.win_percent();
}

// Checks in one of `of` positions of the book that its verdict agrees with those after each reply.
void check_book(unsigned of) {
  unsigned n = 0, checked = 0;
  for (const Seat seat : {0, 1})
    toot::walk_book(seat, [&](const toot::BookBoard& board) {
      const auto known = toot::find_in_book(board);
      if (!known || n++ % of != 0) return known ? std::optional(known->move) : std::nullopt;
      toot::BookBoard next = board;
      next.play(known->move);
      int least = 100;
      next.each_move([&](toot::BookBoard::Move reply) {
        toot::BookBoard later = next;
        later.play(reply);
        least = std::min(least, proved_percent(later));
      });
      INFO("position " << n);
      CHECK(least == known->verdict.win_percent());
      checked += !next.is_over();
      return std::optional(known->move);
    });
  CHECK(checked > 900 / of);
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
  for (; plies.size() >= 2; plies.remove_prefix(std::min<std::size_t>(3, plies.size())))
    out.play(out.landing_move(plies[0] - 'A', plies[1] == 'T' ? toot::kT : toot::kO));
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

TEST_CASE("what Toot's book says of an opening follows from what comes after it", "[engine]") {
  check_book(50);
}

TEST_CASE("what Toot's book says of all openings follows from what comes after", "[engine][long]") {
  check_book(1);
}

TEST_CASE("in Soccolot every goal is taken, and none left open that can be stopped", "[engine]") {
  check_goals(1000, 20261124);
}

TEST_CASE("in ten thousand positions of Soccolot every goal is taken, and none left open",
          "[engine][long]") {
  check_goals(10'000, std::random_device{}());
}
