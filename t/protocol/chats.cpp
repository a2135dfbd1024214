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
  ServerPair p;
  CHECK(p.fred.say("toot chats 101") == "+OK No chat on toot 101.\n.\n");
  p.fred.say("toot chat 101 fred * : good luck");
  p.server.time += std::chrono::minutes(1);
  p.fred.say("toot move 101 fred * BT : your turn");
  p.fred.say("toot challenge fred wilma : another one");
  const std::string said = "+OK 2 lines on toot 101.\n   1  " + kAt +
                           "  fred: good luck\n   2  2026-11-21T12:01:00Z  fred: your turn\n.\n";
  CHECK(p.fred.say("toot chats 101") == said);
  CHECK(p.fred.say("toot chats 101 #1") ==
        "+OK 1 line on toot 101.\n   2  2026-11-21T12:01:00Z  fred: your turn\n.\n");
  CHECK(p.fred.say("toot chats 101 #2") == "+OK No more chat on toot 101.\n.\n");
  for (const std::string no : {"2", "#18446744073709551615"})
    CHECK(p.fred.first_reply_line("toot chats 101 " + no) ==
          "-ERR Write: GAME chats board [#number]");
  CHECK(p.fred.first_reply_line("toot chats 107") == "-ERR There is no board 107 of Toot.");
  CHECK(contains(p.fred.say("toot chats 102"), "  fred: another one\n"));
  p.server.restart();
  TestClient stranger(p.server);
  CHECK(stranger.say("toot chats 101") == said);
  // The numbers continue after a restart.
  User fred(p.server, "fred");
  fred.say("toot chat 101 fred * : still there");
  CHECK(contains(stranger.say("toot chats 101"),
                 "\n   3  2026-11-21T12:01:00Z  fred: still there\n"));
}

