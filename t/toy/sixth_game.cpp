// SPDX-License-Identifier: MIT
// Tests that a sixth game needs nothing but its row in the table. This test program is linked with
// the table of this folder; it includes t/conformance.cpp, which tests the toy like any other game.
// build/pbmplay-toy is the real program with that table.
#include "boards/local_boards.hpp"
#include "test_app.hpp"
#include "ui/move_completion.hpp"
#include "protocol/match_description.hpp"
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
  for (const std::string& typed : split_words(plies)) {
    const auto entry = match.validate(match.acting_seat(typed), typed, Time{});
    INFO(typed << (entry ? "" : ": " + entry.refusal().reason));
    REQUIRE(entry.ok());
    match.add(*entry);
  }
}

fs::path toy_folder() { return source_root() / "t" / "toy"; }

// The real program with the toy in its table, in an empty home directory. The toy's rules are in
// the same directory as those of the other games.
struct ToyProgram {
  TemporaryDirectory dir;
  ToyProgram() {
    fs::create_directories(dir / "data/rules");
    for (const auto& entry : fs::directory_iterator(source_root() / "rules"))
      fs::copy(entry.path(), dir / "data/rules");
    fs::copy(toy_folder() / "noughts.md", dir / "data/rules");
    for (const char* name : {"themes", "saves"})
      fs::create_directory_symlink(source_root() / name, dir / "data" / name);
  }
  RunResult operator()(const std::vector<std::string>& words, const std::string& input = "") const {
    RunOptions here;
    here.home = here.directory = dir.path();
    here.input = input;
    here.variables = {"PBMPLAY_DATA=" + (dir / "data").string()};
    return run_file(require_program().parent_path() / "pbmplay-toy", words, here);
  }
};

}  // namespace

TEST_CASE("a sixth game is in the table after all others", "[toy]") {
  const fs::directory_iterator rules(source_root() / "rules");
  CHECK(std::ssize(all_games()) == std::distance(begin(rules), end(rules)) + 1);
  CHECK(find_game("NOUGHTS") == &all_games().back());
  CHECK(contains(list_game_names(), "or noughts"));
}

TEST_CASE("a sixth game has its form in the lobby, and its boards there", "[toy]") {
  TestApp desk;
  desk.type("s");
  desk.press({Key::Code::left});  // from the first game to the last
  CHECK(desk.has_text("< Noughts >"));
  CHECK(desk.has_text("   misere"));
  desk.press(kTab);
  CHECK(desk.has_text("three in a line lose"));
  desk.type(" ");
  desk.press(kTab);
  desk.type("fred");
  desk.press(kEnter);
  CHECK(desk.has_text("fred (X)>"));
  CHECK(contains(desk.read_save("noughts-101"),
                 "game: noughts\noptions: [-misere]\nseats: [fred, player2]\n"));
  desk.press(kEsc);
  CHECK(desk.has_text("noughts-101"));
  CHECK(desk.has_text("Noughts -misere"));
}

TEST_CASE("a sixth game is judged while it is typed, played, marked and told", "[toy]") {
  TestApp desk;
  desk.start_board(kGame);
  desk.type("b");
  CHECK(desk.has_text("B1"));  // a completion
  desk.type("2");
  CHECK(desk.has_text("writes a cross into B2"));
  desk.press(kEnter);
  CHECK(desk.has_text("2 . X ."));
  desk.type("b2");
  CHECK(desk.has_text("B2 is taken. Choose another square."));
  desk.press(kEnter);
  CHECK(desk.has_text("wilma (O)>"));

  Match match = new_match();
  MoveCompletion judge;
  judge.reset(match);
  CHECK(judge.judge(match, "c").kind == Judgement::Kind::partial);
  CHECK(judge.judge(match, "c3").text == "C3");
  CHECK(judge.judge(match, "d").kind == Judgement::Kind::refused);
  CHECK(judge.possible_plies("a", 9) == std::vector<std::string>{"A1", "A2", "A3"});
}

TEST_CASE("a sixth game is played with the cursor and with the mouse", "[toy]") {
  TestApp desk;
  desk.start_board(kGame);
  desk.press(kTab);
  desk.press({Key::Code::left});
  desk.press({Key::Code::down});
  for (int i = 0; i < 4; ++i) desk.press({Key::Code::left});
  for (int i = 0; i < 4; ++i) desk.press({Key::Code::down});
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.has_text("1 X . ."));
  const auto corner = find_drawing(
      desk.picture(), desk.local_boards.open("noughts-101")->match.position().draw({}));
  REQUIRE(corner.has_value());
  desk.click({corner->row + 2, corner->column + 4});
  CHECK(desk.has_text("writes a nought into B2"));
  desk.click(desk.require_text("wilma writes a nought"));
  CHECK(desk.has_text("2 . O ."));
  CHECK(contains(desk.read_save("noughts-101"), "move: A1"));
  CHECK(contains(desk.read_save("noughts-101"), "move: B2"));
}

