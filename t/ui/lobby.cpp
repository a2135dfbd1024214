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

// Returns the selected row of the list, or "".
std::string selected_row(TestApp& desk) {
  const Canvas picture = desk.picture();
  for (int row = 2; row < picture.size().rows - 1; ++row)
    if (picture.cell(row, 1).glyph == U'>') return row_text(picture, row);
  return "";
}

// Returns the row of the screen with that text, or "".
std::string row_with(TestApp& desk, const std::string& text) {
  const Canvas picture = desk.picture();
  const auto place = find_text(picture, text);
  return place ? row_text(picture, place->row) : "";
}

// Saves a game of these players with these plies, played that long ago.
void save_plies(TestApp& desk, const std::vector<std::string>& names,
                const std::vector<std::string>& plies, std::chrono::seconds ago,
                const std::vector<std::string>& options = {}, std::vector<int> levels = {}) {
  const GameType& toot = *find_game("toot");
  levels.resize(names.size());
  Match match =
      *Match::start(toot, *read_options(toot, options), Seating{names, levels}, now() - ago);
  for (const std::string& ply : plies)
    match.add(*match.validate(match.to_move().value_or(0), ply, now() - ago));
  REQUIRE(desk.local_boards.save_new(match).ok());
}

void set_player_name(TestApp& desk, const std::string& name) {
  Preferences wanted = desk.settings.preferences();
  wanted.player_name = name;
  desk.settings.set_for_run(wanted);
  desk.all_boards.set_player_name(name);  // as the program does after a change
}

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
  desk.press(kEsc);                  // selects the row that has toot-102
  desk.type("d");
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
    CHECK(desk.has_text("you (TOOT)>"));
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
  const auto pair =
      read_new_board(toot, {{"-pair", "--nagtime=none", "-size=5x4"}, {"fred", "wilma"}}, fred);
  REQUIRE(pair.ok());
  CHECK(pair->request_line() == "toot challenge fred wilma -size=5x4 --nagtime=none -pair");
  CHECK(read_new_board(toot, {{"-tootris"}, {}, true}, fred)->request_line() ==
        "toot seek -tootris");
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

TEST_CASE("a word of the list is named on a board, and a game in the list", "[ui][lobby]") {
  TestApp desk;
  save_game(desk, "wilma", {});
  desk.type(":toot me computer:2\n");
  CHECK(desk.has_text("type new toot me computer:2"));
  desk.press(kEsc);
  desk.type(":tootris 101");
  CHECK(desk.has_text("type open toot-101"));
  desk.press(kEsc);
  desk.type(":open toot-101\n");
  desk.type("puzzle toot\n");
  CHECK(desk.has_text("type boards"));
  CHECK_FALSE(desk.has_text("There is no column"));
  desk.type("list\n");
  CHECK(desk.has_text("type boards"));
  for (const char* word : {"seek\n", "a\n"}) {  // there is no server
    desk.type(word);
    CHECK_FALSE(desk.has_text("type boards"));
  }
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
  for (const char key : {'C', 'm'}) {
    desk.press(kEsc);
    desk.type(std::string("j") + key);
    CHECK(desk.has_text("This row stands for several games. Press Enter to list them."));
  }
}

TEST_CASE("Space marks games, and d pressed twice deletes all marked ones", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 5; ++i) save_game(desk, "wilma", std::chrono::minutes(10 - i));
  desk.type("   ");
  CHECK(contains(row_with(desk, "toot-105"), "*"));
  CHECK(contains(row_with(desk, "toot-103"), "*"));
  CHECK(contains(selected_row(desk), "toot-102"));
  CHECK(desk.has_text("3 marked"));
  desk.type("k ");  // takes the mark of toot-103 away
  CHECK_FALSE(contains(row_with(desk, "toot-103"), "*"));
  desk.type("k d");
  CHECK(desk.has_text("d again deletes 3 games; any other key cancels."));
  desk.type("d");
  CHECK(desk.has_text("Deleted 3 games; u brings them back."));
  CHECK(desk.has_text("2 games"));
  CHECK_FALSE(desk.has_text("marked"));
  CHECK_FALSE(fs::exists(desk.directory / "saves/toot-105.yaml"));
  CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
  desk.type("u");
  CHECK(desk.has_text("5 games"));
  desk.type(" ");
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("marked"));
}

