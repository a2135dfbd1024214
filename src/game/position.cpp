// SPDX-License-Identifier: MIT
#include "game/position.hpp"

#include <algorithm>

#include "game/notation.hpp"

namespace pbm {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

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
  auto meant = meant_by(text, held_->spellings());
  if (!meant) return std::nullopt;
  // A game reads more than it spells out: distances that are too long, words for a way.
  const auto read = held_->parse(meant->plain);
  if (!read) return std::move(meant->ply);
  return !meant->ply || *meant->ply == *read ? std::optional(*read) : std::nullopt;
}

void Position::sort(std::vector<std::string>& v) { std::sort(v.begin(), v.end()); }

std::vector<Position::Spelling> Position::spellings() const {
  auto out = held_->spellings();
  std::sort(out.begin(), out.end());
  return out;
}

Drawing Position::draw(const View& view) const {
  Drawing out = held_->draw(view);
  std::vector<std::string> bare = out.rows;
  for (const Spot& s : out.spots)
    for (int i = 0; i < s.width; ++i) bare[index(s.row)][index(s.column + i)] = ' ';
  for (std::size_t row = 0; row < bare.size(); ++row)
    for (std::size_t at = 0; at < bare[row].size(); ++at) {
      const auto stands = [&] {
        return at < bare[row].size() && (is_letter(bare[row][at]) || is_digit(bare[row][at]));
      };
      if (!stands()) continue;
      Label label{static_cast<int>(row), static_cast<int>(at), 0};
      for (; stands(); ++at) ++label.width;
      out.labels.push_back(label);
    }
  return out;
}

}  // namespace pbm
