// SPDX-License-Identifier: MIT
// The computer in one seat of a game, as long as that is followed: what it plays, when it offers or
// takes a draw, and when it gives up. Leaves thinking to thinker.hpp, and doing it to whoever runs
// the board.
#pragma once

#include <map>

#include "boards/engine_process.hpp"
#include "boards/thinker.hpp"
#include "game/match.hpp"

namespace pbm {

// The last so many positions before the one that stands, as each was when the next ply was made.
std::vector<Position> positions_before(const Match& match, std::size_t most);

// What to ask about the position that stands: told of those that came before it, and with a seed
// that is the board's, so that the computer does not change its mind when it is asked again.
Question question_about(const Match& match, int level);

// How far a game has come on its board.
struct Course {
  std::size_t plies = 0;
  std::size_t quiet = 0;  // plies since one came or went of what stands there, or a ball got
                          // nearer to a goal than it was in the forty before
  bool repeated = false;  // this position, or the one before, stands for the third time
};
// The same of that match.
Course course_of(const Match& match);

// `said`: what a computer thought of its own plies, in order, the latest last.

// Nothing happens any more: a tie that is sure, a game that has been even for long and quiet, or is
// very long, a position for the third time. The longer it has been quiet, the better a computer may
// stand that offers one all the same, but for a win that is proved.
bool offers_draw(std::span<const Verdict> said, const Course& course);

// The same sooner, also where less was said, and wherever the computer stands worse.
bool accepts_draw(std::span<const Verdict> said, const Course& course);

// Late, and never below level 8: who plays those wants to see the end.
bool resigns(std::span<const Verdict> said, int level);

class ComputerPlayer {
 public:
  // `engine`, if there is one, plays in its place, and says nothing of draws.
  explicit ComputerPlayer(std::shared_ptr<EngineProcess> engine = nullptr)
      : engine_(std::move(engine)) {}

  // Has it think about its ply on that match, asked by question_about() or the like.
  [[nodiscard]] Thinker::Handle think(Thinker& thinker, const Match& match, Question question,
                                      Thinker::Callback callback,
                                      Thinker::Rank rank = Thinker::Rank::ply) const;
  // What it does for the seat to move there, one after the other, at that level: the ply, maybe
  // with an offer behind it; or it gives up.
  std::vector<std::string> deeds(const Match& match, const Thought& thought, int level);
  // What it says to what is offered there, in that seat: accept or reject. It needs `thought` about
  // the position where asks_first() says so.
  std::string reply(const Match& match, Seat seat, const Thought* thought = nullptr);
  // Whether a draw is offered there and it has not thought about a ply of its own yet.
  bool asks_first(const Match& match);

 private:
  std::vector<Verdict> said_before(const Match& match);

  std::shared_ptr<EngineProcess> engine_;
  std::map<std::size_t, Verdict> said_;  // of its own plies, by how many stood before
  std::size_t offered_at_ = 0;           // plies, when it last offered a draw
};

}  // namespace pbm
