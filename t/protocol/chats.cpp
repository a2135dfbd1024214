// SPDX-License-Identifier: MIT
// Chats: they stay with their board, and the server counts unread lines.
#include <fstream>

#include "protocol/people.hpp"
#include "server/tables/chats.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

const std::string kAt = "2026-11-21T12:00:00Z";

}  // namespace

TEST_CASE("what is said on a board can be read there, by anybody, also by the next server",
          "[chats]") {
  Pair p;
  CHECK(p.fred.say("toot chats 101") == "+OK Nothing was said on toot 101.\n.\n");
  p.fred.say("toot chat 101 fred * : good luck");
  p.hall.time += std::chrono::minutes(1);
  p.fred.say("toot move 101 fred * BT : your turn");
  p.fred.say("toot challenge fred wilma : another one");
  const std::string said = "+OK 2 lines on toot 101.\n   1  " + kAt +
                           "  fred: good luck\n   2  2026-11-21T12:01:00Z  fred: your turn\n.\n";
  CHECK(p.fred.say("toot chats 101") == said);
  CHECK(p.fred.say("toot chats 101 #1") ==
        "+OK 1 line on toot 101.\n   2  2026-11-21T12:01:00Z  fred: your turn\n.\n");
  CHECK(p.fred.say("toot chats 101 #2") == "+OK Nothing more was said on toot 101.\n.\n");
  for (const std::string no : {"2", "#18446744073709551615"})
    CHECK(p.fred.first("toot chats 101 " + no) == "-ERR Write: GAME chats board [#number]");
  CHECK(p.fred.first("toot chats 107") == "-ERR There is no board 107 of Toot.");
  CHECK(has(p.fred.say("toot chats 102"), "  fred: another one\n"));
  p.hall.restart();
  TestClient stranger(p.hall);
  CHECK(stranger.say("toot chats 101") == said);
  // The numbers continue after a restart.
  User fred(p.hall, "fred");
  fred.say("toot chat 101 fred * : still there");
  CHECK(has(stranger.say("toot chats 101"), "\n   3  2026-11-21T12:01:00Z  fred: still there\n"));
}

TEST_CASE("what was not read is counted, for each who hears it", "[chats]") {
  Pair p;
  User betty(p.hall, "betty"), dino(p.hall, "dino");
  betty.say("toot subscribe 101 betty *");
  dino.say("toot subscribe 101 dino *");
  dino.say("block dino * fred");
  p.fred.say("toot move 101 BT");
  p.wilma.say("toot move 101 CO");
  p.fred.say("toot resign 101");
  const auto unread = [&](const std::string& userid) -> std::string {
    User user(p.hall, userid);
    const std::string line = user.say("toot info 101");
    const std::size_t at = line.find(", unread: ");
    return at == std::string::npos ? "" : line.substr(at + 10, 1);
  };
  p.fred.say("toot chat 101 fred * : one");
  p.fred.say("toot chat 101 fred * : two");
  betty.say("toot chat 101 betty * : three");
  CHECK(unread("wilma") == "3");
  CHECK(unread("fred") == "1");
  CHECK(unread("betty") == "2");
  CHECK(unread("dino") == "1");
  // Only the user sees the number of their unread lines.
  CHECK_FALSE(has(p.fred.say("boards wilma"), "unread"));
  CHECK(has(p.wilma.say("boards wilma"), "unread: 3"));
  p.hall.restart();
  CHECK(unread("wilma") == "3");
  User wilma(p.hall, "wilma"), fred(p.hall, "fred"), again(p.hall, "wilma");
  again.say("hello 2");
  again.say("watch");
  CHECK(fred.first("toot chats 101") == "+OK 3 lines on toot 101, 1 of them new.");
  CHECK(unread("wilma") == "3");
  CHECK(wilma.first("toot chats 101") == "+OK 3 lines on toot 101, 3 of them new.");
  CHECK(unread("wilma").empty());
  CHECK(wilma.first("toot chats 101") == "+OK 3 lines on toot 101.");
  // Another client of wilma receives the event.
  const std::string heard = again.heard();
  CHECK(has(heard, "* toot 101 now {board: toot-101, "));
  CHECK_FALSE(has(heard, "unread"));
  // Chats hide the lines of a blocked user.
  CHECK(has(User(p.hall, "dino").say("toot chats 101"),
            "+OK 1 line on toot 101, 1 of them new.\n   3  "));
  p.hall.restart();
  CHECK(unread("wilma").empty());
}

