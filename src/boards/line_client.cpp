// SPDX-License-Identifier: MIT
#include "boards/line_client.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"

namespace pbm {
namespace {

using Clock = std::chrono::steady_clock;

// A server's own lines are far below these; what is beyond is no server.
constexpr std::size_t kMaxWireLine = std::size_t{64} << 10;
constexpr std::size_t kMaxReply = std::size_t{16} << 20;
constexpr std::size_t kMaxReplies = std::size_t{64} << 20;  // bytes nobody waited for
constexpr std::size_t kMaxEvents = 100'000;                 // untaken

// Reads stop there, so that a flood of events cannot hold a reader for ever.
constexpr int kMaxReadsATurn = 64;

// poll() of one descriptor; nothing when there is nobody any more to wait for.
std::optional<int> poll_unless_given_up(int fd, short events, int milliseconds, int give_up) {
  std::array<pollfd, 2> waits{{{fd, events, 0}, {give_up, POLLIN, 0}}};
  const int n = ::poll(waits.data(), waits.size(), milliseconds);
  if (n > 0 && waits[1].revents != 0) return std::nullopt;
  return n;
}

int milliseconds_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return left < 0 ? 0 : left > 1'000'000 ? 1'000'000 : static_cast<int>(left);
}

Refusal nobody_there(const ServerAddress& address, int error) {
  const std::string said = address.to_string();
  if (error == ENOENT || error == ECONNREFUSED)
    return Refusal{"No server is at " + said + ": start one with pbmplay serve --dir DIR " +
                   (address.socket.empty() ? "--listen " : "--socket ") + said +
                   ", or name where it is."};
  if (error == EACCES || error == EPERM)
    return Refusal{"You may not use " + said + ": its owner lets in whom its group has."};
  if (error == ENOTSOCK || error == EPROTOTYPE) return Refusal{said + " is no server's socket."};
  return Refusal{"No connection to " + said + ": " + std::strerror(error) + "."};
}

UniqueFd open_socket(const ServerAddress& address, const SocketName& name) {
  UniqueFd out(::socket(name.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  // A line is a whole question: holding it back for more would only delay it.
  if (address.socket.empty()) ::setsockopt(out.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return out;
}

// 0, or the errno that says why not; ETIMEDOUT when nobody took it in time.
int connect_by(int fd, const SocketName& name, Clock::time_point until, int give_up) {
  for (;;) {
    if (!poll_unless_given_up(-1, 0, 0, give_up)) return ECANCELED;
    if (::connect(fd, name.get(), name.size) == 0) return 0;
    // A Unix socket with a full queue says EAGAIN and nothing tells when it has room.
    if (errno == EAGAIN) {
      if (Clock::now() >= until) return ETIMEDOUT;
      if (!poll_unless_given_up(-1, 0, 5, give_up)) return ECANCELED;
      continue;
    }
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    for (;;) {
      const auto n = poll_unless_given_up(fd, POLLOUT, milliseconds_until(until), give_up);
      if (!n) return ECANCELED;
      if (*n == 0) return ETIMEDOUT;
      if (*n > 0 || errno != EINTR) break;
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }
}

}  // namespace

Result<LineClient> LineClient::connect(const ServerAddress& address, Patience patience,
                                       int give_up) {
  if (address.socket.empty() && address.port == 0)
    return Refusal{address.to_string() +
                   " is no port to connect to: a number from 1 to 65535 follows the last colon."};
  const auto name = socket_name(address);
  if (!name) return name.refusal();
  UniqueFd fd = open_socket(address, *name);
  if (!fd.open()) return nobody_there(address, errno);
  if (const int error = connect_by(fd.get(), *name, Clock::now() + patience, give_up))
    return nobody_there(address, error);
  return LineClient(address.to_string(), std::move(fd), give_up);
}

std::optional<uid_t> LineClient::peer() const {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return std::nullopt;
  // Of a port it tells nothing, and says so by this.
  return credentials.uid == static_cast<uid_t>(-1) ? std::nullopt : std::optional(credentials.uid);
}

Refusal LineClient::disconnect(std::string why) {
  if (!lost_) lost_ = Refusal{"The connection to " + place_ + " is lost: " + std::move(why)};
  return *lost_;
}

Result<Done> LineClient::wait(short events, Moment until) {
  for (;;) {
    const auto n = poll_unless_given_up(socket_.get(), events, milliseconds_until(until), give_up_);
    // Whoever asked does not know which reply comes next: there is no going on.
    if (!n) return disconnect("it was waited for no longer.");
    if (*n > 0) return Done{};
    if (*n == 0 && Clock::now() >= until) return disconnect("the server does not answer.");
    if (*n < 0 && errno != EINTR) return disconnect(std::string(std::strerror(errno)) + ".");
  }
}

Result<WireReply> LineClient::ask(std::string_view line, Patience patience) {
  const auto until = Clock::now() + patience;
  if (auto sent = send(line, patience); !sent) return sent.refusal();
  return wait_reply(
      std::max(Patience(0), std::chrono::duration_cast<Patience>(until - Clock::now())));
}

Result<Done> LineClient::send(std::string_view line, Patience patience) {
  if (lost_) return *lost_;
  const auto until = Clock::now() + patience;
  const std::string whole = std::string(line.substr(0, line.find_first_of("\r\n"))) + "\n";
  for (std::string_view rest = whole; !rest.empty();) {
    const ssize_t n = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) {
      // What it said before it closed is worth more than that it did.
      static_cast<void>(take_in());
      return replies_.empty() ? Result<Done>(disconnect("the server has closed it."))
                              : Result<Done>(Done{});
    }
    // It may wait for us to read before it reads on.
    if (auto ready = wait(POLLIN | POLLOUT, until); !ready) return ready;
    if (auto read = take_in(); !read) return read;
  }
  return Done{};
}

Result<WireReply> LineClient::wait_reply(Patience patience) {
  const auto until = Clock::now() + patience;
  while (replies_.empty()) {
    if (lost_) return *lost_;
    if (auto ready = wait(POLLIN, until); !ready) return ready.refusal();
    if (auto read = take_in(); !read && replies_.empty()) return read.refusal();
  }
  WireReply out = std::move(replies_.front());
  replies_.pop_front();
  kept_bytes_ = replies_.empty() ? 0 : kept_bytes_;
  return out;
}

Result<Done> LineClient::take_in() {
  for (int i = 0; i < kMaxReadsATurn; ++i) {
    if (lost_) return *lost_;
    auto some = read_some();
    if (!some) return some.refusal();
    if (auto taken = take_lines(); !taken) return taken;
    if (!*some) return Done{};
  }
  return Done{};
}

// False when there is nothing more to read now.
Result<bool> LineClient::read_some() {
  std::array<char, 65536> bytes;
  const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (n > 0) {
    in_.append(bytes.data(), static_cast<std::size_t>(n));
    return static_cast<std::size_t>(n) == bytes.size();
  }
  if (n == 0) {
    // What nobody asked for says why.
    const bool told = !replies_.empty() && !replies_.back().ok;
    return disconnect(told ? safe_text(replies_.back().summary) : "the server has closed it.");
  }
  if (errno == EAGAIN || errno == EINTR) return false;
  return disconnect(std::string(std::strerror(errno)) + ".");
}

Result<Done> LineClient::take_lines() {
  std::size_t from = 0;
  for (std::size_t end; (end = in_.find('\n', from)) != std::string::npos; from = end + 1) {
    std::string_view line = std::string_view(in_).substr(from, end - from);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (auto taken = take_line(line); !taken) return taken;
  }
  in_.erase(0, from);
  if (in_.size() > kMaxWireLine)
    return disconnect("what answers there is no server of this program.");
  return Done{};
}

Result<Done> LineClient::take_line(std::string_view line) {
  if (!reply_) {
    if (line.substr(0, 2) == "* ") {
      if (events_.size() >= kMaxEvents) return disconnect("it tells more than can be kept.");
      events_.emplace_back(line.substr(2));
      return Done{};
    }
    const bool ok = line.substr(0, 3) == "+OK";
    const std::size_t word = ok ? 3 : 4;
    if ((!ok && line.substr(0, 4) != "-ERR") || (line.size() > word && line[word] != ' '))
      return disconnect("what answers there is no server of this program.");
    reply_ = WireReply{ok, std::string(line.size() > word ? line.substr(word + 1) : ""), {}};
    reply_bytes_ = line.size();
    return Done{};
  }
  if (line == ".") {
    kept_bytes_ += reply_bytes_;
    if (kept_bytes_ > kMaxReplies) return disconnect("it tells more than can be kept.");
    replies_.push_back(std::move(*reply_));
    reply_.reset();
    return Done{};
  }
  reply_bytes_ += line.size() + sizeof(std::string);
  if (reply_bytes_ > kMaxReply) return disconnect("its answer is longer than any.");
  reply_->lines.emplace_back(!line.empty() && line.front() == '.' ? line.substr(1) : line);
  return Done{};
}

}  // namespace pbm
