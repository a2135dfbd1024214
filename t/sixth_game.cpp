// SPDX-License-Identifier: MIT
// The tests of t/toy, which need a table of games of their own and so are
// programs of their own.
#include "run.hpp"
#include "support.hpp"

using namespace pbm::test;

TEST_CASE("a sixth game costs its own files and one row of the table, and gets everything",
          "[toy]") {
  Surroundings here;
  here.variables = {"PBM_PROGRAM=" + program().string(), "PBM_GAME=noughts"};
  const Ran ran = run_file(program().parent_path() / "tests-toy", {"[toy],[conformance]"}, here);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
}
