// SPDX-License-Identifier: MIT
// Notifications of players who are away, by an external program.
#include "server/tables/notifications.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/wait_set.hpp"
#include "base/text.hpp"
#include "child.hpp"
#include "run.hpp"
#include "terminal.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// A server that never runs its program; instead the test reads what the program would get.
struct NotifyingServer {
  NotifyingServer() {
    server.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/false"; };
    server.restart();
  }
  // Returns "userid: text" of all notifications that are due, and reports them as sent.
  std::string take_sent() {
    std::string out;
    while (auto job = server.service().notifier.take_due()) {
      out += job->userid + ": " + job->variables.back() + "\n" + job->text;
      server.service().finish(std::move(job));
      server.finish_work();
    }
    return out;
  }
  // Returns how long it is until the next notification.
  std::optional<SteadyTime::duration> time_to_next() {
    const auto due = server.service().next_notification_due();
    return due ? std::optional(*due - server.service().moment()) : std::nullopt;
  }
  TestServer server;
};

}  // namespace

TEST_CASE("a choice of notifications is read as it is written", "[notices]") {
  for (const char* text : {"never", "challenges", "turns", "digest 00:00", "digest 23:59"}) {
    const auto wish = read_notification_choice(text);
    REQUIRE(wish);
    CHECK(to_string(*wish) == text);
  }
  for (const char* text : {"", "always", "digest", "digest 24:00", "digest 7:00", "digest 12:60",
                           "digest 1200", "digest 12:30 "})
    CHECK_FALSE(read_notification_choice(text));
}

TEST_CASE("an absent player is notified of a challenge at once, of turns every ten minutes",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("toot challenge fred wilma");
  CHECK(contains(t.take_sent(),
                 "wilma: PBMPLAY_TEXT=Toot 101: fred challenges you\n"
                 "fred challenges you to Toot. You need not do anything yet."));
  // The first goes at once, the next one together with the turns.
  fred.say("toot challenge wilma fred");
  CHECK(t.take_sent().empty());
  CHECK(t.time_to_next() == SteadyTime::duration(10min));
  fred.say("toot move 101 fred * BT");
  CHECK(t.take_sent().empty());
  CHECK(t.time_to_next() == SteadyTime::duration(10min));
  hall.time += 9min;
  CHECK(t.take_sent().empty());
  hall.time += 1min;
  CHECK(contains(t.take_sent(), "wilma: PBMPLAY_TEXT=2 boards wait for you\n"));
  CHECK_FALSE(t.time_to_next());
  // No notification for a player who watched, or who signed in in between.
  {
    User wilma(hall, "wilma");
    wilma.say("watch");
    wilma.say("toot move 101 wilma * CO");
    fred.say("toot move 101 fred * CT");
    CHECK_FALSE(t.time_to_next());
    wilma.say("toot move 101 wilma * DO");
    wilma.say("toot move 102 wilma * DO");
  }
  fred.say("toot move 101 fred * DT");
  REQUIRE(t.time_to_next());
  User wilma(hall, "wilma");
  wilma.say("toot move 101 wilma * ET");
  hall.time += 10min;
  CHECK(t.take_sent().empty());
}

TEST_CASE("a player who has acted since the last notification gets the next one at once",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  const auto act = [&](const std::string& line) { TestClient(hall, "wilma").say(line); };
  fred.say("toot challenge fred wilma");
  CHECK(contains(t.take_sent(), "wilma: "));
  // The turn waits, because she got a mail just now; but not after she has acted.
  fred.say("toot 101 BT");
  CHECK(t.time_to_next() == SteadyTime::duration(10min));
  act("toot show 101");
  CHECK(t.time_to_next() == SteadyTime::duration(0));
  CHECK(contains(t.take_sent(), "Toot 101: fred challenges you, your turn\n"));
  // The same if she acts while a notification goes out.
  act("toot 101 CO");
  fred.say("message wilma : hello");
  auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  {
    TestClient mail(hall, "wilma");
    fred.say("toot 101 CT");
  }
  hall.service().finish(std::move(job));
  hall.finish_work();
  CHECK(t.time_to_next() == SteadyTime::duration(0));
  CHECK(contains(t.take_sent(), "Toot 101: your turn against fred\n"));
  // The same if nothing was left to send meanwhile.
  fred.say("toot challenge fred wilma");
  t.take_sent();
  fred.say("toot 102 BT");
  {
    TestClient mail(hall, "wilma");
    mail.say("toot 101 DO");
    mail.say("toot 102 DO");
  }
  CHECK(t.take_sent().empty());
  fred.say("toot 101 DT");
  CHECK(t.time_to_next() == SteadyTime::duration(0));
  CHECK(contains(t.take_sent(), "Toot 101: your turn against fred\n"));
  // A digest keeps its time.
  act("set notices digest 00:00");
  fred.say("toot 102 DT");
  const auto due = t.time_to_next();
  act("toot show 102");
  CHECK(t.time_to_next() == due);
}

TEST_CASE(
    "answered notifications count against no limit, others only one a day after the twentieth",
    "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("chaos challenge fred wilma");
  const auto chat = [&] {
    fred.say("chaos chat 101 : hello");
    return !t.take_sent().empty();
  };
  CHECK(chat());
  for (int i = 0; i < 50; ++i) {
    TestClient(hall, "wilma").say("chaos show 101");
    CHECK(chat());
    hall.time += 10s;
  }
  // The last one is the first that stays unanswered.
  int runs = 1;
  for (int i = 0; i < 100; ++i) {
    hall.time += 10min;
    runs += chat();
  }
  CHECK(runs == 20);
  hall.restart();
  User(hall, "fred").say("toot challenge fred wilma");
  for (int day = 0; day < 3; ++day) {
    INFO(day);
    hall.time += 24h;
    CHECK(contains(t.take_sent(), "This is the last mail for a day"));
    User(hall, "fred").say("chaos chat 101 : hello");
    hall.time += 23h;
    CHECK(t.take_sent().empty());
  }
  TestClient(hall, "wilma").say("chaos show 101");
  CHECK(contains(t.take_sent(), "hello"));
  User(hall, "fred").say("chaos chat 101 : hello");
  hall.time += 10min;
  CHECK(contains(t.take_sent(), "hello"));
}

