// SPDX-License-Identifier: MIT
#include "server/connection.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "server/command_line.hpp"

namespace pbm {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// Of one connection before the others get their turn.
constexpr int kLinesATurn = 16;
// Of a line: enough to see that it is too long, whether a CR ends it or not.
constexpr std::size_t kKeptOfALine = kLongestLine + 2;
constexpr std::size_t kBytesATurn = std::size_t{16} << 10;
// A buffer that was larger for once is given back.
constexpr std::size_t kBufferKept = std::size_t{4} << 10;

}  // namespace

Connection::Connection(ConnectionHost& host, const ConnectionLimits& limits, Socket socket, std::uint64_t number, std::optional<uid_t> peer, const Trust& trust)
    : host_(host), limits_(limits), socket_(std::move(socket)), number_(number), peer_(peer) {
  session_ = std::make_unique<Session>(host_.service(), trust, [this](std::string_view text) { put_out(text); });
}

void Connection::start() { await_input(); }

std::string Connection::said() const { return "connection " + std::to_string(number_) + (peer_ ? " (uid " + std::to_string(*peer_) + ")" : ""); }

// --- in ----------------------------------------------------------------------

void Connection::await_input() {
  if (reading_ || closed_) return;
  reading_ = true;
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const error_code& error) {
    self->reading_ = false;
    if (!error && !self->closed_) self->read_some();
  });
}

void Connection::read_some() {
  std::array<char, kBytesATurn> bytes;
  const ssize_t n = ::recv(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return await_input();
  if (leaving_) {
    // Nothing counts any more but that the peer has read everything, and so closes.
    if (n <= 0) return close();
    return await_input();
  }
  if (n <= 0) {
    ended_ = true;
    if (n < 0) deaf_ = true;
  } else if (!finishing_) {
    take_bytes({bytes.data(), static_cast<std::size_t>(n)});
  }
  take_lines();
}

// Of a line that is too long its beginning is kept, by which it is refused.
void Connection::take_bytes(std::string_view bytes) {
  if (too_long_) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    too_long_ = false;
    bytes.remove_prefix(end);
  }
  in_.append(bytes);
  const std::size_t last = in_.rfind('\n') + 1;  // 0 when there is none
  if (in_.size() - last > kKeptOfALine) {
    in_.resize(last + kKeptOfALine);
    too_long_ = true;
  }
}

std::optional<std::string_view> Connection::next_line() {
  std::string_view rest = std::string_view(in_).substr(taken_);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    // What came before the end is a line, whether it has an end or not.
    if (!ended_ || rest.empty()) return std::nullopt;
    taken_ = in_.size();
  } else {
    taken_ += end + 1;
    rest = rest.substr(0, end);
  }
  return rest.substr(0, kKeptOfALine);
}

bool Connection::session_ready() const {
  return !session_->busy() && (deaf_ || behind() + session_->held_bytes() <= limits_.replies);
}

void Connection::take_lines() {
  if (closed_ || leaving_ || turn_coming_) return;
  held_up_ = false;
  try {
    for (int i = 0; i < kLinesATurn && !session_->over(); ++i) {
      if (!session_ready()) {
        held_up_ = true;
        break;
      }
      const auto line = next_line();
      if (!line) break;
      session_->line(*line);
    }
  } catch (const std::exception& error) {
    // Whatever it is, it is this connection's: the others go on.
    host_.soon(*this);
    return drop(error.what());
  }
  in_.erase(0, taken_);
  taken_ = 0;
  if (in_.empty() && in_.capacity() > kBufferKept) in_.shrink_to_fit();
  host_.soon(*this);
  if (held_up_) return host_.held_up(*this);
  const bool more = in_.find('\n') != std::string::npos || (ended_ && !in_.empty());
  if (more) {
    turn_coming_ = true;
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->turn_coming_ = false;
      self->take_lines();
    });
  } else if (!ended_) {
    await_input();
  }
}

// --- out ---------------------------------------------------------------------

// Called from inside the session and the service: only puts it down.
void Connection::put_out(std::string_view text) {
  if (closed_ || deaf_) return;
  out_.append(text);
  host_.unread(static_cast<std::ptrdiff_t>(text.size()));
  if (text.substr(0, 2) == "* ") event_bytes_ += text.size();
  host_.soon(*this);
}

void Connection::flush() {
  while (behind() > 0 && !writing_ && !deaf_) {
    const ssize_t n = ::send(socket_.native_handle(), out_.data() + sent_, behind(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent_ += static_cast<std::size_t>(n);
      host_.unread(-n);
    } else if (errno == EAGAIN) {
      await_output();
    } else if (errno != EINTR) {
      deaf_ = true;
    }
  }
  if (deaf_) {
    host_.unread(-static_cast<std::ptrdiff_t>(behind()));
    sent_ = out_.size();
  }
  if (behind() > 0) {
    if (sent_ > limits_.replies) {
      out_.erase(0, std::exchange(sent_, 0));
      // What is counted as unread is to be what is held: of many long replies the read half would stay.
      if (out_.capacity() > out_.size() + out_.size() / 2) out_.shrink_to_fit();
    }
    return;
  }
  out_.clear();
  sent_ = event_bytes_ = 0;
  if (out_.capacity() > kBufferKept) out_.shrink_to_fit();
}

void Connection::await_output() {
  writing_ = true;
  socket_.async_wait(Socket::wait_write, [self = shared_from_this()](const error_code& error) {
    self->writing_ = false;
    if (!error && !self->closed_) self->tend();
  });
}

// --- the end -----------------------------------------------------------------

void Connection::tend() {
  if (closed_) return;
  flush();
  if (event_bytes_ > limits_.events && behind() > limits_.events) return drop("it does not read what it asked for");
  if (leaving_) {
    if (behind() == 0) say_farewell();
    return;
  }
  if (held_up_) {
    if (session_ready()) take_lines();
    else host_.held_up(*this);
  }
  if (closed_) return;
  const bool done = (ended_ || finishing_) && in_.empty() && !session_->busy() && !session_->holds_replies();
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

// Closing at once could take the last reply from a peer whose own last words
// were not read: it is told that nothing more comes, and has a moment to go.
void Connection::say_farewell() {
  if (farewell_) return;
  int unread = 0;
  const bool heard_all = finishing_ && ::ioctl(socket_.native_handle(), FIONREAD, &unread) == 0 && unread == 0;
  if (ended_ || deaf_ || heard_all) return close();
  ::shutdown(socket_.native_handle(), SHUT_WR);
  farewell_.emplace(socket_.get_executor(), limits_.farewell);
  farewell_->async_wait([self = shared_from_this()](const error_code& error) {
    if (!error) self->close();
  });
  await_input();
}

void Connection::drop(const std::string& why) {
  if (closed_) return;
  host_.log(said() + " is dropped: " + why);
  close();
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  host_.unread(-static_cast<std::ptrdiff_t>(behind()));
  error_code ignored;
  socket_.close(ignored);
  if (farewell_) farewell_->cancel();
  session_.reset();
  host_.gone(*this);
}

}  // namespace pbm
