// SPDX-License-Identifier: MIT
// Tests the Makefile in a small tree with a fake compiler, apt-get and id: what it prints, what it
// asks for, and where it puts its files.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// The compiler writes half of a file that is to fail. A linked program is a script that prints how
// it was started. The headers it has are the lines of a file.
constexpr const char* kCompiler = R"sh(#!/bin/sh
case " $* " in
  *" --version "*) cat "$FAKE/version"; exit;;
  *" -print-file-name="*) exit;;
  *" -E "*) read -r line; grep -qxF "$line" "$FAKE/headers"; exit;;
esac
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
echo "$out: $MAKEFLAGS" >> "$FAKE/log"
case $out in *"$(cat "$FAKE/broken")") echo half > "$out"; exit 1;; esac
printf '#!/bin/sh\necho "ran $* on $PBM_PROGRAM"\n' > "$out"
chmod +x "$out"
)sh";
// apt-get can install the headers in $FAKE/more and one compiler.
constexpr const char* kAptGet = R"sh(#!/bin/sh
echo "$*" >> "$FAKE/apt"
case $* in *install*) cat "$FAKE/more" >> "$FAKE/headers"; cp "$FAKE/bin/cxx" "$FAKE/bin/clang++-99";; esac
)sh";

struct FakeTree {
  TemporaryDirectory directory;
  fs::path fake_directory = directory / "fake", tree_root = directory / "a tree";

  FakeTree() {
    fs::create_directories(fake_directory / "bin");
    write_script("cxx", kCompiler);
    write_script("apt-get", kAptGet);
    write_script("id", "#!/bin/sh\necho 0\n");
    for (const char* file : {"log", "apt", "more"}) write(file, "");
    write("version", "fake 1.0\n");
    write("broken", "nothing\n");
    write("all", include_lines({"curses.h", "boost/program_options.hpp", "boost/context/fiber.hpp",
                                "yaml-cpp/yaml.h", "sodium.h", "sqlite3.h",
                                "gmime-3.0/gmime/gmime-version.h", "t/catch.hpp", "vterm.h"}));
    fs::copy(fake_directory / "all", fake_directory / "headers");
    fs::create_directory(tree_root);
    fs::copy(source_root() / "Makefile", tree_root / "Makefile");
    fs::copy(source_root() / ".ci", tree_root / ".ci");
    for (const char* folder : {"man", "rules"})
      fs::copy(source_root() / folder, tree_root / folder);
    for (const char* file : {"src/main",
                             "src/cli/paths",
                             "src/games/registry",
                             "t/main",
                             "t/conformance",
                             "t/test_app",
                             "t/run",
                             "t/toy/registry",
                             "t/toy/noughts",
                             "t/toy/sixth_game",
                             "t/pictures/screens",
                             "t/support",
                             "t/power_cut/recorder",
                             "src/ui/app",
                             "src/ui/theme",
                             "t/terminal",
                             "t/bench/bench",
                             "t/bench/server",
                             "t/bench/strength",
                             "src/base/version",
                             "src/mail/main"})
      write_source(std::string(file) + ".cpp");
    write_source("src/base/version.hpp");
    write_source("t/support.hpp");
    write_source("t/power_cut/record.hpp");
  }

  static std::string include_lines(const std::vector<std::string>& headers) {
    std::string out;
    for (const std::string& header : headers) out += "#include <" + header + ">\n";
    return out;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(fake_directory / name) << text;
  }
  void write_script(const std::string& name, const std::string& text) const {
    write("bin/" + name, text);
    fs::permissions(fake_directory / "bin" / name, fs::perms(0755));
  }
  void write_source(const std::string& name) const {
    fs::create_directories((tree_root / name).parent_path());
    std::ofstream(tree_root / name) << "//\n";
  }

  RunResult make(const std::string& words, const std::vector<std::string>& more = {}) const {
    RunOptions there;
    there.directory = tree_root;
    there.variables = {"FAKE=" + fake_directory.string(),
                       "PATH=" + (fake_directory / "bin").string() + ":/usr/bin:/bin"};
    there.variables.insert(there.variables.end(), more.begin(), more.end());
    const bool compiler = words.find("CXX=") != std::string::npos;
    return run_shell(
        "make TEST_PROGRAMS= POSTFIX=: " + std::string(compiler ? "" : "CXX=cxx ") + words, there);
  }
  // The same, for a run that must succeed without errors or warnings.
  std::string make_cleanly(const std::string& words,
                           const std::vector<std::string>& more = {}) const {
    const RunResult ran = make(words, more);
    INFO("make " << words << ": " << ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    return ran.out;
  }
  std::string compile_log() const { return read_bytes(fake_directory / "log"); }
};

}  // namespace

