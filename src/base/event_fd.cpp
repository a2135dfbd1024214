// SPDX-License-Identifier: MIT
#include "base/event_fd.hpp"

#include <sys/eventfd.h>

#include "base/error.hpp"

namespace pbm {

EventFd::EventFd() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!fd_.open()) throw Error("This system has no descriptors left to wait with.");
}

void EventFd::ring() const { static_cast<void>(::eventfd_write(fd_.get(), 1)); }

bool EventFd::clear() const {
  eventfd_t count = 0;
  return ::eventfd_read(fd_.get(), &count) == 0;
}

}  // namespace pbm
