// SPDX-License-Identifier: MIT
// Commands of the server's owner, and their refusal to everybody else.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "boards/server_connection.hpp"
#include "child.hpp"
#include "socket_server.hpp"
#include "run.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

const PeerInfo kOwner{"uid 7", nullptr, 0, true};

struct ServerWithOwner {
  Words logged;
  TestServer server;
  std::unique_ptr<TestClient> owner;
  ServerWithOwner() {
    server.change_options = [this](ServiceOptions& o) {
      o.log = [this](const std::string& what) { logged.push_back(what); };
    };
    server.restart();
    owner = std::make_unique<TestClient>(server, kOwner);
  }
};

}  // namespace

TEST_CASE("what waits for its password is not done for who is banned then, nor signed up",
          "[session][admin]") {
  ServerWithOwner o;
  { User fred(o.server, "fred"), wilma(o.server, "wilma"); }
  TestClient one(o.server), two(o.server), three(o.server);
  one.send("message fred secret wilma : spam");
  two.send("login fred secret");
  three.send("signup hal secret");
  o.owner->send("admin ban fred : enough");
  o.owner->send("admin close signups");
  o.server.finish_work();
  const std::string banned = "-ERR fred is banned: enough\n.\n";
  CHECK(one.take_received() == banned);
  CHECK(two.take_received() == banned);
  CHECK(two.session().userid().empty());
  CHECK(three.take_received() ==
        "-ERR Sign-up is closed here. Ask the owner of the server for an account.\n.\n");
  CHECK(o.server.service().mail.count("wilma") == 0);
}

TEST_CASE("admin is for the owner's own connections that speak for nobody", "[session][admin]") {
  TestServer hall;
  User fred(hall, "fred");
  const std::string no =
      "-ERR Only the owner of the server may do that, on the Unix socket, before login or as.";
  // For anybody else these commands do not exist.
  const std::string unknown = "-ERR There is no command admin. Type help for the list.";
  for (const char* line : {"admin", "admin who", "admin dance", "admin unban"})
    CHECK(fred.first_reply_line(line) == unknown);
  CHECK(fred.first_reply_line("adnim") ==
        "-ERR There is no command adnim. Type help for the list.");
  CHECK(fred.first_reply_line("help admin") ==
        "-ERR There is no help on admin. Type help for the list.");
  CHECK_FALSE(contains(fred.say("help") + fred.say("help password") + fred.say("hello"), "admin"));
  // A friend whose SSH key signs in through the owner's login is not the owner.
  TestClient door(
      hall,
      PeerInfo{"uid 7", [](const std::string&) -> Result<Success> { return Success{}; }, 0, true});
  CHECK(door.first_reply_line("as wilma").substr(0, 4) == "+OK ");
  CHECK(door.first_reply_line("admin kick fred") == unknown);
  TestClient owner(hall, kOwner);
  const std::string words = owner.say("admin");
  CHECK(words == owner.say("help admin"));
  for (const CommandRow& row : command_rows())
    CHECK(contains(words, "\n" + command_syntax(row) + "\n") == row.name.starts_with("admin "));
  CHECK(contains(owner.say("help"), "\nadmin stats\n"));
  CHECK(contains(owner.say("hello"), "admin who"));
  CHECK(owner.first_reply_line("admn") == "-ERR There is no command admn. Did you mean admin?");
  CHECK(owner.first_reply_line("admin dance") ==
        "-ERR There is no command admin dance. Did you mean admin who, admin kick, admin ban or 19 "
        "others?");
  CHECK(owner.first_reply_line("admin knick") ==
        "-ERR There is no command admin knick. Did you mean admin kick?");
  CHECK(owner.say("admin who") ==
        "+OK 3 connections: number, userid, origin.\n     1  fred              somebody, not "
        "watching\n     2  wilma             uid 7, not watching\n     3  -                 uid 7, "
        "not watching\n.\n");
  owner.say("login fred secret");
  CHECK(owner.first_reply_line("admin who") == no);
}

