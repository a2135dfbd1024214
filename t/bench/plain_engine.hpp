// SPDX-License-Identifier: MIT
// A plain engine as a measure for the computer: alpha-beta in the style of 1990 with a
// transposition table, killers, history, null windows and extensions of noisy positions. It uses
// the same boards (engine/board.hpp), but only the first term of the evaluation, no reductions, no
// proof search and no endgame tables. Its make rule compiles each game again after including this
// file, where toot_row() means plain_toot_row(). Leaves rules and boards to the games.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/zeroed_memory.hpp"
#include "engine/game_row.hpp"

namespace pbm::plain {

template <engine::Board B>
class Search {
 public:
  using Move = typename B::Move;

  // Keeps the table from ply to ply, unless it measures the time to a depth.
  Search(SearchBudget& budget, const SearchLimits& limits) : budget_(budget), limits_(limits) {
    if (limits.depth > 0) table() = ZeroedTable<Entry>(kEntries);
    moves_.reserve(4096);
  }

  // Returns the best move of the deepest search within the limits.
  Move best(const B& root, std::vector<std::uint64_t> history) {
    history_ = std::move(history);
    if constexpr (requires { root.win_in_one(); })
      if (const auto win = root.win_in_one()) return *win;
    moves_of(root, -1, 0);
    root_best_ = moves_.front().move;
    moves_.clear();
    const int last = limits_.depth > 0 ? limits_.depth : kMaxPly / 2;
    for (int depth = 1; depth <= last && !budget_.is_stopped(); ++depth) {
      const int score = search(root, depth, -kWin, kWin, 0);
      if (budget_.is_stopped()) break;
      depth_ = depth;
      if (std::abs(score) >= kWin - depth) break;  // no shorter win or loss exists
    }
    return root_best_;
  }
  int depth() const { return depth_; }

 private:
  static constexpr int kWin = 30000, kMaxPly = 120, kLonger = 8;
  static constexpr std::size_t kEntries = std::size_t{1} << 20;
  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t score = 0, move = 0;
    std::int8_t depth = 0;
    Bound bound = kNone;
  };
  struct Choice {
    Move move;
    int index, order;
  };

  static ZeroedTable<Entry>& table() {
    static thread_local ZeroedTable<Entry> entries(kEntries);
    return entries;
  }

  static std::uint64_t key_of(const B& board) {
    if constexpr (engine::HasHash<B>) return board.hash();
    else return 0;
  }
  static int ended(const B& board, int ply) {
    const Seat winner = board.winner();
    return winner == engine::kNobody ? 0 : winner == board.to_move() ? kWin - ply : ply - kWin;
  }
  static int estimate(const B& board) {
    int first = 0, n = 0;
    if constexpr (engine::HasEvaluation<B>)
      board.evaluation_terms(
          [&](std::string_view, int points) { first = n++ == 0 ? points : first; });
    return first;
  }
  static bool is_noisy(const B& board) {
    if constexpr (requires { board.is_noisy(); }) return board.is_noisy();
    else return false;
  }

  // Appends the legal moves to the stack.
  void moves_of(const B& board, int from_table, int ply) {
    int index = 0;
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    const auto give = [&](Move m) {
      int order = index == from_table ? 1 << 30 : 0;
      if constexpr (requires { board.ordering_score(m); }) order += board.ordering_score(m) << 20;
      order += m == killers[0] ? 1 << 19 : m == killers[1] ? 1 << 18 : 0;
      if constexpr (requires { board.history_slot(m); })
        order += counted_[static_cast<std::size_t>(board.history_slot(m))];
      moves_.push_back({m, index++, order});
    };
    if constexpr (requires { board.each_sound_move(give); }) board.each_sound_move(give);
    if (index == 0) board.each_move(give);
  }

  bool has_stood(std::uint64_t key, int ply) const {
    for (int i = ply - 2; i >= 0; i -= 2)
      if (path_[static_cast<std::size_t>(i)] == key) return true;
    return std::find(history_.begin(), history_.end(), key) != history_.end();
  }

