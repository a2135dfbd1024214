// SPDX-License-Identifier: MIT
// Formats the small subset of Markdown in rules/ and man/ for a given width. Screen, line mode and
// command line show help from these texts. man/mdoc.awk makes manual pages from them. Leaves
// colours to the screens.
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

// Formats `# `, `## ` and `### ` headings, paragraphs and `- ` lists, and wraps text to `columns`.
// Also formats lists of terms, whose meanings follow on lines that begin with `: `. Copies blocks
// that are indented by four blanks. Removes the marks of `code` and *arguments*.
std::vector<TextLine> format_markdown(std::string_view markdown, int columns);

// Returns `line` without the marks of `code` and *arguments*.
std::string strip_marks(std::string_view line);

// Returns the section with the heading `## HEADING`, including the heading, or "".
std::string find_markdown_section(std::string_view markdown, std::string_view heading);

}  // namespace pbm
