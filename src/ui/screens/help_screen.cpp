// SPDX-License-Identifier: MIT
#include "ui/screens/help_screen.hpp"

#include <algorithm>

#include "ui/help_topics.hpp"

namespace pbm {

namespace {

constexpr int kFirstRow = 2;  // of the list on the screen

}  // namespace

enum class HelpScreen::Command : std::uint8_t {
  read,
  up,
  down,
  page_up,
  page_down,
  first,
  last,
  help,
  back
};

const std::vector<Binding<HelpScreen::Command>>& HelpScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::read, {{enter}, typed('o')}, "read what the > is at"},
      {Command::up, {{Key::Code::up}, typed('k')}, "up"},
      {Command::down, {{Key::Code::down}, typed('j')}, "down"},
      {Command::page_up, {{Key::Code::page_up}, ctrl('B')}, "a page up"},
      {Command::page_down, {{Key::Code::page_down}, ctrl('F')}, "a page down"},
      {Command::first, {{home}, typed('g')}, "the first topic"},
      {Command::last, {{end}, typed('G')}, "the last topic"},
      {Command::help, {typed('?'), {function, 1}}, "this help"},
      {Command::back, {{escape}, typed('q')}, "back"},
  };
  return table;
}

std::vector<KeyHelp> HelpScreen::keys() const { return key_help<Command>(bindings()); }

void HelpScreen::move_to(int row) {
  selected_ = std::clamp(row, 0, static_cast<int>(help_topics().size()) - 1);
}

void HelpScreen::draw(Canvas& canvas) {
  constexpr int kName = 3, kNameWidth = 10, kAbout = kName + kNameWidth + 1;
  const int rows = canvas.size().rows, width = canvas.size().columns,
            topics = static_cast<int>(help_topics().size());
  draw_title(canvas, "What there is to read", "? keys  Esc back",
             {{"? keys", typed('?')}, {"Esc back", {Key::Code::escape}}});
  page_ = std::max(1, rows - kFirstRow - 2);
  top_ = page_start(topics, page_, selected_, top_);
  for (int i = 0; i < page_ && top_ + i < topics; ++i) {
    const HelpTopic& topic = help_topics()[static_cast<std::size_t>(top_ + i)];
    if (top_ + i == selected_) canvas.put(kFirstRow + i, 1, ">", Style::turn);
    canvas.put(kFirstRow + i, kName, fit(topic.name, kNameWidth), Style::key);
    canvas.put(kFirstRow + i, kAbout, fit(topic.about, width - kAbout - 1), Style::text);
  }
  if (top_ + page_ < topics) canvas.put(rows - 2, 1, "v more below", Style::dim);
  const std::string hint =
      notice_.empty() ? "Enter reads it; / in a text searches in it." : notice_;
  canvas.put(rows - 1, 1, fit(hint, width - 2), notice_.empty() ? Style::dim : Style::warning);
  if (notice_.empty())
    link_words(canvas, rows - 1, 1, hint, {{"Enter reads it", {Key::Code::enter}}});
  canvas.cursor = Point{kFirstRow + selected_ - top_, 1};
}

ScreenRequest HelpScreen::press(const Key& key) {
  notice_.clear();
  const auto command = command_for<Command>(bindings(), key);
  if (!command) return {};
  switch (*command) {
    case Command::read: return ReadTopic{help_topics()[static_cast<std::size_t>(selected_)].name};
    case Command::up: move_to(selected_ - 1); break;
    case Command::down: move_to(selected_ + 1); break;
    case Command::page_up: move_to(selected_ - page_); break;
    case Command::page_down: move_to(selected_ + page_); break;
    case Command::first: move_to(0); break;
    case Command::last: move_to(static_cast<int>(help_topics().size())); break;
    case Command::help: return ShowKeys{};
    case Command::back: return GoBack{};
  }
  return {};
}

ScreenRequest HelpScreen::click(Point place) {
  const int row = place.row - kFirstRow + top_;
  if (place.row < kFirstRow || place.row >= kFirstRow + page_ ||
      row >= static_cast<int>(help_topics().size()))
    return {};
  if (row == selected_) return press({Key::Code::enter});
  move_to(row);
  return {};
}

}  // namespace pbm
