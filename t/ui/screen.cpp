// SPDX-License-Identifier: MIT
// The real program in a pseudo-terminal: the tests type, and read the screen as a player does.
// Other files test the text of the screens without a terminal; these tests are for everything that
// needs one.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "boards/local_boards.hpp"
#include "terminal_user.hpp"
#include "ui/output_buffer.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kPrompt = "fred (TOOT)>";
constexpr const char* kOtherPrompt = "wilma (OTTO)>";

}  // namespace

// --- playing ---------------------------------------------------------------

TEST_CASE("a person starts a game by the form, plays it to the winning line and leaves",
          "[terminal]") {
  TerminalUser person;
  TerminalRun run(person.make_launch());
  run.wait_for("pbmplay - 0 games");
  run.type("s");
  run.wait_for("New game");
  run.type("\t\t\tfred\twilma");
  run.wait_for("wilma");
  run.wait_for("Enter starts the game");
  run.type("\r");
  run.wait_for(", toot-101");
  run.wait_for(kPrompt);
  CHECK(run.find_text("A B C D E F").has_value());
  CHECK(is_drawing_shown(run, read_drawing(person.save_file("toot-101"))));
  std::size_t n = 0;
  for (const char* ply : {"at", "FT", "bo", "fO", "co", "ft"}) play_ply(run, ply, ++n);
  CHECK_FALSE(run.has_text("won"));
  run.type("dt\r");
  run.wait_for("fred (TOOT) wins. TOOT stands in the bottom row, A to D.");
  CHECK(run.has_text("* TOOT fred"));
  CHECK(run.has_text("over>"));
  CHECK(is_drawing_shown(run, read_drawing(person.save_file("toot-101"))));

  // The four letters of the name look different from other letters of their kind.
  const auto corner = run.find_text("A B C D E F");
  REQUIRE(corner.has_value());
  const ScreenCell winning = run.cell(corner->row + 4, corner->column),
                   other = run.cell(corner->row + 4, corner->column + 10);
  REQUIRE(winning.glyph == "T");
  REQUIRE(other.glyph == "T");
  CHECK(winning.background != other.background);
  CHECK(winning.bold);
  CHECK(other.background < 0);
  CHECK(run.cell(corner->row + 4, corner->column + 6) == winning);

  run.type("et\r");
  run.wait_for("The game is over");
  CHECK(read_plies(person.save_file("toot-101")).size() == 7);
  run.type(kCtrlU);
  run.wait_idle();
  run.type(kEscapeKey);
  run.wait_for("fred won");
  run.type("q");
  CHECK(run.wait_exit().status == 0);
  CHECK_FALSE(run.is_alternate_screen());
  CHECK(run.is_cursor_visible());
  CHECK(run.is_line_mode());
  CHECK(one_per_line(run.unknown_output()) == "");
}

TEST_CASE("what is written piece by piece goes out in one piece", "[terminal]") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends.data()) == 0);
  const UniqueFd in(ends[0]), out(ends[1]);
  const auto packets = [&] {
    std::vector<std::string> found;
    std::array<char, 40000> bytes;
    for (ssize_t n; (n = ::recv(in.get(), bytes.data(), bytes.size(), 0)) > 0;)
      found.emplace_back(bytes.data(), static_cast<std::size_t>(n));
    return found;
  };
  const auto put = [&](const std::string& text) {
    REQUIRE(::write(out.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  };
  OutputBuffer held(out.get());
  for (const std::string last : {"!", "again"}) {
    held.send_together([&] {
      put("to be ");
      put("one");
      put(last);
      CHECK(packets().empty());
    });
    CHECK(packets() == std::vector<std::string>{"to be one" + last});
  }
  held.send_together([] {});
  CHECK(packets().empty());
  const std::string page(30000, 'x');
  held.send_together([&] { put(page); });
  CHECK(packets() == std::vector<std::string>{page});
  put("by itself");
  CHECK(packets() == std::vector<std::string>{"by itself"});
}

TEST_CASE("a game left in the middle is resumed with open and from the lobby", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  {
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    play_ply(run, "ct", 1);
    play_ply(run, "do", 2);
    run.type("bo");  // a part of a move
    run.wait_for("Enter plays it.");
    run.type(kCtrlC);
    run.wait_for("y or n");
    run.type("y");
    CHECK(run.wait_exit().status == 0);
  }
  {
    TerminalRun run(person.make_launch({"open", person.save_file("toot-101").string()}));
    run.wait_for("1 CT");
    CHECK(run.has_text("2 DO"));
    CHECK(run.has_text(kPrompt));
    CHECK_FALSE(run.has_text("Enter plays it."));
    CHECK(is_drawing_shown(run, read_drawing(person.save_file("toot-101"))));
    play_ply(run, "ao", 3);
    run.type("\033q");  // Alt-q
    run.wait_idle();
    CHECK(run.has_text("3 AO"));
    run.type(kEscapeKey);
    run.wait_for("pbmplay - 1 game");
    run.type("q");
    CHECK(run.wait_exit().status == 0);
  }
  TerminalRun run(person.make_launch());
  run.wait_for("wilma's turn");
  run.type("\r");
  run.wait_for(kOtherPrompt);
  CHECK(run.has_text("3 AO"));
  play_ply(run, "fo", 4);
  run.type(kEscapeKey);
  run.wait_for("fred's turn");
  CHECK(read_plies(person.save_file("toot-101")) ==
        std::vector<std::string>{"CT", "DO", "AO", "FO"});
}

TEST_CASE("the drawing on the screen is what show prints, row by row", "[terminal]") {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"-size=7x9", "-tootris"}, {"-size=1x1"}}) {
    TerminalUser person;
    const fs::path file = person.write_toot_board(options);
    TerminalRun run(person.make_launch({"open", file.string()}));
    run.wait_for(kPrompt);
    std::mt19937 random(20261124);
    for (std::size_t n = 0; n <= 14; ++n) {
      const auto board = open_save(file);
      REQUIRE(board.ok());
      std::vector<std::string> printed =
          output_lines(person.program_output({"show", file.string()}));
      INFO(run.screen_text());
      REQUIRE(printed.size() > 1);
      printed.pop_back();  // the sentence about the turn
      if (!board->match.holdings_after(n).empty()) printed.pop_back();
      CHECK(is_drawing_shown(run, printed));
      const auto legal = board->match.position().legal_plies();
      if (legal.empty()) break;
      play_ply(run, legal[random_below(random, legal.size())], n + 1);
    }
  }
}

