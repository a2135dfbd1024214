// SPDX-License-Identifier: MIT
// Pairing and ranking, compared with published tables and checked by a program of its own.
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "base/text.hpp"
#include "server/tournaments/ladder.hpp"
#include "server/tournaments/pairing.hpp"
#include "server/tournaments/standings.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Formats games as tables do: "1-4, 2-3. 4-3, 1-2. 2-4, 3-1."
std::string table_text(const std::vector<TournamentGame>& games) {
  std::string out;
  for (std::size_t i = 0; i < games.size(); ++i)
    out += (i == 0                                 ? ""
            : games[i].round == games[i - 1].round ? ", "
                                                   : ". ") +
           std::to_string(games[i].first) + "-" + std::to_string(games[i].second);
  return out + ".";
}

std::vector<TournamentEntry> make_entries(std::size_t n) {
  std::vector<TournamentEntry> out;
  for (std::size_t i = 1; i <= n; ++i) out.push_back({i, "p" + std::to_string(i), 1600});
  return out;
}

// Reads a published crosstable: a row of results for each player, in points times two.
std::vector<TournamentGame> read_crosstable(const std::vector<std::string>& rows) {
  std::vector<TournamentGame> out;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const auto cells = split_words(rows[a]);
    REQUIRE(cells.size() == rows.size());
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      for (std::size_t i = 0; i < cells[b].size(); ++i) {
        const char own = cells[b][i], other = split_words(rows[b])[a][i];
        INFO(a << " " << b);
        REQUIRE((own == '=' ? other == '=' : own != other && other != '='));
        out.push_back({i + 1, a + 1, b + 1, "",
                       own == '='   ? GameResult::tie
                       : own == '1' ? GameResult::first
                                    : GameResult::second});
      }
  }
  return out;
}

std::string ranking_text(const std::vector<TournamentEntry>& entries) {
  std::string out;
  for (const TournamentEntry& e : entries)
    out += std::to_string(e.place) + " " + e.userid + " " + format_points(e.half_points) + " " +
           join(e.tie_breaks, " ") + "\n";
  return out;
}

}  // namespace

