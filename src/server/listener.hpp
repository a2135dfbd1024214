// SPDX-License-Identifier: MIT
// The server as a program: lets connections in, gives each its turn, and has
// what waits for the disk or for a password done by a thread of its own each,
// so that nobody waits for another. Leaves a connection's bytes to
// connection.hpp and all that is kept to service.hpp.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "boards/server_address.hpp"
#include "server/service.hpp"

namespace pbm {

inline constexpr std::chrono::milliseconds kLongestEnding{5000};           // for passwords and slow readers when it ends
inline constexpr std::ptrdiff_t kMostUnread = std::ptrdiff_t{256} << 20;  // bytes, of all connections

// How far a peer may be behind.
struct ConnectionLimits {
  // Bytes of events: above it a reader who does not read is dropped. A ply is
  // 40 bytes of them, so this is a busy evening; and those of all the
  // connections there may be stay far below what all may have unread together.
  std::size_t events = std::size_t{256} << 10;
  // Bytes of replies: above it no more of his lines are read until he reads.
  std::size_t replies = std::size_t{64} << 10;
  std::chrono::milliseconds farewell{2000};  // to read what was sent last
};

struct ListenOptions {
  std::vector<ServerAddress> addresses;
  ServiceOptions service;
  // At once; fewer when the system gives this process fewer files.
  std::size_t connections = 2000;
  ConnectionLimits limits;
  // Takes one event, harmless to any terminal, without a line end. From the loop's thread.
  std::function<void(const std::string&)> log;
  // Whether SIGTERM, SIGINT and SIGHUP end run().
  bool signals = false;
};

class Listener {
 public:
  // Ready to be connected to when it returns. Throws Error: the directory
  // cannot be used, another server has it, or an address cannot be had.
  explicit Listener(ListenOptions options);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // With the real ports.
  std::vector<ServerAddress> addresses() const;

  // Serves until it is stopped: then lets nobody in, answers what was asked,
  // and closes everything.
  void run();
  // From any thread.
  void stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pbm
