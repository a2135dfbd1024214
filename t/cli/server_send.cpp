// SPDX-License-Identifier: MIT
// Both ends of a connection: trusted logins, the client's side of the protocol, and all forms of
// `pbmplay send`.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "boards/server_connection.hpp"
#include "socket_server.hpp"
#include "run.hpp"
#include "server/net/peer_auth.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

void write_file(const std::filesystem::path& file, const std::string& text, mode_t mode = 0600) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  REQUIRE(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::fchmod(fd, mode);
  ::close(fd);
}

// Returns the reply of a server to one line from a process with another uid.
std::string reply_to_uid(uid_t uid, const ServerAddress& address, const std::string& line) {
  std::array<int, 2> out{};
  REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(uid) != 0 || ::setuid(uid) != 0) ::_exit(1);
    const auto name = make_socket_address(address);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    std::array<char, 4096> bytes;
    if (::connect(fd, name->get(), name->size) != 0 || ::send(fd, line.data(), line.size(), 0) < 0)
      ::_exit(2);
    ::shutdown(fd, SHUT_WR);
    for (ssize_t n; (n = ::recv(fd, bytes.data(), bytes.size(), 0)) > 0;)
      if (::write(out[1], bytes.data(), static_cast<std::size_t>(n)) < 0) ::_exit(3);
    ::_exit(0);
  }
  ::close(out[1]);
  std::string said;
  char c = 0;
  while (::read(out[0], &c, 1) == 1) said += c;
  ::close(out[0]);
  ::waitpid(child, nullptr, 0);
  return said.substr(0, said.find('\n'));
}

