// SPDX-License-Identifier: MIT
// Search by playouts, for any number of seats: UCT (Kocsis and Szepesvari 2006) with proved results
// backed up the tree (Winands, Bjornsson and Saito 2008), and decisive moves in tree and playouts
// (Teytaud and Teytaud 2010) if a game knows them. Leaves levels and the answer to searcher.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "engine/board.hpp"
#include "engine/proved_verdict.hpp"

namespace pbm::engine {

inline constexpr int kMaxSeats = 8;
using Rewards = std::array<float, kMaxSeats>;  // 0 to 1 for each seat

// True if the seat still plays.
template <Board B>
bool is_playing(const B& board, Seat seat) {
  if constexpr (requires { board.is_playing(seat); }) return board.is_playing(seat);
  else return true;
}

template <Board B>
Rewards end_rewards(Seat winner, const B& board) {
  Rewards out{};
  if (winner != kNobody) {
    out[static_cast<std::size_t>(winner)] = 1;
    return out;
  }
  int playing = 0;
  for (Seat s = 0; s < board.seats(); ++s) playing += is_playing(board, s);
  for (Seat s = 0; s < board.seats(); ++s)
    out[static_cast<std::size_t>(s)] =
        is_playing(board, s) ? 1.0F / static_cast<float>(playing) : 0;
  return out;
}

inline constexpr int kMaxPlayoutPlies = 200;  // plies

// Plays a random game to its end. Returns false if tick(), called after each ply, says stop.
template <Board B, class Tick>
bool play_to_end(B board, Dice& dice, std::vector<typename B::Move>& choices, Rewards& rewards,
                 Tick tick) {
  for (int ply = 0; ply < kMaxPlayoutPlies; ++ply) {
    if (board.is_over()) {
      rewards = end_rewards(board.winner(), board);
      return true;
    }
    if constexpr (requires { board.win_in_one(); })
      if (board.win_in_one()) {
        rewards = end_rewards(board.to_move(), board);
        return !tick();
      }
    typename B::Move move{};
    if constexpr (requires { board.playout_move(dice); }) {
      move = board.playout_move(dice);
    } else {
      choices.clear();
      board.each_move([&](typename B::Move m) { choices.push_back(m); });
      if (choices.empty()) {
        rewards = end_rewards(board.winner(), board);
        return true;
      }
      move = choices[dice.random_below(static_cast<std::uint32_t>(choices.size()))];
    }
    board.play(move);
    if (tick()) return false;
  }
  rewards = end_rewards(kNobody, board);
  return true;
}

template <Board B>
class Uct {
 public:
  using Move = typename B::Move;
  static constexpr std::size_t kMaxNodes = 1'500'000;  // maximum size of the tree
  static constexpr Seat kUnproved = -2;

  // A move of the root with its result.
  struct RootMove {
    Move move{};
    std::uint32_t visits = 0;
    Seat proved_winner = kUnproved;  // the proved winner, kNobody for a tie
    int max_length = 0;              // upper bound on the length of a proved game
    Rewards rewards{};               // mean for each seat
    std::vector<Move> variation{};
  };

  // Returns the verdict on a move for the seat that plays it. Gives a length only up to two plies:
  // longer ones need not be the shortest.
  Verdict verdict(const RootMove& r) const {
    const Seat mover = root_->to_move();
    if (r.proved_winner == kUnproved || handicaps_.has_any()) {
      const double mean = r.rewards[static_cast<std::size_t>(mover)];
      return Verdict::estimate(std::clamp(static_cast<int>(std::lround(100 * mean)), 1, 99));
    }
    if (r.proved_winner == kNobody) return ProvedVerdict::tie();
    const int plies = r.max_length <= 2 ? r.max_length : 0;
    return r.proved_winner == mover ? ProvedVerdict::win(plies) : ProvedVerdict::loss(plies);
  }

  // Returns per cent for each seat: verdict() for the seat to move, and the rest divided among the
  // others by their rewards.
  std::vector<int> seat_percents(const RootMove& r) const {
    const auto seats = static_cast<std::size_t>(root_->seats());
    const auto mover = static_cast<std::size_t>(root_->to_move());
    const Verdict own = verdict(r);
    const Rewards rewards = own.is_proved() ? end_rewards(r.proved_winner, *root_) : r.rewards;
    double others = 0, before = 0;
    for (std::size_t s = 0; s < seats; ++s) others += s == mover ? 0 : rewards[s];
    std::vector<int> out(seats);
    out[mover] =
        own.is_proved() ? static_cast<int>(std::lround(100 * rewards[mover])) : own.win_percent();
    const double rest = others > 0 ? (100 - out[mover]) / others : 0;
    for (std::size_t s = 0; s < seats; ++s) {
      if (s == mover) continue;
      out[s] =
          static_cast<int>(std::lround(rest * (before + rewards[s])) - std::lround(rest * before));
      before += rewards[s];
    }
    return out;
  }

