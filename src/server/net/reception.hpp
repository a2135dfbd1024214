// SPDX-License-Identifier: MIT
// Who comes in: waits at the listening sockets, makes a connection of whoever is there, and says
// who has to go when there is no room. Holds the connections there are, and whose turn it is.
// Leaves what they do to listener.cpp.
#pragma once

#include <unordered_map>

#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"
#include "server/net/turns.hpp"

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
  // Takes one event, harmless to any terminal, without a line end. From the loop's thread.
  std::function<void(const std::string&)> log;
  // Whether SIGTERM, SIGINT and SIGHUP end run().
  bool signals = false;
};

class Reception {
 public:
  // What comes to its doors and connections is told by `sockets` under numbers below kOthers. Pre:
  // all three outlive this.
  static constexpr std::uint64_t kOthers = std::uint64_t{1} << 63;
  Reception(ConnectionHost& host, const WaitSet& sockets, const ListenOptions& options);
  ~Reception();
  Reception(const Reception&) = delete;
  Reception& operator=(const Reception&) = delete;

  // From now on people can connect, and wait to be let in. Throws Error when an address cannot be
  // had.
  void listen();
  // Where it listens, with the real ports.
  std::vector<ServerAddress> addresses() const;
  // Begins to let people in.
  void open();
  // Lets nobody in any more.
  void close();

  // Something has come under that number.
  void ready(std::uint64_t number, std::uint32_t events);
  // Looks again for guests where there was no file left for them, at the moment that due() says;
  // nothing: there was.
  void try_again(Moment now);
  std::optional<Moment> due() const;

  using Connections = std::unordered_map<std::uint64_t, std::shared_ptr<Connection>>;  // by number
  const Connections& connections() const { return connections_; }
  Turns& turns() { return turns_; }
  // The connection is closed.
  void leave(const Connection& connection);

 private:
  // A door, and when it is looked at again where it rests.
  struct Entrance {
    ListenSocket door;
    std::optional<Moment> rests;
  };

  void let_in(Entrance& entrance);
  void admit(Entrance& entrance, UniqueFd guest);
  Result<Done> make_room(std::optional<uid_t> uid, const std::string& peer);

  ConnectionHost& host_;
  const WaitSet& sockets_;
  const ListenOptions& options_;
  std::size_t most_connections_;
  std::vector<Entrance> entrances_;
  Connections connections_;
  Turns turns_;
  std::uint64_t last_connection_ = 0;
  bool crowded_ = false, short_of_files_ = false;
};

}  // namespace pbm
