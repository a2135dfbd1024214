// SPDX-License-Identifier: MIT
// A library that is loaded before the C library into a program under test (LD_PRELOAD). Records all
// changes to files and names below $PBM_RECORD_ROOT, and all syncs, in $PBM_RECORD. Knows only the
// calls that the program makes. The test compares the record with the files, so that it finds a
// missing call.
// On a processor of 32 bits the C library has two calls for each that knows an offset. Here the one
// for large files does the work, so this source keeps the names apart.
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "record.hpp"

using pbm::test::Change;
using pbm::test::RecordHead;

namespace {

template <class Call>
Call* next_definition(const char* name) {
  return reinterpret_cast<Call*>(::dlsym(RTLD_NEXT, name));
}
#define NEXT(call) static auto* const real = next_definition<decltype(call)>(#call)

// Holds one lock during a call of the program and its entry, so that entries have the order of the
// calls. Never freed: threads outlive main().
struct Recorder {
  std::mutex mutex;
  std::set<ino64_t> inodes;  // of files and directories below the root
  std::string root;
  int fd = -1;
  std::atomic<std::uint64_t> sync_number{0};
};

Recorder& recorder() {
  static auto* const r = [] {
    auto* made = new Recorder;
    const char* root = std::getenv("PBM_RECORD_ROOT");
    const char* file = std::getenv("PBM_RECORD");
    if (!root || !file) return made;
    made->root = root;
    NEXT(open64);
    const int low = real(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    made->fd = ::fcntl(low, F_DUPFD_CLOEXEC, 500);
    ::close(low);
    made->sync_number = static_cast<std::uint64_t>(::getpid()) << 32;
    return made;
  }();
  return *r;
}

// Sets `out` to the path below the root. Returns false for any other path.
bool below_root(int directory, const char* path, std::string& out) {
  const Recorder& r = recorder();
  if (r.fd < 0 || !path) return false;
  std::string whole = path;
  if (whole.empty() || whole[0] != '/') {
    char at[PATH_MAX];
    const std::string link =
        directory == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/" + std::to_string(directory);
    const ssize_t n = ::readlink(link.c_str(), at, sizeof at);
    if (n <= 0) return false;
    whole = std::string(at, static_cast<std::size_t>(n)) + "/" + whole;
  }
  if (whole.compare(0, r.root.size(), r.root) != 0) return false;
  if (whole.size() == r.root.size()) {
    out.clear();
    return true;
  }
  if (whole[r.root.size()] != '/') return false;
  out = whole.substr(r.root.size() + 1);
  return true;
}

void write_entry(Change kind, std::uint64_t inode, std::uint64_t offset,
                 const std::string& name = "", const std::string& data = "") {
  const RecordHead head{kind, inode, offset, static_cast<std::uint32_t>(name.size()),
                        static_cast<std::uint32_t>(data.size())};
  const std::string entry =
      std::string(reinterpret_cast<const char*>(&head), sizeof head) + name + data;
  NEXT(write);
  if (real(recorder().fd, entry.data(), entry.size()) != static_cast<ssize_t>(entry.size()))
    ::abort();
}

// Records a file that the program may write, or a directory that it may sync.
void record_opened(int fd, const std::string& path) {
  struct stat64 s {};
  if (fd < 0 || ::fstat64(fd, &s) != 0 || !(S_ISREG(s.st_mode) || S_ISDIR(s.st_mode))) return;
  const bool is_new = recorder().inodes.insert(s.st_ino).second;
  if (is_new)
    write_entry(S_ISDIR(s.st_mode) ? Change::make_directory : Change::make_file, s.st_ino, 0, path);
}

bool is_recorded(int fd, struct stat64& s) {
  if (recorder().fd < 0 || ::fstat64(fd, &s) != 0) return false;
  const std::lock_guard lock(recorder().mutex);
  return recorder().inodes.count(s.st_ino) > 0;
}

// Returns the inode that becomes free, and may get reused, when this name goes; 0 if there is none.
ino64_t last_name_inode(int directory, const char* path) {
  struct stat64 s {};
  return ::fstatat64(directory, path, &s, AT_SYMLINK_NOFOLLOW) == 0 && s.st_nlink <= 1 ? s.st_ino
                                                                                       : 0;
}

int open_recorded(int directory, const char* path, int flags, mode_t mode) {
  NEXT(openat64);
  std::string name;
  if (!below_root(directory, path, name)) return real(directory, path, flags, mode);
  const std::lock_guard lock(recorder().mutex);
  const int fd = real(directory, path, flags, mode);
  record_opened(fd, name);
  struct stat64 s {};
  if ((flags & O_TRUNC) != 0 && fd >= 0 && is_recorded(fd, s))
    write_entry(Change::truncate, s.st_ino, 0);
  return fd;
}

template <class Work>
ssize_t write_recorded(int fd, const Work& work, std::string_view from) {
  struct stat64 s {};
  if (!is_recorded(fd, s)) return work();
  const std::lock_guard lock(recorder().mutex);
  const ssize_t n = work();
  if (n <= 0) return n;
  const off64_t at = ::lseek64(fd, 0, SEEK_CUR) - n;
  write_entry(Change::write, s.st_ino, static_cast<std::uint64_t>(at), "",
              std::string(from.substr(0, static_cast<std::size_t>(n))));
  return n;
}

template <class Work>
int sync_recorded(int fd, const Work& work) {
  struct stat64 s {};
  if (!is_recorded(fd, s)) return work();
  const std::uint64_t number = ++recorder().sync_number;
  const auto note = [&](Change kind) {
    const std::lock_guard lock(recorder().mutex);
    write_entry(kind, s.st_ino, number);
  };
  note(Change::sync_begins);
  const int result = work();
  if (result == 0) note(Change::sync_ends);
  return result;
}

// Records a rename or a link if both ends lie below the root.
template <class Work>
int rename_recorded(Change kind, int from_at, const char* from, int to_at, const char* to,
                    const Work& work) {
  std::string was, is;
  if (!below_root(from_at, from, was) || !below_root(to_at, to, is)) return work();
  const std::lock_guard lock(recorder().mutex);
  const ino64_t freed = kind == Change::rename ? last_name_inode(to_at, to) : 0;
  const int result = work();
  if (result != 0) return result;
  recorder().inodes.erase(freed);
  write_entry(kind, 0, 0, was, is);
  return result;
}

template <class Work>
int remove_recorded(int directory, const char* path, const Work& work) {
  std::string name;
  if (!below_root(directory, path, name)) return work();
  const std::lock_guard lock(recorder().mutex);
  const ino64_t freed = last_name_inode(directory, path);
  const int result = work();
  if (result != 0) return result;
  recorder().inodes.erase(freed);
  write_entry(Change::remove, 0, 0, name);
  return result;
}

}  // namespace

// The declarations in the C library differ in noexcept.
extern "C" {

// Reads the third argument of open(), which is missing unless the call may create a file.
#define MODE(flags)                         \
  va_list rest;                             \
  va_start(rest, flags);                    \
  const mode_t mode = va_arg(rest, mode_t); \
  va_end(rest)

int open(const char* path, int flags, ...) {
  MODE(flags);
  return open_recorded(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags);
  return open_recorded(AT_FDCWD, path, flags, mode);
}
int openat(int directory, const char* path, int flags, ...) {
  MODE(flags);
  return open_recorded(directory, path, flags, mode);
}
int openat64(int directory, const char* path, int flags, ...) {
  MODE(flags);
  return open_recorded(directory, path, flags, mode);
}

int mkostemp64(char* name, int flags) {
  NEXT(mkostemp64);
  const std::lock_guard lock(recorder().mutex);
  const int fd = real(name, flags);
  std::string path;
  if (below_root(AT_FDCWD, name, path)) record_opened(fd, path);
  return fd;
}

int mkostemp(char* name, int flags) { return mkostemp64(name, flags); }

ssize_t write(int fd, const void* bytes, size_t n) {
  NEXT(write);
  return write_recorded(fd, [&] { return real(fd, bytes, n); },
                        {static_cast<const char*>(bytes), n});
}

ssize_t pwrite64(int fd, const void* bytes, size_t n, off64_t at) {
  NEXT(pwrite64);
  struct stat64 s {};
  if (!is_recorded(fd, s)) return real(fd, bytes, n, at);
  const std::lock_guard lock(recorder().mutex);
  const ssize_t done = real(fd, bytes, n, at);
  if (done > 0)
    write_entry(Change::write, s.st_ino, static_cast<std::uint64_t>(at), "",
                std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(done)));
  return done;
}

ssize_t pwrite(int fd, const void* bytes, size_t n, off_t at) { return pwrite64(fd, bytes, n, at); }

ssize_t writev(int fd, const iovec* pieces, int count) {
  NEXT(writev);
  struct stat64 s {};
  if (!is_recorded(fd, s)) return real(fd, pieces, count);
  std::string all;
  for (int i = 0; i < count; ++i)
    all.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  return write_recorded(
      fd, [&] { return real(fd, pieces, count); }, all);
}

int ftruncate64(int fd, off64_t size) noexcept {
  NEXT(ftruncate64);
  struct stat64 s {};
  if (!is_recorded(fd, s)) return real(fd, size);
  const std::lock_guard lock(recorder().mutex);
  const int result = real(fd, size);
  if (result == 0) write_entry(Change::truncate, s.st_ino, static_cast<std::uint64_t>(size));
  return result;
}

int ftruncate(int fd, off_t size) noexcept { return ftruncate64(fd, size); }

int truncate64(const char* path, off64_t size) noexcept {
  const int fd = ::open64(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  const int result = ::ftruncate64(fd, size);
  ::close(fd);
  return result;
}
int truncate(const char* path, off_t size) noexcept { return truncate64(path, size); }

int fsync(int fd) {
  NEXT(fsync);
  return sync_recorded(fd, [&] { return real(fd); });
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  return sync_recorded(fd, [&] { return real(fd); });
}

int rename(const char* from, const char* to) noexcept {
  NEXT(rename);
  return rename_recorded(Change::rename, AT_FDCWD, from, AT_FDCWD, to,
                         [&] { return real(from, to); });
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) noexcept {
  NEXT(renameat2);
  return rename_recorded(Change::rename, from_at, from, to_at, to,
                         [&] { return real(from_at, from, to_at, to, flags); });
}

int link(const char* from, const char* to) noexcept {
  NEXT(link);
  return rename_recorded(Change::link, AT_FDCWD, from, AT_FDCWD, to,
                         [&] { return real(from, to); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  NEXT(mkdir);
  std::string name;
  if (!below_root(AT_FDCWD, path, name)) return real(path, mode);
  const std::lock_guard lock(recorder().mutex);
  const int result = real(path, mode);
  struct stat64 s {};
  if (result == 0 && ::lstat64(path, &s) == 0 && recorder().inodes.insert(s.st_ino).second)
    write_entry(Change::make_directory, s.st_ino, 0, name);
  return result;
}

int unlink(const char* path) noexcept {
  NEXT(unlink);
  return remove_recorded(AT_FDCWD, path, [&] { return real(path); });
}

int remove(const char* path) noexcept {
  NEXT(remove);
  return remove_recorded(AT_FDCWD, path, [&] { return real(path); });
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  NEXT(unlinkat);
  return remove_recorded(directory, path, [&] { return real(directory, path, flags); });
}

ssize_t sendfile64(int out, int in, off64_t* from, size_t n) noexcept {
  NEXT(sendfile64);
  struct stat64 s {};
  if (is_recorded(out, s)) {  // the caller then uses write
    errno = ENOSYS;
    return -1;
  }
  return real(out, in, from, n);
}
}