TEST_CASE("the largest board is complete on a screen of 80x24", "[terminal]") {
  TerminalUser person;
  std::string plies;
  for (int row = 0; row < 20; ++row) plies += row % 2 ? " at nt" : " ao nt";
  const fs::path file = person.write_toot_board({"-size=14x20", "-tootris"}, plies);
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kPrompt);
  INFO(run.screen_text());
  const auto drawing = read_drawing(file);
  REQUIRE(drawing.size() == 21);
  CHECK(is_drawing_shown(run, drawing));
  CHECK(run.has_text("Toot -size=14x20 -tootris: fred against wilma, toot-101"));
  CHECK(run.has_text("> TOOT fred"));
  CHECK(run.has_text("OTTO wilma"));
  CHECK(run.has_text("40 NT"));
  run.type("bo");
  run.wait_for("Enter plays it.");
  CHECK(is_drawing_shown(run, drawing));
  run.type("\r");
  run.wait_for("41 BO");
  CHECK(is_drawing_shown(run, read_drawing(file)));
}

TEST_CASE("a board larger than the screen is scrolled to all of its corners", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({"-size=14x20"}, "ao nt ao nt");
  LaunchOptions launch = person.make_launch({"open", file.string()});
  launch.rows = 12;
  launch.columns = 40;
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  for (int i = 0; i < 8; ++i) run.type(kPageUp);
  run.wait_for("A B C D E F G H I J K L M N");
  for (int i = 0; i < 8; ++i) run.type(kPageDown);
  run.wait_for("O . . . . . . . . . . . . T");
  run.type("bt\r");
  run.wait_for("O T . . . . . . . . . . . T");
}

TEST_CASE("typed illegal moves change nothing and say why", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "at ao at ao");
  const std::string bytes = read_bytes(file);
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kPrompt);
  const auto before = run.screen_rows();
  const auto refuses = [&](const std::string& typed, const std::string& why) {
    run.type(typed);
    run.wait_for(why);
    run.type("\r");
    run.wait_idle();
    CHECK(run.has_text(why));
    CHECK(run.has_text(kPrompt));
    run.type(kCtrlU);
    run.wait_idle();
  };
  refuses("at", "Column A is full");
  refuses("gt", "There is no column G.");
  refuses("bx", "You cannot drop 'x'");
  refuses("bto", "Too long");
  refuses("accept", "There is no offer");
  refuses("%", "'%' is not a column");
  run.type("\r");
  run.type(" \r");  // picks a column and its first letter; plays nothing
  run.wait_idle();
  run.type(kCtrlU);
  run.wait_idle();
  CHECK(read_bytes(file) == bytes);
  CHECK(run.screen_rows() == before);

  // Wide letters take two columns each.
  const auto line = run.find_text(kPrompt);
  REQUIRE(line.has_value());
  const int start = line->column + static_cast<int>(std::string(kPrompt).size()) + 1;
  run.type("\xe5\xb1\xb1\xc3\xa9t");
  run.wait_for("is not a column");
  CHECK(run.cursor() == ScreenPoint{line->row, start + 4});
  CHECK(run.cell(line->row, start).width == 2);
  for (int i = 0; i < 3; ++i) run.type(kBackspace);
  run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });

  // The mark is on the wrong text.
  run.type("bx");
  run.wait_for("cannot drop");
  const auto prompt = run.find_text(kPrompt);
  REQUIRE(prompt.has_value());
  const int typed = prompt->column + static_cast<int>(std::string(kPrompt).size()) + 1;
  REQUIRE(run.cell(prompt->row, typed + 1).glyph == "x");
  CHECK(run.cell(prompt->row, typed + 1).reverse);
  CHECK_FALSE(run.cell(prompt->row, typed).reverse);
  CHECK(run.cursor() == ScreenPoint{prompt->row, typed + 2});
}

TEST_CASE("a move is taken back by undo, and a deleted board comes back", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch());
  run.wait_for("toot-101");
  run.type("\r");
  run.wait_for(kPrompt);
  play_ply(run, "ct", 1);
  run.type("undo\r");
  run.wait_for("taken back");
  run.wait_for(kPrompt);
  CHECK_FALSE(run.has_text("1 CT"));
  CHECK(read_plies(person.save_file("toot-101")).empty());
  play_ply(run, "co", 1);
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 game");
  run.type("dd");
  run.wait_for("pbmplay - 0 games");
  CHECK_FALSE(fs::exists(person.save_file("toot-101")));
  run.type("u");
  run.wait_for("pbmplay - 1 game");
  run.wait_for("wilma's turn");
  CHECK(read_plies(person.save_file("toot-101")) == std::vector<std::string>{"CO"});
  run.type("\r");
  run.wait_for("1 CO");
}

TEST_CASE("what somebody else plays appears without a key, and leaves what is being typed",
          "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board();
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kPrompt);
  run.type("b");
  run.wait_for("BO BT");
  person.program_output({"move", file.string(), "ct"});
  run.wait_for("CT: fred (TOOT) drops a T down column C.");
  run.wait_for("(OTTO)> b");
  // The program plays no ply after the change, and comes to rest.
  CHECK(read_plies(file) == std::vector<std::string>{"CT"});
  person.program_output({"move", file.string(), "do", "ao"});
  run.wait_for("3 AO");
}

TEST_CASE("what somebody else plays on a save that lies elsewhere appears too", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.saves_directory().parent_path() / "elsewhere.yaml";
  person.program_output({"new", file.string(), "toot", "fred", "wilma"});
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kPrompt);
  person.program_output({"move", file.string(), "ct"});
  run.wait_for("CT: fred (TOOT) drops a T down column C.");
}

TEST_CASE("what somebody else played meanwhile is shown before one's own move counts",
          "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board();
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kPrompt);
  run.send_signal(SIGSTOP);  // so that it reads the keys and sees the move at once
  person.program_output({"move", file.string(), "ct"});
  run.type("at\r");
  run.send_signal(SIGCONT);
  run.wait_for("Not played. Look at the position again.");
  CHECK(run.has_text("1 CT"));
  CHECK(read_plies(file) == std::vector<std::string>{"CT"});
}

// --- keys ------------------------------------------------------------------

