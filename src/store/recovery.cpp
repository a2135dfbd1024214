// SPDX-License-Identifier: MIT
#include "store/recovery.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <thread>

#include "base/files.hpp"
#include "base/text.hpp"
#include "store/board_files.hpp"
#include "store/database.hpp"

namespace pbm {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMaxFileSize = std::size_t{1} << 30;  // bytes of a file
constexpr auto kLockTimeout = 2s;                           // for other programs

std::string printable_path(const fs::path& file) { return safe_text(file.string()); }

std::string read_content(const fs::path& file) {
  auto text = read_file(file, kMaxFileSize);
  if (!text) throw Error(text.refusal().reason);
  return std::move(*text);
}

// The required content of a save by the rows of `tail`.
struct ExpectedSave {
  std::string name;
  bool is_created = false, is_replaced = false, is_deleted = false;
  std::size_t offset = 0;         // the offset of `bytes` in the save
  std::size_t replaced_size = 0;  // the first of `bytes`: those that replaced the whole save
  std::string bytes = {};
};

// Returns the saves in the order of their first rows.
std::vector<ExpectedSave> read_expected_saves(Database& database) {
  std::vector<ExpectedSave> out;
  std::map<std::string, std::size_t> at;
  for (auto row = database.query("SELECT board, what, offset, bytes FROM tail ORDER BY number");
       row.next();) {
    const std::string name = save_file_name(row.text(0)), what = row.text(1);
    if (!parse_save_file_name(name)) continue;
    const auto [known, fresh] = at.emplace(name, out.size());
    if (fresh) out.push_back({name});
    ExpectedSave& e = out[known->second];
    const std::size_t offset = row.size(2);
    if (what == "put away") {
      e.is_deleted = true;
    } else if (what == "add") {
      if (fresh) e.offset = offset;
      e.offset = std::min(e.offset, offset);
      e.bytes.resize(offset - e.offset, '\0');
      e.bytes += row.text(3);
    } else {
      e.is_created = e.is_created || what == "create";
      e.is_replaced = what == "replace";
      e.offset = 0;
      e.bytes = row.text(3);
      e.replaced_size = e.bytes.size();
    }
  }
  return out;
}

class SaveRestorer {
 public:
  explicit SaveRestorer(const fs::path& directory) : directory_(directory) {}

  void restore(const ExpectedSave& e) {
    const fs::path file = directory_ / e.name, deleted = directory_ / kDeletedDirectory;
    if (e.is_deleted) {
      // Numbers are not used twice, so a file with this name is this board.
      if (is_file(file)) {
        if (!e.bytes.empty()) fill_missing_bytes(e, file);
        for (fs::path to = deleted / e.name; !rename_file(file, to);) to += ".1";
      } else if (!was_deleted(e)) {
        if (is_file(deleted / e.name)) fill_missing_bytes(e, deleted / e.name);
        else if (e.is_created) create_file(deleted / e.name, e.bytes);
      }
      sync(directory_);
    } else if (is_file(file)) {
      if (e.is_replaced && !read_content(file).starts_with(e.bytes.substr(0, e.replaced_size)))
        replace_file(file, e.bytes);
      fill_missing_bytes(e, file);
    } else if (e.is_created && !was_deleted(e)) {
      if (!create_file(file, e.bytes)) throw Error(printable_path(file) + " cannot be created.");
    }
  }

  std::vector<std::string> messages;

 private:
  static bool is_file(const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none);
  }

  // Fills in missing bytes. Bytes that did not reach the disk are missing or zero.
  void fill_missing_bytes(const ExpectedSave& e, const fs::path& file) {
    const std::string text = read_content(file);
    std::string whole = text;
    if (whole.size() < e.offset) return write_other_version(e, file);
    whole.resize(std::max(whole.size(), e.offset + e.bytes.size()), '\0');
    for (std::size_t i = 0; i < e.bytes.size(); ++i) {
      char& c = whole[e.offset + i];
      if (c != '\0' && e.bytes[i] != '\0' && c != e.bytes[i]) return write_other_version(e, file);
      if (e.bytes[i] != '\0') c = e.bytes[i];
    }
    const UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    int error = fd.is_open() ? 0 : errno;
    if (error == 0 && whole != text)
      error = write_all_at(fd.get(), std::string_view(whole).substr(e.offset), e.offset);
    if (error == 0 && ::fdatasync(fd.get()) != 0) error = errno;
    if (error != 0) throw_file_error(file, "be written", error);
    // The name of a new file may not be on disk yet either.
    if (e.is_created) sync(file.parent_path());
  }

