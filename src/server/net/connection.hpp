// SPDX-License-Identifier: MIT
// One connection: turns bytes from a socket into lines for a session, and back, without waiting.
// Limits what a peer can make the server store and do. Leaves the meaning of lines to session.hpp
// and the right to connect to listener.cpp.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "base/wait_set.hpp"
#include "server/net/turns.hpp"
#include "server/session/session.hpp"

namespace pbm {

class Connection;

// Limits for a peer that falls behind.
struct ConnectionLimits {
  // Bytes of events that are not sent yet; a peer above it is dropped. A ply takes 40 bytes, so the
  // limit is enough for a busy evening. All connections together must also stay far below the
  // limit for all unsent bytes.
  std::size_t events = std::size_t{256} << 10;
  // Bytes of replies that are not sent yet; above it no more lines of the peer are taken.
  std::size_t replies = std::size_t{64} << 10;
  std::chrono::milliseconds farewell{2000};  // for the peer to read the last reply
  std::chrono::milliseconds nobody{30'000};  // of silence, before the peer has signed in
};

// The data that all connections share with the event loop, which does what they ask for here.
struct ConnectionHost {
  Service& service;
  const ConnectionLimits& limits;
  WaitSet sockets = {};
  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections = {};  // by number
  Turns turns = {};                                      // connections with lines to take
  std::multimap<Moment, std::uint64_t> alarms = {};      // when to call time_passed()
  std::vector<std::shared_ptr<Connection>> marked = {};  // tend() is due at the end of the round
  std::ptrdiff_t unread = 0;                             // unsent bytes of all connections
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // `peer` describes the other end: "uid 1000", or an address. `number` names this connection in
  // the host's sockets.
  Connection(ConnectionHost& host, UniqueFd socket, std::uint64_t number, std::string peer,
             const PeerAuth& trust);

  // Handles epoll events of the socket.
  void ready(std::uint32_t events);
  // Handles an alarm of this connection, perhaps an earlier one than the last it set.
  void time_passed(Moment now);
  // Sends what it can, resumes lines that had to wait, and closes a connection that is over.
  void tend();
  // Takes lines until `over`, at least one.
  void take_turn(Moment over);
  // Reads no more, answers the lines that the session has, then closes.
  void finish();
  // Both close at once. drop() logs why; dismiss() sends a sentence to the peer first.
  void drop(const std::string& why);
  void dismiss(const std::string& sentence);
  // True if `peer` has not signed in and waits for no reply, except one that is delayed as a
  // penalty.
  bool is_nobody(const std::string& peer) const {
    return user_.empty() && peer_ == peer && !leaving_ &&
           (!session_->busy() || session_->keeps_back());
  }
  // True if the peer sent bytes that are not handled yet.
  bool has_unread();
  Moment since() const { return since_; }
  Moment active() const { return active_; }

  std::uint64_t number() const { return number_; }
  std::size_t behind() const { return out_.size() - sent_; }
  // Returns "userid fred" if it is signed in, else the peer.
  std::string party() const;
  // Schedules tend() for the end of this round of the loop.
  void soon() {
    if (!std::exchange(marked, true)) host_.marked.push_back(shared_from_this());
  }
  bool marked = false;  // soon() was called; the host resets it

 private:
  void wake_at(Moment when) { host_.alarms.emplace(when, number_); }
  void put_out(std::string_view text);
  void await_input();
  void await(std::uint32_t events);
  void read_some();
  void take_bytes(std::string_view bytes);
  std::optional<std::string_view> next_line();
  bool has_line() const {
    return in_.find('\n') != std::string::npos ||
           (ended_ && (!in_.empty() || session_->holds_command()));
  }
  bool session_ready() const;
  void flush();
  void say_farewell();
  void close();

  ConnectionHost& host_;
  UniqueFd socket_;
  std::uint64_t number_;
  std::string peer_, user_;           // `user_`: the userid for which the host counts it
  std::unique_ptr<Session> session_;  // null after close()

  std::string in_;          // whole lines not taken yet, and the start of the next
  std::size_t taken_ = 0;   // bytes of `in_` that are taken
  bool too_long_ = false;   // the last line in `in_` is cut, and the rest of it is skipped
  bool ended_ = false;      // the peer sends no more
  bool finishing_ = false;  // further input is ignored
  std::string out_;
  std::size_t sent_ = 0;                    // bytes of `out_` that are sent
  std::size_t event_bytes_ = 0;             // bytes of events added since `out_` was empty
  bool reading_ = false, writing_ = false;  // waiting until the socket is ready
  std::uint32_t awaited_ = 0;               // the events registered with the host
  bool held_up_ = false;                    // stopped taking lines; tend() resumes it
  bool leaving_ = false, closed_ = false;
  std::optional<Moment> farewell_;  // when it closes if the peer has not closed before
  Moment since_, active_;           // when it was accepted, and when it was last active
};

}  // namespace pbm
