// SPDX-License-Identifier: MIT
#include "ui/screens/help_screen.hpp"

#include "boards/boards.hpp"

namespace pbm {

namespace {

constexpr int kTopicsRow = 2;  // of the list on the screen

}  // namespace

enum class HelpScreen::Command : std::uint8_t {
  read,
  lesson,
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
  static const auto table = with_list_keys<Command>(
      {
          {Command::read, {{enter}, typed('o')}, "read what the > is at"},
          {Command::lesson, {typed('l')}, "the lesson of the game it is at, by playing"},
      },
      "the first topic", "the last topic",
      {
          {Command::help, {typed('?'), {function, 1}}, "this help"},
          {Command::back, {{escape}, typed('q')}, "back"},
      });
  return table;
}

HelpScreen::HelpScreen() { list_.resize(static_cast<int>(help_topics().size())); }

const HelpTopic& HelpScreen::selected() const {
  return help_topics()[static_cast<std::size_t>(list_.selected())];
}

std::vector<KeyHelp> HelpScreen::keys() const { return key_help<Command>(bindings()); }

void HelpScreen::draw(Canvas& canvas) {
  constexpr int kName = 3, kNameWidth = 10, kAbout = kName + kNameWidth + 1;
  const int rows = canvas.size().rows, width = canvas.size().columns;
  draw_title(canvas, "What there is to read", "? keys  Esc back",
             {{"? keys", typed('?')}, {"Esc back", {Key::Code::escape}}});
  list_.lay_out(kTopicsRow, rows - kTopicsRow - 2);
  for (int i = list_.begin(); i < list_.end(); ++i) {
    const HelpTopic& topic = help_topics()[static_cast<std::size_t>(i)];
    const int row = list_.place_of(i);
    if (i == list_.selected()) canvas.put(row, 1, ">", Style::turn);
    canvas.put(row, kName, fit(topic.name, kNameWidth), Style::key);
    canvas.put(row, kAbout, fit(topic.about, width - kAbout - 1), Style::text);
  }
  if (list_.more_below()) canvas.put(rows - 2, 1, "v more below", Style::dim);
  draw_hint(
      canvas, notice_,
      "Enter reads it; " + std::string(find_game(selected().name) ? "l teaches it by playing."
                                                                  : "/ in a text searches in it."),
      {{"Enter reads it", {Key::Code::enter}}, {"l teaches it", typed('l')}});
  canvas.cursor = Point{list_.place_of(list_.selected()), 1};
}

ScreenRequest HelpScreen::press(const Key& key) {
  notice_.clear();
  const auto command = command_for<Command>(bindings(), key);
  if (!command || list_.obey(*command)) return {};
  switch (*command) {
    case Command::read: return ReadTopic{selected().name};
    case Command::lesson:
      if (find_game(selected().name)) return GoToBoard{lesson_of(selected().name)};
      notice_ = "Lessons are of games: go to one with the arrows.";
      break;
    case Command::help: return ShowKeys{};
    case Command::back: return GoBack{};
    default: break;  // moved in the list
  }
  return {};
}

ScreenRequest HelpScreen::click(Point place) {
  return list_.click(place) ? press({Key::Code::enter}) : ScreenRequest{};
}

}  // namespace pbm