  int search(const B& board, int depth, int alpha, int beta, int ply) {
    if (budget_.count_node()) return 0;
    if (board.is_over()) return ended(board, ply);
    if constexpr (requires { board.win_in_one(); })
      if (ply > 0 && board.win_in_one()) return kWin - ply - 1;
    const std::uint64_t key = key_of(board);
    if constexpr (engine::kCanRepeat<B> && engine::HasHash<B>)
      if (ply > 0 && has_stood(key, ply)) return 0;
    if (ply >= kMaxPly || (depth <= 0 && (depth < -kLonger || !is_noisy(board))))
      return estimate(board);
    path_[static_cast<std::size_t>(ply)] = key;
    Entry nowhere;
    Entry& entry = engine::HasHash<B> ? table()[key & (kEntries - 1)] : nowhere;
    int from_table = -1;
    if (entry.key == key && entry.bound != kNone) {
      from_table = entry.move;
      const int score = entry.score > kWin / 2    ? entry.score - ply
                        : entry.score < -kWin / 2 ? entry.score + ply
                                                  : entry.score;
      if (ply > 0 && entry.depth >= std::max(depth, 0) &&
          (entry.bound == kExact || (entry.bound == kAtLeast && score >= beta) ||
           (entry.bound == kAtMost && score <= alpha)))
        return score;
    }
    const std::size_t base = moves_.size();
    moves_of(board, from_table, ply);
    if (moves_.size() == base) return ended(board, ply);
    const auto [best, move] = best_of(board, base, depth, alpha, beta, ply);
    moves_.resize(base);
    if (budget_.is_stopped()) return 0;
    const int kept = best > kWin / 2 ? best + ply : best < -kWin / 2 ? best - ply : best;
    entry = {key, static_cast<std::int16_t>(kept), static_cast<std::int16_t>(move),
             static_cast<std::int8_t>(std::max(depth, 0)),
             best >= beta    ? kAtLeast
             : best <= alpha ? kAtMost
                             : kExact};
    return best;
  }

  // Returns the best score of the moves from `base` on, and that move's index in each_move().
  std::pair<int, int> best_of(const B& board, std::size_t base, int depth, int alpha, int beta,
                              int ply) {
    const std::size_t end = moves_.size();
    int best = -kWin - 1, which = 0;
    for (std::size_t i = base; i < end; ++i) {
      std::size_t first = i;
      for (std::size_t k = i + 1; k < end; ++k)
        if (moves_[k].order > moves_[first].order) first = k;
      std::swap(moves_[i], moves_[first]);
      const Choice choice = moves_[i];
      B child = board;
      child.play(choice.move);
      int score = 0;
      if (i > base) score = -search(child, depth - 1, -alpha - 1, -alpha, ply + 1);
      if (i == base || (score > alpha && score < beta && !budget_.is_stopped()))
        score = -search(child, depth - 1, -beta, -alpha, ply + 1);
      if (budget_.is_stopped()) break;
      if (score <= best) continue;
      best = score;
      which = choice.index;
      if (ply == 0) root_best_ = choice.move;
      alpha = std::max(alpha, score);
      if (alpha < beta) continue;
      auto& killers = killers_[static_cast<std::size_t>(ply)];
      if (!(killers[0] == choice.move)) killers = {choice.move, killers[0]};
      if constexpr (requires { board.history_slot(choice.move); }) {
        auto& count = counted_[static_cast<std::size_t>(board.history_slot(choice.move))];
        if ((count += depth * depth) > 1 << 16)
          for (int& each : counted_) each /= 2;
      }
      break;
    }
    return {best, which};
  }

  static constexpr std::size_t kSlots = [] {
    if constexpr (requires { B::kHistorySlots; }) return static_cast<std::size_t>(B::kHistorySlots);
    else return std::size_t{1};
  }();

  SearchBudget& budget_;
  const SearchLimits limits_;
  std::vector<Choice> moves_;           // of all positions on the path
  std::vector<std::uint64_t> history_;  // keys of the game's earlier positions
  std::array<std::uint64_t, kMaxPly + 1> path_{};
  std::array<std::array<Move, 2>, kMaxPly + 1> killers_{};
  std::array<int, kSlots> counted_{};
  Move root_best_{};
  int depth_ = 0;
};

template <GameState S>
SearchResult think(const Position& position, const SearchRequest& request) {
  const S& state = *position.state_as<S>();
  SearchLimits limits = request.limits;
  if (limits.nodes == 0 && limits.depth == 0 && limits.time.count() == 0)
    limits.time = engine::kTopLevelTime;
  SearchBudget budget(limits, request.stop_token);
  return engine::with_board(state, [&](const auto& board) {
    using B = std::remove_cvref_t<decltype(board)>;
    std::vector<std::uint64_t> history;
    if constexpr (engine::HasHash<B>)
      for (const Position& before : request.history)
        history.push_back(
            engine::with_board(*before.state_as<S>(), [](const auto& b) -> std::uint64_t {
              if constexpr (requires { b.hash(); }) return b.hash();
              else return 0;
            }));
    auto search = std::make_unique<Search<B>>(budget, limits);
    const std::string ply =
        state.text(engine::state_move(state, board, search->best(board, std::move(history))));
    SearchResult out;
    out.lines.push_back({ply, {}, {ply}, {}});
    out.depth = search->depth();
    out.nodes = budget.nodes();
    return out;
  });
}

// Replaces game_row() for a game that is compiled with this file.
template <GameState S>
GameType row(GameType row) {
  GameType out = game_row<S>(std::move(row));
  out.think = think<S>;
  return out;
}

}  // namespace pbm::plain

#define game_row plain::row
#define toot_row plain_toot_row
#define flooprail_row plain_flooprail_row
#define plotto_row plain_plotto_row
#define chaos_row plain_chaos_row
#define soccolot_row plain_soccolot_row
