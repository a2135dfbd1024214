// SPDX-License-Identifier: MIT
// Ratings, compared with numbers calculated by hand.
#include "server/tables/history.hpp"

#include <fstream>

#include "base/text.hpp"
#include "protocol/contests.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

Rating established_rating(double value) {
  Rating r;
  r.value = value;
  r.won = kProvisionalGames;
  return r;
}

Rating provisional_rating(double value, std::size_t games) {
  Rating r;
  r.value = value;
  r.lost = games;
  r.provisional_sum =
      static_cast<double>(games) * (value - 344) / 0.8;  // the sum that gives this value
  return r;
}

}  // namespace

TEST_CASE("a first game is worth the mean of both ratings and 200, drawn to 1720", "[ratings]") {
  const Rating won = updated_rating({}, {}, Score::won), lost = updated_rating({}, {}, Score::lost),
               tied = updated_rating({}, {}, Score::tied);
  CHECK(won.value == Approx(1784));   // 1800 + (1720 - 1800)/5
  CHECK(lost.value == Approx(1464));  // 1400 + (1720 - 1400)/5
  CHECK(tied.value == Approx(1624));  // 1600 + (1720 - 1600)/5
  CHECK(won.won == 1);
  CHECK(lost.lost == 1);
  CHECK(tied.tied == 1);
  // The second game: (1800 + (1784+1464)/2 + 200) / 2 = 1812; 1812 + (1720 - 1812)/5
  CHECK(updated_rating(won, lost, Score::won).value == Approx(1793.6));
  // The loser: (1400 + 1624 - 200) / 2 = 1412; 1412 + 308/5
  CHECK(updated_rating(lost, won, Score::lost).value == Approx(1473.6));
}

TEST_CASE("a provisional player earns an established one's rating and 400", "[ratings]") {
  CHECK(updated_rating({}, established_rating(1900), Score::won).value ==
        Approx(2184));  // 2300 - 580/5
  CHECK(updated_rating({}, established_rating(1900), Score::lost).value ==
        Approx(1544));  // 1500 + 220/5
  CHECK(updated_rating({}, established_rating(1900), Score::tied).value ==
        Approx(1864));  // 1900 - 180/5
  // Nine games with the sum 9*1600, then 2000: (14400 + 2000)/10 = 1640; + 80/5
  Rating nine;
  nine.lost = 9;
  nine.provisional_sum = 14400;
  nine.value = 1624;
  CHECK(updated_rating(nine, established_rating(1600), Score::won).value == Approx(1656));
}

TEST_CASE("an established player wins and loses by what was to be expected", "[ratings]") {
  CHECK(updated_rating(established_rating(1600), established_rating(1600), Score::won).value ==
        Approx(1616));
  CHECK(updated_rating(established_rating(1600), established_rating(1600), Score::lost).value ==
        Approx(1584));
  CHECK(updated_rating(established_rating(1600), established_rating(1600), Score::tied).value ==
        Approx(1600));
  // With 400 points less a player is expected to score 1/11.
  CHECK(updated_rating(established_rating(2000), established_rating(1600), Score::won).value ==
        Approx(2000 + 32.0 / 11));
  CHECK(updated_rating(established_rating(1600), established_rating(2000), Score::won).value ==
        Approx(1600 + 320.0 / 11));
  CHECK(updated_rating(established_rating(2000), established_rating(1600), Score::tied).value ==
        Approx(2000 + 32 * (0.5 - 10.0 / 11)));
}

TEST_CASE("against a provisional opponent less is at stake, the fewer games he has", "[ratings]") {
  CHECK(updated_rating(established_rating(1600), {}, Score::lost).value == Approx(1600));
  CHECK(updated_rating(established_rating(1600), provisional_rating(1600, 10), Score::won).value ==
        Approx(1608));  // K = 16
  CHECK(updated_rating(established_rating(1600), provisional_rating(1600, 19), Score::lost).value ==
        Approx(1584.8));  // K = 30.4
}

TEST_CASE("after twenty games a rating is no longer provisional", "[ratings]") {
  Rating r;
  for (int i = 0; i < 19; ++i) r = updated_rating(r, established_rating(1600), Score::won);
  CHECK(r.is_provisional());
  CHECK(r.value == Approx(1944));  // 2000 - 280/5
  r = updated_rating(r, established_rating(1600), Score::won);
  CHECK_FALSE(r.is_provisional());
  CHECK(r.value == Approx(1944));
  CHECK(updated_rating(r, established_rating(1944), Score::won).value == Approx(1960));
}

TEST_CASE("curves of ratings are calculated for the games of an older version",
          "[ratings][session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("hello 2");
  fred.say("toot challenge fred wilma");
  for (const char* ply : {"BT", "CO", "AT", "CO", "AT", "DO"})
    REQUIRE(contains((std::string(ply).back() == 'T' ? fred : static_cast<User&>(wilma))
                         .first_reply_line(std::string("toot move 101 ") + ply),
                     "+OK Move"));
  wilma.say("toot resign 101");
  const std::string profile = fred.say("data profile");
  CHECK(contains(profile, "{results: toot, won: 1, rating: 1784, provisional: true}"));
  CHECK(contains(profile, "{results: toot, with: wilma, won: 1}"));
  std::optional<ProfileLine> curve;
  for (const auto line : split_lines(profile))
    if (const auto read = decode_profile_line(line); read && read->kind == "curve") curve = read;
  REQUIRE(curve);
  CHECK(curve->ratings == std::vector<std::string>{"1784"});
  CHECK(curve->days == std::vector<std::string>{"2026-11-21"});
  CHECK(contains(wilma.say("profile fred"), "Ratings\n  Toot        1784"));
  CHECK(contains(wilma.say("profile nobody"), "-ERR There is no userid nobody."));
  TestClient stranger(hall);
  CHECK(contains(stranger.say("profile"), "-ERR Sign in first"));
  hall.service().database.run("DELETE FROM rating_point");
  hall.service().commit();
  hall.restart();
  fred.log_in_again();
  fred.say("hello 2");
  CHECK(fred.say("data profile") == profile);
  // An annulled game leaves the curve.
  PeerInfo own{"owner"};
  own.is_owner = true;
  CHECK(contains(TestClient(hall, own).say("admin annul toot 101"), "+OK"));
  CHECK_FALSE(contains(fred.say("data profile"), "curve"));
}

