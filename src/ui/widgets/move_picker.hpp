// SPDX-License-Identifier: MIT
// Selects a move with a cursor on the squares of a drawing. Knows no game: trails say which squares
// lead to which plies. Leaves keys and typed text to the board screen.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include "game/position.hpp"

namespace pbm {

// The cursor and the squares picked so far.
class MovePicker {
 public:
  enum class Direction : std::uint8_t { left, right, up, down };

  // Pre: `drawing` is of `position` and has squares. The cursor starts where a legal ply begins.
  MovePicker(const Position& position, const Drawing& drawing) : spots_(drawing.spots) {
    check(!spots_.empty(), "a drawing without spots");
    std::ranges::sort(spots_, [](const Spot& a, const Spot& b) {
      return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    for (const std::string& ply : position.legal_plies())
      options_.push_back({ply, position.selected_spots(ply)});
    if (!next_spots().empty()) {
      cursor_index_ = spots_.size() - 1;
      move_to_next();
    }
  }

  // Moves the cursor to the nearest square in that direction, if there is one.
  void move(Direction direction) {
    struct Step {
      double x, y;
    };
    static constexpr Step steps[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const Step d = steps[static_cast<std::size_t>(direction)];
    // A character is about twice as high as wide.
    constexpr double kAspect = 2;
    const auto place = [&](const Spot& s) {
      return Step{s.column + s.width / 2.0, s.row * kAspect};
    };
    const Step from = place(spots_[cursor_index_]);
    double best = 0;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      const Step to = place(spots_[i]);
      const double along = (to.x - from.x) * d.x + (to.y - from.y) * d.y;
      const double aside = std::abs((to.x - from.x) * d.y - (to.y - from.y) * d.x);
      // Prefers straight moves. A square farther aside than ahead is in another direction.
      if (along <= 0.1 || aside > along * 2) continue;
      const double cost = along + aside * 1.5;
      if (!found || cost < best) {
        best = cost;
        found = i;
      }
    }
    if (found) cursor_index_ = *found;
  }

  // Moves the cursor to the next square that can be picked, in reading order; wraps around.
  void move_to_next() {
    const auto next = next_spots();
    for (std::size_t i = 1; i <= spots_.size(); ++i) {
      const std::size_t n = (cursor_index_ + i) % spots_.size();
      if (!std::binary_search(next.begin(), next.end(), spots_[n].id)) continue;
      cursor_index_ = n;
      return;
    }
  }

  // Moves the cursor to a square of the drawing.
  void move_to(SpotId id) {
    for (std::size_t i = 0; i < spots_.size(); ++i)
      if (spots_[i].id == id) cursor_index_ = i;
  }

  // Picks the square under the cursor. Returns false if no legal ply continues there.
  bool pick() {
    for (const SpotId id : next_spots())
      if (is_same_pick(id, cursor_spot())) {
        picked_spots_.push_back(id);
        return true;
      }
    return false;
  }

  // Undoes the last pick. Returns false if there is none.
  bool unpick() {
    if (picked_spots_.empty()) return false;
    picked_spots_.pop_back();
    return true;
  }

  // Picks the square under the cursor in place of as few last picks as necessary. Returns false,
  // with nothing changed, if that is impossible.
  bool repick() {
    const std::vector<SpotId> before = picked_spots_;
    while (unpick())
      if (pick()) return true;
    picked_spots_ = before;
    return false;
  }

  // True if the cursor is on the last picked square.
  bool is_on_last_pick() const {
    return !picked_spots_.empty() && is_same_pick(picked_spots_.back(), cursor_spot());
  }

  // Returns the picks in the notation: the common beginning of the possible plies, up to the last
  // picked jump.
  std::string picked_text() const {
    if (picked_spots_.empty()) return "";
    const auto left = matching_options();
    std::string common = left.empty() ? "" : left.front()->ply;
    for (const PlyOption* o : left)
      common.erase(std::ranges::mismatch(common, o->ply).in1, common.end());
    // Some games name each square of a move: keep as many parts as there are picks.
    std::size_t end = 0;
    for (std::size_t i = 0; i < picked_spots_.size() && end != std::string::npos; ++i)
      end = common.find('-', end + (i > 0));
    common.resize(std::min(end, common.size()));
    // Cuts a common beginning that is itself a ply with more picks, as "4rs" of 4rs and 4rse.
    const auto whole = [&](const PlyOption* o) {
      return o->ply == common && o->spots.size() > picked_spots_.size();
    };
    if (left.size() > 1 && std::ranges::any_of(left, whole)) common.pop_back();
    return common;
  }

  SpotId cursor_spot() const { return spots_[cursor_index_].id; }
  const std::string& cursor_name() const {
    return spots_[cursor_index_].name;
  }  // of the spot under the cursor
  const std::vector<SpotId>& picked_spots() const { return picked_spots_; }

  // Returns the squares that can be picked next.
  std::vector<SpotId> next_spots() const {
    std::vector<SpotId> out;
    for (const PlyOption* o : matching_options())
      if (o->spots.size() > picked_spots_.size()) out.push_back(o->spots[picked_spots_.size()]);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  struct PlyOption {
    std::string ply;
    std::vector<SpotId> spots;
  };
  const Spot* find_spot(SpotId id) const {
    const auto found = std::ranges::find(spots_, id, &Spot::id);
    return found == spots_.end() ? nullptr : &*found;
  }
  // True if a move gives both squares the same name: one pick means all squares of a column.
  bool is_same_pick(SpotId a, SpotId b) const {
    if (a == b) return true;
    const Spot *x = find_spot(a), *y = find_spot(b);
    return x && y && !x->name.empty() && x->name == y->name;
  }

  std::vector<const PlyOption*> matching_options() const {
    std::vector<const PlyOption*> out;
    for (const PlyOption& o : options_) {
      bool fits = o.spots.size() >= picked_spots_.size();
      for (std::size_t i = 0; fits && i < picked_spots_.size(); ++i)
        fits = is_same_pick(o.spots[i], picked_spots_[i]);
      if (fits) out.push_back(&o);
    }
    return out;
  }

  std::vector<Spot> spots_;  // in reading order; never empty
  std::vector<PlyOption> options_;
  std::vector<SpotId> picked_spots_;
  std::size_t cursor_index_ = 0;
};

}  // namespace pbm
