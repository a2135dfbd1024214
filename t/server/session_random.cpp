// SPDX-License-Identifier: MIT
// Random and mutated commands: each gets one well-formed reply, no user acts for
// another, and the files agree with the server.
#include <iostream>
#include <map>
#include <set>

#include "boards/local_boards.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

const Words kWords{"toot",
                   "plotto",
                   "chaos",
                   "flooprail",
                   "soccolot",
                   "help",
                   "list",
                   "standings",
                   "ratings",
                   "history",
                   "games",
                   "all",
                   "show",
                   "preview",
                   "save",
                   "signup",
                   "change",
                   "password",
                   "address",
                   "signoff",
                   "login",
                   "challenge",
                   "move",
                   "board",
                   "queue",
                   "submit",
                   "confirm",
                   "resign",
                   "chat",
                   "message",
                   "broadcast",
                   "subscribe",
                   "unsubscribe",
                   "limit",
                   "accept",
                   "reject",
                   "set",
                   "watch",
                   "fred",
                   "wilma",
                   "betty",
                   "nobody",
                   "secret",
                   "*",
                   "**",
                   ":",
                   "101",
                   "102",
                   "103",
                   "101#1",
                   "101#99",
                   "BT",
                   "CO#2",
                   "a1",
                   "b2",
                   "new",
                   "3",
                   "-size=7x9",
                   "-tootris",
                   "-tournament",
                   "next",
                   "active",
                   "inactive",
                   "none",
                   "propose",
                   "undo",
                   "pass",
                   "#",
                   "-",
                   ".",
                   "..",
                   "101#",
                   "\"",
                   "a1-c3",
                   "e4-c2",
                   "E2-F2",
                   "b5rs",
                   "99999999999999999999",
                   "\xE2\x80\xAE",
                   "\xC3\xA9",
                   "seek",
                   "sought",
                   "take",
                   "unseek",
                   "rematch",
                   "block",
                   "unblock",
                   "profile",
                   "people",
                   "lobby",
                   "boards",
                   "info",
                   "vacation",
                   "notices",
                   "computer",
                   "hello",
                   "admin",
                   "forfeit",
                   "annul",
                   "off",
                   "1",
                   "2",
                   "-pair",
                   "digest",
                   "CO:DT",
                   "*:DO",
                   "CO:DT.ET:AT",
                   "--nagtime=1",
                   "--forfeittime=none",
                   "--totaltime=x"};

// Lines with a meaning, to be sent as they are or mutated.
const Words kLines{"toot move 101 fred * BT",
                   "toot move 101 wilma * CO",
                   "toot 102 fred * AT#1",
                   "toot queue 101 wilma * DO",
                   "toot queue 102 fred secret BT",
                   "toot challenge fred wilma",
                   "plotto challenge fred wilma betty",
                   "plotto move 101 fred * a1",
                   "plotto move 101 wilma * a2",
                   "chaos challenge wilma fred -x",
                   "chaos challenge fred wilma",
                   "chaos move 101 fred * a1-c3",
                   "toot submit 101 fred * ET",
                   "toot confirm 101 fred *",
                   "toot resign 103 fred *",
                   "toot show 101 102",
                   "toot show fred all",
                   "toot games all",
                   "all show fred",
                   "toot chat 101 fred * : hello",
                   "message wilma * fred betty : hi",
                   "toot subscribe all betty *",
                   "toot unsubscribe all betty *",
                   "toot limit betty * 3",
                   "toot preview 101 AT BT",
                   "toot save 101",
                   "toot move 101 fred * propose",
                   "toot move 101 wilma * accept",
                   "toot move 101 wilma * undo",
                   "toot move 101 fred * reject",
                   "login fred secret",
                   "help toot",
                   "list",
                   "toot history",
                   "toot standings",
                   "toot seek fred *",
                   "toot seek fred * -tootris -pair",
                   "chaos seek wilma * --nagtime=2 --totaltime=30",
                   "sought toot",
                   "take 1 wilma *",
                   "take 2 betty *",
                   "unseek 1 fred *",
                   "toot challenge fred wilma -pair --forfeittime=none",
                   "toot rematch 101 fred *",
                   "toot rematch 102 wilma *",
                   "block fred * betty",
                   "unblock fred * betty",
                   "block wilma *",
                   "profile fred",
                   "people",
                   "lobby",
                   "boards fred",
                   "boards all #1",
                   "toot info 101",
                   "vacation fred * 3",
                   "vacation fred * off",
                   "vacation wilma *",
                   "set notices fred * digest 18:30",
                   "set notices fred * never",
                   "set computer betty * yes",
                   "set computer betty * no",
                   "toot queue 101 wilma * AT:BO CT:DO.ET:AO *:FO",
                   "toot queue 102 fred * BT.CO:DT",
                   "toot queue 101 wilma *",
                   "hello 2",
                   "keys",
                   "keys add abcdefgh",
                   "keys drop 1",
                   "keys label 1 the old one",
                   "key SHA256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa from 2001:db8::1",
                   "key name dino abcdefgh",
                   "key code",
                   "key mail fred",
                   "key confirm fred abcdefgh",
                   "invite dino",
                   "admin who",
                   "admin forfeit toot 101 fred"};

