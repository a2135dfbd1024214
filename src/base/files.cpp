// SPDX-License-Identifier: MIT
#include "base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pbm {

namespace fs = std::filesystem;

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

constexpr std::size_t kSniff = 4096;  // bytes looked at before the rest is read

std::string shown(const fs::path& file) { return safe_text(file.string()); }

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw Error(shown(file) + " " + what + ": " + std::strerror(error) + ".");
}

Refusal cannot_open(const fs::path& file, int error) {
  switch (error) {
    case ENOENT: return Refusal{"There is no file " + shown(file) + "."};
    case EACCES:
    case EPERM: return Refusal{"You may not open " + shown(file) + " (permission denied)."};
    case EROFS: return Refusal{shown(file) + " is on a read-only disk."};
    case EISDIR: return Refusal{shown(file) + " is a directory, not a save."};
    default: return Refusal{shown(file) + " cannot be opened (" + std::strerror(error) + ")."};
  }
}

Result<std::string> read_open(const fs::path& file, int fd, std::size_t most, bool (*plausible)(std::string_view)) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return cannot_open(file, errno);
  if (S_ISDIR(status.st_mode)) return cannot_open(file, EISDIR);
  if (!S_ISREG(status.st_mode)) return Refusal{shown(file) + " is no ordinary file."};
  std::string bytes;
  auto want = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  bytes.resize(plausible ? std::min(want, kSniff) : std::min(want, most + 1));
  std::size_t have = 0;
  for (;;) {
    while (have < bytes.size()) {
      const ssize_t n = ::pread(fd, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return cannot_open(file, errno);
      if (n == 0) bytes.resize(want = have);  // it was cut meanwhile, or is one of those in /sys that say a page and have a word
      have += static_cast<std::size_t>(n);
    }
    if (have >= want || (plausible && !plausible(bytes))) break;
    plausible = nullptr;
    if (want > most) break;
    bytes.resize(want);
  }
  if (want > most && !plausible)
    return Refusal{shown(file) + " is too large: " + std::to_string(want) + " bytes, where at most " + std::to_string(most) + " are read."};
  return bytes;
}

Descriptor open_file(const fs::path& file, int flags) { return Descriptor(::open(file.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0)); }

void write_all(int fd, const fs::path& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(file, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void sync_directory(const fs::path& directory) {
  const Descriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a directory; EINVAL is their way to say so.
  if (!fd.open() || (::fsync(fd.get()) != 0 && errno != EINVAL)) fail(directory, "cannot be synced", errno);
}

fs::path directory_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

// A file beside its goal, removed at the end unless it was renamed.
class Draft {
 public:
  explicit Draft(const fs::path& goal) : goal_(goal), name_((directory_of(goal) / (".draft-XXXXXX")).string()), fd_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (!fd_.open()) fail(directory_of(goal), "cannot take a new file", errno);
  }
  ~Draft() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  void fill(std::string_view bytes, mode_t mode) {
    // Whoever reads that it failed knows the file by its own name.
    write_all(fd_.get(), goal_, bytes);
    ::fchmod(fd_.get(), mode);
    if (::fdatasync(fd_.get()) != 0) fail(goal_, "cannot be written", errno);
  }
  const char* name() const { return name_.c_str(); }
  void keep() { name_.clear(); }

 private:
  fs::path goal_;
  std::string name_;
  Descriptor fd_;
};

// What a new file of this user would get: its umask cannot be asked otherwise without changing it.
mode_t usual_mode() {
  const mode_t mask = ::umask(022);
  ::umask(mask);
  return 0666 & ~mask;
}

bool rename_without_clobbering(const char* from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (errno != EINVAL && errno != ENOSYS) fail(to, "cannot be written", errno);
  if (::link(from, to.c_str()) != 0) {
    if (errno == EEXIST) return false;
    fail(to, "cannot be written", errno);
  }
  ::unlink(from);
  return true;
}

}  // namespace

