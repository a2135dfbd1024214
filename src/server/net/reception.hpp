// SPDX-License-Identifier: MIT
// Who comes in: waits at the listening sockets, makes a connection of whoever is there, and says
// who has to go when there is no room. Holds the connections there are, and whose turn it is.
// Leaves what they do to listener.cpp.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <unordered_map>

#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"
#include "server/net/listener.hpp"
#include "server/net/turns.hpp"

namespace pbm {

// Waits on a descriptor that is somebody else's to close.
class Waiter : public boost::asio::posix::stream_descriptor {
 public:
  using basic_stream_descriptor::basic_stream_descriptor;
  ~Waiter() { let_go(); }
  void let_go() {
    if (is_open()) release();
  }
};

class Reception {
 public:
  // Pre: all three outlive this.
  Reception(boost::asio::io_context& io, ConnectionHost& host, const ListenOptions& options);
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

  // Readable while a connection's socket has something for it: then take_ready() gives it to them.
  const WaitSet& sockets() const { return sockets_; }
  void take_ready();

  using Connections = std::unordered_map<std::uint64_t, std::shared_ptr<Connection>>;  // by number
  const Connections& connections() const { return connections_; }
  Turns& turns() { return turns_; }
  // The connection is closed.
  void leave(const Connection& connection);

 private:
  // A door, and the wait for somebody to come in.
  struct Entrance {
    Entrance(boost::asio::io_context& io, ListenSocket opened)
        : door(std::move(opened)), waiter(io, door.descriptor()), rest(io) {}
    ListenSocket door;
    Waiter waiter;
    boost::asio::steady_timer rest;
  };

  void await_guest(Entrance& entrance);
  void let_in(Entrance& entrance);
  void admit(Entrance& entrance, UniqueFd guest);
  Result<Done> make_room(std::optional<uid_t> uid, const std::string& peer);

  boost::asio::io_context& io_;
  ConnectionHost& host_;
  const ListenOptions& options_;
  std::size_t most_connections_;
  std::vector<std::unique_ptr<Entrance>> entrances_;
  WaitSet sockets_;
  Connections connections_;
  Turns turns_;
  std::uint64_t last_connection_ = 0;
  bool closed_ = false, crowded_ = false, short_of_files_ = false;
};

}  // namespace pbm