// Lines of the owner; none that closes a connection or stops sign-ins, as others expect replies.
const Words kOwnerLines{"admin who",
                        "admin stats",
                        "admin mute betty",
                        "admin unmute betty",
                        "admin forfeit toot 102 fred",
                        "admin forfeit toot 103 wilma",
                        "admin forfeit chaos 101 wilma",
                        "admin annul toot 101",
                        "admin annul plotto 101",
                        "admin announce : soon",
                        "admin close signups",
                        "admin open signups",
                        "admin keys fred",
                        "admin open invites",
                        "invite",
                        "admin rename nobody somebody",
                        "admin unban betty",
                        "admin ban nobody 3 : enough"};

std::string mutated(std::mt19937& random, std::string line) {
  for (std::size_t n = random_below(random, 3); n-- > 0;) {
    const std::size_t at = random_below(random, line.size() + 1);
    switch (random_below(random, 5)) {
      case 0: line.insert(at, 1, static_cast<char>(random_below(random, 256))); break;
      case 1: line.erase(at, random_below(random, 4)); break;
      case 2: line.insert(at, " " + kWords[random_below(random, kWords.size())] + " "); break;
      case 3: line = line.substr(0, at); break;
      default: line.insert(at, line.substr(0, random_below(random, line.size() + 1))); break;
    }
  }
  for (char& c : line)
    if (c == '\n') c = ' ';
  return line;
}

std::string random_line(std::mt19937& random) {
  if (random_below(random, 3) > 0)
    return random_below(random, 2) ? kLines[random_below(random, kLines.size())]
                                   : mutated(random, kLines[random_below(random, kLines.size())]);
  std::string line;
  for (std::size_t n = random_below(random, 8); n-- > 0;)
    line += kWords[random_below(random, kWords.size())] + (random_below(random, 9) ? " " : "");
  return line;
}

// Counts the replies in what a client received; fails the test if it is not replies and events.
std::size_t count_replies(const std::string& heard) {
  std::istringstream in(heard);
  std::size_t replies = 0;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    REQUIRE(safe_text(line) == line);
    if (inside) {
      REQUIRE((line.empty() || line[0] != '.' || line == "." || line.substr(0, 2) == ".."));
      inside = line != ".";
    } else if (line.substr(0, 2) != "* ") {
      REQUIRE((line.substr(0, 4) == "+OK " || line.substr(0, 5) == "-ERR "));
      CHECK_FALSE(contains(line, "A bug in the server"));
      ++replies;
      inside = true;
    }
  }
  REQUIRE_FALSE(inside);
  REQUIRE((heard.empty() || heard.back() == '\n'));
  return replies;
}

}  // namespace

TEST_CASE("random and mutated commands get one well-formed reply each, whatever they are",
          "[session][random]") {
  const unsigned seed = 20261121;
  std::cout << "seed " << seed << '\n';
  std::mt19937 random(seed);
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.signups_a_minute = 100'000; };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  TestClient nobody(hall);
  fred.say("watch");
  betty.say("watch");
  for (int i = 0; i < 3; ++i) fred.say("toot challenge fred wilma");
  TestClient owner(hall, PeerInfo{"uid 7", nullptr, 0, true});
  const std::vector<TestClient*> talks{&fred, &wilma, &betty, &nobody, &owner};
  for (TestClient* talk : talks) talk->take_received();
  for (int i = 0; i < 3000; ++i) {
    TestClient& talk = *talks[random_below(random, talks.size())];
    std::string line = &talk != &owner ? random_line(random)
                                       : kOwnerLines[random_below(random, kOwnerLines.size())];
    if (contains(line, "multiple") || contains(line, "quit")) continue;
    INFO("round " << i << ": " << line);
    talk.send(line);
    if (random_below(random, 2) == 0 || talk.session().is_busy()) hall.finish_work();
    hall.finish_work();
    REQUIRE(count_replies(talk.take_received()) == 1);
    for (TestClient* other : talks) REQUIRE(count_replies(other->take_received()) == 0);
    hall.time += std::chrono::seconds(random_below(random, 4));
  }
  // The boards in the files agree with the server's list.
  const std::string shown = nobody.say("toot games all");
  LocalBoards local(hall.directory, "");
  for (const BoardSummary& line : local.list()) {
    INFO(line.id << ": " << line.state());
    CHECK(line.load_error.empty());
    const std::size_t dash = line.id.rfind('-');
    CHECK(contains(nobody.say(line.id.substr(0, dash) + " show " + line.id.substr(dash + 1)),
                   line.id.substr(0, dash) + " " + line.id.substr(dash + 1) + ": " + line.state()));
  }
  hall.service().database.run("DELETE FROM board");
  hall.restart();
  CHECK(TestClient(hall).say("toot games all") == shown);
}

