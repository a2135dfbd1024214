// SPDX-License-Identifier: MIT
// The computer as a player on a server: the real program as an ordinary client.
#include <csignal>

#include "child.hpp"
#include "socket_server.hpp"
#include "run.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// A server and bots, each a process.
struct BotServer {
  TemporaryDirectory dir;
  fs::path socket = dir / "socket";
  std::unique_ptr<BackgroundProcess> server;

  BotServer() { start_server(); }
  void start_server() {
    server = std::make_unique<BackgroundProcess>(
        Words{require_program(), "serve", "--dir", dir / "boards", "--socket", socket},
        dir / "server.log");
    server->wait_for("listening on");
  }
  std::unique_ptr<BackgroundProcess> start_bot(const std::string& name, const Words& options) {
    Words words{require_program(), "bot", "--socket", socket, "--user", name};
    words.insert(words.end(), options.begin(), options.end());
    return std::make_unique<BackgroundProcess>(words, dir / (name + ".log"));
  }
  RawConnection connect_player(const std::string& name) {
    ServerAddress address;
    address.socket_path = socket;
    RawConnection out(address);
    CHECK(contains(out.request("as " + name), "+OK Hello, " + name));
    return out;
  }
};

// Repeats the command until its answer contains `text`. Returns the last answer.
std::string repeat_until(RawConnection& who, const std::string& line, const std::string& text) {
  std::string answer;
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(40);
  do {
    answer = who.request(line);
    if (contains(answer, text)) return answer;
    std::this_thread::sleep_for(WaitTime(20));
  } while (std::chrono::steady_clock::now() < over);
  INFO(line << ": " << answer);
  CHECK(contains(answer, text));
  return answer;
}

}  // namespace

TEST_CASE("a bot says what it is, takes what it plays and declines the rest", "[bot]") {
  BotServer club;
  auto hal = club.start_bot("hal", {"--level", "1", "--games", "toot,chaos", "--boards", "2"});
  hal->wait_for("playing as hal");
  RawConnection fred = club.connect_player("fred");
  CHECK(contains(fred.request("list"), "hal                  0  signed in  (computer)"));
  CHECK(contains(fred.request("plotto challenge fred hal"),
                 "-ERR hal takes no new boards of Plotto."));
  // The board is so large that no player can have spelled a name yet.
  CHECK(contains(fred.request("toot challenge -size=14x20 fred hal"),
                 "fred and hal. hal is a computer."));
  CHECK(contains(fred.request("toot move 101 fred * AT"), "+OK"));
  repeat_until(fred, "toot info 101", "plies: 2");
  CHECK(contains(fred.request("toot hint 101"), "-ERR There are no hints on a server"));
  // The bot answers offers: it accepts a take-back, and sees no reason for a draw yet.
  CHECK(contains(fred.request("toot move 101 fred * undo"), "+OK"));
  repeat_until(fred, "toot info 101", "plies: 1");
  CHECK(contains(fred.request("toot move 101 fred * undo"), "+OK"));
  repeat_until(fred, "toot info 101", "plies: 0");
  CHECK(contains(fred.request("toot move 101 fred * AT"), "+OK"));
  repeat_until(fred, "toot info 101", "plies: 2");
  CHECK(contains(fred.request("toot move 101 fred * propose"), "+OK"));
  repeat_until(fred, "toot info 101", "entries: 10");
  CHECK(contains(fred.request("toot move 101 fred * GO"), "+OK"));
  repeat_until(fred, "toot info 101", "plies: 4");
  // The bot plays no more boards than it may, and says so.
  CHECK(contains(fred.request("watch"), "+OK"));
  CHECK(contains(fred.request("chaos challenge hal fred"), "+OK"));
  CHECK(contains(fred.read_until("at level 1."),
                 "* chaos 101 chat hal : I am a computer, at level 1."));
  repeat_until(fred, "chaos info 101", "plies: 1");
  CHECK(contains(fred.request("toot challenge hal fred"), "+OK"));
  CHECK(contains(fred.read_until("I accept no more."), "chat hal : I play on 2 boards already"));
  CHECK(contains(fred.request("toot info 102"), "-ERR"));
  // After a restart it continues its games.
  hal->stop(SIGTERM);
  CHECK(contains(fred.request("toot move 101 fred * NT"), "+OK"));
  hal = club.start_bot("hal", {"--level", "1", "--games", "toot,chaos", "--boards", "2"});
  repeat_until(fred, "toot info 101", "plies: 6");
}

TEST_CASE("two bots play to the end, and the server may be killed meanwhile", "[bot]") {
  BotServer club;
  auto hal = club.start_bot("hal", {"--level", "1"}), eve = club.start_bot("eve", {"--level", "2"});
  hal->wait_for("playing as hal");
  eve->wait_for("playing as eve");
  {
    RawConnection matchmaker = club.connect_player("eve");
    CHECK(contains(matchmaker.request("soccolot challenge eve hal"), "+OK"));
    CHECK(contains(matchmaker.request("toot challenge hal eve"), "+OK"));
    repeat_until(matchmaker, "soccolot info 101", "seats: [eve, hal], plies: ");
  }
  club.server->stop(SIGKILL);
  club.start_server();
  RawConnection fred = club.connect_player("fred");
  repeat_until(fred, "toot history", "hal, eve");
  CHECK(contains(fred.request("toot history"), "(unrated: hal is a computer)"));
  CHECK(contains(fred.request("toot standings"), "There are no ratings"));
  CHECK(hal->is_running());
  CHECK(eve->is_running());
}

