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
struct Endless {
  explicit Endless(int times) : left(std::make_shared<std::atomic<int>>(times)) {}
  Thought operator()(const Question& asked, const std::stop_token&) const {
    begun->store(true);
    if (left->fetch_sub(1) > 0)
      while (!asked.stop.stop_requested()) std::this_thread::yield();
    return Thought{{}, 7, 0, {}};
  }
  void wait_until_begun() const {
    while (!*begun) std::this_thread::yield();
  }
  std::shared_ptr<std::atomic<int>> left;
  std::shared_ptr<std::atomic<bool>> begun = std::make_shared<std::atomic<bool>>(false);
};

Thought at_once(const Question&, const std::stop_token&) { return Thought{{}, 1, 0, {}}; }

// Takes answers until `done`. Returns false after 30 s.
bool until(Thinker& thinker, const std::function<bool()>& done) {
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!done()) {
    pollfd rings{thinker.bell(), POLLIN, 0};
    ::poll(&rings, 1, 100);
    thinker.take_changes();
    if (std::chrono::steady_clock::now() > over) return false;
  }
  return true;
}

// A game with a table; `allowed` limits how many per cent of it are made.
std::atomic<int> allowed = 0, makings = 0;
std::vector<std::uint8_t> make_table(const std::function<bool(int)>& go_on) {
  ++makings;
  for (int percent = 0; percent < 100;) {
    if (!go_on(percent)) return {};
    if (percent < allowed) ++percent;
  }
  return {1, 2, 3};
}
EndTable small_table() {
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  return {"small", bytes.size(), sum_of(bytes), make_table};
}
const EndTable kSmall = small_table();

GameType game_with_table() {
  GameType out = *find_game("toot");
  out.table = [](const Position&) { return &kSmall; };
  // Returns the size of the table that it got.
  out.think = [](const Position&, const Question& asked) {
    return Thought{{}, static_cast<int>(asked.table.size()), 0, {}};
  };
  allowed = 0;
  makings = 0;
  return out;
}

}  // namespace

TEST_CASE("who waits comes first, and what was thought about then goes on", "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker(dir.path());
  std::string order;
  const auto note = [&](char who) {
    return [&order, who](const Result<Thought>& thought) {
      REQUIRE(thought.ok());
      order += who;
    };
  };
  // The ply interrupts the study, and the person interrupts the ply.
  const Endless study(2), ply(1);
  const auto first = thinker.ask(Rank::study, study, {}, note('s'));
  study.wait_until_begun();
  study.begun->store(false);
  const auto second = thinker.ask(Rank::ply, ply, {}, note('p'));
  ply.wait_until_begun();
  const auto behind = thinker.ask(Rank::study, at_once, {}, note('t'));
  const auto third = thinker.ask(Rank::person, at_once, {}, note('h'));
  study.wait_until_begun();  // it begins again
  const auto fourth = thinker.ask(Rank::person, at_once, {}, note('i'));
  REQUIRE(until(thinker, [&] { return order.size() == 5; }));
  CHECK(order == "hpist");
}

