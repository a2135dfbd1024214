// SPDX-License-Identifier: MIT
// Runs the tests of t/toy. They need their own table of games, so they are separate programs.
#include "run.hpp"
#include "support.hpp"

using namespace pbm::test;

namespace fs = std::filesystem;

TEST_CASE("a sixth game costs its own files and one row of the table, and gets everything",
          "[toy]") {
  RunOptions here;
  here.variables = {"PBM_PROGRAM=" + require_program().string(), "PBM_GAME=noughts"};
  const RunResult ran =
      run_file(require_program().parent_path() / "tests-toy", {"[toy],[conformance]"}, here);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
}

// Runs them in a copy of the source tree that also contains the toy game. The tests first write the
// files that each game needs.
TEST_CASE("with a sixth game the manual, the texts, golden games, scripts and the computer hold",
          "[toy][long]") {
  TemporaryDirectory tree;
  const auto links = [](const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    for (const auto& entry : fs::directory_iterator(from))
      if (!fs::exists(to / entry.path().filename()))
        fs::create_symlink(entry.path(), to / entry.path().filename());
  };
  for (const char* own : {"man", "rules", "saves", "t/golden", "t/scripts"}) {
    fs::create_directories((tree / own).parent_path());
    fs::copy(source_root() / own, tree / own, fs::copy_options::recursive);
  }
  links(source_root(), tree.path());
  links(source_root() / "t", tree / "t");
  const fs::path toy = source_root() / "t/toy";
  fs::copy(toy / "noughts.md", tree / "rules/noughts.md");
  fs::copy(toy / "noughts.txt", tree / "t/golden/noughts.txt");
  fs::copy(toy / "noughts.yaml", tree / "saves/noughts.yaml");

  RunOptions here;
  here.directory = tree.path();
  const std::vector<std::string> common{
      "PBM_PROGRAM=" + (require_program().parent_path() / "pbmplay-toy").string(),
      "PBMPLAY_DATA=" + tree.path().string()};
  const auto tests = [&](const char* which, const char* writing) {
    here.variables = common;
    if (*writing) here.variables.emplace_back(writing);
    const RunResult ran = run_file(require_program().parent_path() / "tests-toy", {which}, here);
    INFO(which << ' ' << writing << '\n' << ran.out << ran.err);
    CHECK(ran.status == 0);
  };
  tests("[golden]", "PBM_GOLDEN=write");
  tests("every script makes the screens*", "PBM_WRITE_SCRIPTS=1");
  tests("pbmplay(6) has every game*", "PBM_WRITE_MAN=1");
  for (const char* which : {"[golden]", "[scripts]", "[docs]", "[man]", "[exercises]", "[threats]",
                            "[engine]~[long]", "[cli]~[long]"})
    tests(which, "");
}
