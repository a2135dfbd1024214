// SPDX-License-Identifier: MIT
// Writes replies and events to the wire and reads them at the other end. Trusts no input and limits
// the memory for it. Leaves sockets to its callers, and the content to the files beside it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace pbm {

// The protocol version of `hello`: replies and events have additional lines for programs.
inline constexpr unsigned kProtocolVersion = 2;
inline constexpr std::size_t kMaxLine = 1024;  // bytes of a line to a server, without line end

// A reply: a sentence and lines below it. On a server it may contain any text, which frame_reply()
// makes harmless. In a client it is unchecked; the code that shows it makes it harmless.
struct Reply {
  bool ok = true;
  std::string summary;
  std::vector<std::string> lines;
  bool is_busy = false;  // refused for now: the client may ask the same again a little later

  Reply() = default;
  Reply(std::string said, std::vector<std::string> below = {})
      : summary(std::move(said)), lines(std::move(below)) {}
  Reply(bool accepted, std::string said, std::vector<std::string> below)
      : ok(accepted), summary(std::move(said)), lines(std::move(below)) {}
  Reply(const Refusal& refusal) : ok(false), summary(refusal.reason) {}
  // Returns the refusal. Pre: !ok.
  Refusal refusal() const;
  friend bool operator==(const Reply&, const Reply&) = default;
};

// Turns a reply that refuses into a Refusal.
inline Result<Reply> require_ok(Result<Reply> reply) {
  return reply && !reply->ok ? reply->refusal() : reply;
}

// Makes the reply for a request that the server has no capacity for at present.
inline Reply make_busy_reply(const Refusal& refusal) {
  Reply out(refusal);
  out.is_busy = true;
  return out;
}

// Format replies and events for the wire, including line ends.
std::string frame_reply(const Reply& reply);
std::string frame_event(std::string_view what);

// Assembles replies and events from the bytes of a server.
class WireReader {
 public:
  // Refuses bytes that no server of this program sends, and more than can be stored. Complete
  // replies and events before the refused bytes remain available.
  Result<Success> add_bytes(std::string_view bytes);

  bool has_reply() const { return !replies_.empty(); }
  // Returns the latest reply, which the client may not have asked for. Pre: has_reply().
  const Reply& last_reply() const { return replies_.back(); }
  Reply take_reply();
  // Returns the events without "* ", the oldest first.
  std::vector<std::string> take_events() { return std::exchange(events_, {}); }

 private:
  Result<Success> take_line(std::string_view line);

  std::string partial_line_;  // an unfinished line
  bool is_in_reply_ = false;  // reply_ is unfinished
  Reply reply_;
  std::size_t reply_bytes_ = 0, replies_bytes_ = 0;  // sizes of reply_ and replies_
  std::deque<Reply> replies_;
  std::vector<std::string> events_;
};

// Makes a server's text harmless and shortens it to a length that can be shown.
std::string sanitize(std::string_view text);

}  // namespace pbm