TEST_CASE("who lets go of a question is told nothing, and others are not kept waiting",
          "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker(dir.path());
  const Endless endless(1'000'000);
  const auto never = [](const Result<Thought>&) { FAIL("it was let go of"); };
  auto held = thinker.ask(Rank::person, endless, {}, never);
  auto waiting = thinker.ask(Rank::person, endless, {}, never);
  endless.wait_until_begun();
  bool answered = false;
  const auto asked =
      thinker.ask(Rank::study, at_once, {}, [&](const Result<Thought>&) { answered = true; });
  waiting.reset();
  held.reset();
  CHECK(until(thinker, [&] { return answered; }));
  // The thought ends, and its caller drops it before take_changes().
  auto late = thinker.ask(Rank::person, at_once, {}, never);
  pollfd rings{thinker.bell(), POLLIN, 0};
  REQUIRE(::poll(&rings, 1, 30'000) == 1);
  late.reset();
  thinker.take_changes();
}

TEST_CASE("who is hurried says what it knows, and who fails why", "[thinker]") {
  TemporaryDirectory dir;
  Thinker thinker(dir.path());
  int depth = 0;
  const Endless endless(1'000'000);
  const auto asked = thinker.ask(Rank::ply, endless, {},
                                 [&](const Result<Thought>& thought) { depth = thought->depth; });
  asked->hurry();
  CHECK(until(thinker, [&] { return depth == 7; }));
  std::string why;
  const auto fails = thinker.ask(
      Rank::ply, [](const Question&, const std::stop_token&) -> Thought { throw Error("no room"); },
      {}, [&](const Result<Thought>& thought) { why = thought.refusal().why; });
  CHECK(until(thinker, [&] { return why == "no room"; }));
}

TEST_CASE("a table is made beside what is asked, told of, kept, and read by the next",
          "[thinker]") {
  TemporaryDirectory dir;
  const GameType game = game_with_table();
  const Position start = *game.start({}, 2);
  std::optional<int> person, study;
  const auto into = [](std::optional<int>& known) {
    return [&known](const Result<Thought>& thought) { known = thought->depth; };
  };
  {
    Thinker thinker(dir / "made");
    // A person gets an answer at once, without the table, which is made from then on.
    const auto first = thinker.ask(Rank::person, game, start, {}, into(person));
    REQUIRE(until(thinker, [&] { return person == 0; }));
    CHECK(thinker.making().empty());
    const auto asked = thinker.ask(Rank::study, game, start, {}, into(study));
    allowed = 40;
    REQUIRE(until(thinker, [&] {
      return thinker.making() == "First a table of endings, made once: 40 % done.";
    }));
    // A study without a table does not wait, and neither does a person.
    int others = 0;
    const auto count = [&](const Result<Thought>& thought) { others += 1 + thought->depth; };
    Question lower;
    lower.level = 9;
    const auto other = thinker.ask(Rank::study, game, start, lower, count);
    const auto again = thinker.ask(Rank::person, game, start, {}, count);
    REQUIRE(until(thinker, [&] { return others == 2; }));
    CHECK_FALSE(study);
    allowed = 100;
    REQUIRE(until(thinker, [&] { return study == 3; }));
    CHECK(thinker.making().empty());
    CHECK(bytes_of(dir / "made/small.table") == "\1\2\3");
  }
  CHECK(makings == 1);
  Thinker next(dir / "made");
  CHECK(next.think(Rank::person, game, start, {}).depth == 3);
  CHECK(makings == 1);
  // A damaged table is not used, but made again.
  std::filesystem::remove(dir / "made/small.table");
  std::ofstream(dir / "made/small.table") << "\1\2\4";
  Thinker last(dir / "made");
  CHECK(last.think(Rank::person, game, start, {}).depth == 0);
  CHECK(last.think(Rank::study, game, start, {}).depth == 3);
  CHECK(bytes_of(dir / "made/small.table") == "\1\2\3");
  // If the table cannot be saved, it exists while its Thinker lives.
  std::ofstream(dir / "file") << "no directory";
  Thinker homeless(dir / "file");
  CHECK(homeless.think(Rank::study, game, start, {}).depth == 3);
  CHECK(homeless.think(Rank::person, game, start, {}).depth == 3);
}

TEST_CASE("what is made of a table stays while nobody asks, and the end does not wait for it",
          "[thinker]") {
  TemporaryDirectory dir;
  const GameType game = game_with_table();
  const Position start = *game.start({}, 2);
  allowed = 60;
  {
    Thinker thinker(dir.path());
    auto asked = thinker.ask(Rank::study, game, start, {}, [](const Result<Thought>&) {});
    REQUIRE(until(thinker, [&] { return has(thinker.making(), ": 60 %"); }));
    asked.reset();
    REQUIRE(until(thinker, [&] { return thinker.making().empty(); }));
    std::optional<int> depth;
    asked = thinker.ask(Rank::study, game, start, {},
                        [&](const Result<Thought>& thought) { depth = thought->depth; });
    REQUIRE(until(thinker, [&] { return has(thinker.making(), ": 60 %"); }));
    CHECK(makings == 1);
  }
  CHECK(std::filesystem::is_empty(dir.path()));
}
