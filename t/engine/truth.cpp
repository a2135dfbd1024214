// SPDX-License-Identifier: MIT
// Tests that everything the program calls certain is true: hints, analyses, threats and puzzles of
// every game. Compares them with an exhaustive search.
#include <random>

#include "boards/analysis.hpp"
#include "boards/computer_player.hpp"
#include "tried.hpp"
#include "ui/advice.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Positions to test: plies `first` to `last` of games, searched `depth` plies deep.
struct Ground {
  Setup setup;
  std::size_t first, last;
  int depth;
  int positions;
};

Question with_nodes(std::uint64_t nodes) {
  Question out;
  out.limits.nodes = nodes;
  out.lines = 1000;
  return out;
}

// Returns plies of a weak computer and of chance. Some games go on to their end if that is near.
std::vector<std::string> some_plies(const Ground& ground, std::mt19937& random) {
  std::vector<std::string> out;
  Position p = ground.setup.start();
  const std::size_t most = ground.first + below(random, ground.last - ground.first + 1);
  const std::size_t weak = below(random, 3);
  const bool ends = below(random, 3) == 0;
  while (out.size() < most) {
    const auto legal = p.legal();
    std::string ply = legal[below(random, legal.size())];
    if (below(random, 3) < weak) {
      Question question = with_nodes(100);
      question.level = 3;
      question.lines = 1;
      question.seed = random();
      ply = ground.setup.game->think(p, question).lines.front().ply;
    }
    Position next = p;
    next.play(ply);
    const bool is_over = settled(next).outcome().has_value();
    if (is_over && !ends) break;
    out.push_back(std::move(ply));
    if (is_over) break;
    p = std::move(next);
  }
  return out;
}

// The number of certain statements tested.
struct Words {
  int hints = 0, analyses = 0, threats = 0;
};

void judge_hints(const Ground& ground, const Match& match, Tried& tried, Words& words) {
  const Position p = match.position();
  if (settled(p).outcome()) return;
  for (const std::uint64_t nodes : {150, 1000, 8000}) {
    Question question = with_nodes(nodes);
    question.history = question_about(match, kTopLevel).history;
    const Thought thought = match.game().think(p, question);
    for (const Line& line : thought.lines) {
      INFO("after " << nodes << " nodes, " << line.ply);
      const auto truth = tried.worth_of(p, line.ply, ground.depth);
      words.hints += !tried.gave_up() && check_verdict(line.verdict, truth, ground.depth);
    }
  }
}

void judge_analysis(const Ground& ground, const Match& match, Tried& tried, Words& words) {
  Analysis analysis(match, {.nodes = 300});
  while (const auto n = analysis.next())
    analysis.take(match.game().think(analysis.position(*n), analysis.question()));
  const std::size_t all = match.plies().size();
  for (std::size_t ply = all > 4 ? all - 4 : 1; ply <= all; ++ply) {
    const Position before = match.position_after(ply - 1);
    const std::string& played = match.plies()[ply - 1].text;
    const auto found = analysis.of(ply);
    REQUIRE(found);
    INFO("analysis of move " << ply << ", " << played);
    const auto came = tried.worth_of(before, played, ground.depth);
    words.analyses += !tried.gave_up() && check_verdict(found->played, came, ground.depth);
    // Tests the verdict on the best line, and that no ply wins if it says that none does.
    const auto line = tried.worth_of(before, found->variation.front(), ground.depth);
    words.analyses += !tried.gave_up() && check_verdict(found->best, line, ground.depth);
    const auto best = tried.worth(before, ground.depth);
    if (found->best.proved() && found->best.kind() != Verdict::Kind::win)
      REQUIRE_FALSE((!tried.gave_up() && best.value_or(0) > 0));
  }
}

