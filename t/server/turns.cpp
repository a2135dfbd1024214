// SPDX-License-Identifier: MIT
// The order in which connections get the server's time.
#include "server/net/fair_scheduler.hpp"
#include "support.hpp"

using namespace pbm;
using namespace std::chrono_literals;

namespace {

// Gives `n` turns of length `time`, and counts them by connection. Each connection asks again.
std::map<std::uint64_t, int> give_turns(FairScheduler& turns, int n, TimeSpent time) {
  std::map<std::uint64_t, int> out;
  for (int i = 0; i < n; ++i) {
    const auto next = turns.next();
    REQUIRE(next);
    ++out[*next];
    turns.schedule(*next);
    turns.add_time(*next, time);
  }
  return out;
}

}  // namespace

TEST_CASE("parties share the time alike, and so do the connections of one", "[turns]") {
  FairScheduler turns;
  CHECK_FALSE(turns.next());
  for (std::uint64_t i = 1; i <= 4; ++i) turns.add(i, "many");
  turns.add(5, "one");
  CHECK(turns.count("many") == 4);
  CHECK(turns.count("nobody") == 0);
  for (std::uint64_t i = 1; i <= 5; ++i) turns.schedule(i);
  auto had = give_turns(turns, 80, 1ms);
  CHECK(had[5] == 40);
  for (std::uint64_t i = 1; i <= 4; ++i) CHECK(had[i] == 10);
}

TEST_CASE(
    "time counts, not turns; nobody saves up by staying away, and who has not asked gets none",
    "[turns]") {
  FairScheduler turns;
  turns.add(1, "costly");
  turns.add(2, "cheap");
  turns.add(3, "late");
  turns.schedule(1);
  for (int i = 0; i < 100; ++i) {
    turns.add_time(*turns.next(), 10ms);
    turns.schedule(1);
  }
  turns.schedule(3);
  turns.schedule(2);
  // The newcomers are first, but not a hundred times.
  int costly = 0;
  for (int i = 0; i < 40; ++i) {
    const auto next = turns.next();
    costly += next == 1;
    turns.schedule(*next);
    turns.add_time(*next, next == 1 ? 10ms : 1ms);
  }
  CHECK(costly >= 1);
  CHECK(costly <= 4);
  turns.schedule(1);
  turns.schedule(1);
  for (const std::uint64_t i : {1, 2, 3}) turns.remove(i);
  CHECK_FALSE(turns.next());
  CHECK(turns.count("costly") == 0);
}

TEST_CASE("whose a connection is may change while it waits", "[turns]") {
  FairScheduler turns;
  for (const std::uint64_t i : {1, 2}) turns.add(i, "nobody");
  turns.schedule(1);
  turns.schedule(2);
  turns.set_party(2, "fred");
  CHECK(turns.count("nobody") == 1);
  CHECK(turns.count("fred") == 1);
  turns.add(3, "fred");
  CHECK(turns.largest_party() == std::pair<std::string, std::size_t>("fred", 2));
  turns.remove(3);
  auto had = give_turns(turns, 10, 1ms);
  CHECK(had[1] == 5);
  CHECK(had[2] == 5);
  turns.remove(1);
  had = give_turns(turns, 10, 1ms);
  CHECK(had[2] == 10);
  turns.add_time(1, 1ms);
}
