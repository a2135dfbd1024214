// SPDX-License-Identifier: MIT
// Commands of the server's owner, and their refusal to everybody else.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "boards/line_client.hpp"
#include "child.hpp"
#include "listening.hpp"
#include "run.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

const PeerAuth kOwner{"uid 7", nullptr, 0, true};

struct Owned {
  Words logged;
  TestServer hall;
  std::unique_ptr<TestClient> owner;
  Owned() {
    hall.bounds = [this](ServiceOptions& o) {
      o.log = [this](const std::string& what) { logged.push_back(what); };
    };
    hall.restart();
    owner = std::make_unique<TestClient>(hall, kOwner);
  }
};

}  // namespace

TEST_CASE("what waits for its password is not done for who is banned then, nor signed up",
          "[session][admin]") {
  Owned o;
  { User fred(o.hall, "fred"), wilma(o.hall, "wilma"); }
  TestClient one(o.hall), two(o.hall), three(o.hall);
  one.send("message fred secret wilma : spam");
  two.send("login fred secret");
  three.send("signup hal secret");
  o.owner->send("admin ban fred : enough");
  o.owner->send("admin close signups");
  o.hall.settle();
  const std::string banned = "-ERR fred is not let in any more: enough\n.\n";
  CHECK(one.heard() == banned);
  CHECK(two.heard() == banned);
  CHECK(two.session().userid().empty());
  CHECK(three.heard() ==
        "-ERR Nobody signs up here: the owner of this server gives out the userids.\n.\n");
  CHECK(o.hall.service().mail.count("wilma") == 0);
}

TEST_CASE("admin is for the owner's own connections that speak for nobody", "[session][admin]") {
  TestServer hall;
  User fred(hall, "fred");
  const std::string no =
      "-ERR This is for the owner of the server: for its login, on the Unix socket, before login "
      "or "
      "as.";
  // For anybody else these commands do not exist.
  const std::string unknown = "-ERR There is no command 'admin': help lists them.";
  for (const char* line : {"admin", "admin who", "admin dance", "admin undrain"})
    CHECK(fred.first(line) == unknown);
  CHECK(fred.first("adnim") == "-ERR There is no command 'adnim': help lists them.");
  CHECK(fred.first("help admin") ==
        "-ERR There is no help on 'admin': help alone lists what there is.");
  CHECK_FALSE(has(fred.say("help") + fred.say("help password") + fred.say("hello"), "admin"));
  // A friend whose SSH key signs in through the owner's login is not the owner.
  TestClient door(
      hall, PeerAuth{"uid 7", [](const std::string&) -> Result<Done> { return Done{}; }, 0, true});
  CHECK(door.first("as wilma").substr(0, 4) == "+OK ");
  CHECK(door.first("admin kick fred") == unknown);
  TestClient owner(hall, kOwner);
  const std::string words = owner.say("admin");
  CHECK(words == owner.say("help admin"));
  for (const CommandRow& row : command_rows())
    CHECK(has(words, "\n" + command_syntax(row) + "\n") == row.name.starts_with("admin "));
  CHECK(has(owner.say("help"), "\nadmin undrain\n"));
  CHECK(has(owner.say("hello"), "admin who"));
  CHECK(owner.first("admn") == "-ERR There is no command 'admn': did you mean admin?");
  CHECK(owner.first("admin dance") ==
        "-ERR There is no command 'admin dance': there is admin who, admin kick, admin ban or 13 "
        "others.");
  CHECK(owner.first("admin knick") ==
        "-ERR There is no command 'admin knick': did you mean admin kick?");
  CHECK(owner.say("admin who") ==
        "+OK 3 connections: number, userid, where from.\n"
        "     1  fred              somebody, not watching\n"
        "     2  wilma             uid 7, not watching\n"
        "     3  -                 uid 7, not watching\n.\n");
  owner.say("login fred secret");
  CHECK(owner.first("admin who") == no);
}

