// SPDX-License-Identifier: MIT
// `serve --check-data` finds each kind of damage to a server's directory, none in a healthy one.
#include "server/data_check.hpp"

#include <sqlite3.h>

#include <fstream>
#include <map>

#include "run.hpp"
#include "server/backup.hpp"
#include "store/recovery.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// Three members with running and finished boards, a tournament, a ladder, chat, mail and choices.
struct Club {
  TestServer server;
  User fred{server, "fred"}, wilma{server, "wilma"}, betty{server, "betty"};

  Club() {
    const std::vector<std::pair<User*, const char*>> lines{
        {&fred, "toot challenge wilma"},
        {&fred, "toot 101 BT"},
        {&wilma, "toot 101 CO"},
        {&fred, "toot challenge wilma"},
        {&wilma, "toot queue 102 CO"},
        {&fred, "toot challenge betty --forfeittime=3 --nagtime=1"},
        {&fred, "toot 103 AT"},
        {&betty, "toot 103 CO"},
        {&fred, "toot 103 BT"},
        {&betty, "toot 103 DO"},
        {&fred, "toot 103 AT"},
        {&betty, "toot 103 FO"},
        {&betty, "toot resign 103"},
        {&wilma, "toot chat 101 : hello"},
        {&betty, "toot subscribe 101"},
        {&betty, "block wilma"},
        {&fred, "vacation 3"},
        {&betty, "toot seek"},
        {&fred, "ladder toot join"},
        {&wilma, "ladder toot join"},
        {&wilma, "ladder toot challenge fred"},
        {&fred, "tournament new autumn chaos round-robin"},
        {&fred, "tournament join autumn"},
        {&wilma, "tournament join autumn"},
        {&betty, "tournament join autumn"},
        {&fred, "tournament start autumn"}};
    for (const auto& [user, line] : lines) {
      INFO(line);
      const std::string said = user->first_reply_line(line);
      INFO(said);
      REQUIRE(contains(said, "+OK"));
    }
  }
  // Returns the report on the directory after `damage`, while no server runs.
  DataReport report_after(const std::function<void()>& damage) {
    server.stop();
    damage();
    const auto report = check_data(server.directory);
    INFO((report ? "" : report.refusal().reason));
    REQUIRE(report.ok());
    return *report;
  }
  DataReport report_after_sql(const char* sql) {
    return report_after([&] {
      sqlite3* handle = nullptr;
      ::sqlite3_open((server.directory / ".server/server.db").c_str(), &handle);
      char* error = nullptr;
      ::sqlite3_exec(handle, sql, nullptr, nullptr, &error);
      INFO((error ? error : ""));
      CHECK(error == nullptr);
      CHECK(::sqlite3_changes(handle) > 0);
      ::sqlite3_close(handle);
    });
  }
};

std::map<std::string, std::string> read_all(const fs::path& directory) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    out[entry.path().string()] = entry.is_regular_file() ? read_bytes(entry.path()) : "";
  return out;
}

std::string all_of(const std::vector<std::string>& sentences) { return join(sentences, "\n"); }

}  // namespace

TEST_CASE("the data of a healthy server is consistent, also after a kill", "[data]") {
  Club club;
  const bool killed = GENERATE(false, true);
  const fs::path copy = club.server.temporary / "killed";
  if (killed) fs::copy(club.server.directory, copy, fs::copy_options::recursive);
  club.server.stop();
  const fs::path place = killed ? copy : club.server.directory;
  const auto before = read_all(place);
  const auto report = check_data(place);
  REQUIRE(report.ok());
  CHECK(all_of(report->problems).empty());
  CHECK(all_of(report->leftovers).empty());
  CHECK(report->accounts == 3);
  CHECK(report->boards >= 5);
  CHECK(report->tournaments == 1);
  CHECK(report->ladder_games == 1);
  CHECK(read_all(place) == before);
}

TEST_CASE("the data of an older version is consistent", "[data]") {
  const int kept = GENERATE(4, 5, 6);
  TemporaryDirectory place;
  fs::create_directories(place / ".server");
  for (const auto& file :
       fs::directory_iterator(source_root() / "t/databases" / ("version-" + std::to_string(kept))))
    fs::copy(file, place.path() / (file.path().extension() == ".db" ? ".server" : ""));
  const auto report = check_data(place.path());
  REQUIRE(report.ok());
  CHECK(all_of(report->problems).empty());
}

