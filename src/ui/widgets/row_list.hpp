// SPDX-License-Identifier: MIT
// A list of rows with a selected one, which scrolls. Leaves the content of the rows to its screen.
#pragma once

#include <algorithm>
#include <climits>

#include "ui/widgets/canvas.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

// Returns the index `step` after `at` of `of`; wraps around.
inline std::size_t step_round(std::size_t at, std::size_t of, int step) {
  return (at + of + static_cast<std::size_t>(step + static_cast<int>(of))) % of;
}

// The selection and the visible part of a list.
class RowList {
 public:
  void resize(int rows) {
    rows_ = rows;
    select(selected_);
  }
  int selected() const { return selected_; }
  void select(int row) { selected_ = std::clamp(row, 0, std::max(0, rows_ - 1)); }
  // Handles a key that moves in lists. Returns false for other keys.
  bool press(const Key& key) {
    const auto move = command_for<Act<RowList>>(bindings(), key);
    if (move) (*move)(*this);
    return move.has_value();
  }
  // Returns the help for the keys of press(), under a heading.
  static std::vector<KeyHelp> keys() {
    return std::vector<KeyHelp>{{"", "In every list"}} + key_help<Act<RowList>>(bindings());
  }
  // Selects the row at a place. Returns true if it was already selected.
  bool click(Point place) {
    const auto row = row_at(place);
    const bool again = row == selected_;
    if (row) select(*row);
    return again;
  }

  // Gives the list `room` rows of the screen from `first` on, and scrolls to the selected one.
  void lay_out(int first, int room) {
    first_ = first;
    page_ = std::max(1, room);
    top_ = page_start(rows_, page_, selected_, top_);
  }
  // The visible rows, the screen row of one, and whether more follow.
  int begin() const { return top_; }
  int end() const { return std::min(top_ + page_, rows_); }
  int place_of(int row) const { return first_ + row - top_; }
  bool more_below() const { return end() < rows_; }
  // Returns the row that was drawn at a place, or nothing.
  std::optional<int> row_at(Point place) const {
    const int row = place.row - first_ + top_;
    return place.row >= first_ && row < end() ? std::optional(row) : std::nullopt;
  }

 private:
  static const std::vector<Binding<Act<RowList>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<Act<RowList>>> table{
        {act<&RowList::go, -1>, by_keys(up, typed('k')), "up"},
        {act<&RowList::go, 1>, by_keys(down, typed('j')), "down"},
        {act<&RowList::turn, -1>, by_keys(page_up, ctrl('B')), "a page up"},
        {act<&RowList::turn, 1>, by_keys(page_down, ctrl('F')), "a page down"},
        {act<&RowList::select, 0>, by_keys(home, typed('g')), "the first row"},
        {act<&RowList::select, INT_MAX>, by_keys(Key::Code::end, typed('G')), "the last row"},
    };
    return table;
  }
  void go(int rows) { select(selected_ + rows); }
  void turn(int pages) { go(pages * page_); }

  int rows_ = 0, selected_ = 0;
  int first_ = 0, top_ = 0, page_ = 1;
};

}  // namespace pbm
