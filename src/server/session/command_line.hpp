// SPDX-License-Identifier: MIT
// A line somebody sent, told apart into words, options and free text. Leaves what they ask for to
// commands.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "protocol/framing.hpp"

namespace pbm {

inline constexpr std::size_t kMaxText = 4096;  // bytes of free text with its continuation lines
inline constexpr std::size_t kMaxTextLines =
    20;  // of those that say something, as each is an event for everybody it goes to

struct CommandLine {
  std::vector<std::string> words;    // what is no option, in order
  std::vector<std::string> options;  // each with its dash
  std::vector<std::string>
      text;  // free text, line by line; what stands behind " : " first, or behind "tell userid"
};

// Refuses a line that is too long, is no UTF-8 or has a control character, in one sentence each. A
// tab is a blank.
Result<CommandLine> read_command_line(std::string_view line);

// The same for one line of free text, as it stands below its command in a script.
Result<std::string> read_text_line(std::string_view line);

}  // namespace pbm
