// SPDX-License-Identifier: MIT
// A connection to a server as remote_boards.hpp needs it, and how one is made over a socket. Leaves
// bytes to line_client.hpp, and what is said to its callers.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "boards/line_client.hpp"

namespace pbm {

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
