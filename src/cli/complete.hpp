// SPDX-License-Identifier: MIT
// What can be typed next on the command line, for the shells' completions in
// completions/. Knows no command and no option by heart: it looks at the rows
// that the command line itself is read by. Changes nothing, ever. Leaves quoting to the shells.
#pragma once

#include <filesystem>

#include "boards/exercises.hpp"
#include "cli/command.hpp"

namespace pbm {

struct Candidate {
  std::string text;   // the whole word; one that ends in = wants a value behind it
  std::string about;  // a few words for shells that show them
};

struct Candidates {
  // Which files fit as well; shells find these better.
  enum class Files : std::uint8_t { none, saves, any, directories };
  std::vector<Candidate> items;
  Files files = Files::none;
};

// How the last of `words` can go on; those before it are complete, and the
// program's name is not among them. No candidate has a character that a shell
// would take for anything but itself: names come from other people.
Candidates complete(const std::vector<std::string>& words, Repository& boards,
                    const Exercises& exercises, const std::vector<std::filesystem::path>& themes);

// For a shell to read: a candidate a line, a tab before what it is about; then
// ":saves", ":files" or ":directories" if such fit as well.
std::string candidates_text(const Candidates& candidates);

}  // namespace pbm
