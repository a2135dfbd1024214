// SPDX-License-Identifier: MIT
// The little markdown that rules/ and man/ are written in, laid out for a width: one source for the
// help of the screen, of line mode and of the command line. man/mdoc.awk makes manual pages of the
// same texts. Leaves colours to the screens.
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

// `# `, `## ` and `### ` headings; paragraphs, `- ` lists and lists of terms, each with `: ` and
// what it means on the lines below it, wrapped to `columns`; blocks indented by four blanks left as
// they are. The marks of `code` and of *arguments* go: a terminal's text does without.
std::vector<TextLine> layout_markdown(std::string_view markdown, int columns);

// A line of it without these marks.
std::string without_marks(std::string_view line);

// The part of a text below the heading `## HEADING`, with it; "" when there is none.
std::string markdown_section(std::string_view markdown, std::string_view heading);

}  // namespace pbm
