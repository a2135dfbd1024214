// SPDX-License-Identifier: MIT
// The server's promises about the disk: it replies and informs only after the commit, undoes a
// failed transaction, and lets others read the same files.
#include <sys/resource.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "boards/local_boards.hpp"
#include "create.hpp"
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

// What a member reads of a change that could not be saved: the reason, and no path.
std::string refused_by(const std::string& reason) {
  return "-ERR " + not_saved(reason).why + "\n.\n";
}

}  // namespace

TEST_CASE("a move is answered and told only when the turn it was played in is on disk",
          "[session][disk]") {
  Pair p;
  User betty(p.hall, "betty");
  Service& service = p.hall.service();
  const std::string before = board_file(p);
  // A reply that depends on no change is sent at once.
  betty.send("toot games betty");
  CHECK(betty.heard() == "+OK No boards of Toot.\n.\n");
  p.fred.send(moved("fred", "BT"));
  betty.send("toot show 101");
  p.wilma.send(moved("wilma", "CO"));
  CHECK(p.fred.heard() + p.wilma.heard() + betty.heard() == "");
  CHECK(board_file(p) == before);
  p.hall.synced.clear();
  service.end_turn();
  CHECK(p.hall.synced == Words{"server.db-wal"});
  CHECK(board_file(p) == before +
                             "- {move: BT, at: 2026-11-21T12:00:00Z}\n"
                             "- {move: CO, at: 2026-11-21T12:00:00Z}\n");
  const std::string fred = p.fred.heard(), wilma = p.wilma.heard();
  CHECK(fred.substr(0, 11) == "+OK Move 1:");
  CHECK(fred.ends_with(".\n* toot 101 ply 2 wilma CO\n* toot 101 turn 3\n"));
  CHECK(wilma.starts_with("* toot 101 ply 1 fred BT\n* toot 101 turn 2\n+OK Move 2:"));
  CHECK(has(betty.heard(), "It is wilma's turn"));
}

TEST_CASE("moves on many boards are one sync, and their saves are synced some time later",
          "[session][disk]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 0; i < 5; ++i) fred.say("toot challenge fred wilma");
  Service& service = hall.service();
  const auto rows = [&] { return service.database.number("SELECT count(*) FROM tail"); };
  const auto sync = [&] {
    auto saves = service.take_sync();
    REQUIRE(saves);
    CHECK(service.take_sync() == nullptr);
    saves->run();
    service.finish(std::move(saves));
    service.end_turn();
  };
  hall.pass(BoardStore::kOldest);
  CHECK(rows() == 0);
  hall.synced.clear();
  for (int i = 101; i <= 105; ++i) fred.send("toot move " + std::to_string(i) + " fred * BT");
  for (int i = 101; i <= 105; ++i) wilma.send("toot move " + std::to_string(i) + " wilma * BT");
  service.end_turn();
  CHECK(hall.synced == Words{"server.db-wal"});
  CHECK(has(fred.heard(), "+OK Move 1"));
  CHECK(has(wilma.heard(), "+OK Move 2"));
  CHECK(rows() == 10);
  CHECK(service.take_sync() == nullptr);
  hall.time += BoardStore::kOldest;
  REQUIRE(service.sync_due());
  auto saves = service.take_sync();
  REQUIRE(saves);
  // A ply after take_sync() is not in this sync.
  fred.send("toot move 103 fred * CT");
  service.end_turn();
  hall.synced.clear();
  saves->run();
  CHECK(hall.synced ==
        Words{"toot-101.yaml", "toot-102.yaml", "toot-103.yaml", "toot-104.yaml", "toot-105.yaml"});
  service.finish(std::move(saves));
  service.end_turn();
  CHECK(rows() == 1);
  CHECK(service.take_sync() == nullptr);
  hall.time += BoardStore::kOldest;
  sync();
  CHECK(rows() == 0);
  CHECK_FALSE(service.sync_due());
}