TEST_CASE("Ctrl-C asks before it leaves, and only yes leaves", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  const auto before = run.screen_rows();
  for (const std::string_view no : {"n", " ", "\033", "\r", "x"}) {
    run.type(kCtrlC);
    run.wait_for("y or n");
    run.type(no);
    run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });
  }
  CHECK(run.is_running());
  run.type(kCtrlC);
  run.wait_for("y or n");
  run.type("y");
  CHECK(run.wait_exit().status == 0);
  CHECK(run.is_line_mode());
}

TEST_CASE("Esc goes back one screen at a time and never leaves the lobby", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch());
  run.wait_for("pbmplay - 1 game");
  run.type("\r");
  run.wait_for(kPrompt);
  run.type("a");
  run.wait_for("AO");
  run.type(kEscapeKey);  // first clears the line
  run.wait_until("an empty line", [&] { return !run.has_text("AO"); });
  CHECK(run.has_text(kPrompt));
  run.type("?");
  run.wait_for("Help:");
  run.type(kEscapeKey);
  run.wait_for(kPrompt);
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 game");
  run.type(kEscapeKey);
  run.wait_idle();
  CHECK(run.has_text("pbmplay - 1 game"));
  CHECK(run.is_running());
  // A key directly after Esc is a separate key: back, down, list the lessons.
  run.type("s");
  run.wait_for("New game");
  run.type(std::string(kEscapeKey) + std::string(kDownKey) + "\r");
  run.wait_for("five minutes");
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 game");
  // The program waits only briefly for a sequence after Esc.
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    run.type("?");
    run.wait_for("Help:");
    const auto at = Clock::now();
    run.type(kEscapeKey);
    run.wait_until("the lobby", [&] { return run.has_text("pbmplay - 1 game"); });
    best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - at).count());
  }
  CHECK(best < 500);  // the usual delay of ncurses is 1,000
}

TEST_CASE("keys typed before the first screen are not lost", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board();
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.type("c");
  run.type("t");
  run.wait_for(std::string(kPrompt) + " ct");
}

TEST_CASE("a paste in the lobby is text for nobody and does nothing", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch());
  run.wait_for("pbmplay - 1 game");
  run.type("\033[200~d n q d\r\033[201~");
  run.wait_idle();
  CHECK(run.is_running());
  CHECK(run.has_text("pbmplay - 1 game"));
  CHECK(fs::exists(person.save_file("toot-101")));
}

TEST_CASE("clicks are asked for where Shift marks text, else they are left to the terminal",
          "[terminal]") {
  for (const char* term : {"xterm-256color", "linux", "vt100"}) {
    INFO(term);
    TerminalUser person;
    LaunchOptions launch = person.make_launch();
    launch.term = term;
    TerminalRun run(launch);
    run.wait_for("pbmplay - 0 games");
    CHECK((run.output().find("1000h") != std::string::npos) ==
          (std::string(term) != "linux" && std::string(term) != "vt100"));
    for (const char* mode : {"1002h", "1003h", "[?9h"})
      CHECK(run.output().find(mode) == std::string::npos);
  }
}

TEST_CASE("the usual theme is used, and said, where that of the settings is not there",
          "[terminal]") {
  TerminalUser person;
  person.write_toot_board({}, "co");
  std::optional<ScreenCell> usual;
  for (const bool wrong : {false, true}) {
    std::filesystem::create_directories(person.home_directory() / "config/pbmplay");
    if (wrong) person.write_settings("theme: nope\n");
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for("1 CO");
    if (wrong) CHECK(run.has_text("This run uses the default theme. There is no theme 'nope'"));
    const auto piece = run.find_text("O . . .");
    REQUIRE(piece.has_value());
    const ScreenCell seen = run.cell(piece->row, piece->column);
    CHECK(seen.has_colour());
    if (usual) CHECK(seen == *usual);
    usual = seen;
  }
}

TEST_CASE("the standard theme fits the background that the terminal tells", "[terminal][theme]") {
  TerminalUser person;
  person.write_toot_board({}, "co");
  const auto look_after = [&](const std::string& answer, const char* term, const char* variable) {
    LaunchOptions launch = person.make_launch({"open", "toot-101"});
    launch.term = term;
    launch.environment["COLORFGBG"] =
        variable ? std::optional<std::string>(variable) : std::nullopt;
    TerminalRun run(launch);
    run.wait_for("1 CO");
    const bool asks = run.output().find("\033]11;?") != std::string::npos;
    CHECK(asks == (!variable && std::string(term) == "xterm-256color"));
    if (!answer.empty()) run.type(answer);
    run.type("b");  // so that the answer was read
    run.wait_for("> b");
    run.wait_idle();
    const auto help = run.find_text("? help");
    REQUIRE(help.has_value());
    return run.cell(help->row, help->column).foreground;
  };
  constexpr int kDark = 110, kLight = 25;
  const char* const xterm = "xterm-256color";
  CHECK(look_after("", xterm, nullptr) == kDark);
  CHECK(look_after("\033]11;rgb:ffff/ffff/ffff\033\\", xterm, nullptr) == kLight);
  CHECK(look_after("\033]11;rgb:f0/f0/e0\a", xterm, nullptr) == kLight);
  CHECK(look_after("\033]11;rgb:1e1e/1e1e/1e1e\033\\", xterm, nullptr) == kDark);
  for (const char* other : {"0;7", "10;15", "11;rgb:zz//", "11;rgb:ff/ff", "11;#ffffff"})
    CHECK(look_after("\033]" + std::string(other) + "\a", xterm, nullptr) == kDark);
  CHECK(look_after("", xterm, "0;15") == kLight);
  CHECK(look_after("", xterm, "15;0") == kDark);
  CHECK(look_after("", xterm, "15;default;0") == kDark);
}

