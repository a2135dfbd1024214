// SPDX-License-Identifier: MIT
// The command line: reads what the user asks for and does it. The only user of
// Boost.Program_options. Leaves boards to boards/ and screens to ui/.
#pragma once

#include <string>
#include <vector>

namespace pbm {

// Exit statuses.
inline constexpr int kExitSuccess = 0;  // success
inline constexpr int kExitRefused = 1;  // a bad move or file, and nothing has changed
inline constexpr int kExitUsage = 2;    // a wrong command line
inline constexpr int kExitFailure = 3;  // an error of the system: disk, terminal

// Runs the program with the words after its name. Returns the exit status.
int run_command_line(const std::vector<std::string>& words);

}  // namespace pbm
