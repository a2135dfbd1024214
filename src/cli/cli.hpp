// SPDX-License-Identifier: MIT
// The command line: what it asks for and doing it. The only user of
// Boost.Program_options. Leaves boards to boards/ and screens to ui/.
#pragma once

#include <string>
#include <vector>

namespace pbm {

// Exit statuses.
inline constexpr int kDone = 0;     // what was asked for is done
inline constexpr int kRefused = 1;  // a bad move, a bad file: nothing was changed
inline constexpr int kUsage = 2;    // the command line is wrong
inline constexpr int kFailed = 3;   // the world failed: disk, terminal

// Runs the program with the words behind its name; the exit status.
int run_command_line(const std::vector<std::string>& words);

}  // namespace pbm
