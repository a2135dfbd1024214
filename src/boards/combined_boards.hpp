// SPDX-License-Identifier: MIT
// The boards on a server and, below them, one's own in a directory: so a board of the server can be
// copied to be kept, a save opened beside it, and lessons, puzzles and games with the computer are
// had there as alone. One's own are told apart by "own:" before their names. Leaves what each can
// do to the two of them.
#pragma once

#include "base/wait_set.hpp"
#include "boards/boards.hpp"

namespace pbm {

class CombinedBoards final : public Boards {
 public:
  // Pre: both outlive this, and `there` is on a server.
  CombinedBoards(Boards& there, Boards& own);

  Ticket ask(const std::string& board, Work work, Haste haste = Haste::person) override;

  std::vector<BoardSummary> list() override;
  // "own:toot-101", "example:..." and the path of a save are one's own; all else is the server's.
  Result<Board> open(const std::string& id) override;
  // A new board is a challenge on the server, but with the computer; one that is kept is one's own.
  Result<Board> create(const GameType& game, const Options& options,
                       const std::vector<std::string>& names) override;
  Result<Board> keep(const Match& match) override;
  Result<std::string> rename(const std::string& id, const std::string& name) override;
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  Result<Done> set_computer(Board& board, Seat seat, int level) override;
  Result<Done> remove(const std::string& id) override;
  Result<Done> restore(const std::string& id) override;
  void add_own_games(Openings& openings) override { own_.add_own_games(openings); }
  int changes() override;
  bool take_changes() override;
  std::string place() const override { return there_.place(); }
  Server& server() override { return there_.server(); }

 private:
  Boards& there_;
  Boards& own_;
  WaitSet watch_;
};

}  // namespace pbm
