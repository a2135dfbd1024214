// SPDX-License-Identifier: MIT
// The opening book of Toot on its usual board. For each seat it has one ply and its result for
// every play of the opponent, up to positions that a search solves at once. Mirror images count as
// one. Leaves solving to t/book, which writes toot_book.inc (make book).
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/proved_verdict.hpp"
#include "games/toot_knowledge.hpp"

namespace pbm::toot {

using BookBoard = Board<std::uint64_t, false>;
struct BookEntry {
  BookBoard::Move move;
  Verdict verdict;
};
inline constexpr int kBookWidth = 6, kBookHeight = 4;

// One letter for each position, in the order of walk_book() for seat 0 and then for seat 1. It
// names the ply of AO AT BO BT ... to play: 'A' and so on if it wins, 'a' and so on if it holds a
// tie. A digit is a number of successive positions at which the book ends.
inline constexpr std::string_view kBookText =
#include "games/toot_book.inc"
    ;

// Visits the positions of the book in which `seat` is to move. ply_of(board) returns the ply that
// `seat` plays, or nothing where the book ends.
template <class F>
void walk_book(Seat seat, F ply_of) {
  BookBoard start(kBookWidth, kBookHeight, 0);
  for (const Seat each : {0, 1})
    for (const int letter : {kT, kO}) start.set_stock(each, letter, kBookWidth * kBookHeight / 4);
  start.finish_setup();
  std::deque<BookBoard> open{start};
  std::unordered_set<std::uint64_t> seen;
  const auto add = [&](BookBoard board, BookBoard::Move move) {
    board.play(move);
    // A position with a win in one needs no book.
    if (!board.is_over() && !board.win_in_one() &&
        seen.insert(std::min(board.hash(), board.mirror_image().hash())).second)
      open.push_back(board);
  };
  for (; !open.empty(); open.pop_front()) {
    const BookBoard& board = open.front();
    if (board.to_move() != seat) board.each_move([&](BookBoard::Move m) { add(board, m); });
    else if (const auto ply = ply_of(board)) add(board, *ply);
  }
}

// Returns the book's ply for a position, or nothing. Reads the book at the first call. Pre: the
// board has the book's size.
inline std::optional<BookEntry> find_in_book(const BookBoard& board) {
  static const auto all = [] {
    std::unordered_map<std::uint64_t, BookEntry> out;
    std::size_t at = 0;
    int ends = 0;
    for (const Seat seat : {0, 1})
      walk_book(seat, [&](const BookBoard& b) -> std::optional<BookBoard::Move> {
        if (ends == 0 && kBookText[at] <= '9') ends = kBookText[at++] - '0';
        if (ends > 0 && ends--) return std::nullopt;
        const int wins = kBookText[at] < 'a', n = kBookText[at++] - (wins ? 'A' : 'a');
        const Verdict verdict = wins ? engine::ProvedVerdict::win(0) : engine::ProvedVerdict::tie();
        const auto move = b.landing_move(n / 2, n % 2 ? kT : kO);
        const BookBoard mirror = b.mirror_image();
        out.try_emplace(b.hash(), BookEntry{move, verdict});
        out.try_emplace(
            mirror.hash(),
            BookEntry{mirror.landing_move(kBookWidth - 1 - n / 2, move.letter), verdict});
        return move;
      });
    return out;
  }();
  const auto found = all.find(board.hash());
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace pbm::toot