TEST_CASE("the owner ends connections, and bans and mutes userids", "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  fred.say("watch");
  CHECK(o.owner->first_reply_line("admin kick betty") == "-ERR betty is not connected.");
  CHECK(o.owner->first_reply_line("admin kick #99") ==
        "-ERR There is no connection #99. Type admin who for the list.");
  CHECK(o.owner->first_reply_line("admin kick Fred : enough") == "+OK 1 connection was closed.");
  CHECK(fred.take_received() ==
        "* signout fred : The owner of this server closed your connection: enough\n");
  CHECK(fred.session().is_over());
  CHECK(fred.say("list") == "");
  CHECK(o.logged == Words{"uid 7 runs admin kick Fred : enough"});
  // A ban for some days also stops trusted connections, and survives a restart.
  wilma.say("toot seek wilma *");
  // The ban removes the boards on which not everybody has played, also for the opponent.
  User betty(o.server, "betty");
  betty.say("watch");
  for (int i = 0; i < 3; ++i) wilma.say("toot challenge wilma betty");
  wilma.say("toot move 101 wilma * BT");
  betty.say("toot move 101 betty * CO");
  betty.take_received();
  CHECK(o.owner->first_reply_line("admin ban wilma 2 : spam") ==
        "+OK 2 challenges were deleted. wilma is banned until 2026-11-23T12:00:00Z: spam");
  CHECK(contains(betty.take_received(),
                 "* toot 102 gone : The owner of this server banned wilma.\n* toot 103 gone : "));
  CHECK(contains(betty.say("toot games betty"), "+OK 1 board of Toot"));
  CHECK(wilma.take_received() == "-ERR wilma is banned until 2026-11-23T12:00:00Z: spam\n.\n");
  CHECK(o.owner->first_reply_line("sought") == "+OK There is no open challenge.");
  CHECK(o.owner->first_reply_line("admin ban wilma x") ==
        "-ERR A ban has 1 to 3650 days, not 'x'.");
  o.owner.reset();
  o.server.restart();
  int asked = 0;
  TestClient door(o.server, PeerInfo{"uid 8", [&](const std::string&) -> Result<Success> {
                                       ++asked;
                                       return Success{};
                                     }});
  CHECK(door.first_reply_line("as wilma") ==
        "-ERR wilma is banned until 2026-11-23T12:00:00Z: spam");
  CHECK(asked == 0);  // otherwise the log would say that wilma signed in
  TestClient again(o.server), trusted(o.server, "wilma");
  CHECK(again.first_reply_line("login wilma secret") ==
        "-ERR wilma is banned until 2026-11-23T12:00:00Z: spam");
  CHECK(trusted.first_reply_line("watch").substr(0, 4) == "-ERR");
  User dino(o.server, "dino");
  CHECK(contains(dino.first_reply_line("toot challenge dino wilma"), "-ERR wilma is banned"));
  o.server.time += std::chrono::hours(48);
  CHECK(again.first_reply_line("login wilma secret").substr(0, 4) == "+OK ");
  o.owner = std::make_unique<TestClient>(o.server, kOwner);
  CHECK(o.owner->first_reply_line("admin unban wilma") == "-ERR wilma is not banned.");
  CHECK(o.owner->first_reply_line("admin ban wilma") == "+OK wilma is banned.");
  CHECK(o.owner->first_reply_line("admin unban wilma") == "+OK wilma can sign in again.");
  TestClient back(o.server);
  CHECK(back.first_reply_line("login wilma secret").substr(0, 4) == "+OK ");
  CHECK(o.owner->first_reply_line("admin mute dino") == "+OK dino is muted.");
  CHECK(dino.first_reply_line("message dino * wilma : hi") ==
        "-ERR The owner of this server muted you.");
  CHECK(contains(dino.first_reply_line("toot challenge dino wilma : hi"), "muted you"));
  CHECK(contains(dino.first_reply_line("toot challenge dino wilma"), "+OK Board"));
  CHECK(o.owner->first_reply_line("admin unmute dino") == "+OK dino is no longer muted.");
  CHECK(dino.first_reply_line("message dino * wilma : hi") == "+OK Sent to wilma.");
}

TEST_CASE("the owner gives passwords and userids, and closes the signups", "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  CHECK(o.owner->first_reply_line("admin password fred new-one") == "+OK fred has a new password.");
  CHECK(o.logged.back() == "uid 7 runs admin password fred");
  TestClient t(o.server);
  CHECK(t.first_reply_line("login fred new-one").substr(0, 4) == "+OK ");
  CHECK(o.owner->first_reply_line("admin password betty new-one") ==
        "-ERR There is no userid betty.");
  CHECK(o.owner->first_reply_line("admin close signups") == "+OK Sign-up is closed.");
  o.owner.reset();
  o.server.restart();
  o.owner = std::make_unique<TestClient>(o.server, kOwner);
  TestClient other(o.server);
  CHECK(contains(other.first_reply_line("signup betty secret"), "-ERR Sign-up is closed here"));
  CHECK(o.owner->first_reply_line("admin open signups") == "+OK Sign-up is open.");
  CHECK(other.first_reply_line("signup betty secret") == "+OK Welcome, betty.");
}

