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

struct Tree {
  TemporaryDirectory place;
  fs::path fake = place / "fake", root = place / "a tree";

  Tree() {
    fs::create_directories(fake / "bin");
    script("cxx", kCompiler);
    script("apt-get", kAptGet);
    script("id", "#!/bin/sh\necho 0\n");
    for (const char* file : {"log", "apt", "more"}) write(file, "");
    write("version", "fake 1.0\n");
    write("broken", "nothing\n");
    write("all", includes({"curses.h", "boost/program_options.hpp", "boost/context/fiber.hpp",
                           "yaml-cpp/yaml.h", "sodium.h", "sqlite3.h",
                           "gmime-3.0/gmime/gmime-version.h", "t/catch.hpp", "vterm.h"}));
    fs::copy(fake / "all", fake / "headers");
    fs::create_directory(root);
    fs::copy(source_root() / "Makefile", root / "Makefile");
    fs::copy(source_root() / ".ci", root / ".ci");
    for (const char* directory : {"man", "rules"})
      fs::copy(source_root() / directory, root / directory);
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
                             "t/pictures/svg",
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
      source(std::string(file) + ".cpp");
    source("t/support.hpp");
    source("t/power_cut/record.hpp");
  }

  static std::string includes(const std::vector<std::string>& headers) {
    std::string out;
    for (const std::string& header : headers) out += "#include <" + header + ">\n";
    return out;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(fake / name) << text;
  }
  void script(const std::string& name, const std::string& text) const {
    write("bin/" + name, text);
    fs::permissions(fake / "bin" / name, fs::perms(0755));
  }
  void source(const std::string& name) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << "//\n";
  }

  Ran make(const std::string& words, const std::vector<std::string>& more = {}) const {
    Surroundings there;
    there.directory = root;
    there.variables = {"FAKE=" + fake.string(),
                       "PATH=" + (fake / "bin").string() + ":/usr/bin:/bin"};
    there.variables.insert(there.variables.end(), more.begin(), more.end());
    const bool compiler = words.find("CXX=") != std::string::npos;
    return run_shell(
        "make TEST_PROGRAMS= POSTFIX=: " + std::string(compiler ? "" : "CXX=cxx ") + words, there);
  }
  // The same, for a run that must succeed without errors or warnings.
  std::string made(const std::string& words, const std::vector<std::string>& more = {}) const {
    const Ran ran = make(words, more);
    INFO("make " << words << ": " << ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    return ran.out;
  }
  std::string log() const { return bytes_of(fake / "log"); }
};

}  // namespace

TEST_CASE(
    "a tree and a BUILD with blanks in their paths are built, checked, found again and cleaned",
    "[build]") {
  const Tree tree;
  const std::string build = GENERATE("build", "my build", "../else where/b", "../elsewhere");
  INFO(build);
  const fs::path there = fs::weakly_canonical(tree.root / build);
  const std::string words = "BUILD='" + build + "'";
  CHECK(has(tree.made("check " + words), "ran ~[long]~[.] --jobs "));
  CHECK(fs::exists(there / "tests"));
  CHECK(fs::exists(there / "man/pbmplay.6"));
  CHECK(has(tree.made("check " + words), "on " + (there / "pbmplay").string() + "\n"));
  // Inside the tree, the program finds the texts above it; elsewhere it needs the link.
  CHECK(fs::exists(there / "tree/rules") == (build[0] == '.'));
  CHECK(tree.made(words).empty());
  CHECK(tree.made("man " + words).empty());
  CHECK(tree.made("clean " + words).empty());
  CHECK_FALSE(fs::exists(there));
  for (const auto& entry : fs::directory_iterator(tree.root))
    CHECK(entry.path().filename().string().substr(0, 6) != ".build");
}

TEST_CASE("as many jobs run as the caller of make said, and nothing warns", "[build]") {
  for (const std::string jobs : {"-j3", "-j1", "--jobs=5 -k"}) {
    const Tree tree;
    const std::string n(1, jobs[jobs.find_first_of("135")]);
    CHECK(has(tree.made("check " + jobs), "--jobs " + n + " "));
    CHECK(has(tree.log(), "-j" + n));
  }
  const Tree tree;
  CHECK(has(tree.made("check -j"), "--jobs "));
  tree.made("clean");
  CHECK(has(tree.made("check", {"MAKEFLAGS=-j7"}), "--jobs 7 "));
  tree.made("clean");
  tree.write("log", "");
  CHECK(has(tree.made("check"), "--jobs "));
  CHECK(has(tree.log(), "-j"));  // on all cores
}

TEST_CASE("what is half written when its compiler fails is not taken for made", "[build]") {
  const Tree tree;
  tree.write("broken", "paths.o");
  CHECK(tree.make("").status != 0);
  CHECK(fs::exists(tree.root / "build/release/src"));
  CHECK_FALSE(fs::exists(tree.root / "build/release/src/cli/paths.o"));
  tree.write("broken", "nothing");
  tree.made("");
  CHECK(fs::exists(tree.root / "build/pbmplay"));
}

