// SPDX-License-Identifier: MIT
// What there is to read: the topics of help. Leaves the texts to rules/ and
// man/, and where those lie to whoever reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pbm {

struct HelpTopic {
  std::string name;     // what is typed: "keys", "saves", a game's name
  std::string about;    // a short phrase
  std::string file;     // below the program's data: "man/pbmplay.6.md"
  std::string section;  // the part of it that is meant; "" for all
};

// All of them, in the order they are listed: the games among them.
const std::vector<HelpTopic>& help_topics();

// The topic of that name in any case, or null.
const HelpTopic* find_help(std::string_view name);

}  // namespace pbm
