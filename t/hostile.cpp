// SPDX-License-Identifier: MIT
// Tests the real program at bad terminals: any size or type, stopped or cut off on any screen, with
// any bytes as input. None of this may play a ply, print control characters, or harm a save.
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/text.hpp"
#include "boards/local_boards.hpp"
#include "test_app.hpp"
#include "terminal_user.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned kSeed = 20261129;

// A screen: the keys from a board of Toot after CT to it, and the texts that appear.
struct ScreenRoute {
  const char* name;
  std::vector<std::string> keys;
  std::vector<std::string> shown_texts;
};
const std::vector<ScreenRoute>& screen_routes() {
  static const std::string esc(kEscapeKey);
  static const std::vector<ScreenRoute> all{
      {"a board", {}, {"wilma (OTTO)>"}},
      {"a move half typed", {"b"}, {"BO BT"}},
      {"a move picked", {"\t"}, {"Arrows and Tab move"}},
      {"a move looked at", {"bo", "\017"}, {"Enter plays it.", "Not played yet"}},
      {"a board looked back on", {"\020"}, {"1 move follows"}},
      {"moves tried", {"\033OR"}, {"Trying moves"}},
      {"help", {"?"}, {"Help: Toot"}},
      {"rules searched", {"\033OP", "/letter"}, {"more lines", "search: letter"}},
      {"settings", {"\033OS"}, {"> theme"}},
      {"the lobby", {esc}, {"pbmplay - 1 game"}},
      {"a filter half typed",
       {esc, "/", "too"},
       {"pbmplay - 1 game", "show only", "show only: too"}},
      {"the form", {esc, "s"}, {"pbmplay - 1 game", "New game"}},
      {"the question whether to leave", {"\003"}, {"y or n"}},
  };
  return all;
}

void go_to_screen(TerminalRun& run, const ScreenRoute& place) {
  run.wait_for("wilma (OTTO)>");
  for (std::size_t i = 0; i < place.keys.size(); ++i) {
    run.type(place.keys[i]);
    run.wait_for(place.shown_texts[i]);
  }
}

// Checks that every save of a player can be read.
void check_saves(const TerminalUser& person) {
  for (const auto& entry : fs::directory_iterator(person.saves_directory())) {
    if (entry.path().extension() != ".yaml") continue;
    const auto board = open_save(entry.path());
    INFO(entry.path() << (board ? "" : ": " + board.refusal().reason));
    CHECK(board.ok());
  }
}

// Returns random bytes; sequences with a meaning are more frequent.
std::string random_bytes(std::mt19937& random, std::size_t bytes) {
  static const std::vector<std::string> parts{"\033",
                                              "\033[",
                                              "\033[A",
                                              "\033[<0;3;5M",
                                              "\033]0;title\a",
                                              "\033P",
                                              "\r",
                                              "\n",
                                              "\t",
                                              "BT",
                                              "at",
                                              "\xe5\xb1\xb1",
                                              "\xcc\x81",
                                              "\xff",
                                              "\033[200~",
                                              "\033[?1049l",
                                              "\033[999999999999;1H",
                                              "\x9b",
                                              "undo\r",
                                              "?",
                                              " "};
  std::string out;
  while (out.size() < bytes) {
    if (random_below(random, 3) == 0) out += parts[random_below(random, parts.size())];
    else out += static_cast<char>(random_below(random, 256));
  }
  return out;
}

// Checks that the output contains only text, the program's sequences and cursor movements.
void check_output(const TerminalRun& run) {
  CHECK(one_per_line(run.unknown_output()) == "");
  std::set<int> controls;
  for (const char c : run.output())
    if ((c >= 0 && c < ' ') || c == 0x7F) controls.insert(c);
  for (const int c : controls) {
    INFO("control byte " << c);
    CHECK((c == 0x1B || c == '\r' || c == '\n' || c == '\b' || c == '\t'));
  }
}

}  // namespace