TEST_CASE("when the disk does not keep the database's log nothing is acknowledged any more",
          "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.heard();
  p.wilma.heard();
  Service& service = p.hall.service();
  const std::string file = (p.hall.directory / ".server/server.db").string(),
                    failed = file + " cannot be written: Input/output error",
                    lost =
                        "-ERR The server ends (Input/output error) and may not have saved that. "
                        "Look again when it is back.\n.\n";
  p.hall.broken = "server.db-wal";
  p.fred.send(moved("fred", "BT"));
  p.wilma.send(moved("wilma", "CO"));
  p.wilma.send("toot save 101");
  CHECK(service.must_end() == "");
  service.end_turn();
  CHECK(p.fred.heard() == lost);
  CHECK(p.wilma.heard() == lost + lost);
  CHECK(service.must_end() ==
        failed + " while the server ran: it ends, as nothing more would be kept.");
  CHECK(has(p.fred.say("toot move 102 fred * CT"), "-ERR "));
  CHECK(has(p.fred.say("toot challenge fred wilma"), "-ERR "));
  CHECK(has(TestClient(p.hall).say("signup betty secret"), "-ERR "));
  CHECK(has(p.fred.say("toot show 101"), "It is fred's turn"));
  // The disk works again. The transaction is complete or gone; refused commands left nothing.
  p.hall.broken.clear();
  p.hall.restart();
  User fred(p.hall, "fred");
  CHECK(has(board_file(p), "- {move: BT,") == has(board_file(p), "- {move: CO,"));
  CHECK_FALSE(has(bytes_of(p.hall.directory / "toot-102.yaml"), "CT"));
  CHECK(has(fred.first("toot move 102 fred * CT"), "+OK Move 1"));
  CHECK(p.hall.service().must_end() == "");
}

TEST_CASE("where a save cannot be made safe the server ends, and the next one puts it right",
          "[session][disk]") {
  for (const std::string lost : {"the move", "the save", "nothing"}) {
    INFO(lost << " did not come to the disk");
    Pair p;
    p.fred.say(moved("fred", "BT"));
    const std::string text = board_file(p);
    const fs::path file = p.hall.directory / "toot-101.yaml";
    p.hall.broken = "toot-101";
    p.hall.pass(BoardStore::kOldest);
    CHECK(p.hall.service().must_end() ==
          file.string() +
              " cannot be synced (Input/output error) while the server ran: it ends, as nothing "
              "more would be kept.");
    CHECK(has(p.wilma.first(moved("wilma", "CO")), "-ERR "));
    // Even if the disk works again, the server only ends.
    p.hall.broken.clear();
    CHECK(p.hall.service().take_sync(true) == nullptr);
    CHECK_NOTHROW(p.hall.service().settle(true));
    p.hall.stop();
    if (lost == "the save") fs::remove(file);
    if (lost == "the move") put(file, text.substr(0, text.find("- {")));
    p.hall.broken.clear();
    p.hall.start();
    CHECK(board_file(p) == text);
    CHECK(p.hall.service().warnings().empty());
  }
}

TEST_CASE("saves that were made safe while the database failed are noted by the next server",
          "[session][disk]") {
  Pair p;
  p.fred.say(moved("fred", "BT"));
  const std::string text = board_file(p);
  auto saves = p.hall.service().take_sync(true);
  REQUIRE(saves);
  saves->run();
  p.hall.broken = "server.db-wal";
  CHECK(has(p.wilma.say("toot queue 101 wilma * CO"), "-ERR "));
  CHECK_NOTHROW(p.hall.service().finish(std::move(saves)));
  p.hall.broken.clear();
  p.hall.restart();
  CHECK(board_file(p) == text);
  CHECK(p.hall.service().warnings().empty());
}

TEST_CASE("a challenge takes the next number that is free, whatever has the one before",
          "[session][disk]") {
  Pair p;
  fs::create_directory(p.hall.directory / "toot-102.yaml");
  fs::create_symlink("nowhere", p.hall.directory / "toot-103.yaml");
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 104"));
}

