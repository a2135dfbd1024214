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
#include "pty_user.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned kSeed = 20261129;

// A screen: the keys from a board of Toot after CT to it, and the texts that appear.
struct Place {
  const char* name;
  std::vector<std::string> keys;
  std::vector<std::string> shows;
};
const std::vector<Place>& places() {
  static const std::string esc(kEscapeKey);
  static const std::vector<Place> all{
      {"a board", {}, {"wilma (OTTO)>"}},
      {"a move half typed", {"b"}, {"BO BT"}},
      {"a move picked", {"\t"}, {"Arrows and Tab move"}},
      {"a move looked at", {"bo", "\017"}, {"[Enter]", "Not played yet"}},
      {"a board looked back on", {"\020"}, {"1 move ahead"}},
      {"moves tried", {"\033OR"}, {"Trying moves"}},
      {"help", {"?"}, {"Help: Toot"}},
      {"rules searched", {"\033OP", "/letter"}, {"more lines", "search: letter"}},
      {"settings", {"\033OS"}, {"> theme"}},
      {"the lobby", {esc}, {"pbmplay - 1 board"}},
      {"a filter half typed",
       {esc, "/", "too"},
       {"pbmplay - 1 board", "show only", "show only: too"}},
      {"the form", {esc, "s"}, {"pbmplay - 1 board", "New board"}},
      {"the question whether to leave", {"\003"}, {"y or n"}},
  };
  return all;
}

void go(TerminalRun& run, const Place& place) {
  run.wait_for("wilma (OTTO)>");
  for (std::size_t i = 0; i < place.keys.size(); ++i) {
    run.type(place.keys[i]);
    run.wait_for(place.shows[i]);
  }
}

// Checks that every save of a player can be read.
void check_saves(const PtyUser& person) {
  for (const auto& entry : fs::directory_iterator(person.saves())) {
    if (entry.path().extension() != ".yaml") continue;
    const auto board = open_save(entry.path());
    INFO(entry.path() << (board ? "" : ": " + board.refusal().why));
    CHECK(board.ok());
  }
}

// Returns random bytes; sequences with a meaning are more frequent.
std::string junk(std::mt19937& random, std::size_t bytes) {
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
    if (below(random, 3) == 0) out += parts[below(random, parts.size())];
    else out += static_cast<char>(below(random, 256));
  }
  return out;
}

// Checks that the output contains only text, the program's sequences and cursor movements.
void check_output(const TerminalRun& run) {
  CHECK(listed(run.oddities()) == "");
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
  for (const Place& place : places()) {
    INFO(place.name);
    PtyUser person;
    const fs::path file = person.board({}, "ct");
    const std::string bytes = bytes_of(file);
    TerminalRun run(person.launch({"open", file.string()}));
    go(run, place);
    const auto before = run.screen();
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, {1, 500}, {500, 1}, {200, 500}, {12, 40}, {11, 39}, {24, 80}}) {
      run.resize(rows, columns);
      run.settle();
      INFO(columns << "x" << rows);
      REQUIRE(run.running());
      if (rows < kSmallest.rows || columns < kSmallest.columns) continue;
      CHECK(run.cursor().row < rows);
      CHECK_FALSE(run.shows("pbmplay needs"));
    }
    run.wait_until("the screen as it was", [&] { return run.screen() == before; });
    // Many sizes in quick succession; on the board itself with keys between them.
    const bool typing = place.keys.empty();
    for (int i = 0; i < 40; ++i) {
      run.resize(1 + static_cast<int>(below(random, 60)), 1 + static_cast<int>(below(random, 200)));
      if (below(random, 4) == 0) run.watch(Millis(1));
      if (typing && below(random, 5) == 0) run.type("b");
    }
    run.resize(24, 80);
    // The program ignores keys while the window is too small.
    for (int tries = 0; typing && tries < 5 && run.screen() != before; ++tries) {
      run.settle();
      run.type(kCtrlU);
      run.settle();
    }
    run.wait_until("the screen as it was", [&] { return run.screen() == before; });
    check_output(run);
    CHECK(bytes_of(file) == bytes);
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
      PtyUser person;
      const fs::path file = person.board();
      Launch launch = person.launch({"open", file.string()});
      launch.environment["TERM"] = term;
      if (!utf8) launch.environment["LC_ALL"] = launch.environment["LANG"] = "C";
      TerminalRun run(launch);
      run.wait_until("a prompt", [&] { return run.shows("fred (TOOT)>") || run.shows("move>"); });
      run.settle();
      const bool lines = run.shows("move>");
      const bool poor = !term || term->empty() || *term == "dumb" || *term == "unknown";
      CHECK(lines == poor);
      run.type("bt\r");
      run.wait_for("drops a T down column B.");
      CHECK(plies_in(file) == std::vector<std::string>{"BT"});
      if (lines) {
        CHECK(run.shows("pbmplay: The terminal type '"));
        run.type("quit\r");
      } else {
        const auto sequences = sequences_in(run.output());
        // This emulator wraps too early after a glyph repeated up to the last column but one: the
        // line below the title then takes one more row.
        const bool repeats =
            std::find(sequences.begin(), sequences.end(), "ESC[Nb") != sequences.end();
        INFO(run.text() << listed(sequences));
        CHECK((repeats || shows_drawing(run, drawing_of(file))));
        CHECK((!repeats || !utf8 || term == "ansi"));
        run.type(kCtrlC);
        run.wait_for("y or n");
        run.type("y");
      }
      CHECK(run.wait_exit().status == 0);
      CHECK(run.line_by_line());
      if (!utf8) CHECK(is_ascii(run.output()));
      if (!lines) continue;
      for (const char c : run.output()) CHECK((c == '\r' || c == '\n' || (c >= ' ' && c < 0x7f)));
    }
  }
}