TEST_CASE("a theme chosen in the settings is seen at once, everywhere, and again the next time",
          "[terminal]") {
  TerminalUser person;
  person.write_toot_board({}, "co");
  {
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for("1 CO");
    const auto piece = run.find_text("O . . .");
    REQUIRE(piece.has_value());
    const ScreenCell before = run.cell(piece->row, piece->column);
    CHECK(before.has_colour());
    CHECK(run.cell(23, 79).background == -1);
    run.type("\033OS");  // F4
    run.wait_for("< default >");
    run.type(kLeftKey);
    run.wait_for("< contrast >");
    // Empty places show the theme's paper, not the terminal's own.
    CHECK(run.cell(23, 79).background == 16);
    const auto name = run.find_text("player 1  as usual");
    REQUIRE(name.has_value());
    CHECK(run.cell(name->row, name->column + 10).background == 226);
    run.type(kEscapeKey);
    run.wait_for("1 CO");
    CHECK(run.cell(piece->row, piece->column) != before);
    // The last ply keeps its colour.
    CHECK(run.cell(piece->row, piece->column).background == 111);
    run.type("\033OS");
    run.wait_for("< contrast >");
    run.type(kRightKey);
    run.wait_for("< default >");
    CHECK(run.cell(23, 79).background == -1);
    run.type(kEscapeKey);
    run.wait_for("1 CO");
    CHECK(run.cell(piece->row, piece->column) == before);
    run.type("\033OS");
    run.wait_for("< default >");
    run.type(kLeftKey);
    run.wait_for("< contrast >");
  }
  TerminalRun run(person.make_launch());
  run.wait_for("pbmplay - 1 game");
  CHECK(run.cell(23, 79).background == 16);
}

TEST_CASE("the settings can be used on a terminal without colours", "[terminal]") {
  TerminalUser person;
  LaunchOptions launch = person.make_launch();
  launch.term = "vt100";
  TerminalRun run(launch);
  run.wait_for("pbmplay - 0 games");
  run.type("\033OS");
  run.wait_for("< default >");
  for (int i = 0; i < 6; ++i) {
    run.type("\033OC");
    run.wait_idle();
  }
  const auto win = run.find_text("as usual  last move  winning");
  REQUIRE(win.has_value());
  CHECK(run.cell(win->row, win->column + 10).underline);
  CHECK(run.cell(win->row, win->column + 21).reverse);
  CHECK_FALSE(run.has_colour());
  CHECK_FALSE(has_colours(run.output()));
}

TEST_CASE("words searched for in the rules are seen without colours too", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  LaunchOptions launch = person.make_launch({"open", "toot-101"});
  launch.term = "vt100";
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  run.type("\033OP/letter\r");
  run.wait_for("'letter': 1 of ");
  const auto first = run.find_text("letter");
  REQUIRE(first.has_value());
  CHECK(run.cell(first->row, first->column).reverse);
  CHECK(run.cell(first->row, first->column).underline);
  CHECK_FALSE(run.cell(first->row, first->column + 6).reverse);
  CHECK(run.cursor() == *first);
  run.type("n");
  run.wait_for("'letter': 2 of ");
  run.type("/zebra");
  run.wait_for("not found");
  run.type(kEscapeKey);
  run.wait_for("'letter': ");
  run.type(kEscapeKey);
  run.wait_for(kPrompt);
  CHECK_FALSE(has_colours(run.output()));
}

TEST_CASE("the bell rings when somebody else plays, and is silent on demand", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board();
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  const auto rung = [&] {
    return std::count(run.unknown_output().begin(), run.unknown_output().end(), "bell");
  };
  play_ply(run, "bt", 1);
  CHECK(rung() == 0);
  person.program_output({"move", file.string(), "ct"});
  run.wait_for("2 CT");
  run.wait_until("the bell", [&] { return rung() == 1; });
  run.type("\033OS");
  run.wait_for("> theme");
  run.type("\033OB\033OB\033OB\033OB ");
  run.wait_for("> bell         [ ]");
  run.type(kEscapeKey);
  run.wait_for("2 CT");
  person.program_output({"move", file.string(), "dt"});
  run.wait_for("3 DT");
  run.wait_idle();
  CHECK(rung() == 1);
}

TEST_CASE("a mouse that was chosen works before the first key, and is switched off in the settings",
          "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  fs::create_directories(person.home_directory() / "config/pbmplay");
  person.write_settings("mouse: yes\n");
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  CHECK(run.output().find("1000h") != std::string::npos);
  const auto place = run.find_text("A B C D E F");
  REQUIRE(place.has_value());
  run.type("\033[<0;" + std::to_string(place->column + 1) + ";" + std::to_string(place->row + 3) +
           "M");
  run.wait_for("> A");
  run.type("\033[14~");  // F4, as other terminals send it
  run.wait_for("mouse        < yes >");
  run.type("\033OB\033OB\033OB ");
  run.wait_for("> mouse        < no >");
  run.wait_idle();
  CHECK(run.output().find("1000l") != std::string::npos);
  CHECK(read_bytes(person.home_directory() / "config/pbmplay/settings.yaml") ==
        "mouse: no\nsize: 1\n");
}

// --- sizes -----------------------------------------------------------------

TEST_CASE("a window too small says what it needs, takes no moves and recovers", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for(kOtherPrompt);
  const auto before = run.screen_rows();
  run.resize(5, 20);
  run.wait_for("pbmplay needs 40x12,");
  run.wait_for("20x5");
  run.type("at\r");
  run.wait_idle();
  for (const auto& [rows, columns] :
       {std::pair{1, 1}, {1, 80}, {24, 1}, {2, 3}, {11, 80}, {24, 39}}) {
    run.resize(rows, columns);
    run.wait_idle();
    CHECK(run.is_running());
  }
  run.resize(24, 80);
  run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });
  CHECK(read_plies(file) == std::vector<std::string>{"CT"});
  run.resize(5, 20);
  run.wait_for("20x5");
  run.type(kCtrlC);
  CHECK(run.wait_exit().status == 0);
}

namespace {

void check_resize_at_start(int times) {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  constexpr unsigned seed = 20261127;
  std::mt19937 random(seed);
  for (int i = 0; i < times; ++i) {
    TerminalRun run(person.make_launch({"open", file.string()}));
    std::this_thread::sleep_for(
        std::chrono::microseconds(random_below(random, i % 2 ? 4000 : 12000)));
    run.resize(20, 70);
    INFO("seed " << seed << ", start " << i);
    run.wait_until("a picture of the new size",
                   [&] { return run.row(18).find(kOtherPrompt) == 1 && run.row(0).size() == 69; });
  }
}

void check_end_at_start(int times) {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  constexpr unsigned seed = 20261128;
  std::mt19937 random(seed);
  for (int i = 0; i < times; ++i) {
    TerminalRun run(person.make_launch({"open", file.string()}));
    std::this_thread::sleep_for(
        std::chrono::microseconds(random_below(random, i % 2 ? 4000 : 12000)));
    run.send_signal(
        std::array{SIGTERM, SIGHUP, SIGUSR1, SIGTERM, SIGQUIT}[static_cast<std::size_t>(i) % 5]);
    run.wait_exit();
    INFO("seed " << seed << ", start " << i);
    REQUIRE(run.is_line_mode());
    REQUIRE_FALSE(run.is_alternate_screen());
  }
}

}  // namespace

