// SPDX-License-Identifier: MIT
// Who has a userid here and what they chose: password hash, address, how many boards they take,
// which field they see, what they subscribed to. Leaves proving a password to session.hpp.
#pragma once

#include <map>
#include <set>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "server/state/journal.hpp"
#include "server/state/notices.hpp"

namespace pbm {

struct Account {
  std::string userid;  // lower case
  std::string hash;    // ""; no password does, only a connection that is trusted
  std::string address;
  Time since{};
  bool closed = false;              // signed off: the userid stays taken, and plays no more
  bool computer = false;            // a program plays for it
  bool muted = false;               // says nothing
  std::optional<Time> banned = {};  // until then it is not let in
  std::string banned_why = {};
  std::map<std::string, std::size_t> limits;  // by game: boards taken at most; not there: all
  std::map<std::string, char> fields;         // by game
  std::set<std::string> subscriptions;        // "toot-101", "toot-all"
  NoticeWish notices;                         // of what it is told while it is not here
  std::set<std::string> blocked;              // userids it wants nothing to do with
};

class Accounts {
 public:
  explicit Accounts(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // In any case; nullptr when there is none, or it was signed off.
  const Account* find(std::string_view userid);
  // The same for one that was signed off too.
  const Account* ever(std::string_view userid);
  // The userid that is meant: one that is there, whatever it was allowed to be called when it was
  // taken, or one that could be.
  Result<std::string> userid(std::string_view typed);
  const std::map<std::string, Account>& all();
  std::size_t size() const { return accounts_.size(); }
  // Whether the first has blocked the second.
  bool has_blocked(const std::string& userid, const std::string& other) const;
  // Who has subscribed to either of these.
  std::set<std::string> subscribers(const std::string& board, const std::string& game) const;

  // All of these throw Error with nothing changed. Pre: the userid is there.
  void sign_up(const std::string& userid, const std::string& hash, const std::string& address,
               Time at);  // pre: it is not
  void set_password(const std::string& userid, const std::string& hash);
  void set_address(const std::string& userid, const std::string& address);
  void close(const std::string& userid);
  void set_computer(const std::string& userid, bool on);
  void set_notices(const std::string& userid, const NoticeWish& wish);
  void set_limit(const std::string& userid, std::string_view game, std::optional<std::size_t> most);
  void set_field(const std::string& userid, std::string_view game, char field);
  void subscribe(const std::string& userid, const std::string& what, bool on);
  // `until` Time::max(): for good; nothing: no more.
  void ban(const std::string& userid, std::optional<Time> until, const std::string& why);
  void mute(const std::string& userid, bool on);
  void rename(const std::string& userid, const std::string& now);  // pre: the new one is not there
  // Whether anybody may take a userid.
  bool signups() const { return signups_; }
  void set_signups(bool open);
  void block(const std::string& userid, const std::string& other, bool on);
  // Runs `then` once all of that is on disk.
  void after(CommitLog::Then then) { journal_.after(std::move(then)); }

 private:
  void take(const Record& record);
  void live(const Journal::Take& keep) const;
  void add(const Record& record);

  void take_new_name(const std::string& userid, const std::string& now);

  std::map<std::string, Account> accounts_;
  bool signups_ = true;
  std::map<std::string, std::set<std::string>>
      subscribers_;  // the subscriptions the other way round
  Journal journal_;
};

}  // namespace pbm
