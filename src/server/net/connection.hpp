// SPDX-License-Identifier: MIT
// One connection: bytes of a socket to lines of a session and back, without ever waiting. Bounds
// what a peer can make the server hold and do at a time. Leaves what lines mean to session.hpp and
// who may connect to listener.cpp.
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

// How far a peer may be behind.
struct ConnectionLimits {
  // Bytes of events: above it a reader who does not read is dropped. A ply is 40 bytes of them, so
  // this is a busy evening; and those of all the connections there may be stay far below what all
  // may have unread together.
  std::size_t events = std::size_t{256} << 10;
  // Bytes of replies: above it no more of his lines are read until he reads.
  std::size_t replies = std::size_t{64} << 10;
  std::chrono::milliseconds farewell{2000};  // to read what was sent last
  std::chrono::milliseconds nobody{30'000};  // silent, before it has said for whom it speaks
};

// What all connections share with whoever runs the loop, who does what they ask for here.
struct ConnectionHost {
  Service& service;
  const ConnectionLimits& limits;
  WaitSet sockets = {};
  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections = {};  // by number
  Turns turns = {};                                      // of those that have lines to take
  std::multimap<Moment, std::uint64_t> alarms = {};      // whose time_passed() is called when
  std::vector<std::shared_ptr<Connection>> marked = {};  // tend() is called at the turn's end
  std::ptrdiff_t unread = 0;                             // bytes that wait for peers to read them
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // `peer` says what is known of the other end: "uid 1000", or an address. The host's sockets name
  // this one by `number`.
  Connection(ConnectionHost& host, UniqueFd socket, std::uint64_t number, std::string peer,
             const PeerAuth& trust);

  // Some of the events that it waits for have come.
  void ready(std::uint32_t events);
  // A moment has come that it had itself woken at; or an earlier one.
  void time_passed(Moment now);
  // Sends what there is to send, has lines taken again that had to wait, closes what is over.
  void tend();
  // Takes lines until `over`, the first one in any case.
  void take_turn(Moment over);
  // Reads no more; what was asked is answered, then it is closed.
  void finish();
  // Closes it now. drop() logs why; dismiss() says a sentence to the peer first.
  void drop(const std::string& why);
  void dismiss(const std::string& sentence);
  // Whether `peer` has not said yet for whom it speaks, and waits for no answer but one that is
  // kept back from it.
  bool is_nobody(const std::string& peer) const {
    return user_.empty() && peer_ == peer && !leaving_ &&
           (!session_->busy() || session_->keeps_back());
  }
  // Whether it sent what was not looked at yet.
  bool has_unread();
  Moment since() const { return since_; }
  Moment active() const { return active_; }

  std::uint64_t number() const { return number_; }
  std::size_t behind() const { return out_.size() - sent_; }
  // Whose it is: "userid fred" once it speaks for him, and until then the peer.
  std::string party() const;
  // Has tend() called once the present turn is over.
  void soon() {
    if (!std::exchange(marked, true)) host_.marked.push_back(shared_from_this());
  }
  bool marked = false;  // for the host: soon() was called

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
  std::string peer_, user_;           // user_: as the host knows it
  std::unique_ptr<Session> session_;  // until it is closed

  std::string in_;          // lines not taken yet, and one that has not ended
  std::size_t taken_ = 0;   // bytes of it
  bool too_long_ = false;   // the last line in in_ is cut, and the rest of it is skipped
  bool ended_ = false;      // the peer sends no more
  bool finishing_ = false;  // what it sends no longer counts
  std::string out_;
  std::size_t sent_ = 0;                    // bytes of it
  std::size_t event_bytes_ = 0;             // since out_ was empty
  bool reading_ = false, writing_ = false;  // waiting for the socket
  std::uint32_t awaited_ = 0;               // what the host waits for: that and perhaps more
  bool held_up_ = false;
  bool leaving_ = false, closed_ = false;
  std::optional<Moment> farewell_;  // until then it may read what was sent last
  Moment since_, active_;           // it was let in; it last did something
};

}  // namespace pbm
