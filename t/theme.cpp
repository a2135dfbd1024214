// SPDX-License-Identifier: MIT
// Themes: those that come with the program style everything, and a broken one
// names its file, line and key.
#include "ui/theme.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include "save/yaml.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

std::string refusal_of(std::string_view text) {
  const auto theme = read_theme(text, "x.yaml");
  return theme ? "accepted" : theme.refusal().why;
}

}  // namespace

TEST_CASE("the themes that come with the program style every role and mark", "[theme]") {
  std::vector<std::string> found;
  for (const auto& file : fs::directory_iterator(source_root() / "themes")) {
    const std::string text = bytes_of(file.path());
    INFO(file.path());
    const auto theme = read_theme(text, file.path().filename().string());
    INFO((theme ? "" : theme.refusal().why));
    REQUIRE(theme.ok());
    CHECK(theme->name == file.path().stem().string());
    CHECK_FALSE(theme->about.empty());
    found.push_back(theme->name);
    const auto yaml = read_yaml(text);
    for (const auto& [key, names] : std::map<std::string, std::span<const std::string_view>>{{"styles", style_names()}, {"marks", mark_names()}}) {
      REQUIRE(yaml->find(key) != nullptr);
      for (const std::string_view name : names) {
        INFO(key << " " << name);
        // The standard theme leaves the program's own words in the terminal's colour, a monochrome one more.
        const bool plain = name == "none" || name == "text" || name == "good" || name == "partial" || theme->name == "mono";
        CHECK((plain || yaml->find(key)->find(name) != nullptr));
      }
    }
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::string>{"amber", "contrast", "default", "mono"});
}

TEST_CASE("no theme tells the players, a last ply or a win by colour alone", "[theme]") {
  const auto plainly = [](const Look& a, const Look& b) { return a.bold == b.bold && a.dim == b.dim && a.underline == b.underline && a.reverse == b.reverse; };
  for (const auto& file : fs::directory_iterator(source_root() / "themes")) {
    INFO(file.path());
    const Theme theme = *read_theme(bytes_of(file.path()), "x");
    const Look nothing;
    for (const Mark mark : {Mark::last, Mark::win, Mark::wrong}) CHECK_FALSE(plainly(theme.mono_marks[static_cast<std::size_t>(mark)], nothing));
    CHECK_FALSE(plainly(theme.mono_marks[static_cast<std::size_t>(Mark::last)], theme.mono_marks[static_cast<std::size_t>(Mark::win)]));
  }
}

TEST_CASE("the monochrome theme has no colours", "[theme]") {
  const Theme theme = *read_theme(bytes_of(source_root() / "themes" / "mono.yaml"), "mono.yaml");
  for (const Look& look : theme.styles) CHECK((look.ink.wishes.empty() && look.paper.wishes.empty()));
  for (const Look& look : theme.marks) CHECK((look.ink.wishes.empty() && look.paper.wishes.empty()));
}

TEST_CASE("a theme says what looks how", "[theme]") {
  const auto theme = read_theme("name: mine\nabout: 'a ''try'''\nstyles:\n  piece1: {ink: [208, bright-red], paper: black, attributes: [bold, underline], mono: [reverse]}\n  piece2: {ink: 255}\nmarks: {win: {attributes: [reverse]}}\n", "x.yaml");
  REQUIRE(theme.ok());
  CHECK(theme->name == "mine");
  CHECK(theme->about == "a 'try'");
  const Look& one = theme->styles[static_cast<std::size_t>(Style::piece1)];
  CHECK(one.ink.wishes == std::vector<int>{208, 9});
  CHECK(one.paper.wishes == std::vector<int>{0});
  CHECK(one.bold);
  CHECK(one.underline);
  CHECK_FALSE(one.reverse);
  const Look& mono = theme->mono_styles[static_cast<std::size_t>(Style::piece1)];
  CHECK(mono.reverse);
  CHECK_FALSE(mono.bold);
  CHECK(theme->styles[static_cast<std::size_t>(Style::piece2)].ink.wishes == std::vector<int>{255});
  CHECK(theme->styles[static_cast<std::size_t>(Style::title)].bold);
}

