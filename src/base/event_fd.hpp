// SPDX-License-Identifier: MIT
// A bell: one thread or one line of the program rings it, another waits for it beside what else it
// waits for. Leaves waiting for both to wait_set.hpp.
#pragma once

#include "base/unique_fd.hpp"

namespace pbm {

// An eventfd(2): readable from the first ring() on until clear(). Any thread may do both.
class EventFd {
 public:
  // Throws Error when the system has no descriptor left.
  EventFd();
  // For poll(2): readable while it rings.
  int get() const { return fd_.get(); }
  void ring() const;
  // Whether it rang.
  bool clear() const;

 private:
  UniqueFd fd_;
};

}  // namespace pbm
