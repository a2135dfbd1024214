// SPDX-License-Identifier: MIT
// The real program as a shell sees it: the output on each stream, and the exit status.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>

#include "base/files.hpp"
#include "cli/command.hpp"
#include "run.hpp"
#include "support.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// Returns the status and both outputs as one text, for comparisons.
std::string result_text(const RunResult& r) {
  return std::to_string(r.status) + "\n" + r.out + (r.err.empty() ? "" : "--\n" + r.err);
}

const std::string kEmpty = "A B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n";
const std::string kStartHoldings = "fred has 6 T 6 O and wilma has 6 T 6 O.\n";

bool has_no_control_bytes(const std::string& s) {
  return std::all_of(s.begin(), s.end(), [](char c) {
    return c == '\n' || (c >= ' ' && c != 0x7f) || static_cast<unsigned char>(c) >= 0xa0;
  });
}

}  // namespace

TEST_CASE("new writes a save and says nothing", "[cli]") {
  const TestHome home;
  CHECK(result_text(home({"new", "a.yaml", "toot", "fred", "wilma"})) == "0\n");
  const std::string text = read_bytes(home.dir / "a.yaml");
  CHECK(text.substr(0, 63) ==
        "format: 1\ngame: toot\noptions: []\nseats: [fred, wilma]\nstarted: ");
  CHECK(text.substr(text.size() - 7) == "plies:\n");
  CHECK(result_text(home({"new", "a.yaml", "toot"})) ==
        "1\n--\npbmplay: a.yaml exists already. Choose another name.\n");
  CHECK(read_bytes(home.dir / "a.yaml") == text);
  CHECK(home({"new", "no-ending", "Toot"}).status == 0);
  CHECK(home({"show", "no-ending"}).status == 0);
  CHECK(home({"new", "below/deeper/a.yaml", "toot"}).status == 0);
}

TEST_CASE("show prints the drawing and one line, and nothing else", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  CHECK(result_text(home({"show", "a.yaml"})) ==
        "0\n" + kEmpty + kStartHoldings + "It is fred's turn (TOOT).\n");
  CHECK(result_text(home({"move", "a.yaml", "BT", "co", "DO", "FO", "ET"})) ==
        "0\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T O O T O\nfred has 4 T 5 O and "
        "wilma has 6 T 4 O.\nfred (TOOT) wins. TOOT stands in the bottom row, B to E.\n");
  CHECK(result_text(home({"show", "a.yaml#0"})) ==
        "0\n" + kEmpty + kStartHoldings + "It is fred's turn (TOOT).\n");
  CHECK(result_text(home({"show", "a.yaml#1"})) ==
        "0\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T . . . .\nfred has 5 T 6 O and "
        "wilma has 6 T 6 O.\nIt is wilma's turn (OTTO).\n");
  CHECK(home({"show", "a.yaml#5"}).out == home({"show", "a.yaml"}).out);
  for (const std::string ply : {"6", "-1", "", "x", "1x", " 1", "99999999999999999999"}) {
    INFO(ply);
    CHECK(result_text(home({"show", "a.yaml#" + ply})) ==
          "1\n--\npbmplay: This game has 5 moves. Write #0 to #5.\n");
  }
  fs::copy(home.dir / "a.yaml", home.dir / "b#1");
  CHECK(home({"show", "b#1"}).out == home({"show", "a.yaml"}).out);
  CHECK(result_text(home({"show", "a.yaml", "--field=b"})) ==
        "2\n--\npbmplay: Toot has only one drawing style. Leave --field out.\n");
}

TEST_CASE("show tells which seats are the computer's, and the limits of time", "[cli]") {
  const TestHome home;
  std::ofstream(home.dir / "a.yaml")
      << "format: 1\ngame: toot\nseats: [fred, hal]\ncomputer: {2: 3}\n"
         "time: {nag: 7, forfeit: 21}\nplies:\n- BT\n";
  const std::string terms =
      "The computer plays OTTO at level 3.\n"
      "A move is late after 7 days, lost after 21 days.\n";
  CHECK(contains(home({"show", "a.yaml"}).out, terms + "fred has"));
  CHECK(contains(home({"show", "--record", "a.yaml"}).out, "Toot\n" + terms + "\n"));
}

TEST_CASE("picture writes an SVG to standard output or to a new file", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  REQUIRE(home({"move", "a.yaml", "BT", "CO"}).status == 0);
  const RunResult still = home({"picture", "a.yaml"});
  CHECK(still.status == 0);
  CHECK(still.err.empty());
  CHECK(still.out.starts_with("<svg "));
  CHECK(contains(still.out, "2. CO:"));
  CHECK(contains(home({"picture", "a.yaml#1"}).out, "1. BT:"));
  const RunResult moving = home({"picture", "--moves", "a.yaml"});
  CHECK(contains(moving.out, "@keyframes"));
  CHECK(result_text(home({"picture", "a.yaml", "-o", "a.svg"})) == "0\n");
  CHECK(read_bytes(home.dir / "a.svg") == still.out);
  CHECK(result_text(home({"picture", "-o", "b.svg", "a.yaml", "--moves"})) == "0\n");
  CHECK(read_bytes(home.dir / "b.svg") == moving.out);
  CHECK(home({"picture", "a.yaml", "--output=c.svg", "--theme", "paper"}).status == 0);
  CHECK(read_bytes(home.dir / "c.svg") != still.out);
  CHECK(home({"picture", "a.yaml", "-o", "a.svg", "--moves"}).status == 1);
  CHECK(read_bytes(home.dir / "a.svg") == still.out);
  CHECK(home({"picture", "nosuch"}).status == 1);
  CHECK(home({"picture", "a.yaml#9"}).status == 1);
  CHECK(home({"picture", "a.yaml", "-o"}).status == 2);
  CHECK(home({"picture", "a.yaml", "-o", "--moves"}).status == 2);
  CHECK(home({"picture", "a.yaml", "--theme", "nosuch"}).status == 2);
  CHECK(home({"legal", "a.yaml", "-o", "x"}).status == 2);
  CHECK(home({"show", "a.yaml", "--record", "-o", "a.txt"}).status == 0);
  CHECK(read_bytes(home.dir / "a.txt") == home({"show", "a.yaml", "--record"}).out);
}

TEST_CASE("new reads a game from a record or a mail that quotes it", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "-size=7x9", "fred", "wilma"}).status == 0);
  REQUIRE(home({"move", "a.yaml", "BT", "CO", "resign"}).status == 0);
  const std::string record = home({"show", "a.yaml", "--record"}).out;
  std::ofstream(home.dir / "a.txt") << record;
  CHECK(result_text(home({"new", "b.yaml", "--from", "a.txt"})) == "0\n");
  CHECK(home({"show", "b.yaml", "--record"}).out == record);
  std::string mail = "Your move?\r\n";
  for (const std::string_view line : split_lines(record))
    mail += "> > " + std::string(line) + "\r\n";
  CHECK(result_text(home({"new", "c.yaml", "--from", "-"}, mail)) == "0\n");
  CHECK(home({"show", "c.yaml", "--record"}).out == record);
  // Nothing is written when the text or the command line is wrong.
  CHECK(result_text(home({"new", "d.yaml", "--from", "-"}, "Hello\n"))
            .starts_with("1\n--\npbmplay: standard input, line 1: "));
  CHECK(home({"new", "d.yaml", "--from", "-"}, std::string(3 << 20, 'x')).status == 1);
  CHECK(home({"new", "d.yaml", "--from", "nosuch.txt"}).status == 1);
  CHECK(home({"new", "d.yaml", "toot", "--from", "a.txt"}).status == 2);
  CHECK(home({"new", "d.yaml", "-size=7x9", "--from", "a.txt"}).status == 2);
  CHECK(home({"new", "d.yaml"}).status == 2);
  CHECK(home({"new", "d.yaml", "nosuch"}).status == 2);
  CHECK_FALSE(fs::exists(home.dir / "d.yaml"));
  CHECK(home({"new", "b.yaml", "--from", "a.txt"}).status == 1);  // it exists already
}

