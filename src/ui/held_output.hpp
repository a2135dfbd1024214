// SPDX-License-Identifier: MIT
// What is written to a descriptor piece by piece, sent in one piece: over SSH each write is a
// packet, and each wakes the terminal to draw half a picture. Leaves what is written to its users.
#pragma once

#include <sys/types.h>

#include <functional>

#include "base/unique_fd.hpp"

namespace pbm {

class HeldOutput {
 public:
  // Of `fd`, which is open and stays somebody else's. Where memory to write to cannot be had
  // nothing is held.
  explicit HeldOutput(int fd);
  ~HeldOutput();
  // What `write` writes to it is sent when it is done. `write` may ask no question of the
  // descriptor, as of a terminal's size: for so long it is no terminal.
  void together(const std::function<void()>& write);

 private:
  void send_held();
  static constexpr off_t kMost = 1 << 28;  // bytes; more than any picture has

  int fd_;
  UniqueFd real_, memory_;
  const char* bytes_;  // of memory_
  off_t sent_ = 0;     // of them
};

}  // namespace pbm
