// SPDX-License-Identifier: MIT
// Tests the reasons behind hints and mistakes: known positions of each game, and by random ones
// that the rules confirm each sentence.
#include "boards/reasons.hpp"

#include <map>
#include <random>
#include <regex>
#include <set>

#include "engine/proved_verdict.hpp"
#include "support.hpp"
#include "ui/advice.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

Match match_of(const Setup& setup) {
  std::vector<std::string> names{"ann", "bob", "cy", "dot"};
  names.resize(index(setup.seats));
  return *Match::start(*setup.game, setup.options, names, Time{});
}

// Returns the position after a ply and a forced pass.
Position after(Position position, const std::string& ply) {
  position.play(ply);
  if (const auto legal = position.legal_plies(); legal == std::vector<std::string>{"pass"})
    position.play("pass");
  return position;
}

// Returns the reasons of all wins at once, by ply.
std::map<std::string, std::string> wins_of(const Position& position) {
  std::map<std::string, std::string> out;
  for (const std::string& ply : position.legal_plies())
    if (const auto end = after(position, ply).outcome(); end && end->winner == position.to_move())
      out[ply] = end->reason;
  return out;
}

bool has_reason(const std::map<std::string, std::string>& wins, const std::string& reason) {
  return std::ranges::any_of(wins, [&](const auto& win) { return win.second == reason; });
}

// Returns the pieces by spot.
std::map<SpotId, std::string> pieces_of(const Position& position) {
  std::map<SpotId, std::string> out;
  for (const Spot& spot : position.draw(View{}).spots)
    if (!spot.content.empty()) out[spot.id] = spot.content;
  return out;
}

std::vector<std::string> list_of(std::string text) {
  text = std::regex_replace(text, std::regex(", | or | and "), " ");
  return split_words(text);
}

// The squares that lose their piece or change it when another seat plays `ply`.
std::set<std::string> taken_by(const Position& position, const std::string& ply) {
  Position then = position;
  then.play(ply);
  const auto old = pieces_of(position), now = pieces_of(then);
  const auto way = position.selected_spots(ply);
  std::set<std::string> out;
  for (const Spot& spot : position.draw(View{}).spots)
    if (old.contains(spot.id) && std::ranges::count(way, spot.id) == 0 &&
        (!now.contains(spot.id) || now.at(spot.id) != old.at(spot.id)))
      out.insert(spot.name);
  return out;
}

std::set<std::string> set_of(const std::string& list) {
  const auto words = list_of(list);
  return {words.begin(), words.end()};
}