// The tables of the FIDE Handbook, C.05, Annex 1.
TEST_CASE("round robins are paired by the published Berger tables", "[tournament_rules]") {
  const std::map<std::size_t, std::string> tables{
      {4, "1-4, 2-3. 4-3, 1-2. 2-4, 3-1."},
      {6, "1-6, 2-5, 3-4. 6-4, 5-3, 1-2. 2-6, 3-1, 4-5. 6-5, 1-4, 2-3. 3-6, 4-2, 5-1."},
      {8,
       "1-8, 2-7, 3-6, 4-5. 8-5, 6-4, 7-3, 1-2. 2-8, 3-1, 4-7, 5-6. 8-6, 7-5, 1-4, 2-3. 3-8, 4-2, "
       "5-1, 6-7. 8-7, 1-6, 2-5, 3-4. 4-8, 5-3, 6-2, 7-1."},
      {10,
       "1-10, 2-9, 3-8, 4-7, 5-6. 10-6, 7-5, 8-4, 9-3, 1-2. 2-10, 3-1, 4-9, 5-8, 6-7. 10-7, 8-6, "
       "9-5, 1-4, 2-3. 3-10, 4-2, 5-1, 6-9, 7-8. 10-8, 9-7, 1-6, 2-5, 3-4. 4-10, 5-3, 6-2, 7-1, "
       "8-9. 10-9, 1-8, 2-7, 3-6, 4-5. 5-10, 6-4, 7-3, 8-2, 9-1."},
      {12,
       "1-12, 2-11, 3-10, 4-9, 5-8, 6-7. 12-7, 8-6, 9-5, 10-4, 11-3, 1-2. 2-12, 3-1, 4-11, 5-10, "
       "6-9, 7-8. 12-8, 9-7, 10-6, 11-5, 1-4, 2-3. 3-12, 4-2, 5-1, 6-11, 7-10, 8-9. 12-9, 10-8, "
       "11-7, 1-6, 2-5, 3-4. 4-12, 5-3, 6-2, 7-1, 8-11, 9-10. 12-10, 11-9, 1-8, 2-7, 3-6, 4-5. "
       "5-12, 6-4, 7-3, 8-2, 9-1, 10-11. 12-11, 1-10, 2-9, 3-8, 4-7, 5-6. 6-12, 7-5, 8-4, 9-3, "
       "10-2, 11-1."},
      {14,
       "1-14, 2-13, 3-12, 4-11, 5-10, 6-9, 7-8. 14-8, 9-7, 10-6, 11-5, 12-4, 13-3, 1-2. 2-14, 3-1, "
       "4-13, 5-12, 6-11, 7-10, 8-9. 14-9, 10-8, 11-7, 12-6, 13-5, 1-4, 2-3. 3-14, 4-2, 5-1, 6-13, "
       "7-12, 8-11, 9-10. 14-10, 11-9, 12-8, 13-7, 1-6, 2-5, 3-4. 4-14, 5-3, 6-2, 7-1, 8-13, 9-12, "
       "10-11. 14-11, 12-10, 13-9, 1-8, 2-7, 3-6, 4-5. 5-14, 6-4, 7-3, 8-2, 9-1, 10-13, 11-12. "
       "14-12, 13-11, 1-10, 2-9, 3-8, 4-7, 5-6. 6-14, 7-5, 8-4, 9-3, 10-2, 11-1, 12-13. 14-13, "
       "1-12, 2-11, 3-10, 4-9, 5-8, 6-7. 7-14, 8-6, 9-5, 10-4, 11-3, 12-2, 13-1."},
      {16,
       "1-16, 2-15, 3-14, 4-13, 5-12, 6-11, 7-10, 8-9. 16-9, 10-8, 11-7, 12-6, 13-5, 14-4, 15-3, "
       "1-2. 2-16, 3-1, 4-15, 5-14, 6-13, 7-12, 8-11, 9-10. 16-10, 11-9, 12-8, 13-7, 14-6, 15-5, "
       "1-4, 2-3. 3-16, 4-2, 5-1, 6-15, 7-14, 8-13, 9-12, 10-11. 16-11, 12-10, 13-9, 14-8, 15-7, "
       "1-6, 2-5, 3-4. 4-16, 5-3, 6-2, 7-1, 8-15, 9-14, 10-13, 11-12. 16-12, 13-11, 14-10, 15-9, "
       "1-8, 2-7, 3-6, 4-5. 5-16, 6-4, 7-3, 8-2, 9-1, 10-15, 11-14, 12-13. 16-13, 14-12, 15-11, "
       "1-10, 2-9, 3-8, 4-7, 5-6. 6-16, 7-5, 8-4, 9-3, 10-2, 11-1, 12-15, 13-14. 16-14, 15-13, "
       "1-12, 2-11, 3-10, 4-9, 5-8, 6-7. 7-16, 8-6, 9-5, 10-4, 11-3, 12-2, 13-1, 14-15. 16-15, "
       "1-14, 2-13, 3-12, 4-11, 5-10, 6-9, 7-8. 8-16, 9-7, 10-6, 11-5, 12-4, 13-3, 14-2, 15-1."}};
  for (const auto& [entries, table] : tables) {
    CHECK(table_text(pair_round_robin(entries, false)) == table);
    // With one player fewer, whoever meets the last is free.
    const auto odd = pair_round_robin(entries - 1, false);
    auto games = pair_round_robin(entries, false);
    std::erase_if(games, [n = entries](const auto& g) { return g.first == n || g.second == n; });
    CHECK(table_text(odd) == table_text(games));
  }
}

