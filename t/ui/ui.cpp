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
#include "protocol/telling.hpp"
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
        const auto legal = position.legal();
        const std::string ply = legal[below(random, legal.size())];
        const auto trail = position.trail(ply);
        MovePicker picker(position, position.draw({}));
        for (const SpotId spot : trail) {
          picker.go_to(spot);
          if (!picker.pick()) wrong.push_back(setup.name + ": " + ply + " cannot be picked");
        }
        // Plies with the same trail differ in the text after it.
        const std::string text = picker.text();
        if (ply.substr(0, text.size()) != text)
          wrong.push_back(setup.name + ": " + ply + " became " + text);
        if (!trail.empty() && text.empty())
          wrong.push_back(setup.name + ": " + ply + " is picked without a trace");
        for (std::size_t i = 0; i < trail.size(); ++i) picker.unpick();
        if (!picker.text().empty())
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
    seen.insert(open.front().cursor());
    while (!open.empty()) {
      const MovePicker from = open.back();
      open.pop_back();
      for (int d = 0; d < 4; ++d) {
        MovePicker next = from;
        next.go(static_cast<MovePicker::Direction>(d));
        if (seen.insert(next.cursor()).second) open.push_back(next);
      }
    }
    CHECK(seen.size() == drawing.spots.size());
  }
}

TEST_CASE("a game is played with the cursor, letter, Enter", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.press(kTab);
  CHECK(desk.shows("Arrows and Tab move"));
  desk.press(kEnter);  // picks column A
  CHECK(desk.shows("(TOOT)> A"));
  CHECK(desk.shows("Possible: AO AT"));
  desk.type("T");
  CHECK(desk.shows("fred drops a T down column A. [Enter]"));
  desk.press(kEnter);
  CHECK(desk.shows(" 1 AT"));
  CHECK(desk.save("toot-101").find("{move: AT") != std::string::npos);
  // The cursor stays after a ply. Backspace undoes the letter and the pick; Esc ends the picking.
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("O");
  desk.press(kRubout);
  desk.press(kRubout);
  CHECK(desk.shows("wilma (OTTO)>\n"));
  desk.press(kEsc);
  CHECK_FALSE(desk.shows("Arrows and Tab move"));
  CHECK(desk.shows("toot-101"));
}

TEST_CASE("a move that is picked whole is seen on the board before it is played", "[ui]") {
  TestApp desk;
  desk.app.show(*create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}));
  // After a move, an extra Enter only shows the cursor; Space picks at once.
  desk.press(kEnter);
  CHECK_FALSE(desk.shows("(TOOT)> A"));
  desk.press(kEsc);
  desk.press(typed(' '));
  CHECK(desk.shows("(TOOT)> A"));
  CHECK(desk.shows(". . . . . ."));
  CHECK_FALSE(desk.shows("T . . . . ."));
  desk.type("T");
  CHECK(desk.shows("T . . . . ."));
  CHECK(desk.shows("6 T 6 O"));  // not played yet
  CHECK(desk.shows("Enter play"));
  desk.press(kRubout);
  CHECK_FALSE(desk.shows("T . . . . ."));
}

TEST_CASE("a move of several jumps is picked space by space and played by a last Enter", "[ui]") {
  TestApp desk;
  auto board = desk.boards.open("example:flooprail");
  REQUIRE(board.ok());
  desk.app.show(std::move(*board));
  desk.press(kTab);
  for (int i = 0; i < 4; ++i) {
    desk.press(kEnter);
    desk.press(kTab);
  }
  CHECK(desk.shows("> D2-D4-F4-F6"));
  desk.press(ctrl('O'));
  CHECK(desk.shows("Not played yet: D2-D4-F4-F6."));
  CHECK(desk.shows("X--.--.--@"));
  desk.press(kEsc);
  CHECK_FALSE(desk.shows("Not played yet"));
  desk.press(kEnter);
  CHECK(desk.shows("21 D2-D4-F4-F6"));
  // The example is unchanged; the ply made a new board.
  CHECK(desk.shows("An example stays as it is: this is board flooprail-101."));
}

TEST_CASE("what only begins a move or a word is asked to go on, not refused", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("o\n");
  CHECK(desk.shows("More is needed: oa ob"));
  desk.type("u");
  desk.press(kEsc);
  desk.type("und\n");
  CHECK(desk.shows("More is needed: undo"));
}

TEST_CASE("a move that touches no square is offered to the cursor and to clicks", "[ui]") {
  const std::string plies =
      "a3-c3 e4-c2-c4-e4 a2-c4-c2 d3-a3-c5 c2-a2-c4-c2 e3-c1-c4-a2 a1-c1-c4 c5-a3-a1-c1-c5";
  for (const bool mouse : {false, true}) {
    TestApp desk;
    desk.start("chaos", {}, plies);
    if (mouse) desk.click(desk.place_of("x o x x"));
    else desk.press(kTab);
    CHECK(desk.shows("fred (o)> pass"));
    INFO(desk.screen());
    CHECK(desk.shows("[Enter]"));
    if (mouse) desk.click(desk.place_of("[Enter]"));
    else desk.press(kEnter);
    CHECK(desk.shows("wilma (x) won: o had no valid move and passed."));
  }
}

TEST_CASE("a square with which no move goes on says so, to the cursor and to a click", "[ui]") {
  TestApp desk;
  desk.start("flooprail");
  const Point corner = *find_drawing(desk.picture(), setup_of("flooprail").start().draw({}));
  const auto click = [&](int row, int column) {
    desk.click({corner.row + row, corner.column + column});
  };
  click(3, 12);  // D2, among its own pieces
  CHECK(desk.shows("No move begins at D2: Tab goes to where one does."));
  desk.press(kTab);
  CHECK_FALSE(desk.shows("No move begins"));
  click(7, 9);
  CHECK(desk.shows("(O)> C4"));
  desk.press({Key::Code::up});
  desk.press(kEnter);
  CHECK(desk.shows("This move does not go on to C3: Tab goes to where it can."));
  CHECK(desk.shows("(O)> C4"));
  // A click where a move begins starts that one; a second click on the square cancels it.
  click(7, 21);
  CHECK(desk.shows("This move does not go on to G4"));
  CHECK(desk.shows("(O)> C4"));
  click(9, 6);
  CHECK(desk.shows("(O)> B5"));
  CHECK_FALSE(desk.shows("does not go on"));
  click(9, 6);
  CHECK(desk.shows("(O)>\n"));
}

TEST_CASE("Enter plays what the cursor points at, and nothing else", "[ui]") {
  TestApp desk;
  desk.start("flooprail");
  const auto keys = [&](const std::vector<Key::Code>& codes) {
    for (const Key::Code code : codes) desk.press({code});
  };
  using enum Key::Code;
  desk.type(" ");
  keys({right, enter});
  CHECK(desk.shows("(O)> E2-F2"));
  // Another destination replaces the picked one.
  keys({left, down, enter});
  CHECK(desk.shows("(O)> E2-E3"));
  CHECK(desk.save("flooprail-101").find("E2") == std::string::npos);
  // On a square that the move cannot reach, Enter plays nothing.
  keys({right, enter});
  CHECK(desk.shows("This move does not go on to F3: Enter plays it on its last square."));
  CHECK(desk.save("flooprail-101").find("E2") == std::string::npos);
  keys({left, enter});
  CHECK(desk.shows("1 E2-E3"));
}

TEST_CASE("a word that begins as the key for another game is typed as any other", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT CO");
  desk.type("resign\n\n");
  desk.type("r");
  CHECK(desk.shows("game over> rematch"));
  desk.type("ecord");
  CHECK(desk.shows("game over> record\n"));
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
    CHECK(find_on(canvas, "12 FT"));
  }
}

TEST_CASE("what is typed and begins no move is not thrown away by Tab", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("zz");
  desk.press(kTab);
  CHECK(desk.shows("(TOOT)> zz"));
  CHECK(desk.shows("No move begins so"));
}

TEST_CASE("a move without its dashes is refused for the same reason", "[ui]") {
  for (const auto& [game, typed, dashed] :
       {std::tuple("flooprail", "d2e2", "d2-e2"), std::tuple("flooprail", "d3e4", "d3-e4"),
        std::tuple("chaos", "a2b2", "a2-b2")}) {
    const Position start = setup_of(game).start();
    INFO(game << ' ' << typed);
    CHECK(start.parse(typed).refusal().why == start.parse(dashed).refusal().why);
    CHECK(start.parse(typed).refusal().at == 2);
  }
  CHECK(setup_of("flooprail").start().parse("e2f2").ok());
}

TEST_CASE("after the end the arrows look back, and no level is given", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT CO");
  desk.type("resign\n\n");
  CHECK(desk.shows("game over>"));
  CHECK(desk.shows("Left look back"));
  desk.press({Key::Code::left});
  CHECK(desk.shows("move 1, "));
  CHECK(desk.shows("Right later"));
  desk.press({Key::Code::right});
  CHECK(desk.shows("game over>"));
  desk.type("level 3\n");
  CHECK(desk.shows("The game is over: rematch begins another."));
}

TEST_CASE("a game that is played through is stopped by any character, which is not typed", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("BT\nAO\n");
  desk.press(ctrl('P'));
  for (const char key : {' ', 'b'}) {
    desk.type(" ");
    desk.type(std::string(1, key));
    CHECK(desk.shows("Stopped, 1 move ahead: Space goes on, End shows the board as it is now."));
  }
  CHECK(desk.shows("move 1, wilma (OTTO)>"));
}

TEST_CASE("looking back shows any move and returns, and changes nothing", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT CO DO");
  const std::string before = desk.save("toot-101"), now = desk.screen();
  desk.press(ctrl('P'));
  CHECK(desk.shows("2: wilma drops an O down column C. 1 move ahead, End returns."));
  CHECK(desk.shows(". T O . . ."));
  for (int i = 0; i < 5; ++i) desk.press(ctrl('P'));
  CHECK(desk.shows("The start. 3 moves ahead, End returns."));
  desk.press(ctrl('N'));
  CHECK(desk.shows("2 moves ahead"));
  desk.press({Key::Code::end});
  CHECK(desk.screen() == now);
  desk.type("#1");
  CHECK(desk.shows("Enter shows the board after that move."));
  desk.press(kEnter);
  CHECK(desk.shows("2 moves ahead"));
  desk.type("#9");
  desk.press(kEnter);
  CHECK(desk.shows("This board has 3 moves: write #0 to #3."));
  CHECK(desk.save("toot-101") == before);
}

