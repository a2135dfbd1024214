// SPDX-License-Identifier: MIT
// The real program under a pseudo-terminal, and what a terminal sends beside keys: pasted text,
// Alt and a key, answers that nobody asked for.
#include "terminal_user.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPrompt = "fred (TOOT)>";

// Waits so long that the program takes no later byte for the rest of a key.
void pause(TerminalRun& run, int milliseconds = 200) { run.read_for(Millis(milliseconds)); }

// A board that nobody has played on, with CO typed there.
struct TypingUser {
  explicit TypingUser(const std::string& term = "xterm-256color") : run(launch_with(term)) {
    run.wait_for(kPrompt);
    run.type("CO");
    run.wait_for(std::string(kPrompt) + " CO");
  }
  LaunchOptions launch_with(const std::string& term) const {
    person.write_toot_board();
    LaunchOptions out = person.make_launch({"open", "toot-101"});
    out.term = term;
    return out;
  }
  TerminalUser person;
  TerminalRun run;
};

}  // namespace

TEST_CASE("a paste without an end lets keys in again after a second of silence", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~C");
  run.wait_for(std::string(kPrompt) + " C");
  run.type("O\r");
  run.wait_for(std::string(kPrompt) + " CO");
  CHECK_FALSE(run.has_text("1 CO"));  // the Enter is pasted
  pause(run, 1300);
  const double before = run.cpu_seconds();
  run.type("\r");
  run.wait_for("1 CO");
  pause(run, 1300);
  CHECK(run.cpu_seconds() - before < 0.2);
  run.type("\033[201~");  // too late to mean anything
  play_ply(run, "ct", 2);
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 game");
}

TEST_CASE("a key of its own of a terminal is no paste", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  LaunchOptions launch = person.make_launch({"open", "toot-101"});
  launch.term = "linux";
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  run.type("\033[ZCO\r");
  run.wait_for("1 CO");
  run.type(kEscapeKey);
  run.wait_for("pbmplay - 1 game");
}

TEST_CASE("pasted text that comes in pieces stays pasted text", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~c");
  for (const char* piece : {"o", "\r", "d", "\r", "t"}) {
    pause(run, 200);
    run.type(piece);
  }
  run.wait_for(std::string(kPrompt) + " codt");
  run.type("\r\033[201~");
  run.wait_idle();
  CHECK(run.has_text(std::string(kPrompt) + " codt"));
  CHECK(read_plies(person.save_file("toot-101")).empty());
}

TEST_CASE("Ctrl-C leaves while a paste has no end, but not out of the pasted text", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  {
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    run.type("\033[200~CO");
    run.wait_for(std::string(kPrompt) + " CO");
    pause(run);
    run.type(kCtrlC);
    run.wait_for("y or n");
    run.type(kCtrlC);
    CHECK(run.wait_exit().status == 0);
  }
  {
    TerminalRun run(person.make_launch({"open", "toot-101"}));
    run.wait_for(kPrompt);
    run.type("\033[200~CO");
    pause(run);
    run.type("\003\003");  // both at once
    CHECK(run.wait_exit().status == 0);
  }
  TerminalRun run(person.make_launch({"open", "toot-101"}));
  run.wait_for(kPrompt);
  run.type("\033[200~\003c\003y\003");
  pause(run);
  run.type("\003o\003\033[201~");
  run.wait_for(std::string(kPrompt) + " cyo");
  pause(run);
  CHECK_FALSE(run.has_text("y or n"));
  CHECK(run.is_running());
}

TEST_CASE("Alt with a key does nothing: neither Esc nor the key", "[terminal]") {
  TypingUser user;
  TerminalRun& run = user.run;
  const auto before = run.screen_rows();
  std::vector<std::string> keys{"\xc3\xa9", "\xe5\xb1\xb1", "\xf0\x9f\x98\x80", "\xff"};
  for (const char c : std::string_view("dqD10. ?\r\n\t\177\b\004[]P_^XON\\"))
    keys.emplace_back(1, c);
  for (const std::string& alt : keys) {
    INFO("Alt and " << alt);
    run.type("\033" + alt);
    pause(run, 80);
    run.wait_idle();
    CHECK(run.screen_rows() == before);
  }
  run.type("\033d\033d\033d");
  run.wait_idle();
  CHECK(run.screen_rows() == before);
  // The next key counts.
  run.type("\033]");
  pause(run, 60);
  run.wait_idle();
  run.type("\r");
  run.wait_for("1 CO");
}

