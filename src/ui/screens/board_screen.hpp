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

  Size wanted_size(Size terminal) override { return page_.wanted_size(terminal); }
  void draw(Canvas& canvas) override { page_.draw(canvas, notice_); }
  void press(const Key& key) override;
  void paste(char32_t c) override;
  // Picks the spot there. If that completes the move, another click plays it.
  void click(Point place) override;
  // Keeps the typed text and shows the plies that have arrived.
  void resume() override;
  bool boards_changed() override;
  ScreenRequest take_request() override;
  bool take_attention() override { return std::exchange(needs_attention_, false); }
  std::string board_id() const override { return session().id(); }
  // Returns "" in a trial and in an exercise. A later run has no trial, so it would play the text
  // in the game; and an exercise starts again.
  std::string typed_text() const override {
    return session().is_trying() || session().board().exercise ? "" : model_.line.text();
  }
  // Shows a chat line of this board above the typed line.
  bool handle_event(const Notification& news) override;
  // Closes an open question, unless the picture shows its ply.
  void show_notice(std::string sentence, Style style) override;
  // Returns when the animation of a ply continues.
  std::optional<SteadyTime> next_tick() const override { return model_.ply_motion.next_time(); }
  void tick() override;
  std::string title() const override { return std::string(session().match().game().title); }
  std::vector<KeyHelp> keys() const override;
  std::vector<KeyHelp> first_keys() const override;

 private:
  const Match& match() const { return model_.match(); }
  const BoardSession& session() const { return model_.session; }
  const ReviewMode* review_mode() const { return model_.mode_as<ReviewMode>(); }
  void show_error(std::string sentence) { show_notice(std::move(sentence), Style::bad); }
  void clear_notice() {
    model_.line.end_recall();
    notice_.clear();
  }

  // Updates the cursor and the picture.
  void refresh() {
    place_cursor();
    page_.update();
  }
  // Changes the mode and closes the open question.
  void set_mode(BoardMode mode);
  // Updates everything after a change of the match. A new ply is animated from `first` on.
  void handle_match_change(PlyMotion::Frame first = PlyMotion::Frame::path);
  void end_motion() {
    if (model_.ply_motion.stop()) refresh();
  }
  void show_ply(std::size_t ply);
  // Puts the cursor on the board if the player is to move and the line is empty. Takes it away if
  // the typed text no longer fits the picked squares.
  void place_cursor();
  void start_picking();
  void stop_picking() {
    if (model_.mode_as<PickingMode>()) model_.mode = TypingMode{};
  }

  // The effects of keys.
  std::optional<BoardCommand> find_command(const Key& key) const;
  void handle_key(const Key& key);
  void run_command(BoardCommand command);
  void handle_escape();
  // Ends the trial, or goes back to the lobby.
  void go_back();
  void handle_edit();
  void finish_pick(const PickingMode::PickResult& left);
  void choose_field(char field);
  void turn_board();
  void replay_or_pause();
  void show_mistake(bool forward);
  void show_next_help();
  // Shows the computer's answer.
  void show_help(const BoardHelp::HelpResult& said);
  // Makes the computer play its seats while this screen exists.
  void update_computer_seats();
  void set_pace(int pace);
  void offer_tutor();
  void drop_late_move();
  // Closes the open question. True if the picture showed its ply.
  bool close_question();

  // Entering the line, and the plies of others (board_enter.cpp).
  void enter_line(const TypedLine& line);
  void enter_view_word(const TypedLine& typed);
  void run_typed(const TypedLine& typed, bool queue);
  void ask_server(const std::string& board, const std::string& what, Task task);
  void handle_answer(const Result<EntryResult>& answer, const std::string& line);
  void show_result(const Result<EntryResult>& entered, const std::string& line);
  bool update_board(const Result<Board>& fresh);
  void continue_review(const ReviewMode& before);
  void save_field();
  void update_field();
  void clear_played_ply(std::size_t before);
  void cancel_pending_unless(const std::string& before);

  BoardModel model_;
  BoardPage page_;
  EnterCheck enter_check_;
  TaskHandle pending_request_, pending_refresh_,
      pending_field_save_;             // requests without an answer yet
  TaskHandle computer_handle_;         // while it is held, the computer plays here
  bool should_refresh_again_ = false;  // the boards changed during a refresh
  bool has_news_notice_ = false;       // the last refresh told of another player's action
  bool needs_attention_ = false;       // the player's attention is needed
  bool has_typed_rematch_ = false;     // the key r has put "rematch" into the line
  // A line with a ply without an answer: the server gets it again after the connection is back.
  std::string pending_ply_;
  std::optional<ReviewMode> review_before_trial_;  // the mode when the trial began
  std::string last_read_text_;                     // the text last shown in full on a text screen
};

}  // namespace pbm