TEST_CASE(
    "where Shift does not mark text the foot says how to click, and F2 does it: then three "
    "clicks play a move",
    "[ui]") {
  TestApp desk;
  desk.start("toot");
  CHECK_FALSE(desk.app.mouse());
  CHECK(desk.shows("F2 mouse"));
  desk.press({Key::Code::function, 2});
  CHECK(desk.app.mouse());
  CHECK_FALSE(desk.shows("F2 mouse"));
  const Point a = desk.place_of("A B C D E F");
  desk.click({a.row + 2, a.column + 2});
  CHECK(desk.shows("(TOOT)> B"));
  desk.click(desk.place_of("BT"));
  CHECK(desk.shows("fred drops a T down column B. [Enter]"));
  desk.click(desk.place_of("[Enter]"));
  CHECK(desk.shows(" 1 BT"));
  desk.click({a.row + 1, a.column + 4});
  desk.click({a.row + 1, a.column + 6});  // another column replaces the first
  CHECK(desk.shows("(OTTO)> D"));
  desk.click(desk.place_of("Esc back"));
  desk.click(desk.place_of("Esc back"));
  desk.click(desk.place_of("toot-101"));
  CHECK(desk.shows("wilma (OTTO)>"));
}

TEST_CASE("what is pasted is typed and nothing else", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.press({Key::Code::paste, 1});
  desk.type("B?");
  desk.press(kEnter);
  desk.press(kTab);
  desk.press({Key::Code::paste, 0});
  CHECK(desk.shows("(TOOT)> B?"));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK(desk.shows("1 board"));
  desk.press({Key::Code::paste, 1});
  desk.type("dnq");
  desk.press({Key::Code::paste, 0});
  CHECK_FALSE(desk.app.done());
  CHECK(desk.shows("1 board"));
}

TEST_CASE("the form for a new board says at once what is wrong with it", "[ui]") {
  TestApp desk;
  desk.type("s");
  CHECK(desk.shows("< Toot >"));
  CHECK(desk.shows("Enter starts the game."));
  desk.press(kTab);
  desk.press(ctrl('U'));
  desk.type("7x99");
  CHECK(desk.shows("'-size=7x99': write -size=WxH with W from 1 to 14"));
  desk.press(kEnter);
  CHECK(desk.shows("New board"));
  for (int i = 0; i < 4; ++i) desk.press(kRubout);
  desk.type("3x3");
  CHECK(desk.shows("always ends in a tie"));
  desk.press(kTab);
  desk.type(" ");
  CHECK(desk.shows("[x]"));
  CHECK(desk.shows("never ends by itself"));
  desk.press(kTab);
  desk.type("fred");
  desk.press(kTab);
  desk.type("Fred");
  CHECK(desk.shows("Two players are called Fred"));
  desk.press(ctrl('U'));
  desk.press(kEnter);
  CHECK(desk.shows("Type who is to be player2."));
  desk.type("player2\n");
  CHECK(desk.shows("fred (TOOT)>"));
  CHECK(desk.save("toot-101").find("options: [-size=3x3, -tootris]\nseats: [fred, player2]") !=
        std::string::npos);
}

TEST_CASE("after the end Tab types nothing, and who rejects a draw is told so", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT CO DO BO");
  desk.type("propose\nreject\n");
  CHECK(desk.shows("rejects the draw"));
  desk.type("ET\n");
  desk.press(kTab);
  CHECK(desk.shows("game over>"));
  INFO(desk.screen());
  CHECK_FALSE(desk.shows("undo"));
}

TEST_CASE("how to move is shown by a move that is legal", "[ui]") {
  for (const char* game : {"toot", "flooprail", "plotto", "chaos", "soccolot"}) {
    TestApp desk;
    const auto board = create(desk.boards, *find_game(game), {}, {"fred", "wilma"});
    const std::string said = board->match.how_to_move();
    INFO(said);
    const std::size_t as = said.find(", as ") + 5;
    CHECK(board->match.position().parse(said.substr(as, said.find(' ', as) - as)));
    desk.app.show(*board);
    CHECK(desk.shows("A move is "));
  }
}

TEST_CASE("the examples are a row that is opened by Enter and closed by Esc", "[ui]") {
  TestApp desk;
  CHECK(desk.shows("examples"));
  CHECK_FALSE(desk.shows("trent, uma"));
  desk.press({Key::Code::end});
  desk.press(kEnter);
  CHECK(desk.shows("trent, uma"));
  CHECK(desk.shows("Esc fold"));
  desk.press(kEsc);
  CHECK_FALSE(desk.shows("trent, uma"));
  desk.type("d");
  CHECK(desk.shows("examples stay"));
}

TEST_CASE("Home and End go through the text of a row, then through the rows", "[ui]") {
  TestApp desk;
  desk.type("s");
  desk.press(kTab);
  REQUIRE(desk.shows("> size         6x4"));
  desk.press({Key::Code::home});
  CHECK(desk.shows("> size"));
  desk.press({Key::Code::home});
  CHECK(desk.shows("> game"));
  desk.press(kTab);
  desk.press({Key::Code::end});
  desk.press({Key::Code::end});
  CHECK(desk.shows("> player2"));
}

TEST_CASE("Enter in a form goes to the row that is wrong, and what takes no letters says so",
          "[ui]") {
  TestApp desk;
  desk.type("s");
  desk.press(kTab);
  desk.press(ctrl('U'));
  desk.type("7x99");
  desk.press(kTab);
  desk.type("y");
  CHECK(desk.shows("> tootris      [ ]"));
  CHECK(desk.shows("Nothing is typed here: Space changes it."));
  desk.press(kTab);
  CHECK(desk.shows("! size"));
  desk.press(kEnter);
  CHECK(desk.shows("> size         7x99"));
  CHECK(desk.shows("'-size=7x99': write -size=WxH"));
  desk.press(kRubout);
  CHECK(desk.shows("> size         7x9"));
}

TEST_CASE("a deleted board whose name was taken comes back when the name is free again", "[ui]") {
  TestApp p;
  p.start("toot", {}, "BT CO");
  p.press(kEsc);
  p.type("dd");
  REQUIRE(p.shows("Deleted toot-101; u brings it back."));
  const fs::path there = p.dir / "saves/toot-101.yaml", aside = p.dir / "aside.yaml";
  fs::copy(source_root() / "saves/toot.yaml", there);
  p.type("u");
  CHECK_FALSE(p.shows("Board toot-101 is back."));
  CHECK(bytes_of(there) == bytes_of(source_root() / "saves/toot.yaml"));
  fs::rename(there, aside);
  p.type("u");
  CHECK(p.shows("Board toot-101 is back."));
  CHECK(p.save("toot-101").find("move: CO") != std::string::npos);
}

TEST_CASE("the form offers every game of the table with its options and seats", "[ui]") {
  TestApp desk;
  desk.type("s");
  for (const GameType& game : all_games()) {
    INFO(game.name);
    CHECK(desk.shows("< " + std::string(game.title) + " >"));
    for (const OptionSpec& option : game.options)
      CHECK(desk.shows("   " + std::string(option.name)));
    CHECK(desk.shows("player" + std::to_string(game.max_seats)));
    CHECK_FALSE(desk.shows("player" + std::to_string(game.max_seats + 1)));
    desk.press({Key::Code::right});
  }
  CHECK(desk.shows("< " + std::string(all_games()[0].title) + " >"));
}

TEST_CASE("the form begins with the game of the row one is at", "[ui]") {
  TestApp desk;
  desk.start("chaos");
  desk.press(kEsc);
  desk.type("s");
  CHECK(desk.shows("< Chaos >"));
}

TEST_CASE("who is not named beside the computer is called as F4 has it", "[ui]") {
  TestApp desk;
  Preferences betty = desk.settings.chosen();
  betty.name = "betty";
  REQUIRE(desk.settings.set([&](Preferences& p) { p = betty; }).ok());
  desk.type(":new toot computer:1\n");
  CHECK(desk.shows("TOOT computer 1"));
  CHECK(desk.shows("OTTO betty"));
}

TEST_CASE("the settings show a drawing that is chosen", "[ui][settings]") {
  TestApp desk;
  desk.size = {60, 120};
  desk.press(kF4);
  CHECK_FALSE(desk.shows("G O A L"));
  desk.press({Key::Code::down});
  for (const char field : find_game("soccolot")->fields) {
    desk.press({Key::Code::right});
    CHECK(desk.shows(std::string("Soccolot, field ") + field + "."));
    const Match m = *Match::start(*find_game("soccolot"), Options{}, {"player1", "player2"}, {});
    CHECK(find_drawing(desk.picture(), m.draw(0, View{.field = field})));
  }
}

TEST_CASE("what is typed while one looks back keeps the place, and Enter asks where it is played",
          "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT CO DO");
  desk.type("#1\n");
  // Text that is a move in neither position leads to no question.
  desk.type("xy");
  CHECK_FALSE(desk.shows("Enter asks where"));
  desk.press(ctrl('U'));
  desk.type("at");
  CHECK(desk.shows("move 1, wilma (OTTO)> at"));
  CHECK_FALSE(desk.shows(". T O O . ."));
  CHECK(desk.shows("Enter asks where at is played"));
  const std::string before = desk.save("toot-101");
  desk.press(kEnter);
  CHECK(desk.shows("Enter again: at on the board as it is now. F3: try it from here."));
  CHECK(desk.save("toot-101") == before);
  // F3 tries the move from the past position, without saving.
  desk.press({Key::Code::function, 3});
  CHECK(desk.shows("trying moves"));
  CHECK(desk.shows("T T . . . ."));
  CHECK(desk.save("toot-101") == before);
  desk.press(kEsc);
  // A second Enter plays it on the current board.
  desk.type("#1\n");
  desk.type("at\n");
  desk.press(kEnter);
  CHECK(desk.shows("T T O O . ."));
  CHECK(desk.shows(" 4 AT"));
  // A text that is no move is refused, and the shown position stays.
  desk.type("#1\n");
  desk.type("zz\n");
  CHECK(desk.shows("There is no column Z"));
  CHECK(desk.shows("move 1, wilma (OTTO)> zz"));
}

