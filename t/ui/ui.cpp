// SPDX-License-Identifier: MIT
// The screens without a terminal: keys go in, pictures come out.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "test_app.hpp"
#include "protocol/match_description.hpp"
#include "ui/board_session.hpp"
#include "ui/screens/screens.hpp"
#include "ui/widgets/move_picker.hpp"
#include "ui/widgets/players_panel.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

TEST_CASE("picking the trail of any legal move, in any game, puts that move together", "[ui]") {
  constexpr unsigned seed = 77;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::string> wrong;
  for (const Setup& setup : all_setups())
    for (int game = 0; game < 3; ++game) {
      Position position = setup.start();
      for (int n = 0; n < 60 && !position.outcome(); ++n) {
        const auto legal = position.legal_plies();
        const std::string ply = legal[random_below(random, legal.size())];
        const auto trail = position.selected_spots(ply);
        MovePicker picker(position, position.draw({}));
        for (const SpotId spot : trail) {
          picker.move_to(spot);
          if (!picker.pick()) wrong.push_back(setup.name + ": " + ply + " cannot be picked");
        }
        // Plies with the same trail differ in the text after it.
        const std::string text = picker.picked_text();
        if (ply.substr(0, text.size()) != text)
          wrong.push_back(setup.name + ": " + ply + " became " + text);
        if (!trail.empty() && text.empty())
          wrong.push_back(setup.name + ": " + ply + " is picked without a trace");
        for (std::size_t i = 0; i < trail.size(); ++i) picker.unpick();
        if (!picker.picked_text().empty())
          wrong.push_back(setup.name + ": " + ply + " cannot be taken back");
        position.play(ply);
      }
    }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("every spot of every drawing can be reached with the arrows", "[ui]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    const Position position = setup.start();
    const Drawing drawing = position.draw({});
    std::set<SpotId> seen;
    std::vector<MovePicker> open{MovePicker(position, drawing)};
    seen.insert(open.front().cursor_spot());
    while (!open.empty()) {
      const MovePicker from = open.back();
      open.pop_back();
      for (int d = 0; d < 4; ++d) {
        MovePicker next = from;
        next.move(static_cast<MovePicker::Direction>(d));
        if (seen.insert(next.cursor_spot()).second) open.push_back(next);
      }
    }
    CHECK(seen.size() == drawing.spots.size());
  }
}

TEST_CASE("a game is played with the cursor, letter, Enter", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.press(kTab);
  CHECK(desk.has_text("Arrows and Tab move"));
  desk.press(kEnter);  // picks column A
  CHECK(desk.has_text("(TOOT)> A"));
  CHECK(desk.has_text("Possible: AO AT"));
  desk.type("T");
  CHECK(desk.has_text("fred drops a T down column A. Enter plays it."));
  desk.press(kEnter);
  CHECK(desk.has_text(" 1 AT"));
  CHECK(desk.read_save("toot-101").find("{move: AT") != std::string::npos);
  // The cursor stays after a ply. Backspace undoes the letter and the pick; Esc ends the picking.
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("O");
  desk.press(kBackspaceKey);
  desk.press(kBackspaceKey);
  CHECK(desk.has_text("wilma (OTTO)>\n"));
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("Arrows and Tab move"));
  CHECK(desk.has_text("toot-101"));
}

TEST_CASE("a move that is picked whole is seen on the board before it is played", "[ui]") {
  TestApp desk;
  desk.app.show(*create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}));
  // After a move, an extra Enter only shows the cursor; Space picks at once.
  desk.press(kEnter);
  CHECK_FALSE(desk.has_text("(TOOT)> A"));
  desk.press(kEsc);
  desk.press(character_key(' '));
  CHECK(desk.has_text("(TOOT)> A"));
  CHECK(desk.has_text(". . . . . ."));
  CHECK_FALSE(desk.has_text("T . . . . ."));
  desk.type("T");
  CHECK(desk.has_text("T . . . . ."));
  CHECK(desk.has_text("6 T 6 O"));  // not played yet
  CHECK(desk.has_text("Enter play"));
  desk.press(kBackspaceKey);
  CHECK_FALSE(desk.has_text("T . . . . ."));
}

TEST_CASE("a move of several jumps is picked space by space and played by a last Enter", "[ui]") {
  TestApp desk;
  auto board = desk.local_boards.open("example:flooprail");
  REQUIRE(board.ok());
  desk.app.show(std::move(*board));
  desk.press(kTab);
  for (int i = 0; i < 4; ++i) {
    desk.press(kEnter);
    desk.press(kTab);
  }
  CHECK(desk.has_text("> D2-D4-F4-F6"));
  desk.press(control_key('O'));
  CHECK(desk.has_text("Not played yet: D2-D4-F4-F6."));
  CHECK(desk.has_text("X--.--.--@"));
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("Not played yet"));
  desk.press(kEnter);
  CHECK(desk.has_text("21 D2-D4-F4-F6"));
  // The example is unchanged; the ply made a new board.
  CHECK(desk.has_text("Examples do not change. Your copy is board flooprail-101."));
}

TEST_CASE("what only begins a move or a word is asked to go on, not refused", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("o\n");
  CHECK(desk.has_text("More is needed: oa ob"));
  desk.type("u");
  desk.press(kEsc);
  desk.type("und\n");
  CHECK(desk.has_text("More is needed: undo"));
  // A text as long as a move may also be one.
  TestApp full;
  full.start_board("toot", {}, "BT BO BT BO");
  full.type("bo\n");
  CHECK(full.has_text("Column B is full."));
  CHECK(full.has_text("boards"));
}

TEST_CASE("a move that touches no square is offered to the cursor and to clicks", "[ui]") {
  const std::string plies =
      "a3-c3 e4-c2-c4-e4 a2-c4-c2 d3-a3-c5 c2-a2-c4-c2 e3-c1-c4-a2 a1-c1-c4 c5-a3-a1-c1-c5";
  for (const bool mouse : {false, true}) {
    TestApp desk;
    desk.start_board("chaos", {}, plies);
    if (mouse) desk.click(desk.require_text("x o x x"));
    else desk.press(kTab);
    CHECK(desk.has_text("fred (o)> pass"));
    INFO(desk.screen_text());
    CHECK(desk.has_text("Enter plays it."));
    if (mouse) desk.click(desk.require_text("Enter plays it."));
    else desk.press(kEnter);
    CHECK(desk.has_text("wilma (x) wins. o had no valid move and passed."));
  }
}

TEST_CASE("a square with which no move goes on says so, to the cursor and to a click", "[ui]") {
  TestApp desk;
  desk.start_board("flooprail");
  const Point corner = *find_drawing(desk.picture(), make_setup("flooprail").start().draw({}));
  const auto click = [&](int row, int column) {
    desk.click({corner.row + row, corner.column + column});
  };
  click(3, 12);  // D2, among its own pieces
  CHECK(desk.has_text("No move begins at D2. Tab goes to a square where one does."));
  desk.press(kTab);
  CHECK_FALSE(desk.has_text("No move begins"));
  click(7, 9);
  CHECK(desk.has_text("(O)> C4"));
  desk.press({Key::Code::up});
  desk.press(kEnter);
  CHECK(desk.has_text("This move cannot continue to C3. Tab goes to a square where it can."));
  CHECK(desk.has_text("(O)> C4"));
  // A click where a move begins starts that one; a second click on the square cancels it.
  click(7, 21);
  CHECK(desk.has_text("This move cannot continue to G4"));
  CHECK(desk.has_text("(O)> C4"));
  click(9, 6);
  CHECK(desk.has_text("(O)> B5"));
  CHECK_FALSE(desk.has_text("cannot continue"));
  click(9, 6);
  CHECK(desk.has_text("(O)>\n"));
}

TEST_CASE("Enter plays what the cursor points at, and nothing else", "[ui]") {
  TestApp desk;
  desk.start_board("flooprail");
  const auto keys = [&](const std::vector<Key::Code>& codes) {
    for (const Key::Code code : codes) desk.press({code});
  };
  using enum Key::Code;
  desk.type(" ");
  keys({right, enter});
  CHECK(desk.has_text("(O)> E2-F2"));
  // Another destination replaces the picked one.
  keys({left, down, enter});
  CHECK(desk.has_text("(O)> E2-E3"));
  CHECK(desk.read_save("flooprail-101").find("E2") == std::string::npos);
  // On a square that the move cannot reach, Enter plays nothing.
  keys({right, enter});
  CHECK(desk.has_text("This move cannot continue to F3. Enter on its last square plays it."));
  CHECK(desk.read_save("flooprail-101").find("E2") == std::string::npos);
  keys({left, enter});
  CHECK(desk.has_text("1 E2-E3"));
}

TEST_CASE("a word that begins as the key for another game is typed as any other", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO");
  desk.type("resign\n\n");
  desk.type("r");
  CHECK(desk.has_text("game over> rematch"));
  desk.type("ecord");
  CHECK(desk.has_text("game over> record\n"));
}

TEST_CASE("the last move is seen in the list when it gets fewer rows", "[ui]") {
  Match match = *Match::start(*find_game("toot"), *read_options(*find_game("toot"), {"-size=7x9"}),
                              {"fred", "wilma"}, {});
  for (const char* ply : {"AT", "AO", "BT", "BT", "CO", "CO", "DT", "DT", "EO", "EO", "FT", "FT"})
    match.add(*match.validate(match.acting_seat(ply), ply, {}));
  PlyList list;
  for (const int rows : {12, 3}) {
    Canvas canvas({14, 20});
    list.draw(canvas, {1, 0, rows, 20}, match, std::nullopt, nullptr);
    CHECK(find_text(canvas, "12 FT"));
  }
}

TEST_CASE("what is typed and begins no move is not thrown away by Tab", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("zz");
  desk.press(kTab);
  CHECK(desk.has_text("(TOOT)> zz"));
  CHECK(desk.has_text("No move begins with"));
}

TEST_CASE("a move without its dashes is refused for the same reason", "[ui]") {
  for (const auto& [game, typed, dashed] :
       {std::tuple("flooprail", "d2e2", "d2-e2"), std::tuple("flooprail", "d3e4", "d3-e4"),
        std::tuple("chaos", "a2b2", "a2-b2")}) {
    const Position start = make_setup(game).start();
    INFO(game << ' ' << typed);
    CHECK(start.parse(typed).refusal().reason == start.parse(dashed).refusal().reason);
    CHECK(start.parse(typed).refusal().offset == 2);
  }
  CHECK(make_setup("flooprail").start().parse("e2f2").ok());
}

TEST_CASE("the list, its picture of a board and the board itself call the player you", "[ui]") {
  TestApp desk;
  desk.size = {30, 120};
  desk.app.show(*desk.local_boards.save_new(
      *Match::start(*find_game("toot"), {}, Seating{{"player1", "computer"}, {0, 1}}, now())));
  CHECK(desk.has_text("> TOOT you"));
  CHECK(desk.has_text("you (TOOT)>"));
  desk.type("BT\n");
  CHECK(desk.has_text("It is the computer's turn (OTTO)."));
  CHECK(desk.has_text("the computer's turn>"));
  desk.press(kEsc);
  CHECK(desk.has_text("It is the computer's turn (OTTO)."));
  CHECK_FALSE(desk.has_text("player1"));
}

TEST_CASE("after the end the arrows look back, and no level is given", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO");
  desk.type("resign\n\n");
  CHECK(desk.has_text("game over>"));
  CHECK(desk.has_text("Left look back"));
  desk.press({Key::Code::left});
  CHECK(desk.has_text("move 1, "));
  CHECK(desk.has_text("Right later"));
  desk.press({Key::Code::right});
  CHECK(desk.has_text("game over>"));
  desk.type("level 3\n");
  CHECK(desk.has_text("The game is over. Type rematch to start another."));
}

TEST_CASE("a game that is played through is stopped by any character, which is not typed", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("BT\nAO\n");
  desk.press(control_key('P'));
  for (const char key : {' ', 'b'}) {
    desk.type(" ");
    desk.type(std::string(1, key));
    CHECK(desk.has_text("Stopped. 1 move follows. Space continues, End shows the current board."));
  }
  CHECK(desk.has_text("move 1, wilma (OTTO)>"));
}

