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
std::string missing() {
  for (const fs::path& program : {kSshd, kSsh, kKeygen})
    if (!fs::exists(program))
      return program.string() + " is not installed (Debian: openssh-server, openssh-client)";
  return "";
}

struct Keyring {
  TemporaryDirectory dir;
  int port = free_port();
  std::unique_ptr<Child> server, sshd;
  const fs::path in_use = "/run/sshd/pbmplay-" + std::to_string(::getpid());
  bool made_run = false;

  Keyring() {
    fs::create_directories(dir / "home");
    server = std::make_unique<Child>(
        std::vector<std::string>{tested_program().string(), "serve", "--dir",
                                 (dir / "boards").string(), "--socket", (dir / "sock").string()},
        dir / "serve.log");
    server->wait_for("listening on");
    for (const char* name : {"host", "fred", "wilma"}) {
      Child keygen({kKeygen.string(), "-q", "-t", "ed25519", "-N", "", "-f", (dir / name).string()},
                   dir / "keygen.log");
      while (keygen.running()) ::usleep(2000);
    }
    for (const std::string name : {"fred", "wilma"}) {
      const Ran door = run({"door", "--user", name, "--socket", (dir / "sock").string()},
                           {.home = {},
                            .input = bytes_of(dir.path() / (name + ".pub")),
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
      made_run = ::mkdir("/run/sshd", 0755) == 0;
      std::ofstream(in_use) << "the tests of pbmplay\n";
    }
    sshd = std::make_unique<Child>(
        std::vector<std::string>{kSshd.string(), "-D", "-e", "-f", (dir / "config").string()},
        dir / "sshd.log");
    sshd->wait_for("Server listening");
  }
  ~Keyring() {
    std::error_code none;
    fs::remove(in_use, none);
    if (made_run) ::rmdir("/run/sshd");
  }

  Launch login(const std::string& name, const std::vector<std::string>& command = {}) {
    Launch l;
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
void sees(TerminalRun& run, const std::string& text) {
  run.wait_until("'" + text + "'", [&] { return run.shows(text); });
  run.wait_quiet(Millis(50));
}

}  // namespace

TEST_CASE("two people play by SSH, one loses the connection in the middle and comes back",
          "[ssh]") {
  if (const std::string why = missing(); !why.empty()) return skip(why);
  Keyring ring;
  INFO(ring.sshd->output());
  TerminalRun fred(ring.login("fred"));
  // A key runs its own command, whatever the player asks for. That command takes a few words.
  TerminalRun other(ring.login("wilma", {"/bin/sh", "-c", "id"}));
  CHECK(other.wait_exit().status == 2);
  CHECK(has(other.output(), "is nothing that can be asked for here"));
  TerminalRun counts(ring.login("wilma", {"waiting", "--count"}));
  CHECK(counts.wait_exit().status == 1);
  CHECK(has(counts.output(), "0\r\n"));
  TerminalRun wilma(ring.login("wilma"));
  sees(fred, "fred - 0 boards");
  sees(wilma, "wilma - 0 boards");
  CHECK(other.output().find("uid=") == std::string::npos);
  fred.type("s\t\t\t\twilma\r");
  sees(fred, "fred (TOOT)>");
  sees(wilma, "A new board: fred and wilma");
  wilma.type("\r");
  sees(wilma, "your next move>");
  fred.type("chat hello\r");
  sees(wilma, "fred: hello");
  fred.type("BT\r");
  sees(wilma, "wilma (OTTO)>");
  wilma.type("CO");
  sees(wilma, "wilma (OTTO)> CO");
  wilma.signal(SIGKILL);
  wilma.wait_exit();

  TerminalRun again(ring.login("wilma"));
  sees(again, "this is where you were");
  sees(again, "wilma (OTTO)> CO");
  again.type("\r");
  sees(fred, "2 CO");
  fred.watch(Millis(550));  // long enough for the player to have seen the ply
  fred.type("DO\r");
  sees(again, "3 DO");
  again.watch(Millis(550));
  again.type("FO\r");
  sees(fred, "4 FO");
  fred.watch(Millis(550));
  fred.type("ET\r");
  sees(fred, "fred (TOOT) won");
  sees(again, "fred (TOOT) won");
  // Ctrl-Z must not stop a program that no shell can continue. No file elsewhere can be opened.
  again.type("\032");
  again.wait_quiet(Millis(100));
  again.type("?");
  sees(again, "Help: Toot");
  again.type("\033");
  sees(again, "over>");
  again.type("\033");
  sees(again, "Enter open");
  again.type(":open /etc/passwd\r");
  sees(again, "files elsewhere cannot be opened here");
  again.type("q");
  CHECK(again.wait_exit().status == 0);
  fred.type("\033");
  sees(fred, "Enter open");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  CHECK(bytes_of(ring.dir / "boards/toot-101.yaml").find("move: ET") != std::string::npos);
  // Each player has a directory for their own files.
  CHECK(fs::exists(ring.dir / "home/.local/share/pbmplay/users/fred"));
  CHECK(fs::exists(ring.dir / "home/.local/share/pbmplay/users/wilma"));
  CHECK_FALSE(fs::exists(ring.dir / "home/.local/share/pbmplay/saves"));
}

TEST_CASE("who comes by key has lessons, puzzles and the computer beside the server's boards",
          "[ssh]") {
  if (const std::string why = missing(); !why.empty()) return skip(why);
  Keyring ring;
  INFO(ring.sshd->output());
  TerminalRun fred(ring.login("fred"));
  sees(fred, "fred - 0 boards");
  fred.type(":lesson toot\r");
  sees(fred, "1/8: ");
  fred.type("\033");
  sees(fred, "s start");
  fred.type(":puzzle toot 1\r");
  sees(fred, "only one first move does it");
  fred.type("\033");
  sees(fred, "s start");
  fred.type(":new toot computer:1\r");
  sees(fred, "Toot: you against computer 1, own:toot-101");
  fred.type("ct\r");
  sees(fred, "computer (OTTO) drops");
  fred.type("\033");
  sees(fred, "Toot: you against computer 1, own:toot-101");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  const fs::path own = ring.dir / "home/.local/share/pbmplay/users/fred/saves/toot-101.yaml";
  CHECK(has(bytes_of(own), "computer: {2: 1}"));
  CHECK_FALSE(fs::exists(ring.dir / "boards/toot-101.yaml"));
}
