// SPDX-License-Identifier: MIT
// One person at one board, on a screen or line by line: plies, the words that
// are typed like plies, and lines of plies tried without touching the game.
// Leaves keys and pictures to the front ends and keeping to boards/.
#pragma once

#include "boards/boards.hpp"
#include "boards/analysis.hpp"
#include "protocol/telling.hpp"
#include "ui/board_words.hpp"

namespace pbm {

// Beside what was played next in other games, where the computer may not help.
inline constexpr std::string_view kNoVerdicts =
    "The computer says nothing of these moves while people play against each other here.";

class BoardSession {
 public:
  BoardSession(Boards& boards, Board board);
  Boards& boards() const { return *boards_; }

  const std::string& id() const { return board_.id; }
  const Board& board() const { return board_; }
  // What is seen and played on: the board's, or the line that is tried.
  const Match& match() const { return trial_ ? *trial_ : board_.match; }

  // Whether a line is tried, and from the position after how many plies of the board.
  bool trying() const { return trial_.has_value(); }
  std::size_t tried_from() const { return tried_from_; }
  // Goes on from the position after ply `n` with nothing kept.
  void try_from(std::size_t n);
  // Back to the board; what was tried is forgotten.
  void stop_trying() { trial_.reset(); }

  // Who means what is typed here; nothing for whoever only watches.
  std::optional<Seat> acting_seat(std::string_view typed) const {
    return trial_ ? std::optional(trial_->acting_seat(typed)) : board_.acting_seat(typed);
  }
  // Whether a ply may be typed now: always where all seats are at one keyboard.
  bool may_move() const { return match().to_move() && acting_seat("") == match().to_move(); }
  // Whether it is another's turn here, so that a ply can wait for one's own.
  bool may_queue() const;

  // Whether all seats are played from here, and any at all: who has none only watches.
  bool shared() const { return trial_ || board_.shared(); }
  bool plays() const { return acting_seat("").has_value(); }
  // Whether the offer that is open is for whoever is here to answer.
  bool answers() const;
  // Whether what was played for that seat was played by whoever is here, who has chosen that name
  // or "". At one keyboard a seat that has no name but player1 is his, too.
  bool is_mine(Seat seat, const std::string& name) const;
  // A sentence about what waits for one's turn, and who watches; nothing of what is tried.
  std::string queued() const { return board_.remote && !trial_ ? board_.remote->queued : ""; }
  std::size_t watching() const { return board_.remote && !trial_ ? board_.remote->watching : 0; }
  // Whether it is others' board on a server, and nothing is told of what happens there.
  bool stands_still() const {
    return board_.remote && !trial_ && !plays() && !board_.match.ending() &&
           !board_.remote->watches;
  }
  // The answers that are kept here, a line each, deeper ones indented.
  std::vector<std::string> kept_answers() const;
  // Whether what is tried can be kept as such.
  bool may_keep_answers() const;
  // What there is to tell of each seat's time, on a board of a server as it is now; else nothing.
  std::vector<std::string> times(Time now) const;
  // Whether there is somebody to take ":COMMAND".
  bool takes_commands() const { return boards_->server().takes_commands(); }
  bool would_queue(const TypedLine& typed) const {
    return may_queue() && typed.kind == TypedLine::Kind::move;
  }

  // Whether the game is over and whoever is here may have another, with the seats swapped.
  bool may_rematch() const {
    return !trial_ && !board_.exercise && match().ending() && !match().offer() && plays();
  }

  // What a lesson or a puzzle asks for or says, or ""; and whether an empty line goes on from
  // there.
  std::string task() const { return board_.exercise && !trial_ ? board_.exercise->task() : ""; }
  bool may_go_on() const { return board_.exercise && !trial_ && board_.exercise->done(); }
  // Whether a ply is to be found that a hint can tell.
  bool may_be_told() const { return board_.exercise && !trial_ && !board_.exercise->done(); }

  // Refuses whoever is not to be helped in this position: on a board where people play against
  // each other nobody is, also in what he tries there.
  Result<Done> may_have_hint() const;
  // Whether what is threatened after `ply` plies may be told: not while others play elsewhere.
  Result<Done> may_see_threats(std::size_t ply) const;

