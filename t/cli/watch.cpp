// SPDX-License-Identifier: MIT
// Notifications outside the screen: waiting boards, events, and the commands that a login may run.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <thread>

#include "base/sandbox.hpp"
#include "base/unique_fd.hpp"
#include "child.hpp"
#include "cli/run_functions.hpp"
#include "protocol/address.hpp"
#include "run.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

void wait_until(const std::function<bool()>& done) {
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!done()) {
    REQUIRE(std::chrono::steady_clock::now() < over);
    ::usleep(2000);
  }
}

// A server with fred and wilma, and their commands to it.
struct WatchServer {
  WatchServer()
      : server({tested_program().string(), "serve", "--dir", (dir / "boards").string(), "--socket",
                socket()},
               dir / "serve.log") {
    server.wait_for("listening on");
    REQUIRE(send_command("fred", "boards fred").status == 0);
    REQUIRE(send_command("wilma", "boards wilma").status == 0);
  }
  std::string socket() const { return (dir / "sock").string(); }
  RunResult send_command(const std::string& who, const std::string& command) const {
    return run_program({"send", "--socket", socket(), "--user", who, command});
  }
  RunResult run_waiting(const std::string& who, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"waiting", "--socket", socket(), "--user", who});
    return run_program(more);
  }
  // Runs a command as with the player's key, after `ssh HOST`.
  RunResult run_by_ssh(const std::string& who, const std::string& command) const {
    return run_program({"--socket", socket(), "--user", who},
                       {.home = dir.path(),
                        .input = {},
                        .directory = {},
                        .output = {},
                        .variables = {"SSH_ORIGINAL_COMMAND=" + command}});
  }
  std::vector<std::string> watch_arguments(std::vector<std::string> more = {}) const {
    more.insert(more.begin(),
                {tested_program().string(), "watch", "--socket", socket(), "--user", "wilma"});
    return more;
  }
  void wait_for_watcher() const {
    // fred is on the server while he asks, so only wilma counts.
    wait_until([&] {
      const std::string list = send_command("fred", "list").out;
      const std::size_t at = list.find("wilma");
      return at != std::string::npos &&
             list.substr(at, list.find('\n', at) - at).ends_with("signed in");
    });
  }

  TemporaryDirectory dir;
  BackgroundProcess server;
};

}  // namespace

TEST_CASE("waiting tells one's own boards that wait, and by its status whether any does",
          "[watch]") {
  const TestHome home;
  RunResult r = home({"waiting"});
  CHECK(r.status == 1);
  CHECK(r.out.empty());
  CHECK(home({"waiting", "--count"}).out == "0\n");
  REQUIRE(home({"--line", "toot", "fred", "wilma"}, "BT\nquit\n").status == 0);
  r = home({"waiting"});
  CHECK(r.status == 0);
  CHECK(r.out == "toot-101: Toot, fred and wilma, wilma's turn, 1 move.\n");
  r = home({"waiting", "--count"});
  CHECK(r.status == 0);
  CHECK(r.out == "1\n");
  REQUIRE(home({"--line", "open", "toot-101"}, "resign\nresign\nquit\n").status == 0);
  CHECK(home({"waiting"}).status == 1);
  CHECK(home({"waiting", "toot-101"}).status == 2);
  CHECK(contains(home({"waiting", "--socket", "/nowhere"}).err, "--user NAME"));
  CHECK(home({"waiting", "--user", "fred", "--socket", "/nowhere"}).status == 3);
  CHECK(home({"watch"}).status == 2);
  // Older games against the computer do not wait, as in the list of boards.
  for (int i = 0; i < 3; ++i)
    REQUIRE(home({"--line", "toot", "fred", "computer:1"}, "quit\n").status == 0);
  CHECK(home({"waiting", "--count"}).out == "3\n");
  for (const auto& entry : fs::directory_iterator(home.saves_directory()))
    if (const std::string text = read_bytes(entry.path()); entry.path().extension() == ".yaml")
      std::ofstream(entry.path()) << std::regex_replace(text, std::regex("20[0-9][0-9]-"), "2020-");
  CHECK(home({"waiting", "--count"}).out == "0\n");
}

