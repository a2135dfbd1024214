// SPDX-License-Identifier: MIT
// The computer in one seat of a game, as long as that is followed: what it plays, when it offers or
// takes a draw, and when it gives up. Leaves thinking to thinker.hpp, and doing it to whoever runs
// the board.
#pragma once

#include "boards/engine_process.hpp"
#include "boards/thinker.hpp"
#include "game/inquiry.hpp"

namespace pbm {

// `said`: what a computer thought of its own plies, in order, the latest last.
// `plies`: how many plies stand on the board.

// A tie that is sure, or a game that has long been even: nothing happens any more.
bool offers_draw(std::span<const Verdict> said, std::size_t plies);

// The same, and also where the computer stands worse.
bool accepts_draw(std::span<const Verdict> said, std::size_t plies);

// Late, and never below level 8: who plays those wants to see the end.
bool resigns(std::span<const Verdict> said, int level);

class ComputerPlayer {
 public:
  // `engine`, if there is one, plays in its place, and says nothing of draws.
  explicit ComputerPlayer(std::shared_ptr<EngineProcess> engine = nullptr)
      : engine_(std::move(engine)) {}

  // Has it think about its ply on that match, asked by question_about() or the like.
  [[nodiscard]] Thinker::Handle think(Thinker& thinker, const Match& match, Question question,
                                      Thinker::Then then,
                                      Thinker::Rank rank = Thinker::Rank::ply) const;
  // What it does for the seat to move there, one after the other, at that level: the ply, maybe
  // with an offer behind it; or it gives up.
  std::vector<std::string> deeds(const Match& match, const Thought& thought, int level);
  // What it says to what is offered there: accept or reject.
  std::string reply(const Match& match) const;

 private:
  std::shared_ptr<EngineProcess> engine_;
  std::vector<Verdict> said_;   // of its own plies
  std::size_t offered_at_ = 0;  // plies, when it last offered a draw
};

}  // namespace pbm