TEST_CASE("a bot that may not come in, or is told nonsense, says why", "[bot]") {
  const TestHome pbmplay;
  const auto refused = [&](const Words& words, int status) {
    const RunResult ran = pbmplay(words);
    INFO(ran.err);
    CHECK(ran.status == status);
    return ran.err;
  };
  CHECK(contains(refused({"bot"}, 2), "Write: pbmplay bot --user NAME"));
  CHECK(contains(refused({"bot", "--user", "hal", "--socket", "x", "--level", "11"}, 2),
                 "'--level=11': write a whole number from 1 to 10."));
  CHECK(contains(refused({"bot", "--user", "hal", "--socket", "x", "--games", "toot,go"}, 2),
                 "there is no game 'go'"));
  CHECK(contains(refused({"bot", "--user", "hal", "--socket", "x", "--boards", "0"}, 2),
                 "'--boards=0': write a whole number from 1 to 200."));
  CHECK(contains(refused({"bot", "--user", "-hal-", "--socket", "x"}, 2), "userid"));
  // A person cannot become a computer during a game.
  BotServer club;
  RawConnection fred = club.connect_player("fred"), hal = club.connect_player("hal");
  CHECK(contains(fred.request("toot challenge fred hal"), "+OK"));
  CHECK(contains(fred.request("toot move 101 fred * BT"), "+OK"));
  CHECK(contains(hal.request("toot move 101 hal * CO"), "+OK"));
  auto bot = club.start_bot("hal", {});
  bot->wait_for("You have 1 running game. Finish all games before you change this.");
}

TEST_CASE("who is a computer is kept, and rated only where the owner says so", "[bot][session]") {
  TestServer hall;
  bool rates = false;
  hall.change_options = [&](ServiceOptions& o) { o.rate_computers = rates; };
  {
    TestClient hal(hall, "hal");
    CHECK(hal.first_reply_line("set computer hal * maybe") == "-ERR 'maybe' is not yes or no.");
    CHECK(hal.first_reply_line("set computer hal * yes") == "+OK hal is marked as a computer.");
  }
  // Plays six plies; then fred resigns.
  const auto play = [&](const std::string& board) {
    TestClient fred(hall, "fred"), hal(hall, "hal");
    CHECK(contains(hal.say("list"), "hal                  0  signed in  (computer)"));
    CHECK(contains(fred.first_reply_line("toot challenge fred hal"),
                   "fred and hal. hal is a computer."));
    for (const char* ply : {"BT", "CO", "DO", "AO", "AT", "FO"})
      for (TestClient* who : {&fred, &hal})
        if (contains(who->first_reply_line("toot move " + board + " " +
                                           (who == &fred ? "fred" : "hal") + " * " + ply),
                     "+OK"))
          break;
    CHECK(hal.first_reply_line("set computer hal * no") ==
          "-ERR You have 1 running game. Finish all games before you change this.");
    CHECK(contains(fred.first_reply_line("toot resign " + board + " fred *"), "+OK"));
    return fred.say("toot history");
  };
  CHECK(contains(play("101"), "hal won (unrated: hal is a computer)"));
  rates = true;
  hall.restart();
  CHECK(contains(play("102"), "hal won\n"));
  TestClient hal(hall, "hal");
  CHECK(hal.first_reply_line("set computer hal * no") == "+OK hal is not marked as a computer.");
  CHECK_FALSE(contains(hal.say("list"), "computer"));
}

TEST_CASE("a bot keeps a board on which it has played, and none that it is done with", "[bot]") {
  BotServer club;
  auto hal = club.start_bot("hal", {"--level", "1", "--boards", "1"});
  hal->wait_for("playing as hal");
  RawConnection fred = club.connect_player("fred");
  CHECK(contains(fred.request("toot challenge -size=14x20 fred hal"), "+OK"));
  CHECK(contains(fred.request("toot 101 AT"), "+OK"));
  for (const std::string plies : {"plies: 2", "plies: 1", "plies: 0"}) {
    repeat_until(fred, "toot info 101", plies);
    if (plies != "plies: 0") CHECK(contains(fred.request("toot undo 101"), "+OK"));
  }
  // No plies are left on that board, and now the bot plays another game only.
  hal->stop(SIGTERM);
  CHECK(contains(fred.request("chaos challenge hal fred"), "+OK"));
  hal = club.start_bot("hal", {"--level", "1", "--boards", "1", "--games", "chaos"});
  repeat_until(fred, "chaos info 101", "-ERR");
  CHECK(contains(fred.request("toot info 101"), "turn: 1"));
  CHECK(contains(fred.request("toot resign 101"), "+OK"));
  hal->stop(SIGTERM);
  // The owner of a bot resigns for it in a game of three, and the others continue.
  hal = club.start_bot("hal", {"--level", "1", "--boards", "1"});
  hal->wait_for("playing as hal");
  RawConnection ann = club.connect_player("ann");
  CHECK(contains(ann.request("plotto challenge ann fred hal"), "+OK"));
  CHECK(contains(ann.request("plotto 101 a1"), "+OK"));
  CHECK(contains(fred.request("plotto 101 a2"), "+OK"));
  repeat_until(fred, "plotto info 101", "plies: 3");
  ServerAddress address;
  address.socket_path = club.socket;
  RawConnection owner(address);
  CHECK(contains(owner.request("admin forfeit plotto 101 hal"), "+OK"));
  CHECK(contains(fred.request("chaos challenge hal fred"), "+OK"));
  repeat_until(fred, "chaos info 102", "plies: 1");
}
