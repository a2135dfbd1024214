// SPDX-License-Identifier: MIT
#include "server/backup.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "store/board_files.hpp"
#include "store/database.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDraftPrefix = ".draft-";  // prefix of unfinished files

bool is_unchanged(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

class Backup {
 public:
  Backup(fs::path from, fs::path to) : source_(std::move(from)), target_(std::move(to)) {
    if (::stat(target_.c_str(), &target_stat_) != 0) throw_file_error(target_, "be read", errno);
  }

  std::string copy() {
    const fs::path own = target_ / kServerDirectory,
                   fresh = own / fs::path(kDraftPrefix).concat(kDatabaseFile);
    create_directory(own);
    ::chmod(own.c_str(), 0700);
    create_if_missing(own / kBackupMark, "This is a backup. See pbmplay-server(8).\n");
    // The database is copied first and renamed last. The saves may then have more than the
    // database, as after a kill. The saves of boards refused meanwhile are in .deleted.
    remove(fresh);
    {
      Database source(source_ / kServerDirectory / kDatabaseFile);
      source.copy_to(fresh);
    }
    set_owner(fresh, 0600);
    copy_tree("");
    // A board may have been refused after its directory was read.
    std::error_code none;
    if (fs::exists(source_ / kDeletedDirectory, none)) copy_tree(kDeletedDirectory);
    remove_deleted();
    for (const char* log : {"-wal", "-shm"}) remove(own / fs::path(kDatabaseFile).concat(log));
    sync_all();  // one sync for all files
    if (::rename(fresh.c_str(), (own / kDatabaseFile).c_str()) != 0)
      throw_file_error(fresh, "be renamed", errno);
    sync_all();
    return format_count(file_count_, "file", "files") + ", " + std::to_string(copied_count_) +
           " of them copied, and the database.";
  }

 private:
  void set_owner(const fs::path& file, mode_t mode) const {
    ::chmod(file.c_str(), mode);
    // If root makes the backup, its files belong to the owner of the target directory.
    if (::geteuid() == 0 && ::lchown(file.c_str(), target_stat_.st_uid, target_stat_.st_gid) != 0)
      throw_file_error(file, "be given to its owner", errno);
  }
  static void remove(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) throw_file_error(path, "be removed", error.value());
  }
  void create_directory(const fs::path& directory) const {
    std::error_code error;
    fs::create_directory(directory, error);
    if (error) throw_file_error(directory, "be made", error.value());
    set_owner(directory, 0700);
  }
  void create_if_missing(const fs::path& file, std::string_view bytes) const {
    if (::access(file.c_str(), F_OK) != 0) replace_file(file, bytes);
    set_owner(file, 0600);
  }
  void sync_all() const {
    const UniqueFd fd(::open(target_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.is_open() || ::syncfs(fd.get()) != 0) throw_file_error(target_, "be synced", errno);
  }

  // Copies the files below that directory of `from`. Leaves out links: they may lead elsewhere.
  void copy_tree(const fs::path& below) {
    source_names_.insert(below / ".");
    std::error_code error;
    fs::directory_iterator entry(source_ / below, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      const fs::path name = below / entry->path().filename();
      const std::string last = name.filename().string();
      struct stat status {};
      if (last.starts_with(kDraftPrefix) || ::lstat(entry->path().c_str(), &status) != 0) continue;
      if (S_ISDIR(status.st_mode)) {
        create_directory(target_ / name);
        set_owner(target_ / name, status.st_mode & 07777);
        copy_tree(name);
      } else if (S_ISREG(status.st_mode) &&
                 !(below == kServerDirectory && last.starts_with(kDatabaseFile))) {
        copy_file(name);
      }
    }
    if (error) throw_file_error(source_ / below, "be read", error.value());
  }

  void copy_file(const fs::path& name) {
    const fs::path file = source_ / name, goal = target_ / name;
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    struct stat now {
    }, then{};
    if (!fd.is_open() && errno == ENOENT) return;  // deleted since
    if (!fd.is_open() || ::fstat(fd.get(), &now) != 0) throw_file_error(file, "be read", errno);
    file_count_ += source_names_.insert(name).second;
    if (::lstat(goal.c_str(), &then) == 0 && is_unchanged(now, then)) return;
    TempFile draft(goal);
    for (ssize_t n = 1; n > 0;)
      if ((n = ::sendfile(draft.descriptor().get(), fd.get(), nullptr, 1 << 30)) < 0)
        throw_file_error(goal, "be written", errno);
    set_owner(draft.name(), now.st_mode & 07777);
    // The time before reading: a write since then makes the file differ in the next backup.
    const timespec times[] = {now.st_atim, now.st_mtim};
    if (::futimens(draft.descriptor().get(), times) != 0)
      throw_file_error(goal, "be written", errno);
    draft.replace_target();
    ++copied_count_;
  }

  void remove_deleted() {
    std::vector<fs::path> gone;
    std::error_code error;
    fs::recursive_directory_iterator entry(target_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      const fs::path name = entry->path().lexically_relative(target_);
      const std::string last = name.filename().string();
      if (name.parent_path() == kServerDirectory &&
          (last == kBackupMark || last.find(kDatabaseFile) != std::string::npos))
        continue;
      if (source_names_.count(name) == 0 && source_names_.count(name / ".") == 0 &&
          name != kServerDirectory)
        gone.push_back(entry->path());
    }
    if (error) throw_file_error(target_, "be read", error.value());
    for (const fs::path& path : gone) remove(path);
  }

  fs::path source_, target_;
  struct stat target_stat_ {};
  std::set<fs::path> source_names_;
  std::size_t file_count_ = 0, copied_count_ = 0;
};

// True if the directory is missing, empty, or holds a copy.
bool can_hold_copy(const fs::path& directory) {
  std::error_code none;
  return !fs::exists(directory, none) || fs::is_empty(directory, none) ||
         fs::exists(directory / kServerDirectory / kBackupMark, none);
}

// True if `path` is `directory` or lies in it.
bool is_within(const fs::path& path, const fs::path& directory) {
  const auto whole = [](const fs::path& some) {
    std::error_code none;
    return fs::weakly_canonical(fs::absolute(some, none), none);
  };
  const fs::path way = whole(path).lexically_relative(whole(directory));
  return !way.empty() && *way.begin() != "..";
}

}  // namespace