TEST_CASE("show draws a game of several drawings as asked", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "s.yaml", "soccolot", "fred", "wilma"}).status == 0);
  const RunResult a = home({"show", "s.yaml"}), b = home({"show", "--field=B", "s.yaml"}),
                  c = home({"show", "s.yaml", "--field", "c"});
  CHECK(a.status == 0);
  CHECK(home({"show", "s.yaml", "--field=a"}).out == a.out);
  CHECK(b.status == 0);
  CHECK(c.status == 0);
  CHECK(a.out != b.out);
  CHECK(b.out != c.out);
  CHECK(home({"show", "s.yaml", "--field=d"}).status == 2);
  CHECK(home({"show", "s.yaml", "--field=ab"}).status == 2);
}

TEST_CASE("an example that is not there is told of with those that are", "[cli]") {
  const TestHome home;
  for (const Words& words : std::vector<Words>{{"show", "example:nosuch"},
                                               {"open", "example:nosuch"},
                                               {"move", "example:nosuch", "AT"}}) {
    const RunResult r = home(words);
    CAPTURE(words, r.err);
    CHECK(r.status == 1);
    CHECK(r.err.starts_with("pbmplay: There is no example 'nosuch'. Choose chaos, "));
    CHECK_FALSE(contains(r.err, "/"));
  }
}

TEST_CASE("a home directory that is not there is not made", "[cli]") {
  const TemporaryDirectory dir;
  for (const std::string home : {"home", "home/", "home/deeper"}) {
    const fs::path missing = dir.path() / home;
    const auto there = [&](const Words& words) {
      return run_program(
          words, {.home = missing, .input = "", .directory = "", .output = "", .variables = {}});
    };
    const RunResult begun = there({"toot", "--line"});
    INFO(begun.err);
    CHECK(begun.status == 3);
    CHECK(contains(begun.err,
                   "pbmplay: There is no home directory " + dir.path().string() + "/home"));
    CHECK(there({"serve", "--dir", (dir / "d").string()}).status == 3);
    CHECK(there({"--line"}).status == 0);
    CHECK(there({"show", "example:toot"}).status == 0);
    CHECK_FALSE(fs::exists(dir / "home"));
  }
}

TEST_CASE("moves are played all or none", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  REQUIRE(home({"move", "a.yaml", "BT"}).status == 0);
  const std::string before = read_bytes(home.dir / "a.yaml");
  CHECK(result_text(home({"move", "a.yaml", "CO", "CX"})) ==
        "1\n--\npbmplay: You cannot drop 'X'. Drop T or O.\n  CX\n   ^\n");
  CHECK(result_text(home({"move", "a.yaml", "GO"})) ==
        "1\n--\npbmplay: There is no column G. The columns are A to F.\n  GO\n  ^\n");
  CHECK(result_text(home({"move", "a.yaml", "BTT"})) ==
        "1\n--\npbmplay: Too long. A move is one column and one letter, for example BT.\n  BTT\n   "
        " ^\n");
  CHECK(result_text(home({"move", "a.yaml", "b"})) ==
        "1\n--\npbmplay: Which letter goes down column B? Add T or O.\n  b\n   ^\n");
  CHECK(result_text(home({"move", "a.yaml", ""})) ==
        "1\n--\npbmplay: Type a column and a letter. BT drops a T down column B.\n  \n  ^\n");
  CHECK(result_text(home({"move", "a.yaml", "\x1b[2J"})) ==
        "1\n--\npbmplay: '?' is not a column. The columns are A to F.\n  ?[2J\n  ^\n");
  CHECK(result_text(home({"move", "a.yaml", "b\xe6\xbc\xa2"})) ==
        "1\n--\npbmplay: You cannot drop '\xe6\xbc\xa2'. Drop T or O.\n  b\xe6\xbc\xa2\n   ^\n");
  CHECK(result_text(home({"move", "a.yaml", "accept"})) ==
        "1\n--\npbmplay: There is no offer to accept.\n  accept\n  ^\n");
  CHECK(read_bytes(home.dir / "a.yaml") == before);
  const RunResult played = home({"move", "a.yaml", "CO", "DO"});
  CHECK(result_text(played) ==
        "0\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T O O . .\nfred has 5 T 5 O and "
        "wilma has 6 T 5 O.\nIt is wilma's turn (OTTO).\n");
  const std::string then = read_bytes(home.dir / "a.yaml");
  CHECK(then.substr(0, before.size()) == before);
  CHECK(std::count(then.begin(), then.end(), '\n') ==
        std::count(before.begin(), before.end(), '\n') + 2);
}

TEST_CASE("words are played as moves are", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  CHECK(home({"move", "a.yaml", "BT", "undo"}).out ==
        kEmpty + kStartHoldings + "It is fred's turn (TOOT).\n");
  CHECK(home({"move", "a.yaml", "propose"}).out ==
        kEmpty + kStartHoldings + "It is fred's turn (TOOT).\n");
  CHECK(home({"move", "a.yaml", "accept"}).out ==
        kEmpty + kStartHoldings + "The players agreed on a draw.\n");
  CHECK(result_text(home({"move", "a.yaml", "BT"})) ==
        "1\n--\npbmplay: The game is over. The players agreed on a draw.\n  BT\n  ^\n");
  CHECK(result_text(home({"legal", "a.yaml"})) == "0\n");
  REQUIRE(home({"new", "b.yaml", "toot", "fred", "wilma"}).status == 0);
  CHECK(home({"move", "b.yaml", "RESIGN"}).out ==
        kEmpty + kStartHoldings + "wilma (OTTO) wins. fred resigned.\n");
}

TEST_CASE("whether a save loads does not depend on the locale", "[cli]") {
  const TestHome home;
  std::ofstream(home.dir / "a.yaml")
      << "format: 1\ngame: toot\nseats: [J\u00FCrgen, wilma]\nplies:\n- BT\n- {note: \"sch\u00F6n "
         "gespielt\", ply: 1}\n";
  for (const std::string locale : {"C", "C.UTF-8"}) {
    const RunOptions there{.home = home.dir.path(),
                           .input = "",
                           .directory = home.dir.path(),
                           .output = "",
                           .variables = {"LC_ALL=" + locale}};
    const std::string name = locale == "C" ? "J?rgen" : "J\u00FCrgen";
    CHECK(result_text(run_program({"show", "a.yaml"}, there)) ==
          "0\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T . . . .\n" + name +
              " has 5 T 6 O and wilma has 6 T 6 O.\nIt is wilma's turn (OTTO).\n");
  }
  CHECK(run_program({"move", "a.yaml", "CO"}, {.home = home.dir.path(),
                                               .input = "",
                                               .directory = home.dir.path(),
                                               .output = "",
                                               .variables = {"LC_ALL=C"}})
            .status == 0);
}

