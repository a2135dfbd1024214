// SPDX-License-Identifier: MIT
// A server without sockets for tests: a clock that is set by hand, a disk that
// fails when told, and conversations with it.
#pragma once

#include <cerrno>

#include "server/service.hpp"
#include "server/session.hpp"
#include "support.hpp"

namespace pbm::test {

using Words = std::vector<std::string>;

class Hall {
 public:
  Hall() { start(); }
  // Ends the server and starts another on the same directory.
  void restart() {
    stop();
    start();
  }
  void stop() { service_.reset(); }
  void start() { service_ = std::make_unique<Service>(options()); }
  ServiceOptions options() {
    ServiceOptions o;
    o.directory = directory;
    o.clock = [this] { return time; };
    o.rules = [](const std::string& game) { return read_file(source_root() / "rules" / (game + ".md"), 1 << 20); };
    o.cost = PasswordCost::least();
    o.sync_file = [this](int fd) { return broken(fd) ? EIO : 0; };
    o.signups_a_minute = signups;
    return o;
  }
  Service& service() { return *service_; }

  TemporaryDirectory place;
  std::filesystem::path directory = place / "boards";
  Time time = *read_iso_time("2026-11-21T12:00:00Z");
  std::function<bool(int)> broken = [](int) { return false; };
  std::size_t signups = 1000;

 private:
  std::unique_ptr<Service> service_;
};

// What one connection says and hears.
class Talk {
 public:
  explicit Talk(Hall& hall, const std::string& trusted = "") : hall_(hall), session_(hall.service(), Trust{trusted}, [this](std::string_view text) { heard_ += text; }) {}

  // Sends a line and does what has to wait; everything heard since the last time.
  std::string say(const std::string& line) {
    send(line);
    hall_.service().settle();
    return heard();
  }
  // Only sends it.
  void send(const std::string& line) { session_.line(line); }
  std::string heard() { return std::exchange(heard_, ""); }
  // The first line of the reply.
  std::string first(const std::string& line) {
    const std::string all = say(line);
    return all.substr(0, all.find('\n'));
  }
  Session& session() { return session_; }

 private:
  Hall& hall_;
  std::string heard_;
  Session session_;
};

// A connection of `userid`, who signs up with the password "secret" if need be, and has logged in.
class User : public Talk {
 public:
  User(Hall& hall, const std::string& userid) : Talk(hall) {
    say("signup " + userid + " secret");
    const std::string said = first("login " + userid + " secret");
    INFO(said);
    REQUIRE(said.substr(0, 10) == "+OK Hello,");
  }
};

}  // namespace pbm::test
