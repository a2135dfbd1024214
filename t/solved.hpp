// SPDX-License-Identifier: MIT
// Small games solved by brute force, to judge what the computer claims.
#pragma once

#include <map>

#include "support.hpp"

namespace pbm::test {

inline std::string key_of(const Position& p) {
  std::string key = std::to_string(p.to_move()) + picture(p);
  for (Seat s = 0; s < p.seats(); ++s) key += "/" + p.holdings(s);
  return key;
}

// Every position that can come of a start, and what it is worth by retrograde analysis: +n, the
// mover wins in n; -n, it loses in n; 0, neither.
struct Solved {
  std::vector<Position> positions;
  std::vector<int> value;
  std::map<std::string, std::size_t> numbers;
  int worth(const Position& p) const { return value[numbers.at(key_of(p))]; }
};
inline Solved solve(const Position& start) {
  Solved out;
  std::vector<std::vector<std::size_t>> before, after;
  const auto number = [&](const Position& p) {
    const auto [at, is_new] = out.numbers.emplace(key_of(p), out.positions.size());
    if (is_new) {
      out.positions.push_back(p);
      before.emplace_back();
    }
    return at->second;
  };
  number(start);
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    after.emplace_back();
    if (out.positions[i].outcome()) continue;
    for (const std::string& ply : out.positions[i].legal()) {
      Position next = out.positions[i];
      next.play(ply);
      const std::size_t to = number(next);
      after[i].push_back(to);
      before[to].push_back(i);
    }
  }
  out.value.assign(out.positions.size(), 0);
  std::vector<std::size_t> open;  // plies that are not known to lose
  std::vector<bool> known(out.positions.size());
  std::vector<std::pair<std::size_t, bool>> now;  // and whether who is to move there has won
  for (std::size_t i = 0; i < out.positions.size(); ++i) {
    open.push_back(after[i].size());
    if (const auto outcome = out.positions[i].outcome(); outcome && outcome->winner)
      now.emplace_back(i, *outcome->winner == out.positions[i].to_move());
  }
  for (int plies = 0; !now.empty(); ++plies) {
    std::vector<std::pair<std::size_t, bool>> then;
    for (const auto& [i, is_won] : now) {
      if (known[i]) continue;
      known[i] = true;
      out.value[i] = is_won ? plies : -plies;
      for (const std::size_t from : before[i]) {
        if (known[from]) continue;
        if (!is_won) then.emplace_back(from, true);
        else if (--open[from] == 0) then.emplace_back(from, false);
      }
    }
    now = std::move(then);
  }
  return out;
}

// What positions are worth, each looked at once however many starts it can come of.
class SolvedAll {
 public:
  int worth(const Position& p) {
    if (!worth_.count(key_of(p))) {
      const Solved solved = solve(p);
      for (const auto& [key, number] : solved.numbers) worth_.emplace(key, solved.value[number]);
    }
    return worth_.at(key_of(p));
  }

 private:
  std::map<std::string, int> worth_;
};

}  // namespace pbm::test
