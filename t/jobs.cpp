// SPDX-License-Identifier: MIT
// Tests of --jobs (main.cpp). The hidden tests, some of which fail, run only in the last test.
#include <signal.h>

#include "run.hpp"
#include "support.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("a test that passes", "[.apart]") { SUCCEED(); }
TEST_CASE("a test, \"quoted\" [or not], that fails", "[.apart]") { CHECK(1 == 2); }
TEST_CASE("a test that crashes", "[.apart]") { ::raise(SIGABRT); }
TEST_CASE("a test that is killed", "[.apart]") { ::raise(SIGKILL); }
TEST_CASE("a test behind all of them", "[.apart]") { SUCCEED(); }

TEST_CASE("a test that crashes is named, and no other is lost with it", "[jobs]") {
  const auto tests = std::filesystem::read_symlink("/proc/self/exe");
  const std::vector<std::string> words{"[.apart]", "--jobs", "1"};
  const RunResult ran = run_file(tests, words);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 1);
  CHECK(contains(ran.out, "Ended by signal 6: a test that crashes\n"));
  CHECK(contains(ran.out, "Ended by signal 9: a test that is killed\n"));
  CHECK(contains(ran.out, "that fails\n"));
  CHECK(ran.out.ends_with("\n2 passed, 3 failed, 0 skipped\n"));
  // On a terminal it also shows the progress.
  const TemporaryDirectory home;
  LaunchOptions launch;
  launch.program = tests;
  launch.arguments = words;
  launch.home = home.path();
  TerminalRun run(launch);
  CHECK(run.wait_exit().status == 1);
  for (int done = 1; done <= 5; ++done)
    CHECK(contains(run.output(), std::to_string(done) + " of 5 tests, "));
}
