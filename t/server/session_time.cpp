// SPDX-License-Identifier: MIT
// Clocks on a server: the test passes a year in a moment.
#include <fstream>

#include "catch.hpp"
#include "save/save.hpp"
#include "server/tables/history.hpp"
#include "test_server.hpp"

namespace pbm::test {
namespace {

using std::chrono::days;
using namespace std::chrono_literals;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Club {
  TestServer server;
  User fred{server, "fred"}, wilma{server, "wilma"}, betty{server, "betty"};
  explicit Club(const std::string& begins = "toot challenge fred wilma", bool played = true) {
    server.pass_time(1min);
    for (User* user : {&fred, &wilma, &betty}) user->say("watch");
    const std::string said = fred.first_reply_line(begins);
    INFO(said);
    REQUIRE(has(said, "+OK Board 101"));
    if (played) {
      REQUIRE(has(fred.first_reply_line("toot move 101 fred * BT"), "+OK Move 1"));
      REQUIRE(has(wilma.first_reply_line("toot move 101 wilma * CO"), "+OK Move 2"));
    }
    clear_events();
  }
  void clear_events() {
    for (User* user : {&fred, &wilma, &betty}) user->take_received();
  }
  std::string info() { return betty.say("toot info 101"); }
};

}  // namespace

TEST_CASE("whoever does not play is reminded, and then loses by himself", "[time]") {
  Club club;
  CHECK(has(club.fred.say("toot save 101"), "\ntime: {nag: 7, forfeit: 21}\n"));
  CHECK(has(club.info(), ", late: 2026-11-28T12:01:00Z, lost: 2026-12-12T12:01:00Z}"));
  club.fred.say("toot move 101 fred * CT");
  club.wilma.take_received();
  CHECK(has(club.info(), ", late: 2026-11-28T12:01:00Z"));
  club.server.pass_time(days(7) - 1min);
  CHECK(club.wilma.take_received().empty());
  CHECK_FALSE(has(club.betty.say("toot games"), "late"));
  club.server.pass_time(1min);
  CHECK(club.wilma.take_received() ==
        "* toot 101 nag 4 : Your move has been due for 7 days. You lose the game in 14 days.\n");
  CHECK(club.fred.take_received().empty());
  club.server.pass_time(days(3));
  CHECK(club.wilma.take_received().empty());  // only one reminder
  CHECK(has(club.betty.say("toot games"), "wilma's turn, late 3 days\n"));
  CHECK(has(club.betty.say("toot show 101"), "A move is late after 7 days, lost after 21 days.\n"));
  CHECK(has(club.betty.say("toot show 101"), "\nwilma (OTTO): late since Nov 28, 11 days left.\n"));
  // An offer does not extend the time.
  club.wilma.say("toot move 101 wilma * propose");
  club.fred.say("toot move 101 fred * reject");
  club.clear_events();
  club.server.pass_time(days(11) - 1min);
  CHECK(club.wilma.take_received().empty());
  CHECK(has(club.betty.say("toot games"), "1 minute left\n"));
  club.server.pass_time(1min);
  for (User* user : {&club.fred, &club.wilma})
    CHECK(user->take_received() ==
          "* toot 101 resign wilma : wilma (OTTO) ran out of time.\n"
          "* toot 101 over : fred (TOOT) wins. wilma ran out of time.\n");
  CHECK(has(club.fred.say("toot save 101"),
            "\n- {move: resign, seat: 2, why: time, at: 2026-12-12T12:01:00Z}\n"));
  CHECK_FALSE(has(club.info(), "late: "));
  // The game is not rated, as not every seat has made enough plies.
  CHECK(has(club.fred.say("toot history"), "unrated: not every seat made 3 moves"));
  club.server.restart();
  CHECK(has(TestClient(club.server).say("toot show 101"),
            "fred (TOOT) wins. wilma ran out of time."));
}

TEST_CASE("who is away finds it in his mail", "[time]") {
  Club club;
  club.fred.say("toot move 101 fred * CT");
  club.wilma.say("quit");
  club.server.stop();
  club.server.start();
  club.server.pass_time(days(22));
  User wilma(club.server, "wilma");
  const std::string mail = wilma.say("watch");
  CHECK(has(mail, "* toot 101 nag 4 : Your move has been due for 7 days"));
  CHECK(has(mail, "* toot 101 resign wilma : wilma (OTTO) ran out of time. (2026-12-12T"));
  CHECK(has(mail, "* toot 101 over : fred (TOOT) wins. wilma ran out of time. (2026-12-12T"));
}

TEST_CASE("a challenge that nobody answers ends without a trace, whoever lets its time pass",
          "[time]") {
  for (const bool begun : {true, false}) {
    Club club("toot challenge fred wilma", false);
    const std::string late = begun ? "wilma" : "fred";
    if (begun) club.fred.say("toot move 101 fred * BT");
    club.clear_events();
    club.server.pass_time(days(21) - 1min);
    club.clear_events();
    CHECK(has(club.info(), "turn: "));
    club.server.pass_time(1min);
    for (User* user : {&club.fred, &club.wilma})
      CHECK(user->take_received() ==
            "* toot 101 gone : " + late + " did not play in time. The challenge is over.\n");
    CHECK(has(club.info(), "-ERR There is no board 101 of Toot."));
    CHECK(has(club.fred.say("toot history"), "No finished games of Toot"));
    CHECK_FALSE(std::filesystem::exists(club.server.directory / "toot-101.yaml"));
    CHECK(has(club.wilma.first_reply_line("toot queue 101 wilma * CO"),
              "-ERR There is no board 101"));
  }
}

TEST_CASE("who has played once cannot refuse the game, even if that move was taken back",
          "[time]") {
  Club club;
  club.wilma.say("toot move 101 wilma * undo");
  CHECK(has(club.fred.first_reply_line("toot move 101 fred * accept"), "+OK fred (TOOT) accepts"));
  CHECK(club.wilma.first_reply_line("toot resign 101 wilma *") == "+OK wilma (OTTO) resigns.");
  CHECK(has(club.info(), "winner: 1"));
}

TEST_CASE("a challenge says what time there is", "[time]") {
  Club club("toot challenge fred wilma --nagtime=none -forfeittime=2 -size=4x3 --totaltime=none");
  CHECK(has(club.fred.say("toot save 101"), "\ntime: {forfeit: 2}\n"));
  CHECK(has(club.info(), "lost: 2026-11-23T12:01:00Z}"));
  CHECK_FALSE(has(club.info(), "late: "));
  CHECK(club.fred.first_reply_line("toot challenge fred wilma --forfeittime=soon") ==
        "-ERR '--forfeittime=soon' is not valid. Write --forfeittime=DAYS, a number from 1 to "
        "3650, or "
        "--forfeittime=none.");
  club.fred.say("toot challenge fred wilma --nagtime=none --forfeittime=none");
  CHECK_FALSE(has(club.fred.say("toot save 102"), "time:"));
  CHECK_FALSE(has(club.fred.say("toot info 102"), "lost:"));
  club.server.pass_time(days(400));
  CHECK(has(club.info(), "winner: 2"));
  CHECK(has(club.fred.say("toot info 102"), "turn: 1"));
}

TEST_CASE("a rematch and an open challenge have the time that was said", "[time]") {
  Club club("toot challenge fred wilma --forfeittime=2 --nagtime=none");
  club.server.pass_time(days(2));
  CHECK(has(club.fred.first_reply_line("toot rematch 101 fred *"), "+OK Board 102"));
  CHECK(has(club.fred.say("toot save 102"), "\ntime: {forfeit: 2}\n"));
  CHECK(has(club.wilma.take_received(),
            "* toot 102 new : fred challenges you to a rematch of Toot, lost after 2 days.\n"));
  CHECK(has(club.fred.first_reply_line("toot seek fred * --totaltime=9 -size=4x3"),
            "+OK Open challenge 1 by "));
  CHECK(has(club.wilma.first_reply_line("take 1 wilma *"), "+OK Board 103 of Toot -size=4x3"));
  CHECK(has(club.fred.say("toot save 103"), "\ntime: {nag: 7, forfeit: 21, total: 9}\n"));
}

TEST_CASE("a board from before there were clocks has none", "[time]") {
  TestServer hall;
  std::ofstream(hall.directory / "toot-101.yaml")
      << "format: 1\ngame: toot\nseats: [fred, wilma]\nstarted: 2026-01-01T12:00:00Z\nplies:\n"
         "- {move: BT, at: 2026-01-01T12:00:00Z}\n";
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  hall.pass_time(days(30));
  CHECK(has(fred.say("toot info 101"), "turn: 2, changed: 2026-01-01T12:00:00Z}"));
}

TEST_CASE("all one's moves together may have a limit", "[time]") {
  Club club("toot challenge fred wilma --nagtime=none --forfeittime=none --totaltime=10", false);
  const auto both_play = [&](const char* first, const char* second) {
    club.server.pass_time(days(4));
    REQUIRE(has(club.fred.first_reply_line(std::string("toot move 101 fred * ") + first), "+OK"));
    club.server.pass_time(days(1));
    REQUIRE(
        has(club.wilma.first_reply_line(std::string("toot move 101 wilma * ") + second), "+OK"));
  };
  both_play("BT", "CO");
  both_play("BT", "CO");
  // Eight of ten days are used. The server knows that after a restart, without reading the board.
  CHECK(has(club.info(), "lost: 2026-12-03T12:01:00Z}"));
  club.server.restart();
  CHECK(has(TestClient(club.server).say("toot info 101"), "lost: 2026-12-03T12:01:00Z}"));
  club.server.pass_time(days(2));
  CHECK(has(TestClient(club.server).say("toot show 101"),
            "wilma (OTTO) wins. fred ran out of time."));
}

TEST_CASE("of three the others play on", "[time]") {
  Club club("plotto challenge fred wilma betty --forfeittime=1 --nagtime=none", false);
  club.fred.say("plotto move 101 fred * a1");
  club.wilma.say("plotto move 101 wilma * a2");
  club.betty.say("plotto move 101 betty * a3");
  club.clear_events();
  club.server.pass_time(days(1));
  CHECK(has(club.fred.take_received(), "* plotto 101 resign fred : fred ("));
  CHECK(has(club.wilma.take_received(), "* plotto 101 turn 4\n"));
  CHECK(has(club.betty.say("plotto info 101"), "turn: 2, "));
  club.server.pass_time(days(1));
  CHECK(has(club.betty.take_received(), "* plotto 101 over : betty ("));
}

TEST_CASE("nobody loses while the server is down, nor just after", "[time]") {
  Club club;
  club.server.pass_time(days(20));
  club.server.stop();
  club.server.time += days(30);
  club.server.start();
  club.server.pass_time(1min);
  TestClient somebody(club.server);
  // One day was left and is again; but nobody loses within two days of a downtime.
  CHECK(has(somebody.say("toot info 101"), "lost: 2027-01-12T12:01:00Z}"));
  club.server.pass_time(47h + 58min);
  CHECK(has(somebody.say("toot info 101"), "turn: 1"));
  club.server.restart();  // too short for a downtime
  club.server.pass_time(2min);
  CHECK(has(TestClient(club.server).say("toot info 101"), "winner: 2"));
}

TEST_CASE("a machine that slept was down", "[time]") {
  Club club;
  club.server.pass_time(days(20));
  club.server.time += days(5);
  club.server.pass_time(1min);
  CHECK(has(club.info(), "lost: 2026-12-18T12:02:00Z}"));
  // A restart keeps it. A kill would too, as the end of a server writes none of this.
  club.server.restart();
  CHECK(has(TestClient(club.server).say("toot info 101"), "lost: 2026-12-18T12:02:00Z}"));
}

TEST_CASE("a reminder is not said again by the next server", "[time]") {
  Club club;
  club.server.pass_time(days(7));
  CHECK(has(club.fred.take_received(), " nag 3 : "));
  club.server.restart();
  club.server.pass_time(days(1));
  User fred(club.server, "fred");
  CHECK_FALSE(has(fred.say("watch"), " nag "));
}

TEST_CASE("a vacation stops all one's clocks", "[time]") {
  Club club;
  const std::string said = club.fred.first_reply_line("vacation fred *");
  CHECK(said == "+OK You are not on vacation. 30 vacation days left in 2026.");
  for (const char* wrong : {"0", "31", "-3", "many"})
    CHECK(has(club.fred.first_reply_line(std::string("vacation fred secret ") + wrong), "-ERR "));
  CHECK(club.fred.first_reply_line("vacation fred * off") == "-ERR You are not on vacation.");
  club.server.pass_time(days(1));
  club.clear_events();
  CHECK(club.fred.first_reply_line("vacation fred * 10") ==
        "+OK You are on vacation until 2026-12-02T12:01:00Z. Your clocks stand still. 20 vacation "
        "days left in 2026.");
  CHECK(has(club.info(),
            "late: 2026-12-08T12:01:00Z, lost: 2026-12-22T12:01:00Z, away: {1: "
            "2026-12-02T12:01:00Z}}"));
  CHECK(has(club.wilma.say("list"),
            "fred                 1  signed in  on vacation until 2026-12-02\n"));
  CHECK(has(club.wilma.say("toot games"), "fred's turn, on vacation\n"));
  CHECK(has(club.wilma.say("toot show 101"), "fred (TOOT): on vacation until Dec 2.\n"));
  club.server.restart();
  club.server.pass_time(days(3) - 1min);
  User fred(club.server, "fred");
  CHECK(fred.first_reply_line("vacation fred * 28") ==
        "-ERR A calendar year has at most 30 vacation days. You have 27 days left in 2026.");
  CHECK(fred.first_reply_line("vacation fred * off") ==
        "+OK You are not on vacation. 27 vacation days left in 2026.");
  CHECK(has(fred.say("toot info 101"), "lost: 2026-12-15T12:00:00Z}"));
  club.server.pass_time(days(20));
  CHECK(has(fred.say("toot info 101"), "winner: 2"));
}

TEST_CASE("a vacation of one is none of the other's", "[time]") {
  Club club("toot challenge fred wilma --forfeittime=5");
  club.wilma.say("vacation wilma * 30");
  club.server.pass_time(days(5));
  CHECK(has(club.info(), "winner: 2"));
  CHECK(club.wilma.first_reply_line("vacation wilma wrong 3") != "+OK");
}

TEST_CASE("who plays with somebody is told that he goes on vacation", "[time]") {
  Club club;
  club.wilma.say("hello 2");
  club.wilma.take_received();
  club.fred.say("vacation fred * 3");
  const std::string told = club.wilma.take_received();
  CHECK(has(told, "* toot 101 now {board: toot-101,"));
  CHECK(has(told, "away: {1: 2026-11-24T12:01:00Z}, done: []}"));
}

TEST_CASE("a year of a club of forty", "[time]") {
  // One in five players never comes back. The others play once a week, and some go on vacation.
  TestServer hall;
  constexpr int kPeople = 40, kBoards = 3;
  std::vector<std::unique_ptr<User>> users;
  const auto name = [](int i) { return "user" + std::to_string(i); };
  for (int i = 0; i < kPeople; ++i) users.push_back(std::make_unique<User>(hall, name(i)));
  for (int i = 0; i < kPeople; i += 2)
    for (int b = 0; b < kBoards; ++b)
      REQUIRE(has(users[static_cast<std::size_t>(i)]->first_reply_line("chaos challenge " +
                                                                       name(i) + " " + name(i + 1)),
                  "+OK"));
  for (int week = 0; week < 52; ++week) {
    for (int i = 0; i < kPeople; ++i) {
      if (i % 5 == 0) continue;
      User& user = *users[static_cast<std::size_t>(i)];
      if (week % 20 == i % 20) user.say("vacation " + name(i) + " * 14");
      for (const BoardKey& key : hall.service().store.rows().find_boards(*find_game("chaos"))) {
        const auto info = hall.service().store.find_summary(key);
        if (info->names[static_cast<std::size_t>(*info->to_move)] != name(i)) continue;
        const auto board = hall.service().store.open(key);
        const std::string ply = (*board)->match.position().legal_plies().front();
        REQUIRE(has(user.first_reply_line("chaos move " + std::to_string(key.number) + " " +
                                          name(i) + " * " + ply),
                    "+OK"));
      }
    }
    hall.pass_time(days(7));
  }
  for (const BoardKey& key :
       hall.service().store.rows().find_boards(*find_game("chaos"), BoardRows::BoardState::all)) {
    CAPTURE(key.number);
    const int first = 2 * ((key.number - 101) / kBoards);
    const auto board = hall.service().store.open(key);
    const auto& log = (*board)->match.log();
    const bool lost = !log.empty() && log.back().forfeit_reason == ForfeitReason::time;
    const bool gone = first % 5 == 0 || (first + 1) % 5 == 0;
    CHECK(lost == gone);
    if (gone) {
      CHECK((first + (log.back().seat)) % 5 == 0);
      CHECK(log.back().time <= (*board)->match.start_time() + days(36));
    }
  }
}

TEST_CASE("a clock that is set costs nobody his time", "[time]") {
  Club club("toot challenge fred wilma --nagtime=none --forfeittime=none --totaltime=40", false);
  club.server.clock_offset = days(30);
  club.server.pass_time(1min);
  club.fred.say("toot move 101 fred * BT");
  club.server.pass_time(1min);
  club.server.clock_offset = -days(30);
  club.wilma.say("toot move 101 wilma * CO");
  club.server.pass_time(1min);
  club.fred.say("toot move 101 fred * CT");
  club.server.clock_offset = std::chrono::seconds(0);
  club.wilma.say("toot move 101 wilma * DO");
  // Two minutes of forty days are used.
  CHECK(has(club.info(), "turn: 1, changed: 2026-11-21T12:04:00Z, lost: 2026-12-31T12:02:00Z}"));
}

TEST_CASE("time goes on by itself when the clock of the machine is set, but for corrections",
          "[time]") {
  Time wall = *read_iso_time("2026-11-21T12:00:00Z");
  std::chrono::seconds runs = 1h;
  StableClock clock([&] { return wall; }, [&] { return runs; });
  const auto after = [&](std::chrono::seconds by_the_wall, std::chrono::seconds really) {
    wall += by_the_wall;
    runs += really;
    return iso_time(clock());
  };
  CHECK(after(0s, 0s) == "2026-11-21T12:00:00Z");
  CHECK(after(8h, 8h) == "2026-11-21T20:00:00Z");  // the machine slept
  CHECK(after(-5min, 0s) == "2026-11-21T19:55:00Z");
  CHECK(after(days(30), 1min) == "2026-11-21T19:56:00Z");
  CHECK(after(1min, 1min) == "2026-11-21T19:57:00Z");
  CHECK(after(-days(60), 1min) == "2026-11-21T19:58:00Z");
  CHECK(after(days(30) + 4min, 1min) == "2026-11-21T20:00:00Z");
}

}  // namespace pbm::test
