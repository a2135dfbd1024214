// SPDX-License-Identifier: MIT
// A ply that is seen being played, frame by frame: one that has just come, or each of a game that
// is played through. Leaves drawing the frames to the board's screen.
#pragma once

#include "base/clock.hpp"
#include "game/match.hpp"

namespace pbm {

class PlyMotion {
 public:
  // The squares the ply goes by are marked, then what it takes, then the board is the new one.
  enum class Frame : std::uint8_t { way, taken, board };

  // Of a board after so many plies.
  explicit PlyMotion(std::size_t plies) : known_(plies) {}

  // The match is what it is now. What makes it a ply longer than the board `seen` is shown, from
  // `first` on, if `moving`; of plies that follow each other quickly only what they come to.
  void follow(const Match& match, const Position& seen, Frame first, bool moving);
  // Plays the game through from the position after ply `ply`.
  void replay(std::size_t ply);
  // Ends it. True when there was one.
  bool end() { return std::exchange(now_, std::nullopt).has_value(); }

  // Whether a ply is on its way, whether the game is played through, and which ply it is, 1 for the
  // first. Pre of ply(), way() and taken(): moves().
  bool moves() const { return now_ && now_->frame != Frame::board; }
  bool replays() const { return now_ && now_->goes_on; }
  std::size_t ply() const { return now_->ply; }
  // What is marked on the way, and what is taken in this frame, on the board before that ply.
  std::vector<SpotId> way(const Match& match) const { return marks(match, Frame::way); }
  std::vector<SpotId> taken(const Match& match) const;

  // When next() is to be called.
  std::optional<Moment> due() const;
  // Goes on. Returns after how many plies the board is to be shown, where that is another now.
  std::optional<std::size_t> next(const Match& match, bool moving);

 private:
  struct Now {
    std::size_t ply;
    Frame frame;
    Moment started;
    bool goes_on;
  };
  std::vector<SpotId> marks(const Match& match, Frame frame) const;
  void skip_empty(const Match& match, bool moving);

  std::optional<Now> now_;
  std::size_t known_;   // plies of the match when it was last looked at,
  Moment played_at_{};  // and when that had become another number
};

}  // namespace pbm