TEST_CASE("looking back shows any move and returns, and changes nothing", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO DO");
  const std::string before = desk.read_save("toot-101"), now = desk.screen_text();
  desk.press(control_key('P'));
  CHECK(desk.has_text("Move 2: wilma drops an O down column C. 1 move follows."));
  CHECK(desk.has_text(". T O . . ."));
  for (int i = 0; i < 5; ++i) desk.press(control_key('P'));
  CHECK(desk.has_text("The start. 3 moves follow."));
  desk.press(control_key('N'));
  CHECK(desk.has_text("2 moves follow"));
  desk.press({Key::Code::end});
  CHECK(desk.screen_text() == now);
  desk.type("#1");
  CHECK(desk.has_text("Enter shows the board after that move."));
  desk.press(kEnter);
  CHECK(desk.has_text("2 moves follow"));
  desk.type("#9");
  desk.press(kEnter);
  CHECK(desk.has_text("This game has 3 moves. Write #0 to #3."));
  CHECK(desk.read_save("toot-101") == before);
}

TEST_CASE(
    "where Shift does not mark text the foot says how to click, and F2 does it: then three "
    "clicks play a move",
    "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  CHECK_FALSE(desk.app.is_mouse_on());
  CHECK(desk.has_text("F2 mouse"));
  desk.press({Key::Code::function, 2});
  CHECK(desk.app.is_mouse_on());
  CHECK_FALSE(desk.has_text("F2 mouse"));
  const Point a = desk.require_text("A B C D E F");
  desk.click({a.row + 2, a.column + 2});
  CHECK(desk.has_text("(TOOT)> B"));
  desk.click(desk.require_text("BT"));
  CHECK(desk.has_text("fred drops a T down column B. Enter plays it."));
  desk.click(desk.require_text("Enter plays it."));
  CHECK(desk.has_text(" 1 BT"));
  desk.click({a.row + 1, a.column + 4});
  desk.click({a.row + 1, a.column + 6});  // another column replaces the first
  CHECK(desk.has_text("(OTTO)> D"));
  desk.click(desk.require_text("Esc back"));
  desk.click(desk.require_text("Esc back"));
  desk.click(desk.require_text("toot-101"));
  CHECK(desk.has_text("wilma (OTTO)>"));
}

TEST_CASE("what is pasted is typed and nothing else", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.press({Key::Code::paste_mark, 1});
  desk.type("B?");
  desk.press(kEnter);
  desk.press(kTab);
  desk.press({Key::Code::paste_mark, 0});
  CHECK(desk.has_text("(TOOT)> B?"));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK(desk.has_text("1 game"));
  desk.press({Key::Code::paste_mark, 1});
  desk.type("dnq");
  desk.press({Key::Code::paste_mark, 0});
  CHECK_FALSE(desk.app.is_done());
  CHECK(desk.has_text("1 game"));
}

TEST_CASE("the form for a new board says at once what is wrong with it", "[ui]") {
  TestApp desk;
  desk.type("s");
  CHECK(desk.has_text("< Toot >"));
  CHECK(desk.has_text("Enter starts the game"));
  desk.press(kTab);
  desk.press(control_key('U'));
  desk.type("7x99");
  CHECK(desk.has_text("'-size=7x99' is not valid. Write -size=WxH with W from 1 to 14"));
  desk.press(kEnter);
  CHECK(desk.has_text("New game"));
  for (int i = 0; i < 4; ++i) desk.press(kBackspaceKey);
  desk.type("3x3");
  CHECK(desk.has_text("always ends in a tie"));
  desk.press(kTab);
  desk.type(" ");
  CHECK(desk.has_text("[x]"));
  CHECK(desk.has_text("never ends by itself"));
  desk.press(kTab);
  desk.type("fred");
  desk.press(kTab);
  desk.type("Fred");
  CHECK(desk.has_text("Two players are called Fred"));
  desk.press(control_key('U'));
  desk.press(kEnter);
  CHECK(desk.has_text("Type the name of player2."));
  desk.type("player2\n");
  CHECK(desk.has_text("fred (TOOT)>"));
  CHECK(desk.read_save("toot-101").find("options: [-size=3x3, -tootris]\nseats: [fred, player2]") !=
        std::string::npos);
}

TEST_CASE("after the end Tab types nothing, and who rejects a draw is told so", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO DO BO");
  desk.type("propose\nreject\n");
  CHECK(desk.has_text("wilma (OTTO) declines the draw."));
  desk.type("ET\n");
  desk.press(kTab);
  CHECK(desk.has_text("game over>"));
  INFO(desk.screen_text());
  CHECK_FALSE(desk.has_text("undo"));
}

TEST_CASE("how to move is shown by a move that is legal", "[ui]") {
  for (const char* game : {"toot", "flooprail", "plotto", "chaos", "soccolot"}) {
    TestApp desk;
    const auto board = create_board(desk.local_boards, *find_game(game), {}, {"fred", "wilma"});
    const std::string said = board->match.move_hint();
    INFO(said);
    const std::size_t as = said.find(", such as ") + 10;
    CHECK(board->match.position().parse(said.substr(as, said.find(' ', as) - as)));
    desk.app.show(*board);
    CHECK(desk.has_text("A move is "));
  }
}

TEST_CASE("the examples are a row that is opened by Enter and closed by Esc", "[ui]") {
  TestApp desk;
  CHECK(desk.has_text("examples"));
  CHECK_FALSE(desk.has_text("trent, uma"));
  desk.press({Key::Code::end});
  desk.press(kEnter);
  CHECK(desk.has_text("trent, uma"));
  CHECK(desk.has_text("Esc fold"));
  desk.press(kEsc);
  CHECK_FALSE(desk.has_text("trent, uma"));
  desk.type("d");
  CHECK(desk.has_text("cannot be deleted"));
}

TEST_CASE("Home and End go through the text of a row, then through the rows", "[ui]") {
  TestApp desk;
  desk.type("s");
  desk.press(kTab);
  REQUIRE(desk.has_text("> size         6x4"));
  desk.press({Key::Code::home});
  CHECK(desk.has_text("> size"));
  desk.press({Key::Code::home});
  CHECK(desk.has_text("> game"));
  desk.press(kTab);
  desk.press({Key::Code::end});
  desk.press({Key::Code::end});
  CHECK(desk.has_text("> player2"));
}

TEST_CASE("Enter in a form goes to the row that is wrong, and what takes no letters says so",
          "[ui]") {
  TestApp desk;
  desk.type("s");
  desk.press(kTab);
  desk.press(control_key('U'));
  desk.type("7x99");
  desk.press(kTab);
  desk.type("x");
  CHECK(desk.has_text("> tootris      [ ]"));
  CHECK(desk.has_text("This row takes no text. Press Space to change it."));
  desk.type("y");
  CHECK(desk.has_text("> tootris      [x]"));
  desk.type("n");
  CHECK(desk.has_text("> tootris      [ ]"));
  desk.press(kTab);
  CHECK(desk.has_text("! size"));
  desk.press(kEnter);
  CHECK(desk.has_text("> size         7x99"));
  CHECK(desk.has_text("'-size=7x99' is not valid. Write -size=WxH"));
  desk.press(kBackspaceKey);
  CHECK(desk.has_text("> size         7x9"));
}

TEST_CASE("a deleted board whose name was taken comes back when the name is free again", "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "BT CO");
  p.press(kEsc);
  p.type("dd");
  REQUIRE(p.has_text("Deleted toot-101; u brings it back."));
  const fs::path there = p.directory / "saves/toot-101.yaml", aside = p.directory / "aside.yaml";
  fs::copy(source_root() / "saves/toot.yaml", there);
  p.type("u");
  CHECK_FALSE(p.has_text("toot-101 is back."));
  CHECK(read_bytes(there) == read_bytes(source_root() / "saves/toot.yaml"));
  fs::rename(there, aside);
  p.type("u");
  CHECK(p.has_text("toot-101 is back."));
  CHECK(p.read_save("toot-101").find("move: CO") != std::string::npos);
}

TEST_CASE("the form offers every game of the table with its options and seats", "[ui]") {
  TestApp desk;
  desk.type("s");
  for (const GameType& game : all_games()) {
    INFO(game.name);
    CHECK(desk.has_text("< " + std::string(game.title) + " >"));
    for (const OptionSpec& option : game.options)
      CHECK(desk.has_text("   " + std::string(option.name)));
    CHECK(desk.has_text("player" + std::to_string(game.max_seats)));
    CHECK_FALSE(desk.has_text("player" + std::to_string(game.max_seats + 1)));
    desk.press({Key::Code::right});
  }
  CHECK(desk.has_text("< " + std::string(all_games()[0].title) + " >"));
}

TEST_CASE("the form begins with the game of the row one is at", "[ui]") {
  TestApp desk;
  desk.start_board("chaos");
  desk.press(kEsc);
  desk.type("s");
  CHECK(desk.has_text("< Chaos >"));
}

TEST_CASE("who is not named beside the computer is called as F4 has it", "[ui]") {
  TestApp desk;
  Preferences betty = desk.settings.preferences();
  betty.player_name = "betty";
  REQUIRE(desk.settings.change([&](Preferences& p) { p = betty; }).ok());
  desk.type(":new toot computer:1\n");
  CHECK(desk.has_text("TOOT computer 1"));
  CHECK(desk.has_text("OTTO you"));
  CHECK(contains(desk.read_save("toot-101"), "betty"));
}

TEST_CASE("the settings show a drawing that is chosen", "[ui][settings]") {
  TestApp desk;
  desk.size = {60, 120};
  desk.press(kF4);
  desk.press({Key::Code::down});
  for (const char field : find_game("soccolot")->drawing_styles) {
    desk.press({Key::Code::right});
    CHECK(desk.has_text(std::string("Soccolot, field ") + field + "."));
    const Match m = *Match::start(*find_game("soccolot"), Options{}, {"player1", "player2"}, {});
    CHECK(find_drawing(desk.picture(), m.draw(0, View{.drawing_style = field})));
  }
}

TEST_CASE("what is typed while one looks back keeps the place, and Enter asks where it is played",
          "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO DO");
  desk.type("#1\n");
  // Text that is a move in neither position leads to no question.
  desk.type("xy");
  CHECK_FALSE(desk.has_text("Enter asks if"));
  desk.press(control_key('U'));
  desk.type("at");
  CHECK(desk.has_text("move 1, wilma (OTTO)> at"));
  CHECK_FALSE(desk.has_text(". T O O . ."));
  CHECK(desk.has_text("Enter asks if you want to play at now"));
  const std::string before = desk.read_save("toot-101");
  desk.press(kEnter);
  CHECK(desk.has_text("Enter again plays at now. F3 tries it from here."));
  CHECK(desk.read_save("toot-101") == before);
  // F3 tries the move from the past position, without saving.
  desk.press({Key::Code::function, 3});
  CHECK(desk.has_text("trying moves"));
  CHECK(desk.has_text("T T . . . ."));
  CHECK(desk.read_save("toot-101") == before);
  desk.press(kEsc);
  // A second Enter plays it on the current board.
  desk.type("#1\n");
  desk.type("at\n");
  desk.press(kEnter);
  CHECK(desk.has_text("T T O O . ."));
  CHECK(desk.has_text(" 4 AT"));
  // A text that is no move is refused, and the shown position stays.
  desk.type("#1\n");
  desk.type("zz\n");
  CHECK(desk.has_text("There is no column Z"));
  CHECK(desk.has_text("move 1, wilma (OTTO)> zz"));
}

TEST_CASE("a word used while one looks back says what it does to the game as it is now", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT CO DO EO");
  desk.type("#1\nundo\n");
  CHECK(desk.has_text("Enter again uses undo on the game as it is now: take back the last move."));
  desk.press(kEnter);
  CHECK_FALSE(desk.has_text("EO"));
  desk.type("#1\n");
  desk.press(control_key('X'));
  CHECK(desk.has_text("Enter again uses undo"));
  desk.press(kEnter);
  CHECK_FALSE(desk.has_text("DO"));
  // After a resignation, it is refused at once.
  desk.type("resign\n\n#1\n");
  desk.press(control_key('X'));
  CHECK_FALSE(desk.has_text("again uses"));
}

TEST_CASE("words on, typed on a screen, is saved", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("words on\n");
  CHECK(desk.has_text("Line mode and pbmplay show now describe boards in words."));
  CHECK(contains(read_bytes(desk.directory / "settings.yaml"), "words: yes"));
  desk.press(kEsc);
  desk.type(":words off\n");
  CHECK(contains(read_bytes(desk.directory / "settings.yaml"), "words: no"));
}

