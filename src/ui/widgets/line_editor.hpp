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
      if (is_selected_) set_text("");
      if (characters_.size() < kMaxCharacters) characters_.insert(cursor_++, 1, key.value);
      return true;
    }
    const auto edit = bound_command<KeyAction<LineEditor>>(bindings(), key);
    if (!edit) return false;
    (*edit)(*this);
    is_selected_ = false;
    return true;
  }
  // Lets the next character replace the text, unless another editing key comes first.
  void select() { is_selected_ = true; }
  bool is_selected() const { return is_selected_; }
  // Returns the help for the keys of press().
  static std::vector<KeyHelp> keys() { return key_help<KeyAction<LineEditor>>(bindings()); }

  std::string text() const { return to_utf8(characters_); }
  bool empty() const { return characters_.empty(); }
  bool is_at_start() const { return cursor_ == 0; }
  bool is_at_end() const { return cursor_ == characters_.size(); }

  // Replaces the text and puts the cursor at its end.
  void set_text(std::string_view text) {
    characters_.clear();
    is_selected_ = false;
    while (!text.empty()) {
      const DecodedCharacter d = decode_utf8(text);
      characters_ += d.code_point;
      text.remove_prefix(d.size);
    }
    move_to_end();
  }

  // Draws the line and its cursor in at most `width` columns, scrolled to the cursor. From byte
  // `wrong_from` on, it has the style of an error.
  void draw(Canvas& canvas, int row, int column, int width, Style style,
            std::optional<std::size_t> wrong_from = {}) const {
    if (width <= 0) return;
    // Makes each character safe by itself, so that columns and characters stay in step.
    const auto shown = [&](std::size_t i) { return safe_text(to_utf8(characters_.substr(i, 1))); };
    std::size_t from = 0;
    int ahead = 0;  // columns from `from` to the cursor
    for (std::size_t i = 0; i < cursor_; ++i) ahead += columns(shown(i));
    while (ahead > width - 1 && from < cursor_) ahead -= columns(shown(from++));
    std::size_t bytes = to_utf8(characters_.substr(0, from)).size();
    int c = column;
    for (std::size_t i = from; i < characters_.size(); ++i) {
      const std::string glyph = shown(i);
      if (c + columns(glyph) > column + width) break;
      const bool bad = wrong_from && bytes >= *wrong_from;
      c = canvas.put_text(row, c, glyph, bad ? Style::bad : style, bad ? Mark::wrong : Mark::none);
      bytes += to_utf8(characters_.substr(i, 1)).size();
    }
    canvas.cursor = Point{row, column + ahead};
  }

 private:
  static const std::vector<Binding<KeyAction<LineEditor>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<KeyAction<LineEditor>>> table{
        {make_action<&LineEditor::move_left>, {{left}}, "back one character"},
        {make_action<&LineEditor::move_right>, {{right}}, "on one character"},
        {make_action<&LineEditor::move_to_start>,
         {{home}, control_key('A')},
         "to the start of the line"},
        {make_action<&LineEditor::move_to_end>,
         {{end}, control_key('E')},
         "to the end of the line"},
        {make_action<&LineEditor::delete_before>,
         {{backspace}},
         "delete the character before the cursor"},
        {make_action<&LineEditor::delete_at_cursor>,
         {{delete_key}, control_key('D')},
         "delete the character under the cursor"},
        {make_action<&LineEditor::delete_word>,
         {control_key('W')},
         "delete the word before the cursor"},
        {make_action<&LineEditor::delete_line>, {control_key('U')}, "delete the whole line"},
        {make_action<&LineEditor::delete_to_end>,
         {control_key('K')},
         "delete to the end of the line"},
    };
    return table;
  }

  void move_left() { cursor_ -= cursor_ > 0; }
  void move_right() { cursor_ += cursor_ < characters_.size(); }
  void move_to_start() { cursor_ = 0; }
  void move_to_end() { cursor_ = characters_.size(); }
  void delete_before() {
    if (cursor_ > 0) characters_.erase(--cursor_, 1);
  }
  void delete_at_cursor() {
    if (cursor_ < characters_.size()) characters_.erase(cursor_, 1);
  }
  void delete_word() {
    std::size_t from = cursor_;
    while (from > 0 && characters_[from - 1] == U' ') --from;
    while (from > 0 && characters_[from - 1] != U' ') --from;
    characters_.erase(from, cursor_ - from);
    cursor_ = from;
  }
  void delete_line() { set_text(""); }
  void delete_to_end() { characters_.resize(cursor_); }

  static std::string to_utf8(const std::u32string& chars) {
    std::string out;
    for (const char32_t c : chars) append_utf8(out, c);
    return out;
  }

  static constexpr std::size_t kMaxCharacters =
      300;  // characters; a longer text is an accidental paste
  std::u32string characters_;
  std::size_t cursor_ = 0;
  bool is_selected_ = false;
};

// The entered lines, to fetch and enter again.
class LineHistory {
 public:
  // Adds a line, unless it equals the last one, and restarts.
  void add(const std::string& line) {
    if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
    reset();
  }
  void reset() { index_ = lines_.size(); }

  // Fetches the line before (-1) or after (1) the last fetched one; after the last line an empty
  // one. Returns null if there is none.
  const std::string* fetch(int step) {
    static const std::string none;
    is_recalled_ = true;
    if (step < 0) return index_ > 0 ? &lines_[--index_] : nullptr;
    if (index_ == lines_.size()) return nullptr;
    return ++index_ < lines_.size() ? &lines_[index_] : &none;
  }
  // True if a line was fetched and nothing done since.
  bool is_recalled() const { return is_recalled_; }
  void end_recall() { is_recalled_ = false; }

 private:
  std::vector<std::string> lines_;
  std::size_t index_ = 0;  // the last fetched line, or lines_.size()
  bool is_recalled_ = false;
};

}  // namespace pbm