TEST_CASE("a new size while the program starts is not missed", "[terminal]") {
  check_resize_at_start(30);
}
TEST_CASE("a program told to end while it starts leaves the terminal as it was", "[terminal]") {
  check_end_at_start(30);
}
TEST_CASE("a new size or an end while the program starts does no harm 500 times",
          "[terminal][long]") {
  check_resize_at_start(500);
  check_end_at_start(500);
}

TEST_CASE("every screen fits its window from the smallest to a large one", "[terminal]") {
  TerminalUser person;
  person.write_toot_board({"-size=7x9"}, "ct do ao bo");
  TerminalRun run(person.make_launch());
  run.wait_for("1 game, 1 wait");
  for (const auto& [rows, columns] : {std::pair{24, 80}, {12, 40}, {60, 200}, {24, 60}}) {
    run.resize(rows, columns);
    run.wait_idle();
    INFO(columns << "x" << rows << "\n" << run.screen_text());
    CHECK(run.has_text("1 game, 1 wait"));
    CHECK(run.has_text("? help"));
    run.type("\r");
    run.wait_for(kPrompt);
    CHECK(run.has_text("O O T O . . ."));
    run.type("?");
    run.wait_for("Help:");
    run.type(kEscapeKey);
    run.wait_for(kPrompt);
    run.type(kEscapeKey);
    run.wait_for("1 game, 1 wait");
    run.type("s");
    run.wait_for("New game");
    run.wait_for("player1");
    run.type(kEscapeKey);
    run.wait_for("1 game, 1 wait");
  }
  run.type("q");
  CHECK(run.wait_exit().status == 0);
}

// --- terminals of other kinds ------------------------------------------------

TEST_CASE("a vt100 gets its screen without one colour", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board();
  LaunchOptions launch = person.make_launch({"open", file.string()});
  launch.term = "vt100";
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  play_ply(run, "ct", 1);
  run.type("\033OA");  // as a vt100 sends it
  run.wait_for("Arrows and Tab move");
  CHECK(is_drawing_shown(run, read_drawing(file)));
  CHECK_FALSE(run.has_colour());
  CHECK_FALSE(has_colours(run.output()));
  // The last ply is marked without colours, too.
  const auto at = run.find_text("T . . .");
  REQUIRE(at.has_value());
  CHECK(run.cell(at->row, at->column).underline);
}

TEST_CASE("NO_COLOR takes the colours away, and an empty one does not", "[terminal]") {
  TerminalUser person;
  person.write_toot_board({}, "ct do");
  LaunchOptions launch = person.make_launch({"open", "toot-101"});
  {
    TerminalRun run(launch);
    run.wait_for(kPrompt);
    CHECK(run.has_colour());
  }
  launch.environment["NO_COLOR"] = "";
  {
    TerminalRun run(launch);
    run.wait_for(kPrompt);
    CHECK(run.has_colour());
  }
  launch.environment["NO_COLOR"] = "1";
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  play_ply(run, "at", 3);
  run.type("?");
  run.wait_for("Help:");
  CHECK_FALSE(has_colours(run.output()));
  CHECK_FALSE(run.has_colour());
}

TEST_CASE("a terminal nobody knows is named in a sentence and served line by line", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  for (const char* name : {"no-such-terminal", "../../etc/passwd", "\033[31mred"}) {
    LaunchOptions launch = person.make_launch({"open", "toot-101"});
    launch.environment["TERM"] = name;
    TerminalRun run(launch);
    run.wait_for("move>");
    INFO(run.screen_text());
    CHECK(run.has_text("pbmplay: The terminal type '" + safe_text(name) + "' is unknown."));
    CHECK_FALSE(has_escape(run.output()));
  }
}

TEST_CASE("in the C locale the cards of the lobby have frames of ASCII", "[terminal][lobby]") {
  TerminalUser person;
  LaunchOptions launch = person.make_launch();
  launch.environment["LC_ALL"] = "C";
  TerminalRun run(launch);
  run.wait_for("> Toot");
  CHECK(run.has_text("+> Toot --"));
  run.type("q");
  run.wait_exit();
}

TEST_CASE("in the C locale only ASCII is written, whatever names are in a save", "[terminal]") {
  TerminalUser person;
  person.write_toot_board({}, "ct", {"Zo\xc3\xab", "\xe5\xb1\xb1\xe7\x94\xb0"});
  LaunchOptions launch = person.make_launch();
  launch.environment["LC_ALL"] = "C";
  launch.environment["LANG"] = "C";
  TerminalRun run(launch);
  run.wait_for("pbmplay - 1 game");
  run.type("\r");
  run.wait_for("1 CT");
  run.type("\xc3\xa9?");
  run.wait_idle();
  run.type("?");
  run.wait_idle();
  CHECK(is_ascii(run.output()));
  CHECK(one_per_line(run.unknown_output()) == "");
  CHECK(is_ascii([&] {
    LaunchOptions line = launch;
    line.arguments = {"--line", "open", "toot-101"};
    TerminalRun other(line);
    other.wait_for("move>");
    return other.output();
  }()));
}

TEST_CASE("line by line at a terminal, resign asks before it ends the game", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  TerminalRun run(person.make_launch({"--line", "open", file.string()}));
  run.wait_for("move>");
  run.type("resign\n");
  run.wait_for("Type resign again to give up.");
  run.type("ao\nresign\n");  // another line cancels the first one
  run.wait_idle();
  CHECK(one_per_line(read_plies(file)) == one_per_line({"CT", "AO"}));
  CHECK_FALSE(contains(run.output(), "game over>"));
  run.type("resign\n");
  run.wait_for("game over>");
}

// --- stopping, hanging up, being killed --------------------------------------

