// SPDX-License-Identifier: MIT
#include "server/data_check.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "protocol/events.hpp"
#include "save/save.hpp"
#include "server/backup.hpp"
#include "server/tables/ladders.hpp"
#include "server/tables/schema.hpp"
#include "server/timekeeper.hpp"
#include "store/board_store.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// Each query returns sentences about rows that no server writes. Foreign keys and the rows of
// boards are checked separately.
constexpr const char* kRowChecks[] = {
    // accounts, their choices, keys and absences
    "SELECT userid || ' has closed the account, but still has a password or an address.' "
    "FROM account WHERE closed AND (hash <> '' OR address <> '')",
    "SELECT userid || ' subscribes to ' || board || ', which does not exist.' FROM subscription "
    "WHERE board NOT LIKE '%-all' AND board NOT IN (SELECT board FROM board)",
    "SELECT 'The key ' || fingerprint || ' of ' || userid || ' is no fingerprint.' "
    "FROM login_key WHERE fingerprint NOT LIKE 'SHA256:%'",
    "SELECT 'A mail to ' || receiver || ' has the unknown kind ' || kind || '.' "
    "FROM mailed WHERE kind NOT BETWEEN 0 AND 3",
    "SELECT 'A vacation of ' || userid || ' ends before it begins.' "
    "FROM vacation WHERE ends <= begins",
    "SELECT 'A downtime of the server ends before it begins.' FROM down WHERE ends <= begins",
    "SELECT 'There is no setting ' || name || '.' FROM setting "
    "WHERE name NOT IN ('seen', 'signups', 'invites') AND name NOT LIKE 'last %'",
    // chat and queued moves
    "SELECT DISTINCT userid || ' wrote in the chat of ' || board || ', but is no member.' "
    "FROM chat WHERE userid NOT IN (SELECT userid FROM account)",
    "SELECT userid || ' has unread lines on ' || board || ', which has no chat.' "
    "FROM unread WHERE board NOT IN (SELECT board FROM chat)",
    "SELECT userid || ' has a queued move on ' || board || ', but no seat there.' FROM queued "
    "WHERE NOT EXISTS (SELECT 1 FROM seat WHERE seat.board = queued.board AND name = userid)",
    "SELECT DISTINCT 'Moves were queued on ' || board || ', which does not exist.' "
    "FROM automatic WHERE board NOT IN (SELECT board FROM board)",
    // finished games and ratings
    "SELECT board || ' is over, but the history lacks its result.' FROM board WHERE over IS NOT "
    "NULL AND broken = '' AND NOT EXISTS (SELECT 1 FROM finished "
    "WHERE finished.game = board.game AND finished.board = board.number)",
    "SELECT 'The history has ' || game || '-' || board || ' without all its players.' "
    "FROM finished AS f WHERE seats <> (SELECT count(*) FROM finished_seat AS s "
    "WHERE s.number = f.number)",
    "SELECT 'The rating of ' || userid || ' at ' || game || ' does not count each rated game.' "
    "FROM rating AS r WHERE won + lost + tied <> (SELECT count(*) FROM finished_seat AS s "
    "JOIN finished AS f USING (number) WHERE s.userid = r.userid AND f.game = r.game "
    "AND unrated = '' AND seats = 2)",
    "SELECT DISTINCT s.userid || ' has rated games of ' || f.game || ', but no rating.' "
    "FROM finished_seat AS s JOIN finished AS f USING (number) WHERE unrated = '' AND seats = 2 "
    "AND NOT EXISTS (SELECT 1 FROM rating AS r WHERE r.userid = s.userid AND r.game = f.game)",
    "SELECT DISTINCT 'The rating curve of ' || s.userid || ' at ' || f.game || ' has a gap.' "
    "FROM finished_seat AS s JOIN finished AS f USING (number) WHERE unrated = '' AND seats = 2 "
    "AND EXISTS (SELECT 1 FROM rating_point) AND NOT EXISTS (SELECT 1 FROM rating_point AS p "
    "WHERE p.number = s.number AND p.userid = s.userid)",
    // tournaments and ladders
    "SELECT 'The tournament ' || tournament || ' plays on ' || board || ', which does not exist.' "
    "FROM pairing WHERE result = 0 AND board <> '' AND board NOT IN (SELECT board FROM board)",
    "SELECT 'The tournament ' || tournament || ' lacks the result of ' || p.board || '.' "
    "FROM pairing AS p JOIN board AS b USING (board) WHERE result = 0 AND over IS NOT NULL",
    "SELECT 'The tournament ' || tournament || ' has a game of player ' || p.first || ' and ' "
    "|| p.second || ', who are not both in it.' FROM pairing AS p WHERE EXISTS (SELECT 1 "
    "WHERE p.first NOT IN (SELECT number FROM entry AS e WHERE e.tournament = p.tournament) "
    "OR p.second NOT IN (SELECT number FROM entry AS e WHERE e.tournament = p.tournament "
    "UNION SELECT 0))",
    "SELECT 'The tournament ' || tournament || ' lacks a game.' FROM pairing "
    "GROUP BY tournament HAVING count(*) <> max(number) + 1",
    "SELECT 'The tournament ' || tournament || ' lacks a player.' FROM entry "
    "GROUP BY tournament HAVING count(*) <> max(number)",
    "SELECT 'The ladder ' || ladder || ' lacks a place.' FROM rung "
    "GROUP BY ladder HAVING count(*) <> max(place) OR count(DISTINCT place) <> max(place)",
    "SELECT 'The ladder ' || ladder || ' plays on ' || board || ', which does not exist.' "
    "FROM ladder_game WHERE ended IS NULL AND board NOT IN (SELECT board FROM board)",
    "SELECT 'The ladder ' || ladder || ' lacks the result of ' || board || '.' "
    "FROM ladder_game JOIN board USING (board) WHERE ended IS NULL AND over IS NOT NULL",
};

