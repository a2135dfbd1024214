// SPDX-License-Identifier: MIT
// FloopRail for the engine: the evaluation, and the positions that are too unquiet for it. Leaves
// the moves to flooprail_moves.hpp and the rules to flooprail.cpp.
#pragma once

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "engine/proved.hpp"
#include "games/flooprail_table.hpp"

namespace pbm::flooprail {

class Rails : public Floopers {
 public:
  Rails(const Floopers& floopers, bool reverse) : Floopers(floopers), reverse_(reverse) {}

  Rails(const std::array<Board, 2>& pieces, Board soopers, Seat mover) : reverse_(false) {
    pieces_ = pieces;
    soopers_ = soopers;
    mover_ = static_cast<std::uint8_t>(mover);
  }

  // rules/flooprail.md, "The end": a player without a move loses, or wins the reverse game.
  bool over() const { return false; }
  Seat winner() const { return reverse_ ? mover_ : 1 - mover_; }

  std::uint64_t hash() const {
    return engine::mixed(pieces_[0] ^ engine::mixed(pieces_[1] << 1 | mover_)) +
           engine::mixed(soopers_ ^ 0x5A5A5A5A00000000U);
  }
  std::uint64_t rules() const { return reverse_; }
  // True if the mover must Fleap, or has lost because no Floopers are left. The player who moved
  // last always has a Flooper.
  bool noisy() const { return must_fleap() || own() == 0; }

  static constexpr bool kForTwo = true;
  static constexpr int kNoise = 90;
  int scale() const { return reverse_ ? 34 : 90; }
  static constexpr engine::Rungs kRungs{0, 5, 9, 25, 37, 49, 61, 70, 81},
      kReverseRungs{0, 25, 29, 39, 51, 63, 69, 77, 83};
  const engine::Rungs& rungs() const { return reverse_ ? kReverseRungs : kRungs; }
  // Captures what it can, knows only material and ignores replies: beginners beat it. A level that
  // also made room to move lost even to random moves.
  static constexpr engine::Skill kLowest{200, 1, 100, 0, 1, false, false};
  const engine::Skill& lowest() const { return reverse_ ? engine::kLadder[0] : kLowest; }
  static constexpr bool kReduces = true;
  static constexpr bool kMustTake = true;
  // True in the reverse game, where forced captures leave hardly a choice.
  bool forces() const { return reverse_; }
  // Points of 100 against itself without one term (1,000 games, 3,000 positions a ply):
  // SooperFloopers 55.8 +-1.6, exchanges 52.7 +-1.6, its goal guarded 57.4 +-2.1, room to move 62.1
  // +-1.9. Reverse game: SooperFloopers 68.7 +-2.6, room to move 72.9 +-2.7. The number of Floopers
  // does not help there: the fewer the better had 29.6 +-2.7 (with 100,000 positions 25 +-10 in 80
  // games), the more the better 55.4 +-4.5.
  template <class F>
  void terms(F f) const {
    const Seat me = mover_, you = 1 - mover_;
    const Side mine = side(me), theirs = side(you);
    if (reverse_) {
      f("room to move", kReverseFreedom * (freedom(me) - freedom(you)));
      f("SooperFloopers", kReverseSooper * (mine.soopers - theirs.soopers));
      return;
    }
    const int material = kMan * (mine.all - theirs.all) + kSooper * (mine.soopers - theirs.soopers);
    f("Floopers", material);
    // The player with more Floopers gains by exchanges.
    f("exchanges", material * (24 - mine.all - theirs.all) / 40);
    f("its goal guarded", kKept * (mine.kept - theirs.kept));
    f("room to move", kFreedom * (freedom(me) - freedom(you)));
  }

  bool obvious(Move m) const { return m.captured != 0; }
  int promise(Move m) const {
    return (m.captured ? engine::bits_in(m.captured) + 1 : 0) +
           (m.sooper && !((soopers_ >> m.from) & 1U) ? 1 : 0);
  }
  static constexpr int kSlots = 2 * kBits * kBits;
  int slot(Move m) const { return (mover_ * kBits + m.from) * kBits + m.to; }

  // With few Floopers left, the table knows the result.
  std::optional<Verdict> known(std::span<const std::uint8_t> table) const {
    if (table.size() != Endings::size() ||
        engine::bits_in(pieces_[0] | pieces_[1]) > Endings::kMost)
      return std::nullopt;
    const auto plies = plies_known(table);
    if (!plies) return engine::Proved::endless();
    return Endings::won(*plies, reverse_) ? engine::Proved::win(*plies)
                                          : engine::Proved::loss(*plies);
  }
  std::optional<int> plies_known(std::span<const std::uint8_t> table) const {
    if (own() == 0) return 0;
    return Endings::plies(
        table, {{own() & ~soopers_, own() & soopers_, other() & ~soopers_, other() & soopers_}},
        mover_);
  }

  bool must_fleap() const { return mover_ == 0 ? can_fleap<0>() : can_fleap<1>(); }

 private:
  static constexpr int kMan = 100, kSooper = 45, kKept = 7, kFreedom = 2;
  static constexpr int kReverseSooper = 10, kReverseFreedom = 6;

  struct Side {
    int all, soopers, kept;
  };
  Side side(Seat seat) const {
    const Board here = pieces_[static_cast<std::size_t>(seat)], men = here & ~soopers_;
    Side out{};
    out.all = engine::bits_in(here);
    out.soopers = engine::bits_in(here & soopers_);
    out.kept = engine::bits_in(men & kGoal[static_cast<std::size_t>(1 - seat)]);
    return out;
  }

  // Returns the number of Floops that a side would have.
  int freedom(Seat seat) const {
    const Board here = pieces_[static_cast<std::size_t>(seat)], soopers = here & soopers_,
                free = empty();
    const unsigned d = first_direction(seat);
    return static_cast<int>(bits_in(stepped(here, d) & free, stepped(here, d + 1) & free,
                                    stepped(soopers, d ^ 2U) & free,
                                    stepped(soopers, (d + 1) ^ 2U) & free));
  }

  template <Seat kMover>
  bool can_fleap() const {
    const Board men = pieces_[kMover], prey = pieces_[1 - kMover], free = empty(),
                soopers = men & soopers_;
    constexpr unsigned d = first_direction(kMover);
    return (landings(men, prey, free, d) | landings(men, prey, free, d + 1) |
            landings(soopers, prey, free, d ^ 2U) | landings(soopers, prey, free, (d + 1) ^ 2U)) !=
           0;
  }

  bool reverse_;
};

}  // namespace pbm::flooprail
