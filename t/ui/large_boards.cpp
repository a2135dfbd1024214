// SPDX-License-Identifier: MIT
// The board screen at every size; boards in double size, or seen from the other side.
#include "terminal_user.hpp"
#include "test_app.hpp"
#include "ui/line_mode.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr Size kLargeSize{40, 110};
const Key kF9{Key::Code::function, 9}, kRight{Key::Code::right};

// Returns the glyph under the terminal's cursor.
char glyph_under_cursor(const Canvas& canvas) {
  REQUIRE(canvas.cursor);
  return static_cast<char>(canvas.cell(canvas.cursor->row, canvas.cursor->column).glyph);
}

}  // namespace

TEST_CASE("title, players, sentence, line and cursor are there at every size", "[large]") {
  for (const GameType& game : all_games())
    for (const Size size : {kScreenSize, kSmallestSize, kLargeSize, Size{60, 200}}) {
      TestApp p;
      p.size = size;
      p.start_board(std::string(game.name));
      const std::string screen = p.screen_text();
      INFO(screen);
      // The first sentence says how to write a move. In the smallest window, it hides the title and
      // the players.
      CHECK(p.has_text("A move is "));
      const Position position =
          p.local_boards.open(std::string(game.name) + "-101")->match.position();
      CHECK(p.has_text("fred (" + position.side_name(0) + ")>"));
      if (size == kSmallestSize) continue;
      CHECK(p.has_text(std::string(game.name) + "-101"));
      CHECK(p.has_text("? help"));
      for (Seat s = 0; s < 2; ++s)
        CHECK(p.has_text(position.side_name(s) + (s == 0 ? " fred" : " wilma")));
      CHECK(p.has_text("Tab cursor  F3 try"));
      CHECK(screen.find('~') == std::string::npos);
      // The square under the cursor is visible.
      CHECK(glyph_under_cursor(p.picture()) != ' ');
    }
}

TEST_CASE("in the smallest window a board scrolls only to what is out of sight, and has its keys",
          "[large]") {
  TestApp p;
  p.size = kSmallestSize;
  p.start_board("flooprail");
  const Key down{Key::Code::down}, up{Key::Code::up};
  const auto seen = [&] {
    std::string out;
    for (const char rank : std::string("1234567"))
      if (find_text(p.picture(), std::string("  ") + rank + "  ")) out += rank;
    return out;
  };
  CHECK(p.has_text("Tab cursor  F3 try  F1 rules"));
  p.press(kTab);
  CHECK(p.has_text("Tab next  Enter pick"));
  const std::string before = seen();
  REQUIRE(before.size() == 3);
  // Scrolls by one rank, and back only when the cursor leaves the window.
  std::string ranks = before;
  for (int i = 0; i < 7; ++i) {
    p.press(down);
    const std::string now = seen();
    CHECK((now == ranks || now[0] == ranks[0] + 1));
    ranks = now;
  }
  CHECK(ranks == "567");
  for (const char* wanted : {"567", "567", "456", "345", "234", "123", "123"}) {
    p.press(up);
    CHECK(seen() == wanted);
  }
  TestApp q;
  q.size = kSmallestSize;
  q.start_board("soccolot");
  CHECK(q.has_text("Tab cursor  F3 try  F1 rules"));
}

TEST_CASE("on a vt100 a board is played with the cursor, without colours", "[large][terminal]") {
  for (const auto& [rows, columns] : {std::pair{24, 80}, {12, 40}, {60, 200}}) {
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "");
    LaunchOptions launch = person.make_launch({"open", file.string()});
    launch.term = "vt100";
    launch.rows = rows;
    launch.columns = columns;
    TerminalRun run(launch);
    run.wait_for("fred (TOOT)>");
    INFO(run.screen_text());
    CHECK(run.has_text("A move is "));
    CHECK(run.has_text("A B C D E F"));
    run.wait_idle();
    CHECK(run.cell(run.cursor().row, run.cursor().column).glyph == ".");
    run.type("\033OC");  // Right, then Enter picks
    run.type("\r");
    run.wait_for("fred (TOOT)> B");
    run.type("t\r");
    run.wait_for("wilma (OTTO)>");
    CHECK_FALSE(run.has_colour());
  }
}

