// SPDX-License-Identifier: MIT
// Accepts connections on the listening sockets, and chooses a connection to close if there is no
// room. Leaves the work of the connections to server_loop.cpp.
#pragma once

#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"

namespace pbm {

// Reserved for the login that runs this process.
inline constexpr std::size_t kOwnerConnections = 20;  // connections; at most a tenth of all

struct ListenOptions {
  std::vector<ServerAddress> addresses;
  // Listening sockets from the parent process. The acceptor does not open their addresses again.
  std::vector<int> passed_sockets;
  ServiceOptions service;
  // The maximum at a time; lower if the system gives this process fewer files. The last ones are
  // reserved for the login that runs this process.
  std::size_t max_connections = 2000;
  ConnectionLimits limits;
  // True if SIGTERM, SIGINT and SIGHUP end run().
  bool handles_signals = false;
};

class Acceptor {
 public:
  // Registers its sockets and connections in the host's set with numbers below `kFirstOther`. Pre:
  // both arguments outlive this object.
  static constexpr std::uint64_t kFirstOther = std::uint64_t{1} << 63;
  Acceptor(ConnectionHost& host, const ListenOptions& options);

  // Listens: clients can connect, but wait in the backlog. Throws Error if an address cannot be
  // bound.
  void listen();
  // Returns the addresses with the real ports.
  std::vector<ServerAddress> addresses() const;
  // Starts to accept connections.
  void start();
  // Accepts no more connections.
  void close();

  // Handle the epoll events, or the alarm, of the socket with that number.
  void handle_events(std::uint64_t number, std::uint32_t events);
  void handle_alarm(std::uint64_t number, SteadyTime now);

 private:
  void accept_all(std::uint64_t number);
  void add_connection(UniqueFd guest, bool local);
  Result<Success> make_room(std::optional<uid_t> uid, const std::string& peer);

  ConnectionHost& host_;
  const ListenOptions& options_;
  std::size_t max_connections_;
  std::vector<ListenSocket> listen_sockets_;
  std::uint64_t last_number_ = 0;
  bool crowding_logged_ = false, file_shortage_logged_ = false;
};

}  // namespace pbm
