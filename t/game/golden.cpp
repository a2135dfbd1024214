// SPDX-License-Identifier: MIT
// Compares the drawing after every ply of recorded games, t/golden/GAME*.txt. The first line of a
// file starts the game ("toot -size=5x5, 2 seats"). "> BT" plays; the drawing follows; "= ..." is
// the end of the game. The program must draw exactly these bytes. PBM_GOLDEN=write in the
// environment rewrites the files from their plies; read the difference before keeping it.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

std::string replay_file(const std::string& text) {
  std::istringstream in(text);
  std::string head;
  std::getline(in, head);
  Position position = setup_by_name(head).start();
  std::string out = head + "\n" + drawing_text(position);
  for (std::string line; std::getline(in, line);) {
    if (line.substr(0, 2) != "> ") continue;
    const auto ply = position.parse(line.substr(2));
    INFO(line << (ply ? "" : ": " + ply.refusal().reason));
    REQUIRE(ply.ok());
    const std::string said = position.describe(*ply);
    const std::string sign = position.side_name(position.to_move());
    position.play(*ply);
    out += "> " + *ply + "\n" + sign + " " + said + ".\n" + drawing_text(position);
  }
  if (const auto end = position.outcome())
    out += "= " + (end->winner ? position.side_name(*end->winner) + " wins. " : "It is a tie. ") +
           end->reason + "\n";
  return out;
}

}  // namespace

TEST_CASE("every game has golden games, and each is drawn today as it was written down",
          "[golden]") {
  const char* mode = std::getenv("PBM_GOLDEN");
  const bool write = mode && std::string(mode) == "write";
  for (const GameType& game : all_games()) {
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_root() / "t" / "golden")) {
      const std::string name = entry.path().filename().string();
      if (name.rfind(game.name, 0) != 0) continue;
      ++found;
      INFO(name);
      const std::string golden = read_bytes(entry.path());
      const std::string now = replay_file(golden);
      if (write) std::ofstream(entry.path(), std::ios::binary) << now;
      else CHECK(now == golden);
    }
    INFO("no golden game of " << game.name);
    CHECK(found > 0);
  }
}
