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
std::vector<std::string> opening_of(const Match& match, std::size_t most);

class Openings {
 public:
  struct Row {
    std::string ply;
    std::size_t games = 0;
    std::vector<std::size_t> won;    // games won by each seat; the others are ties
    std::optional<Verdict> verdict;  // proved for the player of this ply
    std::size_t tied() const;
  };

  // Makes the table of the position after the first `n` plies of `match`. Refuses if the game is
  // over there, or if a player has resigned by then.
  static Result<Openings> after(const Match& match, std::size_t n);

  // True if games of this type, with these options and seats, count here.
  bool of(const GameType& game, const std::vector<std::string>& options, std::size_t seats) const;
  // Counts a local game if it is over and reached the position.
  void add(const Match& match);
  // Counts any game by its plies.
  void add(const std::vector<std::string>& plies, std::optional<Seat> winner);
  // Adds a sentence to show after the table.
  void remark(const std::string& sentence) { remarks_ += (remarks_.empty() ? "" : " ") + sentence; }

  // The request to a server, "toot openings -size=7x9 AT"; the server's answer to it; and adding
  // the answer to this table. An unreadable answer becomes a remark.
  std::string command() const;
  std::vector<std::string> answer() const;
  void add_answer(const std::vector<std::string>& lines);

  // Returns the rows, the most frequent ply first.
  std::vector<Row> rows() const;
  std::size_t games() const { return own_ + there_; }
  // Formats the table as Markdown, or as a sentence if it is empty.
  std::string text() const;

  const GameType& game() const { return *game_; }
  // The position before the plies of the rows.
  const Position& here() const { return here_; }
  // Stores a proved verdict of a ply, and that the computer tried to prove some. Pre: the ply has a
  // row.
  void prove(const std::string& ply, const Verdict& verdict) { rows_[ply].verdict = verdict; }
  void try_proofs() { tried_ = true; }

 private:
  Openings(const Match& match, std::vector<std::string> plies);
  // Returns the position after these plies from the start, or nothing if they are illegal.
  std::optional<Position> end_of(const std::vector<std::string>& plies) const;
  bool comes_here(const std::vector<std::string>& plies);
  Row* row(const std::string& ply);
  bool read(const std::string& line);
  std::string table() const;

  const GameType* game_;
  std::string title_;                 // "Toot -size=7x9"
  std::vector<std::string> options_;  // as words
  Position start_;
  std::vector<std::string> plies_, sorted_;  // to this position
  Position here_;
  std::map<std::vector<std::string>, bool> others_;  // true if these plies lead here, too
  std::map<std::string, Row> rows_;
  int width_ = 3;                    // columns of the longest ply in rows_
  std::size_t own_ = 0, there_ = 0;  // local games; games of a server
  bool asked_there_ = false;
  bool tried_ = false;  // the computer tried to prove something
  std::string remarks_;
};

}  // namespace pbm
