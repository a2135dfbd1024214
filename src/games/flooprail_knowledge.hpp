// SPDX-License-Identifier: MIT
// FloopRail for the engine: the evaluation, and the positions that are too unquiet for it. Leaves
// the moves to flooprail_moves.hpp and the rules to flooprail.cpp.
#pragma once

#include "engine/board.hpp"
#include "engine/levels.hpp"
#include "engine/proved_verdict.hpp"
#include "games/flooprail_table.hpp"

namespace pbm::flooprail {

class EngineBoard : public Floopers {
 public:
  EngineBoard(const Floopers& floopers, bool reverse) : Floopers(floopers), is_reverse_(reverse) {}

  EngineBoard(const std::array<SpaceSet, 2>& pieces, SpaceSet soopers, Seat mover)
      : is_reverse_(false) {
    floopers_ = pieces;
    soopers_ = soopers;
    mover_ = static_cast<std::uint8_t>(mover);
  }

  // rules/flooprail.md, "The end": a player without a move loses, or wins the reverse game.
  bool is_over() const { return false; }
  Seat winner() const { return is_reverse_ ? mover_ : 1 - mover_; }

  std::uint64_t hash() const {
    return engine::mix_bits(floopers_[0] ^ engine::mix_bits(floopers_[1] << 1 | mover_)) +
           engine::mix_bits(soopers_ ^ 0x5A5A5A5A00000000U);
  }
  std::uint64_t rules_key() const { return is_reverse_; }
  // True if the mover must Fleap, or has lost because no Floopers are left. The player who moved
  // last always has a Flooper.
  bool is_noisy() const { return has_fleap() || own_floopers() == 0; }

  static constexpr bool kIsForTwo = true;
  static constexpr int kMaxNoise = 90;
  int odds_scale() const { return is_reverse_ ? 34 : 90; }
  static constexpr engine::LevelRungs kRungs{0, 4, 7, 9, 22, 31, 37, 45, 54},
      kReverseRungs{0, 25, 28, 37, 50, 63, 69, 77, 83};
  const engine::LevelRungs& level_rungs() const { return is_reverse_ ? kReverseRungs : kRungs; }
  // Captures what it can, knows only material and ignores replies: beginners beat it. A level that
  // also made room to move lost even to random moves.
  static constexpr engine::Skill kLowestSkill{200, 1, 100, 0, 1, false, false};
  const engine::Skill& lowest_skill() const {
    return is_reverse_ ? engine::kSkillLadder[0] : kLowestSkill;
  }
  static constexpr bool kAllowsReductions = true;
  static constexpr bool kHasForcedCaptures = true;
  // True in the reverse game, where forced captures leave hardly a choice.
  bool has_forced_lines() const { return is_reverse_; }
  // Points of 100 against itself without one term (1,000 games, 3,000 positions a ply):
  // SooperFloopers 55.8 +-1.6, exchanges 52.7 +-1.6, guarded goal 57.4 +-2.1, room to move 62.1
  // +-1.9. Reverse game: SooperFloopers 68.7 +-2.6, room to move 72.9 +-2.7. The number of Floopers
  // does not help there: the fewer the better had 29.6 +-2.7 (with 100,000 positions 25 +-10 in 80
  // games), the more the better 55.4 +-4.5.
  template <class F>
  void evaluation_terms(F f) const {
    const Seat me = mover_, you = 1 - mover_;
    const SideCounts mine = count_side(me), theirs = count_side(you);
    if (is_reverse_) {
      f("gains Floops that may give Floopers away",
        kReverseFreedomPoints * (count_floops(me) - count_floops(you)));
      f("gains SooperFloopers with more ways to be captured",
        kReverseSooperPoints * (mine.soopers - theirs.soopers));
      return;
    }
    const int material = kFlooperPoints * (mine.floopers - theirs.floopers) +
                         kSooperPoints * (mine.soopers - theirs.soopers);
    f("gains Floopers or SooperFloopers", material);
    // The player with more Floopers gains by exchanges.
    f("gains from exchanges", material * (24 - mine.floopers - theirs.floopers) / 40);
    f("gains guards at home", kGuardPoints * (mine.goal_guards - theirs.goal_guards));
    f("gains room to move", kFreedomPoints * (count_floops(me) - count_floops(you)));
  }

  bool is_obvious(Move m) const { return m.captured != 0; }
  int ordering_score(Move m) const {
    return (m.captured ? engine::count_bits(m.captured) + 1 : 0) +
           (m.is_sooper && !((soopers_ >> m.from) & 1U) ? 1 : 0);
  }
  static constexpr int kHistorySlots = 2 * kBitCount * kBitCount;
  int history_slot(Move m) const { return (mover_ * kBitCount + m.from) * kBitCount + m.to; }

  // With few Floopers left, the table knows the result.
  std::optional<Verdict> table_verdict(std::span<const std::uint8_t> table) const {
    if (table.size() != EndingTable::byte_count() ||
        engine::count_bits(floopers_[0] | floopers_[1]) > EndingTable::kMaxFloopers)
      return std::nullopt;
    const auto plies = known_plies(table);
    if (!plies) return engine::ProvedVerdict::endless();
    return EndingTable::is_won(*plies, is_reverse_) ? engine::ProvedVerdict::win(*plies)
                                                    : engine::ProvedVerdict::loss(*plies);
  }
  std::optional<int> known_plies(std::span<const std::uint8_t> table) const {
    if (own_floopers() == 0) return 0;
    return EndingTable::plies_to_end(
        table,
        {{own_floopers() & ~soopers_, own_floopers() & soopers_, opponent_floopers() & ~soopers_,
          opponent_floopers() & soopers_}},
        mover_);
  }

  bool has_fleap() const { return mover_ == 0 ? has_fleap_for<0>() : has_fleap_for<1>(); }

 private:
  static constexpr int kFlooperPoints = 100, kSooperPoints = 45, kGuardPoints = 7,
                       kFreedomPoints = 2;
  static constexpr int kReverseSooperPoints = 10, kReverseFreedomPoints = 6;

  struct SideCounts {
    int floopers, soopers, goal_guards;
  };
  SideCounts count_side(Seat seat) const {
    const SpaceSet here = floopers_[index(seat)], men = here & ~soopers_;
    SideCounts out{};
    out.floopers = engine::count_bits(here);
    out.soopers = engine::count_bits(here & soopers_);
    out.goal_guards = engine::count_bits(men & kGoalSpaces[index(1 - seat)]);
    return out;
  }

  // Returns the number of Floops that a side would have.
  int count_floops(Seat seat) const {
    const SpaceSet here = floopers_[index(seat)], soopers = here & soopers_, free = empty_spaces();
    const unsigned d = first_forward_direction(seat);
    return static_cast<int>(count_bits_of_four(
        shift_spaces(here, d) & free, shift_spaces(here, d + 1) & free,
        shift_spaces(soopers, d ^ 2U) & free, shift_spaces(soopers, (d + 1) ^ 2U) & free));
  }

  template <Seat kMover>
  bool has_fleap_for() const {
    const SpaceSet men = floopers_[kMover], prey = floopers_[1 - kMover], free = empty_spaces(),
                   soopers = men & soopers_;
    constexpr unsigned d = first_forward_direction(kMover);
    return (fleap_landings(men, prey, free, d) | fleap_landings(men, prey, free, d + 1) |
            fleap_landings(soopers, prey, free, d ^ 2U) |
            fleap_landings(soopers, prey, free, (d + 1) ^ 2U)) != 0;
  }

  bool is_reverse_;
};

}  // namespace pbm::flooprail
