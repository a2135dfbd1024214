// SPDX-License-Identifier: MIT
// One player at one board, in either front end: plies, typed words, and lines tried without
// changing the game. Leaves keys and drawings to the front ends, and saving to boards/.
#pragma once

#include "boards/boards.hpp"
#include "boards/analysis.hpp"
#include "protocol/telling.hpp"
#include "ui/board_words.hpp"

namespace pbm {

// The remark on openings if the computer may not help.
inline constexpr std::string_view kNoVerdicts =
    "The computer says nothing of these moves while people play against each other here.";

// One player's view of one open board.
class BoardSession {
 public:
  BoardSession(Boards& boards, Board board);
  Boards& boards() const { return *boards_; }

  const std::string& id() const { return board_.id; }
  const Board& board() const { return board_; }
  // Returns the match to show and play on: the tried line if there is one, else the board's match.
  const Match& match() const { return trial_ ? *trial_ : board_.match; }

  // trying() is true while the player tries moves; tried_from() is the number of the board's plies
  // before the first tried ply.
  bool trying() const { return trial_.has_value(); }
  std::size_t tried_from() const { return tried_from_; }
  // Starts to try moves after ply `n`; saves nothing.
  void try_from(std::size_t n);
  // Drops the tried line and returns to the board.
  void stop_trying() { trial_.reset(); }

  // Returns the seat that `typed` is for, or nothing if the player only watches.
  std::optional<Seat> acting_seat(std::string_view typed) const {
    return trial_ ? std::optional(trial_->acting_seat(typed)) : board_.acting_seat(typed);
  }
  // True if the player may enter a ply now. If all seats play at this keyboard, always true until
  // the game ends.
  bool may_move() const { return match().to_move() && acting_seat("") == match().to_move(); }
  // True if the player may queue a ply: it is the opponent's turn on a board with other people.
  bool may_queue() const;

  // shared() is true if this keyboard plays all seats; plays() if it plays any.
  bool shared() const { return trial_ || board_.shared(); }
  bool plays() const { return acting_seat("").has_value(); }
  // True if the player here has to answer the open offer.
  bool answers() const;
  // True if the player here played that seat's plies. `name` is the player's chosen name, or "". On
  // an own board, a seat named after its number, as player1, or the only person's seat counts too.
  bool is_mine(Seat seat, const std::string& name) const;
  // queued() is a sentence about the queued move, or ""; watching() the number of watchers. While
  // the player tries moves: "" and 0.
  std::string queued() const { return board_.remote && !trial_ ? board_.remote->queued : ""; }
  std::size_t watching() const { return board_.remote && !trial_ ? board_.remote->watching : 0; }
  // True if the board shows other people's game on a server and gets no updates from there.
  bool stands_still() const {
    return board_.remote && !trial_ && !plays() && !board_.match.ending() &&
           !board_.remote->watches;
  }
  // Returns the queued answers, a line each; deeper ones are indented.
  std::vector<std::string> kept_answers() const;
  // True if the tried line can be queued as answers.
  bool may_keep_answers() const;
  // Returns a few words about each seat's time on a server's board, else nothing.
  std::vector<std::string> times(Time now) const;
  // True if there is a server to take ":COMMAND".
  bool takes_commands() const { return boards_->server().takes_commands(); }
  bool would_queue(const TypedLine& typed) const {
    return may_queue() && typed.kind == TypedLine::Kind::move;
  }

  // True if the game is over and the player may start a rematch with swapped seats.
  bool may_rematch() const {
    return !trial_ && !board_.exercise && match().ending() && !match().offer() && plays();
  }

  // task() is the sentence of a lesson or puzzle, or "". may_go_on() is true if an empty line leads
  // to the next step.
  std::string task() const { return board_.exercise && !trial_ ? board_.exercise->task() : ""; }
  bool may_go_on() const { return board_.exercise && !trial_ && board_.exercise->done(); }
  // True if an exercise waits for a ply, and so can give a hint.
  bool may_be_told() const { return board_.exercise && !trial_ && !board_.exercise->done(); }

  // Refuses a hint in this position, tried or not: after the end, at the opponent's turn, and as
  // may_be_helped() does.
  Result<Done> may_have_hint() const;
  // Refuses threats after `ply` plies: while people on a server play the game, in an exercise, and
  // if passed_over() returns nothing.
  Result<Done> may_see_threats(std::size_t ply) const;

