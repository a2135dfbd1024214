// SPDX-License-Identifier: MIT
// Tests the thread on which the computer thinks: the order of questions, and the making of tables
// between them.
#include "boards/thinker.hpp"

#include <poll.h>

#include <fstream>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
using Rank = Thinker::Rank;

namespace {

// A thought that lasts until it is stopped; after that many times it ends at once.
struct EndlessThought {
  explicit EndlessThought(int times) : endless_runs(std::make_shared<std::atomic<int>>(times)) {}
  SearchResult operator()(const SearchRequest& asked, const std::stop_token&) const {
    has_begun->store(true);
    if (endless_runs->fetch_sub(1) > 0)
      while (!asked.stop_token.stop_requested()) std::this_thread::yield();
    return SearchResult{{}, 7, 0, {}};
  }
  void wait_until_begun() const {
    while (!*has_begun) std::this_thread::yield();
  }
  std::shared_ptr<std::atomic<int>> endless_runs;
  std::shared_ptr<std::atomic<bool>> has_begun = std::make_shared<std::atomic<bool>>(false);
};

SearchResult think_briefly(const SearchRequest&, const std::stop_token&) {
  return SearchResult{{}, 1, 0, {}};
}

// Takes answers until `done`. Returns false after 30 s.
bool run_until(Thinker& thinker, const std::function<bool()>& done) {
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!done()) {
    pollfd rings{thinker.bell_descriptor(), POLLIN, 0};
    ::poll(&rings, 1, 100);
    thinker.take_changes();
    if (std::chrono::steady_clock::now() > over) return false;
  }
  return true;
}

// A game with a table; `allowed_percent` limits how many per cent of it are made.
std::atomic<int> allowed_percent = 0, makings_count = 0;
std::vector<std::uint8_t> make_table(const std::function<bool(int)>& go_on) {
  ++makings_count;
  for (int percent = 0; percent < 100;) {
    if (!go_on(percent)) return {};
    if (percent < allowed_percent) ++percent;
  }
  return {1, 2, 3};
}
EndgameTable small_table() {
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  return {"small", bytes.size(), checksum(bytes), make_table};
}
const EndgameTable kSmallTable = small_table();

GameType game_with_table() {
  GameType out = *find_game("toot");
  out.endgame_table = [](const Position&) { return &kSmallTable; };
  // Returns the size of the table that it got.
  out.think = [](const Position&, const SearchRequest& asked) {
    return SearchResult{{}, static_cast<int>(asked.endgame_table.size()), 0, {}};
  };
  allowed_percent = 0;
  makings_count = 0;
  return out;
}

}  // namespace

TEST_CASE("who waits comes first, and what was thought about then goes on", "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker({dir.path()});
  std::string order;
  const auto note = [&](char who) {
    return [&order, who](const Result<SearchResult>& thought) {
      REQUIRE(thought.ok());
      order += who;
    };
  };
  // The ply interrupts the study, and the person interrupts the ply.
  const EndlessThought study(2), ply(1);
  const auto first = thinker.ask(Rank::study, study, {}, note('s'));
  study.wait_until_begun();
  study.has_begun->store(false);
  const auto second = thinker.ask(Rank::ply, ply, {}, note('p'));
  ply.wait_until_begun();
  const auto behind = thinker.ask(Rank::study, think_briefly, {}, note('t'));
  const auto third = thinker.ask(Rank::person, think_briefly, {}, note('h'));
  study.wait_until_begun();  // it begins again
  const auto fourth = thinker.ask(Rank::person, think_briefly, {}, note('i'));
  REQUIRE(run_until(thinker, [&] { return order.size() == 5; }));
  CHECK(order == "hpist");
}

