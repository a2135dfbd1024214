// SPDX-License-Identifier: MIT
// How replies and events go over the wire, and are put together again at the other end. Believes
// nothing it reads, and keeps no more of it than it can use. Leaves sockets to its callers, and
// what is said to the files beside it.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace pbm {

// What `hello` says: replies and events have lines for programs.
inline constexpr unsigned kProtocol = 2;
inline constexpr std::size_t kMaxLine = 1024;  // bytes of a line to a server, without its end

// An answer: one sentence, and lines below it. In the server it may be any text, which framed()
// makes harmless; in the client it is what came, and whoever shows it makes it harmless.
struct Reply {
  bool ok = true;
  std::string summary;
  std::vector<std::string> lines;
  bool busy = false;  // refused, and only for now: the same may be asked again a little later

  Reply() = default;
  Reply(std::string said, std::vector<std::string> below = {})
      : summary(std::move(said)), lines(std::move(below)) {}
  Reply(bool accepted, std::string said, std::vector<std::string> below)
      : ok(accepted), summary(std::move(said)), lines(std::move(below)) {}
  Reply(const Refusal& refusal) : ok(false), summary(refusal.why) {}
  // Why it says no. Pre: !ok.
  Refusal refusal() const;
  friend bool operator==(const Reply&, const Reply&) = default;
};

// A reply that says no is a refusal.
inline Result<Reply> accepted(Result<Reply> reply) {
  return reply && !reply->ok ? reply->refusal() : reply;
}

// What the server has no room for just now.
inline Reply for_now(const Refusal& refusal) {
  Reply out(refusal);
  out.busy = true;
  return out;
}

// As they go over the wire, line ends included.
std::string framed(const Reply& reply);
std::string framed_event(std::string_view what);

// What comes from a server, put together again.
class Deframer {
 public:
  // Refuses what no server of this program sends, and more than can be kept. What came whole before
  // that can still be taken.
  Result<Done> feed(std::string_view bytes);

  bool has_reply() const { return !replies_.empty(); }
  // The reply that came last; it may be one that nobody has asked for. Pre: has_reply().
  const Reply& last_reply() const { return replies_.back(); }
  Reply take_reply();
  // Without "* ", the oldest first.
  std::vector<std::string> take_events() { return std::exchange(events_, {}); }

 private:
  Result<Done> take_line(std::string_view line);

  std::string in_;       // a line that has not ended yet
  bool inside_ = false;  // reply_ has not ended yet
  Reply reply_;
  std::size_t reply_bytes_ = 0, kept_bytes_ = 0;  // of reply_ and replies_
  std::deque<Reply> replies_;
  std::vector<std::string> events_;
};

// Anything that a server says, as one harmless line, cut where it is too long to be shown.
std::string sanitize(std::string_view text);

}  // namespace pbm
