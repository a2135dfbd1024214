// SPDX-License-Identifier: MIT
// Small games solved by brute force, to judge what the computer claims.
#pragma once

#include <map>
#include <unordered_map>

#include "support.hpp"

namespace pbm::test {

inline std::string key_of(const Position& p) {
  std::string key = std::to_string(p.to_move()) + picture(p);
  for (Seat s = 0; s < p.seats(); ++s) key += "/" + p.holdings(s);
  return key;
}

// Positions and what each is worth by retrograde analysis: +n, the mover wins in n; -n, it loses in
// n; 0, neither. Each is looked at once, however many starts it can come of.
class Solved {
 public:
  Solved() = default;
  explicit Solved(const Position& start) { add(start); }

  // Every position so far, each start before what can come of it.
  const std::vector<Position>& positions() const { return positions_; }
  int value(std::size_t number) const { return value_[number]; }
  int worth(const Position& p) {
    add(p);
    return value_[numbers_.at(key_of(p))];
  }

  // This position and every one that can come of it.
  void add(const Position& start) {
    const std::size_t first = positions_.size();
    std::vector<std::size_t> open;  // of a new position: plies that are not known to lose
    std::unordered_map<std::size_t, std::vector<std::size_t>> before;  // new ones it can come of
    number(start);
    for (std::size_t i = first; i < positions_.size(); ++i) {
      open.push_back(0);
      if (positions_[i].outcome()) continue;
      for (const std::string& ply : positions_[i].legal()) {
        Position next = positions_[i];
        next.play(ply);
        before[number(next)].push_back(i);
        ++open.back();
      }
    }
    value_.resize(positions_.size());
    std::vector<bool> known(positions_.size());
    // What is decided in so many plies, and whether who is to move there has won.
    std::map<int, std::vector<std::pair<std::size_t, bool>>> decided;
    const auto decide = [&](std::size_t i) {
      if (const auto outcome = positions_[i].outcome(); outcome && outcome->winner)
        decided[0].emplace_back(i, *outcome->winner == positions_[i].to_move());
      else if (value_[i] != 0) decided[std::abs(value_[i])].emplace_back(i, value_[i] > 0);
    };
    for (std::size_t i = first; i < positions_.size(); ++i) decide(i);
    for (const auto& [i, from] : before)
      if (i < first) decide(i);
    for (auto now = decided.begin(); now != decided.end(); ++now)
      for (const auto& [i, is_won] : now->second) {
        if (known[i]) continue;
        known[i] = true;
        value_[i] = is_won ? now->first : -now->first;
        for (const std::size_t from : before[i]) {
          if (known[from]) continue;
          if (!is_won) decided[now->first + 1].emplace_back(from, true);
          else if (--open[from - first] == 0) decided[now->first + 1].emplace_back(from, false);
        }
      }
  }

 private:
  std::size_t number(const Position& p) {
    const auto [at, is_new] = numbers_.emplace(key_of(p), positions_.size());
    if (is_new) positions_.push_back(p);
    return at->second;
  }

  std::vector<Position> positions_;
  std::vector<int> value_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace pbm::test
