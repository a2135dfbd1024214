// SPDX-License-Identifier: MIT
// What a server says, understood: its lines in, boards and news for people out,
// harmless whatever it sent. Nothing is asked here and nothing kept; that is
// remote_boards.hpp's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "boards/boards.hpp"

namespace pbm {

// An event: "chaos 101 chat fred : your turn", "message fred : hello".
struct Heard {
  std::optional<Notification> news;  // nothing for an event that says nothing to people
  bool boards_changed = false;
  std::string signed_out = {};  // why whoever is connected is so no more; "" while he is
};
Heard understand_event(const std::string& event);

// A line of the answer to "boards" as `user` sees it. Nothing for what is none
// of a numbered board of a game this program knows; broken for what makes no sense.
std::optional<BoardLine> understand_board(const std::string& line, const std::string& user);

}  // namespace pbm
