// SPDX-License-Identifier: MIT
// The address of a server: a Unix socket or a port on this machine only. Client and server read it
// by this code, so that both refuse the same. Leaves listening to server/ and connecting to
// server_connection.hpp.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

struct ServerAddress {
  std::filesystem::path socket_path;  // the path of a Unix socket; if empty, host and port count
  std::string host;                   // "127.0.0.1", "::1": a loopback address
  std::uint16_t port = 0;             // 0: any free port for a server; clients cannot connect to it
  bool hidden = false;                // refusals do not name the address: a member reads them

  // Formats the address for messages: "/run/user/1000/pbmplay.sock", "[::1]:4000".
  std::string to_string() const;
};

// Parses "127.0.0.1:4000", "[::1]:4000" or "localhost:4000". Refuses invalid ports and all other
// machines: a password would travel there unencrypted; SSH is the way to one. Resolves no names.
Result<ServerAddress> read_server_address(std::string_view text);

// A socket address for system calls. make_socket_address() refuses a path that is too long for a
// socket.
struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};
Result<SocketAddress> make_socket_address(const ServerAddress& address);

}  // namespace pbm
