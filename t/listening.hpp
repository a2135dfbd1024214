// SPDX-License-Identifier: MIT
// Servers with real sockets for tests: in a thread, or as a process with the real program; and a
// bare connection to them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "protocol/address.hpp"
#include "server/net/listener.hpp"
#include "support.hpp"

namespace pbm::test {

using Wait = std::chrono::milliseconds;

// A connection that sends and receives bytes without a client.
class Raw {
 public:
  // `from` is the local address to connect from, or "" for any.
  explicit Raw(const ServerAddress& address, const std::string& from = "");
  Raw(Raw&& other) noexcept;
  Raw& operator=(Raw&&) = delete;
  ~Raw();
  int fd() const { return fd_; }
  // Returns false if the server has closed the connection.
  bool send(std::string_view bytes);
  void finish_sending();
  // Returns the received bytes up to and including `end`; the rest stays for the next call. After
  // the time limit, or if the server closes, returns all received bytes.
  std::string until(std::string_view end, Wait patience = Wait(10'000));
  // Sends a line and returns the whole reply, without the events before it.
  std::string ask(std::string_view line);
  // True if the server closes within that time. Drops what it still sends.
  bool closed(Wait patience = Wait(10'000));
  std::string rest() { return std::exchange(in_, ""); }

 private:
  bool take_in(std::chrono::steady_clock::time_point until);
  int fd_;
  std::string in_;
  bool ended_ = false;
};

// A server in a thread of this process, with cheap passwords and no limits per minute.
class Hosted {
 public:
  explicit Hosted(const std::function<void(ListenOptions&)>& change = nullptr);
  ~Hosted();
  const ServerAddress& socket() const { return socket_; }
  std::vector<ServerAddress> addresses() const { return listener_->addresses(); }
  void stop();
  // Returns the log so far.
  std::string logged();

  TemporaryDirectory place;
  std::filesystem::path directory = place / "boards";

 private:
  ServerAddress socket_;
  std::mutex mutex_;
  std::string log_;
  std::unique_ptr<Listener> listener_;
  std::thread thread_;
};

// The real program `pbmplay serve`. The destructor kills it if it still runs.
class Process {
 public:
  // Starts the program and waits until it listens. Fails the test if it ends instead. `variables`
  // are additional environment variables, "NAME=value".
  Process(const std::filesystem::path& directory, const std::filesystem::path& socket,
          std::vector<std::string> more = {}, std::vector<std::string> variables = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t pid() const { return pid_; }
  const ServerAddress& socket() const { return socket_; }
  void signal(int number);
  // Returns the exit status, or 128 + the signal that ended the program.
  int wait(Wait patience = Wait(15'000));
  double cpu_seconds() const;
  // Return the first line of its standard output, and its standard error so far.
  const std::string& said() const { return said_; }
  std::string logged() const;

 private:
  pid_t pid_ = -1;
  ServerAddress socket_;
  std::string said_;
  std::filesystem::path log_;
};

ServerAddress at_socket(const std::filesystem::path& path);

}  // namespace pbm::test
