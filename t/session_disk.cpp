// SPDX-License-Identifier: MIT
// What the server promises about the disk: nothing is answered or told before
// it is there, what could not be kept is undone alone, and others may play on
// the same files.
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/error.hpp"
#include "boards/local_boards.hpp"
#include "save/save.hpp"
#include "server/tables/schema.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

std::string board_file(const Pair& p) { return bytes_of(p.hall.directory / "toot-101.yaml"); }

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string moved(const std::string& who, const std::string& ply) {
  return "toot move 101 " + who + " * " + ply;
}

}  // namespace

TEST_CASE("a ply is answered and told only when it is on disk, while other commands go on",
          "[session][disk]") {
  Pair p;
  User betty(p.hall, "betty");
  Service& service = p.hall.service();
  p.fred.send(moved("fred", "BT"));
  CHECK(p.fred.heard() == "");
  CHECK(p.wilma.heard() == "");
  auto batch = service.take_batch();
  REQUIRE(batch);
  // Out: who does not depend on it is answered, who does waits with it.
  betty.send("toot games betty");
  CHECK(betty.heard() == "+OK No boards of Toot.\n.\n");
  betty.send("toot show 101");
  betty.send("list");
  CHECK(betty.heard() == "");
  CHECK(service.take_batch() == nullptr);
  p.wilma.send(moved("wilma", "CO"));
  CHECK(service.take_batch() == nullptr);
  batch->sync();
  CHECK(p.fred.heard() == "");
  service.finish(std::move(batch));
  CHECK(p.fred.heard().substr(0, 10) == "+OK Ply 1:");
  CHECK(p.wilma.heard() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");
  const std::string said = betty.heard();
  CHECK(has(said, "It is wilma's turn"));
  CHECK(has(said, "3 userids"));
  batch = service.take_batch();
  REQUIRE(batch);
  batch->sync();
  service.finish(std::move(batch));
  CHECK(p.wilma.heard().substr(0, 10) == "+OK Ply 2:");
  CHECK(p.fred.heard() == "* toot 101 ply 2 wilma CO\n* toot 101 turn 3\n");
  CHECK(service.take_batch() == nullptr);
}

TEST_CASE("plies on many boards share one batch, and that is one sync", "[session][disk]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 0; i < 5; ++i) fred.say("toot challenge fred wilma");
  hall.synced.clear();
  for (int i = 101; i <= 105; ++i) fred.send("toot move " + std::to_string(i) + " fred * BT");
  for (int i = 101; i <= 105; ++i) wilma.send("toot move " + std::to_string(i) + " wilma * BT");
  auto batch = hall.service().take_batch();
  batch->sync();
  CHECK(hall.synced == Words{"log-1"});
  hall.service().finish(std::move(batch));
  CHECK(has(fred.heard(), "+OK Ply 1"));
  CHECK(has(wilma.heard(), "+OK Ply 2"));
}

TEST_CASE("when the disk does not keep the log nothing is acknowledged any more",
          "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.heard();
  p.wilma.heard();
  Service& service = p.hall.service();
  const std::string lost =
      "-ERR Whether that was kept is not known (" + (p.hall.directory / ".server/log-1").string() +
      " cannot be synced (Input/output error)): look when the server is back.\n.\n";
  p.hall.broken = "log-";
  p.fred.send(moved("fred", "BT"));
  auto batch = service.take_batch();
  // Built on what is being synced, in the next batch; and one that only looks.
  p.wilma.send(moved("wilma", "CO"));
  p.wilma.send("toot save 101");
  p.wilma.send("toot games nobody");
  batch->sync();
  CHECK(service.must_end() == "");
  service.finish(std::move(batch));
  CHECK(p.fred.heard() == lost);
  CHECK(p.wilma.heard() == lost + lost + "-ERR There is no userid nobody here.\n.\n");
  CHECK(service.must_end() ==
        (p.hall.directory / ".server/log-1").string() +
            " cannot be synced (Input/output error) while the server ran: it ends, as nothing more "
            "would be kept.");
  CHECK(service.take_batch() == nullptr);
  CHECK(has(p.fred.say("toot move 102 fred * CT"), "-ERR "));
  CHECK(has(p.fred.say("toot challenge fred wilma"), "-ERR "));
  CHECK(has(TestClient(p.hall).say("signup betty secret"), "-ERR "));
  // Both were in the file, and the disk is well again: they are there.
  p.hall.broken.clear();
  p.hall.restart();
  User fred(p.hall, "fred");
  CHECK(has(board_file(p), "- {move: BT, at: 2026-11-21T12:00:00Z}\n- {move: CO,"));
  CHECK(has(fred.first("toot move 102 fred * CT"), "+OK Ply 1"));
  CHECK(p.hall.service().must_end() == "");
}

TEST_CASE("a queued ply that is being played is queued still where its board was not kept",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  const std::string before = board_file(p);
  p.wilma.send("toot queue 101 wilma * CO");
  CHECK(service.take_batch() == nullptr);
  p.fred.send(moved("fred", "BT"));
  CHECK(has(board_file(p), "- {move: CO,"));
  p.hall.broken = "log-";
  service.settle();
  CHECK(has(p.fred.heard(), "-ERR Whether that was kept is not known"));
  CHECK(p.wilma.heard() == "+OK CO is queued on toot 101, for when it is your turn.\n.\n");
  p.hall.stop();
  // What had reached the disk by then.
  fs::remove(p.hall.directory / ".server/log-1");
  std::ofstream(p.hall.directory / "toot-101.yaml") << before;
  p.hall.broken.clear();
  p.hall.start();
  CHECK(User(p.hall, "wilma").first("toot queue 101 wilma *") == "+OK Queued on toot 101: CO.");
}

TEST_CASE("a challenge takes the next number that is free, whatever has the one before",
          "[session][disk]") {
  Pair p;
  fs::create_directory(p.hall.directory / "toot-102.yaml");
  fs::create_symlink("nowhere", p.hall.directory / "toot-103.yaml");
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 104"));
}

TEST_CASE("a conversation that ends before its batch does no harm", "[session][disk]") {
  Pair p;
  {
    TestClient gone(p.hall);
    gone.send("toot move 101 fred secret BT");
    auto job = p.hall.service().take_hash();
    job->run();
    p.hall.service().finish(std::move(job));
    gone.send("login wilma secret");
  }
  CHECK(p.hall.service().take_hash() == nullptr);
  p.hall.service().settle();
  CHECK(p.wilma.heard() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");
}

TEST_CASE("what the local client plays on a save is seen, told and followed", "[session][disk]") {
  Pair p;
  LocalBoards local(p.hall.directory, "");
  auto board = local.open("toot-101");
  REQUIRE(board.ok());
  REQUIRE(local.play(*board, {{std::nullopt, "BT"}}).ok());
  p.hall.service().take_changes();
  CHECK(p.wilma.heard() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");
  CHECK(has(p.wilma.say("toot games"),
            "   101     1  fred, wilma                           wilma's turn\n"));
  CHECK(has(p.wilma.first(moved("wilma", "CO#2")), "+OK Ply 2: "));
  // The client looks at an older position now, and is told so.
  CHECK_FALSE(local.play(*board, {{std::nullopt, "DT"}}).ok());
  p.wilma.say("toot queue 101 wilma * DO");
  REQUIRE(local.play(*board, {{std::nullopt, "AT"}}).ok());
  p.hall.service().take_changes();
  p.hall.service().settle();
  CHECK(has(board_file(p), "- {move: AT, at: "));
  CHECK(has(board_file(p), "- {move: DO, at: 2026-11-21T12:00:00Z}\n"));
  CHECK(has(p.wilma.heard(), "* toot 101 ply 3 fred AT\n"));
  // Finished by the client, counted by the server.
  p.fred.say(moved("fred", "AT"));
  p.wilma.say(moved("wilma", "BT"));
  auto again = local.open("toot-101");
  REQUIRE(local.play(*again, {{0, "resign"}}).ok());
  CHECK(has(p.wilma.say("toot history"), "wilma won\n"));
  CHECK(has(p.wilma.say("toot standings"), "  1784?     1     1     0     0  wilma\n"));
}

TEST_CASE("boards the local client makes, deletes and brings back come and go", "[session][disk]") {
  Pair p;
  LocalBoards local(p.hall.directory, "");
  const auto made = local.create(*find_game("toot"), {}, {"fred", "Barney Rubble"});
  REQUIRE(made.ok());
  CHECK(made->id == "toot-102");
  CHECK(has(p.fred.say("toot games"),
            "   102     0  fred, Barney Rubble                   fred's turn\n"));
  CHECK(has(p.fred.first("toot move 102 fred * BT"), "+OK Ply 1"));
  REQUIRE(local.remove("toot-102").ok());
  CHECK_FALSE(has(p.fred.say("toot games"), "102"));
  CHECK(p.fred.first("toot show 102") == "-ERR There is no board 102 of Toot.");
  REQUIRE(local.restore("toot-102").ok());
  CHECK(has(p.fred.say("toot show 102"), "It is Barney Rubble's turn"));
  // Number 102 is never given to another board.
  REQUIRE(local.remove("toot-102").ok());
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE("a number above the last is no board's here, and behind the last one there is none",
          "[session][disk]") {
  Pair p;
  const std::string text = bytes_of(p.hall.directory / "toot-101.yaml");
  const auto put = [&](const std::string& name) { std::ofstream(p.hall.directory / name) << text; };
  put("toot-1000000.yaml");
  CHECK(has(p.fred.first("toot games"), "+OK 1 board"));
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 102"));
  CHECK(p.fred.first("toot show 1000000") == "-ERR There is no userid 1000000 here.");
  put("toot-999999.yaml");
  CHECK(has(p.fred.first("toot show 999999"), "+OK 1 board"));
  CHECK(p.fred.first("toot challenge fred wilma") ==
        "-ERR No number is left for a new board of Toot: toot-999999 has had the last one.");
  CHECK(has(p.fred.first("chaos challenge fred wilma"), "+OK Board 101"));
}

TEST_CASE("what makes a save too large is refused by the bytes that would be written",
          "[session][disk]") {
  Pair p;
  const std::string head = "format: 1\ngame: toot\nseats: [fred, wilma]\n", indent(10, ' '),
                    ply = indent + "- {move: BT}\n" + indent + "- {move: CO}\n";
  const auto file = p.hall.directory / "toot-120.yaml";
  std::ofstream(file) << head << "#"
                      << std::string(kMaxSave - 55 - head.size() - ply.size() - 2 - 7, 'x')
                      << "\nplies:\n"
                      << ply;
  REQUIRE(fs::file_size(file) == kMaxSave - 55);
  p.hall.service().take_changes();
  CHECK(p.fred.first("toot resign 120 fred *") ==
        "-ERR The save of toot 120 is as large as a save may be: resign or agree on a draw.");
  CHECK(fs::file_size(file) == kMaxSave - 55);
}

TEST_CASE(
    "a save that is broken, of another game or with one name twice is shown so, and not played on",
    "[session][disk]") {
  Pair p;
  const auto put = [&](const std::string& name, const std::string& text) {
    std::ofstream(p.hall.directory / name) << text;
  };
  put("toot-110.yaml", "format: 1\ngame: toot\nseats: [fred, FRED]\nplies:\n- BT\n");
  put("toot-111.yaml", "format: 1\ngame: chaos\nseats: [fred, wilma]\nplies:\n");
  put("toot-112.yaml", "no save\n");
  put("toot-113.yaml", "format: 1\ngame: toot\nseats: [\"fred\\e[2J\", wilma]\nplies:\n");
  put("toot-114.yaml", "format: 1\ngame: toot\nseats: [fred, wilma]\nplies: [BT, CO]  # so\n");
  put("toot-115.yaml",
      "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: []\nnote: none\n");
  CHECK(has(p.fred.say("toot show 110"), "It is FRED's turn"));
  CHECK(p.fred.first("toot move 110 fred * CO") ==
        "-ERR Two seats of toot 110 are called FRED: such a board can be looked at, not played "
        "here.");
  CHECK(p.fred.first("toot show 111") ==
        "-ERR toot-111.yaml holds a board of Chaos, which its name denies.");
  CHECK(has(p.fred.first("toot move 112 fred * BT"), "-ERR toot-112.yaml is not a save"));
  CHECK(has(p.fred.say("toot games all"), "   112     -  toot-112.yaml is not a save"));
  CHECK(has(p.fred.say("toot show 113"), "fred?[2J (TOOT)"));
  CHECK(has(p.fred.first("toot move 114 fred * DT"), "-ERR toot-114"));
  CHECK(has(p.fred.first("toot move 115 fred * DT"), "+OK Ply 1"));
  CHECK(bytes_of(p.hall.directory / "toot-115.yaml") ==
        "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: \n- {move: DT, at: "
        "2026-11-21T12:00:00Z}\nnote: none\n");
  p.wilma.say("toot queue 115 wilma * CO");
  CHECK(has(p.wilma.first("toot move 115 wilma * CO#2"), "+OK"));
  p.hall.restart();
  CHECK(p.hall.service().warnings().size() == 2);
}

TEST_CASE("a save that gets many entries at once is told as changed, not entry by entry",
          "[session][disk]") {
  Pair p;
  const auto add = [&](int offers) {
    {
      std::ofstream file(p.hall.directory / "toot-101.yaml", std::ios::app);
      for (int i = 0; i < offers; ++i)
        file << "- {move: propose, seat: 1}\n- {move: reject, seat: 2}\n";
    }
    p.hall.service().take_changes();
    return p.wilma.heard();
  };
  std::string told;
  for (int i = 0; i < 10; ++i)
    told +=
        "* toot 101 propose fred : fred (TOOT) offers a draw: accept or reject.\n* toot 101 reject "
        "wilma : wilma (OTTO) rejects the draw.\n";
  CHECK(add(10) == told);
  CHECK(add(11) == "* toot 101 changed : It is fred's turn (TOOT).\n");
}

TEST_CASE("a save that another program holds is refused after a moment, not waited for",
          "[session][disk]") {
  Pair p;
  const int fd = ::open((p.hall.directory / "toot-101.yaml").c_str(), O_RDWR);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  CHECK(p.fred.first(moved("fred", "BT")) ==
        "-ERR Another program is writing on toot 101: try again.");
  CHECK(has(p.fred.say("toot show 101"), "It is fred's turn"));
  ::close(fd);
  CHECK(has(p.fred.first(moved("fred", "BT")), "+OK"));
}

TEST_CASE("a command that meets such a save is run when that is let go, and others meanwhile",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  const int fd = ::open((p.hall.directory / "toot-101.yaml").c_str(), O_RDWR);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  p.fred.send(moved("fred", "BT"));
  p.fred.send("toot queue 101 fred * DT");
  CHECK(p.fred.session().busy());
  CHECK(service.tries_again());
  service.try_saves();
  CHECK(p.fred.heard() == "");
  p.wilma.send("list");
  CHECK(has(p.wilma.heard(), "+OK 2 userids"));
  ::close(fd);
  service.try_saves();
  service.settle();
  const std::string said = p.fred.heard();
  CHECK(has(said, "+OK Ply 1: fred (TOOT) drops a T down column B."));
  CHECK(has(said, "+OK DT is queued on toot 101"));
  CHECK_FALSE(service.tries_again());
  CHECK(has(p.wilma.heard(), "* toot 101 ply 1 fred BT"));
}

TEST_CASE("a save is held for a moment behind a ply, and not from who writes without asking",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  const fs::path save = p.hall.directory / "toot-101.yaml";
  const auto free = [&] {
    const UniqueFd fd(::open(save.c_str(), O_RDWR | O_CLOEXEC));
    return ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
  };
  const auto play = [&](TestClient& who, const std::string& line) {
    who.send(line);
    auto batch = service.take_batch();
    REQUIRE(batch);
    batch->sync();
    service.finish(std::move(batch));
    CHECK(has(who.heard(), "+OK Ply"));
    service.let_go();
  };
  play(p.fred, moved("fred", "BT"));
  CHECK_FALSE(free());
  REQUIRE(service.store().due());
  // What another has put in its place counts at once.
  std::string text = board_file(p);
  const std::string mine = "- {move: BT";
  text.replace(text.find(mine), mine.size(), "- {move: CT");
  put(p.hall.directory / "other", text);
  fs::rename(p.hall.directory / "other", save);
  play(p.wilma, moved("wilma", "DO"));
  CHECK(has(board_file(p), "- {move: CT"));
  CHECK(has(board_file(p), "- {move: DO"));
  play(p.fred, moved("fred", "ET"));
  CHECK_FALSE(free());
  p.hall.kept_back += BoardStore::kKept;
  service.let_go();
  CHECK(free());
  CHECK_FALSE(service.store().due());
  CHECK(has(board_file(p), "- {move: ET"));
  // Where what was played is not on disk yet it is held on.
  p.wilma.send(moved("wilma", "FO"));
  service.let_go(true);
  CHECK_FALSE(free());
  service.settle();
  CHECK(free());
}

TEST_CASE("what is queued behind a ply of another program waits until that lets the save go",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  nearly_fill_a(p.fred, p.wilma);
  p.wilma.say("toot queue 101 wilma * CO");
  const int fd = ::open((p.hall.directory / "toot-101.yaml").c_str(), O_RDWR | O_APPEND);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  const std::string line = "- {move: BT, at: 2026-11-21T12:00:00Z}\n";
  std::ofstream(p.hall.directory / "toot-101.yaml", std::ios::app) << line;
  service.take_changes();
  service.settle();
  CHECK(p.wilma.heard() == "* toot 101 ply 5 fred BT\n");
  service.take_changes();
  service.settle();
  CHECK(p.wilma.heard() == "");
  CHECK(service.tries_again());
  ::flock(fd, LOCK_UN);
  service.take_changes();
  service.settle();
  CHECK_FALSE(service.tries_again());
  CHECK(p.wilma.heard() == "* toot 101 ply 6 wilma CO (Auto)\n");
  // What cannot be played then is told.
  p.wilma.say("toot queue 101 wilma * AT");
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  const std::string next = "- {move: AT, at: 2026-11-21T12:00:00Z}\n";
  std::ofstream(p.hall.directory / "toot-101.yaml", std::ios::app) << next;
  service.take_changes();
  CHECK(p.wilma.heard() == "* toot 101 ply 7 fred AT\n");
  ::close(fd);
  // Whoever comes by brings it about, too.
  p.fred.say("list");
  CHECK(has(p.wilma.heard(), "* toot 101 turn 8\n"));
}

TEST_CASE("whoever cannot resign all boards signs off from none", "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  const std::string before = bytes_of(p.hall.directory / "toot-101.yaml");
  const int fd = ::open((p.hall.directory / "toot-102.yaml").c_str(), O_RDWR);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  CHECK(p.fred.first("signoff fred secret") ==
        "-ERR Still here: Another program is writing on toot 102: try again.");
  CHECK(bytes_of(p.hall.directory / "toot-101.yaml") == before);
  CHECK(has(p.fred.say("toot games fred"), "2 boards"));
  ::close(fd);
  CHECK(has(p.fred.first("signoff fred secret"), "+OK"));
  CHECK(p.wilma.first("toot games") == "+OK No boards of Toot.");
}

TEST_CASE("whoever has a board that cannot be written on signs off from none", "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * CO");
  const fs::path third = p.hall.directory / "toot-103.yaml";
  std::ofstream(third)
      << "format: 1\ngame: toot\nseats: [fred, wilma]\nplies: [BT, CO, DT]  # so\n";
  p.fred.heard();
  p.wilma.heard();
  CHECK(has(p.fred.first("signoff fred secret"),
            "-ERR Still here: toot-103, line 4: this board cannot be played on"));
  CHECK(has(p.fred.say("toot games fred"), "3 boards"));
  CHECK_FALSE(has(p.wilma.heard(), " gone "));
  std::ofstream(third) << "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- BT\n- CO\n- DT\n";
  CHECK(has(p.fred.first("signoff fred secret"), "+OK"));
  CHECK(p.wilma.first("toot games") == "+OK No boards of Toot.");
}

TEST_CASE(
    "a signoff that the disk breaks off says what it resigned, and goes on when it is said again",
    "[session][disk]") {
  Pair p;
  const auto put = [&](const std::string& name, const std::string& more) {
    std::ofstream(p.hall.directory / name) << "format: 1\ngame: toot\nseats: [fred, wilma]\n"
                                           << more << "plies:\n- BT\n- CO\n";
  };
  put("toot-102.yaml", "");
  put("toot-103.yaml", "# " + std::string(9000, 'x') + "\n");
  p.hall.service().take_changes();
  p.fred.heard();
  // A limit on the size of files stands for the disk that is full.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit full = before;
  full.rlim_cur = fs::file_size(p.hall.directory / "toot-103.yaml");
  ::setrlimit(RLIMIT_FSIZE, &full);
  const std::string said = p.fred.say("signoff fred secret");
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(
      said ==
      "-ERR Still here, with 2 boards resigned: toot-103.yaml cannot be written: File too large.\n"
      "toot 101: fred (TOOT) refused the challenge: the board is gone, and nobody's rating "
      "changes.\ntoot 102: fred (TOOT) resigns.\n.\n");
  CHECK(p.fred.say("signoff fred secret") ==
        "+OK Good-bye, fred.\ntoot 103: fred (TOOT) resigns.\n.\n");
}

TEST_CASE("while a ply is not on disk nobody else can write behind it", "[session][disk]") {
  Pair p;
  p.fred.send(moved("fred", "BT"));
  const int fd = ::open((p.hall.directory / "toot-101.yaml").c_str(), O_RDWR);
  CHECK(::flock(fd, LOCK_EX | LOCK_NB) != 0);
  p.hall.service().settle();
  CHECK(::flock(fd, LOCK_EX | LOCK_NB) == 0);
  ::close(fd);
  CHECK(has(p.fred.first("toot show 101"), "+OK"));
}

TEST_CASE("everything is there again after a restart", "[session][disk]") {
  TestServer hall;
  std::string shown, table, standings, boards;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma -size=7x9");
    fred.say("toot move 101 fred * BT");
    fred.say("chaos challenge fred wilma");
    fred.say("chaos move 101 fred * a1-c3");
    fred.say("chaos move 101 fred * propose");
    wilma.say("chaos resign 101 wilma *");
    fred.say("toot challenge wilma fred");
    fred.say("soccolot set fred * c");
    wilma.say("toot move 101 wilma * BO");
    wilma.say("toot resign 101 wilma *");
    shown = fred.say("toot show 101 102");
    table = fred.say("toot games all");
    standings = fred.say("toot standings");
    boards = fred.say("boards fred");
  }
  for (const bool summaries : {true, false}) {
    if (!summaries) {
      hall.service().database().run("DELETE FROM board");
      hall.service().settle();
    }
    hall.restart();
    User fred(hall, "fred");
    CHECK(fred.say("boards fred") == boards);
    CHECK(fred.say("toot show 101 102") == shown);
    CHECK(fred.say("toot games all") == table);
    CHECK(fred.say("toot standings") == standings);
    CHECK(fred.say("soccolot set fred *") == "+OK fred sees field c of a, b or c.\n.\n");
  }
}

TEST_CASE(
    "an old summary, a torn line and a game that was not noted before a crash are made up for",
    "[session][disk]") {
  TestServer hall;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma");
    fred.say("toot move 101 fred * BT");
    wilma.say("toot move 101 wilma * BO");
  }
  hall.stop();
  std::ofstream(hall.directory / "toot-101.yaml", std::ios::app)
      << "- {move: resign, seat: 1, at: 2026-11-22T00:00:00Z}\n- {move: re";
  hall.start();
  CHECK(hall.service().warnings().empty());
  User fred(hall, "fred");
  CHECK(has(fred.say("toot history"), "wilma won (unrated: not every seat made 3 plies)\n"));
  CHECK(has(fred.say("list"), "2 userids"));
}

TEST_CASE("two servers cannot have one directory", "[session][disk]") {
  TestServer hall;
  CHECK_THROWS_AS(Service(hall.options()), Error);
  hall.stop();
  CHECK_NOTHROW(Service(hall.options()));
}

TEST_CASE("no file that is taken away lets a second server in", "[session][disk]") {
  TestServer hall;
  for (const auto& file : fs::directory_iterator(hall.directory / ".server"))
    fs::remove_all(file.path());
  fs::remove(hall.directory / ".server");
  CHECK_THROWS_AS(Service(hall.options()), Error);
}

TEST_CASE("who takes a save away, or puts another in its place, takes its plies away",
          "[session][disk]") {
  Pair p;
  const std::string before = board_file(p);
  for (const bool replaced : {true, false}) {
    // Not on disk yet: it was there before that happened.
    p.fred.send(moved("fred", "BT"));
    fs::remove(p.hall.directory / "toot-101.yaml");
    if (replaced) std::ofstream(p.hall.directory / "toot-101.yaml") << before;
    p.hall.service().settle();
    CHECK(has(p.fred.heard(), "+OK Ply 1"));
    p.wilma.heard();
    if (replaced) CHECK(has(p.fred.say("toot show 101"), "It is fred's turn"));
    if (replaced) CHECK(has(p.fred.first(moved("fred", "CT")), "+OK Ply 1"));
    if (replaced) CHECK(has(p.wilma.first(moved("wilma", "CO")), "+OK Ply 2"));
    if (replaced) std::ofstream(p.hall.directory / "toot-101.yaml") << before;
  }
  CHECK(p.fred.first("toot show 101") == "-ERR There is no board 101 of Toot.");
  CHECK(p.fred.first(moved("fred", "BT")) == "-ERR There is no board 101 of Toot.");
  CHECK(p.hall.service().must_end() == "");
}

TEST_CASE("without its own files a server keeps nothing and says that it must end",
          "[session][disk]") {
  for (const bool replaced : {true, false}) {
    Pair p;
    const fs::path database = p.hall.directory / ".server" / "server.db",
                   other = p.hall.directory / ".server" / "other";
    fs::copy(database, other);
    if (replaced) fs::rename(other, database);
    else fs::remove(database);
    TestClient t(p.hall);
    CHECK(t.first("signup betty secret") ==
          "-ERR " + database.string() + " was removed or replaced.");
    CHECK(p.hall.service().must_end() == database.string() +
                                             " was removed or replaced while the server ran: it "
                                             "ends, as nothing more would be kept.");
  }
  {
    // What was changed lately is in its log.
    Pair p;
    const std::string log = (p.hall.directory / ".server" / "server.db-wal").string();
    fs::remove(log);
    CHECK(p.fred.first("toot seek fred *") == "-ERR " + log + " was removed or replaced.");
    CHECK(has(p.hall.service().must_end(), log + " was removed or replaced while the server ran"));
  }
  // It is seen without anybody writing there.
  Pair p;
  fs::remove_all(p.hall.directory);
  CHECK(p.fred.first("toot show 101") == "-ERR There is no board 101 of Toot.");
  CHECK_FALSE(p.hall.service().must_end().empty());
  p.hall.stop();
  CHECK_FALSE(fs::exists(p.hall.directory));
}

TEST_CASE(
    "zeros that a power cut left at the end of a save are sent to nobody, and gone when it is "
    "locked",
    "[session][disk]") {
  Pair p;
  p.fred.say(moved("fred", "BT"));
  p.wilma.heard();
  const std::string text = board_file(p);
  const fs::path file = p.hall.directory / "toot-101.yaml";
  const std::string line = "- {move: CO, at: 2026-11-21T12:00:00Z}\n";
  for (const std::string& tail :
       {std::string(40, '\0'), line.substr(0, 12) + std::string(30, '\0'),
        line.substr(0, 12) + std::string(20, '\0') + "00Z}\n",
        std::string(20, '\0') + line.substr(20) + std::string(39, '\0'), line.substr(0, 12)}) {
    std::ofstream(file) << text << tail;
    CHECK(p.wilma.say("toot save 101") ==
          "+OK toot-101.yaml, " + std::to_string(text.size()) + " bytes.\n" + text + ".\n");
    CHECK(board_file(p) == text + tail);
    // Who writes has it locked, even where nothing comes of it.
    CHECK(has(p.wilma.first(moved("wilma", "ZZ")), "-ERR There is no column Z"));
    CHECK(board_file(p) == text);
    CHECK(has(p.wilma.say("toot show 101"), "It is wilma's turn"));
  }
  CHECK(has(p.wilma.first(moved("wilma", "CO")), "+OK Ply 2"));
  CHECK(board_file(p) == text + line);
  // A line that stands behind them was finished: something else is the matter.
  std::ofstream(file) << text << std::string(20, '\0') << "\n" << line;
  CHECK(has(p.wilma.first("toot save 101"), "-ERR "));
  CHECK(has(p.wilma.first(moved("wilma", "CO")), "-ERR toot-101.yaml, line "));
}

TEST_CASE(
    "the database is its owner's alone, and anybody who may can read it while the server runs",
    "[session][disk]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (const char* name : {"server.db", "server.db-wal"})
    CHECK((fs::status(hall.directory / ".server" / name).permissions() & fs::perms::all) ==
          fs::perms(0600));
  fred.say("toot challenge fred wilma");
  Database reader(hall.directory / ".server/server.db", "", kSchemaVersion);
  auto row = reader.ask("SELECT count(*) FROM account");
  REQUIRE(row.next());
  CHECK(row.number(0) == 2);
  CHECK(has(fred.first("message fred * wilma : hello"), "+OK"));
}

TEST_CASE("a full disk refuses a ply and leaves the save as it was", "[session][disk]") {
  if (!fs::exists("/dev/full")) {
    skip("there is no /dev/full");
    return;
  }
  // A descriptor that cannot be written stands for the disk that is full.
  TemporaryDirectory dir;
  fs::create_directory(dir / ".server");
  CommitLog log(dir.path());
  std::ofstream(dir / "save") << "old\n";
  const FilePtr file = log.hold("save", UniqueFd(::open("/dev/full", O_RDWR)));
  CHECK_THROWS_AS(log.append(file, "new\n"), Error);
  CHECK(file->size() == 0);
  CHECK(log.take() == nullptr);
  CHECK(bytes_of(dir / "save") == "old\n");
}

TEST_CASE(
    "a server whose database cannot be read says so and what can be done, and leaves it alone",
    "[session][disk]") {
  TestServer hall;
  { User fred(hall, "fred"); }
  hall.stop();
  const fs::path file = hall.directory / ".server" / "server.db";
  const std::string good = bytes_of(file);
  const auto started = [&]() -> std::string {
    try {
      Service service(hall.options());
    } catch (const Error& error) {
      return error.what();
    }
    return "started";
  };
  const auto refused = [&](const std::string& bytes) {
    put(file, bytes);
    const std::string why = started();
    if (why != "started") CHECK(bytes_of(file) == bytes);
    return why;
  };
  const std::string way =
      "; nothing of it was changed, and what can be read of it is told by: "
      "sqlite3 " +
      file.string() + " .recover, or .dump where it has no .recover.";
  CHECK(refused("no database at all, but some text that is long enough to be one: " +
                std::string(500, 'x')) ==
        file.string() + " cannot be opened: file is not a database" + way);
  CHECK(refused(good.substr(0, 4096) + std::string(good.size() - 4096, '\x55')) ==
        file.string() + " cannot be opened: database disk image is malformed" + way);
  CHECK(refused(good.substr(0, 60) + std::string("\0\0\0\x07", 4) + good.substr(64)) ==
        file.string() + " was made by another version of this program.");
  CHECK(refused(good) == "started");
  fs::remove(file);
  put(hall.directory / ".server" / "accounts.yaml", "records:\n");
  CHECK(started() == (hall.directory / ".server").string() +
                         " is of an older pbmplay, whose accounts this one does not read: move it "
                         "away to begin anew with the boards that are there.");
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("what a full disk did not keep of a turn is undone, answered so, and the server goes on",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit full = before;
  full.rlim_cur = fs::file_size(p.hall.directory / ".server/server.db-wal");
  ::setrlimit(RLIMIT_FSIZE, &full);
  p.fred.send("message fred * wilma : hello");
  p.wilma.send("toot queue 101 wilma * CO");
  p.fred.send(moved("fred", "BT"));
  service.settle();
  const std::string said = p.fred.heard() + p.wilma.heard();
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(has(said, "-ERR " + (p.hall.directory / ".server/server.db").string() +
                      " cannot be written: File too large.\n"));
  CHECK_FALSE(has(said, "CO is queued"));
  CHECK(service.must_end().empty());
  CHECK(service.take_troubles().size() == 1);
  CHECK(p.wilma.first("toot queue 101 wilma * DO").substr(0, 3) == "+OK");
}

TEST_CASE("a mistake of the program, or the world's, ends the command it was in and nothing else",
          "[session][disk]") {
  TestServer hall;
  ServiceOptions options = hall.options();
  hall.stop();
  options.rules = [](const std::string& game) -> Result<std::string> {
    check(game == "chaos", "rules were asked for twice");
    throw Error("The disk is on fire.");
  };
  Service service(options);
  std::string heard;
  Session session(service, PeerAuth{}, [&](std::string_view text) { heard += text; });
  session.line("help toot");
  session.line("help chaos");
  session.line("list");
  CHECK(heard ==
        "-ERR The server made a mistake there, and only there: this program has a fault: rules "
        "were asked for twice.\n.\n"
        "-ERR The disk is on fire.\n.\n+OK Nobody has a userid here yet.\n.\n");
}

TEST_CASE("more boards than are kept in memory are all there, and changed ones are written",
          "[session][disk]") {
  TestServer hall;
  std::string text = "format: 1\ngame: chaos\nseats: [fred, wilma]\nplies:\n";
  for (int i = 0; i < 1400; ++i) text += "- {move: propose, seat: 1}\n- {move: reject, seat: 2}\n";
  hall.stop();
  for (int i = 0; i < 90; ++i)
    std::ofstream(hall.directory / ("chaos-" + std::to_string(101 + i) + ".yaml")) << text;
  hall.start();
  User fred(hall, "fred");
  for (int i = 0; i < 90; ++i)
    REQUIRE(fred.first("chaos move " + std::to_string(101 + i) + " fred * a1-c3").substr(0, 9) ==
            "+OK Ply 1");
  for (int i = 0; i < 90; ++i)
    CHECK(has(bytes_of(hall.directory / ("chaos-" + std::to_string(101 + i) + ".yaml")),
              "- {move: a1-c3, at: "));
  CHECK(has(fred.first("chaos games"), "+OK 90 boards"));
}

TEST_CASE("notes the local client makes are shown and told, and are nobody's move",
          "[session][disk]") {
  Pair p;
  p.wilma.say("toot queue 101 wilma * CO");
  LocalBoards local(p.hall.directory, "");
  auto board = local.open("toot-101");
  REQUIRE(local.play(*board, {{std::nullopt, "resign", 0}}).ok());
  p.hall.service().take_changes();
  CHECK(p.wilma.heard() == "* toot 101 note 0 : resign\n");
  CHECK(has(p.fred.say("toot show 101"), "Start: resign\n"));
  CHECK(has(p.fred.first(moved("fred", "BT")), "+OK Ply 1"));
  CHECK(has(p.wilma.heard(), "* toot 101 ply 2 wilma CO (Auto)\n"));
  REQUIRE(local.play(*(board = local.open("toot-101")), {{std::nullopt, "a quiet start", 1}}).ok());
  CHECK(has(p.fred.say("toot show 101#1"), "1 BT: a quiet start\n"));
  CHECK(p.fred.first("toot resign 101 fred *").substr(0, 3) == "+OK");
  REQUIRE(local.play(*(board = local.open("toot-101")), {{std::nullopt, "the end", 2}}).ok());
  CHECK(p.fred.first("toot move 101 fred * resign#3") == "+OK That was done already on toot 101.");
}