TEST_CASE("delete takes several games, and none if one of them cannot be deleted", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) save_game(desk, "wilma", std::chrono::minutes(10 - i));
  desk.type(":delete toot-101 example:toot\n");
  CHECK(desk.has_text("cannot be deleted"));
  CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
  desk.type(":delete 1 2 toot-101\n");  // the first two rows are toot-104 and toot-103
  CHECK(desk.has_text("Deleted 3 games; u brings them back."));
  CHECK(fs::exists(desk.directory / "saves/toot-102.yaml"));
  desk.type("u");
  CHECK(desk.has_text("4 games"));
}

TEST_CASE("names with numbers are sorted as numbers", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "wilma", std::chrono::minutes(10 - i));
  REQUIRE(desk.local_boards.rename("toot-102", "toot-2").ok());
  REQUIRE(desk.local_boards.rename("toot-103", "Toot-10").ok());
  desk.type("t");
  CHECK(desk.has_text("Sorted by name."));
  CHECK(desk.require_text("toot-2").row < desk.require_text("Toot-10").row);
  CHECK(desk.require_text("Toot-10").row < desk.require_text("toot-101").row);
}

TEST_CASE("End fills the last page of the list, which says that rows are above", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 60; ++i) save_game(desk, "wilma", std::chrono::minutes(100 - i));
  for (const Size size : {Size{24, 80}, Size{12, 40}, Size{30, 80}}) {
    desk.size = size;
    desk.press({Key::Code::home});
    CHECK(desk.has_text("v more below"));
    CHECK_FALSE(desk.has_text("more above"));
    desk.press({Key::Code::end});
    const std::string shown = desk.screen_text();
    INFO(shown);
    CHECK(contains(shown, "^ more above"));
    CHECK_FALSE(contains(shown, "more below"));
    CHECK(std::ranges::count(shown, '\n') >= size.rows - 1);
    // Each row between the headings and the last two has a game or an example.
    for (int row = 3; row < size.rows - 2; ++row)
      CHECK(row_text(desk.picture(), row).find_first_not_of(' ') != std::string::npos);
    desk.type("k");
    desk.press({Key::Code::page_up});
    CHECK(desk.has_text("more above, v more below"));
  }
}

TEST_CASE("a filter puts the cursor on its first hit", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 6; ++i)
    save_game(desk, i % 2 == 0 ? "wilma" : "barney", std::chrono::minutes(10 - i));
  desk.type("jjj/barney");
  desk.press(kEnter);
  CHECK(contains(selected_row(desk), "toot-106"));
  // Without the filter, the cursor stays on the same game.
  desk.type("j");
  CHECK(contains(selected_row(desk), "toot-104"));
  desk.press(kEsc);
  CHECK(contains(selected_row(desk), "toot-104"));
}

TEST_CASE("list and form mean the same person by you", "[ui][lobby]") {
  TestApp desk;
  ::setenv("LOGNAME", "alice", 1);
  const auto form = [&] {
    desk.type("s");
    for (int i = 0; i < 3; ++i) desk.press(kTab);
    const std::string shown = desk.screen_text();
    desk.press(kEsc);
    return shown;
  };
  save_game(desk, "wilma", std::chrono::minutes(9));
  CHECK(desk.has_text("fred, wilma"));  // neither of them is alice
  CHECK(contains(form(), "moves first; you are alice"));
  save_game(desk, "computer", std::chrono::minutes(8));
  CHECK(desk.has_text(" computer 1 "));  // the row of a game shows only the opponents
  CHECK_FALSE(desk.has_text("fred, wilma"));
  CHECK(contains(form(), "moves first; you are fred"));
  CHECK(contains(form(), "< wilma >"));
  ::unsetenv("LOGNAME");
  CHECK_FALSE(desk.has_text("fred, wilma"));
  CHECK(contains(form(), "moves first; you are fred"));
  // A name in the settings comes first.
  set_player_name(desk, "wilma");
  CHECK(contains(row_with(desk, "toot-101"), " fred "));
  CHECK(contains(form(), "moves first; you are wilma"));
}

TEST_CASE("only a row that can be deleted gets a mark", "[ui][lobby][stranger]") {
  TestApp desk;
  REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.press({Key::Code::end});
  desk.press(character_key(' '));
  CHECK_FALSE(desk.has_text("1 marked"));
  CHECK(desk.has_text("cannot be deleted"));
}

TEST_CASE("a typed name replaces the old one", "[ui][lobby][stranger]") {
  TestApp desk;
  REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.type("mfirst\n");
  CHECK(desk.local_boards.open("first").ok());
  desk.type("m");
  desk.press({Key::Code::end});
  desk.type("-game\n");
  CHECK(desk.local_boards.open("first-game").ok());
}