TEST_CASE("legal prints the legal moves one a line", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "-size=2x1"}).status == 0);
  CHECK(result_text(home({"legal", "a.yaml"})) == "0\nAO\nAT\nBO\nBT\n");
  REQUIRE(home({"move", "a.yaml", "AT", "BT"}).status == 0);
  CHECK(result_text(home({"legal", "a.yaml"})) == "0\n");
}

TEST_CASE("analyse says what each move gave away, and keeps it as notes", "[cli]") {
  const TestHome home;
  // On this small board the computer proves every position.
  REQUIRE(home({"new", "t.yaml", "toot", "-size=5x3", "fred", "wilma"}).status == 0);
  CHECK(home({"analyse", "t.yaml"}).err == "pbmplay: There are no moves to analyse yet.\n");
  REQUIRE(home({"move", "t.yaml", "BT", "AT", "CO", "AT", "DO", "AT"}).status == 0);
  const RunResult whole = home({"analyse", "t.yaml"});
  CHECK(whole.status == 0);
  CHECK(contains(whole.out, "fred (TOOT): 3 moves, "));
  CHECK(contains(
      whole.out,
      "\n6. AT?? is a blunder: EO holds a tie; this loses in 2 moves. AT lets fred (TOOT) "));
  CHECK(whole.out == home({"analyse", "t.yaml"}).out);
  CHECK(home({"show", "t.yaml", "--record"}).out.find("[??") == std::string::npos);
  CHECK(home({"analyse", "t.yaml", "--notes"}).out == whole.out);
  CHECK(contains(home({"show", "t.yaml", "--record"}).out,
                 "6 AT: [?? EO holds a tie; this loses in 2 moves: EO "));
  const std::string kept = home({"show", "t.yaml", "--record"}).out;
  CHECK(home({"analyse", "t.yaml", "--notes"}).status == 0);
  CHECK(home({"show", "t.yaml", "--record"}).out == kept);
  CHECK(home({"analyse", "t.yaml", "--level=2", "--seconds=0.01"}).status == 0);
  CHECK(home({"analyse", "t.yaml", "--level=0"}).status == 2);
  CHECK(home({"analyse", "t.yaml", "--seconds=-1"}).status == 2);
  CHECK(home({"analyse"}).status == 2);
  CHECK(home({"hint", "t.yaml", "--notes"}).status == 2);
}

TEST_CASE("hint says what the computer would play and what comes of it", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "t.yaml", "toot", "fred", "wilma"}).status == 0);
  REQUIRE(home({"move", "t.yaml", "BT", "AT", "CO", "AT", "DO", "AT"}).status == 0);
  CHECK(result_text(home({"hint", "t.yaml", "--lines=1"})) == "0\nET  win in 1  ET\n");
  const RunResult three = home({"hint", "t.yaml", "--level=3", "--lines=3", "--seconds=0.1"});
  CHECK(std::count(three.out.begin(), three.out.end(), '\n') == 3);
  CHECK(home({"hint", "t.yaml", "--level=11"}).err ==
        "pbmplay: '--level=11': write a whole number from 1 to 10.\n");
  CHECK(home({"hint", "t.yaml", "--lines=0"}).status == 2);
  CHECK(home({"hint", "t.yaml", "--seconds=0"}).status == 2);
  CHECK(home({"hint", "t.yaml", "--seconds=nan"}).status == 2);
  CHECK(home({"hint"}).status == 2);
  REQUIRE(home({"move", "t.yaml", "ET"}).status == 0);
  CHECK(contains(home({"hint", "t.yaml"}).err, "There is no hint. fred (TOOT) wins"));
  CHECK(home({"hint", "t.yaml"}).status == 1);
}

TEST_CASE("duel lets the computer play itself and counts", "[cli]") {
  const TestHome home;
  const RunResult ran = home({"duel", "toot", "nodes:300", "random", "--games=6"});
  CHECK(ran.status == 0);
  CHECK(ran.out.starts_with("Toot  nodes:300 against random  won "));
  CHECK(contains(ran.out, "Elo +"));
  CHECK(contains(home({"duel", "plotto", "random", "random", "--games=2"}).out, "Elo +0 ("));
  CHECK(home({"duel", "toot", "nodes:300", "random", "--games=6"}).out == ran.out);
  CHECK(contains(home({"duel", "plotto", "level:1", "random", "--seats=3", "--games=3"}).out,
                 "(as good as the others: 33.3 %)"));
  CHECK(home({"duel", "toot", "level:11", "random"}).err ==
        "pbmplay: 'level:11': a player is level:1 to level:10, rung:0 to rung:90, "
        "nodes:N, depth:N, time:MILLISECONDS, engine:COMMAND or random.\n");
  CHECK(contains(
      home({"duel", "toot", "-size=3x3", "engine:" + require_program().string() + " engine toot",
            "random", "--games=2"})
          .out,
      "engine toot against random  won "));
  // A game on this board never ends, and an engine has not agreed to a draw.
  CHECK(contains(home({"duel", "toot", "-tootris", "-size=3x3", "time:1",
                       "engine:" + require_program().string() + " engine toot", "--games=1"})
                     .out,
                 "moves 300.0  broken off 1"));
  CHECK(
      contains(home({"duel", "toot", "-tootris", "-size=3x3", "time:1", "time:1", "--games=1"}).out,
               "won 0 tied 1 lost 0"));
  CHECK(contains(home({"duel", "toot", "engine:/none", "random"}).err,
                 "The engine /none cannot be started"));
  // A program that fails loses that game, not the match.
  const std::string stubborn = (home.dir.path() / "stubborn").string();
  std::ofstream(stubborn) << "while read -r word rest; do case $word in ugi) echo ugiok;; isready) "
                             "echo readyok;; go) echo bestmove AT;; esac; done\n";
  const RunResult failing = home({"duel", "toot", "random", "engine:sh " + stubborn, "--games=6"});
  CHECK(failing.status == 0);
  CHECK(contains(failing.out, "won 5 tied 0 lost 1"));
  CHECK(contains(failing.out, "5 resigned without an answer: The engine sh "));
  // The engine receives a command for each new game.
  const std::string log = (home.dir.path() / "log").string(), heard = log + ".sh";
  std::ofstream(heard) << "tee " + log + " | " + require_program().string() + " engine toot\n";
  CHECK(home({"duel", "toot", "-size=3x3", "engine:sh " + heard, "random", "--games=2"}).status ==
        0);
  const std::string said = *read_file(log, 1 << 20);
  CHECK(said.find("uginewgame") < said.find("go movetime"));
  CHECK(said.rfind("uginewgame") > said.find("go movetime"));
  CHECK(home({"duel", "toot", "rung:91", "random"}).status == 2);
  CHECK(home({"duel", "chaos", "rung:90", "rung:0", "--games=2"}).status == 0);
  CHECK(home({"duel", "toot", "random"}).status == 2);
  CHECK(home({"duel", "toot", "random", "random", "--games=0"}).status == 2);
  CHECK(home({"duel", "toot", "random", "random", "--seats=3"}).status == 2);
  CHECK(home({"duel", "halma", "random", "random"}).status == 2);
}

