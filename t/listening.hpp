// SPDX-License-Identifier: MIT
// A server with real sockets for tests: in this process on a thread, or the
// real program as a process of its own; and a bare connection to either.
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

// Bytes out and in, as any program may send them.
class Raw {
 public:
  // `from`: an address of this machine to come from.
  explicit Raw(const ServerAddress& address, const std::string& from = "");
  Raw(Raw&& other) noexcept;
  Raw& operator=(Raw&&) = delete;
  ~Raw();
  int fd() const { return fd_; }
  // False when the other end has closed.
  bool send(std::string_view bytes);
  void finish_sending();
  // What has come, up to and with `end`; what came at all when the time is up
  // or the other end closes. The rest stays for the next call.
  std::string until(std::string_view end, Wait patience = Wait(10'000));
  // A whole reply, without events before it.
  std::string ask(std::string_view line);
  // Whether the other end closes within that time; what it still says is dropped.
  bool closed(Wait patience = Wait(10'000));
  std::string rest() { return std::exchange(in_, ""); }

 private:
  bool take_in(std::chrono::steady_clock::time_point until);
  int fd_;
  std::string in_;
  bool ended_ = false;
};

// On a thread of this process, with cheap passwords and no limits a minute.
class Hosted {
 public:
  explicit Hosted(const std::function<void(ListenOptions&)>& change = nullptr);
  ~Hosted();
  const ServerAddress& socket() const { return socket_; }
  std::vector<ServerAddress> addresses() const { return listener_->addresses(); }
  void stop();
  // What it logged so far.
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

// The real program, `pbmplay serve`. Killed at the end if it still runs.
class Process {
 public:
  // Waits until it listens. Fails the test when it ends instead. `variables`
  // are more of its environment, "NAME=value".
  Process(const std::filesystem::path& directory, const std::filesystem::path& socket,
          std::vector<std::string> more = {}, std::vector<std::string> variables = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t pid() const { return pid_; }
  const ServerAddress& socket() const { return socket_; }
  void signal(int number);
  // The exit status, or 128 + the signal that ended it.
  int wait(Wait patience = Wait(15'000));
  double cpu_seconds() const;
  // What it said on standard output, and on standard error so far.
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
