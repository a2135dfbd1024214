// SPDX-License-Identifier: MIT
#include "base/zeroed_memory.hpp"

#include <sys/mman.h>

#include "base/result.hpp"

namespace pbm {

ZeroedBytes::ZeroedBytes(std::size_t bytes) {
  void* const at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw Error("there is not enough memory");
  ::madvise(at, bytes, MADV_HUGEPAGE);  // without huge pages it uses small ones
  memory_ = {at, {bytes}};
}

void ZeroedBytes::Unmap::operator()(void* at) const { ::munmap(at, bytes); }

}  // namespace pbm
