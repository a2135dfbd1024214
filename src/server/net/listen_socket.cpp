// SPDX-License-Identifier: MIT
#include "server/net/listen_socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr mode_t kMode = 0660;

Refusal cannot(const ServerAddress& address, int error) {
  if (error == EADDRINUSE)
    return Refusal{"Another program listens on " + address.to_string() + " already."};
  return Refusal{"Cannot listen on " + address.to_string() + ": " + std::strerror(error) + "."};
}

// Whether the socket that stands in the way may be removed: nobody answers there.
Result<Done> is_dead(const ServerAddress& address, const SocketName& name) {
  struct stat status {};
  if (::lstat(address.socket.c_str(), &status) != 0)
    return errno == ENOENT ? Result<Done>(Done{}) : Result<Done>(cannot(address, errno));
  if (!S_ISSOCK(status.st_mode))
    return Refusal{address.to_string() +
                   " is there already and is no socket: choose another path."};
  const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(probe.get(), name.get(), name.size) == 0 || errno == EAGAIN)
    return Refusal{"Another server listens on " + address.to_string() + " already."};
  if (errno == ECONNREFUSED || errno == ENOENT) return Done{};
  if (errno == EPROTOTYPE)
    return Refusal{"Another program has the socket " + address.to_string() + "."};
  return cannot(address, errno);
}

int bind_unix(const UniqueFd& fd, const ServerAddress& address, const SocketName& name) {
  // The file has its mode from the beginning: nobody slips in before.
  ::fchmod(fd.get(), kMode);
  if (::bind(fd.get(), name.get(), name.size) != 0) return errno;
  return ::chmod(address.socket.c_str(), kMode) == 0 ? 0 : errno;
}

}  // namespace

Result<ListenSocket> ListenSocket::open(const ServerAddress& address) {
  const auto name = socket_name(address);
  if (!name) return name.refusal();
  UniqueFd fd(::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.open()) return cannot(address, errno);
  ListenSocket out(address, std::move(fd));
  int error = 0;
  if (address.socket.empty()) {
    // A server that is started again need not wait for the old one's connections to be forgotten.
    const int on = 1;
    ::setsockopt(out.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    error = ::bind(out.descriptor(), name->get(), name->size) == 0 ? 0 : errno;
  } else {
    error = bind_unix(out.socket_, address, *name);
    if (error == EADDRINUSE) {
      if (const auto dead = is_dead(address, *name); !dead) return dead.refusal();
      ::unlink(address.socket.c_str());
      error = bind_unix(out.socket_, address, *name);
    }
    struct stat status {};
    if (error == 0 && ::lstat(address.socket.c_str(), &status) == 0) {
      out.device_ = status.st_dev;
      out.inode_ = status.st_ino;
    }
  }
  if (error == 0 && ::listen(out.descriptor(), SOMAXCONN) != 0) error = errno;
  if (error != 0) return cannot(address, error);
  if (address.socket.empty()) {
    sockaddr_storage real{};
    socklen_t size = sizeof real;
    ::getsockname(out.descriptor(), reinterpret_cast<sockaddr*>(&real), &size);
    in_port_t port = 0;  // at the same place for both families
    static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
    std::memcpy(&port, reinterpret_cast<const char*>(&real) + offsetof(sockaddr_in, sin_port),
                sizeof port);
    out.address_.port = ntohs(port);
  }
  return out;
}

Result<ListenSocket> ListenSocket::adopt(int descriptor) {
  const auto wrong = [&](const std::string& why) {
    return Refusal{"The socket that was passed as descriptor " + std::to_string(descriptor) + " " +
                   why + "."};
  };
  UniqueFd fd(descriptor);
  int listens = 0, type = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    return wrong("is none that listens");
  size = sizeof type;
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&name), &length) != 0)
    return wrong("cannot be used");
  ServerAddress address;
  if (name.ss_family == AF_UNIX) {
    const auto* path = reinterpret_cast<const sockaddr_un&>(name).sun_path;
    address.socket = std::string(path, ::strnlen(path, length - offsetof(sockaddr_un, sun_path)));
    if (address.socket.empty()) return wrong("has no path");
  } else {
    std::array<char, INET6_ADDRSTRLEN> host{};
    const bool six = name.ss_family == AF_INET6;
    const void* bytes =
        six ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(name).sin6_addr)
            : &reinterpret_cast<const sockaddr_in&>(name).sin_addr;
    if (!::inet_ntop(name.ss_family, bytes, host.data(), host.size()))
      return wrong("is of no kind that is known here");
    const std::string port =
        std::to_string(ntohs(reinterpret_cast<const sockaddr_in&>(name).sin_port));
    const auto read = read_server_address(
        (six ? "[" + std::string(host.data()) + "]" : std::string(host.data())) + ":" + port);
    if (!read) return wrong("is not on loopback: " + read.refusal().why);
    address = *read;
  }
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  return ListenSocket(address, std::move(fd));
}

ListenSocket::~ListenSocket() { close(); }

void ListenSocket::close() {
  if (!socket_.open()) return;
  struct stat status {};
  if (inode_ != 0 && ::lstat(address_.socket.c_str(), &status) == 0 && status.st_dev == device_ &&
      status.st_ino == inode_)
    ::unlink(address_.socket.c_str());
  socket_ = UniqueFd();
}

}  // namespace pbm
