// SPDX-License-Identifier: MIT
// The list of help topics (help_topics.hpp). Leaves a topic's text to text_screen.cpp.
#include "ui/screens/screens.hpp"

#include "boards/boards.hpp"
#include "ui/help_topics.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

namespace {

constexpr int kTopicsRow = 2;  // the first row of the list

class HelpScreen final : public Screen {
 public:
  HelpScreen() { list_.resize(static_cast<int>(help_topics().size())); }

  void draw(Canvas& canvas) override {
    constexpr int kName = 3, kNameWidth = 10, kPhrase = kName + kNameWidth + 1;
    const int rows = canvas.size().rows, width = canvas.size().columns;
    draw_title(canvas, "What there is to read", "? help  Esc back",
               {{"? help", typed('?')}, {"Esc back", {Key::Code::escape}}});
    // A narrow screen shows the full description of the selected topic below the list.
    const bool narrow = width < 80;
    list_.lay_out(kTopicsRow, rows - kTopicsRow - (narrow ? 3 : 2));
    for (int i = list_.begin(); i < list_.end(); ++i) {
      const HelpTopic& topic = help_topics()[static_cast<std::size_t>(i)];
      const int row = list_.place_of(i);
      if (i == list_.selected()) canvas.put(row, 1, ">", Style::turn);
      canvas.put(row, kName, fit(topic.name, kNameWidth), Style::key);
      canvas.put(row, kPhrase, beginning(topic.about, width - kPhrase - 1), Style::text);
    }
    if (narrow) draw_message(canvas, rows - 1, 2, selected().about, Style::dim);
    else if (list_.more_below()) canvas.put(rows - 2, 1, "v more below", Style::dim);
    const bool game = find_game(selected().name);
    draw_foot(canvas, notice_, "",
              {{{Key::Code::enter}, "read it"},
               {game ? typed('l') : typed('?'), game ? "learn it by playing" : "help"}});
    canvas.cursor = Point{list_.place_of(list_.selected()), 1};
  }

  void press(const Key& key) override {
    notice_.clear();
    const auto act = command_for<Act<HelpScreen>>(bindings(), key);
    if (!list_.press(key) && act) (*act)(*this);
  }
  // Selects a topic; a click on the selected one opens it.
  void click(Point place) override {
    if (list_.click(place)) press({Key::Code::enter});
  }
  std::string title() const override { return "Manual"; }
  std::vector<KeyHelp> keys() const override {
    return key_help<Act<HelpScreen>>(bindings()) + RowList::keys();
  }

 private:
  static const std::vector<Binding<Act<HelpScreen>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<Act<HelpScreen>>> table{
        {act<&HelpScreen::read>, by_keys(enter, typed('o')), "read what the > is at"},
        {act<&HelpScreen::lesson>, by_keys(typed('l')),
         "the lesson of the game it is at, by playing"},
        {asks<ShowKeys>, by_keys(typed('?'), fkey(1)), "this help"},
        {asks<GoBack>, by_keys(escape, typed('q')), "back"},
    };
    return table;
  }

  void read() { request(ReadTopic{selected().name}); }
  void lesson() {
    if (find_game(selected().name)) return request(GoToBoard{lesson_of(selected().name)});
    notice_ = "Lessons are of games: go to one with the arrows.";
  }

  const HelpTopic& selected() const {
    return help_topics()[static_cast<std::size_t>(list_.selected())];
  }

  RowList list_;
};

}  // namespace

std::unique_ptr<Screen> help_screen() { return std::make_unique<HelpScreen>(); }

}  // namespace pbm
