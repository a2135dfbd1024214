// SPDX-License-Identifier: MIT
// Tests that everything the program calls certain is true: hints, analyses, threats and puzzles of
// every game. Compares them with an exhaustive search.
#include <random>

#include "boards/analysis.hpp"
#include "boards/computer_player.hpp"
#include "boards/repository.hpp"
#include "exhaustive_solver.hpp"
#include "save/save.hpp"
#include "ui/advice.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Positions to test: plies `first` to `last` of games, searched `depth` plies deep.
struct TestPositions {
  Setup setup;
  std::size_t first, last;
  int depth;
  int positions;
};

SearchRequest with_nodes(std::uint64_t nodes) {
  SearchRequest out;
  out.limits.nodes = nodes;
  out.line_count = 1000;
  return out;
}

// Returns plies of a weak computer and of chance. Some games go on to their end if that is near.
std::vector<std::string> play_some_plies(const TestPositions& ground, std::mt19937& random) {
  std::vector<std::string> out;
  Position p = ground.setup.start();
  const std::size_t most = ground.first + random_below(random, ground.last - ground.first + 1);
  const std::size_t weak = random_below(random, 3);
  const bool ends = random_below(random, 3) == 0;
  while (out.size() < most) {
    const auto legal = p.legal_plies();
    std::string ply = legal[random_below(random, legal.size())];
    if (random_below(random, 3) < weak) {
      SearchRequest question = with_nodes(100);
      question.level = 3;
      question.line_count = 1;
      question.seed = random();
      ply = ground.setup.game->think(p, question).lines.front().ply;
    }
    Position next = p;
    next.play(ply);
    const bool is_over = play_only_pass(next).outcome().has_value();
    if (is_over && !ends) break;
    out.push_back(std::move(ply));
    if (is_over) break;
    p = std::move(next);
  }
  return out;
}

// Returns four plies after which the position stands again, or none if few tries find none.
std::vector<std::string> find_cycle(const Position& start, std::mt19937& random) {
  constexpr int kTries = 5;  // plies of each seat
  const auto sample = [&](const Position& p) {
    auto out = p.legal_plies();
    std::ranges::shuffle(out, random);
    out.resize(std::min<std::size_t>(out.size(), kTries));
    return out;
  };
  const auto after = [](Position p, const std::string& ply) {
    p.play(ply);
    return p;
  };
  for (const std::string& a : sample(start)) {
    const Position first = after(start, a);
    if (first.outcome()) continue;
    for (const std::string& b : sample(first)) {
      const Position second = after(first, b);
      if (second.outcome()) continue;
      for (const std::string& c : second.legal_plies()) {
        const Position third = after(second, c);
        if (third.outcome()) continue;
        for (const std::string& d : third.legal_plies())
          if (after(third, d) == start) return {a, b, c, d};
      }
    }
  }
  return {};
}

// Returns a match with these plies. One in three then has plies that were taken back, one in three
// its position for the second time, if that is possible. With three seats one of them resigns.
Match make_match(const TestPositions& ground, const std::vector<std::string>& plies,
                 std::mt19937& random) {
  std::vector<std::string> names{"a", "b", "c"};
  names.resize(static_cast<std::size_t>(ground.setup.seats));
  Match match = *Match::start(*ground.setup.game, ground.setup.options, names, Time{});
  const auto add = [&](const std::string& ply) {
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  };
  for (const std::string& ply : plies) {
    if (names.size() == 3 && match.plies().size() == 2)
      match.add(*match.validate(static_cast<Seat>(random_below(random, 3)), "resign", Time{}));
    const auto legal = match.position().legal_plies();
    // After a resignation other seats are to move than in the game of the plies.
    add(std::ranges::count(legal, ply) > 0 ? ply : legal[random_below(random, legal.size())]);
    if (match.ending()) return match;
  }
  const std::size_t kind = random_below(random, 3);
  if (kind == 1) {
    const auto legal = match.position().legal_plies();
    add(legal[random_below(random, legal.size())]);
    if (!match.ending())
      REQUIRE(validate_requests(match, shared_keyboard_requests(match, "undo")).ok());
  }
  if (kind == 2 && names.size() == 2)
    for (const std::string& ply : find_cycle(match.position(), random)) add(ply);
  return match;
}

// The number of certain statements tested.
struct StatementCounts {
  int hints = 0, analyses = 0, threats = 0;
};

void check_hints(const TestPositions& ground, const Match& match, ExhaustiveSolver& tried,
                 StatementCounts& words) {
  const Position p = match.position();
  if (play_only_pass(p).outcome()) return;
  for (const std::uint64_t nodes : {150, 1000, 8000}) {
    SearchRequest question = with_nodes(nodes);
    question.history = make_question(match, kMaxLevel).history;
    const SearchResult thought = match.game().think(p, question);
    for (const AnalysisLine& line : thought.lines) {
      INFO("after " << nodes << " nodes, " << line.ply);
      const auto truth = tried.value_of_ply(p, line.ply, ground.depth);
      words.hints += !tried.has_given_up() && check_verdict(line.verdict, truth, ground.depth);
    }
  }
}