TEST_CASE("on every screen every size is survived, and nothing is played meanwhile",
          "[terminal][hostile]") {
  std::mt19937 random(kSeed);
  INFO("seed " << kSeed);
  for (const ScreenRoute& place : screen_routes()) {
    INFO(place.name);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    const std::string bytes = read_bytes(file);
    TerminalRun run(person.make_launch({"open", file.string()}));
    go_to_screen(run, place);
    const auto before = run.screen_rows();
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, {1, 500}, {500, 1}, {200, 500}, {12, 40}, {11, 39}, {24, 80}}) {
      run.resize(rows, columns);
      run.wait_idle();
      INFO(columns << "x" << rows);
      REQUIRE(run.is_running());
      if (rows < kSmallestSize.rows || columns < kSmallestSize.columns) continue;
      CHECK(run.cursor().row < rows);
      CHECK_FALSE(run.has_text("pbmplay needs"));
    }
    run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });
    // Many sizes in quick succession; on the board itself with keys between them.
    const bool typing = place.keys.empty();
    for (int i = 0; i < 40; ++i) {
      run.resize(1 + static_cast<int>(random_below(random, 60)),
                 1 + static_cast<int>(random_below(random, 200)));
      if (random_below(random, 4) == 0) run.read_for(Millis(1));
      if (typing && random_below(random, 5) == 0) run.type("b");
    }
    run.resize(24, 80);
    // The program ignores keys while the window is too small.
    for (int tries = 0; typing && tries < 5 && run.screen_rows() != before; ++tries) {
      run.wait_idle();
      run.type(kCtrlU);
      run.wait_idle();
    }
    run.wait_until("the screen as it was", [&] { return run.screen_rows() == before; });
    check_output(run);
    CHECK(read_bytes(file) == bytes);
  }
}

TEST_CASE("on every kind of terminal a move can be played, or it is said why not",
          "[terminal][hostile]") {
  for (const std::optional<std::string>& term : {std::optional<std::string>("xterm"),
                                                 {"xterm-256color"},
                                                 {"vt100"},
                                                 {"vt220"},
                                                 {"linux"},
                                                 {"screen"},
                                                 {"screen-256color"},
                                                 {"tmux-256color"},
                                                 {"rxvt"},
                                                 {"ansi"},
                                                 {"dumb"},
                                                 {"unknown"},
                                                 {""},
                                                 {std::nullopt}}) {
    INFO("TERM " << term.value_or("unset"));
    for (const bool utf8 : {true, false}) {
      TerminalUser person;
      const fs::path file = person.write_toot_board();
      LaunchOptions launch = person.make_launch({"open", file.string()});
      launch.environment["TERM"] = term;
      if (!utf8) launch.environment["LC_ALL"] = launch.environment["LANG"] = "C";
      TerminalRun run(launch);
      run.wait_until("a prompt",
                     [&] { return run.has_text("fred (TOOT)>") || run.has_text("move>"); });
      run.wait_idle();
      const bool lines = run.has_text("move>");
      const bool poor = !term || term->empty() || *term == "dumb" || *term == "unknown";
      CHECK(lines == poor);
      run.type("bt\r");
      run.wait_for("drops a T down column B.");
      CHECK(read_plies(file) == std::vector<std::string>{"BT"});
      if (lines) {
        CHECK(run.has_text("pbmplay: The terminal type '"));
        run.type("quit\r");
      } else {
        const auto sequences = list_sequences(run.output());
        // This emulator wraps too early after a glyph repeated up to the last column but one: the
        // line below the title then takes one more row.
        const bool repeats =
            std::find(sequences.begin(), sequences.end(), "ESC[Nb") != sequences.end();
        INFO(run.screen_text() << one_per_line(sequences));
        CHECK((repeats || is_drawing_shown(run, read_drawing(file))));
        CHECK((!repeats || !utf8 || term == "ansi"));
        run.type(kCtrlC);
        run.wait_for("y or n");
        run.type("y");
      }
      CHECK(run.wait_exit().status == 0);
      CHECK(run.is_line_mode());
      if (!utf8) CHECK(is_ascii(run.output()));
      if (!lines) continue;
      for (const char c : run.output()) CHECK((c == '\r' || c == '\n' || (c >= ' ' && c < 0x7f)));
    }
  }
}

TEST_CASE(
    "on every screen Ctrl-Z gives the terminal back, and the screen is there again afterwards",
    "[terminal][hostile]") {
  for (const ScreenRoute& place : screen_routes()) {
    INFO(place.name);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    LaunchOptions launch = person.make_launch({"open", file.string()});
    launch.has_job_control = true;
    TerminalRun run(launch);
    go_to_screen(run, place);
    const auto before = run.screen_rows();
    run.type(kCtrlZ);
    run.wait_stopped();
    CHECK(run.is_line_mode());
    run.bring_to_front();
    run.wait_until("the screen as it was",
                   [&] { return run.is_alternate_screen() && run.screen_rows() == before; });
    run.wait_idle();
    CHECK(read_plies(file).size() == 1);
  }
}

TEST_CASE("after a hangup the board is there again, and what was typed", "[terminal][hostile]") {
  TerminalUser person;
  person.write_toot_board();
  for (const bool signalled : {false, true}) {
    TerminalRun before(person.make_launch({"open", "toot-101"}));
    before.wait_for("(TOOT)>");
    before.type("note good");
    before.wait_for("> note good");
    if (signalled) before.send_signal(SIGHUP);
    else before.hang_up();
    before.wait_exit();
    TerminalRun again(person.make_launch({}));
    again.wait_for("This is where you were");
    again.wait_for("> note good");
    again.type(" play\r");
    again.wait_for("Noted on");
    again.type("\033");
    again.wait_for("pbmplay - 1 game");
    again.type("q");
    again.wait_exit();
    // A player who leaves with q starts in the lobby again.
    TerminalRun lobby(person.make_launch({}));
    lobby.wait_for("1 game");
    lobby.type("q");
    lobby.wait_exit();
  }
}

