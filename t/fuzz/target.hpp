// SPDX-License-Identifier: MIT
// The base of all fuzz targets: each file here defines try_input(), which ends the process if the
// program treats the input wrongly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support.hpp"

namespace pbm::test {

// Tries one input of any bytes. Each target has its own.
void try_input(std::string_view input);

inline std::vector<std::string> split_input(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// True for a sentence for a person: one line of text, harmless to any terminal.
inline bool is_sentence(const std::string& text) {
  return !text.empty() && safe_text(text) == text;
}

}  // namespace pbm::test
