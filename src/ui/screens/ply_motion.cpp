// SPDX-License-Identifier: MIT
#include "ui/screens/ply_motion.hpp"

#include <algorithm>

#include "ui/advice.hpp"

namespace pbm {

namespace {
using std::chrono::steady_clock;
// Of a game played through each ply takes a second. The computer's answer comes later than a
// quick one.
constexpr std::chrono::milliseconds kFrame{250}, kPly{1000}, kQuick{350};
}  // namespace

// Beside what moves only spots that change with it: more would cost more bytes than the ply.
std::vector<SpotId> PlyMotion::marks(const Match& match, Frame frame) const {
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

std::vector<SpotId> PlyMotion::taken(const Match& match) const {
  return now_->frame == Frame::taken ? marks(match, Frame::taken) : std::vector<SpotId>{};
}

// Passes over the frames in which there is nothing to see.
void PlyMotion::skip_empty(const Match& match, bool moving) {
  using enum Frame;
  Frame& frame = now_->frame;
  if (frame == way && (!moving || marks(match, way).empty())) frame = Frame::taken;
  if (frame == Frame::taken && (!moving || marks(match, Frame::taken).empty())) frame = board;
}

void PlyMotion::follow(const Match& match, const Position& seen, Frame first, bool moving) {
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

void PlyMotion::replay(std::size_t ply) {
  now_ = Now{ply, Frame::board, steady_clock::now() - kPly / 2, true};
}

std::optional<Moment> PlyMotion::due() const {
  if (!now_) return std::nullopt;
  return now_->started +
         (now_->frame == Frame::board ? kPly : kFrame * (1 + static_cast<int>(now_->frame)));
}

std::optional<std::size_t> PlyMotion::next(const Match& match, bool moving) {
  using enum Frame;
  if (now_->frame == board) now_ = Now{now_->ply + 1, way, steady_clock::now(), true};
  else now_->frame = now_->frame == way ? Frame::taken : board;
  skip_empty(match, moving);
  return now_->frame == board && now_->goes_on ? std::optional(now_->ply) : std::nullopt;
}

}  // namespace pbm
