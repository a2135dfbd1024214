// SPDX-License-Identifier: MIT
// The form for a new board: the game, its options with their limits, who plays. Built from the
// table of games, so it knows none by name. Leaves judging it to protocol/new_board.hpp, and making
// the board to lobby_session.hpp.
#pragma once

#include "protocol/new_board.hpp"
#include "ui/screens/form.hpp"

namespace pbm {

class NewGame final : public Form {
 public:
  // `me` is who sits there, "" for nobody in particular. `people` are offered as players in that
  // order; whoever types a name takes that seat instead. `open`: an open challenge on a server,
  // which has no other seat yet. `game` stands there first, or null for the first of all.
  NewGame(Boards& boards, std::string me, std::vector<std::string> people, bool open = false,
          const GameType* game = nullptr);

  ScreenRequest press(const Key& key) override;
  std::string title() const override { return open_ ? "Look for a player" : "New board"; }

 private:
  ScreenRequest enter() override;
  ScreenRequest leave() override;
  void changed(FormRow& row) override;
  void look() override;
  Notice foot() const override;
  Canvas below(Size room) const override;

  void build();
  FormRow seat_row(std::size_t seat) const;
  const GameType& game() const { return all_games()[game_]; }
  Asker asker() const { return {boards_.server().user(), boards_.server().takes_commands()}; }
  // Who has each seat as far as that was chosen or typed, else "".
  std::vector<std::string> named() const;
  std::string offered_name(std::size_t seat, const std::vector<std::string>& named) const;
  BoardWords words() const;
  // What stands in the form, or why it is no game yet.
  Result<NewBoard> described() const { return read_new_board(game(), words(), asker()); }

  Boards& boards_;
  std::string me_;
  std::vector<std::string> people_;
  bool open_;
  std::size_t game_ = 0;
  bool changed_ = false;  // something was chosen or typed
  bool leaving_ = false;  // Esc was pressed, and asks for another
};

}  // namespace pbm
