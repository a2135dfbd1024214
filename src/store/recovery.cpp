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

constexpr std::size_t kMaxRead = std::size_t{1} << 30;  // bytes of a file
constexpr auto kWait = 2s;                              // for other programs

std::string shown(const fs::path& file) { return safe_text(file.string()); }

std::string content(const fs::path& file) {
  auto text = read_file(file, kMaxRead);
  if (!text) throw Error(text.refusal().why);
  return std::move(*text);
}

// The required content of a save by the rows of `tail`.
struct Expected {
  std::string name;
  bool created = false, replaced = false, put_away = false;
  std::uint64_t from = 0;  // the offset of `bytes` in the save
  std::size_t whole = 0;   // the first of `bytes`: those that replaced the whole save
  std::string bytes = {};
};

// Returns the saves in the order of their first rows.
std::vector<Expected> expected(Database& database) {
  std::vector<Expected> out;
  std::map<std::string, std::size_t> at;
  for (auto row = database.ask("SELECT board, what, offset, bytes FROM tail ORDER BY number");
       row.next();) {
    const std::string name = save_name(row.text(0)), what = row.text(1);
    if (!board_in(name)) continue;
    const auto [known, fresh] = at.emplace(name, out.size());
    if (fresh) out.push_back({name});
    Expected& e = out[known->second];
    const std::uint64_t offset = row.size(2);
    if (what == "put away") {
      e.put_away = true;
    } else if (what == "add") {
      if (fresh) e.from = offset;
      e.from = std::min(e.from, offset);
      e.bytes.resize(offset - e.from, '\0');
      e.bytes += row.text(3);
    } else {
      e.created = e.created || what == "create";
      e.replaced = what == "replace";
      e.from = 0;
      e.bytes = row.text(3);
      e.whole = e.bytes.size();
    }
  }
  return out;
}

class Replay {
 public:
  explicit Replay(const fs::path& directory) : directory_(directory) {}

  void make(const Expected& e) {
    const fs::path file = directory_ / e.name, deleted = directory_ / kDeleted;
    if (e.put_away) {
      // Numbers are not used twice, so a file with this name is this board.
      if (there(file)) {
        if (!e.bytes.empty()) fill(e, file);
        for (fs::path to = deleted / e.name; !rename_file(file, to);) to += ".1";
      } else if (!was_put_away(e)) {
        if (there(deleted / e.name)) fill(e, deleted / e.name);
        else if (e.created) create_file(deleted / e.name, e.bytes);
      }
      sync(directory_);
    } else if (there(file)) {
      if (e.replaced && !content(file).starts_with(e.bytes.substr(0, e.whole)))
        replace_file(file, e.bytes);
      fill(e, file);
    } else if (e.created && !was_put_away(e)) {
      if (!create_file(file, e.bytes)) throw Error(shown(file) + " cannot be made.");
    }
  }

  std::vector<std::string> told;