Result<std::string> read_file(const fs::path& file, std::size_t most, bool (*plausible)(std::string_view)) {
  const Descriptor fd = open_file(file, O_RDONLY);
  if (!fd.open()) return cannot_open(file, errno);
  // Not in the middle of someone's append; but a reader never waits long.
  for (int i = 0; i < 20 && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return read_open(file, fd.get(), most, plausible);
}

bool create_file(const fs::path& file, std::string_view bytes) {
  make_directory(directory_of(file));
  Draft draft(file);
  draft.fill(bytes, usual_mode());
  if (!rename_without_clobbering(draft.name(), file)) return false;
  draft.keep();
  sync_directory(directory_of(file));
  return true;
}

void replace_file(const fs::path& name, std::string_view bytes) {
  std::error_code missing;
  fs::path file = fs::canonical(name, missing);  // a link stays a link
  if (missing) file = name;
  struct stat status {};
  const mode_t mode = ::stat(file.c_str(), &status) == 0 ? status.st_mode & 07777 : usual_mode();
  Draft draft(file);
  draft.fill(bytes, mode);
  if (::rename(draft.name(), file.c_str()) != 0) fail(file, "cannot be written", errno);
  draft.keep();
  sync_directory(directory_of(file));
}

bool rename_file(const fs::path& from, const fs::path& to) {
  make_directory(directory_of(to));
  if (!rename_without_clobbering(from.c_str(), to)) return false;
  sync_directory(directory_of(to));
  if (directory_of(from) != directory_of(to)) sync_directory(directory_of(from));
  return true;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  if (fs::is_directory(directory, error)) return;
  if (directory.has_parent_path() && directory.parent_path() != directory) make_directory(directory.parent_path());
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) fail(directory, "cannot be made", errno);
  if (!fs::is_directory(directory, error)) fail(directory, "cannot be used", ENOTDIR);
}

Result<LockedFile> LockedFile::open(const fs::path& file, std::size_t most, bool (*plausible)(std::string_view)) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  for (;;) {
    Descriptor fd = open_file(file, O_RDWR);
    if (!fd.open()) return cannot_open(file, errno);
    struct stat held {}, named {};
    if (::fstat(fd.get(), &held) == 0 && S_ISDIR(held.st_mode)) return cannot_open(file, EISDIR);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
      // Another writer may have put a new file under the name while we waited.
      if (::stat(file.c_str(), &named) != 0) return cannot_open(file, errno);
      if (held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
        auto text = read_open(file, fd.get(), most, plausible);
        if (!text) return text.refusal();
        return LockedFile(file, std::move(fd), std::move(*text));
      }
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
      fail(file, "cannot be locked", errno);
    }
    if (std::chrono::steady_clock::now() > give_up) return Refusal{shown(file) + " is being written by another program: try again."};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void LockedFile::write(std::size_t kept, std::string_view added) {
  check(kept <= text_.size(), "more of a file was to be kept than there is");
  check(!std::exchange(written_, true), "a file was written twice under one lock");
  std::string then = text_.substr(0, kept);
  then += added;
  // Only one line behind an intact text may be written in place: after a crash
  // it is a line without its end, which readers leave out. Of several lines
  // the first might be there and the others not.
  const bool one_line = added.find('\n') + 1 == added.size();
  const bool at_line_start = kept == 0 || text_[kept - 1] == '\n';
  const bool tail_is_torn = text_.find('\n', kept) == std::string::npos;
  if (!one_line || !at_line_start || !tail_is_torn) {
    replace_file(file_, then);
    text_ = std::move(then);
    return;
  }
  try {
    if (kept < text_.size() && ::ftruncate(fd_.get(), static_cast<off_t>(kept)) != 0) fail(file_, "cannot be written", errno);
    if (::lseek(fd_.get(), static_cast<off_t>(kept), SEEK_SET) < 0) fail(file_, "cannot be written", errno);
    write_all(fd_.get(), file_, added);
    if (::fdatasync(fd_.get()) != 0) fail(file_, "cannot be written", errno);
  } catch (const Error&) {
    // Half a line on a full disk is no ply: take it away again.
    [[maybe_unused]] const int ignored = ::ftruncate(fd_.get(), static_cast<off_t>(kept));
    throw;
  }
  text_ = std::move(then);
}

}  // namespace pbm
