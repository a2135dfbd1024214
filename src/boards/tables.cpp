// SPDX-License-Identifier: MIT
#include "boards/tables.hpp"

#include "base/cache.hpp"

namespace pbm {

Thought Tables::think(const GameType& game, const Position& position, Question question) {
  if (question.level == kTopLevel && !question.rung && game.table_name)
    question.table = of(game, position, question.stop);
  return game.think(position, question);
}

// Empty where there is none, or making it was stopped.
const std::vector<std::uint8_t>& Tables::of(const GameType& game, const Position& position,
                                            const std::stop_token& stop) {
  const std::string name = game.table_name(position);
  std::vector<std::uint8_t>& bytes = tables_[name];
  if (bytes.empty() && !name.empty())
    bytes = kept_bytes(directory_ / (name + ".table"), [&] { return game.make_table(name, stop); });
  return bytes;
}

}  // namespace pbm