TEST_CASE("a conversation that ends before its turn does no harm", "[session][disk]") {
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

TEST_CASE("while a server runs others read its boards, and play on them when it has ended",
          "[session][disk]") {
  Pair p;
  p.wilma.say("toot queue 101 wilma * CO");
  LocalBoards local(p.hall.directory, "");
  auto board = local.open("toot-101");
  REQUIRE(board.ok());
  const std::string served = "A server has the boards in " + p.hall.directory.string() +
                             ": play on them through it, by --socket or --connect.";
  CHECK(local.play(*board, {{std::nullopt, "BT"}}).refusal().why == served);
  CHECK(create(local, *find_game("toot"), {}, {"fred", "wilma"}).refusal().why == served);
  CHECK(local.remove("toot-101").refusal().why == served);
  CHECK(local.rename("toot-101", "mine").refusal().why == served);
  CHECK(local.restore("toot-101").refusal().why == served);
  CHECK(local.set_computer(*board, 0, 3).refusal().why == served);
  CHECK(local.list().size() == 1);
  const auto bystander = create(local, *find_game("chaos"), {}, {"fred", "wilma"});
  CHECK_FALSE(bystander.ok());
  p.meanwhile([&] {
    REQUIRE(local.play(*board, {{std::nullopt, "BT"}}).ok());
    REQUIRE(local.play(*board, {{std::nullopt, "note", 1}}).ok());
    REQUIRE(create(local, *find_game("toot"), {}, {"fred", "Barney Rubble"}).ok());
  });
  // The ply queued after it is played.
  CHECK(has(board_file(p), "- {move: CO, at: 2026-11-21T12:00:00Z}\n"));
  CHECK(has(p.fred.say("toot show 101"), "1 BT: note"));
  CHECK(has(p.fred.say("toot games"),
            "   102     0  fred, Barney Rubble                   fred's turn\n"));
  p.meanwhile([&] {
    board = local.open("toot-101");
    REQUIRE(local.play(*board, {{0, "resign"}}).ok());
    REQUIRE(local.remove("toot-102").ok());
  });
  // The game is recorded, and no other board gets the number 102.
  CHECK(has(p.wilma.say("toot history"), "wilma won"));
  CHECK(p.fred.first("toot show 102") == "-ERR There is no board 102 of Toot.");
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE("a number above the last is no board's here, and behind the last one there is none",
          "[session][disk]") {
  Pair p;
  const std::string text = bytes_of(p.hall.directory / "toot-101.yaml");
  const auto put = [&](const std::string& name) { std::ofstream(p.hall.directory / name) << text; };
  p.meanwhile([&] { put("toot-1000000.yaml"); });
  CHECK(has(p.fred.first("toot games"), "+OK 1 board"));
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 102"));
  CHECK(p.fred.first("toot show 1000000") == "-ERR There is no userid 1000000 here.");
  p.meanwhile([&] { put("toot-999999.yaml"); });
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
  p.meanwhile([&] {
    put(file, head + "#" + std::string(kMaxSave - 55 - head.size() - ply.size() - 2 - 7, 'x') +
                  "\nplies:\n" + ply);
  });
  REQUIRE(fs::file_size(file) == kMaxSave - 55);
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
  p.meanwhile([&] {
    put("toot-110.yaml", "format: 1\ngame: toot\nseats: [fred, FRED]\nplies:\n- BT\n");
    put("toot-111.yaml", "format: 1\ngame: chaos\nseats: [fred, wilma]\nplies:\n");
    put("toot-112.yaml", "no save\n");
    put("toot-113.yaml", "format: 1\ngame: toot\nseats: [\"fred\\e[2J\", wilma]\nplies:\n");
    put("toot-114.yaml", "format: 1\ngame: toot\nseats: [fred, wilma]\nplies: [BT, CO]  # so\n");
    put("toot-115.yaml",
        "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: []\nnote: none\n");
  });
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
  CHECK(has(p.fred.first("toot move 115 fred * DT"), "+OK Move 1"));
  CHECK(bytes_of(p.hall.directory / "toot-115.yaml") ==
        "format: 1\ngame: toot\nseats: [fred, wilma]\n# none yet\nplies: \n- {move: DT, at: "
        "2026-11-21T12:00:00Z}\nnote: none\n");
  p.wilma.say("toot queue 115 wilma * CO");
  CHECK(has(p.wilma.first("toot move 115 wilma * CO#2"), "+OK"));
  p.hall.restart();
  CHECK(p.hall.service().warnings().size() == 2);
}

TEST_CASE("whoever has a board that cannot be written on signs off from none", "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * CO");
  const fs::path third = p.hall.directory / "toot-103.yaml";
  const std::string head = "format: 1\ngame: toot\nseats: [fred, wilma]\n";
  p.meanwhile([&] { put(third, head + "plies: [BT, CO, DT]  # so\n"); });
  CHECK(has(p.fred.first("signoff fred secret"),
            "-ERR Still here: toot-103, line 4: this board cannot be played on"));
  CHECK(has(p.fred.say("toot games fred"), "3 boards"));
  CHECK_FALSE(has(p.wilma.heard(), " gone "));
  p.meanwhile([&] { put(third, head + "plies:\n- BT\n- CO\n- DT\n"); });
  CHECK(has(p.fred.first("signoff fred secret"), "+OK"));
  CHECK(p.wilma.first("toot games") == "+OK No boards of Toot.");
}

TEST_CASE("a signoff that the disk breaks off has resigned nothing, and is said again",
          "[session][disk]") {
  Pair p;
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * CO");
  const std::string second = bytes_of(p.hall.directory / "toot-102.yaml");
  p.fred.heard();
  p.wilma.heard();
  {
    const FullDisk full(0);
    CHECK(p.fred.say("signoff fred secret") == refused_by("File too large"));
  }
  CHECK(bytes_of(p.hall.directory / "toot-102.yaml") == second);
  CHECK(p.wilma.heard() == "");
  CHECK(has(p.fred.say("toot games fred"), "2 boards"));
  CHECK(p.fred.say("signoff fred secret") ==
        "+OK Good-bye, fred.\ntoot 101: fred (TOOT) refused the challenge: the board is gone, and "
        "nobody's rating changes.\ntoot 102: fred (TOOT) resigns.\n.\n");
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
  CHECK(has(fred.say("toot history"), "wilma won (unrated: not every seat made 3 moves)\n"));
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

TEST_CASE("who takes a save away while the server runs, or writes on it, takes no move away",
          "[session][disk]") {
  Pair p;
  p.fred.say(moved("fred", "BT"));
  const fs::path file = p.hall.directory / "toot-101.yaml",
                 other = p.hall.directory / "toot-101.other.yaml";
  const std::string text = board_file(p);
  const std::vector<std::string> ways{"away", "changed", "longer"};
  std::string expected = text;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    INFO(ways[i]);
    p.hall.pass(BoardStore::kOldest);  // the save is synced and closed
    const std::string theirs = ways[i] == "longer" ? board_file(p) + "- {move: FT}\n" : "no save\n";
    fs::remove(file);
    if (ways[i] != "away") put(file, theirs);
    const bool fred = i % 2 == 1;
    const std::string ply = fred ? "CT" : "CO";
    CHECK(has((fred ? p.fred : p.wilma).first(moved(fred ? "fred" : "wilma", ply)), "+OK Move"));
    expected +=
        "- {move: " + ply + ", at: 2026-11-21T12:00:0" + std::to_string(5 * (i + 1) % 10) + "Z}\n";
    CHECK(p.hall.service().take_troubles().size() == 1);
    CHECK(fs::exists(other) == (ways[i] != "away"));
    if (ways[i] != "away") CHECK(bytes_of(other) == theirs);
    fs::remove(other);
  }
  CHECK(load_match(board_file(p), "toot-101")->match.plies().size() == 4);
  // The same between a ply and its sync.
  fs::remove(file);
  p.hall.pass(BoardStore::kOldest);
  CHECK(load_match(board_file(p), "toot-101")->match.plies().size() == 4);
  CHECK(p.hall.service().must_end() == "");
  p.hall.restart();
  CHECK(has(TestClient(p.hall).say("toot show 101"), "It is fred's turn"));
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
          "-ERR " + not_saved("a file of the database was removed or replaced").why);
    CHECK(p.hall.service().must_end() == database.string() +
                                             " was removed or replaced while the server ran: it "
                                             "ends, as nothing more would be kept.");
  }
  {
    // The latest changes are in the log.
    Pair p;
    const std::string log = (p.hall.directory / ".server" / "server.db-wal").string();
    fs::remove(log);
    CHECK(p.fred.first("toot seek fred *") ==
          "-ERR " + not_saved("a file of the database was removed or replaced").why);
    CHECK(has(p.hall.service().must_end(), log + " was removed or replaced while the server ran"));
  }
  // The server notices it within a minute, even without writing.
  Pair p;
  fs::remove_all(p.hall.directory);
  p.hall.pass(std::chrono::minutes(1));
  CHECK_FALSE(p.hall.service().must_end().empty());
  p.hall.stop();
  CHECK_FALSE(fs::exists(p.hall.directory));
}

