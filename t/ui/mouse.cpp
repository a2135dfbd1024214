// SPDX-License-Identifier: MIT
// The mouse in the real program, with reports as terminals send them in either form.
#include <algorithm>
#include <fstream>

#include "boards/local_boards.hpp"
#include "test_app.hpp"
#include "terminal_user.hpp"
#include "script_games.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kF2 = "\033OQ";
constexpr int kLeftButton = 0, kWheelUp = 64, kWheelDown = 65;  // buttons as terminals number them

// Returns a report as xterm sends it in mode 1006.
std::string sgr_report(int button, int row, int column, char kind = 'M') {
  return "\033[<" + std::to_string(button) + ";" + std::to_string(column + 1) + ";" +
         std::to_string(row + 1) + kind;
}
// Returns a report in the older form, with three bytes. A release names no button.
std::string x10_report(int button, int row, int column) {
  return std::string("\033[M") + static_cast<char>(32 + button) + static_cast<char>(33 + column) +
         static_cast<char>(33 + row);
}

// A player with the mouse on.
struct MouseUser {
  TerminalRun& run;
  bool has_sgr_mode = true;

  void press(int button, int row, int column) {
    run.type(has_sgr_mode ? sgr_report(button, row, column) : x10_report(button, row, column));
  }
  void click(int row, int column) {
    press(kLeftButton, row, column);
    run.type(has_sgr_mode ? sgr_report(kLeftButton, row, column, 'm') : x10_report(3, row, column));
    run.wait_idle();
  }
  // Clicks, and waits until the screen changes.
  void click_and_wait(int row, int column) {
    const auto before = run.screen_rows();
    press(kLeftButton, row, column);
    run.type(has_sgr_mode ? sgr_report(kLeftButton, row, column, 'm') : x10_report(3, row, column));
    run.wait_until("what a click does", [&] { return run.screen_rows() != before; });
    run.wait_idle();
  }
  void click(std::string_view text) {
    const auto at = run.find_text(text);
    INFO("'" << text << "' on\n" << run.screen_text());
    REQUIRE(at.has_value());
    click(at->row, at->column);
  }
  // Returns the row above the input line, which has the moves to click.
  int message_row() const {
    int row = run.rows() - 1;
    while (row > 0 && run.row(row).find('>') == std::string::npos) --row;
    return row - 1;
  }
};

// Plays the plies by clicks alone. Pre: the screen shows the board.
void play_by_clicks(MouseUser& mouse, Position position, const std::vector<std::string>& plies) {
  for (std::size_t n = 0; n < plies.size(); ++n) {
    const std::string& ply = plies[n];
    const Drawing drawing = position.draw({});
    const auto corner = mouse.run.find_text(drawing.rows.front());
    INFO("move " << n + 1 << ", " << ply << "\n" << mouse.run.screen_text());
    REQUIRE(corner.has_value());
    for (const SpotId id : position.selected_spots(ply)) {
      const auto spot = std::find_if(drawing.spots.begin(), drawing.spots.end(),
                                     [&](const Spot& s) { return s.id == id; });
      REQUIRE(spot != drawing.spots.end());
      mouse.click_and_wait(corner->row + spot->row, corner->column + spot->column);
    }
    // The row above the input line has the letters.
    if (mouse.run.row(mouse.message_row()).find("Possible: ") != std::string::npos) {
      const std::size_t at = mouse.run.row(mouse.message_row()).find(" " + ply);
      REQUIRE(at != std::string::npos);
      mouse.click_and_wait(mouse.message_row(), static_cast<int>(at) + 1);
    }
    mouse.click_and_wait(mouse.message_row(), 1);
    position.play(ply);
  }
}

GoldenGame find_golden_game(const std::string& file) {
  for (const GoldenGame& g : read_golden_games())
    if (g.file_name == file) return g;
  FAIL("no golden game " << file);
  return read_golden_games().front();
}

}  // namespace

