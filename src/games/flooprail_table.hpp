// SPDX-License-Identifier: MIT
// All FloopRail endings with four Floopers or fewer, each with the number of plies until its end.
// The method is retrograde analysis (Bellman 1965, Strohlein 1970), class by class: first those
// with fewer Floopers and more SooperFloopers. Leaves keeping the bytes to the caller.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "games/flooprail_moves.hpp"

namespace pbm::flooprail {

class EndingTable {
 public:
  static constexpr int kMaxFloopers = 4;  // Floopers of both sides together

  // The men and SooperFloopers of the side to move, then those of the other side.
  struct FlooperSets {
    std::array<SpaceSet, 4> sets{};
  };

  static std::size_t byte_count() { return table_layout().byte_count; }

  // Returns the plies until the game ends, or nothing if it goes on for ever. Pre: `table` is of
  // byte_count(), each side has a Flooper, and there are four Floopers or fewer.
  static std::optional<int> plies_to_end(std::span<const std::uint8_t> table,
                                         const FlooperSets& sets, Seat mover) {
    const std::uint8_t byte = table[table_index(sets, mover)];
    return byte == 0 ? std::nullopt : std::optional(byte - 1);
  }
  // True if the side to move wins a game that ends after `plies`.
  static bool is_won(int plies, bool reverse) { return (plies % 2 == 1) != reverse; }

  // Computes the table; see EndgameTable::make. `Game(pieces, soopers, mover)` makes a position
  // with each_move() and the like.
  template <class Game>
  static std::vector<std::uint8_t> compute(bool reverse,
                                           const std::function<bool(int percent)>& go_on) {
    constexpr std::size_t kOften = 1 << 11;  // positions between two calls of go_on()
    std::size_t done = 0;
    const auto goes_on = [&] {
      return ++done % kOften != 0 || go_on(static_cast<int>(done * 80 / byte_count()));
    };
    std::vector<std::uint8_t> out(byte_count());
    PositionsByPlies due(256);  // positions by the number of plies in which they may end
    for (int all = 2; all <= kMaxFloopers; ++all)
      for (int men = 0; men <= all; ++men) {
        for (const std::uint32_t i : class_positions(all, men)) {
          if (!goes_on()) return {};
          if (const auto n = find_end(make_position<Game>(i, 0), out, reverse, true))
            due[index(*n)].push_back(i);
        }
        for (std::size_t plies = 0; plies + 1 < due.size(); ++plies) {
          std::vector<std::uint32_t> found;
          for (const std::uint32_t i : due[plies])
            if (out[i] == 0) {
              out[i] = static_cast<std::uint8_t>(plies + 1);
              found.push_back(i);
            }
          due[plies].clear();
          for (const std::uint32_t i : found) {
            if (!goes_on()) return {};
            add_predecessors<Game>(out, i, plies, reverse, due);
          }
        }
      }
    return out;
  }

 private:
  static constexpr int kSpaces = 32;

  static constexpr int space_number(int bit) { return bit - (bit + 4) / 9; }
  static constexpr std::size_t binomial(int n, int k) {
    if (k == 0) return 1;
    if (k == 1) return index(n);
    if (k == 2) return index(n * (n - 1) / 2);
    return index(n * (n - 1) * (n - 2) / 6);
  }

  struct TableLayout {
    std::array<std::uint32_t, 256>
        first_index{};  // first index, by the four counts of two bits each
    std::vector<unsigned> classes;
    std::size_t byte_count = 0;
    std::array<std::vector<SpaceSet>, 4> sets;  // all sets of 0 to 3 spaces, by rank
    TableLayout() {
      for (unsigned c = 0; c < 256; ++c) {
        const auto n = class_counts(c);
        if (n[0] + n[1] == 0 || n[2] + n[3] == 0 || n[0] + n[1] + n[2] + n[3] > kMaxFloopers)
          continue;
        first_index[c] = static_cast<std::uint32_t>(byte_count);
        classes.push_back(c);
        byte_count += binomial(kSpaces, n[0]) * binomial(kSpaces, n[1]) * binomial(kSpaces, n[2]) *
                      binomial(kSpaces, n[3]);
      }
      std::array<SpaceSet, kSpaces> space{};
      for (int bit = 0; bit < kBitCount; ++bit)
        if (kAllSpaces & space_at_bit(bit)) space[index(space_number(bit))] = space_at_bit(bit);
      sets[0] = {0};
      for (std::size_t a = 0; a < kSpaces; ++a) {
        sets[1].push_back(space[a]);
        for (std::size_t b = 0; b < a; ++b) {
          sets[2].push_back(space[a] | space[b]);
          for (std::size_t c = 0; c < b; ++c) sets[3].push_back(space[a] | space[b] | space[c]);
        }
      }
    }
  };
  static const TableLayout& table_layout() {
    static const TableLayout all;
    return all;
  }
  static std::array<int, 4> class_counts(unsigned c) {
    return {static_cast<int>(c >> 6 & 3U), static_cast<int>(c >> 4 & 3U),
            static_cast<int>(c >> 2 & 3U), static_cast<int>(c & 3U)};
  }