TEST_CASE(
    "a command that succeeds counts as acting, also with a password, a sign-in for a mail not",
    "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  hall.service().accounts.set("wilma", &Account::address, "w@ex.test");
  User fred(hall, "fred");
  const auto is_held = [&] { return t.time_to_next() == SteadyTime::duration(10min); };
  fred.say("toot challenge fred wilma");
  REQUIRE(contains(t.take_sent(), "wilma: "));
  fred.say("toot 101 BT");
  REQUIRE(is_held());
  {
    // An answer of a mail program that is on vacation causes only refusals.
    TestClient gateway(hall, PeerInfo{"pbm", [](const std::string&) { return Success{}; }});
    REQUIRE(contains(gateway.first_reply_line("as wilma w@ex.test"), "+OK"));
    REQUIRE(contains(gateway.first_reply_line("toot move 101 I am away#2-1"), "-ERR"));
  }
  TestClient anybody(hall);
  // Public commands and wrong passwords prove nothing.
  REQUIRE(contains(anybody.first_reply_line("toot showas wilma 101"), "+OK"));
  REQUIRE(contains(anybody.first_reply_line("toot move 101 wilma wrong CO"), "-ERR"));
  REQUIRE(contains(anybody.first_reply_line("toot move 101 wilma secret ZZ"), "-ERR"));
  CHECK(is_held());
  SECTION("a password") {
    REQUIRE(contains(anybody.first_reply_line("message wilma secret fred : hello"), "+OK"));
    CHECK(t.time_to_next() == SteadyTime::duration(0));
    CHECK(contains(t.take_sent(), "Toot 101: fred challenges you, your turn\n"));
  }
  SECTION("an event between the sign-in and the command") {
    {
      TestClient gateway(hall, PeerInfo{"pbm", [](const std::string&) { return Success{}; }});
      gateway.say("as wilma w@ex.test");
      REQUIRE(contains(gateway.first_reply_line("toot move 101 CO"), "+OK"));
      CHECK(t.take_sent().empty());
    }
    CHECK(t.take_sent().empty());  // nothing is left to send
    fred.say("toot 101 CT");
    CHECK(contains(t.take_sent(), "Toot 101: your turn against fred\n"));
    fred.say("message wilma : one");
    CHECK(is_held());
    {
      TestClient gateway(hall, PeerInfo{"pbm", [](const std::string&) { return Success{}; }});
      gateway.say("as wilma w@ex.test");
      fred.say("message wilma : two");
      CHECK(contains(gateway.first_reply_line("toot show 101"), "+OK"));
      fred.say("message wilma : three");
    }
    CHECK(t.time_to_next() == SteadyTime::duration(0));
    CHECK(contains(t.take_sent(), "one\nfred to you: two\nfred to you: three\n"));
  }
  SECTION("a restart") {
    hall.time += 1min;
    { TestClient(hall, "wilma").say("vacation"); }
    hall.restart();
    CHECK(contains(t.take_sent(), "Toot 101: fred challenges you, your turn\n"));
    User(hall, "fred").say("message wilma : hello");
    CHECK(is_held());
    hall.restart();
    CHECK(is_held());
    { TestClient(hall, "wilma").say("vacation"); }
    hall.restart();
    User(hall, "fred").say("message wilma : again");
    CHECK(contains(t.take_sent(), "again\n"));
  }
}

TEST_CASE("a player who acts by password at the limit of mails gets them at once again",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  const auto chat = [&] {
    User(hall, "fred").say("toot chat 101 : hello");
    return !t.take_sent().empty();
  };
  User(hall, "fred").say("toot challenge fred wilma");
  for (int i = 0; i < 30; ++i) {
    hall.time += 10min;
    chat();
  }
  CHECK_FALSE(chat());
  SECTION("while the server runs") {}
  SECTION("and a restart follows") { hall.restart(); }
  REQUIRE(contains(TestClient(hall).first_reply_line("message wilma secret fred : hi"), "+OK"));
  hall.restart();
  for (int i = 0; i < 3; ++i) {
    hall.time += 10min;
    CHECK(chat());
  }
}

TEST_CASE("a digest at the limit of mails keeps its hour", "[notices]") {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  NotifyingServer t;
  TestServer& hall = t.server;
  { User(hall, "wilma").say("set notices digest 18:30"); }
  for (int i = 0; i < 20; ++i)
    hall.service().notifier.addresses().count_mail("wilma", MailKind::notification, hall.time);
  hall.restart();
  User fred(hall, "fred");
  fred.say("message wilma : hello");
  SECTION("it goes on the next day, also if the player acts meanwhile") {
    hall.time = *read_iso_time("2026-11-21T18:30:00Z");
    CHECK(t.take_sent().empty());
    CHECK(t.time_to_next() == SteadyTime::duration(24h));
    { TestClient(hall, "wilma").say("vacation"); }
    CHECK(t.time_to_next() == SteadyTime::duration(24h));
    hall.time += 24h;
    CHECK(contains(t.take_sent(), "hello\n"));
  }
  SECTION("it comes each day, although the program takes a while") {
    hall.time = *read_iso_time("2026-11-22T18:30:00Z");
    for (int day = 0; day < 3; ++day) {
      INFO(day);
      auto job = hall.service().notifier.take_due();
      REQUIRE(job);
      CHECK(contains(job->text, "This is the last mail for a day"));
      hall.time += 40s;
      hall.service().finish(std::move(job));
      hall.finish_work();
      fred.say("message wilma : hello");
      CHECK(t.time_to_next() == SteadyTime::duration(24h - 40s));
      hall.time += 24h - 40s;
    }
  }
}

