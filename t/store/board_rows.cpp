// SPDX-License-Identifier: MIT
#include "store/board_rows.hpp"

#include <algorithm>
#include <random>

#include "server/tables/schema.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

BoardSummary random_board(std::mt19937& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static const std::vector<std::string> names = {"fred",  "Fred",  "WILMA",
                                                 "wilma", "betty", "pebbles"};
  BoardSummary board;
  board.game = find_game(pick(2) == 0 ? "toot" : "chaos");
  board.number = 101 + pick(30);
  board.id = board.key().id();
  if (pick(10) == 0) {
    board.load_error = "It cannot be read.";
    return board;
  }
  board.last_change = Time(std::chrono::seconds(pick(20)));
  const auto one = [&] { return names[static_cast<std::size_t>(pick(6))]; };
  const std::string first = one();
  board.names = {first, one()};
  board.options = {"-size=7x9"};
  board.challenger = first;
  board.entry_count = board.ply_count = static_cast<std::size_t>(pick(5));
  if (pick(2) == 0) board.to_move = pick(2);
  else if (pick(2) == 0) board.winner = pick(2);
  for (auto* some : {&board.seats.unplayed, &board.seats.resigned})
    if (board.to_move && pick(3) == 0) *some = {pick(2)};
  if (board.to_move && pick(2) == 0) board.offer = BoardSummary::Offer{pick(2) == 0, 0, {1}};
  if (board.to_move && pick(2) == 0)
    board.running_clock =
        RunningClock{{7, 21, {}}, board.last_change, std::chrono::seconds(pick(9))};
  return board;
}

std::vector<std::string> board_ids(const std::vector<BoardKey>& keys) {
  std::vector<std::string> out;
  for (const BoardKey& key : keys) out.push_back(key.id());
  return out;
}

}  // namespace

TEST_CASE("what the rows say of players is what a look at all boards says", "[store]") {
  using Of = BoardRows::BoardState;
  std::mt19937 random(7);
  TemporaryDirectory directory;
  Database database(directory / "boards.db", &kSchema);
  BoardRows rows(database);
  std::map<BoardKey, BoardSummary> plain;
  database.run("INSERT INTO account (userid, hash, address, since) VALUES ('dino', '', '', 0)");
  for (int i = 0; i < 3000; ++i) {
    const BoardSummary board = random_board(random);
    const BoardKey key = board.key();
    const auto before = plain.find(key);
    if (random() % 4 == 0) {
      rows.erase(key);
      plain.erase(key);
    } else if (before != plain.end() && before->second.names == board.names &&
               board.load_error.empty() && (before->second.running_clock || !board.running_clock)) {
      if (!rows.update(before->second, board)) rows.write_state(board, std::nullopt);
      plain[key] = board;
    } else {
      rows.insert(board, {1, 2, 3});
      plain[key] = board;
    }
    // Removing a board removes its subscriptions.
    database.run(
        "INSERT OR IGNORE INTO subscription VALUES ('toot-101', 'dino'), ('toot-102', 'dino')");
    CAPTURE(i, board.id);
    REQUIRE(rows.has(key) == (plain.count(key) > 0));
    const auto found = rows.find(key);
    REQUIRE(found.has_value() == (plain.count(key) > 0));
    if (found) REQUIRE(*found == plain.at(key));
    if (i % 10 != 0) continue;
    const auto those = [&](auto wanted) {
      std::vector<std::string> out;
      for (const auto& [k, b] : plain)
        if (wanted(b)) out.push_back(b.id);
      return out;
    };
    for (const GameType* game : {find_game("toot"), find_game("chaos")}) {
      const auto of = [&](auto which) {
        return those([&](const BoardSummary& b) { return b.game == game && which(b); });
      };
      REQUIRE(board_ids(rows.find_boards(*game)) ==
              of([](const auto& b) { return b.to_move.has_value(); }));
      REQUIRE(board_ids(rows.find_boards(*game, Of::finished)) ==
              of([](const auto& b) { return !b.to_move; }));
      REQUIRE(board_ids(rows.find_boards(*game, Of::all)) == of([](const auto&) { return true; }));
    }
    for (const char* name : {"fred", "wilma", "BETTY", "pebbles", "nobody"}) {
      CAPTURE(name);
      const auto of = [&](bool running) {
        return those([&](const BoardSummary& b) {
          return b.has_player(name) && b.to_move.has_value() == running;
        });
      };
      REQUIRE(board_ids(rows.find_boards(name)) == of(true));
      REQUIRE(board_ids(rows.find_boards(name, Of::finished)) == of(false));
      REQUIRE(rows.has_player(name) == !(of(true).empty() && of(false).empty()));
    }
    // Finished boards of a player and of a subscriber, in pages.
    for (const std::string user : {"fred", "dino"}) {
      std::vector<BoardSummary> over;
      for (const auto& [k, b] : plain)
        if (!b.to_move &&
            (b.has_player(user) || (user == "dino" && (b.id == "toot-101" || b.id == "toot-102"))))
          over.push_back(b);
      std::sort(over.begin(), over.end(), [](const BoardSummary& a, const BoardSummary& b) {
        return std::tie(b.last_change, a.id) < std::tie(a.last_change, b.id);
      });
      REQUIRE(rows.count_finished(user) == over.size());
      std::vector<std::string> expected, pages;
      for (const BoardSummary& b : over) expected.push_back(b.id);
      for (std::size_t at = 0; at < over.size(); at += 3)
        for (const std::string& id : board_ids(rows.find_finished(user, at, 3)))
          pages.push_back(id);
      REQUIRE(pages == expected);
    }
    REQUIRE(rows.load_errors().size() ==
            those([](const BoardSummary& b) { return !b.load_error.empty(); }).size());
    REQUIRE(board_ids(rows.find_timed()).size() ==
            those([](const BoardSummary& b) { return b.running_clock.has_value(); }).size());
  }
}
