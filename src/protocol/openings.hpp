// SPDX-License-Identifier: MIT
// Statistics of finished games: how often each ply was played after some plies, with which result,
// and what the computer has proved about it. Games that reach the position by the same plies in
// another order count. Other plies and mirrored ones do not. Leaves storing games to boards/ and
// the server, and proofs to boards/analysis.hpp.
#pragma once

#include <map>

#include "game/match.hpp"

namespace pbm {

// The plies that a server stores of a finished game, and the games that it searches.
inline constexpr std::size_t kOpeningPlies = 20;
inline constexpr std::size_t kOpeningGames = 10'000;

// Returns the first plies of a game, at most `most`. With more than two players, ends at the first
// resignation: from then on the plies alone do not determine the position.
std::vector<std::string> opening_plies(const Match& match, std::size_t most);

class Openings {
 public:
  struct Row {
    std::string ply;
    std::size_t games = 0;
    std::vector<std::size_t> wins;   // games won by each seat; the others are ties
    std::optional<Verdict> verdict;  // proved for the player of this ply
    std::size_t ties() const;
  };

  // Makes the table of the position after the first `n` plies of `match`. Refuses if the game is
  // over there, or if a player has resigned by then.
  static Result<Openings> make_table(const Match& match, std::size_t n);

  // True if games of this type, with these options and seats, count here.
  bool counts_game(const GameType& game, const std::vector<std::string>& options,
                   std::size_t seats) const;
  // Counts a local game if it is over and reached the position.
  void add(const Match& match);
  // Counts any game by its plies.
  void add(const std::vector<std::string>& plies, std::optional<Seat> winner);
  // Adds a sentence to show after the table.
  void add_remark(const std::string& sentence) {
    remarks_ += (remarks_.empty() ? "" : " ") + sentence;
  }

  // The request to a server, "toot openings -size=7x9 AT"; the server's answer to it; and adding
  // the answer to this table. An unreadable answer becomes a remark.
  std::string request_line() const;
  std::vector<std::string> format_answer() const;
  void add_answer(const std::vector<std::string>& lines);

  // Returns the rows, the most frequent ply first.
  std::vector<Row> rows() const;
  std::size_t games() const { return local_games_ + server_games_; }
  // Formats the table as Markdown, or as a sentence if it is empty.
  std::string format_text() const;

  const GameType& game() const { return *game_; }
  // The position before the plies of the rows.
  const Position& position() const { return position_; }
  // Stores a proved verdict of a ply, and that the computer tried to prove some. Pre: the ply has a
  // row.
  void set_verdict(const std::string& ply, const Verdict& verdict) { rows_[ply].verdict = verdict; }
  void mark_proofs_tried() { has_tried_proofs_ = true; }

 private:
  Openings(const Match& match, std::vector<std::string> plies);
  // Returns the position after these plies from the start, or nothing if they are illegal.
  std::optional<Position> position_after(const std::vector<std::string>& plies) const;
  bool reaches_position(const std::vector<std::string>& plies);
  Row* find_or_add_row(const std::string& ply);
  bool read_row(const std::string& line);
  std::string format_table() const;

  const GameType* game_;
  std::string title_;                 // "Toot -size=7x9"
  std::vector<std::string> options_;  // as words
  Position start_;
  std::vector<std::string> plies_, sorted_plies_;  // to this position
  Position position_;
  std::map<std::vector<std::string>, bool> transpositions_;  // true if these plies lead here, too
  std::map<std::string, Row> rows_;
  int ply_width_ = 3;                               // columns of the longest ply in rows_
  std::size_t local_games_ = 0, server_games_ = 0;  // local games; games of a server
  bool has_server_answer_ = false;
  bool has_tried_proofs_ = false;  // the computer tried to prove something
  std::string remarks_;
};

}  // namespace pbm
