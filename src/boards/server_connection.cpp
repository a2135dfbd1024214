// SPDX-License-Identifier: MIT
#include "boards/server_connection.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "base/files.hpp"

namespace pbm {
namespace {

using Clock = std::chrono::steady_clock;

// The limit of reads, so that a flood of events cannot occupy a reader for ever.
constexpr int kMaxReadsAtOnce = 8;

int milliseconds_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return left < 0 ? 0 : left > 1'000'000 ? 1'000'000 : static_cast<int>(left);
}

Refusal connection_refusal(const ServerAddress& address, int error) {
  if (address.hidden)
    return Refusal{std::string("The server does not answer (") + std::strerror(error) +
                   "). Try again later."};
  const std::string said = address.to_string();
  if (error == ENOENT || error == ECONNREFUSED)
    return Refusal{"No server answers at " + said + ". Start one with pbmplay serve --dir DIR " +
                   (address.socket_path.empty() ? "--listen " : "--socket ") + said +
                   ", or give another address."};
  if (error == EACCES || error == EPERM)
    return Refusal{"You may not use " + said + ". Only members of its group may."};
  if (error == ENOTSOCK || error == EPROTOTYPE) return Refusal{said + " is not a server's socket."};
  return Refusal{"No connection to " + said + ": " + std::strerror(error) + "."};
}

// Returns 0, or the errno of the failure; ETIMEDOUT if nobody accepts in time.
int connect_until(int fd, const SocketAddress& name, Clock::time_point until, const Waiter& wait) {
  for (;;) {
    if (is_cancelled(wait)) return ECANCELED;
    if (::connect(fd, name.get(), name.size) == 0) return 0;
    // A Unix socket with a full queue returns EAGAIN, and no event tells when it has room.
    if (errno == EAGAIN) {
      if (Clock::now() >= until) return ETIMEDOUT;
      if (!wait(-1, 0, 5)) return ECANCELED;
      continue;
    }
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    for (;;) {
      const auto n = wait(fd, POLLOUT, milliseconds_until(until));
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

Result<SocketClient> SocketClient::connect(const ServerAddress& address, Timeout patience,
                                           Waiter wait) {
  if (address.socket_path.empty() && address.port == 0)
    return Refusal{address.to_string() +
                   " names no port. Write a number from 1 to 65535 after the last colon."};
  const auto name = make_socket_address(address);
  if (!name) return name.refusal();
  UniqueFd fd(::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) return connection_refusal(address, errno);
  const int on = 1;
  // A line is a whole request: to wait for more data would only delay it.
  if (address.socket_path.empty()) ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (const int error = connect_until(fd.get(), *name, Clock::now() + patience, wait))
    return connection_refusal(address, error);
  return SocketClient(std::move(fd), std::move(wait));
}

std::optional<uid_t> SocketClient::peer_uid() const {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return std::nullopt;
  // A socket of another kind than Unix reports uid -1.
  return credentials.uid == static_cast<uid_t>(-1) ? std::nullopt : std::optional(credentials.uid);
}

Refusal SocketClient::disconnect(std::string why) {
  if (!loss_) loss_ = Refusal{"The connection to the server is lost: " + std::move(why)};
  return *loss_;
}

Result<Success> SocketClient::wait(short events, Moment until) {
  for (;;) {
    const auto n = wait_(socket_.get(), events, milliseconds_until(until));
    // The caller cannot know which reply comes next, so the connection cannot be used any more.
    if (!n) return disconnect("the request was cancelled.");
    if (*n > 0) return Success{};
    if (*n == 0 && Clock::now() >= until) return disconnect("the server does not answer.");
    if (*n < 0 && errno != EINTR) return disconnect(std::string(std::strerror(errno)) + ".");
  }
}

Result<Reply> SocketClient::ask(std::string_view line, Timeout patience) {
  const auto until = Clock::now() + patience;
  if (auto sent = send(line, patience); !sent) return sent.refusal();
  return wait_reply(
      std::max(Timeout(0), std::chrono::duration_cast<Timeout>(until - Clock::now())));
}

Result<Reply> SocketClient::ask(std::string_view line, const std::vector<std::string>& text,
                                Timeout patience) {
  if (text.empty()) return ask(line, patience);
  if (auto begun = ask("multiple", patience); !begun || !begun->ok) return begun;
  std::vector<std::string> lines{std::string(line)};
  lines.insert(lines.end(), text.begin(), text.end());
  lines.emplace_back(".");
  for (const std::string& each : lines)
    if (const auto sent = send(each, patience); !sent) return sent.refusal();
  auto out = wait_reply(patience);
  static_cast<void>(wait_reply(patience));  // the reply to "."
  return out;
}

Result<Success> SocketClient::send(std::string_view line, Timeout patience) {
  if (loss_) return *loss_;
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
      // The server's last reply says more than the fact that it has closed.
      static_cast<void>(receive());
      return deframer_.has_reply() ? Result<Success>(Success{})
                                   : Result<Success>(disconnect("the server closed it."));
    }
    // The server may read on only after the client has read.
    if (auto ready = wait(POLLIN | POLLOUT, until); !ready) return ready;
    if (auto read = receive(); !read) return read;
  }
  return Success{};
}

Result<Reply> SocketClient::wait_reply(Timeout patience) {
  const auto until = Clock::now() + patience;
  while (!deframer_.has_reply()) {
    if (loss_) return *loss_;
    if (auto ready = wait(POLLIN, until); !ready) return ready.refusal();
    if (auto read = receive(); !read && !deframer_.has_reply()) return read.refusal();
  }
  return deframer_.take_reply();
}

Result<Success> SocketClient::receive() {
  for (int i = 0; i < kMaxReadsAtOnce; ++i) {
    if (loss_) return *loss_;
    auto some = receive_some();
    if (!some) return some.refusal();
    if (!*some) return Success{};
  }
  return Success{};
}

// Returns false when there is nothing more to read now.
Result<bool> SocketClient::receive_some() {
  std::array<char, 65536> bytes;
  const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (n > 0) {
    const auto taken = deframer_.add_bytes({bytes.data(), static_cast<std::size_t>(n)});
    if (!taken) return disconnect(taken.refusal().reason);
    return static_cast<std::size_t>(n) == bytes.size();
  }
  if (n == 0) {
    // An unrequested reply says why the server closes.
    const bool told = deframer_.has_reply() && !deframer_.last_reply().ok;
    return disconnect(told ? safe_text(deframer_.last_reply().summary) : "the server closed it.");
  }
  if (errno == EAGAIN || errno == EINTR) return false;
  return disconnect(std::string(std::strerror(errno)) + ".");
}

namespace {

constexpr std::chrono::milliseconds kConnectTimeout{5'000};
// Hashing a password takes a moment, a full disk longer.
constexpr std::chrono::milliseconds kReplyTimeout{15'000};

class SocketConnection final : public ServerConnection {
 public:
  SocketConnection(SocketClient wire, std::shared_ptr<KnownLogin> login)
      : client_(std::move(wire)), login_(std::move(login)) {}
  Result<Reply> ask(std::string_view line) override { return client_.ask(line, kReplyTimeout); }
  Result<Success> receive() override { return client_.receive(); }
  std::vector<std::string> take_events() override { return client_.take_events(); }
  int descriptor() const override { return client_.descriptor(); }
  Result<Success> check_login() override { return login_->check(client_.peer_uid()); }
  bool can_check_login() const override { return client_.peer_uid().has_value(); }

 private:
  SocketClient client_;
  std::shared_ptr<KnownLogin> login_;
};

}  // namespace

Result<std::vector<Reply>> ServerConnection::ask_all(const std::vector<std::string>& lines) {
  std::vector<Reply> out;
  for (const std::string& line : lines) {
    auto reply = ask(line);
    if (!reply) return reply.refusal();
    out.push_back(std::move(*reply));
  }
  return out;
}

Result<Success> KnownLogin::check(std::optional<uid_t> peer) {
  if (!peer) return Success{};
  if (!login_uid_ && !file_.empty())
    if (const auto text = read_file(file_, 100)) login_uid_ = read_whole_number<uid_t>(trim(*text));
  if (login_uid_ && *login_uid_ != *peer)
    return Refusal{
        "Another login (uid " + std::to_string(*peer) + ") answers at " + server_name_ +
        " than before (uid " + std::to_string(*login_uid_) + "). Nothing was sent there." +
        (file_.empty() ? "" : " If that is right, remove " + safe_text(file_.string()) + ".")};
  if (login_uid_) return Success{};
  login_uid_ = *peer;
  if (file_.empty()) return Success{};
  try {
    make_directory(file_.parent_path());
    replace_file(file_, std::to_string(*peer) + "\n");
  } catch (const Error&) {
    // Without the file, the next run has to trust the first login again.
  }
  return Success{};
}

Connector connector_to(ServerAddress address, std::filesystem::path known) {
  auto login = std::make_shared<KnownLogin>(
      address.hidden ? "this server's socket" : address.to_string(), std::move(known));
  return [address = std::move(address), login = std::move(login)](
             const Waiter& wait) -> Result<std::unique_ptr<ServerConnection>> {
    auto wire = SocketClient::connect(address, kConnectTimeout, wait);
    if (!wire) return wire.refusal();
    return std::unique_ptr<ServerConnection>(
        std::make_unique<SocketConnection>(std::move(*wire), login));
  };
}

}  // namespace pbm
