// SPDX-License-Identifier: MIT
// One connection: turns bytes from a socket into lines for a session, and back, without waiting.
// Limits what a peer can make the server store and do. Leaves the meaning of lines to session.hpp
// and the right to connect to server_loop.cpp.
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
#include "server/net/fair_scheduler.hpp"
#include "server/session/session.hpp"

namespace pbm {

class Connection;

// Limits for a peer that falls behind.
struct ConnectionLimits {
  // Bytes of events that are not sent yet; a peer above it is dropped. A ply takes 40 bytes, so the
  // limit is enough for a busy evening. All connections together must also stay far below the
  // limit for all unsent bytes.
  std::size_t event_bytes = std::size_t{256} << 10;
  // Bytes of replies that are not sent yet; above it no more lines of the peer are taken.
  std::size_t reply_bytes = std::size_t{64} << 10;
  std::chrono::milliseconds close_delay{2000};    // for the peer to read the last reply
  std::chrono::milliseconds max_silence{30'000};  // of silence, before the peer has signed in
};

// The data that all connections share with the event loop, which does what they ask for here.
struct ConnectionHost {
  Service& service;
  const ConnectionLimits& limits;
  WaitSet sockets = {};
  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections = {};  // by number
  FairScheduler scheduler = {};                             // connections with lines to take
  std::multimap<SteadyTime, std::uint64_t> alarms = {};     // when to call handle_alarm()
  std::vector<std::shared_ptr<Connection>> to_update = {};  // update() is due after the round
  std::ptrdiff_t unsent_bytes = 0;                          // unsent bytes of all connections
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // `peer` describes the other end: "uid 1000", or an address. `number` names this connection in
  // the host's sockets.
  Connection(ConnectionHost& host, UniqueFd socket, std::uint64_t number, std::string peer,
             const PeerInfo& trust);

  // Handles epoll events of the socket.
  void handle_events(std::uint32_t events);
  // Handles an alarm of this connection, perhaps an earlier one than the last it set.
  void handle_alarm(SteadyTime now);
  // Sends what it can, resumes lines that had to wait, and closes a connection that is over.
  void update();
  // Takes lines until `over`, at least one.
  void take_lines(SteadyTime over);
  // Reads no more, answers the lines that the session has, then closes.
  void stop_reading();
  // Both close at once. drop() logs why; close_with_error() sends a sentence to the peer first.
  void drop(const std::string& why);
  void close_with_error(const std::string& sentence);
  // True if `peer` has not signed in and waits for no reply, except one that is delayed as a
  // penalty.
  bool is_anonymous(const std::string& peer) const {
    return userid_.empty() && peer_ == peer && !is_leaving_ &&
           (!session_->is_busy() || session_->is_reply_delayed());
  }
  // True if the peer sent bytes that are not handled yet.
  bool has_unread_input();
  SteadyTime accept_time() const { return accept_time_; }
  SteadyTime last_active() const { return last_active_; }

  std::uint64_t number() const { return number_; }
  std::size_t unsent_bytes() const { return output_.size() - sent_bytes_; }
  // Returns "userid fred" if it is signed in, else the peer.
  std::string party() const;
  // Schedules update() for the end of this round of the loop.
  void schedule_update() {
    if (!std::exchange(is_scheduled, true)) host_.to_update.push_back(shared_from_this());
  }
  bool is_scheduled = false;  // schedule_update() was called; the host resets it

 private:
  void set_alarm(SteadyTime when) { host_.alarms.emplace(when, number_); }
  void queue_output(std::string_view text);
  void wait_for_input();
  void register_events(std::uint32_t events);
  void read_input();
  void add_input(std::string_view bytes);
  std::optional<std::string_view> next_line();
  bool has_line() const {
    return input_.find('\n') != std::string::npos ||
           (input_ended_ && (!input_.empty() || session_->has_held_command()));
  }
  bool can_take_line() const;
  void flush();
  void begin_close();
  void close();

  ConnectionHost& host_;
  UniqueFd socket_;
  std::uint64_t number_;
  std::string peer_, userid_;         // the host counts it for `userid_`
  std::unique_ptr<Session> session_;  // null after close()

  std::string input_;            // whole lines not taken yet, and the start of the next
  std::size_t taken_bytes_ = 0;  // bytes of `input_` that are taken
  bool skips_line_ = false;      // the last line in `input_` is cut, and the rest of it is skipped
  bool input_ended_ = false;     // the peer sends no more
  bool ignores_input_ = false;   // further input is ignored
  std::string output_;
  std::size_t sent_bytes_ = 0;   // bytes of `output_` that are sent
  std::size_t event_bytes_ = 0;  // bytes of events added since `output_` was empty
  bool waits_for_input_ = false, waits_for_output_ = false;  // waiting until the socket is ready
  std::uint32_t registered_events_ = 0;                      // the events registered with the host
  bool is_held_up_ = false;  // stopped taking lines; update() resumes it
  bool is_leaving_ = false, is_closed_ = false;
  std::optional<SteadyTime> close_deadline_;  // when it closes if the peer has not closed before
  SteadyTime accept_time_, last_active_;      // when it was accepted, and when it was last active
};

}  // namespace pbm
