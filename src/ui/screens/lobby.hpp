// SPDX-License-Identifier: MIT
// The lobby: the list of the player's boards; for a newcomer the cards of the games. Leaves an open
// board to board_screen.hpp.
#pragma once

#include "ui/lobby_session.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/settings.hpp"
#include "ui/screen.hpp"
#include "ui/screens/lobby_cards.hpp"
#include "ui/widgets/row_list.hpp"

namespace pbm {

class Lobby final : public Screen {
 public:
  Lobby(Boards& boards, const Preferences& preferences);

  Size wanted_size(Size terminal) override {
    constexpr int kMostColumns = 200;
    return {terminal.rows, std::min(terminal.columns, kMostColumns)};
  }
  void draw(Canvas& canvas) override;
  void press(const Key& key) override;
  void paste(char32_t c) override {
    if (prompt_ != Prompt::none) edit_prompt(character_key(c));
  }
  // Selects a board or card; a click on the selected one opens it.
  void click(Point place) override;
  void resume() override {
    preview_room_ = {};  // the drawing style may be another one
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
  // Returns the game of the selected row or card, or null.
  const GameType* selected_game() {
    read_list();
    if (const LobbyLine* const line = selected_line(); line && !line->row) return line->card;
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
  static const std::vector<Binding<KeyAction<Lobby>>>& card_bindings();
  void read_list();

  // The columns of the list, from left to right.
  enum Column : std::size_t { kPlayers, kGame, kMoves, kTurn, kTime, kBoard, kColumns };
  // The text of a row: a cell for each column, and words that need several columns.
  struct RowText {
    std::array<std::string, kColumns> cells = {};
    std::string words = {};
    Style words_style = Style::turn;
    bool is_fold = false;  // of several boards; its name may be wider than the column
  };
  // The places of the columns; a width of 0 leaves a column out. `words` is the place of words.
  struct Columns {
    std::array<int, kColumns> at{}, widths{};
    int words = 0, end = 0;
  };
  Columns compute_columns(int width, const std::vector<RowText>& rows) const;
  RowText row_text(const BoardSummary& line, bool is_wide) const;
  void draw_list(Canvas& canvas);
  void draw_line(Canvas& canvas, int row, const Columns& at, const LobbyLine& line,
                 const RowText& text, bool is_selected) const;
  void draw_cards(Canvas& canvas);
  // Draws the selected board; beside the list the players stand above it, else at its right.
  void draw_board(Canvas& canvas, Area area, bool is_beside);
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
  void select_line(int line);
  bool press_card(const Key& key);
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
    if (const std::string id = take_challenge(); !id.empty()) return request(OpenBoardRequest{id});
    const Word& next = *session_.find("next");
    show_result(session_.enter(next, key_targets(next)));
  }
  void change_order();
  void go_to_card(int step) { rows_.select(rows_.selected_row() + step); }
  void open_lesson() { request(OpenBoardRequest{lesson_id(selected_game()->name)}); }
  void show_rules() { request(TopicRequest{std::string(selected_game()->name)}); }
  void play_computer();
  void start_for_two();
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
  // Two actions may happen within a second, the precision of times.
  static std::pair<Time, std::size_t> state_of(const BoardSummary& line) {
    return {line.last_change, line.ply_count + line.entry_count};
  }
  const LobbyLine* selected_line() const {
    const auto at = static_cast<std::size_t>(rows_.selected_row());
    return at < list_.lines().size() ? &list_.lines()[at] : nullptr;
  }
  const BoardSummary* selected_row() const {
    return selected_line() ? selected_line()->row : nullptr;
  }
  bool has_selected_card() const { return selected_line() && selected_line()->card; }

  Boards& boards_;
  const Preferences& preferences_;
  LobbySession session_;
  LobbyModel& list_;
  RowList rows_;  // the lines shown
  GameCards cards_;
  bool shows_cards_ = false;  // in the last picture the cards were no rows
  bool is_stale_ = true;      // read the list before its next use, not under another screen
  std::string wanted_id_;     // the board to select then
  LineEditor filter_, name_, command_;
  LineHistory command_history_;  // past commands
  Prompt prompt_ = Prompt::none;
  std::string renamed_id_;  // the board that gets a new name
  LobbySession::Words marked_ids_;
  std::string challenge_id_;  // the board of the latest challenge, until the player goes there
  LobbySession::Words question_ids_;     // of the open question; the same key again confirms it
  const Word* question_word_ = nullptr;  // the word of that key
  std::optional<Board> preview_;         // the selected board, drawn beside the list
  std::pair<Time, std::size_t> preview_state_;  // its last change and the number of its actions
  BoardView preview_view_;                      // its drawing, for that room
  Size preview_room_;
  // Requests without an answer: a command or a copy; preview_; the connected people.
  TaskHandle pending_command_, pending_preview_, pending_lobby_;
  std::optional<SteadyTime> last_request_time_;
  std::string pending_preview_id_;  // the board that pending_preview_ asks for
};

}  // namespace pbm
