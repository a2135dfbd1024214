// SPDX-License-Identifier: MIT
// Values of positions by trying all plies to a given depth, to check verdicts that the computer
// calls certain. For games too large for retrograde_solver.hpp.
#pragma once

#include <climits>
#include <unordered_map>

#include "retrograde_solver.hpp"

namespace pbm::test {

// Plays a pass that is the only ply. This pass does not count as a ply.
inline Position play_only_pass(Position p) {
  if (p.legal_plies() == std::vector<std::string>{"pass"}) p.play("pass");
  return p;
}

inline Position play_with_pass(Position p, const std::string& ply) {
  p.play(ply);
  return play_only_pass(std::move(p));
}

// For positions in which two seats play. Searches for forced results: +n, the seat to move wins in n
// plies; -n, it loses in n; nothing if there is none within the depth. Remembers the results.
class ExhaustiveSolver {
 public:
  // After `patience` positions it gives up and returns nothing.
  explicit ExhaustiveSolver(int patience = INT_MAX) : max_positions_(patience) {}

  std::optional<int> value_of(const Position& p, int depth) {
    positions_left_ = max_positions_;
    for (int n = 1; n <= depth; ++n) {
      if (is_win(p, n)) return n;
      if (is_loss(p, n)) return -n;
    }
    return std::nullopt;
  }
  // The same for a ply, from the view of the seat that plays it.
  std::optional<int> value_of_ply(const Position& p, const std::string& ply, int depth) {
    const Position next = play_with_pass(p, ply);
    if (const auto end = next.outcome())
      return !end->winner ? std::nullopt : std::optional(*end->winner == p.to_move() ? 1 : -1);
    const auto theirs = value_of(next, depth - 1);
    if (!theirs) return std::nullopt;
    const bool same = next.to_move() == p.to_move();
    return ((*theirs > 0) == same ? 1 : -1) * (std::abs(*theirs) + 1);
  }
  bool has_given_up() const { return positions_left_ <= 0; }

 private:
  struct KnownBounds {
    int wins_in = INT_MAX, wins_not_in = 0, loses_in = INT_MAX, loses_not_in = 0;
  };

  bool is_win(const Position& p, int n) {
    if (n <= 0 || --positions_left_ <= 0) return false;
    const std::string key = position_key(p);
    if (bounds_[key].wins_in <= n) return true;
    if (bounds_[key].wins_not_in >= n) return false;
    bool out = false;
    std::vector<Position> later;
    for (const std::string& ply : p.legal_plies()) {
      Position next = play_with_pass(p, ply);
      if (const auto end = next.outcome()) out = out || end->winner == p.to_move();
      else later.push_back(std::move(next));
    }
    for (const Position& next : later) out = out || (n > 1 && is_loss(next, n - 1));
    if (has_given_up()) return false;
    KnownBounds& known = bounds_[key];
    if (out) known.wins_in = n;
    else known.wins_not_in = n;
    return out;
  }

  bool is_loss(const Position& p, int n) {
    if (n <= 0 || --positions_left_ <= 0) return false;
    const std::string key = position_key(p);
    if (bounds_[key].loses_in <= n) return true;
    if (bounds_[key].loses_not_in >= n) return false;
    bool out = true;
    std::vector<Position> later;
    for (const std::string& ply : p.legal_plies()) {
      Position next = play_with_pass(p, ply);
      if (const auto end = next.outcome())
        out = out && end->winner.value_or(p.to_move()) != p.to_move();
      else later.push_back(std::move(next));
    }
    for (const Position& next : later) out = out && n > 1 && is_win(next, n - 1);
    if (has_given_up()) return false;
    KnownBounds& known = bounds_[key];
    if (out) known.loses_in = n;
    else known.loses_not_in = n;
    return out;
  }

  const int max_positions_;
  int positions_left_ = 0;
  std::unordered_map<std::string, KnownBounds> bounds_;
};

// Checks a verdict about a ply. `truth` is the value of the ply, searched to `depth`, or to the end
// of the game for INT_MAX. Returns true if the verdict was certain and could be checked.
inline bool check_verdict(const Verdict& v, std::optional<int> truth, int depth) {
  using Kind = Verdict::Kind;
  INFO(verdict_text(v) << ", and it is worth " << truth.value_or(0));
  if (!v.is_proved()) return false;
  if (v.kind() == Kind::tie || v.kind() == Kind::endless) REQUIRE_FALSE(truth);
  if (v.plies() > depth || (v.plies() == 0 && !truth && depth < INT_MAX)) {
    REQUIRE_FALSE(truth);
    return v.plies() == 0 && v.kind() != Kind::win && v.kind() != Kind::loss;
  }
  if (v.kind() == Kind::win) REQUIRE(truth.value_or(0) > 0);
  if (v.kind() == Kind::loss) REQUIRE(truth.value_or(0) < 0);
  if (v.plies() > 0) REQUIRE(std::abs(*truth) == v.plies());
  return true;
}

}  // namespace pbm::test
