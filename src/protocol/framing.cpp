// SPDX-License-Identifier: MIT
#include "protocol/framing.hpp"

#include "base/text.hpp"

namespace pbm {
namespace {

// A server's own lines are far below these limits. Longer ones come from another program.
constexpr std::size_t kMaxWireLine = std::size_t{64} << 10;
constexpr std::size_t kMaxReply = std::size_t{16} << 20;
constexpr std::size_t kMaxReplies = std::size_t{64} << 20;  // bytes of all untaken replies
constexpr std::size_t kMaxEvents = 100'000;                 // untaken events
constexpr std::size_t kMaxShown = 1000;                     // bytes of a shown line

constexpr std::string_view kOk = "+OK", kRefused = "-ERR", kBusy = "-BUSY", kEvent = "* ";

// Keeps text that is valid in any locale. The client knows its terminal and decides how to show it;
// this process may have no locale.
void put_harmless(std::string& out, std::string_view text) {
  if (is_text_line(text)) out += text;
  else out += safe_text(text);
  out += '\n';
}

Refusal no_server() { return Refusal{"what answers there is no server of this program."}; }

}  // namespace

std::string framed(const Reply& reply) {
  const std::string_view status = reply.ok ? kOk : reply.busy ? kBusy : kRefused;
  std::size_t bytes = status.size() + reply.summary.size() + 4;
  for (const std::string& line : reply.lines) bytes += line.size() + 2;
  std::string out;
  out.reserve(bytes);
  out += status;
  out += ' ';
  put_harmless(out, reply.summary);
  for (const std::string& line : reply.lines) {
    if (line.starts_with('.')) out += '.';
    put_harmless(out, line);
  }
  return out += ".\n";
}

std::string framed_event(std::string_view what) {
  std::string out(kEvent);
  put_harmless(out, what);
  return out;
}

Refusal Reply::refusal() const {
  return Refusal{summary.empty() ? "The server says no." : sanitize(summary)};
}

Result<Done> Deframer::feed(std::string_view bytes) {
  in_ += bytes;
  std::size_t from = 0;
  Result<Done> taken = Done{};
  for (std::size_t end; taken && (end = in_.find('\n', from)) != std::string::npos;
       from = end + 1) {
    std::string_view line = std::string_view(in_).substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    taken = take_line(line);
  }
  in_.erase(0, from);
  return taken && in_.size() > kMaxWireLine ? no_server() : taken;
}

Reply Deframer::take_reply() {
  Reply out = std::move(replies_.front());
  replies_.pop_front();
  if (replies_.empty()) kept_bytes_ = 0;
  return out;
}

Result<Done> Deframer::take_line(std::string_view line) {
  if (!inside_) {
    if (line.starts_with(kEvent)) {
      if (events_.size() >= kMaxEvents) return Refusal{"it tells more than can be kept."};
      events_.emplace_back(line.substr(kEvent.size()));
      return Done{};
    }
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view status = line.substr(0, end);
    if (status != kOk && status != kRefused && status != kBusy) return no_server();
    reply_ = Reply(status == kOk, std::string(line.substr(std::min(end + 1, line.size()))), {});
    reply_.busy = status == kBusy;
    reply_bytes_ = line.size();
    inside_ = true;
    return Done{};
  }
  if (line == ".") {
    kept_bytes_ += reply_bytes_;
    if (kept_bytes_ > kMaxReplies) return Refusal{"it tells more than can be kept."};
    replies_.push_back(std::move(reply_));
    inside_ = false;
    return Done{};
  }
  reply_bytes_ += line.size() + sizeof(std::string);
  if (reply_bytes_ > kMaxReply) return Refusal{"its answer is longer than any."};
  reply_.lines.emplace_back(line.starts_with('.') ? line.substr(1) : line);
  return Done{};
}

std::string sanitize(std::string_view text) { return safe_text(whole_characters(text, kMaxShown)); }

}  // namespace pbm
