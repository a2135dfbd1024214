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
constexpr std::size_t kMaxKeptLine = kMaxLine + 2;
constexpr std::size_t kReadSize = std::size_t{16} << 10;
// A larger buffer is released when it is empty.
constexpr std::size_t kMaxIdleBuffer = std::size_t{4} << 10;
constexpr std::uint32_t kInput = EPOLLIN, kOutput = EPOLLOUT, kPeerGone = EPOLLHUP | EPOLLERR;

}  // namespace

Connection::Connection(ConnectionHost& host, UniqueFd socket, std::uint64_t number,
                       std::string peer, const PeerInfo& trust)
    : host_(host),
      socket_(std::move(socket)),
      number_(number),
      peer_(std::move(peer)),
      accept_time_(std::chrono::steady_clock::now()),
      last_active_(accept_time_) {
  session_ = std::make_unique<Session>(host_.service, trust,
                                       [this](std::string_view text) { queue_output(text); });
  host_.sockets.add(socket_.get(), number_, registered_events_);
  wait_for_input();
  set_alarm(last_active_ + host_.limits.max_silence);
}

std::string Connection::party() const { return userid_.empty() ? peer_ : "userid " + userid_; }

// --- input -------------------------------------------------------------------

void Connection::wait_for_input() {
  waits_for_input_ = true;
  register_events(registered_events_ | kInput);
}

void Connection::register_events(std::uint32_t events) {
  if (is_closed_ || registered_events_ == events) return;
  host_.sockets.change(socket_.get(), number_, registered_events_ = events);
}

void Connection::handle_events(std::uint32_t events) {
  // After a complete close the peer cannot read replies, so its remaining lines are dropped. A peer
  // that only sends no more still gets its replies.
  if ((events & kPeerGone) != 0) return close();
  if ((events & kOutput) != 0) {
    waits_for_output_ = false;
    register_events(registered_events_ & ~kOutput);
    update();
  }
  if ((events & kInput) == 0 || is_closed_) return;
  // Usually a line is handled before the next one comes, so epoll is changed only if it is not.
  if (!std::exchange(waits_for_input_, false)) return register_events(registered_events_ & ~kInput);
  read_input();
}

// Closes a connection that is silent and not signed in. Lines and sent replies count as activity,
// received bytes alone do not.
void Connection::handle_alarm(SteadyTime now) {
  if (is_closed_) return;
  if (close_deadline_ && *close_deadline_ <= now) return close();
  if (is_leaving_ || !userid_.empty()) return;
  if (session_->is_busy()) last_active_ = now;
  if (last_active_ + host_.limits.max_silence > now)
    return set_alarm(last_active_ + host_.limits.max_silence);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(host_.limits.max_silence).count();
  close_with_error("You sent nothing for " +
                   format_count(static_cast<std::size_t>(seconds), "second", "seconds") +
                   " and did not sign in. Connect again and type login.");
}

void Connection::read_input() {
  std::array<char, kReadSize> bytes;
  const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return wait_for_input();
  if (is_leaving_) {
    // Only the peer's close counts now: it has read everything then.
    if (n <= 0) return close();
    return wait_for_input();
  }
  if (n < 0) return close();
  if (n == 0) input_ended_ = true;
  else if (!ignores_input_) add_input({bytes.data(), static_cast<std::size_t>(n)});
  if (has_line()) return host_.scheduler.schedule(number_);
  if (input_ended_) return schedule_update();
  wait_for_input();
}

// Keeps only the start of a line that is too long; the session refuses it for its length.
void Connection::add_input(std::string_view bytes) {
  if (skips_line_) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    skips_line_ = false;
    bytes.remove_prefix(end);
  }
  input_.append(bytes);
  const std::size_t last = input_.rfind('\n') + 1;  // 0 if there is none
  if (input_.size() - last > kMaxKeptLine) {
    input_.resize(last + kMaxKeptLine);
    skips_line_ = true;
  }
}

std::optional<std::string_view> Connection::next_line() {
  std::string_view rest = std::string_view(input_).substr(taken_bytes_);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    // At the end of input, an incomplete line counts as a line.
    if (!input_ended_ || rest.empty()) return std::nullopt;
    taken_bytes_ = input_.size();
  } else {
    taken_bytes_ += end + 1;
    rest = rest.substr(0, end);
  }
  return rest.substr(0, kMaxKeptLine);
}

bool Connection::can_take_line() const {
  return !session_->is_busy() &&
         unsent_bytes() + session_->held_bytes() <= host_.limits.reply_bytes;
}

