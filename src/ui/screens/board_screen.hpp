// SPDX-License-Identifier: MIT
// One board: its drawing, its players, its plies, and the line on which moves
// are typed or put together by hand. Knows no game: everything comes from the
// match. Leaves what is done on the board to board_session.hpp, the drawing's
// window to board_view.hpp and picking to move_picker.hpp.
#pragma once

#include "game/move_completion.hpp"
#include "ui/board_session.hpp"
#include "ui/widgets/players_panel.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/widgets/move_picker.hpp"
#include "ui/preferences.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardScreen final : public Screen {
 public:
  BoardScreen(Boards& boards, Board board, const Preferences& preferences);

  Size wanted(Size terminal) const override;
  void draw(Canvas& canvas) override;
  ScreenRequest press(const Key& key) override;
  void paste(char32_t c) override;
  // Picks the spot there; once the move is whole, another click plays it.
  ScreenRequest click(Point place) override;
  // What is being typed stays; the plies that have come are shown.
  void wake() override;
  bool boards_changed() override;
  ScreenRequest take_request() override { return std::exchange(later_, {}); }
  bool take_attention() override { return std::exchange(calls_, false); }
  std::string board() const override { return desk_.id(); }
  // What is said on this board stands above the line from then on.
  bool handle_event(const Notification& news) override;
  // What is said in a question's place takes the question away.
  void say(std::string sentence, Style style) override {
    asked_about_.clear();
    notice_ = std::move(sentence);
    notice_style_ = style;
  }
  std::string title() const override { return "Board " + desk_.id(); }
  std::vector<KeyHelp> keys() const override;

 private:
  enum class Command : std::uint8_t;
  static const std::vector<Binding<Command>>& bindings();
  static const std::vector<Binding<Command>>& picking_bindings();

  struct Layout {
    Area pane, board;  // a small drawing is in the middle of its pane
    Area players;
    Area plies;  // has no columns where there is no room for it
    Area chat;
    Area said, said_at_length;  // the sentence above the line, and where it stands when it is too
                                // long for that
    bool beside = false;  // the title stands beside the board, which has all rows but the line's
    int line = 0;         // the row of what is typed
    bool foot = false;    // keys stand in the row below it
  };
  Layout layout(Size size) const;
  Layout layout_above_foot(Size size) const;
  void draw_foot(Canvas& canvas, int row) const;

  // What is said above the line (board_screen_words.cpp).
  void draw_line(Canvas& canvas, const Layout& layout) const;
  std::string message(const Judgement& judgement, Style& style) const;
  std::string idle_message() const;
  std::string past_message() const;
  std::string judgement_message(const Judgement& judgement, Style& style) const;
  void link_message(Canvas& canvas, const Area& lines, const std::string& message,
                    const Judgement& judgement) const;

  const Match& match() const { return desk_.match(); }
  // The line as it stands, read and judged once for all that asks.
  struct Read {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };
  const Read& read() const;
  const TypedLine& typed_line() const { return read().typed; }
  const Judgement& judgement() const { return read().judgement; }
  bool looking_back() const;
  // After how many plies the position is that is seen.
  std::size_t shown() const { return looking_back() ? *past_ : match().plies().size(); }
  std::optional<Command> command_of(const Key& key) const;
  bool types_on(const Key& key) const;
  bool names_ply(const std::string& typed) const;
  bool steps_were_typed(char32_t c);
  void answer_overtaking();
  ScreenRequest take(const Key& key);
  ScreenRequest run(Command command);
  ScreenRequest leave();
  void complete();
  void typed_on();
  void run_picking(Command command);
  std::vector<std::string> letters_left() const;
  bool chose_letter(Command command);
  void forget_notice();
  void complain(std::string sentence) { say(std::move(sentence), Style::bad); }
  void judge();
  void changed();
  void refresh_view();
  void light_typed();
  std::vector<std::vector<SpotId>> trails_of(std::string_view text) const;
  // Words for what keys do.
  ScreenRequest run_word(const TypedLine& typed);
  ScreenRequest read_legal();
  char wanted_field() const;
  ScreenRequest enter(const TypedLine& typed);
  ScreenRequest enter_word(Word word);
  // Has the session enter what was typed, or queue it; a server's answer may come later.
  ScreenRequest do_typed(const TypedLine& typed, bool queue);
  ScreenRequest answered(const Result<BoardSession::Entered>& answer, const std::string& typed);
  void refreshed(const Result<Board>& fresh);
  bool see(const Result<Board>& fresh);
  void keep_field();
  ScreenRequest entered(const Result<BoardSession::Entered>& entered, const std::string& typed);
  bool typing_text() const;
  void settle_sent(std::size_t before);
  void call_off_unless(const std::string& line);
  void draw_head(Canvas& canvas, const Layout& layout) const;
  bool wants_another_enter(const TypedLine& typed);
  void go_to_typed_ply(std::string_view typed);
  void look_on(std::size_t past, std::size_t known);
  void show_ply(std::size_t ply);
  void recall(int step);
  void start_picking();
  void pick_at(Point place);
  void picked();

  Boards& boards_;
  BoardSession desk_;
  Ticket asking_, refreshing_, keeping_;  // what a server has not answered yet
  std::string asked_for_;                 // what asking_ is for
  bool refresh_again_ = false;            // something came meanwhile
  ScreenRequest later_;
  bool calls_ = false;
  const Preferences& preferences_;
  View view_;
  Position seen_;  // what the picture shows
  MoveCompletion judge_;
  mutable std::optional<Read> read_;  // nothing after a change of the board
  BoardView picture_;
  int reserved_ = 0;  // columns for it
  PlyList list_;
  std::size_t known_plies_ = 0;       // there were when the board was last seen as it is now
  std::optional<std::size_t> past_;   // the ply looked at; nothing: the board as it is now
  bool preview_ = false;              // the board as what is typed would make it
  std::optional<MovePicker> picker_;  // while a move is made by hand
  std::vector<std::pair<char, SpotId>>
      steps_;  // letters that moved its cursor, one behind the other, and from where
  bool played_by_hand_ = false;  // who has done so needs no telling how
  LineEditor line_;
  std::vector<std::string> history_;
  std::size_t recalled_ = 0;  // index into history_; its size when nothing is recalled
  bool recalling_ = false;    // the line was just fetched from there
  std::string notice_;
  Style notice_style_ = Style::good;
  bool just_told_ = false;   // notice_ says what was done there since the last look
  std::string asked_about_;  // what was entered once and wants a second Enter
  std::string chat_;         // what was last said on this board, of a server
  std::string
      sent_;  // a ply whose answer was lost: the server asks it again when the connection is back
  std::chrono::steady_clock::time_point overtaken_{};  // when somebody else last played here
  bool told_overtaken_ = false;                        // a ply was held back for that
};

}  // namespace pbm