TEST_CASE("everybody meets everybody once, or twice with swapped seats", "[tournament_rules]") {
  for (std::size_t n = 3; n <= 64; ++n)
    for (const bool is_double : {false, true}) {
      std::map<std::pair<std::size_t, std::size_t>, int> met;
      std::map<std::size_t, int> firsts, seconds;
      std::set<std::pair<std::size_t, std::size_t>> busy;  // round and player
      for (const auto& g : pair_round_robin(n, is_double)) {
        ++met[std::minmax(g.first, g.second)];
        ++firsts[g.first], ++seconds[g.second];
        REQUIRE(busy.insert({g.round, g.first}).second);
        REQUIRE(busy.insert({g.round, g.second}).second);
      }
      REQUIRE(met.size() == n * (n - 1) / 2);
      for (const auto& [pair, times] : met) REQUIRE(times == (is_double ? 2 : 1));
      for (std::size_t i = 1; i <= n; ++i)
        REQUIRE(std::abs(firsts[i] - seconds[i]) <= (is_double ? 0 : 1));
    }
}

// AVRO 1938, as the tournament book has it. Keres and Fine tied; Keres won the direct encounter.
// Alekhine, Euwe and Reshevsky had 7 each. Their points among each other: Alekhine 1.5 + 1 = 2.5,
// Euwe 0.5 + 0.5 = 1, Reshevsky 1 + 1.5 = 2.5. Sonneborn-Berger of Alekhine: 1 of 8.5 (Keres), 0 of
// 8.5, 0.5 of 7.5, 1.5 of 7, 1 of 7, 1.5 of 6, 1.5 of 4.5 = 45.5; of Reshevsky: 0.5 of 8.5, 1 of
// 8.5, 0.5 of 7.5, 1 of 7, 1.5 of 7, 1 of 6, 1.5 of 4.5 = 46.75.
TEST_CASE("a double round robin is ranked as AVRO 1938 was", "[tournament_rules]") {
  auto entries = make_entries(8);
  const char* names[]{"Keres", "Fine",      "Botvinnik",  "Alekhine",
                      "Euwe",  "Reshevsky", "Capablanca", "Flohr"};
  for (std::size_t i = 0; i < 8; ++i) entries[i].userid = names[i];
  const auto games = read_crosstable({"** 1= == == == 1= 1= ==", "0= ** 1= 11 10 10 == 1=",
                                      "== 0= ** 1= =0 1= =1 ==", "== 00 0= ** 1= == =1 =1",
                                      "== 01 =1 0= ** 0= 01 1=", "0= 01 0= == 1= ** == 1=",
                                      "0= == =0 =0 10 == ** 1=", "== 0= == =0 0= 0= 0= **"});
  rank_entries(entries, Tournament::Form::round_robin, games);
  CHECK(ranking_text(entries) ==
        "1 Keres 8.5 1.5 58.25 3\n"
        "2 Fine 8.5 0.5 56.25 6\n"
        "3 Botvinnik 7.5 0 50.75 3\n"
        "4 Reshevsky 7 2.5 46.75 3\n"
        "5 Alekhine 7 2.5 45.5 3\n"
        "6 Euwe 7 1 48 4\n"
        "7 Capablanca 6 0 40.75 2\n"
        "8 Flohr 4.5 0 33.75 0\n");
}

// Wijk aan Zee 2020. Four players had 6.5; among each other Giri had 1, Firouzja 2, Anand 2, Duda 1.
TEST_CASE("a single round robin is ranked as Wijk aan Zee 2020 was", "[tournament_rules]") {
  auto entries = make_entries(14);
  const auto games = read_crosstable(
      {"x = = = = = 1 = = 1 = = 1 =", "= x = = 1 1 = 1 1 1 = 1 1 =", "= = x = = = = = = 0 = = 1 =",
       "= = = x 1 = = = = 1 = = = =", "= 0 = 0 x = = = = 1 1 = = =", "= 0 = = = x = = 1 = = = = =",
       "0 = = = = = x 0 = = = = = 0", "= 0 = = = = 1 x = 0 0 0 1 1", "= 0 = = = 0 = = x = = 0 = 0",
       "0 0 1 0 0 = = 1 = x 1 = 1 =", "= = = = 0 = = 1 = 0 x = 0 1", "= 0 = = = = = 1 1 = = x 1 0",
       "0 0 0 = = = = 0 = 0 1 0 x =", "= = = = = = 1 0 1 = 0 1 = x"});
  rank_entries(entries, Tournament::Form::round_robin, games);
  const auto points = [&](std::size_t i) {
    return entries[i].userid + " " + format_points(entries[i].half_points);
  };
  CHECK(points(0) == "p2 10");
  CHECK(points(1) == "p1 8");
  CHECK(points(2) == "p4 7.5");
  CHECK(points(3) == "p14 7");  // beat Dubov, who has 7, too
  CHECK(points(4) == "p12 7");
  CHECK(points(5) == "p5 6.5");
  CHECK(points(13) == "p13 4");
  // Anand beat Firouzja and drew with Giri and Duda.
  CHECK(entries[5].tie_breaks[0] == "2");
}