// Not a real server: sends `said` to each client, after it has read a line unless it speaks first.
// Then closes the connection or keeps it open.
class FakeServer {
 public:
  FakeServer(std::string said, bool closes)
      : address_(unix_socket_address(directory_ / "s")),
        reply_(std::move(said)),
        closes_after_reply_(closes) {
    const auto name = make_socket_address(address_);
    fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(::bind(fd_, name->get(), name->size) == 0);
    REQUIRE(::listen(fd_, 1) == 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeServer() {
    ::shutdown(fd_, SHUT_RDWR);
    is_over_ = true;
    thread_.join();
    ::close(fd_);
  }
  const ServerAddress& address() const { return address_; }

 private:
  void serve() {
    const int peer = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) return;
    std::array<char, 4096> bytes;
    if (::recv(peer, bytes.data(), bytes.size(), 0) > 0) {
      for (std::size_t at = 0; at < reply_.size() && !is_over_;) {
        const ssize_t n = ::send(peer, reply_.data() + at, reply_.size() - at, MSG_NOSIGNAL);
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
      }
      while (!closes_after_reply_ && !is_over_) std::this_thread::sleep_for(2ms);
    }
    ::close(peer);
  }
  TemporaryDirectory directory_;
  ServerAddress address_;
  std::string reply_;
  bool closes_after_reply_;
  int fd_ = -1;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

// Returns the refusal of a command to an impostor, and checks how long it took.
std::string refusal_with(const std::string& said, bool closes,
                         WaitTime patience = WaitTime(10'000)) {
  FakeServer impostor(said, closes);
  auto wire = SocketClient::connect(impostor.address(), 20'000ms);
  REQUIRE(wire.ok());
  const auto from = Clock::now();
  const auto reply = wire->ask("list", patience);
  CHECK(Clock::now() - from < patience + 2000ms);
  REQUIRE_FALSE(reply.ok());
  CHECK(wire->is_lost());
  CHECK(wire->ask("list", 10ms).refusal() == reply.refusal());
  const std::string beginning = "The connection to the server is lost: ";
  CHECK(reply.refusal().reason.substr(0, beginning.size()) == beginning);
  return reply.refusal().reason.substr(beginning.size());
}

// Runs `pbmplay send` to a server.
struct SendCommand {
  explicit SendCommand(const ServerAddress& to) : socket(to.socket_path.string()) {}
  RunResult operator()(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), {"send", "--socket", socket});
    RunOptions around;
    around.input = input;
    around.home = home.path();
    return run_program(words, around);
  }
  TemporaryDirectory home;
  std::string socket;
};

}  // namespace

// --- trust -------------------------------------------------------------------

TEST_CASE("a list of whom to trust names logins, and userids behind them", "[server][trust]") {
  const std::string list = "# people\nann\n  bob  bobby Rob # both\neve *\n\nann extra\n*\n";
  CHECK(trusts_login(list, "ann", "ann"));
  CHECK(trusts_login(list, "ann", "ANN"));
  CHECK(trusts_login(list, "ann", "extra"));
  CHECK_FALSE(trusts_login(list, "ann", "bob"));
  CHECK(trusts_login(list, "bob", "bobby"));
  CHECK(trusts_login(list, "bob", "rob"));
  CHECK_FALSE(trusts_login(list, "bob", "bob"));
  CHECK_FALSE(trusts_login(list, "bob", "both"));
  CHECK(trusts_login(list, "eve", "anybody"));
  CHECK_FALSE(trusts_login(list, "joe", "joe"));
  CHECK_FALSE(trusts_login(list, "people", "people"));
  CHECK_FALSE(trusts_login(list, "Ann", "ann"));
  CHECK_FALSE(trusts_login("", "ann", "ann"));
}

TEST_CASE("the owner of a server speaks for any userid, first of all and without a password",
          "[server][trust]") {
  ThreadServer server;
  RawConnection fred(server.socket_address());
  // The server says that the userid is new.
  CHECK(fred.request("as Fred") ==
        "+OK Hello, fred. No game needs your move.\nThe account fred is new.\n.\n");
  CHECK(RawConnection(server.socket_address()).request("as fred") ==
        "+OK Hello, fred. No game needs your move.\n.\n");
  CHECK(fred.request("as wilma") ==
        "-ERR This works only as the first line. Sign in with login userid password.\n.\n");
  CHECK(contains(fred.request("watch"), "+OK"));
  CHECK(contains(fred.request("toot challenge fred wilma"), "-ERR There is no userid wilma"));
  RawConnection wilma(server.socket_address());
  CHECK(contains(wilma.request("AS wilma"),
                 "+OK Hello, wilma. No game needs your move.\nThe account wilma is new"));
  CHECK(contains(fred.request("toot challenge fred wilma"), "+OK Board 101"));
  CHECK(contains(fred.request("toot move 101 fred * BT"), "+OK Move 1"));
  CHECK(contains(fred.request("toot move 101 wilma * CO"), "-ERR You are not signed in as"));
  CHECK(contains(wilma.request("toot move 101 wilma * CO"), "+OK Move 2"));
  // No password works until the user chooses one.
  RawConnection other(server.socket_address());
  CHECK(contains(other.request("login fred *"), "-ERR"));
  CHECK(contains(other.request("login fred x"), "-ERR That is not the password of fred."));
  CHECK(contains(fred.request("change password fred * secret"), "+OK"));
  RawConnection late(server.socket_address());
  CHECK(contains(late.request("list"), "fred"));
  CHECK(contains(late.request("as fred"), "-ERR This works only as the first line"));
  CHECK(contains(RawConnection(server.socket_address()).request("as bad/name"),
                 "-ERR 'bad/name' cannot be a userid"));
  CHECK(contains(RawConnection(server.socket_address()).request("as"), "-ERR Write: as userid"));
  CHECK(contains(fred.request("signoff fred *"), "+OK"));
  CHECK(contains(RawConnection(server.socket_address()).request("as fred"),
                 "-ERR fred has closed the account. Choose another userid."));
  CHECK(contains(RawConnection(server.socket_address()).request("help"), "as userid"));
}

TEST_CASE("other logins are trusted as the owner's list says, if only the owner could write it",
          "[server][trust]") {
  if (::geteuid() != 0) return skip_test("only root can be somebody else");
  constexpr uid_t kDaemon = 1, kNobody = 65534;
  ThreadServer server;
  ::chmod(server.temporary.path().c_str(), 0755);
  ::chmod(server.socket_address().socket_path.c_str(), 0666);
  const auto list = server.directory / ".server" / "trusted";
  const auto as = [&](uid_t uid, const std::string& userid) {
    return reply_to_uid(uid, server.socket_address(), "as " + userid + "\n");
  };
  CHECK(as(0, "ann") == "+OK Hello, ann. No game needs your move.");
  CHECK(as(kDaemon, "daemon") ==
        "-ERR Only the owner of this server may do that. Sign in with login userid password.");
  write_file(list, "daemon\nnobody fred wilma\n");
  CHECK(as(kDaemon, "daemon") == "+OK Hello, daemon. No game needs your move.");
  CHECK(as(kDaemon, "fred") ==
        "-ERR The server does not trust daemon to sign in as fred. Sign in with login userid "
        "password.");
  CHECK(as(kNobody, "fred") == "+OK Hello, fred. No game needs your move.");
  CHECK(as(kNobody, "nobody") ==
        "-ERR The server does not trust nobody to sign in as nobody. Sign in with login userid "
        "password.");
  CHECK(as(54321, "fred") ==
        "-ERR The server does not trust your login to sign in as fred. Sign in with login userid "
        "password.");
  const std::string unbelieved =
      "-ERR The server ignores its list of trusted logins. Its log has the reason. Sign in with "
      "login userid password.";
  for (const mode_t mode : {0620U, 0602U, 0666U}) {
    ::chmod(list.c_str(), mode);
    CHECK(as(kNobody, "fred") == unbelieved);
  }
  ::chmod(list.c_str(), 0600);
  REQUIRE(::chown(list.c_str(), kNobody, kNobody) == 0);
  CHECK(as(kNobody, "fred") == unbelieved);
  REQUIRE(::chown(list.c_str(), 0, 0) == 0);
  CHECK(as(kNobody, "fred").substr(0, 3) == "+OK");
  std::filesystem::rename(list, server.temporary / "elsewhere");
  std::filesystem::create_symlink(server.temporary / "elsewhere", list);
  CHECK(as(kNobody, "fred") == unbelieved);
  CHECK(contains(server.log_text(), "(uid 65534) signs in as fred"));
  const std::string log = server.log_text(), reason = "Other logins can write " + list.string();
  CHECK(contains(log, "(uid 1) may not sign in as fred"));
  CHECK(contains(log, "ignores the trusted logins: " + reason + ". Type: chmod 600 "));
  CHECK(log.find(reason) == log.rfind(reason));
  CHECK(contains(log, list.string() + " must be a plain file of root, the login of the server."));
}

// --- the client's connection ---------------------------------------------------

TEST_CASE("a wire asks, and puts events aside", "[server][wire]") {
  ThreadServer server;
  auto fred = SocketClient::connect(server.socket_address(), 20'000ms),
       wilma = SocketClient::connect(server.socket_address(), 20'000ms);
  REQUIRE(fred.ok());
  REQUIRE(wilma.ok());
  REQUIRE(fred->ask("as fred", 20'000ms)->ok);
  REQUIRE(wilma->ask("as wilma", 20'000ms)->ok);
  REQUIRE(wilma->ask("watch", 20'000ms)->ok);
  const auto board =
      fred->ask("toot challenge fred wilma : hello\ntoot resign 101 fred *", 20'000ms);
  REQUIRE(board.ok());
  CHECK(board->ok);
  CHECK(board->summary == "Board 101 of Toot: fred and wilma.");
  pollfd wait{wilma->descriptor(), POLLIN, 0};
  CHECK(::poll(&wait, 1, 20'000) == 1);
  std::vector<std::string> heard;
  for (int i = 0; i < 500 && heard.size() < 2; ++i) {
    REQUIRE(wilma->receive().ok());
    for (std::string& event : wilma->take_events()) heard.push_back(event);
    std::this_thread::sleep_for(2ms);
  }
  REQUIRE(heard.size() == 2);
  CHECK(heard[0] == "toot 101 new : fred challenges you to Toot.");
  CHECK(heard[1] == "toot 101 chat fred : hello");
  CHECK(fred->take_events().empty());
  const auto refused = fred->ask("toot move 101 wilma * AT", 20'000ms);
  REQUIRE(refused.ok());
  CHECK_FALSE(refused->ok);
  REQUIRE(fred->send("toot move 101 fred * AT", 20'000ms).ok());
  REQUIRE(fred->send("list", 20'000ms).ok());
  CHECK(contains(fred->wait_reply(20'000ms)->summary, "Move 1"));
  CHECK(contains(fred->wait_reply(20'000ms)->summary, "userid"));
  server.stop();
  CHECK(fred->ask("list", 20'000ms).refusal().reason ==
        "The connection to the server is lost: the server closed it.");
}

TEST_CASE("a wire believes nothing and waits no longer than it is told", "[server][wire]") {
  const std::string no_server = "this is not a pbmplay server.";
  CHECK(refusal_with("SSH-2.0-OpenSSH\n", false) == no_server);
  CHECK(refusal_with("+OKAY\n.\n", false) == no_server);
  CHECK(refusal_with("* event\n.\n", false) == no_server);
  CHECK(refusal_with("+OK fine\ntext\n", true) == "the server closed it.");
  CHECK(refusal_with("", true) == "the server closed it.");
  CHECK(refusal_with("", false, 100ms) == "the server does not answer.");
  CHECK(refusal_with("+OK fine\ntext\n", false, 100ms) == "the server does not answer.");
  CHECK(refusal_with(std::string(100'000, 'x'), false) == no_server);
  std::string endless = "+OK fine\n";
  while (endless.size() < (20U << 20)) endless += "x\n" + std::string(10'000, 'y') + "\n";
  CHECK(refusal_with(endless, false) == "the server's reply is too long.");
  std::string events;
  while (events.size() < (1U << 20)) events += "* x\n";
  CHECK(refusal_with(events, false) == "the server sends more than can be kept.");
  CHECK(refusal_with(std::string("\0\0\0\n", 4), false) == no_server);
  FakeServer dots("+OK\r\n..\n..x\n.y\n.\n-ERR\n.\n", false);
  auto wire = SocketClient::connect(dots.address(), 20'000ms);
  const auto reply = wire->ask("x", 20'000ms);
  REQUIRE(reply.ok());
  CHECK(reply->summary.empty());
  CHECK(reply->lines == std::vector<std::string>{".", ".x", "y"});
  const auto refusal = wire->wait_reply(20'000ms);
  REQUIRE(refusal.ok());
  CHECK_FALSE(refusal->ok);
}

TEST_CASE("where no server is, the refusal says what to do", "[server][wire]") {
  TemporaryDirectory place;
  const auto refusal = [](const ServerAddress& address) {
    return SocketClient::connect(address, 20'000ms).refusal().reason;
  };
  const std::string path = (place / "s").string();
  CHECK(refusal(unix_socket_address(path)) ==
        "No server answers at " + path + ". Start one with pbmplay serve --dir DIR --socket " +
            path + ", or give another address.");
  write_file(path, "");
  CHECK(contains(refusal(unix_socket_address(path)), "No server answers at "));
  CHECK(contains(refusal(unix_socket_address(place / std::string(200, 'x'))),
                 "The path of a socket has at most 107 bytes"));
  CHECK(contains(refusal(*read_server_address("127.0.0.1:1")),
                 "Start one with pbmplay serve --dir DIR --listen 127.0.0.1:1, or"));
}

// --- send ----------------------------------------------------------------------

TEST_CASE("send: one command from its words, the answer and what it came to", "[server][send]") {
  ThreadServer server;
  const SendCommand send(server.socket_address());
  const RunResult list = send({"list"});
  CHECK(list.status == 0);
  CHECK(list.out == "There are no accounts yet.\n");
  CHECK(list.err.empty());
  const RunResult bad = send({"dance", "--now", "-x"});
  CHECK(bad.status == 1);
  CHECK(bad.out.empty());
  CHECK(bad.err == "pbmplay: There is no command dance. Type help for the list.\n");
  CHECK(send({"signup", "wilma", "secret"}).status == 0);
  CHECK(send({"--user", "fred", "toot", "challenge", "-size=7x9", "fred", "wilma", ":", "have",
              "fun", "--really", "-x"})
            .status == 0);
  CHECK(send({"--user=fred", "--", "toot", "move", "101", "fred", "*", "BT"}).out.substr(0, 6) ==
        "Move 1");
  const RunResult save = send({"toot", "save", "101"});
  CHECK(save.out == read_bytes(server.directory / "toot-101.yaml"));
  CHECK(save.status == 0);
  const RunResult mail = send({"-"}, "login wilma secret\nwatch\n");
  CHECK(contains(mail.out, "chat fred : have fun --really -x ("));
  const RunResult show = send({"toot", "show", "101"});
  CHECK(contains(show.out, "\n\n"));  // as the server wrote it, without dots
  CHECK(!contains(show.out, "\n.\n"));
  CHECK(send({"--user", "bad/name", "list"}).status == 1);
}

TEST_CASE("send: nothing goes to another login than the one that answered before",
          "[server][send]") {
  ThreadServer server;
  const SendCommand send(server.socket_address());
  CHECK(send({"signup", "wilma", "secret"}).status == 0);
  std::filesystem::path known;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(send.home.path()))
    if (entry.path().filename() == ".login") known = entry.path();
  REQUIRE(read_bytes(known) == std::to_string(::geteuid()) + "\n");
  replace_file(known, "12345\n");
  const RunResult ran = send({"change", "password", "wilma", "secret", "other"});
  CHECK(ran.status == 3);
  CHECK(contains(ran.err, "than before (uid 12345). Nothing was sent there."));
  CHECK(contains(RawConnection(server.socket_address()).request("login wilma secret"), "+OK"));
  // With --user the command has no password that could leak.
  CHECK(send({"--user", "fred", "list"}).status == 0);
}

TEST_CASE("send: wrong uses are told from refusals and from a server that is not there",
          "[server][send]") {
  TemporaryDirectory place;
  CHECK(run_program({"send"}).status == 2);
  CHECK(run_program({"send", "list"}).err ==
        "pbmplay: No server answers at /nonexistent/.local/share/pbmplay/pbmplay.sock. Start one "
        "with "
        "pbmplay serve --dir DIR --socket /nonexistent/.local/share/pbmplay/pbmplay.sock, or "
        "give another address.\n");
  CHECK(run_program({"send", "--socket", "a", "--connect", "127.0.0.1:1", "list"}).status == 2);
  CHECK(run_program({"send", "--connect", "10.0.0.1:1", "list"}).status == 2);
  CHECK(run_program({"send", "--dir", "x", "list"}).err ==
        "pbmplay: '--dir' cannot be used with send. See pbmplay send --help.\n");
  // The server does not hear of a key before the command is right.
  CHECK(run_program({"--key", "SHA256:" + std::string(43, 'a'), "legal", "x.yaml"}).err ==
        "pbmplay: '--key' cannot be used with legal. See pbmplay legal --help.\n");
  CHECK(run_program({"send", "--theme=amber", "list"}).status == 2);
  CHECK(run_program({"show", "--socket", "x", "y"}).status == 2);
  RunOptions around;
  around.home = place.path();
  around.variables = {"XDG_RUNTIME_DIR=" + place.path().string()};
  const std::string path = (place / "pbmplay.sock").string();
  const RunResult nobody = run_program({"send", "list"}, around);
  CHECK(nobody.status == 3);
  CHECK(nobody.err == "pbmplay: No server answers at " + path +
                          ". Start one with pbmplay serve --dir DIR --socket " + path +
                          ", or give another address.\n");
  // A member who comes by SSH reads no path of the owner.
  RunOptions member = around;
  member.variables.emplace_back("SSH_CONNECTION=192.0.2.1 50000 192.0.2.2 22");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"send", "list"}, {"--line"}}) {
    std::vector<std::string> words = command;
    words.insert(words.begin() + 1, {"--socket", path, "--user", "wilma"});
    const RunResult closed = run_program(words, member);
    CHECK(closed.status == 3);
    CHECK(contains(closed.err, "The server does not answer"));
    CHECK_FALSE(contains(closed.err + closed.out, place.path().string()));
  }
  ThreadServer server([&](ListenOptions& o) { o.addresses.push_back(unix_socket_address(path)); });
  CHECK(run_program({"send", "list"}, around).status == 0);
  FakeServer silent("+OK half\n", true);
  const RunResult lost = SendCommand(silent.address())({"list"});
  CHECK(lost.status == 3);
  CHECK(contains(lost.err, "is lost: the server closed it."));
  CHECK(run_program({"serve"}).status == 2);
  CHECK(run_program({"serve", "--dir", (place / "d").string(), "--listen", "0.0.0.0:1"}).status ==
        2);
  CHECK(run_program({"serve", "--dir", (place / "d").string(), "--socket", path}).status == 3);
  for (const auto& [option, value] : {std::pair("--host", "a b"),
                                      {"--host", "a\tb"},
                                      {"--host", "a\x1B[1m"},
                                      {"--backup", "copy"}})
    CHECK(run_program({"serve", "--dir", (place / "d").string(), "--socket", path, option, value})
              .status == 2);
  CHECK(run_program({"serve", "--dir", (place / "d").string(), "--socket", path, "--connect",
                     "127.0.0.1:1"})
            .status == 2);
}

TEST_CASE("a server is started and found without a word where it is", "[server][send]") {
  TemporaryDirectory home;
  const std::string pbm = "'" + require_program().string() + "'";
  std::filesystem::create_directory(home / "run");
  // The environment of the server, then that of the client.
  for (const auto& [server, client] : std::vector<std::pair<std::string, std::string>>{
           {"env -u XDG_RUNTIME_DIR", "env -u XDG_RUNTIME_DIR"},
           {"env XDG_RUNTIME_DIR=$PWD/none", "env XDG_RUNTIME_DIR=$PWD/run"},
           {"env XDG_RUNTIME_DIR=$PWD/run", "env XDG_RUNTIME_DIR=$PWD/run"}}) {
    const RunResult ran = run_shell(
        "rm -f ready\n" + server + " " + pbm + " serve --dir d 2>log >ready & server=$!\n" +
            "until [ -s ready ]; do kill -0 $server || exit 1; done; cat ready\n" + client + " " +
            pbm + " send --user fred list; kill $server; wait $server",
        {.home = home.path(),
         .input = "",
         .directory = home.path(),
         .output = "",
         .variables = {}});
    INFO(server << ", " << client << ": " << ran.out << ran.err << read_bytes(home / "log"));
    CHECK(ran.status == 0);
    const bool runs = server == client && server.find("run") != std::string::npos;
    CHECK(contains(ran.out, "listening on " + home.path().string() +
                                (runs ? "/run" : "/.local/share/pbmplay") + "/pbmplay.sock\n"));
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') > 1);
  }
  const auto mode = std::filesystem::status(home / ".local/share/pbmplay").permissions();
  CHECK(mode == std::filesystem::perms(0700));
}

TEST_CASE("send: a script, each command answered in turn, with text below them", "[server][send]") {
  ThreadServer server;
  const SendCommand send(server.socket_address());
  const RunResult ran =
      send({"-"},
           "signup fred secret\r\nsignup wilma secret\n\nlogin fred secret\nmultiple\n"
           "toot challenge fred wilma\n have fun\n .and more\ndance\nlist\n.\nnever sent\n");
  CHECK(ran.status == 1);
  CHECK(ran.err == "pbmplay: There is no command dance. Type help for the list.\n");
  CHECK(contains(ran.out,
                 "Welcome, fred.\nWelcome, wilma.\nHello, fred. No game needs your move.\nBoard "
                 "101 of Toot: fred and wilma.\n"));
  CHECK(contains(ran.out, "2 userids"));
  CHECK(!contains(ran.out, "Write one command a line"));
  CHECK(!contains(ran.out, "script is done"));
  const RunResult heard = send({"-"}, "login wilma secret\nwatch\nquit\nlist");
  CHECK(heard.status == 0);
  CHECK(contains(heard.out, "* toot 101 chat fred : have fun ("));
  CHECK(contains(heard.out, "* toot 101 chat fred : .and more ("));
  CHECK(heard.out.substr(heard.out.size() - 10) == "Good-bye.\n");
  const RunResult stray = send({"-"}, " list\nlist");
  CHECK(stray.status == 1);
  CHECK(contains(
      stray.err,
      "pbmplay: 'list' starts with a blank and so continues the command above. There is none, "
      "or it was sent already.\n"));
  CHECK(contains(stray.out, "2 userids"));
  CHECK(send({"-"}, "").status == 0);
}

TEST_CASE("a whole game is played by printf and send", "[server][send]") {
  ThreadServer server;
  const SendCommand send(server.socket_address());
  const RunResult ran =
      send({"-"},
           "signup fred secret\nsignup wilma geheim\nlogin fred secret\ntoot challenge fred wilma\n"
           "toot move 101 fred secret BT\ntoot move 101 wilma geheim CO\ntoot move 101 fred * DO\n"
           "toot move 101 wilma geheim FO\ntoot move 101 fred * AT\ntoot move 101 wilma geheim "
           "AO\ntoot move 101 fred * ET\ntoot show 101\ntoot standings\n");
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK(contains(ran.out, "fred (TOOT) wins. "));
  CHECK(contains(ran.out, "1784?     1     1     0     0  fred\n"));
  CHECK(contains(read_bytes(server.directory / "toot-101.yaml"), "- {move: ET, at: "));
}