TEST_CASE("zeros in front of a number do not count in the order of names", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i) save_game(desk, "wilma", std::chrono::minutes(10 - i));
  REQUIRE(desk.local_boards.rename("toot-101", "game-010").ok());
  REQUIRE(desk.local_boards.rename("toot-102", "game-09").ok());
  REQUIRE(desk.local_boards.rename("toot-103", "game-0100x").ok());
  while (!desk.has_text("Sorted by name.")) desk.type("t");
  CHECK(desk.require_text("game-09").row < desk.require_text("game-010").row);
  CHECK(desk.require_text("game-010").row < desk.require_text("game-0100x").row);
}

TEST_CASE("opening the filter again keeps the selected game", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 6; ++i)
    save_game(desk, i % 2 == 0 ? "wilma" : "barney", std::chrono::minutes(10 - i));
  desk.type("/barney\nj");
  CHECK(contains(selected_row(desk), "toot-104"));
  desk.type("/\n");
  CHECK(contains(selected_row(desk), "toot-104"));
}

TEST_CASE("a game that is named twice is deleted once", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) save_game(desk, "computer", kLongAgo);
  desk.type(":delete older/ toot-101\n");
  CHECK(desk.has_text("Deleted 4 games; u brings them back."));
  CHECK_FALSE(desk.has_text("There is no"));
}

TEST_CASE("delete refuses an unknown game wherever it is named", "[ui][lobby]") {
  TestApp desk;
  save_game(desk, "wilma", {});
  for (const std::string names : {"nope toot-101", "toot-101 nope"}) {
    desk.type(":delete " + names + "\n");
    CHECK(desk.has_text("There is no board 'nope' here"));
    CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
  }
}

TEST_CASE("a mark on a folded row goes with the row", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", {});
  desk.type("j dd");
  CHECK(desk.has_text("Deleted 4 games; u brings them back."));
  CHECK_FALSE(desk.has_text("marked"));
  desk.type("gd");
  CHECK(desk.has_text("d again deletes toot-105;"));
  desk.press(kEsc);
  desk.type(":delete older/\n");
  CHECK_FALSE(desk.has_text("Deleted 0 games"));
  desk.type("u");
  CHECK(desk.has_text("4 games are back."));
  CHECK(desk.has_text("5 games"));
}

TEST_CASE("a mark on a folded row does not count while its games are listed", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i) save_game(desk, "computer", kLongAgo);
  save_game(desk, "wilma", {});
  desk.type("j k");
  CHECK(desk.has_text("1 marked"));
  desk.type("\n");
  CHECK_FALSE(desk.has_text("marked"));
  desk.type("d");
  CHECK(desk.has_text("d again deletes toot-10"));
}

TEST_CASE("a mark that the filter hides does not count", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 4; ++i)
    save_game(desk, i % 2 == 0 ? "wilma" : "barney", std::chrono::minutes(10 - i));
  desk.type("j /barney\n");  // marks a game with wilma
  CHECK(desk.has_text("showing only 'barney'"));
  CHECK_FALSE(desk.has_text("marked"));
  desk.type("d");
  CHECK(desk.has_text("d again deletes toot-104;"));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK(desk.has_text("1 marked"));
}

TEST_CASE("a row stays selected when folds are opened and closed", "[ui][lobby]") {
  TestApp desk;
  set_player_name(desk, "fred");
  save_plies(desk, {"fred", "wilma"}, {}, std::chrono::minutes(3));
  save_plies(desk, {"fred", "barney"}, {"BT", "resign"}, std::chrono::minutes(1));
  const auto selected = [&] {
    const std::string text = desk.screen_text();
    for (const std::string_view row : split_lines(text))
      if (row.starts_with(" > ")) return std::string(row);
    return std::string();
  };
  while (!contains(selected(), "Learn and practise")) desk.press({Key::Code::down});
  desk.press(kEnter);
  CHECK(contains(selected(), "example"));
  for (int i = 0; i < 20; ++i) {
    for (int down = 0; down < i; ++down) desk.press({Key::Code::down});
    CHECK_FALSE(contains(selected(), "Finished"));
    desk.press(kEsc);
    INFO(desk.screen_text());
    CHECK_FALSE(selected().empty());
    for (const char* heading : {"Your turn 1", "Finished 1"})
      CHECK_FALSE(contains(selected(), heading));
    while (!contains(selected(), "Learn and practise")) {
      desk.press({Key::Code::home});
      for (int down = 0; down < 9 && !contains(selected(), "Learn and practise"); ++down)
        desk.press({Key::Code::down});
    }
    desk.press(kEnter);
  }
}

