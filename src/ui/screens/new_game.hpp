// SPDX-License-Identifier: MIT
// The form for a new board: the game, its options with their limits, the
// names. Built from the table of games, so it knows none by name. Leaves making the board to
// boards/.
#pragma once

#include "boards/boards.hpp"
#include "ui/widgets/form.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

class NewGame final : public Screen {
 public:
  // `people` are offered as players in that order; whoever types a name takes that seat instead.
  // `open`: an open challenge on a server, which has no other seat yet.
  NewGame(Boards& boards, std::vector<std::string> people, bool open = false);

  void draw(Canvas& canvas) override;
  // On start the board is created and asked to be opened.
  ScreenRequest press(const Key& key) override;
  void paste(char32_t c) override;
  ScreenRequest click(Point place) override;
  ScreenRequest take_request() override { return std::exchange(later_, {}); }
  std::string title() const override { return open_ ? "Open challenge" : "New board"; }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();

  struct Field : FormField {
    enum class Of : std::uint8_t { game, option, pair, days, ratings, seat };
    Of of = Of::game;
    std::size_t index = 0;  // of the option or the seat
    bool edited = false;    // a name that was taken away is nobody's
    int level = 0;          // of the computer at a seat; 0: a person, whose name is typed
    bool fresh = false;     // a value just come to: what is typed replaces it
  };

  void build();
  Field& add(FormField::Kind kind, std::string label, std::string_view about, Field::Of of,
             std::size_t index);
  void fit_server();
  void fit_seat();
  const GameType& game() const;
  std::vector<std::string> option_words() const;
  std::vector<std::string> typed_names() const;
  std::string offered_name(std::size_t seat) const;
  bool edited(std::size_t seat) const;
  std::string about_seat(const Field& field) const;
  // How much time a board on a server gives.
  Result<TimeLimits> limits() const;
  // What is wrong with one field alone, or "".
  std::string wrong_with(const Field& field) const;
  std::size_t at() const { return static_cast<std::size_t>(rows_.selected()); }
  void go_to(std::size_t field);
  // Who has a seat: a person, or the computer at one of its levels, round and round.
  static void seat_level(Field& field, int level);
  bool changes_seat(const Field& field, const Key& key) const;
  void edit(const Key& key);
  bool draw_board(Canvas& canvas, const Match& match, int first, int last) const;
  std::vector<std::string> names() const;
  // What stands in the form, or why it is no game yet.
  Result<Match> checked() const;
  void change(int step);
  ScreenRequest start();
  ScreenRequest order(const Match& match);
  const Field* field_of(Field::Of of) const;
  // Whether the board is to be on a server: with the computer it is one's own.
  bool on_server() const;

  Boards& boards_;
  Ticket asking_;  // while a server makes the board
  ScreenRequest later_;
  std::vector<std::string> people_;
  bool open_;
  std::size_t game_ = 0;
  std::vector<Field> fields_;
  bool changed_ = false;  // something was chosen or typed
  bool leaving_ = false;  // Esc was pressed, and asks for another
  RowList rows_;          // of the fields
};

}  // namespace pbm