TEST_CASE("who is called otherwise keeps ratings, password and blocks", "[session][admin]") {
  ServerWithOwner o;
  {
    User fred(o.server, "fred"), wilma(o.server, "wilma");
    wilma.say("block wilma * fred");
    o.server.service().history.add(
        {"toot", 101, o.server.time, {}, {"fred", "wilma"}, Seat{0}, 7, ""});
    CHECK(o.owner->first_reply_line("admin rename fred wilma") ==
          "-ERR wilma is taken. Choose another userid.");
    wilma.say("unblock wilma * fred");
    wilma.say("toot challenge fred wilma");
    fred.say("toot challenge fred wilma -size=7x9");
    wilma.say("block wilma * fred");
    fred.say("toot move 101 fred * BT");
    fred.say("toot queue 101 fred * CT");
    wilma.say("watch");
    const auto second = o.server.directory / "toot-102.yaml";
    const std::string text = read_bytes(second);
    CHECK(
        contains(o.owner->first_reply_line("admin rename fred freddy"), "+OK fred is freddy now"));
    CHECK(contains(wilma.take_received(), "* toot 101 changed : It is wilma's turn (OTTO).\n"));
    CHECK(contains(read_bytes(second), "\nseats: [freddy, wilma]\n"));
    CHECK(read_bytes(second).size() == text.size() + 4);
    CHECK(contains(wilma.say("toot games freddy"), "+OK 2 boards"));
    CHECK(contains(wilma.first_reply_line("toot move 101 wilma * CO"), "+OK Move 2"));
    CHECK(contains(wilma.take_received(), "* toot 101 ply 3 freddy CT (Auto)\n"));
  }
  CHECK(contains(read_bytes(o.server.directory / "toot-101.yaml"), "- {move: CT, at: "));
  for (int i = 0; i < 2; ++i) {
    TestClient t(o.server), other(o.server);
    CHECK(t.first_reply_line("login freddy secret").substr(0, 4) == "+OK ");
    CHECK(contains(t.say("toot ratings freddy"), "1784?"));
    CHECK(other.first_reply_line("signup fred secret") ==
          "-ERR fred is freddy now. Choose another userid.");
    CHECK(contains(t.first_reply_line("message freddy secret wilma : hi"),
                   "-ERR wilma has blocked freddy."));
    o.owner.reset();
    o.server.restart();
  }
}

TEST_CASE("who is called otherwise is so wherever he was known", "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  wilma.say("toot challenge fred wilma");
  wilma.say("block fred");
  REQUIRE(contains(fred.first_reply_line("toot chat 101 : rude words"), "+OK"));
  wilma.say("unblock fred");
  wilma.say("watch");
  REQUIRE(contains(fred.first_reply_line("toot seek"), "+OK Open challenge 1"));
  REQUIRE(contains(o.owner->first_reply_line("admin rename fred freddy"), "+OK"));
  CHECK(contains(wilma.take_received(), "* unseek 1\n"));
  CHECK(contains(wilma.say("sought"), "+OK There is no open challenge"));
  CHECK(contains(wilma.say("toot chats 101"), "freddy: rude words"));
  wilma.say("block freddy");
  CHECK_FALSE(contains(wilma.say("toot chats 101"), "rude words"));
  // The old userid leads to the new one, also after a second rename.
  TestClient door(
      o.server, PeerInfo{"uid 8", [](const std::string&) -> Result<Success> { return Success{}; }});
  const std::size_t count = o.logged.size();
  CHECK(door.first_reply_line("as fred").starts_with("-ERR fred is freddy now."));
  CHECK(o.logged.size() == count);
  for (const std::string now : {"freddy", "alfred"}) {
    CHECK(wilma.first_reply_line("toot challenge fred") == "-ERR fred is " + now + " now.");
    CHECK(wilma.first_reply_line("tell fred hi") ==
          "-ERR fred is " + now + " now. Nothing was sent.");
    for (const char* line : {"admin ban fred", "admin unban fred", "admin free fred",
                             "admin password fred new-one", "admin rename fred dino"})
      CHECK(o.owner->first_reply_line(line) == "-ERR fred is " + now + " now.");
    CHECK(contains(wilma.first_reply_line("profile fred"), "+OK fred is " + now + " now: "));
    CHECK(TestClient(o.server).first_reply_line("login fred secret") ==
          "-ERR fred is " + now + " now.");
    if (now == "freddy")
      REQUIRE(contains(o.owner->first_reply_line("admin rename freddy alfred"), "+OK"));
  }
}