TEST_CASE(
    "a tree and a BUILD with blanks in their paths are built, checked, found again and cleaned",
    "[build]") {
  const FakeTree tree;
  const std::string build = GENERATE("build", "my build", "../else where/b", "../elsewhere");
  INFO(build);
  const fs::path there = fs::weakly_canonical(tree.tree_root / build);
  const std::string words = "BUILD='" + build + "'";
  CHECK(contains(tree.make_cleanly("check " + words), "ran ~[long]~[.] --jobs "));
  CHECK(fs::exists(there / "tests"));
  CHECK(fs::exists(there / "man/pbmplay.6"));
  CHECK(contains(tree.make_cleanly("check " + words), "on " + (there / "pbmplay").string() + "\n"));
  // Inside the tree, the program finds the texts above it; elsewhere it needs the link.
  CHECK(fs::exists(there / "tree/rules") == (build[0] == '.'));
  CHECK(tree.make_cleanly(words).empty());
  CHECK(tree.make_cleanly("man " + words).empty());
  CHECK(tree.make_cleanly("clean " + words).empty());
  CHECK_FALSE(fs::exists(there));
  for (const auto& entry : fs::directory_iterator(tree.tree_root))
    CHECK(entry.path().filename().string().substr(0, 6) != ".build");
}

TEST_CASE("as many jobs run as the caller of make said, and nothing warns", "[build]") {
  for (const std::string jobs : {"-j3", "-j1", "--jobs=5 -k"}) {
    const FakeTree tree;
    const std::string n(1, jobs[jobs.find_first_of("135")]);
    CHECK(contains(tree.make_cleanly("check " + jobs), "--jobs " + n + " "));
    CHECK(contains(tree.compile_log(), "-j" + n));
  }
  const FakeTree tree;
  CHECK(contains(tree.make_cleanly("check -j"), "--jobs "));
  tree.make_cleanly("clean");
  CHECK(contains(tree.make_cleanly("check", {"MAKEFLAGS=-j7"}), "--jobs 7 "));
  tree.make_cleanly("clean");
  tree.write("log", "");
  CHECK(contains(tree.make_cleanly("check"), "--jobs "));
  CHECK(contains(tree.compile_log(), "-j"));  // on all cores
}

TEST_CASE("what is half written when its compiler fails is not taken for made", "[build]") {
  const FakeTree tree;
  tree.write("broken", "paths.o");
  CHECK(tree.make("").status != 0);
  CHECK(fs::exists(tree.tree_root / "build/release/src"));
  CHECK_FALSE(fs::exists(tree.tree_root / "build/release/src/cli/paths.o"));
  tree.write("broken", "nothing");
  tree.make_cleanly("");
  CHECK(fs::exists(tree.tree_root / "build/pbmplay"));
}

TEST_CASE("another compiler makes everything anew", "[build]") {
  const FakeTree tree;
  tree.make_cleanly("");
  tree.write("log", "");
  tree.make_cleanly("");
  CHECK(tree.compile_log().empty());
  tree.write("version", "fake 2.0\n");
  tree.make_cleanly("");
  for (const char* file : {"library.hpp.gch:", "main.o:", "registry.o:", "build/pbmplay:"})
    CHECK(contains(tree.compile_log(), file));
}

TEST_CASE("goals asked for together make nothing twice, and install once", "[build]") {
  const FakeTree tree;
  tree.write("headers", FakeTree::include_lines({"curses.h", "boost/program_options.hpp"}));
  tree.write("more", read_bytes(tree.fake_directory / "all"));
  const std::string nothing = " NEEDED_lint= NEEDED_bench= NEEDED_deb=";
  tree.make_cleanly("-j4 all check bench check-sanitized man" + nothing);
  const std::string apt = read_bytes(tree.fake_directory / "apt");
  CHECK(std::count(apt.begin(), apt.end(), '\n') == 2);  // an update, an install
  std::vector<std::string> made;
  std::istringstream log(tree.compile_log());
  for (std::string line; std::getline(log, line);) made.push_back(line.substr(0, line.find(':')));
  std::sort(made.begin(), made.end());
  CHECK(made.size() > 20);
  CHECK(std::adjacent_find(made.begin(), made.end()) == made.end());
}

