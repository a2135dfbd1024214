// SPDX-License-Identifier: MIT
#include "game/position.hpp"

#include <algorithm>

#include "game/drawing.hpp"

namespace pbm {
namespace {

// A text in which `joint` replaces each run of blanks; `at` has the source offset of each byte.
struct Joined {
  std::string text;
  std::vector<std::size_t> at;
};
Joined join_blanks(std::string_view text, std::string_view joint) {
  Joined out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || text[i] == '\t';
    if (blank && i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) continue;
    const std::string_view part = blank ? joint : text.substr(i, 1);
    out.text += part;
    out.at.insert(out.at.end(), part.size(), i);
  }
  out.at.push_back(text.size());
  return out;
}

// Returns `text` with the missing dashes between squares, as in "d3e3"; nothing if none is missing.
std::optional<Joined> join_squares(std::string_view text) {
  Joined out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-') return std::nullopt;
    if (i > 0 && is_letter(text[i]) && is_digit(text[i - 1])) {
      out.text += '-';
      out.at.push_back(i);
    }
    out.text += text[i];
    out.at.push_back(i);
  }
  out.at.push_back(text.size());
  return out.text.size() > text.size() ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<std::string> Position::parse(std::string_view typed) const {
  // Games do not parse plies after the end.
  if (const auto end = outcome())
    return Refusal{"The game is over. " +
                   (end->winner ? sign(*end->winner) + " won: " : "A tie: ") + end->why + "."};
  const std::string_view text = trim(typed);
  auto ply = held_->parse(text);
  if (ply) return ply;
  if (auto meant = forgiven(text)) return std::move(*meant);
  // The blanks may be correct: reports the error that lies furthest right without them.
  Refusal refusal = ply.refusal();
  if (text.find_first_of(" \t") != std::string_view::npos)
    for (const std::string_view joint : {"", "-"}) {
      const Joined joined = join_blanks(text, joint);
      const auto read = held_->parse(joined.text);
      const std::size_t at = read ? 0 : joined.at[std::min(read.refusal().at, joined.text.size())];
      if (at > refusal.at) refusal = {read.refusal().why, at};
    }
  // The same for dashes that the player left out.
  if (const auto joined = join_squares(text)) {
    const auto read = held_->parse(joined->text);
    const std::size_t at = read ? 0 : std::min(read.refusal().at, joined->text.size());
    if (at > joined->text.find('-') && joined->at[at] >= refusal.at)
      refusal = {read.refusal().why, joined->at[at]};
  }
  // For an empty text, data() is no offset into `typed`.
  const std::size_t blanks =
      text.empty() ? 0 : static_cast<std::size_t>(text.data() - typed.data());
  return Refusal{std::move(refusal.why), std::min(refusal.at + blanks, typed.size())};
}

std::optional<std::string> Position::forgiven(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  auto meant = meant_by(text, held_->spellings());
  if (!meant) return std::nullopt;
  // Some games also accept texts that they do not list, such as too long distances or directions.
  const auto read = held_->parse(meant->plain);
  if (!read) return std::move(meant->ply);
  return !meant->ply || *meant->ply == *read ? std::optional(*read) : std::nullopt;
}

void Position::sort(std::vector<std::string>& v) { std::ranges::sort(v); }

std::vector<Spelling> Position::spellings() const {
  auto out = held_->spellings();
  std::ranges::sort(out);
  return out;
}

std::optional<Position> Position::skipped() const {
  Position out = *this;
  if (!out.held_->skip()) return std::nullopt;
  return out;
}

Drawing Position::draw(const View& view) const {
  if (view.words) return {.rows = in_words(), .spots = {}};
  Drawing out = held_->draw(view);
  out.labels = labels_of(out);
  if (view.turned) out = turned(std::move(out));
  if (view.scale > 1) out = enlarged(std::move(out));
  for (const Caption& caption : out.captions) {
    std::string& row = out.rows[index(caption.row)];
    const std::size_t at = caption.behind ? row.size() + 2 : index(caption.column);
    row.resize(std::max(row.size(), at + caption.text.size()), ' ');
    for (std::size_t i = 0; i < caption.text.size(); ++i)
      if (row[at + i] == ' ') row[at + i] = caption.text[i];
  }
  if (!out.captions.empty()) out.labels = labels_of(out);
  return out;
}

}  // namespace pbm
