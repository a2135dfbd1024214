// SPDX-License-Identifier: MIT
// The manual is clean mdoc, and true: what the program offers stands in it.
#include <cstdio>

#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

struct Said {
  int status;
  std::string output;
};

Said shell(const std::string& command) {
  Said out{-1, ""};
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.output.append(buffer, n);
  out.status = ::pclose(pipe);
  return out;
}

}  // namespace

TEST_CASE("the manual pages pass mandoc's lint without a word", "[man]") {
  for (const auto& entry : fs::directory_iterator(source_root() / "man")) {
    if (entry.is_directory() || entry.path().extension() == ".awk") continue;
    const Said said = shell("mandoc -T lint '" + entry.path().string() + "'");
    INFO(said.output);
    CHECK(said.status == 0);
    CHECK(said.output.empty());
  }
}

TEST_CASE("the rules of every game make a manual page that passes lint and keeps its drawings", "[man]") {
  for (const GameType& game : all_games()) {
    const std::string name(game.name);
    const fs::path rules = source_root() / "rules" / (name + ".md");
    const std::string page = "awk -v game=" + name + " -f '" + (source_root() / "man" / "rules.awk").string() + "' '" + rules.string() + "'";
    // The page it refers to is not installed while it is tested.
    const Said lint = shell(page + " | mandoc -T lint -W warning");
    INFO(lint.output);
    CHECK(lint.output.empty());
    const std::string shown = shell(page + " | mandoc -T ascii -O width=80 | sed 's/.\\x08//g'").output;
    const std::string text = bytes_of(rules);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      if (line.substr(0, 4) == "    ") {
        INFO("the line '" << line << "' of rules/" << name << ".md");
        CHECK(shown.find(line.substr(4)) != std::string::npos);
      }
      at = end + 1;
    }
  }
}

TEST_CASE("every option and command of --help stands in the manual", "[man]") {
  const std::string manual = shell("mandoc -T ascii '" + (source_root() / "man" / "pbmplay.6").string() + "' | sed 's/.\\x08//g'").output;
  const auto help = run({"--help"});
  REQUIRE(help.status == 0);
  for (const std::string& word : words(help.out)) {
    const std::string option = word.substr(0, word.find('='));
    if (option.substr(0, 2) != "--") continue;
    INFO(option);
    CHECK(manual.find(option) != std::string::npos);
  }
  for (const std::string command : {"open", "new", "show", "move", "legal", "perft", "serve", "send", "help"}) {
    INFO(command);
    CHECK(help.out.find("pbmplay " + command) != std::string::npos);
    CHECK(manual.find("pbmplay " + command) != std::string::npos);
  }
}
