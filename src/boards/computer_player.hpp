// SPDX-License-Identifier: MIT
// The computer in one seat of a game: chooses its ply, decides when to offer or accept a draw, and
// when to resign. Leaves thinking to thinker.hpp, and playing on the board to its callers.
#pragma once

#include <map>

#include "boards/engine_process.hpp"
#include "boards/thinker.hpp"
#include "game/match.hpp"

namespace pbm {

// Returns the last `most` positions before the current one, each just before the next ply.
std::vector<Position> positions_before(const Match& match, std::size_t most);

// Returns the question about the current position. It has the positions before, and a seed from the
// board, so that the computer gives the same answer when it is asked again.
SearchRequest make_question(const Match& match, int level);

// The progress of a game.
struct GameProgress {
  std::size_t ply_count = 0;
  std::size_t quiet_plies =
      0;  // plies since the last one that added or removed a piece, or that moved
          // the ball to a new row (compared with the forty plies before it)
  bool is_repeated = false;  // this position or the one before occurs for the third time
};
// Returns the progress of that match.
GameProgress game_progress(const Match& match);

// `said` are the computer's verdicts on its own plies, the latest last.

// True after a certain tie, a third repetition, or a long time in which the game was even and
// either quiet or very long. The longer it was quiet, the better the computer may stand and still
// offer; but it never offers in a proved win.
bool should_offer_draw(std::span<const Verdict> said, const GameProgress& course);

// The same, but earlier, with fewer verdicts, and also if the computer stands worse.
bool should_accept_draw(std::span<const Verdict> said, const GameProgress& course);

// True if the game is hopeless. Never below level 8: those players want to play to the end.
bool should_resign(std::span<const Verdict> said, int level);

class ComputerPlayer {
 public:
  // An `engine` chooses the plies instead, and never offers a draw.
  explicit ComputerPlayer(std::shared_ptr<EngineProcess> engine = nullptr)
      : engine_(std::move(engine)) {}

  // Makes it think about its ply in that match. `question` is that of make_question() or similar.
  [[nodiscard]] Thinker::Handle think(Thinker& thinker, const Match& match, SearchRequest question,
                                      Thinker::Callback callback,
                                      Thinker::Rank rank = Thinker::Rank::ply) const;
  // Returns what it types for the seat to move at that level, in order: the ply, then perhaps an
  // offer; or it resigns.
  std::vector<std::string> choose_actions(const Match& match, const SearchResult& thought,
                                          int level);
  // Returns its answer to the offer in the match: accept or reject. If needs_thought() is true it
  // needs `thought` about the position.
  std::string answer_offer(const Match& match, Seat seat, const SearchResult* thought = nullptr);
  // True if a draw is offered and it has not thought about a ply of its own yet.
  bool needs_thought(const Match& match);

 private:
  std::vector<Verdict> own_verdicts(const Match& match);

  std::shared_ptr<EngineProcess> engine_;
  std::map<std::size_t, Verdict> verdicts_;  // of its own plies, by the number of plies before
  std::size_t last_offer_ply_ = 0;           // plies at its last draw offer
};

}  // namespace pbm
