// SPDX-License-Identifier: MIT
#include "cli/shared.hpp"

#include <iostream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "game/type.hpp"

namespace pbm {

int complain(int status, const std::string& sentence) {
  std::cerr << "pbmplay: " << safe_text(sentence) << '\n';
  return status;
}

Result<std::string> rules_text(const std::string& name) {
  const GameType* game = find_game(name);
  if (!game) return Refusal{"There is no game '" + fit(name, 30) + "': there is " + game_names() + "."};
  return read_file(program_data() / "rules" / (std::string(game->name) + ".md"), std::size_t{1} << 20);
}

}  // namespace pbm