TEST_CASE("a sixth game is saved, loaded, won and recorded", "[toy]") {
  Match match = new_match();
  play(match, "B2 A1 C1 A3 A2 C2 propose reject");
  CHECK(summarize_match("", match).state() == "fred's turn");
  const auto loaded = load_match(save_text(match), "x.yaml");
  REQUIRE(loaded.ok());
  CHECK(loaded->match.is_same_game(match));
  CHECK(loaded->match.position() == match.position());
  play(match, "b3 b1 c3");
  CHECK(match.status() == "The game is a tie. The squares are full.");
  Match won = new_match();
  play(won, "A1 A2 B1 B2 C1");
  CHECK(won.status() == "fred (X) wins. Three stand in a line.");
  const std::string record = record_text(won, {});
  CHECK(contains(record, "A1"));
  CHECK(contains(record, "2 O O .\n1 X X X\n"));
  CHECK(contains(record, "fred (X) wins"));
  Match misere = *Match::start(*find_game(kGame), make_setup(kGame, {"-misere"}).options,
                               {"fred", "wilma"}, Time{});
  play(misere, "A1 A2 B1 B2 C1");
  CHECK(misere.status() == "wilma (O) wins. X has three in a line.");
}

TEST_CASE("a sixth game has every command of the program, its rules, completion and line mode",
          "[toy]") {
  const ToyProgram toy;
  CHECK(contains(toy({"help"}).out, "\n  noughts "));
  CHECK(contains(toy({"noughts", "--help"}).out, "\n  -misere  three in a line lose\n"));
  CHECK(contains(toy({"help", "noughts"}).out, "Three\nof one's own in a line win."));
  CHECK(toy({"new", "n.yaml", "noughts", "fred", "wilma"}).status == 0);
  CHECK(toy({"move", "n.yaml", "b2", "A1"}).out ==
        "  A B C\n3 . . .\n2 . X .\n1 O . .\nIt is fred's turn (X).\n");
  CHECK(toy({"move", "n.yaml", "b2"}).err ==
        "pbmplay: B2 is taken. Choose another square.\n  b2\n  ^\n");
  CHECK(toy({"legal", "n.yaml"}).out == "A2\nA3\nB1\nB3\nC1\nC2\nC3\n");
  CHECK(toy({"perft", "noughts", "5"}).out == "1 9\n2 72\n3 504\n4 3024\n5 15120\n");
  CHECK(toy({"perft", "noughts", "9"}).out.ends_with("9 127872\n"));
  CHECK(contains(toy({"complete", "nou"}).out, "noughts\t"));
  CHECK(contains(toy({"complete", "noughts", "-m"}).out, "-misere\tthree in a line lose"));
  CHECK(contains(toy({"complete", "move", "n.yaml", "b"}).out, "B3\twrites a cross into B3"));
  CHECK(contains(toy({"--line", "noughts", "fred", "wilma"}, "b2\nb2\n").out, "B2 is taken"));
  CHECK(contains(toy({"show", "--record", "n.yaml"}).out, "B2"));
}

TEST_CASE("a sixth game is thought about, exactly where it can be", "[toy]") {
  const GameType& toy = *find_game(kGame);
  const Position start = *toy.start({}, 2);
  SearchRequest question;
  question.limits.nodes = 3'000'000;
  CHECK(toy.think(start, question).lines.front().verdict.kind() == Verdict::Kind::tie);
  Position p = start;
  for (const char* ply : {"B2", "A2", "C1", "C2"}) p.play(ply);
  question.limits.nodes = 20'000;
  question.line_count = 5;
  const SearchResult thought = toy.think(p, question);
  CHECK(thought.lines.front().ply == "A3");
  CHECK(thought.lines.front().verdict == Verdict::for_last_ply(0, 0));
  // Any other ply makes a second threat and wins later.
  CHECK(thought.lines.back().verdict.kind() == Verdict::Kind::win);
  CHECK(thought.lines.back().verdict.plies() > 1);
  const ToyProgram program;
  CHECK(program({"new", "n.yaml", "noughts", "fred", "wilma"}).status == 0);
  CHECK(program({"move", "n.yaml", "b2", "a2", "c1", "c2"}).status == 0);
  CHECK(program({"hint", "n.yaml", "--lines", "1"}).out == "A3  win in 1  A3\n");
  CHECK(contains(program({"duel", "noughts", "level:10", "random", "--games", "2"}).out, "lost 0"));
}

TEST_CASE("the rules of a sixth game make a manual page", "[toy]") {
  const RunResult page = run_shell(
      "awk -v game=noughts -v date='May 1, 2026' -f '" + (source_root() / "man/mdoc.awk").string() +
      "' '" + (toy_folder() / "noughts.md").string() + "' | mandoc -T lint -W warning");
  CHECK(page.out == "");
}