TEST_CASE("who watches a game that runs talks aside, and players read it when it is over",
          "[chats]") {
  Pair p;
  User betty(p.hall, "betty"), dino(p.hall, "dino"), barney(p.hall, "barney");
  for (User* user : {&betty, &dino}) {
    user->say("watch");
    user->say("toot subscribe 101");
  }
  p.fred.say("toot move 101 BT");
  p.fred.say("toot chat 101 : my first game");
  p.wilma.heard();
  betty.heard();
  dino.heard();
  CHECK(betty.first("toot chat 101 : CO wins") ==
        "+OK Said to those who watch toot 101: the players read it when the game is over.");
  CHECK(dino.heard() == "* toot 101 chat betty : CO wins\n");
  CHECK(p.wilma.heard().empty());
  // Absent players get no notification of it, and clients of players no event.
  User away(p.hall, "fred"), program(p.hall, "wilma");
  program.say("hello 2");
  CHECK_FALSE(has(program.say("watch"), "CO wins"));
  dino.say("toot chat 101 : so it does");
  CHECK(program.heard().empty());
  CHECK(has(program.say("toot info 101"), "unread: 1, "));
  const std::string among = betty.say("toot chats 101");
  CHECK(has(among, "+OK 3 lines on toot 101, 2 of them new.\n"));
  CHECK(has(among, "betty: CO wins\n"));
  CHECK(has(among, "dino: so it does\n"));
  // Players and users who do not watch cannot read it.
  for (const std::string& said : {p.fred.say("toot chats 101"), barney.say("toot chats 101"),
                                  TestClient(p.hall).say("toot chats 101")}) {
    CHECK(has(said, "+OK 1 line on toot 101.\n"));
    CHECK_FALSE(has(said, "CO wins"));
  }
  p.wilma.say("toot chat 101 : hm");
  CHECK(has(p.wilma.say("toot chats 101"), "+OK 2 lines on toot 101, 1 of them new.\n"));
  program.heard();
  betty.heard();
  p.fred.say("toot chats 101");
  p.hall.restart();
  User fred(p.hall, "fred"), wilma(p.hall, "wilma"), back(p.hall, "betty");
  wilma.say("toot move 101 CO");
  wilma.say("toot chat 101 : I resign");
  wilma.say("toot resign 101");
  CHECK(has(wilma.say("toot info 101"), ", unread: 2}"));
  CHECK(has(fred.say("toot info 101"), ", unread: 3}"));
  const std::string all = fred.say("toot chats 101");
  CHECK(has(all, "+OK 5 lines on toot 101, 3 of them new.\n"));
  CHECK(has(all, "   2  " + kAt + "  betty: CO wins\n"));
  fred.say("hello 2");
  CHECK_FALSE(has(fred.say("toot chats 101"), "new: true"));
  wilma.say("hello 2");
  const std::string marked = wilma.say("toot chats 101");
  INFO(marked);
  CHECK(has(marked, "by: betty, text: \"CO wins\", new: true}"));
  CHECK(has(marked, "by: dino, text: \"so it does\", new: true}"));
  CHECK(has(marked, "by: fred, text: \"my first game\"}"));
  CHECK(has(TestClient(p.hall).say("toot chats 101"), "CO wins"));
  // After the game players and watchers share one chat.
  fred.say("watch");
  CHECK(back.first("toot chat 101 : well played") == "+OK Said on toot 101.");
  CHECK(has(fred.heard(), "* toot 101 chat betty : well played\n"));
}

