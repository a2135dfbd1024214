// SPDX-License-Identifier: MIT
// Solves positions of short games: alpha-beta (Knuth and Moore 1975) over the three outcomes win,
// tie and loss. Its table keeps the results that cost most (Breuker 1998), and is asked about all
// children first (enhanced transposition cutoffs, Schaeffer and Plaat 1996). Leaves the length of a
// game, and games too long to solve, to alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <functional>
#include <optional>
#include <vector>

#include "base/zeroed_memory.hpp"
#include "engine/board.hpp"
#include "engine/proved_verdict.hpp"

namespace pbm::engine {

template <class B>
concept HasOutcomes = requires(const B b) {
  b.can_win(Seat{});
  b.outcome_key();
};

template <Board B>
class OutcomeSearch {
 public:
  using Move = typename B::Move;
  // Returns 1, 0 or -1 if a position is known to be won, tied or lost for the seat to move.
  using Known = std::function<std::optional<int>(const B&)>;

  // `entries`: a power of two, 16 bytes each. `known` may be empty.
  OutcomeSearch(SearchBudget& brake, std::size_t entries, Known known)
      : budget_(brake), entry_count_(entries), table_(entries), known_(std::move(known)) {}

  // Returns a verdict without a length for the seat to move. Returns nothing if the brake stops the
  // search, or if the game is too long or of another kind.
  std::optional<Verdict> solve(const B& root) {
    if constexpr (HasOutcomes<B>) {
      if (root.plies_left() > kMaxPlies && !find_known(root)) return std::nullopt;
      const std::uint64_t key = root.outcome_key();
      int outcome = search(root, key, 0, 1);
      if (outcome < 1 && !budget_.is_stopped()) outcome = search(root, key, -1, 0);
      if (!budget_.is_stopped()) return verdict(outcome);
    }
    return std::nullopt;
  }

  // Returns what needs no search.
  std::optional<Verdict> find_verdict(const B& board) const {
    if constexpr (HasOutcomes<B>)
      if (const auto outcome = find_known(board)) return verdict(*outcome);
    return std::nullopt;
  }

  // Returns a move that keeps `outcome`, the root's: one that is known to, or else one found by a
  // search. Returns nothing if the brake stops that.
  std::optional<Move> keeping_move(const B& root, const Verdict& outcome) {
    std::optional<Move> out;
    if constexpr (HasOutcomes<B>) {
      const int theirs = 1 - outcome.win_percent() / 50;
      root.each_move([&](Move m) {
        if (out) return;
        B next = root;
        next.play(m);
        if (known_bounds(next, next.outcome_key()).most <= theirs) out = m;
      });
      if (out || root.plies_left() > kMaxPlies) return out;
      std::vector<Move> moves;
      root.each_sound_move([&](Move m) { moves.push_back(m); });
      add_children(root, kNoMove);
      for (std::size_t i = 0; i < moves.size() && !out && !budget_.is_stopped(); ++i) {
        const Child child = children_[i];
        const int score = search(child.board, child.key, theirs, theirs + 1);
        if (score <= theirs && !budget_.is_stopped()) out = moves[child.index];
      }
      children_.clear();
    }
    return out;
  }

 private:
  struct Bounds {
    std::int8_t least = -1, most = 1;
    // The result if it needs no search in this window.
    std::optional<int> cutoff(int alpha, int beta) const {
      if (least >= beta || least == most) return least;
      if (most <= alpha) return most;
      return std::nullopt;
    }
    void narrow(Bounds other) {
      least = std::max(least, other.least);
      most = std::min(most, other.most);
    }
  };
  struct Entry {  // all zero: empty
    std::uint64_t key;
    std::int8_t least_and_1, most_and_1;  // the bounds plus 1
    std::uint8_t move_index;              // the position in each_sound_move()
    std::uint8_t work;                    // the logarithm of the nodes; at least 1
    Bounds bounds() const {
      return {static_cast<std::int8_t>(least_and_1 - 1), static_cast<std::int8_t>(most_and_1 - 1)};
    }
  };
  struct Child {
    int order;  // higher: searched earlier
    std::uint8_t index;
    std::uint64_t key;
    B board;
  };
  static constexpr int kMaxPlies = 30;        // plies left in games that a search can solve
  static constexpr int kMinTablePlies = 4;    // with fewer plies left a search needs no table
  static constexpr int kMinOrderedPlies = 7;  // likewise no order
  static constexpr std::size_t kWays = 4;     // entries among which a key may lie
  static constexpr std::uint8_t kNoMove = 255;

