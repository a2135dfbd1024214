// SPDX-License-Identifier: MIT
#include "base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/text.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kProbeBytes = 4096;  // bytes to check before the rest is read

std::string printable_path(const fs::path& file) { return safe_text(file.string()); }

Refusal open_refusal(const fs::path& file, int error) {
  switch (error) {
    case ENOENT: return Refusal{"There is no file " + printable_path(file) + "."};
    case EACCES:
    case EPERM:
      return Refusal{"You may not open " + printable_path(file) + " (permission denied)."};
    case EROFS: return Refusal{printable_path(file) + " is on a read-only disk."};
    case EISDIR: return Refusal{printable_path(file) + " is a directory, not a save."};
    default:
      return Refusal{printable_path(file) + " cannot be opened (" + std::strerror(error) + ")."};
  }
}

Result<std::string> read_descriptor(const fs::path& file, int fd, std::size_t most,
                                    bool (*plausible)(std::string_view)) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return open_refusal(file, errno);
  if (S_ISDIR(status.st_mode)) return open_refusal(file, EISDIR);
  if (!S_ISREG(status.st_mode)) return Refusal{printable_path(file) + " is not a regular file."};
  std::string bytes;
  auto want = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  bytes.resize(plausible ? std::min(want, kProbeBytes) : std::min(want, most + 1));
  std::size_t have = 0;
  for (;;) {
    while (have < bytes.size()) {
      const ssize_t n =
          ::pread(fd, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return open_refusal(file, errno);
      if (n == 0)
        bytes.resize(want = have);  // the file became shorter, or is one in /sys that reports a
                                    // size of 4096 and has less
      have += static_cast<std::size_t>(n);
    }
    if (have >= want || (plausible && !plausible(bytes))) break;
    plausible = nullptr;
    if (want > most) break;
    bytes.resize(want);
  }
  if (want > most && !plausible)
    return Refusal{printable_path(file) + " is too large: " + std::to_string(want) +
                   " bytes. The limit is " + std::to_string(most) + " bytes."};
  return bytes;
}

UniqueFd open_file(const fs::path& file, int flags) {
  return UniqueFd(::open(file.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0));
}

void sync_or_throw(const fs::path& directory) {
  if (const int error = sync_directory(directory)) throw_file_error(directory, "be synced", error);
}

// Returns false if the name `to` is taken.
bool rename_or_throw(const fs::path& from, const fs::path& to) {
  const int error = rename_no_replace(from, to);
  if (error != 0 && error != EEXIST) throw_file_error(to, "be written", error);
  return error == 0;
}

}  // namespace

void throw_file_error(const fs::path& file, const char* what, int error) {
  const std::string reason = std::strerror(error);
  throw Error(printable_path(file) + " cannot " + what + ": " + reason + ".", reason);
}

fs::path parent_directory(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

int sync_directory(const fs::path& directory) {
  const UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.is_open()) return errno;
  // EINVAL means that the file system cannot sync directories.
  return ::fsync(fd.get()) != 0 && errno != EINVAL ? errno : 0;
}

