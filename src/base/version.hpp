// SPDX-License-Identifier: MIT
// Which version this is. Leaves finding out the commit to the Makefile.
#pragma once

#include <string>

namespace pbm {

inline constexpr const char* kVersion = "0.1.0";

// The version, and the tag or commit it was built from where that says more: "0.1.0 (4666fb2c99)".
std::string version_text();

}  // namespace pbm
