// SPDX-License-Identifier: MIT
// Where the source tree is: the directory the tests are started in, so that a
// tree that was renamed, or is built elsewhere, is found where it is now.
#pragma once

#include <filesystem>
#include <stdexcept>

namespace pbm::test {

// Asked before anything can have changed it.
inline const std::filesystem::path kStartedIn = std::filesystem::current_path();

// Throws when the program was not started at the root of the tree.
inline std::filesystem::path source_root() {
  if (!exists(kStartedIn / "t" / "source_root.hpp"))
    throw std::runtime_error("Start this at the root of the source tree.");
  return kStartedIn;
}

}  // namespace pbm::test