// Worked out by hand. If not all players of a score have met, they tie in the direct encounter. The
// Buchholz of each is the sum of its opponents' scores.
TEST_CASE("a Swiss tournament is ranked by Buchholz, and a bye is an opponent of the same score",
          "[tournament_rules]") {
  using enum GameResult;
  // Five players, three rounds; scores: p1 3, p2 2, p3 1 and a bye = 2, p4 1, p5 1.
  const std::vector<TournamentGame> games{
      {1, 1, 3, "", first},  {1, 4, 2, "", second}, {1, 5, 0, "", bye},
      {2, 2, 1, "", second}, {2, 3, 5, "", first},  {2, 4, 0, "", bye},
      {3, 1, 4, "", first},  {3, 5, 2, "", second}, {3, 3, 0, "", bye}};
  auto entries = make_entries(5);
  rank_entries(entries, Tournament::Form::swiss, games);
  // p2 met p4, p1, p5: 1 + 3 + 1. p3 met p1, p5 and the bye: 3 + 1 + 2. p4 met p2, p1: 2 + 3 + 1.
  // p5 met p3, p2: 2 + 2 + 1. p2 and p3 have not met, nor have p4 and p5.
  CHECK(ranking_text(entries) ==
        "1 p1 3 0 5 3\n2 p3 2 0 6 1\n3 p2 2 0 5 2\n4 p4 1 0 6 0\n5 p5 1 0 5 0\n");
}

// The draughts tournament EY1k6otN of playstrategy.org has its scores and Sonneborn-Berger points
// published. Its winner won all seven games, so these points are the sum of the opponents' scores.
TEST_CASE("the Buchholz of a Swiss tournament is that of a published one", "[tournament_rules]") {
  // A row for each player: the opponent in each round, + or - for the result, 0 for a bye.
  const std::vector<std::string> rows{"+7 +2 +3 +5 +4 +6 +9", "+8 -1 +6 +3 +5 +4 0",
                                      "+6 +4 -1 -2 +8 +7 +5", "+5 -3 +9 +7 -1 -2 +6",
                                      "-4 0 +7 -1 -2 +8 -3",  "-3 +8 -2 0 +9 -1 -4",
                                      "-1 +9 -5 -4 0 -3 +8",  "-2 -6 0 +9 -3 -5 -7",
                                      "+10 -7 -4 -8 -6 0 -1", "-9"};
  std::vector<TournamentGame> games;
  for (std::size_t own = 1; own <= rows.size(); ++own) {
    const auto cells = split_words(rows[own - 1]);
    for (std::size_t round = 1; round <= cells.size(); ++round) {
      const std::size_t other = std::stoul(cells[round - 1].substr(cells[round - 1] != "0"));
      if (other == 0) games.push_back({round, own, 0, "", GameResult::bye});
      else if (own < other)
        games.push_back({round, own, other, "",
                         cells[round - 1].front() == '+' ? GameResult::first : GameResult::second});
    }
  }
  auto entries = make_entries(rows.size());
  rank_entries(entries, Tournament::Form::swiss, games);
  std::string points;
  for (const auto& entry : entries) points += format_points(entry.half_points) + " ";
  CHECK(points == "7 6 5 4 3 3 3 2 2 0 ");
  CHECK(entries.front().userid == "p1");
  CHECK(entries.front().tie_breaks[1] == "26");
}

