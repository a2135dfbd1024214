// SPDX-License-Identifier: MIT
// One run of another program, with no shell between. Leaves when to run what to its callers.
#pragma once

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

// A program is a path, or a name that is looked for as a shell does, and what it is told, parted by
// blanks; or a path that has blanks. `option` is what names it. Refuses what cannot be run.
Result<Done> check_program(const std::string& program, std::string_view option);

// A file without a name, to be read from its beginning, so that nobody has to feed it. Not open
// where there is no room.
UniqueFd file_with(const std::string& text);

// Starts a program with these as its standard input and output, in a group of its own, which can be
// killed as a whole, and with no signal blocked or ignored. Its errors are not seen; with `out` -1
// both go where those of this process go. 0 or an errno.
int spawn(pid_t& child, std::vector<std::string> words, int in, int out,
          char** environment = environ);

class RunningProgram {
 public:
  static constexpr std::chrono::seconds kPatience{60};  // one that goes on for longer is killed

  // Starts it with `variables`, "NAME=text", before those of this process, and with `input` to read
  // from its standard input; `unseen`, what it writes is. Refuses what cannot be run, in a
  // sentence.
  static Result<std::unique_ptr<RunningProgram>> start(const std::string& program,
                                                       std::vector<std::string> variables,
                                                       const std::string& input = "",
                                                       bool unseen = false);
  ~RunningProgram();  // kills it while it goes on
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Becomes readable when it has ended.
  int ended() const { return pidfd_.get(); }
  // Milliseconds until outcome() kills it.
  int patience() const;
  // Nothing while it goes on; "" when it has done well; else what went wrong, a sentence.
  std::optional<std::string> outcome();
  // The same, waited for, but no longer than until `stop` becomes readable: then it is killed.
  std::string wait(int stop);

 private:
  RunningProgram(std::string path, pid_t child);

  std::string path_;
  pid_t child_ = 0;
  UniqueFd pidfd_;
  Moment until_{};
};

}  // namespace pbm