TEST_CASE("another compiler makes everything anew", "[build]") {
  const Tree tree;
  tree.made("");
  tree.write("log", "");
  tree.made("");
  CHECK(tree.log().empty());
  tree.write("version", "fake 2.0\n");
  tree.made("");
  for (const char* file : {"library.hpp.gch:", "main.o:", "registry.o:", "build/pbmplay:"})
    CHECK(has(tree.log(), file));
}

TEST_CASE("goals asked for together make nothing twice, and install once", "[build]") {
  const Tree tree;
  tree.write("headers", Tree::includes({"curses.h", "boost/program_options.hpp"}));
  tree.write("more", bytes_of(tree.fake / "all"));
  const std::string nothing = " NEEDED_lint= NEEDED_bench= NEEDED_deb=";
  tree.made("-j4 all check bench check-sanitized man" + nothing);
  const std::string apt = bytes_of(tree.fake / "apt");
  CHECK(std::count(apt.begin(), apt.end(), '\n') == 2);  // an update, an install
  std::vector<std::string> made;
  std::istringstream log(tree.log());
  for (std::string line; std::getline(log, line);) made.push_back(line.substr(0, line.find(':')));
  std::sort(made.begin(), made.end());
  CHECK(made.size() > 20);
  CHECK(std::adjacent_find(made.begin(), made.end()) == made.end());
}

TEST_CASE("the sources of a directory are compiled together, with DEV=1 each by itself",
          "[build]") {
  const Tree tree;
  tree.made("");
  CHECK(has(tree.log(), "build/release/unit/ui.o:"));
  CHECK_FALSE(has(tree.log(), "app.o:"));
  const std::string unit = "#include \"src/ui/app.cpp\"\n#include \"src/ui/theme.cpp\"\n";
  CHECK(bytes_of(tree.root / "build/unit/ui.cpp") == unit);
  // A deleted source is no longer in the unit.
  fs::remove(tree.root / "src/ui/theme.cpp");
  tree.write("log", "");
  tree.made("");
  CHECK(has(tree.log(), "unit/ui.o:"));
  CHECK(has(tree.log(), "build/pbmplay:"));
  tree.made("DEV=1");
  CHECK(has(tree.log(), "src/ui/app.o:"));
}

TEST_CASE("other options make what they are for anew, and nothing else", "[build]") {
  const Tree tree;
  tree.made("check");
  tree.write("log", "");
  tree.made("check OPT=-O0");
  CHECK(has(tree.log(), "registry.o:"));
  CHECK_FALSE(has(tree.log(), "conformance.o:"));
  tree.write("log", "");
  tree.made("check OPT=-O0");
  CHECK(tree.log().empty());
}

TEST_CASE("what is missing is named and installed in one go, and looked for again", "[build]") {
  const Tree tree;
  tree.write("headers", Tree::includes({"curses.h", "yaml-cpp/yaml.h"}));
  tree.write("more",
             Tree::includes({"boost/program_options.hpp", "boost/context/fiber.hpp", "sodium.h",
                             "sqlite3.h", "gmime-3.0/gmime/gmime-version.h", "t/catch.hpp"}));
  const std::string all =
      " libboost-program-options-dev libboost-context-dev libsodium-dev libsqlite3-dev "
      "libgmime-3.0-dev catch2 libvterm-dev\n";
  Ran ran = tree.make("check");
  CHECK(ran.status != 0);
  CHECK(ran.out == "Installing" + all + "Still missing: vterm.h\n");
  CHECK(bytes_of(tree.fake / "apt") == "-qq update\n-qq install -y --no-install-recommends" + all);
  CHECK(tree.log().empty());
  tree.write("more", Tree::includes({"vterm.h"}));
  CHECK(has(tree.made("check"), "Installing libvterm-dev\n"));
  CHECK_FALSE(has(tree.made("check"), "Installing"));
  // Without root and sudo, make says what to do.
  tree.write("headers", "");
  tree.made("clean");
  tree.script("id", "#!/bin/sh\necho 1000\n");
  if (run_shell("command -v sudo").status == 0) tree.script("sudo", "#!/bin/sh\nexit 1\n");
  ran = tree.make("deps");
  CHECK(ran.status != 0);
  CHECK(has(ran.out,
            "As root: apt-get install libncurses-dev libboost-program-options-dev "
            "libboost-context-dev libyaml-cpp-dev libsodium-dev libsqlite3-dev\n"));
}

TEST_CASE("a compiler that is not there is installed by its package's name", "[build]") {
  const Tree tree;
  CHECK(has(tree.made("CXX=clang++-99"), "Installing clang-99"));
  CHECK(fs::exists(tree.root / "build/pbmplay"));
}

TEST_CASE("the manual is dated by SOURCE_DATE_EPOCH where that is set", "[build]") {
  const Tree tree;
  tree.made("man", {"SOURCE_DATE_EPOCH=86400"});
  for (const char* page : {"pbmplay.6", "pbmplay-toot.6"})
    CHECK(has(bytes_of(tree.root / "build/man" / page), ".Dd January 2, 1970\n"));
}
