// SPDX-License-Identifier: MIT
// Tests `make install` into a temporary directory. The installed program must run from anywhere,
// also after a move, and `make uninstall` must remove it. It copies what is built already.
#include <algorithm>
#include <fstream>
#include <regex>

#include "base/version.hpp"
#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> list_files(const fs::path& directory) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (!entry.is_directory()) out.push_back(fs::relative(entry.path(), directory).string());
  std::sort(out.begin(), out.end());
  return out;
}

bool has_file(const std::vector<std::string>& files, const std::string& name) {
  return std::find(files.begin(), files.end(), name) != files.end();
}

// Runs the tree's Makefile for `target`, with `prefix` as PREFIX and `root` as DESTDIR.
void run_make(const std::string& target, const fs::path& root,
              const std::string& prefix = "/games") {
  const RunResult ran = run_shell("make -s -C '" + source_root().string() + "' " + target +
                                  " BUILD='" + require_program().parent_path().string() +
                                  "' PREFIX='" + prefix + "' DESTDIR='" + root.string() + "'");
  INFO(ran.out << ran.err);
  REQUIRE(ran.status == 0);
}

}  // namespace

TEST_CASE("make install puts the program, its texts and its manual where they belong",
          "[install]") {
  const TemporaryDirectory root;
  run_make("install-files", root.path());
  const auto files = list_files(root.path());
  CHECK(has_file(files, "games/bin/pbmplay"));
  for (const char* file : {"bash-completion/completions/pbmplay", "zsh/site-functions/_pbmplay",
                           "fish/vendor_completions.d/pbmplay.fish"})
    CHECK(has_file(files, "games/share/" + std::string(file)));
  CHECK(contains(read_bytes(root / "games/lib/systemd/system/pbmplay.service"),
                 "\nExecStart=/games/bin/pbmplay serve --dir "));
  CHECK(contains(read_bytes(root / "games/lib/systemd/system/pbmplay-bot@.service"),
                 "\nExecStart=/games/bin/pbmplay bot --socket "));
  CHECK(has_file(files, "games/share/doc/pbmplay/README.md"));
  CHECK(has_file(files, "games/share/doc/pbmplay/LICENSE"));
  for (const char* directory : {"rules", "themes", "saves"})
    for (const std::string& file : list_files(source_root() / directory))
      CHECK(has_file(files, "games/share/pbmplay/" + std::string(directory) + "/" + file));
  for (const auto& entry : fs::directory_iterator(source_root() / "man")) {
    if (entry.path().extension() != ".md") continue;
    // Each file as a help text and as a manual page: "pbmplay.6.md" in man6.
    const std::string page = entry.path().stem().string();
    CHECK(has_file(files, "games/share/pbmplay/man/" + entry.path().filename().string()));
    CHECK(has_file(files, "games/share/man/man" + page.substr(page.rfind('.') + 1) + "/" + page));
  }
  for (const GameType& game : all_games())
    CHECK(has_file(files, "games/share/man/man6/pbmplay-" + std::string(game.name) + ".6"));
  for (const std::string& file : files) {
    INFO(file);
    const auto mode = fs::status(root / file).permissions();
    const bool runs = file == "games/bin/pbmplay" || file == "games/bin/pbmplay-mail";
    CHECK(mode == (runs ? fs::perms(0755) : fs::perms(0644)));
  }
}

TEST_CASE("the installed program runs from elsewhere with an empty home, and wherever it is moved",
          "[install]") {
  const TemporaryDirectory root, home, elsewhere;
  run_make("install-files", root.path());
  fs::path tree = root / "games";
  for (int moved = 0; moved < 2; ++moved) {
    const fs::path installed = tree / "bin" / "pbmplay";
    RunOptions there;
    there.home = home.path();
    there.directory = elsewhere.path();
    CHECK(run_file(installed, {"--version"}, there).out == run_program({"--version"}).out);
    for (const char* topic : {"keys", "saves", "commands", "server"})
      CHECK(run_file(installed, {"help", topic}, there).out == run_program({"help", topic}).out);
    for (const GameType& game : all_games()) {
      const std::string name(game.name);
      CHECK(run_file(installed, {"help", name}, there).out == run_program({"help", name}).out);
      CHECK(run_file(installed, {"show", "example:" + name}, there).status == 0);  // an example
    }
    CHECK(run_file(installed, {"--theme=amber", "--line"}, there).err == "");
    // Through a symbolic link in the PATH.
    fs::create_symlink(installed, elsewhere / "play");
    CHECK(run_file(elsewhere / "play", {"help", std::string(all_games().front().name)}, there)
              .status == 0);
    fs::remove(elsewhere / "play");
    CHECK(list_files(home.path()).empty());
    fs::rename(tree, root / "moved");
    tree = root / "moved";
  }
}

