// SPDX-License-Identifier: MIT
// Values of positions by trying all plies to a given depth, to check verdicts that the computer
// calls certain. For games too large for solved.hpp.
#pragma once

#include <climits>
#include <unordered_map>

#include "solved.hpp"

namespace pbm::test {

// Plays a pass that is the only ply. This pass does not count as a ply.
inline Position settled(Position p) {
  if (p.legal() == std::vector<std::string>{"pass"}) p.play("pass");
  return p;
}

inline Position settled_after(Position p, const std::string& ply) {
  p.play(ply);
  return settled(std::move(p));
}

// Searches for forced results: +n, the seat to move wins in n plies; -n, it loses in n; nothing if
// there is none within the depth. Remembers the results.
class Tried {
 public:
  // After `patience` positions it gives up and returns nothing.
  explicit Tried(int patience = INT_MAX) : most_(patience) {}

  std::optional<int> worth(const Position& p, int depth) {
    left_ = most_;
    for (int n = 1; n <= depth; ++n) {
      if (wins(p, n)) return n;
      if (loses(p, n)) return -n;
    }
    return std::nullopt;
  }
  // The same for a ply, from the view of the seat that plays it.
  std::optional<int> worth_of(const Position& p, const std::string& ply, int depth) {
    const Position next = settled_after(p, ply);
    if (const auto end = next.outcome())
      return !end->winner ? std::nullopt : std::optional(*end->winner == p.to_move() ? 1 : -1);
    const auto theirs = worth(next, depth - 1);
    if (!theirs) return std::nullopt;
    const bool same = next.to_move() == p.to_move();
    return ((*theirs > 0) == same ? 1 : -1) * (std::abs(*theirs) + 1);
  }
  bool gave_up() const { return left_ <= 0; }

 private:
  struct Known {
    int wins_in = INT_MAX, wins_not_in = 0, loses_in = INT_MAX, loses_not_in = 0;
  };

  bool wins(const Position& p, int n) {
    if (n <= 0 || --left_ <= 0) return false;
    const std::string key = key_of(p);
    if (known_[key].wins_in <= n) return true;
    if (known_[key].wins_not_in >= n) return false;
    bool out = false;
    std::vector<Position> later;
    for (const std::string& ply : p.legal()) {
      Position next = settled_after(p, ply);
      if (const auto end = next.outcome()) out = out || end->winner == p.to_move();
      else later.push_back(std::move(next));
    }
    for (const Position& next : later) out = out || (n > 1 && loses(next, n - 1));
    if (gave_up()) return false;
    Known& known = known_[key];
    if (out) known.wins_in = n;
    else known.wins_not_in = n;
    return out;
  }

  bool loses(const Position& p, int n) {
    if (n <= 0 || --left_ <= 0) return false;
    const std::string key = key_of(p);
    if (known_[key].loses_in <= n) return true;
    if (known_[key].loses_not_in >= n) return false;
    bool out = true;
    std::vector<Position> later;
    for (const std::string& ply : p.legal()) {
      Position next = settled_after(p, ply);
      if (const auto end = next.outcome()) out = out && end->winner == 1 - p.to_move();
      else later.push_back(std::move(next));
    }
    for (const Position& next : later) out = out && n > 1 && wins(next, n - 1);
    if (gave_up()) return false;
    Known& known = known_[key];
    if (out) known.loses_in = n;
    else known.loses_not_in = n;
    return out;
  }

  const int most_;
  int left_ = 0;
  std::unordered_map<std::string, Known> known_;
};

// Checks a verdict about a ply. `truth` is the value of the ply, searched to `depth`, or to the end
// of the game for INT_MAX. Returns true if the verdict was certain and could be checked.
inline bool check_verdict(const Verdict& v, std::optional<int> truth, int depth) {
  using Kind = Verdict::Kind;
  INFO(in_words(v) << ", and it is worth " << truth.value_or(0));
  if (!v.proved()) return false;
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
