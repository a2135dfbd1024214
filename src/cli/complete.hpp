// SPDX-License-Identifier: MIT
// What can be typed next on the command line, for the shells' completions in
// completions/. Knows no command and no option by heart: it looks at the rows
// that the command line itself is read by. Changes nothing, ever. Leaves quoting to the shells.
#pragma once

#include <filesystem>

#include "boards/exercises.hpp"
#include "cli/command.hpp"

namespace pbm {

// How the last of `words` can go on; those before it are complete, and the
// program's name is not among them. For a shell to read: a candidate a line, the whole word, or
// one that ends in = and wants a value behind it, and a tab before what it is about; then
// ":saves", ":files" or ":directories" if such fit as well, which shells find better. No candidate
// has a character that a shell would take for anything but itself: names come from other people.
std::string complete(const std::vector<std::string>& words, Repository& boards,
                     const Exercises& exercises, const std::vector<std::filesystem::path>& themes);

}  // namespace pbm