  // Refuses the computer's help, at any turn, in an exercise and while people play against each
  // other. This also holds for a copy of a board on which they still play.
  Result<Done> may_be_helped() const;

  // Returns the analysis of this board as far as it is known. Returns null if there is none, if it
  // is hidden or about other plies, and while the player tries moves.
  const Analysis* analysed() const {
    return analysis_ && !hides_analysis_ && !trial_ && analysis_->fits(board_.match)
               ? analysis_.get()
               : nullptr;
  }
  // Hides the analysis until analysis() is called again. It can still be continued.
  void hide_analysis() { hides_analysis_ = true; }
  // Returns the analysis to continue and to show; starts one if there is none. Refuses while people
  // on a server play this game, in an exercise, and before the first ply.
  Result<std::shared_ptr<Analysis>> analysis();
  // Reads a typed line as this board understands it.
  TypedLine read(std::string_view line, Front front = Front::screen) const {
    return read_line(line, {front, board_.has_others(), takes_commands()});
  }
  // Returns the words that can be typed now.
  std::vector<const TypedWord*> words_now(Front front) const;
  // Returns the description of a word on this board.
  std::string about(const TypedWord& word) const {
    return (word.name == "undo" && !board_.shared() ? "ask for leave to " : "") +
           std::string(word.about);
  }

  // Does what was typed while the screen showed the position after ply `shown`. A refusal changes
  // nothing; its offset counts from the start of the line. Pre: not a command for a server.
  Result<Entered> enter(const TypedLine& typed, std::size_t shown);
  Result<Entered> enter(std::string_view line, std::size_t shown) {
    return enter(read(line), shown);
  }

  using Typed = const TypedLine&;
  // The functions behind some words: see TypedWord.
  Result<Entered> play(Typed typed, std::size_t);
  Result<Entered> redo(Typed, std::size_t);
  Result<Entered> note(Typed typed, std::size_t shown);
  Result<Entered> set_level(Typed typed, std::size_t);
  Result<Entered> try_better(Typed typed, std::size_t shown);
  Result<Entered> keep_analysis(Typed typed, std::size_t);
  // Returns the ply number that follows a word, or `shown` if none does. Like all functions of
  // words, it may throw a Refusal, which enter() returns.
  std::size_t ply_in(Typed typed, std::size_t shown) const;

  // Goes on from a finished exercise to the next one, or to a game with the computer. `me` is the
  // player's chosen name; "" means the login name. Pre: may_go_on().
  Result<Entered> go_on(const std::string& me);

  // True if entering this asks a server, which can take time.
  bool asks_server(const TypedLine& typed) const;

  // Returns the drawing that `asked` means, after drawing `now`; see Entered.
  char drawing(char asked, char now) const;
  // Saves the player's choice of drawing for this game on the server.
  Result<Done> keep_field(char field) const;
  void set_field(char field) {
    if (board_.remote) board_.remote->field = field;
  }

  // Queues a ply for the player's turn. Pre: would_queue().
  Result<Entered> queue(std::string_view ply);

  // The changes to the board since it was last read; tried lines do not count.
  struct Meanwhile {
    bool done = false;    // another player or program made some
    bool played = false;  // the position differs
    std::string told;     // a sentence for each; "" for notes or no change
  };
  // Reads the board again and returns the changes.
  Meanwhile refresh() { return see(boards_->open(board_.id)); }
  // The same for a board that was just read.
  Meanwhile see(Result<Board> fresh);
  // Replaces the board after another session entered something; a tried line stays.
  void take(Board board) { board_ = std::move(board); }

 private:
  Result<Entered> play_there(Typed typed);
  Result<Entered> play_here(const std::vector<MoveRequest>& turns, const std::string& told);
  Result<Entered> try_refuted();
  void try_line(std::size_t from, const std::vector<std::string>& line, std::size_t played);
  std::string in_words(const std::vector<Told>& told, bool queued) const;

  Boards* boards_;
  Board board_;
  std::optional<Match> trial_;
  std::size_t tried_from_ = 0;
  std::shared_ptr<Analysis> analysis_;  // may be about plies that were taken back
  bool hides_analysis_ = false;
};

}  // namespace pbm
