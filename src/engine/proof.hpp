// SPDX-License-Identifier: MIT
// Proves that a position is won for one side: depth-first proof-number search
// (Allis, van der Meulen and van den Herik 1994; Nagai 2002) with thresholds that are
// a little more than the second best (Pawlewicz and Lew 2007). Leaves how long the win takes,
// and everything that is not proved, to alpha_beta.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/zeroed_memory.hpp"
#include "engine/board.hpp"
#include "engine/proved.hpp"
#include "engine/way.hpp"

namespace pbm::engine {

template <Board B>
class ProofSearch {
 public:
  using Move = typename B::Move;

  // `entries`: a power of two, of 16 bytes each. `history`: keys of positions that stood before; no
  // win goes through one that stood twice, so that what is won comes to its end.
  ProofSearch(Brake& brake, std::size_t entries, std::span<const std::uint64_t> history = {})
      : brake_(brake), size_(entries), table_(entries) {
    if constexpr (kCanRepeat<B>) before_.begin(history);
  }

  // A win or a loss of the seat to move, where `winner` wins from `root` on, whatever the other
  // side does. Nothing where that is not so, or is not known by when the brake says stop.
  std::optional<Verdict> wins(const B& root, Seat winner) {
    winner_ = winner;
    salt_ = mixed(static_cast<std::uint64_t>(winner) + 1);
    path_.clear();
    Numbers n = first_look(root, root.hash());
    if (n.proof != 0 && n.disproof != 0) n = search(root, kInfinite - 1, kInfinite - 1, 0);
    if (n.proof != 0) return std::nullopt;
    return winner == root.to_move() ? Proved::win(0) : Proved::loss(0);
  }

  // By which move. Nothing where wins(root, root.to_move()) found nothing just
  // now, or that is not known any more.
  std::optional<Move> winning_move(const B& root) {
    std::optional<Move> out;
    root.each_move([&](Move m) {
      B next = root;
      next.play(m);
      if (!out && first_look(next, next.hash()).proof == 0) out = m;
    });
    return out;
  }

 private:
  // How many positions must be proved, at least, until this one is proved or disproved.
  struct Numbers {
    std::uint32_t proof = 1, disproof = 1;
  };
  struct Entry {  // both numbers zero: nothing is known
    std::uint64_t key;
    Numbers numbers;
  };
  struct Child {
    Move move;
    std::uint64_t key;
    Numbers numbers;
  };
  static constexpr std::uint32_t kInfinite = 1U << 30;
  static constexpr std::size_t kMaxPly = 200;

  // The key is changed by who is to win, in all its bits: those of two positions of a game may
  // differ by one.
  Entry& at(std::uint64_t key) const { return table_[mixed(key) & (size_ - 1)]; }
  Numbers look_up(std::uint64_t key) const {
    const Entry& e = at(key ^ salt_);
    const bool known = e.numbers.proof != 0 || e.numbers.disproof != 0;
    return known && e.key == (key ^ salt_) ? e.numbers : Numbers{};
  }
  void store(std::uint64_t key, Numbers n) { at(key ^ salt_) = {key ^ salt_, n}; }

  Numbers ended(Seat seat) const {
    return seat == winner_ ? Numbers{0, kInfinite} : Numbers{kInfinite, 0};
  }

  // What is known of a position at a glance.
  Numbers first_look(const B& board, std::uint64_t key) {
    if (board.over()) return ended(board.winner());
    if constexpr (requires { board.win_in_one(); })
      if (board.win_in_one()) return ended(board.to_move());
    if (is_blind(board)) return {kInfinite, 0};
    return look_up(key);
  }

  // Numbers for the side to move: of whom `winner_` is or is not one.
  Numbers search(const B& board, std::uint32_t proof, std::uint32_t disproof, std::size_t ply) {
    const std::uint64_t key = board.hash();
    const bool any = board.to_move() == winner_;  // one move that wins is enough
    std::vector<Child> children;
    children.reserve(32);
    if (brake_.tick()) return {};
    const auto give = [&](Move m) {
      B next = board;
      next.play(m);
      const std::uint64_t next_key = next.hash();
      Numbers n = first_look(next, next_key);
      // What has stood on the way is no win: what is proved rests on no circle. What is disproved
      // may, and is never told (graph history interaction, Campbell 1985).
      if (n.proof != 0 && (before_.times(next_key) >= 2 || std::ranges::count(path_, next_key) > 0))
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
      const Numbers n = lost > 0 ? ended(1 - board.to_move()) : ended(board.winner());
      store(key, n);
      return n;
    }
    if (ply >= kMaxPly) return {kInfinite, 0};
    path_.push_back(key);
    Numbers now;
    while (true) {
      // Of the one number the least counts, of the other the sum.
      std::uint32_t sum = 0, least = kInfinite, second = kInfinite;
      std::size_t best = 0;
      for (std::size_t i = 0; i < children.size(); ++i) {
        const Numbers& c = children[i].numbers;
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
      now = any ? Numbers{least, sum} : Numbers{sum, least};
      if (now.proof == 0) now.disproof = kInfinite;
      if (now.disproof == 0) now.proof = kInfinite;
      if (now.proof >= proof || now.disproof >= disproof || brake_.stopped()) break;
      const std::uint32_t enough = second + second / 4 + 1;
      const Child& c = children[best];
      B next = board;
      next.play(c.move);
      const Numbers limit =
          any ? Numbers{std::min(proof, enough), disproof - sum + c.numbers.disproof}
              : Numbers{proof - sum + c.numbers.proof, std::min(disproof, enough)};
      children[best].numbers = search(next, limit.proof, limit.disproof, ply + 1);
      if (brake_.stopped()) break;
    }
    path_.pop_back();
    if (!brake_.stopped()) store(key, now);
    return now;
  }

  Brake& brake_;
  std::size_t size_;
  ZeroedTable<Entry> table_;
  Repetitions before_;
  std::vector<std::uint64_t> path_;
  Seat winner_ = 0;
  std::uint64_t salt_ = 0;  // of that
};

}  // namespace pbm::engine
