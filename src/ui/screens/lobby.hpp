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

  Size wanted_size(Size terminal) override;
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override {
    if (prompt_ != Prompt::none) edit_prompt(character_key(c));
  }
  // Selects a board; a click on the selected one opens it.
  void click(Point place) override {
    if (rows_.select_at(place)) press({Key::Code::enter});
  }
  void resume() override {
    session_.note_return();
    mark_stale();
  }
  bool boards_changed() override {
    mark_stale();
    if (notice_.text == kNoBoardWaits) notice_.clear();
    return false;
  }
  // Returns when to ask the server again who is connected.
  std::optional<SteadyTime> next_tick() const override;
  void tick() override { request_lobby(false); }
  std::string title() const override { return "Boards"; }
  std::vector<KeyHelp> keys() const override;
  std::vector<KeyHelp> first_keys() const override;

  // Reads the list again before its next use.
  void mark_stale();

  // Returns the current list.
  const LobbyModel& list() {
    read_list();
    return list_;
  }
  // Returns the game of the selected row, or null.
  const GameType* selected_game() {
    read_list();
    return selected_row() ? selected_row()->game : nullptr;
  }

  // Notes a challenge to the player. Returns how to reach and decline it from the screen `top`.
  std::string note_challenge(const Notification& news, const Screen& top);
  // Returns the id of the noted challenge, once, if the player can still refuse it, or "".
  std::string take_challenge() {
    const std::string id = std::exchange(challenge_id_, "");
    const BoardSummary* const row = list().find(id);
    return row && session_.can_refuse(*row) ? id : "";
  }
  // Notes that the player has opened the board: forgets its challenge and selects it.
  void note_opened(const std::string& id) {
    if (challenge_id_ == id) challenge_id_.clear();
    select(id);
  }

  // Selects the board `id`, if it is in the list, when the list is read next.
  void select(const std::string& id) {
    wanted_id_ = id;
    is_stale_ = true;
  }

 private:
  using Order = LobbyModel::Order;
  using Word = LobbySession::Word;
  enum class Prompt : std::uint8_t { none, filter, name, command };  // what the player types
  static const std::vector<Binding<KeyAction<Lobby>>>& bindings();
  void read_list();

  static constexpr int kFirstRow = 3;  // the first row of the list
  // The places of the list's columns; a width of 0 leaves a column out.
  struct Columns {
    int width, id_width, title, title_width, names, names_width, state, state_width, time;
    bool shows_you;  // the player is among the names
  };
  Columns compute_columns(int width) const;
  std::vector<std::string> player_names(const BoardSummary& line) const;
  // Returns the players' names; without `you` only the opponents.
  std::string joined_names(const BoardSummary& line, bool you) const;
  std::string state_text(const BoardSummary& line) const;
  void draw_headings(Canvas& canvas, const Columns& at) const;
  void draw_row(Canvas& canvas, int row, const Columns& at, const BoardSummary& line,
                bool selected) const;
  void draw_board(Canvas& canvas, Area area);
  std::string title_text(int room) const;
  void draw_prompt(Canvas& canvas);
  void draw_bottom(Canvas& canvas);
  FootKeys foot_keys(std::string_view open) const;
  // Selects the first hit of a new filter; without one, the same board as before.
  void apply_filter();
  void clear_filter() {
    filter_.set_text("");
    apply_filter();
  }
  void select_shown(const std::string& id);
  bool is_marked(const std::string& id) const { return std::ranges::count(marked_ids_, id) > 0; }
  // Returns the marked rows that are shown; a filter or a fold may hide others.
  LobbySession::Words shown_marks() const {
    LobbySession::Words out;
    std::ranges::copy_if(marked_ids_, std::back_inserter(out),
                         [&](const std::string& id) { return list_.is_shown(id); });
    return out;
  }
  // Marks the selected row, or takes the mark away, and goes to the next row.
  void toggle_mark();
  // Returns the ids that a key of `word` means: the marked ones or the selected one.
  LobbySession::Words key_targets(const Word& word) const;
  const std::vector<const BoardSummary*>& shown_rows() const { return list_.shown_rows(); }
  void press_word(const Word& word, const Key& key, const std::string& seen);
  void run_word(const Word& word, const LobbySession::Words& ids) {
    run_action(LobbySession::needs_server(word, ids.size()), ids.empty() ? "" : ids.front(),
               [&word, ids](LobbySession& session) { return session.enter(word, ids); });
  }
  void edit_prompt(const Key& key);
  LineEditor& prompt_editor() {
    return prompt_ == Prompt::filter ? filter_ : prompt_ == Prompt::command ? command_ : name_;
  }
  void open_prompt(Prompt what) {
    prompt_ = what;
    request_lobby(true);
  }
  void run_typed_command();
  void go_to_next_waiting() {
    if (const std::string id = take_challenge(); !id.empty()) {
      if (!list_.is_shown(id)) clear_filter();
      return select(id);
    }
    const Word& next = *session_.find("next");
    show_result(session_.enter(next, key_targets(next)));
  }
  void change_order();
  void refresh() {
    mark_stale();
    request_lobby(false);
  }
  void request_lobby(bool all);
  std::string connected_names() const;
  // Runs `done` about the board `id`, or "", and shows its result. With `waits` it is a task.
  using LobbyAction = std::function<Result<EntryResult>(LobbySession&)>;
  void run_action(bool waits, const std::string& id, LobbyAction done);
  void show_result(const Result<EntryResult>& done);
  void finish_rename();
  void request_preview(const BoardSummary& line);
  const BoardSummary* selected_row() const {
    return shown_rows().empty() ? nullptr
                                : shown_rows()[static_cast<std::size_t>(rows_.selected_row())];
  }

  Boards& boards_;
  const Preferences& preferences_;
  LobbySession session_;
  LobbyModel& list_;
  RowList rows_;           // the rows shown
  bool is_stale_ = true;   // read the list before its next use, not under another screen
  std::string wanted_id_;  // the board to select then
  LineEditor filter_, name_, command_;
  LineHistory command_history_;  // past commands
  Prompt prompt_ = Prompt::none;
  std::string renamed_id_;  // the board that gets a new name
  LobbySession::Words marked_ids_;
  std::string challenge_id_;  // the board of the latest challenge, until the player goes there
  LobbySession::Words question_ids_;     // of the open question; the same key again confirms it
  const Word* question_word_ = nullptr;  // the word of that key
  std::optional<Board> preview_;         // the selected board, drawn beside the list
  Time preview_time_{};                  // its last change
  // Requests without an answer: a command or a copy; seen_; the connected people.
  TaskHandle pending_command_, pending_preview_, pending_lobby_;
  std::optional<SteadyTime> last_request_time_;
  std::string pending_preview_id_;  // the board that looking_ asks for
};

}  // namespace pbm
