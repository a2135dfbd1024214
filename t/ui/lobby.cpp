// SPDX-License-Identifier: MIT
// The list of boards: folded rows, and the notice after a deletion.
#include "protocol/new_board.hpp"
#include "test_app.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// Saves a game of fred against an opponent that began that long ago.
void keep(TestApp& desk, const std::string& opponent, std::chrono::seconds ago) {
  const bool computer = opponent == "computer";
  REQUIRE(desk.boards
              .keep(*Match::start(*find_game("toot"), {},
                                  Seating{{"fred", opponent}, {0, computer ? 1 : 0}}, now() - ago))
              .ok());
}

constexpr std::chrono::hours kLongAgo{72};

}  // namespace

TEST_CASE("games against the computer of days before are one row, which Enter lists", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) keep(desk, "computer", kLongAgo);
  keep(desk, "wilma", kLongAgo);
  keep(desk, "computer", {});
  CHECK(desk.shows("5 boards, 2 wait for a move"));
  CHECK(desk.shows("older"));
  CHECK(desk.shows("3 games with the computer"));
  CHECK_FALSE(desk.shows("toot-101"));
  CHECK(desk.shows("toot-104"));
  CHECK(desk.place_of("older").row > desk.place_of("toot-104").row);
  desk.type("jj");
  CHECK(desk.shows("> older"));
  CHECK(desk.shows("Enter list them  d delete them"));
  desk.press(kEnter);
  for (const char* id : {"toot-101", "toot-102", "toot-103", "toot-104", "toot-105"})
    CHECK(desk.shows(id));
  CHECK_FALSE(desk.shows("older"));
  CHECK(desk.shows("5 boards, 2 wait for a move"));
}

TEST_CASE("what is folded away is deleted by one key pressed twice, and comes back by one",
          "[ui]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) keep(desk, "computer", kLongAgo);
  keep(desk, "wilma", kLongAgo);
  desk.type("/fred\n");
  CHECK(desk.shows("toot-102"));  // a search finds folded boards, too
  desk.press(kEsc);
  desk.type("jd");
  CHECK(desk.shows("d again deletes 4 boards, any other key goes back."));
  desk.type("d");
  CHECK(desk.shows("Deleted 4 boards; u brings them back."));
  CHECK(desk.shows("1 board,"));
  CHECK_FALSE(fs::exists(desk.dir / "saves/toot-101.yaml"));
  CHECK(fs::exists(desk.dir / "saves/toot-105.yaml"));
  desk.type("u");
  CHECK(desk.shows("4 boards are back."));
  CHECK(fs::exists(desk.dir / "saves/toot-101.yaml"));
  CHECK(desk.shows("5 boards"));
}

TEST_CASE("a board may be called as what is folded is", "[ui]") {
  for (const std::string name : {"older", "examples"}) {
    TestApp desk;
    for (int i = 0; i < 3; ++i) keep(desk, "computer", kLongAgo);
    keep(desk, "wilma", {});
    REQUIRE(desk.boards.rename("toot-104", name).ok());
    desk.type("d");
    CHECK(desk.shows("d again deletes " + name + ", any"));
    desk.type("d");
    CHECK(desk.shows("Deleted " + name + "; u brings it back."));
    CHECK(fs::exists(desk.dir / "saves/toot-101.yaml"));
    desk.type("u\n");
    CHECK(desk.shows("fred (TOOT)>"));
  }
}

TEST_CASE("fewer than three of them stay where they are, and so does what was played on today",
          "[ui]") {
  TestApp desk;
  for (int i = 0; i < 2; ++i) keep(desk, "computer", kLongAgo);
  for (int i = 0; i < 3; ++i) keep(desk, "computer", {});
  CHECK_FALSE(desk.shows("older"));
  CHECK(desk.shows("toot-101"));
}

TEST_CASE("from a board the next that waits is one that the list may not show", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) keep(desk, "wilma", {});
  desk.type("/102\n\n");
  CHECK(desk.shows("toot-102"));
  desk.press(ctrl('G'));
  CHECK(desk.shows("Toot: fred against wilma, toot-10"));
  CHECK_FALSE(desk.shows("toot-102"));
}