// The same about rows that the next start deletes.
constexpr const char* kLeftoverRows =
    "SELECT userid || ' chose notifications for ' || board || ', which does not exist.' FROM "
    "notice WHERE board NOT IN (SELECT board FROM board) AND NOT EXISTS (SELECT 1 FROM letter "
    "WHERE letter.userid = notice.userid AND letter.board = notice.board)";

// A directory for a copy, deleted at the end.
class ScratchDirectory {
 public:
  ScratchDirectory() : path_(place()) {
    if (!::mkdtemp(path_.data())) throw_file_error(path_, "be made", errno);
  }
  ~ScratchDirectory() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  static std::string place() {
    std::error_code error;
    const fs::path directory = fs::temp_directory_path(error);
    if (error) throw Error("TMPDIR names no directory.");
    return (directory / "pbmplay-XXXXXX").string();
  }

  std::string path_;
};

class DataCheck {
 public:
  DataCheck(fs::path directory, fs::path scratch)
      : directory_(std::move(directory)),
        scratch_(std::move(scratch)),
        is_backup_(::access((directory_ / kServerDirectory / kBackupMark).c_str(), F_OK) == 0) {}

  DataReport run() {
    copy_database();
    check_pages();
    if (!report_.problems.empty()) return report_;
    Database database(database_copy(), &kSchema);
    if (!has_all_tables(database)) return report_;
    copy_unsaved_boards(database);
    static_cast<void>(restore_saves(scratch_, database));
    add(report_.problems, database,
        "SELECT 'The table ' || \"table\" || ' names rows of ' || parent || ' that do not exist: ' "
        "|| count(*) || '.' FROM pragma_foreign_key_check GROUP BY \"table\", parent");
    check_boards(database);
    for (const char* sql : kRowChecks) add(report_.problems, database, sql);
    check_names(database);
    find_leftovers(database);
    report_.accounts = database.query_count("SELECT count(*) FROM account");
    report_.tournaments = database.query_count("SELECT count(*) FROM tournament");
    report_.ladder_games = database.query_count("SELECT count(*) FROM ladder_game");
    return report_;
  }

 private:
  fs::path database_copy() const { return scratch_ / kServerDirectory / kDatabaseFile; }

  static void add(std::vector<std::string>& to, Database& database, const char* sql) {
    for (auto row = database.query(sql); row.next();) to.push_back(row.text(0));
  }
  void add_problem(const std::string& sentence) { report_.problems.push_back(sentence); }

