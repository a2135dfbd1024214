// SPDX-License-Identifier: MIT
#include "store/recovery.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "store/board_files.hpp"
#include "store/log_format.hpp"

namespace pbm {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kLog = "log-";
constexpr std::size_t kMaxLog = std::size_t{1} << 30;  // of a file that is read for this
constexpr auto kWait = 2s;                             // for another program that recovers

std::string shown(const fs::path& file) { return safe_text(file.string()); }

// By number.
std::map<std::uint64_t, fs::path> logs_in(const fs::path& directory) {
  std::map<std::uint64_t, fs::path> out;
  std::error_code none;
  for (fs::directory_iterator it(directory / kServerFiles, none), end; !none && it != end;
       it.increment(none)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kLog)) continue;
    if (const auto number = read_whole_number<std::uint64_t>(name.substr(kLog.size())))
      out[*number] = it->path();
  }
  return out;
}

std::string content(const fs::path& file) {
  auto text = read_file(file, kMaxLog);
  if (!text) throw Error(text.refusal().why);
  return std::move(*text);
}

// What the logs say a file must hold.
struct Expected {
  std::string name;
  bool created = false;
  std::uint64_t from = 0;  // where the bytes begin
  std::string bytes;
  std::string moved_to = {};
};

// In the order in which the files were first written.
Result<std::vector<Expected>> read_logs(const std::map<std::uint64_t, fs::path>& logs) {
  std::vector<Expected> out;
  std::map<std::string, std::size_t> at;  // of those that still have that name
  std::uint64_t next = 0;
  fs::path damaged;
  std::size_t offset = 0;
  for (const auto& [number, file] : logs) {
    LogRead read = read_log(content(file), next);
    if (!damaged.empty() && read.next != 0) read.more = true;
    if (damaged.empty() && read.damaged) damaged = file, offset = *read.damaged;
    if (read.more)
      return Refusal{shown(damaged) + " is damaged at byte " + std::to_string(offset) +
                     ", with good records behind: what it keeps for the boards cannot be told. "
                     "Move it away to go on without it."};
    if (read.next != 0) next = read.next;
    for (LogEntry& entry : read.entries) {
      const auto known = at.find(entry.name);
      if (entry.kind == LogEntry::Kind::settled) {
        if (known != at.end()) out[known->second].bytes.clear(), out[known->second].name.clear();
        at.erase(entry.name);
      } else if (entry.kind == LogEntry::Kind::move) {
        if (known == at.end()) out.push_back({entry.name, false, 0, "", entry.bytes});
        else out[known->second].moved_to = entry.bytes, at.erase(known);
      } else if (known == at.end()) {
        at[entry.name] = out.size();
        out.push_back({entry.name, entry.kind == LogEntry::Kind::create, entry.offset,
                       std::move(entry.bytes)});
      } else {
        Expected& e = out[known->second];
        e.from = std::min(e.from, entry.offset);
        // Whoever added bytes between has made them safe himself.
        e.bytes.resize(entry.offset - e.from, '\0');
        e.bytes += entry.bytes;
      }
    }
  }
  return out;
}

class Replay {
 public:
  explicit Replay(const fs::path& directory) : directory_(directory) {}

  void make(const Expected& e) {
    if (e.name.empty()) return;
    const fs::path file = directory_ / e.name, moved = directory_ / e.moved_to;
    if (!e.moved_to.empty() && there(moved)) return fill(e, moved);
    if (there(file)) fill(e, file);
    else if (e.created && !put_away(e)) create(e.moved_to.empty() ? file : moved, e.bytes);
    if (e.moved_to.empty() || !there(file)) return;
    make_directory(moved.parent_path());
    if (!rename_file(file, moved)) conflict(e, moved);
  }

  std::vector<std::string> told;

 private:
  static bool there(const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none);
  }

  // Where the bytes are not there they are not, or zeros are: they did not reach the disk.
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
    if (error != 0) throw Error(shown(file) + " cannot be written: " + std::strerror(error) + ".");
    // Its name may not be safe either.
    if (e.created || !e.moved_to.empty()) sync_directory(file.parent_path());
  }

  void create(const fs::path& file, const std::string& text) {
    make_directory(file.parent_path());
    if (!create_file(file, text)) throw Error(shown(file) + " cannot be made.");
    std::error_code none;
    if (file.parent_path().filename() == kServerFiles)
      fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, none);
  }

  // Whether somebody else has put that new board away meanwhile.
  bool put_away(const Expected& e) const {
    if (!e.moved_to.empty()) return false;
    std::error_code none;
    for (fs::directory_iterator it(directory_ / kDeleted, none), end; !none && it != end;
         it.increment(none))
      if (it->path().filename().string().starts_with(e.name) && there(it->path()) &&
          content(it->path()).starts_with(e.bytes))
        return true;
    return false;
  }

  // Both versions are kept.
  void conflict(const Expected& e, const fs::path& file) {
    const fs::path name = file.filename();
    std::string text = e.created ? "" : content(there(file) ? file : directory_ / e.name);
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

bool server_runs(const fs::path& directory) {
  const UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.open() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace

fs::path log_file(const fs::path& directory, std::uint64_t number) {
  return directory / kServerFiles / (std::string(kLog) + std::to_string(number));
}

UniqueFd hold_logs(const fs::path& directory) {
  const fs::path own = directory / kServerFiles;
  const auto give_up = std::chrono::steady_clock::now() + kWait;
  for (;;) {
    UniqueFd fd(::open(own.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.open()) return fd;
    if (try_lock(own, fd.get()) == 0) return fd;
    if (std::chrono::steady_clock::now() > give_up) return UniqueFd();
    std::this_thread::sleep_for(5ms);
  }
}

Result<std::vector<std::string>> replay_logs(const fs::path& directory) {
  const auto logs = logs_in(directory);
  if (logs.empty()) return std::vector<std::string>{};
  const auto expected = read_logs(logs);
  if (!expected) return expected.refusal();
  Replay replay(directory);
  for (const Expected& e : *expected) replay.make(e);
  // In order, and surely: a log alone would tell half of it.
  for (const auto& [number, file] : logs)
    if (::unlink(file.c_str()) != 0)
      throw Error(shown(file) + " cannot be removed: " + std::strerror(errno) + ".");
  if (const int error = sync_directory(directory / kServerFiles))
    throw Error(shown(directory / kServerFiles) + " cannot be synced: " + std::strerror(error) +
                ".");
  return std::move(replay.told);
}

Result<Done> recover(const fs::path& directory) {
  const fs::path own = directory / kServerFiles;
  while (!logs_in(directory).empty() && ::access(own.c_str(), W_OK) == 0 &&
         !server_runs(directory)) {
    const UniqueFd held = hold_logs(directory);
    if (!held.open()) {
      if (server_runs(directory)) break;
      return Refusal{"Another program is recovering the boards in " + shown(directory) +
                     ": try again."};
    }
    const auto done = replay_logs(directory);
    if (!done) return done.refusal();
  }
  return Done{};
}

}  // namespace pbm