Result<std::string> back_up(const fs::path& from, const fs::path& to) {
  const fs::path database = from / kServerDirectory / kDatabaseFile;
  if (::access(database.c_str(), R_OK) != 0)
    return Refusal{errno == EACCES
                       ? "You may not read " + safe_text(database.string()) +
                             ". Run this as the login of the server or as root."
                       : "There are no boards of a server in " + safe_text(from.string()) + "."};
  if (const auto whole = recover_directory(from); !whole) return whole.refusal();
  if (!can_hold_copy(to))
    return Refusal{safe_text(to.string()) +
                   " is not a backup, or a server has used it since. Name an empty or a new "
                   "directory."};
  if (is_within(to, from) || is_within(from, to))
    return Refusal{
        "A backup cannot lie in the directory that it copies, nor around it. Name a "
        "directory elsewhere."};
  const UniqueFd held = lock_server_directory(to);
  return Backup(from, to).copy();
}

std::string describe_unwritable(const fs::path& directory, uid_t owner) {
  if (owner == 0) return "";
  std::error_code none;
  std::vector<BoardKey> boards = list_boards(directory, none);
  std::ranges::sort(boards);
  std::vector<fs::path> files{directory, directory / kDeletedDirectory};
  for (const BoardKey& key : boards) files.push_back(directory / save_file_name(key.id()));
  bool is_read_only = false;
  std::erase_if(files, [&](const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return true;
    const bool can_write = ::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) == 0;
    is_read_only = is_read_only || (!can_write && errno == EROFS);
    return owner == ::geteuid() ? can_write
                                : status.st_uid == owner && (status.st_mode & S_IWUSR) != 0;
  });
  if (is_read_only)
    return safe_text("The disk of " + directory.string() + " is read-only. Mount it writable.");
  if (files.empty()) return "";
  const passwd* const login = ::getpwuid(owner);
  const std::string name = login ? login->pw_name : std::to_string(owner);
  return safe_text(name + " cannot write " + files.front().string() +
                   (files.size() == 1
                        ? ""
                        : " and " + format_count(files.size() - 1, "other file", "other files")) +
                   ". Type as root: chown -R " + name + " " + directory.string() +
                   "; chmod -R u+w " + directory.string());
}

}  // namespace pbm
