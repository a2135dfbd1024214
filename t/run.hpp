// SPDX-License-Identifier: MIT
// The real program, run as a person or a script runs it: words in, the two
// outputs and the exit status out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support.hpp"

namespace pbm::test {

struct Ran {
  int status = -1;       // the exit status; 128 + the signal that ended it
  std::string out, err;  // standard output and standard error
  std::size_t peak = 0;  // bytes of memory it had at the most
};

struct Surroundings {
  std::filesystem::path home;          // HOME; no XDG variable is set
  std::string input;                   // standard input
  std::filesystem::path directory;     // the current directory; none: the test's own
  std::string output;                  // a file or device in place of standard output; "": a pipe
  std::vector<std::string> variables;  // more of the environment, "NAME=value"
  std::size_t largest_file = 0;        // RLIMIT_FSIZE in bytes; 0: none
};

// The program under test: $PBM_PROGRAM, else build/pbmplay of the source
// tree. Fails the test when there is none.
std::filesystem::path program();

// Runs the program with `words`. Ends it, as a failure, after a minute.
Ran run(const std::vector<std::string>& words, const Surroundings& surroundings = {});

// The same with another program, which is not told where the source tree is.
Ran run_file(const std::filesystem::path& file, const std::vector<std::string>& words,
             const Surroundings& surroundings = {});

// What a shell does with a command line, in an environment as empty as that.
Ran run_shell(const std::string& line, const Surroundings& surroundings = {});

// A home of one's own, with the program run in it.
struct Home {
  TemporaryDirectory dir;
  Ran operator()(const std::vector<std::string>& words, const std::string& input = "") const {
    return to("", words, input);
  }
  // With standard output there.
  Ran to(const std::string& output, const std::vector<std::string>& words,
         const std::string& input = "") const {
    return run(words, {.home = dir.path(),
                       .input = input,
                       .directory = dir.path(),
                       .output = output,
                       .variables = {}});
  }
  std::filesystem::path saves() const { return dir / ".local/share/pbmplay/saves"; }
};

}  // namespace pbm::test