bool is_same_file(const fs::path& name, int fd) {
  struct stat held {
  }, named{};
  if (::fstat(fd, &held) != 0 || held.st_nlink == 0) return false;
  // Without permission to look, the answer is unknown.
  if (::stat(name.c_str(), &named) != 0) return errno != ENOENT && errno != ENOTDIR;
  return held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

int try_lock(const fs::path& name, int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return errno;
  if (is_same_file(name, fd)) return 0;
  ::flock(fd, LOCK_UN);
  return ESTALE;
}

int rename_no_replace(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

int write_all_at(int fd, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    offset += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// umask() sets the mask to read it; there is no other portable way.
mode_t default_file_mode() {
  const mode_t mask = ::umask(022);
  ::umask(mask);
  return 0664 & ~mask;
}

TempFile::TempFile(fs::path goal)
    : target_(std::move(goal)),
      name_((parent_directory(target_) / ".draft-XXXXXX").string()),
      fd_(::mkostemp(name_.data(), O_CLOEXEC)) {
  if (!fd_.is_open()) throw_file_error(parent_directory(target_), "hold a new file", errno);
}

TempFile::~TempFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

void TempFile::write(std::string_view bytes, mode_t mode) {
  // The user knows the file by the name of its goal, so errors name that.
  if (const int error = write_all_at(fd_.get(), bytes, 0))
    throw_file_error(target_, "be written", error);
  ::fchmod(fd_.get(), mode);
  if (::fdatasync(fd_.get()) != 0) throw_file_error(target_, "be written", errno);
}

void TempFile::replace_target() {
  if (::rename(name_.c_str(), target_.c_str()) != 0) throw_file_error(target_, "be written", errno);
  name_.clear();
}

UniqueFd TempFile::release() {
  name_.clear();
  return std::move(fd_);
}

Result<std::string> read_file(const fs::path& file, std::size_t most,
                              bool (*plausible)(std::string_view)) {
  const UniqueFd fd = open_file(file, O_RDONLY);
  return fd.is_open() ? read_descriptor(file, fd.get(), most, plausible)
                      : open_refusal(file, errno);
}

Result<std::string> read_idle_file(const fs::path& file, std::size_t most,
                                   bool (*plausible)(std::string_view)) {
  const UniqueFd fd = open_file(file, O_RDONLY);
  if (!fd.is_open()) return open_refusal(file, errno);
  for (int i = 0; i < 20 && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return read_descriptor(file, fd.get(), most, plausible);
}

bool create_file(const fs::path& file, std::string_view bytes) {
  make_directory(parent_directory(file));
  TempFile draft(file);
  draft.write(bytes, default_file_mode());
  if (!rename_or_throw(draft.name(), file)) return false;
  draft.release();
  sync_or_throw(parent_directory(file));
  return true;
}

void replace_file(const fs::path& name, std::string_view bytes) {
  std::error_code missing;
  fs::path file = fs::canonical(name, missing);  // replaces the target of a symbolic link
  if (missing) file = name;
  struct stat status {};
  const mode_t mode =
      ::stat(file.c_str(), &status) == 0 ? status.st_mode & 07777 : default_file_mode();
  TempFile draft(file);
  draft.write(bytes, mode);
  draft.replace_target();
  sync_or_throw(parent_directory(file));
}

bool rename_file(const fs::path& from, const fs::path& to) {
  make_directory(parent_directory(to));
  if (!rename_or_throw(from, to)) return false;
  sync_or_throw(parent_directory(to));
  if (parent_directory(from) != parent_directory(to)) sync_or_throw(parent_directory(from));
  return true;
}

const fs::path& home_directory() {
  static const fs::path found = []() -> fs::path {
    if (const char* home = std::getenv("HOME"); home && *home) {
      const fs::path path = fs::path(home).lexically_normal();
      return path.has_filename() ? path : path.parent_path();
    }
    if (const passwd* user = ::getpwuid(::getuid()); user && user->pw_dir) return user->pw_dir;
    return ".";
  }();
  return found;
}

std::string login_name() {
  for (const char* variable : {"LOGNAME", "USER"})
    if (const char* name = std::getenv(variable); name && *name) return name;
  return "";
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  if (fs::is_directory(directory, error)) return;
  if (directory == home_directory())
    throw Error("There is no home directory " + printable_path(directory) +
                ". Create it, or set HOME to another one.");
  if (directory.has_parent_path() && directory.parent_path() != directory)
    make_directory(directory.parent_path());
  if (::mkdir(directory.c_str(), 0700) == 0) {
    // A directory that the user may write but not read cannot be synced.
    const fs::path parent = parent_directory(directory);
    if (const int unsynced = sync_directory(parent); unsynced != 0 && unsynced != EACCES)
      throw_file_error(parent, "be synced", unsynced);
    return;
  }
  if (errno != EEXIST) throw_file_error(directory, "be created", errno);
  if (!fs::is_directory(directory, error)) throw_file_error(directory, "be used", ENOTDIR);
}

Result<LockedFile> LockedFile::open(const fs::path& file, std::size_t most,
                                    bool (*plausible)(std::string_view)) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (;;) {
    UniqueFd fd = open_file(file, O_RDWR);
    if (!fd.is_open()) return open_refusal(file, errno);
    struct stat held {};
    if (::fstat(fd.get(), &held) == 0 && S_ISDIR(held.st_mode)) return open_refusal(file, EISDIR);
    const int error = try_lock(file, fd.get());
    if (error == 0) {
      auto text = read_descriptor(file, fd.get(), most, plausible);
      if (!text) return text.refusal();
      return LockedFile(file, std::move(fd), std::move(*text));
    }
    // ESTALE: another writer replaced the file between opening and locking it.
    if (error != EWOULDBLOCK && error != ESTALE && error != EINTR)
      throw_file_error(file, "be locked", error);
    if (std::chrono::steady_clock::now() > give_up)
      return Refusal{printable_path(file) + " is being written by another program. Try again."};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// Throws Error if the file lost its name: the written bytes would vanish when it is closed.
void LockedFile::check_name() const {
  if (!is_same_file(file_, fd_.get()))
    throw Error(printable_path(file_) + " was removed or replaced by another program.");
}

void LockedFile::truncate(std::size_t kept) {
  check(kept <= text_.size(), "more of a file was to be kept than there is");
  if (kept == text_.size()) return;
  if (::ftruncate(fd_.get(), static_cast<off_t>(kept)) != 0 || ::fdatasync(fd_.get()) != 0)
    throw_file_error(file_, "be written", errno);
  text_.resize(kept);
}

void LockedFile::write(std::size_t kept, std::string_view added) {
  check(kept <= text_.size(), "more of a file was to be kept than there is");
  check(!std::exchange(is_written_, true), "a file was written twice under one lock");
  std::string then = text_.substr(0, kept);
  then += added;
  // Only a single line after intact text may be written in place. After a crash it has no end, and
  // readers skip it. A crash could keep the first of several lines and lose the others.
  const bool one_line = added.find('\n') + 1 == added.size();
  const bool at_line_start = kept == 0 || text_[kept - 1] == '\n';
  const bool tail_is_torn = text_.find('\n', kept) == std::string::npos;
  check_name();
  if (!one_line || !at_line_start || !tail_is_torn) {
    replace_file(file_, then);
    text_ = std::move(then);
    return;
  }
  try {
    if (kept < text_.size() && ::ftruncate(fd_.get(), static_cast<off_t>(kept)) != 0)
      throw_file_error(file_, "be written", errno);
    if (const int error = write_all_at(fd_.get(), added, kept))
      throw_file_error(file_, "be written", error);
    if (::fdatasync(fd_.get()) != 0) throw_file_error(file_, "be written", errno);
    check_name();
  } catch (const Error&) {
    // Half a line on a full disk is no ply: remove it.
    [[maybe_unused]] const int ignored = ::ftruncate(fd_.get(), static_cast<off_t>(kept));
    throw;
  }
  text_ = std::move(then);
}

}  // namespace pbm
