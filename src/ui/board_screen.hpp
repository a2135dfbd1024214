// SPDX-License-Identifier: MIT
// One board: its drawing, its players, its plies, and the line on which moves
// are typed or put together by hand. Knows no game: everything comes from the
// match. Leaves the drawing's window to board_view.hpp and picking to picker.hpp.
#pragma once

#include "boards/boards.hpp"
#include "game/judge.hpp"
#include "ui/board_view.hpp"
#include "ui/line_editor.hpp"
#include "ui/picker.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardScreen final : public Screen {
 public:
  BoardScreen(Boards& boards, Board board, View view);

  Size wanted(Size terminal) const override;
  void draw(Canvas& canvas) override;
  Request press(const Key& key) override;
  void paste(char32_t c) override;
  // Picks the spot there; once the move is whole, another click plays it.
  Request click(Point place) override;
  // What is being typed stays; the plies that have come are shown.
  void wake() override { boards_changed(); }
  void boards_changed() override;
  void say(std::string sentence) override { notice_ = std::move(sentence); }
  std::string title() const override { return "Board " + board_.id; }
  std::vector<KeyHelp> keys() const override;

  const std::string& id() const { return board_.id; }

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();

  static const std::vector<Binding<Command>>& picking_bindings();

  struct Layout {
    Area board, players, plies;  // plies has no columns where there is no room for it
  };
  Layout layout(Size size) const;

  void draw_players(Canvas& canvas, Area area) const;
  void draw_plies(Canvas& canvas, Area area);
  void draw_line(Canvas& canvas) const;
  std::string idle_message() const;
  std::string past_message() const;
  std::string judgement_message(const Judgement& judgement, Style& style) const;

  std::optional<Command> command_of(const Key& key) const;
  Request run(Command command);
  void run_picking(Command command);
  void forget_notice();
  void changed();
  void look();
  void enter();
  void show_ply(std::size_t ply);
  void recall(int step);
  void start_picking();
  void picked();
  View view_now(bool finished) const;

  Boards& boards_;
  Board board_;
  View view_;
  TypingJudge judge_;
  BoardView picture_;
  std::optional<std::size_t> past_;  // the ply looked at; nothing: the board as it is now
  bool preview_ = false;             // the board as what is typed would make it
  std::optional<Picker> picker_;     // while a move is made by hand
  LineEditor line_;
  std::vector<std::string> history_;
  std::size_t recalled_ = 0;  // index into history_; its size when nothing is recalled
  bool recalling_ = false;    // the line was just fetched from there
  std::string notice_;
  bool notice_is_wrong_ = false;
  std::chrono::steady_clock::time_point overtaken_{};  // when somebody else last played here
  // The list of plies: its first line shown, lines that fit, lines in all.
  int plies_top_ = 0, plies_page_ = 1, plies_lines_ = 0;
  bool follow_plies_ = true;
};

}  // namespace pbm