TEST_CASE("the owner ends connections, and bans and mutes userids", "[session][admin]") {
  Owned o;
  User fred(o.hall, "fred"), wilma(o.hall, "wilma");
  fred.say("watch");
  CHECK(o.owner->first("admin kick betty") == "-ERR betty is not here.");
  CHECK(o.owner->first("admin kick #99") ==
        "-ERR There is no connection #99: admin who lists them.");
  CHECK(o.owner->first("admin kick Fred : enough") == "+OK 1 connection is ended.");
  CHECK(fred.heard() == "* signout fred : The owner of this server ends your connection: enough\n");
  CHECK(fred.session().over());
  CHECK(fred.say("list") == "");
  CHECK(o.logged == Words{"uid 7 does admin kick Fred : enough"});
  // A ban for some days also stops trusted connections, and survives a restart.
  wilma.say("toot seek wilma *");
  // The ban removes the boards on which not everybody has played, also for the opponent.
  User betty(o.hall, "betty");
  betty.say("watch");
  for (int i = 0; i < 3; ++i) wilma.say("toot challenge wilma betty");
  wilma.say("toot move 101 wilma * BT");
  betty.say("toot move 101 betty * CO");
  betty.heard();
  CHECK(o.owner->first("admin ban wilma 2 : spam") ==
        "+OK wilma is not let in until 2026-11-23T12:00:00Z: spam 2 boards are gone on which not "
        "everybody had played.");
  CHECK(
      has(betty.heard(),
          "* toot 102 gone : The owner of this server lets wilma in no more.\n* toot 103 gone : "));
  CHECK(has(betty.say("toot games betty"), "+OK 1 board of Toot"));
  CHECK(wilma.heard() == "-ERR wilma is not let in until 2026-11-23T12:00:00Z: spam\n.\n");
  CHECK(o.owner->first("sought") == "+OK Nobody seeks a player.");
  CHECK(o.owner->first("admin ban wilma x") == "-ERR 'x' is no number of days, from 1 to 3650.");
  o.owner.reset();
  o.hall.restart();
  int asked = 0;
  TestClient door(o.hall, PeerAuth{"uid 8", [&](const std::string&) -> Result<Done> {
                                     ++asked;
                                     return Done{};
                                   }});
  CHECK(door.first("as wilma") == "-ERR wilma is not let in until 2026-11-23T12:00:00Z: spam");
  CHECK(asked == 0);  // otherwise the log would say that wilma signed in
  TestClient again(o.hall), trusted(o.hall, "wilma");
  CHECK(again.first("login wilma secret") ==
        "-ERR wilma is not let in until 2026-11-23T12:00:00Z: spam");
  CHECK(trusted.first("watch").substr(0, 4) == "-ERR");
  User dino(o.hall, "dino");
  CHECK(has(dino.first("toot challenge dino wilma"), "-ERR wilma is not let in"));
  o.hall.time += std::chrono::hours(48);
  CHECK(again.first("login wilma secret").substr(0, 4) == "+OK ");
  o.owner = std::make_unique<TestClient>(o.hall, kOwner);
  CHECK(o.owner->first("admin unban wilma") == "-ERR wilma is not banned.");
  CHECK(o.owner->first("admin ban wilma") == "+OK wilma is not let in any more.");
  CHECK(o.owner->first("admin unban wilma") == "+OK wilma may come in again.");
  TestClient back(o.hall);
  CHECK(back.first("login wilma secret").substr(0, 4) == "+OK ");
  CHECK(o.owner->first("admin mute dino") == "+OK dino can say nothing any more.");
  CHECK(dino.first("message dino * wilma : hi") ==
        "-ERR The owner of this server lets dino say nothing.");
  CHECK(has(dino.first("toot challenge dino wilma : hi"), "lets dino say nothing"));
  CHECK(has(dino.first("toot challenge dino wilma"), "+OK Board"));
  CHECK(o.owner->first("admin unmute dino") == "+OK dino may speak again.");
  CHECK(dino.first("message dino * wilma : hi") == "+OK Sent to wilma.");
}

TEST_CASE("the owner gives passwords and userids, and closes the signups", "[session][admin]") {
  Owned o;
  User fred(o.hall, "fred"), wilma(o.hall, "wilma");
  CHECK(o.owner->first("admin password fred new-one") == "+OK fred has a new password.");
  CHECK(o.logged.back() == "uid 7 does admin password fred");
  TestClient t(o.hall);
  CHECK(t.first("login fred new-one").substr(0, 4) == "+OK ");
  CHECK(o.owner->first("admin password betty new-one") == "-ERR There is no userid betty here.");
  CHECK(o.owner->first("admin close signups") == "+OK Nobody signs up any more.");
  o.owner.reset();
  o.hall.restart();
  o.owner = std::make_unique<TestClient>(o.hall, kOwner);
  TestClient other(o.hall);
  CHECK(has(other.first("signup betty secret"), "-ERR Nobody signs up here"));
  CHECK(o.owner->first("admin open signups") == "+OK Whoever can connect may take a userid.");
  CHECK(other.first("signup betty secret") == "+OK Welcome, betty.");
}

