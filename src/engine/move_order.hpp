// SPDX-License-Identifier: MIT
// The order in which a search tries moves: the table's move, promising moves, killers (Huberman
// 1968) and the history heuristic (Schaeffer 1983). Leaves searching to alpha_beta.hpp.
#pragma once

#include <array>
#include <span>

#include "engine/board.hpp"
#include "engine/way.hpp"

namespace pbm::engine {

template <Board B>
class MoveOrder {
 public:
  using Move = typename B::Move;
  // A legal move with its place in the order.
  struct Choice {
    Move move;
    std::uint16_t index;  // the position in each_move()
    std::int32_t order;   // higher is tried earlier
    bool is_late() const { return order < kKiller / 2; }
  };

  Choice choice(const B& board, Move move, std::uint16_t index, int table_move, int ply) const {
    if (index == table_move) return {move, index, kFirst};
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    int order = 0;
    if constexpr (requires { board.promise(move); }) order = board.promise(move) * kPromise;
    if (move == killers[0]) order += kKiller;
    else if (move == killers[1]) order += kKiller / 2;
    if constexpr (requires { board.slot(move); })
      order += counted_[static_cast<std::size_t>(board.slot(move))];
    return {move, index, order};
  }

  // Moves the choice with the highest order to the front. Pre: there is one.
  static void pick(std::span<Choice> choices) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < choices.size(); ++i)
      if (choices[i].order > choices[best].order) best = i;
    if (best != 0) std::swap(choices[0], choices[best]);
  }

  // Records a move that caused a beta cutoff, as killer and in the history.
  void remember(const B& board, Move move, int depth, int ply) {
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (!(killers[0] == move)) killers = {move, killers[0]};
    if constexpr (requires { board.slot(move); }) {
      auto& n = counted_[static_cast<std::size_t>(board.slot(move))];
      n += depth * depth;
      if (n > kKiller / 4)
        for (auto& each : counted_) each /= 2;
    }
  }

 private:
  static constexpr std::int32_t kFirst = 1 << 30, kPromise = 1 << 18, kKiller = 1 << 17;
  static constexpr std::size_t kSlotsOf = [] {
    if constexpr (requires { B::kSlots; }) return static_cast<std::size_t>(B::kSlots);
    else return std::size_t{1};
  }();

  std::array<std::array<Move, 2>, kMaxPly> killers_{};
  std::array<std::int32_t, kSlotsOf> counted_{};
};

}  // namespace pbm::engine