TEST_CASE("stopped by a signal, or by Ctrl-Z and in another size, the program goes on where it was",
          "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  LaunchOptions launch = person.make_launch({"open", file.string()});
  launch.has_job_control = true;
  TerminalRun run(launch);
  run.wait_for(kOtherPrompt);
  CHECK(run.output().find("\033[?2004h") != std::string::npos);
  run.type("a");
  run.wait_for("AO");
  const auto before = run.screen_rows();
  const auto stopped = [&] {
    run.wait_stopped();
    run.read_for(Millis(20));
    CHECK_FALSE(run.is_alternate_screen());
    CHECK(run.is_line_mode());
    CHECK(run.is_cursor_visible());
  };
  run.send_signal(SIGTSTP);  // from another process
  stopped();
  run.bring_to_front();
  run.wait_until("the screen as it was",
                 [&] { return run.is_alternate_screen() && run.screen_rows() == before; });
  CHECK_FALSE(run.is_line_mode());
  run.wait_idle();  // the program cannot be stopped while it draws
  run.type(kCtrlZ);
  stopped();
  CHECK(run.output().rfind("\033[?2004l") > run.output().rfind("\033[?2004h"));
  // The window gets another size while the program is stopped.
  run.resize(30, 100);
  run.bring_to_front();
  run.wait_for("AO");
  CHECK(run.output().rfind("\033[?2004h") > run.output().rfind("\033[?2004l"));
  run.resize(24, 80);
  run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });
  run.type(kCtrlU);
  play_ply(run, "fo", 2);
  run.type(kCtrlC);
  run.wait_for("y or n");
  run.type("y");
  CHECK(run.wait_exit().status == 0);
  CHECK(run.is_line_mode());
}

TEST_CASE("a program told to end restores the terminal and has everything kept", "[terminal]") {
  for (const int number : {SIGTERM, SIGHUP, SIGINT}) {
    INFO("signal " << number);
    TerminalUser person;
    const fs::path file = person.write_toot_board();
    TerminalRun run(person.make_launch({"open", file.string()}));
    run.wait_for(kPrompt);
    play_ply(run, "ct", 1);
    run.type("a");
    run.wait_for("AO");
    run.send_signal(number);
    const ExitResult end = run.wait_exit();
    CHECK(end.status.has_value());
    CHECK_FALSE(run.is_alternate_screen());
    CHECK(run.is_cursor_visible());
    CHECK(run.is_line_mode());
    CHECK(run.output().rfind("\033[?2004l") != std::string::npos);
    CHECK(read_plies(file) == std::vector<std::string>{"CT"});
  }
}

TEST_CASE("a fault of its own ends the program as any fault does, and restores the terminal",
          "[terminal]") {
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE}) {
    INFO("signal " << number);
    TerminalUser person;
    std::filesystem::create_directories(person.home_directory() / "config/pbmplay");
    person.write_settings("mouse: yes\n");
    person.write_toot_board();
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    run.send_signal(number);
    CHECK(run.wait_exit().signal == number);
    CHECK_FALSE(run.is_alternate_screen());
    CHECK(run.is_cursor_visible());
    CHECK(run.is_line_mode());
    CHECK(run.output().rfind("\033[?2004l") != std::string::npos);
    CHECK(run.output().rfind("1000l") != std::string::npos);
  }
}

TEST_CASE("a signal that ends any program ends this one, and restores the terminal", "[terminal]") {
  for (const int number : {SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL,
                           SIGPWR, SIGTRAP, SIGSYS, SIGBUS, SIGILL}) {
    INFO("signal " << number);
    TerminalUser person;
    std::filesystem::create_directories(person.home_directory() / "config/pbmplay");
    person.write_settings("mouse: yes\n");
    const fs::path file = person.write_toot_board();
    TerminalRun run(person.make_launch({"open", file.string()}));
    run.wait_for(kPrompt);
    play_ply(run, "ct", 1);
    run.send_signal(number);
    CHECK(run.wait_exit().signal == number);
    CHECK_FALSE(run.is_alternate_screen());
    CHECK(run.is_cursor_visible());
    CHECK(run.is_line_mode());
    CHECK(run.output().rfind("\033[?2004l") != std::string::npos);
    CHECK(run.output().rfind("1000l") != std::string::npos);
    CHECK(read_plies(file) == std::vector<std::string>{"CT"});
  }
}

TEST_CASE("a signal that was ignored when the program started stays ignored", "[terminal]") {
  struct Ignored {
    Ignored() { before = ::signal(SIGUSR1, SIG_IGN); }
    ~Ignored() { ::signal(SIGUSR1, before); }
    void (*before)(int);
  };
  TerminalUser person;
  person.write_toot_board();
  const auto started = [&] {
    const Ignored ignored;
    return std::make_unique<TerminalRun>(person.make_launch({"open", "toot-101"}));
  }();
  started->wait_for(kPrompt);
  started->send_signal(SIGUSR1);
  play_ply(*started, "ct", 1);
  CHECK(started->is_alternate_screen());
}

TEST_CASE("line by line a terminal that goes away ends the program soon, told of it or not",
          "[terminal]") {
  for (const bool controlling : {true, false}) {
    INFO((controlling ? "with" : "without") << " a hangup signal");
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    LaunchOptions launch = person.make_launch({"--line", "open", file.string()});
    launch.is_controlling = controlling;
    TerminalRun run(launch);
    run.wait_for("move>");
    const double before = run.cpu_seconds();
    run.hang_up();
    double spent = before;
    const auto limit = Clock::now() + std::chrono::seconds(20);
    while (run.is_running() && Clock::now() < limit) {
      spent = std::max(spent, run.cpu_seconds());
      run.read_for(Millis(5));
    }
    CHECK_FALSE(run.is_running());
    CHECK(spent - before < 1);
    CHECK(read_plies(file) == std::vector<std::string>{"CT"});
  }
}

TEST_CASE("a client nobody types at writes nothing and uses no processor time", "[terminal]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({"-size=14x20"}, "ct");
  TerminalRun lobby(person.make_launch()), board(person.make_launch({"open", file.string()}));
  lobby.wait_for("pbmplay - 1 game");
  board.wait_for(kOtherPrompt);
  for (TerminalRun* run : {&lobby, &board, &lobby}) run->wait_idle();
  struct Before {
    std::size_t bytes;
    double cpu;
    long wakeups;
  };
  const auto now_of = [](TerminalRun& run) {
    return Before{run.bytes_written(), run.cpu_seconds(), run.wakeups()};
  };
  const Before l = now_of(lobby), b = now_of(board);
  lobby.read_for(Millis(1000));
  board.read_for(Millis(1));
  for (const auto& [run, before] :
       {std::pair<TerminalRun*, const Before*>{&lobby, &l}, {&board, &b}}) {
    CHECK(run->bytes_written() == before->bytes);
    CHECK(run->cpu_seconds() == before->cpu);
    CHECK(run->wakeups() == before->wakeups);
  }
}