TEST_CASE("a notification about a board that cannot be read says so", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User(hall, "fred").say("toot challenge fred wilma");
  t.take_sent();
  hall.stop();
  std::ofstream(hall.directory / "toot-101.yaml") << "format: 1\ngame: toot\nnonsense\n";
  hall.start();
  Notifier& notifier = hall.service().notifier;
  notifier.schedule(*hall.service().accounts.find("wilma"), read_board_id("toot-101"), false);
  hall.time += 10min;
  const std::string sent = t.take_sent();
  INFO(sent);
  CHECK(contains(sent, "\ntoot-101: "));
}

TEST_CASE("challenges cause at most twenty notifications a day", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  int runs = 0;
  for (int i = 101; i < 300; ++i) {
    REQUIRE(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board"));
    runs += !t.take_sent().empty();
    fred.say("toot resign " + std::to_string(i) + " fred *");
    hall.time += 7min;
  }
  CHECK(runs == 20);
  // The rest goes after a day.
  fred.say("toot challenge fred wilma");
  CHECK(t.take_sent().empty());
  hall.time += 2h;
  CHECK(t.take_sent().empty());
  hall.time += 22h;
  CHECK(contains(t.take_sent(), "1 new game"));
}

TEST_CASE("a notification has the end of a game, refusals, the board and the chat", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  User fred(hall, "fred");
  {
    User wilma(hall, "wilma");
    fred.say("toot challenge fred wilma -size=4x3");
    fred.say("toot move 101 fred * BT");
    wilma.say("toot move 101 wilma * CO");
    wilma.say("toot challenge wilma fred");
  }
  hall.time += 1h;
  t.take_sent();
  hall.time += 1h;
  fred.say("toot resign 102 fred *");
  fred.say("message fred * wilma : good luck");
  fred.say("toot resign 101 fred * : well played");
  hall.time += 1s;
  CHECK(t.take_sent() ==
        "wilma: PBMPLAY_TEXT=1 game is over, 1 board is gone and 2 messages\n"
        "toot-102: fred refused the challenge.\n"
        "fred to you: good luck\n"
        "toot-101: fred (TOOT) resigns.\n"
        "toot-101: wilma (OTTO) wins. fred resigned.\n"
        "toot-101: fred: well played\n"
        "\n"
        "Toot 101: you won\n"
        "\n"
        "A B C D\n. . . .\n. . . .\n. T O .\n"
        "\n"
        "fred has 2 T 3 O and wilma has 3 T 2 O.\n"
        "wilma (OTTO) wins. fred resigned.\n");
  // It was told, and is not told again.
  hall.time += 1h;
  fred.say("toot challenge wilma fred");
  const std::string told = t.take_sent();
  CHECK(contains(told, "PBMPLAY_TEXT=Toot 103: fred challenges you, your turn\n"));
  CHECK_FALSE(contains(told, "resign"));
}

TEST_CASE("an address counts once its owner has confirmed the code", "[notices][accounts]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  TestClient fred(hall, "fred");
  // Returns the job that sends a code, and its address with the code.
  const auto code = [&] {
    auto job = hall.service().notifier.take_due();
    REQUIRE(job);
    CHECK(job->variables.at(0) == "PBMPLAY_USER=wilma");
    const std::string said = job->variables.at(3);
    REQUIRE(said.size() == 21);
    REQUIRE(contains(said, "PBMPLAY_CODE="));
    CHECK(job->variables.back() == "PBMPLAY_TEXT=the code for wilma is " + said.substr(13));
    CHECK(contains(job->text, "confirm address " + said.substr(13) + "\n"));
    const std::string out = job->variables.at(1).substr(16) + " " + said.substr(13);
    job->run();  // fails
    return std::pair(std::move(job), out);
  };
  const auto sent_code = [&] {
    auto [job, out] = code();
    hall.service().notifier.addresses().count_mail(job->receiver, MailKind::code,
                                                   hall.time);  // as if it was sent
    return std::string(out);
  };
  TestClient wilma(hall, "wilma");
  CHECK(wilma.first_reply_line("confirm address abcdefgh") ==
        "-ERR wilma has no address to confirm.");
  CHECK(wilma.first_reply_line("change address w@example.org") ==
        "+OK wilma has no address. w@example.org is not confirmed yet. The server sends it a code. "
        "Then type confirm address and the code.");
  CHECK(wilma.first_reply_line("set notices") ==
        "+OK While you are away, you get notifications of turns, challenges and messages. "
        "w@example.org is not confirmed yet. The server sends it a code. Then type confirm address "
        "and the code.");
  // The code goes out although she is connected. After a failure it is not valid.
  {
    auto [job, out] = code();
    hall.service().finish(std::move(job));
    CHECK(contains(hall.service().take_errors().at(0), "no mail went to the address of wilma: "));
    CHECK(contains(wilma.first_reply_line("confirm address " + split_words(out)[1]),
                   "-ERR The server sent no code to w@"));
  }
  wilma.say("change address w@example.org");
  const std::string out = sent_code();
  CHECK(contains(out, "w@example.org "));
  wilma.say("login wilma secret");
  CHECK(wilma.first_reply_line("confirm address abcdefgh") ==
        "-ERR That is not the code that we sent to w@example.org.");
  // Another user cannot confirm with it.
  CHECK(contains(fred.first_reply_line("confirm address " + split_words(out)[1]),
                 "-ERR fred has no address"));
  CHECK(wilma.first_reply_line("confirm address " + upper(split_words(out)[1])) ==
        "+OK The address of wilma is w@example.org.");
  CHECK(contains(wilma.first_reply_line("confirm address " + split_words(out)[1]),
                 "-ERR wilma has no address"));
  // The old address stays until a new one is confirmed. Five wrong codes make the new one invalid.
  hall.time += 1h;
  CHECK(
      contains(wilma.first_reply_line("change address new@example.org"),
               "+OK The address of wilma is w@example.org. new@example.org is not confirmed yet"));
  const std::string next = split_words(sent_code())[1];
  for (int i = 0; i < 5; ++i)
    CHECK(contains(wilma.first_reply_line("confirm address " + std::string(8, char('b' + i))),
                   "-ERR That is not"));
  CHECK(wilma.first_reply_line("confirm address " + next) ==
        "-ERR The code for new@example.org is no longer valid. Type change address to get a new "
        "one.");
  // An address gets one code an hour, for all userids, also after a restart. It lasts a week.
  hall.restart();
  TestClient again(hall, "wilma"), betty(hall);
  for (TestClient* who : {&again, &betty})
    CHECK(who->first_reply_line(who == &betty ? "signup betty secret new+x@EXAMPLE.org"
                                              : "change address new@example.org") ==
          "-ERR That address got a code within the last hour. Try again in an hour.");
  hall.time += 1h;
  again.say("change address new@example.org");
  const std::string last = split_words(sent_code())[1];
  hall.time += 24h * 7;
  CHECK(contains(again.first_reply_line("confirm address " + last),
                 "-ERR The code for new@example.org is no longer"));
  again.say("change address new@example.org");
  const std::string good = split_words(sent_code())[1];
  hall.time += 24h * 7 - 1s;
  CHECK(again.first_reply_line("confirm address " + good) ==
        "+OK The address of wilma is new@example.org.");
  // The same address in other case counts as new.
  CHECK(again.first_reply_line("change address NEW@example.org") ==
        "+OK The address of wilma is new@example.org. NEW@example.org is not confirmed yet. The "
        "server sends it a code. Then type confirm address and the code.");
  CHECK(again.first_reply_line("change address new@example.org") ==
        "+OK The address of wilma is new@example.org.");
  CHECK_FALSE(hall.service().notifier.take_due());
}

TEST_CASE("only the code mailed to an address confirms it", "[notices][accounts]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  // Returns the code that goes out now, with its userid.
  const auto sent = [&] {
    const auto job = hall.service().notifier.take_due();
    if (!job) return std::string();
    hall.service().notifier.addresses().count_mail(job->receiver, MailKind::code, hall.time);
    return job->variables.at(0).substr(13) + " " + job->variables.at(3).substr(13);
  };
  const auto as = [&](const std::string& words) {
    TestClient gateway(hall, PeerInfo{"somebody", [](const std::string&) { return Success{}; }});
    return gateway.first_reply_line("as " + words);
  };
  TestClient anybody(hall);
  anybody.say("signup zed secret zed@ex.test");
  const std::string code = split_words(sent()).at(1), wrong(8, 'a');
  for (int i = 0; i < 9; ++i)
    CHECK(as("zed evil@ex.test " + wrong) == "-ERR That is not the address of zed.");
  CHECK(as("zed zed@ex.test") == "-ERR That is not the address of zed.");
  CHECK(as("nobody zed@ex.test " + code) == "-ERR That is not the address of nobody.");
  for (int i = 0; i < 4; ++i)
    CHECK(as("zed zed@ex.test " + wrong) ==
          "-ERR That is not the code that we sent to zed@ex.test.");
  CHECK(contains(as("zed Zed@ex.test " + code), "+OK Hello, zed"));
  CHECK(contains(as("zed zed@ex.test"), "+OK Hello, zed"));
  CHECK(contains(as("zed zed@ex.test " + code), "+OK Hello, zed"));  // a second time
  CHECK_FALSE(hall.service().accounts.find_any("nobody"));
  // A lost code is sent again after an hour, if the account has no confirmed address.
  anybody.say("signup amy secret amy@ex.test");
  const std::string lost = sent();
  const std::string same =
      "+OK If an account has confirmed that address, the server sends its userid there.";
  CHECK(anybody.first_reply_line("forgotten amy@ex.test") == same);
  CHECK(sent() == "");
  for (int i = 0; i < 5; ++i) as("amy amy@ex.test " + wrong);
  CHECK(contains(as("amy amy@ex.test " + split_words(lost).at(1)), "no longer valid"));
  hall.time += 1h;
  CHECK(anybody.first_reply_line("forgotten AMY@ex.test") == same);
  CHECK(sent() == lost);
  CHECK(contains(as("amy amy@ex.test " + split_words(lost).at(1)), "+OK Hello, amy"));
  TestClient zed(hall, "zed");
  zed.say("change address new@ex.test");
  CHECK(contains(sent(), "zed "));
  hall.time += 1h;
  CHECK(anybody.first_reply_line("forgotten new@ex.test") == same);
  CHECK(sent() == "");
}

TEST_CASE("notifications go to confirmed addresses only, twenty a day to each",
          "[notices][accounts]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  hall.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/true"; };
  hall.restart();
  std::optional<TestClient> fred;
  fred.emplace(hall, "fred");
  const auto signed_up = [&](const std::string& name) {
    {
      TestClient one(hall, name);
      one.say("change address one@example.org");
      auto job = hall.service().notifier.take_due();
      REQUIRE(job);
      job->run();
      const std::string code = job->variables.at(3).substr(13);
      hall.service().finish(std::move(job));
      REQUIRE(contains(one.first_reply_line("confirm address " + code), "+OK"));
    }
    hall.time += 1h;
  };
  signed_up("wilma");
  signed_up("betty");
  int runs = 0;
  std::string last;
  for (int i = 101; i < 150; ++i) {
    fred->say("toot challenge fred " + std::string(i % 2 == 0 ? "wilma" : "betty"));
    while (auto job = hall.service().notifier.take_due()) {
      CHECK(job->variables.at(1) == "PBMPLAY_ADDRESS=one@example.org");
      ++runs;
      CHECK(contains(job->text, "This is the last mail for a day") == (runs == 18));
      job->run();
      hall.service().finish(std::move(job));
      hall.finish_work();
    }
    fred->say("toot resign " + std::to_string(i));
    hall.time += 11min;
    if (i == 120) {
      hall.restart();
      fred.emplace(hall, "fred");
    }
  }
  // And two codes make 20.
  CHECK(runs == 18);
  // A code or a userid still goes there, but of these, too, at most twenty a day.
  Addresses& addresses = hall.service().notifier.addresses();
  fred->say("forgotten one@example.org");
  auto userids = hall.service().notifier.take_due();
  REQUIRE(userids);
  CHECK(userids->kind == MailKind::userids);
  for (int i = 0; i < 20; ++i)
    addresses.count_mail("one@example.org", MailKind::userids, hall.time);
  CHECK(contains(fred->first_reply_line("change address one@example.org"),
                 "-ERR That address got 20 mails today"));
}

