// SPDX-License-Identifier: MIT
// A database in one file. The only user of SQLite. All queries and changes until commit() are one
// transaction, which is on disk when commit() returns; a part of it can be undone. Leaves the
// tables and their meaning to its callers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace pbm {

// The tables of a database, as scripts of SQL. `base` makes those of version `base_version`; each
// migration makes the next version out of the one before.
struct Schema {
  const char* base;
  int base_version;
  std::span<const char* const> migrations;
};

class Database {
 public:
  // Opens the file, makes it if it is missing, and migrates an older version of `schema`. Throws
  // Error, also for a version that is newer or older than all of them; that file stays as it is.
  // With nullptr the file must exist, with any schema. The other functions throw Error, too.
  explicit Database(std::filesystem::path file, const Schema* schema = nullptr);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // The result of a query, a row at a time.
  class Rows {
   public:
    // Goes to the next row. Returns false after the last.
    bool next();
    // Return a column of the row. A null is 0 or "".
    std::int64_t number(int column) const;
    std::size_t size(int column) const { return static_cast<std::size_t>(number(column)); }
    Time time(int column) const { return Time(std::chrono::seconds(number(column))); }
    double real(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;
    // Returns nothing for a null.
    template <class Number>
    std::optional<Number> get_optional(int column) const {
      if (is_null(column)) return std::nullopt;
      if constexpr (std::is_same_v<Number, Time>) return time(column);
      else return static_cast<Number>(number(column));
    }

   private:
    friend class Database;
    struct Release {
      bool is_cached;  // true if the statement is reused
      void operator()(sqlite3_stmt* statement) const;
    };
    Rows(Database& database, sqlite3_stmt* statement, bool kept)
        : database_(&database), statement_(statement, Release{kept}) {}
    Database* database_;
    std::unique_ptr<sqlite3_stmt, Release> statement_;
  };

  // Runs a query with `values` for the question marks. `sql` must be a literal: its address
  // identifies the prepared statement.
  template <class... Values>
  Rows query(const char* sql, const Values&... values) {
    Rows rows = prepare(sql);
    int at = 0;
    (bind(rows.statement_.get(), ++at, values), ...);
    return rows;
  }
  // Runs a statement that changes rows.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    query(sql, values...).next();
  }
  // Returns the number in the first column of the first row, or 0 if there is no row.
  template <class... Values>
  std::int64_t query_number(const char* sql, const Values&... values) {
    Rows rows = query(sql, values...);
    return rows.next() ? rows.number(0) : 0;
  }
  template <class... Values>
  std::size_t query_count(const char* sql, const Values&... values) {
    return static_cast<std::size_t>(query_number(sql, values...));
  }
  // Returns make(row) for each row, in order. query_first() returns that of the first row, or
  // nothing.
  template <class Make, class... Values>
  auto query_all(const Make& make, const char* sql, const Values&... values) {
    std::vector<decltype(make(std::declval<const Rows&>()))> out;
    for (Rows rows = query(sql, values...); rows.next();) out.push_back(make(rows));
    return out;
  }
  template <class Make, class... Values>
  auto query_first(const Make& make, const char* sql, const Values&... values) {
    Rows rows = query(sql, values...);
    return rows.next() ? std::optional(make(rows)) : std::nullopt;
  }
  // Returns the texts in the first column.
  template <class... Values>
  std::vector<std::string> query_texts(const char* sql, const Values&... values) {
    return query_all([](const Rows& row) { return row.text(0); }, sql, values...);
  }
  std::int64_t last_inserted_row() const;  // the rowid of the last inserted row

  // Copies the database to the new file `file`, in the state of one moment, also while other
  // programs write. Pre: no transaction is open.
  void copy_to(const std::filesystem::path& file);

  // Returns a counter that grows with each change of the table and each undone transaction.
  const std::uint64_t& table_version(std::string_view table);

