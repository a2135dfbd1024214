// SPDX-License-Identifier: MIT
// Runs the real program as a person or a script does. Returns both outputs and the exit status.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support.hpp"

namespace pbm::test {

struct RunResult {
  int status = -1;              // the exit status; 128 + the signal that ended the program
  std::string out, err;         // standard output and standard error
  std::size_t peak_memory = 0;  // the most memory used, in bytes
};

struct RunOptions {
  std::filesystem::path home;          // HOME; no XDG variable is set
  std::string input;                   // standard input
  std::filesystem::path directory;     // the current directory; none: that of the test
  std::string output;                  // a file or device for standard output; "": a pipe
  std::vector<std::string> variables;  // additional environment variables, "NAME=value"
  std::size_t max_file_size = 0;       // RLIMIT_FSIZE in bytes; 0: no limit
};

// Returns the program under test: $PBM_PROGRAM, or build/pbmplay in the source tree. Fails the test
// if there is none.
std::filesystem::path require_program();

// Runs the program with `words`. After a minute kills it and fails the test.
RunResult run_program(const std::vector<std::string>& words, const RunOptions& surroundings = {});

// The same with another program, without the variable for the source tree.
RunResult run_file(const std::filesystem::path& file, const std::vector<std::string>& words,
                   const RunOptions& surroundings = {});

// Runs a command line in a shell, in an equally small environment.
RunResult run_shell(const std::string& line, const RunOptions& surroundings = {});

// A temporary home directory. It runs the program there.
struct TestHome {
  TemporaryDirectory dir;
  RunResult operator()(const std::vector<std::string>& words, const std::string& input = "") const {
    return run_to_output("", words, input);
  }
  // Runs the program with standard output to the file `output`.
  RunResult run_to_output(const std::string& output, const std::vector<std::string>& words,
                          const std::string& input = "") const {
    return run_program(words, {.home = dir.path(),
                               .input = input,
                               .directory = dir.path(),
                               .output = output,
                               .variables = {}});
  }
  std::filesystem::path saves_directory() const { return dir / ".local/share/pbmplay/saves"; }
};

}  // namespace pbm::test