TEST_CASE(
    "on every screen Ctrl-Z gives the terminal back, and the screen is there again afterwards",
    "[terminal][hostile]") {
  for (const Place& place : places()) {
    INFO(place.name);
    PtyUser person;
    const fs::path file = person.board({}, "ct");
    Launch launch = person.launch({"open", file.string()});
    launch.job_control = true;
    TerminalRun run(launch);
    go(run, place);
    const auto before = run.screen();
    run.type(kCtrlZ);
    run.wait_stopped();
    CHECK(run.line_by_line());
    run.bring_to_front();
    run.wait_until("the screen as it was",
                   [&] { return run.alternate_screen() && run.screen() == before; });
    run.settle();
    CHECK(plies_in(file).size() == 1);
  }
}

TEST_CASE("after a hangup the board is there again, and what was typed", "[terminal][hostile]") {
  PtyUser person;
  person.board();
  for (const bool signalled : {false, true}) {
    TerminalRun before(person.launch({"open", "toot-101"}));
    before.wait_for("(TOOT)>");
    before.type("note good");
    before.wait_for("> note good");
    if (signalled) before.signal(SIGHUP);
    else before.hang_up();
    before.wait_exit();
    TerminalRun again(person.launch({}));
    again.wait_for("this is where you were");
    again.wait_for("> note good");
    again.type(" play\r");
    again.wait_for("Noted on");
    again.type("\033");
    again.wait_for("toot-101");
    again.type("q");
    again.wait_exit();
    // A player who leaves with q starts in the lobby again.
    TerminalRun lobby(person.launch({}));
    lobby.wait_for("1 board");
    lobby.type("q");
    lobby.wait_exit();
  }
}

TEST_CASE("after a hangup a board is there again where it was, and nowhere else",
          "[terminal][hostile]") {
  PtyUser person;
  person.board();
  const std::string other = (person.home() / "other").string();
  TerminalRun before(person.launch({"toot", "carl", "dora", "--saves", other}));
  before.wait_for("carl (TOOT)>");
  before.type("BT");
  before.wait_for("> BT");
  before.hang_up();
  before.wait_exit();
  TerminalRun usual(person.launch({}));
  usual.wait_for("pbmplay - 1 board");
  usual.type("q");
  usual.wait_exit();
  TerminalRun again(person.launch({"--saves", other}));
  again.wait_for("this is where you were");
  again.wait_for("carl (TOOT)> BT");
  again.hang_up();
  again.wait_exit();
}

TEST_CASE("on every screen a hangup ends the program, told of it or not, with everything kept",
          "[terminal][hostile]") {
  for (const Place& place : places())
    for (const bool told : {true, false}) {
      INFO(place.name << (told ? ", told" : ", not told"));
      PtyUser person;
      const fs::path file = person.board({}, "ct");
      const std::string bytes = bytes_of(file);
      Launch launch = person.launch({"open", file.string()});
      launch.controlling = told;
      TerminalRun run(launch);
      go(run, place);
      const double cpu = run.cpu_seconds();
      double spent = cpu;
      run.hang_up();
      const auto limit = Clock::now() + std::chrono::seconds(5);
      while (run.running() && Clock::now() < limit) {
        spent = std::max(spent, run.cpu_seconds());
        run.watch(Millis(2));
      }
      CHECK_FALSE(run.running());
      CHECK(spent - cpu < 0.2);
      CHECK(bytes_of(file) == bytes);
    }
}