TEST_CASE("a sentence too long for a small window keeps what to press", "[ui]") {
  const std::string text = "One is here. Two is here. Three is here. Press F6 to go on.";
  CHECK(fit_instruction(text, {2, 60}) == text);
  CHECK(fit_instruction(text, {2, 30}) == "One is here. Two is here. ... Press F6 to go on.");
  CHECK(fit_instruction(text, {1, 40}) == "One is here. ... Press F6 to go on.");
  CHECK(fit_instruction(text, {1, 20}) == text);
  CHECK(fit_instruction("One is here. Two is here. Three.", {1, 20}) ==
        "One is here. Two is here. Three.");
}

TEST_CASE("the numbers of pieces end in one column", "[ui]") {
  const Match m = *Match::start(*find_game("chaos"), {}, {"a", "b"}, Time{});
  Position then = m.position();
  // Ten pieces of a seat need one more column than seven.
  std::set<std::size_t> ends;
  for (int n = 0; n < 60 && !then.outcome(); ++n) {
    Canvas canvas({4, 40});
    draw_players(canvas, {0, 0, 2, 40}, m, then, true, std::nullopt, {});
    for (const int row : {0, 1}) {
      std::string text;
      for (int c = 0; c < 40; ++c) text += static_cast<char>(canvas.cell(row, c).glyph);
      ends.insert(text.find_last_not_of(' '));
    }
    then.play(then.legal_plies().back());
  }
  CHECK(ends.size() == 1);
}

TEST_CASE("a draw that is declined by playing on is said to be", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT");
  desk.type("draw\nCO\n");
  // At a shared keyboard, the player who made the offer plays the ply.
  CHECK(desk.has_text("drops an O down column C. The draw offer ends."));
}

TEST_CASE("help on a board is ten keys first, and by the same key all", "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  desk.press(character_key('?'));
  CHECK(desk.has_text("Help: Soccolot"));
  CHECK(desk.has_text("show all keys and words"));
  CHECK_FALSE(desk.has_text("more lines"));
  desk.press(character_key('?'));
  CHECK(desk.has_text("Help: Soccolot"));
  CHECK(desk.has_text("more lines"));
  desk.press(kEsc);
  CHECK(desk.has_text("fred (Black)>"));
}

TEST_CASE("help lists every key of the screen it was asked on", "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  desk.press(character_key('?'));
  desk.press(character_key('?'));
  const std::string help = desk.screen_text({200, 100});
  for (const char* key : {"Enter", "Esc", "Tab", "PgUp Ctrl-B", "field [a|b|c]", "rules F1 Ctrl-R",
                          "Ctrl-P", "Ctrl-O", "F2", "F4", "Ctrl-C", "Ctrl-Z", "Ctrl-L", "resign"}) {
    INFO(key);
    CHECK(help.find(std::string("\n   ") + key) != std::string::npos);
  }
  desk.press(kEsc);
  desk.press({Key::Code::function, 1});
  CHECK(desk.has_text("Soccolot"));
  CHECK(desk.has_text("Rules"));
}

namespace {

// Returns the marks of the first row that has `text`, a letter for each cell: "..ww..l".
std::string row_marks(const Canvas& canvas, std::string_view text) {
  for (int r = 0; r < canvas.size().rows; ++r) {
    if (row_text(canvas, r).find(text) == std::string::npos) continue;
    std::string out;
    for (int c = 0; c < canvas.size().columns; ++c)
      out += ".lw?cp"[static_cast<std::size_t>(canvas.cell(r, c).mark)];
    return out.substr(0, out.find_last_not_of('.') + 1);
  }
  return "not there";
}

// Returns a text with "red" in it five times, once across a line break; 80 columns wide.
std::string make_text() {
  std::string out =
      "# Reading\n\nThe first player says Red. Blue is not red.\n\n## Second\n\n- A list whose "
      "item is so long that it is broken in the middle, between red\n  wine and white bread.\n\n   "
      " red    verbatim\n\n## Third\n\n";
  for (int i = 1; i <= 60; ++i) out += "Line " + std::to_string(i) + ".\n\n";
  return out + "## Last\n\nThe very last line: red.\n";
}

// A text screen over a board.
struct TextReader {
  TestApp app_user;
  App app{app_user.all_boards,
          app_user.settings,
          [](const std::string&) -> Result<std::string> { return make_text(); },
          {}};
  Canvas canvas{kScreenSize};

  TextReader() {
    app.show(
        *create_board(app_user.local_boards, *find_game("toot"), Options{}, {"fred", "wilma"}));
    press({Key::Code::function, 1});
  }
  void press(const Key& key) {
    app.press(key);
    canvas = app.draw(kScreenSize);
  }
  void type(std::string_view text) {
    for (const char c : text) press(character_key(static_cast<char32_t>(c)));
  }
  std::string row_text_at(int r) const { return row_text(canvas, r); }
  std::string bottom_row() const { return row_text_at(kScreenSize.rows - 1); }
};

}  // namespace

TEST_CASE("words are searched for while they are typed, from where one is, round and round",
          "[ui]") {
  TextReader reader;
  CHECK(reader.row_text_at(2) == " Reading");
  CHECK(reader.bottom_row().find("/ search") != std::string::npos);
  reader.type("n");
  CHECK(reader.bottom_row() == " Type / and the words to search for.");
  reader.type("/rE");
  CHECK(reader.bottom_row().find(" search: rE") == 0);
  CHECK(reader.bottom_row().find("1 of 7") != std::string::npos);  // also in Reading and bread
  reader.type("d");
  CHECK(reader.bottom_row().find("1 of 5") != std::string::npos);
  CHECK(row_marks(reader.canvas, "says Red") ==
        std::string(23, '.') + "lll" + std::string(14, '.') + "www");
  reader.press(kEnter);
  CHECK(reader.bottom_row() == " 'rEd': 1 of 5  n next  N previous  / search");
  CHECK(reader.canvas.cursor == Point{4, 23});
  reader.type("n");
  CHECK(row_marks(reader.canvas, "says Red") ==
        std::string(23, '.') + "www" + std::string(14, '.') + "lll");
  reader.type("NN");
  CHECK(reader.bottom_row().find("5 of 5") != std::string::npos);
  CHECK(row_marks(reader.canvas, "very last") == std::string(21, '.') + "lll");
  reader.type("n");
  CHECK(row_marks(reader.canvas, "says Red").find("lll") == 23);
  // The search continues at the start after the end.
  reader.press({Key::Code::end});
  reader.type("/Line ");
  CHECK(row_marks(reader.canvas, "Line 60").find("lllll") == std::string::npos);
  CHECK(reader.bottom_row().find(" of 60") != std::string::npos);  // not among them: "line:"
  reader.press(kEsc);
  CHECK(reader.bottom_row().find("'rEd': 5 of 5") == 1);
  reader.press(kEsc);
  CHECK(reader.row_text_at(0).find(" Toot: fred against wilma, toot-101 ") == 0);
}

TEST_CASE("words are found over the end of a line, and what is not found is said", "[ui]") {
  TextReader reader;
  reader.type("/red wine and");
  CHECK(reader.bottom_row().find("1 of 1") != std::string::npos);
  CHECK(row_marks(reader.canvas, "between").ends_with("lll"));
  CHECK(row_marks(reader.canvas, "white bread") == "...llllllll");
  reader.type("x");
  CHECK(reader.bottom_row().ends_with("not found"));
  CHECK(reader.canvas.cell(23, 9).mark == Mark::wrong);
  reader.press(kEnter);
  CHECK(reader.bottom_row() == " 'red wine andx': not found  / search");
  reader.type("n");
  CHECK(reader.bottom_row() == " 'red wine andx' is not found.");
  // A search does not match across a heading and the text below it.
  reader.type("/reading the");
  CHECK(reader.bottom_row().ends_with("not found"));
  reader.press(control_key('U'));
  reader.press(kEnter);
  CHECK(reader.bottom_row().find("more lines  / search") != std::string::npos);
}

TEST_CASE("Esc takes a search back to where it began, and a paste is searched for", "[ui]") {
  TextReader reader;
  reader.press({Key::Code::page_down});
  const std::string before = reader.row_text_at(2);
  reader.type("/last line");
  CHECK(reader.row_text_at(2) != before);
  reader.press(kEsc);
  CHECK(reader.row_text_at(2) == before);
  reader.type("/");
  reader.press({Key::Code::paste_mark, 1});
  reader.type("last");
  reader.press(kEnter);
  reader.type(" line");
  reader.press({Key::Code::paste_mark, 0});
  CHECK(reader.bottom_row().find(" search: last line") == 0);
  CHECK(reader.bottom_row().find("1 of 1") != std::string::npos);
  // The match stays when the width changes.
  reader.press(kEnter);
  reader.canvas = reader.app.draw({12, 40});
  CHECK(row_text(reader.canvas, 11) == " 'last li~': 1 of 1  n next  N previous");
  CHECK(row_marks(reader.canvas, "very last") == "..........lllllllll");
}

TEST_CASE("Tab goes from heading to heading, and clicks do what the words say", "[ui]") {
  TextReader reader;
  reader.press(kTab);
  CHECK(reader.row_text_at(2) == " Second");
  reader.press(kTab);
  CHECK(reader.row_text_at(2) == " Third");
  reader.press({Key::Code::back_tab});
  reader.press({Key::Code::back_tab});
  CHECK(reader.row_text_at(2) == " Reading");
  for (int i = 0; i < 5; ++i) reader.press(kTab);
  CHECK(reader.bottom_row() == " the end  / search  l lesson");
  TestApp narrow;
  narrow.size = {12, 40};
  narrow.start_board("toot");
  narrow.press({Key::Code::function, 1});
  CHECK(narrow.has_text("more  / search  l lesson"));
  reader.press({Key::Code::home});
  const auto click = [&](std::string_view words) {
    for (int r = 0; r < kScreenSize.rows; ++r)
      if (const std::size_t at = reader.row_text_at(r).find(words); at != std::string::npos) {
        reader.press(
            {Key::Code::mouse_click, static_cast<char32_t>(r) << 16 | static_cast<char32_t>(at)});
        return;
      }
    FAIL("'" << words << "' is not on the screen");
  };
  click("/ search");
  reader.type("red");
  reader.press(kEnter);
  click("n next");
  CHECK(reader.bottom_row().find("2 of 5") != std::string::npos);
  click("N previous");
  CHECK(reader.bottom_row().find("1 of 5") != std::string::npos);
  click("? help");
  CHECK(reader.row_text_at(0).find(" Help: text") == 0);
  click("Esc back");
  CHECK(reader.row_text_at(0).find(" Rules") == 0);
  click("Esc back");
  CHECK(reader.row_text_at(0).find(" Toot: fred against wilma, toot-101 ") == 0);
}

TEST_CASE("keys that come before the first picture search too", "[ui]") {
  TextReader reader;
  reader.press(kEsc);
  reader.app.press({Key::Code::function, 1});
  for (const char c : std::string("/last line"))
    reader.app.press(character_key(static_cast<char32_t>(c)));
  reader.app.press(kEnter);
  reader.canvas = reader.app.draw(kScreenSize);
  CHECK(row_marks(reader.canvas, "very last") == "..........lllllllll");
}

TEST_CASE("a game of several drawings is seen in the largest that leaves room for the words",
          "[ui]") {
  TestApp desk;
  desk.app.show(*create_board(desk.local_boards, *find_game("soccolot"), {}, {"fred", "wilma"}));
  const auto seen = [&](int rows) { return desk.screen_text({rows, 80}); };
  CHECK(contains(seen(24), ".. W6 W5 W4 W3 W2 W1 .."));
  CHECK(contains(seen(24), "fred : Black"));  // instead of player1
  CHECK(contains(seen(24), "F1 rules"));
  CHECK(contains(seen(27), "+---------- S ----------+"));
  CHECK(contains(seen(28), "|           G O A L           |  fred : Black"));
  CHECK(contains(seen(24), ".. W6 W5 W4 W3 W2 W1 .."));
  desk.type("field a\n");
  CHECK(contains(seen(24), "|           G O A L           |  fred : Black"));
}

TEST_CASE("the field chosen by a key is remembered", "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  const std::string before = desk.screen_text();
  desk.press(control_key('T'));
  CHECK(desk.screen_text() != before);
  CHECK(read_bytes(desk.directory / "settings.yaml") == "field: a\n");  // follows c, which fits
}

