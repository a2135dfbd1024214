// SPDX-License-Identifier: MIT
// Runs another program once, without a shell. Leaves when to run which program to its callers.
#pragma once

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
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

class ChildProcess {
 public:
  static constexpr std::chrono::seconds kTimeout{60};  // after this time the program is killed

  // Starts the program with `input` as standard input. `variables`, "NAME=text", come before those
  // of this environment. `unseen` discards its output. Refuses what cannot be run.
  static Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                                     std::vector<std::string> variables,
                                                     const std::string& input = "",
                                                     bool unseen = false);
  ~ChildProcess();  // kills the program if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns a descriptor that becomes readable when the program ends.
  int exit_descriptor() const { return pidfd_.get(); }
  // Returns the milliseconds until check_result() kills it.
  int remaining_ms() const;
  // Returns nothing while it runs, "" if it succeeded, else a sentence that says what went wrong.
  std::optional<std::string> check_result();
  // Waits for check_result(). Kills the program when the descriptor `stop` becomes readable.
  std::string wait(int stop);

 private:
  ChildProcess(std::string path, pid_t child);

  std::string path_;
  pid_t pid_ = 0;
  UniqueFd pidfd_;
  SteadyTime deadline_{};
};

}  // namespace pbm
