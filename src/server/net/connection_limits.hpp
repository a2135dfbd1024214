// SPDX-License-Identifier: MIT
// What one peer may make the server hold for it, and for how long.
#pragma once

#include <chrono>
#include <cstddef>

namespace pbm {

// How far a peer may be behind.
struct ConnectionLimits {
  // Bytes of events: above it a reader who does not read is dropped. A ply is 40 bytes of them, so
  // this is a busy evening; and those of all the connections there may be stay far below what all
  // may have unread together.
  std::size_t events = std::size_t{256} << 10;
  // Bytes of replies: above it no more of his lines are read until he reads.
  std::size_t replies = std::size_t{64} << 10;
  std::chrono::milliseconds farewell{2000};  // to read what was sent last
  std::chrono::milliseconds nobody{30'000};  // silent, before it has said for whom it speaks
};

}  // namespace pbm