TEST_CASE("the list says how long ago something was played", "[ui]") {
  TestApp desk;
  keep(desk, "wilma", std::chrono::seconds(5));
  keep(desk, "barney", std::chrono::minutes(7));
  keep(desk, "betty", kLongAgo);
  CHECK(desk.shows("just now"));
  CHECK(desk.shows("7 min ago"));
  CHECK(desk.shows("3 days ago"));
}

TEST_CASE("a new board is checked the same whoever asks for it", "[ui]") {
  const GameType& toot = *find_game("toot");
  const Asker fred{"fred", true};
  const auto wrong = [](const Result<NewBoard>& board) { return board.refusal(); };
  // The position of the word in the refusal counts the options first.
  const Refusal name = wrong(read_new_board(toot, {{"-size=5x4"}, {"fred", "a b"}}, fred));
  CHECK(name.why == "'a b' is no userid: on a server they are who plays.");
  CHECK(name.at == 2);
  const Refusal size = wrong(read_new_board(toot, {{"-tootris", "-size=0x0"}, {"a", "b"}}, {}));
  CHECK(size.at == 1);
  CHECK(wrong(read_new_board(toot, {{}, {"fred", ""}}, fred)).at == 1);
  CHECK(wrong(read_new_board(toot, {{}, {"betty", "wilma"}}, fred)).why ==
        "One of the players is to be you, fred.");
  CHECK(wrong(read_new_board(toot, {{"--nagtime=3"}, {"fred", "computer:2"}}, fred)).why ==
        "Clocks run on a server: a board here has no such option.");
  CHECK(wrong(read_new_board(*find_game("plotto"), {{"-pair"}, {"fred", "a1", "b1"}}, fred)).why ==
        "-pair is for two: on the second board they swap their seats.");
  CHECK(wrong(read_new_board(toot, {{}, {}, "best"}, fred)).why ==
        "'best' is no range of ratings: write one as 1500-1700.");
  const auto pair =
      read_new_board(toot, {{"-pair", "--nagtime=none", "-size=5x4"}, {"fred", "wilma"}}, fred);
  REQUIRE(pair.ok());
  CHECK(pair->line() == "toot challenge fred wilma -size=5x4 --nagtime=none -pair");
  CHECK(read_new_board(toot, {{"-tootris"}, {}, "1500-1700"}, fred)->line() ==
        "toot seek 1500-1700 -tootris");
  const auto own = read_new_board(toot, {{}, {"fred", "computer:4"}}, fred);
  REQUIRE(own.ok());
  CHECK_FALSE(own->there);
  CHECK(own->match.computer(1) == 4);
}

TEST_CASE("on the screen a number is that of a row that is shown", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) keep(desk, "computer", kLongAgo);
  keep(desk, "wilma", {});
  desk.type(":delete 1\n");
  CHECK(desk.shows("Deleted toot-104"));
  CHECK(fs::exists(desk.dir / "saves/toot-101.yaml"));
  desk.type("/103\n:open 1\n");
  CHECK(desk.shows("Toot: you against computer 1, toot-103"));
}

TEST_CASE("a key means the board that is selected, whatever it is called", "[ui]") {
  TestApp desk;
  keep(desk, "wilma", std::chrono::hours(1));
  fs::rename(desk.dir / "saves/toot-101.yaml", desk.dir / "saves/1.yaml");
  keep(desk, "barney", {});
  desk.type("jdd");
  CHECK(desk.shows("Deleted 1; u brings it back."));
  CHECK_FALSE(fs::exists(desk.dir / "saves/1.yaml"));
  CHECK(fs::exists(desk.dir / "saves/toot-101.yaml"));
}

TEST_CASE("of two boards of one name that were deleted each comes back", "[ui]") {
  TestApp desk;
  keep(desk, "wilma", {});
  keep(desk, "barney", {});
  desk.type(":rename toot-101 x\n:delete x\n:rename toot-102 x\n:delete x\n");
  desk.type("u:rename x y\nu");
  CHECK(desk.shows("Board x is back."));
  CHECK(has(desk.save("y"), "barney"));
  CHECK(has(desk.save("x"), "wilma"));
}

TEST_CASE("what several boards cannot have done to them is said at once", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) keep(desk, "computer", kLongAgo);
  keep(desk, "wilma", {});
  for (const char key : {'c', 'm'}) {
    desk.press(kEsc);
    desk.type(std::string("j") + key);
    CHECK(desk.shows("These are several boards: Enter lists them, each in a row."));
  }
}
