// SPDX-License-Identifier: MIT
// Proves that a position is won for one seat: depth-first proof-number search (Allis, van der
// Meulen and van den Herik 1994; Nagai 2002) with thresholds a little above the second best child
// (Pawlewicz and Lew 2007). Leaves the length of the win, and all unproved positions, to
// alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/zeroed_memory.hpp"
#include "engine/board.hpp"
#include "engine/proved_verdict.hpp"
#include "engine/search_path.hpp"

namespace pbm::engine {

template <Board B>
class ProofSearch {
 public:
  using Move = typename B::Move;

  // `entries`: a power of two, 16 bytes each. `history`: keys of the earlier positions of the game.
  // No proof uses a position that occurred twice, so that a winner makes progress.
  ProofSearch(SearchBudget& brake, std::size_t entries, std::span<const std::uint64_t> history = {})
      : budget_(brake), entry_count_(entries), table_(entries) {
    if constexpr (kCanRepeat<B>) repetitions_.set_history(history);
  }

  // Returns a win or loss of the seat to move if `winner` wins from `root` against any defence.
  // Returns nothing if that is false, or unknown when the brake stops the search.
  std::optional<Verdict> prove_win(const B& root, Seat winner) {
    winner_ = winner;
    salt_ = mix_bits(static_cast<std::uint64_t>(winner) + 1);
    path_.clear();
    ProofNumbers n = initial_numbers(root, root.hash());
    if (n.proof != 0 && n.disproof != 0) n = search(root, kInfinite - 1, kInfinite - 1, 0);
    if (n.proof != 0) return std::nullopt;
    return winner == root.to_move() ? ProvedVerdict::win(0) : ProvedVerdict::loss(0);
  }

  // Returns a winning move after wins(root, root.to_move()) has found a win. Returns nothing if the
  // table has lost it.
  std::optional<Move> winning_move(const B& root) {
    std::optional<Move> out;
    root.each_move([&](Move m) {
      B next = root;
      next.play(m);
      if (!out && initial_numbers(next, next.hash()).proof == 0) out = m;
    });
    return out;
  }

 private:
  // The least number of positions to prove until this one is proved, and likewise disproved.
  struct ProofNumbers {
    std::uint32_t proof = 1, disproof = 1;
  };
  struct Entry {  // both numbers zero: empty
    std::uint64_t key;
    ProofNumbers numbers;
  };
  struct Child {
    Move move;
    std::uint64_t key;
    ProofNumbers numbers;
  };
  static constexpr std::uint32_t kInfinite = 1U << 30;
  static constexpr std::size_t kMaxPly = 200;

  // The key includes a salt for the winner that changes all its bits, because the keys of two
  // positions may differ in a single bit.
  Entry& entry_for(std::uint64_t key) const {
    return table_[static_cast<std::size_t>(mix_bits(key)) & (entry_count_ - 1)];
  }
  ProofNumbers look_up(std::uint64_t key) const {
    const Entry& e = entry_for(key ^ salt_);
    const bool known = e.numbers.proof != 0 || e.numbers.disproof != 0;
    return known && e.key == (key ^ salt_) ? e.numbers : ProofNumbers{};
  }
  void store(std::uint64_t key, ProofNumbers n) { entry_for(key ^ salt_) = {key ^ salt_, n}; }

  ProofNumbers end_numbers(Seat seat) const {
    return seat == winner_ ? ProofNumbers{0, kInfinite} : ProofNumbers{kInfinite, 0};
  }

  // Returns the numbers of a position without a search.
  ProofNumbers initial_numbers(const B& board, std::uint64_t key) {
    if (board.is_over()) return end_numbers(board.winner());
    if constexpr (requires { board.win_in_one(); })
      if (board.win_in_one()) return end_numbers(board.to_move());
    if (is_blind(board)) return {kInfinite, 0};
    return look_up(key);
  }

  // Searches a node until a number reaches its threshold. Returns the numbers of the node.
  ProofNumbers search(const B& board, std::uint32_t proof, std::uint32_t disproof,
                      std::size_t ply) {
    const std::uint64_t key = board.hash();
    const bool any = board.to_move() == winner_;  // an OR node: a single winning move is enough
    std::vector<Child> children;
    children.reserve(32);
    if (budget_.count_node()) return {};
    const auto give = [&](Move m) {
      B next = board;
      next.play(m);
      const std::uint64_t next_key = next.hash();
      ProofNumbers n = initial_numbers(next, next_key);
      // A position on the path is no win, so no proof rests on a cycle. A disproof may rest on one,
      // and is never reported (graph history interaction, Campbell 1985).
      if (n.proof != 0 &&
          (repetitions_.count_in_history(next_key) >= 2 || std::ranges::count(path_, next_key) > 0))
        n = {kInfinite, 0};
      children.push_back({m, next_key, n});
    };
    int lost = 0;
    if constexpr (requires { board.each_sound_move(give); }) {
      lost = board.each_sound_move(give);
    } else {
      board.each_move(give);
    }
    if (children.empty()) {
      const ProofNumbers n =
          lost > 0 ? end_numbers(1 - board.to_move()) : end_numbers(board.winner());
      store(key, n);
      return n;
    }
    if (ply >= kMaxPly) return {kInfinite, 0};
    path_.push_back(key);
    ProofNumbers now;
    while (true) {
      // One number of a node is the minimum of its children's, the other one the sum.
      std::uint32_t sum = 0, least = kInfinite, second = kInfinite;
      std::size_t best = 0;
      for (std::size_t i = 0; i < children.size(); ++i) {
        const ProofNumbers& c = children[i].numbers;
        const std::uint32_t to_least = any ? c.proof : c.disproof,
                            to_sum = any ? c.disproof : c.proof;
        sum = std::min(sum + to_sum, kInfinite);
        if (to_least < least) {
          second = least;
          least = to_least;
          best = i;
        } else {
          second = std::min(second, to_least);
        }
      }
      now = any ? ProofNumbers{least, sum} : ProofNumbers{sum, least};
      if (now.proof == 0) now.disproof = kInfinite;
      if (now.disproof == 0) now.proof = kInfinite;
      if (now.proof >= proof || now.disproof >= disproof || budget_.is_stopped()) break;
      const std::uint32_t enough = second + second / 4 + 1;
      const Child& c = children[best];
      B next = board;
      next.play(c.move);
      const ProofNumbers limit =
          any ? ProofNumbers{std::min(proof, enough), disproof - sum + c.numbers.disproof}
              : ProofNumbers{proof - sum + c.numbers.proof, std::min(disproof, enough)};
      children[best].numbers = search(next, limit.proof, limit.disproof, ply + 1);
      if (budget_.is_stopped()) break;
    }
    path_.pop_back();
    if (!budget_.is_stopped()) store(key, now);
    return now;
  }

  SearchBudget& budget_;
  std::size_t entry_count_;
  ZeroedTable<Entry> table_;
  Repetitions repetitions_;
  std::vector<std::uint64_t> path_;
  Seat winner_ = 0;
  std::uint64_t salt_ = 0;  // for winner_
};

}  // namespace pbm::engine
