// SPDX-License-Identifier: MIT
#include "server/tournaments/pairing.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "server/tournaments/standings.hpp"

namespace pbm {
namespace {

using Graph = std::vector<std::vector<bool>>;  // by two vertices: true for an edge

// Finds a perfect matching of a graph by Edmonds' algorithm ("Paths, trees, and flowers", 1965), in
// a time that grows with the cube of its size.
class PerfectMatching {
 public:
  explicit PerfectMatching(const Graph& graph)
      : graph_(graph), size_(graph.size()), mate_(size_, kNone) {}

  bool exists() {
    for (std::size_t root = 0; root < size_; ++root)
      if (mate_[root] == kNone && !augment(root)) return false;
    return true;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t common_base(std::size_t a, std::size_t b) const {
    std::vector<bool> seen(size_, false);
    for (;; a = parent_[mate_[a]]) {
      a = base_[a];
      seen[a] = true;
      if (mate_[a] == kNone) break;
    }
    for (;; b = parent_[mate_[b]]) {
      b = base_[b];
      if (seen[b]) return b;
    }
  }

  void mark_path(std::size_t v, std::size_t base, std::size_t child, std::vector<bool>& blossom) {
    for (; base_[v] != base; v = parent_[mate_[v]]) {
      blossom[base_[v]] = blossom[base_[mate_[v]]] = true;
      parent_[v] = child;
      child = mate_[v];
    }
  }

  // Contracts the blossom that the edge from v to w closes. Its vertices join the search.
  void contract(std::size_t v, std::size_t w) {
    const std::size_t base = common_base(v, w);
    std::vector<bool> blossom(size_, false);
    mark_path(v, base, w, blossom);
    mark_path(w, base, v, blossom);
    for (std::size_t i = 0; i < size_; ++i)
      if (blossom[base_[i]]) {
        base_[i] = base;
        if (!is_reached_[i]) {
          is_reached_[i] = true;
          queue_.push_back(i);
        }
      }
  }

  bool augment(std::size_t root) {
    is_reached_.assign(size_, false);
    parent_.assign(size_, kNone);
    base_.resize(size_);
    for (std::size_t i = 0; i < size_; ++i) base_[i] = i;
    is_reached_[root] = true;
    queue_ = {root};
    for (std::size_t at = 0; at < queue_.size(); ++at)
      for (std::size_t v = queue_[at], w = 0; w < size_; ++w) {
        if (!graph_[v][w] || base_[v] == base_[w] || mate_[v] == w) continue;
        if (w == root || (mate_[w] != kNone && parent_[mate_[w]] != kNone)) {
          contract(v, w);
        } else if (parent_[w] == kNone) {
          parent_[w] = v;
          if (mate_[w] == kNone) {
            flip_path(w);
            return true;
          }
          is_reached_[mate_[w]] = true;
          queue_.push_back(mate_[w]);
        }
      }
    return false;
  }

  void flip_path(std::size_t end) {
    while (end != kNone) {
      const std::size_t before = parent_[end], next = mate_[before];
      mate_[end] = before;
      mate_[before] = end;
      end = next;
    }
  }

  const Graph& graph_;
  std::size_t size_;
  std::vector<std::size_t> mate_, parent_, base_, queue_;
  std::vector<bool> is_reached_;
};

// The history of a player in a Swiss tournament.
struct SwissRecord {
  std::set<std::size_t> opponents;
  bool had_bye = false;
  int balance = 0;  // games with the first seat less those with the second
  int last = 0;     // 1: the last game was with the first seat; -1: with the second
};

// Pairs one round of a Swiss tournament, with the players in the order of score and rating.
class SwissRound {
 public:
  SwissRound(std::vector<SwissPlayer> players, const std::vector<TournamentGame>& games)
      : players_(std::move(players)) {
    std::ranges::sort(players_, [](const SwissPlayer& a, const SwissPlayer& b) {
      return std::pair(b.half_points, a.number) < std::pair(a.half_points, b.number);
    });
    for (std::size_t i = 0; i < players_.size(); ++i)
      groups_.push_back(
          i == 0 ? 0 : groups_.back() + (players_[i].half_points != players_[i - 1].half_points));
    for (const TournamentGame& game : games) {
      round_ = std::max(round_, game.round);
      SwissRecord& first = records_[game.first];
      if (game.second == 0) {
        first.had_bye = true;
        continue;
      }
      SwissRecord& second = records_[game.second];
      first.opponents.insert(game.second);
      second.opponents.insert(game.first);
      first.balance += first.last = 1;
      second.balance += second.last = -1;
    }
  }

