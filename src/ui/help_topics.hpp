// SPDX-License-Identifier: MIT
// The list of help topics. Leaves their texts to rules/ and man/, and finding those files to the
// callers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// A help topic, and the file with its text.
struct HelpTopic {
  std::string name;         // as typed: "keys", "saves", a game's name
  std::string description;  // a short phrase
  std::string file;         // relative to the program's data: "man/pbmplay.6.md"
  std::string section;      // a section of the file; "" for the whole file
};

// Returns all topics with the games, in the order of the list.
const std::vector<HelpTopic>& help_topics();

// Returns the topic of that name in any case, or null. A game's other names work, too.
const HelpTopic* find_help_topic(std::string_view name);

}  // namespace pbm
