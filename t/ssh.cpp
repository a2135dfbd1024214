// SPDX-License-Identifier: MIT
// Tests the way between two machines: OpenSSH identifies players by their keys, each key runs one
// command, and they play.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/text.hpp"
#include "child.hpp"
#include "run.hpp"
#include "socket_server.hpp"
#include "support.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

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

  // With `any_key`, sshd asks `door` about every key.
  explicit SshFixture(bool any_key = false) {
    fs::create_directories(dir / "home");
    server = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{tested_program().string(), "serve", "--dir",
                                 (dir / "boards").string(), "--socket", (dir / "sock").string()},
        dir / "serve.log");
    server->wait_for("listening on");
    for (const char* name : {"host", "fred", "wilma"}) make_key(name);
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
        << "MaxStartups 100\nSetEnv HOME=" << (dir / "home").string() << "\n";
    // sshd checks the owner and mode of the command's first word only.
    if (any_key)
      std::ofstream(dir / "config", std::ios::app)
          << "AuthorizedKeysCommandUser root\nAuthorizedKeysCommand /usr/bin/env "
          << tested_program().string() << " door --any-key --socket " << (dir / "sock").string()
          << " %t %k\n";
    // Without a running sshd service, its directory is missing. The file in it keeps another run of
    // this test from removing the directory.
    if (::geteuid() == 0) {
      do {
        has_made_run |= ::mkdir("/run/sshd", 0755) == 0;
        std::ofstream(lock_file) << "the tests of pbmplay\n";
      } while (!fs::exists(lock_file));
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

  void make_key(const std::string& name, const std::string& type = "ed25519") {
    BackgroundProcess keygen(
        {kKeygen.string(), "-q", "-t", type, "-N", "", "-f", (dir.path() / name).string()},
        dir / "keygen.log");
    while (keygen.is_running()) ::usleep(2000);
  }

  ServerAddress socket() const {
    ServerAddress out;
    out.socket_path = dir / "sock";
    return out;
  }

  // Returns the words of a public key: its type and its bytes.
  Words key_words(const std::string& name) {
    Words words = split_words(read_bytes(dir.path() / (name + ".pub")));
    words.resize(2);
    return words;
  }

  // Returns the answer of `door --any-key` for a key.
  RunResult ask_door(const Words& words) {
    Words all{"door", "--any-key", "--socket", (dir / "sock").string()};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all);
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
  // It drops what is typed until it has its terminal back.
  const std::size_t before = again.output().size();
  again.type("\032");
  again.wait_until("its return",
                   [&] { return again.output().find("\033[?2004h", before) != std::string::npos; });
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
  wait_for_text(fred, "Enter open");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  const fs::path own = ring.dir / "home/.local/share/pbmplay/users/fred/saves/toot-101.yaml";
  CHECK(contains(read_bytes(own), "computer: {2: 1}"));
  CHECK_FALSE(fs::exists(ring.dir / "boards/toot-101.yaml"));
}

