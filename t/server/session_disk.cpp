// SPDX-License-Identifier: MIT
// The server's promises about the disk: it replies and informs only after the commit, undoes a
// failed transaction, and lets others read the same files.
#include <sys/resource.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "boards/local_boards.hpp"
#include "create.hpp"
#include "save/save.hpp"
#include "server/tables/schema.hpp"
#include "store/board_files.hpp"
#include "server/backup.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

std::string board_file(const ServerPair& p) {
  return read_bytes(p.server.directory / "toot-101.yaml");
}

void write_file(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string move_command(const std::string& who, const std::string& ply) {
  return "toot move 101 " + who + " * " + ply;
}

// Limits the size of files during its life, which has the effect of a full disk.
class FullDisk {
 public:
  explicit FullDisk(std::uintmax_t size) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit full = before_;
    full.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

// What a member reads of a change for which the disk has no room.
const std::string kRefused = "-ERR " + std::string(kCannotSave) + "\n.\n";

}  // namespace

TEST_CASE("a move is answered and told only when the turn it was played in is on disk",
          "[session][disk]") {
  ServerPair p;
  User betty(p.server, "betty");
  Service& service = p.server.service();
  const std::string before = board_file(p);
  // A reply that depends on no change is sent at once.
  betty.send("toot games betty");
  CHECK(betty.take_received() == "+OK No boards of Toot.\n.\n");
  p.fred.send(move_command("fred", "BT"));
  betty.send("toot show 101");
  p.wilma.send(move_command("wilma", "CO"));
  CHECK(p.fred.take_received() + p.wilma.take_received() + betty.take_received() == "");
  CHECK(board_file(p) == before);
  p.server.synced_files.clear();
  service.commit();
  CHECK(p.server.synced_files == Words{"server.db-wal"});
  CHECK(board_file(p) == before +
                             "- {move: BT, at: 2026-11-21T12:00:00Z}\n"
                             "- {move: CO, at: 2026-11-21T12:00:00Z}\n");
  const std::string fred = p.fred.take_received(), wilma = p.wilma.take_received();
  CHECK(fred.substr(0, 11) == "+OK Move 1:");
  CHECK(fred.ends_with(".\n* toot 101 ply 2 wilma CO\n* toot 101 turn 3\n"));
  CHECK(wilma.starts_with("* toot 101 ply 1 fred BT\n* toot 101 turn 2\n+OK Move 2:"));
  CHECK(contains(betty.take_received(), "It is wilma's turn"));
}

TEST_CASE("moves on many boards are one sync, and their saves are synced some time later",
          "[session][disk]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 0; i < 5; ++i) fred.say("toot challenge fred wilma");
  Service& service = hall.service();
  const auto rows = [&] { return service.database.query_number("SELECT count(*) FROM tail"); };
  const auto sync = [&] {
    auto saves = service.take_sync();
    REQUIRE(saves);
    CHECK(service.take_sync() == nullptr);
    saves->run();
    service.finish(std::move(saves));
    service.commit();
  };
  hall.pass_time(BoardStore::kSyncDelay);
  CHECK(rows() == 0);
  hall.synced_files.clear();
  for (int i = 101; i <= 105; ++i) fred.send("toot move " + std::to_string(i) + " fred * BT");
  for (int i = 101; i <= 105; ++i) wilma.send("toot move " + std::to_string(i) + " wilma * BT");
  service.commit();
  CHECK(hall.synced_files == Words{"server.db-wal"});
  CHECK(contains(fred.take_received(), "+OK Move 1"));
  CHECK(contains(wilma.take_received(), "+OK Move 2"));
  CHECK(rows() == 10);
  CHECK(service.take_sync() == nullptr);
  hall.time += BoardStore::kSyncDelay;
  REQUIRE(service.sync_due());
  auto saves = service.take_sync();
  REQUIRE(saves);
  // A ply after take_sync() is not in this sync.
  fred.send("toot move 103 fred * CT");
  service.commit();
  hall.synced_files.clear();
  saves->run();
  CHECK(hall.synced_files ==
        Words{"toot-101.yaml", "toot-102.yaml", "toot-103.yaml", "toot-104.yaml", "toot-105.yaml"});
  service.finish(std::move(saves));
  service.commit();
  CHECK(rows() == 1);
  CHECK(service.take_sync() == nullptr);
  hall.time += BoardStore::kSyncDelay;
  sync();
  CHECK(rows() == 0);
  CHECK_FALSE(service.sync_due());
}

TEST_CASE("when the disk does not keep the database's log nothing is acknowledged any more",
          "[session][disk]") {
  ServerPair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.take_received();
  p.wilma.take_received();
  Service& service = p.server.service();
  const std::string file = (p.server.directory / ".server/server.db").string(),
                    failed = file + " cannot be written: Input/output error",
                    lost =
                        "-ERR The server stops (Input/output error). It may not have saved this. "
                        "Check when it is back.\n.\n";
  p.server.failing_file = "server.db-wal";
  p.fred.send(move_command("fred", "BT"));
  p.wilma.send(move_command("wilma", "CO"));
  p.wilma.send("toot save 101");
  CHECK(service.fatal_error() == "");
  service.commit();
  CHECK(p.fred.take_received() == lost);
  CHECK(p.wilma.take_received() == lost + lost);
  CHECK(service.fatal_error() == failed + ". The server stops, because it can save nothing more.");
  CHECK(contains(p.fred.say("toot move 102 fred * CT"), "-ERR "));
  CHECK(contains(p.fred.say("toot challenge fred wilma"), "-ERR "));
  CHECK(contains(TestClient(p.server).say("signup betty secret"), "-ERR "));
  CHECK(contains(p.fred.say("toot show 101"), "It is fred's turn"));
  // The disk works again. The transaction is complete or gone; refused commands left nothing.
  p.server.failing_file.clear();
  p.server.restart();
  User fred(p.server, "fred");
  CHECK(contains(board_file(p), "- {move: BT,") == contains(board_file(p), "- {move: CO,"));
  CHECK_FALSE(contains(read_bytes(p.server.directory / "toot-102.yaml"), "CT"));
  CHECK(contains(fred.first_reply_line("toot move 102 fred * CT"), "+OK Move 1"));
  CHECK(p.server.service().fatal_error() == "");
}

TEST_CASE("the log has no sign-in that the disk refused", "[session][disk]") {
  Words logged;
  TestServer hall;
  hall.change_options = [&](ServiceOptions& o) {
    o.log = [&](const std::string& what) { logged.push_back(what); };
  };
  hall.restart();
  const TestClient betty(hall, "betty");
  REQUIRE(logged.size() == 1);
  CHECK(logged[0].ends_with(" (somebody) signs in as betty"));
  hall.failing_file = "server.db-wal";
  const TestClient dino(hall, "dino");
  hall.failing_file.clear();
  CHECK(logged.size() == 1);
}

TEST_CASE("where a save cannot be made safe the server ends, and the next one puts it right",
          "[session][disk]") {
  for (const std::string lost : {"the move", "the save", "nothing"}) {
    INFO(lost << " did not come to the disk");
    ServerPair p;
    p.fred.say(move_command("fred", "BT"));
    const std::string text = board_file(p);
    const fs::path file = p.server.directory / "toot-101.yaml";
    p.server.failing_file = "toot-101";
    p.server.pass_time(BoardStore::kSyncDelay);
    CHECK(p.server.service().fatal_error() ==
          file.string() +
              " cannot be synced (Input/output error). The server stops, because it can save "
              "nothing more.");
    CHECK(contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "-ERR "));
    // Even if the disk works again, the server only ends.
    p.server.failing_file.clear();
    CHECK(p.server.service().take_sync(true) == nullptr);
    CHECK_NOTHROW(p.server.service().run_due_work(true));
    p.server.stop();
    if (lost == "the save") fs::remove(file);
    if (lost == "the move") write_file(file, text.substr(0, text.find("- {")));
    p.server.failing_file.clear();
    p.server.start();
    CHECK(board_file(p) == text);
    CHECK(p.server.service().warnings().empty());
  }
}

