// SPDX-License-Identifier: MIT
// Reads and writes files that must not be lost. After a crash or on a full disk a file has its old
// bytes or its new ones. A problem with the user's file is a Refusal; a failing disk throws Error.
// Leaves the meaning of the bytes to save/.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/unique_fd.hpp"
#include "base/result.hpp"

namespace pbm {

// Returns the bytes of a regular file of at most `most` bytes. Refuses a missing, unreadable, too
// large or other kind of file in a sentence with its name. Calls `plausible` with the first 4096
// bytes. If that returns false, returns only those, so that a huge foreign file costs nothing.
Result<std::string> read_file(const std::filesystem::path& file, std::size_t most,
                              bool (*plausible)(std::string_view) = nullptr);
// As read_file(), but waits up to 0.1 seconds while another program appends to the file.
Result<std::string> read_idle_file(const std::filesystem::path& file, std::size_t most,
                                   bool (*plausible)(std::string_view) = nullptr);

// Writes a new file durably: completely, under that name, or not at all. Makes the directory if it
// is missing. Returns false if the name is taken. Throws Error.
bool create_file(const std::filesystem::path& file, std::string_view bytes);

// Replaces a file durably and keeps its permissions. Readers see the old bytes or the new ones,
// never a mixture. Throws Error.
void replace_file(const std::filesystem::path& file, std::string_view bytes);

// Renames a file. Returns false if the name `to` is taken. Throws Error.
bool rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Throws an Error: "FILE cannot be written: No space left on device."
[[noreturn]] void throw_file_error(const std::filesystem::path& file, const char* what, int error);

// Returns the directory of a file: "." for a name without directory.
std::filesystem::path parent_directory(const std::filesystem::path& file);

// Returns the user's home directory: $HOME, else that of the user database. Reads it only once.
const std::filesystem::path& home_directory();

// Returns $LOGNAME, else $USER, else "".
std::string login_name();

// Makes a directory and its parents, readable only by its owner, if it is missing. Throws Error,
// also if the home directory itself is missing: the administrator makes that.
void make_directory(const std::filesystem::path& directory);

// --- single steps of the functions above; they return 0 or an errno ---

// Writes the names in a directory to disk.
int sync_directory(const std::filesystem::path& directory);
// True if `name` still belongs to the open file, or if the system does not tell. False if the file
// was removed or replaced.
bool is_same_file(const std::filesystem::path& name, int fd);
// Locks an open file against all other writers (flock(2)), without waiting. Returns EWOULDBLOCK if
// another writer has the lock. Returns ESTALE, without the lock, if `name` is another file now.
int try_lock(const std::filesystem::path& name, int fd);
// Renames a file; returns EEXIST if the name `to` is taken.
int rename_no_replace(const std::filesystem::path& from, const std::filesystem::path& to);
// Writes all of `bytes`.
int write_all_at(int fd, std::string_view bytes, std::uint64_t offset);
// Returns the permissions of a new file: 0664 without the bits of the umask. With a umask of 0
// others may still only read.
mode_t default_file_mode();

// A new file next to the one that it will replace. The destructor removes it unless it was kept.
class TempFile {
 public:
  // Throws Error, as the other functions do.
  explicit TempFile(std::filesystem::path goal);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  // Writes these bytes to disk.
  void write(std::string_view bytes, mode_t mode);
  // Renames it to its goal, replacing the file that has that name.
  void replace_target();
  const std::string& name() const { return name_; }
  const UniqueFd& descriptor() const { return fd_; }
  // Returns the open file to the caller. The destructor will not remove it.
  UniqueFd release();

 private:
  std::filesystem::path target_;
  std::string name_;
  UniqueFd fd_;
};

// A file that is locked against other writers until it is destroyed.
class LockedFile {
 public:
  // Waits up to two seconds for another writer. Refuses as read_file() does, and also a file that
  // cannot be written.
  static Result<LockedFile> open(const std::filesystem::path& file, std::size_t most,
                                 bool (*plausible)(std::string_view) = nullptr);

  // The bytes of the file. No other program writes it now.
  const std::string& text() const { return text_; }

  // Removes an unfinished write: all bytes after the first `kept`. Throws Error.
  void truncate(std::size_t kept);

  // Sets the content to the first `kept` bytes and `added`, on disk on return. If it throws Error,
  // the old bytes are back. Pre: not called before, since a replaced file is no longer locked.
  void write(std::size_t kept, std::string_view added);

 private:
  LockedFile(std::filesystem::path file, UniqueFd fd, std::string text)
      : file_(std::move(file)), fd_(std::move(fd)), text_(std::move(text)) {}
  void check_name() const;

  std::filesystem::path file_;
  UniqueFd fd_;
  std::string text_;
  bool is_written_ = false;
};

}  // namespace pbm
