// SPDX-License-Identifier: MIT
// The little markdown that rules/ is written in, laid out for a width: one
// source for the help of the screen, of line mode and of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pbm {

struct TextLine {
  enum class Kind : std::uint8_t { heading, text, verbatim };
  Kind kind;
  std::string text;
};

// `# ` and `## ` headings, paragraphs and `- ` lists wrapped to `columns`,
// blocks indented by four blanks left as they are.
std::vector<TextLine> layout_markdown(std::string_view markdown, int columns);

}  // namespace pbm
