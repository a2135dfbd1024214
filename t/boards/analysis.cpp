// SPDX-License-Identifier: MIT
// Tests Analysis and threats: compares the verdicts with brute force, and checks the sentences.
#include <random>
#include <set>

#include "../exhaustive_solver.hpp"
#include "boards/analysis.hpp"
#include "engine/proved_verdict.hpp"
#include "ui/advice.hpp"
#include "retrograde_solver.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Returns the plies that can answer at least one legal ply.
std::set<std::string> possible_answers(const Position& position) {
  std::set<std::string> out;
  for (const std::string& ply : position.legal_plies()) {
    Position after = position;
    after.play(ply);
    for (const std::string& answer : after.legal_plies()) out.insert(answer);
  }
  return out;
}

// True if every legal ply of `next`, the position after a pass, is also legal after some real ply.
bool all_remain_legal(const Position& position, const Position& next) {
  const std::set<std::string> answers = possible_answers(position);
  const auto legal = next.legal_plies();
  return std::all_of(legal.begin(), legal.end(),
                     [&](const std::string& ply) { return answers.count(ply) > 0; });
}

Match match_of(const Setup& setup, const std::vector<std::string>& plies) {
  std::vector<std::string> names;
  for (int s = 0; s < setup.seats; ++s) names.push_back(std::string(1, static_cast<char>('a' + s)));
  Match out = *Match::start(*setup.game, setup.options, names, Time{});
  for (const std::string& ply : plies) out.add(*out.validate(*out.to_move(), ply, Time{}));
  return out;
}

Analysis analysed(const Match& match, const SearchLimits& limits = Analysis::kDefaultLimits) {
  Analysis out(match, limits);
  while (const auto n = out.next_index())
    out.add_result(match.game().think(out.position(*n), out.question()));
  return out;
}

// Returns a random game of at most `most` plies.
Match random_game(const Setup& setup, std::mt19937& random, std::size_t most) {
  std::vector<std::string> plies;
  Position p = setup.start();
  while (!p.outcome() && plies.size() < most) {
    const auto legal = p.legal_plies();
    plies.push_back(legal[random_below(random, legal.size())]);
    p.play(plies.back());
  }
  return match_of(setup, plies);
}

