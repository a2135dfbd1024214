// SPDX-License-Identifier: MIT
#include "boards/tables.hpp"

#include "base/cache.hpp"

namespace pbm {

std::span<const std::uint8_t> Tables::of(const GameType& game, const Position& position,
                                         const std::stop_token& stop) {
  const std::string name = game.table_name ? game.table_name(position) : "";
  if (name.empty()) return {};
  std::vector<std::uint8_t>& bytes = tables_[name];
  if (bytes.empty())
    bytes = kept_bytes(directory_ / (name + ".table"), [&] { return game.make_table(name, stop); });
  return bytes;
}

}  // namespace pbm