TEST_CASE("after a hangup a board is there again where it was, and nowhere else",
          "[terminal][hostile]") {
  TerminalUser person;
  person.write_toot_board();
  const std::string other = (person.home_directory() / "other").string();
  TerminalRun before(person.make_launch({"toot", "carl", "dora", "--saves", other}));
  before.wait_for("carl (TOOT)>");
  before.type("BT");
  before.wait_for("> BT");
  before.hang_up();
  before.wait_exit();
  TerminalRun usual(person.make_launch({}));
  usual.wait_for("pbmplay - 1 game");
  usual.type("q");
  usual.wait_exit();
  TerminalRun again(person.make_launch({"--saves", other}));
  again.wait_for("This is where you were");
  again.wait_for("carl (TOOT)> BT");
  again.hang_up();
  again.wait_exit();
}

TEST_CASE("on every screen a hangup ends the program, told of it or not, with everything kept",
          "[terminal][hostile]") {
  for (const ScreenRoute& place : screen_routes())
    for (const bool told : {true, false}) {
      INFO(place.name << (told ? ", told" : ", not told"));
      TerminalUser person;
      const fs::path file = person.write_toot_board({}, "ct");
      const std::string bytes = read_bytes(file);
      LaunchOptions launch = person.make_launch({"open", file.string()});
      launch.is_controlling = told;
      TerminalRun run(launch);
      go_to_screen(run, place);
      const double cpu = run.cpu_seconds();
      double spent = cpu;
      run.hang_up();
      const auto limit = Clock::now() + std::chrono::seconds(20);
      while (run.is_running() && Clock::now() < limit) {
        spent = std::max(spent, run.cpu_seconds());
        run.read_for(Millis(2));
      }
      CHECK_FALSE(run.is_running());
      CHECK(spent - cpu < 1);
      CHECK(read_bytes(file) == bytes);
    }
}

namespace {

void paste_junk(std::size_t amount) {
  std::mt19937 random(kSeed + 1);
  INFO("seed " << kSeed + 1);
  for (const ScreenRoute& place : screen_routes()) {
    INFO(place.name);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    TerminalRun run(person.make_launch({"open", file.string()}));
    go_to_screen(run, place);
    std::string bytes = random_bytes(random, amount);
    for (std::size_t at = 0; (at = bytes.find("\033[201~", at)) != std::string::npos;)
      bytes.erase(at, 6);
    run.type("\033[200~" + bytes + "\033[201~");
    run.wait_idle();
    REQUIRE(run.is_running());
    CHECK(read_plies(file) == std::vector<std::string>{"CT"});
    check_output(run);
    check_saves(person);
  }
}

void type_junk(std::size_t amount) {
  std::mt19937 random(kSeed + 2);
  INFO("seed " << kSeed + 2);
  for (const ScreenRoute& place : screen_routes()) {
    INFO(place.name);
    TerminalUser person;
    const fs::path file = person.write_toot_board({}, "ct");
    TerminalRun run(person.make_launch({"open", file.string()}));
    go_to_screen(run, place);
    std::string bytes = random_bytes(random, amount);
    // Ctrl-C asks a question. After Ctrl-Z the other keys would be for a shell. A q leaves the
    // lobby.
    std::erase_if(bytes, [](char c) { return c == '\003' || c == '\032' || c == 'q'; });
    run.type(bytes);
    run.wait_until("all of it read", [&] {
      if (!run.is_running()) return true;
      try {
        run.wait_idle(Millis(200));
        return true;
      } catch (const TerminalError&) {
        return false;
      }
    });
    INFO(run.screen_text());
    REQUIRE(run.is_running());
    check_output(run);
    check_saves(person);
  }
}

void press_at_random(int presses) {
  std::mt19937 random(kSeed + 3);
  INFO("seed " << kSeed + 3);
  std::vector<Key> keys{
      {Key::Code::enter},        {Key::Code::escape},    {Key::Code::tab},
      {Key::Code::back_tab},     {Key::Code::backspace}, {Key::Code::delete_key},
      {Key::Code::left},         {Key::Code::right},     {Key::Code::up},
      {Key::Code::down},         {Key::Code::home},      {Key::Code::end},
      {Key::Code::page_up},      {Key::Code::page_down}, {Key::Code::paste_mark, 1},
      {Key::Code::paste_mark, 0}};
  for (char32_t n = 1; n <= 12; ++n) keys.push_back({Key::Code::function, n});
  for (char c = 'A'; c <= 'Z'; ++c)
    if (c != 'C') keys.push_back(control_key(c));
  for (char32_t c = ' '; c < 0x7F; ++c)
    if (c != 'q') keys.push_back(character_key(c));
  for (const char32_t c : {U'é', U'山', U'\u0301', U'\u202E', U'\U0001F600', U'\0'})
    keys.push_back(character_key(c));
  std::string words = "resign undo redo copy try note propose accept reject";
  for (const GameType& game : all_games()) {
    INFO(game.name);
    TestApp desk;
    desk.start_board(game.name);
    for (int i = 0; i < presses; ++i) {
      // Without some plies and words a game would make no progress.
      if (random_below(random, 40) == 0) {
        const auto list = pbm::split_words(words);
        for (const char c : list[random_below(random, list.size())])
          desk.app.press(character_key(static_cast<char32_t>(c)));
      }
      const Key key = random_below(random, 12) == 0
                          ? make_click({static_cast<int>(random_below(random, 24)),
                                        static_cast<int>(random_below(random, 80))})
                          : keys[random_below(random, keys.size())];
      desk.app.press(key);
      if (random_below(random, 4) != 0) continue;  // one drawing for a burst of keys
      const Size size = random_below(random, 50) == 0
                            ? Size{static_cast<int>(random_below(random, 60)),
                                   static_cast<int>(random_below(random, 140))}
                            : kScreenSize;
      const Canvas canvas = desk.app.draw(size);
      REQUIRE(canvas.size() == size);
      if (canvas.cursor)
        REQUIRE((canvas.cursor->row >= 0 && canvas.cursor->row < size.rows &&
                 canvas.cursor->column >= 0 && canvas.cursor->column < size.columns));
    }
    CHECK_FALSE(desk.app.is_done());
    for (const BoardSummary& line : desk.local_boards.list()) {
      INFO(line.id << ": " << line.state());
      CHECK(line.load_error.empty());
    }
  }
}

}  // namespace