TEST_CASE("random bytes in a script get replies too, and the script ends", "[session][random]") {
  const unsigned seed = 7;
  std::cout << "seed " << seed << '\n';
  std::mt19937 random(seed);
  TestServer hall;
  User fred(hall, "fred");
  for (int round = 0; round < 50; ++round) {
    fred.send("multiple");
    std::size_t commands = 0;
    bool any = false;
    for (int i = 0; i < 20; ++i) {
      std::string line = random_line(random);
      if (contains(line, "quit") || trim(line) == ".") continue;
      if (random_below(random, 4) == 0) line.insert(0, " ");
      const bool text = !line.empty() && (line[0] == ' ' || line[0] == '\t') && any;
      if (!text) ++commands;
      any = true;
      fred.send(line);
    }
    fred.send(".");
    hall.finish_work();
    const std::string heard = fred.take_received();
    REQUIRE(count_replies(heard) == commands + 2);
    hall.time += std::chrono::seconds(60);
  }
}

TEST_CASE(
    "whatever order commands, turns and syncs come in, nothing is told that the files do not say",
    "[session][random]") {
  const unsigned seed = 4711;
  std::cout << "seed " << seed << '\n';
  std::mt19937 random(seed);
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  for (TestClient* talk : {static_cast<TestClient*>(&fred), static_cast<TestClient*>(&betty)})
    talk->say("watch");
  for (int i = 0; i < 4; ++i) fred.say("toot challenge -tootris -size=3x3 fred wilma");
  betty.say("toot subscribe all betty *");
  for (TestClient* talk : {static_cast<TestClient*>(&fred), static_cast<TestClient*>(&wilma),
                           static_cast<TestClient*>(&betty)})
    talk->take_received();
  std::map<TestClient*, std::size_t> sent, answered;
  std::map<std::string, std::set<std::string>>
      played;  // by board: the plies that got +OK, as "ply 3 AT"
  std::unique_ptr<SyncJob> out;
  int syncs = 0;
  const auto listen = [&] {
    for (TestClient* talk : {static_cast<TestClient*>(&fred), static_cast<TestClient*>(&wilma),
                             static_cast<TestClient*>(&betty)}) {
      const std::string heard = talk->take_received();
      answered[talk] += count_replies(heard);
      std::istringstream in(heard);
      for (std::string line; std::getline(in, line);)
        if (const auto at = line.find(" ply ");
            line.substr(0, 7) == "* toot " && at != std::string::npos) {
          // The ply of an event is in the file, or was before a take-back.
          const auto said = split_words(line);
          played[said[2]].insert(said[4]);
          const std::string file = read_bytes(hall.directory / ("toot-" + said[2] + ".yaml"));
          INFO(line);
          REQUIRE(contains(file, "- {move: " + said[6] + ","));
        }
    }
  };
  for (int i = 0; i < 4000; ++i) {
    const std::string board = std::to_string(101 + random_below(random, 4)),
                      cell = std::string(1, static_cast<char>('A' + random_below(random, 3))) +
                             (random_below(random, 2) ? "T" : "O");
    switch (random_below(random, 9)) {
      case 0: hall.service().commit(); break;
      case 1:
        hall.time += std::chrono::seconds(1);
        if (out) {
          out->run();
          hall.service().finish(std::move(out));
        } else {
          out = hall.service().take_sync();
          syncs += out != nullptr;
        }
        break;
      case 2:
        betty.send("toot show " + board);
        ++sent[&betty];
        break;
      default: {
        const bool first = random_below(random, 2) == 0;
        User& user = first ? fred : wilma;
        user.send("toot " + std::string(random_below(random, 4) ? "move " : "queue ") + board +
                  (first ? " fred * " : " wilma * ") + cell);
        ++sent[&user];
      }
    }
    listen();
  }
  if (out) {
    out->run();
    hall.service().finish(std::move(out));
  }
  CHECK(syncs > 10);
  hall.finish_work();
  listen();
  for (const auto& [talk, n] : sent) CHECK(answered[talk] == n);
  std::string shown;
  for (int b = 101; b <= 104; ++b)
    shown +=
        betty.say("toot save " + std::to_string(b)) + betty.say("toot show " + std::to_string(b));
  CHECK(played.size() == 4);
  hall.restart();
  TestClient t(hall);
  std::string again;
  for (int b = 101; b <= 104; ++b)
    again += t.say("toot save " + std::to_string(b)) + t.say("toot show " + std::to_string(b));
  CHECK(again == shown);
}
