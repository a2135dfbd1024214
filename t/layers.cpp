// SPDX-License-Identifier: MIT
// Tests the layers of the source: which folder may include which, and rules for every file.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

struct SourceFile {
  std::string name;    // "save/yaml.cpp"; "main.cpp"
  std::string folder;  // "save"; for main.cpp "main.cpp"
  std::vector<std::string> lines;
};

std::vector<SourceFile> read_sources() {
  std::vector<SourceFile> out;
  const fs::path root = source_root() / "src";
  for (const auto& file : fs::recursive_directory_iterator(root)) {
    const fs::path ending = file.path().extension();
    if (!file.is_regular_file() || (ending != ".cpp" && ending != ".hpp")) continue;
    SourceFile s;
    s.name = fs::relative(file.path(), root).generic_string();
    s.folder = s.name.substr(0, s.name.find('/'));
    std::istringstream in(read_bytes(file.path()));
    for (std::string line; std::getline(in, line);) s.lines.push_back(line);
    out.push_back(std::move(s));
  }
  std::sort(out.begin(), out.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  return out;
}

// Returns the includes of a file: "game/match.hpp" for the project's, "<vector>" for others.
std::vector<std::string> find_includes(const SourceFile& s) {
  static const std::regex form(R"re(^\s*#\s*include\s+(?:"([^"]+)"|(<[^>]+>)))re");
  std::vector<std::string> out;
  for (const std::string& line : s.lines)
    if (std::smatch found; contains(line, "#") && std::regex_search(line, found, form))
      out.push_back(found[1].matched ? found[1] : found[2]);
  return out;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("an arrow between layers points left only", "[layers]") {
  const std::map<std::string, std::set<std::string>> may_know{
      {"base", {"base"}},
      {"game", {"base", "game"}},
      {"engine", {"base", "game", "engine"}},
      {"games", {"base", "game", "engine", "games"}},
      {"save", {"base", "game", "save"}},
      {"protocol", {"base", "game", "save", "protocol"}},
      {"store", {"base", "game", "save", "protocol", "store"}},
      {"boards", {"base", "game", "save", "protocol", "store", "boards"}},
      {"server", {"base", "game", "save", "protocol", "store", "server"}},
      {"mail", {"base", "game", "protocol", "store", "boards", "mail"}},
      {"ui", {"base", "game", "save", "protocol", "boards", "ui"}},
      {"cli", {"base", "game", "save", "protocol", "boards", "server", "ui", "cli"}},
      {"main.cpp", {"base", "cli"}},
  };
  Words wrong;
  for (const SourceFile& s : read_sources()) {
    INFO(s.name);
    REQUIRE(may_know.count(s.folder) == 1);
    for (const std::string& name : find_includes(s)) {
      if (name.front() == '<') continue;
      if (name.find('/') == std::string::npos ||
          !may_know.at(s.folder).count(name.substr(0, name.find('/'))))
        wrong.push_back(s.name + " includes " + name);
    }
  }
  CHECK(wrong == Words{});
}

TEST_CASE("no files and no folders know each other in a circle", "[layers]") {
  // A header and its source count as one file.
  const auto unit = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  const auto folder = [](const std::string& name) { return name.substr(0, name.rfind('/')); };
  std::map<std::string, std::set<std::string>> knows;
  for (const SourceFile& s : read_sources())
    for (const std::string& name : find_includes(s)) {
      if (name.front() == '<') continue;
      if (unit(name) != unit(s.name)) knows["file " + unit(s.name)].insert("file " + unit(name));
      if (folder(name) != folder(s.name)) knows[folder(s.name)].insert(folder(name));
    }
  Words wrong;
  for (const auto& [from, first] : knows) {
    std::set<std::string> seen;
    Words open(first.begin(), first.end());
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      if (!seen.insert(at).second) continue;
      if (const auto next = knows.find(at); next != knows.end())
        open.insert(open.end(), next->second.begin(), next->second.end());
    }
    if (seen.count(from)) wrong.push_back(from + " comes to itself");
  }
  CHECK(wrong == Words{});
}

TEST_CASE("verdicts that are certain are made by what proves them only", "[layers]") {
  Words makers;
  for (const SourceFile& s : read_sources()) {
    const Words all = find_includes(s);
    if (std::count(all.begin(), all.end(), "engine/proved_verdict.hpp") > 0)
      makers.push_back(s.name);
  }
  CHECK(makers == Words{"engine/alpha_beta.hpp", "engine/outcome_search.hpp",
                        "engine/proof_search.hpp", "engine/uct.hpp", "games/chaos_knowledge.hpp",
                        "games/flooprail_knowledge.hpp"});
}

TEST_CASE("every header says what it leaves to others", "[layers]") {
  Words wrong;
  for (const SourceFile& s : read_sources()) {
    if (!s.name.ends_with(".hpp")) continue;
    bool leaves = false;
    for (const std::string& line : s.lines) {
      if (!line.starts_with("//")) break;
      leaves = leaves || contains(line, "eaves");
    }
    if (!leaves) wrong.push_back(s.name);
  }
  CHECK(wrong == Words{});
}

TEST_CASE("each library is known to one place only", "[layers]") {
  const std::vector<std::pair<std::string, std::set<std::string>>> libraries{
      {"<yaml-cpp/", {"save/yaml.cpp"}},
      {"<curses.h>", {"ui/curses.cpp"}},
      {"<ncurses", {"ui/curses.cpp"}},
      {"<term.h>", {"ui/curses.cpp"}},
      {"<boost/program_options", {"cli/arguments.cpp"}},
      {"<boost/context", {"base/fiber.cpp"}},
      {"<sodium", {"server/password.cpp", "mail/tokens.cpp"}},  // one for each program
      {"<gmime", {"mail/message.cpp"}},
      {"<sqlite3", {"store/database.cpp"}},
      {"<linux/landlock", {"base/sandbox.cpp"}},
  };
  Words wrong;
  for (const SourceFile& s : read_sources())
    for (const std::string& name : find_includes(s)) {
      for (const auto& [library, places] : libraries)
        if (name.rfind(library, 0) == 0 && !places.count(s.name))
          wrong.push_back(s.name + " includes " + name);
    }
  CHECK(wrong == Words{});
}

TEST_CASE("nothing outside games names a game", "[layers]") {
  // Comments may name games as examples. Other texts must take the names from the table.
  static const std::regex otto("otto\\b");
  const auto names_a_game = [](const std::string& code) {
    for (const char* name : {"toot", "floop", "plotto", "chaos", "soccolot"})
      if (contains(code, name)) return true;
    return contains(code, "otto") && std::regex_search(code, otto);
  };
  Words wrong;
  for (const SourceFile& s : read_sources()) {
    if (s.folder == "games") continue;
    for (std::size_t i = 0; i < s.lines.size(); ++i) {
      const std::string code = s.lines[i].substr(0, s.lines[i].find("//"));
      if (names_a_game(lower(code)))
        wrong.push_back(s.name + ":" + std::to_string(i + 1) + ": " + code);
    }
  }
  CHECK(wrong == Words{});
}

TEST_CASE("no question about files throws what nobody catches", "[layers]") {
  // Without a std::error_code as the last argument, these throw filesystem_error. That is not the
  // project's Error, so nothing catches it.
  const std::map<std::string, int> arguments{{"absolute", 2},
                                             {"canonical", 2},
                                             {"copy_file", 3},
                                             {"create_directories", 2},
                                             {"create_directory", 2},
                                             {"current_path", 1},
                                             {"directory_iterator", 2},
                                             {"equivalent", 3},
                                             {"exists", 2},
                                             {"file_size", 2},
                                             {"is_directory", 2},
                                             {"is_regular_file", 2},
                                             {"is_symlink", 2},
                                             {"last_write_time", 2},
                                             {"read_symlink", 2},
                                             {"remove", 2},
                                             {"remove_all", 2},
                                             {"rename", 3},
                                             {"resize_file", 3},
                                             {"status", 2},
                                             {"symlink_status", 2},
                                             {"weakly_canonical", 2}};
  static const std::regex call(R"re((?:fs|filesystem)::(\w+)(?: \w+)?\()re"),
      going_on(R"re(for \(.* : .*directory_iterator)re");
  Words wrong;
  for (const SourceFile& s : read_sources())
    for (const std::string& line : s.lines) {
      if (!contains(line, "fs::") && !contains(line, "filesystem::") &&
          !contains(line, "directory_iterator"))
        continue;
      // The loop's increment throws, too.
      if (std::regex_search(line, going_on)) wrong.push_back(s.name + ": " + line);
      for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it) {
        const auto wanted = arguments.find((*it)[1]);
        if (wanted == arguments.end()) continue;
        int depth = 1, given = 1;
        const std::size_t first = static_cast<std::size_t>(it->position() + it->length());
        for (std::size_t at = first; at < line.size() && depth > 0; ++at) {
          depth += line[at] == '(' || line[at] == '{'   ? 1
                   : line[at] == ')' || line[at] == '}' ? -1
                                                        : 0;
          given += depth == 1 && line[at] == ',' ? 1 : 0;
        }
        // With a known status, the call does not read the disk.
        if (given < wanted->second && line.compare(first, 19, "fs::symlink_status(") != 0)
          wrong.push_back(s.name + ": " + line);
      }
    }
  CHECK(wrong == Words{});
}

TEST_CASE("main stays under eighty lines", "[layers]") {
  for (const SourceFile& s : read_sources())
    if (s.name == "main.cpp") CHECK(s.lines.size() < 80);
}

TEST_CASE("every header is read once", "[layers]") {
  Words wrong;
  for (const SourceFile& s : read_sources())
    if (s.name.ends_with(".hpp") &&
        std::find(s.lines.begin(), s.lines.end(), "#pragma once") == s.lines.end())
      wrong.push_back(s.name);
  CHECK(wrong == Words{});
}

TEST_CASE("everything that is written by hand and is no data says its licence first", "[layers]") {
  Words wrong;
  const auto look = [&](const fs::path& file) {
    std::istringstream in(read_bytes(file));
    std::string line, first;
    // The licence may follow #!, #compdef or the name of a test's data.
    for (int i = 0; i < 2 && std::getline(in, line); ++i) first += line + "\n";
    if (first.find("SPDX-License-Identifier: MIT\n") == std::string::npos)
      wrong.push_back(fs::relative(file, source_root()).generic_string());
  };
  for (const char* file :
       {"Makefile", ".clang-format", ".clang-tidy", ".cppcheck", ".editorconfig"})
    look(source_root() / file);
  int looked = 0;
  for (const char* folder : {".ci", "man", "src", "t"})
    for (const auto& entry : fs::recursive_directory_iterator(source_root() / folder)) {
      const std::string ending = entry.path().extension().string();
      const bool data = ending == ".txt" || ending == ".yaml" || ending == ".md" ||
                        ending == ".svg" || ending == ".db";
      if (!entry.is_regular_file() || data) continue;
      look(entry.path());
      ++looked;
    }
  CHECK(looked > 100);
  CHECK(wrong == Words{});
}
