// SPDX-License-Identifier: MIT
// The real program under a pseudo-terminal, and what a terminal sends beside keys.
#include "pty_user.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

constexpr const char* kPrompt = "fred (TOOT)>";

// Waits so long that the program takes no later byte for the rest of a key.
void pause(TerminalRun& run, int milliseconds = 200) { run.watch(Millis(milliseconds)); }

}  // namespace

TEST_CASE("a paste without an end lets keys in again after a second of silence", "[terminal]") {
  PtyUser person;
  person.board();
  TerminalRun run(person.launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~C");
  run.wait_for(std::string(kPrompt) + " C");
  run.type("O\r");
  run.wait_for(std::string(kPrompt) + " CO");
  CHECK_FALSE(run.shows("1 CO"));  // the Enter is pasted
  pause(run, 1300);
  const double before = run.cpu_seconds();
  run.type("\r");
  run.wait_for("1 CO");
  pause(run, 1300);
  CHECK(run.cpu_seconds() - before < 0.2);
  run.type("\033[201~");  // too late to mean anything
  play(run, "ct", 2);
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 board");
}

TEST_CASE("pasted text that comes in pieces stays pasted text", "[terminal]") {
  PtyUser person;
  person.board();
  TerminalRun run(person.launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~c");
  for (const char* piece : {"o", "\r", "d", "\r", "t"}) {
    pause(run, 400);
    run.type(piece);
  }
  run.wait_for(std::string(kPrompt) + " codt");
  run.type("\r\033[201~");
  run.settle();
  CHECK(run.shows(std::string(kPrompt) + " codt"));
  CHECK(plies_in(person.file("toot-101")).empty());
}

TEST_CASE("Ctrl-C leaves while a paste has no end, but not out of the pasted text", "[terminal]") {
  PtyUser person;
  person.board();
  {
    TerminalRun run(person.launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    run.type("\033[200~CO");
    run.wait_for(std::string(kPrompt) + " CO");
    pause(run);
    run.type(kCtrlC);
    run.wait_for("y or n", Millis(900));
    run.type(kCtrlC);
    CHECK(run.wait_exit().status == 0);
  }
  {
    TerminalRun run(person.launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    run.type("\033[200~CO");
    pause(run);
    run.type("\003\003");  // both at once
    CHECK(run.wait_exit(Millis(900)).status == 0);
  }
  TerminalRun run(person.launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~\003c\003y\003");
  pause(run);
  run.type("\003o\003\033[201~");
  run.wait_for(std::string(kPrompt) + " cyo");
  pause(run);
  CHECK_FALSE(run.shows("y or n"));
  CHECK(run.running());
}
