// SPDX-License-Identifier: MIT
// The order in which a search tries moves: the table's move, promising moves, killers (Huberman
// 1968) and the history heuristic (Schaeffer 1983). Leaves searching to alpha_beta.hpp.
#pragma once

#include <array>
#include <span>

#include "engine/board.hpp"
#include "engine/search_path.hpp"

namespace pbm::engine {

template <Board B>
class MoveOrder {
 public:
  using Move = typename B::Move;
  // A legal move with its place in the order.
  struct OrderedMove {
    Move move;
    std::uint16_t index;    // the position in each_move()
    std::int32_t priority;  // higher is tried earlier
    bool is_late() const { return priority < kKiller / 2; }
  };

  OrderedMove rank_move(const B& board, Move move, std::uint16_t index, int table_move,
                        int ply) const {
    if (index == table_move) return {move, index, kTableMove};
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    int order = 0;
    if constexpr (requires { board.ordering_score(move); })
      order = board.ordering_score(move) * kPromise;
    if (move == killers[0]) order += kKiller;
    else if (move == killers[1]) order += kKiller / 2;
    if constexpr (requires { board.history_slot(move); })
      order += history_[static_cast<std::size_t>(board.history_slot(move))];
    return {move, index, order};
  }

  // Moves the choice with the highest order to the front. Pre: there is one.
  static void bring_best_first(std::span<OrderedMove> choices) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < choices.size(); ++i)
      if (choices[i].priority > choices[best].priority) best = i;
    if (best != 0) std::swap(choices[0], choices[best]);
  }

  // Records a move that caused a beta cutoff, as killer and in the history.
  void record_cutoff(const B& board, Move move, int depth, int ply) {
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (!(killers[0] == move)) killers = {move, killers[0]};
    if constexpr (requires { board.history_slot(move); }) {
      auto& n = history_[static_cast<std::size_t>(board.history_slot(move))];
      n += depth * depth;
      if (n > kKiller / 4)
        for (auto& each : history_) each /= 2;
    }
  }

 private:
  static constexpr std::int32_t kTableMove = 1 << 30, kPromise = 1 << 18, kKiller = 1 << 17;
  static constexpr std::size_t kSlotCount = [] {
    if constexpr (requires { B::kHistorySlots; }) return static_cast<std::size_t>(B::kHistorySlots);
    else return std::size_t{1};
  }();

  std::array<std::array<Move, 2>, kMaxPly> killers_{};
  std::array<std::int32_t, kSlotCount> history_{};
};

}  // namespace pbm::engine