TEST_CASE("saves that were made safe while the database failed are noted by the next server",
          "[session][disk]") {
  ServerPair p;
  p.fred.say(move_command("fred", "BT"));
  const std::string text = board_file(p);
  auto saves = p.server.service().take_sync(true);
  REQUIRE(saves);
  saves->run();
  p.server.failing_file = "server.db-wal";
  CHECK(contains(p.wilma.say("toot queue 101 wilma * CO"), "-ERR "));
  CHECK_NOTHROW(p.server.service().finish(std::move(saves)));
  p.server.failing_file.clear();
  p.server.restart();
  CHECK(board_file(p) == text);
  CHECK(p.server.service().warnings().empty());
}

TEST_CASE("a challenge takes the next number that is free, whatever has the one before",
          "[session][disk]") {
  ServerPair p;
  fs::create_directory(p.server.directory / "toot-102.yaml");
  fs::create_symlink("nowhere", p.server.directory / "toot-103.yaml");
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 104"));
}

TEST_CASE("a conversation that ends before its turn does no harm", "[session][disk]") {
  ServerPair p;
  {
    TestClient gone(p.server);
    gone.send("toot move 101 fred secret BT");
    auto job = p.server.service().take_hash();
    job->run();
    p.server.service().finish(std::move(job));
    gone.send("login wilma secret");
  }
  CHECK(p.server.service().take_hash() == nullptr);
  p.server.service().run_due_work();
  CHECK(p.wilma.take_received() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");
}

TEST_CASE("while a server runs others read its boards, and play on them when it has ended",
          "[session][disk]") {
  ServerPair p;
  p.wilma.say("toot queue 101 wilma * CO");
  LocalBoards local(p.server.directory, "");
  auto board = local.open("toot-101");
  REQUIRE(board.ok());
  const std::string served = "A server uses the boards in " + p.server.directory.string() +
                             ". Play on them through it, with --socket or --connect.";
  CHECK(local.play(*board, {{std::nullopt, "BT"}}).refusal().reason == served);
  CHECK(create_board(local, *find_game("toot"), {}, {"fred", "wilma"}).refusal().reason == served);
  CHECK(local.remove("toot-101").refusal().reason == served);
  CHECK(local.rename("toot-101", "mine").refusal().reason == served);
  CHECK(local.restore("toot-101").refusal().reason == served);
  CHECK(local.set_computer(*board, 0, 3).refusal().reason == served);
  CHECK(local.list().size() == 1);
  const auto bystander = create_board(local, *find_game("chaos"), {}, {"fred", "wilma"});
  CHECK_FALSE(bystander.ok());
  p.do_while_stopped([&] {
    REQUIRE(local.play(*board, {{std::nullopt, "BT"}}).ok());
    REQUIRE(local.play(*board, {{std::nullopt, "note", 1}}).ok());
    REQUIRE(create_board(local, *find_game("toot"), {}, {"fred", "Barney Rubble"}).ok());
  });
  // The ply queued after it is played.
  CHECK(contains(board_file(p), "- {move: CO, at: 2026-11-21T12:00:00Z}\n"));
  CHECK(contains(p.fred.say("toot show 101"), "1 BT: note"));
  CHECK(contains(p.fred.say("toot games"),
                 "   102     0  fred, Barney Rubble                   fred's turn\n"));
  p.do_while_stopped([&] {
    board = local.open("toot-101");
    REQUIRE(local.play(*board, {{0, "resign"}}).ok());
    REQUIRE(local.remove("toot-102").ok());
  });
  // The game is recorded, and no other board gets the number 102.
  CHECK(contains(p.wilma.say("toot history"), "wilma won"));
  CHECK(p.fred.first_reply_line("toot show 102") == "-ERR There is no board 102 of Toot.");
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE("a number above the last is no board's here, and behind the last one there is none",
          "[session][disk]") {
  ServerPair p;
  const std::string text = read_bytes(p.server.directory / "toot-101.yaml");
  const auto put = [&](const std::string& name) {
    std::ofstream(p.server.directory / name) << text;
  };
  p.do_while_stopped([&] { put("toot-1000000.yaml"); });
  CHECK(contains(p.fred.first_reply_line("toot games"), "+OK 1 board"));
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
  CHECK(p.fred.first_reply_line("toot show 1000000") == "-ERR There is no userid 1000000.");
  p.do_while_stopped([&] { put("toot-999999.yaml"); });
  CHECK(contains(p.fred.first_reply_line("toot show 999999"), "+OK 1 board"));
  CHECK(p.fred.first_reply_line("toot challenge fred wilma") ==
        "-ERR No number is left for a new game of Toot. The last was toot-999999.");
  CHECK(contains(p.fred.first_reply_line("chaos challenge fred wilma"), "+OK Board 101"));
}

TEST_CASE("what makes a save too large is refused by the bytes that would be written",
          "[session][disk]") {
  ServerPair p;
  const std::string head = "format: 1\ngame: toot\nseats: [fred, wilma]\n", indent(10, ' '),
                    ply = indent + "- {move: BT}\n" + indent + "- {move: CO}\n";
  const auto file = p.server.directory / "toot-120.yaml";
  p.do_while_stopped([&] {
    write_file(file, head + "#" +
                         std::string(kMaxSave - 55 - head.size() - ply.size() - 2 - 7, 'x') +
                         "\nplies:\n" + ply);
  });
  REQUIRE(fs::file_size(file) == kMaxSave - 55);
  CHECK(
      p.fred.first_reply_line("toot resign 120 fred *") ==
      "-ERR The save of toot 120 has reached the size limit of a save. Resign or agree on a draw.");
  CHECK(fs::file_size(file) == kMaxSave - 55);
}

TEST_CASE(
    "a save that is broken, of another game or with one name twice is shown so, and not played on",
    "[session][disk]") {
  ServerPair p;
  const auto put = [&](const std::string& name, const std::string& text) {
    std::ofstream(p.server.directory / name) << text;
  };
  p.do_while_stopped([&] {
    put("toot-110.yaml", "format: 1\ngame: toot\nseats: [fred, FRED]\nplies:\n- BT\n");
    put("toot-111.yaml", "format: 1\ngame: chaos\nseats: [fred, wilma]\nplies:\n");
    put("toot-112.yaml", "no save\n");
    put("toot-113.yaml", "format: 1\ngame: toot\nseats: [\"fred\\e[2J\", wilma]\nplies:\n");
    put("toot-114.yaml", "format: 1\ngame: toot\nseats: [fred, wilma]\nplies: [BT, CO]  # so\n");
    put("toot-115.yaml",
        "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: []\nnote: none\n");
  });
  CHECK(contains(p.fred.say("toot show 110"), "It is FRED's turn"));
  CHECK(p.fred.first_reply_line("toot move 110 fred * CO") ==
        "-ERR Two seats of toot 110 are called FRED. You can watch this board, but not play "
        "on it.");
  CHECK(p.fred.first_reply_line("toot show 111") ==
        "-ERR toot-111.yaml has a game of Chaos, but its name says another one.");
  CHECK(contains(p.fred.first_reply_line("toot move 112 fred * BT"),
                 "-ERR toot-112.yaml is not a save"));
  CHECK(contains(p.fred.say("toot games all"), "   112     -  toot-112.yaml is not a save"));
  CHECK(contains(p.fred.say("toot show 113"), "fred?[2J (TOOT)"));
  CHECK(contains(p.fred.first_reply_line("toot move 114 fred * DT"), "-ERR toot-114"));
  CHECK(contains(p.fred.first_reply_line("toot move 115 fred * DT"), "+OK Move 1"));
  CHECK(read_bytes(p.server.directory / "toot-115.yaml") ==
        "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: \n- {move: DT, at: "
        "2026-11-21T12:00:00Z}\nnote: none\n");
  p.wilma.say("toot queue 115 wilma * CO");
  CHECK(contains(p.wilma.first_reply_line("toot move 115 wilma * CO#2"), "+OK"));
  p.server.restart();
  CHECK(p.server.service().warnings().size() == 2);
}

TEST_CASE("whoever has a board that cannot be written on signs off from none", "[session][disk]") {
  ServerPair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * CO");
  const fs::path third = p.server.directory / "toot-103.yaml";
  const std::string head = "format: 1\ngame: toot\nseats: [fred, wilma]\n";
  p.do_while_stopped([&] { write_file(third, head + "plies: [BT, CO, DT]  # so\n"); });
  CHECK(
      contains(p.fred.first_reply_line("signoff fred secret"),
               "-ERR Your account is still open. toot-103, line 4: this game cannot be continued"));
  CHECK(contains(p.fred.say("toot games fred"), "3 boards"));
  CHECK_FALSE(contains(p.wilma.take_received(), " gone "));
  p.do_while_stopped([&] { write_file(third, head + "plies:\n- BT\n- CO\n- DT\n"); });
  CHECK(contains(p.fred.first_reply_line("signoff fred secret"), "+OK"));
  CHECK(p.wilma.first_reply_line("toot games") == "+OK No boards of Toot.");
}

TEST_CASE("a signoff that the disk breaks off has resigned nothing, and is said again",
          "[session][disk]") {
  ServerPair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * CO");
  const std::string second = read_bytes(p.server.directory / "toot-102.yaml");
  p.fred.take_received();
  p.wilma.take_received();
  {
    const FullDisk full(0);
    CHECK(p.fred.say("signoff fred secret") == kRefused);
  }
  CHECK(read_bytes(p.server.directory / "toot-102.yaml") == second);
  CHECK(p.wilma.take_received() == "");
  CHECK(contains(p.fred.say("toot games fred"), "2 boards"));
  CHECK(p.fred.say("signoff fred secret") ==
        "+OK Good-bye, fred.\ntoot 101: fred (TOOT) refused the challenge. The board is closed; "
        "no rating changes.\ntoot 102: fred (TOOT) resigns.\n.\n");
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
      hall.service().database.run("DELETE FROM board");
      hall.service().run_due_work();
    }
    hall.restart();
    User fred(hall, "fred");
    CHECK(fred.say("boards fred") == boards);
    CHECK(fred.say("toot show 101 102") == shown);
    CHECK(fred.say("toot games all") == table);
    CHECK(fred.say("toot standings") == standings);
    CHECK(fred.say("soccolot set fred *") == "+OK You see field c. Fields: a, b and c.\n.\n");
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
  CHECK(contains(fred.say("toot history"), "wilma won (unrated: not every seat made 3 moves)\n"));
  CHECK(contains(fred.say("list"), "2 userids"));
}

TEST_CASE("two servers cannot have one directory", "[session][disk]") {
  TestServer hall;
  CHECK_THROWS_AS(Service(hall.make_options()), Error);
  hall.stop();
  CHECK_NOTHROW(Service(hall.make_options()));
}

TEST_CASE("no file that is taken away lets a second server in", "[session][disk]") {
  TestServer hall;
  for (const auto& file : fs::directory_iterator(hall.directory / ".server"))
    fs::remove_all(file.path());
  fs::remove(hall.directory / ".server");
  CHECK_THROWS_AS(Service(hall.make_options()), Error);
}

TEST_CASE("who takes a save away while the server runs, or writes on it, takes no move away",
          "[session][disk]") {
  ServerPair p;
  p.fred.say(move_command("fred", "BT"));
  const fs::path file = p.server.directory / "toot-101.yaml",
                 other = p.server.directory / "toot-101.other.yaml";
  const std::string text = board_file(p);
  const std::vector<std::string> ways{"away", "changed", "longer"};
  std::string expected = text;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    INFO(ways[i]);
    p.server.pass_time(BoardStore::kSyncDelay);  // the save is synced and closed
    const std::string theirs = ways[i] == "longer" ? board_file(p) + "- {move: FT}\n" : "no save\n";
    fs::remove(file);
    if (ways[i] != "away") write_file(file, theirs);
    const bool fred = i % 2 == 1;
    const std::string ply = fred ? "CT" : "CO";
    CHECK(contains(
        (fred ? p.fred : p.wilma).first_reply_line(move_command(fred ? "fred" : "wilma", ply)),
        "+OK Move"));
    expected +=
        "- {move: " + ply + ", at: 2026-11-21T12:00:0" + std::to_string(5 * (i + 1) % 10) + "Z}\n";
    CHECK(p.server.service().take_errors().size() == 1);
    CHECK(fs::exists(other) == (ways[i] != "away"));
    if (ways[i] != "away") CHECK(read_bytes(other) == theirs);
    fs::remove(other);
  }
  CHECK(load_match(board_file(p), "toot-101")->match.plies().size() == 4);
  // The same between a ply and its sync.
  fs::remove(file);
  p.server.pass_time(BoardStore::kSyncDelay);
  CHECK(load_match(board_file(p), "toot-101")->match.plies().size() == 4);
  CHECK(p.server.service().fatal_error() == "");
  p.server.restart();
  CHECK(contains(TestClient(p.server).say("toot show 101"), "It is fred's turn"));
}