  // `careful`: skips moves after which the next seat wins at once, if the board can tell.
  Uct(SearchBudget& brake, const Handicaps& ignorance, bool careful)
      : budget_(brake),
        handicaps_(ignorance),
        avoids_threats_(careful),
        dice_(ignorance.seed ^ 0x5EED) {}

  using MoveFilter = std::function<bool(Move)>;

  // Runs playouts from `root` until the brake stops them. Calls told() now and then. Plays no root
  // move for which barred(move) is true, unless all are.
  template <class F>
  void search(const B& root, F told, const MoveFilter& barred) {
    nodes_.reserve(1 << 14);
    nodes_.push_back(Node{});
    root_ = &root;
    add_children(0, root, barred);
    for (std::uint64_t n = 1; nodes_[0].proved_winner == kUnproved; ++n) {
      if (!run_iteration(root)) break;
      if ((n & (n - 1)) == 0 && n >= 256) told();
    }
  }

  std::vector<RootMove> moves() const {
    std::vector<RootMove> out;
    const Node& root = nodes_[0];
    const Seat mover = root_->to_move();
    for (std::uint32_t i = root.first_child; i < root.first_child + root.child_count; ++i) {
      const Node& n = nodes_[i];
      RootMove r;
      r.move = n.move;
      r.visits = n.visits;
      r.rewards = n.reward_sums;
      for (float& reward : r.rewards) reward /= static_cast<float>(std::max(1U, n.visits));
      r.proved_winner = n.proved_winner;
      r.max_length = n.max_length + 1;
      std::uint32_t at = i;
      while (true) {
        r.variation.push_back(nodes_[at].move);
        const std::uint32_t next = most_visited(at);
        if (next == 0 || nodes_[next].visits < 4 || r.variation.size() >= 16) break;
        at = next;
      }
      out.push_back(std::move(r));
    }
    const auto rank = [&](const RootMove& r) {
      if (r.proved_winner == mover) return 1e9 - r.max_length;
      if (r.proved_winner == kUnproved) return static_cast<double>(r.visits);
      if (r.proved_winner == kNobody) return 0.5;
      return -1e9 + r.max_length;
    };
    std::ranges::stable_sort(
        out, [&](const RootMove& a, const RootMove& b) { return rank(a) > rank(b); });
    return out;
  }
  int depth() const { return max_depth_; }

 private:
  struct Node {
    Move move{};
    std::uint32_t first_child = 0;
    std::uint16_t child_count = 0, max_length = 0;
    bool is_partial = false;  // true if some moves have no child
    Seat proved_winner = kUnproved;
    std::uint32_t visits = 0;
    Rewards reward_sums{};
  };

  std::uint32_t most_visited(std::uint32_t at) const {
    std::uint32_t best = 0, visits = 0;
    const Node& n = nodes_[at];
    for (std::uint32_t i = n.first_child; i < n.first_child + n.child_count; ++i)
      if (nodes_[i].visits > visits) {
        visits = nodes_[i].visits;
        best = i;
      }
    return best;
  }

  // Adds a node's children. If a move wins at once, it is the only child.
  void add_children(std::uint32_t at, const B& board, const MoveFilter& barred = {}) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    if constexpr (requires { board.win_in_one(); })
      if (const auto win = board.win_in_one(); win && !barred) {
        nodes_.push_back(Node{});
        nodes_.back().move = *win;
        nodes_[at].first_child = first;
        nodes_[at].child_count = 1;
        return;
      }
    std::uint16_t count = 0;
    const std::size_t base = nodes_.size();
    board.each_move([&](Move m) {
      nodes_.push_back(Node{});
      nodes_.back().move = m;
      ++count;
    });
    // Removes barred moves, then unseen ones, unless no move would remain.
    if (barred) {
      keep_children(base, count, [&](std::size_t, Move m) { return !barred(m); });
      if (handicaps_.seen_percent < 100)
        keep_children(base, count, [&](std::size_t index, Move m) {
          return is_seen(board, m, index, handicaps_.seed, handicaps_);
        });
    }
    if constexpr (requires { board.win_in_one(); })
      if (avoids_threats_ && !barred) {
        const std::uint16_t all = count;
        keep_children(base, count, [&](std::size_t, Move m) { return !loses_at_once(board, m); });
        nodes_[at].is_partial = count < all;
      }
    nodes_[at].first_child = first;
    nodes_[at].child_count = count;
  }

  template <class Wanted>
  void keep_children(std::size_t base, std::uint16_t& count, Wanted wanted) {
    const auto begin = nodes_.begin() + static_cast<std::ptrdiff_t>(base);
    std::size_t index = 0;
    const auto end = std::stable_partition(begin, nodes_.end(),
                                           [&](const Node& n) { return wanted(index++, n.move); });
    if (end == begin) return;
    count = static_cast<std::uint16_t>(end - begin);
    nodes_.erase(end, nodes_.end());
  }