TEST_CASE("perft counts move sequences of each length", "[cli]") {
  const TestHome home;
  CHECK(result_text(home({"perft", "toot", "3"})) == "0\n1 12\n2 144\n3 1728\n");
  CHECK(result_text(home({"perft", "toot", "-size=2x1", "4"})) == "0\n1 4\n2 8\n3 0\n4 0\n");
  CHECK(result_text(home({"perft", "-tootris", "toot", "2", "-size=1x1"})) == "0\n1 2\n2 4\n");
  for (const std::string depth : {"0", "-1", "x", "100", "1x", "", "9999999999"})
    CHECK(result_text(home({"perft", "toot", depth})) ==
          "2\n--\npbmplay: '" + depth +
              "' is not a depth. Write a number of moves from 1 to 99.\n");
  CHECK(home({"perft", "toot"}).status == 2);
  CHECK(home({"perft", "halma", "3"}).status == 2);
  CHECK(home({"perft", "toot", "3", "--seats=3"}).status == 2);
  CHECK(home({"perft", "toot", "3", "--seats=-1"}).status == 2);
  CHECK(home({"perft", "plotto", "1", "--seats=3"}).status == 0);
}

TEST_CASE("game options stand beside the program's own in any order", "[cli]") {
  const TestHome home;
  CHECK(home({"new", "1.yaml", "toot", "-size=7x9", "-tootris", "fred", "wilma"}).status == 0);
  CHECK(home({"new", "2.yaml", "-tootris", "toot", "fred", "-SIZE=7X9", "wilma"}).status == 0);
  CHECK(home({"-tootris", "new", "3.yaml", "-size=7x9", "toot", "fred", "wilma"}).status == 0);
  for (const char* name : {"1.yaml", "2.yaml", "3.yaml"})
    CHECK(read_bytes(home.dir / name)
              .substr(0, 80)
              .find("options: [-size=7x9, -tootris]\nseats: [fred, wilma]\n") != std::string::npos);
  CHECK(result_text(home({"new", "4.yaml", "toot", "-size=0x5"})) ==
        "2\n--\npbmplay: '-size=0x5' is not valid. Write -size=WxH with W from 1 to 14 and H from "
        "1 to 20, for example "
        "-size=7x9.\n");
  CHECK(result_text(home({"new", "4.yaml", "toot", "-size=7x9", "-size=7x9"})) ==
        "2\n--\npbmplay: -size is given twice. Write each option once: -size=WxH -tootris.\n");
  CHECK(result_text(home({"new", "4.yaml", "toot", "-reverse"})) ==
        "2\n--\npbmplay: There is no option -reverse for Toot. Options: -size=WxH -tootris.\n");
  CHECK(home({"new", "4.yaml", "toot", "-size", "7x9"}).status == 2);
  CHECK_FALSE(fs::exists(home.dir / "4.yaml"));
  CHECK(home({"--line", "toot", "--saves=here", "-size=3x3", "fred"}, "quit\n").status == 0);
  CHECK(fs::exists(home.dir / "here" / "toot-101.yaml"));
  CHECK(
      home({"toot", "-tootris", "--line", "--saves", "here", "--theme", "mono"}, "quit\n").status ==
      0);
  CHECK(fs::exists(home.dir / "here" / "toot-102.yaml"));
  CHECK(home({"new", "5.yaml", "toot", "--", "-dash", "--name"}).status == 0);
  CHECK(read_bytes(home.dir / "5.yaml").find("seats: [-dash, \"--name\"]") != std::string::npos);
}

TEST_CASE("a wrong command line is told with status two", "[cli]") {
  const TestHome home;
  for (const Words& words : std::vector<Words>{{"halma"},
                                               {"open"},
                                               {"open", "a", "b"},
                                               {"show"},
                                               {"move"},
                                               {"move", "a"},
                                               {"legal"},
                                               {"new"},
                                               {"new", "a"},
                                               {"new", "a", "halma"},
                                               {"new", "a", "toot", "1", "2", "3"},
                                               {"toot", "a", "b", "c"},
                                               {"toot", "same", "SAME"},
                                               {"toot", ""},
                                               {"--nonsense"},
                                               {"--theme"},
                                               {"--user", ""},
                                               {"--saves", "", "toot"},
                                               {"send", "--user", "", "list"},
                                               {"--theme=a", "--theme=b"},
                                               {"--seats=x"},
                                               {"--line=1"},
                                               {"-tootris"},
                                               {"show", "a", "-tootris"},
                                               {"help", "halma"},
                                               {"help", "toot", "b"},
                                               {"--lin"},
                                               {""},
                                               {"new", "a", "toot", "\x1b[2J"}}) {
    const RunResult r = home(words);
    CAPTURE(words, r.out, r.err);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.substr(0, 9) == "pbmplay: ");
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(has_no_control_bytes(r.err));
  }
  CHECK_FALSE(fs::exists(home.saves_directory()));
  // Without a command, the message says so instead of naming one.
  CHECK(home({"--dir", "d"}).err ==
        "pbmplay: '--dir' cannot be used without a command. See pbmplay --help.\n");
  CHECK(home({"legal", "a.yaml", "--dir", "d"}).err ==
        "pbmplay: '--dir' cannot be used with legal. See pbmplay legal --help.\n");
  CHECK(home({"--seats=3"}).err ==
        "pbmplay: '--seats' cannot be used without a command. See pbmplay --help.\n");
  CHECK(home({"perft", "plotto", "1", "--seats=5"}).err ==
        "pbmplay: Plotto is not for 5 players.\n");
  // Options separated by a bar exclude each other.
  CHECK(home({"--socket=s", "--connect=127.0.0.1:4000"}).err ==
        "pbmplay: Write either --socket or --connect: pbmplay [--socket PATH | --connect "
        "HOST:PORT] [--user NAME | --key FINGERPRINT]\n");
  CHECK(home({"-tootris"}).err ==
        "pbmplay: '-tootris' cannot be used without a game. See pbmplay --help.\n");
}

TEST_CASE("what is typed is put into no template", "[cli]") {
  const TestHome home;
  const std::map<std::string, std::string> said{
      {"--seats %value%", "'--seats=%value%': write a whole number from 2 to 8."},
      {"--seats=%canonical_option%%value%",
       "'--seats=%canonical_option%%~': write a whole number from 2 to 8."},
      {"perft toot 2 --seats %value%", "'--seats=%value%': write a whole number from 2 to 8."},
      {"--%original_token%", "There is no option '--%original_token%'. See pbmplay --help."},
      {"--%canonical_option%=%value%",
       "There is no option '--%canonical_option%'. See pbmplay --help."},
      {"--%option%", "There is no option '--%option%'. See pbmplay --help."},
      {"--%prefix%%option%", "There is no option '--%prefix%%option%'. See pbmplay --help."},
      {"---%original_token%", "There is no option '---%original_token%'. See pbmplay --help."},
      {"--line=%value%", "'--line' takes no value. See pbmplay --help."},
      {"--theme=", "'--theme' needs a value. Write one, or leave the option out."},
      {"--theme", "'--theme' needs a value. Write one, or leave the option out."},
      {"--theme=%value% --theme=%original_token%",
       "'--theme' was given twice. See pbmplay --help."},
      {"-%original_token%", "There is no command or game '-%original_token%'. See pbmplay --help."},
      {"%value%", "There is no command or game '%value%'. See pbmplay --help."},
  };
  for (const auto& [typed, why] : said) {
    const RunResult r = home(split_words(typed));
    INFO(typed);
    CHECK(result_text(r) == "2\n--\npbmplay: " + why + "\n");
  }
  const RunResult long_one = home({"--" + std::string(5000, 'x')});
  CHECK(long_one.err.size() < 120);
}