TEST_CASE(
    "zeros that a power cut left at the end of a save are sent to nobody, and gone with the next "
    "ply",
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
    p.meanwhile([&] { put(file, text + tail); });
    CHECK(p.wilma.say("toot save 101") ==
          "+OK toot-101.yaml, " + std::to_string(text.size()) + " bytes.\n" + text + ".\n");
    CHECK(board_file(p) == text + tail);
    CHECK(has(p.wilma.first(moved("wilma", "CO")), "+OK Move 2"));
    CHECK(board_file(p) == text + line);
  }
  // With a complete line after them they are no unfinished write, but a broken save.
  p.meanwhile([&] { put(file, text + std::string(20, '\0') + "\n" + line); });
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

TEST_CASE("a save for which the disk has no room is behind, and nothing is lost of it",
          "[session][disk]") {
  Pair p;
  const fs::path file = p.hall.directory / "toot-101.yaml";
  std::string text = board_file(p);
  p.meanwhile([&] {
    // The file size limit below must allow the writes to the database, so this save is larger.
    text.insert(text.find("seats"), "# " + std::string(900'000, 'x') + "\n");
    put(file, text);
  });
  Service& service = p.hall.service();
  {
    const FullDisk full(text.size() + 10);
    CHECK(has(p.fred.first(moved("fred", "BT")), "+OK Move 1"));
    CHECK(service.take_troubles() == Words{"toot-101.yaml cannot be written (File too large)."});
    CHECK(board_file(p) == text);
    CHECK(p.wilma.first(moved("wilma", "CO")) ==
          "-ERR The save of toot 101 cannot be written just now, and nothing is added to it: try "
          "again later.");
    CHECK(has(p.wilma.first("toot save 101"), "+OK"));
    CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 102"));
    p.hall.pass(BoardStore::kOldest);
    // The row of the ply, and all later rows.
    CHECK(service.database.number("SELECT count(*) FROM tail") == 2);
    CHECK(service.take_troubles().empty());
  }
  const std::string ply = "- {move: BT, at: 2026-11-21T12:00:00Z}\n";
  p.meanwhile([&] { CHECK(board_file(p) == text + ply); });
  CHECK(has(p.wilma.first(moved("wilma", "CO")), "+OK Move 2"));
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
  CHECK(refused(good.substr(0, 44) + std::string("\0\0\0\x55", 4) + good.substr(48)) ==
        file.string() + " cannot be opened: unsupported file format" + way);
  CHECK(refused(good.substr(0, 60) + std::string("\0\0\0\x07", 4) + good.substr(64)) ==
        file.string() + " was made by another version of this program.");
  CHECK(refused(good) == "started");
}

TEST_CASE("what a full disk did not keep of a turn is undone, answered so, and the server goes on",
          "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  p.wilma.say("toot queue 101 wilma * CO");
  const std::string before = board_file(p);
  std::string fred, wilma;
  {
    const FullDisk full(0);
    p.fred.send("message fred * wilma : hello");
    p.fred.send(moved("fred", "BT"));
    p.fred.send("toot challenge fred wilma -pair");
    p.wilma.send("toot show 101");
    service.settle();
    fred = p.fred.heard();
    wilma = p.wilma.heard();
  }
  const std::string why = refused_by("File too large");
  // The message changes nothing in the database, so wilma gets it at once.
  CHECK(fred == "+OK Sent to wilma.\n.\n" + why + why);
  CHECK(wilma == "* message fred : hello\n" + why);
  CHECK(service.must_end().empty());
  CHECK(service.take_troubles().size() == 1);
  // Memory and disk agree.
  CHECK(board_file(p) == before);
  CHECK(has(p.wilma.say("toot show 101"), "It is fred's turn"));
  CHECK(has(p.fred.say("toot games"), "+OK 1 board"));
  CHECK(p.wilma.first("toot queue 101 wilma *") == "+OK Queued on toot 101: CO.");
  CHECK(has(p.fred.first(moved("fred", "BT")), "+OK Move 1"));
  CHECK(has(p.wilma.heard(), "* toot 101 ply 2 wilma CO (Auto)\n"));
}

TEST_CASE("what a connection became in a turn that is lost it is not", "[session][disk]") {
  Pair p;
  User betty(p.hall, "betty"), other(p.hall, "betty");
  p.fred.say("message betty : one");
  const std::string why = refused_by("File too large");
  const Words lines{"toot limit 5", "watch", "hello 2", "multiple", "list", "who"};
  std::string all;
  {
    const FullDisk full(0);
    for (const std::string& line : lines) {
      betty.send(line);
      all += why;
    }
    p.hall.settle();
    // The script has not begun, so its last line is an ordinary line.
    CHECK(betty.heard() == all);
    CHECK(betty.say("change password betty secret other") == why);
  }
  CHECK_FALSE(betty.session().is_program());
  CHECK(other.session().userid() == "betty");
  p.fred.say("message betty : two");
  CHECK(betty.heard().empty());
  CHECK(has(betty.say("who"), "+OK 3 userids here"));
  CHECK(has(betty.first("login betty secret"), "and 2 messages (watch shows them)"));
  CHECK(has(betty.say("watch"),
            "* message fred : one (2026-11-21T12:00:00Z)\n* message fred : "
            "two (2026-11-21T12:00:00Z)\n"));
}

TEST_CASE("a board whose save was taken away is gone with all that was its, and its number with it",
          "[session][disk]") {
  Pair p;
  TestClient betty(p.hall, "betty");
  p.fred.say("toot 101 BT");
  p.wilma.say("toot 101 CO");
  p.fred.say("toot resign 101");
  p.fred.say("toot challenge wilma");
  REQUIRE(has(p.wilma.first("toot queue 102 CO"), "+OK CO is queued"));
  REQUIRE(has(betty.first("toot subscribe 102"), "+OK"));
  p.hall.service().accounts.set_notices("wilma", "toot-102", {NoticeWish::Of::never});
  p.meanwhile([&] {
    for (const char* name : {"toot-101.yaml", "toot-102.yaml"}) fs::remove(p.hall.directory / name);
  });
  const auto left = [&] {
    return p.hall.service().database.number(
        "SELECT (SELECT count(*) FROM queued) + (SELECT count(*) FROM subscription) + "
        "(SELECT count(*) FROM notice)");
  };
  CHECK(left() == 0);
  // The same after a restart, when the server knows only the number.
  p.meanwhile([] {});
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 103"));
  CHECK(has(p.wilma.first("toot history"), "+OK 1 finished game"));
  // A refused challenge removes as much.
  TestClient again(p.hall, "betty");
  REQUIRE(has(p.wilma.first("toot queue 103 CO"), "+OK CO is queued"));
  REQUIRE(has(again.first("toot subscribe 103"), "+OK"));
  p.hall.service().accounts.set_notices("wilma", "toot-103", {NoticeWish::Of::never});
  REQUIRE(has(p.wilma.first("toot refuse 103"), "+OK"));
  p.meanwhile([] {});
  CHECK(left() == 0);
}

TEST_CASE("a save that somebody has put there and taken away again takes no number along",
          "[session][disk]") {
  Pair p;
  const std::string text = bytes_of(p.hall.directory / "toot-101.yaml");
  const fs::path last = p.hall.directory / "toot-999999.yaml";
  p.meanwhile([&] { std::ofstream(last) << text; });
  REQUIRE(has(p.fred.first("toot show 999999"), "+OK 1 board"));
  p.meanwhile([&] { fs::remove(last); });
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 102"));
  // The server gives out each number only once.
  p.meanwhile([&] { fs::remove(p.hall.directory / "toot-102.yaml"); });
  p.meanwhile([] {});
  CHECK(has(p.fred.first("toot challenge fred wilma"), "+OK Board 103"));
}

TEST_CASE(
    "a save that is taken away while it is not in memory is told of by its name, and left out",
    "[session][disk]") {
  Pair p;
  p.meanwhile([] {});
  fs::remove(p.hall.directory / "toot-101.yaml");
  CHECK(p.fred.first(moved("fred", "BT")) == "-ERR There is no file toot-101.yaml.");
  CHECK(p.fred.say("signoff fred secret") == "+OK Good-bye, fred.\n.\n");
}

TEST_CASE("a command that is refused in its middle has changed nothing", "[session][disk]") {
  Pair p;
  // The second board of a pair gets no number.
  const std::string text = board_file(p);
  p.meanwhile([&] { put(p.hall.directory / "toot-999998.yaml", text); });
  CHECK(has(p.fred.first("toot challenge fred wilma -pair"), "-ERR No number is left"));
  CHECK(has(p.fred.say("toot games"), "+OK 2 boards"));
  CHECK_FALSE(fs::exists(p.hall.directory / "toot-999999.yaml"));
  CHECK(p.wilma.heard() == "");
  p.hall.restart();
  CHECK_FALSE(fs::exists(p.hall.directory / "toot-999999.yaml"));
}

TEST_CASE("the owner hears of a full disk now and then, and how often it was", "[session][disk]") {
  Pair p;
  Service& service = p.hall.service();
  p.hall.pass(BoardStore::kOldest);  // so that nothing else has to be written
  const auto troubles_after = [&](int times) {
    const FullDisk full(0);
    for (int i = 0; i < times; ++i)
      CHECK(p.fred.say("change address fred * here") == refused_by("File too large"));
    return service.take_troubles().size();
  };
  CHECK(troubles_after(3) == 1);
  CHECK(troubles_after(3) == 0);
  p.hall.time += std::chrono::minutes(10);
  CHECK(troubles_after(3) == 1);
  CHECK(service.counts.not_written == 9);
  CHECK(service.take_troubles().empty());
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
        "-ERR The server could not do that. Nothing has changed; try again later.\n.\n+OK Nobody "
        "has a userid here yet.\n.\n");
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
    REQUIRE(fred.first("chaos move " + std::to_string(101 + i) + " fred * a1-c3").substr(0, 10) ==
            "+OK Move 1");
  for (int i = 0; i < 90; ++i)
    CHECK(has(bytes_of(hall.directory / ("chaos-" + std::to_string(101 + i) + ".yaml")),
              "- {move: a1-c3, at: "));
  CHECK(has(fred.first("chaos games"), "+OK 90 boards"));
}
