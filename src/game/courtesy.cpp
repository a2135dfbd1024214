// SPDX-License-Identifier: MIT
#include "game/courtesy.hpp"

#include <algorithm>
#include <map>

namespace pbm {

Question question_about(const Match& match, int level) {
  Question out;
  out.level = level;
  out.seed = static_cast<std::uint64_t>(match.started().time_since_epoch().count());
  for (const std::string& name : match.names())
    for (const char c : name) out.seed = out.seed * 31 + static_cast<unsigned char>(c);
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

namespace {

constexpr std::size_t kEarliest = 60;  // plies before there is any talk of a draw
constexpr std::size_t kLong = 12;      // own plies in which nothing happened
constexpr int kEven = 8;               // of 100, either way
constexpr int kLowestResigning = 8;    // level
constexpr std::size_t kHopeless = 4;   // own plies without a chance
constexpr int kNoChance = 2;           // of 100

bool surely_even(const Verdict& v) {
  return v.kind == Verdict::Kind::tie || v.kind == Verdict::Kind::endless;
}

// Whether all of the last `n` have a share from `least` to `most`.
bool stayed(std::span<const Verdict> said, std::size_t n, int least, int most) {
  return said.size() >= n &&
         std::all_of(said.end() - static_cast<std::ptrdiff_t>(n), said.end(),
                     [&](const Verdict& v) { return v.share >= least && v.share <= most; });
}

}  // namespace

bool offers_draw(std::span<const Verdict> said, std::size_t plies) {
  if (said.empty() || plies < kEarliest) return false;
  return surely_even(said.back()) || stayed(said, kLong, 50 - kEven, 50 + kEven);
}

bool accepts_draw(std::span<const Verdict> said, std::size_t plies) {
  if (said.empty()) return false;
  if (surely_even(said.back())) return true;
  return plies >= kEarliest && stayed(said, kLong / 2, 0, 50 + kEven);
}

bool resigns(std::span<const Verdict> said, int level) {
  return level >= kLowestResigning && stayed(said, kHopeless, 0, kNoChance);
}

}  // namespace pbm