TEST_CASE("all cards are there again when a window grows", "[ui][lobby]") {
  TestApp desk;
  desk.size = {14, 60};
  for (int i = 0; i < 5; ++i) {
    desk.press({Key::Code::down});
    desk.screen_text();
  }
  desk.size = {60, 200};
  for (const GameType& game : all_games()) CHECK(desk.has_text(std::string(game.title)));
  CHECK_FALSE(desk.has_text(" more"));
}

TEST_CASE("the list has groups with their counts, and no heading of an empty one", "[ui][lobby]") {
  TestApp desk;
  set_player_name(desk, "fred");
  save_plies(desk, {"fred", "wilma"}, {"BT"}, std::chrono::hours(30));
  save_plies(desk, {"fred", "barney"}, {"BT", "resign"}, std::chrono::minutes(1));
  save_plies(desk, {"fred", "betty"}, {"BT", "CO"}, std::chrono::hours(20));
  save_plies(desk, {"fred", "pebbles"}, {}, std::chrono::hours(40));
  for (const Size size : {Size{24, 80}, Size{12, 40}}) {
    desk.size = size;
    int above = 0;
    for (const char* line : {"Your turn 2", "betty", "pebbles", "Waiting for others 1", "wilma",
                             "Finished 1", "barney"}) {
      INFO(line);
      const int row = desk.require_text(line).row;
      CHECK(row > above);
      above = row;
    }
    CHECK_FALSE(desk.has_text("Challenges"));
    CHECK_FALSE(desk.has_text("Watching"));
  }
  // Sorting and filtering stay within the groups.
  desk.size = kScreenSize;
  desk.type("t");
  CHECK(desk.has_text("Sorted by name."));
  CHECK(desk.require_text("pebbles").row > desk.require_text("betty").row);
  CHECK(desk.require_text("Waiting").row > desk.require_text("pebbles").row);
  desk.type("/wilma\n");
  CHECK(desk.has_text("Waiting for others 1"));
  CHECK_FALSE(desk.has_text("Your turn"));
}

TEST_CASE("a row tells opponent, game and size, moves, and when somebody played", "[ui][lobby]") {
  TestApp desk;
  set_player_name(desk, "fred");
  save_plies(desk, {"fred", "wilma"}, {"BT", "CO"}, kLongAgo, {"-size=7x9"});
  save_plies(desk, {"barney", "fred"}, {"BT", "resign"}, std::chrono::minutes(1));
  const std::string row = row_with(desk, "toot-101");
  INFO(row);
  std::size_t at = 0;
  for (const char* cell : {"wilma", "Toot -size=7x9", " 2 ", "3 days ago", "toot-101"}) {
    CHECK(row.find(cell, at) != std::string::npos);
    at = row.find(cell, at);
  }
  CHECK_FALSE(contains(row, "fred"));
  CHECK(contains(row_with(desk, "toot-102"), "barney won"));
}

TEST_CASE("no key selects a heading, and the cursor stands on the selected row", "[ui][lobby]") {
  TestApp desk;
  set_player_name(desk, "fred");
  save_plies(desk, {"fred", "wilma"}, {}, std::chrono::minutes(3));
  save_plies(desk, {"fred", "betty"}, {"BT"}, std::chrono::minutes(2));
  save_plies(desk, {"fred", "barney"}, {"resign"}, std::chrono::minutes(1));
  const auto selects = [&](const char* text) {
    const Canvas picture = desk.picture();
    REQUIRE(picture.cursor);
    CHECK(picture.cell(picture.cursor->row, 1).glyph == U'>');
    return contains(row_text(picture, picture.cursor->row), text);
  };
  CHECK(selects("wilma"));
  desk.type("k");
  CHECK(selects("wilma"));
  desk.type("j");
  CHECK(selects("betty"));
  desk.type("jj");
  CHECK(selects("barney"));
  desk.type("kkk");
  CHECK(selects("wilma"));
  desk.press({Key::Code::page_down});
  CHECK(selects("barney"));
  desk.press({Key::Code::home});
  CHECK(selects("wilma"));
  desk.click(desk.require_text("Finished"));
  CHECK(selects("barney"));
}