TEST_CASE("a player chooses notifications for one board, watches it, and gets announcements",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  TestClient fred(hall, "fred"), barney(hall, "barney"), owner(hall, PeerInfo{.is_owner = true});
  hall.service().accounts.set("fred", &Account::address, "f@example.org");
  {
    TestClient wilma(hall, "wilma"), betty(hall, "betty");
    fred.say("toot challenge fred wilma");
    fred.say("toot challenge fred wilma");
    fred.say("toot 101 BT");
    fred.say("toot 102 BT");
    CHECK(wilma.first_reply_line("set notices toot-101 challenges") ==
          "-ERR For one board, choose never or turns.");
    CHECK(contains(betty.first_reply_line("set notices toot-101 never"),
                   "-ERR You do not play or watch"));
    CHECK(wilma.first_reply_line("set notices toot-101 never") ==
          "+OK While you are away, you get no notifications about toot 101.");
    CHECK(wilma.first_reply_line("set notices toot-102") ==
          "+OK While you are away, you get notifications about toot 102.");
    wilma.say("toot 101 CO");
    wilma.say("toot 102 CO");
    betty.say("toot subscribe 102");
    wilma.say("watch");
    betty.say("watch");
  }
  t.take_sent();
  fred.say("toot 101 AT");
  CHECK(t.take_sent().empty());
  fred.say("toot 102 AT");
  const auto of = [&](std::string& who) {
    auto job = hall.service().notifier.take_due();
    REQUIRE(job);
    who = job->userid;
    const std::string out = job->variables.at(4) + " " + job->variables.back();
    hall.service().finish(std::move(job));
    return out;
  };
  std::map<std::string, std::string> told;
  for (int i = 0; i < 2; ++i) {
    std::string who;
    const std::string what = of(who);
    told[who] = what;
  }
  hall.time += 10min;
  CHECK(told["wilma"] ==
        "PBMPLAY_BOARDS=toot-102#4-3 PBMPLAY_TEXT=Toot 102: your turn against fred");
  CHECK(told["betty"] == "PBMPLAY_BOARDS=toot-102#4-3 PBMPLAY_TEXT=Toot 102: fred played AT");
  // Events while wilma was connected are sent after she leaves, but not her own action.
  {
    TestClient wilma(hall, "wilma");
    fred.say("toot chat 102 : hello");
    wilma.say("toot 102 DO");
  }
  CHECK(contains(t.take_sent(), "toot-102: fred: hello\n"));
  hall.time += 10min;
  CHECK(t.take_sent().empty());
  // An announcement of the owner goes to everybody with an address.
  hall.service().accounts.set("wilma", &Account::address, "w@example.org");
  CHECK(owner.first_reply_line("admin announce : closed tomorrow") ==
        "+OK Sent to 0 userids now, and by mail to 1.");
  CHECK(contains(t.take_sent(), "closed tomorrow\n"));
}

