// SPDX-License-Identifier: MIT
// The computer as a player on a server: the real program as an ordinary client.
#include <csignal>

#include "child.hpp"
#include "listening.hpp"
#include "run.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// A server and bots, each a process.
struct Club {
  TemporaryDirectory dir;
  fs::path socket = dir / "socket";
  std::unique_ptr<Child> server;

  Club() { start_server(); }
  void start_server() {
    server = std::make_unique<Child>(
        Words{program(), "serve", "--dir", dir / "boards", "--socket", socket}, dir / "server.log");
    server->wait_for("listening on");
  }
  std::unique_ptr<Child> bot(const std::string& name, const Words& options) {
    Words words{program(), "bot", "--socket", socket, "--user", name};
    words.insert(words.end(), options.begin(), options.end());
    return std::make_unique<Child>(words, dir / (name + ".log"));
  }
  Raw person(const std::string& name) {
    ServerAddress address;
    address.socket = socket;
    Raw out(address);
    CHECK(has(out.ask("as " + name), "+OK Hello, " + name));
    return out;
  }
};

// Repeats the command until its answer contains `text`. Returns the last answer.
std::string ask_until(Raw& who, const std::string& line, const std::string& text) {
  std::string answer;
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(40);
  do {
    answer = who.ask(line);
    if (has(answer, text)) return answer;
    std::this_thread::sleep_for(Wait(20));
  } while (std::chrono::steady_clock::now() < over);
  INFO(line << ": " << answer);
  CHECK(has(answer, text));
  return answer;
}

}  // namespace

TEST_CASE("a bot says what it is, takes what it plays and declines the rest", "[bot]") {
  Club club;
  auto hal = club.bot("hal", {"--level", "1", "--games", "toot,chaos", "--boards", "2"});
  hal->wait_for("playing as hal");
  Raw fred = club.person("fred");
  CHECK(has(fred.ask("list"), "hal                  0  here  (computer)"));
  CHECK(has(fred.ask("plotto challenge fred hal"), "-ERR hal takes no new boards of Plotto."));
  // The board is so large that no player can have spelled a name yet.
  CHECK(has(fred.ask("toot challenge -size=14x20 fred hal"), "fred and hal. hal is a computer."));
  CHECK(has(fred.ask("toot move 101 fred * AT"), "+OK"));
  ask_until(fred, "toot info 101", "plies: 2");
  CHECK(has(fred.ask("toot hint 101"), "-ERR There are no hints on a server"));
  // The bot answers offers: it accepts a take-back, and sees no reason for a draw yet.
  CHECK(has(fred.ask("toot move 101 fred * undo"), "+OK"));
  ask_until(fred, "toot info 101", "plies: 1");
  CHECK(has(fred.ask("toot move 101 fred * undo"), "+OK"));
  ask_until(fred, "toot info 101", "plies: 0");
  CHECK(has(fred.ask("toot move 101 fred * AT"), "+OK"));
  ask_until(fred, "toot info 101", "plies: 2");
  CHECK(has(fred.ask("toot move 101 fred * propose"), "+OK"));
  ask_until(fred, "toot info 101", "entries: 10");
  CHECK(has(fred.ask("toot move 101 fred * GO"), "+OK"));
  ask_until(fred, "toot info 101", "plies: 4");
  // The bot plays no more boards than it may, and says so.
  CHECK(has(fred.ask("watch"), "+OK"));
  CHECK(has(fred.ask("chaos challenge hal fred"), "+OK"));
  CHECK(has(fred.until("at level 1."), "* chaos 101 chat hal : I am a computer, at level 1."));
  ask_until(fred, "chaos info 101", "plies: 1");
  CHECK(has(fred.ask("toot challenge hal fred"), "+OK"));
  CHECK(has(fred.until("and take no more."), "chat hal : I play on 2 boards already"));
  CHECK(has(fred.ask("toot info 102"), "-ERR"));
  // After a restart it continues its games.
  hal->end(SIGTERM);
  CHECK(has(fred.ask("toot move 101 fred * NT"), "+OK"));
  hal = club.bot("hal", {"--level", "1", "--games", "toot,chaos", "--boards", "2"});
  ask_until(fred, "toot info 101", "plies: 6");
}

TEST_CASE("two bots play to the end, and the server may be killed meanwhile", "[bot]") {
  Club club;
  auto hal = club.bot("hal", {"--level", "1"}), eve = club.bot("eve", {"--level", "2"});
  hal->wait_for("playing as hal");
  eve->wait_for("playing as eve");
  {
    Raw matchmaker = club.person("eve");
    CHECK(has(matchmaker.ask("soccolot challenge eve hal"), "+OK"));
    CHECK(has(matchmaker.ask("toot challenge hal eve"), "+OK"));
    ask_until(matchmaker, "soccolot info 101", "seats: [eve, hal], plies: ");
  }
  club.server->end(SIGKILL);
  club.start_server();
  Raw fred = club.person("fred");
  ask_until(fred, "toot history", "hal, eve");
  CHECK(has(fred.ask("toot history"), "(unrated: hal is a computer)"));
  CHECK(has(fred.ask("toot standings"), "Nobody has a rating"));
  CHECK(hal->running());
  CHECK(eve->running());
}

