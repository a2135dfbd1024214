// SPDX-License-Identifier: MIT
// The summary of a board in a list, of a server or a client, and its text on the wire: a YAML map
// on a line. The same format reports the latest actions of a board. Leaves finding boards to its
// callers.
#pragma once

#include <algorithm>

#include "game/match.hpp"
#include "protocol/board_id.hpp"
#include "protocol/framing.hpp"

namespace pbm {

// A board in a server's or a client's list. Some members concern only one of them.
struct BoardSummary {
  std::string id;                              // the name for open(): "toot-101"
  const GameType* game = nullptr;              // nullptr if the client cannot read the board
  std::vector<std::string> options;            // as words: "-size=7x9"
  std::vector<std::string> names;              // as in the save; in a client's list made harmless
  std::vector<int> levels;                     // as in Seating; empty if the computer has no seat
  std::size_t ply_count = 0, entry_count = 0;  // entries: all actions, including notes
  // While the game runs: seats that never played a ply, and seats that resigned or lost on time.
  struct SeatLists {
    std::vector<Seat> unplayed, resigned;
    friend bool operator==(const SeatLists&, const SeatLists&) = default;
  } seats;
  std::optional<Seat> to_move;  // nothing if the game is over or unreadable
  std::optional<Seat> winner;
  struct Offer {
    bool is_draw = false;  // true: of a draw; false: to take a ply back
    Seat seat = 0;
    std::vector<Seat> pending_seats = {};  // seats that have not answered yet
    friend bool operator==(const Offer&, const Offer&) = default;
  };
  std::optional<Offer> offer;
  Time last_change{};
  std::string load_error;  // why the save cannot be read, or ""

  // Known to a server only:
  int number = 0;
  std::string challenger;                     // the userid of the challenger, or ""
  std::optional<RunningClock> running_clock;  // only for a running game with a time limit

  // Sent to clients about a server's board:
  std::size_t watcher_count = 0;           // watchers who are not players
  std::vector<std::string> watcher_names;  // the first kNamedWatchers of them
  static constexpr std::size_t kNamedWatchers = 8;
  std::string contest;  // "Round 2 of autumn" or "Ladder of Toot", or ""
  // Sent to the signed-in player only: their drawing if the game has several, their queued ply,
  // "CO" or "CO#4", and the number of chat lines that they have not read.
  std::optional<char> field;
  std::string queued_ply;
  std::size_t unread_count = 0;
  BoardClock clock;  // for a running game
  // The latest of `entries`, in replies to programs and in the event `now`.
  std::optional<std::vector<LogEntry>> latest_actions;
  bool is_deleted = false;  // true if the board no longer exists; only `id` is set

  // In a client's list:
  std::string user;             // the userid, or "" if all seats play at this keyboard
  bool is_watched = false;      // the user has no seat
  bool is_example = false;      // comes with the program; play() copies it to a new board
  std::string remark = {};      // describes an entry that is no game: a lesson, a puzzle
  std::size_t seek_number = 0;  // the number of an open challenge, or 0
  bool is_tournament = false;   // a tournament, not a board
  bool is_of_others = false;    // a listed board that the user neither plays nor watches
  bool is_local_extra = false;  // a local board in a server's list; it needs no player's attention

  BoardKey key() const { return {game, number}; }
  bool is_over() const { return load_error.empty() && !to_move; }
  // True for a game of one person with computers.
  bool has_lone_person() const {
    return !is_example && load_error.empty() && levels.size() > 1 &&
           std::ranges::count(levels, 0) == 1;
  }
  // True if the game runs, all seats have played, and the player still plays.
  bool is_active_for(std::string_view name) const;
  // True if it is the turn of the computer, which plays when a player opens the board.
  bool is_computers_turn() const {
    return to_move && !levels.empty() && levels[static_cast<std::size_t>(*to_move)] > 0;
  }
  // Returns the game and its options: "Toot -tootris".
  std::string title() const;
  // Return "fred's turn", "fred won" or "a tie"; and "fred offers a draw" or "".
  std::string turn_or_result() const;
  std::string offer_text() const;
  // Returns the state in a few words: the remark, why the save cannot be read, the offer, or the
  // turn or result.
  std::string state() const;
  // Adds the time that is left: "wilma's turn, 2 days left".
  std::string state_with_time(Time now) const;
  // Returns a whole sentence: "toot-101: Toot, fred and wilma, wilma's turn, 1 move."
  std::string describe(Time now) const;
  // Returns the subject of a mail to `reader`: "Toot 101: your turn against fred".
  std::string headline(std::string_view reader) const;
  bool has_player(std::string_view name) const;
  // Returns the seat of a player, in any case. Refuses a name without a seat, and a board on which
  // two seats have the same name.
  Result<Seat> find_seat(std::string_view name) const;

  friend bool operator==(const BoardSummary&, const BoardSummary&) = default;
};

BoardSummary summarize_match(std::string id, const Match& match);

// True if it is the turn of `name`, or if they must answer an offer. "" means any player at this
// keyboard. On a server's board the signed-in user counts instead.
bool is_waiting_for(const BoardSummary& board, std::string_view name);

// Orders a list for `user`: their turn, then other running games, then finished games; in each
// group the latest change first.
bool is_listed_before(const BoardSummary& a, const BoardSummary& b, std::string_view user);

// Formats a board for the wire: "{board: toot-101, options: [-tootris], seats: [fred, wilma],
// plies: 5, turn: 2, changed: 2026-11-21T12:00:00Z, watching: 2}". `done` adds
// "done: [{move: BT, seat: 1, at: ...}]" at the end. A deleted board is "{board: ..., gone: true}".
std::string encode(const BoardSummary& board);
// Parses such a line for `user`; names become harmless. Returns nothing if it has no valid board
// id. If the rest makes no sense, returns a summary that is marked as unreadable.
std::optional<BoardSummary> decode_board(std::string_view line, const std::string& user);
// As decode_board(), but returns nothing for a line without `done` or `gone`.
std::optional<BoardSummary> decode_update(std::string_view line, const std::string& user);
// Returns the update in a reply; of a pair of boards the first. Returns nothing for other replies.
std::optional<BoardSummary> decode_reply_update(const Reply& reply, const std::string& user);
// Formats the line after a list of boards that says how many more there are: "{older: 3839}".
std::string encode_older_count(std::size_t boards);
bool is_older_count(std::string_view line);

// Formats "CO#4" as "Queued on toot 101: CO, as move 4."
std::string describe_queued(const BoardKey& board, std::string_view queued);

}  // namespace pbm
