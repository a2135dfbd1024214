// SPDX-License-Identifier: MIT
#include "game/position.hpp"

#include <algorithm>

#include "game/notation.hpp"

namespace pbm {

Result<std::string> Position::parse(std::string_view typed) const {
  const std::string_view text = trim(typed);
  auto ply = held_->parse(text);
  if (ply) return ply;
  if (auto meant = forgiven(text)) return std::move(*meant);
  // Where a text is empty there is no first byte to count the blanks from.
  const std::size_t blanks =
      text.empty() ? 0 : static_cast<std::size_t>(text.data() - typed.data());
  return Refusal{ply.refusal().why, std::min(ply.refusal().at + blanks, typed.size())};
}

std::optional<std::string> Position::forgiven(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  const Notation notation(spellings());
  auto meant = notation.only(text);
  // A game reads more than it spells out: distances that are too long, words for a way.
  const auto plain = notation.plain(text);
  if (!plain) return meant;
  const auto read = held_->parse(*plain);
  if (!read) return meant;
  return !meant || *meant == *read ? std::optional(*read) : std::nullopt;
}

void Position::sort(std::vector<std::string>& v) { std::sort(v.begin(), v.end()); }
void Position::sort(std::vector<Spelling>& v) { std::sort(v.begin(), v.end()); }

}  // namespace pbm
