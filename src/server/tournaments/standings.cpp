// SPDX-License-Identifier: MIT
#include "server/tournaments/standings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pbm {
namespace {

struct Score {
  std::size_t half_points = 0, wins = 0, byes = 0;
  std::map<std::size_t, std::size_t> against;  // half points against each opponent
  std::map<std::size_t, std::size_t> met;      // games against each opponent
  std::size_t direct = 0, strength = 0;        // strength: in quarter points
};

using Scores = std::map<std::size_t, Score>;  // by number of entry

Scores count_points(const std::vector<TournamentEntry>& entries,
                    const std::vector<TournamentGame>& games) {
  Scores out;
  for (const TournamentEntry& entry : entries)
    if (!entry.is_struck) out[entry.number];
  for (const TournamentGame& game : games) {
    if (!is_over(game) || game.result == GameResult::annulled || !out.count(game.first) ||
        (game.second != 0 && !out.count(game.second)))
      continue;
    for (const std::size_t entry : {game.first, game.second}) {
      if (entry == 0) continue;
      Score& score = out[entry];
      const std::size_t points = half_points(game, entry);
      score.half_points += points;
      if (game.second == 0) {
        ++score.byes;
        continue;
      }
      const std::size_t other = game.first + game.second - entry;
      score.wins += points == 2;
      score.against[other] += points;
      ++score.met[other];
    }
  }
  return out;
}

// Sets the points in the direct encounter of players with equal scores, if all have met.
void count_direct_encounters(Scores& scores) {
  std::map<std::size_t, std::vector<std::size_t>> groups;  // entries by score
  for (const auto& [entry, score] : scores) groups[score.half_points].push_back(entry);
  for (const auto& each : groups) {
    const std::vector<std::size_t>& group = each.second;  // clang 14 captures no structured binding
    const bool have_met = std::ranges::all_of(group, [&](std::size_t a) {
      return std::ranges::all_of(
          group, [&](std::size_t b) { return a == b || scores[a].met.count(b) > 0; });
    });
    if (have_met)
      for (const std::size_t a : group)
        for (const std::size_t b : group)
          if (a != b) scores[a].direct += scores[a].against[b];
  }
}

void count_strengths(Scores& scores, Tournament::Form form) {
  for (auto& [entry, score] : scores) {
    if (form == Tournament::Form::round_robin)
      for (const auto& [other, points] : score.against)
        score.strength += points * scores[other].half_points;
    else
      for (const auto& [other, met] : score.met)
        score.strength += 2 * met * scores[other].half_points;
    if (form == Tournament::Form::swiss) score.strength += 2 * score.byes * score.half_points;
  }
}

// Formats quarter points: "12.25".
std::string format_quarters(std::size_t quarters) {
  static constexpr const char* kParts[]{"", ".25", ".5", ".75"};
  return std::to_string(quarters / 4) + kParts[quarters % 4];
}

// Counts the rounds that each entry has won, for the rounds that are over.
void count_rounds_won(std::vector<TournamentEntry>& entries,
                      const std::vector<TournamentGame>& games) {
  for (std::size_t round = 1; !games.empty() && round <= games.back().round; ++round) {
    if (!std::ranges::all_of(
            games, [&](const TournamentGame& g) { return g.round != round || is_over(g); }))
      break;
    for (const std::size_t winner : knockout_winners(games, round))
      std::ranges::find(entries, winner, &TournamentEntry::number)->half_points += 2;
  }
}

}  // namespace

bool is_struck_by_withdrawal(const std::vector<TournamentGame>& games, std::size_t entry) {
  std::size_t all = 0, over = 0;
  for (const TournamentGame& game : games)
    if (game.first == entry || game.second == entry) {
      ++all;
      over += is_over(game);
    }
  return over * 2 < all;
}

std::vector<std::size_t> knockout_winners(const std::vector<TournamentGame>& games,
                                          std::size_t round) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const TournamentGame& game = games[i];
    if (game.round != round) continue;
    if (game.second == 0) {
      out.push_back(game.first);
      continue;
    }
    const TournamentGame& back = games[++i];
    const std::size_t first = half_points(game, game.first) + half_points(back, game.first),
                      second = half_points(game, game.second) + half_points(back, game.second);
    out.push_back(first > second   ? game.first
                  : second > first ? game.second
                                   : std::min(game.first, game.second));
  }
  return out;
}

void rank_entries(std::vector<TournamentEntry>& entries, Tournament::Form form,
                  const std::vector<TournamentGame>& games) {
  Scores scores;
  if (form == Tournament::Form::knockout) {
    count_rounds_won(entries, games);
  } else {
    scores = count_points(entries, games);
    count_direct_encounters(scores);
    count_strengths(scores, form);
  }
  const auto rank = [&](const TournamentEntry& entry) {
    const Score& score = scores[entry.number];
    return std::tuple(!entry.is_struck, !entry.has_withdrawn, entry.half_points, score.direct,
                      score.strength, score.wins);
  };
  for (TournamentEntry& entry : entries) {
    if (form == Tournament::Form::knockout) continue;
    const Score& score = scores[entry.number];
    entry.half_points = score.half_points;
    entry.tie_breaks = {format_points(score.direct), format_quarters(score.strength),
                        std::to_string(score.wins)};
  }
  std::ranges::stable_sort(entries, [&](const TournamentEntry& a, const TournamentEntry& b) {
    return std::pair(rank(b), a.number) < std::pair(rank(a), b.number);
  });
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].place =
        i > 0 && rank(entries[i]) == rank(entries[i - 1]) ? entries[i - 1].place : i + 1;
}

}  // namespace pbm
