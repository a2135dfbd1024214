// SPDX-License-Identifier: MIT
// Checks on all output of a server, for fuzz targets and tests.
#pragma once

#include <sstream>
#include <string>

#include "base/text.hpp"

namespace pbm::test {

// True if `said` consists of events and complete replies, each with a first and a last line.
inline bool is_complete_output(const std::string& said) {
  bool inside = false;
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);) {
    for (const char c : line)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
    if (!is_valid_utf8(line)) return false;
    if (inside) {
      inside = line != ".";
    } else if (line.substr(0, 2) != "* ") {
      if (line.substr(0, 4) != "+OK " && line.substr(0, 5) != "-ERR ") return false;
      inside = true;
    }
  }
  return !inside && (said.empty() || said.back() == '\n');
}

}  // namespace pbm::test
