// SPDX-License-Identifier: MIT
// The lobby: which boards there are. Leaves what is in a board to the board screen.
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
  // Who is here is asked for every now and then.
  std::optional<Moment> due() const override;
  void tick() override { look_around(false); }
  std::string title() const override { return "Boards"; }
  std::vector<KeyHelp> keys() const override;
  std::vector<KeyHelp> first_keys() const override;

  // The list is read anew before it is next used.
  void look_again();

  // The list as it is now.
  const LobbyModel& list() {
    read();
    return list_;
  }
  // Of the row that is selected, or null.
  const GameType* game() {
    read();
    return selected() ? selected()->game : nullptr;
  }

  // Puts the selection on the board `id`, if it is listed; at the latest when the list is next
  // shown.
  void select(const std::string& id) {
    wanted_ = id;
    stale_ = true;
  }

 private:
  using Order = LobbyModel::Order;
  using Word = LobbySession::Word;
  enum class Asked : std::uint8_t { nothing, filter, name, command };  // what is being typed
  static const std::vector<Binding<Act<Lobby>>>& bindings();
  void read();

  static constexpr int kFirstRow = 3;  // of the list on the screen
  // Where the columns of the list stand; a width of 0 leaves one out.
  struct Columns {
    int width, id_width, title, title_width, names, names_width, state, state_width, when;
    bool you;  // is among the names
  };
  Columns columns_for(int width) const;
  std::vector<std::string> players_of(const BoardSummary& line) const;
  // Where room is short the others only.
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
  // Has something done, about the board `id` or "", and shows what came of it. `waits`: for a
  // server, maybe.
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
  RowList rows_;  // of those shown
  bool stale_ =
      true;  // the list is to be read before it is used: not while another screen is shown
  std::string wanted_;  // the board to select then
  LineEditor filter_, name_, command_;
  LineHistory history_;  // of commands
  Asked asked_ = Asked::nothing;
  std::string renamed_;      // the board whose new name is asked for
  std::string asked_about_;  // the board that the next key, if it is the same one, does that to
  const Word* asked_for_ = nullptr;
  std::optional<Board> seen_;  // the selected board, as it is drawn beside the list
  Time seen_at_{};             // when that was last changed
  // What a server has not answered: a command or a copy; that board; who is here.
  Handle asking_, looking_, around_;
  std::optional<Moment> looked_around_;
  std::string looked_for_;  // the board that looking_ is for
};

}  // namespace pbm
