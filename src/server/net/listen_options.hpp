// SPDX-License-Identifier: MIT
// What a server listens on, and what one peer may make it hold for it and for how long. Leaves
// listening to listener.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "protocol/address.hpp"
#include "server/service.hpp"

namespace pbm {

// How far a peer may be behind.
struct ConnectionLimits {
  // Bytes of events: above it a reader who does not read is dropped. A ply is 40 bytes of them, so
  // this is a busy evening; and those of all the connections there may be stay far below what all
  // may have unread together.
  std::size_t events = std::size_t{256} << 10;
  // Bytes of replies: above it no more of his lines are read until he reads.
  std::size_t replies = std::size_t{64} << 10;
  std::chrono::milliseconds farewell{2000};  // to read what was sent last
  std::chrono::milliseconds nobody{30'000};  // silent, before it has said for whom it speaks
};

// For the login this process runs as.
inline constexpr std::size_t kKeptForOwner = 20;  // connections; of few a tenth

struct ListenOptions {
  std::vector<ServerAddress> addresses;
  std::vector<int>
      passed;  // sockets that listen already; those of `addresses` among them are these
  ServiceOptions service;
  // At once; fewer when the system gives this process fewer files. The last of them are for the
  // login this process runs as.
  std::size_t connections = 2000;
  ConnectionLimits limits;
  // Takes one event, harmless to any terminal, without a line end. From the loop's thread.
  std::function<void(const std::string&)> log;
  // Whether SIGTERM, SIGINT and SIGHUP end run().
  bool signals = false;
};

}  // namespace pbm
