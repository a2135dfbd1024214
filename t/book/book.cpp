// SPDX-License-Identifier: MIT
// make book: solves the openings of Toot on the boards that can be solved, and prints
// src/games/toot_book.inc. Needs 2 GB of memory.
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/outcome_search.hpp"
#include "games/toot_book.hpp"

using namespace pbm;
using toot::BookBoard;

namespace {

constexpr std::size_t kTableEntries = std::size_t{1} << 27;

// Returns the outcomes of the book's positions as toot::Book has them.
std::string solve(const toot::Book& book) {
  std::vector<std::pair<std::uint64_t, BookBoard>> positions;
  toot::walk_book(
      book, [&](std::uint64_t key, const BookBoard& board) { positions.emplace_back(key, board); });
  std::unordered_map<std::uint64_t, int> solved;
  SearchBudget budget({}, {});
  engine::OutcomeSearch<BookBoard> search(
      budget, kTableEntries, [&](const BookBoard& board) -> std::optional<int> {
        if (board.plies_left() < book.width * book.height - book.plies) return std::nullopt;
        const auto known = solved.find(board.outcome_key());
        return known == solved.end() ? std::nullopt : std::optional(known->second);
      });
  std::vector<int> outcomes(positions.size());
  // Late positions first: they help with early ones.
  for (std::size_t i = positions.size(); i-- > 0;) {
    outcomes[i] = search.solve(positions[i].second)->win_percent() / 50;
    solved[positions[i].first] = outcomes[i] - 1;
    if (i % 1000 == 0)
      std::cerr << book.width << "x" << book.height << ": " << i << " left, " << budget.nodes()
                << " nodes\n";
  }
  std::string codes;
  for (std::size_t i = 0; i < outcomes.size(); i += 4) {
    int code = 0;
    for (std::size_t digit = std::min(i + 4, outcomes.size()); digit-- > i;)
      code = 3 * code + outcomes[digit];
    codes += static_cast<char>(toot::kFirstCode + code);
  }
  return codes;
}

}  // namespace

int main() {
  std::cout << "// SPDX-License-Identifier: MIT\n// By t/book.\n";
  // On these boards each position after so many plies is solved within a second.
  for (const toot::Book& book : {toot::Book{5, 4, 3, {}}, toot::Book{5, 5, 5, {}},
                                 toot::Book{6, 4, 6, {}}, toot::Book{6, 5, 6, {}}}) {
    const std::string codes = solve(book);
    std::cout << "{" << book.width << ", " << book.height << ", " << book.plies << ",\n";
    constexpr std::size_t kColumns = 92;
    for (std::size_t at = 0; at < codes.size(); at += kColumns)
      std::cout << "R\"(" << codes.substr(at, kColumns) << ")\"\n";
    std::cout << "},\n";
  }
}
