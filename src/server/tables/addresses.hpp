// SPDX-License-Identifier: MIT
// Unconfirmed addresses and their codes, and how many mails each address got lately. Leaves
// confirmed addresses to tables/accounts.hpp, and sending to an external program.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "server/tables/notifications.hpp"
#include "store/database.hpp"

namespace pbm {

class Addresses {
 public:
  static constexpr std::chrono::hours kCodeInterval{1};  // to one address
  static constexpr std::chrono::hours kCodeLifetime{7 * 24};
  static constexpr std::size_t kMaxWrongCodes = 5;  // wrong codes before a new code is necessary
  // Mails a day to one address, codes included. A notification that its reader has answered does
  // not count. After the last one only one a day follows, until the reader acts.
  static constexpr std::size_t kMaxMailsPerDay = 20;

  struct PendingAddress {
    std::string address, code;
    std::optional<Time> sent_at;  // when the code was sent; nothing: not yet
  };

  explicit Addresses(Database& database) : database_(database) {}

  // Returns the address that a user has yet to confirm.
  std::optional<PendingAddress> find_pending(const std::string& userid);
  // Refuses if the address got this kind of mail within the hour, or too many mails today. Not for
  // MailKind::notification.
  Result<Success> check_send(MailKind kind, const std::string& address, Time now);
  // Replaces the user's unconfirmed address; the new code is not sent yet.
  void set_pending(const std::string& userid, const std::string& address, const std::string& code);
  void drop_pending(const std::string& userid);
  // Returns the first userid without an address that was sent a code to this address, or "".
  std::string first_pending_user(const std::string& address);
  // Returns the userids whose code was not sent yet.
  std::vector<std::string> unsent_userids();
  void set_sent(const std::string& userid, std::optional<Time> at);  // nothing: sending failed
  // Returns the address that this code confirms, and deletes it here. Refuses a wrong or old code.
  Result<std::string> confirm(const std::string& userid, std::string_view code, Time now);

  // Counts a mail to `to`: an address, or the userid of a user without one.
  void count_mail(const std::string& to, MailKind kind, Time now);
  // Forgets the notifications to `to` so far: their reader has acted. Throws Error.
  void mark_answered(const std::string& to);
  // True if `to` got a notification at `since` or later, and its reader has not acted after it.
  bool has_unanswered(const std::string& to, Time since);
  // Returns how many more mails `to` may get today.
  std::size_t mails_left(const std::string& to, Time now);

 private:
  // Returns how many mails `to` got within a day, without answered notifications and those that
  // came one a day at the limit.
  std::size_t count_mails(const std::string& to, Time now);
  Database& database_;
  std::map<std::string, std::size_t> wrong_codes_;  // wrong codes since the last new one, by userid
};

}  // namespace pbm