TEST_CASE("without its own files a server keeps nothing and says that it must end",
          "[session][disk]") {
  for (const bool replaced : {true, false}) {
    ServerPair p;
    const fs::path database = p.server.directory / ".server" / "server.db",
                   other = p.server.directory / ".server" / "other";
    fs::copy(database, other);
    if (replaced) fs::rename(other, database);
    else fs::remove(database);
    TestClient t(p.server);
    CHECK(t.first_reply_line("signup betty secret") ==
          "-ERR " + not_saved("a file of the database was removed or replaced").reason);
    CHECK(p.server.service().fatal_error() ==
          database.string() +
              " was removed or replaced. The server stops, because it can save nothing more.");
  }
  {
    // The latest changes are in the log.
    ServerPair p;
    const std::string log = (p.server.directory / ".server" / "server.db-wal").string();
    fs::remove(log);
    CHECK(p.fred.first_reply_line("toot seek fred *") ==
          "-ERR " + not_saved("a file of the database was removed or replaced").reason);
    CHECK(contains(p.server.service().fatal_error(), log + " was removed or replaced"));
  }
  // The server notices it within a minute, even without writing.
  ServerPair p;
  fs::remove_all(p.server.directory);
  p.server.pass_time(std::chrono::minutes(1));
  CHECK_FALSE(p.server.service().fatal_error().empty());
  p.server.stop();
  CHECK_FALSE(fs::exists(p.server.directory));
}

