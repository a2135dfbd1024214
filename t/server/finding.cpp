// SPDX-License-Identifier: MIT
// Finding opponents: open challenges, pairs, rematches, blocks, and the lists of people.
#include "protocol/people.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Plays board `number` of Toot until every seat has made `plies` plies; then the second resigns.
void play_and_resign(TestServer& hall, TestClient& first, const std::string& one,
                     TestClient& second, const std::string& two, const std::string& number,
                     int plies = 3) {
  for (int i = 0; i < plies; ++i) {
    const std::string column(1, static_cast<char>('A' + i));
    REQUIRE(
        contains(first.first_reply_line("toot move " + number + " " + one + " * " + column + "T"),
                 "+OK Move"));
    REQUIRE(
        contains(second.first_reply_line("toot move " + number + " " + two + " * " + column + "O"),
                 "+OK Move"));
  }
  REQUIRE(
      contains(second.first_reply_line("toot resign " + number + " " + two + " *"), "+OK " + two));
  hall.finish_work();
  first.take_received();
  second.take_received();
}

}  // namespace

TEST_CASE("an open challenge is told, listed, taken and gone", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  wilma.say("watch");
  CHECK(fred.say("sought") == "+OK There is no open challenge.\n.\n");
  CHECK(fred.say("toot seek fred * -size=4x3") ==
        "+OK Open challenge 1 by fred: Toot -size=4x3.\n.\n");
  CHECK(wilma.take_received() == "* seek 1 fred : Toot -size=4x3\n");
  CHECK(fred.first_reply_line("chaos seek fred secret").starts_with("+OK Open challenge 2"));
  CHECK(wilma.take_received() == "* seek 2 fred : Chaos\n");
  CHECK(betty.say("sought") ==
        "+OK 2 open challenges: number, player, game. Type take and a number to accept one.\n"
        "     1  fred              Toot -size=4x3\n"
        "     2  fred              Chaos\n.\n");
  CHECK(betty.say("sought chaos").find("Toot") == std::string::npos);
  CHECK(betty.first_reply_line("sought toot chaos") == "-ERR Write: sought [game]");
  CHECK(contains(betty.first_reply_line("sought chess"), "-ERR There is no game chess. "));
  CHECK(fred.first_reply_line("take 1") ==
        "-ERR Open challenge 1 is your own. Type unseek to take it back.");
  CHECK(betty.first_reply_line("unseek 1") ==
        "-ERR Open challenge 1 is fred's. Type take to accept it.");
  CHECK(betty.first_reply_line("take x betty *") ==
        "-ERR 'x' is not the number of an open challenge.");
  TestClient nobody(hall);
  CHECK(nobody.first_reply_line("take 1") ==
        "-ERR Sign in with login userid password, or write: take number [userid password]");
  CHECK(nobody.first_reply_line("take 1 betty secret") ==
        "+OK Board 101 of Toot -size=4x3: betty and fred.");
  CHECK(wilma.take_received() == "* unseek 1\n");
  CHECK(betty.first_reply_line("take 1") ==
        "-ERR There is no open challenge 1. Type sought for the list.");
  CHECK(fred.first_reply_line("unseek 2") == "+OK Open challenge 2 is taken back.");
  CHECK(wilma.take_received() == "* unseek 2\n");
  CHECK(fred.say("sought") == "+OK There is no open challenge.\n.\n");
}

TEST_CASE("open challenges are on disk when they are answered", "[session][finding]") {
  TestServer hall;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    hall.failing_file = "server.db";
    CHECK(contains(fred.first_reply_line("toot seek fred *"), "-ERR The server stops ("));
    hall.failing_file = "";
  }
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot seek fred * -tootris -pair");
  const std::string before = wilma.say("sought");
  CHECK(contains(before, "fred              Toot -tootris, on two boards"));
  wilma.say("toot seek wilma *");
  wilma.say("toot seek wilma *");
  wilma.say("unseek 3");
  wilma.say("unseek 2");
  const std::string left = wilma.say("sought");
  hall.restart();
  User again(hall, "wilma");
  CHECK(again.say("sought") == left);
  // No number is used twice, although the last challenges are gone.
  CHECK(contains(again.first_reply_line("toot seek wilma *"), "+OK Open challenge 4"));
  // A challenge ends after two weeks.
  hall.time += std::chrono::hours(24 * 14);
  CHECK(again.say("sought") == "+OK There is no open challenge.\n.\n");
}