TEST_CASE("a draw that is declined by playing on is said to be", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT");
  desk.type("draw\nCO\n");
  // At a shared keyboard, the player who made the offer plays the ply.
  CHECK(desk.shows("drops an O down column C. The offer of a draw ends with that."));
}

TEST_CASE("help on a board is ten keys first, and by the same key all", "[ui]") {
  TestApp desk;
  desk.start("soccolot");
  desk.press(typed('?'));
  CHECK(desk.shows("Help: Soccolot"));
  CHECK(desk.shows("all keys, and all words"));
  CHECK_FALSE(desk.shows("more lines"));
  desk.press(typed('?'));
  CHECK(desk.shows("Help: Soccolot"));
  CHECK(desk.shows("more lines"));
  desk.press(kEsc);
  CHECK(desk.shows("fred (Black)>"));
}

TEST_CASE("help lists every key of the screen it was asked on", "[ui]") {
  TestApp desk;
  desk.start("soccolot");
  desk.press(typed('?'));
  desk.press(typed('?'));
  const std::string help = desk.screen({200, 100});
  for (const char* key : {"Enter", "Esc", "Tab", "PgUp Ctrl-B", "field [a|b|c]", "rules F1 Ctrl-R",
                          "Ctrl-P", "Ctrl-O", "F2", "F4", "Ctrl-C", "Ctrl-Z", "Ctrl-L", "resign"}) {
    INFO(key);
    CHECK(help.find(std::string("\n   ") + key) != std::string::npos);
  }
  desk.press(kEsc);
  desk.press({Key::Code::function, 1});
  CHECK(desk.shows("Soccolot"));
  CHECK(desk.shows("Rules"));
}

namespace {

// Returns the marks of the first row that has `text`, a letter for each cell: "..ww..l".
std::string marks_beside(const Canvas& canvas, std::string_view text) {
  for (int r = 0; r < canvas.size().rows; ++r) {
    if (row_text(canvas, r).find(text) == std::string::npos) continue;
    std::string out;
    for (int c = 0; c < canvas.size().columns; ++c)
      out += ".lw?cp"[static_cast<std::size_t>(canvas.at(r, c).mark)];
    return out.substr(0, out.find_last_not_of('.') + 1);
  }
  return "not there";
}

// Returns a text with "red" in it five times, once across a line break; 80 columns wide.
std::string text_to_read() {
  std::string out =
      "# Reading\n\nThe first player says Red. Blue is not red.\n\n## Second\n\n- A list whose "
      "item is so long that it is broken in the middle, between red\n  wine and white bread.\n\n   "
      " red    verbatim\n\n## Third\n\n";
  for (int i = 1; i <= 60; ++i) out += "Line " + std::to_string(i) + ".\n\n";
  return out + "## Last\n\nThe very last line: red.\n";
}

// A text screen over a board.
struct Reader {
  TestApp desk;
  App app{desk.all,
          desk.settings,
          [](const std::string&) -> Result<std::string> { return text_to_read(); },
          {}};
  Canvas canvas{kScreen};

  Reader() {
    app.show(*create(desk.boards, *find_game("toot"), Options{}, {"fred", "wilma"}));
    press({Key::Code::function, 1});
  }
  void press(const Key& key) {
    app.press(key);
    canvas = app.draw(kScreen);
  }
  void type(std::string_view text) {
    for (const char c : text) press(typed(static_cast<char32_t>(c)));
  }
  std::string row(int r) const { return row_text(canvas, r); }
  std::string bottom() const { return row(kScreen.rows - 1); }
};

}  // namespace

TEST_CASE("words are searched for while they are typed, from where one is, round and round",
          "[ui]") {
  Reader reader;
  CHECK(reader.row(2) == " Reading");
  CHECK(reader.bottom().find("/ search") != std::string::npos);
  reader.type("n");
  CHECK(reader.bottom() == " Type / and the words to search for.");
  reader.type("/rE");
  CHECK(reader.bottom().find(" search: rE") == 0);
  CHECK(reader.bottom().find("1 of 7") != std::string::npos);  // also in Reading and bread
  reader.type("d");
  CHECK(reader.bottom().find("1 of 5") != std::string::npos);
  CHECK(marks_beside(reader.canvas, "says Red") ==
        std::string(23, '.') + "lll" + std::string(14, '.') + "www");
  reader.press(kEnter);
  CHECK(reader.bottom() == " 'rEd': 1 of 5  n next  N previous  / search");
  CHECK(reader.canvas.cursor == Point{4, 23});
  reader.type("n");
  CHECK(marks_beside(reader.canvas, "says Red") ==
        std::string(23, '.') + "www" + std::string(14, '.') + "lll");
  reader.type("NN");
  CHECK(reader.bottom().find("5 of 5") != std::string::npos);
  CHECK(marks_beside(reader.canvas, "very last") == std::string(21, '.') + "lll");
  reader.type("n");
  CHECK(marks_beside(reader.canvas, "says Red").find("lll") == 23);
  // The search continues at the start after the end.
  reader.press({Key::Code::end});
  reader.type("/Line ");
  CHECK(marks_beside(reader.canvas, "Line 60").find("lllll") == std::string::npos);
  CHECK(reader.bottom().find(" of 60") != std::string::npos);  // not among them: "line:"
  reader.press(kEsc);
  CHECK(reader.bottom().find("'rEd': 5 of 5") == 1);
  reader.press(kEsc);
  CHECK(reader.row(0).find(" Toot: fred against wilma, toot-101 ") == 0);
}

TEST_CASE("words are found over the end of a line, and what is not found is said", "[ui]") {
  Reader reader;
  reader.type("/red wine and");
  CHECK(reader.bottom().find("1 of 1") != std::string::npos);
  CHECK(marks_beside(reader.canvas, "between").ends_with("lll"));
  CHECK(marks_beside(reader.canvas, "white bread") == "...llllllll");
  reader.type("x");
  CHECK(reader.bottom().ends_with("not found"));
  CHECK(reader.canvas.at(23, 9).mark == Mark::wrong);
  reader.press(kEnter);
  CHECK(reader.bottom() == " 'red wine andx': not found  / search");
  reader.type("n");
  CHECK(reader.bottom() == " 'red wine andx' is not found.");
  // A search does not match across a heading and the text below it.
  reader.type("/reading the");
  CHECK(reader.bottom().ends_with("not found"));
  reader.press(ctrl('U'));
  reader.press(kEnter);
  CHECK(reader.bottom().find("more lines  / search") != std::string::npos);
}

TEST_CASE("Esc takes a search back to where it began, and a paste is searched for", "[ui]") {
  Reader reader;
  reader.press({Key::Code::page_down});
  const std::string before = reader.row(2);
  reader.type("/last line");
  CHECK(reader.row(2) != before);
  reader.press(kEsc);
  CHECK(reader.row(2) == before);
  reader.type("/");
  reader.press({Key::Code::paste, 1});
  reader.type("last");
  reader.press(kEnter);
  reader.type(" line");
  reader.press({Key::Code::paste, 0});
  CHECK(reader.bottom().find(" search: last line") == 0);
  CHECK(reader.bottom().find("1 of 1") != std::string::npos);
  // The match stays when the width changes.
  reader.press(kEnter);
  reader.canvas = reader.app.draw({12, 40});
  CHECK(row_text(reader.canvas, 11) == " 'last li~': 1 of 1  n next  N previous");
  CHECK(marks_beside(reader.canvas, "very last") == "..........lllllllll");
}

TEST_CASE("Tab goes from heading to heading, and clicks do what the words say", "[ui]") {
  Reader reader;
  reader.press(kTab);
  CHECK(reader.row(2) == " Second");
  reader.press(kTab);
  CHECK(reader.row(2) == " Third");
  reader.press({Key::Code::back_tab});
  reader.press({Key::Code::back_tab});
  CHECK(reader.row(2) == " Reading");
  for (int i = 0; i < 5; ++i) reader.press(kTab);
  CHECK(reader.bottom() == " the end  / search  l lesson");
  TestApp narrow;
  narrow.size = {12, 40};
  narrow.start("toot");
  narrow.press({Key::Code::function, 1});
  CHECK(narrow.shows("more  / search  l lesson"));
  reader.press({Key::Code::home});
  const auto click = [&](std::string_view words) {
    for (int r = 0; r < kScreen.rows; ++r)
      if (const std::size_t at = reader.row(r).find(words); at != std::string::npos) {
        reader.press(
            {Key::Code::click, static_cast<char32_t>(r) << 16 | static_cast<char32_t>(at)});
        return;
      }
    FAIL("'" << words << "' is not on the screen");
  };
  click("/ search");
  reader.type("red");
  reader.press(kEnter);
  click("n next");
  CHECK(reader.bottom().find("2 of 5") != std::string::npos);
  click("N previous");
  CHECK(reader.bottom().find("1 of 5") != std::string::npos);
  click("? help");
  CHECK(reader.row(0).find(" Help: a text to read") == 0);
  // Its help lists the keys of this screen.
  click("? help");
  CHECK(reader.row(0).find(" Help: a text to read") == 0);
  click("Esc back");
  CHECK(reader.row(0).find(" Rules") == 0);
  click("Esc back");
  CHECK(reader.row(0).find(" Toot: fred against wilma, toot-101 ") == 0);
}

TEST_CASE("keys that come before the first picture search too", "[ui]") {
  Reader reader;
  reader.press(kEsc);
  reader.app.press({Key::Code::function, 1});
  for (const char c : std::string("/last line")) reader.app.press(typed(static_cast<char32_t>(c)));
  reader.app.press(kEnter);
  reader.canvas = reader.app.draw(kScreen);
  CHECK(marks_beside(reader.canvas, "very last") == "..........lllllllll");
}