TEST_CASE("one unreadable save is one problem", "[data]") {
  Club club;
  club.server.stop();
  std::ofstream(club.server.directory / "toot-101.yaml") << "format: 1\ngarbage\n";
  club.server.start();
  const DataReport report = club.report_after([] {});
  CHECK(report.problems.size() == 1);
  CHECK(contains(all_of(report.problems), "toot-101.yaml"));
}

TEST_CASE("an unreadable save that the database does not know is one problem", "[data]") {
  Club club;
  const fs::path copy = club.server.temporary / "copy";
  const DataReport report = club.report_after([&] {
    REQUIRE(back_up(club.server.directory, copy).ok());
    std::ofstream(club.server.directory / "toot-150.yaml") << "format: 2\n";
    std::ofstream(copy / "toot-150.yaml") << "format: 2\n";
  });
  const auto of_copy = check_data(copy);
  REQUIRE(of_copy.ok());
  for (const DataReport& each : {report, *of_copy}) {
    REQUIRE(each.problems.size() == 1);
    CHECK(contains(each.problems[0], "toot-150.yaml"));
    CHECK(each.leftovers.empty());
  }
}

TEST_CASE("a killed server's moves count, although they are only in the database", "[data]") {
  Club club;
  const fs::path copy = club.server.temporary / "killed";
  fs::copy(club.server.directory, copy, fs::copy_options::recursive);
  const fs::path save = copy / "toot-101.yaml";
  const std::string text = read_bytes(save);
  // The last line never reached the disk.
  fs::resize_file(save, text.rfind("- {"));
  CHECK(all_of(check_data(copy)->problems).empty());
  CHECK(read_bytes(save) == text.substr(0, text.rfind("- {")));
  fs::remove(save);
  CHECK(all_of(check_data(copy)->problems).empty());
  // Another program has completed the saves since.
  std::ofstream(save) << text.substr(0, text.rfind("- {"));
  CHECK(recover_directory(copy).ok());
  CHECK(read_bytes(save) == text);
  CHECK(all_of(check_data(copy)->problems).empty());
  // But a save cannot have fewer moves than its row.
  fs::resize_file(save, text.find("- {"));
  CHECK(contains(all_of(check_data(copy)->problems),
                 "toot-101: the save has 0 moves, the database has 2 moves."));
}

TEST_CASE("a save in a backup may have more moves than its row", "[data]") {
  Club club;
  club.server.stop();
  const fs::path copy = club.server.temporary / "copy";
  REQUIRE(back_up(club.server.directory, copy).ok());
  // A take-back leaves fewer moves, but more entries.
  std::ofstream(copy / "toot-101.yaml", std::ios::app)
      << "- {move: undo, seat: 2, at: 2026-11-29T12:00:00Z}\n"
         "- {move: accept, seat: 1, at: 2026-11-29T12:00:00Z}\n";
  CHECK(all_of(check_data(copy)->problems).empty());
  std::ofstream(copy / "toot-101.yaml", std::ios::app)
      << "- {move: DT, at: 2026-11-29T12:00:00Z}\n"
         "- {move: resign, seat: 2, at: 2026-11-29T12:00:00Z}\n";
  // The first move there is the only one.
  std::ofstream(copy / "toot-104.yaml", std::ios::app)
      << "- {move: BT, at: 2026-11-29T12:00:00Z}\n";
  // A board that began after the copy of the database, and one that was refused.
  fs::copy_file(copy / "toot-104.yaml", copy / "toot-190.yaml");
  fs::create_directory(copy / kDeletedDirectory);
  fs::rename(copy / "chaos-101.yaml", copy / kDeletedDirectory / "chaos-101.yaml");
  CHECK(all_of(check_data(copy)->problems).empty());
  fs::remove(copy / "toot-190.yaml");
  fs::remove(copy / kDeletedDirectory / "chaos-101.yaml");
  CHECK(contains(all_of(check_data(copy)->problems), "There is no save of chaos-101"));
  std::ofstream(copy / "toot-102.yaml") << read_bytes(copy / "toot-103.yaml");
  CHECK(contains(all_of(check_data(copy)->problems), "toot-102: the save has"));
}