TEST_CASE("a whole game is played by clicks alone in either form of report", "[terminal][mouse]") {
  for (const char* term : {"xterm-256color", "tmux-256color"})
    for (const char* name : {"toot-tootris", "flooprail-blocked"}) {
      if (std::string(name) == "flooprail-blocked" && std::string(term) != "xterm-256color")
        continue;
      const GoldenGame game = find_golden_game(name);
      INFO(term << ", " << name);
      TerminalUser person;
      const fs::path file = person.write_board(std::string(game.setup.game->name), "",
                                               {"fred", "wilma"}, game.setup.options.to_words());
      LaunchOptions launch = person.make_launch();
      launch.term = term;
      TerminalRun run(launch);
      run.wait_for("pbmplay - 1 game");
      MouseUser mouse{run, std::string(term) == "xterm-256color"};
      // The program requests the newer form of all, and takes either.
      for (const char* mode : {"?1000h", "?1006h"})
        CHECK(run.output().find(mode) != std::string::npos);
      mouse.click(person.save_file(std::string(game.setup.game->name) + "-101").stem().string());
      run.wait_for("fred (");
      play_by_clicks(mouse, game.setup.start(), game.plies);
      run.wait_for("over>");
      CHECK(read_plies(file) == game.plies);
      mouse.click("Esc back");
      run.wait_for("pbmplay - 1 game");
      mouse.click("q quit");
      CHECK(run.wait_exit().status == 0);
      // At the end, the program turns the reports off.
      CHECK(run.output().rfind("1000l") > run.output().rfind("1000h"));
      CHECK(run.output().rfind("1000l") != std::string::npos);
    }
}

TEST_CASE("a click counts at once, its release with it or not, and a burst of them in its order",
          "[terminal][mouse]") {
  for (const char* term : {"xterm-256color", "tmux-256color"}) {
    INFO(term);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "");
    LaunchOptions launch = person.make_launch({"open", file.string()});
    launch.term = term;
    TerminalRun run(launch);
    run.wait_for("fred (TOOT)>");
    MouseUser mouse{run, std::string(term) == "xterm-256color"};
    const auto report = [&](int button, int row, int column, bool up) {
      return mouse.has_sgr_mode ? sgr_report(button, row, column, up ? 'm' : 'M')
                                : x10_report(up ? 3 : button, row, column);
    };
    const auto columns = run.find_text("A B C D E F");
    REQUIRE(columns.has_value());
    const int row = columns->row + 3, left = columns->column;
    for (int i = 0; i < 6; ++i) {
      // Columns A, B, ... by a tap: a press and a release in one write.
      run.type(report(kLeftButton, row, left + 2 * i, false) +
               report(kLeftButton, row, left + 2 * i, true));
      run.wait_for(std::string("(TOOT)> ") + static_cast<char>('A' + i));
      run.type(report(2, row, left, false) +
               report(2, row, left, true));  // the right button does nothing
    }
    std::string burst;
    for (const int i : {0, 3, 1, 4, 2})
      burst += report(kLeftButton, row, left + 2 * i, false) +
               report(kLeftButton, row, left + 2 * i, true);
    run.type(burst);
    run.wait_for("(TOOT)> C");
    run.type("t");
    run.wait_for("Enter plays it.");
    run.type("\r");
    run.wait_for(" 1 CT");
  }
}

TEST_CASE("the wheel scrolls boards and lists and texts", "[terminal][mouse]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({"-size=14x20"}, "ao nt ao nt");
  LaunchOptions launch = person.make_launch({"open", file.string()});
  launch.rows = 12;
  launch.columns = 40;
  TerminalRun run(launch);
  run.wait_for("fred (TOOT)>");
  MouseUser mouse{run};
  for (int i = 0; i < 8; ++i) mouse.press(kWheelUp, 5, 5);
  run.wait_for("A B C D E F G H I J K L M N");
  for (int i = 0; i < 8; ++i) mouse.press(kWheelDown, 5, 5);
  run.wait_for("O . . . . . . . . . . . . T");
  run.type("?");
  run.wait_for("Help: Toot");
  const auto top = run.screen_rows();
  mouse.press(kWheelDown, 5, 5);
  run.wait_until("lines further down", [&] { return run.screen_rows() != top; });
  mouse.press(kWheelUp, 5, 5);
  run.wait_until("the first lines", [&] { return run.screen_rows() == top; });
  run.type(kEscapeKey);
  run.wait_for("fred (TOOT)>");
  run.type(kEscapeKey);
  run.wait_for("1 game, 1 waits");
  mouse.press(kWheelDown, 5, 5);
  run.wait_until("the lowest board", [&] { return run.cursor().row > 3; });
  CHECK(read_plies(file).size() == 4);
}

