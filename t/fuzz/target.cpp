// SPDX-License-Identifier: MIT
#include "target.hpp"

#include <clocale>

// libFuzzer requires these names.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::setlocale(LC_ALL, "C.UTF-8");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pbm::test::try_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
