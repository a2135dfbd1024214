// SPDX-License-Identifier: MIT
// Tests the tables of tournaments: what stands in them, and what a hostile server sends.
#include "protocol/contest_pages.hpp"

#include "base/text.hpp"
#include "catch.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

struct Shown {
  Tournament info;
  std::vector<TournamentEntry> entries;
  std::vector<TournamentGame> games;

  explicit Shown(Tournament::Form form, std::size_t n) {
    info.name = "autumn";
    info.game = find_game("toot");
    info.form = form;
    info.state = Tournament::State::running;
    info.started_at = Time{} + std::chrono::hours(1);
    info.round = info.rounds = 1;
    for (std::size_t i = 1; i <= n; ++i)
      entries.push_back({i, "p" + std::to_string(i), 1600, false, false, i, 0, {"0", "0", "0"}});
  }
  std::vector<std::string> lines(int columns) const {
    const auto rows = make_tournament_page(info, entries, games, "p2", columns, true);
    auto out = to_lines(rows);
    for (const std::string& line : out) {
      INFO(line);
      CHECK((pbm::columns(line) <= columns + 2 || columns < 45));  // a screen cuts rows
    }
    return out;
  }
  std::string row(int columns, std::string_view part) const {
    for (const std::string& line : lines(columns))
      if (contains(line, part)) return line;
    return "";
  }
};

}  // namespace

TEST_CASE("a table of results has a sign for each game, as wide as the columns allow",
          "[contest_pages]") {
  Shown shown(Tournament::Form::round_robin, 4);
  shown.games = {{1, 1, 2, "toot-101", GameResult::first},
                 {1, 3, 4, "toot-102", GameResult::pending},
                 {2, 2, 4, "toot-103", GameResult::tie},
                 {2, 3, 1, "", GameResult::pending}};
  shown.entries[2].place = 2;
  CHECK(shown.row(78, "p1 ").ends_with("x 1 ."));
  CHECK(shown.row(78, " p2 ") == ">   2= p2                     0       0        0     0 0 x   =");
  CHECK(contains(shown.row(78, "p3 "), "  3= p3"));
  // In few columns without tie-breaks, or below the standings.
  CHECK(shown.row(40, "p1 ") == "    1  p1                     0 x 1 .");
  CHECK(shown.row(34, "p1 ") == "    1  p1                     0");
  CHECK(contains(join(shown.lines(34), "\n"), "\n    1  p1                x 1 ."));
  for (const std::size_t n : {std::size_t{13}, std::size_t{32}, std::size_t{64}}) {
    Shown large(Tournament::Form::round_robin, n);
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t k = i + 1; k <= n; ++k) large.games.push_back({1, i, k, "", {}});
    CHECK(contains(join(large.lines(78), "\n"), n == 13 ? "x . . ." : "x..."));
    CHECK(contains(join(large.lines(40), "\n"), "x...") == (n < 64));
  }
}

TEST_CASE("a table says who has withdrawn and whose games do not count", "[contest_pages]") {
  for (const auto form : {Tournament::Form::round_robin, Tournament::Form::swiss}) {
    Shown shown(form, 5);
    shown.games = {{1, 1, 2, "toot-101", GameResult::first}, {1, 3, 0, "", GameResult::bye}};
    shown.entries[3].has_withdrawn = true;
    shown.entries[4].has_withdrawn = shown.entries[4].is_struck = true;
    CHECK(contains(shown.row(78, "p4 "), "withdrawn"));
    CHECK(contains(shown.row(78, "p5 "), "withdrawn, not counted"));
    if (form == Tournament::Form::swiss) CHECK(contains(join(shown.lines(78), "\n"), " bye"));
  }
}

TEST_CASE("a bracket has the players of each round with their points", "[contest_pages]") {
  Shown shown(Tournament::Form::knockout, 4);
  shown.info.rounds = 2;
  shown.info.round = 2;
  for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{1, 4}, {2, 3}}) {
    shown.games.push_back({1, a, b, "toot-101", GameResult::first});
    shown.games.push_back({1, b, a, "toot-102", GameResult::tie});
  }
  shown.games.push_back({2, 1, 2, "toot-103", GameResult::pending});
  shown.games.push_back({2, 2, 1, "toot-104", GameResult::pending});
  const std::string text = join(shown.lines(78), "\n");
  CHECK(contains(text, "\n  p1 1.5                    p1 0\n  p4 0.5\n  p2 1.5"));
  CHECK_FALSE(contains(join(shown.lines(20), "\n"), "p1 1.5"));
}

TEST_CASE("lines of a hostile server make a table or none", "[contest_pages]") {
  using enum Tournament::Form;
  for (const auto form : {round_robin, swiss, knockout})
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{500}})
      for (const int columns : {0, 1, 10, 30, 78, 1000}) {
        Shown shown(form, n);
        shown.info.state = Tournament::State::over;
        for (const std::size_t round :
             {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{128}}) {
          shown.info.round = shown.info.rounds = round;
          shown.games = {{128, 1, 2, "toot-101", GameResult::first},
                         {1, 999, 0, "", GameResult::bye},
                         {1, 1, 1, "", GameResult::tie},
                         {3, 3, 7, "", GameResult::pending}};
          static_cast<void>(
              make_tournament_page(shown.info, shown.entries, shown.games, "", columns, true));
        }
      }
  for (const char* line :
       {"{round: 18446744073709551615, first: 1}", "{round: 129, first: 1}", "{round: 1}"})
    CHECK_FALSE(decode_tournament_game(line));
  CHECK_FALSE(decode_tournament("{tournament: x, game: toot, round: 129}"));
  ProfileLine curve{"curve", "toot"};
  curve.ratings = {"much"};
  for (const int columns : {0, 20, 78})
    CHECK(make_profile_page({curve}, columns, true).size() == 2);
  // A long list is made in one pass.
  std::vector<Tournament> all(100'000, Shown(swiss, 0).info);
  CHECK(make_tournament_list(all).size() == all.size() + 1);
  // Nobody's rows are one's own.
  Shown shown(swiss, 2);
  shown.games = {{1, 9, 0, "", GameResult::bye}};
  for (const ContestRow& row :
       make_tournament_page(shown.info, shown.entries, shown.games, "", 78, true))
    CHECK_FALSE(row.is_own);
}