TEST_CASE("nobody fills the list of open challenges", "[session][finding]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.texts_a_minute = 6; };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 1; i <= 5; ++i)
    CHECK(contains(fred.first_reply_line("toot seek fred *"), "+OK Open challenge"));
  CHECK(fred.first_reply_line("toot seek fred *") ==
        "-ERR fred has 5 open challenges, the limit. Type unseek to take one back.");
  CHECK(contains(wilma.first_reply_line("toot seek wilma *"), "+OK Open challenge 6"));
  // Everybody is informed of each, so they count as messages to all.
  fred.say("unseek 1");
  CHECK(contains(fred.first_reply_line("toot seek fred *"), "+OK Open challenge 7"));
  fred.say("unseek 2");
  CHECK(fred.first_reply_line("toot seek fred *") ==
        "-ERR You are sending too many messages. Try again in a minute.");
  // The challenges of a userid that signed off are gone.
  fred.say("signoff fred secret");
  CHECK(contains(wilma.say("sought"), "+OK 1 open challenge:"));
}

TEST_CASE("nobody fills the list of open challenges by taking many userids", "[session][finding]") {
  TestServer hall;
  std::string last;
  for (int i = 0; i < 21; ++i) {
    TestClient one(hall, PeerInfo{"uid 7"});
    const std::string name = "user" + std::to_string(i);
    one.say("signup " + name + " secret");
    for (int n = 0; n < 5; ++n) last = one.first_reply_line("toot seek " + name + " secret");
  }
  CHECK(last ==
        "-ERR There are 100 open challenges from your address, the limit. Take one of those.");
  CHECK(
      contains(User(hall, "fred").first_reply_line("toot seek fred *"), "+OK Open challenge 101"));
}

TEST_CASE("a pair is two boards with the seats swapped, or none", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  wilma.say("watch");
  CHECK(fred.first_reply_line("toot challenge fred wilma -pair -size=4x3") ==
        "+OK Boards 101 and 102 of Toot -size=4x3: fred and wilma, and with the seats swapped.");
  CHECK(wilma.take_received() ==
        "* toot 101 new : fred challenges you to Toot -size=4x3.\n"
        "* toot 102 new : fred challenges you to Toot -size=4x3.\n"
        "* toot 102 turn 1\n");
  CHECK(contains(fred.first_reply_line("plotto challenge fred wilma betty -pair"),
                 "-ERR -pair is for two"));
  // A limit allows both boards or neither.
  wilma.say("toot limit wilma * 1");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma -pair"),
                 "-ERR wilma takes at most 1 board"));
  wilma.say("toot limit wilma * all");
  for (int i = 0; i < 7; ++i)
    CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board"));
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma -pair"),
                 "-ERR fred and wilma may have at most 10 boards"));
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 110"));
  CHECK(contains(fred.say("toot games"), "+OK 10 boards"));
}

TEST_CASE("a program is told of both boards of a pair", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("hello 2");
  const std::string said = fred.say("toot challenge fred wilma -pair");
  CHECK(contains(said, "{board: toot-101, seats: [fred, wilma]"));
  CHECK(contains(said, "{board: toot-102, seats: [wilma, fred]"));
}

TEST_CASE("a rematch is the same board with the seats swapped", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  fred.say("toot challenge fred wilma -size=5x4");
  CHECK(fred.first_reply_line("toot rematch 101 fred *") ==
        "-ERR toot 101 is not over yet. A rematch comes after the game.");
  play_and_resign(hall, fred, "fred", wilma, "wilma", "101");
  CHECK(betty.first_reply_line("toot rematch 101 betty *") ==
        "-ERR betty did not play on toot 101.");
  CHECK(betty.first_reply_line("toot rematch 105 betty *") ==
        "-ERR There is no board 105 of Toot.");
  CHECK(wilma.first_reply_line("toot rematch 101 wilma secret") ==
        "+OK Board 102 of Toot -size=5x4: wilma and fred.");
}

