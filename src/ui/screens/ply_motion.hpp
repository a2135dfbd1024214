// SPDX-License-Identifier: MIT
// A ply that is seen being played, frame by frame: one that has just come, or each of a game that
// is played through. Leaves drawing the frames to the board's screen.
#pragma once

#include <algorithm>

#include "base/clock.hpp"
#include "game/match.hpp"
#include "ui/advice.hpp"

namespace pbm {

class PlyMotion {
 public:
  // The squares the ply goes by are marked, then what it takes, then the board is the new one.
  enum class Frame : std::uint8_t { way, taken, board };

  // Of a board after so many plies.
  explicit PlyMotion(std::size_t plies) : known_(plies) {}

  // The match is what it is now. What makes it a ply longer than the board `seen` is shown, from
  // `first` on, if `moving`; of plies that follow each other quickly only what they come to.
  void follow(const Match& match, const Position& seen, Frame first, bool moving) {
    const std::size_t before = std::exchange(known_, match.plies().size());
    now_.reset();
    if (known_ == before) return;
    const Moment now = steady_clock::now();
    const bool quick = now - std::exchange(played_at_, now) < kQuick;
    if (!moving || quick || known_ != before + 1 || !(seen == match.position_after(before))) return;
    now_ = Now{known_, first, now - kFrame * static_cast<int>(first), false};
    skip_empty(match, moving);
    if (now_->frame == Frame::board) now_.reset();
  }

  // Plays the game through from the position after ply `ply`.
  void replay(std::size_t ply) {
    now_ = Now{ply, Frame::board, steady_clock::now() - kPly / 2, true};
  }
  // Ends it. True when there was one.
  bool end() { return std::exchange(now_, std::nullopt).has_value(); }

  // Whether a ply is on its way, whether the game is played through, and which ply it is, 1 for the
  // first. Pre of ply(), way() and taken(): moves().
  bool moves() const { return now_ && now_->frame != Frame::board; }
  bool replays() const { return now_ && now_->goes_on; }
  std::size_t ply() const { return now_->ply; }
  // What is marked on the way, and what is taken in this frame, on the board before that ply.
  std::vector<SpotId> way(const Match& match) const { return marks(match, Frame::way); }
  std::vector<SpotId> taken(const Match& match) const {
    return now_->frame == Frame::taken ? marks(match, Frame::taken) : std::vector<SpotId>{};
  }

  // When next() is to be called.
  std::optional<Moment> due() const {
    if (!now_) return std::nullopt;
    return now_->started +
           (now_->frame == Frame::board ? kPly : kFrame * (1 + static_cast<int>(now_->frame)));
  }

  // Goes on. Returns after how many plies the board is to be shown, where that is another now.
  std::optional<std::size_t> next(const Match& match, bool moving) {
    using enum Frame;
    if (now_->frame == board) now_ = Now{now_->ply + 1, way, steady_clock::now(), true};
    else now_->frame = now_->frame == way ? Frame::taken : board;
    skip_empty(match, moving);
    return now_->frame == board && now_->goes_on ? std::optional(now_->ply) : std::nullopt;
  }

 private:
  using steady_clock = std::chrono::steady_clock;
  // Of a game played through each ply takes a second. The computer's answer comes later than a
  // quick one.
  static constexpr std::chrono::milliseconds kFrame{250}, kPly{1000}, kQuick{350};
  struct Now {
    std::size_t ply;
    Frame frame;
    Moment started;
    bool goes_on;
  };

  // Beside what moves only spots that change with it: more would cost more bytes than the ply.
  std::vector<SpotId> marks(const Match& match, Frame frame) const {
    const Match::Ply& ply = match.plies()[now_->ply - 1];
    const Position before = match.position_after(now_->ply - 1);
    std::vector<SpotId> out;
    if (frame == Frame::way) {
      out = before.trail(ply.text);
      std::erase_if(out, [&, first = out.empty() ? 0 : out.front()](SpotId spot) {
        return spot != first && std::ranges::count(ply.touched, spot) == 0;
      });
    } else {
      for (const Spot& spot : pbm::taken(before, ply.text)) out.push_back(spot.id);
    }
    return out;
  }

  // Passes over the frames in which there is nothing to see.
  void skip_empty(const Match& match, bool moving) {
    using enum Frame;
    Frame& frame = now_->frame;
    if (frame == way && (!moving || marks(match, way).empty())) frame = Frame::taken;
    if (frame == Frame::taken && (!moving || marks(match, Frame::taken).empty())) frame = board;
  }

  std::optional<Now> now_;
  std::size_t known_;   // plies of the match when it was last looked at,
  Moment played_at_{};  // and when that had become another number
};

}  // namespace pbm
