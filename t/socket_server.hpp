// SPDX-License-Identifier: MIT
// Servers with real sockets for tests: in a thread, or as a process with the real program; and a
// bare connection to them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "protocol/address.hpp"
#include "server/net/server_loop.hpp"
#include "support.hpp"

namespace pbm::test {

using WaitTime = std::chrono::milliseconds;

// A connection that sends and receives bytes without a client.
class RawConnection {
 public:
  // `from` is the local address to connect from, or "" for any.
  explicit RawConnection(const ServerAddress& address, const std::string& from = "");
  RawConnection(RawConnection&& other) noexcept;
  RawConnection& operator=(RawConnection&&) = delete;
  ~RawConnection();
  int fd() const { return fd_; }
  // Returns false if the server has closed the connection.
  bool send(std::string_view bytes);
  void finish_sending();
  // Returns the received bytes up to and including `end`; the rest stays for the next call. After
  // the time limit, or if the server closes, returns all received bytes.
  std::string read_until(std::string_view end, WaitTime patience = WaitTime(60'000));
  // Sends a line and returns the whole reply, without the events before it.
  std::string request(std::string_view line);
  // True if the server closes within that time. Drops what it still sends.
  bool wait_for_close(WaitTime patience = WaitTime(60'000));
  std::string take_rest() { return std::exchange(input_, ""); }

 private:
  bool read_available(std::chrono::steady_clock::time_point until);
  int fd_;
  std::string input_;
  bool is_ended_ = false;
};

// A server in a thread of this process, with cheap passwords and no limits per minute.
class ThreadServer {
 public:
  explicit ThreadServer(const std::function<void(ListenOptions&)>& change = nullptr);
  ~ThreadServer();
  const ServerAddress& socket_address() const { return socket_address_; }
  std::vector<ServerAddress> addresses() const { return listener_->addresses(); }
  void stop();
  // Returns the log so far.
  std::string log_text();

  TemporaryDirectory temporary;
  std::filesystem::path directory = temporary / "boards";

 private:
  ServerAddress socket_address_;
  std::mutex mutex_;
  std::string log_;
  std::unique_ptr<ServerLoop> listener_;
  std::thread thread_;
};

// The real program `pbmplay serve`. The destructor kills it if it still runs.
class ServerProcess {
 public:
  // Starts the program and waits until it listens. Fails the test if it ends instead. `variables`
  // are additional environment variables, "NAME=value".
  ServerProcess(const std::filesystem::path& directory, const std::filesystem::path& socket,
                std::vector<std::string> more = {}, std::vector<std::string> variables = {});
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  pid_t pid() const { return pid_; }
  const ServerAddress& socket_address() const { return socket_address_; }
  void send_signal(int number);
  // Returns the exit status, or 128 + the signal that ended the program.
  int wait_exit(WaitTime patience = WaitTime(60'000));
  double cpu_seconds() const;
  // Return the first line of its standard output, and its standard error so far.
  const std::string& first_line() const { return first_line_; }
  std::string log_text() const;

 private:
  pid_t pid_ = -1;
  ServerAddress socket_address_;
  std::string first_line_;
  std::filesystem::path log_;
};

ServerAddress unix_socket_address(const std::filesystem::path& path);

}  // namespace pbm::test