TEST_CASE("a board has the largest of four sizes that fits its window", "[large]") {
  TestApp p;
  p.set_board_size(0);
  p.start_board("toot");
  const auto heading = [](int scale) {
    const std::string gap(static_cast<std::size_t>(2 * scale - 1), ' ');
    return "A" + gap + "B" + gap + "C" + gap + "D" + gap + "E" + gap + "F ";
  };
  for (const auto& [size, scale] : {std::pair(Size{12, 40}, 1),
                                    {Size{23, 80}, 1},
                                    {kScreenSize, 3},
                                    {Size{24, 79}, 1},
                                    {kLargeSize, 4},
                                    {Size{60, 200}, 4}}) {
    p.size = size;
    INFO(p.screen_text());
    for (int other = 1; other <= kMaxScale; ++other)
      CHECK(p.has_text(heading(other)) == (other == scale));
  }
  // A high board keeps its usual size.
  TestApp q;
  q.set_board_size(0);
  q.size = kLargeSize;
  q.start_board("toot", {"-size=14x20"});
  CHECK(q.has_text("A B C D E F"));
}

TEST_CASE("a fully picked move is on a board of any size, and its headings do not scroll",
          "[large]") {
  for (int scale = 1; scale <= kMaxScale; ++scale) {
    INFO(scale);
    TestApp p;
    p.set_board_size(scale);
    p.size = {50, 120};
    p.start_board("toot");
    const auto tiles = [&] {
      const Canvas canvas = p.picture();
      int out = 0;
      for (int r = 0; r < canvas.size().rows; ++r)
        for (int c = 0; c < canvas.size().columns; ++c)
          out += canvas.cell(r, c).is_tile && canvas.cell(r, c).glyph == U'T';
      return out;
    };
    p.press(kTab);
    p.press(kEnter);
    CHECK(tiles() == 0);
    p.type("t");
    CHECK(tiles() == 1);
    // The column letters stay in a window that is too low for the board.
    TestApp q;
    q.set_board_size(scale);
    q.size = {20, 120};
    q.start_board("flooprail");
    for (int i = 0; i < 6; ++i) {
      q.press({Key::Code::page_down});
      const std::string gap(static_cast<std::size_t>(3 * scale - 1), ' ');
      CHECK(q.has_text("A" + gap + "B" + gap + "C"));
    }
  }
}

TEST_CASE("every part of a large board is within its frame at any width", "[large]") {
  for (const char* size : {"-size=6x4", "-size=9x4", "-size=14x5"})
    for (int columns = 80; columns <= 160; columns += 3) {
      INFO(size << " " << columns);
      TestApp p;
      p.set_board_size(0);
      p.size = {40, columns};
      p.start_board("toot", {size}, "AT AO");
      // The list of moves is beside the board, and no sign says that the board scrolls.
      CHECK(p.has_text("Moves"));
      CHECK_FALSE(p.has_text("> │"));
      CHECK_FALSE(p.has_text("v│"));
    }
}

TEST_CASE("a tile surrounds each piece as far as its cell goes, and covers no letter", "[large]") {
  for (const GameType& game : all_games())
    for (int scale = 1; scale <= kMaxScale; ++scale) {
      INFO(game.name << " " << scale);
      TestApp p;
      p.set_board_size(scale);
      p.size = {100, 300};
      p.start_board(std::string(game.name));
      const Position start = p.local_boards.open(std::string(game.name) + "-101")->match.position();
      p.type(start.legal_plies().front() + "\n");
      const Match match = p.local_boards.open(std::string(game.name) + "-101")->match;
      const Canvas canvas = p.picture();
      const std::string fields =
          game.drawing_styles.empty() ? "a" : std::string(game.drawing_styles);
      const Drawing drawing = match.draw(1, {.drawing_style = fields.front(), .scale = scale});
      // The drawing is where all signs are; tiles cover some of its lines.
      const auto stands = [&](Point at) {
        return std::ranges::all_of(drawing.spots, [&](const Spot& s) {
          return s.role == SpotRole::board ||
                 canvas.cell(at.row + s.row, at.column + s.column).glyph ==
                     static_cast<char32_t>(drawing.rows[static_cast<std::size_t>(s.row)]
                                                       [static_cast<std::size_t>(s.column)]);
        });
      };
      std::optional<Point> corner;
      for (Point at; at.row < 60 && !corner; ++at.row)
        for (at.column = 0; at.column < 150 && !corner; ++at.column)
          if (stands(at)) corner = at;
      REQUIRE(corner);
      for (const Spot& s : drawing.spots) {
        if (s.role == SpotRole::board) continue;
        const int row = corner->row + s.row, column = corner->column + s.column;
        CHECK(canvas.cell(row, column).is_tile == (scale > 1 || s.role >= SpotRole::piece1));
        if (s.role < SpotRole::piece1) continue;
        // The sign is in the middle, and the cells of a tile have one style.
        int left = 0, right = 0, width = s.width;
        while (canvas.cell(row, column + width - 1).glyph == U' ' && width > 1) --width;
        while (canvas.cell(row, column - left - 1).is_tile) ++left;
        while (canvas.cell(row, column + width + right).is_tile) ++right;
        CHECK(left == right);
        CHECK((scale == 1 || left > 0));
        for (int c = column - left; c < column + width + right; ++c)
          CHECK(canvas.cell(row, c).style == role_style(s.role));
      }
    }
}