TEST_CASE("a forgotten userid is mailed to its confirmed address", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User fred(hall, "fred"), wilma(hall, "wilma"); }
  for (const char* who : {"fred", "wilma"})
    hall.service().accounts.set(who, &Account::address, "One@example.org");
  TestClient nobody(hall);
  const std::string said =
      "+OK If an account has confirmed that address, the server sends its userid there.";
  CHECK(nobody.first_reply_line("forgotten else@example.org") == said);
  CHECK_FALSE(hall.service().notifier.take_due());
  for (int i = 0; i < 3; ++i) CHECK(nobody.first_reply_line("forgotten one@EXAMPLE.org") == said);
  auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  CHECK(job->variables == Words{"PBMPLAY_USER=fred wilma", "PBMPLAY_ADDRESS=one@EXAMPLE.org",
                                "PBMPLAY_SOCKET=", "PBMPLAY_TEXT=your userids are fred and wilma"});
  hall.service().notifier.addresses().count_mail(job->receiver, job->kind, hall.time);
  nobody.say("forgotten one@example.org");
  CHECK_FALSE(hall.service().notifier.take_due());
  hall.time += 1h;
  nobody.say("forgotten one@example.org");
  CHECK(hall.service().notifier.take_due());
}

TEST_CASE("a player's own actions are no news to them", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  User fred(hall, "fred"), wilma(hall, "wilma");
  fred.say("toot challenge fred wilma");
  fred.say("toot challenge fred wilma");
  fred.say("toot resign 102 fred *");
  fred.say("toot move 101 fred * BT");
  wilma.say("toot move 101 wilma * CO");
  fred.say("toot move 101 fred * propose");
  wilma.say("toot move 101 wilma * reject");
  fred.say("toot move 101 fred * resign");
  const std::string told = fred.say("watch");
  CHECK(told.substr(told.find("\n.\n") + 3) ==
        "* toot 101 reject wilma : wilma (OTTO) declines the draw. (2026-11-21T12:00:00Z)\n");
}