  // True if another program has deleted the new board since.
  bool was_deleted(const ExpectedSave& e) const {
    std::error_code none;
    for (fs::directory_iterator it(directory_ / kDeletedDirectory, none), end; !none && it != end;
         it.increment(none))
      if (it->path().filename().string().starts_with(e.name) && is_file(it->path()) &&
          read_content(it->path()).starts_with(e.bytes))
        return true;
    return false;
  }

  static void sync(const fs::path& directory) {
    if (const int error = sync_directory(directory))
      throw_file_error(directory, "be synced", error);
  }

  // Keeps both versions.
  void write_other_version(const ExpectedSave& e, const fs::path& file) {
    const fs::path name = file.filename();
    std::string text = e.is_created ? "" : read_content(file);
    text.resize(std::min(text.size(), e.offset));
    text += e.bytes;
    fs::path other;
    for (int i = 1;; ++i) {
      other = file.parent_path() / (name.stem().string() + ".recovered" +
                                    (i > 1 ? std::to_string(i) : "") + name.extension().string());
      if (is_file(other) && read_content(other) == text) break;
      if (create_file(other, text)) break;
    }
    messages.push_back(
        printable_path(file) +
        " differs from what the server wrote before it was killed. It was left as it is. "
        "The server's version is in " +
        safe_text(other.filename().string()) + ".");
  }

  const fs::path& directory_;
};

// Locks a directory by flock(2), and waits up to `wait` for other programs. If that fails, the
// descriptor is not open and `error` says why.
UniqueFd lock_directory(const fs::path& directory, int way, std::chrono::milliseconds wait,
                        int& error) {
  for (const auto give_up = std::chrono::steady_clock::now() + wait;;) {
    UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    error = fd.is_open() && ::flock(fd.get(), way | LOCK_NB) == 0 ? 0 : errno;
    if (error == 0 && !is_same_file(directory, fd.get())) error = ESTALE;
    if (error == 0) return fd;
    if (error != EWOULDBLOCK || std::chrono::steady_clock::now() > give_up) return UniqueFd();
    std::this_thread::sleep_for(5ms);
  }
}

}  // namespace

UniqueFd lock_server_directory(const fs::path& directory) {
  make_directory(directory);
  int error = 0;
  UniqueFd fd = lock_directory(directory, LOCK_EX, kLockTimeout, error);
  if (fd.is_open()) return fd;
  if (error == EWOULDBLOCK)
    throw Error("Another server uses " + printable_path(directory) + " already.");
  throw_file_error(directory, "be locked", error);
}

Result<UniqueFd> lock_for_reading(const fs::path& directory) {
  int error = 0;
  UniqueFd fd = lock_directory(directory, LOCK_SH, 0ms, error);
  if (error == EWOULDBLOCK)
    return Refusal{"A server uses " + printable_path(directory) +
                   ". Stop it first, or make a copy with pbmplay backup and name that."};
  return fd;
}

Result<UniqueFd> lock_for_writing(const fs::path& directory) {
  auto fd = lock_for_reading(directory);
  if (!fd)
    return Refusal{"A server uses the boards in " + printable_path(directory) +
                   ". Play on them through it, with --socket or --connect."};
  if (const auto whole = recover_directory(directory); !whole) return whole.refusal();
  return fd;
}

std::vector<std::string> restore_saves(const fs::path& directory, Database& database) {
  SaveRestorer replay(directory);
  for (const ExpectedSave& e : read_expected_saves(database)) replay.restore(e);
  try {
    // The rows of these boards may lack plies: no file has this version, so the next start reads
    // the saves.
    database.run("UPDATE board SET stamp = 0 WHERE board IN (SELECT board FROM tail)");
    database.run("DELETE FROM tail");
    static_cast<void>(database.commit());
  } catch (const Error&) {
    // The disk is full. The rows stay; restoring them again does no harm.
  }
  return std::move(replay.messages);
}

Result<Success> recover_directory(const fs::path& directory) {
  const fs::path own = directory / kServerDirectory, file = own / kDatabaseFile;
  if (::access(file.c_str(), R_OK | W_OK) != 0 || ::access(own.c_str(), W_OK) != 0)
    return Success{};
  int error = 0;
  const UniqueFd beside = lock_directory(directory, LOCK_SH, 0ms, error);
  if (!beside.is_open()) return Success{};  // a server runs and has recovered them
  const UniqueFd held = lock_directory(own, LOCK_EX, kLockTimeout, error);
  if (!held.is_open())
    return Refusal{"Another program is recovering the boards in " + printable_path(directory) +
                   ". Try again."};
  try {
    Database database(file);
    if (database.query_number("SELECT count(*) FROM tail") > 0) restore_saves(directory, database);
  } catch (const Error& problem) {
    return Refusal{problem.what()};
  }
  return Success{};
}

}  // namespace pbm
