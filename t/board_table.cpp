// SPDX-License-Identifier: MIT
#include "store/board_table.hpp"

#include <algorithm>
#include <random>

#include "support.hpp"

using namespace pbm;

namespace {

StoredBoard random_board(std::mt19937& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static const std::vector<std::string> names = {"fred",  "Fred",  "WILMA",
                                                 "wilma", "betty", "pebbles"};
  StoredBoard board;
  board.key = {find_game(pick(2) == 0 ? "toot" : "chaos"), 101 + pick(30)};
  board.id = board.key.id();
  board.game = board.key.game;
  board.changed = Time(std::chrono::seconds(pick(20)));
  if (pick(10) == 0) {
    board.broken = "It cannot be read.";
    return board;
  }
  const auto one = [&] { return names[static_cast<std::size_t>(pick(6))]; };
  const std::string first = one();
  board.names = {first, one()};
  if (pick(2) == 0) board.to_move = pick(2);
  else if (pick(5) == 0) board.offer = BoardSummary::Offer{true, 0, {1}};
  return board;
}

}  // namespace

TEST_CASE("what a table of boards says of players is what a look at all boards says", "[store]") {
  std::mt19937 random(7);
  BoardTable table;
  std::map<BoardKey, StoredBoard> plain;
  for (int i = 0; i < 3000; ++i) {
    const StoredBoard board = random_board(random);
    if (random() % 4 == 0) {
      table.erase(board.key);
      plain.erase(board.key);
    } else {
      table.put(board);
      plain[board.key] = board;
    }
    CAPTURE(i, board.id);
    for (const GameType* game : {find_game("toot"), find_game("chaos")}) {
      std::vector<std::string> open, expected;
      for (const StoredBoard* b : table.open_of(*game)) open.push_back(b->id);
      for (const auto& [key, b] : plain)
        if (key.game == game && (b.to_move || b.offer)) expected.push_back(b.id);
      REQUIRE(open == expected);
    }
    for (const char* name : {"fred", "wilma", "BETTY", "pebbles", "nobody"}) {
      CAPTURE(name);
      std::vector<StoredBoard> open, closed;
      for (const auto& [key, b] : plain)
        if (b.plays(name)) (b.to_move || b.offer ? open : closed).push_back(b);
      std::stable_sort(closed.begin(), closed.end(),
                       [](const auto& a, const auto& b) { return a.changed < b.changed; });
      const auto same = [](const StoredBoard* a, const StoredBoard& b) { return *a == b; };
      const auto& are = table.open_of(name);
      REQUIRE(std::equal(are.begin(), are.end(), open.begin(), open.end(), same));
      // Asked now and then, so that some are put in while others are out of order.
      if (random() % 3 == 0) {
        const auto over = table.closed_of(name);
        REQUIRE(std::equal(over.begin(), over.end(), closed.begin(), closed.end(), same));
      }
      REQUIRE(table.knows(name) == !(open.empty() && closed.empty()));
    }
  }
}