TEST_CASE("a notification has its content in variables, too", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  hall.service().notifier.set_reply_socket("/run/pbmplay/socket");
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("toot challenge fred wilma -size=4x3");
  fred.say("toot move 101 fred * BT");
  const auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  CHECK(
      job->variables ==
      Words{"PBMPLAY_USER=wilma", "PBMPLAY_ADDRESS=", "PBMPLAY_SOCKET=/run/pbmplay/socket",
            "PBMPLAY_WAITING=1", "PBMPLAY_BOARDS=toot-101#2-1", "PBMPLAY_BOARD=toot-101",
            "PBMPLAY_PLIES=1 fred BT",
            "PBMPLAY_DRAWING=A B C D\n. . . .\n. . . .\n. T . .\n\n"
            "fred has 2 T 3 O and wilma has 3 T 3 O.\nIt is wilma's turn (OTTO).\n",
            "PBMPLAY_INFO={board: toot-101, options: [-size=4x3], seats: [fred, wilma], plies: 1, "
            "entries: 1, unplayed: [2], turn: 2, changed: 2026-11-21T12:00:00Z, "
            "late: 2026-11-28T12:00:00Z, lost: 2026-12-12T12:00:00Z}",
            "PBMPLAY_MOVE=AO",
            "PBMPLAY_ANSWER=pbmplay --socket /run/pbmplay/socket --user wilma open toot-101",
            "PBMPLAY_NEWS=", "PBMPLAY_TEXT=Toot 101: fred challenges you, your turn"});
  CHECK(contains(job->text, "fred played BT. Your turn (OTTO).\n\nA B C D\n"));
}

TEST_CASE("each message is sent once, also one that comes while the program runs", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("message wilma : first");
  auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  fred.say("message wilma : second");
  hall.time += 4s;
  hall.service().finish(std::move(job));
  hall.finish_work();
  fred.say("message wilma : third");
  hall.time += 10min;
  CHECK(t.take_sent() ==
        "wilma: PBMPLAY_TEXT=2 messages\nfred to you: second\nfred to you: third\n");
  hall.time += 10min;
  fred.say("message wilma : fourth");
  CHECK(t.take_sent() == "wilma: PBMPLAY_TEXT=1 message\nfred to you: fourth\n");
}

TEST_CASE("the next server sends what was due when the last one ended", "[notices]") {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  NotifyingServer t;
  TestServer& hall = t.server;
  for (const std::string who : {"wilma", "betty", "cid"}) {
    User user(hall, who);
    if (who == "betty") user.say("set notices digest 18:30");
  }
  const auto say = [&](const std::string& what) {
    User fred(hall, "fred");
    fred.say("message " + what);
  };
  say("wilma : one");
  CHECK(contains(t.take_sent(), "one\n"));
  say("wilma : two");
  say("betty : three");
  say("cid : four");
  // The server ends while the program runs.
  CHECK(hall.service().notifier.take_due()->userid == "cid");
  hall.restart();
  CHECK(t.take_sent() == "cid: PBMPLAY_TEXT=1 message\nfred to you: four\n");
  CHECK(t.time_to_next() == SteadyTime::duration(10min));
  hall.time += 10min;
  CHECK(t.take_sent() == "wilma: PBMPLAY_TEXT=1 message\nfred to you: two\n");
  hall.restart();
  CHECK(t.time_to_next() == SteadyTime::duration(6h + 20min));
  hall.time += 6h + 20min;
  CHECK(t.take_sent() == "betty: PBMPLAY_TEXT=1 message\nfred to you: three\n");
  hall.restart();
  CHECK_FALSE(t.time_to_next());
}

TEST_CASE("the next server sends what came in the second of a notification", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  {
    User fred(hall, "fred");
    fred.say("toot challenge fred wilma");
    fred.say("toot challenge fred wilma");
    t.take_sent();
    hall.time += 10min;
    t.take_sent();
    hall.time += 10min;
    fred.say("toot 101 BT");
    REQUIRE(contains(t.take_sent(), "Toot 101: fred challenges you, your turn"));
    fred.say("toot 102 BT");
    REQUIRE(t.time_to_next() == SteadyTime::duration(10min));
  }
  hall.restart();
  hall.time += 10min;
  CHECK(contains(t.take_sent(), "2 boards wait for you"));
}

TEST_CASE("a notification that is due during a connection goes out after it", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("message wilma : one");
  t.take_sent();
  for (const bool watches : {false, true}) {
    fred.say("message wilma : two");
    REQUIRE(t.time_to_next() == SteadyTime::duration(10min));
    {
      User wilma(hall, "wilma");
      hall.time += 10min;
      CHECK(t.take_sent().empty());
      if (watches) wilma.say("watch");
    }
    CHECK(contains(t.take_sent(), "two\n") == !watches);
    CHECK_FALSE(t.time_to_next());
  }
  // The same for a challenge, if that is all the player wants to know.
  {
    User wilma(hall, "wilma");
    wilma.say("set notices challenges");
    fred.say("toot challenge wilma");
    CHECK(t.take_sent().empty());
  }
  CHECK(contains(t.take_sent(), "Toot 101: fred challenges you"));
}