TEST_CASE("games are counted in the order they ended, once, and again after a restart",
          "[ratings][session]") {
  TestServer hall;
  std::string standings;
  {
    User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
    // fred beats wilma, then wilma beats fred.
    for (const std::string loser : {"wilma", "fred"}) {
      fred.say("chaos challenge fred wilma");
      const std::string board = loser == "wilma" ? "101" : "102";
      for (const auto& [one, other] :
           {std::pair("a3-c3", "e4-c2-c4-e4"), std::pair("a2-c4-c2", "d3-a3-c5"),
            std::pair("c2-a2-c4-c2", "e3-c1-c4-a2")}) {
        REQUIRE(fred.first_reply_line("chaos move " + board + " fred * " + one).substr(0, 4) ==
                "+OK ");
        REQUIRE(wilma.first_reply_line("chaos move " + board + " wilma * " + other).substr(0, 4) ==
                "+OK ");
      }
      User& user = loser == "wilma" ? wilma : static_cast<User&>(fred);
      REQUIRE(user.first_reply_line("chaos resign " + board + " " + loser + " *").substr(0, 4) ==
              "+OK ");
    }
    // fred: (1800 + 1624 - 200)/2 = 1612, + 108/5 = 1633.6; wilma: (1400 + 1824)/2 = 1612 as well.
    standings = betty.say("chaos standings");
    CHECK(standings ==
          "+OK 2 ratings for Chaos: rating (? below 20 games), games, won, lost, tied.\n  1634?    "
          " 2     1     1     0  fred\n  1634?     2     1     1     0  wilma\n.\n");
    CHECK(betty.say("chaos ratings wilma") ==
          "+OK 1 rating for Chaos: rating (? below 20 games), games, won, lost, tied.\n  1634?     "
          "2     1     1     0  wilma\n.\n");
    CHECK(betty.first_reply_line("chaos ratings nobody") == "-ERR There is no userid nobody.");
    CHECK(betty.first_reply_line("toot standings") == "+OK There are no ratings for Toot yet.");
    CHECK(betty.first_reply_line("chaos history betty") ==
          "+OK No finished games of Chaos with these players yet.");
    CHECK(betty.first_reply_line("chaos history fred") ==
          "+OK 2 finished games of Chaos: number, moves, end, players, result.");
    // A game with three seats is not rated.
    fred.say("plotto challenge fred wilma betty");
    fred.say("plotto move 101 fred * a1");
    wilma.say("plotto move 101 wilma * a2");
    betty.say("plotto move 101 betty * a3");
    fred.say("plotto resign 101 fred *");
    wilma.say("plotto resign 101 wilma *");
    CHECK(contains(betty.say("plotto history"), "betty won (unrated: more than two played)\n"));
    CHECK(betty.first_reply_line("plotto standings") == "+OK There are no ratings for Plotto yet.");
  }
  hall.restart();
  TestClient t(hall);
  CHECK(t.say("chaos standings") == standings);
}

TEST_CASE("two have so many rated games a day, and what was rated before stays so",
          "[ratings][session]") {
  TestServer hall;
  // Games of another day.
  for (int i = 0; i < 3; ++i)
    hall.service().history.add({"toot",
                                51 + i,
                                *read_iso_time("2026-11-20T11:00:00Z"),
                                {},
                                {"fred", "wilma"},
                                Seat{0},
                                2,
                                ""});
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  int board = 100;
  const auto play = [&](User& one, const std::string& first, User& other,
                        const std::string& second) {
    one.say("toot challenge " + first + " " + second);
    const std::string n = std::to_string(++board);
    for (const char* ply : {"BT", "CT", "DT"}) {
      REQUIRE(contains(one.first_reply_line("toot move " + n + " " + first + " * " + ply), "+OK"));
      REQUIRE(
          contains(other.first_reply_line("toot move " + n + " " + second + " * " + ply), "+OK"));
    }
    REQUIRE(contains(other.first_reply_line("toot resign " + n + " " + second + " *"), "+OK"));
    std::istringstream history(one.say("toot history"));
    std::string latest;
    std::getline(history, latest);
    std::getline(history, latest);
    return latest;
  };
  for (int i = 0; i < 4; ++i)
    CHECK(contains(
        i % 2 == 0 ? play(fred, "fred", wilma, "wilma") : play(wilma, "wilma", fred, "fred"),
        " won"));
  CHECK_FALSE(contains(fred.say("toot history"), "a day"));
  CHECK(contains(play(fred, "fred", wilma, "wilma"),
                 "fred won (unrated: the players had 4 rated games within a day)"));
  // With another opponent, or tomorrow, they are rated.
  CHECK_FALSE(contains(play(fred, "fred", betty, "betty"), "unrated"));
  hall.restart();
  User again(hall, "fred"), later(hall, "wilma");
  CHECK(contains(play(again, "fred", later, "wilma"), "unrated"));
  hall.time += std::chrono::hours(24);
  CHECK_FALSE(contains(play(again, "fred", later, "wilma"), "unrated"));
  CHECK(contains(
      again.say("toot history"),
      "    53     2  2026-11-20T11:00:00Z  fred, wilma                           fred won\n"));
}
