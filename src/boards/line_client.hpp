// SPDX-License-Identifier: MIT
// A connection to a server as its other end has it: a line out, a reply in, events put aside. Waits
// no longer than it is told. Leaves what comes to framing.hpp, and what it means to its callers.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  LineClient(std::string place, UniqueFd socket, Waiter wait)
      : place_(std::move(place)), socket_(std::move(socket)), wait_(std::move(wait)) {}

  Refusal disconnect(std::string why);
  Result<Done> wait(short events, Moment until);
  Result<bool> read_some();

  std::string place_;  // for people
  UniqueFd socket_;
  Waiter wait_;
  std::optional<Refusal> lost_;
  Deframer came_;
};

}  // namespace pbm
