// SPDX-License-Identifier: MIT
// How strong the levels are: t/levels.txt has what was found by playing, the
// manual has it as a table, and a part of it is played again.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "run.hpp"
#include "source_root.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Of the games of a level against the one below, or of the lowest against random plies.
struct Step {
  std::vector<std::string> setup;  // as duel takes it: "toot", "-tootris"
  int level = 0, games = 0;
  double percent = 0, error = 0;  // of 100, and half its interval of 95 %
};

std::vector<Step> steps() {
  std::vector<Step> out;
  std::ifstream file(source_root() / "t/levels.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream parts(line);
    Step step;
    std::string game;
    std::getline(parts, game, ':');
    step.setup = words(game);
    parts >> step.level >> step.games >> step.percent >> step.error;
    REQUIRE(parts);
    out.push_back(std::move(step));
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

TEST_CASE("pbmplay(6) says how strong the levels are", "[levels][man]") {
  std::string table = "    level               1   2   3   4   5   6   7   8   9\n";
  std::string row, game;
  const auto end_row = [&] {
    if (!row.empty()) table += "    " + row + "\n";
  };
  for (const Step& step : steps()) {
    if (joined(step.setup) != game) {
      end_row();
      game = joined(step.setup);
      row = game + std::string(18 - game.size(), ' ');
    }
    char text[16];
    std::snprintf(text, sizeof text, " %3.0f", step.percent);
    row += text;
  }
  end_row();
  CHECK(has(bytes_of(source_root() / "man/pbmplay.6.md"), table));
}

TEST_CASE("levels are as strong as it is said", "[levels][long]") {
  const Home home;
  for (const Step& step : steps()) {
    if (step.level != 2 && step.level != 4) continue;
    std::vector<std::string> command{"duel"};
    command.insert(command.end(), step.setup.begin(), step.setup.end());
    for (const std::string& word :
         {"level:" + std::to_string(step.level), "level:" + std::to_string(step.level - 1),
          std::string("--games=60"), std::string("--seed=77")})
      command.push_back(word);
    INFO(joined(command));
    const std::string said = home(command).out;
    const std::size_t percent = said.find(" %");
    REQUIRE(percent != std::string::npos);
    const double score = std::stod(said.substr(said.rfind("  ", percent)));
    // Sixty games are good for 13 of 100.
    CHECK(std::abs(score - step.percent) < step.error + 13);
  }
}
