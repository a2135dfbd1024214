// SPDX-License-Identifier: MIT
#include "server/net/acceptor.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "server/net/peer_auth.hpp"
#include "store/recovery.hpp"

namespace pbm {

using namespace std::chrono_literals;

namespace {

constexpr int kMaxAcceptsARound = 32;
constexpr auto kNoFilesDelay = 200ms;  // before the next try if no file descriptor is free
constexpr auto kSignInGrace = 200ms;   // for a new peer to sign in, even if others need room
constexpr std::uint64_t kFirstListenSocket =
    Acceptor::kFirstOther >> 1;           // numbers of connections are below
constexpr std::size_t kOtherFiles = 512;  // other files, such as boards

// Raises the limit of open files if possible, and returns how many connections it allows.
std::size_t connection_limit(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = 2 * (wanted + kOtherFiles);
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const auto files = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, needed));
  return std::min(wanted, std::max(files / 2, files - std::min(files, kOtherFiles)));
}

void set_tcp_options(int fd) {
  const auto set = [fd](int level, int name, int value) {
    ::setsockopt(fd, level, name, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  // Finds a vanished peer within minutes.
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 120);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 30);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
}

// Returns the address of a peer on a port; "nobody" if it has gone already.
std::string peer_address(int fd) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  std::array<char, NI_MAXHOST> text{};
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<const sockaddr*>(&name), size, text.data(), text.size(),
                    nullptr, 0, NI_NUMERICHOST) != 0)
    return "nobody";
  return text.data();
}

// The other end of a connection.
struct Peer {
  std::optional<ucred> credentials;  // of a Unix socket
  std::string name;                  // "uid 1000", or an address
  std::optional<uid_t> uid() const {
    return credentials ? std::optional(credentials->uid) : std::nullopt;
  }
  bool is_owner() const {
    return credentials && (credentials->uid == ::geteuid() || credentials->uid == 0);
  }
};

Peer identify_peer(int fd, bool local) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (local && ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    return {credentials, "uid " + std::to_string(credentials.uid)};
  return {std::nullopt, peer_address(fd)};
}

