// SPDX-License-Identifier: MIT
// The opening book of Toot on its usual board: for either seat a ply and what it comes to, whatever
// the other one plays, up to where a search is through in no time; of mirror images one. Leaves
// solving to t/book, which writes toot_book.inc (make book).
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/proved.hpp"
#include "games/toot_knowledge.hpp"

namespace pbm::toot {

using BookBoard = Board<std::uint64_t, false>;
struct BookPly {
  BookBoard::Move move;
  Verdict verdict;
};
inline constexpr int kBookWidth = 6, kBookHeight = 4;

// A letter a position, in the order of walk_book() for the one seat and then the other: of the
// plies AO AT BO BT ... the one to play, 'A' and so on where it wins, 'a' where it holds a tie. A
// digit stands for so many positions, one behind the other, in which the book has nothing more.
inline constexpr std::string_view kBook =
#include "games/toot_book.inc"
    ;

// Goes through the positions in which `seat` is to move and has played what ply_of(board) said,
// which is nothing where the book ends.
template <class F>
void walk_book(Seat seat, F ply_of) {
  BookBoard start(kBookWidth, kBookHeight, 0);
  for (const Seat each : {0, 1})
    for (const int letter : {kT, kO}) start.set_stock(each, letter, kBookWidth * kBookHeight / 4);
  start.begin();
  std::deque<BookBoard> open{start};
  std::unordered_set<std::uint64_t> seen;
  const auto add = [&](BookBoard board, BookBoard::Move move) {
    board.play(move);
    // Where somebody can win at once nobody needs a book.
    if (!board.over() && !board.win_in_one() &&
        seen.insert(std::min(board.hash(), board.mirrored().hash())).second)
      open.push_back(board);
  };
  for (; !open.empty(); open.pop_front()) {
    const BookBoard& board = open.front();
    if (board.to_move() != seat) board.each_move([&](BookBoard::Move m) { add(board, m); });
    else if (const auto ply = ply_of(board)) add(board, *ply);
  }
}

// What the book has of a position. Read at its first use. Pre: the board has the book's size.
inline std::optional<BookPly> in_book(const BookBoard& board) {
  static const auto all = [] {
    std::unordered_map<std::uint64_t, BookPly> out;
    std::size_t at = 0;
    int ends = 0;
    for (const Seat seat : {0, 1})
      walk_book(seat, [&](const BookBoard& b) -> std::optional<BookBoard::Move> {
        if (ends == 0 && kBook[at] <= '9') ends = kBook[at++] - '0';
        if (ends > 0 && ends--) return std::nullopt;
        const int wins = kBook[at] < 'a', n = kBook[at++] - (wins ? 'A' : 'a');
        const Verdict verdict = wins ? engine::Proved::win(0) : engine::Proved::tie();
        const auto move = b.move_of(n / 2, n % 2 ? kT : kO);
        const BookBoard mirror = b.mirrored();
        out.try_emplace(b.hash(), BookPly{move, verdict});
        out.try_emplace(mirror.hash(),
                        BookPly{mirror.move_of(kBookWidth - 1 - n / 2, move.letter), verdict});
        return move;
      });
    return out;
  }();
  const auto found = all.find(board.hash());
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace pbm::toot
