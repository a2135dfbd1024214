// SPDX-License-Identifier: MIT
#include "server/net/connection.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "base/text.hpp"

namespace pbm {

namespace {

// The bytes kept of a line: enough to see that it is too long, with or without a CR.
constexpr std::size_t kKeptOfALine = kMaxLine + 2;
constexpr std::size_t kBytesATurn = std::size_t{16} << 10;
// A larger buffer is released when it is empty.
constexpr std::size_t kBufferKept = std::size_t{4} << 10;
constexpr std::uint32_t kInput = EPOLLIN, kOutput = EPOLLOUT, kGone = EPOLLHUP | EPOLLERR;

}  // namespace

Connection::Connection(ConnectionHost& host, UniqueFd socket, std::uint64_t number,
                       std::string peer, const PeerAuth& trust)
    : host_(host),
      socket_(std::move(socket)),
      number_(number),
      peer_(std::move(peer)),
      since_(std::chrono::steady_clock::now()),
      active_(since_) {
  session_ = std::make_unique<Session>(host_.service, trust,
                                       [this](std::string_view text) { put_out(text); });
  host_.sockets.add(socket_.get(), number_, awaited_);
  await_input();
  wake_at(active_ + host_.limits.nobody);
}

std::string Connection::party() const { return user_.empty() ? peer_ : "userid " + user_; }

// --- input -------------------------------------------------------------------

void Connection::await_input() {
  reading_ = true;
  await(awaited_ | kInput);
}

void Connection::await(std::uint32_t events) {
  if (closed_ || awaited_ == events) return;
  host_.sockets.change(socket_.get(), number_, awaited_ = events);
}

void Connection::ready(std::uint32_t events) {
  // After a complete close the peer cannot read replies, so its remaining lines are dropped. A peer
  // that only sends no more still gets its replies.
  if ((events & kGone) != 0) return close();
  if ((events & kOutput) != 0) {
    writing_ = false;
    await(awaited_ & ~kOutput);
    tend();
  }
  if ((events & kInput) == 0 || closed_) return;
  // Usually a line is handled before the next one comes, so epoll is changed only if it is not.
  if (!std::exchange(reading_, false)) return await(awaited_ & ~kInput);
  read_some();
}

// Closes a connection that is silent and not signed in. Lines and sent replies count as activity,
// received bytes alone do not.
void Connection::time_passed(Moment now) {
  if (closed_) return;
  if (farewell_ && *farewell_ <= now) return close();
  if (leaving_ || !user_.empty()) return;
  if (session_->busy()) active_ = now;
  if (active_ + host_.limits.nobody > now) return wake_at(active_ + host_.limits.nobody);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(host_.limits.nobody).count();
  dismiss("Nothing was said here for " +
          count_of(static_cast<std::size_t>(seconds), "second", "seconds") +
          ", nor who this is: connect again, and say login.");
}

void Connection::read_some() {
  std::array<char, kBytesATurn> bytes;
  const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return await_input();
  if (leaving_) {
    // Only the peer's close counts now: it has read everything then.
    if (n <= 0) return close();
    return await_input();
  }
  if (n < 0) return close();
  if (n == 0) ended_ = true;
  else if (!finishing_) take_bytes({bytes.data(), static_cast<std::size_t>(n)});
  if (has_line()) return host_.turns.ask(number_);
  if (ended_) return soon();
  await_input();
}

// Keeps only the start of a line that is too long; the session refuses it for its length.
void Connection::take_bytes(std::string_view bytes) {
  if (too_long_) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    too_long_ = false;
    bytes.remove_prefix(end);
  }
  in_.append(bytes);
  const std::size_t last = in_.rfind('\n') + 1;  // 0 if there is none
  if (in_.size() - last > kKeptOfALine) {
    in_.resize(last + kKeptOfALine);
    too_long_ = true;
  }
}

std::optional<std::string_view> Connection::next_line() {
  std::string_view rest = std::string_view(in_).substr(taken_);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    // At the end of input, an incomplete line counts as a line.
    if (!ended_ || rest.empty()) return std::nullopt;
    taken_ = in_.size();
  } else {
    taken_ += end + 1;
    rest = rest.substr(0, end);
  }
  return rest.substr(0, kKeptOfALine);
}

bool Connection::session_ready() const {
  return !session_->busy() && behind() + session_->held_bytes() <= host_.limits.replies;
}