// True if a ply that wins at once in `next` is legal after some ply of `now`. Otherwise it is no
// threat.
bool is_possible(const Position& now, const Position& next) {
  for (const std::string& own : now.legal()) {
    Position then = now;
    then.play(own);
    for (const std::string& ply : then.legal()) {
      const auto all = next.legal();
      if (std::find(all.begin(), all.end(), ply) == all.end()) continue;
      const Position won = settled_after(next, ply);
      if (const auto end = won.outcome(); end && end->winner == next.to_move()) return true;
    }
  }
  return false;
}

void judge_threats(const Ground& ground, const Match& match, Tried& tried, Words& words) {
  const auto next = passed_over(match);
  if (!next || next->legal().empty() || next->legal().front() == "pass") return;
  const Thought ahead = match.game().think(*next, with_nodes(1000));
  const std::string told = threats_in(match, ahead).told;
  const auto truth = tried.worth(*next, ground.depth);
  if (tried.gave_up()) return;
  INFO(told << "; it is worth " << truth.value_or(0));
  REQUIRE(has(told, "threatens to win at once") ==
          (truth == 1 && is_possible(match.position(), *next)));
  if (const auto at = told.find(" a win in "); at != std::string::npos) {
    const int plies = std::stoi(told.substr(at + 10));
    if (plies <= ground.depth) REQUIRE(truth == plies);
  }
  words.threats += has(told, " win");
}

Words judge(const Ground& ground, unsigned seed) {
  std::mt19937 random(seed);
  Words out;
  for (int i = 0; i < ground.positions; ++i) {
    Tried tried(30'000);
    const auto plies = some_plies(ground, random);
    Match match = *Match::start(*ground.setup.game, ground.setup.options, {"a", "b"}, Time{});
    for (const std::string& ply : plies) match.add(*match.validate(*match.to_move(), ply, Time{}));
    INFO(ground.setup.name << " after " << joined(plies, 0, plies.size()));
    judge_hints(ground, match, tried, out);
    judge_analysis(ground, match, tried, out);
    judge_threats(ground, match, tried, out);
  }
  return out;
}

// Returns the positions to test in every game, `times` as many.
std::vector<Ground> grounds(int times) {
  std::vector<Ground> out{
      {setup_of("toot", {"-size=3x4"}), 0, 11, 12, 12},
      {setup_of("toot", {"-size=4x3"}), 3, 11, 12, 12},
      {setup_of("toot", {"-size=4x4"}), 8, 15, 8, 12},
      {setup_of("toot"), 14, 23, 10, 12},
      {setup_of("toot", {"-tootris"}), 6, 30, 4, 10},
      {setup_of("toot", {"-size=7x9"}), 6, 50, 3, 8},
      {setup_of("toot", {"-size=14x20"}), 20, 60, 2, 2},
      {setup_of("plotto"), 3, 12, 4, 6},
      {setup_of("plotto", {"-tournament"}), 3, 14, 4, 6},
      {setup_of("chaos"), 4, 50, 4, 10},
      {setup_of("flooprail"), 60, 150, 6, 30},
      {setup_of("flooprail", {"-reverse"}), 60, 150, 6, 20},
      {setup_of("soccolot"), 4, 120, 3, 8},
  };
  for (Ground& ground : out) ground.positions *= times;
  return out;
}

}  // namespace

TEST_CASE("what is said to be certain is true in every game", "[engine][truth]") {
  for (const Ground& ground : grounds(1)) {
    const Words words = judge(ground, 20261124);
    INFO(ground.setup.name << ": " << words.hints << ", " << words.analyses << ", "
                           << words.threats);
    CHECK(words.hints + words.analyses > 20);
  }
}

TEST_CASE("what is said to be certain is true in thousands of positions", "[engine][truth][long]") {
  for (const Ground& ground : grounds(40)) {
    const Words words = judge(ground, std::random_device{}());
    INFO(ground.setup.name << ": " << words.hints << ", " << words.analyses << ", "
                           << words.threats);
    CHECK(words.hints + words.analyses > 400);
    CHECK(words.analyses > 40);
  }
}