TEST_CASE(
    "zeros that a power cut left at the end of a save are sent to nobody, and gone with the next "
    "ply",
    "[session][disk]") {
  ServerPair p;
  p.fred.say(move_command("fred", "BT"));
  p.wilma.take_received();
  const std::string text = board_file(p);
  const fs::path file = p.server.directory / "toot-101.yaml";
  const std::string line = "- {move: CO, at: 2026-11-21T12:00:00Z}\n";
  for (const std::string& tail :
       {std::string(40, '\0'), line.substr(0, 12) + std::string(30, '\0'),
        line.substr(0, 12) + std::string(20, '\0') + "00Z}\n",
        std::string(20, '\0') + line.substr(20) + std::string(39, '\0'), line.substr(0, 12)}) {
    p.do_while_stopped([&] { write_file(file, text + tail); });
    CHECK(p.wilma.say("toot save 101") ==
          "+OK toot-101.yaml, " + std::to_string(text.size()) + " bytes.\n" + text + ".\n");
    CHECK(board_file(p) == text + tail);
    CHECK(contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "+OK Move 2"));
    CHECK(board_file(p) == text + line);
  }
  // With a complete line after them they are no unfinished write, but a broken save.
  p.do_while_stopped([&] { write_file(file, text + std::string(20, '\0') + "\n" + line); });
  CHECK(contains(p.wilma.first_reply_line("toot save 101"), "-ERR "));
  CHECK(
      contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "-ERR toot-101.yaml, line "));
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
  Database reader(hall.directory / ".server/server.db", &kSchema);
  auto row = reader.query("SELECT count(*) FROM account");
  REQUIRE(row.next());
  CHECK(row.number(0) == 2);
  CHECK(contains(fred.first_reply_line("message fred * wilma : hello"), "+OK"));
}

