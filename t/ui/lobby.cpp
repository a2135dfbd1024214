// SPDX-License-Identifier: MIT
// The list of boards: folded rows, and the notice after a deletion.
#include "protocol/new_board.hpp"
#include "test_app.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// Saves a game of fred against an opponent that began that long ago.
void save_game(TestApp& desk, const std::string& opponent, std::chrono::seconds ago) {
  const bool computer = opponent == "computer";
  REQUIRE(
      desk.local_boards
          .save_new(*Match::start(*find_game("toot"), {},
                                  Seating{{"fred", opponent}, {0, computer ? 1 : 0}}, now() - ago))
          .ok());
}

constexpr std::chrono::hours kLongAgo{72};

}  // namespace

TEST_CASE("games against the computer of days before are one row, which Enter lists", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", kLongAgo);
  save_game(desk, "computer", {});
  CHECK(desk.has_text("5 games, 2 wait for a move"));
  CHECK(desk.has_text("older"));
  CHECK(desk.has_text("3 games with the computer"));
  CHECK_FALSE(desk.has_text("toot-101"));
  CHECK(desk.has_text("toot-104"));
  CHECK(desk.require_text("older").row > desk.require_text("toot-104").row);
  desk.type("jj");
  CHECK(desk.has_text("> older"));
  CHECK(desk.has_text("Enter list them  d delete them"));
  desk.press(kEnter);
  for (const char* id : {"toot-101", "toot-102", "toot-103", "toot-104", "toot-105"})
    CHECK(desk.has_text(id));
  CHECK_FALSE(desk.has_text("older"));
  CHECK(desk.has_text("5 games, 2 wait for a move"));
}

TEST_CASE("what is folded away is deleted by one key pressed twice, and comes back by one",
          "[ui]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", kLongAgo);
  desk.type("/fred\n");
  CHECK(desk.has_text("toot-102"));  // a search finds folded boards, too
  desk.press(kEsc);
  desk.type("jd");
  CHECK(desk.has_text("d again deletes 4 games; any other key cancels."));
  desk.type("d");
  CHECK(desk.has_text("Deleted 4 games; u brings them back."));
  CHECK(desk.has_text("1 game,"));
  CHECK_FALSE(fs::exists(desk.directory / "saves/toot-101.yaml"));
  CHECK(fs::exists(desk.directory / "saves/toot-105.yaml"));
  desk.type("u");
  CHECK(desk.has_text("4 games are back."));
  CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
  CHECK(desk.has_text("5 games"));
}

TEST_CASE("a board may be called as what is folded is", "[ui]") {
  for (const std::string name : {"older", "examples"}) {
    TestApp desk;
    for (int i = 0; i < 3; ++i) save_game(desk, "computer", kLongAgo);
    save_game(desk, "wilma", {});
    REQUIRE(desk.local_boards.rename("toot-104", name).ok());
    desk.type("d");
    CHECK(desk.has_text("d again deletes " + name + "; any"));
    desk.type("d");
    CHECK(desk.has_text("Deleted " + name + "; u brings it back."));
    CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
    desk.type("u\n");
    CHECK(desk.has_text("fred (TOOT)>"));
  }
}

TEST_CASE("fewer than three of them stay where they are, and so does what was played on today",
          "[ui]") {
  TestApp desk;
  for (int i = 0; i < 2; ++i) save_game(desk, "computer", kLongAgo);
  for (int i = 0; i < 3; ++i) save_game(desk, "computer", {});
  CHECK_FALSE(desk.has_text("older"));
  CHECK(desk.has_text("toot-101"));
}

TEST_CASE("from a board the next that waits is one that the list may not show", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "wilma", {});
  desk.type("/102\n\n");
  CHECK(desk.has_text("toot-102"));
  desk.press(control_key('G'));
  CHECK(desk.has_text("Toot: fred against wilma, toot-10"));
  CHECK_FALSE(desk.has_text("toot-102"));
}