TEST_CASE("settings are changed row by row, hold at once and are remembered", "[ui]") {
  TestApp desk;
  desk.set_motion(true);
  const Key down{Key::Code::down}, right{Key::Code::right}, left{Key::Code::left};
  const auto file = [&] { return read_bytes(desk.directory / "settings.yaml"); };
  // Enter moves to the next setting, and changes nothing.
  const auto go = [&](const std::string& setting) {
    for (int i = 0; i < 20 && !desk.has_text("> " + setting + " "); ++i) desk.press(kEnter);
    REQUIRE(desk.has_text("> " + setting + " "));
  };
  desk.press(kF4);
  CHECK(desk.has_text("Settings"));
  CHECK(desk.has_text("> theme        < default >"));
  desk.press(right);
  CHECK(desk.has_text("< light >"));
  CHECK(desk.has_text("on a light terminal"));
  CHECK(file() == "theme: light\n");
  const auto theme = desk.app.take_theme();
  REQUIRE(theme.has_value());
  CHECK(theme->name == "light");
  CHECK_FALSE(desk.app.take_theme().has_value());
  desk.press(left);
  CHECK(desk.app.take_theme()->name == "default");
  desk.press(down);
  CHECK_FALSE(desk.has_text("> theme"));
  desk.press({Key::Code::up});
  CHECK(desk.has_text("> theme"));
  go("field");
  desk.press(character_key(' '));
  CHECK(desk.has_text("> field        < a >"));
  desk.press(left);
  CHECK(desk.has_text("> field        < auto >"));
  desk.press(left);
  CHECK(desk.has_text("< c >"));
  go("size");
  CHECK(desk.has_text("> size         < 1 >"));
  go("mouse");
  CHECK(desk.has_text("> mouse        < auto >"));
  CHECK_FALSE(desk.app.is_mouse_on());
  desk.app.set_marks_with_shift(true);
  CHECK(desk.app.is_mouse_on());
  desk.app.set_marks_with_shift(false);
  desk.press(left);
  CHECK(desk.has_text("> mouse        < no >"));
  desk.press(left);
  CHECK(desk.has_text("> mouse        < yes >"));
  CHECK(desk.app.is_mouse_on());
  for (const char* setting : {"bell", "confirm", "tutor", "motion"}) {
    go(setting);
    desk.press(character_key(' '));
  }
  CHECK(desk.has_text("bell         [ ]"));
  CHECK(desk.has_text("confirm      [x]"));
  CHECK(desk.has_text("> motion       [ ]"));
  CHECK(file() ==
        "theme: default\nfield: c\nmouse: yes\nbell: no\nconfirm: yes\ntutor: yes\nmotion: no\n");
  const Preferences& chosen = desk.settings.preferences();
  CHECK((chosen.field == 'c' && chosen.mouse_choice && !chosen.has_bell && chosen.should_confirm));
  go("pace");
  CHECK(desk.has_text("> pace         < 1 >"));
  desk.press(right);
  CHECK(chosen.pace_ms == 2000);
  for (int i = 0; i < 4; ++i) desk.press(left);
  CHECK(desk.has_text("> pace         < 0.1 >"));
  CHECK(file().find("pace: 0.1\n") != std::string::npos);
  go("name");
  desk.type("fred ?");
  CHECK(chosen.player_name == "fred ?");
  desk.press(kBackspaceKey);
  CHECK(file().find("name: fred\n") != std::string::npos);
  desk.type("0123456789ab");
  CHECK(desk.has_text("is too long. A name has at most 16 characters."));
  CHECK(chosen.player_name == "fred 0123456789a");
  desk.press(control_key('U'));
  CHECK(file().find("name: \"\"\n") != std::string::npos);
  desk.press({Key::Code::paste_mark, 1});
  desk.type("w");
  desk.press(kEnter);
  desk.type("ilma");
  desk.press({Key::Code::paste_mark, 0});
  CHECK(chosen.player_name == "wilma");
  desk.press({Key::Code::up});
  desk.press({Key::Code::home});
  CHECK(desk.has_text("> theme"));
  desk.press({Key::Code::end});
  CHECK(desk.has_text("> name"));
  desk.press(kEnter);  // after the last row
  CHECK(desk.has_text("pbmplay - 0 games"));
}

TEST_CASE("settings open over every screen, once, and what lies below follows them", "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  const std::string before = desk.screen_text();
  desk.type("e");
  desk.press(kF4);
  desk.press(kF4);
  desk.press({Key::Code::function, 1});
  CHECK(desk.has_text("Help: Settings"));
  CHECK(desk.screen_text({60, 80}).find("F4") != std::string::npos);
  desk.press(kF4);
  CHECK(desk.has_text("> theme"));
  desk.press({Key::Code::down});
  desk.press({Key::Code::right});
  desk.press(kEsc);
  CHECK(desk.has_text("> e\n"));
  desk.press(kEsc);
  const std::string other = desk.screen_text();
  CHECK(other != before);
  desk.press(control_key('T'));
  desk.press(control_key('T'));
  CHECK(desk.screen_text() == before);
  desk.press(kEsc);
  desk.type("s");
  desk.press(kF4);
  desk.press(kEsc);
  CHECK(desk.has_text("New game"));
}

TEST_CASE("a setting is changed by a click, the mouse by F2 for now", "[ui]") {
  TestApp desk;
  desk.press(kF4);
  desk.press({Key::Code::function, 2});
  CHECK(desk.app.is_mouse_on());
  CHECK(desk.settings.preferences().mouse_choice == std::nullopt);
  desk.click(desk.require_text("bell"));
  CHECK(desk.has_text("> bell         [ ]"));
  desk.click(desk.require_text("< default >"));
  CHECK(desk.has_text("> theme        < light >"));
  desk.click(desk.require_text("Esc back"));
  CHECK(desk.has_text("pbmplay - 0 games"));
  CHECK(desk.app.is_mouse_on());
}

TEST_CASE(
    "the settings show every style and mark of the theme by what it is for, and scroll where there "
    "is no "
    "room",
    "[ui]") {
  TestApp desk;
  desk.press(kF4);
  const Canvas canvas = desk.app.draw(kScreenSize);
  const auto drawn = [&](std::string_view word, Style style, Mark mark) {
    for (int r = 0; r < kScreenSize.rows; ++r)
      for (int c = 0; c + static_cast<int>(word.size()) <= kScreenSize.columns; ++c) {
        bool here = true;
        for (int i = 0; here && i < static_cast<int>(word.size()); ++i) {
          const Cell& cell = canvas.cell(r, c + i);
          here = cell.glyph == static_cast<char32_t>(word[static_cast<std::size_t>(i)]) &&
                 cell.style == style && cell.mark == mark;
        }
        if (here) return true;
      }
    return false;
  };
  for (std::size_t i = 0; i < style_keys().size(); ++i) {
    INFO(style_keys()[i].description);
    CHECK(drawn(style_keys()[i].description, static_cast<Style>(i), Mark::none));
  }
  for (std::size_t i = 0; i < mark_keys().size(); ++i) {
    INFO(mark_keys()[i].description);
    CHECK(drawn(mark_keys()[i].description, Style::piece1, static_cast<Mark>(i)));
  }
  const auto small = [&] { return desk.screen_text({12, 40}); };
  CHECK(small().find("> theme") != std::string::npos);
  CHECK(small().find("colours and styles") != std::string::npos);
  CHECK(small().find("player 1") == std::string::npos);
  for (int i = 0; i < 4; ++i) {
    desk.app.draw({12, 40});
    desk.app.press({Key::Code::page_down});
  }
  CHECK(small().find("player 2") != std::string::npos);
  CHECK(small().find("> theme") == std::string::npos);
  desk.app.press({Key::Code::down});
  CHECK(small().find("> field") != std::string::npos);
}

TEST_CASE("a theme that is none is shown with the reason and passed over", "[ui]") {
  TestApp desk;
  const fs::path themes = desk.directory / "themes", file = desk.directory / "own.yaml";
  fs::create_directory(themes);
  std::ofstream(themes / "a.yaml") << "about: the first\n";
  std::ofstream(themes / "b.yaml") << "about: 1\nstyles: 2\n";
  std::ofstream(themes / "c.yaml") << "about: the last\n";
  std::ofstream(file) << "about: mine\n";
  Settings settings(desk.directory / "settings.yaml");
  Preferences given = settings.preferences();
  given.theme = file.string();  // as --theme does
  settings.set_for_run(given);
  App app(desk.all_boards, settings,
          [](const std::string&) -> Result<std::string> { return std::string(); }, {themes});
  const auto shows = [&](std::string_view text) {
    const Canvas canvas = app.draw(kScreenSize);
    for (int r = 0; r < kScreenSize.rows; ++r)
      if (row_text(canvas, r).find(text) != std::string::npos) return true;
    return false;
  };
  app.press(kF4);
  CHECK(shows("mine"));
  CHECK(shows("b.yaml, line 2: there should be a map of names to looks."));
  app.press({Key::Code::right});
  CHECK(shows("< a >"));
  app.press({Key::Code::right});
  CHECK(shows("the last"));
  CHECK(read_bytes(desk.directory / "settings.yaml") == "theme: c\n");
  app.press({Key::Code::right});
  CHECK(shows("mine"));
  // The theme's file is deleted after the list was made.
  fs::remove(themes / "c.yaml");
  app.press({Key::Code::left});
  CHECK(shows("There is no theme 'c'"));
}

TEST_CASE("a move by somebody else calls for attention, unless that was not wanted", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.app.change_descriptor();  // as the event loop does
  const auto somebody_plays = [&](const std::string& ply) {
    LocalBoards others{desk.directory / "saves", source_root() / "saves"};
    auto board = others.open("toot-101");
    REQUIRE(board.ok());
    REQUIRE(others.play(*board, shared_keyboard_requests(board->match, ply)).ok());
    desk.app.boards_changed();
  };
  desk.type("at");
  desk.press(kEnter);
  desk.app.boards_changed();
  CHECK_FALSE(desk.app.take_bell());  // the player's own ply
  somebody_plays("bt");
  CHECK(desk.app.take_bell());
  CHECK_FALSE(desk.app.take_bell());
  CHECK(desk.has_text("2 BT"));
  desk.press({Key::Code::function, 1});
  somebody_plays("ct");
  CHECK(desk.app.take_bell());
  desk.press(kEsc);
  CHECK(desk.has_text("CT: fred (TOOT) drops a T down column C."));
  Preferences quiet = desk.settings.preferences();
  quiet.has_bell = false;
  desk.settings.set_for_run(quiet);
  somebody_plays("dt");
  CHECK_FALSE(desk.app.take_bell());
  desk.press(kEsc);
  somebody_plays("et");
  CHECK_FALSE(desk.app.take_bell());
}

TEST_CASE("every screen can be drawn in every size", "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  const auto all_sizes = [&] {
    for (const int rows : {0, 1, 2, 5, 11, 12, 13, 24, 60, 200})
      for (const int columns : {0, 1, 2, 20, 39, 40, 41, 80, 200, 500}) {
        const Canvas canvas = desk.app.draw({rows, columns});
        REQUIRE(canvas.size() == Size{rows, columns});
        if (canvas.cursor) {
          REQUIRE(canvas.cursor->row < rows);
          REQUIRE(canvas.cursor->column < columns);
        }
      }
  };
  all_sizes();
  desk.press(kTab);
  all_sizes();
  desk.press(kEsc);
  desk.press(character_key('?'));
  all_sizes();
  desk.press(kEsc);
  desk.press(kEsc);
  all_sizes();
  desk.press(character_key('s'));
  all_sizes();
  desk.press(kF4);
  all_sizes();
  desk.press(control_key('C'));
  all_sizes();
}

TEST_CASE("in a window too small no key plays, and Ctrl-C leaves", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("BT");
  desk.app.draw({5, 20});
  desk.app.press(kEnter);
  CHECK(desk.read_save("toot-101").find("BT") == std::string::npos);
  desk.app.draw({5, 20});
  desk.app.press(control_key('C'));
  CHECK(desk.app.is_done());
}

