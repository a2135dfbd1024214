// SPDX-License-Identifier: MIT
// Who has a userid here and what they chose: password hash, address, how many boards they take,
// which field they see, what they subscribed to. Leaves proving a password to session.hpp.
#pragma once

#include <set>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "game/game_type.hpp"
#include "server/tables/notices.hpp"
#include "store/database.hpp"

namespace pbm {

struct Account {
  std::string userid;   // lower case
  std::string hash;     // ""; no password does, only a connection that is trusted
  std::string address;  // that was confirmed
  Time since{};
  bool closed = false;    // signed off, or renamed: the userid stays taken, and plays no more
  bool computer = false;  // a program plays for it
  bool muted = false;     // says nothing
  std::optional<Time> banned = {};  // until then it is not let in; Time::max(): for good
  std::string banned_why = {};
  NoticeWish notices = {};   // of what it is told while it is not here
  std::string renamed = {};  // what it is now; "" where it was signed off

  // "has signed off", "is freddy now". Pre: closed.
  std::string why_closed() const {
    return renamed.empty() ? "has signed off" : "is " + renamed + " now";
  }
};

class Accounts {
 public:
  explicit Accounts(Database& database)
      : database_(database),
        accounts_(database, "account"),
        fields_(database, "choice"),
        subscribers_(database, "subscription") {}

  // In any case; nothing when there is none, or it is closed.
  std::optional<Account> find(std::string_view userid);
  // The same for one that is closed too.
  std::optional<Account> ever(std::string_view userid);
  // All but those that are closed, by userid.
  std::vector<Account> all();
  std::size_t size();  // those that were, too
  // Of one game: boards taken at most, nothing for all; and the field that is chosen.
  std::optional<std::size_t> limit(const std::string& userid, std::string_view game);
  std::optional<char> field(const std::string& userid, const GameType& game);
  // "toot-101", "toot-all".
  std::set<std::string> subscriptions(const std::string& userid);
  // What he wants to be told of one board.
  NoticeWish notices(const Account& account, const std::string& board);
  // Whose address that is.
  std::vector<std::string> at(const std::string& address);
  std::vector<std::string> blocked(const std::string& userid);
  // Whether the first has blocked the second.
  bool has_blocked(const std::string& userid, const std::string& other);
  // Refuses two of whom one has blocked the other.
  Result<Done> may_meet(const std::string& userid, const std::string& other);
  // Takes those out of `users` who have blocked `userid`.
  void leave_out_blocking(std::vector<std::string>& users, const std::string& userid);
  // Who has subscribed to that board, or to all of its game, "toot-all"; each once. Good until the
  // next call.
  const std::vector<std::string>& subscribers(const std::string& board, const std::string& game);

  // Puts one in, or in the place of what it was.
  void put(const Account& account);
  // Pre: the userid is there.
  template <class Value>
  void set(const std::string& userid, Value Account::*what,
           const std::type_identity_t<Value>& value) {
    auto account = find(userid);
    check(account.has_value(), "an account that is not there was changed");
    (*account).*what = value;
    put(*account);
  }
  // Pre of all of these: the userid is there.
  void close(const std::string& userid);
  void set_notices(const std::string& userid, const std::string& board, const NoticeWish& wish);
  // Forgets what was wanted of boards that are gone, once nothing of them waits to be told.
  void sweep_notices();
  void set_limit(const std::string& userid, std::string_view game, std::optional<std::size_t> most);
  void set_field(const std::string& userid, std::string_view game, char field);
  void subscribe(const std::string& userid, const std::string& what, bool on);
  // All that was the one's is the other's; the old one stays taken. Pre: the new one is not there.
  void rename(const std::string& userid, const std::string& now);
  // Whether anybody may take a userid.
  bool signups();
  void set_signups(bool open);
  void block(const std::string& userid, const std::string& other, bool on);

 private:
  Database& database_;
  Remembered<std::optional<Account>> accounts_;
  Remembered<std::optional<char>> fields_;
  Remembered<std::vector<std::string>> subscribers_;  // of a board
};

}  // namespace pbm
