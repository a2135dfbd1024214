// SPDX-License-Identifier: MIT
// The accounts of a server and their choices: password hash, address, limits of boards, drawings,
// subscriptions, blocks. Leaves checking passwords to session.hpp.
#pragma once

#include <set>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "game/game_type.hpp"
#include "server/tables/notifications.hpp"
#include "store/database.hpp"

namespace pbm {

struct Account {
  std::string userid;         // lower case
  std::string password_hash;  // "": no password is right; only a trusted connection can sign in
  std::string address;        // the confirmed mail address, or ""
  Time created{};
  bool is_closed = false;    // closed or renamed: the userid stays taken, but cannot be used
  bool is_computer = false;  // a program plays for it
  bool is_muted = false;     // may not chat or send messages
  std::optional<Time> banned_until = {};  // until when it cannot sign in; Time::max(): for good
  std::string ban_reason = {};
  NotificationChoice notification_choice = {};  // its notifications while it is not connected
  std::string new_userid = {};                  // its new userid; "" if it was closed

  // Returns "has closed the account" or "is freddy now". Pre: closed.
  std::string closed_reason() const {
    return new_userid.empty() ? "has closed the account" : "is " + new_userid + " now";
  }
};

class Accounts {
 public:
  explicit Accounts(Database& database)
      : database_(database),
        accounts_(database, "account"),
        fields_(database, "choice"),
        subscribers_(database, "subscription") {}

  // Returns an account that is not closed, or nothing. The userid may be in any case.
  std::optional<Account> find(std::string_view userid);
  // The same, but closed accounts too.
  std::optional<Account> find_any(std::string_view userid);
  // Returns the userid of a player with that name in a save, who may have been renamed since.
  std::string current_userid(const std::string& name);
  // Returns all accounts that are not closed, by userid.
  std::vector<Account> all();
  std::size_t size();                   // closed accounts included
  std::size_t count_since(Time start);  // accounts that were created since then
  // Returns the userids that the account had before.
  std::vector<std::string> former_userids(const std::string& userid);
  // True if somebody else could still see the userid: on a board, in a chat or a message, in a
  // tournament or on a ladder.
  bool has_played(const std::string& userid);
  // For one game: the most boards the user takes, nothing for no limit; and the drawing they chose.
  std::optional<std::size_t> board_limit(const std::string& userid, std::string_view game);
  std::optional<char> chosen_field(const std::string& userid, const GameType& game);
  // Returns boards and games, as "toot-101" and "toot-all".
  std::set<std::string> subscriptions(const std::string& userid);
  // Returns the wish for one board, or else that of the account.
  NotificationChoice notification_choice(const Account& account, const std::string& board);
  // Returns the userids that have confirmed an address.
  std::vector<std::string> find_by_address(const std::string& address);
  std::vector<std::string> blocked_userids(const std::string& userid);
  // True if `userid` has blocked `other`.
  bool has_blocked(const std::string& userid, const std::string& other);
  // Refuses if one of the two has blocked the other.
  Result<Success> check_blocks(const std::string& userid, const std::string& other);
  // Removes from `users` those who have blocked `userid`.
  void remove_blockers(std::vector<std::string>& users, const std::string& userid);
  // Returns the subscribers of a board or of its game (`game` is "toot-all"), each once. Valid
  // until the next call.
  const std::vector<std::string>& subscribers(const std::string& board, const std::string& game);

  // Adds an account or replaces it.
  void put(const Account& account);
  // Changes one field. Pre: the account exists and is not closed.
  template <class Value>
  void set(const std::string& userid, Value Account::*what,
           const std::type_identity_t<Value>& value) {
    auto account = find(userid);
    check(account.has_value(), "an account that is not there was changed");
    (*account).*what = value;
    put(*account);
  }
  // Pre of all of these: the account exists.
  void close(const std::string& userid);
  // Deletes the account, so that the userid is free. Pre: !has_played().
  void remove(const std::string& userid);
  void set_notification_choice(const std::string& userid, const std::string& board,
                               const NotificationChoice& wish);
  // Deletes the wishes for boards that are gone, unless mail about the board is still unread.
  void delete_old_choices();
  void set_limit(const std::string& userid, std::string_view game, std::optional<std::size_t> most);
  void set_field(const std::string& userid, std::string_view game, char field);
  void set_subscription(const std::string& userid, const std::string& what, bool on);
  // Gives the account another userid. The old one becomes a closed account. Pre: `now` is free.
  void rename(const std::string& userid, const std::string& now);
  // True if the owner lets anybody sign up.
  bool has_open_signups();
  void set_signups(bool open);
  // True if the owner lets members invite others.
  bool may_invite();
  void set_invites(bool open);
  void set_block(const std::string& userid, const std::string& other, bool on);

 private:
  Database& database_;
  QueryCache<std::optional<Account>> accounts_;
  QueryCache<std::optional<char>> fields_;
  QueryCache<std::vector<std::string>> subscribers_;  // of a board
};

}  // namespace pbm
