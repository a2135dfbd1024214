// SPDX-License-Identifier: MIT
// One player at one board, in either front end: plies, typed words, and lines tried without
// changing the game. Leaves keys and drawings to the front ends, and saving to boards/.
#pragma once

#include "boards/boards.hpp"
#include "boards/analysis.hpp"
#include "protocol/match_description.hpp"
#include "ui/board_words.hpp"

namespace pbm {

// One player's view of one open board.
class BoardSession {
 public:
  BoardSession(Boards& boards, Board board);
  Boards& boards() const { return *boards_; }

  const std::string& id() const { return board_.id; }
  const Board& board() const { return board_; }
  // Returns the match to show and play on: the tried line if there is one, else the board's match.
  const Match& match() const { return trial_match_ ? *trial_match_ : board_.match; }

  // is_trying() is true while the player tries moves; trial_start() is the number of the board's
  // plies before the first tried ply.
  bool is_trying() const { return trial_match_.has_value(); }
  std::size_t trial_start() const { return trial_start_; }
  // Starts to try moves after ply `n`; saves nothing.
  void start_trial(std::size_t n);
  // Drops the tried line and returns to the board.
  void stop_trial() { trial_match_.reset(); }

  // Returns the seat that `typed` is for, or nothing if the player only watches.
  std::optional<Seat> acting_seat(std::string_view typed) const {
    return trial_match_ ? std::optional(trial_match_->acting_seat(typed))
                        : board_.acting_seat(typed);
  }
  // True if the player may enter a ply now. If all seats play at this keyboard, always true until
  // the game ends.
  bool can_move() const { return match().to_move() && acting_seat("") == match().to_move(); }
  // True if the player may queue a ply: it is the opponent's turn on a board with other people.
  bool can_queue() const;

  // is_shared() is true if this keyboard plays all seats; has_seat() if it plays any.
  bool is_shared() const { return trial_match_ || board_.has_all_seats(); }
  bool has_seat() const { return acting_seat("").has_value(); }
  // Returns the seat that sentences call "you", or nothing; status() is such a sentence, and a
  // label is "you (TOOT)".
  std::optional<Seat> own_seat() const { return board_.own_seat(boards_->own_name()); }
  // Returns `from`, which is on this board, with the names that other readers know.
  Match match_for_others(Match from) const {
    return name_for_others(board_, std::move(from), boards_->own_name());
  }
  std::string status_after(std::size_t ply) const { return match().status_after(ply, own_seat()); }
  std::string status() const { return match().status(own_seat()); }
  std::string player_label(Seat seat) const {
    return seat_name(match(), seat, own_seat()) + " (" + match().position().side_name(seat) + ")";
  }
  // True if the player here has to answer the open offer.
  bool should_answer() const;
  // Returns the open offer and what the player here can do about it, or "".
  std::string offer_text() const {
    return match().offer() ? match().offer_text(own_seat()) + offer_prompt() : "";
  }
  // True if the player here played that seat's plies. On an own board, a seat named after its
  // number, as player1, or the only person's seat counts too.
  bool is_own_seat(Seat seat) const;
  // queued_text() is a sentence about the queued move, or ""; watcher_count() the number of
  // watchers, and watchers_text() their names. While the player tries moves: "" and 0.
  std::string queued_text() const {
    return board_.remote && !trial_match_ ? board_.remote->queued_ply : "";
  }
  std::size_t watcher_count() const {
    return board_.remote && !trial_match_ ? board_.remote->watcher_count : 0;
  }
  std::string watchers_text() const;
  // True if the board shows other people's game on a server and gets no updates from there.
  bool has_no_updates() const {
    return board_.remote && !trial_match_ && !has_seat() && !board_.match.ending() &&
           !board_.remote->is_watcher;
  }
  // Returns the queued answers, a line each; deeper ones are indented.
  std::vector<std::string> queued_answers() const;
  // True if the tried line can be queued as answers.
  bool can_queue_answers() const;
  // Returns a few words about each seat's time on a server's board, else nothing.
  std::vector<std::string> time_texts(Time now) const;
  // True if there is a server to take ":COMMAND".
  bool has_server() const { return boards_->server().has_server(); }
  bool should_queue(const TypedLine& typed) const {
    return can_queue() && typed.kind == TypedLine::Kind::move;
  }
  // Refuses a move that cannot be legal on the player's next turn. Pre: should_queue().
  Result<Success> check_queueable(const TypedLine& typed) const {
    return check_next_ply(match().position(), *acting_seat(""), typed.text);
  }

  // True if the game is over and the player may start a rematch with swapped seats.
  bool can_rematch() const {
    return !trial_match_ && !board_.exercise && match().ending() && !match().offer() &&
           has_seat() && !(board_.remote && !board_.remote->contest.empty());
  }

  // task() is the sentence of a lesson or puzzle, or "". can_continue_exercise() is true if an
  // empty line leads to the next step.
  std::string exercise_text() const {
    return board_.exercise && !trial_match_ ? board_.exercise->task() : "";
  }
  bool can_continue_exercise() const {
    return board_.exercise && !trial_match_ && board_.exercise->is_done();
  }
  // True if an exercise waits for a ply, and so can give a hint.
  bool can_show_solution() const {
    return board_.exercise && !trial_match_ && !board_.exercise->is_done();
  }