TEST_CASE("the list says how long ago something was played", "[ui]") {
  TestApp desk;
  save_game(desk, "wilma", std::chrono::seconds(5));
  save_game(desk, "barney", std::chrono::minutes(7));
  save_game(desk, "betty", kLongAgo);
  CHECK(desk.has_text("just now"));
  CHECK(desk.has_text("7 min ago"));
  CHECK(desk.has_text("3 days ago"));
}

TEST_CASE("a new board is checked the same whoever asks for it", "[ui]") {
  const GameType& toot = *find_game("toot");
  const Requester fred{"fred", true};
  const auto wrong = [](const Result<NewBoard>& board) { return board.refusal(); };
  // The position of the word in the refusal counts the options first.
  const Refusal name = wrong(read_new_board(toot, {{"-size=5x4"}, {"fred", "a b"}}, fred));
  CHECK(name.reason == "'a b' is not a userid. On a server, every player has one.");
  CHECK(name.offset == 2);
  const Refusal size = wrong(read_new_board(toot, {{"-tootris", "-size=0x0"}, {"a", "b"}}, {}));
  CHECK(size.offset == 1);
  CHECK(wrong(read_new_board(toot, {{}, {"fred", ""}}, fred)).offset == 1);
  CHECK(wrong(read_new_board(toot, {{}, {"betty", "wilma"}}, fred)).reason ==
        "One of the players must be you, fred.");
  CHECK(wrong(read_new_board(toot, {{"--nagtime=3"}, {"fred", "computer:2"}}, fred)).reason ==
        "Clocks run only on a server. A game here has no such option.");
  CHECK(
      wrong(read_new_board(*find_game("plotto"), {{"-pair"}, {"fred", "a1", "b1"}}, fred)).reason ==
      "-pair is for two players. They swap seats on the second board.");
  CHECK(wrong(read_new_board(toot, {{}, {}, "best"}, fred)).reason ==
        "'best' is not a range of ratings. Write it as 1500-1700.");
  const auto pair =
      read_new_board(toot, {{"-pair", "--nagtime=none", "-size=5x4"}, {"fred", "wilma"}}, fred);
  REQUIRE(pair.ok());
  CHECK(pair->request_line() == "toot challenge fred wilma -size=5x4 --nagtime=none -pair");
  CHECK(read_new_board(toot, {{"-tootris"}, {}, "1500-1700"}, fred)->request_line() ==
        "toot seek 1500-1700 -tootris");
  const auto own = read_new_board(toot, {{}, {"fred", "computer:4"}}, fred);
  REQUIRE(own.ok());
  CHECK_FALSE(own->is_on_server);
  CHECK(own->match.computer_level(1) == 4);
}

TEST_CASE("on the screen a number is that of a row that is shown", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", {});
  desk.type(":delete 1\n");
  CHECK(desk.has_text("Deleted toot-104"));
  CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
  desk.type("/103\n:open 1\n");
  CHECK(desk.has_text("Toot: you against computer 1, toot-103"));
}

TEST_CASE("a key means the board that is selected, whatever it is called", "[ui]") {
  TestApp desk;
  save_game(desk, "wilma", std::chrono::hours(1));
  fs::rename(desk.directory / "saves/toot-101.yaml", desk.directory / "saves/1.yaml");
  save_game(desk, "barney", {});
  desk.type("jdd");
  CHECK(desk.has_text("Deleted 1; u brings it back."));
  CHECK_FALSE(fs::exists(desk.directory / "saves/1.yaml"));
  CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
}

TEST_CASE("of two boards of one name that were deleted each comes back", "[ui]") {
  TestApp desk;
  save_game(desk, "wilma", {});
  save_game(desk, "barney", {});
  desk.type(":rename toot-101 x\n:delete x\n:rename toot-102 x\n:delete x\n");
  desk.type("u:rename x y\nu");
  CHECK(desk.has_text("x is back."));
  CHECK(contains(desk.read_save("y"), "barney"));
  CHECK(contains(desk.read_save("x"), "wilma"));
}

TEST_CASE("what several boards cannot have done to them is said at once", "[ui]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", {});
  for (const char key : {'c', 'm'}) {
    desk.press(kEsc);
    desk.type(std::string("j") + key);
    CHECK(desk.has_text("This row stands for several games. Press Enter to list them."));
  }
}
