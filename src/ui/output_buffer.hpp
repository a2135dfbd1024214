// SPDX-License-Identifier: MIT
// Collects the writes of one picture and sends them in one write. Over SSH each write is a packet,
// and each packet makes the terminal draw half a picture. Leaves the content to its callers.
#pragma once

#include <sys/types.h>

#include <functional>

#include "base/unique_fd.hpp"

namespace pbm {

// A file descriptor whose output can be collected in memory.
class OutputBuffer {
 public:
  // `fd` is open, and its owner keeps it. Without memory for the output, writes go out at once.
  explicit OutputBuffer(int fd);
  ~OutputBuffer();
  // Calls `write` and then sends its output to the descriptor in one piece. Meanwhile the
  // descriptor is no terminal, so `write` must not ask for its size.
  void send_together(const std::function<void()>& write);

 private:
  void send_buffer();
  static constexpr off_t kMaxBytes = 1 << 28;  // bytes; larger than any picture

  int fd_;
  UniqueFd target_, memory_;
  const char* bytes_;     // the mapped memory_
  off_t sent_count_ = 0;  // how many of them were sent
};

}  // namespace pbm
