// SPDX-License-Identifier: MIT
// The world failed: a disk is full, a terminal is gone. Thrown where it happens, caught once per
// front end. Leaves bad input to result.hpp.
#pragma once

#include <stdexcept>

namespace pbm {

// One sentence for a person, naming the file or device and the system's reason.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pbm