TEST_CASE("of two of whom one has blocked the other neither troubles the other",
          "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  for (User* user : {&fred, &wilma}) user->say("watch");
  fred.say("toot challenge fred wilma");
  fred.take_received();
  wilma.take_received();
  CHECK(wilma.first_reply_line("block wilma *") == "+OK wilma has blocked nobody.");
  CHECK(wilma.first_reply_line("block wilma * wilma") == "-ERR You cannot block yourself.");
  CHECK(wilma.first_reply_line("block wilma * nobody") == "-ERR There is no userid nobody.");
  CHECK(wilma.first_reply_line("unblock wilma * fred") == "-ERR wilma has not blocked fred.");
  CHECK(wilma.first_reply_line("block wilma secret Fred") == "+OK wilma blocks fred.");
  CHECK(wilma.first_reply_line("block wilma *") == "+OK wilma has blocked fred.");
  CHECK(fred.first_reply_line("toot challenge fred wilma") == "-ERR wilma has blocked fred.");
  CHECK(wilma.first_reply_line("toot challenge fred wilma") == "-ERR wilma has blocked fred.");
  CHECK(betty.first_reply_line("plotto challenge fred wilma betty") ==
        "-ERR wilma has blocked fred.");
  CHECK(fred.first_reply_line("message fred * betty wilma : hi") ==
        "-ERR wilma has blocked fred. Nothing was sent.");
  CHECK(wilma.first_reply_line("message wilma * fred : hi") ==
        "-ERR wilma has blocked fred. Nothing was sent.");
  wilma.say("toot seek wilma *");
  CHECK(fred.take_received() == "");
  CHECK(fred.say("sought") == "+OK There is no open challenge.\n.\n");
  CHECK(fred.first_reply_line("take 1") == "-ERR wilma has blocked fred.");
  CHECK(contains(betty.say("sought"), "wilma"));
  // She does not receive his chat; their game goes on.
  CHECK(fred.first_reply_line("toot chat 101 fred * : hello") == "+OK Sent to toot 101.");
  CHECK(fred.first_reply_line("broadcast fred * : hello") ==
        "+OK Sent to everybody who is watching.");
  CHECK(fred.first_reply_line("toot move 101 fred * AT : hello").substr(0, 8) == "+OK Move");
  CHECK(wilma.take_received() == "* toot 101 ply 1 fred AT\n* toot 101 turn 2\n");
  // He cannot watch her games with others either.
  betty.say("toot challenge betty wilma");
  fred.say("chaos subscribe all fred *");
  betty.say("chaos challenge betty wilma");
  fred.take_received();
  CHECK(fred.first_reply_line("toot subscribe 102 fred *") ==
        "-ERR A player of toot 102 has blocked you.");
  CHECK(contains(fred.first_reply_line("chaos chat 101 fred * : boo"),
                 "-ERR You do not play or watch"));
  CHECK_FALSE(contains(betty.say("chaos info 101"), "watching"));
  hall.restart();
  User after(hall, "fred"), later(hall, "wilma");
  CHECK(contains(after.first_reply_line("toot challenge fred wilma"),
                 "-ERR wilma has blocked fred."));
  CHECK(later.first_reply_line("unblock wilma * fred") == "+OK wilma no longer blocks fred.");
  CHECK(contains(after.first_reply_line("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE("the history goes on behind the latest two hundred", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 101; i <= 305; ++i) {
    FinishedGame game{
        "toot", i, hall.time + std::chrono::seconds(i), {}, {"fred", "wilma"}, Seat{0}, 7, "yes"};
    hall.service().history.add(game);
  }
  const std::string first = fred.say("toot history fred");
  CHECK(contains(first, "+OK 205 finished games"));
  CHECK(contains(first, "\n   305  "));
  CHECK(contains(first, "\n(5 more: toot history fred #200)\n"));
  const std::string rest = fred.say("toot history fred #200");
  CHECK(contains(rest, "\n   105  "));
  CHECK_FALSE(contains(rest, "\n   106  "));
  CHECK_FALSE(contains(rest, "more"));
  CHECK(fred.say("toot history #300") ==
        "+OK 205 finished games of Toot: number, moves, end, players, result.\n.\n");
  CHECK(contains(fred.first_reply_line("toot history #x"),
                 "-ERR '#x' is not a number. Write #200 for the games before"));
}

TEST_CASE("a player's page has ratings, and results by opponent", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 101; i <= 103; ++i) {
    const bool fred_first = i != 102;
    fred.say(std::string("toot challenge ") + (fred_first ? "fred wilma" : "wilma fred"));
    if (fred_first) play_and_resign(hall, fred, "fred", wilma, "wilma", std::to_string(i));
    else play_and_resign(hall, wilma, "wilma", fred, "fred", std::to_string(i));
  }
  fred.say("toot challenge fred wilma");
  const std::string page = wilma.say("profile Fred");
  CHECK(contains(page, "+OK fred, since 2026-11-21, signed in: 3 finished games, 1 running."));
  CHECK(contains(page, "2 won, 1 lost, 0 tied\nRatings\n"));
  CHECK(contains(page.substr(page.find("\nOpponents\n  wilma ")), "2 won, 1 lost, 0 tied\n"));
  CHECK(wilma.first_reply_line("profile pebbles") == "-ERR There is no userid pebbles.");
  wilma.say("signoff wilma secret");
  CHECK(contains(fred.say("profile wilma"), "+OK wilma has closed the account: 3 finished games"));
}

TEST_CASE("programs are told who is here, who seeks a player and what is played",
          "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), hal(hall, "hal");
  { User wilma(hall, "wilma"); }
  hal.say("set computer hal * yes");
  fred.say("toot seek fred * -tootris -pair");
  CHECK(fred.say("lobby") ==
        "+OK 1 open challenge, 2 userids signed in.\n"
        "{seek: 1, by: fred, game: toot, options: [-tootris], pair: true, "
        "since: 2026-11-21T12:00:00Z}\n"
        "{user: fred, here: true}\n{user: hal, here: true, computer: true}\n.\n");
  fred.say("toot challenge fred wilma");
  CHECK(contains(fred.say("people"), "{user: fred, here: true, boards: 1}\n"));
  CHECK(contains(fred.say("people"), "{user: wilma, boards: 1}\n"));
  CHECK(contains(hal.say("boards all"),
                 "+OK 1 board of all players.\n{board: toot-101, seats: [fred"));
}

TEST_CASE("seeks and people are read as they are written", "[protocol][finding]") {
  const Seek seek{
      7, "fred", find_game("toot"), {"-size=7x9"}, true, *read_iso_time("2026-11-21T12:00:00Z")};
  CHECK(decode_seek(encode(seek)) == seek);
  Seek plain{8, "wilma", find_game("chaos"), {}, false, seek.created_at};
  CHECK(decode_seek(encode(plain)) == plain);
  Person person{"wilma", true, true, 3};
  person.ratings["toot"] = {1784, true, 3, 2, 1};
  person.ratings["chaos"] = {1502, false, 30, 12, 0};
  CHECK(decode_person(encode(person)) == person);
  CHECK(person.display_name() == "wilma (computer)");
  // Lines that another server may send.
  for (const std::string line :
       {"", "{", "{seek: 0, by: fred, game: toot}", "{seek: 1, by: \"a b\", game: toot}",
        "{seek: 1, by: fred, game: chess}", "{seek: 1, by: fred, game: toot, options: [-what]}"})
    CHECK_FALSE(decode_seek(line));
  CHECK_FALSE(decode_person("{user: \"\\e[1m\"}"));
  CHECK(decode_person("{user: fred, ratings: [toot, toot x 1 2 3, chaos 1600 1 2 3]}")
            ->ratings.size() == 1);
}

TEST_CASE("when both want a rematch there is one board", "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot challenge fred wilma -size=7x9");
  play_and_resign(hall, fred, "fred", wilma, "wilma", "101");
  hall.time += std::chrono::seconds(5);
  CHECK(contains(fred.first_reply_line("toot rematch 101 fred *"),
                 "+OK Board 102 of Toot -size=7x9: wilma and fred."));
  CHECK(wilma.first_reply_line("toot rematch 101 wilma *") ==
        "+OK Board 102 of Toot -size=7x9: wilma and fred. fred started it.");
  CHECK(contains(wilma.say("toot games"), "+OK 1 board "));
  // A player who asks twice gets another board; so does one whose rematch already has their move.
  CHECK(contains(fred.first_reply_line("toot rematch 101 fred *"), "+OK Board 103 "));
  wilma.say("toot move 102 wilma * AT");
  wilma.say("toot move 103 wilma * AT");
  CHECK(contains(wilma.first_reply_line("toot rematch 101 wilma *"), "+OK Board 104 "));
}

TEST_CASE("a rematch that the other has begun may have his move already, and has the same limits",
          "[session][finding]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot challenge fred wilma -size=7x9");
  play_and_resign(hall, fred, "fred", wilma, "wilma", "101");
  hall.time += std::chrono::seconds(5);
  REQUIRE(contains(
      wilma.first_reply_line("toot challenge wilma fred -size=7x9 --nagtime=1 --forfeittime=1"),
      "+OK Board 102"));
  REQUIRE(contains(wilma.first_reply_line("toot rematch 101"), "+OK Board 103"));
  REQUIRE(contains(wilma.first_reply_line("toot 103 AT"), "+OK Move 1"));
  CHECK(fred.first_reply_line("toot rematch 101") ==
        "+OK Board 103 of Toot -size=7x9: wilma and fred. wilma started it.");
  fred.say("toot propose 103");
  CHECK(contains(fred.first_reply_line("toot rematch 101"), "+OK Board 104"));
}
