// SPDX-License-Identifier: MIT
// The order in which connections get the server's time.
#include "server/net/turns.hpp"
#include "support.hpp"

using namespace pbm;
using namespace std::chrono_literals;

namespace {

// Gives `n` turns of length `time`, and counts them by connection. Each connection asks again.
std::map<std::uint64_t, int> give(Turns& turns, int n, Spent time) {
  std::map<std::uint64_t, int> out;
  for (int i = 0; i < n; ++i) {
    const auto next = turns.next();
    REQUIRE(next);
    ++out[*next];
    turns.ask(*next);
    turns.spend(*next, time);
  }
  return out;
}

}  // namespace

TEST_CASE("parties share the time alike, and so do the connections of one", "[turns]") {
  Turns turns;
  CHECK_FALSE(turns.next());
  for (std::uint64_t i = 1; i <= 4; ++i) turns.enter(i, "many");
  turns.enter(5, "one");
  CHECK(turns.count("many") == 4);
  CHECK(turns.count("nobody") == 0);
  for (std::uint64_t i = 1; i <= 5; ++i) turns.ask(i);
  auto had = give(turns, 80, 1ms);
  CHECK(had[5] == 40);
  for (std::uint64_t i = 1; i <= 4; ++i) CHECK(had[i] == 10);
}

TEST_CASE(
    "time counts, not turns; nobody saves up by staying away, and who has not asked gets none",
    "[turns]") {
  Turns turns;
  turns.enter(1, "costly");
  turns.enter(2, "cheap");
  turns.enter(3, "late");
  turns.ask(1);
  for (int i = 0; i < 100; ++i) {
    turns.spend(*turns.next(), 10ms);
    turns.ask(1);
  }
  turns.ask(3);
  turns.ask(2);
  // The newcomers are first, but not a hundred times.
  int costly = 0;
  for (int i = 0; i < 40; ++i) {
    const auto next = turns.next();
    costly += next == 1;
    turns.ask(*next);
    turns.spend(*next, next == 1 ? 10ms : 1ms);
  }
  CHECK(costly >= 1);
  CHECK(costly <= 4);
  turns.ask(1);
  turns.ask(1);
  for (const std::uint64_t i : {1, 2, 3}) turns.leave(i);
  CHECK_FALSE(turns.next());
  CHECK(turns.count("costly") == 0);
}

TEST_CASE("whose a connection is may change while it waits", "[turns]") {
  Turns turns;
  for (const std::uint64_t i : {1, 2}) turns.enter(i, "nobody");
  turns.ask(1);
  turns.ask(2);
  turns.belong(2, "fred");
  CHECK(turns.count("nobody") == 1);
  CHECK(turns.count("fred") == 1);
  turns.enter(3, "fred");
  CHECK(turns.largest() == std::pair<std::string, std::size_t>("fred", 2));
  turns.leave(3);
  auto had = give(turns, 10, 1ms);
  CHECK(had[1] == 5);
  CHECK(had[2] == 5);
  turns.leave(1);
  had = give(turns, 10, 1ms);
  CHECK(had[2] == 10);
  turns.spend(1, 1ms);
}
