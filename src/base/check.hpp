// SPDX-License-Identifier: MIT
// Our own mistakes: check() is always on and throws Bug. Leaves bad input to result.hpp and the
// world's failures to error.hpp.
#pragma once

#include <stdexcept>
#include <string>

namespace pbm {

// This program broke a promise to itself.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug with `broken` unless `holds`.
inline void check(bool holds, const char* broken) {
  if (!holds) [[unlikely]]
    throw Bug(std::string("this program has a fault: ") + broken);
}

}  // namespace pbm