TEST_CASE("a notification follows a renamed account", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  TestClient owner(hall, PeerInfo{.is_owner = true});
  fred.say("message wilma : one");
  t.take_sent();
  fred.say("message wilma : two");
  REQUIRE(contains(owner.first_reply_line("admin rename wilma betty"), "+OK"));
  CHECK(t.time_to_next() == SteadyTime::duration(10min));
  hall.time += 10min;
  auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  CHECK(contains(job->text, "two\n"));
  // The notification under way is not sent again after the second rename.
  REQUIRE(contains(owner.first_reply_line("admin rename betty willa"), "+OK"));
  hall.service().finish(std::move(job));
  hall.finish_work();
  hall.time += 10min;
  fred.say("message willa : three");
  CHECK(t.take_sent() == "willa: PBMPLAY_TEXT=1 message\nfred to you: three\n");
}

TEST_CASE("a notification follows an account that gets the userid of one that is gone",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"), betty(hall, "betty"); }
  User fred(hall, "fred");
  TestClient owner(hall, PeerInfo{.is_owner = true});
  fred.say("message wilma : one");
  t.take_sent();
  fred.say("message wilma : two");
  REQUIRE(contains(owner.first_reply_line("admin free betty"), "+OK"));
  REQUIRE(contains(owner.first_reply_line("admin rename wilma betty"), "+OK"));
  hall.time += 10min;
  CHECK(contains(t.take_sent(), "betty: PBMPLAY_TEXT=1 message\nfred to you: two\n"));
  CHECK(t.take_sent().empty());
}

TEST_CASE("a silenced board causes no notification of its start or end", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  {
    User fred(hall, "fred");
    fred.say("toot challenge fred wilma");
    t.take_sent();
    {
      User wilma(hall, "wilma");
      REQUIRE(contains(wilma.first_reply_line("set notices toot-101 never"), "+OK"));
      wilma.say("watch");
      wilma.say("list");
    }
    hall.time += 1h;
    fred.say("chaos challenge fred wilma");
    const std::string begun = t.take_sent();
    CHECK(contains(begun, "PBMPLAY_TEXT=Chaos 101: fred challenges you\n"));
    CHECK_FALSE(contains(begun, "toot-101"));
    hall.time += 1h;
    fred.say("toot refuse 101");
    CHECK_FALSE(t.time_to_next());
    fred.say("message wilma : hello");
    CHECK_FALSE(contains(t.take_sent(), "toot-101"));
  }
  hall.restart();
  hall.time += 1h;
  CHECK_FALSE(contains(t.take_sent(), "toot-101"));
  const auto wishes = [&] {
    return hall.service().database.query_number("SELECT count(*) FROM notice");
  };
  CHECK(wishes() == 1);
  // The wish is deleted with the last unread mail about the board.
  {
    User wilma(hall, "wilma");
    wilma.say("watch");
    wilma.say("list");
  }
  hall.restart();
  CHECK(wishes() == 0);
}

TEST_CASE("a ban ends with notifications as before", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  TestClient fred(hall, "fred"), owner(hall, PeerInfo{.is_owner = true});
  REQUIRE(contains(owner.first_reply_line("admin ban wilma 1"), "+OK"));
  fred.say("message wilma : one");
  CHECK(t.take_sent().empty());
  hall.time += 25h;
  fred.say("message wilma : two");
  CHECK(contains(t.take_sent(), "two\n"));
}

TEST_CASE("a player chooses which notifications come, and when", "[notices]") {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  NotifyingServer t;
  TestServer& hall = t.server;
  User fred(hall, "fred");
  { User wilma(hall, "wilma"); }
  const auto choose = [&](const std::string& what) {
    User wilma(hall, "wilma");
    return wilma.first_reply_line("set notices wilma * " + what);
  };
  CHECK(contains(choose("digest 25:00"),
                 "-ERR Write: set notices [userid password] [board] [never|"));
  CHECK(choose("never") == "+OK While you are away, you get no notifications.");
  fred.say("toot challenge wilma fred");
  CHECK(t.take_sent().empty());
  CHECK_FALSE(t.time_to_next());
  CHECK(choose("challenges") == "+OK While you are away, you get notifications of challenges.");
  fred.say("toot challenge wilma fred");
  CHECK(contains(t.take_sent(), "Toot 102: fred challenges you, your turn\n"));
  {
    User wilma(hall, "wilma");
    wilma.say("toot move 101 wilma * BT");
    wilma.say("toot move 102 wilma * BT");
  }
  fred.say("toot move 101 fred * BT");
  CHECK_FALSE(t.time_to_next());
  CHECK(choose("digest 18:30") ==
        "+OK While you are away, you get one notification a day, at 18:30.");
  fred.say("toot move 102 fred * BT");
  CHECK(t.time_to_next() ==
        SteadyTime::duration(6h + 30min));  // it is noon, and the digest goes at 18:30
  fred.say("toot challenge wilma fred");
  CHECK(t.take_sent().empty());
  // The wish and the digest survive a restart.
  hall.restart();
  CHECK(t.time_to_next() == SteadyTime::duration(6h + 30min));
  hall.time += 6h + 30min;
  CHECK(contains(t.take_sent(), "wilma: PBMPLAY_TEXT=3 boards wait for you\n"));
  CHECK_FALSE(t.time_to_next());
  TestServer quiet;
  User alone(quiet, "fred");
  CHECK(alone.first_reply_line("set notices fred * turns") ==
        "-ERR This server sends no notifications.");
}

TEST_CASE("a failed notification is tried three more times, each after a longer wait",
          "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  { User wilma(hall, "wilma"); }
  User fred(hall, "fred");
  fred.say("toot challenge wilma fred");
  for (const auto wait : {1min, 5min, 25min}) {
    auto job = hall.service().notifier.take_due();
    REQUIRE(job);
    job->run();
    CHECK(job->error == "/bin/false ended with status 1.");
    hall.service().finish(std::move(job));
    const auto troubles = hall.service().take_errors();
    REQUIRE(troubles.size() == 1);
    CHECK(contains(
        troubles[0],
        "wilma was not notified: /bin/false ended with status 1. The next try is at 2026-"));
    CHECK(t.time_to_next() == SteadyTime::duration(wait));
    // Another event does not shorten the wait.
    fred.say("toot challenge wilma fred");
    CHECK(t.time_to_next() == SteadyTime::duration(wait));
    hall.time += wait;
  }
  auto job = hall.service().notifier.take_due();
  REQUIRE(job);
  job->run();
  hall.service().finish(std::move(job));
  CHECK(contains(hall.service().take_errors().at(0), "That was the last try."));
  CHECK_FALSE(t.time_to_next());
  fred.say("toot challenge wilma fred");
  CHECK(t.time_to_next() == SteadyTime::duration(0));
}

