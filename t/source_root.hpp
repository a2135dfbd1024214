// SPDX-License-Identifier: MIT
// Finds the source tree: the directory in which the tests start. A tree may be renamed,
// or built elsewhere.
#pragma once

#include <filesystem>
#include <stdexcept>

namespace pbm::test {

// Read at the start, before a test can change the directory.
inline const std::filesystem::path kStartDirectory = std::filesystem::current_path();

// Throws if the program was not started at the root of the tree.
inline std::filesystem::path source_root() {
  if (!exists(kStartDirectory / "t" / "source_root.hpp"))
    throw std::runtime_error("Start this at the root of the source tree.");
  return kStartDirectory;
}

}  // namespace pbm::test
