// SPDX-License-Identifier: MIT
// A board in a list, whoever keeps it, and what was just done on it; and both on the wire, where
// each is a YAML map on a line. Leaves which boards there are to its callers.
#pragma once

#include "game/match.hpp"
#include "protocol/board_id.hpp"
#include "protocol/framing.hpp"

namespace pbm {

// On a server and in a client's list, each with what concerns it.
struct BoardSummary {
  std::string id;                      // what open() takes: "toot-101"
  const GameType* game = nullptr;      // null when a client cannot read it
  std::vector<std::string> options;    // as words: "-size=7x9"
  std::vector<std::string> names;      // as the save has them; in a client's list harmless
  std::vector<int> levels;             // as in Seating; none where only people play
  std::size_t plies = 0, entries = 0;  // entries: all that was done, notes too
  // While it runs: those that have never played, taken back since or not; and that play no more.
  struct Seats {
    std::vector<Seat> unplayed, resigned;
    friend bool operator==(const Seats&, const Seats&) = default;
  } seats;
  std::optional<Seat> to_move;  // nothing when over or unreadable
  std::optional<Seat> winner;
  struct Offer {
    bool draw = false;  // else to take a ply back
    Seat by = 0;
    std::vector<Seat> answering = {};  // who has yet to answer
    friend bool operator==(const Offer&, const Offer&) = default;
  };
  std::optional<Offer> offer;
  Time changed{};
  std::string broken;  // why it cannot be read, or ""

  // What only a server knows.
  int number = 0;
  std::string challenger;               // who began it here, if that is known
  std::optional<RunningClock> running;  // while it runs, with a limit: most do not

  // What is told of a server's board besides.
  std::size_t watching = 0;  // how many do, besides the players
  // What only whoever is connected is told: which drawing he has chosen of a game with several,
  // what he has queued, "CO" or "CO#4", and how many lines were said there that he has not read.
  std::optional<char> field;
  std::string queued;
  std::size_t unread = 0;
  BoardClock clock;  // while it runs
  // What was just done there, the last of `entries`: in replies to programs and the event `now`.
  std::optional<std::vector<Action>> done;
  bool gone = false;  // there is no such board any more, and nothing but its id

  // In a client's list:
  std::string user;         // who is connected; "" where all seats are at this keyboard
  bool watched = false;     // the user does not play on it
  bool example = false;     // came with the program: play() makes a board of one's own of it
  std::string remark = {};  // what it is, where it is no game: a lesson, a puzzle
  std::size_t seek = 0;     // an open challenge, by its number
  bool of_others = false;   // neither played nor watched by the user, and listed all the same
  bool aside = false;       // one's own, below those of a server: it waits for nobody

  BoardKey key() const { return {game, number}; }
  bool over() const { return broken.empty() && !to_move; }
  // Whether it runs, everybody has played on it, and that player is not done with it.
  bool engages(std::string_view name) const;
  // Whether it is the computer's turn, which plays when the board is opened.
  bool computers_turn() const {
    return to_move && !levels.empty() && levels[static_cast<std::size_t>(*to_move)] > 0;
  }
  // "Toot -tootris".
  std::string title() const;
  // "fred's turn", "fred won", "a tie"; and "draw offered by fred", or "".
  std::string turn_or_result() const;
  std::string offered() const;
  // How it stands in a few words, the offer before the turn; why it cannot be read; or the remark.
  std::string state() const;
  // The same with what there is to tell of the time: "wilma's turn, 2 days left".
  std::string state_at(Time now) const;
  // All of that: "toot-101: Toot, fred and wilma, wilma's turn, 1 ply."
  std::string in_words(Time now) const;
  bool plays(std::string_view name) const;
  // The seat of that name in any case. Refuses nobody and, as it would be anybody's guess who is
  // meant, a name that several seats have.
  Result<Seat> seat_of(std::string_view name) const;

  friend bool operator==(const BoardSummary&, const BoardSummary&) = default;
};

BoardSummary summary_of(std::string id, const Match& match);

// Whether a board waits for a move or an answer of the one called `name`; "" for anybody at this
// keyboard. On a server's board it is whoever is connected who counts.
bool waits_for(const BoardSummary& board, std::string_view name);

// The order of a list for `user`: where it is his turn, then what runs, then what is over; in each
// the latest first.
bool listed_before(const BoardSummary& a, const BoardSummary& b, std::string_view user);

// "{board: toot-101, options: [-tootris], seats: [fred, wilma], plies: 5, turn: 2, changed:
// 2026-11-21T12:00:00Z, watching: 2}", with `done: [{move: BT, seat: 1, at: ...}]` at its end
// where that is told; or "{board: ..., gone: true}".
std::string encode(const BoardSummary& board);
// As `user` sees it, with harmless names. Nothing where the line is about no numbered board of a
// game that this program knows. A board of which it makes no sense is one that cannot be read.
std::optional<BoardSummary> decode_board(std::string_view line, const std::string& user);
// The same of a line that tells what was done, or that the board is gone; nothing of another.
std::optional<BoardSummary> decode_update(std::string_view line, const std::string& user);
// The one that a reply tells, of a pair of boards the first; nothing of another reply.
std::optional<BoardSummary> decode_update_in(const Reply& reply, const std::string& user);
// "{older: 3839}", behind the boards of a list: how many more there are.
std::string encode_older(std::size_t boards);
bool tells_of_older(std::string_view line);

// "Queued on toot 101: CO, as ply 4." of "CO#4".
std::string queued_in_words(const BoardKey& board, std::string_view queued);

}  // namespace pbm
