// SPDX-License-Identifier: MIT
// A move made by hand: a cursor over the spots of a drawing, and the spots
// picked so far. Knows no game: trails say which picks lead to which plies.
// Leaves keys and what is typed to the board screen.
#pragma once

#include "game/position.hpp"

namespace pbm {

class MovePicker {
 public:
  enum class Direction : std::uint8_t { left, right, up, down };

  // Over `drawing`, which is of `position`; the cursor on a spot from which something is legal.
  MovePicker(const Position& position, const Drawing& drawing);

  // Moves the cursor to the nearest spot that way; it stays where none is.
  void go(Direction direction);
  // To the next spot that can be picked now, in reading order, round and round.
  void go_to_next();

  // Puts the cursor on a spot of the drawing.
  void go_to(SpotId spot);

  // Picks the spot under the cursor. False when no legal ply goes on there.
  bool pick();
  // Takes the last pick back. False when there is none.
  bool unpick();
  // Picks the spot under the cursor in place of the last picks, as few of them as will do. False,
  // with nothing changed, when it could never have been picked.
  bool repick();
  // Whether the cursor is where the last pick was.
  bool on_last_pick() const { return !picked_.empty() && same(picked_.back(), cursor()); }

  // What is picked, in the notation: all that the plies still possible have in
  // common, but no further jump than was picked.
  std::string text() const;

  SpotId cursor() const { return spots_[at_].id; }
  const std::string& name() const { return spots_[at_].name; }  // of the spot under the cursor
  const std::vector<SpotId>& picked() const { return picked_; }
  // The spots that can be picked next.
  std::vector<SpotId> choices() const;

 private:
  struct Option {
    std::string ply;
    std::vector<SpotId> trail;
  };
  const Spot* spot(SpotId id) const;
  // Spots a move calls by the same name are one to pick: any place in a column.
  bool same(SpotId a, SpotId b) const;
  std::vector<const Option*> possible() const;

  std::vector<Spot> spots_;  // in reading order; never empty
  std::vector<Option> options_;
  std::vector<SpotId> picked_;
  std::size_t at_ = 0;
};

}  // namespace pbm