TEST_CASE("without its outputs or its input no file and no socket of the program takes their place",
          "[cli]") {
  const TestHome home;
  const std::string pbm = "'" + require_program().string() + "'";
  const auto shell = [&](const std::string& line) {
    return run_shell(line, {.home = home.dir.path(),
                            .input = "",
                            .directory = home.dir.path(),
                            .output = "",
                            .variables = {}});
  };
  const std::string wait =
      // Waits until the shell has become the program, which has /dev/null there.
      "what() { until [ \"$(readlink /proc/$1/fd/$2)\" = /dev/null ]; do kill -0 $1 || exit 1; "
      "done; echo /dev/null; }\n";
  const RunResult server =
      shell(wait + pbm +
            " serve --dir d --socket $PWD/s <&- >&- 2>&- & server=$!\n"
            "trap 'kill $server' EXIT; until [ -S s ]; do kill -0 $server || exit 1; done\n" +
            pbm +
            " send --socket $PWD/s signup fred hush-hush >told || exit 1\n"
            "for n in 0 1 2; do what $server $n; done; trap '' EXIT; kill $server; wait $server; "
            "echo $?");
  CHECK(server.out == "/dev/null\n/dev/null\n/dev/null\n0\n");
  const RunResult again =
      shell(pbm +
            " serve --dir d --socket $PWD/s 2>log & server=$!\n"
            "trap 'kill $server' EXIT; until [ -S s ]; do kill -0 $server || exit 1; done\n" +
            pbm + " send --socket $PWD/s login fred hush-hush\n" + "mkfifo lines; " + wait + pbm +
            " send --socket $PWD/s - >&- <lines & sender=$!; exec 3>lines\nwhat $sender 1\n"
            "echo login fred hush-hush >&3; exec 3>&-; wait $sender; echo $?; trap '' EXIT; kill "
            "$server; wait $server; grep -c 'could not be read' log");
  CHECK(contains(again.out, "Hello, fred"));
  CHECK(contains(again.out, "\n/dev/null\n3\n"));  // the reply is lost
  CHECK(contains(again.out, "\n0\n"));
  REQUIRE(home({"new", "a.yaml", "toot"}).status == 0);
  CHECK(shell(pbm + " move a.yaml BT <&- >&- 2>&-").status == 3);
  CHECK(contains(read_bytes(home.dir / "a.yaml"), "plies:\n- {move: BT, at: "));
  CHECK(shell(pbm + " show missing >&- 2>&-").status == 1);
  CHECK(shell(pbm + " --line <&- >&- 2>&-").status == 3);
  const RunResult lost = shell(pbm + " show a.yaml >&-");
  CHECK(lost.status == 3);
  CHECK(lost.err == "pbmplay: The program could not write its output.\n");
}

TEST_CASE("help is told on standard output, what most people want in ten lines", "[cli]") {
  const TestHome home;
  // The version may include the commit of the build.
  CHECK(std::regex_match(result_text(home({"--version"})),
                         std::regex("0\npbmplay 1\\.0\\.0( \\([0-9a-z.-]+\\))?\n")));
  CHECK(home({"-V"}).out == home({"--version"}).out);
  const RunResult help = home({"--help"});
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  CHECK(home({"-h"}).out == help.out);
  CHECK(std::count(help.out.begin(), help.out.end(), '\n') == 10);
  const std::string first(all_games().front().name);
  for (const std::string& line :
       {first + " fred wilma", first + " fred computer:3", "lesson " + first, std::string("puzzle"),
        std::string("serve"), std::string("help"), std::string("COMMAND --help")})
    CHECK(contains(help.out, "\n  pbmplay " + line + " "));
  const RunResult all = home({"help"});
  CHECK(all.status == 0);
  for (const Command& command : commands())
    if (!command.name.empty())
      CHECK(contains(all.out, "\n  " + command.name + " ") != command.is_hidden);
  for (const std::string& text : {help.out, all.out})
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      CHECK(text.find('\n', at) - at <= 80);
  for (const GameType& game : all_games()) {
    INFO(game.name);
    const RunResult rules = home({"help", std::string(game.name)});
    CHECK(rules.status == 0);
    CHECK(rules.out.size() > 500);
    CHECK(has_no_control_bytes(rules.out));
  }
  CHECK(home({"help", "TOOT"}).out == home({"help", "toot"}).out);
}

TEST_CASE("every command tells of itself, with its options and an example that it takes", "[cli]") {
  const TestHome home;
  for (const Command& command : commands()) {
    INFO(command.name);
    const std::string text = command_help(command);
    for (const Command::Option& option : command.options)
      if (option.letter == '\0') CHECK(contains(text, "\n  --" + std::string(option.name) + " "));
    CHECK(contains(text, "\n  pbmplay " + command.example + "\n"));
    // A shell reads the rest after a <.
    auto example =
        read_arguments(split_words(command.example.substr(0, command.example.find(" <"))));
    REQUIRE(example);
    const auto meant = resolve_command(*example);
    INFO((meant ? "" : meant.refusal().reason));
    REQUIRE(meant);
    CHECK((*meant)->name == command.name);
    if (command.game)
      for (const OptionSpec& spec : command.game->options)
        if (spec.name != command.name) CHECK(contains(text, "\n  -" + std::string(spec.name)));
  }
  const RunResult hint = home({"hint", "--help"});
  CHECK(result_text(hint) == "0\n" + command_help(*find_command("hint")));
  CHECK(hint.out.starts_with("pbmplay hint FILE [--level N] [--seconds S] [--lines K]\n"));
  CHECK(home({"-h", "hint", "g.yaml", "--lines=2"}).out == hint.out);
  CHECK(home({"help", "hint"}).out == hint.out);
  CHECK(contains(home({"send", "-h"}).out, "COMMAND... | -\n"));
  CHECK(home({"halma", "--help"}).status == 2);
}

TEST_CASE("a game, a command or an option that is nearly typed is named", "[cli]") {
  const TestHome home;
  const std::map<std::string, std::string> said{
      {"toto", "There is no command or game 'toto'. Did you mean toot?"},
      {"tot", "There is no command or game 'tot'. Did you mean bot or toot?"},
      {"floprail", "There is no command or game 'floprail'. Did you mean flooprail?"},
      {"OPNE a", "There is no command or game 'OPNE'. Did you mean open?"},
      {"anal", "There is no command or game 'anal'. Did you mean analyse?"},
      {"tootrsi --help", "There is no command or game 'tootrsi'. Did you mean tootris?"},
      {"lesson caos", "There is no game 'caos'. Did you mean chaos?"},
      {"new a.yaml soccalot", "There is no game 'soccalot'. Did you mean soccolot?"},
      {"perft ploto 2", "There is no game 'ploto'. Did you mean plotto?"},
      {"puzzle tot 1", "There is no game 'tot'. Did you mean toot?"},
      {"--thme=amber", "There is no option '--thme'. Did you mean --theme?"},
      {"help key", "There is no help on 'key'. Did you mean keys?"},
      {"checkers", "There is no command or game 'checkers'. See pbmplay --help."},
      {"lesson go", "There is no game 'go'. Choose " + list_game_names() + "."},
  };
  for (const auto& [typed, why] : said) {
    INFO(typed);
    CHECK(result_text(home(split_words(typed))) == "2\n--\npbmplay: " + why + "\n");
  }
  // A path is opened as a file.
  CHECK(contains(result_text(home({"/nowhere/g.yaml"})), "There is no file /nowhere/g.yaml."));
}