TEST_CASE("who is called otherwise keeps ratings, password and blocks", "[session][admin]") {
  Owned o;
  {
    User fred(o.hall, "fred"), wilma(o.hall, "wilma");
    wilma.say("block wilma * fred");
    o.hall.service().history.add(
        {"toot", 101, o.hall.time, {}, {"fred", "wilma"}, Seat{0}, 7, "", ""});
    CHECK(o.owner->first("admin rename fred wilma") ==
          "-ERR wilma is taken: choose another userid.");
    wilma.say("unblock wilma * fred");
    wilma.say("toot challenge fred wilma");
    fred.say("toot challenge fred wilma -size=7x9");
    wilma.say("block wilma * fred");
    fred.say("toot move 101 fred * BT");
    fred.say("toot queue 101 fred * CT");
    wilma.say("watch");
    const auto second = o.hall.directory / "toot-102.yaml";
    const std::string text = bytes_of(second);
    CHECK(has(o.owner->first("admin rename fred freddy"), "+OK fred is freddy now"));
    CHECK(has(wilma.heard(), "* toot 101 changed : It is wilma's turn (OTTO).\n"));
    CHECK(has(bytes_of(second), "\nseats: [freddy, wilma]\n"));
    CHECK(bytes_of(second).size() == text.size() + 4);
    CHECK(has(wilma.say("toot games freddy"), "+OK 2 boards"));
    CHECK(has(wilma.first("toot move 101 wilma * CO"), "+OK Move 2"));
    CHECK(has(wilma.heard(), "* toot 101 ply 3 freddy CT (Auto)\n"));
  }
  CHECK(has(bytes_of(o.hall.directory / "toot-101.yaml"), "- {move: CT, at: "));
  for (int i = 0; i < 2; ++i) {
    TestClient t(o.hall), other(o.hall);
    CHECK(t.first("login freddy secret").substr(0, 4) == "+OK ");
    CHECK(has(t.say("toot ratings freddy"), "1784?"));
    CHECK(other.first("signup fred secret") == "-ERR fred is freddy now; the userid stays taken.");
    CHECK(has(t.first("message freddy secret wilma : hi"), "-ERR wilma has blocked freddy."));
    o.owner.reset();
    o.hall.restart();
  }
}

TEST_CASE("who is called otherwise is so wherever he was known", "[session][admin]") {
  Owned o;
  User fred(o.hall, "fred"), wilma(o.hall, "wilma");
  wilma.say("toot challenge fred wilma");
  wilma.say("block fred");
  REQUIRE(has(fred.first("toot chat 101 : rude words"), "+OK"));
  wilma.say("unblock fred");
  wilma.say("watch");
  REQUIRE(has(fred.first("toot seek"), "+OK Seek 1"));
  REQUIRE(has(o.owner->first("admin rename fred freddy"), "+OK"));
  CHECK(has(wilma.heard(), "* unseek 1\n"));
  CHECK(has(wilma.say("sought"), "+OK Nobody seeks"));
  CHECK(has(wilma.say("toot chats 101"), "freddy: rude words"));
  wilma.say("block freddy");
  CHECK_FALSE(has(wilma.say("toot chats 101"), "rude words"));
  // The old userid leads to the new one, also after a second rename.
  for (const std::string now : {"freddy", "alfred"}) {
    CHECK(wilma.first("toot challenge fred") == "-ERR fred is " + now + " now.");
    CHECK(has(wilma.first("player fred"), "+OK fred, who is " + now + " now: "));
    CHECK(TestClient(o.hall).first("login fred secret") == "-ERR fred is " + now + " now.");
    if (now == "freddy") REQUIRE(has(o.owner->first("admin rename freddy alfred"), "+OK"));
  }
}

