// SPDX-License-Identifier: MIT
// Who is connected at this moment, who of them is told what happens, and what they are told in this
// turn. Leaves what is told to the service, and bytes to net/.
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

// A connection, as the service and other connections see it.
class Client {
 public:
  virtual ~Client() = default;
  // The userid it speaks for without a password; "" for nobody. And the one it does so for whatever
  // its password is.
  virtual const std::string& userid() const = 0;
  virtual const std::string& trusted() const = 0;
  // Who is at the other end: "uid 1000".
  virtual const std::string& peer() const = 0;
  virtual bool watching() const = 0;
  // Whether it draws for itself, and is told in lines for programs.
  virtual bool is_program() const = 0;
  // Sends "* what" between replies.
  virtual void event(std::string_view what) = 0;
  // What was said in this turn may be sent; or nothing of it was kept: why, a sentence. Called for
  // who has said Connections::waits().
  virtual void end_turn(const std::string& lost) = 0;
  // The password that it asked about was looked at; or too many wait, and it is not.
  virtual void finished(const HashJob& job) = 0;
  virtual void put_off() = 0;
  // The answer that was kept back is due.
  virtual void answer_late() = 0;
  // It speaks for nobody any more, and is told why; and it is closed.
  virtual void sign_out(const std::string& why) = 0;
  virtual void end(const std::string& why) = 0;
};

class Connections {
 public:
  // A new connection's number.
  std::uint64_t enter(Client& client);
  void leave(std::uint64_t number);
  const std::map<std::uint64_t, Client*>& all() const { return all_; }
  // Null when it is gone.
  Client* find(std::uint64_t number) const;
  // The userids that connections speak for, each once.
  std::set<std::string> userids() const;
  // How many speak for `userid`.
  std::size_t of(const std::string& userid) const;
  bool here(const std::string& userid) const { return of(userid) > 0; }
  // Signs out whoever spoke for that userid by its password, on another connection than `but`.
  void sign_out(const std::string& userid, const std::string& why, std::uint64_t but);

  // That connection is told what happens to `userid`; and no more.
  void watch(const std::string& userid, std::uint64_t number, Client& client) {
    watchers_[userid][number] = &client;
  }
  void unwatch(const std::string& userid, std::uint64_t number);
  // Every userid of whom a connection is told.
  std::vector<std::string> watchers() const;
  // Has the line that `line` makes sent to those who are told of `userid`, `programs` only or all,
  // but not to the connection `but`. False, and no line is made, when there are none at all.
  template <class Line>
  bool tell(const std::string& userid, bool programs, std::uint64_t but, const Line& line) {
    const auto found = watchers_.find(userid);
    if (found == watchers_.end()) return false;
    for (const auto& [number, client] : found->second)
      if (number != but && (!programs || client->is_program()))
        events_.emplace_back(number, line());
    return true;
  }
  // How many lines wait to be sent, and has all behind the first `n` of them not sent.
  std::size_t events() const { return events_.size(); }
  void forget_events(std::size_t n) { events_.resize(n); }
  // Sends them: to be called behind the reply to what brought them about.
  void send_events();

  // What that connection was told in this turn waits for its end; and all of them hear of that:
  // `lost` says why nothing was kept, or nothing.
  void waits(std::uint64_t number) {
    if (waiting_.empty() || waiting_.back() != number) waiting_.push_back(number);
  }
  void end_turn(const std::string& lost);

  // Calls that connection's answer_late() at that moment.
  void answer_late(std::uint64_t number, Moment at) { late_.emplace(at, number); }
  // Answers whoever's moment has come; with `all` everybody.
  void answer_late(Moment now, bool all);
  // When the next one's comes.
  std::optional<Moment> due() const {
    return late_.empty() ? std::nullopt : std::optional(late_.begin()->first);
  }

 private:
  std::map<std::uint64_t, Client*> all_;
  std::map<std::string, std::map<std::uint64_t, Client*>> watchers_;  // by userid
  std::vector<std::uint64_t> waiting_;  // those that hear at the end of the turn
  std::vector<std::pair<std::uint64_t, std::string>> events_;  // to be sent, by connection
  std::multimap<Moment, std::uint64_t> late_;  // those with an answer that is kept back
  std::uint64_t last_ = 0;
};

}  // namespace pbm
