// SPDX-License-Identifier: MIT
// Files that must not be lost: read with a limit, written so that a crash or a full disk leaves
// either the old bytes or the new ones. What is wrong with somebody's file comes back as a Refusal;
// a failing disk is thrown as Error. Leaves what the bytes mean to save/.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/unique_fd.hpp"
#include "base/result.hpp"

namespace pbm {

// The bytes of a regular file of at most `most` bytes. Refuses a file that is missing, no file,
// unreadable or too large, in a sentence with its name. Looks at `plausible` with the first 4096
// bytes before it reads on, so that a huge foreign file costs nothing; what is implausible comes
// back cut there.
Result<std::string> read_file(const std::filesystem::path& file, std::size_t most,
                              bool (*plausible)(std::string_view) = nullptr);
// The same, but not in the middle of somebody's append: waits up to 0.1 seconds for that.
Result<std::string> read_settled_file(const std::filesystem::path& file, std::size_t most,
                                      bool (*plausible)(std::string_view) = nullptr);

// Writes a new file durably: whole, under that name, or not at all. False when the name is taken.
// Makes the directory if need be. Throws Error.
bool create_file(const std::filesystem::path& file, std::string_view bytes);

// Replaces a file durably: readers see the old bytes or the new ones, never a mixture. Keeps its
// permissions. Throws Error.
void replace_file(const std::filesystem::path& file, std::string_view bytes);

// Gives a file another name. False when that name is taken. Throws Error.
bool rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Throws an Error: "FILE cannot be written: No space left on device."
[[noreturn]] void cannot(const std::filesystem::path& file, const char* what, int error);

// The directory a file is in: "." for a name alone.
std::filesystem::path directory_of(const std::filesystem::path& file);

// The one of whoever runs this: $HOME, else what the list of logins says, read once.
const std::filesystem::path& home_directory();

// By the environment, or "".
std::string login_name();

// A directory that is made with its parents, readable by its owner only, unless it is there. Throws
// Error, also where the home directory would have to be made: it is somebody else's to make.
void make_directory(const std::filesystem::path& directory);

// --- the steps of these, for who takes them one by one: 0 or an errno ---

// Makes the names in a directory safe.
int sync_directory(const std::filesystem::path& directory);
// Whether the file that is open here still has this name. False when it was removed or another one
// has come into its place; true where the system does not tell.
bool leads_to(const std::filesystem::path& name, int fd);
// Locks the file that is open here against every other writer (flock(2)), without waiting.
// EWOULDBLOCK when another has it; ESTALE, without the lock, when `name` leads to it no more.
int try_lock(const std::filesystem::path& name, int fd);
// Gives a file a name that is free; EEXIST when it is not.
int rename_to_free(const std::filesystem::path& from, const std::filesystem::path& to);
// Writes all of it there.
int write_at(int fd, std::string_view bytes, std::uint64_t offset);
// The permissions a new file of this user gets: what the umask leaves of 0664. Where there is no
// umask others may read all the same, and not write.
mode_t usual_mode();

// A new file beside the one it is to become, removed at the end unless it was kept.
class TempFile {
 public:
  // Throws Error, as all of it does.
  explicit TempFile(std::filesystem::path goal);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  // Gives it these bytes, on disk when it returns.
  void fill(std::string_view bytes, mode_t mode);
  // Gives it the name of its goal, instead of whatever had that.
  void replace_goal();
  const std::string& name() const { return name_; }
  const UniqueFd& descriptor() const { return fd_; }
  // It stays, open as it is, and is the caller's.
  UniqueFd keep();

 private:
  std::filesystem::path goal_;
  std::string name_;
  UniqueFd fd_;
};

// A file held against other writers until the end of its life.
class LockedFile {
 public:
  // Waits up to two seconds for another writer. Refuses as read_file() does, and a file that cannot
  // be written.
  static Result<LockedFile> open(const std::filesystem::path& file, std::size_t most,
                                 bool (*plausible)(std::string_view) = nullptr);

  // The bytes as they are now that nobody else writes.
  const std::string& text() const { return text_; }

  // Takes away what is behind the first `kept` bytes, an unfinished write. Throws Error.
  void truncate(std::size_t kept);

  // Makes the file the first `kept` of its bytes followed by `added`, on disk when it returns.
  // Throws Error with the old bytes back in place. Pre: not done before, as a file that was
  // replaced is no longer held.
  void write(std::size_t kept, std::string_view added);

 private:
  LockedFile(std::filesystem::path file, UniqueFd fd, std::string text)
      : file_(std::move(file)), fd_(std::move(fd)), text_(std::move(text)) {}
  void need_name() const;

  std::filesystem::path file_;
  UniqueFd fd_;
  std::string text_;
  bool written_ = false;
};

}  // namespace pbm
