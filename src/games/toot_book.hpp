// SPDX-License-Identifier: MIT
// The opening books of Toot: the outcome of every position with few letters on the boards that are
// solved. A search solves later positions, mostly within a second. Leaves solving to t/book, which
// writes toot_book.inc (make book).
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "games/toot_knowledge.hpp"

namespace pbm::toot {

using BookBoard = Board<std::uint64_t, false>;

struct Book {
  int width, height;
  int plies;  // it has the positions after so many plies and before
  // Four outcomes a character, in the order of walk_book(), as digits to the base 3, lowest first:
  // 0 lost, 1 tied, 2 won for the seat to move. The character of four zeros is kFirstCode.
  std::string_view codes;
};
inline constexpr char kFirstCode = '(';
inline constexpr Book kBooks[] = {
#include "games/toot_book.inc"
};

// Returns the position before the first ply.
inline BookBoard start_of(const Book& book) {
  BookBoard out(book.width, book.height, 0);
  for (const Seat seat : {0, 1})
    for (const int letter : {kT, kO})
      out.set_stock(seat, letter, (book.width * book.height + 3) / 4);
  out.finish_setup();
  return out;
}

// Calls visit(key, position) for each position of the book from which the seat to move cannot win
// at once: first ply by ply, then by the key, outcome_key(). Positions with equal keys count as
// one.
template <class F>
void walk_book(const Book& book, F visit) {
  using Keyed = std::pair<std::uint64_t, BookBoard>;
  std::vector<Keyed> now{{0, start_of(book)}}, next;
  for (int ply = 0; ply <= book.plies; ++ply) {
    for (auto& [key, board] : now) key = board.outcome_key();
    std::sort(now.begin(), now.end(),
              [](const Keyed& a, const Keyed& b) { return a.first < b.first; });
    now.erase(std::unique(now.begin(), now.end(),
                          [](const Keyed& a, const Keyed& b) { return a.first == b.first; }),
              now.end());
    next.clear();
    for (const auto& [key, board] : now) {
      if (!board.win_in_one()) visit(key, board);
      if (ply == book.plies) continue;
      board.each_move([&, from = board](BookBoard::Move m) {
        next.emplace_back(0, from).second.play(m);
        if (next.back().second.is_over()) next.pop_back();
      });
    }
    std::swap(now, next);
  }
}

// Returns 1, 0 or -1 if the position is in a book and is won, tied or lost for the seat to move.
// Reads a book at the first call for its size.
inline std::optional<int> find_in_book(const BookBoard& board) {
  static std::array<std::once_flag, std::size(kBooks)> is_read;
  static std::array<std::vector<std::uint64_t>, std::size(kBooks)> books;  // keys; their last
                                                                           // two bits: outcomes
  for (std::size_t i = 0; i < std::size(kBooks); ++i) {
    const Book& book = kBooks[i];
    if (!board.has_size(book.width, book.height) ||
        board.plies_left() < book.width * book.height - book.plies)
      continue;
    std::vector<std::uint64_t>& keys = books[i];
    std::call_once(is_read[i], [&] {
      walk_book(book, [&, n = std::size_t{0}](std::uint64_t key, const BookBoard&) mutable {
        int code = book.codes[n / 4] - kFirstCode;
        for (std::size_t digit = n++ % 4; digit > 0; --digit) code /= 3;
        keys.push_back((key & ~3ULL) | static_cast<unsigned>(code % 3));
      });
      std::sort(keys.begin(), keys.end());
    });
    const std::uint64_t wanted = board.outcome_key() & ~3ULL;
    const auto at = std::lower_bound(keys.begin(), keys.end(), wanted);
    if (at != keys.end() && (*at & ~3ULL) == wanted) return static_cast<int>(*at & 3) - 1;
  }
  return std::nullopt;
}

}  // namespace pbm::toot
