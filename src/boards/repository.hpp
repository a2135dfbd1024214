// SPDX-License-Identifier: MIT
// Where boards are kept: a directory of saves (local_boards.hpp), or a server (remote_boards.hpp).
// Leaves which of them somebody has to boards.hpp, keys and pictures to the front ends, and rules
// to the match.
#pragma once

#include <memory>

#include "protocol/board_summary.hpp"

namespace pbm {

inline constexpr std::string_view kExample = "example:";  // begins an example's id

class Openings;
class ExerciseSession;

// A board as it was last seen.
struct Board {
  std::string id;  // what open() takes: "toot-101", or a file's path
  Match match;
  std::string warning;  // a sentence about what its file needed, or ""

  // Of a board on a server, what that tells of it; but `queued` is a sentence.
  struct Remote : BoardSummary {
    std::optional<Seat> mine = {};  // the seat of whoever is connected; nothing: he only watches
    bool watches = false;           // whoever is connected is one of those who do
    std::string answers = {};       // of what he has queued, a tree of them, or ""
  };
  std::optional<Remote> remote = {};  // nothing: all seats are at one keyboard

  // A lesson or a puzzle (exercises.hpp), by which plies are judged; or null.
  std::shared_ptr<ExerciseSession> exercise = {};

  // What can be done here; screens ask this, and not where the board is kept. Whether every seat is
  // played from here, so that taking back needs nobody's leave.
  bool shared() const { return !remote; }
  // Whether there are others to talk to, to watch, and to queue a ply behind theirs.
  bool has_others() const { return remote.has_value(); }
  // Which drawing to show where `usual` is the one that is shown in general.
  char field(char usual) const { return remote ? remote->field.value_or(usual) : usual; }

  // Whether others play by themselves, here or elsewhere, so that their plies come unasked.
  bool has_opponents() const { return remote || match.has_computer(); }

  // Who means what is typed here; nothing when nobody here may play. Where it is the computer's
  // turn it is the next person.
  std::optional<Seat> acting_seat(std::string_view typed) const;
};

// What somebody typed on a board.
struct MoveRequest {
  std::optional<Seat> seat;  // who did; nothing: Match::acting_seat() says it
  std::string typed;
  std::optional<std::size_t> note_on = {};  // it is a note on that ply
};

class Repository {
 public:
  virtual ~Repository() = default;

  // Every board: those in play first, the latest changed first; then finished, unreadable ones and
  // examples.
  virtual std::vector<BoardSummary> list() = 0;

  // Refuses an unknown id and what the file's loader refuses.
  virtual Result<Board> open(const std::string& id) = 0;

  // Does what was typed, all of it or nothing, and has it kept before `board` shows it. A refusal's
  // `at` counts from the beginning of the text that was wrong. When somebody else has played on the
  // board meanwhile nothing is done: `board` becomes the newer one, and the refusal says so.
  virtual Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) = 0;

  // A descriptor that becomes readable when anybody may have changed a board; -1 where nothing can
  // be watched.
  virtual int changes() = 0;
  // Takes in what has changed. False when nothing has.
  virtual bool take_changes() = 0;

  // Where the boards are kept, for people: a directory, or a server's address.
  virtual std::string place() const = 0;

  // All below is for files: a server's boards refuse it.

  // A new board on which the same was done as on `match`, kept before it is returned.
  virtual Result<Board> keep(const Match&) {
    return Refusal{"A board on a server begins with a challenge."};
  }
  // rename() gives a board another name and returns its new id; it refuses a name that is taken or
  // cannot be one. remove() puts a board away, and restore() brings it back.
  virtual Result<std::string> rename(const std::string& /*id*/, const std::string& /*name*/) {
    return Refusal{"A server gives its boards their names."};
  }
  virtual Result<Done> remove(const std::string& /*id*/) {
    return Refusal{"On a server a board ends by resigning, and finished ones are kept."};
  }
  virtual Result<Done> restore(const std::string& /*id*/) {
    return Refusal{"A server's boards are not deleted."};
  }
  // Gives a seat to the computer at that level, or with 0 to a person; kept before `board` shows
  // it.
  virtual Result<Done> set_computer(Board&, Seat, int /*level*/) {
    return Refusal{"On a server the computer takes nobody's seat."};
  }
  // Counts the games that are over and of that game; says so if these are too many to be read.
  virtual void add_own_games(Openings& /*openings*/) {}
};

// That match, all of a board or a part of it, as it is copied from there: of a server's board that
// runs it has the origin.
Match copied_from(const Board& board, const std::string& place, Match match);

// What `typed` asks for at a keyboard that all seats share, where taking back needs no leave.
std::vector<MoveRequest> turns_at_one_keyboard(const Match& match, std::string_view typed);

// Who has the seat: "The computer plays OTTO, at level 4."; and so of each seat that has changed
// hands since `seen` was seen, or "". Pre: both have as many.
std::string told_of_seat(const Match& match, Seat seat);
std::string told_of_seats(const Match& seen, const Match& now);

// Why what was typed for the position of `seen` is not done on `now`: it tells what was done there
// meanwhile.
Refusal overtaken(const Match& seen, const Match& now);

// Judges the turns one after the other and does them on `match`; returns them as entries. Refuses
// the first one that may not be, with those before it done.
Result<std::vector<Action>> judge_turns(Match& match, const std::vector<MoveRequest>& turns);

}  // namespace pbm