// Counts the sentences with proved verdicts, and requires each verdict to be true.
std::size_t count_exact_sentences(const Setup& setup, int games) {
  RetrogradeSolver truth(setup.start());
  std::mt19937 random(20261122);
  std::size_t exact = 0;
  for (int game = 0; game < games; ++game) {
    const Match match = random_game(setup, random, 60);
    // A little work, so that not everything is proved.
    const Analysis analysis = analysed(match, {.nodes = game % 2 == 0 ? 300U : 20'000U});
    for (std::size_t ply = 1; ply <= match.plies().size(); ++ply) {
      const auto found = analysis.assessment(ply);
      REQUIRE(found);
      const Position then = match.position_after(ply);
      const int best = truth.value_of(match.position_after(ply - 1));
      // At the end of a game brute force counts no plies.
      const auto end = then.outcome();
      const int after = end ? 0 : -truth.value_of(then);
      const int came = end && end->winner ? (*end->winner == match.plies()[ply - 1].seat ? 1 : -1)
                                          : after + (after > 0) - (after < 0);
      INFO(setup.name << ", game " << game << ", move " << ply << ": best " << best << ", came to "
                      << came << "; said " << verdict_text(found->best_verdict) << ", "
                      << verdict_text(found->played_verdict) << "; " << analysis.explanation(ply));
      const auto agrees = [](const Verdict& v, int value) {
        if (!v.is_proved()) return true;
        if (v.plies() > 0 && v.plies() != std::abs(value)) return false;
        return (v.kind() == Verdict::Kind::win) == (value > 0) &&
               (v.kind() == Verdict::Kind::loss) == (value < 0);
      };
      REQUIRE(agrees(found->best_verdict, best));
      REQUIRE(agrees(found->played_verdict, came));
      exact += found->best_verdict.is_proved() && found->played_verdict.is_proved() &&
               analysis.mark(ply) != MoveMark::none;
      // A ply that keeps the proved result gets a mark only if it lets a lost game end at once.
      if (found->best_verdict.is_proved() && found->played_verdict.is_proved() &&
          (best > 0) == (came > 0) && (best < 0) == (came < 0)) {
        const bool is_hasty = best < -2 && came == -2;
        REQUIRE((is_hasty || analysis.mark(ply) == MoveMark::none));
        if (is_hasty && found->best_verdict.plies() > 0)
          REQUIRE(analysis.mark(ply) == MoveMark::slip);
      }
    }
  }
  return exact;
}

}  // namespace

TEST_CASE("an analysis calls its reader you and says which player has the better start",
          "[analysis]") {
  const Match match = match_of(make_setup("chaos"), {"a2-c2"});
  Analysis found(match, SearchLimits{2'000});
  const auto answer = [&](const Verdict& verdict) {
    SearchResult out;
    const std::string ply = found.position(*found.next_index()).legal_plies().front();
    out.lines.push_back({ply, verdict, {ply}, {}});
    found.add_result(std::move(out));
  };
  found.set_own_seat(Seat{1});
  answer(Verdict::estimate(98));
  CHECK(found.summary().starts_with("a: no mistakes found. You: no mistakes found. "));
  answer(Verdict::estimate(2));
  while (found.next_index()) answer(Verdict::estimate(2));
  CHECK(found.summary() ==
        "a: no mistakes found. You: no mistakes found. The second player has the better start in "
        "Chaos.");
  CHECK(found.shown_seat() == 1);
  const auto lines = found.report_lines(70);
  CHECK(lines[1].starts_with("You (x): 0 moves, "));
  CHECK(contains(lines[3], "your chances against best play"));
  CHECK(lines[4] == "The second player has the better start in Chaos.");
}

TEST_CASE("what an analysis says exactly is true", "[analysis]") {
  CHECK(count_exact_sentences(make_setup("toot", {"-size=4x2"}), 60) > 20);
}

TEST_CASE("what an analysis says exactly is true, of many games", "[analysis][long]") {
  CHECK(count_exact_sentences(make_setup("toot", {"-size=4x2"}), 400) > 200);
  CHECK(count_exact_sentences(make_setup("toot", {"-size=4x2", "-tootris"}), 150) > 8);
}

TEST_CASE("a win that was played and not seen before may not be the quickest", "[analysis]") {
  // CO wins in 9 plies, another ply in 7.
  const Match match = match_of(
      make_setup("toot"), split_words("FT FT ET FO BO BO FT DT EO DT BO ET AO BO EO CO DT CO DO"));
  const Analysis analysis = analysed(match, {.nodes = 300});
  CHECK(verdict_text(analysis.assessment(15)->played_verdict) == "loss");
  CHECK(verdict_text(analysis.assessment(16)->best_verdict) == "win");
}

TEST_CASE("an analysis says which move lost, and what was better", "[analysis]") {
  // The second player ignores the threat of TOO.
  const Match match = match_of(make_setup("toot"), {"AT", "FO", "BO", "FT", "CO", "FO", "DT"});
  REQUIRE(match.ending());
  const Analysis analysis = analysed(match);
  CHECK(analysis.is_about(match));
  CHECK_FALSE(analysis.is_about(match.prefix_copy(5)));
  CHECK(analysis.percent_done() == 100);
  CHECK(analysis.mark(7) == MoveMark::none);
  CHECK(analysis.better_line(7).empty());
  std::size_t last = 0;
  for (std::size_t ply = 1; ply <= 7; ++ply)
    if (analysis.mark(ply) != MoveMark::none) last = ply;
  REQUIRE(last > 0);
  CHECK(match.plies()[last - 1].seat == 1);
  CHECK(analysis.marked_plies().back() == last);
  CHECK(analysis.better_line(last).front() != match.plies()[last - 1].text);
  CHECK(analysis.sentence(last).starts_with(match.plies()[last - 1].text));
  CHECK(contains(analysis.summary(), "a: "));
  // The summary is in words, and leaves out counts of zero.
  CHECK(contains(analysis.summary(), " blunder"));
  for (const std::string& line : analysis.report_lines(70)) CHECK_FALSE(contains(line, " 0 "));
  CHECK(analysed(match_of(make_setup("toot"), {"AT"})).summary() ==
        "a: no mistakes found. b: no mistakes found.");
  CHECK_FALSE(contains(analysed(match_of(make_setup("toot"), {"AT"})).report_lines(0).front(),
                       "gave away"));
  CHECK(analysis.report_lines(0).size() + 2 == analysis.report_lines(70).size());
  CHECK(analysis.curve(0, 80).size() == 8);
  CHECK(analysis.curve(0, 80).back() == '^');
  CHECK(analysis.curve(1, 3).size() == 3);
  CHECK(analysis.curve(1, 3).back() == '_');
  for (const std::size_t ply : {0U, 3U, 7U}) CHECK(analysis.curve_index(ply, 80) == ply);
  CHECK(analysis.curve_index(0, 3) == 0);
  CHECK(analysis.curve_index(3, 3) == 1);
  CHECK(analysis.curve_index(7, 3) == 2);
  CHECK(analysis.curve_index(7, 1) == 0);
}

TEST_CASE("what nobody can win is not called a tie", "[analysis]") {
  Analysis analysis(match_of(make_setup("chaos"), {"a1-c3", "e4-c2-c4-e4"}));
  const auto found = [](const std::string& ply, const Verdict& verdict) {
    SearchResult out;
    out.lines.push_back({ply, verdict, {ply}, {}});
    return out;
  };
  analysis.add_result(found("a3-c3", engine::ProvedVerdict::win(5)));
  analysis.add_result(found("d4-a1", engine::ProvedVerdict::endless()));
  CHECK(analysis.explanation(2) ==
        "d4-a1 leaves a game that nobody can win; this loses in 6 moves");
}

TEST_CASE("a note keeps what a person wrote, and the last analysis", "[analysis]") {
  const Match match = match_of(make_setup("toot"), {"AT", "FO", "BO", "FT", "CO", "FO", "DT"});
  const Analysis analysis = analysed(match);
  const std::size_t ply = analysis.marked_plies().back();
  const std::string words = analysis.updated_note(ply, "");
  CHECK(words.front() == '[');
  CHECK(words.back() == ']');
  CHECK(contains(words, analysis.explanation(ply)));
  CHECK(analysis.updated_note(ply, "oh no") == "oh no " + words);
  CHECK(analysis.updated_note(ply, "oh no " + words) == "oh no " + words);
  CHECK(analysis.updated_note(ply, "oh no [?? older words]") == "oh no " + words);
  CHECK(analysis.updated_note(7, "mine [?? older words]") == "mine");
  CHECK(analysis.updated_note(ply, std::string(390, 'x')) == std::string(390, 'x'));
  CHECK(analysis.updated_note(7, "brave [see game 3]") == "brave [see game 3]");
  CHECK(analysis.updated_note(7, "brave [?] [see]") == "brave [?] [see]");
  CHECK(analysis.updated_note(7, "mine [see] [?! older words]") == "mine [see]");
}

TEST_CASE("an analysis marks a move that lets a lost game end at once", "[analysis]") {
  // CO loses, and DT lets the opponent spell OTTO.
  const Match match = match_of(make_setup("toot"), {"CO", "AO", "CO", "FO", "DT", "ET"});
  REQUIRE(match.ending());
  const Analysis analysis = analysed(match);
  CHECK(analysis.mark(1) == MoveMark::blunder);
  CHECK(analysis.mark(5) == MoveMark::slip);
  CHECK(contains(analysis.sentence(5), "win at once with ET"));
  CHECK(analysis.better_line(5).front() != "DT");
}

TEST_CASE("an analysis that has not ended says so, and leaves other notes alone", "[analysis]") {
  Match match = match_of(make_setup("toot"), {"AT", "FO", "BO", "FT", "CO", "FO", "DT"});
  match.add(*match.validate_note(1, "old [?? an earlier analysis]", Time{}));
  const Analysis begun(match, SearchLimits{2'000});
  CHECK(contains(begun.summary(), "0 % of the game is analysed"));
  CHECK(note_requests(begun, match).empty());
  CHECK_FALSE(contains(analysed(match).summary(), "is analysed"));
  CHECK_FALSE(note_requests(analysed(match), match).empty());
}

TEST_CASE("what is proved of a ply holds of the position behind it", "[analysis]") {
  const Analysis analysis =
      analysed(match_of(make_setup("toot"), {"AO", "AO", "BO", "AO", "BT", "BT", "EO", "BO"}));
  // AO loses, and b keeps the win.
  CHECK(analysis.mark(1) == MoveMark::blunder);
  for (std::size_t ply = 1; ply <= 8; ++ply) {
    INFO(ply);
    // EO lets b win at once.
    const bool is_expected =
        ply == 1 || analysis.mark(ply) == (ply == 7 ? MoveMark::slip : MoveMark::none);
    CHECK(is_expected);
    CHECK(analysis.chance(ply) == 0);
  }
}

TEST_CASE("where somebody has given up the moves are judged of those who play on", "[analysis]") {
  const Setup setup = make_setup("plotto", {}, 3);
  const Match match =
      match_of(setup, {"a1", "a2", "a3", "resign", "b4", "c4", "d2", "d1", "f4", "f3", "a4", "b1"});
  REQUIRE(match.plies().size() == 11);
  const Analysis analysis = analysed(match);
  for (std::size_t n = 3; n < 11; ++n) {
    INFO(n);
    CHECK(analysis.position(n).to_move() == match.plies()[n].seat);
  }
  CHECK_FALSE(contains(analysis.sentence(11), "wins at once"));
  CHECK(analysis.assessment(11));
}

TEST_CASE("an analysis that is broken off says what is known by then", "[analysis]") {
  std::mt19937 random(3);
  const Match match = random_game(make_setup("plotto", {}, 3), random, 6);
  Analysis analysis(match);
  CHECK(analysis.percent_done() == 0);
  while (!analysis.assessment(5))
    analysis.add_result(
        match.game().think(analysis.position(*analysis.next_index()), analysis.question()));
  CHECK(analysis.next_index());
  CHECK(analysis.assessment(6));
  CHECK(analysis.assessment(5));
  CHECK_FALSE(analysis.assessment(4));
  CHECK(analysis.mark(2) == MoveMark::none);
  CHECK(analysis.curve(0, 40).substr(0, 4) == "    ");
  CHECK(contains(join(analysis.report_lines(70), "\n"), "1 looked at"));
}

TEST_CASE("the same game is judged the same way twice", "[analysis]") {
  std::mt19937 random(7);
  for (const char* name : {"flooprail", "soccolot"}) {
    const Match match = random_game(make_setup(name), random, 20);
    CHECK(analysed(match, {.nodes = 3000}).report_lines(70) ==
          analysed(match, {.nodes = 3000}).report_lines(70));
  }
}

TEST_CASE("a turn that is passed over changes nothing but who is to move", "[threats]") {
  for (const char* game : {"toot", "flooprail", "plotto", "chaos", "soccolot"})
    CHECK(make_setup(game).start().after_skip());
  for (const Setup& setup : all_setups()) {
    std::mt19937 random(20261122);
    INFO(setup.name);
    for (int game = 0; game < 6; ++game) {
      const Match match = random_game(setup, random, 40);
      for (std::size_t n = 0; n + 1 < match.plies().size(); ++n) {
        const Position now = match.position_after(n);
        Position next = now;
        for (int s = 0; s < setup.seats; ++s) {
          const auto passed = next.after_skip();
          if (!passed) {
            REQUIRE_FALSE(setup.start().after_skip());
            break;
          }
          REQUIRE(passed->to_move() != next.to_move());
          REQUIRE(passed->draw(View{}).rows == now.draw(View{}).rows);
          next = *passed;
          if (next.outcome()) break;
        }
        if (!next.outcome()) REQUIRE(next == now);
      }
    }
  }
}

TEST_CASE("what is said to be threatened is so", "[threats]") {
  const Setup setup = make_setup("toot", {"-size=4x3"});
  std::mt19937 random(20261122);
  RetrogradeSolver solved;
  int wins = 0, later = 0, none = 0;
  for (int game = 0; game < 60; ++game) {
    const Match all = random_game(setup, random, 60);
    for (std::size_t n = 0; n < all.plies().size(); ++n) {
      const Match match = all.prefix_copy(n);
      const auto next = position_after_pass(match);
      REQUIRE(next);
      SearchRequest question;
      question.limits.nodes = 2000;
      const Threats threats =
          find_threats(match, next->legal_plies().empty() ? SearchResult{}
                                                          : match.game().think(*next, question));
      REQUIRE(threats.position == match.position());
      const int worth = next->legal_plies().empty() ? 0 : solved.value_of(*next);
      if (!all_remain_legal(match.position(), *next)) continue;
      INFO("game " << game << ", after " << n << ": worth " << worth << ", " << threats.text);
      REQUIRE(contains(threats.text, "threatens to win at once") == (worth == 1));
      if (contains(threats.text, " a win in ")) {
        REQUIRE(contains(threats.text, " a win in " + std::to_string(worth) + ": "));
        ++later;
      } else if (worth != 1) {
        REQUIRE(contains(threats.text, "No threats from"));
        REQUIRE(threats.spots.empty());
        ++none;
      } else {
        REQUIRE_FALSE(threats.spots.empty());
        ++wins;
      }
    }
  }
  CHECK(wins > 20);
  CHECK(later > 20);
  CHECK(none > 20);
}

TEST_CASE("why several plies win is told where it is the same of all", "[threats]") {
  const std::vector<std::string> plies{"CT", "DO", "CO", "DT", "BT", "EO", "CO"};
  CHECK(find_threats(match_of(make_setup("toot"), plies), {}).text ==
        "a threatens to win at once with CT or FT.");
  CHECK(find_threats(match_of(make_setup("toot"), {"CT", "DO", "CO", "DO", "CO"}), {}).text ==
        "a threatens to win at once with CT: TOOT stands in column C.");
}

TEST_CASE("a win behind which nothing can be done but to pass is threatened at once", "[threats]") {
  std::istringstream plies(
      "a1-c3 d4-a1 a2-c4-c2 e3-c1-c4-a2 a3-e3-c1 e5-c5-a3-e3-e5 d2-d4 e4-c4 d3-a3-c5 a1-a3-d3 "
      "b1-e4 b2-d2 d3-a3 d5-d3 c1-e3 d4-b2 a3-a1-d4 d3-a3-a1 c5-a3-d3 a1-a3-c5 e3-a3-a1 e5-e3-a3 "
      "a2-d5 c5-e5-e3 c4-c1 d3-b1 b2-e5-c5 e4-c4-a2 d2-b2 a2-d2 d5-d3 c2-c4-a2-c2 c1-c4 b4-e4 "
      "d3-d5-a2 a3-d3 a1-c1 c3-e5 c1-a1-a3-c3-a1 e3-c1-c3 c4-c1 e4-c4 c2-e4-b4 d2-d5 c5-c2-e4 "
      "e5-e3-a3 b2-e5-e3");
  Match match = *Match::start(*find_game("chaos"), {},
                              *complete_seating(*find_game("chaos"), {"a", "b"}), Time{});
  for (std::string ply; plies >> ply;) match.add(*match.validate(*match.to_move(), ply, Time{}));
  CHECK(contains(find_threats(match, {}).text, "a threatens to win at once"));
}

TEST_CASE("what can be taken next is told and marked", "[threats]") {
  for (const Setup& setup :
       {make_setup("flooprail"), make_setup("chaos"), make_setup("soccolot")}) {
    std::mt19937 random(20261122);
    int taken = 0, none = 0, gone = 0;
    for (int game = 0; game < 10; ++game) {
      const Match all = random_game(setup, random, 60);
      for (std::size_t n = 0; n < all.plies().size(); ++n) {
        const Match match = all.prefix_copy(n);
        const Position next = *position_after_pass(match);
        bool takes = false, wins = false;
        const std::set<std::string> answers = possible_answers(match.position());
        for (const std::string& ply : next.legal_plies()) {
          // A ply that a compulsory capture prevents is no threat.
          if (answers.count(ply) == 0) {
            ++gone;
            continue;
          }
          const Position after = play_with_pass(next, ply);
          takes = takes || after.holdings(1 - next.to_move()) != next.holdings(1 - next.to_move());
          wins = wins || (after.outcome() && after.outcome()->winner == next.to_move());
        }
        const Threats threats = find_threats(match, {});
        INFO(setup.name << ", game " << game << ", after " << n << ": " << threats.text);
        REQUIRE(contains(threats.text, "threatens to win at once") == wins);
        REQUIRE(threats.spots.empty() == (!takes && !wins));
        if (!takes && !wins) REQUIRE(contains(threats.text, "No threats from"));
        ++(takes ? taken : none);
      }
    }
    CHECK((taken > 20) == (std::string(setup.game->name) != "soccolot"));
    if (std::string(setup.game->name) == "flooprail") CHECK(gone > 20);
    CHECK(none > 20);
  }
}