void Connection::take_turn(Moment over) {
  if (closed_ || leaving_) return;
  held_up_ = false;
  try {
    do {
      if (session_->over()) break;
      if (!session_ready()) {
        held_up_ = true;
        break;
      }
      if (const auto line = next_line()) session_->line(*line);
      else if (ended_ && session_->holds_command()) session_->run_held();
      else break;
      active_ = std::chrono::steady_clock::now();
    } while (std::chrono::steady_clock::now() < over);
  } catch (const std::exception& error) {
    // The error concerns only this connection: the others go on.
    soon();
    return drop(error.what());
  }
  in_.erase(0, taken_);
  taken_ = 0;
  if (in_.empty() && in_.capacity() > kBufferKept) in_.shrink_to_fit();
  soon();
  if (held_up_) return;
  if (has_line()) host_.turns.ask(number_);
  else if (!ended_) await_input();
}

// --- output ------------------------------------------------------------------

// The session and the service call this, so it only stores the text.
void Connection::put_out(std::string_view text) {
  if (closed_) return;
  out_.append(text);
  host_.unread += static_cast<std::ptrdiff_t>(text.size());
  if (text.substr(0, 2) == "* ") event_bytes_ += text.size();
  soon();
}

void Connection::flush() {
  while (behind() > 0 && !writing_) {
    const ssize_t n =
        ::send(socket_.get(), out_.data() + sent_, behind(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent_ += static_cast<std::size_t>(n);
      active_ = std::chrono::steady_clock::now();
      host_.unread -= n;
    } else if (errno == EAGAIN) {
      writing_ = true;
      await(awaited_ | kOutput);
    } else if (errno != EINTR) {
      return close();
    }
  }
  if (behind() > 0) {
    if (sent_ > host_.limits.replies) {
      out_.erase(0, std::exchange(sent_, 0));
      // `unread` has to equal the memory in use, so the sent part must not stay in the buffer.
      if (out_.capacity() > out_.size() + out_.size() / 2) out_.shrink_to_fit();
    }
    return;
  }
  out_.clear();
  sent_ = event_bytes_ = 0;
  if (out_.capacity() > kBufferKept) out_.shrink_to_fit();
}

// --- the end -----------------------------------------------------------------

void Connection::tend() {
  if (closed_) return;
  flush();
  if (closed_) return;
  if (user_ != session_->userid()) {
    user_ = session_->userid();
    host_.turns.belong(number_, party());
    active_ = std::chrono::steady_clock::now();
    if (user_.empty()) wake_at(active_ + host_.limits.nobody);
  }
  if (event_bytes_ > host_.limits.events && behind() > host_.limits.events)
    return drop("it does not read what it asked for");
  if (leaving_) {
    if (behind() == 0) say_farewell();
    return;
  }
  if (held_up_ && session_ready()) host_.turns.ask(number_);
  const bool done = (ended_ ? !has_line() : finishing_ && in_.empty()) && !session_->busy();
  if (done || session_->over()) {
    leaving_ = true;
    tend();
  }
}

void Connection::finish() {
  finishing_ = true;
  in_.clear();
  taken_ = 0;
  tend();
}

bool Connection::has_unread() {
  int unread = 0;
  return !in_.empty() || ::ioctl(socket_.get(), FIONREAD, &unread) != 0 || unread != 0;
}

// Ends the output and gives the peer a moment to close. If its last lines are unread, an immediate
// close could destroy the last reply.
void Connection::say_farewell() {
  if (farewell_) return;
  if (ended_ || (finishing_ && !has_unread())) return close();
  ::shutdown(socket_.get(), SHUT_WR);
  farewell_ = std::chrono::steady_clock::now() + host_.limits.farewell;
  wake_at(*farewell_);
  await_input();
}

void Connection::dismiss(const std::string& sentence) {
  if (closed_) return;
  put_out("-ERR " + sentence + "\n.\n");
  flush();
  close();
}

void Connection::drop(const std::string& why) {
  if (closed_) return;
  host_.service.note("connection " + std::to_string(number_) + " (" + peer_ +
                     ") is dropped: " + why);
  close();
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  host_.unread -= static_cast<std::ptrdiff_t>(behind());
  socket_ = UniqueFd();
  session_.reset();
  host_.turns.leave(number_);
  host_.connections.erase(number());
}

}  // namespace pbm
