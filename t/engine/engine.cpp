// SPDX-License-Identifier: MIT
// Tests the computer on every game of the table: the promises of SearchRequest, and the truth of
// verdicts. boards.cpp tests the knowledge of single games.
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "base/file_cache.hpp"
#include "boards/analysis.hpp"
#include "boards/computer_player.hpp"
#include "engine/proved_verdict.hpp"
#include "exhaustive_solver.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

SearchRequest with_nodes(std::uint64_t nodes, int level = kMaxLevel) {
  SearchRequest q;
  q.level = level;
  q.limits.nodes = nodes;
  return q;
}

std::string option_words_of(const SearchResult& thought) {
  std::string out;
  for (const AnalysisLine& line : thought.lines) {
    out += verdict_text(line.verdict) + ":";
    for (const std::string& ply : line.variation) out += " " + ply;
    out += "\n";
  }
  return out;
}

// Plays `plies` plies of a level against itself. Calls visit(position, thought) before each.
template <class F>
void visit_own_games(const Setup& setup, int level, std::uint64_t seed, int plies, F visit) {
  Position position = setup.start();
  for (int i = 0; i < plies && !position.outcome(); ++i) {
    SearchRequest q = with_nodes(300, level);
    q.seed = seed;
    const SearchResult thought = setup.game->think(position, q);
    REQUIRE_FALSE(thought.lines.empty());
    visit(position, thought);
    position.play(thought.lines.front().ply);
  }
}

// Checks the verdict of each line against RetrogradeSolver. Returns how many are wins or losses.
std::size_t check_lines(const Position& p, const SearchResult& thought, RetrogradeSolver& solved) {
  std::size_t decided = 0;
  for (const AnalysisLine& line : thought.lines) {
    const Position next = play_with_pass(p, line.ply);
    int truth = 0;
    if (const auto end = next.outcome())
      truth = !end->winner ? 0 : *end->winner == p.to_move() ? 1 : -1;
    else if (const int theirs = solved.value_of(next); theirs != 0)
      truth = theirs > 0 ? -theirs - 1 : -theirs + 1;
    INFO(drawing_text(p) << p.holdings(0) << "; " << p.holdings(1) << "; " << p.to_move() << "\n"
                         << line.ply);
    check_verdict(line.verdict, truth == 0 ? std::nullopt : std::optional(truth), INT_MAX);
    decided += truth != 0;
  }
  return decided;
}

std::vector<Verdict> verdicts(std::size_t n, int share) {
  return std::vector<Verdict>(n, Verdict::estimate(share));
}

}  // namespace

TEST_CASE("every level of every game plays legal moves and expects legal ones", "[engine]") {
  for (const Setup& setup : all_setups())
    for (int level = 1; level <= kMaxLevel; level += 3)
      visit_own_games(setup, level, 7, 14, [&](const Position& p, const SearchResult& thought) {
        INFO(setup.name << ", level " << level);
        for (const AnalysisLine& line : thought.lines) {
          REQUIRE(line.variation.front() == line.ply);
          Position q = p;
          for (const std::string& ply : line.variation) {
            const auto legal = q.legal_plies();
            REQUIRE(std::binary_search(legal.begin(), legal.end(), ply));
            q.play(ply);
          }
          REQUIRE(line.verdict.win_percent() >= 0);
          REQUIRE(line.verdict.win_percent() <= 100);
          REQUIRE(line.seat_percents.size() == (setup.seats > 2 ? std::size_t(setup.seats) : 0U));
        }
      });
}

