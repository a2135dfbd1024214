// SPDX-License-Identifier: MIT
// A connection to a server as its other end has it: a line out, a reply in, events put aside. Waits
// no longer than it is told. And the same as remote_boards.hpp needs it, with who answers there.
// Leaves what comes to framing.hpp, and what it means to its callers.
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

// A refusal of any of these is about the connection, never about a command: from then on it is
// lost, and everything is refused with the same sentence.
class LineClient {
 public:
  using Patience = std::chrono::milliseconds;

  // Refuses when nobody listens there, and says what to do about it. All waiting is done by `wait`;
  // once that waits no longer, whatever would have to is refused.
  static Result<LineClient> connect(const ServerAddress& address, Patience patience,
                                    Waiter wait = wait_until());

  // Sends a line and waits for its reply; events that come before it are put aside. Of a line with
  // a line end in it only what stands before is sent.
  Result<Reply> ask(std::string_view line, Patience patience);

  // The same with lines of text below it, which are known in a script only: in one of its own.
  Result<Reply> ask(std::string_view line, const std::vector<std::string>& text, Patience patience);
  // The two halves of ask(), for whoever sends several lines before the first reply: replies come
  // in the order of the lines.
  Result<Done> send(std::string_view line, Patience patience);
  Result<Reply> wait_reply(Patience patience);

  // Reads what is there, without waiting. Afterwards take_events() has what came.
  Result<Done> take_in();
  // Events since the last call, without "* ", oldest first.
  std::vector<std::string> take_events() { return came_.take_events(); }
  // Becomes readable when take_in() has something to do.
  int descriptor() const { return socket_.get(); }
  // Whom the program at the other end runs as, which a Unix socket tells.
  std::optional<uid_t> peer() const;
  bool lost() const { return lost_.has_value(); }

 private:
  using Moment = std::chrono::steady_clock::time_point;
  LineClient(UniqueFd socket, Waiter wait) : socket_(std::move(socket)), wait_(std::move(wait)) {}

  Refusal disconnect(std::string why);
  Result<Done> wait(short events, Moment until);
  Result<bool> read_some();

  UniqueFd socket_;
  Waiter wait_;
  std::optional<Refusal> lost_;
  Deframer came_;
};

// A line goes out, its reply comes in, events are put aside. Once any of these refuses, the
// connection is lost.
class ServerLine {
 public:
  virtual ~ServerLine() = default;
  virtual Result<Reply> ask(std::string_view line) = 0;
  // Several lines, one after the other, whatever the replies say.
  Result<std::vector<Reply>> ask_all(const std::vector<std::string>& lines);
  // Reads what is there, without waiting.
  virtual Result<Done> take_in() = 0;
  virtual std::vector<std::string> take_events() = 0;
  // Becomes readable when take_in() has something to do; -1 for none.
  virtual int descriptor() const = 0;
  // Refuses when somebody else is at the other end than on the connection before.
  virtual Result<Done> known() { return Done{}; }
  // Whether known() can tell. Where it cannot, no password is sent again without the person.
  virtual bool tells_who() const { return true; }
};
// Whose program answers at a Unix socket: the login that was there the first time, or somebody
// else, who is to be told no password.
class KnownLogin {
 public:
  // Remembered in `file` from one run to the next; empty: only while this lives.
  KnownLogin(std::string place, std::filesystem::path file)
      : place_(std::move(place)), file_(std::move(file)) {}

  // Refuses another login than the first one. Never refuses nothing, which is what a port tells.
  Result<Done> check(std::optional<uid_t> peer);

 private:
  std::string place_;
  std::filesystem::path file_;
  std::optional<uid_t> known_;
};

// Makes one whose waiting is done by what it is given.
using Dial = std::function<Result<std::unique_ptr<ServerLine>>(const Waiter&)>;

// Over a socket. The file `known` keeps who was at the other end of a Unix socket.
Dial dial_to(ServerAddress address, std::filesystem::path known = {});

}  // namespace pbm
