// SPDX-License-Identifier: MIT
#include "ui/text_screen.hpp"

#include <algorithm>

#include "base/markdown.hpp"

namespace pbm {

enum class TextScreen::Command : std::uint8_t { back, up, down, page_up, page_down, first, last };

const std::vector<Binding<TextScreen::Command>>& TextScreen::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::back, {{escape}, typed('q'), typed('?'), {enter}}, "back"},
      {Command::down, {{Key::Code::down}, typed('j')}, "a line on"},
      {Command::up, {{Key::Code::up}, typed('k')}, "a line back"},
      {Command::page_down, {{Key::Code::page_down}, typed(' '), ctrl('F')}, "a page on"},
      {Command::page_up, {{Key::Code::page_up}, typed('b'), ctrl('B')}, "a page back"},
      {Command::first, {{home}, typed('g')}, "to the start"},
      {Command::last, {{end}, typed('G')}, "to the end"},
  };
  return table;
}

TextScreen::TextScreen(std::string title, Text markdown) : title_(std::move(title)), markdown_(std::move(markdown)) {}

std::vector<KeyHelp> TextScreen::keys() const { return key_help<Command>(bindings()); }

void TextScreen::draw(Canvas& canvas) {
  constexpr int kWidest = 78;  // longer lines are hard to read
  const int rows = canvas.size().rows, width = std::min(canvas.size().columns - 2, kWidest);
  draw_title(canvas, title_, "Esc back", {{"Esc back", {Key::Code::escape}}});
  const auto lines = layout_markdown(markdown_(width), width);
  page_ = std::max(1, rows - 4);
  last_top_ = std::max(0, static_cast<int>(lines.size()) - page_);
  top_ = std::clamp(top_, 0, last_top_);
  for (int i = 0; i < page_ && top_ + i < static_cast<int>(lines.size()); ++i) {
    const TextLine& line = lines[static_cast<std::size_t>(top_ + i)];
    const Style style = line.kind == TextLine::Kind::heading ? Style::title : line.kind == TextLine::Kind::verbatim ? Style::key : Style::text;
    canvas.put(2 + i, 1, fit(line.text, canvas.size().columns - 2), style);
  }
  std::string where = "the end";
  if (top_ < last_top_) where = std::to_string(lines.size() - static_cast<std::size_t>(top_ + page_)) + " more lines: PgDn or Space";
  canvas.put(rows - 1, 1, fit(notice_.empty() ? where : notice_, canvas.size().columns - 2), Style::dim);
  canvas.link(rows - 1, 0, canvas.size().columns, {{Key::Code::page_down}});
  canvas.cursor = Point{rows - 1, 0};
}

Request TextScreen::press(const Key& key) {
  notice_.clear();
  const auto command = command_for<Command>(bindings(), key);
  if (!command) return {};
  const auto go = [&](int top) { top_ = std::clamp(top, 0, last_top_); };
  switch (*command) {
    case Command::back: return {Request::Kind::back, ""};
    case Command::up: go(top_ - 1); break;
    case Command::down: go(top_ + 1); break;
    case Command::page_up: go(top_ - page_ + 1); break;
    case Command::page_down: go(top_ + page_ - 1); break;
    case Command::first: go(0); break;
    case Command::last: go(last_top_); break;
  }
  return {};
}

std::string keys_as_text(const std::vector<KeyHelp>& keys, int columns) {
  const int left = columns >= 60 ? 18 : 12;
  std::string out;
  for (const KeyHelp& k : keys) {
    // A block loses two of its four blanks when it is laid out.
    const auto about = wrap(k.about, columns - left - 2);
    std::vector<std::string> names = wrap(k.keys, left - 1);
    for (std::size_t i = 0; i < std::max(about.size(), names.size()); ++i)
      out += "    " + pad(i < names.size() ? names[i] : "", left) + (i < about.size() ? about[i] : "") + "\n";
  }
  return out;
}

}  // namespace pbm