  std::vector<TournamentGame> pair() {
    for (const bool strict : {true, false})
      for (std::size_t distance = 1; distance <= std::max<std::size_t>(1, groups_.back());
           ++distance)
        if (auto games = pair_within(distance, strict); !games.empty()) return games;
    return {};
  }

 private:
  const SwissRecord& record(std::size_t i) { return records_[players_[i].number]; }

  // True if the game would give both the same seat too often.
  bool is_unbalanced(std::size_t a, std::size_t b, int most) {
    const int x = record(a).balance, y = record(b).balance;
    return (x >= most && y >= most) || (x <= -most && y <= -most);
  }

  std::vector<TournamentGame> pair_within(std::size_t distance, bool is_strict) {
    const std::size_t n = players_.size();
    graph_.assign(n, std::vector<bool>(n, false));
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b)
        graph_[a][b] = graph_[b][a] = groups_[b] - groups_[a] <= distance &&
                                      !record(a).opponents.count(players_[b].number) &&
                                      !(is_strict && is_unbalanced(a, b, 2));
    std::vector<std::size_t> open(n);
    for (std::size_t i = 0; i < n; ++i) open[i] = i;
    if (n % 2 == 0) return can_pair(open) ? pair_all(open, {}) : std::vector<TournamentGame>{};
    for (std::size_t i = n; i-- > 0;) {
      if (record(i).had_bye) continue;
      std::vector<std::size_t> rest = open;
      std::erase(rest, i);
      if (can_pair(rest))
        return pair_all(rest, {{round_ + 1, players_[i].number, 0, "", GameResult::bye}});
    }
    return {};
  }

  // True if the graph has a perfect matching of these players.
  bool can_pair(const std::vector<std::size_t>& open) const {
    Graph part(open.size(), std::vector<bool>(open.size()));
    for (std::size_t a = 0; a < open.size(); ++a)
      for (std::size_t b = 0; b < open.size(); ++b) part[a][b] = graph_[open[a]][open[b]];
    return PerfectMatching(part).exists();
  }

