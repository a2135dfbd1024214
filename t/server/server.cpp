// SPDX-License-Identifier: MIT
// The server's sockets: any bytes from clients, slow clients, and many of them.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <sstream>

#include "base/clock.hpp"
#include "boards/server_connection.hpp"
#include "socket_server.hpp"

using namespace pbm;
using namespace pbm::test;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kNobody = "+OK There are no accounts yet.\n.\n";

std::string repeated(std::string_view text, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

void raise_file_limit(rlim_t wanted) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, wanted));
  ::setrlimit(RLIMIT_NOFILE, &files);
}

// Makes the command `help toot` expensive, and counts its calls.
std::function<Result<std::string>(const std::string&)> expensive_rules(std::atomic<int>& calls) {
  return [&calls](const std::string&) -> Result<std::string> {
    std::this_thread::sleep_for(WaitTime(5));
    ++calls;
    return std::string("# toot\n");
  };
}

// Returns how many of the guessers got -BUSY, after waiting for the first.
std::size_t count_refused(std::vector<RawConnection>& guessers) {
  std::vector<pollfd> waits;
  for (const RawConnection& raw : guessers) waits.push_back({raw.fd(), POLLIN, 0});
  std::size_t out = 0;
  for (const auto over = Clock::now() + std::chrono::seconds(60);
       out == 0 && Clock::now() < over;) {
    ::poll(waits.data(), waits.size(), 1000);
    for (RawConnection& raw : guessers)
      if (contains(raw.read_until("\n", WaitTime(0)), "Try again in a moment")) ++out;
  }
  return out;
}

}  // namespace

// --- lines ------------------------------------------------------------------

TEST_CASE("lines are lines however they are cut into packets", "[server]") {
  ThreadServer server;
  RawConnection raw(server.socket_address());
  for (const char c : std::string("list\n")) raw.send(std::string(1, c));
  CHECK(raw.read_until("\n.\n") == kNobody);
  raw.send("list\nlist\n");
  CHECK(raw.read_until("\n.\n") == kNobody);
  CHECK(raw.read_until("\n.\n") == kNobody);
  raw.send("list\r\nli");
  CHECK(raw.read_until("\n.\n") == kNobody);
  raw.send("st\r");
  raw.send("\n");
  CHECK(raw.read_until("\n.\n") == kNobody);
  raw.send(repeated("list\n", 100));
  for (int i = 0; i < 100; ++i) REQUIRE(raw.read_until("\n.\n") == kNobody);
  raw.send("\n\r\n");
  CHECK(raw.read_until("\n.\n") ==
        "-ERR There is no command in that line. Type help for the list.\n.\n");
  CHECK(raw.read_until("\n.\n") ==
        "-ERR There is no command in that line. Type help for the list.\n.\n");
  CHECK(raw.request(std::string("li\0st", 5)) ==
        "-ERR That line has a control character. Remove it.\n.\n");
  CHECK(raw.request("quit") == "+OK Good-bye.\n.\n");
  CHECK(raw.wait_for_close());
}