TEST_CASE("the programs bind every symbol at the start", "[install]") {
  for (const char* name : {"pbmplay", "pbmplay-mail"}) {
    const fs::path program = require_program().parent_path() / name;
    const RunResult section = run_shell("readelf -d '" + program.string() + "'");
    INFO(program << section.err);
    CHECK(contains(section.out, "BIND_NOW"));
  }
}

TEST_CASE("every file that an installed text links to is installed with it", "[install]") {
  const TemporaryDirectory root;
  run_make("install-files", root.path());
  const fs::path texts = root / "games/share/doc/pbmplay";
  static const std::regex link(R"(\]\(([^):#]+)\))");
  std::size_t links = 0;
  for (const std::string& file : list_files(texts)) {
    if (!file.ends_with(".md")) continue;
    const std::string text = read_bytes(texts / file);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it, ++links) {
      INFO(file << " links to " << it->str(1));
      CHECK(fs::exists((texts / file).parent_path() / it->str(1)));
    }
  }
  CHECK(links > 0);
}

TEST_CASE("the units name the program as systemd reads it, whatever the prefix", "[install]") {
  const TemporaryDirectory root;
  const std::string prefix = (root / "my games & 100%").string();
  run_make("install-files", "", prefix);
  const std::string units = prefix + "/lib/systemd/system/";
  std::string written = root.path().string() + "/my\\x20games\\x20&\\x20100%%/bin/pbmplay";
  CHECK(
      contains(read_bytes(units + "pbmplay.service"), "\nExecStart=" + written + " serve --dir "));
  CHECK(contains(read_bytes(units + "pbmplay-bot@.service"),
                 "\nExecStart=" + written + " bot --socket "));
  for (const std::string unit : {"pbmplay.service", "pbmplay-bot@.service"}) {
    CHECK(contains(read_bytes(units + unit), "\nNoNewPrivileges=yes\n"));
    CHECK_FALSE(contains(read_bytes(units + unit), "@HARDENED@"));
  }
  if (run_shell("command -v systemd-analyze").status != 0)
    return skip_test("there is no systemd-analyze");
  // systemd-analyze checks that the program exists.
  const RunResult ran = run_shell("systemd-analyze verify --man=no '" + units + "pbmplay.service'");
  INFO(ran.out << ran.err);
  CHECK_FALSE(contains(ran.err, "pbmplay.service:"));
  CHECK_FALSE(contains(ran.err, "executable"));
}

