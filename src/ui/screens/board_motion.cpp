// SPDX-License-Identifier: MIT
// A ply that is seen being played: one that has just come, or each of a game played through.
#include <algorithm>

#include "ui/screens/board_screen.hpp"

namespace pbm {

namespace {
using std::chrono::steady_clock;
// Of a game played through each ply takes a second. The computer's answer comes later than a
// quick one.
constexpr std::chrono::milliseconds kFrame{250}, kPly{1000}, kQuick{350};
}  // namespace

// What is marked in one of its frames, beside what moves only spots that change with it: more
// would cost more bytes than the ply.
std::vector<SpotId> BoardScreen::moving(Motion::Frame frame) const {
  const Match::Ply& ply = match().plies()[motion_->ply - 1];
  const Position before = match().position_after(motion_->ply - 1);
  std::vector<SpotId> out;
  if (frame == Motion::Frame::way) {
    out = before.trail(ply.text);
    std::erase_if(out, [&, first = out.empty() ? 0 : out.front()](SpotId spot) {
      return spot != first && std::count(ply.touched.begin(), ply.touched.end(), spot) == 0;
    });
  } else {
    for (const Spot& spot : taken(before, ply.text)) out.push_back(spot.id);
  }
  return out;
}

// Passes over the frames in which there is nothing to see.
void BoardScreen::skip_frames() {
  using enum Motion::Frame;
  Motion::Frame& frame = motion_->frame;
  if (frame == way && (!preferences_.motion || moving(way).empty())) frame = taken;
  if (frame == taken && (!preferences_.motion || moving(taken).empty())) frame = board;
}

// The match is what it is now. What makes it a ply longer than the board that is seen is shown,
// from `first` on; of plies that follow each other quickly only what they come to.
void BoardScreen::start_motion(Motion::Frame first) {
  const std::size_t before = std::exchange(known_, match().plies().size());
  motion_.reset();
  if (known_ == before) return;
  const Moment now = steady_clock::now();
  const bool quick = now - std::exchange(played_at_, now) < kQuick;
  if (!preferences_.motion || quick || known_ != before + 1 ||
      !(seen_ == match().position_after(before)))
    return;
  motion_ = Motion{known_, first, now - kFrame * static_cast<int>(first), false};
  skip_frames();
  if (motion_->frame == Motion::Frame::board) motion_.reset();
}

void BoardScreen::end_motion() {
  if (std::exchange(motion_, std::nullopt)) refresh_view();
}

// From the ply looked back to, or from the start.
void BoardScreen::replay() {
  if (!doing<LookingBack>()) show_ply(0);
  if (const LookingBack* back = doing<LookingBack>())
    motion_ = Motion{back->ply, Motion::Frame::board, steady_clock::now() - kPly / 2, true};
}

std::optional<Moment> BoardScreen::due() const {
  if (!motion_) return std::nullopt;
  return motion_->started + (motion_->frame == Motion::Frame::board
                                 ? kPly
                                 : kFrame * (1 + static_cast<int>(motion_->frame)));
}

void BoardScreen::tick() {
  using enum Motion::Frame;
  if (!motion_) return;
  if (motion_->frame == board) motion_ = Motion{motion_->ply + 1, way, steady_clock::now(), true};
  else motion_->frame = motion_->frame == way ? taken : board;
  skip_frames();
  if (motion_->frame != board) return refresh_view();
  if (motion_->goes_on) show_ply(motion_->ply);
  if (!motion_->goes_on || !doing<LookingBack>()) end_motion();
}

}  // namespace pbm