TEST_CASE("a game of several drawings is seen in the largest that leaves room for the words",
          "[ui]") {
  TestApp desk;
  desk.app.show(*create(desk.boards, *find_game("soccolot"), {}, {"fred", "wilma"}));
  const auto seen = [&](int rows) { return desk.screen({rows, 80}); };
  CHECK(has(seen(24), ".. W6 W5 W4 W3 W2 W1 .."));
  CHECK(has(seen(24), "fred : Black"));  // instead of player1
  CHECK(has(seen(24), "F1 rules"));
  CHECK(has(seen(27), "+---------- S ----------+"));
  CHECK(has(seen(28), "|           G O A L           |  fred : Black"));
  CHECK(has(seen(24), ".. W6 W5 W4 W3 W2 W1 .."));
  desk.type("field a\n");
  CHECK(has(seen(24), "|           G O A L           |  fred : Black"));
}

TEST_CASE("the field chosen by a key is remembered", "[ui]") {
  TestApp desk;
  desk.start("soccolot");
  const std::string before = desk.screen();
  desk.press(ctrl('T'));
  CHECK(desk.screen() != before);
  CHECK(bytes_of(desk.dir / "settings.yaml") == "field: a\n");  // follows c, which fits
}

TEST_CASE("settings are changed row by row, hold at once and are remembered", "[ui]") {
  TestApp desk;
  desk.move(true);
  const Key down{Key::Code::down}, right{Key::Code::right}, left{Key::Code::left};
  const auto file = [&] { return bytes_of(desk.dir / "settings.yaml"); };
  // Enter moves to the next setting, and changes nothing.
  const auto go = [&](const std::string& setting) {
    for (int i = 0; i < 20 && !desk.shows("> " + setting + " "); ++i) desk.press(kEnter);
    REQUIRE(desk.shows("> " + setting + " "));
  };
  desk.press(kF4);
  CHECK(desk.shows("Settings"));
  CHECK(desk.shows("> theme        < default >"));
  desk.press(right);
  CHECK(desk.shows("< mono >"));
  CHECK(desk.shows("no colours, attributes only"));
  CHECK(file() == "theme: mono\n");
  const auto theme = desk.app.take_theme();
  REQUIRE(theme.has_value());
  CHECK(theme->name == "mono");
  CHECK_FALSE(desk.app.take_theme().has_value());
  desk.press(left);
  CHECK(desk.app.take_theme()->name == "default");
  desk.press(down);
  CHECK_FALSE(desk.shows("> theme"));
  desk.press({Key::Code::up});
  CHECK(desk.shows("> theme"));
  go("field");
  desk.press(typed(' '));
  CHECK(desk.shows("> field        < a >"));
  desk.press(left);
  CHECK(desk.shows("> field        < auto >"));
  desk.press(left);
  CHECK(desk.shows("< c >"));
  go("size");
  CHECK(desk.shows("> size         < auto >"));
  go("mouse");
  CHECK(desk.shows("> mouse        < auto >"));
  CHECK_FALSE(desk.app.mouse());
  desk.app.marks_with_shift(true);
  CHECK(desk.app.mouse());
  desk.app.marks_with_shift(false);
  desk.press(left);
  CHECK(desk.shows("> mouse        < no >"));
  desk.press(left);
  CHECK(desk.shows("> mouse        < yes >"));
  CHECK(desk.app.mouse());
  for (const char* setting : {"bell", "confirm", "tutor", "frames", "motion"}) {
    go(setting);
    desk.press(typed(' '));
  }
  CHECK(desk.shows("bell         [ ]"));
  CHECK(desk.shows("confirm      [x]"));
  CHECK(desk.shows("frames       [ ]"));
  CHECK(desk.shows("> motion       [ ]"));
  CHECK(file() ==
        "theme: default\nfield: c\nmouse: yes\nbell: no\nconfirm: yes\ntutor: yes\nframes: "
        "no\nmotion: no\n");
  const Preferences& chosen = desk.settings.chosen();
  CHECK((chosen.field == 'c' && chosen.mouse && !chosen.bell && chosen.confirm && !chosen.frames));
  go("pace");
  CHECK(desk.shows("> pace         < 1 >"));
  desk.press(right);
  CHECK(chosen.pace == 2000);
  for (int i = 0; i < 4; ++i) desk.press(left);
  CHECK(desk.shows("> pace         < 0.1 >"));
  CHECK(file().find("pace: 0.1\n") != std::string::npos);
  go("name");
  desk.type("fred ?");
  CHECK(chosen.name == "fred ?");
  desk.press(kRubout);
  CHECK(file().find("name: fred\n") != std::string::npos);
  desk.type("0123456789ab");
  CHECK(desk.shows("is too long: names have at most 16 columns."));
  CHECK(chosen.name == "fred 0123456789a");
  desk.press(ctrl('U'));
  CHECK(file().find("name: \"\"\n") != std::string::npos);
  desk.press({Key::Code::paste, 1});
  desk.type("w");
  desk.press(kEnter);
  desk.type("ilma");
  desk.press({Key::Code::paste, 0});
  CHECK(chosen.name == "wilma");
  desk.press({Key::Code::up});
  desk.press({Key::Code::home});
  CHECK(desk.shows("> theme"));
  desk.press({Key::Code::end});
  CHECK(desk.shows("> name"));
  desk.press(kEnter);  // after the last row
  CHECK(desk.shows("pbmplay - 0 boards"));
}

TEST_CASE("settings open over every screen, once, and what lies below follows them", "[ui]") {
  TestApp desk;
  desk.start("soccolot");
  const std::string before = desk.screen();
  desk.type("e");
  desk.press(kF4);
  desk.press(kF4);
  desk.press({Key::Code::function, 1});
  CHECK(desk.shows("Help: Settings"));
  CHECK(desk.screen({60, 80}).find("F4") != std::string::npos);
  desk.press(kF4);
  CHECK(desk.shows("> theme"));
  desk.press({Key::Code::down});
  desk.press({Key::Code::right});
  desk.press(kEsc);
  CHECK(desk.shows("> e\n"));
  desk.press(kEsc);
  const std::string other = desk.screen();
  CHECK(other != before);
  desk.press(ctrl('T'));
  desk.press(ctrl('T'));
  CHECK(desk.screen() == before);
  desk.press(kEsc);
  desk.type("s");
  desk.press(kF4);
  desk.press(kEsc);
  CHECK(desk.shows("New board"));
}

TEST_CASE("a setting is changed by a click, the mouse by F2 for now", "[ui]") {
  TestApp desk;
  desk.press(kF4);
  desk.press({Key::Code::function, 2});
  CHECK(desk.app.mouse());
  CHECK(desk.settings.chosen().mouse == std::nullopt);
  desk.click(desk.place_of("bell"));
  CHECK(desk.shows("> bell         [ ]"));
  desk.click(desk.place_of("< default >"));
  CHECK(desk.shows("> theme        < mono >"));
  desk.click(desk.place_of("Esc back"));
  CHECK(desk.shows("pbmplay - 0 boards"));
  CHECK(desk.app.mouse());
}

