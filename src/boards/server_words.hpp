// SPDX-License-Identifier: MIT
// What a server says, understood: its lines in, boards and news for people out,
// harmless whatever it sent. Nothing is asked here and nothing kept; that is
// remote.hpp's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "boards/boards.hpp"

namespace pbm {

// Of anything a server says one harmless line of sane length.
std::string sanitize(std::string_view text);

// An event: "chaos 101 chat fred : your turn", "message fred : hello".
struct Heard {
  std::optional<Notification> news;  // nothing for an event that says nothing to people
  bool boards_changed = false;
  std::string signed_out = {};  // why whoever is connected is so no more; "" while he is
};
Heard understand_event(const std::string& event);

// Whether what was refused so may be let through a little later.
bool is_for_now(std::string_view why);

// A line of the answer to "boards" as `user` sees it. Nothing for what is none
// of a numbered board of a game this program knows; broken for what makes no sense.
std::optional<BoardLine> understand_board(const std::string& line, const std::string& user);

}  // namespace pbm