TEST_CASE("the sources of a directory are compiled together, with DEV=1 each by itself",
          "[build]") {
  const FakeTree tree;
  tree.make_cleanly("");
  CHECK(contains(tree.compile_log(), "build/release/unit/ui.o:"));
  CHECK_FALSE(contains(tree.compile_log(), "app.o:"));
  const std::string unit = "#include \"src/ui/app.cpp\"\n#include \"src/ui/theme.cpp\"\n";
  CHECK(read_bytes(tree.tree_root / "build/unit/ui.cpp") == unit);
  // A deleted source is no longer in the unit.
  fs::remove(tree.tree_root / "src/ui/theme.cpp");
  tree.write("log", "");
  tree.make_cleanly("");
  CHECK(contains(tree.compile_log(), "unit/ui.o:"));
  CHECK(contains(tree.compile_log(), "build/pbmplay:"));
  tree.make_cleanly("DEV=1");
  CHECK(contains(tree.compile_log(), "src/ui/app.o:"));
}

TEST_CASE("other options make what they are for anew, and nothing else", "[build]") {
  const FakeTree tree;
  tree.make_cleanly("check");
  tree.write("log", "");
  tree.make_cleanly("check OPT=-O0");
  CHECK(contains(tree.compile_log(), "registry.o:"));
  CHECK_FALSE(contains(tree.compile_log(), "conformance.o:"));
  tree.write("log", "");
  tree.make_cleanly("check OPT=-O0");
  CHECK(tree.compile_log().empty());
}

TEST_CASE("what is missing is named and installed in one go, and looked for again", "[build]") {
  const FakeTree tree;
  tree.write("headers", FakeTree::include_lines({"curses.h", "yaml-cpp/yaml.h"}));
  tree.write("more", FakeTree::include_lines({"boost/program_options.hpp",
                                              "boost/context/fiber.hpp", "sodium.h", "sqlite3.h",
                                              "gmime-3.0/gmime/gmime-version.h", "t/catch.hpp"}));
  const std::string all =
      " libboost-program-options-dev libboost-context-dev libsodium-dev libsqlite3-dev "
      "libgmime-3.0-dev catch2 libvterm-dev\n";
  RunResult ran = tree.make("check");
  CHECK(ran.status != 0);
  CHECK(ran.out == "Installing" + all + "Still missing: vterm.h\n");
  CHECK(read_bytes(tree.fake_directory / "apt") ==
        "-qq update\n-qq install -y --no-install-recommends" + all);
  CHECK(tree.compile_log().empty());
  tree.write("more", FakeTree::include_lines({"vterm.h"}));
  CHECK(contains(tree.make_cleanly("check"), "Installing libvterm-dev\n"));
  CHECK_FALSE(contains(tree.make_cleanly("check"), "Installing"));
  // Without root and sudo, make says what to do.
  tree.write("headers", "");
  tree.make_cleanly("clean");
  tree.write_script("id", "#!/bin/sh\necho 1000\n");
  if (run_shell("command -v sudo").status == 0) tree.write_script("sudo", "#!/bin/sh\nexit 1\n");
  ran = tree.make("deps");
  CHECK(ran.status != 0);
  CHECK(contains(ran.out,
                 "As root: apt-get install libncurses-dev libboost-program-options-dev "
                 "libboost-context-dev libyaml-cpp-dev libsodium-dev libsqlite3-dev\n"));
}

TEST_CASE("a compiler that is not there is installed by its package's name", "[build]") {
  const FakeTree tree;
  CHECK(contains(tree.make_cleanly("CXX=clang++-99"), "Installing clang-99"));
  CHECK(fs::exists(tree.tree_root / "build/pbmplay"));
}

TEST_CASE("the manual is dated by SOURCE_DATE_EPOCH where that is set", "[build]") {
  const FakeTree tree;
  tree.make_cleanly("man", {"SOURCE_DATE_EPOCH=86400"});
  for (const char* page : {"pbmplay.6", "pbmplay-toot.6"})
    CHECK(contains(read_bytes(tree.tree_root / "build/man" / page), ".Dd January 2, 1970\n"));
}
