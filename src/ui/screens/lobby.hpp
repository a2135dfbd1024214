// SPDX-License-Identifier: MIT
// The lobby: the list of the player's boards. Leaves an open board to board_screen.hpp.
#pragma once

#include "ui/lobby_session.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/settings.hpp"
#include "ui/screen.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

class Lobby final : public Screen {
 public:
  Lobby(Boards& boards, const Preferences& preferences);

  Size wanted(Size terminal) override;
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override {
    if (asked_ != Asked::nothing) press_in_line(typed(c));
  }
  // Selects a board; a click on the selected one opens it.
  void click(Point place) override {
    if (rows_.click(place)) press({Key::Code::enter});
  }
  void wake() override {
    session_.come_back();
    look_again();
  }
  bool boards_changed() override {
    look_again();
    if (notice_.text == kNothingWaits) notice_.clear();
    return false;
  }
  // Returns when to ask the server again who is connected.
  std::optional<Moment> due() const override;
  void tick() override { look_around(false); }
  std::string title() const override { return "Boards"; }
  std::vector<KeyHelp> keys() const override;
  std::vector<KeyHelp> first_keys() const override;

  // Reads the list again before its next use.
  void look_again();

  // Returns the current list.
  const LobbyModel& list() {
    read();
    return list_;
  }
  // Returns the game of the selected row, or null.
  const GameType* game() {
    read();
    return selected() ? selected()->game : nullptr;
  }

  // Selects the board `id`, if it is in the list, when the list is read next.
  void select(const std::string& id) {
    wanted_ = id;
    stale_ = true;
  }

 private:
  using Order = LobbyModel::Order;
  using Word = LobbySession::Word;
  enum class Asked : std::uint8_t { nothing, filter, name, command };  // what the player types
  static const std::vector<Binding<Act<Lobby>>>& bindings();
  void read();

  static constexpr int kFirstRow = 3;  // the first row of the list
  // The places of the list's columns; a width of 0 leaves a column out.
  struct Columns {
    int width, id_width, title, title_width, names, names_width, state, state_width, when;
    bool you;  // the player is among the names
  };
  Columns columns_for(int width) const;
  std::vector<std::string> players_of(const BoardSummary& line) const;
  // Returns the players' names; without `you` only the opponents.
  std::string names_of(const BoardSummary& line, bool you) const;
  std::string state_of(const BoardSummary& line) const;
  void draw_heads(Canvas& canvas, const Columns& at) const;
  void draw_row(Canvas& canvas, int row, const Columns& at, const BoardSummary& line,
                bool selected) const;
  void draw_board(Canvas& canvas, Area area);
  std::string heading(int room) const;
  void draw_asked(Canvas& canvas);
  void draw_bottom(Canvas& canvas);
  FootKeys foot_keys(std::string_view open) const;
  void apply_filter() {
    list_.filter(filter_.text());
    rows_.resize(static_cast<int>(shown().size()));
  }
  const std::vector<const BoardSummary*>& shown() const { return list_.shown(); }
  void press_word(const Word& word, const Key& key, const std::string& seen);
  void press_in_line(const Key& key);
  LineEditor& asked_line() {
    return asked_ == Asked::filter ? filter_ : asked_ == Asked::command ? command_ : name_;
  }
  void ask_for(Asked what) {
    asked_ = what;
    look_around(true);
  }
  void send_command();
  void go_to_next() {
    entered(session_.enter(*session_.find("next"), selected() ? LobbySession::Words{selected()->id}
                                                              : LobbySession::Words{}));
  }
  void sort_by_next();
  void refresh() {
    look_again();
    look_around(false);
  }
  void look_around(bool all);
  std::string here() const;
  // Runs `done` about the board `id`, or "", and shows its result. `waits` is true if it may have
  // to wait for a server.
  using Done = std::function<Result<Entered>(LobbySession&)>;
  void have_done(bool waits, const std::string& id, Done done);
  void entered(const Result<Entered>& done);
  void rename_asked();
  void look_at(const BoardSummary& line);
  const BoardSummary* selected() const {
    return shown().empty() ? nullptr : shown()[static_cast<std::size_t>(rows_.selected())];
  }

  Boards& boards_;
  const Preferences& preferences_;
  LobbySession session_;
  LobbyModel& list_;
  RowList rows_;        // the rows shown
  bool stale_ = true;   // read the list before its next use, not under another screen
  std::string wanted_;  // the board to select then
  LineEditor filter_, name_, command_;
  LineHistory history_;  // past commands
  Asked asked_ = Asked::nothing;
  std::string renamed_;      // the board that gets a new name
  std::string asked_about_;  // the board of the open question; the same key again confirms it
  const Word* asked_for_ = nullptr;  // the word of that key
  std::optional<Board> seen_;        // the selected board, drawn beside the list
  Time seen_at_{};                   // its last change
  // Requests without an answer: a command or a copy; seen_; the connected people.
  Handle asking_, looking_, around_;
  std::optional<Moment> looked_around_;
  std::string looked_for_;  // the board that looking_ asks for
};

}  // namespace pbm
