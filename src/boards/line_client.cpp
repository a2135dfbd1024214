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
#include "base/files.hpp"

namespace pbm {

namespace {

using Clock = std::chrono::steady_clock;

// The limit of reads, so that a flood of events cannot occupy a reader for ever.
constexpr int kMaxReadsATurn = 8;

int milliseconds_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return left < 0 ? 0 : left > 1'000'000 ? 1'000'000 : static_cast<int>(left);
}

Refusal nobody_there(const ServerAddress& address, int error) {
  if (address.hidden)
    return Refusal{std::string("The server does not answer (") + std::strerror(error) +
                   "). Try again later."};
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

// Returns 0, or the errno of the failure; ETIMEDOUT if nobody accepts in time.
int connect_by(int fd, const SocketName& name, Clock::time_point until, const Waiter& wait) {
  for (;;) {
    if (gives_up(wait)) return ECANCELED;
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

Result<LineClient> LineClient::connect(const ServerAddress& address, Patience patience,
                                       Waiter wait) {
  if (address.socket.empty() && address.port == 0)
    return Refusal{address.to_string() +
                   " is no port to connect to: a number from 1 to 65535 follows the last colon."};
  const auto name = socket_name(address);
  if (!name) return name.refusal();
  UniqueFd fd(::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.open()) return nobody_there(address, errno);
  const int on = 1;
  // A line is a whole request: to wait for more data would only delay it.
  if (address.socket.empty()) ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (const int error = connect_by(fd.get(), *name, Clock::now() + patience, wait))
    return nobody_there(address, error);
  return LineClient(std::move(fd), std::move(wait));
}

std::optional<uid_t> LineClient::peer() const {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return std::nullopt;
  // A socket of another kind than Unix reports uid -1.
  return credentials.uid == static_cast<uid_t>(-1) ? std::nullopt : std::optional(credentials.uid);
}

Refusal LineClient::disconnect(std::string why) {
  if (!lost_) lost_ = Refusal{"The connection to the server is lost: " + std::move(why)};
  return *lost_;
}

Result<Done> LineClient::wait(short events, Moment until) {
  for (;;) {
    const auto n = wait_(socket_.get(), events, milliseconds_until(until));
    // The caller cannot know which reply comes next, so the connection cannot be used any more.
    if (!n) return disconnect("it was waited for no longer.");
    if (*n > 0) return Done{};
    if (*n == 0 && Clock::now() >= until) return disconnect("the server does not answer.");
    if (*n < 0 && errno != EINTR) return disconnect(std::string(std::strerror(errno)) + ".");
  }
}

Result<Reply> LineClient::ask(std::string_view line, Patience patience) {
  const auto until = Clock::now() + patience;
  if (auto sent = send(line, patience); !sent) return sent.refusal();
  return wait_reply(
      std::max(Patience(0), std::chrono::duration_cast<Patience>(until - Clock::now())));
}

Result<Reply> LineClient::ask(std::string_view line, const std::vector<std::string>& text,
                              Patience patience) {
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
      // The server's last reply says more than the fact that it has closed.
      static_cast<void>(take_in());
      return came_.has_reply() ? Result<Done>(Done{})
                               : Result<Done>(disconnect("the server has closed it."));
    }
    // The server may read on only after the client has read.
    if (auto ready = wait(POLLIN | POLLOUT, until); !ready) return ready;
    if (auto read = take_in(); !read) return read;
  }
  return Done{};
}

Result<Reply> LineClient::wait_reply(Patience patience) {
  const auto until = Clock::now() + patience;
  while (!came_.has_reply()) {
    if (lost_) return *lost_;
    if (auto ready = wait(POLLIN, until); !ready) return ready.refusal();
    if (auto read = take_in(); !read && !came_.has_reply()) return read.refusal();
  }
  return came_.take_reply();
}

Result<Done> LineClient::take_in() {
  for (int i = 0; i < kMaxReadsATurn; ++i) {
    if (lost_) return *lost_;
    auto some = read_some();
    if (!some) return some.refusal();
    if (!*some) return Done{};
  }
  return Done{};
}

// Returns false when there is nothing more to read now.
Result<bool> LineClient::read_some() {
  std::array<char, 65536> bytes;
  const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (n > 0) {
    const auto taken = came_.feed({bytes.data(), static_cast<std::size_t>(n)});
    if (!taken) return disconnect(taken.refusal().why);
    return static_cast<std::size_t>(n) == bytes.size();
  }
  if (n == 0) {
    // An unrequested reply says why the server closes.
    const bool told = came_.has_reply() && !came_.last_reply().ok;
    return disconnect(told ? safe_text(came_.last_reply().summary) : "the server has closed it.");
  }
  if (errno == EAGAIN || errno == EINTR) return false;
  return disconnect(std::string(std::strerror(errno)) + ".");
}

namespace {

constexpr std::chrono::milliseconds kConnectPatience{5'000};
// Hashing a password takes a moment, a full disk longer.
constexpr std::chrono::milliseconds kReplyPatience{15'000};

class SocketLine final : public ServerLine {
 public:
  SocketLine(LineClient wire, std::shared_ptr<KnownLogin> login)
      : wire_(std::move(wire)), login_(std::move(login)) {}
  Result<Reply> ask(std::string_view line) override { return wire_.ask(line, kReplyPatience); }
  Result<Done> take_in() override { return wire_.take_in(); }
  std::vector<std::string> take_events() override { return wire_.take_events(); }
  int descriptor() const override { return wire_.descriptor(); }
  Result<Done> known() override { return login_->check(wire_.peer()); }
  bool tells_who() const override { return wire_.peer().has_value(); }

 private:
  LineClient wire_;
  std::shared_ptr<KnownLogin> login_;
};

}  // namespace

Result<std::vector<Reply>> ServerLine::ask_all(const std::vector<std::string>& lines) {
  std::vector<Reply> out;
  for (const std::string& line : lines) {
    auto reply = ask(line);
    if (!reply) return reply.refusal();
    out.push_back(std::move(*reply));
  }
  return out;
}

Result<Done> KnownLogin::check(std::optional<uid_t> peer) {
  if (!peer) return Done{};
  if (!known_ && !file_.empty())
    if (const auto text = read_file(file_, 100)) known_ = read_whole_number<uid_t>(trim(*text));
  if (known_ && *known_ != *peer)
    return Refusal{
        "Another login (uid " + std::to_string(*peer) + ") answers at " + place_ +
        " than before (uid " + std::to_string(*known_) + "): nothing is sent there." +
        (file_.empty() ? "" : " If that is right, remove " + safe_text(file_.string()) + ".")};
  if (known_) return Done{};
  known_ = *peer;
  if (file_.empty()) return Done{};
  try {
    make_directory(file_.parent_path());
    replace_file(file_, std::to_string(*peer) + "\n");
  } catch (const Error&) {
    // Without the file, the next run has to trust the first login again.
  }
  return Done{};
}

Dial dial_to(ServerAddress address, std::filesystem::path known) {
  auto login = std::make_shared<KnownLogin>(
      address.hidden ? "this server's socket" : address.to_string(), std::move(known));
  return [address = std::move(address),
          login = std::move(login)](const Waiter& wait) -> Result<std::unique_ptr<ServerLine>> {
    auto wire = LineClient::connect(address, kConnectPatience, wait);
    if (!wire) return wire.refusal();
    return std::unique_ptr<ServerLine>(std::make_unique<SocketLine>(std::move(*wire), login));
  };
}

}  // namespace pbm
