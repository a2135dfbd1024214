// SPDX-License-Identifier: MIT
// What README.md and CONTRIBUTING.md point at is there.
#include <regex>
#include <set>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

const char* const kTexts[] = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};

// The first group of every match in `text`.
std::set<std::string> found(const std::string& text, const char* pattern) {
  const std::regex form(pattern);
  std::set<std::string> out;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), form); it != std::sregex_iterator(); ++it) out.insert((*it)[1]);
  return out;
}

}  // namespace

TEST_CASE("every file and folder that the texts for people name is there", "[docs]") {
  for (const char* name : kTexts) {
    const std::string text = bytes_of(source_root() / name);
    for (const std::string& link : found(text, R"(\]\(([^):#]+)\))")) {
      INFO(name << " links to " << link);
      CHECK(fs::exists(source_root() / link));
    }
    for (const std::string& path : found(text, R"((?:^|[\s`(])((?:src|t|rules|themes|saves|man|\.ci)/[a-z_./0-9-]*[a-z0-9_]))")) {
      INFO(name << " names " << path);
      CHECK(fs::exists(source_root() / path));
    }
  }
}

TEST_CASE("every make target that the texts for people name is one of make help", "[docs]") {
  const std::string makefile = bytes_of(source_root() / "Makefile");
  const auto targets = found(makefile, R"(\n## ([a-z-]+):)");
  REQUIRE(targets.size() > 10);
  for (const char* name : kTexts)
    for (const std::string& target : found(bytes_of(source_root() / name), R"(\bmake ([a-z-]+)\b(?= |`|$|,|\.|;))")) {
      INFO(name << " says make " << target);
      CHECK(targets.count(target) == 1);
    }
}

TEST_CASE("there is a small picture of the lobby and of every game", "[docs]") {
  const fs::path pictures = source_root() / "man" / "pictures";
  const std::string readme = bytes_of(source_root() / "README.md");
  std::vector<std::string> names{"lobby"};
  for (const GameType& game : all_games()) names.emplace_back(game.name);
  for (const std::string& name : names) {
    INFO(name);
    const std::string svg = bytes_of(pictures / (name + ".svg"));
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("<title>") != std::string::npos);
    CHECK(svg.size() < 16000);
    CHECK(readme.find("(man/pictures/" + name + ".svg)") != std::string::npos);
  }
}
