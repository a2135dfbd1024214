// SPDX-License-Identifier: MIT
// Tests that a sixth game needs nothing but its row in the table. This test program is linked with
// the table of this folder; it includes t/conformance.cpp, which tests the toy like any other game.
// build/pbmplay-toy is the real program with that table.
#include "boards/local_boards.hpp"
#include "test_app.hpp"
#include "ui/move_completion.hpp"
#include "protocol/telling.hpp"
#include "run.hpp"
#include "save/save.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

const char* const kGame = "noughts";

Match new_match() {
  auto match = Match::start(*find_game(kGame), {}, {"fred", "wilma"}, Time{});
  REQUIRE(match.ok());
  return *match;
}

void play(Match& match, std::string_view plies) {
  for (const std::string& typed : words(plies)) {
    const auto entry = match.validate(match.acting_seat(typed), typed, Time{});
    INFO(typed << (entry ? "" : ": " + entry.refusal().why));
    REQUIRE(entry.ok());
    match.add(*entry);
  }
}

fs::path toy_folder() { return source_root() / "t" / "toy"; }

// The real program with the toy in its table, in an empty home directory. The toy's rules are in
// the same directory as those of the other games.
struct Toy {
  TemporaryDirectory dir;
  Toy() {
    fs::create_directories(dir / "data/rules");
    for (const auto& entry : fs::directory_iterator(source_root() / "rules"))
      fs::copy(entry.path(), dir / "data/rules");
    fs::copy(toy_folder() / "noughts.md", dir / "data/rules");
    for (const char* name : {"themes", "saves"})
      fs::create_directory_symlink(source_root() / name, dir / "data" / name);
  }
  Ran operator()(const std::vector<std::string>& words, const std::string& input = "") const {
    Surroundings here;
    here.home = here.directory = dir.path();
    here.input = input;
    here.variables = {"PBMPLAY_DATA=" + (dir / "data").string()};
    return run_file(program().parent_path() / "pbmplay-toy", words, here);
  }
};

}  // namespace

TEST_CASE("a sixth game is in the table after all others", "[toy]") {
  const fs::directory_iterator rules(source_root() / "rules");
  CHECK(std::ssize(all_games()) == std::distance(begin(rules), end(rules)) + 1);
  CHECK(find_game("NOUGHTS") == &all_games().back());
  CHECK(has(game_names(), "or noughts"));
}

TEST_CASE("a sixth game has its form in the lobby, and its boards there", "[toy]") {
  TestApp desk;
  desk.type("s");
  desk.press({Key::Code::left});  // from the first game to the last
  CHECK(desk.shows("< Noughts >"));
  CHECK(desk.shows("   misere"));
  CHECK(desk.shows("three in a line lose"));
  desk.press(kTab);
  desk.type(" ");
  desk.press(kTab);
  desk.type("fred");
  desk.press(kEnter);
  CHECK(desk.shows("fred (X)>"));
  CHECK(
      has(desk.save("noughts-101"), "game: noughts\noptions: [-misere]\nseats: [fred, player2]\n"));
  desk.press(kEsc);
  CHECK(desk.shows("noughts-101"));
  CHECK(desk.shows("Noughts -misere"));
}

TEST_CASE("a sixth game is judged while it is typed, played, marked and told", "[toy]") {
  TestApp desk;
  desk.start(kGame);
  desk.type("b");
  CHECK(desk.shows("B1"));  // a completion
  desk.type("2");
  CHECK(desk.shows("writes a cross into B2"));
  desk.press(kEnter);
  CHECK(desk.shows("2 . X ."));
  desk.type("b2");
  CHECK(desk.shows("B2 is taken: choose another square."));
  desk.press(kEnter);
  CHECK(desk.shows("wilma (O)>"));

  Match match = new_match();
  MoveCompletion judge;
  judge.reset(match);
  CHECK(judge.judge(match, "c").kind == Judgement::Kind::partial);
  CHECK(judge.judge(match, "c3").text == "C3");
  CHECK(judge.judge(match, "d").kind == Judgement::Kind::refused);
  CHECK(judge.meant("a", 9) == std::vector<std::string>{"A1", "A2", "A3"});
}

TEST_CASE("a sixth game is played with the cursor and with the mouse", "[toy]") {
  TestApp desk;
  desk.start(kGame);
  desk.press(kTab);
  desk.press({Key::Code::left});
  desk.press({Key::Code::down});
  for (int i = 0; i < 4; ++i) desk.press({Key::Code::left});
  for (int i = 0; i < 4; ++i) desk.press({Key::Code::down});
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.shows("1 X . ."));
  const auto corner =
      find_drawing(desk.picture(), desk.boards.open("noughts-101")->match.position().draw({}));
  REQUIRE(corner.has_value());
  desk.click({corner->row + 2, corner->column + 4});
  CHECK(desk.shows("writes a nought into B2"));
  desk.click(desk.place_of("wilma writes a nought"));
  CHECK(desk.shows("2 . O ."));
  CHECK(has(desk.save("noughts-101"), "move: A1"));
  CHECK(has(desk.save("noughts-101"), "move: B2"));
}