TEST_CASE("Esc by hand and a letter after it are two keys", "[terminal]") {
  TypingUser user;
  TerminalRun& run = user.run;
  run.type(kEscapeKey);
  run.wait_until("an empty line", [&] { return !run.has_text(std::string(kPrompt) + " CO"); });
  run.type("d");
  run.wait_for(std::string(kPrompt) + " d");
  run.type("\033\033");  // twice, as a person in a hurry
  run.wait_for("pbmplay - 1 game");
  run.type("d");
  run.wait_for("d again deletes");
  CHECK(fs::exists(user.person.save_file("toot-101")));
}

TEST_CASE("Ctrl-C right behind Esc is Ctrl-C", "[terminal]") {
  TypingUser user;
  user.run.type("\033\003");
  user.run.wait_for("y or n");
  CHECK(user.run.has_text(std::string(kPrompt) + " CO"));
}

TEST_CASE("an answer of the terminal that comes late is dropped, however it ends", "[terminal]") {
  TypingUser user;
  TerminalRun& run = user.run;
  const auto before = run.screen_rows();
  for (const std::string answer :
       {"\033]11;rgb:1e1e/1e1e/1e1e\a", "\033]11;rgb:1e1e/1e1e/1e1e\033\\",
        "\033]11;rgb:1e1e/1e1e/1e1e\x9c", "\033]11;rgb:1e1e/1e1e/1e1e\xc2\x9c",
        "\033]2;\xe2\x9c\x93 deq\r\a", "\033P1$r0m\033\\", "\033P>|XTerm(379)\033\\",
        "\033P!|7E7E5943\x9c", "\033_Gi=1;OK\033\\", "\033^privacy\033\\", "\033Xstart\033\\",
        "\033[?64;1;2;6;9;15;16;17;18;21;22;28c", "\033[24;80R", "\033[27;3;100~", "\033[100;3u",
        "\033[I", "\033O5P"}) {
    INFO("answer " << answer.substr(1));
    run.type(answer);
    pause(run, 60);
    run.wait_idle();
    CHECK(run.screen_rows() == before);
    // In pieces, as over a slow line.
    if (answer.size() <= 6) continue;
    run.type(answer.substr(0, 6));
    pause(run, 1);
    run.type(answer.substr(6));
    pause(run, 60);
    run.wait_idle();
    CHECK(run.screen_rows() == before);
  }
  run.type("\033]52;c;" + std::string(5000, 'd') + "\a");
  run.wait_idle();
  CHECK(run.screen_rows() == before);
  run.type("\r");
  run.wait_for("1 CO");
}

TEST_CASE("an answer without an end takes no later key with it", "[terminal]") {
  for (const std::string begin : {"\033]11;rgb:1e1e", "\033P1$r", "\033[12;"}) {
    INFO("answer " << begin.substr(1));
    TypingUser user;
    user.run.type(begin);
    pause(user.run);
    user.run.wait_idle();
    user.run.type("\r");
    user.run.wait_for("1 CO");
  }
  for (const std::string_view next : {kLeftKey, kCtrlC, kEscapeKey}) {
    TypingUser user;
    user.run.type("\033]11;rgb:1e1e" + std::string(next));
    if (next == kCtrlC) user.run.wait_for("y or n");
    else if (next == kEscapeKey)
      user.run.wait_until("an empty line",
                          [&] { return !user.run.has_text(std::string(kPrompt) + " CO"); });
    else
      user.run.wait_until("the cursor further left", [&] {
        return user.run.cursor().column == user.run.find_text(" CO")->column + 2;
      });
  }
  // A key that is held down repeats faster than an answer may pause.
  TypingUser user;
  user.run.type("\033]11;rgb:1e1e");
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!user.run.has_text(" COTT") && std::chrono::steady_clock::now() < until) {
    user.run.type("T");
    user.run.read_for(Millis(30));
  }
  CHECK(user.run.has_text(" COTT"));
}

TEST_CASE("what a terminal without UTF-8 sends with Alt does nothing", "[terminal]") {
  TerminalUser person;
  person.write_toot_board();
  LaunchOptions launch = person.make_launch({"open", "toot-101"});
  launch.environment["LC_ALL"] = "C";
  TerminalRun run(launch);
  run.wait_for(kPrompt);
  run.type("CO");
  run.wait_for(std::string(kPrompt) + " CO");
  const auto before = run.screen_rows();
  for (const char* bytes : {"\033d", "\033\xe9", "\033]11;rgb:1e1e/1e1e/1e1e\x9c", "\033\r"}) {
    run.type(bytes);
    pause(run, 60);
    run.wait_idle();
    CHECK(run.screen_rows() == before);
  }
  run.type("\r");
  run.wait_for("1 CO");
}
