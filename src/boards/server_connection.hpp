// SPDX-License-Identifier: MIT
// The client's end of a connection to a server: sends a line, waits for its reply for a limited
// time, and collects events. ServerConnection is the interface that remote_boards.hpp needs; it
// also checks which login answers. Leaves parsing to framing.hpp, and the meaning to its callers.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/unique_fd.hpp"
#include "base/wait_set.hpp"
#include "protocol/address.hpp"
#include "protocol/framing.hpp"

namespace pbm {

// If any of these functions refuses, the connection is lost. From then on all of them refuse with
// the same sentence. A refusal is never about a command.
class SocketClient {
 public:
  using Timeout = std::chrono::milliseconds;

  // Connects, or refuses with advice. All waiting is done by `wait`; when it gives up, every
  // function that would have to wait refuses.
  static Result<SocketClient> connect(const ServerAddress& address, Timeout patience,
                                      Waiter wait = make_waiter());

  // Sends a line and waits for its reply. Collects events that come before the reply. Sends only
  // the part of `line` before its first line end.
  Result<Reply> ask(std::string_view line, Timeout patience);

  // The same with lines of text below it, sent as a script of its own, because only scripts know
  // such text.
  Result<Reply> ask(std::string_view line, const std::vector<std::string>& text, Timeout patience);
  // The two halves of ask(), for a caller that sends several lines before the first reply. Replies
  // come in the order of the lines.
  Result<Success> send(std::string_view line, Timeout patience);
  Result<Reply> wait_reply(Timeout patience);

  // Reads what has arrived, without waiting. take_events() then returns the events.
  Result<Success> receive();
  // Returns the events since the last call, without "* ", oldest first.
  std::vector<std::string> take_events() { return deframer_.take_events(); }
  // Returns a descriptor that is readable when receive() has work.
  int descriptor() const { return socket_.get(); }
  // Returns the uid of the program at the other end of a Unix socket; nothing for a port.
  std::optional<uid_t> peer_uid() const;
  bool is_lost() const { return loss_.has_value(); }

 private:
  using Moment = std::chrono::steady_clock::time_point;
  SocketClient(UniqueFd socket, Waiter wait) : socket_(std::move(socket)), wait_(std::move(wait)) {}

  Refusal disconnect(std::string why);
  Result<Success> wait(short events, Moment until);
  Result<bool> receive_some();

  UniqueFd socket_;
  Waiter wait_;
  std::optional<Refusal> loss_;
  WireReader deframer_;
};

// A connection on which a line goes out and its reply comes in. If any function refuses, the
// connection is lost.
class ServerConnection {
 public:
  virtual ~ServerConnection() = default;
  virtual Result<Reply> ask(std::string_view line) = 0;
  // Sends the lines one after the other and returns all replies, also after a refusal.
  Result<std::vector<Reply>> ask_all(const std::vector<std::string>& lines);
  // Reads what has arrived, without waiting.
  virtual Result<Success> receive() = 0;
  virtual std::vector<std::string> take_events() = 0;
  // Returns a descriptor that is readable when receive() has work, or -1.
  virtual int descriptor() const = 0;
  // Refuses if another login is at the other end than on the connection before.
  virtual Result<Success> check_login() { return Success{}; }
  // True if check_login() can see the login. If not, the client asks the person before it sends the
  // password again.
  virtual bool can_check_login() const { return true; }
};
// The login that answers at a Unix socket. Only the login of the first connection is trusted with
// passwords.
class KnownLogin {
 public:
  // Keeps the login in `file` for the next run; if that is empty, only while this object lives.
  KnownLogin(std::string place, std::filesystem::path file)
      : server_name_(std::move(place)), file_(std::move(file)) {}

  // Refuses another login than the first one. Accepts an empty `peer`: a port has no login.
  Result<Success> check(std::optional<uid_t> peer);

 private:
  std::string server_name_;
  std::filesystem::path file_;
  std::optional<uid_t> login_uid_;
};

// Makes a connection that waits with the given Waiter.
using Connector = std::function<Result<std::unique_ptr<ServerConnection>>(const Waiter&)>;

// Returns a function that connects over a socket. The file `known` keeps the login that answered at
// a Unix socket.
Connector connector_to(ServerAddress address, std::filesystem::path known = {});

}  // namespace pbm