TEST_CASE("players who are equal in everything share a place", "[tournament_rules]") {
  auto entries = make_entries(3);
  auto games = pair_round_robin(3, false);
  for (auto& game : games) game.result = GameResult::tie;
  rank_entries(entries, Tournament::Form::round_robin, games);
  for (const auto& entry : entries) CHECK(entry.place == 1);
}

TEST_CASE("nobody wins by withdrawing, and a struck player's games do not count",
          "[tournament_rules]") {
  auto entries = make_entries(4);
  auto games = pair_round_robin(4, false);  // 1-4, 2-3. 4-3, 1-2. 2-4, 3-1.
  CHECK(is_struck_by_withdrawal(games, 1));
  games[0].result = GameResult::first;
  CHECK(is_struck_by_withdrawal(games, 1));  // one of three
  games[3].result = GameResult::first;
  CHECK_FALSE(is_struck_by_withdrawal(games, 1));
  games[5].result = GameResult::first;  // lost by withdrawing
  games[1].result = games[2].result = games[4].result = GameResult::tie;
  entries[0].has_withdrawn = true;
  rank_entries(entries, Tournament::Form::round_robin, games);
  CHECK(entries[0].userid == "p3");
  CHECK(entries[3].userid == "p1");
  CHECK(entries[3].half_points == 4);
  entries = make_entries(4);
  entries[0].has_withdrawn = entries[0].is_struck = true;
  rank_entries(entries, Tournament::Form::round_robin, games);
  CHECK(ranking_text(entries) == "1 p2 1 1 1 0\n1 p3 1 1 1 0\n1 p4 1 1 1 0\n4 p1 0 0 0 0\n");
}

namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

// True if the players can be paired so that `may` allows each pair; tries everything.
template <class May>
bool can_pair_all(std::vector<std::size_t> open, const May& may) {
  if (open.empty()) return true;
  const std::size_t top = open.front();
  for (std::size_t i = 1; i < open.size(); ++i) {
    if (!may(top, open[i])) continue;
    auto rest = open;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    rest.erase(rest.begin());
    if (can_pair_all(rest, may)) return true;
  }
  return false;
}

// Plays a random Swiss tournament and checks each round.
void play_swiss(std::size_t n, std::size_t rounds, std::mt19937& random, bool withdraws) {
  std::vector<TournamentGame> games;
  std::map<std::size_t, std::size_t> points, byes;
  std::map<std::size_t, int> balance;
  std::set<std::size_t> gone;
  Pairs met;
  for (std::size_t round = 1; round <= rounds; ++round) {
    std::vector<SwissPlayer> players;
    for (std::size_t i = 1; i <= n; ++i)
      if (!gone.count(i)) players.push_back({i, points[i]});
    // The score groups of the players, and whether a pairing within one group exists.
    std::set<std::size_t> scores;
    for (const auto& p : players) scores.insert(p.half_points);
    const auto group = [&](std::size_t i) {
      return std::distance(scores.begin(), scores.find(points[i]));
    };
    const auto may_meet = [&](std::size_t a, std::size_t b) {
      return !met.count(std::minmax(a, b)) && !(balance[a] >= 2 && balance[b] >= 2) &&
             !(balance[a] <= -2 && balance[b] <= -2);
    };
    const auto paired = pair_swiss(players, games);
    INFO(n << " players, round " << round << " of " << rounds);
    if (withdraws && paired.empty()) return;  // too few are left
    REQUIRE(paired.size() == (players.size() + 1) / 2);
    std::set<std::size_t> busy;
    std::ptrdiff_t widest = 0;
    for (TournamentGame game : paired) {
      REQUIRE(game.round == round);
      REQUIRE(busy.insert(game.first).second);
      if (game.second == 0) {
        REQUIRE(++byes[game.first] == 1);
        games.push_back(game);
        continue;
      }
      REQUIRE(busy.insert(game.second).second);
      widest = std::max(widest, std::abs(group(game.first) - group(game.second)));
      REQUIRE(met.insert(std::minmax(game.first, game.second)).second);
      ++balance[game.first], --balance[game.second];
      // The better player wins more often.
      const auto draw = random() % 10;
      game.result = draw == 0                                  ? GameResult::tie
                    : (game.first < game.second) == (draw < 7) ? GameResult::first
                                                               : GameResult::second;
      games.push_back(game);
    }
    REQUIRE(busy.size() == players.size());
    for (const auto& p : players) REQUIRE(std::abs(balance[p.number]) <= 2);
    // Where a pair is further apart, no pairing is closer: tried for few players only.
    if (widest > 1 && players.size() <= 10) {
      for (const TournamentGame& g : paired) {
        if (g.second == 0) continue;
        met.erase(std::minmax(g.first, g.second));
        --balance[g.first], ++balance[g.second];
      }
      const auto close = [&](std::size_t a, std::size_t b) {
        return may_meet(a, b) && std::abs(group(a) - group(b)) <= 1;
      };
      std::vector<std::size_t> all;
      for (const auto& p : players) all.push_back(p.number);
      bool better = false;
      if (all.size() % 2 == 0) better = can_pair_all(all, close);
      for (std::size_t i = 0; all.size() % 2 == 1 && i < all.size(); ++i) {
        auto rest = all;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const bool had = byes[all[i]] > (paired.back().first == all[i] ? 1U : 0U);
        better = better || (!had && can_pair_all(rest, close));
      }
      CHECK_FALSE(better);
      for (const TournamentGame& g : paired) {
        if (g.second == 0) continue;
        met.insert(std::minmax(g.first, g.second));
        ++balance[g.first], --balance[g.second];
      }
    }
    for (TournamentGame& game : games)
      if (game.round == round)
        for (const std::size_t i : {game.first, game.second}) points[i] += half_points(game, i);
    if (withdraws && random() % 3 == 0) gone.insert(1 + random() % n);
  }
}

}  // namespace