  static void copy_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, error);
    if (error) throw_file_error(from, "be copied", error.value());
  }

  void copy_database() const {
    const fs::path file = directory_ / kServerDirectory / kDatabaseFile;
    make_directory(database_copy().parent_path());
    copy_file(file, database_copy());
    // The log has the changes of a server that was killed.
    if (const fs::path log = file.string() + "-wal"; ::access(log.c_str(), F_OK) == 0)
      copy_file(log, database_copy().string() + "-wal");
  }

  void check_pages() {
    Database database(database_copy());
    try {
      add(report_.problems, database,
          "SELECT 'The database is damaged: ' || integrity_check FROM pragma_integrity_check "
          "WHERE integrity_check <> 'ok'");
    } catch (const Error&) {
      // SQLite stops in the middle of the check.
      add_problem("The database is damaged. See \"Repair a database\" in pbmplay-server(8).");
    }
  }

  bool has_all_tables(Database& database) {
    constexpr const char* kNames = "SELECT name FROM sqlite_schema ORDER BY name";
    Database fresh(scratch_ / "fresh.db", &kSchema);
    const auto there = database.query_texts(kNames);
    for (const std::string& name : fresh.query_texts(kNames))
      if (std::ranges::find(there, name) == there.end())
        add_problem("The database lacks its table or index " + name + ".");
    return report_.problems.empty();
  }

  // Copies the saves that the next start would complete from the database.
  void copy_unsaved_boards(Database& database) {
    const fs::path deleted = scratch_ / kDeletedDirectory;
    make_directory(deleted);
    for (const std::string& board : database.query_texts("SELECT DISTINCT board FROM tail")) {
      const auto key = read_board_id(board);
      if (!key) {
        add_problem("The database has unsaved changes of " + board + ", which is no board.");
        continue;
      }
      restored_.insert(*key);
      const std::string name = save_file_name(board);
      if (::access((directory_ / name).c_str(), F_OK) == 0)
        copy_file(directory_ / name, scratch_ / name);
      std::error_code none;
      for (fs::directory_iterator it(directory_ / kDeletedDirectory, none), end; !none && it != end;
           it.increment(none))
        if (it->path().filename().string().starts_with(name))
          copy_file(it->path(), deleted / it->path().filename());
    }
  }

  // Compares the save of each board with its row.
  void check_boards(Database& database) {
    Timekeeper timekeeper(database);
    BoardStore untouched(directory_, database, nullptr), restored(scratch_, database, nullptr);
    for (BoardStore* store : {&untouched, &restored})
      store->set_clock_stop_lookup(
          [&](const std::string& name, Time since) { return timekeeper.clock_stops(name, since); });
    const auto is_restored = [&](const BoardKey& key) { return restored_.contains(key); };
    std::error_code error;
    std::vector<BoardKey> saves = list_boards(directory_, error);
    if (error) throw_file_error(directory_, "be read", error.value());
    std::erase_if(saves, is_restored);
    std::ranges::copy(list_boards(scratch_, error), std::back_inserter(saves));
    std::map<BoardKey, FileVersion> rows = untouched.rows().file_versions();
    std::ranges::sort(saves);
    for (const BoardKey& key : saves) {
      const auto row = rows.extract(key);
      BoardStore& store = is_restored(key) ? restored : untouched;
      if (row.empty()) check_unknown_save(key, store);
      else if (check_board(key, store, row.mapped()) && is_rewritten(key, row.mapped()))
        report_.leftovers.push_back("Another program has written the save of " + key.id() +
                                    " since, and the next start accepts it.");
    }
    for (const auto& [key, version] : rows) {
      if (is_backup_ &&
          ::access((directory_ / kDeletedDirectory / save_file_name(key.id())).c_str(), F_OK) == 0)
        report_.leftovers.push_back(key.id() + " was refused while the backup ran.");
      else add_problem("There is no save of " + key.id() + ", which the database has.");
    }
    report_.boards = saves.size() + rows.size();
  }

  void check_unknown_save(const BoardKey& key, const BoardStore& store) {
    const auto text = store.read_save(key);
    if (!text) return add_problem(text.refusal().reason);
    if (const auto match = load_match(*text, save_file_name(key.id())); !match)
      return add_problem(match.refusal().reason);
    if (is_backup_)
      report_.leftovers.push_back(key.id() +
                                  " began while the backup ran, and the next start reads it.");
    else add_problem("The database does not know the save of " + key.id() + ".");
  }

  // Returns false if the save and its row differ in moves or players, or the next start reads the
  // save anyway. After a kill and in a backup, the row may have fewer entries than the save, but
  // never more.
  bool check_board(const BoardKey& key, BoardStore& store, const FileVersion& version) {
    const bool may_be_behind = restored_.contains(key) || version.modified_ns == 0 || is_backup_;
    BoardSummary row = *store.rows().find(key);
    const auto board = store.open(key);
    if (!board) {
      add_problem(board.refusal().reason);
      return false;
    }
    BoardSummary save = (*board)->summary;
    if (may_be_behind && row.to_move && save.entry_count >= row.entry_count) {
      // The row is older: only what play does not change can be compared.
      BoardSummary latest = save;
      latest.names = row.names;
      latest.options = row.options;
      latest.challenger = row.challenger;
      row = std::move(latest);
    }
    // The database keeps no old downtimes.
    if (save.running_clock && row.running_clock)
      save.running_clock->used_time = row.running_clock->used_time;
    if (save == row) return !may_be_behind;
    const auto differ = [&](const std::string& in_save, const std::string& in_row) {
      if (in_save == in_row) return false;
      add_problem(key.id() + ": the save has " + in_save + ", the database has " + in_row + ".");
      return true;
    };
    const auto moves = [](const BoardSummary& of) {
      return format_count(of.ply_count, "move", "moves");
    };
    if (!differ("the players " + join_with_and(save.names),
                "the players " + join_with_and(row.names)) &&
        !differ(moves(save), moves(row)) &&
        !differ("\"" + save.turn_or_result() + "\"", "\"" + row.turn_or_result() + "\"")) {
      if (!restored_.contains(key) && is_rewritten(key, version)) return true;
      add_problem(key.id() + ": the save and the database differ in options, offers or times.");
    }
    return false;
  }

  // True if another program wrote the save. A copy of a save is another file.
  bool is_rewritten(const BoardKey& key, const FileVersion& version) const {
    struct stat s {};
    return ::stat((directory_ / save_file_name(key.id())).c_str(), &s) == 0 &&
           (static_cast<std::uint64_t>(s.st_size) != version.size ||
            std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec !=
                version.modified_ns);
  }

  // Checks the names of games and ladders, and the texts of kept events.
  void check_names(Database& database) {
    for (const std::string& name : database.query_texts(
             "SELECT game FROM board UNION SELECT game FROM finished UNION SELECT game FROM rating "
             "UNION SELECT game FROM choice UNION SELECT game FROM seek UNION SELECT game FROM "
             "tournament UNION SELECT name FROM ladder"))
      if (const auto words = split_words(name); words.empty() || !find_game(words.front()))
        add_problem("The database has the game " + name + ", which this program does not have.");
    Ladders ladders(database);
    for (const std::string& name :
         database.query_texts("SELECT ladder FROM rung UNION SELECT ladder FROM ladder_game"))
      if (!ladders.has(name)) add_problem("There is no ladder " + name + ", but it has players.");
    for (auto row = database.query("SELECT userid, number, what FROM letter"); row.next();)
      if (!decode_event(row.text(2)))
        add_problem("The letter " + row.text(1) + " to " + row.text(0) + " cannot be read.");
  }

  void find_leftovers(Database& database) {
    add(report_.leftovers, database, kLeftoverRows);
    for (const std::string& board : database.query_texts(
             "SELECT DISTINCT board FROM chat WHERE board NOT IN (SELECT board FROM board)"))
      if (::access((directory_ / kDeletedDirectory / save_file_name(board)).c_str(), F_OK) != 0)
        report_.leftovers.push_back("There is a chat of " + board + ", which does not exist.");
    std::error_code none;
    for (fs::directory_iterator it(directory_, none), end; !none && it != end; it.increment(none)) {
      const std::string name = it->path().filename().string();
      const std::string first = name.substr(0, name.find('.'));
      if (name.starts_with(".draft-") || (read_board_id(first) && name != save_file_name(first)))
        report_.leftovers.push_back("The server does not use the file " + name + ".");
    }
  }

  fs::path directory_, scratch_;
  bool is_backup_;
  DataReport report_;
  std::set<BoardKey> restored_;  // boards with changes that were not in their saves for sure
};

}  // namespace

Result<DataReport> check_data(const fs::path& directory) {
  if (::access((directory / kServerDirectory / kDatabaseFile).c_str(), R_OK) != 0)
    return Refusal{"There is no server's database in " + safe_text(directory.string()) +
                   ", or you may not read it."};
  const auto held = lock_for_reading(directory);
  if (!held) return held.refusal();
  const ScratchDirectory scratch;
  try {
    return DataCheck(directory, scratch.path()).run();
  } catch (const Error& error) {
    // Names the file that the owner knows.
    std::string why = error.what();
    for (std::size_t at; (at = why.find(scratch.path())) != std::string::npos;)
      why.replace(at, scratch.path().size(), directory.string());
    return Refusal{why};
  }
}

}  // namespace pbm