TEST_CASE("a save for which the disk has no room is behind, and nothing is lost of it",
          "[session][disk]") {
  ServerPair p;
  const fs::path file = p.server.directory / "toot-101.yaml";
  std::string text = board_file(p);
  p.do_while_stopped([&] {
    // The file size limit below must allow the writes to the database, so this save is larger.
    text.insert(text.find("seats"), "# " + std::string(900'000, 'x') + "\n");
    write_file(file, text);
  });
  Service& service = p.server.service();
  {
    const FullDisk full(text.size() + 10);
    CHECK(contains(p.fred.first_reply_line(move_command("fred", "BT")), "+OK Move 1"));
    CHECK(service.take_errors() == Words{"toot-101.yaml cannot be written (File too large)."});
    CHECK(board_file(p) == text);
    CHECK(p.wilma.first_reply_line(move_command("wilma", "CO")) ==
          "-ERR The save of toot 101 cannot be written right now. Nothing was changed. The owner "
          "has been told.");
    CHECK(contains(p.wilma.first_reply_line("toot save 101"), "+OK"));
    CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
    p.server.pass_time(BoardStore::kSyncDelay);
    // The row of the ply, and all later rows.
    CHECK(service.database.query_number("SELECT count(*) FROM tail") == 2);
    CHECK(service.take_errors().empty());
  }
  const std::string ply = "- {move: BT, at: 2026-11-21T12:00:00Z}\n";
  p.do_while_stopped([&] { CHECK(board_file(p) == text + ply); });
  CHECK(contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "+OK Move 2"));
}

TEST_CASE(
    "a server whose database cannot be read says so and what can be done, and leaves it alone",
    "[session][disk]") {
  TestServer hall;
  { User fred(hall, "fred"); }
  hall.stop();
  const fs::path file = hall.directory / ".server" / "server.db";
  const std::string good = read_bytes(file);
  const auto started = [&]() -> std::string {
    try {
      Service service(hall.make_options());
    } catch (const Error& error) {
      return error.what();
    }
    return "started";
  };
  const auto refused = [&](const std::string& bytes) {
    write_file(file, bytes);
    const std::string why = started();
    if (why != "started") CHECK(read_bytes(file) == bytes);
    return why;
  };
  const std::string way = ". It was not changed. To print what can still be read: sqlite3 " +
                          file.string() + " .recover (without .recover: .dump).";
  CHECK(refused("no database at all, but some text that is long enough to be one: " +
                std::string(500, 'x')) ==
        file.string() + " cannot be opened: file is not a database" + way);
  CHECK(refused(good.substr(0, 4096) + std::string(good.size() - 4096, '\x55')) ==
        file.string() + " cannot be opened: database disk image is malformed" + way);
  CHECK(refused(good.substr(0, 44) + std::string("\0\0\0\x55", 4) + good.substr(48)) ==
        file.string() + " cannot be opened: unsupported file format" + way);
  CHECK(refused(good.substr(0, 60) + std::string("\0\0\0\x07", 4) + good.substr(64)) ==
        file.string() +
            " was made by a newer version of this program. It was not changed. "
            "Install that version again.");
  CHECK(refused(good.substr(0, 60) + std::string("\0\0\0\x03", 4) + good.substr(64)) ==
        file.string() +
            " was made by a version of this program that is too old, or by another program. It was "
            "not changed.");
  CHECK(refused(good) == "started");
  // The write-ahead log that a newer server left stays as well.
  const fs::path log = file.string() + "-wal";
  std::string bytes, logged;
  {
    Database newer(file);
    newer.run("PRAGMA user_version = 99");
    newer.commit();
    bytes = read_bytes(file);
    logged = read_bytes(log);
  }
  REQUIRE_FALSE(logged.empty());
  write_file(log, logged);
  CHECK(contains(refused(bytes), "newer version"));
  CHECK(read_bytes(log) == logged);
}

TEST_CASE("an older database is migrated, and all in it is still there", "[session][disk][keys]") {
  constexpr int kLatest = kSchema.base_version + static_cast<int>(std::size(kMigrations));
  const int kept = GENERATE(range(kSchema.base_version, kLatest + 1));
  TestServer hall;
  hall.stop();
  fs::remove_all(hall.directory);
  fs::create_directories(hall.directory / ".server");
  for (const auto& file :
       fs::directory_iterator(source_root() / "t/databases" / ("version-" + std::to_string(kept))))
    fs::copy(file, hall.directory / (file.path().extension() == ".db" ? ".server" : ""));
  const auto version = [&] {
    Database reader(hall.directory / ".server/server.db");
    return reader.query_number("PRAGMA user_version");
  };
  REQUIRE(version() == kept);
  hall.start();
  TestClient fred(hall), wilma(hall);
  CHECK(contains(fred.first_reply_line("login fred top.secret"), "+OK Hello, fred."));
  CHECK(contains(wilma.first_reply_line("login wilma hush-hush"), "Type watch"));
  CHECK(contains(wilma.say("toot queue 101"), "BT"));
  CHECK(contains(fred.say("toot history"), "102"));
  CHECK(contains(fred.say("toot chats 101"), "good luck"));
  CHECK(contains(fred.first_reply_line("toot limit"), "at most 7"));
  CHECK(contains(fred.first_reply_line("vacation"), "on vacation"));
  CHECK(contains(fred.first_reply_line("keys"), kept == 4 ? "+OK" : "+OK fred has 1 key."));
  CHECK(contains(fred.first_reply_line("tournament new autumn toot swiss"), "+OK"));
  // The curves of ratings are calculated from the games.
  const std::string rating = fred.say("toot ratings fred");
  CHECK(contains(fred.say("profile fred"), "toot, ratings") == contains(rating, " fred"));
  if (kept >= 6) {
    CHECK(contains(fred.say("tournament show winter"), "dino"));
    CHECK(contains(fred.say("ladder toot"), "toot-103"));
    CHECK(contains(fred.say("profile betty"), "1784"));
  }
  hall.stop();
  CHECK(version() == kLatest);
  hall.start();
}

TEST_CASE("what a full disk did not keep of a turn is undone, answered so, and the server goes on",
          "[session][disk]") {
  ServerPair p;
  Service& service = p.server.service();
  p.wilma.say("toot queue 101 wilma * CO");
  const std::string before = board_file(p);
  std::string fred, wilma;
  {
    const FullDisk full(0);
    p.fred.send("message fred * wilma : hello");
    p.fred.send(move_command("fred", "BT"));
    p.fred.send("toot challenge fred wilma -pair");
    p.wilma.send("toot show 101");
    service.run_due_work();
    fred = p.fred.take_received();
    wilma = p.wilma.take_received();
  }
  const std::string why = kRefused;
  // The message changes nothing in the database, so wilma gets it at once.
  CHECK(fred == "+OK Sent to wilma.\n.\n" + why + why);
  CHECK(wilma == "* message fred : hello\n" + why);
  CHECK(service.fatal_error().empty());
  CHECK(service.take_errors().size() == 1);
  // Memory and disk agree.
  CHECK(board_file(p) == before);
  CHECK(contains(p.wilma.say("toot show 101"), "It is fred's turn"));
  CHECK(contains(p.fred.say("toot games"), "+OK 1 board"));
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK Queued on toot 101: CO.");
  CHECK(contains(p.fred.first_reply_line(move_command("fred", "BT")), "+OK Move 1"));
  CHECK(contains(p.wilma.take_received(), "* toot 101 ply 2 wilma CO (Auto)\n"));
}

TEST_CASE("a downtime counts for the next server, too, if the disk was full just then",
          "[session][disk][time]") {
  ServerPair p;
  p.fred.say(move_command("fred", "BT"));
  p.server.pass_time(std::chrono::days(3));
  p.server.time += std::chrono::days(30);
  {
    const FullDisk full(0);
    p.server.pass_time(std::chrono::minutes(3));
  }
  p.server.pass_time(std::chrono::minutes(3));
  const auto info = [&] {
    const std::string said = TestClient(p.server).say("toot info 101");
    return said.substr(0, said.find('}'));
  };
  const std::string before = info();
  CHECK(contains(before, "turn: 2, "));
  p.server.restart();
  p.server.pass_time(std::chrono::minutes(1));
  CHECK(info() == before);
}

TEST_CASE("a reminder that the disk had no room for comes later", "[session][disk][time]") {
  ServerPair p;
  p.fred.say(move_command("fred", "BT"));
  p.wilma.say(move_command("wilma", "CO"));
  p.fred.say("watch");
  p.server.pass_time(std::chrono::days(7) - std::chrono::minutes(2));
  p.fred.take_received();
  {
    const FullDisk full(0);
    p.server.pass_time(std::chrono::minutes(10));
  }
  CHECK_FALSE(contains(p.fred.take_received(), " nag "));
  p.server.pass_time(std::chrono::minutes(2));
  CHECK(contains(p.fred.take_received(), "* toot 101 nag 3 : "));
  p.server.pass_time(std::chrono::minutes(2));
  CHECK_FALSE(contains(p.fred.take_received(), " nag "));
}

TEST_CASE("a save that somebody removes while the disk is full is written again later",
          "[session][disk]") {
  ServerPair p;
  Service& service = p.server.service();
  const auto sync = [&] {
    p.server.time += BoardStore::kSyncDelay;
    if (auto saves = service.take_sync()) {
      saves->run();
      service.finish(std::move(saves));
    }
    service.commit();
  };
  p.server.pass_time(BoardStore::kSyncDelay);
  p.fred.say(move_command("fred", "BT"));
  fs::remove(p.server.directory / "toot-101.yaml");
  {
    const FullDisk full(0);
    sync();
    sync();
  }
  CHECK(contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "cannot be written"));
  p.server.pass_time(std::chrono::minutes(1));
  CHECK(contains(p.wilma.first_reply_line(move_command("wilma", "CO")), "+OK Move 2"));
  sync();
  CHECK(contains(board_file(p), "- {move: BT"));
  CHECK(contains(board_file(p), "- {move: CO"));
  p.server.restart();
  CHECK(contains(TestClient(p.server).say("toot info 101"), "plies: 2,"));
}

