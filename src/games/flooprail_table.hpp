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

class Endings {
 public:
  static constexpr int kMost = 4;  // Floopers of both sides together

  // The men and SooperFloopers of the side to move, then those of the other side.
  struct Sets {
    std::array<Board, 4> at{};
  };

  static std::size_t size() { return layout().total; }

  // Returns the plies until the game ends, or nothing if it goes on for ever. Pre: `table` is of
  // size(), each side has a Flooper, and there are four Floopers or fewer.
  static std::optional<int> plies(std::span<const std::uint8_t> table, const Sets& sets,
                                  Seat mover) {
    const std::uint8_t byte = table[index(sets, mover)];
    return byte == 0 ? std::nullopt : std::optional(byte - 1);
  }
  // True if the side to move wins a game that ends after `plies`.
  static bool won(int plies, bool reverse) { return (plies % 2 == 1) != reverse; }

  // Computes the table; see EndTable::make. `Game(pieces, soopers, mover)` makes a position with
  // each_move() and the like.
  template <class Game>
  static std::vector<std::uint8_t> make(bool reverse,
                                        const std::function<bool(int percent)>& go_on) {
    constexpr std::size_t kOften = 1 << 11;  // positions between two calls of go_on()
    std::size_t done = 0;
    const auto goes_on = [&] {
      return ++done % kOften != 0 || go_on(static_cast<int>(done * 80 / size()));
    };
    std::vector<std::uint8_t> out(size());
    ByPlies due(256);  // positions by the number of plies in which they may end
    for (int all = 2; all <= kMost; ++all)
      for (int men = 0; men <= all; ++men) {
        for (const std::uint32_t i : positions(all, men)) {
          if (!goes_on()) return {};
          if (const auto n = ends_by_itself(game_at<Game>(i, 0), out, reverse, true))
            due[static_cast<std::size_t>(*n)].push_back(i);
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
            look_back<Game>(out, i, plies, reverse, due);
          }
        }
      }
    return out;
  }

 private:
  static constexpr int kSpaces = 32;

  static constexpr int number_of(int bit) { return bit - (bit + 4) / 9; }
  static constexpr std::size_t choose(int n, int k) {
    if (k == 0) return 1;
    if (k == 1) return static_cast<std::size_t>(n);
    if (k == 2) return static_cast<std::size_t>(n * (n - 1) / 2);
    return static_cast<std::size_t>(n * (n - 1) * (n - 2) / 6);
  }

  struct Layout {
    std::array<std::uint32_t, 256> first{};  // first index, by the four counts of two bits each
    std::vector<unsigned> classes;
    std::size_t total = 0;
    std::array<std::vector<Board>, 4> sets;  // all sets of 0 to 3 spaces, by rank
    Layout() {
      for (unsigned c = 0; c < 256; ++c) {
        const auto n = counts(c);
        if (n[0] + n[1] == 0 || n[2] + n[3] == 0 || n[0] + n[1] + n[2] + n[3] > kMost) continue;
        first[c] = static_cast<std::uint32_t>(total);
        classes.push_back(c);
        total += choose(kSpaces, n[0]) * choose(kSpaces, n[1]) * choose(kSpaces, n[2]) *
                 choose(kSpaces, n[3]);
      }
      std::array<Board, kSpaces> space{};
      for (int bit = 0; bit < kBits; ++bit)
        if (kBoard & at_bit(bit)) space[static_cast<std::size_t>(number_of(bit))] = at_bit(bit);
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
  static const Layout& layout() {
    static const Layout all;
    return all;
  }
  static std::array<int, 4> counts(unsigned c) {
    return {static_cast<int>(c >> 6 & 3U), static_cast<int>(c >> 4 & 3U),
            static_cast<int>(c >> 2 & 3U), static_cast<int>(c & 3U)};
  }

  // Returns the index of a position in the table. If X is to move, the board turns round.
  static std::size_t index(const Sets& sets, Seat mover) {
    unsigned c = 0;
    std::size_t sum = 0;
    for (Board set : sets.at) {
      int n = 0;
      std::size_t rank = 0;  // among the sets of the same size
      while (set != 0) {
        const int bit = mover == 0 ? lowest(set) : 63 - std::countl_zero(set);
        set ^= at_bit(bit);
        rank += choose(mover == 0 ? number_of(bit) : kSpaces - 1 - number_of(bit), ++n);
      }
      c = c << 2 | static_cast<unsigned>(n);
      sum = sum * choose(kSpaces, n) + rank;
    }
    return layout().first[c] + sum;
  }

  // Returns the positions with `all` Floopers, of which `men` are no SooperFloopers.
  static std::vector<std::uint32_t> positions(int all, int men) {
    std::vector<std::uint32_t> out;
    const Layout& l = layout();
    for (const unsigned c : l.classes) {
      const auto n = counts(c);
      if (n[0] + n[1] + n[2] + n[3] != all || n[0] + n[2] != men) continue;
      std::uint32_t i = l.first[c];
      for (const Board a : l.sets[static_cast<std::size_t>(n[0])])
        for (const Board b : l.sets[static_cast<std::size_t>(n[1])])
          for (const Board x : l.sets[static_cast<std::size_t>(n[2])])
            for (const Board y : l.sets[static_cast<std::size_t>(n[3])]) {
              const bool apart = ((a & b) | ((a | b) & (x | y)) | (x & y)) == 0;
              // A Flooper on its goal is always a SooperFlooper.
              if (apart && (a & kGoal[0]) == 0 && (x & kGoal[1]) == 0) out.push_back(i);
              ++i;
            }
    }
    return out;
  }

  static Sets sets_of(std::uint32_t i) {
    const Layout& l = layout();
    const auto c =
        *(std::upper_bound(l.classes.begin(), l.classes.end(), i,
                           [&](std::uint32_t at, unsigned k) { return at < l.first[k]; }) -
          1);
    const auto n = counts(c);
    std::size_t rest = i - l.first[c];
    Sets out;
    for (std::size_t k = 4; k-- > 0;) {
      const auto& sets = l.sets[static_cast<std::size_t>(n[k])];
      out.at[k] = sets[rest % sets.size()];
      rest /= sets.size();
    }
    return out;
  }

  using ByPlies = std::vector<std::vector<std::uint32_t>>;

  template <class Game>
  static Game game_at(std::uint32_t i, Seat mover) {
    const Sets s = sets_of(i);
    return Game({s.at[0] | s.at[1], s.at[2] | s.at[3]}, s.at[1] | s.at[3], mover);
  }

  // Returns the plies until a position ends, as far as the results of its moves are known: the
  // fewest of a winning move, or the most if all moves lose. At `first`, no results of its own
  // class are known, so only captures and new SooperFloopers count. Later, look_back() knows the
  // wins, and this function only finds out if all moves lose.
  template <class Game>
  static std::optional<int> ends_by_itself(const Game& game, std::span<const std::uint8_t> table,
                                           bool reverse, bool first) {
    std::optional<int> win;
    int loss = -1;
    bool all = true;
    game.each_move([&](Floopers::Move m) {
      if (first ? game.promise(m) == 0 : !all) {
        all = false;
        return;
      }
      Game next = game;
      next.play(m);
      const std::optional<int> n = next.plies_known(table);
      if (!n) all = false;
      else if (won(*n, reverse)) loss = std::max(loss, *n);
      else if (!win || *n < *win) win = *n;
    });
    if (win) return *win + 1;
    return all ? std::optional(loss + 1) : std::nullopt;
  }

  // Adds to `due` the positions that lead by one Floop to position `i`, which ends after `plies`.
  template <class Game>
  static void look_back(const std::vector<std::uint8_t>& table, std::uint32_t i, std::size_t plies,
                        bool reverse, ByPlies& due) {
    const Sets s = sets_of(i);
    const Board free = kBoard & ~(s.at[0] | s.at[1] | s.at[2] | s.at[3]);
    for (const std::size_t kind : {2U, 3U})
      for (unsigned d = 0; d < 4; ++d) {
        if (kind == 2 && !goes_forward(1, d)) continue;
        each_bit(stepped(free, d) & s.at[kind], [&](int to) {
          Sets before = s;
          before.at[kind] ^= at_bit(to) | stepped(at_bit(to), d ^ 2U);
          const Game game({before.at[0] | before.at[1], before.at[2] | before.at[3]},
                          before.at[1] | before.at[3], 1);
          // In that position the other side is to move.
          std::swap(before.at[0], before.at[2]);
          std::swap(before.at[1], before.at[3]);
          const std::size_t at = index(before, 1);
          if (table[at] != 0 || game.must_fleap()) return;
          std::optional<int> n = static_cast<int>(plies) + 1;
          if (won(static_cast<int>(plies), reverse))
            n = ends_by_itself(game, table, reverse, false);
          if (n && static_cast<std::size_t>(*n) + 1 < due.size())
            due[static_cast<std::size_t>(*n)].push_back(static_cast<std::uint32_t>(at));
        });
      }
  }
};

}  // namespace pbm::flooprail