void check_analysis(const TestPositions& ground, const Match& match, ExhaustiveSolver& tried,
                    StatementCounts& words) {
  Analysis analysis(match, {.nodes = 300});
  while (const auto n = analysis.next_index())
    analysis.add_result(match.game().think(analysis.position(*n), analysis.question()));
  const std::size_t all = match.plies().size();
  for (std::size_t ply = all > 4 ? all - 4 : 1; ply <= all; ++ply) {
    const Position before = match.position_after(ply - 1);
    const std::string& played = match.plies()[ply - 1].text;
    const auto found = analysis.assessment(ply);
    REQUIRE(found);
    INFO("analysis of move " << ply << ", " << played);
    const auto came = tried.value_of_ply(before, played, ground.depth);
    words.analyses +=
        !tried.has_given_up() && check_verdict(found->played_verdict, came, ground.depth);
    // Tests the verdict on the best line, and that no ply wins if it says that none does.
    const auto line = tried.value_of_ply(before, found->variation.front(), ground.depth);
    words.analyses +=
        !tried.has_given_up() && check_verdict(found->best_verdict, line, ground.depth);
    const auto best = tried.value_of(before, ground.depth);
    if (found->best_verdict.is_proved() && found->best_verdict.kind() != Verdict::Kind::win)
      REQUIRE_FALSE((!tried.has_given_up() && best.value_or(0) > 0));
  }
}

// True if a ply that wins at once in `next` is legal after some ply of `now`. Otherwise it is no
// threat.
bool is_possible_threat(const Position& now, const Position& next) {
  for (const std::string& own : now.legal_plies()) {
    Position then = now;
    then.play(own);
    for (const std::string& ply : then.legal_plies()) {
      const auto all = next.legal_plies();
      if (std::find(all.begin(), all.end(), ply) == all.end()) continue;
      const Position won = play_with_pass(next, ply);
      if (const auto end = won.outcome(); end && end->winner == next.to_move()) return true;
    }
  }
  return false;
}

void check_threats(const TestPositions& ground, const Match& match, ExhaustiveSolver& tried,
                   StatementCounts& words) {
  const auto next = position_after_pass(match);
  if (!next || next->legal_plies().empty() || next->legal_plies().front() == "pass") return;
  const SearchResult ahead = match.game().think(*next, with_nodes(1000));
  const std::string told = find_threats(match, ahead).text;
  const auto truth = tried.value_of(*next, ground.depth);
  if (tried.has_given_up()) return;
  INFO(told << "; it is worth " << truth.value_or(0));
  REQUIRE(contains(told, "threatens to win at once") ==
          (truth == 1 && is_possible_threat(match.position(), *next)));
  if (const auto at = told.find(" a win in "); at != std::string::npos) {
    const int plies = std::stoi(told.substr(at + 10));
    if (plies <= ground.depth) REQUIRE(truth == plies);
  }
  words.threats += contains(told, " win");
}

StatementCounts check_statements(const TestPositions& ground, unsigned seed) {
  std::mt19937 random(seed);
  StatementCounts out;
  for (int i = 0; i < ground.positions; ++i) {
    ExhaustiveSolver tried(30'000);
    const auto plies = play_some_plies(ground, random);
    const Match match = make_match(ground, plies, random);
    if (match.ending()) continue;
    INFO(ground.setup.name << " after " << save_text(match));
    check_hints(ground, match, tried, out);
    if (match.seats() > 2) continue;  // only two of them play
    check_analysis(ground, match, tried, out);
    check_threats(ground, match, tried, out);
  }
  return out;
}

// Returns the positions to test in every game, `times` as many.
std::vector<TestPositions> all_test_positions(int times) {
  std::vector<TestPositions> out{
      {make_setup("toot", {"-size=3x4"}), 0, 11, 12, 12},
      {make_setup("toot", {"-size=4x3"}), 3, 11, 12, 12},
      {make_setup("toot", {"-size=4x4"}), 8, 15, 8, 12},
      {make_setup("toot"), 14, 23, 10, 12},
      {make_setup("toot", {"-tootris"}), 6, 30, 4, 10},
      {make_setup("toot", {"-size=7x9"}), 6, 50, 3, 8},
      {make_setup("toot", {"-size=14x20"}), 20, 60, 2, 2},
      {make_setup("plotto"), 3, 12, 4, 6},
      {make_setup("plotto", {"-tournament"}), 3, 14, 4, 6},
      {make_setup("plotto", {}, 3), 4, 14, 4, 24},
      {make_setup("chaos"), 4, 50, 4, 10},
      {make_setup("flooprail"), 60, 150, 6, 30},
      {make_setup("flooprail", {"-reverse"}), 60, 150, 6, 20},
      {make_setup("soccolot"), 4, 120, 3, 16},
  };
  for (TestPositions& ground : out) ground.positions *= times;
  return out;
}

}  // namespace

TEST_CASE("what is said to be certain is true in every game", "[engine][truth]") {
  for (const TestPositions& ground : all_test_positions(1)) {
    const StatementCounts words = check_statements(ground, 20261124);
    INFO(ground.setup.name << ": " << words.hints << ", " << words.analyses << ", "
                           << words.threats);
    CHECK(words.hints + words.analyses > (ground.setup.seats > 2 ? 10 : 20));
  }
}

TEST_CASE("what is said to be certain is true in thousands of positions", "[engine][truth][long]") {
  for (const TestPositions& ground : all_test_positions(40)) {
    const StatementCounts words = check_statements(ground, std::random_device{}());
    INFO(ground.setup.name << ": " << words.hints << ", " << words.analyses << ", "
                           << words.threats);
    CHECK(words.hints + words.analyses > 400);
    CHECK((ground.setup.seats > 2 || words.analyses > 40));
  }
}

TEST_CASE("an interrupted search calls no game a tie that another move wins", "[engine][truth]") {
  const TestPositions ground{make_setup("toot", {"-size=4x4"}), 0, 0, 12, 1};
  Match match = *Match::start(*ground.setup.game, ground.setup.options, {"a", "b"}, Time{});
  for (const char* const ply : {"BO", "DO", "BT", "BO", "DT", "BO", "DO", "AO", "CT", "AT"})
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  ExhaustiveSolver tried(2'000'000);
  StatementCounts words;
  check_analysis(ground, match, tried, words);
  CHECK_FALSE(tried.has_given_up());
}
