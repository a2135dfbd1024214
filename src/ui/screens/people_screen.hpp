// SPDX-License-Identifier: MIT
// Who has a userid on a server: who is here, and how good each is at a game, the best first. Leaves
// somebody's page to the server, and showing it to text_screen.hpp.
#pragma once

#include "boards/boards.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

class PeopleScreen final : public Screen {
 public:
  explicit PeopleScreen(Boards& boards);

  void draw(Canvas& canvas) override;
  ScreenRequest press(const Key& key) override;
  // Selects somebody; a click on the selected one shows his page.
  ScreenRequest click(Point place) override;
  void wake() override { ask(); }
  bool boards_changed() override;
  ScreenRequest take_request() override { return std::exchange(later_, {}); }
  std::string title() const override { return "Players"; }
  std::vector<KeyHelp> keys() const override;

 private:
  static const std::vector<Binding<Act<PeopleScreen>>>& bindings();

  const GameType& game() const { return all_games()[game_]; }
  const Person* selected() const;
  void ask();
  void read();
  void sort();
  ScreenRequest read_page();
  ScreenRequest challenge();
  void show_game(int step);

  Boards& boards_;
  std::vector<Person> people_;
  RowList list_;
  std::size_t game_ = 0;
  Handle asking_, reading_;
  ScreenRequest later_;
};

}  // namespace pbm