TEST_CASE("random Swiss tournaments keep every rule of pairing", "[tournament_rules]") {
  std::mt19937 random(7);
  for (int i = 0; i < 150; ++i) {
    const std::size_t n = 3 + random() % 14;
    play_swiss(n, max_swiss_rounds(n), random, false);
    play_swiss(n, default_swiss_rounds(n), random, true);
  }
  for (const std::size_t n : {31, 32, 63, 64})
    play_swiss(n, default_swiss_rounds(n), random, false);
}

TEST_CASE("a Swiss tournament of 64 is paired in time for its last possible round",
          "[tournament_rules]") {
  std::mt19937 random(8);
  play_swiss(64, 32, random, false);
}

TEST_CASE("a Swiss tournament without a pairing left ends", "[tournament_rules]") {
  // Six players who have met in two groups of three: two triangles are left, or none.
  std::vector<TournamentGame> games;
  for (std::size_t a = 1; a <= 3; ++a)
    for (std::size_t b = 4; b <= 6; ++b)
      games.push_back({(a + b) % 3 + 1, a, b, "", GameResult::tie});
  std::vector<SwissPlayer> players;
  for (std::size_t i = 1; i <= 6; ++i) players.push_back({i, 3});
  CHECK(pair_swiss(players, games).empty());
  CHECK(pair_swiss({{1, 0}}, {}).empty());
}

TEST_CASE("a knockout seeds the best apart and gives them the byes", "[tournament_rules]") {
  CHECK(table_text(pair_knockout(8)) == "1-8, 8-1, 4-5, 5-4, 2-7, 7-2, 3-6, 6-3.");
  CHECK(table_text(pair_knockout(5)) == "1-0, 4-5, 5-4, 2-0, 3-0.");
  for (std::size_t n = 2; n <= 64; ++n) {
    auto games = pair_knockout(n);
    CHECK(knockout_rounds(n) == static_cast<std::size_t>(std::bit_width(n - 1)));
    std::size_t byes = 0;
    for (const auto& game : games)
      if (game.second == 0) {
        ++byes;
        CHECK(game.first <= (std::size_t{1} << knockout_rounds(n)) - n);
      }
    CHECK(byes == (std::size_t{1} << knockout_rounds(n)) - n);
    // If the better seed always wins, the two best meet in the final.
    for (;;) {
      for (auto& game : games)
        if (game.second != 0)
          game.result = game.first < game.second ? GameResult::first : GameResult::second;
      auto next = pair_next_knockout_round(games);
      if (next.empty()) break;
      games.insert(games.end(), next.begin(), next.end());
    }
    CHECK(games.back().first + games.back().second == 3);
    auto entries = make_entries(n);
    rank_entries(entries, Tournament::Form::knockout, games);
    CHECK(entries[0].number == 1);
    CHECK(entries[1].number == 2);
    CHECK(entries[0].half_points == 2 * knockout_rounds(n));
  }
}

