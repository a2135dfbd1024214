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
  HelpScreen() { list_.set_row_count(static_cast<int>(help_topics().size())); }

  void draw(Canvas& canvas) override {
    constexpr int kName = 3, kNameWidth = 10, kPhrase = kName + kNameWidth + 1;
    const int rows = canvas.size().rows, width = canvas.size().columns;
    draw_title(canvas, "Manual");
    // A narrow screen shows the full description of the selected topic below the list.
    const bool narrow = width < 80;
    list_.set_layout(kTopicsRow, rows - kTopicsRow - (narrow ? 3 : 2));
    for (int i = list_.first_visible(); i < list_.end_visible(); ++i) {
      const HelpTopic& topic = help_topics()[index(i)];
      const int row = list_.screen_row(i);
      if (i == list_.selected_row()) canvas.put_text(row, 1, ">", Style::turn);
      canvas.put_text(row, kName, fit(topic.name, kNameWidth), Style::key);
      canvas.put_text(row, kPhrase, fit_beginning(topic.description, width - kPhrase - 1),
                      Style::text);
    }
    if (narrow) draw_message(canvas, rows - 1, 2, selected_topic().description, Style::dim);
    else canvas.put_text(rows - 2, 1, list_.more_text(), Style::dim);
    const bool game = find_game(selected_topic().name);
    draw_foot(canvas, notice_, "",
              {{{Key::Code::enter}, "read"},
               {game ? character_key('l') : character_key('?'), game ? "lesson" : "help"}});
    canvas.cursor = Point{list_.screen_row(list_.selected_row()), 1};
  }

  void press(const Key& key) override {
    notice_.clear();
    const auto act = bound_command<KeyAction<HelpScreen>>(bindings(), key);
    if (!list_.press(key) && act) (*act)(*this);
  }
  // Selects a topic; a click on the selected one opens it.
  void click(Point place) override {
    if (list_.select_at(place)) press({Key::Code::enter});
  }
  std::string title() const override { return "Manual"; }
  std::vector<KeyHelp> keys() const override {
    return key_help<KeyAction<HelpScreen>>(bindings()) + RowList::keys();
  }

 private:
  static const std::vector<Binding<KeyAction<HelpScreen>>>& bindings() {
    using enum Key::Code;
    static const std::vector<Binding<KeyAction<HelpScreen>>> table{
        {make_action<&HelpScreen::open_topic>, key_list(enter, character_key('o')),
         "read the selected page"},
        {make_action<&HelpScreen::open_lesson>, key_list(character_key('l')),
         "play the lesson of the selected game"},
        {request_action<KeysRequest>, key_list(character_key('?'), function_key(1)),
         "show this help"},
        {request_action<BackRequest>, key_list(escape, character_key('q')), "go back"},
    };
    return table;
  }

  void open_topic() { request(TopicRequest{selected_topic().name}); }
  void open_lesson() {
    if (find_game(selected_topic().name))
      return request(OpenBoardRequest{lesson_id(selected_topic().name)});
    notice_ = "Only games have lessons. Choose a game with the arrows.";
  }

  const HelpTopic& selected_topic() const { return help_topics()[index(list_.selected_row())]; }

  RowList list_;
};

}  // namespace

std::unique_ptr<Screen> make_help_screen() { return std::make_unique<HelpScreen>(); }

}  // namespace pbm
