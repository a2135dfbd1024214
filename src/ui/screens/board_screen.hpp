// SPDX-License-Identifier: MIT
// One board, and what keys do there. Knows no game: everything comes from the match. Leaves what
// one is doing to its mode (board_modes.hpp), what words and plies do to board_session.hpp, what
// Enter asks first to enter_check.hpp, and what stands where to board_page.hpp.
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
  // Picks the spot there; once the move is whole, another click plays it.
  void click(Point place) override;
  // What is being typed stays; the plies that have come are shown.
  void wake() override;
  bool boards_changed() override;
  ScreenRequest take_request() override;
  bool take_attention() override { return std::exchange(calls_, false); }
  std::string board() const override { return session().id(); }
  // What is typed in a trial would be played in earnest where that is gone; a puzzle begins anew.
  std::string line() const override {
    return session().trying() || session().board().exercise ? "" : model_.line.text();
  }
  // What is said on this board stands above the line from then on.
  bool handle_event(const Notification& news) override;
  // What is said in a question's place takes the question away.
  void say(std::string sentence, Style style) override;
  // While a ply is seen being played.
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

  // The picture is that of what one is doing now.
  void refresh() {
    place_cursor();
    page_.follow();
  }
  // Goes on with that, and shows it.
  void go_on(BoardMode mode);
  // The match is another one now, or a ply longer.
  void changed(PlyMotion::Frame first = PlyMotion::Frame::way);
  void end_motion() {
    if (model_.motion.end()) refresh();
  }
  void show_ply(std::size_t ply);
  // Has the cursor where it belongs: on the board while nothing else is typed on one's turn.
  void place_cursor();
  void start_picking();
  void stop_picking() {
    if (model_.doing<Picking>()) model_.mode = Typing{};
  }

  // What keys do.
  std::optional<BoardCommand> command_of(const Key& key) const;
  void take(const Key& key);
  void run(BoardCommand command);
  void leave();
  // From what is tried to the board, and from there to the boards.
  void go_back();
  void typed_on();
  void picked(const Picking::Left& left);
  void draw_field(char field);
  void turn();
  void replay();
  void show_mistake(bool forward);
  void step_computer();
  // Shows what the computer says.
  void helped(const BoardHelp::Said& said);
  // The computer plays its seats as long as this is open.
  void attend();
  void watch_at(int pace);
  // Ends a question that is open. True when it showed what would be.
  bool end_question();

  // Entering what is typed, and what comes from elsewhere (board_entering.cpp).
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
  Handle asking_, refreshing_, keeping_;  // what a server has not answered yet
  Handle attending_;                      // the computer plays here
  bool refresh_again_ = false;            // something came meanwhile
  bool just_told_ = false;                // the notice says what was done there since the last look
  bool calls_ = false;
  bool rematch_asked_ = false;  // a letter has put that word into the line
  // A ply whose answer was lost: the server asks it again when the connection is back.
  std::string sent_;
  std::optional<LookingBack> tried_at_;  // where one looked back when a trial began
  std::string read_task_;                // what was read at length, as there was no room for it
};

}  // namespace pbm