// --- other people's text -------------------------------------------------------

TEST_CASE("names in a save can neither move the cursor nor write to the terminal", "[terminal]") {
  // YAML escapes: the file is plain text, and only the parsed names have control characters.
  static const std::vector<std::string> names{
      R"(\x1b[2J\x1b[1;1Hgone)",                    // clears the screen
      R"(\x1b]0;title\x07)",                        // sets the title, rings
      R"(\x9b31m\u009d0;t\u009c)",                  // the same in C1 controls
      R"(\x1b[?1049l\x1bc)",                        // leaves the second screen, resets the terminal
      R"(a\r\n\t\b\b\x0b\x0c\x0e\x7f)",             // moves the cursor
      R"(\u202Eevil\u2066\u200F)",                  // turns the reading direction
      R"(\uFF21\uFF22\u5C71\U0001F600)",            // double width
      R"(e\u0301\u0302\u0303\u0304\u0305\u0306z)",  // many accents
      R"(\u0301\u200b\u200d\uFEFFx)",               // combining and invisible characters
      R"(\x1bP+q544e\x1b\\\x1b_x\x1b\\)",           // asks the terminal to answer
      R"(%s%n%08x <b> & ' \" \\)",                  // special in other languages
      R"(WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW)"};
  const auto save_with = [](const std::string& name) {
    return "format: 1\ngame: toot\nseats: [\"" + name +
           "\", wilma]\nplies:\n- {move: CT}\n- {move: DO}\n";
  };
  // Returns the screen without the names, to compare it with that of an ordinary name.
  const auto around = [](const TerminalRun& run) {
    std::vector<std::string> rows = run.screen_rows();
    for (std::string& row : rows) {
      for (const char* beside : {"TOOT", "OTTO", "toot-101  ", "toot-101 "})
        if (row.find(beside) != std::string::npos && row.find("? help") == std::string::npos)
          row = "(names)";
    }
    // The title has the players' names; the text after them stays.
    if (const std::size_t help = rows.front().find("? help"); help != std::string::npos)
      rows.front().erase(0, help);
    return rows;
  };
  struct Seen {
    std::vector<std::string> lobby, board;
    ScreenPoint lobby_cursor;
  };
  const auto look = [&](const std::string& name) {
    TerminalUser person;
    person.write_save("toot-101", save_with(name));
    TerminalRun run(person.make_launch());
    run.wait_for("pbmplay - 1 game");
    run.wait_for("OTTO");
    Seen seen;
    seen.lobby = around(run);
    // The other columns of the list depend on the width of the names.
    for (std::size_t i = 2; i < seen.lobby.size(); ++i) {
      const std::vector<std::string> all = split_words(seen.lobby[i]);
      seen.lobby[i] = all.empty() ? "" : all.front();
      // The sentence beside the board may need another row for a long name.
      if (seen.lobby[i] == "." || seen.lobby[i] == "(names)") seen.lobby[i].clear();
    }
    seen.lobby_cursor = run.cursor();
    run.type("\r");
    run.wait_for("2 DO");
    INFO(run.screen_text());
    run.type("b");
    run.wait_for("> b");
    CHECK(run.cursor().row == 22);
    CHECK(run.cell(22, run.cursor().column - 3).glyph == ">");
    seen.board = around(run);
    CHECK(one_per_line(run.unknown_output()) == "");
    CHECK(run.is_alternate_screen());
    for (const char* byte :
         {"\x07", "\x0b", "\x0c", "\x0e", "\x7f", "\xc2\x9b", "\xc2\x9d", "\xe2\x80\xae",
          "\xe2\x81\xa6", "\xe2\x80\x8b", "\033P", "\033]", "\033_", "\033c"}) {
      INFO("bytes of " << safe_text(byte));
      CHECK(run.output().find(byte) == std::string::npos);
    }
    run.type("\177resign\r\r");  // the second Enter confirms
    run.wait_for("resigned");
    CHECK(one_per_line(run.unknown_output()) == "");

    // Line mode and the standard output of a command do the same.
    LaunchOptions line = person.make_launch({"--line", "open", "toot-101"});
    TerminalRun lines(line);
    lines.wait_for("game over>");
    lines.type("words\nplies\nboards\nquit\n");
    lines.wait_exit();
    const std::string shown =
        person.program_output({"show", person.save_file("toot-101").string()});
    for (const std::string& out : {lines.output(), shown}) {
      CHECK_FALSE(has_escape(out));
      CHECK(out.find("\xc2\x9b") == std::string::npos);
      CHECK(out.find("\xe2\x80\xae") == std::string::npos);
      CHECK(std::none_of(out.begin(), out.end(), [](char c) {
        return (c >= 0 && c < ' ' && c != '\n' && c != '\r') || c == 0x7f;
      }));
    }
    return seen;
  };
  const Seen ordinary = look("fred");
  for (const std::string& name : names) {
    INFO("name " << name);
    const Seen hostile = look(name);
    CHECK(one_per_line(hostile.lobby) == one_per_line(ordinary.lobby));
    CHECK(one_per_line(hostile.board) == one_per_line(ordinary.board));
    CHECK(hostile.lobby_cursor == ordinary.lobby_cursor);
  }
}

TEST_CASE("a save with raw control characters is listed as unreadable and harms nobody",
          "[terminal]") {
  TerminalUser person;
  person.write_save("bad", "format: 1\ngame: toot\nseats: [\"\033[2J\", wilma]\nplies:\n");
  person.write_save("\033[2J\033]0;x\a",
                    "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: CT}\n");
  TerminalRun run(person.make_launch());
  run.wait_for("pbmplay - 2 games");
  INFO(run.screen_text());
  CHECK(run.has_text("cannot be read"));
  CHECK(run.has_text("?[2J?]0;x?"));
  run.type("\r");  // the readable one is first
  run.wait_for("1 CT");
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 2 games");
  run.type("G\r");
  run.wait_for("control character");
  CHECK(one_per_line(run.unknown_output()) == "");
}

// --- being killed ----------------------------------------------------------------

