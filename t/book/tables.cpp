// SPDX-License-Identifier: MIT
// For make install: writes each game's tables of endings to the directory that its argument names,
// unless they are there. They are the same on every machine.
#include <iostream>

#include "base/file_cache.hpp"
#include "base/result.hpp"
#include "game/game_type.hpp"

using namespace pbm;

int main(int, char** arguments) try {
  for (const GameType& game : all_games())
    for (const EndgameTable& table : game.endgame_tables) {
      const auto file = std::filesystem::path(arguments[1]) / table.file_name();
      if (!CachedBytes::load(file, table.size, table.checksum).get().empty()) continue;
      std::cout << "  " << file.string() << std::endl;
      CachedBytes::store(file, table.compute([](int) { return true; }));
      if (CachedBytes::load(file, table.size, table.checksum).get().empty())
        throw Error(file.string() + " cannot be written, or is not the expected table");
      std::filesystem::permissions(file, std::filesystem::perms(0644));
    }
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