TEST_CASE("what was not read is counted, for each who hears it", "[chats]") {
  ServerPair p;
  User betty(p.server, "betty"), dino(p.server, "dino");
  betty.say("toot subscribe 101 betty *");
  dino.say("toot subscribe 101 dino *");
  dino.say("block dino * fred");
  p.fred.say("toot move 101 BT");
  p.wilma.say("toot move 101 CO");
  p.fred.say("toot resign 101");
  const auto unread = [&](const std::string& userid) -> std::string {
    User user(p.server, userid);
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
  CHECK_FALSE(contains(p.fred.say("boards wilma"), "unread"));
  CHECK(contains(p.wilma.say("boards wilma"), "unread: 3"));
  p.server.restart();
  CHECK(unread("wilma") == "3");
  User wilma(p.server, "wilma"), fred(p.server, "fred"), again(p.server, "wilma");
  again.say("hello 2");
  again.say("watch");
  CHECK(fred.first_reply_line("toot chats 101") == "+OK 3 lines on toot 101, 1 of them new.");
  CHECK(unread("wilma") == "3");
  CHECK(wilma.first_reply_line("toot chats 101") == "+OK 3 lines on toot 101, 3 of them new.");
  CHECK(unread("wilma").empty());
  CHECK(wilma.first_reply_line("toot chats 101") == "+OK 3 lines on toot 101.");
  // Another client of wilma receives the event.
  const std::string heard = again.take_received();
  CHECK(contains(heard, "* toot 101 now {board: toot-101, "));
  CHECK_FALSE(contains(heard, "unread"));
  // Chats hide the lines of a blocked user.
  CHECK(contains(User(p.server, "dino").say("toot chats 101"),
                 "+OK 1 line on toot 101, 1 of them new.\n   3  "));
  p.server.restart();
  CHECK(unread("wilma").empty());
}

TEST_CASE("who watches a game that runs talks aside, and players read it when it is over",
          "[chats]") {
  ServerPair p;
  User betty(p.server, "betty"), dino(p.server, "dino"), barney(p.server, "barney");
  for (User* user : {&betty, &dino}) {
    user->say("watch");
    user->say("toot subscribe 101");
  }
  p.fred.say("toot move 101 BT");
  p.fred.say("toot chat 101 : my first game");
  p.wilma.take_received();
  betty.take_received();
  dino.take_received();
  CHECK(betty.first_reply_line("toot chat 101 : CO wins") ==
        "+OK Sent to the watchers of toot 101. The players see it after the game.");
  CHECK(dino.take_received() == "* toot 101 chat betty : CO wins\n");
  CHECK(p.wilma.take_received().empty());
  // Absent players get no notification of it, and clients of players no event.
  User away(p.server, "fred"), program(p.server, "wilma");
  program.say("hello 2");
  CHECK_FALSE(contains(program.say("watch"), "CO wins"));
  dino.say("toot chat 101 : so it does");
  CHECK(program.take_received().empty());
  CHECK(contains(program.say("toot info 101"), "unread: 1, "));
  const std::string among = betty.say("toot chats 101");
  CHECK(contains(among, "+OK 3 lines on toot 101, 2 of them new.\n"));
  CHECK(contains(among, "betty: CO wins\n"));
  CHECK(contains(among, "dino: so it does\n"));
  // Players and users who do not watch cannot read it.
  for (const std::string& said : {p.fred.say("toot chats 101"), barney.say("toot chats 101"),
                                  TestClient(p.server).say("toot chats 101")}) {
    CHECK(contains(said, "+OK 1 line on toot 101.\n"));
    CHECK_FALSE(contains(said, "CO wins"));
  }
  p.wilma.say("toot chat 101 : hm");
  CHECK(contains(p.wilma.say("toot chats 101"), "+OK 2 lines on toot 101, 1 of them new.\n"));
  program.take_received();
  betty.take_received();
  p.fred.say("toot chats 101");
  p.server.restart();
  User fred(p.server, "fred"), wilma(p.server, "wilma"), back(p.server, "betty");
  wilma.say("toot move 101 CO");
  wilma.say("toot chat 101 : I resign");
  wilma.say("toot resign 101");
  CHECK(contains(wilma.say("toot info 101"), ", unread: 2}"));
  CHECK(contains(fred.say("toot info 101"), ", unread: 3}"));
  const std::string all = fred.say("toot chats 101");
  CHECK(contains(all, "+OK 5 lines on toot 101, 3 of them new.\n"));
  CHECK(contains(all, "   2  " + kAt + "  betty: CO wins\n"));
  fred.say("hello 2");
  CHECK_FALSE(contains(fred.say("toot chats 101"), "new: true"));
  wilma.say("hello 2");
  const std::string marked = wilma.say("toot chats 101");
  INFO(marked);
  CHECK(contains(marked, "by: betty, text: \"CO wins\", new: true}"));
  CHECK(contains(marked, "by: dino, text: \"so it does\", new: true}"));
  CHECK(contains(marked, "by: fred, text: \"my first game\"}"));
  CHECK(contains(TestClient(p.server).say("toot chats 101"), "CO wins"));
  // After the game players and watchers share one chat.
  fred.say("watch");
  CHECK(back.first_reply_line("toot chat 101 : well played") == "+OK Sent to toot 101.");
  CHECK(contains(fred.take_received(), "* toot 101 chat betty : well played\n"));
}

TEST_CASE("who watches and talks much pushes out nothing that the players said", "[chats]") {
  ServerPair p;
  p.server.change_options = [](ServiceOptions& o) { o.texts_a_minute = 10'000; };
  p.server.restart();
  User fred(p.server, "fred"), betty(p.server, "betty");
  fred.say("toot chat 101 : first");
  betty.say("toot subscribe 101");
  for (std::size_t i = 0; i < Chats::kMaxLines + 5; ++i)
    REQUIRE(contains(betty.first_reply_line("toot chat 101 : " + std::to_string(i)),
                     "+OK Sent to the watchers"));
  const std::string said = betty.say("toot chats 101");
  CHECK(contains(said, "+OK " + std::to_string(Chats::kMaxLines + 1) + " lines on toot 101.\n"));
  CHECK(contains(said, "fred: first\n"));
  CHECK_FALSE(contains(said, "betty: 4\n"));
  CHECK(contains(said, "betty: 5\n"));
}

TEST_CASE("programs read what was said as maps, and hear that there is more", "[chats]") {
  ServerPair p;
  p.wilma.say("hello 2");
  p.fred.say("toot chat 101 fred * : one: \"two\"");
  const std::string heard = p.wilma.take_received();
  CHECK(contains(heard, "unread: 1, late: "));
  CHECK(heard.find("* toot 101 now ") < heard.find("* toot 101 chat fred : one"));
  p.wilma.say("toot chat 101 wilma * : three");
  const std::string said = p.wilma.say("toot chats 101");
  const std::string first =
      "{line: 1, at: " + kAt + ", by: fred, text: \"one: \\\"two\\\"\", new: true}";
  CHECK(said == "+OK 2 lines on toot 101, 1 of them new.\n" + first + "\n{line: 2, at: " + kAt +
                    ", by: wilma, text: three}\n.\n");
  const auto line = decode_chat(first);
  REQUIRE(line);
  CHECK(*line == ChatLine{1, p.server.time, "fred", "one: \"two\"", true});
  CHECK(encode(*line) == first);
  CHECK_FALSE(decode_chat("{line: 0, by: fred, text: x}"));
  CHECK_FALSE(decode_chat("{line: 1, by: no body, text: x}"));
  CHECK_FALSE(decode_chat("[}"));
  CHECK(decode_chat("{line: 1, by: fred, text: \"a\\e[2Jb\\nc\"}")->text == "a?[2Jb?c");
}

TEST_CASE("what is said is answered and told when it is on disk", "[chats]") {
  ServerPair p;
  p.fred.send("toot chat 101 fred * : hello");
  CHECK(p.fred.take_received().empty());
  CHECK(p.wilma.take_received().empty());
  p.server.finish_work();
  CHECK(p.fred.take_received() == "+OK Sent to toot 101.\n.\n");
  CHECK(p.wilma.take_received() == "* toot 101 chat fred : hello\n");
}

TEST_CASE("of what is said on a board the last lines are kept", "[chats]") {
  ServerPair p;
  const std::size_t most = Chats::kMaxLines;
  for (std::size_t i = 1; i <= 2 * most + 5; ++i) {
    if (i % 30 == 0) p.server.time += std::chrono::minutes(1);
    REQUIRE(p.fred.first_reply_line("toot chat 101 fred * : line" + std::to_string(i)) ==
            "+OK Sent to toot 101.");
  }
  const auto check = [&] {
    const std::string said = TestClient(p.server).say("toot chats 101");
    CHECK(contains(said, "+OK " + std::to_string(most) + " lines on toot 101.\n"));
    CHECK_FALSE(contains(said, ": line" + std::to_string(most + 5) + "\n"));
    CHECK(contains(said, ": line" + std::to_string(most + 6) + "\n"));
    CHECK(contains(said, ": line" + std::to_string(2 * most + 5) + "\n"));
  };
  check();
  CHECK(p.server.service().chats.lines("toot-101").size() == most);
  p.server.restart();
  check();
  CHECK(
      contains(User(p.server, "wilma").say("toot info 101"), ", unread: " + std::to_string(most)));
}

TEST_CASE("what was said goes with its board, and comes back with it", "[chats]") {
  ServerPair p;
  const fs::path save = p.server.directory / "toot-101.yaml",
                 away = p.server.directory / ".deleted" / "toot-101.yaml";
  p.fred.say("toot chat 101 fred * : hello");
  p.wilma.say("toot resign 101 wilma * : not now");
  CHECK(p.fred.first_reply_line("toot chats 101") == "-ERR There is no board 101 of Toot.");
  CHECK(p.server.service().chats.unread_count("wilma", "toot-101") == 0);
  // A deleted board may come back, also while no server runs.
  p.server.stop();
  fs::rename(away, save);
  p.server.start();
  CHECK(contains(User(p.server, "fred").say("toot chats 101"), "fred: hello\n"));
  User(p.server, "fred").say("toot chat 101 fred * : again");
  CHECK(p.server.service().chats.unread_count("wilma", "toot-101") == 1);
  // If the save is removed for good, its chat is deleted and its number stays reserved.
  p.server.stop();
  fs::rename(save, p.server.directory / "kept");
  p.server.start();
  CHECK_FALSE(p.server.service().chats.has_chat("toot-101"));
  CHECK(p.server.service().chats.unread_count("wilma", "toot-101") == 0);
  // The same happens while the server runs.
  User fred(p.server, "fred");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma : first"),
                 "+OK Board 102 of Toot"));
  fred.say("toot chat 102 fred * : mine");
  fs::remove(p.server.directory / "toot-102.yaml");
  fred.say("toot show 102");
  p.server.service().chats.add_lines("toot-103", "dino", {"old"}, false, p.server.time);
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 103 of Toot"));
  CHECK(fred.first_reply_line("toot chats 103") == "+OK No chat on toot 103.");
}

TEST_CASE("boards on which much is said at the same time do not mix", "[chats]") {
  ServerPair p;
  p.server.change_options = [](ServiceOptions& o) {
    o.texts_a_minute = 10'000;
    o.unplayed_between_two = o.unplayed_begun = 1000;
    o.challenges_a_minute = 1000;
  };
  p.server.restart();
  User fred(p.server, "fred");
  for (int i = 0; i < 150; ++i)
    REQUIRE(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK"));
  for (int round = 0; round < 3; ++round)
    for (int i = 101; i <= 251; ++i)
      fred.send("toot chat " + std::to_string(i) + " fred * : " + std::to_string(i) + "-" +
                std::to_string(round));
  p.server.finish_work();
  fred.take_received();
  for (int i = 101; i <= 251; i += 50) {
    const std::string said = fred.say("toot chats " + std::to_string(i));
    for (int round = 0; round < 3; ++round)
      CHECK(contains(said, "fred: " + std::to_string(i) + "-" + std::to_string(round) + "\n"));
    CHECK(contains(said, "+OK 3 lines"));
  }
}
