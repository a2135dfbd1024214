// SPDX-License-Identifier: MIT
#include "server/net/reception.hpp"

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

constexpr int kAcceptedATurn = 32;
constexpr auto kRestWithoutFiles = 200ms;  // before the next try if no file descriptor is free
constexpr auto kTimeToSayWho = 200ms;      // for a new peer to sign in, even if others need room
constexpr std::uint64_t kDoors = Reception::kOthers >> 1;  // numbers of connections are below
constexpr std::size_t kFilesBesides = 512;                 // other files, such as boards

// Raises the limit of open files if possible, and returns how many connections it allows.
std::size_t room_for_connections(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = 2 * (wanted + kFilesBesides);
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const std::size_t files = limit.rlim_cur;
  return std::min(wanted, std::max(files / 2, files - std::min(files, kFilesBesides)));
}

void prepare_tcp(int fd) {
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
std::string address_at(int fd) {
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
  std::optional<ucred> login;  // of a Unix socket
  std::string name;            // "uid 1000", or an address
  std::optional<uid_t> uid() const { return login ? std::optional(login->uid) : std::nullopt; }
  bool owner() const { return login && (login->uid == ::geteuid() || login->uid == 0); }
};

Peer peer_at(int fd, bool local) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (local && ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    return {credentials, "uid " + std::to_string(credentials.uid)};
  return {std::nullopt, address_at(fd)};
}

// Sends the reason. The caller then closes the socket.
void turn_away(const UniqueFd& guest, const std::string& why) {
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

Reception::Reception(ConnectionHost& host, const ListenOptions& options)
    : host_(host),
      options_(options),
      most_connections_(room_for_connections(options.connections)) {}

void Reception::listen() {
  const auto had = [](Result<ListenSocket> door) {
    if (!door) throw Error(door.refusal().why);
    return *std::move(door);
  };
  for (const int fd : options_.passed) doors_.push_back(had(ListenSocket::adopt(fd)));
  for (const ServerAddress& address : options_.addresses)
    if (std::ranges::none_of(doors_, [&](const ListenSocket& door) {
          return door.address().to_string() == address.to_string();
        }))
      doors_.push_back(had(ListenSocket::open(address)));
}

std::vector<ServerAddress> Reception::addresses() const {
  std::vector<ServerAddress> out;
  for (const ListenSocket& door : doors_) out.push_back(door.address());
  return out;
}

void Reception::open() {
  for (std::size_t i = 0; i < doors_.size(); ++i)
    host_.sockets.add(doors_[i].descriptor(), kDoors + i, EPOLLIN);
}

void Reception::close() {
  for (ListenSocket& door : doors_) {
    host_.sockets.remove(door.descriptor());
    door.close();
  }
}

void Reception::ready(std::uint64_t number, std::uint32_t events) {
  if (number >= kDoors) return let_in(number);
  const auto found = host_.connections.find(number);
  if (found == host_.connections.end()) return;
  const auto connection = found->second;
  try {
    connection->ready(events);
  } catch (const std::exception& error) {
    connection->drop(error.what());
  }
}

void Reception::time_passed(std::uint64_t number, Moment now) {
  if (number >= kDoors) {
    const int door = doors_[number - kDoors].descriptor();
    if (door >= 0) host_.sockets.change(door, number, EPOLLIN);
  } else if (const auto found = host_.connections.find(number); found != host_.connections.end()) {
    const auto connection = found->second;
    connection->time_passed(now);
  }
}

void Reception::let_in(std::uint64_t number) {
  const ListenSocket& door = doors_[number - kDoors];
  for (int i = 0; i < kAcceptedATurn; ++i) {
    UniqueFd guest(::accept4(door.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (guest.open()) {
      try {
        admit(std::move(guest), !door.address().socket.empty());
      } catch (const std::exception& error) {
        // After any error the next connection is still accepted.
        host_.service.note(std::string("somebody was not let in: ") + error.what());
      }
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // The clients wait in the backlog; an immediate new try would only waste time.
      if (!std::exchange(short_of_files_, true))
        host_.service.note(std::string("nobody can be let in: ") + std::strerror(errno));
      host_.alarms.emplace(std::chrono::steady_clock::now() + kRestWithoutFiles, number);
      return host_.sockets.change(door.descriptor(), number, 0);
    }
    if (errno == EAGAIN) return;
  }
}

void Reception::admit(UniqueFd guest, bool local) {
  short_of_files_ = false;
  if (!local) prepare_tcp(guest.get());
  const Peer peer = peer_at(guest.get(), local);
  const auto room = host_.service.draining() && !peer.owner()
                        ? Refusal{"This server is about to end: try again in a moment."}
                        : make_room(peer.uid(), peer.name);
  if (!room) return turn_away(guest, room.refusal().why);
  const std::uint64_t number = ++last_connection_;
  // All addresses but the usual ones count as one: a program could use a million loopback addresses
  // and get a turn for each.
  const bool usual = peer.login || peer.name == "127.0.0.1" || peer.name == "::1";
  PeerAuth trust{usual ? peer.name : "another address"};
  if (peer.login) {
    trust.program = peer.login->pid;
    trust.owner = peer.owner();
    trust.may_speak_for = [this, number, uid = peer.login->uid,
                           file = options_.service.directory / kServerFiles /
                                  "trusted"](const std::string& userid) {
      auto may = may_speak_for(file, uid, userid);
      host_.service.note("connection " + std::to_string(number) + " (uid " + std::to_string(uid) +
                         (may ? ") speaks for " : ") may not speak for ") + userid);
      return may;
    };
  }
  host_.connections[number] =
      std::make_shared<Connection>(host_, std::move(guest), number, peer.name, trust);
  host_.turns.enter(number, peer.name);
}

// Makes room for one more connection. If this peer has too many that are not signed in, closes the
// oldest of them. If there is no room at all, closes one of the party with the most connections, so
// that no party can keep others out.
Result<Done> Reception::make_room(std::optional<uid_t> uid, const std::string& peer) {
  const std::size_t most = options_.service.connections_a_user;
  const auto latest = std::chrono::steady_clock::now() - kTimeToSayWho;
  std::shared_ptr<Connection> goes;
  if (host_.turns.count(peer) >= most) {
    for (const auto& [number, connection] : host_.connections)
      if (connection->is_nobody(peer) && (!goes || connection->since() < goes->since()) &&
          (connection->since() <= latest || !connection->has_unread()))
        goes = connection;
    if (!goes)
      return Refusal{"There are " + count_of(most, "connection", "connections") +
                     " from here that have not said who they are: try again in a moment."};
    goes->dismiss(
        "Others come from where you are, and you have not said who you are: try again, and say "
        "login.");
    return Done{};
  }
  const std::size_t kept = uid == ::geteuid() ? 0 : std::min(kKeptForOwner, most_connections_ / 10);
  if (host_.connections.size() + kept < most_connections_) {
    // Near the limit, the log does not repeat the message.
    if (host_.connections.size() < most_connections_ / 10 * 9) crowded_ = false;
    return Done{};
  }
  const auto [largest, count] = host_.turns.largest();
  if (count > host_.turns.count(peer) + 1)
    for (const auto& [number, connection] : host_.connections)
      if (connection->party() == largest && (!goes || connection->active() < goes->active()))
        goes = connection;
  if (!std::exchange(crowded_, true))
    host_.service.note("there are " +
                       count_of(host_.connections.size(), "connection", "connections") +
                       (goes ? ": those with most of them lose some" : ": more are sent away"));
  if (!goes) return Refusal{"There are as many connections as this server takes: try again later."};
  goes->dismiss("There are as many connections as this server takes, and " + std::to_string(count) +
                " of them are yours: end others before you try again.");
  return Done{};
}

}  // namespace pbm