TEST_CASE("a record has the moves in a column a player and the last position", "[ui]") {
  Match m = *Match::start(*find_game("toot"), Options{}, {"fred", "w\x1b[2Jilma"}, Time{});
  for (const char* ply : {"BT", "CO", "DO"}) m.add(*m.validate(m.acting_seat(ply), ply, Time{}));
  m.add(*m.validate(1, "resign", Time{}));
  CHECK(record_text(m, {}) ==
        "Toot\n\n     fred (TOOT)  w?[2Jilma (OTTO)\n  1  BT           CO\n  3  DO\n\nA B C D E "
        "F\n. . . . . .\n. . . . . .\n. . . . . .\n. T O O . .\n\n"
        "fred has 5 T 5 O and w?[2Jilma has 6 T 5 O.\nfred (TOOT) wins. w?[2Jilma resigned.\n");
  Match three = *Match::start(*find_game("plotto"), Options{}, {"a", "b", "c"}, Time{});
  three.add(*three.validate(1, "resign", Time{}));
  CHECK(record_text(three, {}).find(" resigned after move 0.\nIt is a's turn") !=
        std::string::npos);
  Match late = *Match::start(*find_game("plotto"), Options{}, {"a", "b", "c"}, Time{});
  LogEntry out_of_time = *late.validate(1, "resign", Time{});
  out_of_time.forfeit_reason = ForfeitReason::time;
  late.add(out_of_time);
  CHECK(contains(record_text(late, {}), "b (2) ran out of time after move 0.\nIt is a's turn"));
}

TEST_CASE("where it was chosen a move is shown first and played by a second Enter", "[ui]") {
  TestApp desk;
  Preferences wanted = desk.settings.preferences();
  wanted.should_confirm = true;
  REQUIRE(desk.settings.change([&](Preferences& p) { p = wanted; }).ok());
  desk.start_board("toot");
  desk.type("BT");
  desk.press(kEnter);
  CHECK(desk.has_text("Not played yet: BT. Enter plays it"));
  CHECK(desk.has_text(". T . . . ."));
  CHECK(desk.read_save("toot-101").find("BT") == std::string::npos);
  desk.press(kEsc);  // back to the typed text
  CHECK_FALSE(desk.has_text(". T . . . ."));
  CHECK(desk.has_text("> BT"));
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.has_text("1 BT"));
  // Ctrl-O counts as showing the move.
  desk.type("CO");
  desk.press(control_key('O'));
  desk.press(kEnter);
  CHECK(desk.has_text("2 CO"));
  // Picked moves need the second Enter, too; an illegal one is refused at once; tried ones do not.
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("T");
  desk.press(kEnter);
  CHECK(desk.has_text("Not played yet: BT."));
  desk.press(kEnter);
  CHECK(desk.has_text("3 BT"));
  desk.press(kEsc);
  desk.type("ZZ");
  desk.press(kEnter);
  CHECK(desk.has_text("There is no column Z"));
  desk.press(kEsc);
  desk.press({Key::Code::function, 3});
  desk.type("ET");
  desk.press(kEnter);
  CHECK(desk.has_text("4 ET"));
}

TEST_CASE("giving up wants a second Enter, and any other key goes back", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT");
  desk.type("resign");
  desk.press(kEnter);
  CHECK(desk.has_text("wilma (OTTO) resigns if you press Enter again"));
  desk.press(kBackspaceKey);
  desk.type("n");
  desk.press(kEnter);
  CHECK(desk.has_text("if you press Enter again"));
  desk.press(kEsc);
  CHECK(desk.read_save("toot-101").find("resign") == std::string::npos);
  desk.type("resign");
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.has_text("fred (TOOT) wins. wilma resigned."));
}

TEST_CASE("a name that means the computer is refused in the settings as it is typed", "[ui]") {
  TestApp desk;
  desk.press(kF4);
  desk.press({Key::Code::end});
  desk.type("computer");
  CHECK(desk.has_text("'computer' means the computer. Choose another name."));
  desk.type(":0");
  CHECK(desk.has_text("There is no level 'computer:0'. Levels are 1 to 10"));
  CHECK(desk.settings.preferences().player_name == "compute");
}

TEST_CASE("help of a text is asked for where help of a board was read before", "[ui]") {
  TextReader reader;
  for (const Key& key :
       {kEsc, character_key('?'), kEsc, Key{Key::Code::function, 1}, character_key('?')})
    reader.press(key);
  CHECK(contains(reader.row_text_at(0), "Help: text"));
}

TEST_CASE("what is typed at once and not found leaves a text where it is", "[ui]") {
  TextReader reader;
  for (const char c : std::string_view("/the very lastx"))
    reader.app.press(character_key(static_cast<char32_t>(c)));
  reader.press(kEnter);
  CHECK(contains(reader.bottom_row(), "not found"));
  CHECK(reader.row_text_at(2) == " Reading");
}

TEST_CASE("with a name in the settings only that person's boards wait", "[ui]") {
  TestApp desk;
  const auto board = [&](const std::vector<std::string>& names, const std::string& ply) {
    auto made = create_board(desk.local_boards, *find_game("toot"), {}, names);
    REQUIRE(made.ok());
    if (!ply.empty()) REQUIRE(desk.local_boards.play(*made, {{std::nullopt, ply}}).ok());
  };
  board({"fred", "wilma"}, "");
  board({"fred", "wilma"}, "BT");
  board({"Wilma", "barney"}, "");
  CHECK(desk.has_text("3 games, 3 wait for a move"));
  Preferences wanted = desk.settings.preferences();
  wanted.player_name = "wilma";
  REQUIRE(desk.settings.change([&](Preferences& p) { p = wanted; }).ok());
  desk.press(character_key('r'));
  CHECK(desk.has_text("3 games, 2 wait for wilma"));
  CHECK(desk.require_text("toot-101").row > desk.require_text("toot-102").row);
  CHECK(desk.require_text("toot-101").row > desk.require_text("toot-103").row);
  desk.press(character_key('n'));
  desk.press(character_key('n'));
  desk.press(kEnter);
  CHECK_FALSE(desk.has_text("toot-101"));
  desk.press(control_key('G'));
  desk.press(control_key('G'));
  CHECK_FALSE(desk.has_text("toot-101"));
}

TEST_CASE("the form offers the people last played with, and whoever is typed takes that seat",
          "[ui]") {
  TestApp desk;
  auto board = create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"});
  REQUIRE(board.ok());
  desk.type("s");
  CHECK(desk.require_text("fred").row + 1 == desk.require_text("wilma").row);
  for (int i = 0; i < 3; ++i) desk.press(kTab);
  desk.type("wilma");  // fred then gets the other seat
  CHECK(desk.require_text("wilma").row + 1 == desk.require_text("fred").row);
  desk.press(kEnter);
  CHECK(desk.read_save("toot-102").find("seats: [wilma, fred]") != std::string::npos);
}

TEST_CASE("what was refused is begun anew by a letter, and mended by any other key", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("ZZ");
  desk.press(kEnter);
  desk.type("BT");
  CHECK(desk.has_text("fred (TOOT)> BT"));
  desk.press(control_key('U'));
  desk.type("BX");
  desk.press(kEnter);
  desk.press(kBackspaceKey);
  desk.type("O");
  CHECK(desk.has_text("fred (TOOT)> BO"));
  // A refused text that can become a move is continued.
  desk.press(control_key('U'));
  desk.type("C");
  desk.press(kEnter);
  desk.type("T");
  CHECK(desk.has_text("fred (TOOT)> CT"));
  // A refused line can be fetched again.
  desk.press(control_key('U'));
  desk.type("note #9 a trap\n");
  desk.type("BT");
  CHECK(desk.has_text("fred (TOOT)> BT"));
  desk.press({Key::Code::up});
  CHECK(desk.has_text("fred (TOOT)> note #9 a trap"));
}

TEST_CASE("a move that must go on is gone on with, or typed again from its start", "[ui]") {
  TestApp desk;
  desk.start_board("flooprail", {}, "D3-D4 F4-E4 D4-F4 G4-E4 C3-D3 E4-D4 C4-E4");
  const auto refuse = [&] {
    desk.press(control_key('U'));
    desk.type("E5-E3");
    desk.press(kEnter);
    REQUIRE(desk.has_text("must Fleap on"));
  };
  refuse();
  desk.type("-C3");
  CHECK(desk.has_text("wilma (X)> E5-E3-C3"));
  refuse();
  desk.type("E5-E3-C3");
  CHECK(desk.has_text("wilma (X)> E5-E3-C3"));
  desk.press(kEnter);
  CHECK(desk.read_save("flooprail-101").find("E5-E3-C3") != std::string::npos);
}

TEST_CASE("what is typed lights up on the board, with what can come next", "[ui]") {
  TestApp desk;
  desk.start_board("flooprail");
  const auto marks = [&](Mark mark) {
    const Canvas canvas = desk.picture();
    int n = 0;
    for (int r = 0; r < canvas.size().rows - 2; ++r)
      for (int c = 0; c < canvas.size().columns; ++c) n += canvas.cell(r, c).mark == mark;
    return n;
  };
  CHECK(marks(Mark::picked) == 0);
  desk.type("d3");
  CHECK(marks(Mark::picked) == 1);
  CHECK(marks(Mark::choice) > 0);
  desk.type("-e3");
  CHECK(marks(Mark::picked) == 2);
  CHECK(marks(Mark::choice) == 0);
  desk.press(control_key('U'));
  CHECK(marks(Mark::picked) == 0);
  desk.type("d3-a9");
  CHECK(marks(Mark::picked) == 0);
}

TEST_CASE("a place over the lettering of a drawing is marked as the whole word", "[ui]") {
  for (int field = 0; field < 3; ++field) {
    INFO("field " << field);
    TestApp desk;
    desk.size = {34, 80};
    desk.start_board("soccolot", {}, "3rs 3rne 3rs 3rn 3rs 6rn");
    for (int i = 0; i < field; ++i) desk.press(control_key('T'));
    const auto marked = [&] {
      const Canvas canvas = desk.picture();
      const Point goal = *find_text(canvas, "G O A L");
      std::string out;
      for (int c = 0; c < canvas.size().columns; ++c)
        if (canvas.cell(goal.row, c).mark == Mark::choice)
          out += static_cast<char>(canvas.cell(goal.row, c).glyph);
      return out;
    };
    CHECK(marked().empty());
    desk.type("3k");
    CHECK(marked() == "G O A L");
  }
}

TEST_CASE("a save replaced by a shorter one while a past move is looked at is shown as it is now",
          "[ui]") {
  // The program refuses a text that is no word before it reads the file.
  for (const char* typed : {"note x"}) {
    INFO(typed);
    TestApp desk;  // gets no notice of changes
    desk.start_board("toot", {}, "AT");
    const std::string shorter = desk.read_save("toot-101");
    auto board = desk.local_boards.open("toot-101");
    REQUIRE(board.ok());
    for (const char* ply : {"BO", "CT", "DO"})
      REQUIRE(desk.local_boards.play(*board, {{std::nullopt, ply}}).ok());
    desk.app.show(std::move(*board));
    desk.press(control_key('P'));
    CHECK(desk.has_text("1 move follows"));
    std::ofstream(desk.directory / "saves/toot-101.yaml") << shorter;
    desk.type(typed);
    desk.press(kEnter);
    CHECK_FALSE(desk.has_text("4 DO"));
    desk.press(kEsc);
    CHECK_FALSE(desk.has_text("ahead"));
    CHECK(desk.has_text("wilma (OTTO)>"));
  }
}

namespace {

// Changes the boards of a desk as another program would, and tells the desk.
void change_elsewhere(TestApp& desk, const std::function<void(LocalBoards&)>& act) {
  desk.app.change_descriptor();  // as the event loop does
  LocalBoards others{desk.directory / "saves", source_root() / "saves"};
  act(others);
  desk.app.boards_changed();
}

}  // namespace

TEST_CASE("a question that was asked about another position is not answered by Enter", "[ui]") {
  const auto somebody_plays = [](TestApp& desk) {
    change_elsewhere(desk, [](LocalBoards& boards) {
      auto board = boards.open("toot-101");
      REQUIRE(board.ok());
      REQUIRE(boards.play(*board, {{std::nullopt, "BT"}}).ok());
    });
    CHECK(desk.has_text("1 BT"));
    desk.press(kEnter);  // was meant for the position before
    CHECK(desk.has_text("Not played. Look at the position again."));
    desk.press({Key::Code::left});
  };
  for (const bool confirm : {false, true}) {
    TestApp desk;
    Preferences wanted = desk.settings.preferences();
    wanted.should_confirm = confirm;
    REQUIRE(desk.settings.change([&](Preferences& p) { p = wanted; }).ok());
    desk.start_board("toot");
    desk.type(confirm ? "CO" : "resign");
    desk.press(kEnter);
    CHECK(desk.has_text(confirm ? "Not played yet: CO."
                                : "fred (TOOT) resigns if you press Enter again"));
    somebody_plays(desk);
    const std::string before = desk.read_save("toot-101");
    desk.press(kEnter);
    CHECK(desk.has_text(confirm ? "Not played yet: CO."
                                : "wilma (OTTO) resigns if you press Enter again"));
    CHECK(desk.read_save("toot-101") == before);
    desk.press(kEnter);
    CHECK(desk.has_text(confirm ? "2 CO" : "fred (TOOT) wins. wilma resigned."));
  }
}

