// SPDX-License-Identifier: MIT
// Something to read: help made of a key table, or the rules of a game.
#pragma once

#include <functional>

#include "ui/screen.hpp"

namespace pbm {

class TextScreen final : public Screen {
 public:
  // `markdown` in the subset rules/ uses: # headings, paragraphs, - lists, blocks indented by four blanks.
  // It is made for a width, in columns, whenever it is drawn.
  using Text = std::function<std::string(int columns)>;
  TextScreen(std::string title, Text markdown);

  // As high as the terminal: there is something to read.
  Size wanted(Size terminal) const override { return {terminal.rows, std::min(terminal.columns, 100)}; }
  void draw(Canvas& canvas) override;
  Request press(const Key& key) override;
  void say(std::string sentence) override { notice_ = std::move(sentence); }
  std::string title() const override { return title_; }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();

  std::string title_;
  Text markdown_;
  std::string notice_;
  int top_ = 0, page_ = 1, last_top_ = 0;
};

// A table of keys as markdown, its second column wrapped to `columns`.
std::string keys_as_text(const std::vector<KeyHelp>& keys, int columns);

}  // namespace pbm