  // Returns the index of a position in the table. If X is to move, the board turns round.
  static std::size_t table_index(const FlooperSets& sets, Seat mover) {
    unsigned c = 0;
    std::size_t sum = 0;
    for (SpaceSet set : sets.sets) {
      int n = 0;
      std::size_t rank = 0;  // among the sets of the same size
      while (set != 0) {
        const int bit = mover == 0 ? lowest_bit(set) : 63 - std::countl_zero(set);
        set ^= space_at_bit(bit);
        rank += binomial(mover == 0 ? space_number(bit) : kSpaces - 1 - space_number(bit), ++n);
      }
      c = c << 2 | static_cast<unsigned>(n);
      sum = sum * binomial(kSpaces, n) + rank;
    }
    return table_layout().first_index[c] + sum;
  }

  // Returns the positions with `all` Floopers, of which `men` are no SooperFloopers.
  static std::vector<std::uint32_t> class_positions(int all, int men) {
    std::vector<std::uint32_t> out;
    const TableLayout& l = table_layout();
    for (const unsigned c : l.classes) {
      const auto n = class_counts(c);
      if (n[0] + n[1] + n[2] + n[3] != all || n[0] + n[2] != men) continue;
      std::uint32_t i = l.first_index[c];
      for (const SpaceSet a : l.sets[index(n[0])])
        for (const SpaceSet b : l.sets[index(n[1])])
          for (const SpaceSet x : l.sets[index(n[2])])
            for (const SpaceSet y : l.sets[index(n[3])]) {
              const bool apart = ((a & b) | ((a | b) & (x | y)) | (x & y)) == 0;
              // A Flooper on its goal is always a SooperFlooper.
              if (apart && (a & kGoalSpaces[0]) == 0 && (x & kGoalSpaces[1]) == 0) out.push_back(i);
              ++i;
            }
    }
    return out;
  }

  static FlooperSets position_sets(std::uint32_t i) {
    const TableLayout& l = table_layout();
    const auto c =
        *(std::upper_bound(l.classes.begin(), l.classes.end(), i,
                           [&](std::uint32_t at, unsigned k) { return at < l.first_index[k]; }) -
          1);
    const auto n = class_counts(c);
    std::size_t rest = i - l.first_index[c];
    FlooperSets out;
    for (std::size_t k = 4; k-- > 0;) {
      const auto& sets = l.sets[index(n[k])];
      out.sets[k] = sets[rest % sets.size()];
      rest /= sets.size();
    }
    return out;
  }

  using PositionsByPlies = std::vector<std::vector<std::uint32_t>>;

  template <class Game>
  static Game make_position(std::uint32_t i, Seat mover) {
    const FlooperSets s = position_sets(i);
    return Game({s.sets[0] | s.sets[1], s.sets[2] | s.sets[3]}, s.sets[1] | s.sets[3], mover);
  }

  // Returns the plies until a position ends, as far as the results of its moves are known: the
  // fewest of a winning move, or the most if all moves lose. At `first`, no results of its own
  // class are known, so only captures and new SooperFloopers count. Later, add_predecessors() knows
  // the wins, and this function only finds out if all moves lose.
  template <class Game>
  static std::optional<int> find_end(const Game& game, std::span<const std::uint8_t> table,
                                     bool reverse, bool first) {
    std::optional<int> win;
    int loss = -1;
    bool all = true;
    game.each_move([&](Floopers::Move m) {
      if (first ? game.ordering_score(m) == 0 : !all) {
        all = false;
        return;
      }
      Game next = game;
      next.play(m);
      const std::optional<int> n = next.known_plies(table);
      if (!n) all = false;
      else if (is_won(*n, reverse)) loss = std::max(loss, *n);
      else if (!win || *n < *win) win = *n;
    });
    if (win) return *win + 1;
    return all ? std::optional(loss + 1) : std::nullopt;
  }

  // Adds to `due` the positions that lead by one Floop to position `i`, which ends after `plies`.
  template <class Game>
  static void add_predecessors(const std::vector<std::uint8_t>& table, std::uint32_t i,
                               std::size_t plies, bool reverse, PositionsByPlies& due) {
    const FlooperSets s = position_sets(i);
    const SpaceSet free = kAllSpaces & ~(s.sets[0] | s.sets[1] | s.sets[2] | s.sets[3]);
    for (const std::size_t kind : {2U, 3U})
      for (unsigned d = 0; d < 4; ++d) {
        if (kind == 2 && !is_forward(1, d)) continue;
        each_bit(shift_spaces(free, d) & s.sets[kind], [&](int to) {
          FlooperSets before = s;
          before.sets[kind] ^= space_at_bit(to) | shift_spaces(space_at_bit(to), d ^ 2U);
          const Game game({before.sets[0] | before.sets[1], before.sets[2] | before.sets[3]},
                          before.sets[1] | before.sets[3], 1);
          // In that position the other side is to move.
          std::swap(before.sets[0], before.sets[2]);
          std::swap(before.sets[1], before.sets[3]);
          const std::size_t at = table_index(before, 1);
          if (table[at] != 0 || game.has_fleap()) return;
          std::optional<int> n = static_cast<int>(plies) + 1;
          if (is_won(static_cast<int>(plies), reverse)) n = find_end(game, table, reverse, false);
          if (n && index(*n) + 1 < due.size())
            due[index(*n)].push_back(static_cast<std::uint32_t>(at));
        });
      }
  }
};

}  // namespace pbm::flooprail