TEST_CASE("who watches and talks much pushes out nothing that the players said", "[chats]") {
  Pair p;
  p.hall.bounds = [](ServiceOptions& o) { o.texts_a_minute = 10'000; };
  p.hall.restart();
  User fred(p.hall, "fred"), betty(p.hall, "betty");
  fred.say("toot chat 101 : first");
  betty.say("toot subscribe 101");
  for (std::size_t i = 0; i < Chats::kMaxLines + 5; ++i)
    REQUIRE(has(betty.first("toot chat 101 : " + std::to_string(i)), "+OK Said to those"));
  const std::string said = betty.say("toot chats 101");
  CHECK(has(said, "+OK " + std::to_string(Chats::kMaxLines + 1) + " lines on toot 101.\n"));
  CHECK(has(said, "fred: first\n"));
  CHECK_FALSE(has(said, "betty: 4\n"));
  CHECK(has(said, "betty: 5\n"));
}

TEST_CASE("programs read what was said as maps, and hear that there is more", "[chats]") {
  Pair p;
  p.wilma.say("hello 2");
  p.fred.say("toot chat 101 fred * : one: \"two\"");
  const std::string heard = p.wilma.heard();
  CHECK(has(heard, "unread: 1, late: "));
  CHECK(heard.find("* toot 101 now ") < heard.find("* toot 101 chat fred : one"));
  p.wilma.say("toot chat 101 wilma * : three");
  const std::string said = p.wilma.say("toot chats 101");
  const std::string first =
      "{line: 1, at: " + kAt + ", by: fred, text: \"one: \\\"two\\\"\", new: true}";
  CHECK(said == "+OK 2 lines on toot 101, 1 of them new.\n" + first + "\n{line: 2, at: " + kAt +
                    ", by: wilma, text: three}\n.\n");
  const auto line = decode_chat(first);
  REQUIRE(line);
  CHECK(*line == ChatLine{1, p.hall.time, "fred", "one: \"two\"", true});
  CHECK(encode(*line) == first);
  CHECK_FALSE(decode_chat("{line: 0, by: fred, text: x}"));
  CHECK_FALSE(decode_chat("{line: 1, by: no body, text: x}"));
  CHECK_FALSE(decode_chat("[}"));
  CHECK(decode_chat("{line: 1, by: fred, text: \"a\\e[2Jb\\nc\"}")->text == "a?[2Jb?c");
}

TEST_CASE("what is said is answered and told when it is on disk", "[chats]") {
  Pair p;
  p.fred.send("toot chat 101 fred * : hello");
  CHECK(p.fred.heard().empty());
  CHECK(p.wilma.heard().empty());
  p.hall.settle();
  CHECK(p.fred.heard() == "+OK Said on toot 101.\n.\n");
  CHECK(p.wilma.heard() == "* toot 101 chat fred : hello\n");
}

TEST_CASE("of what is said on a board the last lines are kept", "[chats]") {
  Pair p;
  const std::size_t most = Chats::kMaxLines;
  for (std::size_t i = 1; i <= 2 * most + 5; ++i) {
    if (i % 30 == 0) p.hall.time += std::chrono::minutes(1);
    REQUIRE(p.fred.first("toot chat 101 fred * : line" + std::to_string(i)) ==
            "+OK Said on toot 101.");
  }
  const auto check = [&] {
    const std::string said = TestClient(p.hall).say("toot chats 101");
    CHECK(has(said, "+OK " + std::to_string(most) + " lines on toot 101.\n"));
    CHECK_FALSE(has(said, ": line" + std::to_string(most + 5) + "\n"));
    CHECK(has(said, ": line" + std::to_string(most + 6) + "\n"));
    CHECK(has(said, ": line" + std::to_string(2 * most + 5) + "\n"));
  };
  check();
  CHECK(p.hall.service().chats.lines("toot-101").size() == most);
  p.hall.restart();
  check();
  CHECK(has(User(p.hall, "wilma").say("toot info 101"), ", unread: " + std::to_string(most)));
}

TEST_CASE("what was said goes with its board, and comes back with it", "[chats]") {
  Pair p;
  const fs::path save = p.hall.directory / "toot-101.yaml",
                 away = p.hall.directory / ".deleted" / "toot-101.yaml";
  p.fred.say("toot chat 101 fred * : hello");
  p.wilma.say("toot resign 101 wilma * : not now");
  CHECK(p.fred.first("toot chats 101") == "-ERR There is no board 101 of Toot.");
  CHECK(p.hall.service().chats.unread("wilma", "toot-101") == 0);
  // A deleted board may come back, also while no server runs.
  p.hall.stop();
  fs::rename(away, save);
  p.hall.start();
  CHECK(has(User(p.hall, "fred").say("toot chats 101"), "fred: hello\n"));
  User(p.hall, "fred").say("toot chat 101 fred * : again");
  CHECK(p.hall.service().chats.unread("wilma", "toot-101") == 1);
  // If the save is removed for good, its chat is deleted and its number stays reserved.
  p.hall.stop();
  fs::rename(save, p.hall.directory / "kept");
  p.hall.start();
  CHECK_FALSE(p.hall.service().chats.has("toot-101"));
  CHECK(p.hall.service().chats.unread("wilma", "toot-101") == 0);
  // The same happens while the server runs.
  User fred(p.hall, "fred");
  CHECK(has(fred.first("toot challenge fred wilma : first"), "+OK Board 102 of Toot"));
  fred.say("toot chat 102 fred * : mine");
  fs::remove(p.hall.directory / "toot-102.yaml");
  fred.say("toot show 102");
  p.hall.service().chats.keep("toot-103", "dino", {"old"}, false, p.hall.time);
  CHECK(has(fred.first("toot challenge fred wilma"), "+OK Board 103 of Toot"));
  CHECK(fred.first("toot chats 103") == "+OK Nothing was said on toot 103.");
}

TEST_CASE("boards on which much is said at the same time do not mix", "[chats]") {
  Pair p;
  p.hall.bounds = [](ServiceOptions& o) {
    o.texts_a_minute = 10'000;
    o.unplayed_between_two = o.unplayed_begun = 1000;
    o.challenges_a_minute = 1000;
  };
  p.hall.restart();
  User fred(p.hall, "fred");
  for (int i = 0; i < 150; ++i) REQUIRE(has(fred.first("toot challenge fred wilma"), "+OK"));
  for (int round = 0; round < 3; ++round)
    for (int i = 101; i <= 251; ++i)
      fred.send("toot chat " + std::to_string(i) + " fred * : " + std::to_string(i) + "-" +
                std::to_string(round));
  p.hall.settle();
  fred.heard();
  for (int i = 101; i <= 251; i += 50) {
    const std::string said = fred.say("toot chats " + std::to_string(i));
    for (int round = 0; round < 3; ++round)
      CHECK(has(said, "fred: " + std::to_string(i) + "-" + std::to_string(round) + "\n"));
    CHECK(has(said, "+OK 3 lines"));
  }
}
