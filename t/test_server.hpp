// SPDX-License-Identifier: MIT
// A server without sockets for tests, with a clock that the test sets, a disk that fails on demand,
// and conversations.
#pragma once

#include <cerrno>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "server/service.hpp"
#include "server/session/session.hpp"
#include "support.hpp"

namespace pbm::test {

using Words = std::vector<std::string>;

class TestClient;

class TestServer {
 public:
  TestServer() {
    sync_database = [this](const std::string& file) { return sync(file); };
    start();
  }
  ~TestServer() { sync_database = nullptr; }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  // Ends the server and starts another on the same directory.
  void restart() {
    stop();
    start();
  }
  // Stops the server and closes its conversations.
  void stop();
  void start() { service_ = std::make_unique<Service>(options()); }
  ServiceOptions options() {
    ServiceOptions o;
    o.directory = directory;
    o.clock = OwnClock([this] { return time + clock_set_by; },
                       [this] { return time.time_since_epoch(); });
    o.moment = [this] { return Moment(time.time_since_epoch()) + kept_back; };
    o.rules = [](const std::string& game) {
      return read_file(source_root() / "rules" / (game + ".md"), 1 << 20);
    };
    o.cost = PasswordCost::least();
    // The disk itself is not tested: only what the server does after a sync.
    o.sync_file = [this](int fd) {
      return sync(
          std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)).filename().string());
    };
    o.signups_a_minute = 1000;
    o.shortest_password = 1;
    bounds(o);
    return o;
  }
  Service& service() { return *service_; }
  // Finishes all pending work. For delayed work, moves the monotonic clock forward.
  void settle() {
    service_->settle();
    while (const auto due = service_->due(false)) {
      kept_back = *due - Moment(time.time_since_epoch());
      service_->settle();
    }
  }

  // Lets time pass with the server running, and does the work that is due.
  void pass(std::chrono::seconds span) {
    for (const Time end = time + span; time < end;) {
      time += std::min<std::chrono::seconds>(end - time, Uptime::kDown);
      service_->look_at_clocks();
      service_->settle();
    }
  }

  TemporaryDirectory place;
  std::filesystem::path directory = place / "boards";
  Time time = *read_iso_time("2026-11-21T12:00:00Z");
  std::chrono::seconds clock_set_by{0};  // a change of the wall clock; other clocks do not change
  Moment::duration kept_back{};
  std::string broken;  // a part of the name of a file that cannot be synced
  Words synced;        // the names of synced files, in order
  std::function<void(ServiceOptions&)> bounds = [](ServiceOptions&) {};

 private:
  friend class TestClient;
  int sync(const std::string& file) {
    synced.push_back(file);
    return !broken.empty() && file.find(broken) != std::string::npos ? EIO : 0;
  }
  std::unique_ptr<Service> service_;
  std::set<TestClient*> talks_;
};

// A client's connection to the server.
class TestClient {
 public:
  explicit TestClient(TestServer& hall, const std::string& trusted = "")
      : TestClient(hall, PeerAuth{"somebody"}) {
    if (trusted.empty()) return;
    connect(PeerAuth{"somebody", [](const std::string&) -> Result<Done> { return Done{}; }});
    say("as " + trusted);
  }
  TestClient(TestServer& hall, const PeerAuth& trust) : hall_(hall), session_(make(trust)) {
    hall_.talks_.insert(this);
  }
  ~TestClient() { hall_.talks_.erase(this); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  // Sends a line and finishes pending work. Returns everything received since the last call.
  std::string say(const std::string& line) {
    send(line);
    hall_.settle();
    return heard();
  }
  // Sends a line without waiting.
  void send(const std::string& line) { session_->line(line); }
  std::string heard() { return std::exchange(heard_, ""); }
  // Returns the first line of the reply. Keeps the events for the function above.
  std::string first(const std::string& line) {
    send(line);
    hall_.settle();
    std::istringstream in(heard());
    std::string out;
    bool inside = false;
    for (std::string text; std::getline(in, text);) {
      if (!inside && text.substr(0, 2) == "* ") {
        heard_ += text + "\n";
        continue;
      }
      if (!inside) out = text;
      inside = text != ".";
    }
    return out;
  }
  Session& session() { return *session_; }

 protected:
  void connect(const PeerAuth& trust) { session_ = make(trust); }

 private:
  std::unique_ptr<Session> make(const PeerAuth& trust) {
    return std::make_unique<Session>(hall_.service(), trust,
                                     [this](std::string_view text) { heard_ += text; });
  }
  TestServer& hall_;
  std::string heard_;
  friend class TestServer;
  std::unique_ptr<Session> session_;
};

inline void TestServer::stop() {
  for (TestClient* talk : talks_) talk->session_.reset();
  service_.reset();
}

// A connection of `userid`, logged in. If necessary, it signs up with the password "secret".
class User : public TestClient {
 public:
  User(TestServer& hall, const std::string& userid) : TestClient(hall), userid_(userid) {
    say("signup " + userid + " secret");
    log_in();
  }
  // Connects and logs in again after a restart.
  void come_back() {
    connect(PeerAuth{"somebody"});
    log_in();
  }

 private:
  void log_in() {
    const std::string said = first("login " + userid_ + " secret");
    INFO(said);
    REQUIRE(said.substr(0, 10) == "+OK Hello,");
  }
  std::string userid_;
};

// fred and wilma, logged in and watching, with board 101 of Toot.
struct Pair {
  TestServer hall;
  User fred{hall, "fred"}, wilma{hall, "wilma"};
  Pair() {
    fred.say("watch");
    wilma.say("watch");
    fred.say("toot challenge fred wilma");
    fred.heard();
    wilma.heard();
  }
  // Changes the boards while no server runs.
  void meanwhile(const std::function<void()>& work) {
    hall.stop();
    work();
    hall.start();
    for (User* user : {&fred, &wilma}) {
      user->come_back();
      user->say("watch");
    }
  }
};

// Plays four plies: column A then has room for one piece and fred is to move. If fred fills
// it, the server drops the ply that wilma has queued there.
inline void nearly_fill_a(TestClient& fred, TestClient& wilma) {
  for (const char* ply : {"BT", "AO", "AT", "AO"}) {
    const bool first = std::string(ply).back() == 'T';
    REQUIRE((first ? fred : wilma)
                .first(std::string("toot move 101 ") + (first ? "fred" : "wilma") + " * " + ply)
                .substr(0, 8) == "+OK Move");
  }
  fred.heard();
  wilma.heard();
}

}  // namespace pbm::test
