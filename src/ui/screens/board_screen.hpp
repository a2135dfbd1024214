// SPDX-License-Identifier: MIT
// One board: its drawing, its players, its plies, and the line on which moves are typed.
// Has what is common to everything one does there; what one is doing is a mode
// (board_modes.hpp). Knows no game: everything comes from the match. Leaves what is
// done on the board to board_session.hpp and the drawing's window to board_view.hpp.
#pragma once

#include "game/move_completion.hpp"
#include "ui/board_help.hpp"
#include "ui/preferences.hpp"
#include "ui/screen.hpp"
#include "ui/screens/board_modes.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/widgets/line_history.hpp"
#include "ui/widgets/players_panel.hpp"

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
  std::string line() const override { return line_.text(); }
  // What is said on this board stands above the line from then on.
  bool handle_event(const Notification& news) override;
  // What is said in a question's place takes the question away.
  void say(std::string sentence, Style style) override;
  // While a ply is seen being played.
  std::optional<Moment> due() const override;
  void tick() override;
  std::string title() const override { return "Board " + desk_.id(); }
  std::vector<KeyHelp> keys() const override;

 private:
  friend struct Typing;
  friend struct LookingBack;
  friend class Picking;

  // A ply on its way: the squares it goes by are marked, then what it takes, then the board is
  // the new one.
  struct Motion {
    enum class Frame : std::uint8_t { way, taken, board };
    std::size_t ply;  // 1 for the first
    Frame frame;
    Moment started;
    bool goes_on;  // with the ply after it: the game is played through
  };

  // Where its parts are and how they are drawn (board_layout.cpp).
  struct Layout {
    Area pane, board;  // a small drawing is in the middle of its pane
    Area players;
    Area plies;  // has no columns where there is no room for it
    Area talk;   // what was said, below the plies; has no rows where there are too few
    Area chat;   // the last of it, where it is new and there is no talk
    Area said, said_at_length;  // the sentence above the line, and where it stands when it is too
                                // long for that
    bool beside = false;  // the title stands beside the board, which has all rows but the line's
    int line = 0;         // the row of what is typed
    bool foot = false;    // keys stand in the row below it
  };
  Layout layout(Size size) const;
  Layout layout_above_foot(Size size) const;
  void draw_head(Canvas& canvas, const Layout& layout) const;
  void draw_foot(Canvas& canvas, int row) const;
  void share_with_talk(Layout& layout) const;
  std::vector<std::string> talk_lines(int columns, int most) const;
  void draw_talk(Canvas& canvas, const Area& area) const;
  int draw_answers(Canvas& canvas, const Area& plies) const;
  // Makes the picture that of the ply looked at, of the move typed, or of now.
  void refresh_view();
  void light_typed(BoardView& picture) const;

  // What is said above the line (status_line.cpp).
  void draw_line(Canvas& canvas, const Layout& layout) const;
  std::string message(const Judgement& judgement, Style& style) const;
  std::string idle_message() const;
  std::string judgement_message(const Judgement& judgement, Style& style) const;
  void link_message(Canvas& canvas, const Area& lines, const std::string& message,
                    const Judgement& judgement) const;

  const Match& match() const { return desk_.match(); }
  char wanted_field() const { return desk_.board().field(preferences_.field); }

  // The line as it stands, read and judged once for all that asks.
  struct Read {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };
  const Read& read() const;
  const TypedLine& typed_line() const { return read().typed; }
  const Judgement& judgement() const { return read().judgement; }
  bool typing_text() const;
  // The legal plies that `text` may become, and where they lead; of too many none.
  std::vector<std::string> plies_of(std::string_view text) const;
  std::vector<std::vector<SpotId>> trails_of(std::string_view text) const;
  bool names_ply(const std::string& typed) const;

  // What one is doing; null when it is something else.
  template <class Mode>
  const Mode* doing() const {
    return std::get_if<Mode>(&mode_);
  }
  template <class Mode>
  Mode* doing() {
    return std::get_if<Mode>(&mode_);
  }
  // Goes on with that, and shows it.
  void go_on(BoardMode mode);
  // Whether the board is seen as a ply would make it that waits for another Enter.
  bool previews() const { return confirming_ && confirming_->previews; }
  // Ends a question that is open. True when it showed what would be.
  bool end_question();
  // Whether the position looked back to is seen: a move that is typed is one for the board as it
  // is now.
  bool looking_back() const;
  // After how many plies the position is that is seen.
  std::size_t shown() const;

  std::optional<BoardCommand> command_of(const Key& key) const;
  const TypedWord* word_of(const Key& key) const;
  ScreenRequest take(const Key& key);
  void begin_anew(const Key& key);
  ScreenRequest run(BoardCommand command);
  ScreenRequest leave();
  void typed_on();
  void complete();
  void preview();
  ScreenRequest draw_field(char field);
  // Has the cursor where it belongs: on the board while nothing else is typed on one's turn.
  void place_cursor();
  void start_picking();
  void show_ply(std::size_t ply);
  // Goes on looking back after others have played.
  void look_on(const LookingBack& before);
  void recall(int step);
  // Shows what the computer says.
  void helped(const BoardHelp::Said& said);
  void show_mistake(bool forward);
  void forget_notice();
  void complain(std::string sentence) { say(std::move(sentence), Style::bad); }
  void judge();
  void attend();
  void changed(Motion::Frame first = Motion::Frame::way);
  bool computer_thinks() const;
  bool watches_computers() const;
  ScreenRequest watch_at(int pace);

  // A ply that is seen being played (board_motion.cpp).
  std::vector<SpotId> moving(Motion::Frame frame) const;
  void skip_frames();
  void start_motion(Motion::Frame first);
  void end_motion();
  void replay();

  // Entering what is typed, and what comes from elsewhere (board_entering.cpp).
  ScreenRequest enter(const TypedLine& line);
  ScreenRequest enter_word(std::string_view word) { return enter(desk_.read(word)); }
  ScreenRequest look(const TypedLine& typed);
  bool is_held_back(const TypedLine& typed);
  bool asks_first(const TypedLine& typed);
  // Has the session enter what was typed, or queue it; a server's answer may come later.
  ScreenRequest do_typed(const TypedLine& typed, bool queue);
  ScreenRequest have_done(const std::string& what,
                          const std::function<Result<Entered>(BoardSession&)>& done);
  ScreenRequest send_command(const TypedLine& typed);
  ScreenRequest asked();
  bool still_asks();
  ScreenRequest answered(const Result<Entered>& answer, const std::string& typed);
  ScreenRequest entered(const Result<Entered>& entered, const std::string& typed);
  void refreshed(const Result<Board>& fresh);
  bool see(const Result<Board>& fresh);
  void keep_field();
  void follow_field();
  // Asks for what was said here that is not known yet.
  void ask_talk();
  void heard(const Result<std::vector<ChatLine>>& said);
  void answer_overtaking();
  void settle_sent(std::size_t before);
  void call_off_unless(const std::string& line);

  Boards& boards_;
  BoardSession desk_;
  const Preferences& preferences_;
  BoardMode mode_;
  std::optional<Confirming> confirming_;  // open above that

  MoveCompletion completion_;
  LineEditor line_;
  mutable std::optional<Read> read_;  // nothing after a change of the board
  LineHistory history_;
  bool just_told_ = false;       // notice_ says what was done there since the last look
  bool played_by_hand_ = false;  // who has done so needs no telling how
  bool refused_ = false;         // what stands in the line, by the last key

  View view_;
  Position seen_;                               // what the picture shows
  std::optional<std::pair<char, bool>> drawn_;  // in which field, and whether as one that is over
  BoardView picture_;
  int reserved_ = 0;  // columns for it
  PlyList list_;
  std::vector<ChatLine> talk_;  // what was said on this board, of a server that keeps it
  std::string chat_;            // the last of it that is new

  Ticket asking_, refreshing_, keeping_, hearing_;  // what a server has not answered yet
  Ticket attending_;                                // the computer plays here
  std::string asked_for_;                           // what asking_ is for
  BoardHelp help_;
  bool refresh_again_ = false, hear_again_ = false;  // something came meanwhile
  std::optional<Motion> motion_;
  std::size_t known_;   // plies of the match when it was last looked at,
  Moment played_at_{};  // and when that had become another number
  ScreenRequest later_;
  bool calls_ = false;
  // A ply whose answer was lost: the server asks it again when the connection is back.
  std::string sent_;
  // When somebody else last played here, and whether a ply was held back for that.
  struct Overtaken {
    std::chrono::steady_clock::time_point at;
    bool told = false;
  };
  std::optional<Overtaken> overtaken_;
};

// "fred drops a T down column B.", and the first of many words.
std::string said_of(const Match& match, Seat seat, const std::string& described);
std::string first_words(const std::vector<std::string>& words, std::size_t most);
// The spots with which all these trails begin.
std::vector<SpotId> common_beginning(const std::vector<std::vector<SpotId>>& trails);

}  // namespace pbm