TEST_CASE("a question that something else was said in place of is asked again", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("resign");
  const std::vector<std::function<void()>> others{
      [&] {
        desk.press({Key::Code::function, 2});
      },
      [&] {
        desk.click({1, 70});
      },
      [&] {
        desk.press({Key::Code::paste_mark, 1});
        desk.press(character_key(' '));
        desk.press({Key::Code::paste_mark, 0});
      },
  };
  for (const auto& happens : others) {
    desk.press(kEnter);
    CHECK(desk.has_text("fred (TOOT) resigns if you press Enter again"));
    happens();
    CHECK_FALSE(desk.has_text("resigns. Enter"));
  }
  desk.press(kEnter);
  CHECK_FALSE(contains(desk.read_save("toot-101"), "resign"));
}

TEST_CASE("a board that is gone while its new name is typed makes no commands of the letters",
          "[ui]") {
  for (const bool others : {false, true}) {
    TestApp desk;
    REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
    if (others)
      REQUIRE(create_board(desk.local_boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
    desk.type("t");
    desk.type("t");  // sorts by name
    desk.type("g");
    if (others) desk.type("j");
    desk.type("m");
    CHECK(desk.has_text("new name: toot-101"));
    change_elsewhere(desk, [](LocalBoards& boards) { REQUIRE(boards.remove("toot-101").ok()); });
    CHECK(desk.has_text("toot-101 is no longer in this list."));
    desk.type("dd");
    CHECK(desk.has_text("new name: dd"));
    desk.press(kEnter);
    CHECK(desk.has_text("There is no board 'toot-101' here"));
    desk.type("d");
    desk.press(kEsc);
    CHECK_FALSE(desk.has_text("new name"));
    CHECK(fs::exists(desk.directory / "saves/chaos-101.yaml") == others);
    CHECK_FALSE(fs::exists(desk.directory / "saves/toot-101dd.yaml"));
  }
}

TEST_CASE("from a board that is not in the list the next one that waits is the first", "[ui]") {
  TestApp desk;
  for (const char* game : {"toot", "chaos"})
    REQUIRE(create_board(desk.local_boards, *find_game(game), {}, {"fred", "wilma"}).ok());
  desk.type("t");
  desk.type("t");  // sorts by name
  const fs::path file = desk.directory / "elsewhere.yaml";
  fs::copy(desk.directory / "saves/toot-101.yaml", file);
  desk.app.show(*desk.local_boards.open(file.string()));
  desk.press(control_key('G'));
  CHECK(desk.has_text("Chaos: fred against wilma, chaos-101"));
}

TEST_CASE("a new name goes to the board it was asked for, wherever that stands in the list by then",
          "[ui]") {
  TestApp desk;
  REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.type("m");
  change_elsewhere(desk, [](LocalBoards& boards) {
    REQUIRE(create_board(boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
  });
  desk.type("x");
  desk.press(kEnter);
  CHECK(desk.has_text("The new name is x."));
  CHECK(fs::exists(desk.directory / "saves/chaos-101.yaml"));
}

TEST_CASE("a key meant for a board that has just gone does nothing to the one in its place",
          "[ui]") {
  for (const Key& key : {character_key('d'), character_key('C'), character_key('m'), kEnter}) {
    INFO(key_name(key));
    TestApp desk;
    REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
    REQUIRE(create_board(desk.local_boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
    desk.type("t");
    desk.type("t");
    desk.type("g");
    change_elsewhere(desk, [](LocalBoards& boards) { REQUIRE(boards.remove("chaos-101").ok()); });
    desk.app.press(key);
    CHECK(desk.has_text("chaos-101 is no longer in this list."));
    const auto list = desk.local_boards.list();
    CHECK(std::count_if(list.begin(), list.end(),
                        [](const BoardSummary& l) { return !l.is_example; }) == 1);
    CHECK(fs::exists(desk.directory / "saves/toot-101.yaml"));
    desk.press(key);
    CHECK_FALSE(desk.has_text("no longer in this list"));
  }
  // Deletions by the player cause no such notice: two in a row delete two boards.
  TestApp desk;
  for (int i = 0; i < 2; ++i)
    REQUIRE(create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.picture();
  for (int i = 0; i < 4; ++i) desk.app.press(character_key('d'));
  CHECK(desk.has_text("0 games"));
}

TEST_CASE("a move's number typed or clicked while a move is picked shows that move", "[ui]") {
  TestApp desk;
  desk.start_board("toot", {}, "AT BO");
  desk.press(kTab);
  desk.type("#1");
  desk.press(kEnter);
  CHECK(desk.has_text("1 move follows"));
  desk.press(kEsc);
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("T");
  desk.press(kEnter);
  CHECK(desk.has_text(" 3 AT"));
  desk.click(desk.require_text("2 BO"));
  CHECK(desk.has_text("1 move follows"));
  desk.click(desk.require_text("1 AT"));
  CHECK(desk.has_text("2 moves follow"));
  desk.press(kEsc);
  // The same with a pick in the line, which is then dropped.
  desk.press(kTab);
  desk.press(kEnter);
  desk.click(desk.require_text("2 BO"));
  CHECK(desk.has_text("1 move follows"));
  CHECK(desk.has_text(" move 2, fred (TOOT)>\n"));
}

TEST_CASE(
    "a sentence from elsewhere has the look of news or of what went wrong, whatever stood there "
    "before",
    "[ui]") {
  TestApp desk;
  desk.start_board("soccolot");
  const auto look_of = [&](std::string_view text) {
    const Point at = desk.require_text(text);
    return desk.picture().cell(at.row, at.column).style;
  };
  desk.type("ZZ");
  desk.press(kEnter);
  CHECK(look_of("'Z' is not") == Style::bad);
  desk.press({Key::Code::function, 2});
  CHECK(look_of("The mouse is on") == Style::good);
  desk.press(kEsc);
  fs::create_directory(desk.directory / "settings.yaml");  // so that no field can be remembered
  desk.press(control_key('T'));
  CHECK(look_of("settings.yaml") == Style::bad);
  desk.press({Key::Code::function, 2});
  CHECK(look_of("The mouse is off") == Style::good);
}

TEST_CASE("a copy that cannot be opened says why, and not that all went well", "[ui]") {
  // A repository with a board that cannot be opened.
  struct Torn final : Repository {
    explicit Torn(Repository& of) : all(of) {}
    Repository& all;
    std::vector<BoardSummary> list() override { return all.list(); }
    Result<Board> open(const std::string& id) override {
      return id == "toot-102" ? Result<Board>(Refusal{"toot-102 was torn."}) : all.open(id);
    }
    Result<Board> save_new(const Match& match) override { return all.save_new(match); }
    Result<Success> play(Board& board, const std::vector<MoveRequest>& turns) override {
      return all.play(board, turns);
    }
    int change_descriptor() override { return -1; }
    bool take_changes() override { return false; }
    std::string location() const override { return ""; }
  };
  TestApp desk;
  Torn torn(desk.local_boards);
  Boards all(torn);
  App app(all, desk.settings, read_help_topic, {});
  app.show(*create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}));
  for (const char c : std::string("copy")) app.press(character_key(static_cast<char32_t>(c)));
  app.press(kEnter);
  const Canvas canvas = app.draw(kScreenSize);
  CHECK(find_text(canvas, "toot-102 was torn."));
  CHECK_FALSE(find_text(canvas, "This is board toot-102"));
  CHECK(find_text(canvas, "Toot: fred against wilma, toot-101"));
}

TEST_CASE("boards cannot end before the screens that show them", "[ui]") {
  TestApp desk;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGABRT, SIG_DFL);
    ::close(STDERR_FILENO);
    auto all = std::make_unique<Boards>(desk.local_boards);
    const App app(*all, desk.settings, read_help_topic, {});
    all.reset();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGABRT);
}

TEST_CASE("a click below the fields of the form selects none of those that are scrolled away",
          "[ui]") {
  TestApp desk;
  const auto form = make_new_game_form(desk.all_boards, "", {});
  const auto shows = [&](std::string_view text) {
    Canvas canvas({9, 40});
    form->draw(canvas);
    return find_text(canvas, text).has_value();
  };
  REQUIRE(shows("> game"));
  REQUIRE_FALSE(shows("player1"));  // two of the five rows fit
  form->click({4, 5});
  CHECK(shows("> game"));
  form->click({3, 5});
  CHECK(shows("> size"));
}

TEST_CASE("the form shows the board beside its rows, as large as the room allows", "[ui][form]") {
  TestApp desk;
  desk.type("s");
  const auto letters = [&](Size size) {
    const Canvas canvas = desk.app.draw(size);
    for (int row = 2; row < size.rows; ++row) {
      std::string text;
      for (int column = size.columns / 2; column < size.columns; ++column)
        text += static_cast<char>(canvas.cell(row, column).glyph);
      const std::size_t a = text.find('A'), f = text.find(" F");
      if (a != std::string::npos && f != std::string::npos && a < f && f - a < 60)
        return static_cast<int>(f - a);
    }
    return 0;
  };
  CHECK(letters({24, 80}) > 10);
  CHECK(letters({40, 120}) > letters({24, 80}));
  CHECK(letters({12, 40}) == 0);
  CHECK(contains(desk.screen_text({24, 80}), "Both players drop Ts and Os."));
  CHECK_FALSE(contains(desk.screen_text({12, 40}), "Both players drop"));
  // An option that is not allowed has no board, but the form stays as it is.
  desk.press(kTab);
  desk.type("99x99");
  CHECK(letters({24, 80}) == 0);
  CHECK(contains(desk.screen_text({24, 80}), "Both players drop Ts and Os."));
}

TEST_CASE("the form lists the opponents to choose from", "[ui][form]") {
  TestApp desk;
  desk.start_board("toot");
  desk.press(kEsc);
  desk.type("s");
  CHECK(desk.has_text("* Toot"));
  CHECK(desk.has_text("Plotto     2 to 4 players"));
  CHECK_FALSE(desk.has_text("just learned the rules"));
  desk.press({Key::Code::up});
  CHECK(desk.has_text("> player2"));
  CHECK(desk.has_text("* wilma"));
  CHECK(desk.has_text("at this keyboard"));
  CHECK(desk.has_text("computer 1   just learned the rules"));
  CHECK(desk.has_text("computer 10  the best it can"));
  desk.click(desk.require_text("computer 5  "));
  CHECK(desk.has_text("player2      < computer 5 >"));
  CHECK(desk.has_text("* computer 5"));
  desk.press({Key::Code::right});
  CHECK(desk.has_text("* computer 6"));
  CHECK(desk.has_text("Enter starts the game, as does :new toot fred computer:6 in the list."));
  desk.type("barney");
  CHECK(desk.has_text("* barney"));
  // With few rows the list scrolls to the chosen value; with fewer it is not there.
  for (int i = 0; i < 10; ++i) desk.press({Key::Code::right});
  CHECK(contains(desk.screen_text({16, 80}), "* computer 9"));
  CHECK(contains(desk.screen_text({16, 80}), "more above"));
  CHECK(contains(desk.screen_text({12, 40}), "> player2      < computer 9 >"));
  CHECK_FALSE(contains(desk.screen_text({12, 40}), "* computer"));
  desk.press(kEnter);
  CHECK(desk.has_text("against computer 9"));
  CHECK(desk.has_text("A move is a column and T or O, such as BT."));
  const std::string save = desk.read_save("toot-102");
  desk.press(kEsc);
  desk.type(":new toot fred computer:9\n");
  const std::string same = desk.read_save("toot-103");
  CHECK(save.substr(0, save.find("start")) == same.substr(0, same.find("start")));
}

TEST_CASE("what is offered and answered elsewhere is told at once, in its own words", "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "BT CO");
  LocalBoards elsewhere(p.directory / "saves", "");
  const auto does = [&](Seat seat, const std::string& word) {
    Board board = *elsewhere.open("toot-101");
    REQUIRE(elsewhere.play(board, {MoveRequest{seat, word}}).ok());
    while (!p.local_boards.take_changes()) static_cast<void>(p.local_boards.change_descriptor());
    REQUIRE(elsewhere.play(board, {MoveRequest{std::nullopt, "a note", 0}}).ok());  // also reported
    p.app.boards_changed();
    return p.screen_text();
  };
  static_cast<void>(p.local_boards.change_descriptor());
  p.type("d");
  CHECK(contains(does(1, "undo"), "wilma (OTTO) asks to take back CO. Type accept or reject."));
  CHECK(p.has_text("> d"));
  CHECK(contains(does(0, "reject"), "fred (TOOT) declines. CO stays."));
  CHECK(contains(does(1, "propose"), "wilma (OTTO) offers a draw. Type accept or reject."));
  p.press(kEsc);
  p.press(kEsc);
  CHECK(p.has_text("wilma offers a draw"));
  CHECK(contains(does(0, "reject"), "fred's turn"));
  p.press(kEnter);
  CHECK(contains(does(1, "undo"), "asks to take back CO"));
  CHECK(contains(does(0, "accept"), "fred (TOOT) accepts. CO is taken back."));
  CHECK_FALSE(p.has_text("somebody else"));
}

TEST_CASE("the cursor is on the board until something is typed, and whatever is typed is text",
          "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "BT CO");
  const auto rest = p.picture().cursor;
  const std::string still = p.screen_text();
  const int line = p.require_text("fred (TOOT)>").row;
  REQUIRE(rest);
  CHECK(rest->row < line);
  // The first Enter shows the cursor, the next one picks.
  p.press(kEnter);
  CHECK(p.has_text("Arrows and Tab move"));
  CHECK(p.has_text("fred (TOOT)>\n"));
  p.press(kEsc);
  CHECK(p.screen_text() == still);
  p.press({Key::Code::right});
  CHECK(p.picture().cursor != rest);
  p.type("h");
  CHECK(p.picture().cursor->row == line);
  CHECK(p.has_text("fred (TOOT)> h"));
  p.press(kBackspaceKey);
  CHECK(p.picture().cursor == rest);
  p.type("undo");
  CHECK(p.has_text("fred (TOOT)> undo"));
  p.press(kEnter);
  CHECK(p.has_text("The last move is taken back. Press Ctrl-Y or type redo to play"));
  p.press(kTab);
  p.type("resign");
  CHECK(p.has_text("wilma (OTTO)> resign"));
  p.press(kEsc);
  p.press(kTab);
  p.type("note a blunder\n");
  CHECK(p.has_text("Noted on move 1."));
  p.press(kTab);
  p.type("bo");
  CHECK(p.has_text("wilma (OTTO)> bo"));
  p.press(kEnter);
  CHECK(p.has_text("2 BO"));
  p.press({Key::Code::paste_mark, 1});
  p.type("undo");
  p.press({Key::Code::paste_mark, 0});
  CHECK(p.has_text("fred (TOOT)> undo"));
  // At the opponent's turn, after the end, and while looking back, the cursor is in the line.
  p.press(kEsc);
  p.press(control_key('P'));
  CHECK(p.picture().cursor->row == line);
}

TEST_CASE(
    "a board is deleted and copied by a key pressed twice, and the notice stays until the lobby is "
    "shown anew",
    "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "BT");
  p.press(kEsc);
  p.press(kEsc);
  // The player meant a move for the board.
  p.type("do");
  CHECK(p.has_text("1 game"));
  CHECK(p.has_text("pbmplay - 1 game"));
  p.type("CT");
  CHECK(p.has_text("pbmplay - 1 game"));
  p.type("c");  // only the form for a game
  CHECK(p.has_text("New game"));
  p.press(kEsc);
  CHECK(p.has_text("pbmplay - 1 game"));
  p.type("d");
  CHECK(p.has_text("d again deletes toot-101; any other key cancels."));
  p.press(kEsc);
  p.type("CC");
  CHECK(p.has_text("pbmplay - 2 games"));
  p.type("d");
  p.type("d");
  CHECK(p.has_text("Deleted toot-102; u brings it back."));
  p.type("jk");
  CHECK(p.has_text("Deleted toot-102; u brings it back."));
  p.type("go");
  CHECK(p.has_text("wilma (OTTO)>"));
  p.press(kEsc);
  CHECK(p.has_text("Deleted toot-102; u brings it back."));
  p.press(kEnter);
  p.press(kEsc);
  CHECK_FALSE(p.has_text("Deleted toot-102"));
  p.type("u");
  CHECK(p.has_text("toot-102 is back."));
}

namespace {
// Another program at the boards of a desk.
struct OtherProgram {
  TestApp& app_user;
  LocalBoards local_boards{app_user.directory / "saves", ""};
  explicit OtherProgram(TestApp& of) : app_user(of) {
    static_cast<void>(app_user.local_boards.change_descriptor());
  }
  void play_plies(const std::string& plies) {
    Board board = *local_boards.open("toot-101");
    for (const std::string& ply : split_words(plies))
      REQUIRE(local_boards.play(board, shared_keyboard_requests(board.match, ply)).ok());
    app_user.app.boards_changed();
  }
};
}  // namespace

TEST_CASE("looking back stays where it is when somebody plays, and panel and prompt agree",
          "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "BT CO AT");
  OtherProgram other(p);
  p.press(control_key('P'));
  p.press(control_key('P'));
  CHECK(p.has_text("> OTTO wilma"));
  CHECK(p.has_text(" move 1, wilma (OTTO)>"));
  other.play_plies("DO");
  CHECK(p.has_text("1 new move, End shows it. DO: wilma (OTTO) drops an O down column D."));
  CHECK(p.has_text(" move 1, wilma (OTTO)>"));
  other.play_plies("FT");
  CHECK(p.has_text("2 new moves, End shows them."));
  p.press(control_key('N'));
  CHECK(p.has_text(" move 2, fred (TOOT)>"));
  p.press(Key{Key::Code::end});
  CHECK(p.has_text(" wilma (OTTO)>"));
  // The ply that the player looked at is taken back.
  p.press(control_key('P'));
  other.play_plies("undo undo");
  CHECK(p.has_text(" wilma (OTTO)>"));
}

TEST_CASE("Enter for a seat whose move somebody else made does nothing until another key", "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "");
  OtherProgram other(p);
  p.type("at");
  other.play_plies("BT");
  p.press(kEnter);
  CHECK(p.has_text("Not played. Look at the position again. fred (TOOT) drops a T down column B."));
  p.press(kEnter);
  CHECK_FALSE(p.has_text("2 AT"));
  p.press(kBackspaceKey);
  p.type("t");
  p.press(kEnter);
  CHECK(p.has_text("2 AT"));
}

TEST_CASE("a refusal after another program's moves has one name for each player", "[ui]") {
  TemporaryDirectory dir;
  LocalBoards local(dir / "saves", dir / "examples");
  Boards boards(local);
  boards.set_player_name("fred");
  Board other = *create_board(local, *find_game("toot"), {}, {"fred", "wilma"});
  BoardSession session(boards, other);
  for (const char* ply : {"BT", "CO"})
    REQUIRE(local.play(other, {MoveRequest{std::nullopt, ply}}).ok());
  const auto entered = session.enter("AT", 0);
  REQUIRE_FALSE(entered.ok());
  CHECK(contains(entered.refusal().reason, "You drop a T down column B"));
  CHECK(contains(entered.refusal().reason, "It is your turn"));
  CHECK_FALSE(contains(entered.refusal().reason, "fred"));
}

TEST_CASE("names and the prompt have the colour of the pieces, the keys of use are faint", "[ui]") {
  TestApp p;
  p.start_board("flooprail", {}, "");
  const auto style_at = [&](std::string_view text) {
    const Canvas picture = p.picture();
    const auto at = find_text(picture, text);
    INFO("'" << text << "' on\n" << p.screen_text());
    REQUIRE(at.has_value());
    return picture.cell(at->row, at->column).style;
  };
  CHECK(style_at("O fred") == Style::piece1);
  CHECK(style_at("X wilma") == Style::piece2);
  CHECK(style_at("fred (O)>") == Style::piece1);
  CHECK(style_at("Tab cursor  F3 try") == Style::cap);
  p.type("e2f2\n");
  CHECK(style_at("wilma (X)>") == Style::piece2);
  p.press(control_key('P'));
  CHECK(style_at("start, fred (O)>") == Style::piece1);
  CHECK(p.has_text("Left earlier  Right later  End now"));
  p.click(*find_text(p.picture(), "End now"));
  CHECK(p.has_text("wilma (X)>"));
  p.click(*find_text(p.picture(), "Tab cursor"));
  CHECK(p.has_text("wilma (X)>"));
  CHECK(p.has_text("Tab next  Enter pick"));
}

TEST_CASE("a letter of a move that is picked is chosen with the arrows and Tab", "[ui]") {
  using enum Key::Code;
  TestApp p;
  p.start_board("toot", {}, "");
  p.press({tab});
  p.press({enter});
  CHECK(p.has_text("Possible: AO AT - arrows and Tab choose"));
  p.press({tab});
  CHECK(p.has_text("fred (TOOT)> AO"));
  p.press({right});
  CHECK(p.has_text("fred (TOOT)> AT"));
  p.press({right});
  CHECK(p.has_text("fred (TOOT)> AO"));
  p.press({left});
  CHECK(p.has_text("fred (TOOT)> AT"));
  CHECK(p.has_text("fred drops a T down column A. Enter plays it."));
  p.press({backspace});
  CHECK(p.has_text("Possible: AO AT"));
  p.press({up});
  CHECK(p.has_text("fred (TOOT)> AT"));
  p.press({enter});
  CHECK(p.has_text("1 AT"));
  p.press({escape});
  p.press({escape});
  // The same with numbers.
  p.start_board("plotto", {}, "");
  p.press({tab});
  p.press({enter});
  for (int i = 0; i < 3; ++i) p.press({down});
  CHECK(p.has_text("> a3"));
  p.press({enter});
  CHECK(p.has_text("fred places a 3, the first."));
}

TEST_CASE("after the end r begins another game with the seats swapped, and a tie marks both",
          "[ui]") {
  TestApp p;
  p.start_board("toot", {"-size=3x3"}, "");
  p.type("propose\naccept\n");
  CHECK(p.has_text("* TOOT fred"));
  CHECK(p.has_text("* OTTO wilma"));
  CHECK(p.has_text("The players agreed on a draw."));
  CHECK(p.has_text("Press r for a"));
  // The same while looking back.
  TestApp q;
  q.start_board("toot", {}, "BT CO");
  q.type("propose\naccept\n");
  q.press(control_key('P'));
  q.type("r");
  CHECK(q.has_text("> rematch"));
  p.type("r");
  CHECK(p.has_text("> rematch"));
  CHECK(p.has_text("Enter starts a rematch with the seats swapped; Esc cancels."));
  p.press(kEsc);
  CHECK(p.has_text("Toot -size=3x3: fred against wilma, toot-101"));
  p.type("r\n");
  CHECK(p.has_text("Toot -size=3x3: wilma against fred, toot-102"));
  CHECK(p.has_text("> TOOT wilma"));
  CHECK(p.has_text("The new game is toot-102. The seats are swapped."));
  p.type("r");
  CHECK(p.has_text("> r"));
}

TEST_CASE("words are not refused for being half typed, and redo is told where there is something",
          "[ui]") {
  TestApp p;
  p.start_board("toot", {}, "");
  p.type("und");
  CHECK(p.has_text("Possible: undo"));
  p.type("o");
  CHECK(p.has_text("There is no move to take back."));
  p.press(kEsc);
  p.type("redo");
  CHECK(p.has_text("There is no move to redo."));
  p.press(kEsc);
  p.type("??");
  CHECK_FALSE(p.has_text("redo"));
}

TEST_CASE("where rows are short title and sentences stand beside the board", "[ui]") {
  TestApp p;
  // Also with long names.
  p.app.show(*create_board(p.local_boards, *find_game("soccolot"), {},
                           {"Bartholomew-Long", "Maximilian-Lang"}));
  p.type("field a\n");
  const Drawing drawing = p.local_boards.open("soccolot-101")->match.draw(0, {});
  for (const std::string typed : {"", "zz", "propose\n"}) {
    INFO(typed);
    p.type(typed);
    const Canvas canvas = p.picture();
    for (std::size_t r = 0; r < drawing.rows.size(); ++r)
      CHECK(row_text(canvas, static_cast<int>(r))
                .find(drawing.rows[r].substr(drawing.rows[r].find_first_not_of(' '))) !=
            std::string::npos);
    CHECK(p.has_text("Soccolot"));
    p.press(control_key('U'));
  }
}

TEST_CASE(
    "a small window keeps all of a small board, and the letters over the columns of a large one",
    "[ui]") {
  TestApp p;
  p.size = {12, 40};
  p.start_board("chaos", {}, "");
  for (const std::string_view row : {"x x x x", "x x x", "o o o o"}) CHECK(p.has_text(row));
  TestApp q;
  q.size = {12, 40};
  q.start_board("toot", {"-size=14x20"}, "BT");
  CHECK(q.has_text("A B C D E F G H I J K L M N"));
  CHECK(q.has_text(". T . ."));
  const std::string before = q.screen_text();
  q.press({Key::Code::page_up});
  CHECK(q.screen_text() != before);
  CHECK(q.has_text("A B C D E F G H I J K L M N"));
  // A sentence of several rows hides no row of the board.
  q.press({Key::Code::page_down});
  const auto board_rows = [&](const Canvas& c) {
    std::string out;
    for (int r = 3; r < 10; ++r) out += row_text(c, r) + "\n";
    return out;
  };
  const std::string rows = board_rows(q.picture());
  q.type("undo");
  q.press(kEnter);
  q.press(control_key('U'));
  q.type("propose\n");
  q.type("zzzzz");
  CHECK(q.has_text("zzzzz"));
  CHECK(board_rows(q.picture()).substr(0, rows.find('\n')) == rows.substr(0, rows.find('\n')));
}

TEST_CASE("words for what keys do are typed on a board as in line mode", "[ui]") {
  TestApp desk;
  desk.app.show(*create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}));
  desk.type("move b t");
  CHECK(desk.has_text("fred drops a T down column B. Enter plays it."));
  desk.press(kEnter);
  CHECK(desk.has_text("1 BT"));
  desk.type("move bx");
  CHECK(desk.has_text("You cannot drop 'x'"));
  desk.press(kEsc);
  desk.type("legal");
  CHECK(desk.has_text("legal: list every legal move."));
  desk.press(kEnter);
  CHECK(desk.has_text("AO AT BO BT CO CT DO DT EO ET FO FT"));
  desk.press(kEsc);
  desk.type("plies\n");
  CHECK(desk.has_text("1. BT: fred (TOOT) drops a T down column B."));
  desk.press(kEsc);
  desk.type("show 0\n");
  CHECK(desk.has_text("1 move follows"));
  desk.type("show\n");
  CHECK_FALSE(desk.has_text("ahead"));
  desk.type("draw\n");
  CHECK(desk.has_text("draw"));
  desk.type("reject\n");
  desk.type("mouse\n");
  CHECK(desk.app.is_mouse_on());
  desk.type("settings\n");
  CHECK(desk.has_text("> theme"));
  desk.press(kEsc);
  desk.type("help\n");
  CHECK(desk.has_text("Help: Toot"));
  desk.press(kEsc);
  desk.type("try\nboards\n");  // one step back at a time, like Esc
  CHECK_FALSE(desk.has_text("trying moves"));
  CHECK(desk.has_text("toot-101"));
  CHECK(desk.has_text("Esc back"));
  desk.type("boards\n");
  CHECK(desk.has_text("pbmplay "));
  desk.type("\nquit\n");
  CHECK(desk.app.is_done());
}

TEST_CASE(
    "names in the lobby that differ at their ends are told apart, and a wide lobby draws the board",
    "[ui]") {
  TestApp desk;
  for (const char* name : {"a-tournament-of-many-rounds-101", "a-tournament-of-many-rounds-102"}) {
    const auto board = create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"});
    REQUIRE(board.ok());
    REQUIRE(desk.local_boards.rename(board->id, name).ok());
  }
  desk.app.press({Key::Code::escape});
  const auto at = [&](Size size) { return desk.screen_text(size); };
  for (const Size size : {Size{24, 80}, Size{12, 40}}) {
    CHECK(at(size).find("-101") != std::string::npos);
    CHECK(at(size).find("-102") != std::string::npos);
  }
  CHECK(at({12, 40}).find("It is fred's turn") == std::string::npos);
  CHECK(at({24, 112}).find("It is fred's turn") != std::string::npos);
  CHECK(at({24, 110}).find(" v ") == std::string::npos);  // the default order
  desk.type("t");
  CHECK(at({24, 80}).find("board v") != std::string::npos);
  desk.type(":mouse\n");
  CHECK(desk.app.is_mouse_on());
  desk.type(":settings\n");
  CHECK(desk.has_text("> theme"));
  desk.press(kEsc);
  desk.type(":dance\n");
  CHECK(desk.has_text("There is no command 'dance'"));
}

TEST_CASE("the form keeps a name away that was taken away, and mends a size", "[ui]") {
  TestApp desk;
  desk.app.show(*create_board(desk.local_boards, *find_game("toot"), {}, {"fred", "wilma"}));
  desk.press(kEsc);
  desk.type("s");
  const Key down{Key::Code::down};
  CHECK(desk.has_text("A     B     C     D     E     F"));
  CHECK(desk.has_text("drop letters down columns; line up TOOT or OTTO"));
  desk.press(kEsc);
  CHECK(desk.has_text("pbmplay - 1 game"));  // nothing was typed, so there is no question
  desk.type("s");
  desk.press(down);
  desk.type("007 * 9");  // the first key replaces the old value
  CHECK(desk.has_text("A B C D E F G\n"));
  CHECK(desk.has_text("Enter starts the game"));
  desk.press(control_key('U'));
  desk.type("15x1");
  CHECK(desk.has_text("'-size=15x1' is not valid. Write -size=WxH"));
  desk.press(control_key('U'));
  desk.type("7x9");
  desk.press(down);
  desk.press(down);
  CHECK(desk.has_text("player1      < fred >"));
  desk.press({Key::Code::backspace});  // removes a suggested name, too
  CHECK_FALSE(desk.has_text("player1      < fred"));
  desk.type("x");
  desk.press({Key::Code::backspace});
  CHECK_FALSE(desk.has_text("player1      < fred"));
  CHECK(desk.has_text("Type the name of player1."));
  desk.type("wilma");
  CHECK(desk.has_text("player2      < fred >"));
  desk.press(kEsc);
  CHECK(desk.has_text("Esc again leaves without a game"));
  desk.type("x");
  CHECK(desk.has_text("player1      < wilmax >"));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK(desk.has_text("pbmplay - 1 game"));
}

TEST_CASE("after the end ? lists the keys that are useful then", "[ui][stranger]") {
  TestApp desk;
  desk.start_board("toot", {}, "BT");
  desk.press(character_key('?'));
  CHECK(desk.has_text("play the typed or picked move"));
  desk.press(kEsc);
  desk.type("resign\n");
  if (!desk.has_text("game over>")) desk.press(kEnter);
  REQUIRE(desk.has_text("game over>"));
  desk.press(character_key('?'));
  INFO(desk.screen_text());
  CHECK(desk.has_text("play again with the seats swapped"));
  CHECK(desk.has_text("F5"));
  CHECK_FALSE(desk.has_text("play the typed or picked move"));
}

TEST_CASE("a letter replaces a refused text after any key that does not edit", "[ui][stranger]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("zt\n");
  REQUIRE(desk.has_text("> zt"));
  desk.press(function_key(6));
  desk.type("bt");
  CHECK(desk.has_text("> bt"));
  desk.press(control_key('U'));
  desk.type("zt\n");
  desk.press({Key::Code::left});
  desk.type("b");
  CHECK(desk.has_text("> zbt"));
}

TEST_CASE("an earlier position says when its move was played", "[ui][stranger]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("BT\nCO\n");
  desk.press(control_key('P'));
  INFO(desk.screen_text());
  CHECK(desk.has_text("Played"));
}

TEST_CASE("on a local board a colon and a blank say that there is no chat", "[ui][stranger]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type(": hello\n");
  CHECK(desk.has_text("chat works only on a server's board"));
}

TEST_CASE("a computer has an article and answers your offer", "[ui][stranger]") {
  TestApp desk;
  const Board made = *create_board(desk.local_boards, *find_game("toot"), {}, {"me", "computer:3"});
  desk.app.show(made);
  Board other = *desk.local_boards.open(made.id);
  REQUIRE(desk.local_boards.play(other, {{Seat{0}, "propose"}}).ok());
  REQUIRE(desk.local_boards.play(other, {{Seat{1}, "reject"}}).ok());
  desk.app.boards_changed();
  CHECK(desk.has_text("The computer (OTTO) declines your draw offer."));
  desk.press(kEsc);
  desk.press(kEnter);
  desk.type("BT\nET\n");
  INFO(desk.screen_text());
  CHECK(desk.has_text("It is the computer's turn (OTTO)."));
}

TEST_CASE("the line says after a resignation what the board says", "[ui]") {
  TestApp desk;
  desk.type(":new toot ann computer:1\n");
  desk.type("resign\n\n");
  REQUIRE(desk.has_text("The computer (OTTO) wins. You resigned."));
  for (const char* line : {"undo", "BT"}) {
    INFO(line);
    desk.type(line);
    CHECK_FALSE(desk.has_text("ann resigned"));
    CHECK_FALSE(desk.has_text(". computer (OTTO) wins"));
    desk.press(kEnter);
    CHECK_FALSE(desk.has_text("ann resigned"));
    CHECK(desk.has_text("The game is over. The computer (OTTO) wins."));
    desk.press(control_key('U'));
  }
}

TEST_CASE("screens agree on who is you if the settings have no name", "[ui]") {
  TestApp desk;
  ::setenv("LOGNAME", "alice", 1);
  const auto save = [&](const Seating& seats) {
    Match match = *Match::start(*find_game("toot"), {}, seats, now());
    match.add(*match.validate(0, "BT", now()));
    REQUIRE(desk.local_boards.save_new(match).ok());
    desk.app.boards_changed();
  };
  const auto all_say = [&](const std::string& me, const std::string& other) {
    desk.size = {30, 140};
    INFO(desk.screen_text());
    CHECK(desk.has_text("> " + other));  // the row
    CHECK(desk.has_text("TOOT you"));    // the board beside the list
    desk.press(kEnter);
    CHECK(desk.has_text("you against " + other));
    CHECK(desk.has_text("TOOT you"));
    desk.press(control_key('P'));
    CHECK(desk.has_text("start, you (TOOT)>"));
    CHECK_FALSE(desk.has_text(me + " ("));
    desk.press(kEsc);
    desk.press(kEsc);
  };
  save({{"alice", "bob"}, {0, 0}});
  desk.press({Key::Code::down});
  desk.press({Key::Code::up});
  all_say("alice", "bob");
  // The name of the person in the latest game against the computer comes before the login.
  save({{"fred", "computer"}, {0, 1}});
  save({{"fred", "carla"}, {0, 0}});
  desk.type("/carla\n");
  all_say("fred", "carla");
  ::unsetenv("LOGNAME");
}

TEST_CASE("a player of an old save who is called you is not taken for the reader", "[ui]") {
  TestApp desk;
  Preferences wanted = desk.settings.preferences();
  wanted.player_name = "fred";
  desk.settings.set_for_run(wanted);
  Match match = *Match::start(*find_game("toot"), {}, Seating{{"fred", "you"}, {0, 0}}, now());
  match.add(*match.validate(0, "BT", now()));
  REQUIRE(desk.local_boards.save_new(match).ok());
  desk.size = {30, 140};
  desk.press({Key::Code::down});
  desk.press({Key::Code::up});
  CHECK_FALSE(desk.has_text("you, you"));
  CHECK_FALSE(desk.has_text("your turn"));
  CHECK_FALSE(desk.has_text("OTTO you"));
  desk.press(kEnter);
  CHECK_FALSE(desk.has_text("you against you"));
  CHECK_FALSE(desk.has_text("OTTO you"));
  CHECK_FALSE(desk.has_text("your turn"));
  desk.type("resign\n\n");
  CHECK(desk.has_text("You (TOOT) win."));
  desk.press(kEsc);
  CHECK(desk.has_text("you won"));
}
