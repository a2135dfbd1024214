// SPDX-License-Identifier: MIT
// Who comes in: waits at the listening sockets, makes a connection of whoever is there, and says
// who has to go when there is no room. Leaves what connections do to listener.cpp.
#pragma once

#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"

namespace pbm {

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
  // Whether SIGTERM, SIGINT and SIGHUP end run().
  bool signals = false;
};

class Reception {
 public:
  // What comes to its doors and connections is told by the host's sockets under numbers below
  // kOthers. Pre: both outlive this.
  static constexpr std::uint64_t kOthers = std::uint64_t{1} << 63;
  Reception(ConnectionHost& host, const ListenOptions& options);

  // From now on people can connect, and wait to be let in. Throws Error when an address cannot be
  // had.
  void listen();
  // Where it listens, with the real ports.
  std::vector<ServerAddress> addresses() const;
  // Begins to let people in.
  void open();
  // Lets nobody in any more.
  void close();

  // Something has come under that number; or the moment of its alarm.
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
