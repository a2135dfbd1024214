// SPDX-License-Identifier: MIT
// A tournament as a server shows it to programs, and what must hold for it at any moment.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "protocol/contests.hpp"
#include "support.hpp"

namespace pbm::test {

struct ShownTournament {
  Tournament info;
  std::vector<TournamentEntry> entries;
  std::vector<TournamentGame> games;

  // Reads the reply to `data tournament show`.
  explicit ShownTournament(const std::string& reply) {
    for (const std::string_view line : split_lines(reply)) {
      if (auto t = decode_tournament(line)) info = *t;
      if (auto e = decode_tournament_entry(line)) entries.push_back(*e);
      if (auto g = decode_tournament_game(line)) games.push_back(*g);
    }
  }
  const TournamentEntry& entry(std::size_t number) const {
    return *std::ranges::find(entries, number, &TournamentEntry::number);
  }
  const TournamentEntry& entry(const std::string& userid) const {
    return *std::ranges::find(entries, userid, &TournamentEntry::userid);
  }
  // Returns the games that can be played now.
  std::vector<TournamentGame> running() const {
    std::vector<TournamentGame> out;
    for (const auto& game : games)
      if (game.result == GameResult::pending && !game.board.empty()) out.push_back(game);
    return out;
  }
};

// Checks that each round is paired as a whole: everybody once, nobody a second time with the same
// opponent, no board for two games. Pre: nobody has withdrawn.
inline void check_pairings(const ShownTournament& t) {
  using Form = Tournament::Form;
  std::map<std::size_t, std::multiset<std::size_t>> players;  // by round
  std::map<std::pair<std::size_t, std::size_t>, int> met;
  std::set<std::string> boards;
  std::size_t last = 0;
  for (const auto& g : t.games) {
    last = std::max(last, g.round);
    players[g.round].insert(g.first);
    if (g.second == 0) continue;
    players[g.round].insert(g.second);
    ++met[std::minmax(g.first, g.second)];
    if (!g.board.empty()) CHECK(boards.insert(g.board).second);
    if (t.info.form != Form::round_robin && g.result == GameResult::pending)
      CHECK_FALSE(g.board.empty());
  }
  const std::size_t n = t.entries.size();
  for (const auto& [pair, times] : met)
    CHECK(times == (t.info.form == Form::knockout || t.info.is_double ? 2 : 1));
  if (t.info.state == Tournament::State::open) CHECK(t.games.empty());
  else if (t.info.form == Form::round_robin) CHECK(met.size() == n * (n - 1) / 2);
  if (t.info.state == Tournament::State::open || t.info.form == Form::round_robin) return;
  std::size_t left = n;
  for (std::size_t round = 1; round <= last; ++round) {
    INFO("round " << round << " of " << t.info.name);
    const std::set<std::size_t> each(players[round].begin(), players[round].end());
    CHECK(each.size() == left);
    if (t.info.form == Form::swiss) {
      CHECK(players[round].size() == n);
    } else {
      left = (left + (round == 1 ? (std::size_t{1} << t.info.rounds) - n : 0)) / 2;
    }
    // A round begins when the one before is over.
    for (const auto& g : t.games)
      if (g.round < last) CHECK(g.result != GameResult::pending);
  }
}

}  // namespace pbm::test