namespace {

constexpr unsigned kKillSeed = 20261126;

// Returns plies of a long game without a winner on the largest board.
std::vector<std::string> make_long_game(std::size_t plies) {
  std::mt19937 random(kKillSeed);
  Position position = make_setup("toot", {"-size=14x20", "-tootris"}).start();
  std::vector<std::string> out;
  while (out.size() < plies) {
    const auto legal = position.legal_plies();
    const std::string& ply = legal[random_below(random, legal.size())];
    Position next = position;
    next.play(ply);
    if (next.outcome()) continue;
    position = next;
    out.push_back(ply);
  }
  return out;
}

// Returns the plies in the list on the screen, by number.
std::map<std::size_t, std::string> read_shown_plies(const TerminalRun& run) {
  constexpr std::size_t kList = 31;  // the first column after the board
  std::map<std::size_t, std::string> out;
  for (int r = 1; r < run.rows() - 2; ++r) {
    const std::string row = run.row(r);
    if (row.size() <= kList) continue;
    const auto parts = split_words(std::string_view(row).substr(kList));
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      if (std::all_of(parts[i].begin(), parts[i].end(), is_digit) && parts[i + 1].size() == 2)
        out[std::stoul(parts[i])] = parts[i + 1];
  }
  return out;
}

// A running program that will be killed, and the plies that its screen has shown.
struct KilledProgram {
  fs::path file;
  std::unique_ptr<TerminalRun> run;
  bool dies_at_start;  // killed during its start
  std::map<std::size_t, std::string> shown_plies;
  std::size_t typed_count = 0;

  KilledProgram(const TerminalUser& person, int number, bool dies_early)
      : file(person.write_toot_board({"-size=14x20", "-tootris"}, "", {"fred", "wilma"},
                                     "toot-" + std::to_string(number))),
        dies_at_start(dies_early) {
    LaunchOptions launch = person.make_launch({"open", file.string()});
    launch.keep_last_picture = true;
    run = std::make_unique<TerminalRun>(launch);
  }
  void record_shown_plies() {
    for (const auto& [n, ply] : read_shown_plies(*run)) shown_plies[n] = ply;
  }
};

// Plays quickly until a random moment, then sends the signal.
void play_and_kill(KilledProgram& v, const std::vector<std::string>& game, int number,
                   std::mt19937& random) {
  if (!v.dies_at_start) v.run->wait_until("the prompt", [&] { return v.run->has_text(kPrompt); });
  const std::size_t longest = v.dies_at_start ? 12000 : 26000;  // microseconds
  const std::size_t ahead = 1 + random_below(random, 3);        // plies typed ahead of the screen
  const auto moment = Clock::now() + std::chrono::microseconds(random_below(random, longest));
  while (Clock::now() < moment && v.typed_count < game.size()) {
    while (v.typed_count < std::min(game.size(), v.shown_plies.size() + ahead))
      v.run->type(game[v.typed_count++] + "\r");
    const auto left = std::chrono::duration_cast<Millis>(moment - Clock::now());
    v.run->wait_until(
        "the next move",
        [&] {
          return read_shown_plies(*v.run).size() > v.shown_plies.size() || Clock::now() >= moment;
        },
        left + Millis(1000));
    v.record_shown_plies();
  }
  std::this_thread::sleep_until(moment);
  v.run->send_signal(number);
}

// Checks that the file has all plies that the screen has shown.
void check_save(KilledProgram& v, const TerminalUser& person, const std::vector<std::string>& game,
                int number, bool print) {
  const ExitResult end = v.run->wait_exit();
  if (number == SIGKILL) CHECK(end.signal == SIGKILL);
  else if (!v.dies_at_start) CHECK(end.status == 0);
  v.record_shown_plies();
  const auto saved = read_plies(v.file);
  INFO(v.shown_plies.size() << " moves shown, " << saved.size() << " saved, " << v.typed_count
                            << " typed\n"
                            << v.run->screen_text());
  for (const auto& [n, ply] : v.shown_plies) {
    REQUIRE(n <= saved.size());
    REQUIRE(saved[n - 1] == ply);
  }
  REQUIRE(saved.size() <= v.typed_count);
  REQUIRE(std::equal(saved.begin(), saved.end(), game.begin()));
  if (!print) return;
  const auto printed = output_lines(person.program_output({"show", v.file.string()}));
  REQUIRE(printed.size() == read_drawing(v.file).size() + 1);
  REQUIRE(std::vector<std::string>(printed.begin(), printed.end() - 1) == read_drawing(v.file));
}

void kill_at_random_moments(int number, int times) {
  std::cout << (number == SIGKILL ? "SIGKILL" : "SIGHUP") << " at " << times
            << " random moments, seed " << kKillSeed << std::flush;
  std::mt19937 random(kKillSeed + static_cast<unsigned>(number));
  const auto game = make_long_game(34);
  TerminalUser person;
  std::size_t plies = 0;
  const auto from = Clock::now();
  auto next = std::make_unique<KilledProgram>(person, 0, false);
  for (int i = 0; i < times; ++i) {
    INFO("moment " << i);
    std::unique_ptr<KilledProgram> victim;
    if (random_below(random, 10) == 0) {
      victim = std::make_unique<KilledProgram>(person, 1000 + i, true);
    } else {
      // Most programs die during plies. The next one starts meanwhile.
      victim = std::exchange(next, nullptr);
      next = std::make_unique<KilledProgram>(person, i + 1, false);
    }
    play_and_kill(*victim, game, number, random);
    check_save(*victim, person, game, number, i % 20 == 0);
    plies += victim->shown_plies.size();
  }
  std::cout << ": " << plies << " moves were shown, none is missing; "
            << std::chrono::duration_cast<Millis>(Clock::now() - from).count() << " ms"
            << std::endl;
  CHECK(plies > static_cast<std::size_t>(times / 10));  // on a slow machine, too
}

}  // namespace

TEST_CASE("no move that was shown is missing after SIGKILL at random moments", "[terminal]") {
  kill_at_random_moments(SIGKILL, 50);
}
TEST_CASE("no move that was shown is missing after SIGHUP at random moments", "[terminal]") {
  kill_at_random_moments(SIGHUP, 50);
}
TEST_CASE("no move that was shown is missing after either at 1,000 moments", "[terminal][long]") {
  for (const int number : {SIGKILL, SIGHUP}) kill_at_random_moments(number, 1000);
}