TEST_CASE("what the engine makes of a position has its moves, and ends as it does", "[engine]") {
  std::mt19937 random(20261122);
  for (const Setup& setup : all_setups()) {
    const bool many =
        setup.seats > 2 || contains(setup.name, "14x20") || setup.game->name == "soccolot";
    for (int game = 0; game < 3; ++game) {
      Position p = setup.start();
      for (int ply = 0; ply < 40 && !p.outcome(); ++ply) {
        const auto legal = p.legal_plies();
        INFO(setup.name << ", game " << game << ", move " << ply);
        SearchRequest q = with_nodes(many ? 3000 : 50'000);
        q.limits.depth = 1;
        q.line_count = 1000;
        if (legal.size() <= 60 && (ply < 6 || ply % 7 == 0)) {
          std::vector<std::pair<Position, Verdict>> after_each;
          const SearchResult thought = setup.game->think(p, q);
          // Playouts search only the best ply to its end.
          const bool by_playouts = many || thought.depth > 1;
          for (const AnalysisLine& line : thought.lines) {
            Position next = p;
            next.play(line.ply);
            after_each.emplace_back(next, line.verdict);
          }
          bool wins = false;
          for (const std::string& typed : legal) {
            Position next = p;
            next.play(typed);
            const auto found = std::find_if(after_each.begin(), after_each.end(),
                                            [&](const auto& other) { return other.first == next; });
            INFO("move " << typed);
            // Symmetric plies may share one line.
            if (found == after_each.end() && ply < 3) continue;
            if (by_playouts && found == after_each.end()) continue;
            REQUIRE(found != after_each.end());
            // The computer does not count a pass as a ply.
            if (const auto last = next.legal_plies(); last == std::vector<std::string>{"pass"})
              next.play("pass");
            const auto outcome = next.outcome();
            const Verdict& v = found->second;
            const bool won = outcome && outcome->winner == p.to_move();
            wins = wins || won;
            if (by_playouts) continue;
            REQUIRE((v.kind() == Verdict::Kind::win && v.plies() == 1) == won);
            REQUIRE((v.kind() == Verdict::Kind::loss && v.plies() == 1) ==
                    (outcome && outcome->winner == 1 - p.to_move()));
          }
          REQUIRE((after_each.front().second == engine::ProvedVerdict::win(1)) == wins);
        }
        p.play(legal[random_below(random, legal.size())]);
      }
    }
  }
}

TEST_CASE("wins and losses that are near are told exactly", "[engine]") {
  std::mt19937 random(20261123);
  int found = 0;
  for (const Setup& setup : all_setups()) {
    if (setup.seats > 2) continue;
    ExhaustiveSolver tried;
    for (int game = 0; game < 5; ++game) {
      Position p = setup.start();
      for (int ply = 0; ply < 60 && !p.outcome(); ++ply) {
        const auto legal = p.legal_plies();
        if (legal.size() > 1 && legal.size() <= 9 && ply % 2 == game % 2) {
          INFO(setup.name << ", game " << game << ", move " << ply);
          const int truth = tried.value_of(p, 3).value_or(0);
          SearchRequest q = with_nodes(100'000);
          q.limits.depth = 3;
          const Verdict v = setup.game->think(p, q).lines.front().verdict;
          const int said = v.kind() == Verdict::Kind::win    ? v.plies()
                           : v.kind() == Verdict::Kind::loss ? -v.plies()
                                                             : 0;
          if (truth != 0 || (said != 0 && std::abs(said) <= 3)) REQUIRE(said == truth);
          found += truth != 0;
        }
        p.play(legal[random_below(random, legal.size())]);
      }
    }
  }
  CHECK(found > 20);
}

TEST_CASE("Plotto for two is won by the second player in fourteen moves", "[engine]") {
  const SearchResult thought =
      make_setup("plotto").game->think(make_setup("plotto").start(), with_nodes(2'000'000));
  CHECK(thought.lines.front().verdict == engine::ProvedVerdict::loss(14));
}

TEST_CASE("Toot on its usual board is told exactly after eight moves, and in a mirror the same",
          "[engine]") {
  std::mt19937 random(20261125);
  const Setup toot = make_setup("toot");
  for (int tried = 0; tried < 3;) {
    Position p = toot.start(), mirrored = p;
    for (int ply = 0; ply < 8 && !p.outcome(); ++ply) {
      const auto legal = p.legal_plies();
      std::string move = legal[random_below(random, legal.size())];
      p.play(move);
      move[0] = static_cast<char>('A' + 'F' - move[0]);
      mirrored.play(move);
    }
    if (p.outcome()) continue;
    ++tried;
    const Verdict v = toot.game->think(p, with_nodes(4'000'000)).lines.front().verdict;
    CHECK(v.is_proved());
    CHECK(v == toot.game->think(mirrored, with_nodes(4'000'000)).lines.front().verdict);
  }
}

// Checks that every proof is true, and that with enough nodes every win and loss is proved. Returns
// how many positions are wins or losses.
std::size_t check_against_solution(const Setup& setup, std::size_t every) {
  RetrogradeSolver truth(setup.start());
  CHECK(truth.positions().size() > 1000);
  std::size_t decided = 0;
  for (std::size_t i = 0; i < truth.positions().size(); i += every) {
    const Position& p = truth.positions()[i];
    if (p.outcome()) continue;
    const int value = truth.value_at(i);
    decided += value != 0;
    INFO(setup.name << "\n"
                    << drawing_text(p) << "\n"
                    << p.holdings(0) << "; " << p.holdings(1) << "; " << p.to_move()
                    << "\nis worth " << value);
    for (const std::uint64_t nodes : {300, 2000, 100'000}) {
      SearchRequest q = with_nodes(nodes);
      q.line_count = nodes == 2000 ? 1000 : 1;
      const SearchResult thought = setup.game->think(p, q);
      check_lines(p, thought, truth);
      const Verdict& v = thought.lines.front().verdict;
      INFO(nodes << " nodes: " << verdict_text(v));
      if (v.is_proved() || nodes > 2000) {
        REQUIRE((v.kind() == Verdict::Kind::win) == (value > 0));
        REQUIRE((v.kind() == Verdict::Kind::loss) == (value < 0));
      }
      if (v.plies() > 0) REQUIRE(v.plies() == std::abs(value));
    }
  }
  return decided;
}

// Checks `positions` endings of Toot with at most `cells` empty cells.
std::size_t check_endings(int positions, int cells, unsigned seed) {
  std::mt19937 random(seed);
  const Setup toot = make_setup("toot");
  RetrogradeSolver solved;
  std::size_t decided = 0;
  for (int tried = 0; tried < positions;) {
    Position p = toot.start();
    for (int ply = 0; ply < 24 - cells && !p.outcome(); ++ply) {
      const auto legal = p.legal_plies();
      p.play(legal[random_below(random, legal.size())]);
    }
    if (p.outcome()) continue;
    ++tried;
    for (const std::uint64_t nodes : {500, 5000, 100'000}) {
      SearchRequest q = with_nodes(nodes);
      q.line_count = 1000;
      decided += check_lines(p, toot.game->think(p, q), solved);
    }
  }
  return decided;
}

TEST_CASE("a win is not said to be a tie because another move wins sooner", "[engine]") {
  const Position p =
      play_plies(make_setup("toot").start(), "FT AO FO BT CO EO DO FT EO CT CO DT BT");
  RetrogradeSolver solved;
  for (const std::uint64_t nodes : {1000, 20'000, 400'000}) {
    SearchRequest q = with_nodes(nodes);
    q.line_count = 40;
    CHECK(check_lines(p, make_setup("toot").game->think(p, q), solved) > 5);
  }
}

TEST_CASE("every move of an ending of Toot is worth what is said", "[engine]") {
  CHECK(check_endings(40, 6, 20261123) > 100);
}

TEST_CASE("every move of a thousand longer endings of Toot is worth what is said",
          "[engine][long]") {
  CHECK(check_endings(1000, 9, std::random_device{}()) > 1000);
}

TEST_CASE("a move that loses is told to lose where the position stood before", "[engine][long]") {
  const Setup chaos = make_setup("chaos");
  Position p = chaos.start();
  const auto table = chaos.game->endgame_table(p)->compute([](int) { return true; });
  SearchRequest q = with_nodes(10'000);
  q.line_count = 1000;
  q.endgame_table = table;
  for (const char* ply : {"a3-c3", "e4-c4-c2-e4", "a2-c2-c4-a2", "e4-c4-c2-e4"}) {
    q.history.push_back(p);
    p.play(ply);
  }
  for (const AnalysisLine& line : chaos.game->think(p, q).lines)
    CHECK(line.verdict.kind() == Verdict::Kind::loss);
}

TEST_CASE("a move that takes the place of one that loses was looked at", "[engine]") {
  const Position p = play_plies(make_setup("toot").start(), "AT FO FT AO");
  for (std::uint64_t nodes = 100'000; nodes < 1'000'000; nodes += 100'000) {
    const SearchResult thought = make_setup("toot").game->think(p, with_nodes(nodes));
    INFO(nodes << " nodes");
    CHECK(
        (thought.lines.front().variation.size() > 1 || thought.lines.front().verdict.is_proved()));
  }
}

TEST_CASE("of moves that all lose one that loses sooner is not played, wherever the work ends",
          "[engine]") {
  // f2 loses in 6, all other plies at once or in 2.
  const Position p = play_plies(make_setup("plotto").start(), "a4 d3 b1 c2 b1 e4 d4 b2 e3");
  for (std::uint64_t nodes = 150; nodes < 700; nodes += 3) {
    INFO(nodes);
    CHECK(make_setup("plotto").game->think(p, with_nodes(nodes)).lines.front().ply == "f2");
  }
}

TEST_CASE("where a move is proved to lose after the search, the next is none that loses either",
          "[engine]") {
  // ET wins in 9, CO loses.
  const Position p =
      play_plies(make_setup("toot").start(), "EO EO AO DO BT CO FO FO DT BT DO AT DT BT");
  SearchRequest question = with_nodes(0);
  question.seed = 1;
  for (question.limits.nodes = 200; question.limits.nodes < 400; question.limits.nodes += 5) {
    const SearchResult thought = make_setup("toot").game->think(p, question);
    INFO(question.limits.nodes);
    CHECK(thought.lines.front().verdict.kind() != Verdict::Kind::loss);
  }
}

// Checks that a win stays a win against every defence. Returns the number of plies.
int follow_win(const Setup& setup, const Position& p, SearchRequest question, int plies = 0) {
  if (p.outcome()) return plies;
  const AnalysisLine line = setup.game->think(p, question).lines.front();
  INFO(drawing_text(p) << line.ply << " " << verdict_text(line.verdict));
  REQUIRE(line.verdict.kind() == Verdict::Kind::win);
  const Position next = play_with_pass(p, line.ply);
  int most = plies + 1;
  if (const auto end = next.outcome()) REQUIRE(end->winner == p.to_move());
  else
    for (const std::string& reply : next.legal_plies()) {
      question.history = {p, next};
      most = std::max(most, follow_win(setup, play_plies(next, reply), question, plies + 2));
    }
  return most;
}

TEST_CASE("in FloopRail's reverse game a win is proved that lies deeper than the search",
          "[engine]") {
  const Setup setup = make_setup("flooprail", {"-reverse"});
  const Position p =
      play_plies(setup.start(),
                 "B5-C5 E5-D5 C5-E5 E6-E4 E2-E3 E4-E2 E1-E3 F4-E4 E3-E5 F5-D5 D2-E2 "
                 "G4-F4 B4-B5 E7-E6 C4-D4 D6-C6 D4-D6 D7-D5 A4-B4 E6-E5 B4-C4 F4-F3");
  CHECK(setup.game->think(p, with_nodes(20'000)).depth < 12);
  CHECK(follow_win(setup, p, with_nodes(20'000)) > 12);
}

TEST_CASE("how soon a position is lost is not said by a ply that was looked at last", "[engine]") {
  // FO loses in 6, some other plies in 4.
  const Position p =
      play_plies(make_setup("toot").start(), "FO BO ET ET DT DT BT BO DT AT FT AT DO CT");
  SearchRequest question = with_nodes(0);
  for (question.seed = 3100; question.seed < 3110; ++question.seed)
    for (question.limits.nodes = 600; question.limits.nodes < 1300; question.limits.nodes += 20) {
      const Verdict said = make_setup("toot").game->think(p, question).lines.front().verdict;
      INFO(question.seed << ", " << question.limits.nodes << ": " << verdict_text(said));
      CHECK((!said.is_proved() ||
             (said.kind() == Verdict::Kind::loss && (said.plies() == 0 || said.plies() == 6))));
    }
}

TEST_CASE("on small boards what is proved is true", "[engine]") {
  CHECK(check_against_solution(make_setup("toot", {"-size=4x2"}), 3) > 100);
  CHECK(check_against_solution(make_setup("toot", {"-size=4x2", "-tootris"}), 13) > 20);
  // No name fits on this board.
  CHECK(check_against_solution(make_setup("toot", {"-size=3x3", "-tootris"}), 199) == 0);
}

TEST_CASE("on small boards what is proved is true of all positions", "[engine][long]") {
  CHECK(check_against_solution(make_setup("toot", {"-size=4x3"}), 40) > 300);
  CHECK(check_against_solution(make_setup("toot", {"-size=4x2", "-tootris"}), 1) > 100);
}

TEST_CASE("an answer that was broken off at once claims nothing", "[engine]") {
  // The program knows the opening of Toot, and a game of one ply.
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    CHECK(setup.game->think(setup.start(), with_nodes(1)).lines.front().verdict.is_proved() ==
          (setup.name == "toot, 2 seats" || contains(setup.name, "-size=1x1")));
  }
}

TEST_CASE("Toot's opening is known without a search, and its mirror image", "[engine]") {
  const Setup toot = make_setup("toot");
  const auto first = [&](std::string_view plies, std::size_t lines) {
    SearchRequest question = with_nodes(1);
    question.line_count = lines;
    return toot.game->think(play_plies(toot.start(), plies), question).lines.front();
  };
  for (const std::size_t lines : {1, 3}) {
    CHECK(first("AT FO", lines).verdict.kind() == Verdict::Kind::tie);
    CHECK(first("AT FO", lines).ply != "FT");  // loses to AO
    CHECK(first("FT AO", lines).verdict.kind() == Verdict::Kind::tie);
    CHECK(first("FT AO", lines).ply != "AT");
    CHECK(first("BO", lines).verdict.kind() == Verdict::Kind::win);
  }
  // Other boards and lower levels do not use this knowledge.
  const Setup wide = make_setup("toot", {"-size=7x4"});
  CHECK_FALSE(wide.game->think(wide.start(), with_nodes(1)).lines.front().verdict.is_proved());
  CHECK_FALSE(toot.game->think(toot.start(), with_nodes(1, 9)).lines.front().verdict.is_proved());
}

// Checks that an analysis knows the value of `positions` random positions of a board: after 5, 12,
// 19, 6 plies and so on, where the books end or behind that.
void check_solved_board(const std::string& size, int positions) {
  const Setup setup = make_setup("toot", {"-size=" + size});
  std::mt19937 random(20261129);
  SearchRequest question;
  question.limits = Analysis::kDefaultLimits;
  for (int n = 0; n < positions; ++n) {
    Position p = setup.start();
    for (int ply = 0; ply < (5 + 7 * n) % 20; ++ply) {
      Position next = p;
      next.play(p.legal_plies()[random() % p.legal_plies().size()]);
      if (!next.outcome()) p = next;
    }
    INFO(size << ", position " << n);
    CHECK(setup.game->think(p, question).lines.front().verdict.is_proved());
  }
}

TEST_CASE("small boards of Toot are solved at any point of a game", "[engine]") {
  for (const char* size : {"4x4", "4x5", "5x4", "5x5", "6x4", "6x5"}) check_solved_board(size, 6);
}

TEST_CASE("small boards of Toot are solved in a thousand positions", "[engine][long]") {
  for (const char* size : {"4x4", "4x5", "5x4", "5x5", "6x4", "6x5"}) check_solved_board(size, 200);
}

TEST_CASE("ten thousand games without an illegal move", "[engine][long]") {
  const auto setups = all_setups();
  for (std::uint64_t game = 0; game < 10'000; ++game) {
    const Setup& setup = setups[static_cast<std::size_t>(game) % setups.size()];
    Position p = setup.start();
    std::string played;
    for (int ply = 0; ply < 60 && !p.outcome(); ++ply) {
      SearchRequest q =
          with_nodes(60, 1 + static_cast<int>(game + static_cast<std::uint64_t>(ply)) % kMaxLevel);
      q.seed = game;
      const std::string next = setup.game->think(p, q).lines.front().ply;
      INFO(setup.name << ", game " << game << ", after" << played << ": " << next);
      const auto legal = p.legal_plies();
      REQUIRE(std::binary_search(legal.begin(), legal.end(), next));
      played += " " + next;
      p.play(next);
    }
  }
}

TEST_CASE("the same board, level and seed give the same thought", "[engine]") {
  for (const Setup& setup : all_setups())
    for (const int level : {2, 10})
      visit_own_games(setup, level, 3, 4, [&](const Position& p, const SearchResult&) {
        INFO(setup.name << ", level " << level);
        SearchRequest q = with_nodes(400, level);
        q.seed = 99;
        q.line_count = 2;
        REQUIRE(option_words_of(setup.game->think(p, q)) ==
                option_words_of(setup.game->think(p, q)));
      });
}

TEST_CASE("what is kept from a thought to the next is for the top level with time as its limit",
          "[engine]") {
  // One memory serves all games, even boards with equal hashes, such as FloopRail and its reverse.
  ZeroedBytes memory;
  const auto nodes_of = [&](const Setup& setup, int level, std::uint64_t most) {
    SearchRequest q = with_nodes(most, level);
    if (most == 0) q.limits.time = std::chrono::milliseconds(30);
    q.limits.is_processor_time = true;
    q.table_memory = &memory;
    const SearchResult thought = setup.game->think(setup.start(), q);
    CHECK_FALSE(thought.lines.empty());
    return std::pair(thought.depth, thought.nodes);
  };
  const Setup usual = make_setup("flooprail"), reverse = make_setup("flooprail", {"-reverse"});
  const auto level = nodes_of(usual, 6, 2000), work = nodes_of(usual, kMaxLevel, 2000);
  CHECK(memory.get() == nullptr);
  for (const Setup& setup : {usual, reverse, make_setup("toot", {"-size=7x6"}), make_setup("toot")})
    nodes_of(setup, kMaxLevel, 0);
  CHECK(memory.get() != nullptr);
  CHECK(nodes_of(usual, 6, 2000) == level);
  CHECK(nodes_of(usual, kMaxLevel, 2000) == work);
  // The second search reaches the same depth with fewer nodes.
  ZeroedBytes empty;
  const auto nodes_to_depth = [&](int depth) {
    std::stop_source source;
    std::uint64_t nodes = 0;
    SearchRequest q;
    q.limits.time = std::chrono::minutes(10);
    q.table_memory = &empty;
    q.stop_token = source.get_token();
    q.on_progress = [&](const SearchResult& thought) {
      if (thought.depth < depth) return;
      if (nodes == 0) nodes = thought.nodes;
      source.request_stop();
    };
    usual.game->think(usual.start(), q);
    return nodes;
  };
  const std::uint64_t first = nodes_to_depth(14);
  CHECK(nodes_to_depth(14) < first / 2);
}

TEST_CASE("work is bounded, and so is the number of lines", "[engine]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    SearchRequest q = with_nodes(2000);
    q.line_count = 3;
    const Position start = setup.start();
    const SearchResult thought = setup.game->think(start, q);
    CHECK(thought.nodes <= 2000 + 600);
    CHECK(thought.lines.size() <= 3);
    for (const AnalysisLine& a : thought.lines)
      CHECK(std::count_if(thought.lines.begin(), thought.lines.end(),
                          [&](const AnalysisLine& b) { return a.ply == b.ply; }) == 1);
  }
}

TEST_CASE("who has given up has no chance, at any level", "[engine]") {
  const Setup setup = make_setup("plotto", {}, 4);
  Match match = *Match::start(*setup.game, setup.options, {"a", "b", "c", "d"}, Time{});
  for (const char* ply : {"a1", "a2", "a3", "a4", "resign"})
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  for (const int level : {1, 3, kMaxLevel})
    for (const AnalysisLine& line :
         setup.game->think(match.position(), with_nodes(300, level)).lines) {
      INFO(level << " " << line.ply);
      CHECK(line.seat_percents.at(0) == 0);
    }
}

TEST_CASE("what is said of a narrow and high board of Toot is so", "[engine]") {
  // With 20 rows the bits of a diagonal of four span more than a machine word.
  const Setup setup = make_setup("toot", {"-size=3x20"});
  const Position open = play_plies(setup.start(), "AO BT CT AO BO CT");
  CHECK_FALSE(setup.game->think(open, with_nodes(300)).lines.front().verdict.is_proved());
  std::mt19937 random(3);
  for (int game = 0; game < 40; ++game) {
    Position p = setup.start();
    for (std::size_t n = 3 + random_below(random, 9); n > 0 && !p.outcome(); --n) {
      const auto legal = p.legal_plies();
      p.play(legal[random_below(random, legal.size())]);
    }
    if (p.outcome()) continue;
    ExhaustiveSolver tried;
    SearchRequest question = with_nodes(300);
    question.line_count = 100;
    for (const AnalysisLine& line : setup.game->think(p, question).lines) {
      INFO(drawing_text(p) << line.ply);
      check_verdict(line.verdict, tried.value_of_ply(p, line.ply, 3), 3);
    }
  }
}

TEST_CASE("with more than two seats nobody is expected to let the next one win", "[engine]") {
  const auto wins_at_once = [](const Position& p) {
    const auto legal = p.legal_plies();
    return std::any_of(legal.begin(), legal.end(), [&](const std::string& ply) {
      Position next = p;
      next.play(ply);
      return next.outcome() && next.outcome()->winner == p.to_move();
    });
  };
  std::mt19937 random(5);
  int looked_at = 0;
  for (int game = 0; game < 40; ++game) {
    Position p = make_setup("plotto", {}, 3).start();
    for (int ply = 0; ply < 8 && !p.outcome(); ++ply) {
      const auto legal = p.legal_plies();
      p.play(legal[random() % legal.size()]);
    }
    if (p.outcome()) continue;
    const SearchResult thought = find_game("plotto")->think(p, with_nodes(1000));
    for (const std::string& ply : thought.lines.front().variation) {
      const auto legal = p.legal_plies();
      const auto gives_away = [&](const std::string& other) {
        Position next = p;
        next.play(other);
        return next.outcome() ? next.outcome()->winner != p.to_move() : wins_at_once(next);
      };
      INFO(game << ' ' << ply);
      if (!std::all_of(legal.begin(), legal.end(), gives_away)) CHECK_FALSE(gives_away(ply));
      p.play(ply);
      ++looked_at;
    }
  }
  CHECK(looked_at > 30);
}

TEST_CASE("thinking stops when it is told to, with an answer", "[engine]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    std::stop_source source;
    SearchRequest q;
    q.limits.time = std::chrono::minutes(10);
    q.stop_token = source.get_token();
    q.on_progress = [&](const SearchResult&) { source.request_stop(); };
    // Stops a search from outside if it never reports progress.
    std::jthread other([&](const std::stop_token& done) {
      for (int i = 0; i < 30 && !done.stop_requested(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      source.request_stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    const SearchResult thought = setup.game->think(setup.start(), q);
    CHECK_FALSE(thought.lines.empty());
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(30));
  }
}

TEST_CASE("work that was stopped stays so, and a part of little time is some", "[engine]") {
  std::stop_source source;
  SearchBudget brake({.is_processor_time = true}, source.get_token());
  CHECK_FALSE(brake.count_node());
  source.request_stop();
  int more = 0;
  while (!brake.count_node()) ++more;
  CHECK(more < 600);
  for (int i = 0; i < 1000; ++i) REQUIRE(brake.count_node());
  SearchBudget quick({.time = std::chrono::milliseconds(20), .is_processor_time = true}, {});
  CHECK(quick.allow_percent(4));
}

TEST_CASE("each move is looked at once, however little time there is", "[engine]") {
  std::stop_source stopped;
  stopped.request_stop();
  for (const char* name : {"toot", "flooprail", "plotto", "chaos", "soccolot"}) {
    INFO(name);
    const Setup setup = make_setup(name);
    SearchRequest q;
    q.limits.time = std::chrono::milliseconds(1);
    q.line_count = 999;
    q.stop_token = stopped.get_token();
    const SearchResult thought = setup.game->think(setup.start(), q);
    CHECK(thought.depth > 0);
    // Moves that lose at once need no search, and still have a line.
    CHECK(thought.lines.size() == setup.start().legal_plies().size());
  }
}

TEST_CASE("a win in one is played, and from level 3 on one of the other side is stopped",
          "[engine]") {
  // TOOT needs a T in E1, OTTO an O.
  const Setup toot = make_setup("toot", {});
  Position p = toot.start();
  for (const char* ply : {"BT", "AT", "CO", "AT", "DO", "AT"}) p.play(ply);
  for (int level = 3; level <= kMaxLevel; ++level) {
    INFO(level);
    CHECK(toot.game->think(p, with_nodes(3000, level)).lines.front().ply == "ET");
    Position q = toot.start();
    for (const char* ply : {"BT", "AT", "CO", "AT", "DO"}) q.play(ply);
    const std::string reply = toot.game->think(q, with_nodes(3000, level)).lines.front().ply;
    q.play(reply);
    const auto legal = q.legal_plies();
    CHECK_FALSE(std::any_of(legal.begin(), legal.end(), [&](const std::string& ply) {
      Position won = q;
      won.play(ply);
      return won.outcome() && won.outcome()->winner == 0;
    }));
  }
}

TEST_CASE("verdicts in words", "[engine]") {
  CHECK(verdict_text(engine::ProvedVerdict::win(9)) == "win in 9");
  CHECK(verdict_text(engine::ProvedVerdict::loss(2)) == "loss in 2");
  CHECK(verdict_text(engine::ProvedVerdict::win(0)) == "win");
  CHECK(verdict_text(engine::ProvedVerdict::tie()) == "tie");
  CHECK(verdict_text(engine::ProvedVerdict::endless()) == "nobody wins");
  CHECK(verdict_text(Verdict::estimate(61)) == "61 %");
}

TEST_CASE("draws are offered late, taken by who stands worse, and levels below 8 never resign",
          "[engine]") {
  CHECK_FALSE(should_offer_draw(verdicts(30, 50), {40, 40}));
  CHECK_FALSE(should_offer_draw(verdicts(30, 50), {199, 20}));
  CHECK(should_offer_draw(verdicts(30, 50), {60, 40}));
  CHECK(should_offer_draw(verdicts(30, 50), {200, 0}));
  CHECK_FALSE(should_offer_draw(verdicts(30, 70), {200, 0}));
  CHECK_FALSE(should_offer_draw(verdicts(3, 50), {200, 0}));
  CHECK(should_accept_draw(verdicts(30, 20), {60, 0}));
  CHECK_FALSE(should_accept_draw(verdicts(30, 20), {20, 0}));
  CHECK_FALSE(should_accept_draw(verdicts(30, 80), {200, 0}));
  CHECK(should_accept_draw({{engine::ProvedVerdict::tie()}}, {20, 0}));
  // The longer no piece is taken or set, the less an estimate counts.
  CHECK_FALSE(should_offer_draw(verdicts(30, 70), {120, 120}));
  CHECK(should_offer_draw(verdicts(30, 70), {140, 140}));
  CHECK_FALSE(should_offer_draw(verdicts(30, 95), {160, 160}));
  CHECK(should_offer_draw(verdicts(30, 95), {200, 200}));
  CHECK(should_offer_draw(verdicts(30, 20), {140, 140}));
  CHECK_FALSE(should_offer_draw(verdicts(30, 70), {259, 0}));
  CHECK(should_offer_draw(verdicts(30, 70), {260, 0}));
  CHECK_FALSE(should_offer_draw(verdicts(30, 100), {1000, 1000}));
  // A third repetition is reason enough for a draw, but not for the seat that is better.
  CHECK(should_offer_draw(verdicts(1, 50), {12, 0, true}));
  CHECK(should_accept_draw(verdicts(1, 20), {12, 0, true}));
  CHECK_FALSE(should_offer_draw(verdicts(1, 70), {12, 0, true}));
  CHECK_FALSE(should_accept_draw(verdicts(1, 70), {12, 0, true}));
  CHECK(should_resign(verdicts(4, 0), 8));
  CHECK_FALSE(should_resign(verdicts(4, 0), 7));
  CHECK_FALSE(should_resign(verdicts(3, 0), 10));
  CHECK_FALSE(should_resign(verdicts(9, 10), 10));
}

TEST_CASE("what was said of plies that were taken back is no reason to resign", "[engine]") {
  const Setup setup = make_setup("chaos");
  ComputerPlayer player;
  const auto resigns_at = [&](const Match& match) {
    SearchResult hopeless;
    hopeless.lines.push_back(
        {match.position().legal_plies().front(), engine::ProvedVerdict::loss(2), {}, {}});
    return player.choose_actions(match, hopeless, kMaxLevel).front() == "resign";
  };
  Match match = *Match::start(*setup.game, setup.options, {"a", "b"}, Time{});
  for (int i = 0; i < 6; ++i) CHECK_FALSE(resigns_at(match));
  for (int own = 1; own <= 3; ++own) {
    for (int i = 0; i < 2; ++i)
      match.add(*match.validate(*match.to_move(), match.position().legal_plies().front(), Time{}));
    CHECK(resigns_at(match) == (own == 3));
  }
}

TEST_CASE("what stands for the third time is as it was, and no reason to resign", "[engine]") {
  // The only column holds one letter, which disappears, so the same position always recurs.
  const Setup setup = make_setup("toot", {"-tootris", "-size=1x1"});
  Match match = *Match::start(*setup.game, setup.options, {"a", "b"}, Time{});
  ComputerPlayer player;
  for (int i = 0; i < 12; ++i) {
    SearchRequest question = make_question(match, kMaxLevel);
    question.limits.nodes = 300;
    question.line_count = 9;
    const SearchResult thought = setup.game->think(match.position(), question);
    for (const AnalysisLine& line : thought.lines) CHECK(verdict_text(line.verdict) == "50 %");
    if (i % 2 == 0) CHECK(player.choose_actions(match, thought, kMaxLevel).front() != "resign");
    match.add(*match.validate(*match.to_move(), "AO", Time{}));
  }
}

TEST_CASE("what is told of more than two seats is together a whole, and what is proved",
          "[engine]") {
  const Setup setup = make_setup("plotto", {}, 3);
  std::mt19937 random(11);
  int proved = 0;
  for (int game = 0; game < 20; ++game) {
    Position p = setup.start();
    for (std::size_t n = 10 + random_below(random, 16); n > 0 && !p.outcome(); --n) {
      const auto legal = p.legal_plies();
      p.play(legal[random_below(random, legal.size())]);
    }
    if (p.outcome()) continue;
    SearchRequest question = with_nodes(3000);
    question.line_count = 99;
    for (const AnalysisLine& line : setup.game->think(p, question).lines) {
      INFO(line.ply << " " << verdict_text(line.verdict));
      // If the others have nothing, the sum is 99: an estimate is at most 99.
      const int all = std::accumulate(line.seat_percents.begin(), line.seat_percents.end(), 0);
      CHECK((all == 100 || (all == 99 && line.verdict.win_percent() == 99)));
      CHECK(line.seat_percents.at(static_cast<std::size_t>(p.to_move())) ==
            line.verdict.win_percent());
      proved += line.verdict.is_proved();
    }
  }
  CHECK(proved > 10);
}

TEST_CASE("how far a match has come is found on its board", "[engine]") {
  const auto check = [](Match match, const std::vector<std::string>& round, std::size_t quiet,
                        bool repeated) {
    for (const std::string& ply : round)
      match.add(*match.validate(*match.to_move(), ply, match.start_time()));
    const GameProgress course = game_progress(match);
    CHECK(course.ply_count == match.plies().size());
    CHECK(course.quiet_plies == quiet);
    CHECK(course.is_repeated == repeated);
    return match;
  };
  // The man runs to and fro: the start position occurs a second and a third time.
  Match match = check(*Match::start(*find_game("soccolot"), {}, {"fred", "wilma"}, Time{}),
                      {"6rs", "6rn", "6rn", "6rs"}, 4, false);
  match = check(match, {"6rs", "6rn", "6rn"}, 7, false);
  match = check(match, {"6rs"}, 8, true);
  match = check(match, {"5rs"}, 9, true);
  match = check(match, {"5rn"}, 10, false);
  for (std::size_t i = 0; i < 4; ++i)
    match = check(match, {"6rs", "6rn", "6rn", "6rs"}, 14 + 4 * i, i > 0);
  // A ball nearer to a goal than ever before restarts the count.
  match = check(match, {"3rs", "6rn", "3rs", "6rs", "3rs", "6rn", "3k1"}, 0, false);
  match = check(match, {"6rs", "3rs"}, 2, false);
  for (std::size_t i = 0; i < 10; ++i)
    match = check(match, {"6rn", "3dn", "6rs", "3ds"}, 6 + 4 * i, i > 0);
  // A ply that takes or sets a piece restarts the count.
  Options large;
  large.items.push_back({"size", "7x9"});
  Match filled = *Match::start(*find_game("toot"), large, {"fred", "wilma"}, Time{});
  for (int i = 0; i < 25; ++i)
    filled = check(filled, {filled.position().legal_plies().front()}, 0, false);
}

TEST_CASE("the computer offers a draw for a position that stands for the third time", "[engine]") {
  Match match = *Match::start(*find_game("soccolot"), {}, {"fred", "wilma"}, Time{});
  const auto play = [&](const std::string& ply) {
    match.add(*match.validate(*match.to_move(), ply, match.start_time()));
  };
  SearchResult even;
  even.lines.push_back({"6rs", {}, {"6rs"}, {}});
  ComputerPlayer computer;
  for (int i = 0; i < 2; ++i) {
    CHECK(computer.choose_actions(match, even, 3) == std::vector<std::string>{"6rs"});
    for (const char* ply : {"6rs", "6rn", "6rn", "6rs"}) play(ply);
  }
  CHECK(computer.choose_actions(match, even, 3) == std::vector<std::string>{"6rs", "propose"});
  // After a rejected offer it does not offer again with its next ply.
  for (const char* ply : {"6rs", "6rn", "6rn", "6rs"}) play(ply);
  CHECK(computer.choose_actions(match, even, 3) == std::vector<std::string>{"6rs"});
}

TEST_CASE("what is asked about a match tells of what stood before", "[engine]") {
  const auto check = [](const Match& match) {
    const auto history = make_question(match, 3).history;
    const std::size_t plies = match.plies().size(), first = plies - history.size();
    CHECK(history.size() == std::min<std::size_t>(plies, 60));
    for (std::size_t n = first; n < plies; ++n)
      CHECK(history[n - first] == match.position_after(n));
  };
  std::mt19937 random(20261123);
  for (const auto& [game, seats] : {std::pair{"chaos", 2}, {"soccolot", 2}, {"plotto", 3}}) {
    std::vector<std::string> names{"a", "b", "c"};
    names.resize(static_cast<std::size_t>(seats));
    Match match = *Match::start(*find_game(game), {}, names, Time{});
    for (int i = 0; i < 80 && !match.ending(); ++i) {
      check(match);
      const auto legal = match.position().legal_plies();
      const std::string what =
          seats == 3 && i == 7 ? "resign" : legal[random_below(random, legal.size())];
      match.add(*match.validate(*match.to_move(), what, Time{}));
    }
    check(match);
  }
}

TEST_CASE("bytes are kept in a file that is believed only if it is what it should be", "[engine]") {
  TemporaryDirectory dir;
  const auto file = dir / "deep/down/x.table";
  const std::vector<std::uint8_t> made{1, 2, 3, 250, 5, 6, 7, 8, 9};
  const std::uint64_t sum = checksum(made);
  const auto kept = [&] {
    const CachedBytes bytes = CachedBytes::load(file, made.size(), sum);
    return std::vector<std::uint8_t>(bytes.get().begin(), bytes.get().end());
  };
  CHECK(kept().empty());
  const CachedBytes held = CachedBytes::store(file, made);
  CHECK(std::vector<std::uint8_t>(held.get().begin(), held.get().end()) == made);
  CHECK(kept() == made);
  // The file is read-only.
  CHECK((std::filesystem::status(file).permissions() & std::filesystem::perms(0222)) ==
        std::filesystem::perms::none);
  // Rejects damaged, short, long, empty, foreign and missing files.
  const std::string bytes = read_bytes(file);
  const auto put = [&](const std::string& text) {
    std::filesystem::remove_all(file);
    std::ofstream(file, std::ios::binary) << text;
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 0x10);
    put(other);
    CHECK(kept().empty());
  }
  for (const std::string& other :
       {bytes.substr(0, 8), bytes + "x", std::string(), std::string(9, 'x')}) {
    put(other);
    CHECK(kept().empty());
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  CHECK(kept().empty());
  std::filesystem::remove(file);
  CHECK(CachedBytes::load(file, 0, checksum({})).get().empty());
  // Bytes in use stay valid, and a damaged file is replaced.
  put("damaged");
  CHECK(std::vector<std::uint8_t>(held.get().begin(), held.get().end()) == made);
  CHECK(CachedBytes::store(file, made).get().size() == made.size());
  CHECK(kept() == made);
  // Without a place for the file they are still available.
  const CachedBytes homeless = CachedBytes::store(file / "below/a.file", made);
  CHECK(std::vector<std::uint8_t>(homeless.get().begin(), homeless.get().end()) == made);
}

// Checks that the table's verdict on a position follows from its verdicts on the next positions.
TEST_CASE("no table contradicts itself anywhere", "[engine][long]") {
  std::mt19937 random(20261124);
  for (const Setup& setup : all_setups()) {
    if (!setup.game->endgame_table) continue;
    std::vector<std::uint8_t> table;
    int proved = 0;
    for (int game = 0; game < 150; ++game) {
      Position p = setup.start();
      for (int ply = 0; ply < 200 && !p.outcome(); ++ply) {
        const auto legal = p.legal_plies();
        const auto verdict_of = [&](const Position& q, std::size_t lines) {
          SearchRequest question = with_nodes(2000);
          question.limits.depth = 1;
          question.endgame_table = table;
          question.line_count = lines;
          return setup.game->think(q, question).lines;
        };
        if (const EndgameTable* const known = setup.game->endgame_table(p)) {
          if (table.empty()) table = known->compute([](int) { return true; });
          // Size and checksum identify the table; they must change with its version.
          REQUIRE(table.size() == known->size);
          REQUIRE(checksum(table) == known->checksum);
          const auto lines = verdict_of(p, 100);
          const Verdict& v = lines.front().verdict;
          // With four men or fewer every verdict has a length; with five all may be proved.
          if (std::all_of(lines.begin(), lines.end(), [](const AnalysisLine& l) {
                return l.verdict.kind() == Verdict::Kind::endless || l.verdict.plies() > 0;
              })) {
            ++proved;
            for (const AnalysisLine& line : lines) {
              Position next = p;
              next.play(line.ply);
              if (next.legal_plies() == std::vector<std::string>{"pass"}) next.play("pass");
              INFO(setup.name << ", game " << game << ", move " << ply << ", " << line.ply << "\n"
                              << drawing_text(p));
              if (const auto outcome = next.outcome()) {
                REQUIRE(line.verdict.plies() == 1);
                REQUIRE((line.verdict.kind() == Verdict::Kind::win) ==
                        (outcome->winner == p.to_move()));
                continue;
              }
              const Verdict answer = verdict_of(next, 1).front().verdict;
              REQUIRE(answer.plies() + (answer.plies() > 0) == line.verdict.plies());
              REQUIRE((answer.kind() == Verdict::Kind::endless) ==
                      (line.verdict.kind() == Verdict::Kind::endless));
              REQUIRE((answer.kind() == Verdict::Kind::win) ==
                      (line.verdict.kind() == Verdict::Kind::loss));
              REQUIRE((v.kind() != Verdict::Kind::win ||
                       line.verdict.kind() != Verdict::Kind::win ||
                       line.verdict.plies() >= v.plies()));
            }
          }
        }
        p.play(legal[random_below(random, legal.size())]);
      }
    }
    CHECK(proved > 100);
  }
}