TEST_CASE("the name of a variant is that of a game wherever one is named", "[cli]") {
  const TestHome home;
  REQUIRE(home({"tootris", "fred", "wilma", "--line"}, "quit\n").status == 0);
  CHECK(contains(read_bytes(home.saves_directory() / "toot-101.yaml"),
                 "game: toot\noptions: [-tootris]\nseats: [fred, wilma]\n"));
  CHECK(home({"new", "a.yaml", "Tootris", "-size=3x3", "-tootris"}).status == 0);
  CHECK(contains(read_bytes(home.dir / "a.yaml"), "game: toot\noptions: [-size=3x3, -tootris]\n"));
  CHECK(home({"perft", "tootris", "2", "-size=1x1"}).out == "1 2\n2 4\n");
  CHECK(home({"help", "tootris"}).out == home({"help", "toot"}).out);
  CHECK(contains(home({"tootris", "--help"}).out, "\n  pbmplay tootris -size=7x9 fred wilma\n"));
  CHECK(contains(home({"lesson", "tootris", "--line"}, "quit\n").out, "A B C D E F\n"));
  CHECK(home({"bot", "--user", "hal", "--games", "tootris"}).status == 2);
}

TEST_CASE("long help goes through a pager at a terminal, and nowhere else", "[cli]") {
  const TestHome home;
  LaunchOptions launch;
  launch.home = home.dir.path();
  launch.keep_last_picture = true;
  const auto shown = [&](std::vector<std::string> words, const std::string& pager) {
    launch.arguments = std::move(words);
    launch.environment["PAGER"] = pager;
    TerminalRun run(launch);
    CHECK(run.wait_exit().status == 0);
    return run.screen_text();
  };
  const std::string pager = "sed -n 's/^pbmplay hint/paged &/p'";
  CHECK(shown({"hint", "--help"}, pager).starts_with("paged pbmplay hint FILE ["));
  // Without a chosen pager, the program uses what is installed.
  CHECK(contains(shown({"hint", "--help"}, ""), "For example:\n  pbmplay hint g.yaml"));
  CHECK(contains(shown({"hint", "--help"}, "nosuchpager"), "For example:\n  pbmplay hint g.yaml"));
  // Ten lines need no pager.
  CHECK(contains(shown({"--help"}, "echo paged"), "pbmplay COMMAND --help"));
  launch.term = "dumb";
  CHECK(contains(shown({"hint", "--help"}, "echo paged"), "For example:\n"));
  CHECK(run_program({"hint", "--help"}, {.home = home.dir.path(),
                                         .input = "",
                                         .directory = "",
                                         .output = "",
                                         .variables = {"PAGER=echo paged", "TERM=xterm"}})
            .out == home({"hint", "--help"}).out);
}

TEST_CASE("a bad save is refused with status one, its name and line", "[cli]") {
  const TestHome home;
  const auto put = [&](const char* name, std::string_view bytes) {
    std::ofstream(home.dir / name, std::ios::binary) << bytes;
  };
  put("empty.yaml", "");
  put("foreign.yaml", "GIF89a");
  put("newer.yaml", "format: 2\n");
  put("bad.yaml", "format: 1\ngame: toot\nseats: [a, b]\nplies:\n- BT\n- ZT\n");
  put("bomb.yaml", "format: 1\na: &a [x]\nb: [*a, *a]\n");
  fs::create_directory(home.dir / "dir.yaml");
  REQUIRE(::mkfifo((home.dir / "fifo.yaml").c_str(), 0600) == 0);
  fs::create_directory(home.dir / "folder");
  REQUIRE(::mkfifo((home.dir / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("loop", home.dir / "loop");
  fs::create_symlink("nowhere", home.dir / "dangling");
  put("huge.yaml", "format: 1\n");
  fs::resize_file(home.dir / "huge.yaml", 100'000'000);
  const std::vector<std::pair<std::string, std::string>> files{
      {"none.yaml", "There is no file none.yaml."},
      {"none", "There is no board 'none' here and no such file."},
      {"empty.yaml", "empty.yaml is empty."},
      {"foreign.yaml", "foreign.yaml is not a save. A save begins with 'format: 1'."},
      {"newer.yaml",
       "newer.yaml, line 1: format 2 is newer than this program, which reads format 1; use a "
       "newer pbmplay."},
      {"bad.yaml",
       "bad.yaml, line 6: move 2, 'ZT', is not possible: There is no column Z. The columns "
       "are A to F."},
      {"bomb.yaml", "bomb.yaml, line 2: an anchor (&name) is not allowed in this file."},
      {"dir.yaml", "dir.yaml is a directory, not a save."},
      {"fifo.yaml", "fifo.yaml is not a regular file."},
      {"folder", "folder is a directory, not a save."},
      {"pipe", "pipe is not a regular file."},
      {"loop", "loop cannot be opened (Too many levels of symbolic links)."},
      {"dangling", "There is no file dangling."},
      {"huge.yaml", "huge.yaml is too large: 100000000 bytes. The limit is 2097152 bytes."},
  };
  for (const auto& [file, why] : files)
    for (const Words& words : std::vector<Words>{{"show", file},
                                                 {"move", file, "AT"},
                                                 {"legal", file},
                                                 {"open", file},
                                                 {"open", file, "--line"}}) {
      CAPTURE(words);
      CHECK(result_text(home(words)) == "1\n--\npbmplay: " + why + "\n");
    }
  CHECK(read_bytes(home.dir / "bad.yaml") ==
        "format: 1\ngame: toot\nseats: [a, b]\nplies:\n- BT\n- ZT\n");
}

TEST_CASE("an unfinished line is warned of on standard error, and mended by the next move",
          "[cli]") {
  const TestHome home;
  std::ofstream(home.dir / "a.yaml")
      << "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- BT\n- {move: C";
  const RunResult shown = home({"show", "a.yaml"});
  CHECK(shown.status == 0);
  CHECK(shown.out ==
        "A B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T . . . .\nfred has 5 T 6 O and "
        "wilma has 6 T 6 O.\nIt is wilma's turn (OTTO).\n");
  CHECK(shown.err ==
        "pbmplay: a.yaml ends in an unfinished line, which is ignored: '- {move: C'.\n");
  // The warning goes to the user of every command, even if the command prints little.
  for (const Words& words : std::vector<Words>{
           {"show", "--record", "a.yaml"}, {"legal", "a.yaml"}, {"move", "a.yaml", "CO"}}) {
    CAPTURE(words);
    const RunResult r = home(words);
    CHECK(r.status == 0);
    CHECK(r.err == shown.err);
  }
  CHECK(home({"show", "a.yaml"}).err.empty());
}

TEST_CASE("output that cannot be written is status three", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot"}).status == 0);
  for (const Words& words : std::vector<Words>{{"show", "a.yaml"},
                                               {"legal", "a.yaml"},
                                               {"--help"},
                                               {"--version"},
                                               {"help", "toot"},
                                               {"perft", "toot", "14"},
                                               {"move", "a.yaml", "BT"}}) {
    const RunResult r = home.run_to_output("/dev/full", words);
    CAPTURE(words);
    CHECK(r.status == 3);
    CHECK(r.err == "pbmplay: The program could not write its output.\n");
  }
}

TEST_CASE("a disk that takes no more is status three and leaves the save as it was", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  const std::string before = read_bytes(home.dir / "a.yaml");
  RunOptions small{.home = home.dir.path(),
                   .input = "",
                   .directory = home.dir.path(),
                   .output = "",
                   .variables = {}};
  small.max_file_size = before.size() + 10;
  const RunResult r = run_program({"move", "a.yaml", "BT"}, small);
  CHECK(result_text(r) == "3\n--\npbmplay: a.yaml cannot be written: File too large.\n");
  CHECK(read_bytes(home.dir / "a.yaml") == before);
  small.max_file_size = 10;
  const RunResult made = run_program({"new", "b.yaml", "toot"}, small);
  CHECK(made.status == 3);
  CHECK(std::distance(fs::directory_iterator(home.dir.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("two programs that move at once play one after the other or refuse", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "-size=14x20", "-tootris"}).status == 0);
  const fs::path file = require_program();
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const int nowhere = ::open("/dev/null", O_WRONLY);
      if (::chdir(home.dir.path().c_str()) != 0 || ::dup2(nowhere, 1) < 0 || ::dup2(nowhere, 2) < 0)
        ::_exit(9);
      ::execl(file.c_str(), "pbmplay", "move", "a.yaml", "BT", static_cast<char*>(nullptr));
      ::_exit(9);
    }
    children.push_back(child);
  }
  int played = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) <= 1);
    played += WEXITSTATUS(status) == 0;
  }
  const std::string text = read_bytes(home.dir / "a.yaml");
  CHECK(played >= 1);
  CHECK(std::count(text.begin(), text.end(), '\n') == 6 + played);
  CHECK(home({"show", "a.yaml"}).status == 0);
}