  // Gives each player in turn the best opponent who leaves the rest a pairing. Pre: can_pair().
  std::vector<TournamentGame> pair_all(std::vector<std::size_t> open,
                                       const std::vector<TournamentGame>& byes) {
    std::vector<TournamentGame> out;
    while (!open.empty()) {
      const std::size_t top = open.front();
      std::vector<std::size_t> others(open.begin() + 1, open.end()), rest;
      const auto half =
          std::ranges::count_if(open, [&](std::size_t i) { return groups_[i] == groups_[top]; }) /
          2;
      // The opponent in the middle of the group comes first, then the next ones below.
      const auto rank = [&](std::size_t i) {
        const auto at = std::ranges::find(open, i) - open.begin();
        return std::tuple(groups_[i], is_unbalanced(top, i, 1), at < half,
                          at < half ? half - at : at - half);
      };
      std::ranges::stable_sort(others,
                               [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
      for (const std::size_t opponent : others) {
        if (!graph_[top][opponent]) continue;
        rest = open;
        std::erase_if(rest, [&](std::size_t i) { return i == top || i == opponent; });
        if (!can_pair(rest)) continue;
        out.push_back(seat(top, opponent, out.size()));
        break;
      }
      open = rest;
    }
    out.insert(out.end(), byes.begin(), byes.end());
    return out;
  }

  // Gives the first seat to the player who had it less often, or not in the last game. In the first
  // round the upper half has it in every other game.
  TournamentGame seat(std::size_t upper, std::size_t lower, std::size_t number) {
    const auto wish = [&](std::size_t i) { return std::pair(record(i).balance, record(i).last); };
    const bool swaps = wish(upper) == wish(lower) ? number % 2 == 1 : wish(lower) < wish(upper);
    const std::size_t a = players_[upper].number, b = players_[lower].number;
    return {round_ + 1, swaps ? b : a, swaps ? a : b};
  }

  std::vector<SwissPlayer> players_;
  std::vector<std::size_t> groups_;  // the score group of each player
  std::map<std::size_t, SwissRecord> records_;
  std::size_t round_ = 0;
  Graph graph_;
};

// Adds a match of two games; or a bye for the seed that exists.
void add_match(std::vector<TournamentGame>& out, std::size_t round, std::size_t a, std::size_t b) {
  if (b == 0) return out.push_back({round, a, 0, "", GameResult::bye});
  out.push_back({round, a, b});
  out.push_back({round, b, a});
}

}  // namespace

std::vector<TournamentGame> pair_round_robin(std::size_t entries, bool is_double) {
  const std::size_t n = entries + entries % 2;  // the last is nobody if their number is odd
  std::vector<TournamentGame> out;
  for (std::size_t round = 1; round < n; ++round) {
    // The last player stays and swaps seats; the others move on by half of their number.
    const auto at = [&](std::size_t i) { return (i + (round - 1) * (n / 2)) % (n - 1) + 1; };
    const auto add = [&](std::size_t first, std::size_t second) {
      if (std::max(first, second) <= entries) out.push_back({round, first, second});
    };
    if (round % 2 == 1) add(at(0), n);
    else add(n, at(0));
    for (std::size_t i = 1; i < n / 2; ++i) add(at(i), at(n - 1 - i));
  }
  for (std::size_t i = 0, single = out.size(); is_double && i < single; ++i)
    out.push_back({out[i].round + n - 1, out[i].second, out[i].first});
  return out;
}

std::size_t default_swiss_rounds(std::size_t entries) {
  return static_cast<std::size_t>(std::bit_width(entries - 1));
}

std::size_t max_swiss_rounds(std::size_t entries) { return (entries + 1) / 2; }

std::vector<TournamentGame> pair_swiss(const std::vector<SwissPlayer>& players,
                                       const std::vector<TournamentGame>& games) {
  return players.size() < 2 ? std::vector<TournamentGame>{} : SwissRound(players, games).pair();
}

std::size_t knockout_rounds(std::size_t entries) {
  return static_cast<std::size_t>(std::bit_width(entries - 1));
}

std::vector<TournamentGame> pair_knockout(std::size_t entries) {
  std::vector<std::size_t> seeds{1};
  while (seeds.size() < entries) {
    std::vector<std::size_t> twice;
    for (const std::size_t seed : seeds) {
      twice.push_back(seed);
      twice.push_back(seeds.size() * 2 + 1 - seed);
    }
    seeds = twice;
  }
  std::vector<TournamentGame> out;
  for (std::size_t i = 0; i + 1 < seeds.size(); i += 2)
    add_match(out, 1, seeds[i], seeds[i + 1] <= entries ? seeds[i + 1] : 0);
  return out;
}

std::vector<TournamentGame> pair_next_knockout_round(const std::vector<TournamentGame>& games) {
  std::vector<TournamentGame> out;
  const std::size_t round = games.empty() ? 0 : games.back().round;
  const std::vector<std::size_t> winners = knockout_winners(games, round);
  for (std::size_t i = 0; i + 1 < winners.size(); i += 2)
    add_match(out, round + 1, winners[i], winners[i + 1]);
  return out;
}

}  // namespace pbm
