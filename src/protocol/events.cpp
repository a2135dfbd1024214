// SPDX-License-Identifier: MIT
#include "protocol/events.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "game/game_type.hpp"

namespace pbm {

std::span<const EventRow> event_rows() {
  static constexpr std::array<EventRow, 19> rows{{
      {"new", true, ": text"},
      {"turn", true, "number"},
      {"ply", true, "number userid move [(Auto)]"},
      {"propose", true, "userid : text"},
      {"undo", true, "userid : text"},
      {"accept", true, "userid : text"},
      {"reject", true, "userid : text"},
      {"resign", true, "userid : text"},
      {"over", true, ": text"},
      {"gone", true, ": text"},
      {"dropped", true, "move : text"},
      {"changed", true, ": text"},
      {"note", true, "number : text"},
      {"chat", true, "userid : text"},
      {"watch", true, "userid"},
      {"unwatch", true, "userid"},
      {"message", false, "userid : text"},
      {"broadcast", false, "userid : text"},
      {"signout", false, "userid : text"},
  }};
  return rows;
}

const EventRow* event_row(std::string_view event) {
  const auto next = [&] {
    const std::string_view word = event.substr(0, event.find(' '));
    event.remove_prefix(std::min(event.size(), word.size() + 1));
    return word;
  };
  const std::string_view first = next();
  const bool of_board = find_game(first) != nullptr;
  if (of_board) next();
  const std::string_view kind = of_board ? next() : first;
  for (const EventRow& row : event_rows())
    if (row.of_board == of_board && row.kind == kind) return &row;
  return nullptr;
}

}  // namespace pbm