TEST_CASE("only tiles of pieces cover lines, and a mark makes no piece of an empty square",
          "[large]") {
  for (const GameType& game : all_games())
    for (int scale = 1; scale <= kMaxScale; ++scale) {
      INFO(game.name << " " << scale);
      const Position position = *game.start({}, game.min_seats);
      const Drawing drawing = position.draw(
          {.drawing_style = game.drawing_styles.empty() ? 'a' : game.drawing_styles.front(),
           .scale = scale});
      BoardView view;
      view.set_drawing(drawing);
      for (const Spot& s : drawing.spots)
        if (s.role == SpotRole::empty || s.role == SpotRole::opening)
          view.mark_spots({s.id}, s.id % 2 ? Mark::wrong : Mark::win, Style::piece2);
      Canvas canvas(view.size());
      view.draw(canvas, {0, 0, view.size().rows, view.size().columns});
      for (int r = 0; r < std::ssize(drawing.rows); ++r)
        for (int c = 0; c < std::ssize(drawing.rows[static_cast<std::size_t>(r)]); ++c) {
          const Cell& cell = canvas.cell(r, c);
          if (cell.is_tile && is_piece(cell.style)) continue;
          const char drawn = drawing.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
          // A hint has brackets on the blanks around its sign.
          const bool is_bracket = cell.glyph == U'[' || cell.glyph == U']';
          if (is_bracket && drawn == ' ' && cell.mark == Mark::win) continue;
          CHECK(cell.glyph == static_cast<char32_t>(drawn));
        }
      for (const Spot& s : drawing.spots)
        if (s.role == SpotRole::empty || s.role == SpotRole::opening) {
          CHECK(canvas.cell(s.row, s.column).mark != Mark::none);
          CHECK_FALSE(canvas.cell(s.row, s.column).is_tile);
        }
    }
}

TEST_CASE("the field of a large window is the first that fits it twice as large", "[large]") {
  TestApp p;
  p.set_board_size(0);
  p.size = kLargeSize;
  p.start_board("soccolot");
  CHECK(p.has_text("..    W6    W5    W4"));
  CHECK(p.has_text("fred : Black"));
  p.type("field a\n");
  CHECK(p.has_text("|W6|W5|W4|"));  // double size does not fit there
  p.size = {60, 200};
  CHECK(p.has_text("|  W6 |  W5 |  W4 |"));
}

TEST_CASE("how large boards are can be chosen, and is remembered", "[large][settings]") {
  TestApp p;
  p.set_board_size(0);
  p.size = kLargeSize;
  p.start_board("toot");
  for (const char* value : {"1", "2", "3", "4", "auto"}) {
    INFO(value);
    p.press(kF4);
    for (int i = 0; i < 2; ++i) p.press({Key::Code::down});
    p.press(kRight);
    CHECK(p.has_text("> size         < " + std::string(value) + " >"));
    p.press(kEsc);
    CHECK(read_bytes(p.directory / "settings.yaml") == "size: " + std::string(value) + "\n");
    const int scale = *value == 'a' ? kMaxScale : *value - '0';
    const std::string shown = "A" + std::string(static_cast<std::size_t>(2 * scale - 1), ' ') + "B";
    CHECK(p.has_text(shown));
    p.size = *value == 'a' ? kLargeSize : kScreenSize;
    CHECK(p.has_text(shown));
    p.size = kLargeSize;
  }
}

TEST_CASE("cursor, clicks and marks are where a large board has its squares", "[large]") {
  for (const GameType& game : all_games())
    for (const bool turn : {false, true}) {
      if (turn && !game.can_turn) continue;
      INFO(game.name << " " << turn);
      TestApp p;
      p.size = kLargeSize;
      p.start_board(std::string(game.name));
      if (turn) p.press(kF9);
      p.press(kRight);
      p.press(kTab);
      const Match match = p.local_boards.open(std::string(game.name) + "-101")->match;
      const Drawing drawing = match.position().draw({});
      // Clicks on the destinations of each square that can be picked first.
      for (int i = 0; i < 4; ++i) {
        const Point at = p.picture().cursor.value();
        const char glyph = glyph_under_cursor(p.picture());
        CHECK(glyph != ' ');
        const auto is_there = [&](const Spot& s) {
          return drawing
                     .rows[static_cast<std::size_t>(s.row)][static_cast<std::size_t>(s.column)] ==
                 glyph;
        };
        CHECK(std::any_of(drawing.spots.begin(), drawing.spots.end(), is_there));
        p.press(kTab);
        p.click(at);
        CHECK(p.picture().cursor == at);
        CHECK_FALSE(p.app.saved_state().ends_with('\n'));  // a square is picked
        p.press(kEsc);
        p.press(kRight);
        p.press(kTab);
      }
    }
}

