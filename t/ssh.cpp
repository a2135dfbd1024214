// SPDX-License-Identifier: MIT
// Tests the way between two machines: OpenSSH identifies players by their keys, each key runs one
// command, and they play.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "child.hpp"
#include "run.hpp"
#include "support.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSshd = "/usr/sbin/sshd", kSsh = "/usr/bin/ssh", kKeygen = "/usr/bin/ssh-keygen";

// Returns which program is missing, or "".
std::string missing_program() {
  for (const fs::path& program : {kSshd, kSsh, kKeygen})
    if (!fs::exists(program))
      return program.string() + " is not installed (Debian: openssh-server, openssh-client)";
  return "";
}

struct SshFixture {
  TemporaryDirectory dir;
  int port = find_free_port();
  std::unique_ptr<BackgroundProcess> server, sshd;
  const fs::path lock_file = "/run/sshd/pbmplay-" + std::to_string(::getpid());
  bool has_made_run = false;

  SshFixture() {
    fs::create_directories(dir / "home");
    server = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{tested_program().string(), "serve", "--dir",
                                 (dir / "boards").string(), "--socket", (dir / "sock").string()},
        dir / "serve.log");
    server->wait_for("listening on");
    for (const char* name : {"host", "fred", "wilma"}) {
      BackgroundProcess keygen(
          {kKeygen.string(), "-q", "-t", "ed25519", "-N", "", "-f", (dir / name).string()},
          dir / "keygen.log");
      while (keygen.is_running()) ::usleep(2000);
    }
    for (const std::string name : {"fred", "wilma"}) {
      const RunResult door =
          run_program({"door", "--user", name, "--socket", (dir / "sock").string()},
                      {.home = {},
                       .input = read_bytes(dir.path() / (name + ".pub")),
                       .directory = {},
                       .output = {},
                       .variables = {}});
      std::ofstream(dir / "authorized", std::ios::app) << door.out;
    }
    std::ofstream(dir / "config")
        << "Port " << port << "\nListenAddress 127.0.0.1\nHostKey " << (dir / "host").string()
        << "\nAuthorizedKeysFile " << (dir / "authorized").string()
        << "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication "
           "no\nPidFile none\nPermitRootLogin yes\nPrintMotd no\nPrintLastLog no\n"
        << "SetEnv HOME=" << (dir / "home").string() << "\n";
    // Without a running sshd service, its directory is missing. The file in it keeps another run of
    // this test from removing the directory.
    if (::geteuid() == 0) {
      has_made_run = ::mkdir("/run/sshd", 0755) == 0;
      std::ofstream(lock_file) << "the tests of pbmplay\n";
    }
    sshd = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{kSshd.string(), "-D", "-e", "-f", (dir / "config").string()},
        dir / "sshd.log");
    sshd->wait_for("Server listening");
  }
  ~SshFixture() {
    std::error_code none;
    fs::remove(lock_file, none);
    if (has_made_run) ::rmdir("/run/sshd");
  }

  LaunchOptions make_login(const std::string& name, const std::vector<std::string>& command = {}) {
    LaunchOptions l;
    l.program = kSsh;
    l.home = dir / "home";
    l.arguments = {"-F",
                   "none",
                   "-tt",
                   "-p",
                   std::to_string(port),
                   "-i",
                   (dir.path() / name).string(),
                   "-o",
                   "IdentitiesOnly=yes",
                   "-o",
                   "BatchMode=yes",
                   "-o",
                   "StrictHostKeyChecking=no",
                   "-o",
                   "UserKnownHostsFile=/dev/null",
                   "-o",
                   "LogLevel=ERROR",
                   "127.0.0.1"};
    l.arguments.insert(l.arguments.end(), command.begin(), command.end());
    return l;
  }
};

// Waits for a text. The terminal runs ssh, so a test cannot see if the program waits for keys.
void wait_for_text(TerminalRun& run, const std::string& text) {
  run.wait_until("'" + text + "'", [&] { return run.has_text(text); });
  run.wait_quiet(Millis(50));
}

}  // namespace

