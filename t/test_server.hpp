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
    sync_database_hook = [this](const std::string& file) { return sync(file); };
    start();
  }
  ~TestServer() { sync_database_hook = nullptr; }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  // Ends the server and starts another on the same directory.
  void restart() {
    stop();
    start();
  }
  // Stops the server and closes its conversations.
  void stop();
  void start() { service_ = std::make_unique<Service>(make_options()); }
  ServiceOptions make_options() {
    ServiceOptions o;
    o.directory = directory;
    o.clock = StableClock([this] { return time + clock_offset; },
                          [this] { return time.time_since_epoch(); });
    o.moment = [this] { return SteadyTime(time.time_since_epoch()) + monotonic_offset; };
    o.read_rules = [](const std::string& game) {
      return read_file(source_root() / "rules" / (game + ".md"), 1 << 20);
    };
    o.password_cost = PasswordCost::minimum();
    // The disk itself is not tested: only what the server does after a sync.
    o.sync_file = [this](int fd) {
      return sync(
          std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd)).filename().string());
    };
    o.signups_a_minute = 1000;
    o.min_password_bytes = 1;
    change_options(o);
    return o;
  }
  Service& service() { return *service_; }
  // Finishes all pending work. For delayed work, moves the monotonic clock forward.
  void finish_work() {
    service_->run_due_work();
    while (const auto due = service_->next_due(false)) {
      monotonic_offset = *due - SteadyTime(time.time_since_epoch());
      service_->run_due_work();
    }
  }

  // Lets time pass with the server running, and does the work that is due.
  void pass_time(std::chrono::seconds span) {
    for (const Time end = time + span; time < end;) {
      time += std::min<std::chrono::seconds>(end - time, Uptime::kMinDowntime);
      service_->check_clocks();
      service_->run_due_work();
    }
  }

  TemporaryDirectory temporary;
  std::filesystem::path directory = temporary / "boards";
  Time time = *read_iso_time("2026-11-21T12:00:00Z");
  std::chrono::seconds clock_offset{0};  // a change of the wall clock; other clocks do not change
  SteadyTime::duration monotonic_offset{};
  std::string failing_file;  // a part of the name of a file that cannot be synced
  Words synced_files;        // the names of synced files, in order
  std::function<void(ServiceOptions&)> change_options = [](ServiceOptions&) {};

 private:
  friend class TestClient;
  int sync(const std::string& file) {
    synced_files.push_back(file);
    return !failing_file.empty() && file.find(failing_file) != std::string::npos ? EIO : 0;
  }
  std::unique_ptr<Service> service_;
  std::set<TestClient*> clients_;
};

// A client's connection to the server.
class TestClient {
 public:
  explicit TestClient(TestServer& hall, const std::string& trusted = "")
      : TestClient(hall, PeerInfo{"somebody"}) {
    if (trusted.empty()) return;
    connect(PeerInfo{"somebody", [](const std::string&) -> Result<Success> { return Success{}; }});
    say("as " + trusted);
  }
  TestClient(TestServer& hall, const PeerInfo& trust)
      : server_(hall), session_(make_session(trust)) {
    server_.clients_.insert(this);
  }
  ~TestClient() { server_.clients_.erase(this); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  // Sends a line and finishes pending work. Returns everything received since the last call.
  std::string say(const std::string& line) {
    send(line);
    server_.finish_work();
    return take_received();
  }
  // Sends a line without waiting.
  void send(const std::string& line) { session_->take_line(line); }
  std::string take_received() { return std::exchange(received_, ""); }
  // Returns the first line of the reply. Keeps the events for the function above.
  std::string first_reply_line(const std::string& line) {
    send(line);
    server_.finish_work();
    std::istringstream in(take_received());
    std::string out;
    bool inside = false;
    for (std::string text; std::getline(in, text);) {
      if (!inside && text.substr(0, 2) == "* ") {
        received_ += text + "\n";
        continue;
      }
      if (!inside) out = text;
      inside = text != ".";
    }
    return out;
  }
  Session& session() { return *session_; }

 protected:
  void connect(const PeerInfo& trust) { session_ = make_session(trust); }

 private:
  std::unique_ptr<Session> make_session(const PeerInfo& trust) {
    return std::make_unique<Session>(server_.service(), trust,
                                     [this](std::string_view text) { received_ += text; });
  }
  TestServer& server_;
  std::string received_;
  friend class TestServer;
  std::unique_ptr<Session> session_;
};

inline void TestServer::stop() {
  for (TestClient* talk : clients_) talk->session_.reset();
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
  void log_in_again() {
    connect(PeerInfo{"somebody"});
    log_in();
  }

 private:
  void log_in() {
    const std::string said = first_reply_line("login " + userid_ + " secret");
    INFO(said);
    REQUIRE(said.substr(0, 10) == "+OK Hello,");
  }
  std::string userid_;
};

// fred and wilma, logged in and watching, with board 101 of Toot.
struct ServerPair {
  TestServer server;
  User fred{server, "fred"}, wilma{server, "wilma"};
  ServerPair() {
    fred.say("watch");
    wilma.say("watch");
    fred.say("toot challenge fred wilma");
    fred.take_received();
    wilma.take_received();
  }
  // Changes the boards while no server runs.
  void do_while_stopped(const std::function<void()>& work) {
    server.stop();
    work();
    server.start();
    for (User* user : {&fred, &wilma}) {
      user->log_in_again();
      user->say("watch");
    }
  }
};

// Plays four plies: column A then has room for one piece and fred is to move. If fred fills
// it, the server drops the ply that wilma has queued there.
inline void nearly_fill_column_a(TestClient& fred, TestClient& wilma) {
  for (const char* ply : {"BT", "AO", "AT", "AO"}) {
    const bool first = std::string(ply).back() == 'T';
    REQUIRE((first ? fred : wilma)
                .first_reply_line(std::string("toot move 101 ") + (first ? "fred" : "wilma") +
                                  " * " + ply)
                .substr(0, 8) == "+OK Move");
  }
  fred.take_received();
  wilma.take_received();
}

}  // namespace pbm::test