TEST_CASE("a board is turned by a word or a key where its game allows it", "[large]") {
  TestApp p;
  p.start_board("chaos");
  REQUIRE(p.has_text("a-   o o o"));
  p.type("flip\n");
  CHECK(p.has_text("o o o   -a"));
  CHECK(p.has_text("3 2 1"));
  p.press(kF9);
  CHECK(p.has_text("a-   o o o"));
  // The picks stay after the board turns.
  p.type("a2");
  p.press(kTab);
  p.press(kF9);
  CHECK(p.has_text("fred (o)> a2"));
  p.press(kEsc);
  p.type("a2-c2\n");
  CHECK(p.has_text(". . . o .   -c"));
  // The board is still turned when the player returns to it.
  p.press(kEsc);
  p.press(kEnter);
  CHECK(p.has_text(". . . o .   -c"));
  // It is still turned in another run. Another board of that name is not.
  Settings again(p.directory / "settings.yaml");
  Preferences usual = again.preferences();
  usual.board_size = 1;
  again.set_for_run(usual);
  CHECK(again.preferences().turned_boards == p.settings.preferences().turned_boards);
  CHECK(again.preferences().turned_boards.size() == 1);
  App anew{p.all_boards, again, read_help_topic, {source_root() / "themes"}};
  Board board = *p.local_boards.open("chaos-101");
  const auto shows = [&](std::string_view text) {
    return find_text(anew.draw(kScreenSize), text).has_value();
  };
  anew.show(board);
  CHECK(shows(". . . o .   -c"));
  anew.press(kEsc);
  board.match =
      *Match::start(board.match.game(), {}, {"fred", "wilma"}, board.match.start_time() + 1s);
  anew.show(board);
  CHECK(shows("a-   o o o"));
  // A copy is another board, and is not turned.
  p.type("copy\n");
  REQUIRE(p.has_text("chaos-102"));
  CHECK_FALSE(p.has_text(". . . o .   -c"));
  p.press(kEsc);
  // It stays turned under another name, and in another directory.
  p.type(":rename chaos-101 mine\n:open mine\n");
  CHECK(p.has_text(". . . o .   -c"));
  Settings later(p.directory / "settings.yaml");
  usual = later.preferences();
  usual.board_size = 1;
  later.set_for_run(usual);
  App moved{p.all_boards, later, read_help_topic, {source_root() / "themes"}};
  fs::create_directories(p.directory / "my games");
  fs::rename(p.directory / "saves/mine.yaml", p.directory / "my games/mine.yaml");
  moved.show(*p.local_boards.open((p.directory / "my games/mine.yaml").string()));
  CHECK(find_text(moved.draw(kScreenSize), ". . . o .   -c").has_value());
  TestApp q;
  q.start_board("toot");
  q.type("flip\n");
  CHECK(q.has_text("A board of Toot cannot be turned."));
  q.press(character_key('?'));
  q.press(character_key('?'));
  CHECK(q.has_text("Help: Toot"));
  CHECK_FALSE(q.has_text("flip"));
}

TEST_CASE("a board that is renamed on its own screen stays turned", "[large]") {
  TestApp p;
  p.start_board("chaos");
  p.press(kF9);
  REQUIRE(p.has_text("o o o   -a"));
  p.type("rename mine\n");
  CHECK(p.has_text("The new name is mine."));
  CHECK(p.has_text("o o o   -a"));
  // So it does line by line.
  std::istringstream in("open mine\nrename yours\nquit\n");
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings(p.directory / "settings.yaml"), read_help_topic, in,
                out, false);
  Settings again(p.directory / "settings.yaml");
  Preferences usual = again.preferences();
  usual.board_size = 1;
  again.set_for_run(usual);
  App anew{p.all_boards, again, read_help_topic, {source_root() / "themes"}};
  anew.show(*p.local_boards.open("yours"));
  CHECK(find_text(anew.draw(kScreenSize), "o o o   -a").has_value());
}