  static Verdict verdict(int outcome) {
    return outcome > 0   ? ProvedVerdict::win(0)
           : outcome < 0 ? ProvedVerdict::loss(0)
                         : ProvedVerdict::tie();
  }

  std::optional<int> find_known(const B& board) const {
    if (board.is_over())
      return board.winner() == kNobody ? 0 : board.winner() == board.to_move() ? 1 : -1;
    if (board.win_in_one()) return 1;
    return known_ ? known_(board) : std::nullopt;
  }

  Entry* entry_for(std::uint64_t key) const {
    Entry* const from = &table_[static_cast<std::size_t>(mix_bits(key)) & (entry_count_ - kWays)];
    Entry* least = from;
    for (Entry* e = from; e != from + kWays; ++e) {
      if (e->key == key && e->work > 0) return e;
      if (e->work < least->work) least = e;
    }
    return least;
  }

  // Returns what is known about a position without a search.
  Bounds known_bounds(const B& board, std::uint64_t key) const {
    if (const auto outcome = find_known(board))
      return {static_cast<std::int8_t>(*outcome), static_cast<std::int8_t>(*outcome)};
    Bounds out;
    if (!board.can_win(board.to_move())) out.most = 0;
    if (!board.can_win(1 - board.to_move())) out.least = 0;
    if (board.plies_left() >= kMinTablePlies)
      if (const Entry* e = entry_for(key); e->key == key && e->work > 0) out.narrow(e->bounds());
    return out;
  }

  // Puts the children on the stack from `base` on, the best first.
  void add_children(const B& board, std::uint8_t table_move) {
    const std::size_t base = children_.size();
    const bool ordered = board.plies_left() >= kMinOrderedPlies;
    std::uint8_t index = 0;
    board.each_sound_move([&](Move m) {
      Child c{0, index++, 0, board};
      c.board.play(m);
      if (c.board.plies_left() >= kMinTablePlies) c.key = c.board.outcome_key();
      if (ordered) {
        c.order = board.ordering_score(m);
        c.board.evaluation_terms([&](std::string_view, int points) { c.order -= points; });
      }
      if (c.index == table_move) c.order = INT_MAX;
      children_.push_back(c);
    });
    std::stable_sort(children_.begin() + static_cast<std::ptrdiff_t>(base), children_.end(),
                     [](const Child& a, const Child& b) { return a.order > b.order; });
  }

  // Returns the outcome for the seat to move, exact between `alpha` and `beta`. `key` is that of
  // the board if it has at least kMinTablePlies left.
  int search(const B& board, std::uint64_t key, int alpha, int beta) {
    if (budget_.count_node()) return 0;
    const Bounds known = known_bounds(board, key);
    if (const auto outcome = known.cutoff(alpha, beta)) return *outcome;
    alpha = std::max<int>(alpha, known.least);
    beta = std::min<int>(beta, known.most);
    const std::uint64_t nodes_before = budget_.nodes();
    const bool in_table = board.plies_left() >= kMinTablePlies;
    std::uint8_t best_move = kNoMove;
    if (in_table)
      if (const Entry* e = entry_for(key); e->key == key && e->work > 0) best_move = e->move_index;
    const std::size_t base = children_.size();
    add_children(board, best_move);
    int best = -1;
    if (board.plies_left() > 2 * kMinTablePlies)
      for (std::size_t i = base; i < children_.size() && best < beta; ++i)
        if (const Bounds b = known_bounds(children_[i].board, children_[i].key); -b.most > best) {
          best = -b.most;
          best_move = children_[i].index;
        }
    for (std::size_t i = base; i < children_.size() && best < beta; ++i) {
      const Child child = children_[i];
      const int score = -search(child.board, child.key, -beta, -std::max(alpha, best));
      if (budget_.is_stopped()) break;
      if (score <= best) continue;
      best = score;
      best_move = child.index;
    }
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(base), children_.end());
    if (budget_.is_stopped()) return 0;
    best = std::max<int>(best, known.least);
    if (in_table) {
      Bounds found = known;
      if (best > alpha) found.least = static_cast<std::int8_t>(best);
      if (best < beta) found.most = static_cast<std::int8_t>(best);
      const auto work = std::bit_width(budget_.nodes() - nodes_before + 1);
      *entry_for(key) = {key, static_cast<std::int8_t>(found.least + 1),
                         static_cast<std::int8_t>(found.most + 1), best_move,
                         static_cast<std::uint8_t>(work)};
    }
    return best;
  }

  SearchBudget& budget_;
  std::size_t entry_count_;
  ZeroedTable<Entry> table_;
  Known known_;
  std::vector<Child> children_;  // of all positions on the path, one after the other
};

}  // namespace pbm::engine
