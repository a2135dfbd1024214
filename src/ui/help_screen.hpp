// SPDX-License-Identifier: MIT
// What there is to read: the topics of help, and the list of them on a screen.
// Leaves the texts to rules/ and man/, and showing one to text_screen.hpp.
#pragma once

#include "ui/screen.hpp"

namespace pbm {

struct HelpTopic {
  std::string name;     // what is typed: "keys", "saves", a game's name
  std::string about;    // a short phrase
  std::string file;     // below the program's data: "man/pbmplay.6.md"
  std::string section;  // the part of it that is meant; "" for all
};

// All of them, in the order they are listed: the games among them.
const std::vector<HelpTopic>& help_topics();

// The topic of that name in any case, or null.
const HelpTopic* find_help(std::string_view name);

class HelpScreen final : public Screen {
 public:
  void draw(Canvas& canvas) override;
  ScreenRequest press(const Key& key) override;
  // Selects a topic; a click on the selected one opens it.
  ScreenRequest click(Point place) override;
  void say(std::string sentence, Style) override { notice_ = std::move(sentence); }
  std::string title() const override { return "Manual"; }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();
  void move_to(int row);

  int selected_ = 0, top_ = 0, page_ = 1;
  std::string notice_;
};

}  // namespace pbm