TEST_CASE("a refused challenge whose save somebody removed is gone, and no trouble",
          "[session][disk]") {
  ServerPair p;
  fs::remove(p.server.directory / "toot-101.yaml");
  CHECK(contains(p.wilma.first_reply_line("toot refuse 101"), "+OK"));
  CHECK(p.server.service().take_errors().empty());
  CHECK(contains(p.fred.first_reply_line("toot challenge wilma"), "+OK"));
  CHECK(p.server.service().take_errors().empty());
}

TEST_CASE("what a connection became in a turn that is lost it is not", "[session][disk]") {
  ServerPair p;
  User betty(p.server, "betty"), other(p.server, "betty");
  p.fred.say("message betty : one");
  const std::string why = kRefused;
  const Words lines{"toot limit 5", "watch", "hello 2", "multiple", "games", "list"};
  std::string all;
  {
    const FullDisk full(0);
    for (const std::string& line : lines) {
      betty.send(line);
      all += why;
    }
    p.server.finish_work();
    // The script has not begun, so its last line is an ordinary line.
    CHECK(betty.take_received() == all);
    CHECK(betty.say("change password betty secret other") == why);
  }
  CHECK_FALSE(betty.session().is_program());
  CHECK(other.session().userid() == "betty");
  p.fred.say("message betty : two");
  CHECK(betty.take_received().empty());
  CHECK(contains(betty.say("list"), "+OK 3 userids"));
  CHECK(contains(betty.first_reply_line("login betty secret"),
                 " 2 messages wait for you. Type watch"));
  CHECK(contains(betty.say("watch"),
                 "* message fred : one (2026-11-21T12:00:00Z)\n* message fred : "
                 "two (2026-11-21T12:00:00Z)\n"));
}

