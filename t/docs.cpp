// SPDX-License-Identifier: MIT
// Tests the texts at the root, such as README.md: their links, paths, commands and pictures.
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "pictures/screens.hpp"
#include "xml_error.hpp"
#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

const char* const kTextFiles[] = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"};

// Returns the first group of every match in `text`.
std::set<std::string> find_all(const std::string& text, const char* pattern) {
  const std::regex form(pattern);
  std::set<std::string> out;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), form); it != std::sregex_iterator();
       ++it)
    out.insert((*it)[1]);
  return out;
}

}  // namespace

TEST_CASE("the README is read in two minutes, and what it says to type works as it stands",
          "[docs]") {
  const std::string text = read_bytes(source_root() / "README.md");
  CHECK(std::count(text.begin(), text.end(), '\n') <= 80);
  // The shell commands of each section, with blank lines between them.
  std::map<std::string, std::string> scripts;
  std::string heading;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line.starts_with("    ")) scripts[heading] += line.substr(4) + "\n";
  }
  CHECK(scripts.size() == 4);
  CHECK(contains(scripts["To begin"], "\nmake run "));
  CHECK(contains(scripts["To begin"], "\nmake check "));
  scripts.erase("To begin");
  // With and without ~/.ssh: a new login has none.
  for (const bool known : {false, true}) {
    const TestHome home;
    fs::create_directory(home.dir / "build");
    fs::create_symlink(require_program(), home.dir / "build/pbmplay");
    if (known) {
      fs::create_directory(home.dir / ".ssh");
      REQUIRE(create_file(home.dir / ".ssh/authorized_keys", "# nobody\n"));
    }
    for (const auto& [section, script] : scripts) {
      INFO(section);
      RunOptions there;
      there.home = there.directory = home.dir.path();
      std::string typed = script;
      if (const std::size_t served = typed.find("&\n"); served != std::string::npos) {
        if (!fs::exists("/usr/bin/ssh-keygen")) continue;
        REQUIRE(run_shell("ssh-keygen -q -t ed25519 -N '' -f wilma", there).status == 0);
        typed.insert(served + 2,
                     "trap 'kill $!' EXIT\n"
                     "until [ -S ~/boards/socket ]; do sleep .01; done\n");
      }
      // Programs with a screen run line by line here, so `quit` ends them.
      there.input = "quit\nquit\nquit\nquit\n";
      const RunResult ran = run_shell("set -e\n" + typed, there);
      INFO(ran.out << ran.err);
      CHECK(ran.status == 0);
      if (section != "With friends, over SSH") continue;
      const std::string keys = read_bytes(home.dir / ".ssh/authorized_keys");
      CHECK(keys.starts_with(known ? "# nobody\nrestrict," : "restrict,"));
      CHECK(contains(keys, "--user wilma"));
    }
    CHECK(fs::exists(home.dir / "g.yaml"));
  }
}

TEST_CASE("every file and folder that the texts for people name is there", "[docs]") {
  for (const char* name : kTextFiles) {
    const std::string text = read_bytes(source_root() / name);
    for (const std::string& link : find_all(text, R"(\]\(([^):#]+)\))")) {
      INFO(name << " links to " << link);
      CHECK(fs::exists(source_root() / link));
    }
    for (const std::string& path : find_all(
             text,
             R"((?:^|[\s`(])((?:src|t|rules|themes|saves|man|\.ci)/[a-z_./0-9-]*[a-z0-9_]))")) {
      INFO(name << " names " << path);
      CHECK(fs::exists(source_root() / path));
    }
  }
}

TEST_CASE("every make target that the texts for people name is one of make help", "[docs]") {
  std::string makefile = read_bytes(source_root() / "Makefile");
  for (const auto& file : fs::directory_iterator(source_root() / ".ci"))
    if (file.path().extension() == ".mk") makefile += read_bytes(file.path());
  const auto targets = find_all(makefile, R"(\n## ([a-z-]+):)");
  REQUIRE(targets.size() > 10);
  for (const char* name : kTextFiles)
    for (const std::string& target :
         find_all(read_bytes(source_root() / name), R"(\bmake ([a-z-]+)\b(?= |`|$|,|\.|;))")) {
      INFO(name << " says make " << target);
      CHECK(targets.count(target) == 1);
    }
}

TEST_CASE("the pictures that the README shows are there, small, and no others are", "[docs]") {
  const fs::path folder = source_root() / "man" / "pictures";
  const std::string readme = read_bytes(source_root() / "README.md");
  std::set<std::string> shown;
  for (const Picture& picture : pictures()) shown.insert(picture.name);
  CHECK(shown == find_all(readme, R"(\(man/pictures/([a-z]+)\.svg\))"));
  for (const std::string& name : shown) {
    INFO(name);
    const std::string svg = read_bytes(folder / (name + ".svg"));
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("<title>") != std::string::npos);
    CHECK(svg.size() < (name == "game" || name == "typing" ? 32000 : 16000));
    CHECK(xml_error(svg) == "");
  }
}

TEST_CASE("the picture of typing is made of the program's screens, the same each time", "[docs]") {
  const Picture& typing = pictures()[1];
  REQUIRE(typing.is_animated);
  const std::string svg = draw_picture(typing);
  CHECK(svg == draw_picture(typing));
  CHECK(svg.size() < 32000);
  CHECK(xml_error(svg) == "");
  // The picture shows each screen for its time; without motion, only the last one.
  for (const char* said :
       {"A move is a column and T or O, such as BT; or arrows and Enter.",
        "fred drops an O down column C.", "There is no column G. The columns are A to F.",
        "fred (TOOT) wins. TOOT stands in the bottom row"})
    CHECK(contains(svg, said));
}

TEST_CASE("a moving picture shows each screen for its time, and the last one without motion",
          "[docs]") {
  const TimedFrame one{{"<path/>", "<path/>"}, 1}, other{{"<path/>", "<text>b</text>"}, 3};
  const std::string two = SvgWriter().draw_window({one, other}, 10, "<two>");
  CHECK(xml_error(two) == "");
  CHECK(contains(two, "<title>&lt;two&gt;</title>"));
  CHECK(contains(two, "@media(prefers-reduced-motion:no-preference){@keyframes f"));
  CHECK(contains(
      two,
      "@keyframes f0-1{0%{visibility:visible}25%{visibility:hidden}}.f0-1{animation:f0-1 4s "
      "step-end infinite}"));
  CHECK(contains(two, "@keyframes f1-2{0%{visibility:hidden}25%{visibility:visible}}"));
  CHECK(contains(
      two, "<path/><g class=\"a f0-1\">\n<path/></g>\n<g class=\"f1-2\">\n<text>b</text></g>"));
}
