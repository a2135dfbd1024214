// SPDX-License-Identifier: MIT
#include "game/position.hpp"

#include <algorithm>

namespace pbm {

Result<std::string> Position::parse(std::string_view typed) const {
  const std::string_view text = trim(typed);
  auto ply = held_->parse(text);
  if (ply) return ply;
  // Where a text is empty there is no first byte to count the blanks from.
  const std::size_t blanks = text.empty() ? 0 : static_cast<std::size_t>(text.data() - typed.data());
  return Refusal{ply.refusal().why, std::min(ply.refusal().at + blanks, typed.size())};
}

void Position::sort(std::vector<std::string>& v) { std::sort(v.begin(), v.end()); }
void Position::sort(std::vector<Spelling>& v) { std::sort(v.begin(), v.end()); }

}  // namespace pbm