 private:
  static bool there(const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none);
  }

  // Fills in missing bytes. Bytes that did not reach the disk are missing or zero.
  void fill(const Expected& e, const fs::path& file) {
    const std::string text = content(file);
    std::string whole = text;
    if (whole.size() < e.from) return conflict(e, file);
    whole.resize(std::max(whole.size(), e.from + e.bytes.size()), '\0');
    for (std::size_t i = 0; i < e.bytes.size(); ++i) {
      char& c = whole[e.from + i];
      if (c != '\0' && e.bytes[i] != '\0' && c != e.bytes[i]) return conflict(e, file);
      if (e.bytes[i] != '\0') c = e.bytes[i];
    }
    const UniqueFd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    int error = fd.open() ? 0 : errno;
    if (error == 0 && whole != text)
      error = write_at(fd.get(), std::string_view(whole).substr(e.from), e.from);
    if (error == 0 && ::fdatasync(fd.get()) != 0) error = errno;
    if (error != 0) cannot(file, "be written", error);
    // The name of a new file may not be on disk yet either.
    if (e.created) sync(file.parent_path());
  }

  // True if another program has deleted the new board since.
  bool was_put_away(const Expected& e) const {
    std::error_code none;
    for (fs::directory_iterator it(directory_ / kDeleted, none), end; !none && it != end;
         it.increment(none))
      if (it->path().filename().string().starts_with(e.name) && there(it->path()) &&
          content(it->path()).starts_with(e.bytes))
        return true;
    return false;
  }

  static void sync(const fs::path& directory) {
    if (const int error = sync_directory(directory)) cannot(directory, "be synced", error);
  }

  // Keeps both versions.
  void conflict(const Expected& e, const fs::path& file) {
    const fs::path name = file.filename();
    std::string text = e.created ? "" : content(file);
    text.resize(std::min<std::size_t>(text.size(), e.from));
    text += e.bytes;
    fs::path other;
    for (int i = 1;; ++i) {
      other = file.parent_path() / (name.stem().string() + ".recovered" +
                                    (i > 1 ? std::to_string(i) : "") + name.extension().string());
      if (there(other) && content(other) == text) break;
      if (create_file(other, text)) break;
    }
    told.push_back(shown(file) +
                   " is not what the server had written when it was killed: it was left as it is, "
                   "and what the server had is in " +
                   safe_text(other.filename().string()) + ".");
  }

  const fs::path& directory_;
};

// Locks a directory by flock(2), and waits up to `wait` for other programs. If that fails, the
// descriptor is not open and `error` says why.
UniqueFd lock(const fs::path& directory, int way, std::chrono::milliseconds wait, int& error) {
  for (const auto give_up = std::chrono::steady_clock::now() + wait;;) {
    UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    error = fd.open() && ::flock(fd.get(), way | LOCK_NB) == 0 ? 0 : errno;
    if (error == 0 && !leads_to(directory, fd.get())) error = ESTALE;
    if (error == 0) return fd;
    if (error != EWOULDBLOCK || std::chrono::steady_clock::now() > give_up) return UniqueFd();
    std::this_thread::sleep_for(5ms);
  }
}

}  // namespace

UniqueFd hold_directory(const fs::path& directory) {
  make_directory(directory);
  int error = 0;
  UniqueFd fd = lock(directory, LOCK_EX, kWait, error);
  if (fd.open()) return fd;
  if (error == EWOULDBLOCK) throw Error("Another server has " + shown(directory) + " already.");
  cannot(directory, "be locked", error);
}

Result<UniqueFd> write_beside(const fs::path& directory) {
  int error = 0;
  UniqueFd fd = lock(directory, LOCK_SH, 0ms, error);
  if (error == EWOULDBLOCK)
    return Refusal{"A server has the boards in " + shown(directory) +
                   ": play on them through it, by --socket or --connect."};
  if (const auto whole = recover(directory); !whole) return whole.refusal();
  return fd;
}

std::vector<std::string> bring_back(const fs::path& directory, Database& database) {
  Replay replay(directory);
  for (const Expected& e : expected(database)) replay.make(e);
  try {
    database.run("DELETE FROM tail");
    static_cast<void>(database.commit());
  } catch (const Error&) {
    // The disk is full. The rows stay; restoring them again does no harm.
  }
  return std::move(replay.told);
}

Result<Done> recover(const fs::path& directory) {
  const fs::path own = directory / kServerFiles, file = own / kDatabase;
  if (::access(file.c_str(), R_OK | W_OK) != 0 || ::access(own.c_str(), W_OK) != 0) return Done{};
  int error = 0;
  const UniqueFd beside = lock(directory, LOCK_SH, 0ms, error);
  if (!beside.open()) return Done{};  // a server runs and has recovered them
  const UniqueFd held = lock(own, LOCK_EX, kWait, error);
  if (!held.open())
    return Refusal{"Another program is recovering the boards in " + shown(directory) +
                   ": try again."};
  try {
    Database database(file);
    if (database.number("SELECT count(*) FROM tail") > 0) bring_back(directory, database);
  } catch (const Error& problem) {
    return Refusal{problem.what()};
  }
  return Done{};
}

}  // namespace pbm
