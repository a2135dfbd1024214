// SPDX-License-Identifier: MIT
// A list of rows with a selected one, which scrolls. Leaves the content of the rows to its screen.
#pragma once

#include <algorithm>
#include <climits>

#include "ui/widgets/canvas.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

// Returns the index `step` after `at` of `of`; wraps around.
inline std::size_t wrap_index(std::size_t at, std::size_t of, int step) {
  return (at + of + static_cast<std::size_t>(step + static_cast<int>(of))) % of;
}

// The selection and the visible part of a list.
class RowList {
 public:
  void set_row_count(int rows) {
    row_count_ = rows;
    select(selected_row_);
  }
  int selected_row() const { return selected_row_; }
  void select(int row) { selected_row_ = std::clamp(row, 0, std::max(0, row_count_ - 1)); }
  void scroll_to_top() { first_visible_ = 0; }
  // Handles a key that moves in lists. Returns false for other keys.
  bool press(const Key& key) {
    const auto move = bound_command<KeyAction<RowList>>(bindings(), key);
    if (move) (*move)(*this);
    return move.has_value();
  }
  // Returns the help for the keys of press(), under a heading.
  static std::vector<KeyHelp> keys() {
    return std::vector<KeyHelp>{{"", "In every list"}} + key_help<KeyAction<RowList>>(bindings());
  }
  // Selects the row at a place. Returns true if it was already selected.
  bool select_at(Point place) {
    const auto row = row_at(place);
    const bool again = row == selected_row_;
    if (row) select(*row);
    return again;
  }

  // Gives the list `room` rows of the screen from `first` on, and scrolls to the selected one.
  void set_layout(int first, int room) {
    screen_row_ = first;
    visible_count_ = std::max(1, room);
    first_visible_ = first_line_to_show(row_count_, visible_count_, selected_row_, first_visible_);
    first_visible_ = std::min(first_visible_, std::max(0, row_count_ - visible_count_));
  }
  // The visible rows, the screen row of one, and a text if there are more rows.
  int first_visible() const { return first_visible_; }
  int end_visible() const { return std::min(first_visible_ + visible_count_, row_count_); }
  int screen_row(int row) const { return screen_row_ + row - first_visible_; }
  std::string_view more_text() const {
    const bool below = end_visible() < row_count_;
    return first_visible_ == 0 ? below ? "v more below" : ""
           : below             ? "^ more above, v more below"
                               : "^ more above";
  }
  // Returns the row that was drawn at a place, or nothing.
  std::optional<int> row_at(Point place) const {
    const int row = place.row - screen_row_ + first_visible_;
    return place.row >= screen_row_ && row < end_visible() ? std::optional(row) : std::nullopt;
  }

 private:
  static const std::vector<Binding<KeyAction<RowList>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<KeyAction<RowList>>> table{
        {make_action<&RowList::move_by, -1>, key_list(up, character_key('k')), "up"},
        {make_action<&RowList::move_by, 1>, key_list(down, character_key('j')), "down"},
        {make_action<&RowList::move_pages, -1>, key_list(page_up, control_key('B')), "a page up"},
        {make_action<&RowList::move_pages, 1>, key_list(page_down, control_key('F')),
         "a page down"},
        {make_action<&RowList::select, 0>, key_list(home, character_key('g')), "the first row"},
        {make_action<&RowList::select, INT_MAX>, key_list(Key::Code::end, character_key('G')),
         "the last row"},
    };
    return table;
  }
  void move_by(int rows) { select(selected_row_ + rows); }
  void move_pages(int pages) { move_by(pages * visible_count_); }

  int row_count_ = 0, selected_row_ = 0;
  int screen_row_ = 0, first_visible_ = 0, visible_count_ = 1;
};

}  // namespace pbm