TEST_CASE("a stranger with any key takes a name and plays, and is known from then on", "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  if (::geteuid() != 0) return skip_test("AuthorizedKeysCommand needs root");
  SshFixture ring(true);
  INFO(ring.sshd->output());
  std::ofstream(ring.dir / "boards/motd") << "Games every Friday.\n\x1B[31mred\n";
  ring.make_key("stranger");
  const std::string door = ring.ask_door(ring.key_words("stranger")).out;
  const std::string fingerprint = door.substr(door.find("SHA256:"), 50);
  {
    TerminalRun early(ring.make_login("stranger", {"waiting"}));
    CHECK(early.wait_exit().status == 1);
    CHECK(contains(early.output(), "This key is new here"));
  }
  {
    TerminalRun stranger(ring.make_login("stranger"));
    wait_for_text(stranger, "Choose a name.");
    CHECK(stranger.has_text(fingerprint));
    CHECK(stranger.has_text("ssh -i"));
    CHECK(stranger.has_text("Games every Friday."));
    CHECK(stranger.has_text("?[31mred"));
    stranger.type("root\r");
    wait_for_text(stranger, "cannot be a userid");
    stranger.type("\025barney\r");
    wait_for_text(stranger, "barney - 0 games");
    // Killed between the sign-up and the first move.
    stranger.send_signal(SIGKILL);
    stranger.wait_exit();
  }
  const fs::path users = ring.dir / "home/.local/share/pbmplay/users";
  CHECK(fs::exists(users / "barney"));
  CHECK_FALSE(fs::exists(users / "new"));
  {
    TerminalRun barney(ring.make_login("stranger"));
    wait_for_text(barney, "barney - 0 games");
    CHECK(barney.has_text("Games every Friday."));
    barney.type("c");
    wait_for_text(barney, "against computer (level 1)");
    barney.type("ct\r");
    wait_for_text(barney, "computer (OTTO) drops");
    barney.type("\033");
    wait_for_text(barney, "Enter open");
    barney.type(":keys\r");
    wait_for_text(barney, fingerprint);
    barney.type("\033");
    wait_for_text(barney, "Enter open");
    barney.type(":open /etc/passwd\r");
    wait_for_text(barney, "is not the name of a board");
    barney.type("q");
    CHECK(barney.wait_exit().status == 0);
  }
  CHECK(fs::exists(users / "barney/saves/toot-101.yaml"));
  // The same few words as with a line of `door --user`, and no shell.
  for (const Words& command :
       {Words{"/bin/sh", "-c", "id"}, Words{"send", "-", ";", "id"}, Words{"serve", "--dir", "x"},
        Words{"--socket", "x"}, Words{"--key", fingerprint}, Words{"open", "/etc/passwd"},
        Words{"door", "--any-key"}, Words{"watch", "--socket", "x"}}) {
    TerminalRun other(ring.make_login("stranger", command));
    CHECK(other.wait_exit().status != 0);
    CHECK_FALSE(contains(other.output(), "uid="));
  }
  TerminalRun list(ring.make_login("stranger", {"send", "keys"}));
  CHECK(list.wait_exit().status == 0);
  CHECK(contains(list.output(), "barney has 1 key."));
  TerminalRun waiting(ring.make_login("stranger", {"waiting", "--count"}));
  CHECK(waiting.wait_exit().status == 1);
  CHECK(contains(waiting.output(), "0\r\n"));
  // The files of a player follow a new name.
  RawConnection owner(ring.socket());
  CHECK(contains(owner.request("admin rename barney betty"), "+OK"));
  TerminalRun betty(ring.make_login("stranger"));
  wait_for_text(betty, "own:toot-101");
  CHECK(fs::exists(users / "betty/saves/toot-101.yaml"));
  CHECK_FALSE(fs::exists(users / "barney"));
  // They may move to a second machine, where the server has another uid.
  for (const auto& entry : fs::recursive_directory_iterator(users))
    CHECK(entry.path().filename() != ".login");
  // A line of `door --user` goes on working beside it.
  TerminalRun fred(ring.make_login("fred"));
  wait_for_text(fred, "fred - 0 games");
}

TEST_CASE("a second key is added by a code, and a ban covers both", "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  if (::geteuid() != 0) return skip_test("AuthorizedKeysCommand needs root");
  SshFixture ring(true);
  INFO(ring.sshd->output());
  ring.make_key("first");
  ring.make_key("away", "ecdsa");
  ring.make_key("third", "rsa");
  TerminalRun home(ring.make_login("first"));
  wait_for_text(home, "Choose a name.");
  home.type("barney\r");
  wait_for_text(home, "barney - 0 games");
  TerminalRun away(ring.make_login("away"));
  wait_for_text(away, "Choose a name.");
  away.type("barney\r");
  wait_for_text(away, "barney is taken");
  away.type("\033[A ");
  wait_for_text(away, "keys add ");
  away.type("\r");
  wait_for_text(away, "not typed yet");
  const std::string screen = away.screen_text();
  const std::string code = screen.substr(screen.find("keys add ") + 9, 8);
  home.type(":keys add " + code + "\r");
  wait_for_text(home, "barney can sign in with");
  away.type("\r");
  wait_for_text(away, "barney - 0 games");
  // Somebody who leaves the form has no account.
  TerminalRun third(ring.make_login("third"));
  wait_for_text(third, "Choose a name.");
  third.type("\033");
  CHECK(third.wait_exit().status == 0);
  RawConnection owner(ring.socket());
  CHECK(contains(owner.request("admin ban barney : enough"), "+OK"));
  wait_for_text(home, "banned");
  for (const char* key : {"first", "away"}) {
    TerminalRun banned(ring.make_login(key));
    CHECK(banned.wait_exit().status == 1);
    CHECK(contains(banned.output(), "barney is banned: enough"));
  }
}

