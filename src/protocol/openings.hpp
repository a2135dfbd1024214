// SPDX-License-Identifier: MIT
// What was played next after some plies in games that are over: how often, with what result, and
// what is proved of it. The same plies in another order count where they lead to the
// same position; other plies that lead there, and mirrored ones, do not. Leaves where games are
// kept to boards/ and the server, and proving to boards/analysis.hpp.
#pragma once

#include <map>

#include "game/match.hpp"

namespace pbm {

// So many plies of a game that is over a server remembers, and goes through so many games.
inline constexpr std::size_t kOpeningPlies = 20;
inline constexpr std::size_t kOpeningGames = 10'000;

// The first plies of a game, at most so many; where one of more than two gave up only those before
// that, as from then on the plies alone do not make the position.
std::vector<std::string> opening_of(const Match& match, std::size_t most);

class Openings {
 public:
  struct Row {
    std::string ply;
    std::size_t games = 0;
    std::vector<std::size_t> won;    // of them by each seat; the others are tied
    std::optional<Verdict> verdict;  // proved, for whoever plays it
    std::size_t tied() const;
  };

  // From the position after the first `n` plies of `match`. Refuses where nothing can follow, and
  // where somebody has given up by then.
  static Result<Openings> after(const Match& match, std::size_t n);

  // Whether games of `match`, with these options, are counted here at all.
  bool of(const GameType& game, const std::vector<std::string>& options, std::size_t seats) const;
  // Counts a game of one's own, if it is over and came here.
  void add(const Match& match);
  // The same of any game by its plies.
  void add(const std::vector<std::string>& plies, std::optional<Seat> winner);
  // Says something beside the table: a sentence.
  void remark(const std::string& sentence) { remarks_ += (remarks_.empty() ? "" : " ") + sentence; }

  // The line by which a server is asked for its games, "toot openings -size=7x9 AT"; what it
  // answers, and taking that in. Of an answer that is none only a remark comes.
  std::string command() const;
  std::vector<std::string> answer() const;
  void add_answer(const std::vector<std::string>& lines);

  // By how often they were played.
  std::vector<Row> rows() const;
  std::size_t games() const { return own_ + there_; }
  // All of it as a text in markdown; in a sentence if it is no more.
  std::string text() const;

  const GameType& game() const { return *game_; }
  // The position that they are played in.
  const Position& here() const { return here_; }
  // Keeps what is proved of a ply, and that somebody has tried. Pre: there is a row of it.
  void prove(const std::string& ply, const Verdict& verdict) { rows_[ply].verdict = verdict; }
  void try_proofs() { tried_ = true; }

 private:
  Openings(const Match& match, std::vector<std::string> plies);
  // Where these plies lead from the start; nothing where they are not legal.
  std::optional<Position> end_of(const std::vector<std::string>& plies) const;
  bool comes_here(const std::vector<std::string>& plies);
  Row* row(const std::string& ply);
  bool read(const std::string& line);
  std::string table() const;

  const GameType* game_;
  std::string title_;                 // "Toot -size=7x9"
  std::vector<std::string> options_;  // as words
  Position start_;
  std::vector<std::string> plies_, sorted_;  // that lead here
  Position here_;
  std::map<std::vector<std::string>, bool> others_;  // whether these plies lead here, too
  std::map<std::string, Row> rows_;
  int width_ = 3;                    // columns of the longest of their plies
  std::size_t own_ = 0, there_ = 0;  // games; those of a server
  bool asked_there_ = false;
  bool tried_ = false;  // to prove something
  std::string remarks_;
};

}  // namespace pbm