TEST_CASE("the owner ends games, and has them count for nothing", "[session][admin]") {
  Owned o;
  User fred(o.hall, "fred"), wilma(o.hall, "wilma");
  fred.say("toot challenge fred wilma");
  for (const std::string column : {"A", "B", "C"}) {
    fred.say("toot move 101 fred * " + column + "T");
    wilma.say("toot move 101 wilma * " + column + "O");
  }
  wilma.say("watch");
  CHECK(has(o.owner->first("admin forfeit toot 101 betty"), "-ERR"));
  CHECK(has(o.owner->first("admin forfeit toot 101 fred"),
            "+OK toot 101: fred (TOOT) was resigned by the owner of the server."));
  const std::string heard = wilma.heard();
  CHECK(
      has(heard, "* toot 101 resign fred : fred (TOOT) was resigned by the owner of the server."));
  CHECK(has(heard,
            "* toot 101 over : wilma (OTTO) won: fred was resigned by the owner of the "
            "server."));
  CHECK(
      has(bytes_of(o.hall.directory / "toot-101.yaml"), "- {move: resign, seat: 1, why: owner, "));
  // A player who was away learns of it at the next `watch`.
  CHECK(has(fred.say("watch"), "fred (TOOT) was resigned by the owner of the server. ("));
  CHECK(has(fred.say("toot save 101"), "why: owner"));
  CHECK(has(fred.say("toot ratings"), "1784?"));
  // An unanswered challenge is removed, and the reply names the owner.
  fred.say("flooprail challenge fred wilma");
  CHECK(has(o.owner->first("admin forfeit flooprail 101 wilma"),
            "The owner of the server refused the challenge: the board is gone"));
  CHECK(has(wilma.heard(), " : The owner of the server refused the challenge."));
  CHECK(o.owner->first("admin annul toot 101") == "+OK toot 101 counts for no rating any more.");
  CHECK(o.owner->first("admin annul toot 101") == "-ERR toot 101 is not rated.");
  CHECK(has(fred.say("toot ratings"), "Nobody has a rating"));
  CHECK(has(fred.say("toot history"), "(unrated: annulled by the owner)"));
  o.hall.service().settle();
  fred.say("toot challenge fred wilma");
  CHECK(has(o.owner->first("admin annul toot 102"), "+OK toot 102 is gone"));
  CHECK(has(wilma.heard(), "* toot 102 gone : The owner of this server has annulled the game."));
  CHECK(fred.first("toot show 102") == "-ERR There is no board 102 of Toot.");
  CHECK(o.logged.size() == 4);
  o.owner.reset();
  o.hall.restart();
  TestClient t(o.hall);
  CHECK(has(t.say("toot ratings"), "Nobody has a rating"));
}

TEST_CASE("numbers for Prometheus are lines that it reads", "[session][admin]") {
  Owned o;
  User fred(o.hall, "fred"), wilma(o.hall, "wilma");
  fred.say("toot challenge fred wilma");
  fred.say("toot move 101 fred * BT");
  fred.say("nonsense");
  const std::string said = o.owner->say("admin stats");
  for (const std::string line :
       {"pbmplay_connections 3", "pbmplay_userids_here 2", "pbmplay_userids 2", "pbmplay_boards 1",
        "pbmplay_boards_running 1", "pbmplay_plies_total 1", "pbmplay_refusals_total 1",
        "# TYPE pbmplay_connections gauge", "pbmplay_draining 0", "pbmplay_not_written_total 0",
        "# TYPE pbmplay_disk_free_bytes gauge", "# TYPE pbmplay_database_bytes gauge"})
    CHECK(has(said, "\n" + line + "\n"));
  std::istringstream in(said);
  std::string line;
  std::getline(in, line);
  CHECK(line == "+OK # pbmplay");
  while (std::getline(in, line) && line != ".")
    CHECK((line.starts_with("# HELP pbmplay_") || line.starts_with("# TYPE pbmplay_") ||
           (line.starts_with("pbmplay_") && words(line).size() == 2)));
}