TEST_CASE(
    "the settings show every style and mark of the theme by what it is for, and scroll where there "
    "is no "
    "room",
    "[ui]") {
  TestApp desk;
  desk.press(kF4);
  const Canvas canvas = desk.app.draw(kScreen);
  const auto drawn = [&](std::string_view word, Style style, Mark mark) {
    for (int r = 0; r < kScreen.rows; ++r)
      for (int c = 0; c + static_cast<int>(word.size()) <= kScreen.columns; ++c) {
        bool here = true;
        for (int i = 0; here && i < static_cast<int>(word.size()); ++i) {
          const Cell& cell = canvas.at(r, c + i);
          here = cell.glyph == static_cast<char32_t>(word[static_cast<std::size_t>(i)]) &&
                 cell.style == style && cell.mark == mark;
        }
        if (here) return true;
      }
    return false;
  };
  for (std::size_t i = 0; i < style_keys().size(); ++i) {
    INFO(style_keys()[i].about);
    CHECK(drawn(style_keys()[i].about, static_cast<Style>(i), Mark::none));
  }
  for (std::size_t i = 0; i < mark_keys().size(); ++i) {
    INFO(mark_keys()[i].about);
    CHECK(drawn(mark_keys()[i].about, Style::piece1, static_cast<Mark>(i)));
  }
  const auto small = [&] { return desk.screen({12, 40}); };
  CHECK(small().find("> theme") != std::string::npos);
  CHECK(small().find("colours and other looks") != std::string::npos);
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
  const fs::path themes = desk.dir / "themes", file = desk.dir / "own.yaml";
  fs::create_directory(themes);
  std::ofstream(themes / "a.yaml") << "about: the first\n";
  std::ofstream(themes / "b.yaml") << "about: 1\nstyles: 2\n";
  std::ofstream(themes / "c.yaml") << "about: the last\n";
  std::ofstream(file) << "about: mine\n";
  Settings settings(desk.dir / "settings.yaml");
  Preferences given = settings.chosen();
  given.theme = file.string();  // as --theme does
  settings.use(given);
  App app(desk.all, settings,
          [](const std::string&) -> Result<std::string> { return std::string(); }, {themes});
  const auto shows = [&](std::string_view text) {
    const Canvas canvas = app.draw(kScreen);
    for (int r = 0; r < kScreen.rows; ++r)
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
  CHECK(bytes_of(desk.dir / "settings.yaml") == "theme: c\n");
  app.press({Key::Code::right});
  CHECK(shows("mine"));
  // The theme's file is deleted after the list was made.
  fs::remove(themes / "c.yaml");
  app.press({Key::Code::left});
  CHECK(shows("There is no theme 'c'"));
}

TEST_CASE("a move by somebody else calls for attention, unless that was not wanted", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.app.changes();  // as the event loop does
  const auto somebody_plays = [&](const std::string& ply) {
    LocalBoards others{desk.dir / "saves", source_root() / "saves"};
    auto board = others.open("toot-101");
    REQUIRE(board.ok());
    REQUIRE(others.play(*board, turns_at_one_keyboard(board->match, ply)).ok());
    desk.app.boards_changed();
  };
  desk.type("at");
  desk.press(kEnter);
  desk.app.boards_changed();
  CHECK_FALSE(desk.app.take_bell());  // the player's own ply
  somebody_plays("bt");
  CHECK(desk.app.take_bell());
  CHECK_FALSE(desk.app.take_bell());
  CHECK(desk.shows("2 BT"));
  desk.press({Key::Code::function, 1});
  somebody_plays("ct");
  CHECK(desk.app.take_bell());
  desk.press(kEsc);
  CHECK(desk.shows("CT: fred (TOOT) drops a T down column C."));
  Preferences quiet = desk.settings.chosen();
  quiet.bell = false;
  desk.settings.use(quiet);
  somebody_plays("dt");
  CHECK_FALSE(desk.app.take_bell());
  desk.press(kEsc);
  somebody_plays("et");
  CHECK_FALSE(desk.app.take_bell());
}

TEST_CASE("every screen can be drawn in every size", "[ui]") {
  TestApp desk;
  desk.start("soccolot");
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
  desk.press(typed('?'));
  all_sizes();
  desk.press(kEsc);
  desk.press(kEsc);
  all_sizes();
  desk.press(typed('s'));
  all_sizes();
  desk.press(kF4);
  all_sizes();
  desk.press(ctrl('C'));
  all_sizes();
}

TEST_CASE("in a window too small no key plays, and Ctrl-C leaves", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("BT");
  desk.app.draw({5, 20});
  desk.app.press(kEnter);
  CHECK(desk.save("toot-101").find("BT") == std::string::npos);
  desk.app.draw({5, 20});
  desk.app.press(ctrl('C'));
  CHECK(desk.app.done());
}

TEST_CASE("a record has the moves in a column a player and the last position", "[ui]") {
  Match m = *Match::start(*find_game("toot"), Options{}, {"fred", "w\x1b[2Jilma"}, Time{});
  for (const char* ply : {"BT", "CO", "DO"}) m.add(*m.validate(m.acting_seat(ply), ply, Time{}));
  m.add(*m.validate(1, "resign", Time{}));
  CHECK(record_text(m, {}) ==
        "Toot\n\n     fred (TOOT)  w?[2Jilma (OTTO)\n  1  BT           CO\n  3  DO\n\nA B C D E "
        "F\n. . . . . .\n. . . . . .\n. . . . . .\n. T O O . .\n\n"
        "fred has 5 T 5 O and w?[2Jilma has 6 T 5 O.\nfred (TOOT) won: w?[2Jilma resigned.\n");
  Match three = *Match::start(*find_game("plotto"), Options{}, {"a", "b", "c"}, Time{});
  three.add(*three.validate(1, "resign", Time{}));
  CHECK(record_text(three, {}).find(" resigned.\nIt is a's turn") != std::string::npos);
  Match late = *Match::start(*find_game("plotto"), Options{}, {"a", "b", "c"}, Time{});
  Action out_of_time = *late.validate(1, "resign", Time{});
  out_of_time.forfeit = Forfeit::time;
  late.add(out_of_time);
  CHECK(has(record_text(late, {}), "b (2) ran out of time.\nIt is a's turn"));
}

TEST_CASE("where it was chosen a move is shown first and played by a second Enter", "[ui]") {
  TestApp desk;
  Preferences wanted = desk.settings.chosen();
  wanted.confirm = true;
  REQUIRE(desk.settings.set([&](Preferences& p) { p = wanted; }).ok());
  desk.start("toot");
  desk.type("BT");
  desk.press(kEnter);
  CHECK(desk.shows("Not played yet: BT. Enter plays it"));
  CHECK(desk.shows(". T . . . ."));
  CHECK(desk.save("toot-101").find("BT") == std::string::npos);
  desk.press(kEsc);  // back to the typed text
  CHECK_FALSE(desk.shows(". T . . . ."));
  CHECK(desk.shows("> BT"));
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.shows("1 BT"));
  // Ctrl-O counts as showing the move.
  desk.type("CO");
  desk.press(ctrl('O'));
  desk.press(kEnter);
  CHECK(desk.shows("2 CO"));
  // Picked moves need the second Enter, too; an illegal one is refused at once; tried ones do not.
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("T");
  desk.press(kEnter);
  CHECK(desk.shows("Not played yet: BT."));
  desk.press(kEnter);
  CHECK(desk.shows("3 BT"));
  desk.press(kEsc);
  desk.type("ZZ");
  desk.press(kEnter);
  CHECK(desk.shows("There is no column Z"));
  desk.press(kEsc);
  desk.press({Key::Code::function, 3});
  desk.type("ET");
  desk.press(kEnter);
  CHECK(desk.shows("4 ET"));
}

TEST_CASE("giving up wants a second Enter, and any other key goes back", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "BT");
  desk.type("resign");
  desk.press(kEnter);
  CHECK(desk.shows("wilma (OTTO) gives the game up: Enter again does it"));
  desk.press(kRubout);
  desk.type("n");
  desk.press(kEnter);
  CHECK(desk.shows("Enter again does it"));
  desk.press(kEsc);
  CHECK(desk.save("toot-101").find("resign") == std::string::npos);
  desk.type("resign");
  desk.press(kEnter);
  desk.press(kEnter);
  CHECK(desk.shows("fred (TOOT) won: wilma resigned."));
}

TEST_CASE("a name that means the computer is refused in the settings as it is typed", "[ui]") {
  TestApp desk;
  desk.press(kF4);
  desk.press({Key::Code::end});
  desk.type("computer");
  CHECK(desk.shows("'computer' is the computer: choose another name."));
  desk.type(":0");
  CHECK(desk.shows("'computer:0': the computer plays at levels 1 to 10"));
  CHECK(desk.settings.chosen().name == "compute");
}

TEST_CASE("help of a text is asked for where help of a board was read before", "[ui]") {
  Reader reader;
  for (const Key& key : {kEsc, typed('?'), kEsc, Key{Key::Code::function, 1}, typed('?')})
    reader.press(key);
  CHECK(has(reader.row(0), "Help: a text to read"));
}

TEST_CASE("what is typed at once and not found leaves a text where it is", "[ui]") {
  Reader reader;
  for (const char c : std::string_view("/the very lastx"))
    reader.app.press(typed(static_cast<char32_t>(c)));
  reader.press(kEnter);
  CHECK(has(reader.bottom(), "not found"));
  CHECK(reader.row(2) == " Reading");
}

TEST_CASE("lines part the screen where they are wanted, and nothing moves without them", "[ui]") {
  TestApp desk;
  desk.start("toot");
  const auto glyphs = [&](bool frames) {
    Preferences wanted = desk.settings.chosen();
    wanted.frames = frames;
    REQUIRE(desk.settings.set([&](Preferences& p) { p = wanted; }).ok());
    const Canvas canvas = desk.picture();
    std::u32string out;
    for (int r = 0; r < canvas.size().rows; ++r)
      for (int c = 0; c < canvas.size().columns; ++c) out += canvas.at(r, c).glyph;
    return out;
  };
  std::u32string with = glyphs(true);
  const std::u32string without = glyphs(false);
  CHECK(std::count(with.begin(), with.end(), kRule) == 80);
  CHECK(std::count(with.begin(), with.end(), kWall) > 10);
  std::replace(with.begin(), with.end(), kRule, U' ');
  std::replace(with.begin(), with.end(), kWall, U' ');
  CHECK(with == without);
}

TEST_CASE("with a name in the settings only that person's boards wait", "[ui]") {
  TestApp desk;
  const auto board = [&](const std::vector<std::string>& names, const std::string& ply) {
    auto made = create(desk.boards, *find_game("toot"), {}, names);
    REQUIRE(made.ok());
    if (!ply.empty()) REQUIRE(desk.boards.play(*made, {{std::nullopt, ply}}).ok());
  };
  board({"fred", "wilma"}, "");
  board({"fred", "wilma"}, "BT");
  board({"Wilma", "barney"}, "");
  CHECK(desk.shows("3 boards, 3 wait for a move"));
  Preferences wanted = desk.settings.chosen();
  wanted.name = "wilma";
  REQUIRE(desk.settings.set([&](Preferences& p) { p = wanted; }).ok());
  desk.press(typed('r'));
  CHECK(desk.shows("3 boards, 2 wait for wilma"));
  CHECK(desk.place_of("toot-101").row > desk.place_of("toot-102").row);
  CHECK(desk.place_of("toot-101").row > desk.place_of("toot-103").row);
  desk.press(typed('n'));
  desk.press(typed('n'));
  desk.press(kEnter);
  CHECK_FALSE(desk.shows("toot-101"));
  desk.press(ctrl('G'));
  desk.press(ctrl('G'));
  CHECK_FALSE(desk.shows("toot-101"));
}

TEST_CASE("the form offers the people last played with, and whoever is typed takes that seat",
          "[ui]") {
  TestApp desk;
  auto board = create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"});
  REQUIRE(board.ok());
  desk.type("s");
  CHECK(desk.place_of("fred").row + 1 == desk.place_of("wilma").row);
  for (int i = 0; i < 3; ++i) desk.press(kTab);
  desk.type("wilma");  // fred then gets the other seat
  CHECK(desk.place_of("wilma").row + 1 == desk.place_of("fred").row);
  desk.press(kEnter);
  CHECK(desk.save("toot-102").find("seats: [wilma, fred]") != std::string::npos);
}

TEST_CASE("what was refused is begun anew by a letter, and mended by any other key", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("ZZ");
  desk.press(kEnter);
  desk.type("BT");
  CHECK(desk.shows("fred (TOOT)> BT"));
  desk.press(ctrl('U'));
  desk.type("BX");
  desk.press(kEnter);
  desk.press(kRubout);
  desk.type("O");
  CHECK(desk.shows("fred (TOOT)> BO"));
  // A refused text that can become a move is continued.
  desk.press(ctrl('U'));
  desk.type("C");
  desk.press(kEnter);
  desk.type("T");
  CHECK(desk.shows("fred (TOOT)> CT"));
  // A refused line can be fetched again.
  desk.press(ctrl('U'));
  desk.type("note #9 a trap\n");
  desk.type("BT");
  CHECK(desk.shows("fred (TOOT)> BT"));
  desk.press({Key::Code::up});
  CHECK(desk.shows("fred (TOOT)> note #9 a trap"));
}

