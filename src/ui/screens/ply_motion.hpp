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
  // The frames: the squares of the ply are marked, then captures, then the new board appears. At
  // the end of the game, the squares that decided it light up one by one.
  enum class Frame : std::uint8_t { path, captures, board, ending };

  // `plies` is the number of plies played so far.
  explicit PlyMotion(std::size_t plies) : ply_count_(plies) {}

  // Notes the new state of the match. If `moving` is true and the match is one ply longer than the
  // board `seen`, shows that ply from `first` on. After a quick sequence of plies shows none.
  void update(const Match& match, const Position& seen, Frame first, bool moving) {
    const std::size_t before = std::exchange(ply_count_, match.plies().size());
    state_.reset();
    if (ply_count_ == before) return;
    const SteadyTime now = steady_clock::now();
    const bool quick = now - std::exchange(last_ply_time_, now) < kQuickTime;
    if (!moving || quick || ply_count_ != before + 1 || !(seen == match.position_after(before)))
      return;
    state_ = State{ply_count_, first, now - kFrameTime * static_cast<int>(first), false};
    skip_empty_frames(match, moving);
    if (state_->frame == Frame::board) finish_ply(match);
  }

  // Replays the game from the position after ply `ply`.
  void start_replay(std::size_t ply) {
    state_ = State{ply, Frame::board, steady_clock::now() - kPlyTime / 2, true};
  }
  // Ends the animation. Returns false if there was none.
  bool stop() { return std::exchange(state_, std::nullopt).has_value(); }

  // True during the frames of a ply.
  bool is_moving() const { return state_ && state_->frame < Frame::board; }
  bool is_replaying() const { return state_ && state_->is_replay; }
  // Returns the number of the moving ply, from 1. Pre, also of the next two: a ply is moving.
  std::size_t ply_number() const { return state_->ply; }
  // Return the squares to mark in this frame, on the board before the ply.
  std::vector<SpotId> path_spots(const Match& match) const {
    return frame_spots(match, Frame::path);
  }
  std::vector<SpotId> capture_spots(const Match& match) const {
    return state_->frame == Frame::captures ? frame_spots(match, Frame::captures)
                                            : std::vector<SpotId>{};
  }

  // Returns how many squares of the ending are lit, or the largest number for all.
  std::size_t lit_spots() const {
    return state_ && state_->frame == Frame::ending ? state_->lit_spots : SIZE_MAX;
  }

  // Returns the time of the next frame.
  std::optional<SteadyTime> next_time() const {
    if (!state_) return std::nullopt;
    if (state_->frame == Frame::ending)
      return state_->start_time + kLightTime * static_cast<int>(state_->lit_spots);
    return state_->start_time + (state_->frame == Frame::board
                                     ? kPlyTime
                                     : kFrameTime * (1 + static_cast<int>(state_->frame)));
  }

  // Goes to the next frame. During a replay, returns the number of plies to show if it changed.
  std::optional<std::size_t> advance(const Match& match, bool moving) {
    using enum Frame;
    if (state_->frame == ending) {
      if (++state_->lit_spots > match.ending()->spots.size()) state_.reset();
      return std::nullopt;
    }
    if (state_->frame == board) state_ = State{state_->ply + 1, path, steady_clock::now(), true};
    else state_->frame = state_->frame == path ? Frame::captures : board;
    skip_empty_frames(match, moving);
    if (state_->frame != board) return std::nullopt;
    if (state_->is_replay) return state_->ply;
    finish_ply(match);
    return std::nullopt;
  }

 private:
  using steady_clock = std::chrono::steady_clock;
  // A replay takes a second per ply. The computer's reply does not count as quick.
  static constexpr std::chrono::milliseconds kFrameTime{250}, kPlyTime{1000}, kQuickTime{350},
      kLightTime{80};
  struct State {
    std::size_t ply;
    Frame frame;
    SteadyTime start_time;
    bool is_replay;
    std::size_t lit_spots = 0;
  };

  // Goes on to the ending, if several squares decided the game, or stops.
  void finish_ply(const Match& match) {
    constexpr std::size_t kFew = 2;
    if (match.ending() && match.ending()->spots.size() > kFew)
      state_ = State{state_->ply, Frame::ending, steady_clock::now(), false, 1};
    else state_.reset();
  }

  // Returns only squares that the ply changes anyway. Others would cost more bytes than the ply.
  std::vector<SpotId> frame_spots(const Match& match, Frame frame) const {
    const Match::Ply& ply = match.plies()[state_->ply - 1];
    const Position before = match.position_after(state_->ply - 1);
    std::vector<SpotId> out;
    if (frame == Frame::path) {
      out = before.selected_spots(ply.text);
      std::erase_if(out, [&, first = out.empty() ? 0 : out.front()](SpotId spot) {
        return spot != first && std::ranges::count(ply.changed_spots, spot) == 0;
      });
    } else {
      for (const Spot& spot : pbm::captured_spots(before, ply.text)) out.push_back(spot.id);
    }
    return out;
  }

  // Skips frames without marks.
  void skip_empty_frames(const Match& match, bool moving) {
    using enum Frame;
    Frame& frame = state_->frame;
    if (frame == path && (!moving || frame_spots(match, path).empty())) frame = Frame::captures;
    if (frame == Frame::captures && (!moving || frame_spots(match, Frame::captures).empty()))
      frame = board;
  }

  std::optional<State> state_;
  std::size_t ply_count_;       // the last number of plies
  SteadyTime last_ply_time_{};  // when it changed
};

}  // namespace pbm