TEST_CASE("a failed mail with a code or a userid is tried again", "[notices]") {
  NotifyingServer t;
  TestServer& hall = t.server;
  TestClient wilma(hall, "wilma");
  hall.service().accounts.set("wilma", &Account::address, "one@example.org");
  for (const bool forgotten : {false, true}) {
    wilma.say(forgotten ? "forgotten one@example.org" : "change address w@example.org");
    for (const auto wait : {1min, 5min, 25min, 0min}) {
      auto job = hall.service().notifier.take_due();
      REQUIRE(job);
      CHECK(job->kind == (forgotten ? MailKind::userids : MailKind::code));
      job->run();
      hall.service().finish(std::move(job));
      const std::string trouble = hall.service().take_errors().at(0);
      CHECK(contains(trouble, forgotten ? "no mail went to the address of somebody: "
                                        : "no mail went to the address of wilma: "));
      CHECK(contains(trouble,
                     wait == 0min ? " That was the last try." : " The next try is at 2026-"));
      CHECK(t.time_to_next() ==
            (wait == 0min ? std::nullopt : std::optional<SteadyTime::duration>(wait)));
      hall.time += wait;
    }
  }
}

TEST_CASE("serve runs its program for absent players and does not wait for it", "[notices]") {
  TemporaryDirectory dir;
  const fs::path program = dir / "tell.sh", told = dir / "told";
  std::ofstream(program) << "#!/bin/sh\n{ echo \"$PBMPLAY_USER|$PBMPLAY_ADDRESS|$PBMPLAY_WAITING|"
                            "$PBMPLAY_TEXT|$PBMPLAY_SOCKET|$#\"; cat; echo end; } >>'"
                         << told.string() << "'\nexec sleep 600\n";
  ::chmod(program.c_str(), 0755);
  const std::string socket = (dir / "sock").string();
  const std::vector<std::string> serve{"serve",    "--dir", (dir / "boards").string(),
                                       "--socket", socket,  "--notify"};
  for (const std::string bad : {"/nowhere/at-all", "no-such-program tell"}) {
    auto words = serve;
    words.push_back(bad);
    const RunResult r = run_program(words);
    CHECK(r.status == 2);
    CHECK(contains(
        r.err,
        "is not a program that can be run. --notify takes a path or name, and then its arguments"));
  }
  auto words = serve;
  words.insert(words.begin(), tested_program().string());
  words.push_back(program.string() + " tell it");
  BackgroundProcess server(words, dir / "log");
  server.wait_for("listening on");
  const auto say = [&](const std::string& who, const std::string& command) {
    return run_program({"send", "--socket", socket, "--user", who, command});
  };
  REQUIRE(say("wilma", "list").status == 0);
  REQUIRE(say("fred", "toot challenge wilma fred").status == 0);
  const auto over = std::chrono::steady_clock::now() + 60s;
  const auto said = [&] { return fs::exists(told) ? read_bytes(told) : std::string(); };
  while (!contains(said(), "end\n")) {
    REQUIRE(std::chrono::steady_clock::now() < over);
    ::usleep(2000);
  }
  CHECK(contains(said(), "wilma||1|Toot 101: fred challenges you, your turn|" + socket + "|2\n" +
                             "fred challenges you to Toot. Your turn (TOOT).\n\nA B C"));
  // The program still runs, and the server replies.
  CHECK(say("fred", "toot challenge wilma fred").status == 0);
  // The server does not wait for it at its end. The player is notified after the next start.
  server.send_signal(SIGTERM);
  while (server.is_running()) {
    REQUIRE(std::chrono::steady_clock::now() < over);
    ::usleep(2000);
  }
  BackgroundProcess again(words, dir / "log");
  while (said().find("end\n") == said().rfind("end\n")) {
    REQUIRE(std::chrono::steady_clock::now() < over);
    ::usleep(2000);
  }
  CHECK(contains(said(), "end\nwilma||2|2 boards wait for you|" + socket + "|2\n"));
}

TEST_CASE("ending the program ends the processes that it started", "[notices]") {
  TemporaryDirectory dir;
  const fs::path program = dir / "tell.sh", started = dir / "started";
  std::ofstream(program) << "#!/bin/sh\nsleep 600 &\necho $! >'" << started.string()
                         << ".new'\nmv '" << started.string() << ".new' '" << started.string()
                         << "'\nwait\n";
  ::chmod(program.c_str(), 0755);
  EventFd stop;
  NotificationJob job{program.string(), "fred", "fred", MailKind::notification, {}, "", stop.get()};
  std::thread runs([&] { job.run(); });
  const auto over = std::chrono::steady_clock::now() + 60s;
  const auto until = [&](const std::function<bool()>& done) {
    while (!done()) {
      REQUIRE(std::chrono::steady_clock::now() < over);
      ::usleep(2000);
    }
  };
  until([&] { return fs::exists(started); });
  stop.notify();
  runs.join();
  const std::string status = "/proc/" + std::string(trim(read_bytes(started))) + "/status";
  until([&] {
    std::ifstream file(status);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.empty() || contains(text, "State:\tZ");
  });
  CHECK(contains(job.error, "did not end and was killed"));
}