TEST_CASE("the units leave server and bot little that it does not need", "[install]") {
  if (run_shell("command -v systemd-analyze").status != 0)
    return skip_test("there is no systemd-analyze");
  const TemporaryDirectory root;
  run_make("install-files", root.path());
  // systemd-analyze needs an instance of a template.
  const fs::path units = root / "games/lib/systemd/system";
  fs::copy_file(units / "pbmplay-bot@.service", units / "pbmplay-bot@hal.service");
  for (const std::string unit : {"pbmplay.service", "pbmplay-bot@hal.service"}) {
    const RunResult ran =
        run_shell("systemd-analyze security --offline=true --no-pager --threshold=20 '" +
                  (units / unit).string() + "'");
    INFO(ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(contains(ran.out, "Overall exposure level for " + unit + ": "));
  }
}

TEST_CASE("a program that was built outside of its tree finds the texts by the link beside it",
          "[install]") {
  const TemporaryDirectory place, home;
  // These texts differ from any that are installed on this machine.
  const std::string game(all_games().front().name);
  for (const char* directory : {"elsewhere/rules", "elsewhere/themes", "build"})
    fs::create_directories(place / directory);
  std::ofstream(place / "elsewhere/rules" / (game + ".md")) << "# A tree of its own\n";
  fs::copy_file(require_program(), place / "build/pbmplay");
  fs::create_directory_symlink("../elsewhere", place / "build/tree");
  RunOptions there;
  there.home = home.path();
  CHECK(
      contains(run_file(place / "build/pbmplay", {"help", game}, there).out, "A tree of its own"));
}

TEST_CASE("man finds the installed pages", "[install]") {
  if (run_shell("command -v man").status != 0) {
    skip_test("there is no man");
    return;
  }
  const TemporaryDirectory root, home;
  run_make("install-files", root.path());
  RunOptions there;
  there.home = home.path();
  there.variables = {"MANPATH=" + (root / "games/share/man").string(), "MANPAGER=cat",
                     "MANWIDTH=80"};
  for (const std::string& file : list_files(root / "games/share/man")) {
    const std::string page = fs::path(file).stem().string();
    const RunResult ran = run_shell("man " + page, there);
    INFO(page << ": " << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.out.find("NAME") != std::string::npos);
    CHECK_FALSE(contains(ran.out.substr(0, ran.out.find("NAME")), "BSD"));
    CHECK_FALSE(contains(ran.out.substr(ran.out.rfind('\n', ran.out.size() - 2)), "BSD"));
  }
}

TEST_CASE("make uninstall leaves nothing of ours behind, and nothing of others away", "[install]") {
  const TemporaryDirectory root;
  run_make("install-files", root.path());
  std::ofstream(root / "games/share/man/man6/other.6") << "not ours\n";
  run_make("uninstall", root.path());
  CHECK(list_files(root.path()) == std::vector<std::string>{"games/share/man/man6/other.6"});
  CHECK_FALSE(fs::exists(root / "games/share/pbmplay"));
  CHECK_FALSE(fs::exists(root / "games/share/doc/pbmplay"));
  run_make("uninstall", root.path());  // a second time changes nothing
}

TEST_CASE("make dist packs what is committed, which knows what it is and is the same each time",
          "[install]") {
  const std::string root = "'" + source_root().string() + "'";
  if (!fs::exists(source_root() / ".git") ||
      run_shell("git -C " + root + " rev-parse HEAD").status != 0)
    return skip_test("this tree is no clone that git reads");
  const TemporaryDirectory dir;
  for (const char* build : {"one", "two"})
    REQUIRE(
        run_shell("make -s -C " + root + " dist BUILD='" + (dir / build).string() + "'").status ==
        0);
  const fs::path tarball =
      list_files(dir / "one").size() == 1 ? dir / "one" / list_files(dir / "one").front() : "";
  const std::string name = std::string("pbmplay-") + kVersion;
  REQUIRE(tarball.filename().string() == name + ".tar.gz");
  CHECK(read_bytes(tarball) == read_bytes(dir / "two" / tarball.filename().string()));
  // Unpack it in a clone of something else.
  const fs::path tree = dir / name;
  const std::string in = "cd '" + dir.path().string() + "' && ", made = (dir / "made").string();
  REQUIRE(run_shell(in + "git init -q && tar xzf '" + tarball.string() + "' && cd " + name +
                    " && make -s '" + made + "/.commit' man BUILD='" + made + "'")
              .status == 0);
  CHECK_FALSE(fs::exists(tree / ".git"));
  // make dist refuses a tree without a repository, and a system without git, with one message.
  fs::create_directory(dir / "bin");
  fs::create_symlink("/bin/false", dir / "bin/git");
  const std::string build = " BUILD='" + (dir / "none").string() + "'";
  for (const std::string& command :
       {"make -s -C '" + tree.string() + "' dist" + build,
        "PATH='" + (dir / "bin").string() + "':$PATH make -s -C " + root + " dist" + build}) {
    const RunResult ran = run_shell(command);
    INFO(command << ": " << ran.err);
    CHECK(ran.status != 0);
    CHECK(ran.out == "make dist packs what is committed: it needs git and a clone\n");
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);  // from make
  }
  CHECK(read_bytes(fs::path(made) / ".commit") ==
        run_shell("git -C " + root + " describe --tags --always --abbrev=10").out);
  const std::string year =
      run_shell("git -C " + root + " log -1 --format=%cd --date=format:%Y").out;
  CHECK(contains(read_bytes(fs::path(made) / "man/pbmplay.6"), ", " + year.substr(0, 4) + "\n"));
}
