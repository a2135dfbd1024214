// SPDX-License-Identifier: MIT
// Half-typed moves, judged at every key.
#include "ui/move_completion.hpp"

#include <algorithm>
#include <tuple>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

using Words = std::vector<std::string>;
using Kind = Judgement::Kind;

struct CompletionSetup {
  Match match;
  MoveCompletion completion;

  explicit CompletionSetup(std::string_view plies = "", std::string_view game = "toot",
                           const Words& options = {})
      : match(*Match::start(*make_setup(game, options).game, make_setup(game, options).options,
                            {"fred", "wilma"}, Time{})) {
    for (const std::string& word : split_words(plies)) {
      const auto entry = match.validate(match.acting_seat(word), word, Time{});
      INFO(word << (entry ? "" : ": " + entry.refusal().reason));
      REQUIRE(entry.ok());
      match.add(*entry);
    }
    completion.reset(match);
  }
  Judgement operator()(std::string_view typed) const { return completion.judge(match, typed); }
  std::string complete(std::string_view typed) const { return completion.complete(typed); }
};

}  // namespace

TEST_CASE("nothing typed is judged as nothing", "[move_completion]") {
  const CompletionSetup typing;
  for (const char* typed : {"", " ", "\t  "}) {
    const Judgement j = typing(typed);
    CHECK(j.kind == Kind::empty);
    CHECK(j.reason.empty());
    CHECK(j.continuations.empty());
  }
}

TEST_CASE("the beginning of a move says how it goes on", "[move_completion]") {
  const CompletionSetup typing;
  for (const char* typed : {"b", "B", "  b"}) {
    const Judgement j = typing(typed);
    CHECK(j.kind == Kind::partial);
    CHECK(j.continuations == Words{"BO", "BT"});
  }
  CHECK(typing("a").continuations == Words{"AO", "AT"});
}

TEST_CASE("what goes on is only what may be played now", "[move_completion]") {
  const CompletionSetup typing("AT BO", "toot", {"-size=4x1"});
  CHECK(typing("c").continuations == Words{"CO"});
  CHECK(typing("a").kind == Kind::refused);
  CHECK(typing("a").reason == "Column A is full. Open columns: C and D.");
}

TEST_CASE("a whole move is judged complete in its one spelling", "[move_completion]") {
  const CompletionSetup typing;
  for (const char* typed : {"bt", "BT", " bT "}) {
    const Judgement j = typing(typed);
    CHECK(j.kind == Kind::complete);
    CHECK(j.text == "BT");
    CHECK(j.continuations.empty());
  }
}

TEST_CASE("what is neither is refused at its byte", "[move_completion]") {
  const CompletionSetup typing;
  const std::vector<std::tuple<std::string, std::string, std::size_t>> cases{
      {"g", "There is no column G. The columns are A to F.", 0},
      {"bx", "You cannot drop 'X'. Drop T or O.", 1},
      {" bx", "You cannot drop 'X'. Drop T or O.", 2},
      {"btt", "Too long. A move is one column and one letter, for example BT.", 2},
      {"1", "'1' is not a column. The columns are A to F.", 0},
      {"\x1b", "'?' is not a column. The columns are A to F.", 0},
      {"\xff\xff", "'?' is not a column. The columns are A to F.", 0},
  };
  for (const auto& [typed, why, at] : cases) {
    const Judgement j = typing(typed);
    CHECK(j.kind == Kind::refused);
    CHECK(equals_ignoring_case(j.reason, why));
    CHECK(j.offset == at);
  }
}

TEST_CASE("a misspelt word is no move, and the word that is meant is named", "[move_completion]") {
  const std::vector<std::string> words{"undo", "hint", "resign", "level"};
  const Refusal why{"There is no column U.", 0};
  CHECK(contains(suggest_typed_word(why, "undu", words), "undo"));
  CHECK(contains(suggest_typed_word(why, "hnt", words), "hint"));
  CHECK(contains(suggest_typed_word(why, "leve 2", words), "level"));
  CHECK(suggest_typed_word(why, "ut", words) == why.reason);
  CHECK(suggest_typed_word(why, "u2du", words) == why.reason);
  CHECK(contains(suggest_typed_word({why.reason, 1}, "hnt", words), "hint"));
  CHECK(suggest_typed_word({why.reason, 2}, "undu", words) == why.reason);
}

TEST_CASE("words are completed and judged where they may be said", "[move_completion]") {
  const CompletionSetup fresh, played("BT"), offered("BT propose");
  CHECK(fresh("resi").kind == Kind::partial);
  CHECK(fresh("resi").continuations == Words{"resign"});
  CHECK(fresh("RESIGN").kind == Kind::complete);
  CHECK(fresh("RESIGN").text == "resign");
  // The beginning of a word is not refused.
  CHECK(fresh("und").continuations == Words{"undo"});
  CHECK(fresh("undo").reason == "There is no move to take back.");
  CHECK(fresh("acc").continuations == Words{"accept"});
  CHECK(fresh("accept").reason == "There is no offer to accept.");
  CHECK(played("und").continuations == Words{"undo"});
  CHECK(played("a").continuations == Words{"AO", "AT"});
  CHECK(offered("a").continuations == Words{"accept", "AO", "AT"});
  CHECK(offered("rej").continuations == Words{"reject"});
  CHECK(offered("re").continuations == Words{"reject", "resign"});
  CHECK(offered("prop").continuations == Words{"propose"});
}

