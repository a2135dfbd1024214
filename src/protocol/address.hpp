// SPDX-License-Identifier: MIT
// Where a server is, or is to be: a Unix socket, or a port on this machine and on no other. Both
// ends read it here, so both refuse the same. Leaves listening to server/ and connecting to
// line_client.hpp.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

struct ServerAddress {
  std::filesystem::path socket;  // of a Unix socket; empty: what follows counts
  std::string host;              // "127.0.0.1", "::1": always a loopback address
  std::uint16_t port = 0;        // 0: for who listens, any that is free; nobody can connect to it
  bool hidden = false;           // a member reads the refusals, which do not name the address

  // For people: "/run/user/1000/pbmplay.sock", "127.0.0.1:4000", "[::1]:4000".
  std::string to_string() const;
};

// "127.0.0.1:4000", "[::1]:4000" or "localhost:4000". Refuses every other machine - a password
// would travel there in the clear, and SSH is the way to one - and what is no port. Names are not
// looked up.
Result<ServerAddress> read_server_address(std::string_view text);

// What the system calls take. Refuses a path that is too long for a socket.
struct SocketName {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};
Result<SocketName> socket_name(const ServerAddress& address);

}  // namespace pbm
