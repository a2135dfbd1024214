// SPDX-License-Identifier: MIT
// Accepts connections on the listening sockets, and chooses a connection to close if there is no
// room. Leaves the work of the connections to listener.cpp.
#pragma once

#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"

namespace pbm {

// Reserved for the login that runs this process.
inline constexpr std::size_t kKeptForOwner = 20;  // connections; at most a tenth of all

struct ListenOptions {
  std::vector<ServerAddress> addresses;
  std::vector<int>
      passed;  // listening sockets from the parent; `addresses` among theirs are not opened again
  ServiceOptions service;
  // The maximum at a time; lower if the system gives this process fewer files. The last ones are
  // reserved for the login that runs this process.
  std::size_t connections = 2000;
  ConnectionLimits limits;
  // True if SIGTERM, SIGINT and SIGHUP end run().
  bool signals = false;
};

class Reception {
 public:
  // Registers its sockets and connections in the host's set with numbers below `kOthers`. Pre: both
  // arguments outlive this object.
  static constexpr std::uint64_t kOthers = std::uint64_t{1} << 63;
  Reception(ConnectionHost& host, const ListenOptions& options);

  // Listens: clients can connect, but wait in the backlog. Throws Error if an address cannot be
  // bound.
  void listen();
  // Returns the addresses with the real ports.
  std::vector<ServerAddress> addresses() const;
  // Starts to accept connections.
  void open();
  // Accepts no more connections.
  void close();

  // Handle the epoll events, or the alarm, of the socket with that number.
  void ready(std::uint64_t number, std::uint32_t events);
  void time_passed(std::uint64_t number, Moment now);

 private:
  void let_in(std::uint64_t number);
  void admit(UniqueFd guest, bool local);
  Result<Done> make_room(std::optional<uid_t> uid, const std::string& peer);

  ConnectionHost& host_;
  const ListenOptions& options_;
  std::size_t most_connections_;
  std::vector<ListenSocket> doors_;
  std::uint64_t last_connection_ = 0;
  bool crowded_ = false, short_of_files_ = false;
};

}  // namespace pbm
