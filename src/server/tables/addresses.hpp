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
#include "server/tables/notices.hpp"
#include "store/database.hpp"

namespace pbm {

class Addresses {
 public:
  static constexpr std::chrono::hours kBetweenCodes{1};  // to one address
  static constexpr std::chrono::hours kCodeLasts{7 * 24};
  static constexpr std::size_t kMaxWrong = 5;  // wrong codes before a new code is necessary
  static constexpr std::size_t kMaxADay = 20;  // mails to one address, codes included

  struct Wanted {
    std::string address, code;
    std::optional<Time> sent;  // when the code was sent; nothing: not yet
  };

  explicit Addresses(Database& database) : database_(database) {}

  // Returns the address that a user has yet to confirm.
  std::optional<Wanted> wanted(const std::string& userid);
  // Refuses if the address got this kind of mail within the hour, or too many mails today. Not for
  // NoticeKind::news.
  Result<Done> may_send(NoticeKind kind, const std::string& address, Time now);
  // Replaces the user's unconfirmed address; the new code is not sent yet.
  void want(const std::string& userid, const std::string& address, const std::string& code);
  void forget(const std::string& userid);
  // Returns the first userid without an address that was sent a code to this address, or "".
  std::string unconfirmed_at(const std::string& address);
  // Returns the userids whose code was not sent yet.
  std::vector<std::string> unsent();
  void sent(const std::string& userid, std::optional<Time> at);  // nothing: sending failed
  // Returns the address that this code confirms, and deletes it here. Refuses a wrong or old code.
  Result<std::string> confirm(const std::string& userid, std::string_view code, Time now);

  // Counts a mail to `to`: an address, or the userid of a user without one.
  void count(const std::string& to, NoticeKind kind, Time now);
  // Returns when `to` may get mail again, or nothing if it may now.
  std::optional<Time> full_until(const std::string& to, Time now);
  // Returns how many more mails `to` may get today.
  std::size_t left(const std::string& to, Time now);

 private:
  Database& database_;
  std::map<std::string, std::size_t> wrong_;  // wrong codes since the last new one, by userid
};

}  // namespace pbm
