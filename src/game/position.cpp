// SPDX-License-Identifier: MIT
#include "game/position.hpp"

#include <algorithm>

#include "game/drawing.hpp"

namespace pbm {
namespace {

// A text in which `joint` replaces each run of blanks; `at` has the source offset of each byte.
struct JoinedText {
  std::string text;
  std::vector<std::size_t> source_offsets;
};
JoinedText replace_blanks(std::string_view text, std::string_view joint) {
  JoinedText out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || text[i] == '\t';
    if (blank && i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\t')) continue;
    const std::string_view part = blank ? joint : text.substr(i, 1);
    out.text += part;
    out.source_offsets.insert(out.source_offsets.end(), part.size(), i);
  }
  out.source_offsets.push_back(text.size());
  return out;
}

// Returns `text` with the missing dashes between squares, as in "d3e3"; nothing if none is missing.
std::optional<JoinedText> insert_dashes(std::string_view text) {
  JoinedText out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-') return std::nullopt;
    if (i > 0 && is_letter(text[i]) && is_digit(text[i - 1])) {
      out.text += '-';
      out.source_offsets.push_back(i);
    }
    out.text += text[i];
    out.source_offsets.push_back(i);
  }
  out.source_offsets.push_back(text.size());
  return out.text.size() > text.size() ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<std::string> Position::parse(std::string_view typed) const {
  // Games do not parse plies after the end.
  if (const auto end = outcome())
    return Refusal{"The game is over. " +
                   (end->winner ? side_name(*end->winner) + " wins. " : "It is a tie. ") +
                   end->reason + "."};
  const std::string_view text = trim(typed);
  auto ply = state_->parse(text);
  if (ply) return ply;
  if (auto meant = parse_loosely(text)) return std::move(*meant);
  // The blanks may be correct: reports the error that lies furthest right without them.
  Refusal refusal = ply.refusal();
  if (text.find_first_of(" \t") != std::string_view::npos)
    for (const std::string_view joint : {"", "-"}) {
      const JoinedText joined = replace_blanks(text, joint);
      const auto read = state_->parse(joined.text);
      const std::size_t at =
          read ? 0 : joined.source_offsets[std::min(read.refusal().offset, joined.text.size())];
      if (at > refusal.offset) refusal = {read.refusal().reason, at};
    }
  // The same for dashes that the player left out.
  if (const auto joined = insert_dashes(text)) {
    const auto read = state_->parse(joined->text);
    const std::size_t at = read ? 0 : std::min(read.refusal().offset, joined->text.size());
    if (at > joined->text.find('-') && joined->source_offsets[at] >= refusal.offset)
      refusal = {read.refusal().reason, joined->source_offsets[at]};
  }
  // For an empty text, data() is no offset into `typed`.
  const std::size_t blanks = text.empty() ? 0 : index(text.data() - typed.data());
  return Refusal{std::move(refusal.reason), std::min(refusal.offset + blanks, typed.size())};
}

std::optional<std::string> Position::parse_loosely(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  auto meant = read_loosely(text, state_->spellings());
  if (!meant) return std::nullopt;
  // Some games also accept texts that they do not list, such as too long distances or directions.
  const auto read = state_->parse(meant->plain_text);
  if (!read) return std::move(meant->ply);
  return !meant->ply || *meant->ply == *read ? std::optional(*read) : std::nullopt;
}

void Position::sort_plies(std::vector<std::string>& v) { std::ranges::sort(v); }

std::vector<Spelling> Position::spellings() const {
  auto out = state_->spellings();
  std::ranges::sort(out);
  return out;
}

std::optional<Position> Position::after_skip() const {
  Position out = *this;
  if (!out.state_->skip_turn()) return std::nullopt;
  return out;
}

Drawing Position::draw(const View& view) const {
  if (view.is_text) return {.rows = description_lines(), .spots = {}};
  Drawing out = state_->draw(view);
  out.labels = find_labels(out);
  if (view.is_turned) out = turn_drawing(std::move(out));
  if (view.scale > 1) out = enlarge_drawing(std::move(out), view.scale);
  for (const Caption& caption : out.captions) {
    std::string& row = out.rows[index(caption.row)];
    const std::size_t at = caption.is_after_row ? row.size() + 2 : index(caption.column);
    row.resize(std::max(row.size(), at + caption.text.size()), ' ');
    for (std::size_t i = 0; i < caption.text.size(); ++i)
      if (row[at + i] == ' ') row[at + i] = caption.text[i];
  }
  if (!out.captions.empty()) out.labels = find_labels(out);
  return out;
}

}  // namespace pbm
