// SPDX-License-Identifier: MIT
#include "base/zeroed_memory.hpp"

#include <sys/mman.h>

#include "base/error.hpp"

namespace pbm {

ZeroedBytes::ZeroedBytes(std::size_t bytes) : bytes_(bytes) {
  at_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at_ == MAP_FAILED) {
    at_ = nullptr;
    throw Error("there is not enough memory");
  }
  ::madvise(at_, bytes, MADV_HUGEPAGE);  // where it has none, small ones do
}

ZeroedBytes::~ZeroedBytes() {
  if (at_) ::munmap(at_, bytes_);
}

}  // namespace pbm
