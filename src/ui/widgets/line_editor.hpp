// SPDX-License-Identifier: MIT
// One line of text being typed. Leaves what it means to its screen.
#pragma once

#include "ui/widgets/canvas.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

class LineEditor {
 public:
  // True when the key edits a line (and did, where there was something to edit).
  bool press(const Key& key);
  // The keys press() takes, for help.
  static std::vector<KeyHelp> keys();

  std::string text() const;
  bool empty() const { return chars_.empty(); }
  bool at_start() const { return at_ == 0; }
  bool at_end() const { return at_ == chars_.size(); }
  void set(std::string_view text);  // cursor behind it

  // Draws the line from there on with its cursor, in at most `width` columns,
  // scrolled so that the cursor shows; from byte `wrong_from` on in the style
  // for what is wrong.
  void draw(Canvas& canvas, int row, int column, int width, Style style,
            std::optional<std::size_t> wrong_from = {}) const;

 private:
  static constexpr std::size_t kMax = 300;  // characters; more is a paste gone astray
  std::u32string chars_;
  std::size_t at_ = 0;
};

}  // namespace pbm