TEST_CASE("one win each in a match of a knockout decides for the better seed",
          "[tournament_rules]") {
  using enum GameResult;
  const auto winner = [](GameResult one, GameResult two) {
    return knockout_winners({{1, 2, 3, "", one}, {1, 3, 2, "", two}}, 1);
  };
  using Seeds = std::vector<std::size_t>;
  CHECK(winner(first, first) == Seeds{2});
  CHECK(winner(tie, tie) == Seeds{2});
  CHECK(winner(second, tie) == Seeds{3});
  CHECK(winner(second, first) == Seeds{3});
  CHECK(winner(annulled, annulled) == Seeds{2});
}

// --- ladders ---

namespace {

std::string order(const std::vector<LadderPlayer>& ladder) {
  std::string out;
  for (const auto& player : ladder) out += player.userid;
  return out;
}

}  // namespace

TEST_CASE("on a ladder three places above are in reach, or the upper fifth of a long one",
          "[tournament_rules]") {
  CHECK(is_in_reach(4, 1, 10));
  CHECK_FALSE(is_in_reach(5, 1, 10));
  CHECK_FALSE(is_in_reach(4, 4, 10));
  CHECK_FALSE(is_in_reach(3, 4, 10));
  CHECK(is_in_reach(20, 4, 20));
  CHECK_FALSE(is_in_reach(20, 5, 20));
  CHECK_FALSE(is_in_reach(19, 3, 19));
  CHECK(is_in_reach(19, 16, 19));
}

TEST_CASE("a winner takes the loser's place if that was above", "[tournament_rules]") {
  std::vector<LadderPlayer> ladder{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}};
  apply_win(ladder, "d", "b");
  CHECK(order(ladder) == "adbce");
  apply_win(ladder, "a", "e");
  CHECK(order(ladder) == "adbce");
  apply_win(ladder, "x", "a");
  apply_win(ladder, "e", "x");
  CHECK(order(ladder) == "adbce");
}

TEST_CASE("thirty days without a ladder game cost a place, and each week one more",
          "[tournament_rules]") {
  const Time start = *read_iso_time("2026-11-01T12:00:00Z");
  const auto day = [&](int n) { return start + std::chrono::hours(24 * n); };
  std::vector<LadderPlayer> ladder{
      {"a", day(0)}, {"b", day(0)}, {"c", day(40)}, {"d", day(40)}, {"e", day(0), 0, true}};
  drop_idle_players(ladder, day(29));
  CHECK(order(ladder) == "abcde");
  drop_idle_players(ladder, day(30));
  CHECK(order(ladder) == "cabde");  // both make room for c
  drop_idle_players(ladder, day(36));
  CHECK(order(ladder) == "cabde");
  drop_idle_players(ladder, day(37));
  CHECK(order(ladder) == "cdabe");
  // An idle player does not pass another one who is idle as well, only later.
  std::vector<LadderPlayer> uneven{{"a", day(0)}, {"b", day(3)}, {"c", day(40)}, {"d", day(40)}};
  for (int n = 30; n < 45; ++n) drop_idle_players(uneven, day(n));
  CHECK(order(uneven).substr(0, 2) == "cd");
  // A server that did not run catches up.
  drop_idle_players(ladder, day(51));
  CHECK(order(ladder) == "cdeab");
}