TEST_CASE("twenty keys come in at once", "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  if (::geteuid() != 0) return skip_test("AuthorizedKeysCommand needs root");
  SshFixture ring(true);
  INFO(ring.sshd->output());
  const auto name = [](int i) { return "user" + std::to_string(i); };
  for (int i = 0; i < 20; ++i) {
    ring.make_key(name(i));
    const std::string door = ring.ask_door(ring.key_words(name(i))).out;
    RawConnection client(ring.socket());
    client.request("key " + door.substr(door.find("SHA256:"), 50) + " from 192.0.2." +
                   std::to_string(i));
    REQUIRE(contains(client.request("key name " + name(i)), "+OK Hello"));
  }
  std::vector<std::unique_ptr<TerminalRun>> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(std::make_unique<TerminalRun>(ring.make_login(name(i))));
  for (int i = 0; i < 20; ++i) wait_for_text(*all[static_cast<std::size_t>(i)], name(i) + " - 0");
  for (int i = 0; i < 20; ++i)
    CHECK(fs::exists(ring.dir / "home/.local/share/pbmplay/users" / name(i)));
}

TEST_CASE("door takes exactly one public key from sshd", "[ssh]") {
  if (const std::string why = missing_program(); !why.empty()) return skip_test(why);
  SshFixture ring;
  for (const char* type : {"ed25519", "rsa", "ecdsa"}) {
    ring.make_key(std::string("key-") + type, type);
    const Words words = ring.key_words(std::string("key-") + type);
    const RunResult door = ring.ask_door(words);
    CHECK(door.status == 0);
    const RunResult shown =
        run_shell(kKeygen.string() + " -lf " + (ring.dir.path() / "key-").string() + type + ".pub");
    const std::string fingerprint = split_words(shown.out)[1];
    CHECK(door.out == "restrict,pty,command=\"" + fs::canonical(tested_program()).string() +
                          " --socket " + (ring.dir / "sock").string() + " --key " + fingerprint +
                          "\" " + words[0] + " " + words[1] + "\n");
  }
  const Words good = ring.key_words("fred");
  // A security key has the application's name in one more field.
  CHECK(
      ring.ask_door({"sk-ssh-ed25519@openssh.com",
                     "AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                     "AAAAAAAAAAAAAAAABHNzaDo="})
          .status == 0);
  const std::string key = good[1];
  for (const Words& wrong :
       {Words{}, Words{good[0]}, Words{good[0], key, "comment"}, Words{good[0], ""},
        Words{good[0], key + " "}, Words{good[0], key + "\n" + key}, Words{good[0], key + "A"},
        Words{good[0], key.substr(0, 40)}, Words{good[0], "AAAA"}, Words{"ssh-rsa", key},
        Words{"ssh-dss", key}, Words{"ssh-ed25519-cert-v01@openssh.com", key},
        Words{"restrict", good[0] + " " + key}, Words{"command=\"id\" " + good[0], key},
        Words{good[0] + "\n", key}, Words{good[0], "%k"}, Words{"%t", "%k"},
        Words{good[0], key + "\" x"}, Words{good[0], std::string(40000, 'A')}}) {
    const RunResult door = ring.ask_door(wrong);
    CHECK(door.status != 0);
    CHECK(door.out.empty());
  }
}