TEST_CASE("clicks on nothing do nothing on any screen", "[terminal][mouse]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  const std::string bytes = read_bytes(file);
  LaunchOptions launch = person.make_launch({"open", file.string()});
  launch.rows = 40;
  launch.columns = 150;
  TerminalRun run(launch);
  run.wait_for("wilma (OTTO)>");
  MouseUser mouse{run};
  for (const auto& [keys, shows] : {std::pair<std::string_view, const char*>{"", "wilma (OTTO)>"},
                                    {"?", "Help: Toot"},
                                    {"\033", "wilma (OTTO)>"},
                                    {"\033OS", "> theme"},
                                    {"\033", "wilma (OTTO)>"},
                                    {"\033", "pbmplay - 1 game"},
                                    {"s", "New game"}}) {
    run.type(keys.empty() ? kCtrlU : keys);
    run.wait_for(shows);
    run.wait_idle();
    const auto before = run.screen_rows();
    INFO(shows);
    // Corners, margins of a large window, places outside it, and other buttons.
    for (const auto& [row, column] :
         {std::pair{0, 0}, {39, 149}, {0, 149}, {39, 0}, {31, 2}, {31, 148}, {200, 200}})
      mouse.click(row, column);
    for (const int button : {1, 2, 66, 67})
      run.type(sgr_report(button, 10, 30) + sgr_report(button, 10, 30, 'm'));
    run.wait_idle();
    CHECK(one_per_line(run.screen_rows()) == one_per_line(before));
  }
  CHECK(read_bytes(file) == bytes);
}

TEST_CASE("with the mouse off the bytes of a click do no harm", "[terminal][mouse]") {
  for (const char* term : {"xterm-256color", "tmux-256color", "linux", "vt100"}) {
    INFO(term);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    const std::string bytes = read_bytes(file);
    fs::create_directories(person.home_directory() / "config/pbmplay");
    person.write_settings("mouse: no\n");
    LaunchOptions launch = person.make_launch({"open", file.string()});
    launch.term = term;
    TerminalRun run(launch);
    run.wait_for("wilma (OTTO)>");
    const auto before = run.screen_rows();
    // Another program left mouse mode on when it died.
    for (const std::string& report :
         {sgr_report(kLeftButton, 5, 3), sgr_report(kLeftButton, 5, 3, 'm'),
          sgr_report(kWheelDown, 5, 3), x10_report(kLeftButton, 5, 3), x10_report(3, 5, 3),
          x10_report(kWheelDown, 33, 35), std::string("\033[32;5;6M")}) {
      run.type(report);
      run.wait_idle();
      INFO(safe_text(report));
      CHECK(one_per_line(run.screen_rows()) == one_per_line(before));
      run.type(kCtrlU);
      run.wait_idle();
    }
    CHECK(read_bytes(file) == bytes);
    // Switching the mouse on and off leaves no trace.
    run.type(kF2);
    run.wait_idle();
    run.type(kF2);
    run.wait_for("The mouse is off");
    run.type(kCtrlU);
    run.wait_idle();
    run.type(sgr_report(kLeftButton, 5, 3) + sgr_report(kLeftButton, 5, 3, 'm'));
    run.wait_idle();
    CHECK(one_per_line(run.screen_rows()) == one_per_line(before));
  }
}

TEST_CASE("a click on the list of moves shows that move, after moves made by clicks too",
          "[terminal][mouse]") {
  TerminalUser person;
  const fs::path file = person.write_toot_board({}, "ct");
  TerminalRun run(person.make_launch({"open", file.string()}));
  run.wait_for("wilma (OTTO)>");
  MouseUser mouse{run};
  play_by_clicks(mouse, open_save(file)->match.position(), {"BO"});
  run.wait_for(" 2 BO");
  mouse.click(" 1 CT");
  run.wait_for("1 move follows");
  mouse.click(" 2 BO");
  run.wait_until("the board as it is now", [&] { return !run.has_text("ahead"); });
  CHECK(read_plies(file) == std::vector<std::string>{"CT", "BO"});
}
