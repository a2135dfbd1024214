// SPDX-License-Identifier: MIT
// One run of another program, with no shell between. Leaves when to run what to its callers.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

// A program is a path, or a name that is looked for as a shell does, and what it is told, parted by
// blanks; or a path that has blanks. `option` is what names it. Refuses what cannot be run.
Result<Done> check_program(const std::string& program, std::string_view option);

class RunningProgram {
 public:
  static constexpr std::chrono::seconds kPatience{60};  // one that goes on for longer is killed

  // Starts it with `variables`, "NAME=text", before those of this process, and with `input` to read
  // from its standard input. Refuses what cannot be run, in a sentence.
  static Result<RunningProgram> start(const std::string& program,
                                      std::vector<std::string> variables,
                                      const std::string& input = "");
  RunningProgram(RunningProgram&& other) noexcept;
  RunningProgram& operator=(RunningProgram&& other) noexcept;
  ~RunningProgram();  // kills it while it goes on

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