  // True if anything was changed since the last commit().
  bool has_changes() const { return has_changes_ || !undo_error_.empty(); }
  // Commits the transaction to disk and returns "". If that fails, undoes the transaction and
  // returns why, in a sentence.
  std::string commit();
  // Undoes the transaction, so that commit() returns `why`.
  void undo_transaction(const std::string& why);
  // Returns why no change can be stored any more, a sentence without full stop, or "".
  const std::string& failure() const { return failure_; }
  // Returns the reason of the last failure without a path, "database or disk is full", or "".
  const std::string& reason() const { return reason_; }
  // Refuses all changes from now on.
  void refuse_changes(const std::string& why) { failure_ = why; }
  // Checks that the file and its log were not removed or replaced; if they were, stops.
  void check_files();

  // Undoes the changes of its lifetime in the destructor, unless keep() was called. An Savepoint
  // inside another one is a part of that.
  class Savepoint {
   public:
    explicit Savepoint(Database& database);
    ~Savepoint();
    Savepoint(const Savepoint&) = delete;
    Savepoint& operator=(const Savepoint&) = delete;
    void keep() { is_kept_ = true; }

   private:
    Database& database_;
    bool is_outermost_, had_changes_, is_kept_ = false;
  };

 private:
  enum class SavepointState : std::uint8_t { none, requested, active };

  // A prepared statement, and the versions of the tables that it changes.
  struct Statement {
    sqlite3_stmt* handle = nullptr;
    std::vector<std::uint64_t*> written_tables = {};
  };
  Rows prepare(const char* sql);
  Statement make_statement(const char* sql, unsigned flags);
  const Statement* cached_statement(const char* sql);
  void run_script(const char* sql);
  int run_control(const char* sql);
  void advance_versions();
  void open_file();
  std::optional<std::size_t> check_version(const Schema& schema);
  void migrate(const Schema& schema);
  void close();
  [[noreturn]] void throw_error(int code, const char* what);
  std::string error_sentence(int code, const char* what);

  void bind(sqlite3_stmt* statement, int at, std::string_view text);
  void bind(sqlite3_stmt* statement, int at, double value);
  void bind(sqlite3_stmt* statement, int at, std::nullptr_t);
  void bind_number(sqlite3_stmt* statement, int at, std::int64_t value);
  void bind(sqlite3_stmt* statement, int at, Time time) {
    bind_number(statement, at, time.time_since_epoch().count());
  }
  template <class Number>
    requires std::is_integral_v<Number>
  void bind(sqlite3_stmt* statement, int at, Number value) {
    bind_number(statement, at, static_cast<std::int64_t>(value));
  }
  template <class Value>
  void bind(sqlite3_stmt* statement, int at, const std::optional<Value>& value) {
    if (value) bind(statement, at, *value);
    else bind(statement, at, nullptr);
  }

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
  std::map<const char*, Statement> statements_;
  std::map<std::string, std::uint64_t, std::less<>> table_versions_;  // by table name
  std::vector<std::uint64_t*> written_tables_;  // of the statement in preparation
  bool is_open_ = false, has_changes_ = false;  // the transaction; changes in it
  SavepointState savepoint_state_ = SavepointState::none;
  std::string undo_error_;  // why SQLite undid the transaction before its end
  std::string failure_;
  std::string reason_;  // of the last failure, without a path
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// A cache for the results of queries of one table, which is empty again after each change of it.
// For queries at every ply whose table rarely changes.
template <class Value>
class QueryCache {
 public:
  QueryCache(Database& database, std::string_view table)
      : table_version_(database.table_version(table)) {}

  // Returns the cached result of `ask`, or calls it. The reference is valid until the next call.
  // Pre: `ask` reads this table only, and `key` identifies the query.
  template <class Ask>
  const Value& get(std::string key, const Ask& ask) {
    constexpr std::size_t kMost = 10'000;
    if (cached_version_ != table_version_ || values_.size() == kMost) values_.clear();
    cached_version_ = table_version_;
    const auto found = values_.find(key);
    return found != values_.end() ? found->second
                                  : values_.emplace(std::move(key), ask()).first->second;
  }

 private:
  const std::uint64_t& table_version_;
  std::uint64_t cached_version_ = 0;
  std::unordered_map<std::string, Value> values_;
};

}  // namespace pbm
