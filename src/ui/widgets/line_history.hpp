// SPDX-License-Identifier: MIT
// Lines that were entered, to be fetched and entered again. Leaves the line to line_editor.hpp.
#pragma once

#include <string>
#include <vector>

namespace pbm {

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
