// SPDX-License-Identifier: MIT
// Solves small games by brute force, to check what the computer claims.
#pragma once

#include <map>
#include <unordered_map>

#include "support.hpp"

namespace pbm::test {

inline std::string position_key(const Position& p) {
  std::string key = std::to_string(p.to_move()) + drawing_text(p);
  for (Seat s = 0; s < p.seats(); ++s) key += "/" + p.holdings(s);
  return key;
}

// The exact values of positions by retrograde analysis: +n, the seat to move wins in n plies; -n,
// it loses in n; 0, neither. It examines a position once, even if several starts lead to it.
class RetrogradeSolver {
 public:
  RetrogradeSolver() = default;
  explicit RetrogradeSolver(const Position& start) { add(start); }

  // Returns all positions, each start before its successors.
  const std::vector<Position>& positions() const { return positions_; }
  int value_at(std::size_t number) const { return values_[number]; }
  int value_of(const Position& p) {
    add(p);
    return values_[numbers_.at(position_key(p))];
  }

  // Adds a position and all its successors.
  void add(const Position& start) {
    const std::size_t first = positions_.size();
    std::vector<std::size_t> open;  // for each new position: the plies not known to lose
    std::unordered_map<std::size_t, std::vector<std::size_t>> before;  // its new predecessors
    find_or_add(start);
    for (std::size_t i = first; i < positions_.size(); ++i) {
      open.push_back(0);
      if (positions_[i].outcome()) continue;
      for (const std::string& ply : positions_[i].legal_plies()) {
        Position next = positions_[i];
        next.play(ply);
        before[find_or_add(next)].push_back(i);
        ++open.back();
      }
    }
    values_.resize(positions_.size());
    std::vector<bool> known(positions_.size());
    // By the number of plies: the decided positions, and true if the seat to move wins there.
    std::map<int, std::vector<std::pair<std::size_t, bool>>> decided;
    const auto decide = [&](std::size_t i) {
      if (const auto outcome = positions_[i].outcome(); outcome && outcome->winner)
        decided[0].emplace_back(i, *outcome->winner == positions_[i].to_move());
      else if (values_[i] != 0) decided[std::abs(values_[i])].emplace_back(i, values_[i] > 0);
    };
    for (std::size_t i = first; i < positions_.size(); ++i) decide(i);
    for (const auto& [i, from] : before)
      if (i < first) decide(i);
    for (auto now = decided.begin(); now != decided.end(); ++now)
      for (const auto& [i, is_won] : now->second) {
        if (known[i]) continue;
        known[i] = true;
        values_[i] = is_won ? now->first : -now->first;
        for (const std::size_t from : before[i]) {
          if (known[from]) continue;
          if (!is_won) decided[now->first + 1].emplace_back(from, true);
          else if (--open[from - first] == 0) decided[now->first + 1].emplace_back(from, false);
        }
      }
  }

 private:
  std::size_t find_or_add(const Position& p) {
    const auto [at, is_new] = numbers_.emplace(position_key(p), positions_.size());
    if (is_new) positions_.push_back(p);
    return at->second;
  }

  std::vector<Position> positions_;
  std::vector<int> values_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace pbm::test
