// SPDX-License-Identifier: MIT
// One board: its drawing, its players, its plies, and the line on which moves
// are typed. Knows no game: everything comes from the match.
#pragma once

#include "boards/boards.hpp"
#include "game/judge.hpp"
#include "ui/line_editor.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardScreen final : public Screen {
 public:
  BoardScreen(Boards& boards, Board board, View view);

  Size wanted(Size terminal) const override;
  void draw(Canvas& canvas) const override;
  Request press(const Key& key) override;
  void paste(char32_t c) override;
  void say(std::string sentence) override { notice_ = std::move(sentence); }
  std::string title() const override { return "Board " + board_.id; }
  std::vector<KeyHelp> keys() const override;

  const std::string& id() const { return board_.id; }

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();

  // A part of the screen.
  struct Area {
    int row, column, rows, columns;
  };
  struct Layout {
    Area board, players, plies;  // plies has no columns where there is no room for it
  };
  Layout layout(Size size, const Drawing& drawing) const;

  void draw_board(Canvas& canvas, Area area, const Drawing& drawing) const;
  void draw_players(Canvas& canvas, Area area) const;
  void draw_plies(Canvas& canvas, Area area) const;
  void draw_line(Canvas& canvas) const;
  std::string idle_message() const;
  std::string judgement_message(const Judgement& judgement, Style& style) const;

  Request run(Command command);
  void forget_notice();
  void changed();
  void enter();
  void complete();
  void recall(int step);
  View view_now() const;

  Boards& boards_;
  Board board_;
  View view_;
  TypingJudge judge_;
  Drawing drawing_;  // of the position and view now
  LineEditor line_;
  std::vector<std::string> history_;
  std::size_t recalled_ = 0;  // index into history_; its size when nothing is recalled
  bool recalling_ = false;    // the line was just fetched from there
  std::string notice_;
  bool notice_is_wrong_ = false;
  // What the last drawing could show, so that keys scroll within it.
  mutable int top_ = 0, left_ = 0, top_most_ = 0, left_most_ = 0, board_page_ = 1;
  mutable int plies_top_ = 0, plies_page_ = 1, plies_lines_ = 0;
  mutable Size drawn_{};  // the size it had then
  mutable bool follow_ = true, follow_plies_ = true;
};

}  // namespace pbm