TEST_CASE("a renamed player keeps the finished games in lists, rematches and chat",
          "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  fred.say("toot challenge wilma -size=4x3");
  fred.say("toot 101 BT");
  wilma.say("toot 101 CO");
  REQUIRE(contains(wilma.first_reply_line("toot resign 101"), "+OK"));
  for (const char* command : {"admin rename fred freddy", "admin rename freddy alfred"})
    REQUIRE(contains(o.owner->first_reply_line(command), "+OK"));
  TestClient alfred(o.server);
  REQUIRE(contains(alfred.first_reply_line("login alfred secret"), "+OK"));
  for (const char* line : {"games all", "games Alfred inactive", "toot games alfred all"})
    CHECK(contains(alfred.say(line), "  alfred, wilma "));
  CHECK(contains(alfred.first_reply_line("games alfred"), "+OK No boards of alfred"));
  CHECK(contains(alfred.say("boards alfred"),
                 "board: toot-101, options: [-size=4x3], seats: [alfred, wilma]"));
  CHECK(contains(alfred.first_reply_line("toot subscribe 101"), "-ERR You play on toot 101."));
  alfred.say("watch");
  wilma.say("watch");
  CHECK(alfred.first_reply_line("toot chat 101 : well played") == "+OK Sent to toot 101.");
  CHECK(wilma.take_received() == "* toot 101 chat alfred : well played\n");
  CHECK(wilma.first_reply_line("toot chat 101 : thank you") == "+OK Sent to toot 101.");
  CHECK(alfred.take_received() == "* toot 101 chat wilma : thank you\n");
  CHECK_FALSE(contains(alfred.say("toot info 101"), "watching"));
  CHECK(alfred.first_reply_line("toot rematch 101") ==
        "+OK Board 102 of Toot -size=4x3: wilma and alfred.");
}

TEST_CASE("the owner ends games, and has them count for nothing", "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  fred.say("toot challenge fred wilma");
  for (const std::string column : {"A", "B", "C"}) {
    fred.say("toot move 101 fred * " + column + "T");
    wilma.say("toot move 101 wilma * " + column + "O");
  }
  wilma.say("watch");
  CHECK(contains(o.owner->first_reply_line("admin forfeit toot 101 betty"), "-ERR"));
  CHECK(contains(o.owner->first_reply_line("admin forfeit toot 101 fred"),
                 "+OK toot 101: fred (TOOT) was resigned by the server's owner."));
  const std::string heard = wilma.take_received();
  CHECK(
      contains(heard, "* toot 101 resign fred : fred (TOOT) was resigned by the server's owner."));
  CHECK(contains(heard,
                 "* toot 101 over : wilma (OTTO) wins. fred was resigned by the server's "
                 "owner."));
  CHECK(contains(read_bytes(o.server.directory / "toot-101.yaml"),
                 "- {move: resign, seat: 1, why: owner, "));
  // A player who was away learns of it at the next `watch`.
  CHECK(contains(fred.say("watch"), "fred (TOOT) was resigned by the server's owner. ("));
  CHECK(contains(fred.say("toot save 101"), "why: owner"));
  CHECK(contains(fred.say("toot ratings"), "1784?"));
  // An unanswered challenge is removed, and the reply names the owner.
  fred.say("flooprail challenge fred wilma");
  CHECK(contains(o.owner->first_reply_line("admin forfeit flooprail 101 wilma"),
                 "The owner of the server refused the challenge. The board is closed"));
  CHECK(contains(wilma.take_received(), " : The owner of the server refused the challenge."));
  CHECK(o.owner->first_reply_line("admin annul toot 101") == "+OK toot 101 is no longer rated.");
  CHECK(o.owner->first_reply_line("admin annul toot 101") == "-ERR toot 101 is not rated.");
  CHECK(contains(fred.say("toot ratings"), "There are no ratings"));
  CHECK(contains(fred.say("toot history"), "(unrated: annulled by the owner)"));
  o.server.service().run_due_work();
  fred.say("toot challenge fred wilma");
  CHECK(contains(o.owner->first_reply_line("admin annul toot 102"), "+OK toot 102 was deleted"));
  CHECK(contains(wilma.take_received(),
                 "* toot 102 gone : The owner of this server annulled the game."));
  CHECK(fred.first_reply_line("toot show 102") == "-ERR There is no board 102 of Toot.");
  CHECK(o.logged.size() == 4);
  CHECK(contains(o.owner->say("admin open ladder toot -size=4x3"), "+OK"));
  CHECK(o.logged.back() == "uid 7 runs admin open ladder toot -size=4x3");
  o.owner.reset();
  o.server.restart();
  TestClient t(o.server);
  CHECK(contains(t.say("toot ratings"), "There are no ratings"));
}

