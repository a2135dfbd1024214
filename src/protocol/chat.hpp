// SPDX-License-Identifier: MIT
// A line that was said on a server's board; on the wire a YAML map. Leaves who may read it to
// server/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace pbm {

struct ChatLine {
  std::size_t number = 0;  // on that board: 1 for the first that was ever said
  Time at{};
  std::string userid;  // who said it
  std::string text;
  bool fresh = false;  // whoever asks had not read it
  bool aside = false;  // in the server: said among those who watched while the game ran
  // "2026-11-21 12:00  fred: good luck".
  std::string in_words() const;
  friend bool operator==(const ChatLine&, const ChatLine&) = default;
};
// "{line: 3, at: 2026-11-21T12:00:00Z, by: fred, text: good luck, new: true}".
std::string encode(const ChatLine& line);
// With a harmless text.
std::optional<ChatLine> decode_chat(std::string_view line);

}  // namespace pbm
