// SPDX-License-Identifier: MIT
// The open connections, the userids they watch for, and the lines to send them when the transaction
// ends. Leaves the content of those lines to the service, and bytes to net/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"

namespace pbm {

struct HashJob;

// A connection, as the service and other connections see it. Session implements it.
class Client {
 public:
  virtual ~Client() = default;
  // The userid that is signed in, or "".
  virtual const std::string& userid() const = 0;
  // The userid that `as` or `key` signed in without a password, or "".
  virtual const std::string& trusted_userid() const = 0;
  // The fingerprint of the SSH key that came in there, or "".
  virtual const std::string& key() const = 0;
  // The other end, for example "uid 1000".
  virtual const std::string& peer() const = 0;
  // True if it receives events.
  virtual bool is_watching() const = 0;
  // True if the client is a program that draws boards itself and wants lines for programs.
  virtual bool is_program() const = 0;
  // Sends the event "* what" between replies.
  virtual void send_event(std::string_view what) = 0;
  // Sends the replies and events that were held back. If `lost` is an error message, nothing was
  // saved, and each reply becomes that error. Connections::add_waiting() asks for this call.
  virtual void end_transaction(const std::string& lost) = 0;
  // Continues the command that waited for this password job.
  virtual void resume(const HashJob& job) = 0;
  // Refuses the command that waits for a password, as too many passwords are queued.
  virtual void refuse_busy() = 0;
  // Sends the delayed reply.
  virtual void send_late_reply() = 0;
  // Signs out, and sends the reason `why`, if any. disconnect() closes the connection too.
  virtual void sign_out(const std::string& why) = 0;
  virtual void disconnect(const std::string& why) = 0;
};

class Connections {
 public:
  // Adds a connection and returns its number.
  std::uint64_t add(Client& client);
  void remove(std::uint64_t number);
  const std::map<std::uint64_t, Client*>& all() const { return by_number_; }
  // Returns nullptr if the connection is closed.
  Client* find(std::uint64_t number) const;
  // Returns the userids that are signed in, each once.
  std::set<std::string> userids() const;
  // Returns how many connections `userid` has.
  std::size_t count(const std::string& userid) const;
  bool is_connected(const std::string& userid) const { return count(userid) > 0; }
  // Signs out the connections of `userid` that used its password, except connection `but`.
  void sign_out(const std::string& userid, const std::string& why, std::uint64_t but);

  // Starts or stops sending a connection the events of `userid`.
  void add_watcher(const std::string& userid, std::uint64_t number, Client& client) {
    watchers_[userid][number] = &client;
  }
  void remove_watcher(const std::string& userid, std::uint64_t number);
  // Returns each userid that has a watching connection.
  std::vector<std::string> watching_userids() const;
  // Queues a line for the connections that watch as `userid`: all of them or only `programs`, but
  // not `but`. Calls `line` to make it. Returns false if `userid` has no watching connection.
  template <class Line>
  bool queue_line(const std::string& userid, bool programs, std::uint64_t but, const Line& line) {
    const auto found = watchers_.find(userid);
    if (found == watchers_.end()) return false;
    for (const auto& [number, client] : found->second)
      if (number != but && (!programs || client->is_program()))
        queued_events_.emplace_back(number, line());
    return true;
  }
  // Returns how many lines are queued. drop_events_after() drops all after the first `n`.
  std::size_t queued_count() const { return queued_events_.size(); }
  void drop_events_after(std::size_t n) { queued_events_.resize(n); }
  // Sends the queued lines. Call it after the reply to the command that caused them.
  void send_events();

  // Registers a connection for end_transaction(), which calls Client::end_transaction() for all.
  // `lost` is the error message if the commit failed, else "".
  void add_waiting(std::uint64_t number) {
    if (waiting_for_commit_.empty() || waiting_for_commit_.back() != number)
      waiting_for_commit_.push_back(number);
  }
  void end_transaction(const std::string& lost);

  // Schedules send_late_reply() of that connection.
  void schedule_late_reply(std::uint64_t number, SteadyTime at) {
    late_replies_.emplace(at, number);
  }
  // Sends the delayed replies that are due; with `all`, every one.
  void send_late_replies(SteadyTime now, bool all);
  // Returns when the next delayed reply is due.
  std::optional<SteadyTime> next_due() const {
    return late_replies_.empty() ? std::nullopt : std::optional(late_replies_.begin()->first);
  }

 private:
  std::map<std::uint64_t, Client*> by_number_;
  std::map<std::string, std::map<std::uint64_t, Client*>> watchers_;  // by userid
  std::vector<std::uint64_t> waiting_for_commit_;  // the connections for end_transaction()
  std::vector<std::pair<std::uint64_t, std::string>>
      queued_events_;                                      // queued lines, with connections
  std::multimap<SteadyTime, std::uint64_t> late_replies_;  // connections with delayed replies
  std::uint64_t last_number_ = 0;
};

}  // namespace pbm