TEST_CASE("a board whose save was taken away is gone with all that was its, and its number with it",
          "[session][disk]") {
  ServerPair p;
  TestClient betty(p.server, "betty");
  p.fred.say("toot 101 BT");
  p.wilma.say("toot 101 CO");
  p.fred.say("toot resign 101");
  p.fred.say("toot challenge wilma");
  REQUIRE(contains(p.wilma.first_reply_line("toot queue 102 CO"), "+OK CO is queued"));
  REQUIRE(contains(betty.first_reply_line("toot subscribe 102"), "+OK"));
  p.server.service().accounts.set_notification_choice("wilma", "toot-102",
                                                      {NotificationChoice::Kind::never});
  p.do_while_stopped([&] {
    for (const char* name : {"toot-101.yaml", "toot-102.yaml"})
      fs::remove(p.server.directory / name);
  });
  const auto left = [&] {
    return p.server.service().database.query_number(
        "SELECT (SELECT count(*) FROM queued) + (SELECT count(*) FROM subscription) + "
        "(SELECT count(*) FROM notice)");
  };
  CHECK(left() == 0);
  // The same after a restart, when the server knows only the number.
  p.do_while_stopped([] {});
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 103"));
  CHECK(contains(p.wilma.first_reply_line("toot history"), "+OK 1 finished game"));
  // A refused challenge removes as much.
  TestClient again(p.server, "betty");
  REQUIRE(contains(p.wilma.first_reply_line("toot queue 103 CO"), "+OK CO is queued"));
  REQUIRE(contains(again.first_reply_line("toot subscribe 103"), "+OK"));
  p.server.service().accounts.set_notification_choice("wilma", "toot-103",
                                                      {NotificationChoice::Kind::never});
  REQUIRE(contains(p.wilma.first_reply_line("toot refuse 103"), "+OK"));
  p.do_while_stopped([] {});
  CHECK(left() == 0);
}

TEST_CASE("a save that somebody has put there and taken away again takes no number along",
          "[session][disk]") {
  ServerPair p;
  const std::string text = read_bytes(p.server.directory / "toot-101.yaml");
  const fs::path last = p.server.directory / "toot-999999.yaml";
  p.do_while_stopped([&] { std::ofstream(last) << text; });
  REQUIRE(contains(p.fred.first_reply_line("toot show 999999"), "+OK 1 board"));
  p.do_while_stopped([&] { fs::remove(last); });
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
  // The server gives out each number only once.
  p.do_while_stopped([&] { fs::remove(p.server.directory / "toot-102.yaml"); });
  p.do_while_stopped([] {});
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE(
    "a save that is taken away while it is not in memory is told of by its name, and left out",
    "[session][disk]") {
  ServerPair p;
  p.do_while_stopped([] {});
  fs::remove(p.server.directory / "toot-101.yaml");
  CHECK(p.fred.first_reply_line(move_command("fred", "BT")) ==
        "-ERR There is no file toot-101.yaml.");
  CHECK(p.fred.say("signoff fred secret") == "+OK Good-bye, fred.\n.\n");
}

TEST_CASE("a command that is refused in its middle has changed nothing", "[session][disk]") {
  ServerPair p;
  // The second board of a pair gets no number.
  const std::string text = board_file(p);
  p.do_while_stopped([&] { write_file(p.server.directory / "toot-999998.yaml", text); });
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma -pair"),
                 "-ERR No number is left"));
  CHECK(contains(p.fred.say("toot games"), "+OK 2 boards"));
  CHECK_FALSE(fs::exists(p.server.directory / "toot-999999.yaml"));
  CHECK(p.wilma.take_received() == "");
  p.server.restart();
  CHECK_FALSE(fs::exists(p.server.directory / "toot-999999.yaml"));
}