TEST_CASE("a line that is too long is refused once, and the next one is read", "[server]") {
  ThreadServer server;
  RawConnection raw(server.socket_address());
  const std::string refused = "-ERR That line is too long. A line has at most 1024 bytes.\n.\n";
  CHECK(contains(raw.request(std::string(1024, 'x')), "-ERR There is no command xxx"));
  CHECK(contains(raw.request(std::string(1024, 'x') + "\r"), "-ERR There is no command xxx"));
  CHECK(raw.request(std::string(1025, 'x')) == refused);
  CHECK(raw.request(std::string(1025, 'x') + "\r") == refused);
  CHECK(raw.request(std::string(1026, 'x')) == refused);
  // A CR inside a line counts as one of its bytes.
  for (const std::string tail : {"x", "\r", "\r\r", " and more"}) {
    CHECK(raw.request("list " + std::string(1019, ' ') + "\r" + tail) == refused);
    CHECK(raw.request("list " + std::string(1019, ' ') + "\r" + tail + std::string(20'000, ' ')) ==
          refused);
  }
  CHECK(raw.request("list " + std::string(1019, ' ') + "\r") == kNobody);
  for (const std::size_t size : {2000U, 16384U, 16385U, 100'000U, 3'000'000U}) {
    INFO(size);
    CHECK(raw.request(std::string(size, 'x')) == refused);
    CHECK(raw.request("list") == kNobody);
  }
  // In pieces, with other lines in the same packet.
  raw.send(std::string(900, 'x'));
  raw.send(std::string(900, 'x'));
  raw.send("\nlist\n" + std::string(5000, 'y') + "\nlist\n");
  CHECK(raw.read_until("\n.\n") == refused);
  CHECK(raw.read_until("\n.\n") == kNobody);
  CHECK(raw.read_until("\n.\n") == refused);
  CHECK(raw.read_until("\n.\n") == kNobody);
}

TEST_CASE("whoever stops sending is still answered, to the last line, even one without an end",
          "[server]") {
  ThreadServer server;
  {
    RawConnection raw(server.socket_address());
    raw.send("signup fred secret\nlogin fred secret\nlist\nlist");
    raw.finish_sending();
    CHECK(raw.read_until("\n.\n") == "+OK Welcome, fred.\n.\n");
    CHECK(raw.read_until("\n.\n") == "+OK Hello, fred. No game needs your move.\n.\n");
    CHECK(contains(raw.read_until("\n.\n"), "fred"));
    CHECK(contains(raw.read_until("\n.\n"), "fred"));
    CHECK(raw.wait_for_close());
    CHECK(raw.take_rest().empty());
  }
  // The same for the last command of a script, although no line follows it.
  RawConnection raw(server.socket_address());
  raw.send("multiple\ntoot show fred\nmessage fred secret fred : You wrote:\n  no more");
  raw.finish_sending();
  CHECK(contains(raw.read_until("\n.\n"), "+OK Write one command a line"));
  CHECK(raw.read_until("\n.\n") == "+OK No boards of Toot.\n.\n");
  CHECK(raw.read_until("\n.\n") == "+OK Sent to fred.\n.\n");
  CHECK(raw.wait_for_close());
  CHECK(contains(RawConnection(server.socket_address()).request("login fred secret"),
                 "2 messages wait"));
}

TEST_CASE("of who has gone altogether no more lines are done", "[server]") {
  std::atomic<int> calls{0};
  ThreadServer server([&](ListenOptions& o) { o.service.read_rules = expensive_rules(calls); });
  {
    RawConnection fred(server.socket_address());
    REQUIRE(contains(fred.request("as fred"), "+OK"));
    fred.send(repeated("help toot\n", 2000));
    for (int i = 0; i < 2000 && calls == 0; ++i) std::this_thread::sleep_for(WaitTime(1));
  }
  RawConnection other(server.socket_address());
  std::string list = "fred  signed in";
  for (int i = 0; i < 2000 && contains(list, "  signed in"); ++i) list = other.request("list");
  CHECK_FALSE(contains(list, "  signed in"));
  CHECK(calls > 0);
  CHECK(calls < 1000);
}

TEST_CASE(
    "many connections full of lines that cost much get no more time than one of somebody else",
    "[server]") {
  std::atomic<int> calls{0};
  ThreadServer server([&](ListenOptions& o) { o.service.read_rules = expensive_rules(calls); });
  std::vector<RawConnection> busy;
  for (int i = 0; i < 60; ++i)
    busy.emplace_back(server.socket_address()).send(repeated("help toot\n", 40));
  RawConnection fred(server.socket_address());
  REQUIRE(contains(fred.request("as fred"), "+OK"));
  const int before = calls;
  for (int i = 0; i < 5; ++i) REQUIRE(contains(fred.request("list"), "fred"));
  CHECK(calls - before < 150);
  // They do not keep the server from ending either.
  const int then = calls;
  server.stop();
  CHECK(calls - then < 1000);
}

TEST_CASE("what follows quit is not read, and the answer to it arrives", "[server]") {
  ThreadServer server(
      [](ListenOptions& o) { o.addresses.push_back(*read_server_address("127.0.0.1:0")); });
  for (const ServerAddress& address : server.addresses()) {
    RawConnection raw(address);
    raw.send("quit\n" + repeated("signup fred secret\n", 2000));
    CHECK(raw.read_until("\n.\n") == "+OK Good-bye.\n.\n");
    CHECK(raw.wait_for_close());
    CHECK(raw.take_rest().empty());
  }
  CHECK(RawConnection(server.socket_address()).request("list") == kNobody);
}

// --- many, slow and hostile clients --------------------------------------------

TEST_CASE("a thousand connections are served, and silent ones may stay", "[server]") {
  raise_file_limit(4096);
  ThreadServer server;
  std::vector<RawConnection> all;
  RawConnection half(server.socket_address());
  half.send("li");
  for (int i = 0; i < 1000; ++i) all.emplace_back(server.socket_address());
  for (RawConnection& raw : all) raw.send("list\n");
  for (RawConnection& raw : all) REQUIRE(raw.read_until("\n.\n") == kNobody);
  half.send("st\n");
  CHECK(half.read_until("\n.\n") == kNobody);
  all.clear();
  CHECK(half.request("list") == kNobody);
}

TEST_CASE("one connection too many is told so, and comes in when another leaves", "[server]") {
  ThreadServer server([](ListenOptions& o) { o.max_connections = 3; });
  std::vector<RawConnection> all;
  for (int i = 0; i < 3; ++i)
    REQUIRE(all.emplace_back(server.socket_address()).request("list") == kNobody);
  RawConnection more(server.socket_address());
  CHECK(more.read_until("\n.\n") ==
        "-ERR This server has too many connections. Try again later.\n.\n");
  CHECK(more.wait_for_close());
  all.pop_back();
  std::string said;
  for (int i = 0; i < 200 && said != kNobody; ++i)
    said = RawConnection(server.socket_address()).request("list");
  CHECK(said == kNobody);
  CHECK(count(server.log_text(), "refusing new ones") == 1);
}

TEST_CASE("a reader who does not read is dropped, while others hear everything", "[server]") {
  ThreadServer server;
  RawConnection fred(server.socket_address()), deaf(server.socket_address()),
      wilma(server.socket_address());
  for (auto& [raw, name] : std::vector<std::pair<RawConnection*, std::string>>{
           {&fred, "fred"}, {&deaf, "betty"}, {&wilma, "wilma"}}) {
    REQUIRE(contains(raw->request("as " + name), "+OK"));
    if (raw != &fred) REQUIRE(contains(raw->request("watch"), "+OK"));
  }
  fred.request("toot challenge fred wilma");
  const std::string text(900, 'x');
  constexpr int kSaid = 1500;  // 1.3 MB, more than the system and the server buffer for a client
  std::size_t heard = 0;
  for (int i = 0; i < kSaid; ++i) {
    REQUIRE(contains(fred.request("broadcast fred * : " + text), "+OK"));
    if (i % 100 == 99)
      for (; heard < static_cast<std::size_t>(i); ++heard)
        REQUIRE(contains(wilma.read_until(text + "\n"), "fred : "));
  }
  CHECK(contains(server.log_text(), "closed: it does not read its replies and events"));
  CHECK(deaf.wait_for_close());
  CHECK(deaf.take_rest().size() < 1'000'000);
  CHECK(contains(fred.request("toot move 101 fred * BT"), "+OK Move 1"));
  CHECK(contains(wilma.read_until("ply 1 fred BT\n"), "ply 1 fred BT"));
}

TEST_CASE("whoever asks much and reads nothing waits alone, and gets every answer in the end",
          "[server]") {
  ThreadServer server;
  RawConnection greedy(server.socket_address()), other(server.socket_address());
  const std::string help = RawConnection(server.socket_address()).request("help");
  ::fcntl(greedy.fd(), F_SETFL, O_NONBLOCK);
  const std::string asked = repeated("help\n", 4000);
  std::size_t sent = 0;
  for (int i = 0; i < 100; ++i) {
    const ssize_t n = ::send(greedy.fd(), asked.data() + sent, asked.size() - sent, MSG_NOSIGNAL);
    if (n > 0) sent += static_cast<std::size_t>(n);
    REQUIRE(other.request("list") == kNobody);
  }
  ::fcntl(greedy.fd(), F_SETFL, 0);
  std::thread sender([&] {
    greedy.send(std::string_view(asked).substr(sent));
    greedy.finish_sending();
  });
  std::size_t answers = 0;
  while (greedy.read_until("\n.\n") == help) ++answers;
  sender.join();
  CHECK(answers == 4000);
  CHECK(server.log_text().empty());
}

TEST_CASE("of a long reply only what was not read takes memory", "[server]") {
  TemporaryDirectory place;
  std::filesystem::create_directory(place / "boards");
  std::ofstream(place / "boards" / "toot-101.yaml")
      << "format: 1\ngame: toot\nseats: [fred, wilma]\n" +
             repeated("# A comment of somebody who has much to say of this board.\n", 8000) +
             "plies:\n";
  ServerProcess server(place / "boards", place / "s");
  const auto resident = [&] {
    std::istringstream pages(read_bytes("/proc/" + std::to_string(server.pid()) + "/statm"));
    std::size_t all = 0, here = 0;
    pages >> all >> here;
    return here * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  };
  const std::string line = "toot save 101";
  const std::size_t whole = RawConnection(server.socket_address()).request(line).size();
  REQUIRE(whole > 300'000);  // more than the system buffers
  const std::size_t before = resident();
  std::vector<RawConnection> readers;
  for (int i = 0; i < 100; ++i) {
    readers.emplace_back(server.socket_address());
    readers.back().send(line + "\n");
    pollfd ready{readers.back().fd(), POLLIN, 0};
    REQUIRE(::poll(&ready, 1, 10'000) == 1);
  }
  CHECK(RawConnection(server.socket_address()).request("list") ==
        kNobody);  // by now the last reader has its reply, too
  std::size_t unread = 0;
  for (const RawConnection& reader : readers) {
    int held = 0;
    REQUIRE(::ioctl(reader.fd(), FIONREAD, &held) == 0);
    unread += whole - static_cast<std::size_t>(held);
  }
  INFO(unread << " bytes are not read");
  CHECK(resident() - before < unread * 3 / 2 + 4'000'000);
}

TEST_CASE("a flood of lines from some never keeps another waiting", "[server]") {
  ThreadServer server;
  std::vector<RawConnection> floods;
  for (int i = 0; i < 3; ++i) floods.emplace_back(server.socket_address());
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (RawConnection& flood : floods) {
    threads.emplace_back([&] {
      const std::string lines = repeated("toot preview new AT BO CT\n", 200);
      while (!over && flood.send(lines)) {
      }
    });
    threads.emplace_back([&] {
      while (!over && !flood.read_until("\n.\n", WaitTime(1000)).empty()) {
      }
    });
  }
  RawConnection calm(server.socket_address());
  std::vector<Clock::duration> waits;
  for (int i = 0; i < 50; ++i) {
    const auto from = Clock::now();
    REQUIRE(calm.request("list") == kNobody);
    waits.push_back(Clock::now() - from);
    std::this_thread::sleep_for(WaitTime(2));
  }
  over = true;
  for (RawConnection& flood : floods) ::shutdown(flood.fd(), SHUT_RDWR);
  for (std::thread& t : threads) t.join();
  std::nth_element(waits.begin(), waits.begin() + 25, waits.end());
  CHECK(waits[25] < std::chrono::seconds(3));
}

TEST_CASE("whoever is silent and nobody goes after a while, and no other", "[server]") {
  ThreadServer server([](ListenOptions& o) { o.limits.max_silence = WaitTime(1000); });
  RawConnection fred(server.socket_address()), silent(server.socket_address()),
      dribbles(server.socket_address()), asks(server.socket_address());
  REQUIRE(contains(fred.request("as fred"), "+OK"));
  const std::string gone =
      "-ERR You sent nothing for 1 second and did not sign in. Connect again and type login.\n.\n";
  std::thread slowly([&] {
    while (dribbles.send("x")) std::this_thread::sleep_for(WaitTime(20));
  });
  CHECK(asks.request("list").substr(0, 4) == "+OK ");
  auto wire = SocketClient::connect(server.socket_address(), WaitTime(5000));
  REQUIRE(wire.ok());
  CHECK(silent.read_until("\n.\n") == gone);
  CHECK(silent.wait_for_close());
  slowly.join();
  CHECK(asks.read_until("\n.\n") == gone);
  CHECK(contains(fred.request("list"), "signed in"));
  // The client gets the reason.
  auto taken = wire->receive();
  for (int i = 0; i < 1000 && taken; ++i) {
    pollfd ready{wire->descriptor(), POLLIN, 0};
    ::poll(&ready, 1, 10);
    taken = wire->receive();
  }
  REQUIRE_FALSE(taken.ok());
  CHECK(contains(taken.refusal().reason, "is lost: You sent nothing for 1 second"));
}

TEST_CASE("so many may be nobody at one place, and so many speak for one userid", "[server]") {
  ThreadServer server([](ListenOptions& o) {
    o.service.connections_a_user = 3;
    o.addresses.push_back(*read_server_address("127.0.0.1:0"));
  });
  std::vector<RawConnection> freds;
  for (int i = 0; i < 3; ++i)
    REQUIRE(contains(freds.emplace_back(server.socket_address()).request("as fred"), "+OK"));
  RawConnection fourth(server.socket_address());
  CHECK(fourth.request("as fred") ==
        "-BUSY You have 3 connections, the most a player may have. Close one, or try again "
        "later.\n.\n");
  CHECK(contains(freds[0].request("change password fred * secret"), "+OK"));
  CHECK(contains(fourth.request("login fred secret"), "-BUSY You have 3 connections"));
  freds.pop_back();
  std::string said;
  for (int i = 0; i < 1000 && !contains(said, "+OK"); ++i)
    said = fourth.request("login fred secret");
  CHECK(contains(said, "+OK Hello, fred"));
  for (const ServerAddress& address : server.addresses()) {
    std::vector<RawConnection> silent;
    for (int i = 0; i < 3; ++i) silent.emplace_back(address);
    // A new connection closes the oldest silent one, and no other.
    CHECK(contains(RawConnection(address).request("list"), "+OK 1 userid"));
    CHECK(
        silent[0].read_until("\n.\n") ==
        "-ERR You did not sign in, and the server needs the place. Try again and type login.\n.\n");
    CHECK(contains(silent[2].request("list"), "+OK"));
  }
  for (RawConnection& fred : freds) CHECK(contains(fred.request("list"), "+OK"));
}

TEST_CASE("those who guessed wrong keep nobody from coming in", "[server]") {
  ThreadServer server([](ListenOptions& o) { o.service.connections_a_user = 3; });
  REQUIRE(contains(RawConnection(server.socket_address()).request("signup fred secret"), "+OK"));
  std::vector<RawConnection> guess;
  for (int i = 0; i < 3; ++i)
    guess.emplace_back(server.socket_address()).send("login fred wrong\n");
  // Their replies are delayed longer than this test lasts.
  std::string said;
  for (int i = 0; i < 1000 && !contains(said, "+OK"); ++i) {
    said = RawConnection(server.socket_address()).request("login fred secret");
    if (!contains(said, "+OK")) CHECK(contains(said, "Try again"));
  }
  CHECK(contains(said, "+OK Hello, fred"));
  CHECK(contains(guess[0].read_until("\n.\n"), "-ERR You did not sign in"));
}

TEST_CASE("where there is no place whoever has most of them gives one", "[server]") {
  ThreadServer server([](ListenOptions& o) {
    o.max_connections = 9;
    o.addresses.push_back(*read_server_address("127.0.0.1:0"));
  });
  const auto come = [&](const std::string& userid) {
    RawConnection raw(server.socket_address());
    CHECK(contains(raw.request("as " + userid), "+OK"));
    return raw;
  };
  std::vector<RawConnection> fred, wilma;
  for (int i = 0; i < 4; ++i) fred.push_back(come("fred"));
  for (int i = 0; i < 5; ++i) wilma.push_back(come("wilma"));
  CHECK(contains(wilma[0].request("list"), "+OK"));
  // The connection of wilma that was quiet longest is closed.
  RawConnection barney(server.addresses().back());
  CHECK(contains(barney.request("list"), "+OK"));
  CHECK(contains(RawConnection(server.addresses().back()).request("list"), "+OK"));
  CHECK(count(server.log_text(), "closing those of the largest user") == 1);
  CHECK(wilma[1].read_until("\n.\n") ==
        "-ERR This server has too many connections, and 5 of them are yours. Close some, then try "
        "again.\n.\n");
  CHECK(wilma[1].wait_for_close());
  // A source with as many connections as the others gets no more.
  std::vector<RawConnection> more;
  std::string said;
  for (int i = 0; i < 9 && said.empty(); ++i) {
    more.emplace_back(server.addresses().back());
    const std::string reply = more.back().request("list");
    if (!contains(reply, "+OK")) said = reply;
  }
  CHECK(said == "-ERR This server has too many connections. Try again later.\n.\n");
  CHECK(contains(fred[3].request("list"), "+OK"));
  CHECK(contains(wilma[0].request("list"), "+OK"));
  CHECK(contains(barney.request("list"), "+OK"));
}

TEST_CASE("the last places are for the login of the server", "[server]") {
  ThreadServer server([](ListenOptions& o) {
    o.max_connections = 20;
    o.addresses.push_back(*read_server_address("127.0.0.1:0"));
  });
  const ServerAddress port = server.addresses().back();
  std::vector<RawConnection> all;
  for (int i = 0; i < 18; ++i) REQUIRE(all.emplace_back(port).request("list") == kNobody);
  CHECK(contains(RawConnection(port).read_until("\n.\n"),
                 "-ERR This server has too many connections"));
  CHECK(RawConnection(server.socket_address()).request("list") == kNobody);
}

TEST_CASE("a request that goes wrong closes its own connection and no other", "[server]") {
  ThreadServer server([](ListenOptions& o) {
    o.service.read_rules = [](const std::string&) -> Result<std::string> {
      throw std::runtime_error("rules \x1B[2J gone");
    };
  });
  RawConnection unlucky(server.socket_address()), other(server.socket_address());
  REQUIRE(other.request("list") == kNobody);
  unlucky.send("help toot\nlist\n");
  CHECK(unlucky.wait_for_close());
  CHECK(other.request("list") == kNobody);
  CHECK(contains(server.log_text(), "closed: rules ?[2J gone"));
}

TEST_CASE("whatever goes wrong while somebody is let in, the next one gets in", "[server]") {
  bool wrong = true;
  ThreadServer server([&](ListenOptions& o) {
    o.max_connections = 1;
    o.service.log = [&](const std::string& event) {
      if (contains(event, "refusing new ones") && std::exchange(wrong, false))
        throw std::runtime_error("no room for a log");
    };
  });
  {
    RawConnection first(server.socket_address());
    REQUIRE(first.request("list") == kNobody);
    CHECK(RawConnection(server.socket_address()).wait_for_close());
    CHECK(contains(RawConnection(server.socket_address()).read_until("\n.\n"),
                   "-ERR This server has too many connections"));
  }
  std::string said;
  for (int i = 0; i < 200 && said != kNobody; ++i)
    said = RawConnection(server.socket_address()).request("list");
  CHECK(said == kNobody);
}

TEST_CASE("a request that goes wrong while a password is proved keeps nobody waiting", "[server]") {
  std::atomic<int> calls{0};
  ThreadServer server([&](ListenOptions& o) {
    // The command asks for the time of the ply.
    o.service.clock = [&] {
      if (--calls == 0) throw std::runtime_error("no time");
      return now();
    };
  });
  REQUIRE(contains(RawConnection(server.socket_address()).request("signup wilma secret"), "+OK"));
  RawConnection raw(server.socket_address());
  for (const char* line : {"as fred", "toot challenge fred wilma", "change password fred * secret"})
    REQUIRE(contains(raw.request(line), "+OK"));
  RawConnection other(server.socket_address());
  calls = 1;
  other.send("toot move 101 fred secret BT\nlist\n");
  CHECK(contains(other.read_until("\n.\n"), "+OK 2 userids"));
  CHECK(contains(server.log_text(), "error: no time"));
  CHECK(contains(raw.request("toot move 101 fred * BT"), "+OK Move 1"));
}

TEST_CASE("the server ends when what is being written is on disk, and not before", "[server]") {
  TemporaryDirectory place;
  std::atomic<bool> gate{false}, waits{false}, ended{false};
  ListenOptions options;
  options.addresses = {unix_socket_address(place / "s")};
  options.service.directory = place / "boards";
  options.service.sync_file = [&](int) {
    waits = true;
    while (!gate) std::this_thread::sleep_for(WaitTime(1));
    return 0;
  };
  ServerLoop listener(options);
  std::thread thread([&] {
    listener.run();
    ended = true;
  });
  {
    RawConnection fred(unix_socket_address(place / "s")), wilma(unix_socket_address(place / "s"));
    fred.request("as fred");
    wilma.request("as wilma");
    fred.request("toot challenge fred wilma");
    fred.request("toot move 101 fred * BT");
    wilma.request("toot move 101 wilma * BT");
    CHECK(contains(fred.request("toot resign 101 fred *"), "+OK"));
  }
  listener.stop();
  for (int i = 0; i < 1000 && !waits; ++i) std::this_thread::sleep_for(WaitTime(5));
  CHECK(waits);
  std::this_thread::sleep_for(WaitTime(100));
  CHECK_FALSE(ended);
  gate = true;
  thread.join();
}

TEST_CASE("without a file left for another connection the server rests, and then goes on",
          "[server]") {
  TemporaryDirectory place;
  ServerProcess server(place / "boards", place / "s");
  std::vector<RawConnection> in;
  for (int i = 0; i < 20; ++i)
    REQUIRE(in.emplace_back(server.socket_address()).request("list") == kNobody);
  rlimit before{}, tight{};
  REQUIRE(::prlimit(server.pid(), RLIMIT_NOFILE, nullptr, &before) == 0);
  tight = before;
  tight.rlim_cur = 10;
  REQUIRE(::prlimit(server.pid(), RLIMIT_NOFILE, &tight, nullptr) == 0);
  RawConnection late(server.socket_address());
  late.send("list\n");
  CHECK(late.read_until("\n.\n", WaitTime(50)).empty());
  const double cpu = server.cpu_seconds();
  CHECK(late.read_until("\n.\n", WaitTime(450)).empty());
  CHECK(server.cpu_seconds() - cpu < 0.1);
  CHECK(in.front().request("list") == kNobody);
  CHECK(count(server.log_text(), "cannot accept connections") == 1);
  REQUIRE(::prlimit(server.pid(), RLIMIT_NOFILE, &before, nullptr) == 0);
  CHECK(late.read_until("\n.\n") == kNobody);
}

// --- addresses ---------------------------------------------------------------------

TEST_CASE("an address is a loopback one, or refused with one sentence", "[server]") {
  const auto said = [](std::string_view text) {
    const auto address = read_server_address(text);
    return address ? address->to_string() : "refused: " + address.refusal().reason;
  };
  CHECK(said("127.0.0.1:4000") == "127.0.0.1:4000");
  CHECK(said("127.1.2.3:1") == "127.1.2.3:1");
  CHECK(said("localhost:4000") == "127.0.0.1:4000");
  CHECK(said("[::1]:65535") == "[::1]:65535");
  CHECK(said("127.0.0.1:0") == "127.0.0.1:0");
  for (const char* text :
       {"0.0.0.0:4000", "10.0.0.1:4000", "128.0.0.1:4000", "[::]:4000", "[::ffff:127.0.0.1]:4000",
        "::1:4000", "[127.0.0.1]:4000", "example.org:4000", "127.1:4000", "2130706433:4000",
        ":4000", "*:4000", "127.0.0.1.example.org:1", "[fe80::1%lo]:4000"}) {
    INFO(text);
    CHECK(contains(said(text),
                   "is not on this machine. Write 127.0.0.1:PORT or [::1]:PORT. Use SSH between "
                   "machines."));
  }
  CHECK(said("4000") == "refused: '4000' is not an address. Write it as 127.0.0.1:4000.");
  for (const char* text : {"127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:x",
                           "127.0.0.1:40 ", "127.0.0.1:99999999999"}) {
    INFO(text);
    CHECK(
        contains(said(text), "has no port. Write a number from 0 to 65535 after the last colon."));
  }
}

TEST_CASE("nobody connects to port 0, which means any port to who listens", "[server]") {
  for (const char* text : {"127.0.0.1:0", "[::1]:0"}) {
    const auto wire =
        SocketClient::connect(*read_server_address(text), std::chrono::milliseconds(1000));
    REQUIRE_FALSE(wire.ok());
    CHECK(wire.refusal().reason ==
          std::string(text) +
              " names no port. Write a number from 1 to 65535 after the last colon.");
  }
}

TEST_CASE("a port of this machine is served as a socket is", "[server]") {
  for (const char* where : {"127.0.0.1:0", "[::1]:0"}) {
    std::unique_ptr<ThreadServer> server;
    try {
      server = std::make_unique<ThreadServer>(
          [&](ListenOptions& o) { o.addresses.push_back(*read_server_address(where)); });
    } catch (const Error& error) {
      skip_test(error.what());
      continue;
    }
    const ServerAddress port = server->addresses()[1];
    CHECK(port.port != 0);
    RawConnection raw(port);
    CHECK(raw.request("list") == kNobody);
    CHECK(raw.request("as fred") ==
          "-ERR This works only on a Unix socket. Sign in with login userid password.\n.\n");
    int keepalive = 0;
    socklen_t size = sizeof keepalive;
    CHECK(::getsockopt(raw.fd(), SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size) == 0);
    CHECK_THROWS_WITH(ThreadServer([&](ListenOptions& o) { o.addresses = {port}; }),
                      "Another program listens on " + port.to_string() + " already.");
  }
}

TEST_CASE("a socket is its server's own: 0660, replaced when dead, removed at the end",
          "[server]") {
  TemporaryDirectory place;
  const auto path = place / "s";
  const auto refusal = [&](const std::filesystem::path& socket) {
    try {
      ThreadServer server([&](ListenOptions& o) { o.addresses = {unix_socket_address(socket)}; });
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  struct stat status {};
  {
    ThreadServer server([&](ListenOptions& o) { o.addresses = {unix_socket_address(path)}; });
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0660);
    CHECK(refusal(path) == "Another server listens on " + path.string() + " already.");
    CHECK(RawConnection(unix_socket_address(path)).request("list") == kNobody);
  }
  CHECK(!std::filesystem::exists(path));
  {
    // A killed server leaves its socket.
    ServerProcess server(place / "boards", path);
    server.send_signal(SIGKILL);
    server.wait_exit();
    CHECK(std::filesystem::exists(path));
    ServerProcess next(place / "boards", path);
    CHECK(next.first_line() == "listening on " + path.string());
    CHECK(RawConnection(unix_socket_address(path)).request("list") == kNobody);
    next.send_signal(SIGTERM);
    CHECK(next.wait_exit() == 0);
  }
  CHECK(!std::filesystem::exists(path));
  REQUIRE(::close(::open(path.c_str(), O_CREAT | O_WRONLY, 0600)) == 0);
  CHECK(refusal(path) == path.string() + " exists and is not a socket. Choose another path.");
  CHECK(read_bytes(path).empty());
  CHECK(contains(refusal(place / std::string(120, 'x')),
                 "The path of a socket has at most 107 bytes. This one has "));
  CHECK(contains(refusal(place / "nowhere/s"), "No such file or directory"));
  CHECK(contains(refusal(place.path()), "exists and is not a socket"));
}

TEST_CASE("two servers never share a directory", "[server]") {
  TemporaryDirectory place;
  ServerProcess server(place / "boards", place / "s");
  CHECK_THROWS_WITH(ThreadServer([&](ListenOptions& o) { o.service.directory = place / "boards"; }),
                    "Another server uses " + (place / "boards").string() + " already.");
  CHECK(RawConnection(server.socket_address()).request("list") == kNobody);
}

TEST_CASE("a server that is told to end answers what it was asked", "[server]") {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    TemporaryDirectory place;
    ServerProcess server(place / "boards", place / "s");
    RawConnection idle(server.socket_address()), asking(server.socket_address());
    REQUIRE(idle.request("list") == kNobody);
    REQUIRE(contains(asking.request("as fred"), "+OK Hello"));
    // The real program needs some milliseconds to hash a password, so the signal comes during that.
    asking.send("change password fred * secretly\n");
    std::this_thread::sleep_for(WaitTime(3));
    server.send_signal(number);
    const std::string said = asking.read_until("\n.\n");
    const bool never_read = said.empty();
    if (!never_read) CHECK(said == "+OK The password of fred is changed.\n.\n");
    CHECK(idle.wait_for_close());
    CHECK(server.wait_exit() == 0);
    CHECK(!std::filesystem::exists(place / "s"));
    CHECK(contains(server.log_text(), "stopping: "));
  }
}

TEST_CASE("a server that ends waits for nothing but what was asked", "[server]") {
  ThreadServer server;
  {
    RawConnection fred(server.socket_address());
    REQUIRE(contains(fred.request("as fred"), "+OK"));  // the server syncs this only seconds later
  }
  const auto begun = std::chrono::steady_clock::now();
  server.stop();
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(4));
}

TEST_CASE("an answer that is kept back comes by itself, and at once when the server ends",
          "[server]") {
  ThreadServer server;
  RawConnection raw(server.socket_address()), other(server.socket_address());
  REQUIRE(contains(raw.request("signup fred secret"), "+OK"));
  const auto begun = std::chrono::steady_clock::now();
  CHECK(raw.request("login fred wrong") == "-ERR That is not the password of fred.\n.\n");
  CHECK(std::chrono::steady_clock::now() - begun >= std::chrono::seconds(1));
  // The next delay is two seconds; a right password on another connection is not delayed.
  raw.send("login fred wrong\n");
  CHECK(contains(other.request("login fred secret"), "+OK Hello, fred"));
  CHECK(raw.read_until("\n", WaitTime(0)).empty());
  server.stop();
  CHECK(raw.read_until("\n.\n") == "-ERR That is not the password of fred.\n.\n");
}

TEST_CASE("no password is looked at for one who has gone", "[server]") {
  ThreadServer server([](ListenOptions& o) { o.max_connections = 20; });
  REQUIRE(contains(RawConnection(server.socket_address()).request("signup fred secret"), "+OK"));
  // Without this, each of them would wait for its delayed reply and occupy a place.
  for (int i = 0; i < 200; ++i) {
    std::string said;
    for (int tries = 0; tries < 500 && said.empty(); ++tries) {
      RawConnection gone(server.socket_address());
      if (gone.send("list\nlogin fred wrong\n")) said = gone.read_until("\n.\n");
      if (contains(said, "too many connections")) said.clear();
    }
    CHECK(contains(said, "+OK 1 userid"));
  }
}

TEST_CASE("of many who guess at once few are looked at, and the right password gets in by any way",
          "[server]") {
  ServerAddress port;
  port.host = "127.0.0.1";
  ThreadServer server([&](ListenOptions& o) {
    o.addresses.push_back(port);
    o.service.password_cost = PasswordCost();  // the real cost, which takes time
  });
  port = server.addresses().back();
  REQUIRE(contains(RawConnection(server.socket_address()).request("signup fred secret"), "+OK"));
  std::vector<RawConnection> guessers;
  for (int i = 0; i < 300; ++i)
    guessers.emplace_back(server.socket_address())
        .send("login fred wrong" + std::to_string(i) + "\n");
  // By the same login, and by another address.
  for (const ServerAddress& way : {server.socket_address(), port})
    CHECK(contains(RawConnection(way).request("login fred secret"), "+OK Hello, fred"));
  // The dropped ones get their refusal after about a second.
  const std::size_t out = count_refused(guessers);
  CHECK(out > 0);
  CHECK(out <= 300 - 2);
}

TEST_CASE("whoever comes by a port guesses as one from all his addresses, and not as the others",
          "[server]") {
  ThreadServer server([&](ListenOptions& o) {
    o.addresses.push_back(*read_server_address("127.0.0.1:0"));
    o.service.password_cost = PasswordCost();  // the real cost, which takes time
  });
  const ServerAddress port = server.addresses().back();
  REQUIRE(contains(RawConnection(server.socket_address()).request("signup fred secret"), "+OK"));
  std::vector<RawConnection> guess;
  for (int i = 0; i < 100; ++i) {
    guess.emplace_back(port, "127.1.0." + std::to_string(i + 1));
    guess.back().send("login fred wrong\n");
  }
  // The queue of the source is full, and further guesses are refused.
  CHECK(contains(RawConnection(port).request("login fred secret"), "+OK Hello, fred"));
  CHECK(count_refused(guess) > 0);
  // Close them with a reset: a normal close would still let the server read what they sent.
  const linger at_once{1, 0};
  for (const RawConnection& raw : guess)
    REQUIRE(::setsockopt(raw.fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
}

TEST_CASE("the server logs no password and nothing a terminal would obey", "[server]") {
  TemporaryDirectory place;
  ServerProcess server(place / "boards", place / "s");
  RawConnection raw(server.socket_address());
  raw.request("as fred");
  raw.request("as \x1B[2J");
  raw.request("signup wilma hunter2hunter");
  raw.request("login wilma hunter3hunter");
  raw.request("change password fred * hunter4hunter");
  server.send_signal(SIGTERM);
  CHECK(server.wait_exit() == 0);
  CHECK(!contains(server.log_text(), "hunter"));
  CHECK(!contains(server.log_text(), "\x1B"));
}
