// SPDX-License-Identifier: MIT
// Access by SSH: the line that `door` writes for a key, and what a user of that key can reach.
// t/ssh.cpp tests the whole way in.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/sandbox.hpp"
#include "child.hpp"
#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// A home directory with SSH keys, where `door` runs.
struct KeyHome : TestHome {
  explicit KeyHome() {
    for (const std::string words :
         {"-t ed25519 -f fred", "-t ecdsa -f wilma", "-t rsa -b 1024 -f ca"}) {
      const RunResult ran = run_shell("cd '" + dir.path().string() +
                                      "' && ssh-keygen -q -N '' -C 'a friend' " + words);
      INFO(ran.err);
      REQUIRE(ran.status == 0);
    }
  }
  std::string key(const std::string& name) const { return read_bytes(dir / (name + ".pub")); }
  RunResult run_door(const std::string& input, const std::string& user = "fred",
                     const std::string& socket = "/run/pbmplay/socket") const {
    return (*this)({"door", "--user", user, "--socket", socket}, input);
  }
};

bool lacks_keygen() {
  if (run_shell("command -v ssh-keygen").status == 0) return false;
  skip_test("there is no ssh-keygen");
  return true;
}

// Returns what `attempt` returns in a child with these confines, or nothing if the kernel has no
// Landlock.
template <class Attempt>
std::optional<bool> run_confined(const SandboxRules& confines, Attempt attempt) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(!enter_sandbox(confines) ? 2 : attempt() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) return std::nullopt;
  return WEXITSTATUS(status) == 0;
}

bool can_open(const fs::path& file, int flags) {
  const int fd = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool lacks_landlock() {
  if (run_confined({}, [] { return true; })) return false;
  skip_test("this kernel has no Landlock");
  return true;
}

}  // namespace

TEST_CASE("a door is one line: what the key may do, and the key", "[listen_socket]") {
  if (lacks_keygen()) return;
  const KeyHome keys;
  for (const std::string name : {"fred", "wilma"}) {
    const RunResult ran = keys.run_door(keys.key(name), name);
    CHECK(ran.out == "restrict,pty,command=\"" + require_program().string() +
                         " --socket /run/pbmplay/socket --user " + name + "\" " + keys.key(name));
    CHECK(ran.err == "");
    CHECK(ran.status == 0);
  }
  // A key file with CRLF, and a userid in mixed case.
  const std::string bare = keys.key("fred").substr(0, keys.key("fred").size() - 1);
  CHECK(contains(keys.run_door(bare + "\r\n", "Fred").out, " --user fred\" " + bare + "\n"));
  // sshd starts the program in the home of a login, so `door` writes absolute paths. It quotes a
  // path with a blank.
  CHECK(contains(keys.run_door(bare, "fred", "a b/s").out,
                 " --socket '" + (keys.dir / "a b/s").string() + "' --user"));
}

TEST_CASE("nothing is let in but one public key", "[listen_socket]") {
  if (lacks_keygen()) return;
  const KeyHome keys;
  const std::string fred = keys.key("fred"), wilma = keys.key("wilma");
  const std::string in = "cd '" + keys.dir.path().string() + "' && ";
  REQUIRE(run_shell(in + "ssh-keygen -q -s ca -I x -n fred fred.pub").status == 0);
  std::string damaged = fred;
  damaged[30] = damaged[30] == 'A' ? 'B' : 'A';
  damaged.erase(40, 4);
  const std::vector<std::pair<std::string, std::string>> refused{
      {fred + wilma, "more than one line"},
      {"# a comment\n" + fred, "more than one line"},
      {fred.substr(0, 20) + "\n" + fred.substr(20), "more than one line"},
      {fred + "\rssh-ed25519 AAAA", "more than one line"},
      {"command=\"sh\" " + fred, "must begin with a type"},
      {"restrict " + fred, "must begin with a type"},
      {"no-pty,permitopen=\"*:*\" " + fred, "must begin with a type"},
      {"cert-authority " + fred, "must begin with a type"},
      {read_bytes(keys.dir / "fred-cert.pub"), "a certificate"},
      {read_bytes(keys.dir / "fred"), "a private key"},
      {read_bytes(keys.dir / "ca"), "a private key"},
      {damaged, "ssh-keygen does not accept this public key"},
      {fred.substr(0, 50), "ssh-keygen does not accept this public key"},
      {"ssh-ed25519", "ssh-keygen does not accept this public key"},
      {"ssh-rsa" + fred.substr(fred.find(' ')), "ssh-keygen does not accept this public key"},
      {"", "no key on standard input"},
      {"\n \n", "no key on standard input"},
      {std::string(100000, 'A'), "too long for a public key"},
      {fred.substr(0, 40) + '\0' + fred.substr(40), "characters"},
      {fred.substr(0, fred.size() - 1) + "\033[2J\n", "characters"},
  };
  for (const auto& [input, why] : refused) {
    const RunResult ran = keys.run_door(input);
    INFO(input.substr(0, 60) << ": " << ran.err);
    CHECK(ran.out == "");
    CHECK(ran.status == 1);
    CHECK(contains(ran.err, why));
    CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  }
}