  // Refuses chat on a local board, and while the player tries moves.
  Result<Success> check_chat_allowed() const;
  // Refuses a hint in this position, tried or not: after the end, at the opponent's turn, and as
  // check_help_allowed() does.
  Result<Success> check_hint_allowed() const;
  // Refuses threats after `ply` plies: while people on a server play the game, in an exercise, and
  // if position_after_pass() returns nothing.
  Result<Success> check_threats_allowed(std::size_t ply) const;

  // Refuses the computer's help, at any turn, in an exercise and while people play against each
  // other. This also holds for a copy of a board on which they still play.
  Result<Success> check_help_allowed() const;

  // Returns the analysis of this board as far as it is known. Returns null if there is none, if it
  // is hidden or about other plies, and while the player tries moves.
  const Analysis* visible_analysis() const {
    return analysis_ && !is_analysis_hidden_ && !trial_match_ && analysis_->is_about(board_.match)
               ? analysis_.get()
               : nullptr;
  }
  // Hides the analysis until show_analysis() or start_analysis(). It can still be continued.
  void hide_analysis() { is_analysis_hidden_ = true; }
  void show_analysis() { is_analysis_hidden_ = false; }
  // Returns the analysis to continue and to show; starts one if there is none. Refuses while people
  // on a server play this game, in an exercise, and before the first ply.
  Result<std::shared_ptr<Analysis>> start_analysis();
  // Returns what an analysis of this board, other than `except`, or else a hint has found about
  // the position after `n` plies. Returns nothing if neither was there.
  std::optional<SearchResult> known_thought(std::size_t n, const Position& position,
                                            const Analysis* except = nullptr) const;
  // Reads a typed line as this board understands it.
  TypedLine parse_line(std::string_view line, FrontEnd front = FrontEnd::screen) const {
    return parse_typed_line(line, {front, board_.has_others(), has_server()});
  }
  // Returns the words that can be typed now.
  std::vector<const TypedWord*> available_words(FrontEnd front) const;
  // Returns the description of a word on this board.
  std::string describe_word(const TypedWord& word) const {
    return (word.name == "undo" && !board_.has_all_seats() ? "ask to " : "") +
           std::string(word.description);
  }

  // Does what was typed while the screen showed the position after ply `shown`. A refusal changes
  // nothing; its offset counts from the start of the line. Pre: not a command for a server.
  // With `queue`, queues a move. Pre for that: should_queue().
  Result<EntryResult> enter(const TypedLine& typed, std::size_t shown, bool queue = false);
  Result<EntryResult> enter(std::string_view line, std::size_t shown) {
    return enter(parse_line(line), shown);
  }

  using LineRef = const TypedLine&;
  // The functions behind some words: see TypedWord.
  Result<EntryResult> enter_move(LineRef typed, std::size_t);
  Result<EntryResult> redo_plies(LineRef, std::size_t);
  Result<EntryResult> enter_note(LineRef typed, std::size_t shown);
  Result<EntryResult> set_level(LineRef typed, std::size_t);
  Result<EntryResult> try_better(LineRef typed, std::size_t shown);
  Result<EntryResult> save_analysis_notes(LineRef typed, std::size_t);
  // Returns the ply number that follows a word, or `shown` if none does. Like all functions of
  // words, it may throw a Refusal, which enter() returns.
  std::size_t read_ply_number(LineRef typed, std::size_t shown) const;

  // Goes on from a finished exercise to the next one, or to a game with the computer.
  // Pre: can_continue_exercise().
  Result<EntryResult> continue_exercise();

  // True if entering this asks a server, which can take time.
  bool needs_server(const TypedLine& typed) const;

  // Returns the drawing that `asked` means, after drawing `now`; see EntryResult.
  char next_field(char asked, char now) const;
  // Saves the player's choice of drawing for this game on the server.
  Result<Success> save_field(char field) const;
  void set_field(char field) {
    if (board_.remote) board_.remote->field = field;
  }

  // Queues a ply for the player's turn. Pre: should_queue().
  Result<EntryResult> queue_ply(std::string_view ply);

  // The changes to the board since it was last read; tried lines do not count.
  struct BoardChanges {
    bool has_other_changes = false;  // another player or program made some
    bool has_new_position = false;   // the position differs
    std::string text;                // a sentence for each; "" for notes or no change
    std::string changed_level = {};  // how strong the computer is in the next game, or ""
  };
  // Reads the board again and returns the changes.
  BoardChanges refresh() { return update(boards_->open(board_.id)); }
  // The same for a board that was just read.
  BoardChanges update(Result<Board> fresh);
  // Replaces the board after another session entered something; a tried line stays.
  void replace_board(Board board) { board_ = std::move(board); }

 private:
  Result<EntryResult> run_line(LineRef typed, std::size_t shown, bool queue);
  Result<EntryResult> play_on_server(LineRef typed);
  Result<EntryResult> play_locally(const std::vector<MoveRequest>& turns, const TypedLine& typed);
  std::string describe_entered(const std::optional<Match::Offer>& open, LineRef typed) const;
  std::string offer_prompt() const;
  Result<EntryResult> try_refutation();
  void try_line(std::size_t from, const std::vector<std::string>& line, std::size_t played);
  std::string describe_actions(const std::vector<ActionDescription>& told, bool queued) const;

  Boards* boards_;
  Board board_;
  std::optional<Match> trial_match_;
  std::size_t trial_start_ = 0;
  std::shared_ptr<Analysis> analysis_;  // may be about plies that were taken back
  bool is_analysis_hidden_ = false;
};

}  // namespace pbm