// Checks what `text` claims about a ply in `before`. Returns the number of claims.
int check_claims(const Position& before, const std::string& ply, const std::string& text,
                 const std::vector<std::string>& line) {
  int claims = 0;
  const auto find = [&](const std::string& pattern, std::smatch& found) {
    const bool is_here = std::regex_search(text, found, std::regex(pattern));
    claims += is_here;
    return is_here;
  };
  const Position then = after(before, ply);
  const Seat mover = before.to_move();
  const auto others = [&] {
    auto out = before.legal_plies();
    std::erase(out, ply);
    return out;
  }();
  // All plies of a game have letters, digits and dashes.
  const std::string me = "(?:^|[ .])" + ply, reason = R"(\(result[^:]*: ([^()]*)\))";
  std::smatch m;
  INFO(text);
  if (find(me + " wins at once \\(result: (.*)\\)\\.", m)) {
    REQUIRE(then.outcome());
    CHECK(then.outcome()->winner == mover);
    CHECK(then.outcome()->reason == m[1]);
  }
  if (find(me + " lets .*? win at once(?: with ([^(]*))? " + reason, m)) {
    const auto wins = wins_of(then);
    CHECK(has_reason(wins, m[2]));
    for (const std::string& named : list_of(m[1]))
      if (!is_digit(named[0]) || named.size() > 1)
        CHECK((wins.contains(named) || named == "others"));
  }
  if (find(me + " stops .*? win(?: with [^(]*)? " + reason, m)) {
    CHECK(wins_of(then).empty());
    CHECK(std::ranges::any_of(others, [&](const std::string& other) {
      return has_reason(wins_of(after(before, other)), m[1]);
    }));
  }
  if (find(me + " offers an exchange: ([\\w-]+) captures (.*), then ([\\w-]+) captures ([^.]*)",
           m)) {
    CHECK(taken_by(then, m[1]) == set_of(m[2]));
    CHECK(taken_by(after(then, m[1]), m[3]) == set_of(m[4]));
  }
  if (find(me + " holds out longest: .* needs? (\\d+) good moves", m)) {
    CHECK(std::stoi(m[1]) > 1);
    CHECK(wins_of(then).empty());
  }
  if (find("Better: " + ply + " stops that", m)) CHECK(wins_of(then).empty());
  if (find("is the only move that does not let|; all other moves lose at once", m)) {
    CHECK(wins_of(then).empty());
    CHECK_FALSE(others.empty());
    for (const std::string& other : others) CHECK_FALSE(wins_of(after(before, other)).empty());
  }
  if (before.seats() == 2 && find(me + " threatens to win(?: with [^(]*)? " + reason, m)) {
    std::vector<std::string> stops;
    bool is_real = false;
    for (const std::string& answer : then.legal_plies()) {
      const Position last = after(then, answer);
      const auto left = wins_of(last);
      const auto end = last.outcome();
      if (left.empty() && !(end && end->winner == mover)) stops.push_back(answer);
      is_real = is_real || has_reason(left, m[1]);
    }
    CHECK(is_real);
    if (text.find("; after every answer, the next move wins") != std::string::npos)
      CHECK(stops.empty());
    if (std::smatch only;
        std::regex_search(text, only, std::regex("can stop that only with ([\\w-]+)")))
      CHECK(stops == std::vector<std::string>{only[1]});
  }
  if (find(me + " begins a ladder of (\\d+) threats: .* The result is then: ([^.]*)", m)) {
    Position at = before;
    int rungs = 0;
    for (const std::string& next : line) {
      const bool own = at.to_move() == mover;
      at = after(at, next);
      if (!own || at.outcome()) continue;
      ++rungs;
      CHECK(std::ranges::any_of(at.legal_plies(), [&](const std::string& answer) {
        return !wins_of(after(at, answer)).empty();
      }));
    }
    CHECK(rungs == std::stoi(m[1]));
    REQUIRE(at.outcome());
    CHECK(at.outcome()->winner == mover);
    CHECK(at.outcome()->reason.starts_with(std::string(m[2])));
  }
  if (find(me + " captures (.*?)(?:, and .* can | and leaves )", m)) {
    CHECK(taken_by(before, ply) == set_of(m[1]));
    std::smatch back;
    if (text.find("nothing in return") != std::string::npos)
      for (const std::string& answer : then.legal_plies()) CHECK(taken_by(then, answer).empty());
    if (std::regex_search(text, back, std::regex("can then capture ([^.;]*) with ([\\w-]+)")))
      CHECK(taken_by(then, back[2]) == set_of(back[1]));
  }
  if (find(me + " saves ([^:]*): after ([\\w-]+), for example, .* with ([\\w-]+)", m)) {
    CHECK(taken_by(after(before, m[2]), m[3]) == set_of(m[1]));
    for (const std::string& answer : then.legal_plies()) CHECK(taken_by(then, answer).empty());
  }
  if (find(" leaves [^.]* only ([\\w-]+?)(?:$|[ .,;])", m))
    CHECK(then.legal_plies() == std::vector<std::string>{m[1]});
  if (find("In the expected (\\d+) moves from " + ply +
               " on, (\\w+) captures (\\d+) and \\w+ (\\d+)",
           m)) {
    CHECK(std::stoul(m[1]) == line.size());
    std::array<std::size_t, 2> counts{};
    Position at = before;
    for (const std::string& next : line) {
      counts[index(at.to_move())] += taken_by(at, next).size();
      at.play(next);
    }
    const Seat more = m[2] == "ann" ? 0 : 1;
    CHECK(std::to_string(counts[index(more)]) == m[3]);
    CHECK(std::to_string(counts[index(1 - more)]) == m[4]);
  }
  if (find(me + " (wins against every answer|loses against the best answers); the expected (\\d+) "
                "moves? end with this: ([^.]*)",
           m)) {
    Position at = before;
    for (const std::string& next : line)
      if (!at.outcome()) at = after(at, next);
    CHECK(std::stoul(m[2]) == line.size());
    REQUIRE(at.outcome());
    CHECK(at.outcome()->reason.starts_with(std::string(m[3])));
    CHECK((at.outcome()->winner == mover) == m[1].str().starts_with("wins"));
  }
  // The purposes.
  if (find(me + " (?:flips [^.]* and )?leaves [ox] (\\d+) pieces?, and (\\d+) of them can jump",
           m)) {
    CHECK(then.holdings(1 - mover).starts_with(std::string(m[1]) + " piece"));
    std::set<SpotId> from;
    for (const std::string& answer : then.legal_plies())
      if (answer != "pass") from.insert(then.selected_spots(answer).front());
    CHECK(std::to_string(from.size()) == m[2]);
  }
  if (find("must Fleap, because", m) || find("has no Fleap then", m)) {
    const bool must = text.find("must Fleap") != std::string::npos;
    for (const std::string& answer : then.legal_plies())
      CHECK(then.describe(answer).starts_with("Fleaps") == must);
  }
  if (find(" (?:within (\\d+) spaces?) of its goal", m)) {
    // A Flooper goes one space nearer in each Floop.
    const std::string to = ply.substr(ply.size() - 2);
    const int sum = to[0] - 'A' + to[1] - '0';
    CHECK(std::stoi(m[1]) == (mover == 0 ? 11 - sum : sum - 4));
  }
  if (find("(?:takes (\\d+) lines? from \\w+:|quiet move:) \\w+ still fits on (\\d+) lines? "
           "and \\w+ on (\\d+)",
           m)) {
    const auto lines = [](const Position& position, Seat seat) {
      std::map<std::pair<int, int>, std::string> cells;
      for (const Spot& s : position.draw(View{}).spots) cells[{s.row, s.column / 2}] = s.content;
      int out = 0;
      for (const auto& [at, content] : cells)
        for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
          bool fits = true;
          for (int i = 0; i < 4 && fits; ++i) {
            const auto cell = cells.find({at.first + i * down, at.second + i * right});
            const std::string wanted = (i % 3 == 0) == (seat == 0) ? "T" : "O";
            fits = cell != cells.end() && (cell->second.empty() || cell->second == wanted);
          }
          out += fits;
        }
      return out;
    };
    CHECK(std::stoi(m[2]) == lines(then, mover));
    CHECK(std::stoi(m[3]) == lines(then, 1 - mover));
    if (m[1].matched) CHECK(std::stoi(m[1]) == lines(before, 1 - mover) - lines(then, 1 - mover));
  }
  return claims;
}

