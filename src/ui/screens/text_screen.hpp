// SPDX-License-Identifier: MIT
// Something to read: help made of a key table, or the rules of a game; with
// words to search for in it. Leaves the text to its caller.
#pragma once

#include <functional>

#include "base/markdown.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/screen.hpp"

namespace pbm {

class TextScreen final : public Screen {
 public:
  // `markdown` in the subset rules/ uses: # headings, paragraphs, - lists, blocks indented by four
  // blanks. It is made for a width, in columns, whenever that changes.
  using Text = std::function<std::string(int columns)>;
  // `lesson` is a board that teaches what it is about, or "".
  TextScreen(std::string title, Text markdown, std::string lesson = "");

  // As high as the terminal: there is something to read.
  Size wanted(Size terminal) override {
    return {terminal.rows, std::min(terminal.columns, kWidest)};
  }
  void draw(Canvas& canvas) override;
  ScreenRequest press(const Key& key) override;
  void paste(char32_t c) override;
  std::string title() const override { return title_; }
  std::vector<KeyHelp> keys() const override;

 private:
  static const std::vector<Binding<Act<TextScreen>>>& bindings();
  void go_to(int line) { top_ = std::clamp(line, 0, last_top_); }
  void scroll(int lines) { go_to(top_ + lines); }
  void turn(int pages) { scroll(pages * (page_ - 1)); }
  void first() { go_to(0); }
  void last() { go_to(last_top_); }
  void search();
  ScreenRequest lesson() { return lesson_.empty() ? ScreenRequest{} : GoToBoard{lesson_}; }

  void lay_out(int width);
  void find();
  void draw_matches(Canvas& canvas) const;
  void draw_bottom(Canvas& canvas);
  ScreenRequest press_in_search(const Key& key);
  void search_from(int line);
  void next_match(bool back);
  void next_heading(bool back);
  std::string found() const;

  std::string title_;
  Text markdown_;
  std::string lesson_;
  std::vector<TextLine> lines_;  // for a text of width_ columns
  int width_ = 78;
  int top_ = 0, page_ = 1, last_top_ = 0;

  LineEditor search_;
  bool searching_ = false;
  int before_ = 0;                      // top_ when the search began
  std::string wanted_, wanted_before_;  // the words looked for; "" for none
  std::vector<std::vector<Point>>
      matches_;              // where their characters stand: a line and a column of it each
  std::size_t at_ = 0;       // the match one is at
  std::optional<int> show_;  // a line that is to be seen in the next drawing
};

// A table of keys as markdown, its second column wrapped to `columns`.
std::string keys_as_text(const std::vector<KeyHelp>& keys, int columns);

}  // namespace pbm
