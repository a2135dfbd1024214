// SPDX-License-Identifier: MIT
// Runs another program once, without a shell. Leaves when to run which program to its callers.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

// `program` is a command line: a path, or a name to find in $PATH, then arguments separated by
// blanks. It may also be a single path with blanks. `option` is the option that names it, for the
// message. Refuses a program that cannot be run.
Result<Success> check_program(const std::string& program, std::string_view option);

// Makes a file in memory that contains `text`, for the standard input of a program. The descriptor
// is not open if there is no room.
UniqueFd make_memory_file(const std::string& text);

// Starts a program with standard input `in` and standard output `out`, and discards its errors. If
// `out` is -1, it inherits both outputs. Its own process group lets the caller kill all of it. It
// blocks and ignores no signal. Returns 0 or an errno.
int start_program(pid_t& child, std::vector<std::string> words, int in, int out,
                  char** environment = environ);

// Kills the process group of `leader` if this program ends before the guard does, however it ends.
class GroupGuard {
 public:
  GroupGuard() = default;  // guards nothing
  explicit GroupGuard(pid_t leader);
  GroupGuard(GroupGuard&& other) noexcept
      : alarm_(std::move(other.alarm_)), watcher_(std::exchange(other.watcher_, 0)) {}
  GroupGuard& operator=(GroupGuard&& other) noexcept {
    std::swap(alarm_, other.alarm_);
    std::swap(watcher_, other.watcher_);
    return *this;
  }
  ~GroupGuard();

 private:
  UniqueFd alarm_;     // its end tells the watcher that this program is gone
  pid_t watcher_ = 0;  // a process
};

// Runs a program with `input` as standard input, and waits until it ends. `variables`, "NAME=text",
// come before those of this environment. Kills it after a minute, or when the descriptor `stop`
// becomes readable. `unseen` discards its output. Returns "" if it succeeded, else a sentence that
// says what went wrong.
std::string run_child(const std::string& program, std::vector<std::string> variables,
                      const std::string& input, int stop = -1, bool unseen = false);

}  // namespace pbm
