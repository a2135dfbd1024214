// SPDX-License-Identifier: MIT
#include "game/inquiry.hpp"

#include <algorithm>
#include <map>

namespace pbm {

Question question_about(const Match& match, int level) {
  Question out;
  out.level = level;
  out.seed = static_cast<std::uint64_t>(match.started().time_since_epoch().count());
  for (const std::string& name : match.names())
    for (const char c : name) out.seed = out.seed * 31 + static_cast<unsigned char>(c);
  constexpr std::size_t kRemembered = 60;  // positions that it is told of, to shun them
  const std::size_t plies = match.plies().size();
  std::size_t n = plies - std::min(plies, kRemembered);
  for (Position then = match.position_after(n); n < plies; ++n) {
    out.history.push_back(then);
    // Where somebody has given up the plies alone do not make the position.
    if (match.seats() > 2) then = match.position_after(n + 1);
    else then.play(match.plies()[n].text);
  }
  return out;
}

std::vector<Term> changes_by(const Match& match, const Thought& thought) {
  const Position& now = match.position();
  Position then = now;
  for (const std::string& ply : thought.lines.front().variation) then.play(ply);
  if (now.seats() != 2 || then.outcome()) return {};
  Question glance;
  glance.limits.nodes = 1;
  const int sign = then.to_move() == now.to_move() ? 1 : -1;
  std::map<std::string, int> sums;
  for (const Term& term : match.game().think(then, glance).terms)
    sums[term.name] += sign * term.value;
  for (const Term& term : thought.terms) sums[term.name] -= term.value;
  std::vector<Term> out;
  for (const auto& [name, value] : sums)
    if (value != 0) out.push_back({name, value});
  std::stable_sort(out.begin(), out.end(), [](const Term& a, const Term& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return out;
}

}  // namespace pbm
