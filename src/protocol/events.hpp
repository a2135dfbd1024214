// SPDX-License-Identifier: MIT
// The kinds of events, as they stand behind the "* " of a line: one table that
// the manual is held to, and every event too.
#pragma once

#include <span>
#include <string_view>

namespace pbm {

struct EventRow {
  std::string_view kind;    // "ply"
  bool of_board;            // a game's name and a board's number stand before it
  std::string_view syntax;  // what follows: "number userid move [(Auto)]"
};

std::span<const EventRow> event_rows();

// The row of an event, or null when it is of no such kind.
const EventRow* event_row(std::string_view event);

}  // namespace pbm
