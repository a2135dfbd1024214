// SPDX-License-Identifier: MIT
// The editor of an input line, and the history of entered lines. Leaves the meaning of the text to
// its screen.
#pragma once

#include <string>
#include <vector>

#include "ui/widgets/canvas.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

// A line of text with a cursor.
class LineEditor {
 public:
  // Handles an editing key. Returns false for other keys.
  bool press(const Key& key) {
    if (key.code == Key::Code::character) {
      if (chars_.size() < kMax) chars_.insert(at_++, 1, key.c);
      return true;
    }
    const auto edit = command_for<Act<LineEditor>>(bindings(), key);
    if (edit) (*edit)(*this);
    return edit.has_value();
  }
  // Returns the help for the keys of press().
  static std::vector<KeyHelp> keys() { return key_help<Act<LineEditor>>(bindings()); }

  std::string text() const { return utf8(chars_); }
  bool empty() const { return chars_.empty(); }
  bool at_start() const { return at_ == 0; }
  bool at_end() const { return at_ == chars_.size(); }

  // Replaces the text and puts the cursor at its end.
  void set(std::string_view text) {
    chars_.clear();
    while (!text.empty()) {
      const Decoded d = decode_utf8(text);
      chars_ += d.c;
      text.remove_prefix(d.bytes);
    }
    go_end();
  }

  // Draws the line and its cursor in at most `width` columns, scrolled to the cursor. From byte
  // `wrong_from` on, it has the style of an error.
  void draw(Canvas& canvas, int row, int column, int width, Style style,
            std::optional<std::size_t> wrong_from = {}) const {
    if (width <= 0) return;
    // Makes each character safe by itself, so that columns and characters stay in step.
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

 private:
  static const std::vector<Binding<Act<LineEditor>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<Act<LineEditor>>> table{
        {act<&LineEditor::go_left>, {{left}}, "back one character"},
        {act<&LineEditor::go_right>, {{right}}, "on one character"},
        {act<&LineEditor::go_home>, {{home}, ctrl('A')}, "to the start of the line"},
        {act<&LineEditor::go_end>, {{end}, ctrl('E')}, "to the end of the line"},
        {act<&LineEditor::cut_before>, {{backspace}}, "delete the character before the cursor"},
        {act<&LineEditor::cut_here>,
         {{remove}, ctrl('D')},
         "delete the character under the cursor"},
        {act<&LineEditor::cut_word>, {ctrl('W')}, "delete the word before the cursor"},
        {act<&LineEditor::cut_all>, {ctrl('U')}, "delete the whole line"},
        {act<&LineEditor::cut_end>, {ctrl('K')}, "delete to the end of the line"},
    };
    return table;
  }

  void go_left() { at_ -= at_ > 0; }
  void go_right() { at_ += at_ < chars_.size(); }
  void go_home() { at_ = 0; }
  void go_end() { at_ = chars_.size(); }
  void cut_before() {
    if (at_ > 0) chars_.erase(--at_, 1);
  }
  void cut_here() {
    if (at_ < chars_.size()) chars_.erase(at_, 1);
  }
  void cut_word() {
    std::size_t from = at_;
    while (from > 0 && chars_[from - 1] == U' ') --from;
    while (from > 0 && chars_[from - 1] != U' ') --from;
    chars_.erase(from, at_ - from);
    at_ = from;
  }
  void cut_all() { set(""); }
  void cut_end() { chars_.resize(at_); }

  static std::string utf8(const std::u32string& chars) {
    std::string out;
    for (const char32_t c : chars) append_utf8(out, c);
    return out;
  }

  static constexpr std::size_t kMax = 300;  // characters; a longer text is an accidental paste
  std::u32string chars_;
  std::size_t at_ = 0;
};

// The entered lines, to fetch and enter again.
class LineHistory {
 public:
  // Adds a line, unless it equals the last one, and restarts.
  void add(const std::string& line) {
    if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
    restart();
  }
  void restart() { at_ = lines_.size(); }

  // Fetches the line before (-1) or after (1) the last fetched one; after the last line an empty
  // one. Returns null if there is none.
  const std::string* step(int step) {
    static const std::string none;
    recalled_ = true;
    if (step < 0) return at_ > 0 ? &lines_[--at_] : nullptr;
    if (at_ == lines_.size()) return nullptr;
    return ++at_ < lines_.size() ? &lines_[at_] : &none;
  }
  // True if a line was fetched and nothing done since.
  bool recalled() const { return recalled_; }
  void settle() { recalled_ = false; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;  // the last fetched line, or lines_.size()
  bool recalled_ = false;
};

}  // namespace pbm