// Sends the reason. The caller then closes the socket.
void send_refusal(const UniqueFd& guest, const std::string& why) {
  const std::string said = "-ERR " + why + "\n.\n";
  // If a socket is closed with unread input, the system may discard the last reply.
  std::array<char, 4096> unread;
  while (::recv(guest.get(), unread.data(), unread.size(), MSG_DONTWAIT) ==
         static_cast<ssize_t>(unread.size())) {
  }
  [[maybe_unused]] const ssize_t ignored =
      ::send(guest.get(), said.data(), said.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

Acceptor::Acceptor(ConnectionHost& host, const ListenOptions& options)
    : host_(host), options_(options), max_connections_(connection_limit(options.max_connections)) {}

void Acceptor::listen() {
  const auto had = [](Result<ListenSocket> door) {
    if (!door) throw Error(door.refusal().reason);
    return *std::move(door);
  };
  for (const int fd : options_.passed_sockets)
    listen_sockets_.push_back(had(ListenSocket::adopt(fd)));
  for (const ServerAddress& address : options_.addresses)
    if (std::ranges::none_of(listen_sockets_, [&](const ListenSocket& door) {
          return door.address().to_string() == address.to_string();
        }))
      listen_sockets_.push_back(had(ListenSocket::open(address)));
}

std::vector<ServerAddress> Acceptor::addresses() const {
  std::vector<ServerAddress> out;
  for (const ListenSocket& door : listen_sockets_) out.push_back(door.address());
  return out;
}

void Acceptor::start() {
  for (std::size_t i = 0; i < listen_sockets_.size(); ++i)
    host_.sockets.add(listen_sockets_[i].descriptor(), kFirstListenSocket + i, EPOLLIN);
}

void Acceptor::close() {
  for (ListenSocket& door : listen_sockets_) {
    host_.sockets.remove(door.descriptor());
    door.close();
  }
}

void Acceptor::handle_events(std::uint64_t number, std::uint32_t events) {
  if (number >= kFirstListenSocket) return accept_all(number);
  const auto found = host_.connections.find(number);
  if (found == host_.connections.end()) return;
  const auto connection = found->second;
  try {
    connection->handle_events(events);
  } catch (const std::exception& error) {
    connection->drop(error.what());
  }
}

void Acceptor::handle_alarm(std::uint64_t number, SteadyTime now) {
  if (number >= kFirstListenSocket) {
    const int door =
        listen_sockets_[static_cast<std::size_t>(number - kFirstListenSocket)].descriptor();
    if (door >= 0) host_.sockets.change(door, number, EPOLLIN);
  } else if (const auto found = host_.connections.find(number); found != host_.connections.end()) {
    const auto connection = found->second;
    connection->handle_alarm(now);
  }
}

void Acceptor::accept_all(std::uint64_t number) {
  const ListenSocket& door = listen_sockets_[static_cast<std::size_t>(number - kFirstListenSocket)];
  for (int i = 0; i < kMaxAcceptsARound; ++i) {
    UniqueFd guest(::accept4(door.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (guest.is_open()) {
      try {
        add_connection(std::move(guest), !door.address().socket_path.empty());
      } catch (const std::exception& error) {
        // After any error the next connection is still accepted.
        host_.service.log_event(std::string("cannot accept a connection: ") + error.what());
      }
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // The clients wait in the backlog; an immediate new try would only waste time.
      if (!std::exchange(file_shortage_logged_, true))
        host_.service.log_event(std::string("cannot accept connections: ") + std::strerror(errno));
      host_.alarms.emplace(std::chrono::steady_clock::now() + kNoFilesDelay, number);
      return host_.sockets.change(door.descriptor(), number, 0);
    }
    if (errno == EAGAIN) return;
  }
}

void Acceptor::add_connection(UniqueFd guest, bool local) {
  file_shortage_logged_ = false;
  if (!local) set_tcp_options(guest.get());
  const Peer peer = identify_peer(guest.get(), local);
  const auto room = make_room(peer.uid(), peer.name);
  if (!room) return send_refusal(guest, room.refusal().reason);
  const std::uint64_t number = ++last_number_;
  // All addresses but the usual ones count as one: a program could use a million loopback addresses
  // and get a turn for each.
  const bool usual = peer.credentials || peer.name == "127.0.0.1" || peer.name == "::1";
  PeerInfo trust{usual ? peer.name : "another address"};
  if (peer.credentials) {
    trust.process_id = peer.credentials->pid;
    trust.is_owner = peer.is_owner();
    trust.check_trust = [this, number, uid = peer.credentials->uid,
                         file = options_.service.directory / kServerDirectory /
                                "trusted"](const std::string& userid) {
      auto may = check_trust(file, uid, userid);
      if (may) return may;
      host_.service.log_event("connection " + std::to_string(number) + " (uid " +
                              std::to_string(uid) + ") may not sign in as " + userid);
      if (const auto list = read_trusted_logins(file);
          !list && host_.service.may_log(list.refusal().reason))
        host_.service.log_event("ignores the trusted logins: " + list.refusal().reason);
      return may;
    };
  }
  host_.connections[number] =
      std::make_shared<Connection>(host_, std::move(guest), number, peer.name, trust);
  host_.scheduler.add(number, peer.name);
}

// Makes room for one more connection. If this peer has too many that are not signed in, closes the
// oldest of them. If there is no room at all, closes one of the party with the most connections, so
// that no party can keep others out.
Result<Success> Acceptor::make_room(std::optional<uid_t> uid, const std::string& peer) {
  const std::size_t most = options_.service.connections_a_user;
  const auto latest = std::chrono::steady_clock::now() - kSignInGrace;
  std::shared_ptr<Connection> goes;
  if (host_.scheduler.count(peer) >= most) {
    for (const auto& [number, connection] : host_.connections)
      if (connection->is_anonymous(peer) &&
          (!goes || connection->accept_time() < goes->accept_time()) &&
          (connection->accept_time() <= latest || !connection->has_unread_input()))
        goes = connection;
    if (!goes)
      return Refusal{"You have " + format_count(most, "connection", "connections") +
                     " that are not signed in. Try again in a moment."};
    goes->close_with_error(
        "You did not sign in, and the server needs the place. Try again and type login.");
    return Success{};
  }
  const std::size_t kept =
      uid == ::geteuid() ? 0 : std::min(kOwnerConnections, max_connections_ / 10);
  if (host_.connections.size() + kept < max_connections_) {
    // Near the limit, the log does not repeat the message.
    if (host_.connections.size() < max_connections_ / 10 * 9) crowding_logged_ = false;
    return Success{};
  }
  const auto [largest, count] = host_.scheduler.largest_party();
  if (count > host_.scheduler.count(peer) + 1)
    for (const auto& [number, connection] : host_.connections)
      if (connection->party() == largest &&
          (!goes || connection->last_active() < goes->last_active()))
        goes = connection;
  if (!std::exchange(crowding_logged_, true))
    host_.service.log_event(
        "the limit of " + format_count(host_.connections.size(), "connection", "connections") +
        " is reached: " + (goes ? "closing those of the largest user" : "refusing new ones"));
  if (!goes) return Refusal{"This server has too many connections. Try again later."};
  goes->close_with_error("This server has too many connections, and " + std::to_string(count) +
                         " of them are yours. Close some, then try again.");
  return Success{};
}

}  // namespace pbm
