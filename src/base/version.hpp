// SPDX-License-Identifier: MIT
// The version of this program. Leaves finding the commit to the Makefile.
#pragma once

#include <string>

namespace pbm {

inline constexpr const char* kVersion = "1.0.0";

// Returns the version, and the tag or commit of the build if it differs: "1.0.0 (4666fb2c99)".
std::string version_text();

}  // namespace pbm
