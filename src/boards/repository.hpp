// SPDX-License-Identifier: MIT
// A place that keeps boards: a directory of saves (local_boards.hpp) or a server
// (remote_boards.hpp). Leaves the choice between them to boards.hpp, keys and drawings to the front
// ends, and rules to the match.
#pragma once

#include <memory>

#include "protocol/board_summary.hpp"

namespace pbm {

inline constexpr std::string_view kExamplePrefix = "example:";  // begins the id of an example

class ExerciseSession;

// A board as it was last read.
struct Board {
  std::string id;  // for open(): "toot-101", or the path of a file
  Match match;
  std::string warning;  // a sentence about a repair of its file, or ""

  // The server's report about its board; but `queued_ply` is a sentence here.
  struct Remote : BoardSummary {
    std::optional<Seat> own_seat = {};  // the seat of the signed-in user; nothing: they only watch
    bool is_watcher = false;            // the signed-in user is a watcher
    std::string queued_answers = {};    // the tree of queued answers, or ""
  };
  std::optional<Remote> remote = {};  // nothing: all seats play at this keyboard

  // The lesson or puzzle that judges the plies (exercises.hpp), or null.
  std::shared_ptr<ExerciseSession> exercise = {};

  // Screens ask these functions what is possible, not where the board is kept.
  // True if this keyboard plays all seats, so that taking back needs no permission.
  bool has_all_seats() const { return !remote; }
  // True if other people can chat and watch, and the user can queue a ply behind theirs.
  bool has_others() const { return remote.has_value(); }
  // Returns the drawing to show; `usual` is the one shown in general.
  char drawing_or(char usual) const { return remote ? remote->field.value_or(usual) : usual; }

  // True if plies arrive unasked, from other people or from the computer.
  bool has_opponents() const { return remote || match.has_computer(); }

  // Returns the seat that sentences call "you", for the player with the name `me` in the settings.
  std::optional<Seat> own_seat(std::string_view me) const;
  // Returns the seat that `typed` is meant for, or nothing if nobody here may play. If it is the
  // computer's turn, returns the next person.
  std::optional<Seat> acting_seat(std::string_view typed) const;
};

// A line that a player typed on a board.
struct MoveRequest {
  std::optional<Seat> seat;  // its player; nothing: see Match::acting_seat()
  std::string text;
  std::optional<std::size_t> note_on = {};  // the line is a note on that ply
};

class Repository {
 public:
  virtual ~Repository() = default;

  // Returns every board: running ones first, the latest changed first; then finished ones,
  // unreadable ones and examples.
  virtual std::vector<BoardSummary> list() = 0;

  // Refuses an unknown id, and a file that cannot be loaded.
  virtual Result<Board> open(const std::string& id) = 0;

  // Plays the typed lines, all or none, and saves them before `board` shows them. The position `at`
  // in a refusal counts from the start of the wrong text. If another program has played meanwhile,
  // plays nothing, makes `board` the newer board, and refuses with a sentence that says so.
  virtual Result<Success> play(Board& board, const std::vector<MoveRequest>& turns) = 0;

  // Returns a descriptor that is readable after a possible change to a board, or -1 if nothing can
  // be watched.
  virtual int change_descriptor() = 0;
  // Takes in the changes. Returns false if there are none.
  virtual bool take_changes() = 0;

  // Returns the directory or the server's address, as people read it.
  virtual std::string location() const = 0;

  // The rest is for local boards; a server's boards refuse it.

  // Saves a copy of `match` as a new board and returns it.
  virtual Result<Board> save_new(const Match&) {
    return Refusal{"To start a game on a server, challenge a player."};
  }
  // rename() returns the new id; it refuses a name that is taken or invalid. remove() deletes a
  // board, and restore() brings it back.
  virtual Result<std::string> rename(const std::string& /*id*/, const std::string& /*name*/) {
    return Refusal{"Games on a server keep their names."};
  }
  virtual Result<Success> remove(const std::string& /*id*/) {
    return Refusal{"Games on a server cannot be deleted. Resign to end one that runs."};
  }
  virtual Result<Success> restore(const std::string& /*id*/) {
    return Refusal{"A board on a server is never deleted."};
  }
  // Gives a seat to the computer at that level, or to a person if it is 0. Saves that before
  // `board` shows it.
  virtual Result<Success> set_computer(Board&, Seat, int /*level*/) {
    return Refusal{"On a server the computer cannot take a player's seat."};
  }
};

// Returns `match`, which is a copy of all or part of `board`. For a running board of a server, the
// copy gets the board as its origin.
Match with_origin(const Board& board, const std::string& place, Match match);
// Returns `match`, which is on `board`, with the names for other readers: "you" in an exercise is
// the player `me`, or "player1" if that is "".
Match name_for_others(const Board& board, Match match, const std::string& me);

// Returns the requests for `typed` if one keyboard plays all seats and undo needs no permission.
std::vector<MoveRequest> shared_keyboard_requests(const Match& match, std::string_view typed);

// Says for each seat that changed since `seen` who plays it, or returns "". Pre: both have as many
// seats.
std::string describe_seat_changes(const Match& seen, const Match& now);

// Returns the seat of the person at this keyboard, whom sentences call "you": the seat with the
// name `me`, or the only person in a game against computers; or nothing.
std::optional<Seat> find_own_seat(std::string_view me, const Seating& seats);

// Returns the refusal for a line that the player at the seat `own` typed for `seen`, if the board
// is at `now` already. It tells the actions in between.
Refusal outdated_refusal(const Match& seen, const Match& now, std::optional<Seat> own);

// Validates the turns, plays them on `match` and returns them as entries of its log. At the first
// invalid one, stops with its refusal; `match` then has those before it.
Result<std::vector<LogEntry>> validate_requests(Match& match,
                                                const std::vector<MoveRequest>& turns);

}  // namespace pbm
