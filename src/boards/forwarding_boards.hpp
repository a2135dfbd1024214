// SPDX-License-Identifier: MIT
// Boards around others, of which all is asked that is asked of these. Leaves what is
// otherwise to whoever derives from it.
#pragma once

#include "boards/boards.hpp"

namespace pbm {

// ask() is not handed on: its work is to be given these boards.
class ForwardingBoards : public Boards {
 public:
  Server& server() override { return boards_.server(); }
  std::vector<BoardSummary> list() override { return boards_.list(); }
  Result<Board> open(const std::string& id) override { return boards_.open(id); }
  Result<Board> create(const GameType& game, const Options& options,
                       const std::vector<std::string>& names) override {
    return boards_.create(game, options, names);
  }
  Result<Board> keep(const Match& match) override { return boards_.keep(match); }
  Result<std::string> rename(const std::string& id, const std::string& name) override {
    return boards_.rename(id, name);
  }
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override {
    return boards_.play(board, turns);
  }
  Result<Done> set_computer(Board& board, Seat seat, int level) override {
    return boards_.set_computer(board, seat, level);
  }
  Result<Done> remove(const std::string& id) override { return boards_.remove(id); }
  Result<Done> restore(const std::string& id) override { return boards_.restore(id); }
  void add_own_games(Openings& openings) override { boards_.add_own_games(openings); }
  int changes() override { return boards_.changes(); }
  bool take_changes() override { return boards_.take_changes(); }
  std::string place() const override { return boards_.place(); }

 protected:
  // Pre: `boards` outlives this.
  explicit ForwardingBoards(Boards& boards) : boards_(boards) {}

  Boards& boards_;
};

}  // namespace pbm