namespace {

void paste_junk(std::size_t amount) {
  std::mt19937 random(kSeed + 1);
  INFO("seed " << kSeed + 1);
  for (const Place& place : places()) {
    INFO(place.name);
    PtyUser person;
    const fs::path file = person.board({}, "ct");
    TerminalRun run(person.launch({"open", file.string()}));
    go(run, place);
    std::string bytes = junk(random, amount);
    for (std::size_t at = 0; (at = bytes.find("\033[201~", at)) != std::string::npos;)
      bytes.erase(at, 6);
    run.type("\033[200~" + bytes + "\033[201~");
    run.settle();
    REQUIRE(run.running());
    CHECK(plies_in(file) == std::vector<std::string>{"CT"});
    check_output(run);
    check_saves(person);
  }
}

void type_junk(std::size_t amount) {
  std::mt19937 random(kSeed + 2);
  INFO("seed " << kSeed + 2);
  for (const Place& place : places()) {
    INFO(place.name);
    PtyUser person;
    const fs::path file = person.board({}, "ct");
    TerminalRun run(person.launch({"open", file.string()}));
    go(run, place);
    std::string bytes = junk(random, amount);
    // Ctrl-C asks a question. After Ctrl-Z the other keys would be for a shell. A q leaves the
    // lobby.
    std::erase_if(bytes, [](char c) { return c == '\003' || c == '\032' || c == 'q'; });
    run.type(bytes);
    run.wait_until("all of it read", [&] {
      if (!run.running()) return true;
      try {
        run.settle(Millis(200));
        return true;
      } catch (const TerminalTrouble&) {
        return false;
      }
    });
    INFO(run.text());
    REQUIRE(run.running());
    check_output(run);
    check_saves(person);
  }
}

void press_at_random(int presses) {
  std::mt19937 random(kSeed + 3);
  INFO("seed " << kSeed + 3);
  std::vector<Key> keys{
      {Key::Code::enter},     {Key::Code::escape},    {Key::Code::tab},      {Key::Code::back_tab},
      {Key::Code::backspace}, {Key::Code::remove},    {Key::Code::left},     {Key::Code::right},
      {Key::Code::up},        {Key::Code::down},      {Key::Code::home},     {Key::Code::end},
      {Key::Code::page_up},   {Key::Code::page_down}, {Key::Code::paste, 1}, {Key::Code::paste, 0}};
  for (char32_t n = 1; n <= 12; ++n) keys.push_back({Key::Code::function, n});
  for (char c = 'A'; c <= 'Z'; ++c)
    if (c != 'C') keys.push_back(ctrl(c));
  for (char32_t c = ' '; c < 0x7F; ++c)
    if (c != 'q') keys.push_back(typed(c));
  for (const char32_t c : {U'é', U'山', U'\u0301', U'\u202E', U'\U0001F600', U'\0'})
    keys.push_back(typed(c));
  std::string words = "resign undo redo copy try note propose accept reject";
  for (const GameType& game : all_games()) {
    INFO(game.name);
    TestApp desk;
    desk.start(game.name);
    for (int i = 0; i < presses; ++i) {
      // Without some plies and words a game would make no progress.
      if (below(random, 40) == 0) {
        const auto list = pbm::words(words);
        for (const char c : list[below(random, list.size())])
          desk.app.press(typed(static_cast<char32_t>(c)));
      }
      const Key key =
          below(random, 12) == 0
              ? click_at({static_cast<int>(below(random, 24)), static_cast<int>(below(random, 80))})
              : keys[below(random, keys.size())];
      desk.app.press(key);
      if (below(random, 4) != 0) continue;  // one drawing for a burst of keys
      const Size size = below(random, 50) == 0 ? Size{static_cast<int>(below(random, 60)),
                                                      static_cast<int>(below(random, 140))}
                                               : kScreen;
      const Canvas canvas = desk.app.draw(size);
      REQUIRE(canvas.size() == size);
      if (canvas.cursor)
        REQUIRE((canvas.cursor->row >= 0 && canvas.cursor->row < size.rows &&
                 canvas.cursor->column >= 0 && canvas.cursor->column < size.columns));
    }
    CHECK_FALSE(desk.app.done());
    for (const BoardSummary& line : desk.boards.list()) {
      INFO(line.id << ": " << line.state());
      CHECK(line.broken.empty());
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
    PtyUser person;
    person.save(
        "toot-101",
        std::string(
            "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: CT}\n- {note: \"") +
            text + "\", ply: 1}\n");
    person.save("\xe5\xb1\xb1\xcc\x81\xe2\x80\xae",
                "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: DT}\n");
    for (const bool utf8 : {true, false}) {
      if (!utf8 && std::string(text).find("uFF") == std::string::npos) continue;
      Launch launch = person.launch();
      if (!utf8) launch.environment["LC_ALL"] = launch.environment["LANG"] = "C";
      launch.environment["NO_COLOR"] = "1";
      TerminalRun run(launch);
      run.wait_for("pbmplay - 2 boards");
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
        run.wait_for("pbmplay - 2 boards");
      }
      check_output(run);
      CHECK_FALSE(sets_colours(run.output()));
      CHECK(run.output().find("\xe2\x80\xae") == std::string::npos);
      if (!utf8) CHECK(is_ascii(run.output()));
    }
  }
}