TEST_CASE("a broken theme names file, line and key", "[theme]") {
  const std::map<std::string, std::string> broken{
      {"", "line 1: there should be lines of the form 'key: value'."},
      {"- a\n", "line 1: there should be lines of the form 'key: value'."},
      {"name: x\ncolours: {}\n", "line 2: a theme has no key 'colours': name, about, styles or marks."},
      {"name: x\nname: y\n", "line 2: the key 'name' is there twice."},
      {"styles:\n  piece9: {ink: red}\n", "line 2: there is no 'piece9' to style."},
      {"marks:\n  first: {ink: red}\n", "line 2: there is no 'first' to style."},
      {"styles: [a]\n", "line 1: there should be a map of names to looks."},
      {"styles:\n  title: red\n", "line 2: a style should be a map, as {ink: yellow, attributes: [bold]}."},
      {"styles:\n  title: {colour: red}\n", "line 2: a style has no key 'colour': ink, paper, attributes or mono."},
      {"styles:\n  title:\n    ink: reddish\n", "line 3: 'reddish' is no colour: a name (red, bright-red) or a number from 0 to 255."},
      {"styles:\n  title: {ink: 256}\n", "line 2: '256' is no colour: a name (red, bright-red) or a number from 0 to 255."},
      {"styles:\n  title: {ink: -1}\n", "line 2: '-1' is no colour: a name (red, bright-red) or a number from 0 to 255."},
      {"styles:\n  title: {ink: bright-9}\n", "line 2: 'bright-9' is no colour: a name (red, bright-red) or a number from 0 to 255."},
      {"styles:\n  title: {ink: []}\n", "line 2: 'ink' should be a colour or a list of colours."},
      {"styles:\n  title: {paper: {a: b}}\n", "line 2: 'paper' should be a colour or a list of colours."},
      {"styles:\n  title: {attributes: bold}\n", "line 2: 'attributes' should be a list, as [bold, underline]."},
      {"styles:\n  title: {attributes: [blink]}\n", "line 2: 'blink' is no attribute: bold, dim, underline or reverse."},
      {"styles:\n  title: {mono: [\"\\e[5m\"]}\n", "line 2: '?[5m' is no attribute: bold, dim, underline or reverse."},
      {"name: &a x\nabout: *a\n", "line 1: an anchor (&name) has no place in this file."},
      {"name: \x1b[2J\n", "line 1: a control character has no place in a text file."},
  };
  for (const auto& [text, why] : broken) CHECK(refusal_of(text) == "x.yaml, " + why);
}

TEST_CASE("a theme's words are harmless", "[theme]") {
  const auto theme = read_theme("name: \"\\e[2J\"\nabout: \"\\n\"\n", "x.yaml");
  REQUIRE(theme.ok());
  CHECK(theme->name == "?[2J");
  CHECK(theme->about == "?");
}

TEST_CASE("themes are found by name in the first directory that has it, or by file", "[theme]") {
  const TemporaryDirectory dir;
  fs::create_directories(dir / "own");
  fs::create_directories(dir / "all");
  std::ofstream(dir / "own" / "mine.yaml") << "about: my own\n";
  std::ofstream(dir / "all" / "mine.yaml") << "about: not this\n";
  std::ofstream(dir / "all" / "other.yaml") << "about: other\n";
  std::ofstream(dir / "all" / "bad.yaml") << "about: other\nstyles: 1\n";
  const std::vector<fs::path> both{dir / "own", dir / "all"};
  CHECK(find_theme("mine", both)->about == "my own");
  CHECK(find_theme("other", both)->about == "other");
  CHECK(find_theme((dir / "all" / "mine.yaml").string(), both)->about == "not this");
  CHECK(find_theme("none", both).refusal().why == "There is no theme 'none': there is bad, mine or other.");
  CHECK(find_theme("none", {dir / "nowhere"}).refusal().why == "There is no theme 'none'.");
  CHECK(find_theme("bad", both).refusal().why == "bad.yaml, line 2: there should be a map of names to looks.");
  CHECK(find_theme("./none.yaml", both).refusal().why == "There is no file ./none.yaml.");
  CHECK_FALSE(find_theme("..", both).ok());
  CHECK_FALSE(find_theme("", both).ok());
  std::vector<std::string> listed;
  for (const ListedTheme& t : list_themes(both)) listed.push_back(t.name + ": " + (t.theme ? t.theme->about : t.theme.refusal().why));
  CHECK(listed == std::vector<std::string>{"bad: bad.yaml, line 2: there should be a map of names to looks.", "mine: my own", "other: other"});
}

TEST_CASE("without any file there is still a theme", "[theme]") {
  const Theme theme = plain_theme();
  CHECK(theme.styles[static_cast<std::size_t>(Style::title)].bold);
  CHECK(theme.marks[static_cast<std::size_t>(Mark::last)].underline);
  for (const Look& look : theme.styles) CHECK(look.ink.wishes.empty());
}
