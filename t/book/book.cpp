// SPDX-License-Identifier: MIT
// make book: solves the openings of Toot on its usual board and prints src/games/toot_book.inc.
#include <algorithm>
#include <array>
#include <iostream>
#include <vector>

#include "base/text.hpp"
#include "engine/alpha_beta.hpp"
#include "engine/proof_search.hpp"
#include "games/toot_book.hpp"

using namespace pbm;

namespace {

using Board = toot::BookBoard;
using Move = Board::Move;

constexpr std::uint64_t kEasyNodes = 30'000;  // nodes: some 10 ms

Board board_after(Board board, Move m) {
  board.play(m);
  return board;
}

// Computes the value of a position for the seat to move, 1, 0 or -1: alpha-beta with a
// transposition table of all solved positions.
class Solver {
 public:
  int solve(const Board& board, int alpha = -1, int beta = 1) {
    if (board.is_over())
      return board.winner() == engine::kNobody ? 0 : mover_has_won(board) ? 1 : -1;
    if (board.win_in_one()) return 1;
    // With few plies left, mirror images are rare.
    const std::uint64_t key = board.plies_left() > 14
                                  ? std::min(board.hash(), board.mirror_image().hash())
                                  : board.hash();
    Entry& entry = table_[engine::mix_bits(key) % table_.size()];
    if (entry.key == key) {
      if (entry.lower_bound >= beta || entry.lower_bound == entry.upper_bound)
        return entry.lower_bound;
      if (entry.upper_bound <= alpha) return entry.upper_bound;
    }
    int best = -1;
    for (const auto& [order, move] : ordered_moves(board)) {
      best = std::max(best, -solve(board_after(board, move), -beta, -std::max(alpha, best)));
      if (best >= beta) break;
    }
    if (entry.key != key) entry = {key};
    if (best > alpha) entry.lower_bound = static_cast<std::int8_t>(best);
    if (best < beta) entry.upper_bound = static_cast<std::int8_t>(best);
    return best;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int8_t lower_bound = -1, upper_bound = 1;
  };

  static bool mover_has_won(const Board& board) { return board.winner() == board.to_move(); }
  // Returns the moves, ordered by the opponent's evaluation after them.
  static std::vector<std::pair<int, Move>> ordered_moves(const Board& board) {
    std::vector<std::pair<int, Move>> out;
    board.each_sound_move([&](Move m) {
      out.emplace_back(0, m);
      board_after(board, m).evaluation_terms(
          [&](std::string_view, int points) { out.back().first += points; });
    });
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return out;
  }

  std::vector<Entry> table_ = std::vector<Entry>(std::size_t{1} << 25);
};

// Returns, of the moves that keep `value`, the move after which the fewest replies keep it.
Move find_best_move(const Board& board, int value, Solver& solver) {
  std::optional<std::pair<int, Move>> out;
  board.each_sound_move([&](Move m) {
    const Board next = board_after(board, m);
    if (-solver.solve(next) != value) return;
    int keep = 0;
    next.each_sound_move(
        [&](Move reply) { keep += solver.solve(board_after(next, reply)) == value; });
    if (!out || keep < out->first) out = {keep, m};
  });
  return out->second;
}

// True if the engine solves the position without a book.
bool is_easy(const Board& board) {
  SearchLimits limits;
  limits.nodes = kEasyNodes;
  SearchBudget brake(limits, {}), more(limits, {});
  engine::ProofSearch<Board> proofs(brake, std::bit_ceil(kEasyNodes));
  if (proofs.prove_win(board, board.to_move())) return true;
  engine::AlphaBeta<Board>::SearchOptions setup;
  setup.table_entries = std::bit_ceil(kEasyNodes);
  engine::AlphaBeta<Board> search(more, setup);
  return search.verdict(board, search.search(board, 1, [](int) {}).front()).is_proved();
}

}  // namespace

int main() {
  Solver solver;
  std::string book;
  for (const Seat seat : {0, 1})
    toot::walk_book(seat, [&](const Board& board) -> std::optional<Move> {
      if (is_easy(board)) {
        if (book.empty() || !is_digit(book.back()) || book.back() == '9') book += '0';
        ++book.back();
        return std::nullopt;
      }
      const int value = solver.solve(board);
      const Move move = find_best_move(board, value, solver);
      book += static_cast<char>((value > 0 ? 'A' : 'a') + 2 * board.move_column(move) +
                                (move.letter == toot::kT));
      return move;
    });
  std::cout << "// SPDX-License-Identifier: MIT\n// By t/book.\n";
  constexpr std::size_t kColumns = 96;
  for (std::size_t at = 0; at < book.size(); at += kColumns)
    std::cout << '"' << book.substr(at, kColumns) << "\"\n";
}
