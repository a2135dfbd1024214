// SPDX-License-Identifier: MIT
// The animation of a ply, frame by frame: of a new ply, or of each ply in a replay. Leaves drawing
// to the board's screen.
#pragma once

#include <algorithm>

#include "base/clock.hpp"
#include "game/match.hpp"
#include "ui/advice.hpp"

namespace pbm {

class PlyMotion {
 public:
  // The frames: the squares of the ply are marked, then captures, then the new board appears.
  enum class Frame : std::uint8_t { way, taken, board };

  // `plies` is the number of plies played so far.
  explicit PlyMotion(std::size_t plies) : known_(plies) {}

  // Notes the new state of the match. If `moving` is true and the match is one ply longer than the
  // board `seen`, shows that ply from `first` on. After a quick sequence of plies shows none.
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

  // Replays the game from the position after ply `ply`.
  void replay(std::size_t ply) {
    now_ = Now{ply, Frame::board, steady_clock::now() - kPly / 2, true};
  }
  // Ends the animation. Returns false if there was none.
  bool end() { return std::exchange(now_, std::nullopt).has_value(); }

  // True during the frames of a ply.
  bool moves() const { return now_ && now_->frame != Frame::board; }
  bool replays() const { return now_ && now_->goes_on; }
  // Returns the number of the moving ply, from 1. Pre, also of the next two: a ply is moving.
  std::size_t ply() const { return now_->ply; }
  // Return the squares to mark in this frame, on the board before the ply.
  std::vector<SpotId> way(const Match& match) const { return marks(match, Frame::way); }
  std::vector<SpotId> taken(const Match& match) const {
    return now_->frame == Frame::taken ? marks(match, Frame::taken) : std::vector<SpotId>{};
  }

  // Returns the time of the next frame.
  std::optional<Moment> due() const {
    if (!now_) return std::nullopt;
    return now_->started +
           (now_->frame == Frame::board ? kPly : kFrame * (1 + static_cast<int>(now_->frame)));
  }

  // Goes to the next frame. During a replay, returns the number of plies to show if it changed.
  std::optional<std::size_t> next(const Match& match, bool moving) {
    using enum Frame;
    if (now_->frame == board) now_ = Now{now_->ply + 1, way, steady_clock::now(), true};
    else now_->frame = now_->frame == way ? Frame::taken : board;
    skip_empty(match, moving);
    return now_->frame == board && now_->goes_on ? std::optional(now_->ply) : std::nullopt;
  }

 private:
  using steady_clock = std::chrono::steady_clock;
  // A replay takes a second per ply. The computer's reply does not count as quick.
  static constexpr std::chrono::milliseconds kFrame{250}, kPly{1000}, kQuick{350};
  struct Now {
    std::size_t ply;
    Frame frame;
    Moment started;
    bool goes_on;
  };

  // Returns only squares that the ply changes anyway. Others would cost more bytes than the ply.
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

  // Skips frames without marks.
  void skip_empty(const Match& match, bool moving) {
    using enum Frame;
    Frame& frame = now_->frame;
    if (frame == way && (!moving || marks(match, way).empty())) frame = Frame::taken;
    if (frame == Frame::taken && (!moving || marks(match, Frame::taken).empty())) frame = board;
  }

  std::optional<Now> now_;
  std::size_t known_;   // the last number of plies
  Moment played_at_{};  // when it changed
};

}  // namespace pbm