TEST_CASE("a damaged, changed, missing or unknown save is a problem", "[data]") {
  Club club;
  const fs::path save = club.server.directory / "toot-101.yaml";
  const std::string text = read_bytes(save);
  std::string expected;
  const auto report = club.report_after([&] {
    switch (GENERATE(range(0, 6))) {
      case 0:
        std::ofstream(save, std::ios::app) << "- DT\n";
        expected = "toot-101: the save has 3 moves, the database has 2 moves.";
        break;
      case 1: {
        std::string other = text;
        other.replace(other.find("wilma"), 5, "betty");
        std::ofstream(save) << other;
        expected = "the database has the players fred and wilma.";
        break;
      }
      case 2:
        std::ofstream(save, std::ios::app) << "- {move: resign, seat: 1}\n";
        expected = "the save has \"wilma won\"";
        break;
      case 3:
        std::ofstream(save) << text << "- ZZZ\n- BT\n";
        expected = "toot-101.yaml, line ";
        break;
      case 4:
        fs::remove(save);
        expected = "There is no save of toot-101";
        break;
      default:
        std::ofstream(club.server.directory / "toot-150.yaml") << text;
        expected = "does not know the save of toot-150.";
    }
  });
  INFO(all_of(report.problems));
  REQUIRE(report.problems.size() == 1);
  CHECK(contains(report.problems.front(), expected));
}

TEST_CASE("a row that is missing or names something missing is a problem", "[data]") {
  static constexpr std::pair<const char*, const char*> kDamages[]{
      {"DELETE FROM board WHERE board = 'toot-102'", "does not know the save of toot-102"},
      {"UPDATE board SET plies = plies + 1 WHERE board = 'toot-101'", "the database has 3 moves"},
      {"DELETE FROM seat WHERE board = 'toot-101' AND seat = 1", "toot-101: the save has the play"},
      {"UPDATE board SET winner = 1 WHERE board = 'toot-103'", "the database has \"betty won\""},
      {"UPDATE board SET challenger = 'betty' WHERE board = 'toot-101'", "differ in options"},
      {"DELETE FROM account WHERE userid = 'betty'", "names rows of account that do not exist"},
      {"UPDATE account SET closed = 1 WHERE userid = 'betty'", "betty has closed the account"},
      {"UPDATE subscription SET board = 'toot-900'", "subscribes to toot-900"},
      {"INSERT INTO login_key VALUES ('MD5:x', 'fred', '', 0, NULL)", "is no fingerprint"},
      {"INSERT INTO invitation VALUES ('x', 'nobody', '', 0)", "The table invitation names"},
      {"INSERT INTO wanted VALUES ('nobody', 'a@b', 'x', 0)", "The table wanted names"},
      {"INSERT INTO mailed VALUES ('fred', 0, 9)", "unknown kind 9"},
      {"UPDATE vacation SET ends = begins - 5", "A vacation of fred ends before"},
      {"INSERT INTO down VALUES (10, 5)", "A downtime of the server ends"},
      {"INSERT INTO setting VALUES ('colour', 1)", "There is no setting colour"},
      {"UPDATE chat SET userid = 'nobody'", "nobody wrote in the chat of toot-101"},
      {"INSERT INTO unread VALUES ('fred', 'toot-900', 1, 0)", "toot-900, which has no chat"},
      {"UPDATE queued SET userid = 'betty'", "betty has a queued move on toot-102"},
      {"INSERT INTO automatic VALUES ('toot-900', 1, 0)", "Moves were queued on toot-900"},
      {"DELETE FROM finished", "toot-103 is over, but the history lacks"},
      {"DELETE FROM finished_seat WHERE seat = 0", "toot-103 without all its players"},
      {"DELETE FROM rating WHERE userid = 'fred'", "fred has rated games of toot, but no rating"},
      {"UPDATE rating SET won = won + 1 WHERE userid = 'fred'", "does not count each rated game"},
      {"DELETE FROM rating_point WHERE userid = 'fred'", "The rating curve of fred at toot"},
      {"INSERT INTO notice VALUES ('nobody', 'toot-101', 'never')", "The table notice names"},
      {"UPDATE letter SET what = 'nonsense'", "cannot be read"},
      {"UPDATE choice SET game = 'halma'", "has the game halma"},
      {"DELETE FROM entry WHERE number = 1", "who are not both in it"},
      {"DELETE FROM pairing WHERE number = 0", "The tournament autumn lacks a game"},
      {"UPDATE pairing SET board = 'chaos-900' WHERE number = 0", "autumn plays on chaos-900"},
      {"UPDATE pairing SET board = 'toot-103' WHERE number = 0", "lacks the result of toot-103"},
      {"DELETE FROM tournament", "names rows of tournament that do not exist"},
      {"UPDATE rung SET place = 1", "The ladder toot lacks a place"},
      {"UPDATE rung SET ladder = 'toot -size=9x9'", "There is no ladder toot -size=9x9"},
      {"UPDATE ladder_game SET board = 'toot-900'", "The ladder toot plays on toot-900"},
      {"UPDATE ladder_game SET board = 'toot-103'", "The ladder toot lacks the result of toot-103"},
      {"INSERT INTO tail VALUES (9999, 'nonsense', 'add', 0, '')", "nonsense, which is no board"},
      {"DROP INDEX seat_over; UPDATE setting SET value = value", "lacks its table or index seat_o"},
  };
  Club club;
  const auto [sql, expected] = kDamages[GENERATE(range(std::size_t{0}, std::size(kDamages)))];
  INFO(sql);
  if (contains(sql, "UPDATE choice")) club.fred.say("toot limit 5");
  const DataReport report = club.report_after_sql(sql);
  INFO(all_of(report.problems));
  CHECK(contains(all_of(report.problems), expected));
}

