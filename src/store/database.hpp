// SPDX-License-Identifier: MIT
// A database in one file, and the only user of SQLite. All that is asked and changed is one
// transaction until commit(), and on disk when that returns; a part of it can be undone alone.
// Leaves the tables and what they mean to its callers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace pbm {

class Database {
 public:
  // Makes the file by `schema` where there is none; nullptr: it is there, and may be of any. Throws
  // Error, as all of this does: also where it was made by another schema than that of this number.
  explicit Database(std::filesystem::path file, const char* schema = nullptr, int version = 0);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // What a question found, a row at a time.
  class Rows {
   public:
    // Goes to the next one; false behind the last.
    bool next();
    // Of that row, by column. A null is 0, or "".
    std::int64_t number(int column) const;
    std::size_t size(int column) const { return static_cast<std::size_t>(number(column)); }
    Time time(int column) const { return Time(std::chrono::seconds(number(column))); }
    double real(int column) const;
    std::string text(int column) const;
    bool null(int column) const;
    // The same, but nothing for a null.
    template <class Number>
    std::optional<Number> maybe(int column) const {
      if (null(column)) return std::nullopt;
      if constexpr (std::is_same_v<Number, Time>) return time(column);
      else return static_cast<Number>(number(column));
    }

   private:
    friend class Database;
    struct Release {
      bool kept;  // for the next time
      void operator()(sqlite3_stmt* statement) const;
    };
    Rows(Database& database, sqlite3_stmt* statement, bool kept)
        : database_(&database), statement_(statement, Release{kept}) {}
    Database* database_;
    std::unique_ptr<sqlite3_stmt, Release> statement_;
  };

  // Asks with `values` in the place of the question marks. `sql` is a literal: by its address it is
  // known again.
  template <class... Values>
  Rows ask(const char* sql, const Values&... values) {
    Rows rows = prepare(sql);
    int at = 0;
    (bind(rows.statement_.get(), ++at, values), ...);
    return rows;
  }
  // Changes something.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    ask(sql, values...).next();
  }
  // The number in the first column of the first row; 0 where there is none.
  template <class... Values>
  std::int64_t number(const char* sql, const Values&... values) {
    Rows rows = ask(sql, values...);
    return rows.next() ? rows.number(0) : 0;
  }
  template <class... Values>
  std::size_t count(const char* sql, const Values&... values) {
    return static_cast<std::size_t>(number(sql, values...));
  }
  // What `make` makes of each row, in order; and of the first, or nothing.
  template <class Make, class... Values>
  auto all(const Make& make, const char* sql, const Values&... values) {
    std::vector<decltype(make(std::declval<const Rows&>()))> out;
    for (Rows rows = ask(sql, values...); rows.next();) out.push_back(make(rows));
    return out;
  }
  template <class Make, class... Values>
  auto first(const Make& make, const char* sql, const Values&... values) {
    Rows rows = ask(sql, values...);
    return rows.next() ? std::optional(make(rows)) : std::nullopt;
  }
  // The texts in the first column.
  template <class... Values>
  std::vector<std::string> texts(const char* sql, const Values&... values) {
    return all([](const Rows& row) { return row.text(0); }, sql, values...);
  }
  std::int64_t last_row() const;  // that was put in

  // Makes `file`, which is not there, a database with all that is in this one at one moment,
  // whoever writes on it meanwhile. Pre: nothing was asked or changed since the last commit().
  void copy_to(const std::filesystem::path& file);

  // Changes with whatever is written in that table, and with whatever is undone.
  const std::uint64_t& version_of(std::string_view table);

  // Whether anything was changed since the last commit().
  bool changed() const { return changed_ || !lost_.empty(); }
  // Makes that safe. Where it cannot be done all of it is undone, and why is returned, a sentence.
  std::string commit();
  // Why nothing can be kept any more, a sentence without its full stop; "" while all is well.
  const std::string& failed() const { return failed_; }
  // Returns the reason of the last failure without a path, "database or disk is full", or "".
  const std::string& reason() const { return reason_; }
  // From now on nothing is kept.
  void stop(const std::string& why) { failed_ = why; }
  // Sees whether the file still has its name.
  void look_at_names();

  // What is changed during its life is undone at its end, unless it is to be kept. Within another
  // one it is part of that.
  class Attempt {
   public:
    explicit Attempt(Database& database);
    ~Attempt();
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    void keep() { kept_ = true; }

   private:
    Database& database_;
    bool outermost_, was_changed_, kept_ = false;
  };

 private:
  enum class Undo : std::uint8_t { none, wanted, possible };

  // A statement, and the versions of the tables in which it writes.
  struct Statement {
    sqlite3_stmt* handle = nullptr;
    std::vector<std::uint64_t*> writes = {};
  };
  Rows prepare(const char* sql);
  Statement make_statement(const char* sql, unsigned flags);
  const Statement* statement(const char* sql);
  void execute(const char* sql);
  int control(const char* sql);
  void undone();
  void make_file();
  void make(const char* schema, int version);
  void close();
  [[noreturn]] void fail(int code, const char* what);
  std::string sentence(int code, const char* what);

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
  std::map<std::string, std::uint64_t, std::less<>> versions_;  // by table
  std::vector<std::uint64_t*> writes_;                          // of what is being prepared
  bool begun_ = false, changed_ = false;                        // the transaction; something in it
  Undo undo_ = Undo::none;
  std::string lost_, failed_;  // lost_: why the transaction was undone before its end
  std::string reason_;         // of the last failure, without a path
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// What was asked of one table is known until something is written there: of what every ply asks
// and hardly anything changes.
template <class Value>
class Remembered {
 public:
  Remembered(Database& database, std::string_view table) : now_(database.version_of(table)) {}

  // Pre: `ask` reads that table alone, and `key` says all that it asks for. Good until the next
  // call.
  template <class Ask>
  const Value& get(std::string key, const Ask& ask) {
    constexpr std::size_t kMost = 10'000;
    if (then_ != now_ || known_.size() == kMost) known_.clear();
    then_ = now_;
    const auto found = known_.find(key);
    return found != known_.end() ? found->second
                                 : known_.emplace(std::move(key), ask()).first->second;
  }

 private:
  const std::uint64_t& now_;
  std::uint64_t then_ = 0;
  std::unordered_map<std::string, Value> known_;
};

}  // namespace pbm
