// SPDX-License-Identifier: MIT
#include "store/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm {
namespace {

constexpr int kBusyTimeout = 500;  // milliseconds to wait while another program locks the database

// Returns the errno of the last failed write or sync of the log; 0 if there is none.
int last_errno(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  int error = 0;
  ::sqlite3_file_control(handle, nullptr, SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (file && file->pMethods) file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

bool is_disk_full(sqlite3* handle, int code) {
  if ((code & 0xFF) == SQLITE_FULL) return true;
  const int error = code == SQLITE_IOERR_WRITE ? last_errno(handle) : 0;
  return error == EFBIG || error == EDQUOT;
}

}  // namespace

// Makes the file, readable by the user only, and syncs its name before SQLite writes to it.
void Database::open_file() {
  const UniqueFd made(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  struct stat status {};
  if (!made.is_open() || ::fstat(made.get(), &status) != 0)
    throw_file_error(file_, "be opened", errno);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  if (const int error = status.st_size == 0 ? sync_directory(file_.parent_path()) : 0)
    throw_file_error(file_, "be synced", error);
}

Database::Database(std::filesystem::path file, const Schema* schema) : file_(std::move(file)) {
  open_file();
  // Without memory statistics SQLite needs no lock for each allocation.
  [[maybe_unused]] static const int configured = ::sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  try {
    const int code = ::sqlite3_open_v2(file_.c_str(), &handle_,
                                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) throw_error(code, "opened");
    ::sqlite3_extended_result_codes(handle_, 1);
    ::sqlite3_busy_timeout(handle_, kBusyTimeout);
    // SQLite calls this for each table that a statement changes, also through foreign keys.
    ::sqlite3_set_authorizer(
        handle_,
        [](void* self, int action, const char* table, const char*, const char*, const char*) {
          if (action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE) {
            auto& database = *static_cast<Database*>(self);
            database.written_tables_.push_back(
                &database.table_versions_.try_emplace(table, 1).first->second);
          }
          return SQLITE_OK;
        },
        this);
    // A refused file keeps its write-ahead log.
    ::sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, schema ? 1 : 0, nullptr);
    run_script("SELECT 1 FROM sqlite_schema");
    if (schema) check_version(*schema);
    ::sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    for (const char* setting : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
                                "PRAGMA foreign_keys = ON", "PRAGMA temp_store = MEMORY"})
      run_script(setting);
    if (schema) migrate(*schema);
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() { close(); }

void Database::close() {
  for (const auto& [sql, statement] : std::exchange(statements_, {}))
    ::sqlite3_finalize(statement.handle);
  ::sqlite3_close(std::exchange(handle_, nullptr));
}

// Returns how many migrations the file has had, or nothing if it is empty. Refuses a version that
// this program does not know, before anything is written.
std::optional<std::size_t> Database::check_version(const Schema& schema) {
  const auto found = query_number("PRAGMA user_version");
  const bool empty = query_number("SELECT count(*) FROM sqlite_schema") == 0;
  static_cast<void>(commit());
  if (found == 0 && empty) return std::nullopt;
  const auto done = found - schema.base_version;
  if (done > std::ssize(schema.migrations))
    throw Error(safe_text(file_.string()) +
                " was made by a newer version of this program. It was not changed. Install that "
                "version again.");
  if (done < 0)
    throw Error(safe_text(file_.string()) +
                " was made by a version of this program that is too old, or by another program. It "
                "was not changed.");
  return static_cast<std::size_t>(done);
}

void Database::migrate(const Schema& schema) {
  const auto done = check_version(schema);
  if (done == schema.migrations.size()) return;
  std::string all = std::string("BEGIN IMMEDIATE;") + (done ? "" : schema.base);
  for (const char* step : schema.migrations.subspan(done.value_or(0))) all += step;
  const auto version = schema.base_version + std::ssize(schema.migrations);
  run_script((all + "PRAGMA user_version = " + std::to_string(version) + ";COMMIT").c_str());
}

// --- errors --------------------------------------------------------------------------

std::string Database::error_sentence(int code, const char* what) {
  const std::string file = safe_text(file_.string());
  const int error = handle_ && (code & 0xFF) == SQLITE_IOERR ? last_errno(handle_) : 0;
  reason_ = error != 0 ? std::strerror(error)
            : handle_  ? ::sqlite3_errmsg(handle_)
                       : ::sqlite3_errstr(code);
  std::string out = file + " cannot be " + what + ": " + reason_;
  // SQLite has no code of its own for a damaged number in the header.
  if ((code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB ||
      reason_ == "unsupported file format")
    out += ". It was not changed. To print what can still be read: sqlite3 " + file +
           " .recover (without .recover: .dump)";
  return out;
}

void Database::throw_error(int code, const char* what) {
  std::string why = error_sentence(code, what);
  if ((code & 0xFF) == SQLITE_IOERR && !is_disk_full(handle_, code) && failure_.empty())
    failure_ = why;
  // SQLite undid the whole transaction, which is more than the current command.
  if (is_open_ && ::sqlite3_get_autocommit(handle_) != 0) {
    is_open_ = false;
    savepoint_state_ = SavepointState::none;
    if (std::exchange(has_changes_, false)) undo_error_ = why;
    advance_versions();
  }
  throw Error(why + ".", reason_);
}

void Database::copy_to(const std::filesystem::path& file) {
  check(!is_open_, "a database was copied in the middle of a transaction");
  const Rows copy(*this, make_statement("VACUUM INTO ?", 0).handle, false);
  sqlite3_stmt* const statement = copy.statement_.get();
  bind(statement, 1, file.string());
  if (const int code = ::sqlite3_step(statement); code != SQLITE_DONE) throw_error(code, "copied");
}

void Database::check_files() {
  if (!failure_.empty()) return;
  struct stat status {};
  const std::filesystem::path log = file_.string() + "-wal";
  if (::stat(file_.c_str(), &status) != 0 || status.st_dev != device_ || status.st_ino != inode_)
    failure_ = safe_text(file_.string()) + " was removed or replaced";
  else if (::stat(log.c_str(), &status) != 0)
    failure_ = safe_text(log.string()) + " was removed or replaced";
  if (!failure_.empty()) reason_ = "a file of the database was removed or replaced";
}

// --- queries -------------------------------------------------------------------------

void Database::run_script(const char* sql) {
  if (const int code = ::sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr))
    throw_error(code, "opened");
}

Database::Statement Database::make_statement(const char* sql, unsigned flags) {
  Statement out;
  written_tables_.clear();
  if (const int code = ::sqlite3_prepare_v3(handle_, sql, -1, flags, &out.handle, nullptr))
    throw_error(code, "read");
  out.written_tables = written_tables_;
  return out;
}

// Returns the cached statement, or nullptr while it is in use.
const Database::Statement* Database::cached_statement(const char* sql) {
  Statement& known = statements_[sql];
  if (known.handle && ::sqlite3_stmt_busy(known.handle) != 0) return nullptr;
  if (!known.handle) known = make_statement(sql, SQLITE_PREPARE_PERSISTENT);
  return &known;
}

// Runs a statement that begins, ends or divides a transaction. Returns the code of SQLite.
int Database::run_control(const char* sql) {
  sqlite3_stmt* const known = cached_statement(sql)->handle;
  const int code = ::sqlite3_step(known);
  ::sqlite3_reset(known);
  return code;
}

Database::Rows Database::prepare(const char* sql) {
  if (const int code = is_open_ ? SQLITE_DONE : run_control("BEGIN"); code != SQLITE_DONE)
    throw_error(code, "written");
  is_open_ = true;
  const Statement* const kept = cached_statement(sql);
  const Statement made = kept ? Statement{} : make_statement(sql, 0);
  const Statement& found = kept ? *kept : made;
  Rows rows(*this, found.handle, kept != nullptr);
  if (found.written_tables.empty()) return rows;
  if (!failure_.empty()) throw Error(failure_ + ".", reason_);
  if (!undo_error_.empty()) throw Error(undo_error_ + ".", reason_);
  if (savepoint_state_ == SavepointState::requested) {
    if (const int code = run_control("SAVEPOINT attempt"); code != SQLITE_DONE)
      throw_error(code, "written");
    savepoint_state_ = SavepointState::active;
  }
  has_changes_ = true;
  for (std::uint64_t* version : found.written_tables) ++*version;
  return rows;
}

const std::uint64_t& Database::table_version(std::string_view table) {
  return table_versions_.try_emplace(std::string(table), 1).first->second;
}

void Database::advance_versions() {
  for (auto& [table, version] : table_versions_) ++version;
}

void Database::bind(sqlite3_stmt* statement, int at, std::string_view text) {
  ::sqlite3_bind_text(statement, at, text.empty() ? "" : text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
}
void Database::bind(sqlite3_stmt* statement, int at, double value) {
  ::sqlite3_bind_double(statement, at, value);
}
void Database::bind(sqlite3_stmt* statement, int at, std::nullptr_t) {
  ::sqlite3_bind_null(statement, at);
}
void Database::bind_number(sqlite3_stmt* statement, int at, std::int64_t value) {
  ::sqlite3_bind_int64(statement, at, value);
}

std::int64_t Database::last_inserted_row() const { return ::sqlite3_last_insert_rowid(handle_); }

void Database::Rows::Release::operator()(sqlite3_stmt* statement) const {
  if (is_cached) ::sqlite3_reset(statement);
  else ::sqlite3_finalize(statement);
}

bool Database::Rows::next() {
  const int code = ::sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE)
    database_->throw_error(code,
                           ::sqlite3_stmt_readonly(statement_.get()) != 0 ? "read" : "written");
  return false;
}

std::int64_t Database::Rows::number(int column) const {
  return ::sqlite3_column_int64(statement_.get(), column);
}
double Database::Rows::real(int column) const {
  return ::sqlite3_column_double(statement_.get(), column);
}
std::string Database::Rows::text(int column) const {
  const auto* bytes =
      reinterpret_cast<const char*>(::sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(
                                        ::sqlite3_column_bytes(statement_.get(), column)))
               : "";
}
bool Database::Rows::is_null(int column) const {
  return ::sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// --- transactions ----------------------------------------------------------------------

std::string Database::commit() {
  check(savepoint_state_ == SavepointState::none, "a transaction ended in the middle of a command");
  if (!is_open_) return std::exchange(undo_error_, "");
  is_open_ = false;
  if (std::exchange(has_changes_, false) && !failure_.empty()) {
    ::sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
    advance_versions();
    return failure_;
  }
  const int code = run_control("COMMIT");
  if (code == SQLITE_DONE) return std::exchange(undo_error_, "");
  const std::string why = error_sentence(code, "written");
  if (!is_disk_full(handle_, code)) failure_ = why;
  if (::sqlite3_get_autocommit(handle_) == 0)
    ::sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  advance_versions();
  return why;
}

void Database::undo_transaction(const std::string& why) {
  if (::sqlite3_get_autocommit(handle_) == 0)
    ::sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  is_open_ = has_changes_ = false;
  undo_error_ = why;
  advance_versions();
}

Database::Savepoint::Savepoint(Database& database)
    : database_(database),
      is_outermost_(database.savepoint_state_ == SavepointState::none),
      had_changes_(database.has_changes_) {
  if (is_outermost_) database_.savepoint_state_ = SavepointState::requested;
}

Database::Savepoint::~Savepoint() {
  if (!is_outermost_) return;
  if (std::exchange(database_.savepoint_state_, SavepointState::none) != SavepointState::active)
    return;
  database_.has_changes_ = is_kept_ || had_changes_;
  if (!is_kept_) database_.advance_versions();
  if (!is_kept_) database_.run_control("ROLLBACK TO attempt");
  database_.run_control("RELEASE attempt");
}

}  // namespace pbm
