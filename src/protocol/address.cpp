// SPDX-License-Identifier: MIT
#include "protocol/address.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstring>

#include "base/text.hpp"

namespace pbm {
namespace {

bool is_loopback(const std::string& host) {
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

}  // namespace

std::string ServerAddress::to_string() const {
  if (!socket_path.empty()) return safe_text(socket_path.string());
  const bool six = host.find(':') != std::string::npos;
  return (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<ServerAddress> read_server_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::string quoted = "'" + fit(text, 60) + "'";
  if (colon == std::string_view::npos)
    return Refusal{quoted + " is not an address. Write it as 127.0.0.1:4000."};
  ServerAddress out;
  out.host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool bracketed = out.host.size() > 2 && out.host.front() == '[' && out.host.back() == ']';
  if (bracketed) out.host = out.host.substr(1, out.host.size() - 2);
  if (equals_ignoring_case(out.host, "localhost")) out.host = "127.0.0.1";
  if (bracketed != (out.host.find(':') != std::string::npos) || !is_loopback(out.host))
    return Refusal{quoted +
                   " is not on this machine. Write 127.0.0.1:PORT or [::1]:PORT. Use SSH between "
                   "machines."};
  const auto number = read_whole_number<std::uint16_t>(port);
  if (!number)
    return Refusal{quoted + " has no port. Write a number from 0 to 65535 after the last colon."};
  out.port = *number;
  return out;
}

Result<SocketAddress> make_socket_address(const ServerAddress& address) {
  SocketAddress out;
  if (address.socket_path.empty()) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    wanted.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted,
                      &found) != 0)
      return Refusal{address.to_string() + " is not an address of this machine."};
    std::memcpy(&out.bytes, found->ai_addr, out.size = found->ai_addrlen);
    ::freeaddrinfo(found);
    return out;
  }
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = address.socket_path.string();
  if (path.size() >= sizeof name.sun_path)
    return Refusal{"The path of a socket has at most " + std::to_string(sizeof name.sun_path - 1) +
                   " bytes. This one has " + std::to_string(path.size()) + ": " + fit(path, 200)};
  std::memcpy(name.sun_path, path.data(), path.size());
  std::memcpy(&out.bytes, &name, out.size = sizeof name);
  return out;
}

}  // namespace pbm