TEST_CASE("the list shows the selected board and its turn where there is room", "[ui][lobby]") {
  TestApp desk;
  set_player_name(desk, "fred");
  save_plies(desk, {"fred", "wilma"}, {"BT"}, std::chrono::minutes(3));
  for (const Size size : {Size{24, 80}, Size{40, 120}, Size{60, 200}}) {
    desk.size = size;
    CHECK(desk.has_text("It is wilma's turn"));
    CHECK(desk.require_text("It is wilma's turn").row > desk.require_text("Waiting").row);
  }
  for (int i = 0; i < 40; ++i) save_plies(desk, {"fred", "betty"}, {}, std::chrono::minutes(9));
  desk.type("r");
  desk.size = {12, 40};
  desk.press({Key::Code::home});
  CHECK_FALSE(desk.has_text("It is your turn"));
  desk.size = {40, 120};
  CHECK(desk.has_text("It is your turn"));
}

TEST_CASE("finished games with the computer are one row, too", "[ui][lobby]") {
  TestApp desk;
  for (int i = 0; i < 3; ++i)
    save_plies(desk, {"fred", "computer"}, {"resign"}, kLongAgo, {}, {0, 1});
  CHECK(desk.has_text("Finished 3"));
  CHECK(desk.has_text("earlier"));
  CHECK_FALSE(desk.has_text("toot-101"));
  CHECK_FALSE(desk.has_text("Your turn"));
  desk.type("G\n");
  CHECK(desk.has_text("toot-101"));
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("toot-101"));
}

TEST_CASE("a newcomer sees a card of each game, which keys and clicks choose", "[ui][lobby]") {
  TestApp desk;
  for (const Size size : {Size{24, 80}, Size{12, 40}, Size{40, 120}, Size{60, 200}}) {
    desk.size = size;
    CHECK(desk.has_text("Learn one of these in five minutes."));
    CHECK(desk.has_text("Enter learn it  c play the computer"));
    for (const GameType& game : all_games()) {
      INFO(game.title);
      CHECK((desk.has_text(std::string(game.title) + " ") || desk.has_text(" more")));
    }
    CHECK(desk.has_text("> " + std::string(all_games().front().title)));
  }
  desk.size = kScreenSize;
  const auto selects = [&](const GameType& game) {
    const Point place = desk.require_text("> " + std::string(game.title));
    return desk.picture().cursor == place;
  };
  desk.press({Key::Code::right});
  CHECK(selects(all_games()[1]));
  desk.press({Key::Code::down});
  CHECK(selects(all_games()[4]));
  desk.press({Key::Code::up});
  desk.press({Key::Code::left});
  CHECK(selects(all_games()[0]));
  desk.press({Key::Code::left});
  CHECK(selects(all_games()[0]));
  desk.type("j");
  CHECK(selects(all_games()[1]));
  desk.click(desk.require_text(" " + std::string(all_games()[2].title)));
  CHECK(selects(all_games()[2]));
  desk.type("s");  // the form begins with the selected game
  CHECK(desk.has_text("< " + std::string(all_games()[2].title) + " >"));
}

TEST_CASE("a card's board has pieces of the example", "[ui][lobby]") {
  TestApp desk;
  const Canvas picture = desk.picture();
  const Point title = desk.require_text("> Toot");
  int pieces = 0;
  for (int row = title.row + 1; row < title.row + 9; ++row)
    for (int column = title.column; column < title.column + 24; ++column)
      pieces += picture.cell(row, column).style >= Style::piece1;
  CHECK(pieces >= 7);
}

TEST_CASE("keys of a card start its game at once", "[ui][lobby]") {
  const auto press = [](const char* keys, const std::string& text) {
    TestApp desk;
    desk.type("j");
    desk.type(keys);
    INFO(keys << desk.screen_text());
    CHECK(desk.has_text(text));
    const std::string game(all_games()[1].title);
    CHECK(desk.has_text(game));
    return fs::exists(desk.directory / "saves");
  };
  CHECK(press("c", "against computer"));
  CHECK(press("2", "player1 against player2"));
  CHECK_FALSE(press("r", "Rules of"));
  CHECK_FALSE(press("\n", "lesson"));
}

TEST_CASE("after the first game the cards are one row, which Enter lists", "[ui][lobby]") {
  TestApp desk;
  desk.type("2");
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("Welcome"));
  CHECK(desk.has_text("Your turn 1"));
  CHECK(desk.has_text("Learn and practise"));
  CHECK_FALSE(desk.has_text("example:"));
  desk.type("G\n");
  CHECK(desk.has_text("Learn and practise 10"));
  CHECK(desk.has_text("tootris"));
  desk.type("s");
  CHECK(contains(join(split_words(desk.screen_text())), "Left and Right change a value."));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("tootris"));
}