TEST_CASE("the owner hears of a full disk now and then, and how often it was", "[session][disk]") {
  ServerPair p;
  Service& service = p.server.service();
  p.server.pass_time(BoardStore::kSyncDelay);  // so that nothing else has to be written
  const auto troubles_after = [&](int times) {
    const FullDisk full(0);
    for (int i = 0; i < times; ++i) CHECK(p.fred.say("change address fred * here") == kRefused);
    return service.take_errors().size();
  };
  CHECK(troubles_after(3) == 1);
  CHECK(troubles_after(3) == 0);
  p.server.time += std::chrono::minutes(10);
  CHECK(troubles_after(3) == 1);
  CHECK(service.counts.write_errors == 9);
  CHECK(service.take_errors().empty());
}

TEST_CASE("the owner is told of a full disk once an hour, and when it is over", "[session][disk]") {
  ServerPair p;
  p.server.stop();
  p.server.change_options = [](ServiceOptions& options) {
    options.server_login = "pbm";
    options.notify_program = "/bin/true";
  };
  p.server.start();
  User fred(p.server, "fred");
  std::optional<TestClient> owner(std::in_place, p.server, "pbm");
  owner->say("watch");
  p.server.pass_time(BoardStore::kSyncDelay);
  Service& service = p.server.service();
  const auto fail = [&] {
    const FullDisk full(0);
    CHECK(fred.say("change address fred * here") == kRefused);
    p.server.pass_time(std::chrono::minutes(1));
  };
  const auto notices = [&] {
    const std::string heard = owner->take_received();
    return std::pair(contains(heard, "* announce : The server cannot save (File too large)"),
                     contains(heard, "* announce : The server has saved everything"));
  };
  fail();
  CHECK(notices() == std::pair(true, false));
  for (int i = 0; i < 50; ++i) fail();
  CHECK(notices() == std::pair(false, false));
  // Nobody has to try: the server writes the time each minute.
  {
    const FullDisk full(0);
    p.server.pass_time(std::chrono::minutes(10));
  }
  CHECK(notices() == std::pair(true, false));
  CHECK(contains(fred.say("toot limit 5"), "+OK"));
  CHECK(notices() == std::pair(false, false));
  p.server.pass_time(std::chrono::minutes(50));
  CHECK(notices() == std::pair(false, false));
  p.server.pass_time(std::chrono::minutes(15));
  CHECK(notices() == std::pair(false, true));
  p.server.pass_time(std::chrono::minutes(90));
  CHECK(notices() == std::pair(false, false));
  // An owner who is away is told by the program, which needs no room.
  owner.reset();
  const FullDisk full(0);
  CHECK(fred.say("change address fred * here") == kRefused);
  const auto job = service.notifier.take_due();
  REQUIRE(job != nullptr);
  CHECK(job->userid == "pbm");
  CHECK(contains(job->text, "make room on that of"));
  CHECK(std::ranges::count(job->variables, "PBMPLAY_TEXT=The server cannot save") == 1);
  CHECK(service.notifier.finish(*job).empty());
  CHECK_FALSE(service.database.has_changes());
}

TEST_CASE("the server names the files that its login cannot write", "[session][disk]") {
  Words logged;
  ServerPair p;
  p.server.change_options = [&](ServiceOptions& o) {
    o.log = [&](const std::string& what) { logged.push_back(what); };
  };
  const fs::path file = p.server.directory / "toot-101.yaml";
  p.server.stop();
  fs::permissions(file, fs::perms(0444));
  p.server.start();
  fs::permissions(file, fs::perms(0644));
  Service& service = p.server.service();
  CHECK(service.warnings().empty() == (::geteuid() == 0));
  CHECK(describe_unwritable(p.server.directory, ::geteuid()).empty());
  const std::string place = p.server.directory.string();
  CHECK(describe_unwritable(place, 12345) ==
        "12345 cannot write " + place + " and 1 other file. Type as root: chown -R 12345 " + place +
            "; chmod -R u+w " + place);
  // The reason decides what the owner can do.
  static_cast<void>(service.report_write_error(file.string() + ": " + std::strerror(EACCES),
                                               std::strerror(EACCES)));
  service.commit();
  REQUIRE(logged.size() == 1);
  CHECK(contains(logged[0], "(Permission denied)"));
  CHECK(contains(logged[0], "Let its login write all files in " + place));
}

TEST_CASE("a mistake of the program, or the world's, ends the command it was in and nothing else",
          "[session][disk]") {
  TestServer hall;
  ServiceOptions options = hall.make_options();
  hall.stop();
  options.read_rules = [](const std::string& game) -> Result<std::string> {
    check(game == "chaos", "rules were asked for twice");
    throw Error("The disk is on fire.");
  };
  Service service(options);
  std::string heard;
  Session session(service, PeerInfo{}, [&](std::string_view text) { heard += text; });
  session.take_line("help toot");
  session.take_line("help chaos");
  session.take_line("list");
  CHECK(heard ==
        "-ERR A bug in the server stopped this command: this program has a fault: rules were asked "
        "for twice.\n.\n-ERR The server could not do that. Nothing has changed. Try again "
        "later.\n.\n+OK There are no accounts yet.\n.\n");
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
    REQUIRE(fred.first_reply_line("chaos move " + std::to_string(101 + i) + " fred * a1-c3")
                .substr(0, 10) == "+OK Move 1");
  for (int i = 0; i < 90; ++i)
    CHECK(contains(read_bytes(hall.directory / ("chaos-" + std::to_string(101 + i) + ".yaml")),
                   "- {move: a1-c3, at: "));
  CHECK(contains(fred.first_reply_line("chaos games"), "+OK 90 boards"));
}