TEST_CASE("a game that is over takes nothing but undo", "[move_completion]") {
  const CompletionSetup typing("BT CO DO FO ET");
  CHECK(typing("a").kind == Kind::refused);
  CHECK(typing("a").reason ==
        "The game is over. fred (TOOT) wins. TOOT stands in the bottom row, B to E.");
  CHECK(typing("u").continuations == Words{"undo"});
  const CompletionSetup resigned("BT resign");
  CHECK(resigned("u").kind == Kind::refused);
}

TEST_CASE("completion adds what every way of going on shares", "[move_completion]") {
  const CompletionSetup typing("AT BO", "toot", {"-size=4x1"});
  CHECK(typing.complete("c") == "CO");
  CHECK(typing.complete(" c") == "CO");
  CHECK(typing.complete("CO") == "CO");
  CHECK(typing.complete("x") == "x");
  CHECK(typing.complete("res") == "resign");
  CHECK(CompletionSetup().complete("b") == "b");
  CHECK(CompletionSetup().complete("") == "");
}

TEST_CASE("a move of several parts is completed part by part", "[move_completion]") {
  const CompletionSetup typing("", "chaos");
  const auto legal = typing.match.position().legal_plies();
  REQUIRE_FALSE(legal.empty());
  const std::string from = legal.front().substr(0, legal.front().find('-'));
  const Judgement j = typing(from);
  CHECK(j.kind == Kind::partial);
  for (const std::string& next : j.continuations)
    CHECK(std::count(next.begin(), next.end(), '-') == 1);
}

TEST_CASE("every beginning of every legal move is partial or complete", "[move_completion]") {
  Words wrong;
  for (const Setup& setup : all_setups()) {
    Words names;
    for (int s = 0; s < setup.seats; ++s) names.push_back("p" + std::to_string(s));
    const Match m = *Match::start(*setup.game, setup.options, names, Time{});
    MoveCompletion judge;
    judge.reset(m);
    for (const std::string& ply : m.position().legal_plies()) {
      for (std::size_t n = 1; n < ply.size(); ++n)
        if (const Kind kind = judge.judge(m, ply.substr(0, n)).kind;
            kind != Kind::partial && kind != Kind::complete)
          wrong.push_back(setup.name + ": " + ply.substr(0, n));
      if (judge.judge(m, ply).text != ply) wrong.push_back(setup.name + ": " + ply);
    }
  }
  CHECK(wrong == Words{});
}

TEST_CASE("what is typed loosely is judged as what it may become", "[move_completion]") {
  const CompletionSetup rail("", "flooprail");
  for (const char* typed : {"d3e", "D3 E", "d3xe", "d3:e", "d3 - e", "d3\u2013e"}) {
    INFO(typed);
    const Judgement j = rail(typed);
    CHECK(j.kind == Kind::partial);
    CHECK(j.continuations == Words{"D3-E3"});
    CHECK(rail.complete(typed) == "D3-E3");
    CHECK(rail.completion.possible_plies(typed, 5) == Words{"D3-E3"});
  }
  for (const char* typed : {"d3e3", "D3 E3", "d3xe3", "d3.e3"}) {
    INFO(typed);
    CHECK(rail(typed).kind == Kind::complete);
    CHECK(rail(typed).text == "D3-E3");
  }
  // An x is accepted for a dash that can follow, and refused elsewhere.
  CHECK(rail("d3x").continuations == Words{"D3-D4", "D3-E3"});
  CHECK(rail("d3e3x").kind == Kind::refused);
  CHECK(rail("d3e4").reason == "No rail runs from D3 to E4. D3 can Floop to D4 or E3.");
  CHECK(rail(" d3e4").offset == 3);
  const CompletionSetup toot;
  CHECK(toot("t").continuations == Words{"ta", "tb", "tc", "td", "te", "tf"});
  CHECK(toot("tb").text == "BT");
  CHECK(toot("b 0").text == "BO");
  for (const char* typed : {"b.", "bt.", "-bt", ".b"}) CHECK(toot(typed).kind == Kind::refused);
  const CompletionSetup field("", "soccolot");
  CHECK(field("3 r").continuations == Words{"3rs", "3rse", "3rsw"});
  CHECK(field("3r sou").kind == Kind::partial);
  CHECK(field("3r south").text == "3rs");
  CHECK(field("b3-res").text == "3rse");
  CHECK(field("3re").kind == Kind::refused);
}
