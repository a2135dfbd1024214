// SPDX-License-Identifier: MIT
#include "server/backup.hpp"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "store/database.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDraft = ".draft-";  // prefix of unfinished files

bool same(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

class Backup {
 public:
  Backup(fs::path from, fs::path to) : from_(std::move(from)), to_(std::move(to)) {
    if (::stat(to_.c_str(), &owner_) != 0) cannot(to_, "be read", errno);
  }

  std::string copy() {
    const fs::path own = to_ / kServerFiles, fresh = own / fs::path(kDraft).concat(kDatabase);
    make(own);
    ::chmod(own.c_str(), 0700);
    keep(own / kBackupMark, "This is a copy: see pbmplay-server(8).\n");
    // The database is copied first and renamed last. The saves may then have more than the
    // database, as after a kill, but never less.
    remove(fresh);
    {
      Database source(from_ / kServerFiles / kDatabase);
      source.copy_to(fresh);
    }
    own_it(fresh, 0600);
    copy_all("");
    remove_the_rest();
    for (const char* log : {"-wal", "-shm"}) remove(own / fs::path(kDatabase).concat(log));
    sync_all();  // one sync for all files
    if (::rename(fresh.c_str(), (own / kDatabase).c_str()) != 0) cannot(fresh, "be renamed", errno);
    sync_all();
    return count_of(files_, "file", "files") + ", " + std::to_string(copied_) +
           " of them copied, and the database.";
  }

 private:
  void own_it(const fs::path& file, mode_t mode) const {
    ::chmod(file.c_str(), mode);
    // If root makes the backup, its files belong to the owner of the target directory.
    if (::geteuid() == 0 && ::lchown(file.c_str(), owner_.st_uid, owner_.st_gid) != 0)
      cannot(file, "be given to its owner", errno);
  }
  static void remove(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) cannot(path, "be removed", error.value());
  }
  void make(const fs::path& directory) const {
    std::error_code error;
    fs::create_directory(directory, error);
    if (error) cannot(directory, "be made", error.value());
    own_it(directory, 0700);
  }
  void keep(const fs::path& file, std::string_view bytes) const {
    if (::access(file.c_str(), F_OK) != 0) replace_file(file, bytes);
    own_it(file, 0600);
  }
  void sync_all() const {
    const UniqueFd fd(::open(to_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.open() || ::syncfs(fd.get()) != 0) cannot(to_, "be synced", errno);
  }

  // Copies the files below that directory of `from`. Leaves out links: they may lead elsewhere.
  void copy_all(const fs::path& below) {
    there_.insert(below / ".");
    std::error_code error;
    fs::directory_iterator entry(from_ / below, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      const fs::path name = below / entry->path().filename();
      const std::string last = name.filename().string();
      struct stat status {};
      if (last.starts_with(kDraft) || ::lstat(entry->path().c_str(), &status) != 0) continue;
      if (S_ISDIR(status.st_mode)) {
        make(to_ / name);
        own_it(to_ / name, status.st_mode & 07777);
        copy_all(name);
      } else if (S_ISREG(status.st_mode) &&
                 !(below == kServerFiles && last.starts_with(kDatabase))) {
        copy_file(name);
      }
    }
    if (error) cannot(from_ / below, "be read", error.value());
  }

  void copy_file(const fs::path& name) {
    const fs::path file = from_ / name, goal = to_ / name;
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    struct stat now {
    }, then{};
    if (!fd.open() && errno == ENOENT) return;  // deleted since
    if (!fd.open() || ::fstat(fd.get(), &now) != 0) cannot(file, "be read", errno);
    there_.insert(name);
    ++files_;
    if (::lstat(goal.c_str(), &then) == 0 && same(now, then)) return;
    TempFile draft(goal);
    for (ssize_t n = 1; n > 0;)
      if ((n = ::sendfile(draft.descriptor().get(), fd.get(), nullptr, 1 << 30)) < 0)
        cannot(goal, "be written", errno);
    own_it(draft.name(), now.st_mode & 07777);
    // The time before reading: a write since then makes the file differ in the next backup.
    const timespec times[] = {now.st_atim, now.st_mtim};
    if (::futimens(draft.descriptor().get(), times) != 0) cannot(goal, "be written", errno);
    draft.replace_goal();
    ++copied_;
  }

  void remove_the_rest() {
    std::vector<fs::path> gone;
    std::error_code error;
    fs::recursive_directory_iterator entry(to_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      const fs::path name = entry->path().lexically_relative(to_);
      const std::string last = name.filename().string();
      if (name.parent_path() == kServerFiles &&
          (last == kBackupMark || last.find(kDatabase) != std::string::npos))
        continue;
      if (there_.count(name) == 0 && there_.count(name / ".") == 0 && name != kServerFiles)
        gone.push_back(entry->path());
    }
    if (error) cannot(to_, "be read", error.value());
    for (const fs::path& path : gone) remove(path);
  }

  fs::path from_, to_;
  struct stat owner_ {};
  std::set<fs::path> there_;
  std::size_t files_ = 0, copied_ = 0;
};

// True if the directory is missing, empty, or holds a copy.
bool is_free(const fs::path& directory) {
  std::error_code none;
  return !fs::exists(directory, none) || fs::is_empty(directory, none) ||
         fs::exists(directory / kServerFiles / kBackupMark, none);
}

}  // namespace

Result<std::string> back_up(const fs::path& from, const fs::path& to) {
  if (::access((from / kServerFiles / kDatabase).c_str(), F_OK) != 0)
    return Refusal{"No server has ever had boards in " + safe_text(from.string()) + "."};
  if (const auto whole = recover(from); !whole) return whole.refusal();
  if (!is_free(to))
    return Refusal{safe_text(to.string()) +
                   " is no copy that was made by this, or a server has used it since: name a "
                   "directory that is empty or not there."};
  const UniqueFd held = hold_directory(to);
  return Backup(from, to).copy();
}

}  // namespace pbm
