// SPDX-License-Identifier: MIT
// Rows of which one is selected and as many are seen as there is room for. Leaves
// what stands in them to its screen.
#pragma once

#include <algorithm>

#include "ui/widgets/canvas.hpp"

namespace pbm {

// The one of so many a step on, round and round.
inline std::size_t step_round(std::size_t at, std::size_t of, int step) {
  return (at + of + static_cast<std::size_t>(step + static_cast<int>(of))) % of;
}

class RowList {
 public:
  void resize(int rows) {
    rows_ = rows;
    select(selected_);
  }
  int selected() const { return selected_; }
  void select(int row) { selected_ = std::clamp(row, 0, std::max(0, rows_ - 1)); }
  void select_last() { select(rows_); }
  void move(int rows) { select(selected_ + rows); }
  // Moves as one of the commands says that with_list_keys() adds. False for any other.
  template <class Command>
  bool obey(Command command) {
    switch (command) {
      case Command::up: move(-1); return true;
      case Command::down: move(1); return true;
      case Command::page_up: move(-page_); return true;
      case Command::page_down: move(page_); return true;
      case Command::first: select(0); return true;
      case Command::last: select_last(); return true;
      default: return false;
    }
  }
  // Selects the row at a place. True where that is the one that was selected before.
  bool click(Point place) {
    const auto row = row_at(place);
    const bool again = row == selected_;
    if (row) select(*row);
    return again;
  }

  // From the screen's row `first` on there is room for so many; the selected one is seen.
  void lay_out(int first, int room) {
    first_ = first;
    page_ = std::max(1, room);
    top_ = page_start(rows_, page_, selected_, top_);
  }
  // The rows seen, where one stands, and whether there are more.
  int begin() const { return top_; }
  int end() const { return std::min(top_ + page_, rows_); }
  int place_of(int row) const { return first_ + row - top_; }
  bool more_below() const { return end() < rows_; }
  // The row that was drawn there, if any.
  std::optional<int> row_at(Point place) const {
    const int row = place.row - first_ + top_;
    return place.row >= first_ && row < end() ? std::optional(row) : std::nullopt;
  }

 private:
  int rows_ = 0, selected_ = 0;
  int first_ = 0, top_ = 0, page_ = 1;
};

// A screen's table with the keys that move in its list between others.
template <class Command>
std::vector<Binding<Command>> with_list_keys(std::vector<Binding<Command>> table,
                                             std::string_view first, std::string_view last,
                                             const std::vector<Binding<Command>>& behind) {
  const std::vector<Binding<Command>> keys{
      {Command::up, {{Key::Code::up}, typed('k')}, "up"},
      {Command::down, {{Key::Code::down}, typed('j')}, "down"},
      {Command::page_up, {{Key::Code::page_up}, ctrl('B')}, "a page up"},
      {Command::page_down, {{Key::Code::page_down}, ctrl('F')}, "a page down"},
      {Command::first, {{Key::Code::home}, typed('g')}, first},
      {Command::last, {{Key::Code::end}, typed('G')}, last},
  };
  for (const auto* more : {&keys, &behind}) table.insert(table.end(), more->begin(), more->end());
  return table;
}

}  // namespace pbm