TEST_CASE("a bot that may not come in, or is told nonsense, says why", "[bot]") {
  const Home pbmplay;
  const auto refused = [&](const Words& words, int status) {
    const Ran ran = pbmplay(words);
    INFO(ran.err);
    CHECK(ran.status == status);
    return ran.err;
  };
  CHECK(has(refused({"bot"}, 2), "Write: pbmplay bot --user NAME"));
  CHECK(has(refused({"bot", "--user", "hal", "--socket", "x", "--level", "11"}, 2),
            "'--level=11': write a whole number from 1 to 10."));
  CHECK(has(refused({"bot", "--user", "hal", "--socket", "x", "--games", "toot,go"}, 2),
            "there is no game 'go'"));
  CHECK(has(refused({"bot", "--user", "hal", "--socket", "x", "--boards", "0"}, 2),
            "'--boards=0': write a whole number from 1 to 200."));
  CHECK(has(refused({"bot", "--user", "-hal-", "--socket", "x"}, 2), "userid"));
  // A person cannot become a computer during a game.
  Club club;
  Raw fred = club.person("fred"), hal = club.person("hal");
  CHECK(has(fred.ask("toot challenge fred hal"), "+OK"));
  CHECK(has(fred.ask("toot move 101 fred * BT"), "+OK"));
  CHECK(has(hal.ask("toot move 101 hal * CO"), "+OK"));
  auto bot = club.bot("hal", {});
  bot->wait_for("hal has 1 board running: who plays for a userid changes only while it has none.");
}

TEST_CASE("who is a computer is kept, and rated only where the owner says so", "[bot][session]") {
  TestServer hall;
  bool rates = false;
  hall.bounds = [&](ServiceOptions& o) { o.rate_computers = rates; };
  {
    TestClient hal(hall, "hal");
    CHECK(hal.first("set computer hal * maybe") ==
          "-ERR 'maybe': a program plays for hal, yes or no.");
    CHECK(hal.first("set computer hal * yes") == "+OK Everybody sees that hal is a computer.");
  }
  // Plays six plies; then fred resigns.
  const auto play = [&](const std::string& board) {
    TestClient fred(hall, "fred"), hal(hall, "hal");
    CHECK(has(hal.say("list"), "hal                  0  here  (computer)"));
    CHECK(has(fred.first("toot challenge fred hal"), "fred and hal. hal is a computer."));
    for (const char* ply : {"BT", "CO", "DO", "AO", "AT", "FO"})
      for (TestClient* who : {&fred, &hal})
        if (has(who->first("toot move " + board + " " + (who == &fred ? "fred" : "hal") + " * " +
                           ply),
                "+OK"))
          break;
    CHECK(hal.first("set computer hal * no") ==
          "-ERR hal has 1 board running: who plays for a userid changes only while it has none.");
    CHECK(has(fred.first("toot resign " + board + " fred *"), "+OK"));
    return fred.say("toot history");
  };
  CHECK(has(play("101"), "hal won (unrated: hal is a computer)"));
  rates = true;
  hall.restart();
  CHECK(has(play("102"), "hal won\n"));
  TestClient hal(hall, "hal");
  CHECK(hal.first("set computer hal * no") == "+OK hal is no computer.");
  CHECK_FALSE(has(hal.say("list"), "computer"));
}

TEST_CASE("a bot keeps a board on which it has played, and none that it is done with", "[bot]") {
  Club club;
  auto hal = club.bot("hal", {"--level", "1", "--boards", "1"});
  hal->wait_for("playing as hal");
  Raw fred = club.person("fred");
  CHECK(has(fred.ask("toot challenge -size=14x20 fred hal"), "+OK"));
  CHECK(has(fred.ask("toot 101 AT"), "+OK"));
  for (const std::string plies : {"plies: 2", "plies: 1", "plies: 0"}) {
    ask_until(fred, "toot info 101", plies);
    if (plies != "plies: 0") CHECK(has(fred.ask("toot undo 101"), "+OK"));
  }
  // No plies are left on that board, and now the bot plays another game only.
  hal->end(SIGTERM);
  CHECK(has(fred.ask("chaos challenge hal fred"), "+OK"));
  hal = club.bot("hal", {"--level", "1", "--boards", "1", "--games", "chaos"});
  ask_until(fred, "chaos info 101", "-ERR");
  CHECK(has(fred.ask("toot info 101"), "turn: 1"));
  CHECK(has(fred.ask("toot resign 101"), "+OK"));
  hal->end(SIGTERM);
  // The owner of a bot resigns for it in a game of three, and the others continue.
  hal = club.bot("hal", {"--level", "1", "--boards", "1"});
  hal->wait_for("playing as hal");
  Raw ann = club.person("ann");
  CHECK(has(ann.ask("plotto challenge ann fred hal"), "+OK"));
  CHECK(has(ann.ask("plotto 101 a1"), "+OK"));
  CHECK(has(fred.ask("plotto 101 a2"), "+OK"));
  ask_until(fred, "plotto info 101", "plies: 3");
  ServerAddress address;
  address.socket = club.socket;
  Raw owner(address);
  CHECK(has(owner.ask("admin forfeit plotto 101 hal"), "+OK"));
  CHECK(has(fred.ask("chaos challenge hal fred"), "+OK"));
  ask_until(fred, "chaos info 102", "plies: 1");
}