TEST_CASE("waiting answers within a second, whatever the server does", "[watch]") {
  TemporaryDirectory dir;
  const std::string path = (dir / "sock").string();
  const UniqueFd door(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  REQUIRE(::bind(door.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
  REQUIRE(::listen(door.get(), 4) == 0);
  // One server says nothing; the other signs fred in and then says nothing more.
  for (const bool lets_in : {false, true}) {
    std::thread server([&] {
      const UniqueFd guest(::accept(door.get(), nullptr, nullptr));
      const std::string hello = "+OK Hello, fred.\n.\n";
      char bytes[1024];
      for (bool said = !lets_in; ::read(guest.get(), bytes, sizeof bytes) > 0; said = true)
        if (!said) REQUIRE(::write(guest.get(), hello.data(), hello.size()) > 0);
    });
    const auto begun = std::chrono::steady_clock::now();
    const RunResult r = run_program({"waiting", "--count", "--user", "fred", "--socket", path});
    CHECK(r.status == 3);
    CHECK(r.out.empty());
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
    server.join();
  }
}

TEST_CASE("on a server waiting is about whoever asks", "[watch]") {
  const WatchServer club;
  REQUIRE(club.send_command("fred", "toot challenge fred wilma").status == 0);
  CHECK(club.run_waiting("fred").out == "toot-101: Toot, fred and wilma, fred's turn, 0 moves.\n");
  CHECK(club.run_waiting("wilma").status == 1);
  REQUIRE(club.send_command("fred", "toot move 101 fred * BT").status == 0);
  CHECK(club.run_waiting("fred", {"--count"}).out == "0\n");
  CHECK(club.run_waiting("wilma", {"--count"}).out == "1\n");
  // The same with a key.
  CHECK(club.run_by_ssh("wilma", "waiting --count").out == "1\n");
  CHECK(club.run_by_ssh("wilma", " waiting ").status == 0);
  CHECK(club.run_by_ssh("fred", "waiting").status == 1);
  CHECK(contains(club.run_by_ssh("wilma", "send toot show 101").out, "toot 101: wilma's turn"));
  CHECK(contains(club.run_by_ssh("wilma", "--line").out, "toot-101: Toot, fred and wilma"));
  for (const std::string asked : {"id", "waiting; id", "--line --user fred", "watch --socket x",
                                  "send", "show /etc/passwd", "--saves /", "toot"}) {
    const RunResult r = club.run_by_ssh("wilma", asked);
    CAPTURE(asked, r.out);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(contains(r.err, "Allowed: waiting, waiting --count, watch, --line and send COMMAND."));
  }
}

TEST_CASE("whoever asks what waits has read nothing of what others said", "[watch]") {
  const WatchServer club;
  REQUIRE(club.send_command("fred", "message fred * wilma : bring the cake").status == 0);
  CHECK(club.run_waiting("wilma", {"--count"}).out == "0\n");
  CHECK(club.run_by_ssh("wilma", "waiting").status == 1);
  BackgroundProcess lines(club.watch_arguments(), club.dir / "lines");
  lines.wait_for("fred to you: bring the cake (20");
  CHECK_FALSE(contains(lines.output(), "Z)"));
}

TEST_CASE("watch tells what happens, until nobody reads it", "[watch]") {
  WatchServer club;
  BackgroundProcess lines(club.watch_arguments(), club.dir / "lines");
  club.wait_for_watcher();
  REQUIRE(club.send_command("fred", "toot challenge fred wilma").status == 0);
  REQUIRE(club.send_command("fred", "toot move 101 fred * BT").status == 0);
  lines.wait_for("toot-101: It is your turn.\n");
  CHECK(contains(lines.output(), "toot-101: fred challenges you to Toot.\n"));
  CHECK(lines.is_running());
  const RunResult head = run_shell(require_program().string() + " watch --user wilma --socket " +
                                   club.socket() + " | head -c 0");
  CHECK(head.status == 0);
}

namespace {

// Tells if the process has given up its rights, or returns nothing if this kernel has no Landlock.
std::optional<bool> is_confined(pid_t process) {
  static const bool any = [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(enter_sandbox({}) ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    return status == 0;
  }();
  if (!any) return std::nullopt;
  return contains(read_bytes("/proc/" + std::to_string(process) + "/status"), "NoNewPrivs:\t1");
}

}  // namespace

TEST_CASE("whoever speaks for a user is confined before a server says a word", "[watch]") {
  const TemporaryDirectory dir;
  if (!is_confined(::getpid())) return skip_test("this kernel has no Landlock");
  // The server lets every client in, and says nothing.
  ServerAddress address;
  address.socket_path = dir / "sock";
  const auto name = make_socket_address(address);
  const UniqueFd mute(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(mute.get(), name->get(), name->size) == 0);
  REQUIRE(::listen(mute.get(), 9) == 0);
  const auto let_in = [&] {
    pollfd guest{mute.get(), POLLIN, 0};
    REQUIRE(::poll(&guest, 1, 10'000) == 1);
    return UniqueFd(::accept4(mute.get(), nullptr, nullptr, SOCK_CLOEXEC));
  };
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"waiting"}, {"waiting", "--count"}, {"watch"}, {"bot"}, {"send", "list"}, {"--line"}}) {
    INFO(words.front());
    std::vector<std::string> all{tested_program().string()};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end() - (words.front() == "send"),
               {"--user", "wilma", "--socket", address.socket_path.string()});
    const BackgroundProcess client(all, dir / "log");
    const UniqueFd there = let_in();
    CHECK(is_confined(client.pid()) == true);
  }
}
