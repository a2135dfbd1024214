// SPDX-License-Identifier: MIT
// Runs the key scripts of t/scripts: their screens must be the same today. Also plays every game to
// its end by typing, by the cursor and by the mouse. script.hpp describes a script.
#include <algorithm>
#include <fstream>
#include <set>

#include "script.hpp"
#include "script_games.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

fs::path script_directory() { return source_root() / "t" / "scripts"; }

// Returns the names of all scripts.
std::vector<std::string> script_names() {
  std::vector<std::string> out;
  REQUIRE(fs::is_directory(script_directory()));
  for (const auto& entry : fs::directory_iterator(script_directory()))
    if (entry.path().extension() == ".txt") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

fs::path script_file(const std::string& name) { return script_directory() / (name + ".txt"); }

bool has_only_steps(const Script& script, const std::set<std::string>& kinds) {
  return std::all_of(script.steps().begin(), script.steps().end(), [&](const std::string& s) {
    return kinds.count(s.substr(0, s.find(':'))) > 0;
  });
}

constexpr const char* kInputs[] = {"typed", "cursor", "mouse"};

}  // namespace

TEST_CASE("every script makes the screens today that were written down", "[scripts]") {
  if (is_writing_scripts())
    for (const GameType& game : all_games())
      for (const char* way : kInputs)
        std::ofstream(script_file(std::string(game.name) + "-" + way), std::ios::binary)
            << make_script(game, way);
  for (const std::string& name : script_names()) {
    INFO(name);
    const std::string kept = read_bytes(script_file(name));
    const Script script(kept);
    if (is_writing_scripts()) std::ofstream(script_file(name), std::ios::binary) << script.text();
    else CHECK(first_difference(kept, script.text()) == "");
  }
}

TEST_CASE("every game has a script to its end by typing, one by the cursor and one by the mouse",
          "[scripts]") {
  for (const GameType& game : all_games())
    for (const char* way : kInputs) {
      const std::string name = std::string(game.name) + "-" + way;
      INFO(name);
      Script script(read_bytes(script_file(name)));
      const auto& steps = script.steps();
      const std::string kind = way;
      if (kind == "typed") {
        CHECK(has_only_steps(script, {"open", "type", "keys"}));
        for (const std::string& s : steps)
          if (s.starts_with("keys:")) CHECK(s == "keys: Enter");
      }
      // A letter or a number that no square gives is typed or chosen.
      if (kind == "cursor") {
        CHECK(has_only_steps(script, {"open", "type", "keys"}));
        for (const std::string& s : steps)
          if (s.starts_with("type:")) CHECK(s.size() <= std::string("type: ").size() + 2);
      }
      if (kind == "mouse") CHECK(has_only_steps(script, {"open", "click"}));
      const auto boards = script.first_app().local_boards.list();
      const auto own = std::find_if(boards.begin(), boards.end(),
                                    [](const BoardSummary& l) { return !l.is_example; });
      REQUIRE(own != boards.end());
      const auto board = script.first_app().local_boards.open(own->id);
      REQUIRE(board.ok());
      CHECK(board->match.game().name == game.name);
      REQUIRE(board->match.ending().has_value());
      CHECK(board->match.ending()->is_by_rules);
    }
}

TEST_CASE("every screen has scripts in a window of 80x24 and in the smallest", "[scripts]") {
  for (const char* name :
       {"lobby", "new-game", "settings", "help", "rules", "board", "leaving", "too-small"}) {
    INFO(name);
    const std::string text = read_bytes(script_file(name));
    CHECK(text.find("\nsizes: 80x24 40x12\n") != std::string::npos);
    CHECK(text.find("\n80x24") != std::string::npos);
    CHECK(text.find("\n40x12") != std::string::npos);
  }
}

TEST_CASE(
    "every golden game can be played by typing, by the cursor and by the mouse, in a large window",
    "[scripts]") {
  for (const auto& golden : read_golden_games())
    for (const char* way : kInputs) {
      INFO(golden.file_name << " " << way);
      Script script(make_script(golden, way, {40, 120}, false));
      const auto board =
          script.first_app().local_boards.open(std::string(golden.setup.game->name) + "-101");
      REQUIRE(board.ok());
      CHECK(board->match.position() == play_plies(golden.setup.start(), golden.plies_text()));
      CHECK(board->match.ending().has_value());
      const Canvas& picture = script.first_app().picture();
      CHECK(
          find_drawing(picture, find_shown_drawing(picture, board->match.position())).has_value());
    }
}

TEST_CASE("every golden game can be played by the cursor in the smallest window", "[scripts]") {
  for (const auto& golden : read_golden_games()) {
    INFO(golden.file_name);
    Script script(make_script(golden, "cursor", kSmallestSize, false));
    const auto board =
        script.first_app().local_boards.open(std::string(golden.setup.game->name) + "-101");
    REQUIRE(board.ok());
    CHECK(board->match.position() == play_plies(golden.setup.start(), golden.plies_text()));
  }
}
