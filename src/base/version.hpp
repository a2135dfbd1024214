// SPDX-License-Identifier: MIT
#pragma once

namespace pbm {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace pbm
