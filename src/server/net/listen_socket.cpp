// SPDX-License-Identifier: MIT
#include "server/net/listen_socket.hpp"

#include <fcntl.h>
#include <netdb.h>
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

Refusal listen_refusal(const ServerAddress& address, int error) {
  if (error == EADDRINUSE)
    return Refusal{"Another program listens on " + address.to_string() + " already."};
  return Refusal{"Cannot listen on " + address.to_string() + ": " + std::strerror(error) + "."};
}

// Accepts if the existing socket may be removed, because no server answers there.
Result<Success> check_dead(const ServerAddress& address, const SocketAddress& name) {
  struct stat status {};
  if (::lstat(address.socket_path.c_str(), &status) != 0)
    return errno == ENOENT ? Result<Success>(Success{})
                           : Result<Success>(listen_refusal(address, errno));
  if (!S_ISSOCK(status.st_mode))
    return Refusal{address.to_string() + " exists and is not a socket. Choose another path."};
  const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(probe.get(), name.get(), name.size) == 0 || errno == EAGAIN)
    return Refusal{"Another server listens on " + address.to_string() + " already."};
  if (errno == ECONNREFUSED || errno == ENOENT) return Success{};
  if (errno == EPROTOTYPE)
    return Refusal{"Another program uses the socket " + address.to_string() + "."};
  return listen_refusal(address, errno);
}

int bind_unix(const UniqueFd& fd, const ServerAddress& address, const SocketAddress& name) {
  // Sets the mode before the file exists, so that no other user can connect in between.
  ::fchmod(fd.get(), kMode);
  if (::bind(fd.get(), name.get(), name.size) != 0) return errno;
  return ::chmod(address.socket_path.c_str(), kMode) == 0 ? 0 : errno;
}

// Returns the address where `fd` listens, or the end of a sentence about the problem.
Result<ServerAddress> bound_address(int fd) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0)
    return Refusal{"cannot be used"};
  if (name.ss_family == AF_UNIX) {
    const auto* path = reinterpret_cast<const sockaddr_un&>(name).sun_path;
    ServerAddress out;
    out.socket_path = std::string(path, ::strnlen(path, length - offsetof(sockaddr_un, sun_path)));
    if (out.socket_path.empty()) return Refusal{"has no path"};
    return out;
  }
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&name), length, host.data(), host.size(),
                    port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return Refusal{"has an unknown kind of address"};
  const auto number = read_whole_number<std::uint16_t>(port.data());
  auto read = read_server_address(ServerAddress{{}, host.data(), number.value_or(0)}.to_string());
  if (!read) return Refusal{"is not on loopback: " + read.refusal().reason};
  return read;
}

}  // namespace

Result<ListenSocket> ListenSocket::open(const ServerAddress& address) {
  const auto name = make_socket_address(address);
  if (!name) return name.refusal();
  UniqueFd fd(::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) return listen_refusal(address, errno);
  ListenSocket out(address, std::move(fd));
  int error = 0;
  if (address.socket_path.empty()) {
    // A restarted server does not have to wait until the old server's connections time out.
    const int on = 1;
    ::setsockopt(out.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    error = ::bind(out.descriptor(), name->get(), name->size) == 0 ? 0 : errno;
  } else {
    error = bind_unix(out.socket_, address, *name);
    if (error == EADDRINUSE) {
      if (const auto dead = check_dead(address, *name); !dead) return dead.refusal();
      ::unlink(address.socket_path.c_str());
      error = bind_unix(out.socket_, address, *name);
    }
    struct stat status {};
    if (error == 0 && ::lstat(address.socket_path.c_str(), &status) == 0) {
      out.device_ = status.st_dev;
      out.inode_ = status.st_ino;
    }
  }
  if (error == 0 && ::listen(out.descriptor(), SOMAXCONN) != 0) error = errno;
  if (error != 0) return listen_refusal(address, error);
  if (address.socket_path.empty())
    if (const auto real = bound_address(out.descriptor())) out.address_.port = real->port;
  return out;
}

Result<ListenSocket> ListenSocket::adopt(int descriptor) {
  const auto wrong = [&](const std::string& why) {
    return Refusal{"The passed socket " + std::to_string(descriptor) + " " + why + "."};
  };
  UniqueFd fd(descriptor);
  int listens = 0, type = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    return wrong("does not listen");
  size = sizeof type;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM)
    return wrong("cannot be used");
  const auto address = bound_address(fd.get());
  if (!address) return wrong(address.refusal().reason);
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
  return ListenSocket(*address, std::move(fd));
}

ListenSocket::~ListenSocket() { close(); }

void ListenSocket::close() {
  if (!socket_.is_open()) return;
  struct stat status {};
  if (inode_ != 0 && ::lstat(address_.socket_path.c_str(), &status) == 0 &&
      status.st_dev == device_ && status.st_ino == inode_)
    ::unlink(address_.socket_path.c_str());
  socket_ = UniqueFd();
}

}  // namespace pbm