TEST_CASE("a server that is drained begins no game and ends when the last has left",
          "[session][admin]") {
  Owned o;
  User wilma(o.hall, "wilma"), hal(o.hall, "hal");
  hal.say("set computer hal * yes");
  {
    User fred(o.hall, "fred");
    fred.say("toot challenge fred wilma");
    fred.say("toot seek fred *");
    wilma.say("watch");
    wilma.heard();
    CHECK(has(o.owner->first("admin drain"), "+OK No new game begins"));
    CHECK(has(wilma.heard(), "* announce : This server ends when the last of you has left"));
    CHECK(o.owner->first("admin drain") == "-ERR The server is drained already.");
    for (const std::string line : {"toot challenge wilma fred", "take 1", "toot seek wilma *"})
      CHECK(wilma.first(line) ==
            "-ERR This server is about to end, and no new game begins: try again later.");
    CHECK(fred.first("toot move 101 fred * BT").substr(0, 8) == "+OK Move");
    CHECK_FALSE(o.hall.service().drained());
    CHECK(
        has(o.owner->say("admin stats"),
            "\npbmplay_waits_for{userid=\"fred\"} 1\npbmplay_waits_for{userid=\"wilma\"} 1\n.\n"));
  }
  CHECK_FALSE(o.hall.service().drained());
  // The owner can stop the draining.
  wilma.heard();
  CHECK(o.owner->first("admin undrain") == "+OK Games begin again, and everybody is let in.");
  CHECK(wilma.heard() == "* announce : This server does not end: games begin again.\n");
  CHECK(o.owner->first("admin undrain") == "-ERR The server is not drained.");
  CHECK_FALSE(has(o.owner->say("admin stats"), "waits_for"));
  CHECK(has(wilma.first("toot challenge fred"), "+OK Board 102"));
  CHECK(has(o.owner->first("admin drain"), "+OK No new game begins"));
  // After a day the server ends, even if a player is still connected.
  o.hall.pass(std::chrono::hours(24));
  CHECK(o.hall.service().drained());
  o.hall.service().drain(false);
  CHECK_FALSE(o.hall.service().drained());
  o.hall.service().drain(true);
  CHECK_FALSE(o.hall.service().drained());
  wilma.session().end("bye");
  // A computer does not keep the server running.
  CHECK(o.hall.service().drained());
}

namespace {

// Starts a server that gets `socket` as a descriptor, as systemd does it.
std::unique_ptr<Child> serve_on(int socket, const TemporaryDirectory& home,
                                const std::string& log) {
  const int fd = ::fcntl(socket, F_DUPFD, 20);
  const std::string line = "LISTEN_PID=$$ LISTEN_FDS=1 exec '" + program().string() +
                           "' serve --dir '" + (home / "boards").string() + "' 3<&" +
                           std::to_string(fd);
  auto out = std::make_unique<Child>(Words{"/bin/bash", "-c", line}, home / log);
  ::close(fd);
  out->wait_for("listening on " + (home / "s").string() + "\n");
  return out;
}

}  // namespace

TEST_CASE("a new server takes over the socket of the old one, and players come back",
          "[server][admin]") {
  TemporaryDirectory home;
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = (home / "s").string();
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
  REQUIRE(::listen(socket, 16) == 0);
  const auto ask = [&](const std::string& user, const std::string& line) {
    ServerAddress address;
    address.socket = path;
    auto client = LineClient::connect(address, std::chrono::seconds(20));
    REQUIRE(client.ok());
    if (!user.empty()) REQUIRE(client->ask("as " + user, std::chrono::seconds(20))->ok);
    return client->ask(line, std::chrono::seconds(20));
  };
  auto old = serve_on(socket, home, "old");
  CHECK(ask("wilma", "list")->ok);
  CHECK(ask("fred", "toot challenge fred wilma")->ok);
  // The last player has left: the drained server ends, and the socket stays.
  CHECK(ask("", "admin drain")->ok);
  for (int i = 0; i < 1000 && old->running(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK_FALSE(old->running());
  CHECK(has(old->output(), "does admin drain"));
  CHECK(has(old->output(), "ends: everybody has left"));
  REQUIRE(std::filesystem::exists(path));
  // A client that connects in between waits, and the new server replies. It has every board.
  ServerAddress address;
  address.socket = path;
  auto early = LineClient::connect(address, std::chrono::seconds(20));
  REQUIRE(early.ok());
  const auto now = serve_on(socket, home, "new");
  REQUIRE(early->ask("as fred", std::chrono::seconds(20))->ok);
  CHECK(early->ask("toot move 101 fred * BT", std::chrono::seconds(20))->ok);
  now->end(SIGTERM);
  CHECK(std::filesystem::exists(path));
  ::close(socket);
}