  // Runs one playout: descends the tree, adds a node, plays to the end. Returns false if stopped.
  bool run_iteration(const B& root) {
    B board = root;
    path_.clear();
    path_.push_back(0);
    std::uint32_t at = 0;
    Rewards rewards{};
    while (true) {
      Node& n = nodes_[at];
      if (n.proved_winner != kUnproved && at != 0) {
        rewards = end_rewards(n.proved_winner, board);
        break;
      }
      if (n.child_count == 0) {
        if (board.is_over()) {
          n.proved_winner = board.winner();
          n.max_length = 0;
          rewards = end_rewards(n.proved_winner, board);
          break;
        }
        // A level that ignores replies guesses the result of a ply.
        if (!handicaps_.considers_replies) {
          Seat winner = 0;
          do
            winner =
                static_cast<Seat>(dice_.random_below(static_cast<std::uint32_t>(board.seats())));
          while (!is_playing(board, winner));
          rewards = end_rewards(winner, board);
          break;
        }
        if (n.visits == 0 || is_blind(board) || nodes_.size() > kMaxNodes) {
          if (!run_playout(board, rewards)) return false;
          break;
        }
        add_children(at, board);
        if (nodes_[at].child_count == 0) {
          nodes_[at].proved_winner = board.winner();
          rewards = end_rewards(nodes_[at].proved_winner, board);
          break;
        }
      }
      const std::uint32_t next = select_child(at, board.to_move());
      movers_[std::min<std::size_t>(path_.size() - 1, movers_.size() - 1)] = board.to_move();
      board.play(nodes_[next].move);
      if (budget_.count_node()) return false;
      at = next;
      path_.push_back(at);
      if (path_.size() >= movers_.size()) {
        if (!run_playout(board, rewards)) return false;
        break;
      }
    }
    max_depth_ = std::max(max_depth_, static_cast<int>(path_.size()) - 1);
    for (std::size_t i = path_.size(); i-- > 0;) {
      Node& n = nodes_[path_[i]];
      ++n.visits;
      for (std::size_t s = 0; s < n.reward_sums.size(); ++s) n.reward_sums[s] += rewards[s];
      if (i + 1 < path_.size() && nodes_[path_[i + 1]].proved_winner != kUnproved)
        back_up_proof(path_[i], movers_[i], root.seats());
    }
    return true;
  }

  // Derives a node's proved result from its children.
  void back_up_proof(std::uint32_t at, Seat mover, int seats) {
    Node& n = nodes_[at];
    if (n.proved_winner != kUnproved) return;
    bool all = true, same = true, tie = false;
    int soonest = 1 << 14, latest = 0;
    const Seat first = nodes_[n.first_child].proved_winner;
    for (std::uint32_t i = n.first_child; i < n.first_child + n.child_count; ++i) {
      const Node& child = nodes_[i];
      if (child.proved_winner == mover) {
        soonest = std::min(soonest, child.max_length + 1);
      }
      all = all && child.proved_winner != kUnproved;
      same = same && child.proved_winner == first;
      tie = tie || child.proved_winner == kNobody;
      latest = std::max(latest, child.max_length + 1);
    }
    if (soonest < (1 << 14)) {
      n.proved_winner = mover;
      n.max_length = static_cast<std::uint16_t>(soonest);
    } else if (all && !n.is_partial && (same || seats == 2)) {
      // With three seats the mover may choose which of the others wins: that proves nothing.
      n.proved_winner = tie ? kNobody : first;
      n.max_length = static_cast<std::uint16_t>(latest);
    }
  }

  // Returns the child to visit by UCB1 (Auer, Cesa-Bianchi and Fischer 2002).
  std::uint32_t select_child(std::uint32_t at, Seat mover) {
    const Node& n = nodes_[at];
    const double log = std::log(static_cast<double>(n.visits + 1));
    double best = -1e9;
    std::uint32_t chosen = n.first_child, unvisited = 0;
    for (std::uint32_t i = n.first_child; i < n.first_child + n.child_count; ++i) {
      const Node& child = nodes_[i];
      double value = 0;
      if (child.visits == 0) {
        // Chooses among unvisited moves at random.
        value = 1e6;
        if (value == best && dice_.random_below(++unvisited) != 0) continue;
        if (unvisited == 0) unvisited = 1;
      } else if (child.proved_winner != kUnproved && child.proved_winner != mover &&
                 child.proved_winner != kNobody) {
        value = -1e6;  // lost: chosen only if all moves lose
      } else {
        const auto visits = static_cast<double>(child.visits);
        value = static_cast<double>(child.reward_sums[static_cast<std::size_t>(mover)]) / visits +
                kExploration * std::sqrt(log / visits);
      }
      if (value >= best) {
        best = value;
        chosen = i;
      }
    }
    return chosen;
  }

  bool run_playout(const B& board, Rewards& rewards) {
    return play_to_end(board, dice_, playout_moves_, rewards, [&] { return budget_.count_node(); });
  }

  static constexpr double kExploration = 0.7;

  SearchBudget& budget_;
  Handicaps handicaps_;
  bool avoids_threats_;
  Dice dice_;
  const B* root_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
  std::array<Seat, 128> movers_{};
  std::vector<Move> playout_moves_;
  int max_depth_ = 0;
};

}  // namespace pbm::engine