TEST_CASE("pasted junk plays nothing, whatever is in it", "[terminal][hostile]") {
  paste_junk(8 * 1024);
}
TEST_CASE("pasted junk plays nothing, however much it is", "[terminal][hostile][long]") {
  paste_junk(100 * 1024);
}
TEST_CASE("junk that is typed harms no save and writes nothing strange", "[terminal][hostile]") {
  type_junk(8 * 1024);
}
TEST_CASE("junk that is typed harms no save, however much it is", "[terminal][hostile][long]") {
  type_junk(100 * 1024);
}
TEST_CASE("keys at random break nothing in any game", "[hostile]") { press_at_random(2500); }
TEST_CASE("twenty thousand keys at random break nothing in any game", "[hostile][long]") {
  press_at_random(20000);
}

TEST_CASE("notes and file names of any letters move no cursor", "[terminal][hostile]") {
  for (const char* text :
       {R"(\x1b[2J\x1b[1;1Hgone)", R"(\x1b]0;title\x07)", R"(\u202Eevil\u2066\u200F)",
        R"(\uFF21\uFF22\u5C71\U0001F600)", R"(e\u0301\u0302\u0303\u0304z)",
        R"(\u0301\u200b\uFEFFx)", R"(\x1bP+q544e\x1b\\)"}) {
    INFO(text);
    TerminalUser person;
    person.write_save(
        "toot-101",
        std::string(
            "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: CT}\n- {note: \"") +
            text + "\", ply: 1}\n");
    person.write_save("\xe5\xb1\xb1\xcc\x81\xe2\x80\xae",
                      "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: DT}\n");
    for (const bool utf8 : {true, false}) {
      if (!utf8 && std::string(text).find("uFF") == std::string::npos) continue;
      LaunchOptions launch = person.make_launch();
      if (!utf8) launch.environment["LC_ALL"] = launch.environment["LANG"] = "C";
      launch.environment["NO_COLOR"] = "1";
      TerminalRun run(launch);
      run.wait_for("pbmplay - 2 games");
      run.type("/fred\r");
      run.wait_for("showing only");
      for (const char* open : {"\r", "j\r"}) {
        run.type(open);
        run.wait_for("? help  Esc back");
        run.type("\026");
        run.wait_for("Esc back");
        run.type(kEscapeKey);
        run.wait_for("? help  Esc back");
        run.type(kEscapeKey);
        run.wait_for("pbmplay - 2 games");
      }
      check_output(run);
      CHECK_FALSE(has_colours(run.output()));
      CHECK(run.output().find("\xe2\x80\xae") == std::string::npos);
      if (!utf8) CHECK(is_ascii(run.output()));
    }
  }
}
