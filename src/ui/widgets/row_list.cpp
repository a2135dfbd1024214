// SPDX-License-Identifier: MIT
#include "ui/widgets/row_list.hpp"

namespace pbm {

namespace {

enum class Move { up, down, page_up, page_down, first, last };

const std::vector<Binding<Move>>& list_bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Move>> table{
      {Move::up, by_keys(up, typed('k')), "up"},
      {Move::down, by_keys(down, typed('j')), "down"},
      {Move::page_up, by_keys(page_up, ctrl('B')), "a page up"},
      {Move::page_down, by_keys(page_down, ctrl('F')), "a page down"},
      {Move::first, by_keys(home, typed('g')), "the first row"},
      {Move::last, by_keys(end, typed('G')), "the last row"},
  };
  return table;
}

}  // namespace

bool RowList::press(const Key& key) {
  const auto move = command_for<Move>(list_bindings(), key);
  if (!move) return false;
  switch (*move) {
    case Move::up: select(selected_ - 1); break;
    case Move::down: select(selected_ + 1); break;
    case Move::page_up: select(selected_ - page_); break;
    case Move::page_down: select(selected_ + page_); break;
    case Move::first: select(0); break;
    case Move::last: select(rows_); break;
  }
  return true;
}

std::vector<KeyHelp> RowList::keys() {
  return std::vector<KeyHelp>{{"", "In every list"}} + key_help<Move>(list_bindings());
}

}  // namespace pbm