AnalysisLine think(const Setup& setup, const Position& position, std::uint64_t nodes) {
  SearchRequest question;
  question.limits.nodes = nodes;
  return setup.game->think(position, question).lines.front();
}

std::string why(const Setup& setup, const Position& position, std::uint64_t nodes = 30'000) {
  const Match match = match_of(setup);
  return explain_line({match}, position, think(setup, position, nodes)).text;
}

// Returns the reason against the last of `plies`.
std::string why_bad(const Setup& setup, const std::string& plies, const std::string& bad) {
  const Match match = match_of(setup);
  const Position before = play_plies(setup.start(), plies), then = play_plies(before, bad);
  const AnalysisLine better = think(setup, before, 30'000);
  const auto answer = then.outcome() ? std::nullopt : std::optional(think(setup, then, 30'000));
  return explain_mistake({match, 0}, before, bad, better, answer ? &*answer : nullptr).text;
}

}  // namespace

TEST_CASE("every claim of a reason holds by the rules, in random positions of each game",
          "[reasons]") {
  std::mt19937 random(5);
  std::map<std::string, int> claims;
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    const Match match = match_of(setup);
    const bool is_slow = setup.name.find("14x20") != std::string::npos || setup.seats > 3;
    for (int game = 0; game < (is_slow ? 1 : 4); ++game) {
      Position position = setup.start();
      for (int n = 0; n < 40 && !position.outcome(); ++n) {
        const auto legal = position.legal_plies();
        const std::string random_ply = legal[random_below(random, legal.size())];
        if (random_below(random, is_slow ? 10 : 2) == 0) {
          const AnalysisLine best = think(setup, position, 2'000);
          AnalysisLine other{random_ply, {}, {random_ply}, {}};
          for (const AnalysisLine& line : {best, other}) {
            const Reason found = explain_line({match}, position, line);
            CHECK_FALSE(found.text.empty());
            claims[std::string(setup.game->name)] +=
                check_claims(position, line.ply, found.text, line.variation);
          }
          const Position then = play_plies(position, random_ply);
          if (!then.outcome()) {
            const AnalysisLine answer = think(setup, then, 2'000);
            const std::string text =
                explain_mistake({match}, position, random_ply, best, &answer).text;
            CHECK_FALSE(text.empty());
            const auto split = text.find("Better: ");
            const std::string bad = text.substr(0, split);
            if (bad.starts_with("Then ") || bad.starts_with("In the"))
              claims[std::string(setup.game->name)] +=
                  check_claims(then, answer.ply, bad, answer.variation);
            else if (!bad.starts_with(best.ply)) check_claims(position, random_ply, bad, {});
            if (split != std::string::npos)
              check_claims(position, best.ply, text.substr(split), best.variation);
          }
        }
        position.play(random_ply);
      }
    }
  }
  for (const GameType& game : all_games()) {
    INFO(game.name);
    CHECK(claims[std::string(game.name)] > 10);
  }
}

TEST_CASE("a reason in Toot tells of names, threats and lines", "[reasons][toot]") {
  const Setup toot = make_setup("toot");
  const Match match = match_of(toot);
  const auto explain = [&](const std::string& plies, const std::string& ply) {
    return explain_line({match, 0}, play_plies(toot.start(), plies), {ply, {}, {ply}, {}});
  };
  const Reason win = explain("BT AT CO AO DO AO", "ET");
  CHECK(win.text == "ET wins at once (result: TOOT stands in the bottom row, B to E).");
  CHECK(win.spots.size() == 4);
  // The position of a blunder: TOOT lacks only a T in column E.
  const std::string plies = "BT AT CO CT DO";
  CHECK(explain(plies, "EO")
            .text.starts_with(
                "EO stops your win with ET (result: TOOT stands in the bottom row, B to E)"));
  CHECK(
      contains(explain(plies, "AT").text, "AT lets you win at once with ET (result: TOOT stands"));
  CHECK(explain("BT AT CO CT", "DO")
            .text.starts_with("DO threatens to win with ET (result: TOOT stands in the bottom row, "
                              "B to E); bob (OTTO) can stop that "
                              "only with EO."));
  CHECK(contains(why_bad(toot, plies, "AT"), "Better: E"));
  CHECK(contains(why_bad(toot, "BT CO DO FO", "AT"), "ET wins at once (result: TOOT stands"));
}

TEST_CASE("a reason in FloopRail tells of captures and compulsory jumps", "[reasons][flooprail]") {
  const Setup game = make_setup("flooprail");
  const Match match = match_of(game);
  const auto explain = [&](const std::string& plies, const std::string& ply) {
    return explain_line({match, 0}, play_plies(game.start(), plies), {ply, {}, {ply}, {}});
  };
  CHECK(explain("C4-C5", "E5-D5").text ==
        "E5-D5 leaves you only C5-E5, which captures D5; then E6-E4 captures E5.");
  CHECK(contains(explain("", "C4-C5").text, "is a quiet move"));
  // A Flooper that is captured at once does not come nearer to its goal.
  const AnalysisLine exchange{"C5-D5", Verdict::estimate(50), {"C5-D5", "E5-C5", "B5-D5"}, {}};
  CHECK(explain_line({match, 0}, play_plies(game.start(), "C4-C5 F4-E4"), exchange).text ==
        "C5-D5 offers an exchange: E5-C5 captures D5, then B5-D5 captures C5.");
  // In the reverse game captures are no gain.
  const Setup reverse = make_setup("flooprail", {"-reverse"});
  CHECK_FALSE(contains(explain_line({match_of(reverse)}, play_plies(reverse.start(), "C4-C5"),
                                    {"E5-D5", {}, {"E5-D5"}, {}})
                           .text,
                       "capture"));
}

TEST_CASE("a reason in Chaos tells of flips and of the jumps that are left", "[reasons][chaos]") {
  const Setup game = make_setup("chaos");
  CHECK(why(game, game.start())
            .ends_with(" x 7 pieces, and 4 of them can jump next. A player without a jump loses."));
  const std::string plies = "a2-c2 e3-c3-c1 a1-c3";
  CHECK(contains(why_bad(game, plies + " c2-a2-c4-c2", "a3-e3"), "lets bob (x) win at once"));
}

TEST_CASE("a reason in Plotto tells of lines of four", "[reasons][plotto]") {
  const Setup game = make_setup("plotto");
  const std::string plies = "a1 d2 a3 a2 a1 c4 b2 e1";
  CHECK(contains(why_bad(game, plies, "c1"), "c1 lets bob (2) win at once with d2 (result: 2 3 4"));
}

TEST_CASE("a reason in Soccolot tells of the ball and the goals", "[reasons][soccolot]") {
  const Setup game = make_setup("soccolot");
  const Match match = match_of(game);
  const auto explain = [&](const std::string& plies, const std::string& ply) {
    return explain_line({match, 0}, play_plies(game.start(), plies), {ply, {}, {ply}, {}});
  };
  CHECK(explain("", "2rs").text == "2rs wins or loses nothing at once.");
  CHECK(explain("2rs 3rn", "2rse").text ==
        "2rse brings B2 within 2 squares of the ball, and nobody stands beside the ball.");
  CHECK(explain("2rs 3rn 2rse", "3rnw").text ==
        "3rnw brings W3 next to the ball, and only White has a man beside the ball.");
}

TEST_CASE("a purpose of Soccolot serves its player, in random positions", "[reasons][soccolot]") {
  const Setup game = make_setup("soccolot");
  std::mt19937 random(11);
  int reasons = 0;
  for (int n = 0; n < 8; ++n) {
    Position position = game.start();
    for (int i = 0; i < 60 && !position.outcome(); ++i) {
      const auto legal = position.legal_plies();
      const std::string ply = legal[random_below(random, legal.size())];
      const Reason found = game.game->purpose(position, ply);
      reasons += !found.text.empty();
      INFO(found.text);
      CHECK_FALSE(contains(found.text, "away from the "));
      CHECK_FALSE(contains(found.text, "takes B"));
      CHECK_FALSE(contains(found.text, "takes W"));
      if (contains(found.text, "nearer to "))
        CHECK(contains(found.text, position.to_move() == 0 ? "south goal" : "north goal"));
      position.play(ply);
    }
  }
  CHECK(reasons > 50);
}

TEST_CASE("a purpose of Plotto never compares equal counts", "[reasons][plotto]") {
  for (const int seats : {2, 3}) {
    const Setup game = make_setup("plotto", {}, seats);
    std::mt19937 random(3);
    int reasons = 0;
    for (int n = 0; n < 20; ++n) {
      Position position = game.start();
      for (int i = 0; i < 12 && !position.outcome(); ++i) {
        const auto legal = position.legal_plies();
        const std::string ply = legal[random_below(random, legal.size())],
                          text = game.game->purpose(position, ply).text;
        reasons += !text.empty();
        INFO(text);
        // The mover has more places, or wins more of them, than each opponent.
        std::vector<std::pair<int, int>> counts;  // before and after, by seat
        const std::regex count("(?:from (\\d+) to )?(\\d+)(?: places?[\\w ]*?)? for player \\d");
        for (std::sregex_iterator at(text.begin(), text.end(), count), end; at != end; ++at)
          counts.emplace_back((*at)[1].matched ? std::stoi((*at)[1])
                              : contains(text, "still " + (*at)[2].str() + " ")
                                  ? std::stoi((*at)[2])
                                  : 0,
                              std::stoi((*at)[2]));
        for (std::size_t s = 0; s < counts.size(); ++s)
          if (s != index(position.to_move()))
            CHECK(counts[index(position.to_move())].second -
                      counts[index(position.to_move())].first >
                  counts[s].second - counts[s].first);
        CHECK((text.empty() || counts.size() == index(seats)));
        CHECK((text.empty() || contains(text, "where a line of four may still end")));
        position.play(ply);
      }
    }
    CHECK(reasons > 20);
  }
}

TEST_CASE("a reason in the reverse game of FloopRail serves the reverse goal",
          "[reasons][flooprail]") {
  const Setup game = make_setup("flooprail", {"-reverse"});
  const Match match = match_of(game);
  const auto explain = [&](const std::string& plies, const std::string& ply) {
    return explain_line({match, 0}, play_plies(game.start(), plies), {ply, {}, {ply}, {}}).text;
  };
  CHECK(explain("", "C4-C5") == "C4-C5 wins or loses nothing at once.");
  CHECK(explain("C4-C5", "E5-D5") == "E5-D5 leaves you only C5-E5, which takes D5.");
  std::mt19937 random(5);
  int gifts = 0;
  for (int n = 0; n < 10; ++n) {
    Match played = match;
    Position position = game.start();
    for (int i = 0; i < 60 && !position.outcome(); ++i) {
      const auto legal = position.legal_plies();
      const std::string ply = legal[random_below(random, legal.size())],
                        text = game.game->purpose(position, ply).text;
      CHECK_FALSE(contains(text, "no Fleap"));
      CHECK_FALSE(contains(text, "of its goal"));
      position.play(ply);
      played.add(*played.validate(*played.to_move(), ply, Time{}));
      // Nobody wants to capture, so a capture is no threat.
      if (position_after_pass(played))
        CHECK_FALSE(
            std::regex_search(find_threats(played, {}).text, std::regex("threatens? [A-H][1-7]")));
      if (!contains(text, "gives a Flooper away")) continue;
      ++gifts;
      for (const std::string& answer : position.legal_plies())
        CHECK(position.describe(answer).starts_with("Fleaps"));
    }
  }
  CHECK(gifts > 10);
}

TEST_CASE("the reason for an only move is that there is no other", "[reasons]") {
  const Setup game = make_setup("flooprail");
  const Match match = match_of(game);
  const Position forced = play_plies(game.start(), "C4-C5 E5-D5");
  REQUIRE(forced.legal_plies().size() == 1);
  CHECK(explain_line({match, 0}, forced, {"C5-E5", {}, {"C5-E5"}, {}}).text ==
        "There is no other move.");
}

TEST_CASE("a reason calls the reader's own side you, at the end of the game too", "[reasons]") {
  const Setup game = make_setup("soccolot");
  const Match match = match_of(game);
  std::mt19937 random(2);
  int goals = 0;
  for (int n = 0; n < 30; ++n) {
    Position position = game.start();
    for (int i = 0; i < 150 && !position.outcome(); ++i) {
      const auto legal = position.legal_plies();
      for (const std::string& ply : legal) {
        const auto end = after(position, ply).outcome();
        if (!end || legal.size() == 1) continue;
        ++goals;
        const Seat mover = position.to_move();
        const std::string side = position.side_name(mover),
                          own = explain_line({match, mover}, position, {ply, {}, {ply}, {}}).text,
                          other =
                              explain_line({match, 1 - mover}, position, {ply, {}, {ply}, {}}).text;
        INFO(own);
        CHECK(contains(own, end->winner == mover
                                ? "wins at once (result: you scored in "
                                : "loses at once (result: you scored an own goal in "));
        CHECK(contains(other, ": " + side + " scored "));
      }
      position.play(legal[random_below(random, legal.size())]);
    }
  }
  CHECK(goals > 5);
}

TEST_CASE("a hint names its gains in plain sentences, for each term of each game",
          "[reasons][hint]") {
  std::map<std::string, std::set<std::string>> terms;
  std::mt19937 random(7);
  for (const Setup& setup : all_setups()) {
    if (setup.seats > 2 || contains(setup.name, "14x20")) continue;
    Position position = setup.start();
    for (int i = 0; i < 30 && !position.outcome(); ++i) {
      SearchRequest glance;
      glance.limits.nodes = 1;
      for (const EvaluationTerm& term : setup.game->think(position, glance).terms)
        terms[std::string(setup.game->name)].insert(term.name);
      const auto legal = position.legal_plies();
      position.play(legal[random_below(random, legal.size())]);
    }
  }
  CHECK(terms.size() == all_games().size());
  for (const auto& [game, names] : terms) {
    const Match match = match_of(make_setup(game));
    const std::string ply = match.position().legal_plies().back();
    for (const std::string& name : names) {
      if (name.empty()) continue;  // says nothing to people
      const auto hint = [&](int points) {
        Hint out(match, {{ply, Verdict::estimate(45), {ply}, {}}, {{name, points}}}, true, Seat{0});
        std::string text;
        while (!out.is_complete()) text = out.next_step().text;
        return text;
      };
      const std::string verb = name.substr(0, name.find(' '));
      INFO(hint(5) << "\n" << hint(-5));
      REQUIRE(verb.ends_with("s"));
      CHECK(hint(5).ends_with(" you " + verb.substr(0, verb.size() - 1) + name.substr(verb.size()) +
                              "."));
      CHECK(contains(hint(-5), " bob " + name + ", but "));
    }
  }
  const Match match = match_of(make_setup("toot"));
  const std::vector<EvaluationTerm> some{{"gains threats", 5}, {"gains open lines", -3}};
  Hint both(match, {{"BT", Verdict::estimate(45), {"BT"}, {}}, some}, true, Seat{0});
  both.next_step();
  CHECK_FALSE(contains(both.next_step().text, "gain threats"));
  CHECK(both.next_step().text.ends_with(" you gain threats, but bob gains open lines."));
}

TEST_CASE("a hint at the start of a lost game says whose the better start is", "[reasons][hint]") {
  const Match match = match_of(make_setup("plotto"));
  Hint lost(match, {{"a1", engine::ProvedVerdict::loss(14), {"a1"}, {}}, {}});
  const std::string better = "The second player has the better start in Plotto.";
  CHECK(contains(lost.next_step().text, better));
  const std::string move = lost.next_step().text;
  CHECK(move.starts_with("Hint: a1 "));
  CHECK(contains(move, better));
  // The second player moves after each of the first player's seven moves.
  CHECK(contains(lost.next_step().text, "needs 7 "));
}

TEST_CASE("a sentence names the pieces in whole words", "[reasons][flooprail]") {
  const Setup game = make_setup("flooprail");
  Match match = match_of(game);
  std::mt19937 random(1);
  bool is_seen = false;
  while (!match.ending() && !is_seen) {
    const auto legal = match.position().legal_plies();
    match.add(*match.validate(*match.to_move(), legal[random_below(random, legal.size())], Time{}));
    const std::string text = match.holdings_after(match.plies().size());
    is_seen = contains(text, " Floopers and ") && contains(text, "SooperFlooper");
    CHECK_FALSE(contains(text, "Sooper "));
    CHECK_FALSE(contains(text, "+"));
  }
  CHECK(is_seen);
}
