// SPDX-License-Identifier: MIT
// Addresses that are to be confirmed, the codes for that, and how much goes to each address. Leaves
// confirmed ones to tables/accounts.hpp, and the writing to another program.
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
  static constexpr std::size_t kMaxWrong = 5;  // codes, for one that was sent
  static constexpr std::size_t kMaxADay = 20;  // to one address, codes among them

  struct Wanted {
    std::string address, code;
    std::optional<Time> sent;  // the code; nothing: not yet
  };

  explicit Addresses(Database& database) : database_(database) {}

  // What somebody wants to be written to, and has not confirmed.
  std::optional<Wanted> wanted(const std::string& userid);
  // Refuses where such a thing went lately, or too much within a day. Pre: it is no news.
  Result<Done> may_send(NoticeKind kind, const std::string& address, Time now);
  // In place of what was wanted before, with a code that nobody knows yet.
  void want(const std::string& userid, const std::string& address, const std::string& code);
  void forget(const std::string& userid);
  // Of those who have confirmed no address, and were sent a code to that one, who was first; or "".
  std::string unconfirmed_at(const std::string& address);
  // Whose codes have not been sent.
  std::vector<std::string> unsent();
  void sent(const std::string& userid, std::optional<Time> at);  // nothing: it was not
  // The address that this code confirms, which is wanted no more then. Refuses what is none.
  Result<std::string> confirm(const std::string& userid, std::string_view code, Time now);

  // Something goes to `to`, an address, or the userid of who has none.
  void count(const std::string& to, NoticeKind kind, Time now);
  // When something may go there again, where no more may now.
  std::optional<Time> full_until(const std::string& to, Time now);
  // How many more may go there within a day.
  std::size_t left(const std::string& to, Time now);

 private:
  Database& database_;
  std::map<std::string, std::size_t> wrong_;  // codes since one was sent, by userid
};

}  // namespace pbm
