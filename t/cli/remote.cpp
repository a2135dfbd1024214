// SPDX-License-Identifier: MIT
// The real program on both sides: a server, and players at terminals of their own.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <thread>

#include "boards/local_boards.hpp"
#include "child.hpp"
#include "run.hpp"
#include "support.hpp"
#include "protocol/address.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

struct ServerSetup {
  TemporaryDirectory dir;
  fs::path boards_directory = dir / "boards", socket = dir / "sock";
  std::unique_ptr<BackgroundProcess> server;

  ServerSetup() { start_server(); }
  void start_server() {
    server = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{tested_program().string(), "serve", "--dir",
                                 boards_directory.string(), "--socket", socket.string()},
        dir / "log");
    server->wait_for("listening on");
  }
  LaunchOptions launch_options(const std::string& home, std::vector<std::string> arguments) const {
    fs::create_directories(dir / home);
    LaunchOptions l;
    l.home = dir / home;
    l.arguments = std::move(arguments);
    return l;
  }
  std::string read_save() const { return read_bytes(boards_directory / "toot-101.yaml"); }
};

std::size_t count_matches(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("two people at terminals play on a server, which is killed in the middle and comes back",
          "[remote]") {
  ServerSetup place;
  TerminalRun fred(place.launch_options("fred", {"--socket", place.socket.string()}));
  // fred signs up; the server knows wilma by the login that runs her program.
  fred.wait_for("Sign in");
  fred.type("\033OA ");
  fred.wait_for("New account");
  fred.type("\033OBfred\rsecretly\rsecretly\r");
  fred.wait_for("Hello, fred. No game needs your move.");
  CHECK_FALSE(fred.output().find("secretly") != std::string::npos);
  TerminalRun wilma(
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"}));
  wilma.wait_for("wilma - 0 games ");
  wilma.wait_for("The account wilma is new.");

  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  // wilma has pressed no key yet.
  wilma.wait_for("toot-101: fred challenges you to Toot");
  wilma.type("\r");
  wilma.wait_for("queue a move>");
  fred.type("BT\r");
  fred.wait_for("queue a move>");
  wilma.wait_for("you (OTTO)>");
  wilma.wait_for("BT: fred (TOOT) drops a T down column B.");
  fred.type("chat have fun\r");
  wilma.wait_for("fred: have fun");

  // While the server is gone, the screen stays and no key plays a ply.
  place.server->stop(SIGKILL);
  wilma.wait_for("no connection");
  fred.wait_for("no connection");
  wilma.type("CO");
  wilma.wait_for("you (OTTO)> CO");
  wilma.read_for(Millis(550));  // an earlier Enter would belong to the position before
  wilma.type("\r");
  wilma.wait_for("There is no connection");
  place.start_server();
  wilma.wait_until("the connection is back", [&] { return !wilma.has_text("no connection  ?"); });
  fred.wait_until("the connection is back", [&] { return !fred.has_text("no connection  ?"); });
  CHECK(wilma.has_text("you (OTTO)> CO"));
  wilma.type("\r");
  wilma.wait_for("queue a move>");
  fred.wait_for("you (TOOT)>");
  fred.wait_for("2 CO");
  CHECK(count_matches(place.read_save(), "move: CO") == 1);
  // The clients sleep while they have nothing to do.
  wilma.wait_idle();
  const long before = wilma.wakeups();
  wilma.read_for(Millis(300));
  CHECK(wilma.wakeups() == before);
  wilma.type(kEscapeKey);
  wilma.wait_for("wilma - ");
  wilma.type("q");
  CHECK(wilma.wait_exit().status == 0);
  CHECK(place.server->is_running());
  // Each player's files have a place of their own.
  CHECK(fs::exists(place.dir / "wilma/data/pbmplay/users/wilma/servers"));
  CHECK_FALSE(fs::exists(place.dir / "wilma/data/pbmplay/saves"));
}

TEST_CASE("a board that was refused leaves the screen at once, with the reason", "[remote]") {
  ServerSetup place;
  TerminalRun fred(
      place.launch_options("fred", {"--socket", place.socket.string(), "--user", "fred"}));
  fred.wait_for("fred - 0 games ");
  REQUIRE(
      run_program({"send", "--socket", place.socket.string(), "--user", "wilma", "list"}).status ==
      0);
  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  fred.type("BT\r");
  fred.wait_for("queue a move>");
  REQUIRE(run_program({"send", "--socket", place.socket.string(), "--user", "wilma",
                       "toot resign 101 wilma *"})
              .status == 0);
  fred.wait_for("toot-101: wilma refused the challenge.");
  fred.wait_for("fred - 0 games ");
  CHECK_FALSE(fred.has_text("queue a move>"));
  fred.type("q");
  fred.wait_exit();
  TerminalRun betty(place.launch_options(
      "betty", {"--line", "--socket", place.socket.string(), "--user", "betty"}));
  betty.wait_for("boards>");
  const auto wilma = [&](const std::string& line) {
    return run_program({"send", "--socket", place.socket.string(), "--user", "wilma", line}).status;
  };
  REQUIRE(wilma("toot challenge wilma betty") == 0);
  betty.wait_for("challenges you to");
  betty.type("open toot-102\r");
  betty.wait_for("not your turn>");
  REQUIRE(wilma("toot resign 102 wilma *") == 0);
  betty.wait_for("wilma refused the challenge.");
  betty.type("list\r");
  betty.wait_until("the prompt", [&] { return betty.has_text("boards> list"); });
  betty.type("quit\r");
  betty.wait_exit();
}

TEST_CASE("the window's title says how many boards wait, and comes back at the end", "[remote]") {
  ServerSetup place;
  LaunchOptions launch =
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"});
  launch.term = "xterm-256color";
  TerminalRun wilma(launch);
  wilma.wait_for("wilma - 0 games ");
  CHECK(count_matches(wilma.output(), "\033]2;") == 0);
  TerminalRun fred(
      place.launch_options("fred", {"--socket", place.socket.string(), "--user", "fred"}));
  fred.wait_for("fred - 0 games ");
  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  fred.type("BT\r");
  fred.wait_for("queue a move>");
  wilma.wait_until("the title", [&] {
    return count_matches(wilma.output(), "\033[22;2t\033]2;pbmplay: 1 game waits\a") == 1;
  });
  wilma.wait_for("It is your turn");
  wilma.type("\r");
  wilma.wait_for("you (OTTO)>");
  wilma.read_for(Millis(550));
  wilma.type("CO\r");
  wilma.wait_until("the title",
                   [&] { return count_matches(wilma.output(), "\033]2;pbmplay\a") == 1; });
  wilma.type(kEscapeKey);
  wilma.wait_for("wilma - ");
  wilma.type("q");
  wilma.wait_exit();
  CHECK(count_matches(wilma.output(), "\033[23;2t") == 1);
  // A terminal without a window gets no title.
  launch.term = "vt100";
  TerminalRun plain(launch);
  plain.wait_for("wilma - 1 game ");
  fred.wait_for("2 CO");
  fred.read_for(Millis(550));
  fred.type("DO\r");
  plain.wait_for("your turn");
  plain.type("q");
  plain.wait_exit();
  CHECK(count_matches(plain.output(), "\033]2;") + count_matches(plain.output(), "\033[22;2t") ==
        0);
}

namespace {

// Returns how long a client lives after the end that `how` names while its server hangs.
std::chrono::nanoseconds measure_end(const std::string& how) {
  ServerSetup place;
  LaunchOptions launch =
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"});
  launch.is_controlling = how != "a hang-up";
  TerminalRun wilma(launch);
  wilma.wait_for("wilma - 0 games ");
  place.server->send_signal(SIGSTOP);
  wilma.type("s\t\t\t\tfred\r");
  wilma.wait_for("asking the server");
  const auto from = std::chrono::steady_clock::now();
  if (how == "SIGTERM") wilma.send_signal(SIGTERM);
  else wilma.hang_up();
  wilma.wait_exit();
  return std::chrono::steady_clock::now() - from;
}

}  // namespace

TEST_CASE("while a server does not answer a hang-up or a signal still ends the client at once",
          "[remote]") {
  for (const std::string how : {"a hang-up that is told", "a hang-up", "SIGTERM"}) {
    INFO(how);
    // A client that waits for a reply waits for 15 seconds each time. A stalled disk does not.
    bool was_quick = false;
    for (int tries = 0; tries < 3 && !was_quick; ++tries)
      was_quick = measure_end(how) < std::chrono::seconds(8);
    CHECK(was_quick);
  }
}

namespace {

// A server that answers +OK to everything and sends events without end, until its destruction.
class FloodServer {
 public:
  explicit FloodServer(const fs::path& socket)
      : listening_socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    ServerAddress address;
    address.socket_path = socket;
    const auto name = make_socket_address(address);
    REQUIRE(::bind(listening_socket_.get(), name->get(), name->size) == 0);
    REQUIRE(::listen(listening_socket_.get(), 1) == 0);
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

 private:
  void run(const std::stop_token& stop) {
    std::size_t told = 0;
    while (!stop.stop_requested()) {
      pollfd guest{listening_socket_.get(), POLLIN, 0};
      if (::poll(&guest, 1, 20) <= 0) continue;
      const UniqueFd to(::accept4(listening_socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const auto send = [&](const std::string& text) {
        for (std::size_t at = 0; at < text.size() && !stop.stop_requested();) {
          pollfd room{to.get(), POLLOUT, 0};
          if (::poll(&room, 1, 20) <= 0) continue;
          const ssize_t n =
              ::send(to.get(), text.data() + at, text.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
          if (n < 0) return false;
          at += static_cast<std::size_t>(n);
        }
        return true;
      };
      for (bool there = true; there && !stop.stop_requested();) {
        std::string said;
        char buffer[4096];
        const ssize_t n = ::recv(to.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        there = n != 0;
        for (ssize_t i = 0; i < n; ++i)
          if (buffer[i] == '\n') said += "+OK Hello\n.\n";
        for (int i = 0; i < 20'000; ++i) said += "* message a : " + std::to_string(++told) + "\n";
        there = send(said) && there;
      }
    }
  }
  UniqueFd listening_socket_;
  std::jthread thread_;
};

}  // namespace

TEST_CASE("a server that never stops telling is in the way of nobody who leaves", "[remote]") {
  const TemporaryDirectory dir;
  const FloodServer flood(dir / "sock");
  for (const std::string how : {"Ctrl-C twice", "SIGTERM", "line by line"}) {
    INFO(how);
    LaunchOptions launch;
    launch.home = dir.path();
    launch.arguments = {"--socket", (dir / "sock").string(), "--user", "wilma"};
    if (how == "line by line") launch.arguments.emplace_back("--line");
    TerminalRun wilma(launch);
    wilma.wait_until("what is told", [&] { return contains(wilma.output(), "to you"); });
    wilma.read_for(Millis(300));  // it has much to do
    if (how == "Ctrl-C twice") wilma.type("\003\003");
    else if (how == "SIGTERM") wilma.send_signal(SIGTERM);
    else wilma.type("quit\r");
    wilma.wait_exit();  // the server goes on for ever
    CHECK(wilma.is_line_mode());
    // The notes keep the chat that they can hold.
    CHECK(fs::file_size(dir / "data/pbmplay/users/wilma/servers" /
                        fs::directory_iterator(dir / "data/pbmplay/users/wilma/servers")->path() /
                        "wilma/talk.yaml") > 1000);
  }
}

TEST_CASE("while a server does not answer the screen goes on, and what was asked can be given up",
          "[remote]") {
  ServerSetup place;
  TerminalRun fred(
      place.launch_options("fred", {"--socket", place.socket.string(), "--user", "fred"}));
  TerminalRun wilma(
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"}));
  fred.wait_for("fred - 0 games ");
  wilma.wait_for("wilma - 0 games ");
  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  place.server->send_signal(SIGSTOP);
  fred.type("BT\r");
  const Millis soon{5000};  // of the 15 seconds that the client waits for an answer
  fred.wait_for("asking the server", soon);
  // All keys work as usual.
  fred.type("?");
  fred.wait_for("Help: ", soon);
  fred.type("q");
  fred.wait_for("you (TOOT)>", soon);
  fred.type("CO");
  fred.wait_for("you (TOOT)> CO", soon);
  fred.type("\r");
  fred.wait_for("The server has not answered BT", soon);
  fred.type(kCtrlU);
  fred.type(kEscapeKey);
  fred.wait_for("Given up", soon);
  fred.wait_for("you (TOOT)> BT", soon);
  // A repeated request waits together with the first one, and the server plays only one ply.
  fred.type("\r");
  fred.wait_for("asking the server", soon);
  place.server->send_signal(SIGCONT);
  fred.wait_for("queue a move>");
  wilma.wait_until("the board is hers", [&] { return wilma.has_text("It is your turn"); });
  CHECK(count_matches(place.read_save(), "move: BT") == 1);

  // Text typed while the client waits is not part of the refused command. Up recalls that command.
  place.server->send_signal(SIGSTOP);
  fred.type("watch\r");
  fred.wait_for("asking the server", soon);
  fred.type("chat hello");
  fred.wait_for("> chat hello", soon);
  place.server->send_signal(SIGCONT);
  fred.wait_for("You play on toot 101");
  fred.type(" there");
  fred.wait_for("> chat hello there");
  fred.type("\033[A");
  fred.wait_for("> watch");
  fred.type(kCtrlU);

  // No player has to wait for a server before leaving, or for its return.
  place.server->send_signal(SIGSTOP);
  wilma.type(":who\r");
  wilma.wait_for("asking the server", soon);
  wilma.type(kCtrlC);
  wilma.wait_for("Leave?", soon);
  wilma.type("y");
  CHECK(wilma.wait_exit(soon).status == 0);
  TerminalRun barney(
      place.launch_options("barney", {"--socket", place.socket.string(), "--user", "barney"}));
  barney.wait_for("asking the server");
  place.server->send_signal(SIGCONT);
  barney.wait_for("barney - 0 games ");
  barney.wait_until("an answer", [&] { return !barney.has_text("asking the server"); });
  place.server->send_signal(SIGSTOP);
  TerminalRun betty(
      place.launch_options("betty", {"--socket", place.socket.string(), "--user", "betty"}));
  betty.wait_for("asking the server");
  betty.type("q");
  CHECK(betty.wait_exit(soon).status == 0);
  place.server->send_signal(SIGCONT);
}

TEST_CASE("a board of a server is opened by its name from the command line", "[remote]") {
  ServerSetup place;
  const std::vector<std::string> as_fred{"--socket", place.socket.string(), "--user", "fred"};
  const auto program = [&](std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin() + (words[0] == "send" ? 1 : 0), as_fred.begin(), as_fred.end());
    fs::create_directories(place.dir / "fred");
    return run_program(words, {.home = place.dir / "fred",
                               .input = input,
                               .directory = "",
                               .output = "",
                               .variables = {}});
  };
  RunOptions home{
      .home = place.dir.path(), .input = "", .directory = "", .output = "", .variables = {}};
  REQUIRE(run_program({"send", "--socket", place.socket.string(), "--user", "wilma", "list"}, home)
              .status == 0);
  REQUIRE(program({"send", "toot", "challenge", "fred", "wilma"}).status == 0);
  std::vector<std::string> words = as_fred;
  words.insert(words.end(), {"open", "toot-101"});
  // The server may answer late.
  place.server->send_signal(SIGSTOP);
  TerminalRun fred(place.launch_options("fred", words));
  fred.wait_for("asking the server");
  place.server->send_signal(SIGCONT);
  fred.wait_for("you (TOOT)>");
  fred.type("BT\r");
  fred.wait_for("queue a move>");
  fred.type(std::string(kEscapeKey));
  fred.wait_for("fred - 1 game ");
  fred.type("q");
  CHECK(fred.wait_exit().status == 0);
  // The same in line mode. A missing board is a refusal there, and a message in the lobby.
  CHECK(contains(program({"open", "toot-101", "--line"}, "plies\n").out, "1. BT: You drop"));
  const RunResult none = program({"open", "toot-999", "--line"});
  CHECK(none.status == 1);
  CHECK(none.err == "pbmplay: There is no board 999 of Toot.\n");
  words.back() = "toot-999";
  TerminalRun lost(place.launch_options("fred", words));
  lost.wait_for("There is no board 999 of Toot.");
  lost.type("q");
  CHECK(lost.wait_exit().status == 0);
  // A player with a userid cannot open files, and a command without a userid is refused.
  CHECK(program({"open", "/etc/passwd", "--line"}).status == 1);
  CHECK(run_program({"open", "toot-101", "--socket", place.socket.string()}, home).status == 2);
}

TEST_CASE("a userid that the server refuses ends the program with its words, however late",
          "[remote]") {
  ServerSetup place;
  const std::vector<std::string> as_fred{"--socket", place.socket.string(), "--user", "fred"};
  std::vector<std::string> words{tested_program().string(), "send", "signoff", "fred", "*"};
  words.insert(words.begin() + 2, as_fred.begin(), as_fred.end());
  BackgroundProcess(words, place.dir / "send").wait_for("Good-bye, fred.");
  const std::string why = "fred has closed the account. Choose another userid.";
  const bool late = GENERATE(false, true);
  if (late) place.server->send_signal(SIGSTOP);
  TerminalRun fred(place.launch_options("fred", as_fred));
  if (late) {
    fred.wait_for("asking the server");
    place.server->send_signal(SIGCONT);
  }
  CHECK(fred.wait_exit().status == 1);
  CHECK(contains(fred.output(), why));
}

TEST_CASE("where no server is, that is one sentence and an exit status", "[remote]") {
  TemporaryDirectory home;
  LaunchOptions launch;
  launch.home = home.path();
  launch.arguments = {"--socket", (home / "sock").string()};
  TerminalRun run(launch);
  CHECK(run.wait_exit().status == 3);
  CHECK(run.output().find("No server answers at") != std::string::npos);
  launch.arguments = {"--socket", (home / "sock").string(), "--user", "../../x"};
  TerminalRun wrong(launch);
  CHECK(wrong.wait_exit().status == 2);
}

TEST_CASE(
    "line by line a password is not echoed, and whatever ends or stops the program there the "
    "terminal echoes again",
    "[remote]") {
  ServerSetup place;
  LaunchOptions launch =
      place.launch_options("fred", {"--line", "--socket", place.socket.string()});
  launch.has_job_control = true;
  for (const bool stopped : {false, true}) {
    TerminalRun run(launch);
    run.wait_for("userid>");
    run.type("fred\r");
    run.wait_for("password>");
    run.wait_idle();
    CHECK_FALSE(run.is_line_mode());
    if (stopped) {
      run.type("se");
      run.type(kCtrlZ);
      run.wait_stopped();
      CHECK(run.is_line_mode());
      run.bring_to_front();
      run.wait_until("no echo again", [&] { return !run.is_line_mode(); });
      run.type("secretly\r");
      run.wait_for("There is no userid fred.");
      CHECK(run.output().find("secretly") == std::string::npos);
      run.wait_until("an echo again", [&] { return run.is_line_mode(); });
      run.type("fred\r");
      run.wait_until("the second question",
                     [&] { return count_matches(run.output(), "password>") == 2; });
      run.wait_idle();
    }
    run.type(kCtrlC);
    CHECK(run.wait_exit().signal == SIGINT);
    CHECK(run.is_line_mode());
  }
}

TEST_CASE("line by line a signal that ends the program at a password leaves an echo", "[remote]") {
  ServerSetup place;
  const LaunchOptions launch =
      place.launch_options("fred", {"--line", "--socket", place.socket.string()});
  for (const int number : {SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, SIGSEGV}) {
    INFO("signal " << number);
    TerminalRun run(launch);
    run.wait_for("userid>");
    run.type("fred\r");
    run.wait_for("password>");
    run.wait_idle();
    CHECK_FALSE(run.is_line_mode());
    run.send_signal(number);
    CHECK(run.wait_exit().signal == number);
    CHECK(run.is_line_mode());
  }
}

TEST_CASE(
    "line by line a password that is typed as soon as it is asked for is neither echoed nor lost",
    "[remote]") {
  ServerSetup place;
  TerminalRun run(place.launch_options("fred", {"--line", "--socket", place.socket.string()}));
  run.wait_for("userid>");
  run.type("new\r");
  run.wait_for("new userid>");
  // The program cannot write the question while the terminal is stopped. When the player sees it,
  // the echo is off already.
  run.type("fred\023\r");
  run.wait_until("no echo", [&] { return !run.is_line_mode(); });
  run.type("\021");
  run.wait_for("password>");
  run.type("secretly\rsecretly\r");
  run.wait_for("Hello, fred. No game needs your move.");
  CHECK(run.output().find("secretly") == std::string::npos);
  run.wait_until("an echo again", [&] { return run.is_line_mode(); });
  run.type("quit\r");
  CHECK(run.wait_exit().status == 0);
}

TEST_CASE("line by line a server that does not answer is in the way of no Ctrl-C", "[remote]") {
  ServerSetup place;
  const std::vector<std::string> words{"--line", "--socket", place.socket.string(), "--user",
                                       "wilma"};
  const Millis soon{5000};  // of the 15 seconds that the client waits for an answer
  TerminalRun wilma(place.launch_options("wilma", words));
  wilma.wait_for("boards>");
  place.server->send_signal(SIGSTOP);
  wilma.type(":list\r");
  wilma.wait_until("the command", [&] { return wilma.has_text(":list"); });
  wilma.type(kCtrlC);
  wilma.wait_exit(soon);
  // Ctrl-C also ends the program before a server answers at all.
  TerminalRun fred(place.launch_options("fred", words));
  fred.read_for(Millis(100));
  fred.type(kCtrlC);
  fred.wait_exit(soon);
  place.server->send_signal(SIGCONT);
}

TEST_CASE("line by line what happens is told at once, and what is typed is kept", "[remote]") {
  ServerSetup place;
  TerminalRun fred(
      place.launch_options("fred", {"--socket", place.socket.string(), "--user", "fred"}));
  TerminalRun wilma(place.launch_options(
      "wilma", {"--line", "--socket", place.socket.string(), "--user", "wilma"}));
  wilma.wait_for("boards>");
  fred.wait_for("fred - 0 games ");
  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  wilma.wait_for("toot-101: fred challenges you to Toot");
  wilma.type("open toot-101\r");
  wilma.wait_for("not your turn>");
  wilma.type("C");
  wilma.wait_until("what is typed", [&] { return wilma.has_text("not your turn> C"); });
  fred.type("BT\r");
  wilma.wait_for("move>");
  CHECK(wilma.has_text("drops a T down column B"));
  wilma.type("O\r");
  fred.wait_for("2 CO");
  wilma.type("quit\r");
  CHECK(wilma.wait_exit().status == 0);
}

TEST_CASE("line by line a resignation of a board that is gone is not asked for on the next one",
          "[remote]") {
  ServerSetup place;
  const std::vector<std::string> fred_words{"--socket", place.socket.string(), "--user", "fred"};
  TerminalRun wilma(
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"}));
  wilma.wait_for("wilma - 0 games ");
  LaunchOptions launch = place.launch_options("fred", fred_words);
  launch.arguments.insert(launch.arguments.begin(), "--line");
  TerminalRun fred(launch);
  fred.wait_for("boards>");
  for (const char* board : {"101", "102"}) {
    fred.type("new toot wilma\n");
    fred.wait_for("Board toot-" + std::string(board));
    fred.type("boards\n");
    fred.wait_for("boards>");
  }
  fred.type("open toot-101\n");
  fred.wait_for("move>");
  fred.type("resign\n");
  fred.wait_for("Type resign again to give up.");
  wilma.type(":toot resign 101\r");
  fred.wait_for("refused the challenge");
  fred.type("open toot-102\n");
  fred.wait_for("Board toot-102");
  fred.type("resign\nlegal\n");
  fred.wait_for("AO AT");
  CHECK(count_matches(fred.output(), "Type resign again to give up.") == 2);
  CHECK_FALSE(contains(fred.output(), "You resigned"));
}

TEST_CASE("the chat after a move that has no answer stays in the line with its move", "[remote]") {
  ServerSetup place;
  TerminalRun fred(
      place.launch_options("fred", {"--socket", place.socket.string(), "--user", "fred"}));
  TerminalRun wilma(
      place.launch_options("wilma", {"--socket", place.socket.string(), "--user", "wilma"}));
  fred.wait_for("fred - 0 games ");
  wilma.wait_for("wilma - 0 games ");
  fred.type("s\t\t\t\twilma\r");
  fred.wait_for("you (TOOT)>");
  place.server->send_signal(SIGSTOP);
  fred.type("BT : good luck\r");
  fred.wait_for("asking the server");
  fred.type(kEscapeKey);
  fred.wait_for("Given up");
  fred.wait_for("you (TOOT)> BT : good luck");
  place.server->send_signal(SIGCONT);
}
