// SPDX-License-Identifier: MIT
// One line of text being typed, and those that were entered, to be fetched and entered again.
// Leaves what it means to its screen.
#pragma once

#include <string>
#include <vector>

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

class LineHistory {
 public:
  // The next one to be fetched is this one; the same twice in a row counts once.
  void add(const std::string& line) {
    if (lines_.empty() || lines_.back() != line) lines_.push_back(line);
    restart();
  }
  void restart() { at_ = lines_.size(); }

  // The line before (-1) or behind (1) the one fetched last; behind the last an empty one.
  // Nothing where there is none.
  const std::string* step(int step) {
    static const std::string none;
    recalled_ = true;
    if (step < 0) return at_ > 0 ? &lines_[--at_] : nullptr;
    if (at_ == lines_.size()) return nullptr;
    return ++at_ < lines_.size() ? &lines_[at_] : &none;
  }
  // Whether one was just fetched, and nothing done since.
  bool recalled() const { return recalled_; }
  void settle() { recalled_ = false; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;  // the one fetched last; their number when none is
  bool recalled_ = false;
};

}  // namespace pbm