TEST_CASE("a game is started, played, left and gone on with line by line", "[cli]") {
  const TestHome home;
  const RunResult first = home({"toot", "fred", "wilma", "--line"},
                               "BT\nCX\n\nlegal\nwords\nplies\nshow 0\nCO\nquit\n");
  CHECK(first.status == 0);
  CHECK(first.err.empty());
  CHECK(has_no_control_bytes(first.out));
  CHECK(first.out.find("fred (TOOT) drops a T down column B.") != std::string::npos);
  // The program also writes what a terminal would echo, so that the caret is in the right place.
  CHECK(first.out.find("\nmove> CX\n       ^\nYou cannot drop 'X'. Drop T or O.\n") !=
        std::string::npos);
  CHECK(first.out.find("AO AT BO BT CO CT DO DT EO ET FO FT\n") != std::string::npos);
  CHECK(first.out.find("Column B from the bottom: T.\n") != std::string::npos);
  CHECK(first.out.find("1. BT: fred (TOOT) drops a T down column B.\n") != std::string::npos);
  CHECK(fs::exists(home.saves_directory() / "toot-101.yaml"));
  const RunResult second =
      home({"--line"}, "open 101\nDO\nFO\nET\nAT\nboards\ndelete 1\nundelete\nlist\nquit\n");
  CHECK(second.status == 0);
  CHECK(has_no_control_bytes(second.out));
  CHECK(second.out.find("fred (TOOT) wins. TOOT stands in the bottom row, B to E.") !=
        std::string::npos);
  CHECK(second.out.find("The game is over. fred (TOOT) wins. ") != std::string::npos);
  CHECK(second.out.find("Deleted toot-101;") != std::string::npos);
  CHECK(second.out.find("is back.") != std::string::npos);
  CHECK(home({"show", "101"}).out == home({"show", "toot-101"}).out);
  CHECK(home({"show", "101#2"}).status == 0);
}

TEST_CASE("a move's number shows it line by line as on the screen, with its sign behind show too",
          "[cli]") {
  const TestHome home;
  const std::string out =
      home({"toot", "--line"}, "BT\nCO\n#1\nshow #1\n#3\n#\n#x\nshow #\ntry\n#0\n").out;
  const std::string one =
      "\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. T . . . .\nplayer1 has 5 T 6 O and "
      "player2 has 6 T 6 O.\nIt is player2's turn (OTTO).\n";
  CHECK(out.find("move> #1" + one) != std::string::npos);
  CHECK(out.find("move> show #1" + one) != std::string::npos);
  for (const std::string wrong : {"#3", "#", "#x", "show #"})
    CHECK(out.find("move> " + wrong + "\n      " + std::string(wrong.find('#'), ' ') +
                   "^\nThis game has 2 moves. Write #0 to #2.\n") != std::string::npos);
  CHECK(
      out.find("try> #0\nA B C D E F\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\nplayer1 "
               "has 6 T 6 O and player2 has 6 T 6 O.\nIt is player1's turn (TOOT).\n") !=
      std::string::npos);
}

TEST_CASE("the board that a move on an example makes is named", "[cli]") {
  const TestHome home;
  CHECK(home({"move", "example:toot", "AT"}).err ==
        "pbmplay: Examples do not change. Your copy is board toot-101.\n");
  CHECK(home({"move", "toot-101", "AO"}).err.empty());
  CHECK(home({"analyse", "example:chaos", "--notes", "--level=1", "--seconds=0.01"}).err ==
        "pbmplay: Examples do not change. Your copy is board chaos-101.\n");
  const std::string out = home({"open", "example:toot", "--line"}, "ZZ\nAT\nAO\n").out;
  CHECK(out.find(
            "move> AT\nExamples do not change. Your copy is board toot-102.\nbob (OTTO) drops ") !=
        std::string::npos);
  CHECK(out.find("move> AO\nalice (TOOT) drops ") != std::string::npos);
}

TEST_CASE("undelete brings back the board that is named", "[cli]") {
  const TestHome home;
  const std::string out =
      home({"--line"},
           "new toot a b\nboards\nnew toot a b\nboards\ndelete toot-101\ndelete "
           "toot-102\nundelete toot-101\nundelete toot-999\nundelete a b\n"
           "undelete\nundelete\n")
          .out;
  CHECK(contains(out, "boards> undelete toot-101\ntoot-101 is back.\n"));
  CHECK(contains(out, "There is no deleted board toot-999."));
  CHECK(contains(out, "Type undelete, or undelete and the name of a deleted game."));
  CHECK(contains(out,
                 "boards> undelete\ntoot-102 is back.\nboards> undelete\nThere is nothing "
                 "to bring back.\n"));
}

TEST_CASE("undelete brings the boards back one after the other, the last deleted first", "[cli]") {
  const TestHome home;
  const std::string out = home({"--line"},
                               "new toot\nboards\nnew toot\nboards\ndelete toot-101\ndelete "
                               "toot-102\nundelete\nundelete\nundelete\n")
                              .out;
  CHECK(out.find("boards> undelete\ntoot-102 is back.\nboards> undelete\ntoot-101 is "
                 "back.\nboards> undelete\nThere is nothing to bring back.\n") !=
        std::string::npos);
}