void Connection::take_lines(SteadyTime over) {
  if (is_closed_ || is_leaving_) return;
  is_held_up_ = false;
  try {
    do {
      if (session_->is_over()) break;
      if (!can_take_line()) {
        is_held_up_ = true;
        break;
      }
      if (const auto line = next_line()) session_->take_line(*line);
      else if (input_ended_ && session_->has_held_command()) session_->run_held_command();
      else break;
      last_active_ = std::chrono::steady_clock::now();
    } while (std::chrono::steady_clock::now() < over);
  } catch (const std::exception& error) {
    // The error concerns only this connection: the others go on.
    schedule_update();
    return drop(error.what());
  }
  input_.erase(0, taken_bytes_);
  taken_bytes_ = 0;
  if (input_.empty() && input_.capacity() > kMaxIdleBuffer) input_.shrink_to_fit();
  schedule_update();
  if (is_held_up_) return;
  if (has_line()) host_.scheduler.schedule(number_);
  else if (!input_ended_) wait_for_input();
}

// --- output ------------------------------------------------------------------

// The session and the service call this, so it only stores the text.
void Connection::queue_output(std::string_view text) {
  if (is_closed_) return;
  output_.append(text);
  host_.unsent_bytes += static_cast<std::ptrdiff_t>(text.size());
  if (text.substr(0, 2) == "* ") event_bytes_ += text.size();
  schedule_update();
}

void Connection::flush() {
  while (unsent_bytes() > 0 && !waits_for_output_) {
    const ssize_t n = ::send(socket_.get(), output_.data() + sent_bytes_, unsent_bytes(),
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent_bytes_ += static_cast<std::size_t>(n);
      last_active_ = std::chrono::steady_clock::now();
      host_.unsent_bytes -= n;
    } else if (errno == EAGAIN) {
      waits_for_output_ = true;
      register_events(registered_events_ | kOutput);
    } else if (errno != EINTR) {
      return close();
    }
  }
  if (unsent_bytes() > 0) {
    if (sent_bytes_ > host_.limits.reply_bytes) {
      output_.erase(0, std::exchange(sent_bytes_, 0));
      // `unread` has to equal the memory in use, so the sent part must not stay in the buffer.
      if (output_.capacity() > output_.size() + output_.size() / 2) output_.shrink_to_fit();
    }
    return;
  }
  output_.clear();
  sent_bytes_ = event_bytes_ = 0;
  if (output_.capacity() > kMaxIdleBuffer) output_.shrink_to_fit();
}

// --- the end -----------------------------------------------------------------

void Connection::update() {
  if (is_closed_) return;
  flush();
  if (is_closed_) return;
  if (userid_ != session_->userid()) {
    userid_ = session_->userid();
    host_.scheduler.set_party(number_, party());
    last_active_ = std::chrono::steady_clock::now();
    if (userid_.empty()) set_alarm(last_active_ + host_.limits.max_silence);
  }
  if (event_bytes_ > host_.limits.event_bytes && unsent_bytes() > host_.limits.event_bytes)
    return drop("it does not read its replies and events");
  if (is_leaving_) {
    if (unsent_bytes() == 0) begin_close();
    return;
  }
  if (is_held_up_ && can_take_line()) host_.scheduler.schedule(number_);
  const bool done =
      (input_ended_ ? !has_line() : ignores_input_ && input_.empty()) && !session_->is_busy();
  if (done || session_->is_over()) {
    is_leaving_ = true;
    update();
  }
}

void Connection::stop_reading() {
  ignores_input_ = true;
  input_.clear();
  taken_bytes_ = 0;
  update();
}

bool Connection::has_unread_input() {
  int unread = 0;
  return !input_.empty() || ::ioctl(socket_.get(), FIONREAD, &unread) != 0 || unread != 0;
}

// Ends the output and gives the peer a moment to close. If its last lines are unread, an immediate
// close could destroy the last reply.
void Connection::begin_close() {
  if (close_deadline_) return;
  if (input_ended_ || (ignores_input_ && !has_unread_input())) return close();
  ::shutdown(socket_.get(), SHUT_WR);
  close_deadline_ = std::chrono::steady_clock::now() + host_.limits.close_delay;
  set_alarm(*close_deadline_);
  wait_for_input();
}

void Connection::close_with_error(const std::string& sentence) {
  if (is_closed_) return;
  queue_output("-ERR " + sentence + "\n.\n");
  flush();
  close();
}

void Connection::drop(const std::string& why) {
  if (is_closed_) return;
  host_.service.log_event("connection " + std::to_string(number_) + " (" + peer_ +
                          ") closed: " + why);
  close();
}

void Connection::close() {
  if (is_closed_) return;
  is_closed_ = true;
  host_.unsent_bytes -= static_cast<std::ptrdiff_t>(unsent_bytes());
  socket_ = UniqueFd();
  session_.reset();
  host_.scheduler.remove(number_);
  host_.connections.erase(number());
}

}  // namespace pbm
