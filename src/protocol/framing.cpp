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
void append_safe_line(std::string& out, std::string_view text) {
  if (is_text_line(text)) out += text;
  else out += safe_text(text);
  out += '\n';
}

Refusal foreign_server_refusal() { return Refusal{"this is not a pbmplay server."}; }

}  // namespace

std::string frame_reply(const Reply& reply) {
  const std::string_view status = reply.ok ? kOk : reply.is_busy ? kBusy : kRefused;
  std::size_t bytes = status.size() + reply.summary.size() + 4;
  for (const std::string& line : reply.lines) bytes += line.size() + 2;
  std::string out;
  out.reserve(bytes);
  out += status;
  out += ' ';
  append_safe_line(out, reply.summary);
  for (const std::string& line : reply.lines) {
    if (line.starts_with('.')) out += '.';
    append_safe_line(out, line);
  }
  return out += ".\n";
}

std::string frame_event(std::string_view what) {
  std::string out(kEvent);
  append_safe_line(out, what);
  return out;
}

Refusal Reply::refusal() const {
  return Refusal{summary.empty() ? "The server refused." : sanitize(summary)};
}

Result<Success> WireReader::add_bytes(std::string_view bytes) {
  partial_line_ += bytes;
  std::size_t from = 0;
  Result<Success> taken = Success{};
  for (std::size_t end; taken && (end = partial_line_.find('\n', from)) != std::string::npos;
       from = end + 1) {
    std::string_view line = std::string_view(partial_line_).substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    taken = take_line(line);
  }
  partial_line_.erase(0, from);
  return taken && partial_line_.size() > kMaxWireLine ? foreign_server_refusal() : taken;
}

Reply WireReader::take_reply() {
  Reply out = std::move(replies_.front());
  replies_.pop_front();
  if (replies_.empty()) replies_bytes_ = 0;
  return out;
}

Result<Success> WireReader::take_line(std::string_view line) {
  if (!is_in_reply_) {
    if (line.starts_with(kEvent)) {
      if (events_.size() >= kMaxEvents) return Refusal{"the server sends more than can be kept."};
      events_.emplace_back(line.substr(kEvent.size()));
      return Success{};
    }
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view status = line.substr(0, end);
    if (status != kOk && status != kRefused && status != kBusy) return foreign_server_refusal();
    reply_ = Reply(status == kOk, std::string(line.substr(std::min(end + 1, line.size()))), {});
    reply_.is_busy = status == kBusy;
    reply_bytes_ = line.size();
    is_in_reply_ = true;
    return Success{};
  }
  if (line == ".") {
    replies_bytes_ += reply_bytes_;
    if (replies_bytes_ > kMaxReplies) return Refusal{"the server sends more than can be kept."};
    replies_.push_back(std::move(reply_));
    is_in_reply_ = false;
    return Success{};
  }
  reply_bytes_ += line.size() + sizeof(std::string);
  if (reply_bytes_ > kMaxReply) return Refusal{"the server's reply is too long."};
  reply_.lines.emplace_back(line.starts_with('.') ? line.substr(1) : line);
  return Success{};
}

std::string sanitize(std::string_view text) { return safe_text(utf8_prefix(text, kMaxShown)); }

}  // namespace pbm
