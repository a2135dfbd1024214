// SPDX-License-Identifier: MIT
// The screen of one board, for every game. Leaves each mode to board_modes.hpp, words and plies to
// board_session.hpp, the questions before a ply to enter_check.hpp, and the layout to
// board_page.hpp.
#pragma once

#include "ui/screen.hpp"
#include "ui/screens/board_page.hpp"
#include "ui/screens/enter_check.hpp"

namespace pbm {

class BoardScreen final : public Screen {
 public:
  BoardScreen(Boards& boards, Board board, const Preferences& preferences);

  Size wanted(Size terminal) override { return page_.wanted(terminal); }
  void draw(Canvas& canvas) override { page_.draw(canvas, notice_); }
  void press(const Key& key) override;
  void paste(char32_t c) override;
  // Picks the spot there. If that completes the move, another click plays it.
  void click(Point place) override;
  // Keeps the typed text and shows the plies that have arrived.
  void wake() override;
  bool boards_changed() override;
  ScreenRequest take_request() override;
  bool take_attention() override { return std::exchange(calls_, false); }
  std::string board() const override { return session().id(); }
  // Returns "" in a trial and in an exercise. A later run has no trial, so it would play the text
  // in the game; and an exercise starts again.
  std::string line() const override {
    return session().trying() || session().board().exercise ? "" : model_.line.text();
  }
  // Shows a chat line of this board above the typed line.
  bool handle_event(const Notification& news) override;
  // Closes an open question, unless the picture shows its ply.
  void say(std::string sentence, Style style) override;
  // Returns when the animation of a ply continues.
  std::optional<Moment> due() const override { return model_.motion.due(); }
  void tick() override;
  std::string title() const override { return std::string(session().match().game().title); }
  std::vector<KeyHelp> keys() const override;
  std::vector<KeyHelp> first_keys() const override;

 private:
  const Match& match() const { return model_.match(); }
  const BoardSession& session() const { return model_.session; }
  const LookingBack* back() const { return model_.doing<LookingBack>(); }
  void complain(std::string sentence) { say(std::move(sentence), Style::bad); }
  void forget_notice() {
    model_.line.settle();
    notice_.clear();
  }

  // Updates the cursor and the picture.
  void refresh() {
    place_cursor();
    page_.follow();
  }
  // Changes the mode and closes the open question.
  void go_on(BoardMode mode);
  // Updates everything after a change of the match. A new ply is animated from `first` on.
  void changed(PlyMotion::Frame first = PlyMotion::Frame::way);
  void end_motion() {
    if (model_.motion.end()) refresh();
  }
  void show_ply(std::size_t ply);
  // Puts the cursor on the board if the player is to move and the line is empty. Takes it away if
  // the typed text no longer fits the picked squares.
  void place_cursor();
  void start_picking();
  void stop_picking() {
    if (model_.doing<Picking>()) model_.mode = Typing{};
  }

  // The effects of keys.
  std::optional<BoardCommand> command_of(const Key& key) const;
  void take(const Key& key);
  void run(BoardCommand command);
  void leave();
  // Ends the trial, or goes back to the lobby.
  void go_back();
  void typed_on();
  void picked(const Picking::Left& left);
  void draw_field(char field);
  void turn();
  void replay();
  void show_mistake(bool forward);
  void step_computer();
  // Shows the computer's answer.
  void helped(const BoardHelp::Said& said);
  // Makes the computer play its seats while this screen exists.
  void attend();
  void watch_at(int pace);
  // Closes the open question. True if the picture showed its ply.
  bool end_question();

  // Entering the line, and the plies of others (board_entering.cpp).
  void enter(const TypedLine& line);
  void look(const TypedLine& typed);
  void do_typed(const TypedLine& typed, bool queue);
  void ask(const std::string& board, const std::string& what, Task task);
  void answered(const Result<Entered>& answer, const std::string& typed);
  void entered(const Result<Entered>& entered, const std::string& typed);
  bool see(const Result<Board>& fresh);
  void look_on(const LookingBack& before);
  void keep_field();
  void follow_field();
  void settle_sent(std::size_t before);
  void call_off_unless(const std::string& before);

  BoardModel model_;
  BoardPage page_;
  EnterCheck check_;
  Handle asking_, refreshing_, keeping_;  // requests without an answer yet
  Handle attending_;                      // while it is held, the computer plays here
  bool refresh_again_ = false;            // the boards changed during a refresh
  bool just_told_ = false;                // the last refresh told of another player's action
  bool calls_ = false;                    // the player's attention is needed
  bool rematch_asked_ = false;            // the key r has put "rematch" into the line
  // A ply without an answer: the server gets it again after the connection is back.
  std::string sent_;
  std::optional<LookingBack> tried_at_;  // the mode when the trial began
  std::string read_task_;                // the task last shown in full on a text screen
};

}  // namespace pbm