TEST_CASE("a door leads to a userid and a path that can be written safely", "[listen_socket]") {
  if (lacks_keygen()) return;
  const KeyHome keys;
  for (const std::string user : {"../fred", "fred wilma", "fred\"", "-x", "all", "fred;sh"}) {
    const RunResult ran = keys.run_door(keys.key("fred"), user);
    INFO(user);
    CHECK(ran.out == "");
    CHECK(ran.status == 2);
    CHECK(contains(ran.err, "cannot be a userid"));
  }
  for (const std::string socket : {"/run/a\"b", "/run/a'b", "/run/a\\b", "/run/a\nb", "/run/a!b"}) {
    const RunResult ran = keys.run_door(keys.key("fred"), "fred", socket);
    INFO(socket);
    CHECK(ran.out == "");
    CHECK(ran.status == 1);
    CHECK(contains(ran.err, "not safe in authorized_keys"));
  }
  CHECK(keys.run_door(keys.key("fred"), "fred", "/" + std::string(110, 'x')).status == 2);
  // A userid is required. An address that is no Unix socket is refused, as it trusts nobody.
  CHECK(keys({"door", "--socket", "/run/s"}, keys.key("fred")).status == 2);
  CHECK(keys({"door", "--user", "fred", "--connect", "127.0.0.1:4000"}, keys.key("fred")).status ==
        2);
}

TEST_CASE("without ssh-keygen there is no door, and it alone says what a key is",
          "[listen_socket]") {
  if (lacks_keygen()) return;
  const KeyHome keys;
  const auto door_with = [&](const std::string& path) {
    return run_program({"door", "--user", "fred", "--socket", "/run/s"},
                       {.home = keys.dir.path(),
                        .input = keys.key("fred"),
                        .directory = {},
                        .output = {},
                        .variables = {"PATH=" + path}});
  };
  const RunResult without = door_with((keys.dir / "nothing").string());
  CHECK(without.status == 1);
  CHECK(contains(without.err, "ssh-keygen must check the key, but is not installed"));
  fs::create_directories(keys.dir / "bin");
  std::ofstream(keys.dir / "bin/ssh-keygen") << "#!/bin/sh\nexit 255\n";
  fs::permissions(keys.dir / "bin/ssh-keygen", fs::perms(0755));
  CHECK(contains(door_with((keys.dir / "bin").string()).err,
                 "ssh-keygen does not accept this public key"));
}