TEST_CASE("line mode ends with its input, keeps what was played and bears anything typed",
          "[cli]") {
  const TestHome home;
  CHECK(home({"toot", "--line"}, "BT\n").status == 0);
  CHECK(home({"toot", "--line"}, "").status == 0);
  CHECK(home({"show", "101"}).out.find("T") != std::string::npos);
  std::string hostile =
      "\n \n\x1b[2J\n\xff\xfe\n" + std::string(100'000, 'x') +
      "\nopen\nopen 99\nopen x y\nnew\nnew halma\nnew toot -size=0x0\nnew toot "
      "\x1b[2J\ndelete\ndelete 99\nundelete\nrules\nrules halma\nrules toot\nhelp\nnonsense\n";
  hostile += std::string("nul\0byte\n", 9) +
             "new toot fred wilma\nshow x\nshow 1 2\nshow 99999999999999999999\nfield\nfield "
             "b\nrules\nhelp\nBT\x1b\n\x9b\nhelp\nboards\nhelp";
  const RunResult r = home({"--line"}, hostile);
  CHECK(r.status == 0);
  CHECK(r.err.empty());
  CHECK(has_no_control_bytes(r.out));
  const RunResult full = home.run_to_output("/dev/full", {"--line"});
  CHECK(full.status == 3);
}

TEST_CASE("hostile names in a save reach no output as they are", "[cli]") {
  const TestHome home;
  std::ofstream(home.dir / "a.yaml")
      << "format: 1\ngame: toot\nseats: [\"\\e[2Jfred\\x9b\", \"w\\u202eilma\\n\"]\nplies:\n- BT\n";
  for (const Words& words : std::vector<Words>{
           {"show", "a.yaml"}, {"move", "a.yaml", "ZZ"}, {"open", "a.yaml", "--line"}}) {
    const RunResult r = home(words, "plies\nwords\nresign\nshow\nboards\nlist\n");
    CAPTURE(words);
    CHECK(has_no_control_bytes(r.out));
    CHECK(has_no_control_bytes(r.err));
    CHECK(r.out.find("\xe2\x80\xae") == std::string::npos);
  }
}

TEST_CASE(
    "through a pipe the program goes on line by line, and only a person at a terminal is told so",
    "[cli]") {
  const TestHome home;
  const RunResult r = home({"toot"}, "BT\n");
  CHECK(r.status == 0);
  CHECK(has_no_control_bytes(r.out));
  CHECK(r.err.empty());
  CHECK(fs::exists(home.saves_directory() / "toot-101.yaml"));
}

TEST_CASE("a theme that is not there is refused before anything is begun", "[cli]") {
  const TestHome home;
  for (const char* game : {"", "toot"}) {
    std::vector<std::string> words{"--line", "--theme=nonsense", game};
    if (words.back().empty()) words.pop_back();
    const RunResult r = home(words, "quit\n");
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.find("pbmplay: There is no theme 'nonsense'. Choose ") == 0);
  }
  CHECK_FALSE(fs::exists(home.saves_directory()));
}

TEST_CASE("names are UTF-8 where no locale is chosen, or one that is not there", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "J\u00FCrgen", "wilma"}).status == 0);
  const auto shown = [&](const std::vector<std::string>& variables) {
    return run_program({"show", "a.yaml"}, {.home = home.dir.path(),
                                            .input = "",
                                            .directory = home.dir.path(),
                                            .output = "",
                                            .variables = variables})
        .out;
  };
  const std::string left = " has 6 T 6 O and wilma has 6 T 6 O.\n";
  CHECK(shown({"LC_ALL="}) == kEmpty + "J\u00FCrgen" + left + "It is J\u00FCrgen's turn (TOOT).\n");
  CHECK(shown({"LC_ALL=", "LANG=xx_XX.UTF-8"}) ==
        kEmpty + "J\u00FCrgen" + left + "It is J\u00FCrgen's turn (TOOT).\n");
  // The locale C means a terminal with ASCII only.
  CHECK(shown({"LC_ALL=C"}) == kEmpty + "J?rgen" + left + "It is J?rgen's turn (TOOT).\n");
  CHECK(shown({"LC_ALL=", "LANG=C"}) == kEmpty + "J?rgen" + left + "It is J?rgen's turn (TOOT).\n");
}

TEST_CASE("boards lie where XDG says", "[cli]") {
  const TestHome home;
  const auto with = [&](const std::string& variable) {
    return run_program({"--line", "toot"}, {.home = home.dir.path(),
                                            .input = "quit\n",
                                            .directory = home.dir.path(),
                                            .output = "",
                                            .variables = {variable}})
        .status;
  };
  CHECK(with("XDG_DATA_HOME=" + (home.dir / "data").string()) == 0);
  CHECK(fs::exists(home.dir / "data/pbmplay/saves/toot-101.yaml"));
  CHECK(with("XDG_DATA_HOME=relative") == 0);
  CHECK(fs::exists(home.saves_directory() / "toot-101.yaml"));
}

TEST_CASE("a record goes to standard output or into a new file", "[cli]") {
  const TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  REQUIRE(home({"move", "a.yaml", "BT", "CO"}).status == 0);
  const RunResult shown = home({"show", "--record", "a.yaml"});
  CHECK(shown.status == 0);
  CHECK(shown.out.find("  1  BT           CO\n") != std::string::npos);
  CHECK(result_text(home({"show", "--record", "--output=a.txt", "a.yaml"})) == "0\n");
  CHECK(read_bytes(home.dir / "a.txt") == shown.out);
  CHECK(result_text(home({"show", "--record", "--output=a.txt", "a.yaml"})) ==
        "1\n--\npbmplay: a.txt exists already. Choose another name.\n");
  CHECK(result_text(home({"show", "--output=b.txt", "a.yaml"})) ==
        "2\n--\npbmplay: --output works only with --record. Write --record too.\n");
  CHECK(home({"show", "--record", "a.yaml#1"}).status == 2);
  CHECK(home({"legal", "--output=b.txt", "a.yaml"}).status == 2);
  CHECK(home({"show", "--record", "--output=a.yaml/x.txt", "a.yaml"}).status == 3);
  CHECK_FALSE(fs::exists(home.dir / "b.txt"));
}

TEST_CASE("moves are read loosely, in one word or several, and what is left stands below the board",
          "[cli]") {
  TestHome home;
  REQUIRE(home({"new", "a.yaml", "toot", "fred", "wilma"}).status == 0);
  const RunResult moved = home({"move", "a.yaml", "b", "t", "0c", "D-T"});
  INFO(moved.err);
  CHECK(moved.status == 0);
  CHECK(
      contains(moved.out, "fred has 4 T 6 O and wilma has 6 T 5 O.\nIt is wilma's turn (OTTO).\n"));
  CHECK(contains(home({"show", "a.yaml", "--record"}).out,
                 "fred has 4 T 6 O and wilma has 6 T 5 O.\n"));
  CHECK(contains(home({"show", "a.yaml#1"}).out, "fred has 5 T 6 O and wilma has 6 T 6 O.\n"));
  const RunResult refused = home({"move", "a.yaml", "b", "x"});
  CHECK(refused.status == 1);
  CHECK(contains(refused.err, "Which letter goes down column B?"));
}

TEST_CASE("the help of a command tells only its own meaning of an option", "[cli]") {
  TestHome home;
  const std::string duel = home({"duel", "--help"}).out, bot = home({"bot", "--help"}).out;
  CHECK(contains(duel, "--games N  number of games; the default is 20\n"));
  CHECK(contains(bot, "--games GAME,...  games to play; the default is all of them\n"));
  for (const Command& command : commands())
    for (const Command::Option& option : command.options) {
      INFO(command.name << " --" << option.name);
      CHECK_FALSE(contains(std::string(option.summary), "|"));
    }
}