TEST_CASE("a move that must go on is gone on with, or typed again from its start", "[ui]") {
  TestApp desk;
  desk.start("flooprail", {}, "D3-D4 F4-E4 D4-F4 G4-E4 C3-D3 E4-D4 C4-E4");
  const auto refuse = [&] {
    desk.press(ctrl('U'));
    desk.type("E5-E3");
    desk.press(kEnter);
    REQUIRE(desk.shows("must Fleap on"));
  };
  refuse();
  desk.type("-C3");
  CHECK(desk.shows("wilma (X)> E5-E3-C3"));
  refuse();
  desk.type("E5-E3-C3");
  CHECK(desk.shows("wilma (X)> E5-E3-C3"));
  desk.press(kEnter);
  CHECK(desk.save("flooprail-101").find("E5-E3-C3") != std::string::npos);
}

TEST_CASE("what is typed lights up on the board, with what can come next", "[ui]") {
  TestApp desk;
  desk.start("flooprail");
  const auto marks = [&](Mark mark) {
    const Canvas canvas = desk.picture();
    int n = 0;
    for (int r = 0; r < canvas.size().rows - 2; ++r)
      for (int c = 0; c < canvas.size().columns; ++c) n += canvas.at(r, c).mark == mark;
    return n;
  };
  CHECK(marks(Mark::picked) == 0);
  desk.type("d3");
  CHECK(marks(Mark::picked) == 1);
  CHECK(marks(Mark::choice) > 0);
  desk.type("-e3");
  CHECK(marks(Mark::picked) == 2);
  CHECK(marks(Mark::choice) == 0);
  desk.press(ctrl('U'));
  CHECK(marks(Mark::picked) == 0);
  desk.type("d3-a9");
  CHECK(marks(Mark::picked) == 0);
}

