// SPDX-License-Identifier: MIT
// Completes the command line for the shells; see completions/. It knows no commands or options of
// its own, but reads the table in command.hpp. It changes no files. Leaves quoting to the shells.
#pragma once

#include <filesystem>

#include "boards/exercises.hpp"
#include "cli/command.hpp"

namespace pbm {

// Returns how the last of `words` can go on. The words before it are complete and do not include
// the program's name. Each line has a candidate, a tab and its description. The candidate is a
// whole word, or ends in = if it needs a value. The last line is ":saves", ":files" or
// ":directories" if these fit too, because shells find them better. No candidate has a character
// with a special meaning in a shell: other people choose names.
std::string complete_words(const std::vector<std::string>& words, Repository& boards,
                           const Exercises& exercises,
                           const std::vector<std::filesystem::path>& themes);

}  // namespace pbm
