// SPDX-License-Identifier: MIT
#include "base/descriptor.hpp"

#include <unistd.h>

namespace pbm {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace pbm