TEST_CASE("a place over the lettering of a drawing is marked as the whole word", "[ui]") {
  for (int field = 0; field < 3; ++field) {
    INFO("field " << field);
    TestApp desk;
    desk.size = {34, 80};
    desk.start("soccolot", {}, "3rs 3rne 3rs 3rn 3rs 6rn");
    for (int i = 0; i < field; ++i) desk.press(ctrl('T'));
    const auto marked = [&] {
      const Canvas canvas = desk.picture();
      const Point goal = *find_on(canvas, "G O A L");
      std::string out;
      for (int c = 0; c < canvas.size().columns; ++c)
        if (canvas.at(goal.row, c).mark == Mark::choice)
          out += static_cast<char>(canvas.at(goal.row, c).glyph);
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
    desk.start("toot", {}, "AT");
    const std::string shorter = desk.save("toot-101");
    auto board = desk.boards.open("toot-101");
    REQUIRE(board.ok());
    for (const char* ply : {"BO", "CT", "DO"})
      REQUIRE(desk.boards.play(*board, {{std::nullopt, ply}}).ok());
    desk.app.show(std::move(*board));
    desk.press(ctrl('P'));
    CHECK(desk.shows("1 move ahead"));
    std::ofstream(desk.dir / "saves/toot-101.yaml") << shorter;
    desk.type(typed);
    desk.press(kEnter);
    CHECK_FALSE(desk.shows("4 DO"));
    desk.press(kEsc);
    CHECK_FALSE(desk.shows("ahead"));
    CHECK(desk.shows("wilma (OTTO)>"));
  }
}

namespace {

// Changes the boards of a desk as another program would, and tells the desk.
void elsewhere(TestApp& desk, const std::function<void(LocalBoards&)>& act) {
  desk.app.changes();  // as the event loop does
  LocalBoards others{desk.dir / "saves", source_root() / "saves"};
  act(others);
  desk.app.boards_changed();
}

}  // namespace

TEST_CASE("a question that was asked about another position is not answered by Enter", "[ui]") {
  const auto somebody_plays = [](TestApp& desk) {
    elsewhere(desk, [](LocalBoards& boards) {
      auto board = boards.open("toot-101");
      REQUIRE(board.ok());
      REQUIRE(boards.play(*board, {{std::nullopt, "BT"}}).ok());
    });
    CHECK(desk.shows("1 BT"));
    desk.press(kEnter);  // was meant for the position before
    CHECK(desk.shows("Not played: look at the position again."));
    desk.press({Key::Code::left});
  };
  for (const bool confirm : {false, true}) {
    TestApp desk;
    Preferences wanted = desk.settings.chosen();
    wanted.confirm = confirm;
    REQUIRE(desk.settings.set([&](Preferences& p) { p = wanted; }).ok());
    desk.start("toot");
    desk.type(confirm ? "CO" : "resign");
    desk.press(kEnter);
    CHECK(desk.shows(confirm ? "Not played yet: CO."
                             : "fred (TOOT) gives the game up: Enter again does it"));
    somebody_plays(desk);
    const std::string before = desk.save("toot-101");
    desk.press(kEnter);
    CHECK(desk.shows(confirm ? "Not played yet: CO."
                             : "wilma (OTTO) gives the game up: Enter again does it"));
    CHECK(desk.save("toot-101") == before);
    desk.press(kEnter);
    CHECK(desk.shows(confirm ? "2 CO" : "fred (TOOT) won: wilma resigned."));
  }
}

TEST_CASE("a question that something else was said in place of is asked again", "[ui]") {
  TestApp desk;
  desk.start("toot");
  desk.type("resign");
  const std::vector<std::function<void()>> others{
      [&] {
        desk.press({Key::Code::function, 2});
      },
      [&] {
        desk.click({1, 70});
      },
      [&] {
        desk.press({Key::Code::paste, 1});
        desk.press(typed(' '));
        desk.press({Key::Code::paste, 0});
      },
  };
  for (const auto& happens : others) {
    desk.press(kEnter);
    CHECK(desk.shows("fred (TOOT) gives the game up: Enter again does it"));
    happens();
    CHECK_FALSE(desk.shows("gives the game up"));
  }
  desk.press(kEnter);
  CHECK_FALSE(has(desk.save("toot-101"), "resign"));
}

TEST_CASE("a board that is gone while its new name is typed makes no commands of the letters",
          "[ui]") {
  for (const bool others : {false, true}) {
    TestApp desk;
    REQUIRE(create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
    if (others) REQUIRE(create(desk.boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
    desk.type("t");
    desk.type("t");  // sorts by name
    desk.type("g");
    if (others) desk.type("j");
    desk.type("m");
    CHECK(desk.shows("new name: toot-101"));
    elsewhere(desk, [](LocalBoards& boards) { REQUIRE(boards.remove("toot-101").ok()); });
    CHECK(desk.shows("Board toot-101 is no longer in this list."));
    desk.type("dd");
    CHECK(desk.shows("new name: toot-101dd"));
    desk.press(kEnter);
    CHECK(desk.shows("There is no board 'toot-101' here"));
    desk.type("d");
    desk.press(kEsc);
    CHECK_FALSE(desk.shows("new name"));
    CHECK(fs::exists(desk.dir / "saves/chaos-101.yaml") == others);
    CHECK_FALSE(fs::exists(desk.dir / "saves/toot-101dd.yaml"));
  }
}

TEST_CASE("from a board that is not in the list the next one that waits is the first", "[ui]") {
  TestApp desk;
  for (const char* game : {"toot", "chaos"})
    REQUIRE(create(desk.boards, *find_game(game), {}, {"fred", "wilma"}).ok());
  desk.type("t");
  desk.type("t");  // sorts by name
  const fs::path file = desk.dir / "elsewhere.yaml";
  fs::copy(desk.dir / "saves/toot-101.yaml", file);
  desk.app.show(*desk.boards.open(file.string()));
  desk.press(ctrl('G'));
  CHECK(desk.shows("Chaos: fred against wilma, chaos-101"));
}

TEST_CASE("a new name goes to the board it was asked for, wherever that stands in the list by then",
          "[ui]") {
  TestApp desk;
  REQUIRE(create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.type("m");
  elsewhere(desk, [](LocalBoards& boards) {
    REQUIRE(create(boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
  });
  desk.type("x");
  desk.press(kEnter);
  CHECK(desk.shows("Now it is board toot-101x."));
  CHECK(fs::exists(desk.dir / "saves/chaos-101.yaml"));
}

TEST_CASE("a key meant for a board that has just gone does nothing to the one in its place",
          "[ui]") {
  for (const Key& key : {typed('d'), typed('c'), typed('m'), kEnter}) {
    INFO(key_name(key));
    TestApp desk;
    REQUIRE(create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
    REQUIRE(create(desk.boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
    desk.type("t");
    desk.type("t");
    desk.type("g");
    elsewhere(desk, [](LocalBoards& boards) { REQUIRE(boards.remove("chaos-101").ok()); });
    desk.app.press(key);
    CHECK(desk.shows("Board chaos-101 is no longer in this list."));
    const auto list = desk.boards.list();
    CHECK(std::count_if(list.begin(), list.end(),
                        [](const BoardSummary& l) { return !l.example; }) == 1);
    CHECK(fs::exists(desk.dir / "saves/toot-101.yaml"));
    desk.press(key);
    CHECK_FALSE(desk.shows("no longer in this list"));
  }
  // Deletions by the player cause no such notice: two in a row delete two boards.
  TestApp desk;
  for (int i = 0; i < 2; ++i)
    REQUIRE(create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}).ok());
  desk.picture();
  for (int i = 0; i < 4; ++i) desk.app.press(typed('d'));
  CHECK(desk.shows("0 boards"));
}

TEST_CASE("a move's number typed or clicked while a move is picked shows that move", "[ui]") {
  TestApp desk;
  desk.start("toot", {}, "AT BO");
  desk.press(kTab);
  desk.type("#1");
  desk.press(kEnter);
  CHECK(desk.shows("1 move ahead"));
  desk.press(kEsc);
  desk.press(kTab);
  desk.press(kEnter);
  desk.type("T");
  desk.press(kEnter);
  CHECK(desk.shows(" 3 AT"));
  desk.click(desk.place_of("2 BO"));
  CHECK(desk.shows("1 move ahead"));
  desk.click(desk.place_of("1 AT"));
  CHECK(desk.shows("2 moves ahead"));
  desk.press(kEsc);
  // The same with a pick in the line, which is then dropped.
  desk.press(kTab);
  desk.press(kEnter);
  desk.click(desk.place_of("2 BO"));
  CHECK(desk.shows("1 move ahead"));
  CHECK(desk.shows(" move 2, fred (TOOT)>\n"));
}

TEST_CASE(
    "a sentence from elsewhere has the look of news or of what went wrong, whatever stood there "
    "before",
    "[ui]") {
  TestApp desk;
  desk.start("soccolot");
  const auto look_of = [&](std::string_view text) {
    const Point at = desk.place_of(text);
    return desk.picture().at(at.row, at.column).style;
  };
  desk.type("ZZ");
  desk.press(kEnter);
  CHECK(look_of("'Z' is not") == Style::bad);
  desk.press({Key::Code::function, 2});
  CHECK(look_of("The mouse is on") == Style::good);
  desk.press(kEsc);
  fs::create_directory(desk.dir / "settings.yaml");  // so that no field can be remembered
  desk.press(ctrl('T'));
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
    Result<Board> keep(const Match& match) override { return all.keep(match); }
    Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override {
      return all.play(board, turns);
    }
    int changes() override { return -1; }
    bool take_changes() override { return false; }
    std::string place() const override { return ""; }
  };
  TestApp desk;
  Torn torn(desk.boards);
  Boards all(torn);
  App app(all, desk.settings, topic_of_tree, {});
  app.show(*create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}));
  for (const char c : std::string("copy")) app.press(typed(static_cast<char32_t>(c)));
  app.press(kEnter);
  const Canvas canvas = app.draw(kScreen);
  CHECK(find_on(canvas, "toot-102 was torn."));
  CHECK_FALSE(find_on(canvas, "This is board toot-102"));
  CHECK(find_on(canvas, "Toot: fred against wilma, toot-101"));
}

TEST_CASE("boards cannot end before the screens that show them", "[ui]") {
  TestApp desk;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGABRT, SIG_DFL);
    ::close(STDERR_FILENO);
    auto all = std::make_unique<Boards>(desk.boards);
    const App app(*all, desk.settings, topic_of_tree, {});
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
  const auto form = new_game(desk.all, "", {});
  const auto shows = [&](std::string_view text) {
    Canvas canvas({9, 40});
    form->draw(canvas);
    return find_on(canvas, text).has_value();
  };
  REQUIRE(shows("> game"));
  REQUIRE_FALSE(shows("player1"));  // three of the five rows fit
  form->click({5, 5});
  CHECK(shows("> game"));
  form->click({4, 5});
  CHECK(shows("> tootris"));
}

TEST_CASE("what is offered and answered elsewhere is told at once, in its own words", "[ui]") {
  TestApp p;
  p.start("toot", {}, "BT CO");
  LocalBoards elsewhere(p.dir / "saves", "");
  const auto does = [&](Seat seat, const std::string& word) {
    Board board = *elsewhere.open("toot-101");
    REQUIRE(elsewhere.play(board, {MoveRequest{seat, word}}).ok());
    while (!p.boards.take_changes()) static_cast<void>(p.boards.changes());
    REQUIRE(elsewhere.play(board, {MoveRequest{std::nullopt, "a note", 0}}).ok());  // also reported
    p.app.boards_changed();
    return p.screen();
  };
  static_cast<void>(p.boards.changes());
  p.type("d");
  CHECK(has(does(1, "undo"), "wilma (OTTO) asks to take CO back: accept or reject."));
  CHECK(p.shows("> d"));
  CHECK(has(does(0, "reject"), "fred (TOOT) rejects: CO stays."));
  CHECK(has(does(1, "propose"), "wilma (OTTO) offers a draw: accept or reject."));
  p.press(kEsc);
  p.press(kEsc);
  CHECK(p.shows("draw offered"));
  CHECK(has(does(0, "reject"), "fred's turn"));
  p.press(kEnter);
  CHECK(has(does(1, "undo"), "asks to take CO back"));
  CHECK(has(does(0, "accept"), "fred (TOOT) accepts: CO is taken back."));
  CHECK_FALSE(p.shows("somebody else"));
}

TEST_CASE("the cursor is on the board until something is typed, and whatever is typed is text",
          "[ui]") {
  TestApp p;
  p.start("toot", {}, "BT CO");
  const auto rest = p.picture().cursor;
  const std::string still = p.screen();
  const int line = p.place_of("fred (TOOT)>").row;
  REQUIRE(rest);
  CHECK(rest->row < line);
  // The first Enter shows the cursor, the next one picks.
  p.press(kEnter);
  CHECK(p.shows("Arrows and Tab move"));
  CHECK(p.shows("fred (TOOT)>\n"));
  p.press(kEsc);
  CHECK(p.screen() == still);
  p.press({Key::Code::right});
  CHECK(p.picture().cursor != rest);
  p.type("h");
  CHECK(p.picture().cursor->row == line);
  CHECK(p.shows("fred (TOOT)> h"));
  p.press(kRubout);
  CHECK(p.picture().cursor == rest);
  p.type("undo");
  CHECK(p.shows("fred (TOOT)> undo"));
  p.press(kEnter);
  CHECK(p.shows("The last move is taken back; redo plays it again."));
  p.press(kTab);
  p.type("resign");
  CHECK(p.shows("wilma (OTTO)> resign"));
  p.press(kEsc);
  p.press(kTab);
  p.type("note a blunder\n");
  CHECK(p.shows("Noted on move 1."));
  p.press(kTab);
  p.type("bo");
  CHECK(p.shows("wilma (OTTO)> bo"));
  p.press(kEnter);
  CHECK(p.shows("2 BO"));
  p.press({Key::Code::paste, 1});
  p.type("undo");
  p.press({Key::Code::paste, 0});
  CHECK(p.shows("fred (TOOT)> undo"));
  // At the opponent's turn, after the end, and while looking back, the cursor is in the line.
  p.press(kEsc);
  p.press(ctrl('P'));
  CHECK(p.picture().cursor->row == line);
}

TEST_CASE(
    "a board is deleted and copied by a key pressed twice, and the notice stays until the lobby is "
    "shown anew",
    "[ui]") {
  TestApp p;
  p.start("toot", {}, "BT");
  p.press(kEsc);
  p.press(kEsc);
  // The player meant a move for the board.
  p.type("do");
  CHECK(p.shows("1 board"));
  CHECK(p.shows("pbmplay - 1 board"));
  p.type("cT");
  CHECK(p.shows("pbmplay - 1 board"));
  p.type("d");
  CHECK(p.shows("d again deletes toot-101, any other key goes back."));
  p.press(kEsc);
  p.type("cc");
  CHECK(p.shows("pbmplay - 2 boards"));
  p.type("d");
  p.type("d");
  CHECK(p.shows("Deleted toot-102; u brings it back."));
  p.type("jk");
  CHECK(p.shows("Deleted toot-102; u brings it back."));
  p.type("go");
  CHECK(p.shows("wilma (OTTO)>"));
  p.press(kEsc);
  CHECK(p.shows("Deleted toot-102; u brings it back."));
  p.press(kEnter);
  p.press(kEsc);
  CHECK_FALSE(p.shows("Deleted toot-102"));
  p.type("u");
  CHECK(p.shows("Board toot-102 is back."));
}

namespace {
// Another program at the boards of a desk.
struct Elsewhere {
  TestApp& desk;
  LocalBoards boards{desk.dir / "saves", ""};
  explicit Elsewhere(TestApp& of) : desk(of) { static_cast<void>(desk.boards.changes()); }
  void play(const std::string& plies) {
    Board board = *boards.open("toot-101");
    for (const std::string& ply : words(plies))
      REQUIRE(boards.play(board, turns_at_one_keyboard(board.match, ply)).ok());
    desk.app.boards_changed();
  }
};
}  // namespace

TEST_CASE("looking back stays where it is when somebody plays, and panel and prompt agree",
          "[ui]") {
  TestApp p;
  p.start("toot", {}, "BT CO AT");
  Elsewhere other(p);
  p.press(ctrl('P'));
  p.press(ctrl('P'));
  CHECK(p.shows("> OTTO wilma"));
  CHECK(p.shows(" move 1, wilma (OTTO)>"));
  other.play("DO");
  CHECK(p.shows("1 new move, End shows it. DO: wilma (OTTO) drops an O down column D."));
  CHECK(p.shows(" move 1, wilma (OTTO)>"));
  other.play("FT");
  CHECK(p.shows("2 new moves, End shows them."));
  p.press(ctrl('N'));
  CHECK(p.shows(" move 2, fred (TOOT)>"));
  p.press(Key{Key::Code::end});
  CHECK(p.shows(" wilma (OTTO)>"));
  // The ply that the player looked at is taken back.
  p.press(ctrl('P'));
  other.play("undo undo");
  CHECK(p.shows(" wilma (OTTO)>"));
}

TEST_CASE("Enter for a seat whose move somebody else made does nothing until another key", "[ui]") {
  TestApp p;
  p.start("toot", {}, "");
  Elsewhere other(p);
  p.type("at");
  other.play("BT");
  p.press(kEnter);
  CHECK(p.shows("Not played: look at the position again. fred (TOOT) drops a T down column B."));
  p.press(kEnter);
  CHECK_FALSE(p.shows("2 AT"));
  p.press(kRubout);
  p.type("t");
  p.press(kEnter);
  CHECK(p.shows("2 AT"));
}

TEST_CASE("names and the prompt have the colour of the pieces, the keys of use are faint", "[ui]") {
  TestApp p;
  p.start("flooprail", {}, "");
  const auto style_at = [&](std::string_view text) {
    const Canvas picture = p.picture();
    const auto at = find_on(picture, text);
    INFO("'" << text << "' on\n" << p.screen());
    REQUIRE(at.has_value());
    return picture.at(at->row, at->column).style;
  };
  CHECK(style_at("O fred") == Style::piece1);
  CHECK(style_at("X wilma") == Style::piece2);
  CHECK(style_at("fred (O)>") == Style::piece1);
  CHECK(style_at("Tab cursor  F3 try") == Style::dim);
  p.type("e2f2\n");
  CHECK(style_at("wilma (X)>") == Style::piece2);
  p.press(ctrl('P'));
  CHECK(style_at("start, fred (O)>") == Style::piece1);
  CHECK(p.shows("Left earlier  Right later  End now"));
  p.click(*find_on(p.picture(), "End now"));
  CHECK(p.shows("wilma (X)>"));
  p.click(*find_on(p.picture(), "Tab cursor"));
  CHECK(p.shows("wilma (X)>"));
  CHECK(p.shows("Tab next  Enter pick"));
}

TEST_CASE("a letter of a move that is picked is chosen with the arrows and Tab", "[ui]") {
  using enum Key::Code;
  TestApp p;
  p.start("toot", {}, "");
  p.press({tab});
  p.press({enter});
  CHECK(p.shows("Possible: AO AT - arrows and Tab choose"));
  p.press({tab});
  CHECK(p.shows("fred (TOOT)> AO"));
  p.press({right});
  CHECK(p.shows("fred (TOOT)> AT"));
  p.press({right});
  CHECK(p.shows("fred (TOOT)> AO"));
  p.press({left});
  CHECK(p.shows("fred (TOOT)> AT"));
  CHECK(p.shows("fred drops a T down column A. [Enter]"));
  p.press({backspace});
  CHECK(p.shows("Possible: AO AT"));
  p.press({up});
  CHECK(p.shows("fred (TOOT)> AT"));
  p.press({enter});
  CHECK(p.shows("1 AT"));
  p.press({escape});
  p.press({escape});
  // The same with numbers.
  p.start("plotto", {}, "");
  p.press({tab});
  p.press({enter});
  for (int i = 0; i < 3; ++i) p.press({down});
  CHECK(p.shows("> a3"));
  p.press({enter});
  CHECK(p.shows("fred places a 3, the first."));
}

TEST_CASE("after the end r begins another game with the seats swapped, and a tie marks both",
          "[ui]") {
  TestApp p;
  p.start("toot", {"-size=3x3"}, "");
  p.type("propose\naccept\n");
  CHECK(p.shows("* TOOT fred"));
  CHECK(p.shows("* OTTO wilma"));
  CHECK(p.shows("A tie: the players agreed on a draw. r: another game, seats swapped."));
  // The same while looking back.
  TestApp q;
  q.start("toot", {}, "BT CO");
  q.type("propose\naccept\n");
  q.press(ctrl('P'));
  q.type("r");
  CHECK(q.shows("> rematch"));
  p.type("r");
  CHECK(p.shows("> rematch"));
  CHECK(p.shows("Enter begins another game, with the seats swapped; Esc does not."));
  p.press(kEsc);
  CHECK(p.shows("Toot -size=3x3: fred against wilma, toot-101"));
  p.type("r\n");
  CHECK(p.shows("Toot -size=3x3: wilma against fred, toot-102"));
  CHECK(p.shows("> TOOT wilma"));
  CHECK(p.shows("This is board toot-102, with the seats swapped."));
  p.type("r");
  CHECK(p.shows("> r"));
}

TEST_CASE("words are not refused for being half typed, and redo is told where there is something",
          "[ui]") {
  TestApp p;
  p.start("toot", {}, "");
  p.type("und");
  CHECK(p.shows("Possible: undo"));
  p.type("o");
  CHECK(p.shows("There is no move to take back."));
  p.press(kEsc);
  p.type("redo");
  CHECK(p.shows("Nothing was taken back here that could be played again."));
  p.press(kEsc);
  p.type("??");
  CHECK_FALSE(p.shows("redo"));
}

TEST_CASE("where rows are short title and sentences stand beside the board", "[ui]") {
  TestApp p;
  // Also with long names.
  p.app.show(
      *create(p.boards, *find_game("soccolot"), {}, {"Bartholomew-Long", "Maximilian-Lang"}));
  p.type("field a\n");
  const Drawing drawing = p.boards.open("soccolot-101")->match.draw(0, {});
  for (const std::string typed : {"", "zz", "propose\n"}) {
    INFO(typed);
    p.type(typed);
    const Canvas canvas = p.picture();
    for (std::size_t r = 0; r < drawing.rows.size(); ++r)
      CHECK(row_text(canvas, static_cast<int>(r))
                .find(drawing.rows[r].substr(drawing.rows[r].find_first_not_of(' '))) !=
            std::string::npos);
    CHECK(p.shows("Soccolot"));
    p.press(ctrl('U'));
  }
}

TEST_CASE(
    "a small window keeps all of a small board, and the letters over the columns of a large one",
    "[ui]") {
  TestApp p;
  p.size = {12, 40};
  p.start("chaos", {}, "");
  for (const std::string_view row : {"x x x x", "x x x", "o o o o"}) CHECK(p.shows(row));
  TestApp q;
  q.size = {12, 40};
  q.start("toot", {"-size=14x20"}, "BT");
  CHECK(q.shows("A B C D E F G H I J K L M N"));
  CHECK(q.shows(". T . ."));
  const std::string before = q.screen();
  q.press({Key::Code::page_up});
  CHECK(q.screen() != before);
  CHECK(q.shows("A B C D E F G H I J K L M N"));
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
  q.press(ctrl('U'));
  q.type("propose\n");
  q.type("zzzzz");
  CHECK(q.shows("zzzzz"));
  CHECK(board_rows(q.picture()).substr(0, rows.find('\n')) == rows.substr(0, rows.find('\n')));
}

TEST_CASE("words for what keys do are typed on a board as in line mode", "[ui]") {
  TestApp desk;
  desk.app.show(*create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}));
  desk.type("move b t");
  CHECK(desk.shows("fred drops a T down column B. [Enter]"));
  desk.press(kEnter);
  CHECK(desk.shows("1 BT"));
  desk.type("move bx");
  CHECK(desk.shows("'x' is no letter to drop"));
  desk.press(kEsc);
  desk.type("legal");
  CHECK(desk.shows("legal: every legal move."));
  desk.press(kEnter);
  CHECK(desk.shows("AO AT BO BT CO CT DO DT EO ET FO FT"));
  desk.press(kEsc);
  desk.type("plies\n");
  CHECK(desk.shows("1. BT: fred (TOOT) drops a T down column B."));
  desk.press(kEsc);
  desk.type("show 0\n");
  CHECK(desk.shows("1 move ahead"));
  desk.type("show\n");
  CHECK_FALSE(desk.shows("ahead"));
  desk.type("draw\n");
  CHECK(desk.shows("draw"));
  desk.type("reject\n");
  desk.type("mouse\n");
  CHECK(desk.app.mouse());
  desk.type("settings\n");
  CHECK(desk.shows("> theme"));
  desk.press(kEsc);
  desk.type("help\n");
  CHECK(desk.shows("Help: Toot"));
  desk.press(kEsc);
  desk.type("try\nboards\n");  // one step back at a time, like Esc
  CHECK_FALSE(desk.shows("trying moves"));
  CHECK(desk.shows("toot-101"));
  CHECK(desk.shows("Esc back"));
  desk.type("boards\n");
  CHECK(desk.shows("pbmplay "));
  desk.type("\nquit\n");
  CHECK(desk.app.done());
}

TEST_CASE(
    "names in the lobby that differ at their ends are told apart, and a wide lobby draws the board",
    "[ui]") {
  TestApp desk;
  for (const char* name : {"a-tournament-of-many-rounds-101", "a-tournament-of-many-rounds-102"}) {
    const auto board = create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"});
    REQUIRE(board.ok());
    REQUIRE(desk.boards.rename(board->id, name).ok());
  }
  desk.app.press({Key::Code::escape});
  const auto at = [&](Size size) { return desk.screen(size); };
  for (const Size size : {Size{24, 80}, Size{12, 40}}) {
    CHECK(at(size).find("-101") != std::string::npos);
    CHECK(at(size).find("-102") != std::string::npos);
  }
  CHECK(at({24, 110}).find("A B C D E F") == std::string::npos);
  CHECK(at({24, 112}).find("A B C D E F") != std::string::npos);
  CHECK(at({24, 110}).find("turn v") == std::string::npos);  // the default order
  desk.type("t");
  CHECK(at({24, 80}).find("played v") != std::string::npos);
  CHECK(at({24, 110}).find("turn v") == std::string::npos);
  desk.type(":mouse\n");
  CHECK(desk.app.mouse());
  desk.type(":settings\n");
  CHECK(desk.shows("> theme"));
  desk.press(kEsc);
  desk.type(":dance\n");
  CHECK(desk.shows("There is no command 'dance' here"));
}

TEST_CASE("the form keeps a name away that was taken away, and mends a size", "[ui]") {
  TestApp desk;
  desk.app.show(*create(desk.boards, *find_game("toot"), {}, {"fred", "wilma"}));
  desk.press(kEsc);
  desk.type("s");
  const Key down{Key::Code::down};
  CHECK(desk.shows("A B C D E F"));
  CHECK(desk.shows("drop Ts and Os down columns; spell your name in four"));
  desk.press(kEsc);
  CHECK(desk.shows("pbmplay - 1 board"));  // nothing was typed, so there is no question
  desk.type("s");
  desk.press(down);
  desk.type("007 * 9");  // the first key replaces the old value
  CHECK(desk.shows("A B C D E F G\n"));
  CHECK(desk.shows("Enter starts the game."));
  desk.press(ctrl('U'));
  desk.type("15x1");
  CHECK(desk.shows("'-size=15x1': write -size=WxH"));
  desk.press(ctrl('U'));
  desk.type("7x9");
  desk.press(down);
  desk.press(down);
  CHECK(desk.shows("player1      < fred >"));
  desk.press({Key::Code::backspace});  // removes a suggested name, too
  CHECK_FALSE(desk.shows("player1      < fred"));
  desk.type("x");
  desk.press({Key::Code::backspace});
  CHECK_FALSE(desk.shows("player1      < fred"));
  CHECK(desk.shows("Type who is to be player1."));
  desk.type("wilma");
  CHECK(desk.shows("player2      < fred >"));
  desk.press(kEsc);
  CHECK(desk.shows("Esc again leaves without a board"));
  desk.type("x");
  CHECK(desk.shows("player1      < wilmax >"));
  desk.press(kEsc);
  desk.press(kEsc);
  CHECK(desk.shows("pbmplay - 1 board"));
}
