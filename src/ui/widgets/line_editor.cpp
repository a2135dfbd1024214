// SPDX-License-Identifier: MIT
#include "ui/widgets/line_editor.hpp"

namespace pbm {
namespace {

enum class Edit { left, right, home, end, backspace, remove, clear, cut_word, cut_end };

constexpr auto character = Key::Code::character;

const std::vector<Binding<Edit>>& bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Edit>> table{
      {Edit::left, {{left}}, "back one character"},
      {Edit::right, {{right}}, "on one character"},
      {Edit::home, {{home}, ctrl('A')}, "to the start of the line"},
      {Edit::end, {{end}, ctrl('E')}, "to the end of the line"},
      {Edit::backspace, {{backspace}}, "delete the character before the cursor"},
      {Edit::remove, {{remove}, ctrl('D')}, "delete the character under the cursor"},
      {Edit::cut_word, {ctrl('W')}, "delete the word before the cursor"},
      {Edit::clear, {ctrl('U')}, "delete the whole line"},
      {Edit::cut_end, {ctrl('K')}, "delete to the end of the line"},
  };
  return table;
}

std::string utf8(const std::u32string& chars) {
  std::string out;
  for (const char32_t c : chars) append_utf8(out, c);
  return out;
}

}  // namespace

bool LineEditor::press(const Key& key) {
  if (key.code == character) {
    if (chars_.size() < kMax) chars_.insert(at_++, 1, key.c);
    return true;
  }
  const auto edit = command_for<Edit>(bindings(), key);
  if (!edit) return false;
  switch (*edit) {
    case Edit::left: at_ -= at_ > 0; break;
    case Edit::right: at_ += at_ < chars_.size(); break;
    case Edit::home: at_ = 0; break;
    case Edit::end: at_ = chars_.size(); break;
    case Edit::backspace:
      if (at_ > 0) chars_.erase(--at_, 1);
      break;
    case Edit::remove:
      if (at_ < chars_.size()) chars_.erase(at_, 1);
      break;
    case Edit::clear:
      chars_.clear();
      at_ = 0;
      break;
    case Edit::cut_word: {
      std::size_t from = at_;
      while (from > 0 && chars_[from - 1] == U' ') --from;
      while (from > 0 && chars_[from - 1] != U' ') --from;
      chars_.erase(from, at_ - from);
      at_ = from;
      break;
    }
    case Edit::cut_end: chars_.resize(at_); break;
  }
  return true;
}

std::vector<KeyHelp> LineEditor::keys() { return key_help<Edit>(bindings()); }

std::string LineEditor::text() const { return utf8(chars_); }

void LineEditor::set(std::string_view text) {
  chars_.clear();
  while (!text.empty()) {
    const Decoded d = decode_utf8(text);
    chars_ += d.c;
    text.remove_prefix(d.bytes);
  }
  at_ = chars_.size();
}

void LineEditor::draw(Canvas& canvas, int row, int column, int width, Style style,
                      std::optional<std::size_t> wrong_from) const {
  if (width <= 0) return;
  // Each character is made harmless by itself, so that columns and characters keep step.
  const auto shown = [&](std::size_t i) { return safe_text(utf8(chars_.substr(i, 1))); };
  std::size_t from = 0;
  int ahead = 0;  // columns from `from` to the cursor
  for (std::size_t i = 0; i < at_; ++i) ahead += columns(shown(i));
  while (ahead > width - 1 && from < at_) ahead -= columns(shown(from++));
  std::size_t bytes = utf8(chars_.substr(0, from)).size();
  int c = column;
  for (std::size_t i = from; i < chars_.size(); ++i) {
    const std::string glyph = shown(i);
    if (c + columns(glyph) > column + width) break;
    const bool bad = wrong_from && bytes >= *wrong_from;
    c = canvas.put(row, c, glyph, bad ? Style::bad : style, bad ? Mark::wrong : Mark::none);
    bytes += utf8(chars_.substr(i, 1)).size();
  }
  canvas.cursor = Point{row, column + ahead};
}

}  // namespace pbm
