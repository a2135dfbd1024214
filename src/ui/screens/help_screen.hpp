// SPDX-License-Identifier: MIT
// The list of what there is to read (help_topics.hpp) on a screen. Leaves
// showing one of them to text_screen.hpp.
#pragma once

#include "ui/help_topics.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

class HelpScreen final : public Screen {
 public:
  HelpScreen();

  void draw(Canvas& canvas) override;
  ScreenRequest press(const Key& key) override;
  // Selects a topic; a click on the selected one opens it.
  ScreenRequest click(Point place) override;
  std::string title() const override { return "Manual"; }
  std::vector<KeyHelp> keys() const override;

 private:
  static const std::vector<Binding<Act<HelpScreen>>>& bindings();
  ScreenRequest read() { return ReadTopic{selected().name}; }
  ScreenRequest lesson();

  const HelpTopic& selected() const;

  RowList list_;  // of topics
};

}  // namespace pbm
