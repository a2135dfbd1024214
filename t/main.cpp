// SPDX-License-Identifier: MIT
// Catch2's main, the locale the program itself would take, and a last line
// that counts test cases.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <clocale>
#include <iostream>

namespace pbm::test {
int skipped_so_far();
}

namespace {

struct Count : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunEnded(const Catch::TestRunStats& run) override {
    const auto& cases = run.totals.testCases;
    passed = cases.passed + cases.failedButOk;
    failed = cases.failed;
  }
  static inline std::size_t passed = 0, failed = 0;
};
CATCH_REGISTER_LISTENER(Count)

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "C.UTF-8");
  const int status = Catch::Session().run(argc, argv);
  if (Count::passed + Count::failed > 0)
    std::cout << Count::passed << " passed, " << Count::failed << " failed, " << pbm::test::skipped_so_far() << " skipped" << std::endl;
  return status;
}