TEST_CASE("who lets go of a question is told nothing, and others are not kept waiting",
          "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker({dir.path()});
  const EndlessThought endless(1'000'000);
  const auto never = [](const Result<SearchResult>&) { FAIL("it was let go of"); };
  auto held = thinker.ask(Rank::person, endless, {}, never);
  auto waiting = thinker.ask(Rank::person, endless, {}, never);
  endless.wait_until_begun();
  bool answered = false;
  const auto asked = thinker.ask(Rank::study, think_briefly, {},
                                 [&](const Result<SearchResult>&) { answered = true; });
  waiting.reset();
  held.reset();
  CHECK(run_until(thinker, [&] { return answered; }));
  // The thought ends, and its caller drops it before take_changes().
  auto late = thinker.ask(Rank::person, think_briefly, {}, never);
  pollfd rings{thinker.bell_descriptor(), POLLIN, 0};
  REQUIRE(::poll(&rings, 1, 30'000) == 1);
  late.reset();
  thinker.take_changes();
}

TEST_CASE("who is hurried says what it knows, and who fails why", "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker({dir.path()});
  int depth = 0;
  const EndlessThought endless(1'000'000);
  const auto asked = thinker.ask(
      Rank::ply, endless, {}, [&](const Result<SearchResult>& thought) { depth = thought->depth; });
  asked->answer_now();
  CHECK(run_until(thinker, [&] { return depth == 7; }));
  std::string why;
  const auto fails = thinker.ask(
      Rank::ply,
      [](const SearchRequest&, const std::stop_token&) -> SearchResult { throw Error("no room"); },
      {}, [&](const Result<SearchResult>& thought) { why = thought.refusal().reason; });
  CHECK(run_until(thinker, [&] { return why == "no room"; }));
}

TEST_CASE("a table is made beside what is asked, told of, kept, and read by the next",
          "[thinker]") {
  TemporaryDirectory dir;
  const GameType game = game_with_table();
  const Position start = *game.start({}, 2);
  std::optional<int> person, study;
  const auto into = [](std::optional<int>& known) {
    return [&known](const Result<SearchResult>& thought) { known = thought->depth; };
  };
  {
    Thinker thinker({dir / "made"});
    // A person gets an answer at once, without the table, which is made from then on.
    const auto first = thinker.ask(Rank::person, game, start, {}, into(person));
    REQUIRE(run_until(thinker, [&] { return person == 0; }));
    CHECK(thinker.table_progress().empty());
    const auto asked = thinker.ask(Rank::study, game, start, {}, into(study));
    allowed_percent = 40;
    REQUIRE(run_until(thinker, [&] {
      return thinker.table_progress() == "Making a table of endings, only once: 40 % done.";
    }));
    // A study without a table does not wait, and neither does a person.
    int others = 0;
    const auto count = [&](const Result<SearchResult>& thought) { others += 1 + thought->depth; };
    SearchRequest lower;
    lower.level = 9;
    const auto other = thinker.ask(Rank::study, game, start, lower, count);
    const auto again = thinker.ask(Rank::person, game, start, {}, count);
    REQUIRE(run_until(thinker, [&] { return others == 2; }));
    CHECK_FALSE(study);
    allowed_percent = 100;
    REQUIRE(run_until(thinker, [&] { return study == 3; }));
    CHECK(thinker.table_progress().empty());
    CHECK(read_bytes(dir / "made/small.table") == "\1\2\3");
  }
  CHECK(makings_count == 1);
  Thinker next({dir / "made"});
  CHECK(next.think(Rank::person, game, start, {}).depth == 3);
  CHECK(makings_count == 1);
  // A damaged table is not used, but made again.
  std::filesystem::remove(dir / "made/small.table");
  std::ofstream(dir / "made/small.table") << "\1\2\4";
  Thinker last({dir / "made"});
  CHECK(last.think(Rank::person, game, start, {}).depth == 0);
  CHECK(last.think(Rank::study, game, start, {}).depth == 3);
  CHECK(read_bytes(dir / "made/small.table") == "\1\2\3");
  // If the table cannot be saved, it exists while its Thinker lives.
  std::ofstream(dir / "file") << "no directory";
  Thinker homeless({dir / "file"});
  CHECK(homeless.think(Rank::study, game, start, {}).depth == 3);
  CHECK(homeless.think(Rank::person, game, start, {}).depth == 3);
}

TEST_CASE("what is made of a table stays while nobody asks, and the end does not wait for it",
          "[thinker]") {
  TemporaryDirectory dir;
  const GameType game = game_with_table();
  const Position start = *game.start({}, 2);
  allowed_percent = 60;
  {
    Thinker thinker({dir.path()});
    auto asked = thinker.ask(Rank::study, game, start, {}, [](const Result<SearchResult>&) {});
    REQUIRE(run_until(thinker, [&] { return contains(thinker.table_progress(), ": 60 %"); }));
    asked.reset();
    REQUIRE(run_until(thinker, [&] { return thinker.table_progress().empty(); }));
    std::optional<int> depth;
    asked = thinker.ask(Rank::study, game, start, {},
                        [&](const Result<SearchResult>& thought) { depth = thought->depth; });
    REQUIRE(run_until(thinker, [&] { return contains(thinker.table_progress(), ": 60 %"); }));
    CHECK(makings_count == 1);
  }
  CHECK(std::filesystem::is_empty(dir.path()));
}