TEST_CASE("numbers for Prometheus are lines that it reads", "[session][admin]") {
  ServerWithOwner o;
  User fred(o.server, "fred"), wilma(o.server, "wilma");
  fred.say("toot challenge fred wilma");
  fred.say("toot move 101 fred * BT");
  fred.say("nonsense");
  const std::string said = o.owner->say("admin stats");
  for (const std::string line :
       {"pbmplay_connections 3", "pbmplay_userids_here 2", "pbmplay_userids 2", "pbmplay_boards 1",
        "pbmplay_boards_running 1", "pbmplay_plies_total 1", "pbmplay_refusals_total 1",
        "# TYPE pbmplay_connections gauge", "pbmplay_not_written_total 0",
        "# TYPE pbmplay_disk_free_bytes gauge", "# TYPE pbmplay_database_bytes gauge"})
    CHECK(contains(said, "\n" + line + "\n"));
  std::istringstream in(said);
  std::string line;
  std::getline(in, line);
  CHECK(line == "+OK # pbmplay");
  while (std::getline(in, line) && line != ".")
    CHECK((line.starts_with("# HELP pbmplay_") || line.starts_with("# TYPE pbmplay_") ||
           (line.starts_with("pbmplay_") && split_words(line).size() == 2)));
}

namespace {

// Starts a server that gets `socket` as a descriptor, as systemd does it.
std::unique_ptr<BackgroundProcess> serve_on_socket(int socket, const TemporaryDirectory& home,
                                                   const std::string& log) {
  const int fd = ::fcntl(socket, F_DUPFD, 20);
  const std::string line = "LISTEN_PID=$$ LISTEN_FDS=1 exec '" + require_program().string() +
                           "' serve --dir '" + (home / "boards").string() + "' 3<&" +
                           std::to_string(fd);
  auto out = std::make_unique<BackgroundProcess>(Words{"/bin/bash", "-c", line}, home / log);
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
    address.socket_path = path;
    auto client = SocketClient::connect(address, std::chrono::seconds(20));
    REQUIRE(client.ok());
    if (!user.empty()) REQUIRE(client->ask("as " + user, std::chrono::seconds(20))->ok);
    return client->ask(line, std::chrono::seconds(20));
  };
  auto old = serve_on_socket(socket, home, "old");
  CHECK(ask("wilma", "list")->ok);
  CHECK(ask("fred", "toot challenge fred wilma")->ok);
  // The old server ends, and the socket stays.
  old->stop(SIGTERM);
  REQUIRE(std::filesystem::exists(path));
  // A client that connects in between waits, and the new server replies. It has every board.
  ServerAddress address;
  address.socket_path = path;
  auto early = SocketClient::connect(address, std::chrono::seconds(20));
  REQUIRE(early.ok());
  const auto now = serve_on_socket(socket, home, "new");
  REQUIRE(early->ask("as fred", std::chrono::seconds(20))->ok);
  CHECK(early->ask("toot move 101 fred * BT", std::chrono::seconds(20))->ok);
  now->stop(SIGTERM);
  CHECK(std::filesystem::exists(path));
  ::close(socket);
}

TEST_CASE("a new userid is not you, but an old account keeps that one", "[session][admin]") {
  ServerWithOwner o;
  TestClient anybody(o.server);
  for (const char* line : {"signup you secret", "signup YOU secret"}) {
    const std::string said = anybody.first_reply_line(line);
    CHECK(said.starts_with("-ERR 'you' cannot be a userid. "));
    CHECK(std::ranges::count(said, '.') == 2);
  }
  User fred(o.server, "fred");
  CHECK(o.owner->first_reply_line("admin rename fred You").starts_with("-ERR 'you' cannot be a "));
  Account old = *o.server.service().accounts.find("fred");
  old.userid = "you";
  o.server.service().accounts.put(old);
  CHECK(anybody.first_reply_line("login you secret").starts_with("+OK "));
  CHECK(fred.first_reply_line("toot challenge fred you").starts_with("+OK "));
  CHECK(anybody.first_reply_line("toot move 101 you * CO").starts_with("-ERR "));
  CHECK(fred.first_reply_line("toot move 101 fred * BT").starts_with("+OK "));
  CHECK(anybody.first_reply_line("toot move 101 you * CO").starts_with("+OK "));
}