TEST_CASE("files and rows that the server does not need are leftovers, not problems", "[data]") {
  Club club;
  const auto& directory = club.server.directory;
  club.fred.say("set notices never toot 102");
  REQUIRE(contains(club.wilma.first_reply_line("toot refuse 102"), "+OK"));
  const DataReport report = club.report_after([&] {
    std::ofstream(directory / ".draft-AbCdEf") << "x";
    std::ofstream(directory / "toot-101.recovered.yaml") << "x";
    const std::string text = read_bytes(directory / "toot-101.yaml");
    std::ofstream(directory / "toot-101.yaml") << "# A comment.\n" << text;
    // The next start accepts other times of the same moves.
    std::string timed = read_bytes(directory / "toot-103.yaml");
    for (std::size_t at; (at = timed.find("2026-11-21T12")) != std::string::npos;)
      timed.replace(at, 13, "2026-11-20T11");
    std::ofstream(directory / "toot-103.yaml") << timed;
    fs::remove_all(directory / ".deleted");
  });
  CHECK(all_of(report.problems).empty());
  const std::string leftovers = all_of(report.leftovers);
  INFO(leftovers);
  CHECK(report.leftovers.size() >= 4);
  CHECK(contains(leftovers, "the file .draft-AbCdEf"));
  CHECK(contains(leftovers, "the file toot-101.recovered.yaml"));
  CHECK(contains(leftovers, "written the save of toot-101 since"));
  CHECK(contains(leftovers, "written the save of toot-103 since, and the next start accepts it."));
}

TEST_CASE("a directory that a server uses or nobody can read is refused", "[data]") {
  Club club;
  const auto check = [](const fs::path& place) {
    return run_program({"serve", "--check-data", place.string()});
  };
  const fs::path directory = club.server.directory, database = directory / ".server/server.db";
  const RunResult used = check(directory);
  CHECK(used.status == 3);
  CHECK(contains(used.err, "A server uses " + directory.string()));
  CHECK(used.out.empty());
  club.server.stop();
  const RunResult good = check(directory);
  CHECK(good.status == 0);
  CHECK(contains(good.out, "3 accounts, 1 tournament, 1 ladder game: 0 problems, 0 leftovers.\n"));
  fs::remove(directory / "toot-101.yaml");
  const RunResult bad = check(directory);
  CHECK(bad.status == 1);
  CHECK(contains(bad.out, "There is no save of toot-101"));
  CHECK(contains(bad.out, ": 1 problem, 0 leftovers.\n"));
  CHECK(check(directory / "none").status == 3);
  const std::size_t page_number =
      Database(database).query_count("SELECT rootpage FROM sqlite_schema WHERE name = 'letter'");
  std::string damaged = read_bytes(database);
  damaged.replace((page_number - 1) * 4096, 4096, std::string(4096, 'x'));
  std::ofstream(database) << damaged;
  const RunResult page = check(directory);
  CHECK(page.status == 1);
  CHECK(contains(page.out, "The database is damaged"));
  std::ofstream(database) << "This is no database.";
  const RunResult none = check(directory);
  CHECK(none.status == 3);
  CHECK(contains(none.err, database.string()));
  // Neither option, or both.
  CHECK(run_program({"serve"}).status == 2);
  CHECK(run_program({"serve", "--dir", "x", "--check-data", "y"}).status == 2);
}