TEST_CASE("two people play by SSH, one loses the connection in the middle and comes back",
          "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  SshFixture ring;
  INFO(ring.sshd->output());
  TerminalRun fred(ring.make_login("fred"));
  // A key runs its own command, whatever the player asks for. That command takes a few words.
  TerminalRun other(ring.make_login("wilma", {"/bin/sh", "-c", "id"}));
  CHECK(other.wait_exit().status == 2);
  CHECK(contains(other.output(), "cannot be run here"));
  TerminalRun counts(ring.make_login("wilma", {"waiting", "--count"}));
  CHECK(counts.wait_exit().status == 1);
  CHECK(contains(counts.output(), "0\r\n"));
  TerminalRun wilma(ring.make_login("wilma"));
  wait_for_text(fred, "fred - 0 games");
  wait_for_text(wilma, "wilma - 0 games");
  CHECK(other.output().find("uid=") == std::string::npos);
  fred.type("s\t\t\t\twilma\r");
  wait_for_text(fred, "you (TOOT)>");
  wait_for_text(wilma, "fred challenges you to Toot");
  wilma.type("\r");
  wait_for_text(wilma, "queue a move>");
  fred.type("chat hello\r");
  wait_for_text(wilma, "fred: hello");
  fred.type("BT\r");
  wait_for_text(wilma, "you (OTTO)>");
  wilma.type("CO");
  wait_for_text(wilma, "you (OTTO)> CO");
  wilma.send_signal(SIGKILL);
  wilma.wait_exit();

  TerminalRun again(ring.make_login("wilma"));
  wait_for_text(again, "This is where you were");
  wait_for_text(again, "you (OTTO)> CO");
  again.type("\r");
  wait_for_text(fred, "2 CO");
  fred.read_for(Millis(550));  // long enough for the player to have seen the ply
  fred.type("DO\r");
  wait_for_text(again, "3 DO");
  again.read_for(Millis(550));
  again.type("FO\r");
  wait_for_text(fred, "4 FO");
  fred.read_for(Millis(550));
  fred.type("ET\r");
  wait_for_text(fred, "You (TOOT) win");
  wait_for_text(again, "fred (TOOT) wins");
  // Ctrl-Z must not stop a program that no shell can continue. No file elsewhere can be opened.
  again.type("\032");
  again.wait_quiet(Millis(100));
  again.type("?");
  wait_for_text(again, "Help: Toot");
  again.type("\033");
  wait_for_text(again, "over>");
  again.type("\033");
  wait_for_text(again, "Enter open");
  again.type(":open /etc/passwd\r");
  wait_for_text(again, "is not the name of a board");
  again.type("q");
  CHECK(again.wait_exit().status == 0);
  fred.type("\033");
  wait_for_text(fred, "Enter open");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  CHECK(read_bytes(ring.dir / "boards/toot-101.yaml").find("move: ET") != std::string::npos);
  // Each player has a directory for their own files.
  CHECK(fs::exists(ring.dir / "home/.local/share/pbmplay/users/fred"));
  CHECK(fs::exists(ring.dir / "home/.local/share/pbmplay/users/wilma"));
  CHECK_FALSE(fs::exists(ring.dir / "home/.local/share/pbmplay/saves"));
}

TEST_CASE("who comes by key has lessons, puzzles and the computer beside the server's boards",
          "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  SshFixture ring;
  INFO(ring.sshd->output());
  TerminalRun fred(ring.make_login("fred"));
  wait_for_text(fred, "fred - 0 games");
  fred.type(":lesson toot\r");
  wait_for_text(fred, "1/8: ");
  fred.type("\033");
  wait_for_text(fred, "s start");
  fred.type(":puzzle toot 1\r");
  wait_for_text(fred, "Find the only move");
  fred.type("\033");
  wait_for_text(fred, "s start");
  fred.type(":new toot computer:1\r");
  wait_for_text(fred, "Toot: you against computer 1, own:toot-101");
  fred.type("ct\r");
  wait_for_text(fred, "computer (OTTO) drops");
  fred.type("\033");
  wait_for_text(fred, "Toot: you against computer 1, own:toot-101");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  const fs::path own = ring.dir / "home/.local/share/pbmplay/users/fred/saves/toot-101.yaml";
  CHECK(contains(read_bytes(own), "computer: {2: 1}"));
  CHECK_FALSE(fs::exists(ring.dir / "boards/toot-101.yaml"));
}