TEST_CASE("a sixth game is saved, loaded, won and recorded", "[toy]") {
  Match match = new_match();
  play(match, "B2 A1 C1 A3 A2 C2 propose reject");
  CHECK(summary_of("", match).state() == "fred's turn");
  const auto loaded = load_match(save_text(match), "x.yaml");
  REQUIRE(loaded.ok());
  CHECK(loaded->match.same_game(match));
  CHECK(loaded->match.position() == match.position());
  play(match, "b3 b1 c3");
  CHECK(match.standing() == "A tie: the squares are full.");
  Match won = new_match();
  play(won, "A1 A2 B1 B2 C1");
  CHECK(won.standing() == "fred (X) won: three stand in a line.");
  const std::string record = record_text(won, {});
  CHECK(has(record, "A1"));
  CHECK(has(record, "2 O O .\n1 X X X\n"));
  CHECK(has(record, "fred (X) won"));
  Match misere = *Match::start(*find_game(kGame), setup_of(kGame, {"-misere"}).options,
                               {"fred", "wilma"}, Time{});
  play(misere, "A1 A2 B1 B2 C1");
  CHECK(misere.standing() == "wilma (O) won: X has three in a line.");
}

TEST_CASE("a sixth game has every command of the program, its rules, completion and line mode",
          "[toy]") {
  const Toy toy;
  CHECK(has(toy({"help"}).out, "\n  noughts "));
  CHECK(has(toy({"noughts", "--help"}).out, "\n  -misere  three in a line lose\n"));
  CHECK(has(toy({"help", "noughts"}).out, "Three\nof one's own in a line win."));
  CHECK(toy({"new", "n.yaml", "noughts", "fred", "wilma"}).status == 0);
  CHECK(toy({"move", "n.yaml", "b2", "A1"}).out ==
        "  A B C\n3 . . .\n2 . X .\n1 O . .\nIt is fred's turn (X).\n");
  CHECK(toy({"move", "n.yaml", "b2"}).err ==
        "pbmplay: B2 is taken: choose another square.\n  b2\n  ^\n");
  CHECK(toy({"legal", "n.yaml"}).out == "A2\nA3\nB1\nB3\nC1\nC2\nC3\n");
  CHECK(toy({"perft", "noughts", "5"}).out == "1 9\n2 72\n3 504\n4 3024\n5 15120\n");
  CHECK(toy({"perft", "noughts", "9"}).out.ends_with("9 127872\n"));
  CHECK(has(toy({"complete", "nou"}).out, "noughts\t"));
  CHECK(has(toy({"complete", "noughts", "-m"}).out, "-misere\tthree in a line lose"));
  CHECK(has(toy({"complete", "move", "n.yaml", "b"}).out, "B3\twrites a cross into B3"));
  CHECK(has(toy({"--line", "noughts", "fred", "wilma"}, "b2\nb2\n").out, "B2 is taken"));
  CHECK(has(toy({"show", "--record", "n.yaml"}).out, "B2"));
}

TEST_CASE("a sixth game is thought about, exactly where it can be", "[toy]") {
  const GameType& toy = *find_game(kGame);
  const Position start = *toy.start({}, 2);
  Question question;
  question.limits.nodes = 3'000'000;
  CHECK(toy.think(start, question).lines.front().verdict.kind() == Verdict::Kind::tie);
  Position p = start;
  for (const char* ply : {"B2", "A2", "C1", "C2"}) p.play(ply);
  question.limits.nodes = 20'000;
  question.lines = 5;
  const Thought thought = toy.think(p, question);
  CHECK(thought.lines.front().ply == "A3");
  CHECK(thought.lines.front().verdict == Verdict::of_last_ply(0, 0));
  // Any other ply makes a second threat and wins later.
  CHECK(thought.lines.back().verdict.kind() == Verdict::Kind::win);
  CHECK(thought.lines.back().verdict.plies() > 1);
  const Toy program;
  CHECK(program({"new", "n.yaml", "noughts", "fred", "wilma"}).status == 0);
  CHECK(program({"move", "n.yaml", "b2", "a2", "c1", "c2"}).status == 0);
  CHECK(program({"hint", "n.yaml", "--lines", "1"}).out == "A3  win in 1  A3\n");
  CHECK(has(program({"duel", "noughts", "level:10", "random", "--games", "2"}).out, "lost 0"));
}

TEST_CASE("the rules of a sixth game make a manual page", "[toy]") {
  const Ran page = run_shell(
      "awk -v game=noughts -v date='May 1, 2026' -f '" + (source_root() / "man/mdoc.awk").string() +
      "' '" + (toy_folder() / "noughts.md").string() + "' | mandoc -T lint -W warning");
  CHECK(page.out == "");
}