TEST_CASE("who is confined keeps what is said, and nothing else", "[listen_socket]") {
  if (lacks_landlock()) return;
  const TemporaryDirectory dir;
  const fs::path own = dir / "own", texts = dir / "texts", others = dir / "others";
  for (const fs::path& d : {own / "a", own / "b", texts, others}) fs::create_directories(d);
  for (const fs::path& file : {own / "a/kept", texts / "text", others / "secret"})
    std::ofstream(file) << "x";
  fs::create_symlink(others, own / "way-out");
  const SandboxRules confines{{texts, dir / "not there"}, {own}, std::nullopt};
  const auto can = [&](auto attempt) {
    return run_confined(confines, attempt) == std::optional(true);
  };
  const auto cannot = [&](auto attempt) {
    return run_confined(confines, attempt) == std::optional(false);
  };
  CHECK(can([&] {
    return can_open(texts / "text", O_RDONLY) && can_open(texts, O_RDONLY | O_DIRECTORY);
  }));
  CHECK(cannot([&] { return can_open(texts / "text", O_WRONLY); }));
  CHECK(cannot([&] { return can_open(texts / "new", O_WRONLY | O_CREAT); }));
  CHECK(can([&] {
    return can_open(own / "new", O_WRONLY | O_CREAT) && ::mkdir((own / "c").c_str(), 0700) == 0 &&
           ::unlink((own / "new").c_str()) == 0;
  }));
  CHECK(can([&] {
    return can_open(own / "a/kept", O_RDWR | O_TRUNC) &&
           ::rename((own / "a/kept").c_str(), (own / "b/kept").c_str()) == 0;
  }));
  for (const fs::path& secret :
       {others / "secret", own / "way-out/secret", fs::path("/etc/passwd")}) {
    INFO(secret);
    CHECK(cannot([&] { return can_open(secret, O_RDONLY); }));
    CHECK(cannot([&] { return can_open(secret, O_WRONLY); }));
  }
  CHECK(cannot([&] { return can_open(others, O_RDONLY | O_DIRECTORY); }));
  CHECK(cannot([&] { return can_open(others / "new", O_WRONLY | O_CREAT); }));
  CHECK(cannot([&] { return ::unlink((others / "secret").c_str()) == 0; }));
  CHECK(cannot([&] { return ::rename((own / "b/kept").c_str(), (others / "kept").c_str()) == 0; }));
  CHECK(cannot([&] { return ::link((others / "secret").c_str(), (own / "secret").c_str()) == 0; }));
  CHECK(cannot([&] { return ::symlink("/", (own / "root").c_str()) == 0; }));
  CHECK(cannot([&] { return ::execl("/bin/true", "true", nullptr) == 0; }));
  CHECK(read_bytes(others / "secret") == "x");
}

TEST_CASE("who speaks for a user reaches the boards of that user, and no other file",
          "[listen_socket]") {
  if (lacks_landlock()) return;
  const TestHome home;
  const fs::path socket = home.dir / "s", users = home.dir / ".local/share/pbmplay/users",
                 elsewhere = home.dir / "elsewhere";
  BackgroundProcess server({require_program().string(), "serve", "--dir",
                            (home.dir / "boards").string(), "--socket", socket.string()},
                           home.dir / "log");
  server.wait_for("listening on");
  const auto as = [&](const std::string& user, const std::string& input) {
    return home({"--socket", socket.string(), "--user", user, "--line"}, input);
  };
  const RunResult copied = as("fred",
                              "copy example:toot\nrename own:toot-101 mine\ndelete "
                              "own:mine\nundelete\nopen own:mine\nCT\nnote done\nquit\n");
  INFO(copied.out << copied.err);
  for (const char* said :
       {"The new name is own:mine.", "Deleted own:mine; undelete brings it back.",
        "own:mine is back.", "TOOT stands in column C", "Noted on move 8."})
    CHECK(contains(copied.out, said));
  CHECK(contains(copied.out, "own:toot-101 is a copy of example:toot."));
  CHECK(contains(read_bytes(users / "fred/saves/mine.yaml"), "note: done"));
  // A symbolic link out of the user's directory leads nowhere, even if somebody took over the
  // program and made it.
  fs::create_directories(elsewhere);
  fs::create_directories(users / "wilma");
  fs::create_symlink(elsewhere, users / "wilma/saves");
  const RunResult refused = as("wilma", "copy example:toot\nquit\n");
  INFO(refused.out << refused.err);
  CHECK(contains(refused.out, "cannot hold a new file: Permission denied"));
  CHECK(fs::is_empty(elsewhere));
  // A command that saves nothing creates no directory, whatever the userid.
  CHECK(home({"send", "--socket", socket.string(), "--user", "../../betty", "list"}).status != 0);
  CHECK(home({"send", "--socket", socket.string(), "--user", "betty", "list"}).status == 0);
  for (const char* place :
       {".local/share/pbmplay/users/betty", ".local/betty", ".local/share/betty"})
    CHECK_FALSE(fs::exists(home.dir / place));
}