  // Whether the computer may say what it knows of this board, whoever's turn it is.
  Result<Done> may_be_helped() const;

  // What the computer says of the plies of this board: as far as it is known, of those that
  // stand; null while nothing is, and where a line is tried.
  const Analysis* analysed() const {
    return analysis_ && !hides_analysis_ && !trial_ && analysis_->fits(board_.match)
               ? analysis_.get()
               : nullptr;
  }
  // It is known on, but nothing of it is to be seen until it is asked for again.
  void hide_analysis() { hides_analysis_ = true; }
  // To be gone on with, and seen, from the beginning where none is known. Refuses a board on which
  // people elsewhere are still in play, and one where nothing was played.
  Result<std::shared_ptr<Analysis>> analysis();
  // What `line` is on this board.
  TypedLine read(std::string_view line, Front front = Front::screen) const {
    return read_line(line, {front, board_.has_others(), takes_commands()});
  }
  // The words that can be typed now.
  std::vector<const TypedWord*> words_now(Front front) const;
  // What a word does here.
  std::string about(const TypedWord& word) const {
    return (word.name == "undo" && !board_.shared() ? "ask for leave to " : "") +
           std::string(word.about);
  }

  // Does what was typed while the position after ply `shown` was looked at. A refusal changes
  // nothing and says why; its offset is into the line. Pre: no line for a server.
  Result<Entered> enter(const TypedLine& typed, std::size_t shown);
  Result<Entered> enter(std::string_view line, std::size_t shown) {
    return enter(read(line), shown);
  }

  using Typed = const TypedLine&;
  // What some of the words do, as TypedWord has it.
  Result<Entered> play(Typed typed, std::size_t);
  Result<Entered> redo(Typed, std::size_t);
  Result<Entered> note(Typed typed, std::size_t shown);
  Result<Entered> set_level(Typed typed, std::size_t);
  Result<Entered> try_better(Typed typed, std::size_t shown);
  Result<Entered> keep_analysis(Typed typed, std::size_t);
  // The ply behind a word, or without one `shown`. Throws a Refusal, as all that a word does may:
  // enter() returns it.
  std::size_t ply_in(Typed typed, std::size_t shown) const;

  // From an exercise that is done to what follows it; a game that `me` plays, or "" who has logged
  // in. Pre: may_go_on().
  Result<Entered> go_on(const std::string& me);

  // Whether entering that asks a server, which may take its time.
  bool asks_server(const TypedLine& typed) const;

  // The drawing that `asked` is of the game, as Entered has it, behind `now`.
  char drawing(char asked, char now) const;
  // Has a server keep which drawing whoever is connected sees the game on.
  Result<Done> keep_field(char field) const;
  // It is that one from now on.
  void set_field(char field) {
    if (board_.remote) board_.remote->field = field;
  }

  // Keeps a ply until one's turn comes. Pre: would_queue().
  Result<Entered> queue(std::string_view ply);

  // What was done meanwhile on the board, not on what is tried.
  struct Meanwhile {
    bool done = false;    // by somebody else
    bool played = false;  // the position is another one, whoever made it so
    std::string told;     // all of it, in a sentence each; "" for notes and nothing
  };
  // Reads the board again.
  Meanwhile refresh() { return see(boards_->open(board_.id)); }
  // The same, of what was read.
  Meanwhile see(Result<Board> fresh);
  // The board as another one at it has it after entering something; what is tried goes on.
  void take(Board board) { board_ = std::move(board); }

 private:
  // Whether that is a ply played though a draw is offered.
  Result<Entered> play_there(Typed typed);
  Result<Entered> play_here(const std::vector<MoveRequest>& turns, const std::string& told);
  Result<Entered> try_refuted();
  void try_line(std::size_t from, const std::vector<std::string>& line, std::size_t played);
  std::string in_words(const std::vector<Told>& told, bool queued) const;

  Boards* boards_;
  Board board_;
  std::optional<Match> trial_;
  std::size_t tried_from_ = 0;
  std::shared_ptr<Analysis> analysis_;  // maybe of plies that no longer stand
  bool hides_analysis_ = false;
};

}  // namespace pbm
