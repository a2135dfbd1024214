// SPDX-License-Identifier: MIT
#include "server/tables/addresses.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {

namespace {

constexpr std::chrono::hours kDay{24};

}  // namespace

std::optional<Addresses::Wanted> Addresses::wanted(const std::string& userid) {
  const auto make = [](const Database::Rows& row) {
    return Wanted{row.text(0), row.text(1), row.maybe<Time>(2)};
  };
  return database_.first(make, "SELECT address, code, sent FROM wanted WHERE userid = ?", userid);
}

Result<Done> Addresses::may_send(NoticeKind kind, const std::string& address, Time now) {
  if (database_.number("SELECT 1 FROM mailed WHERE receiver = ? AND kind = ? AND at > ?",
                       mailbox_of(address), static_cast<int>(kind), now - kBetweenCodes) != 0)
    return Refusal{"A code went to that address within the last hour: try again in another."};
  if (left(address, now) == 0)
    return Refusal{"Nothing more goes to that address today: try again tomorrow."};
  return Done{};
}

void Addresses::want(const std::string& userid, const std::string& address,
                     const std::string& code) {
  database_.run("REPLACE INTO wanted VALUES (?, ?, ?, NULL)", userid, address, code);
  wrong_.erase(userid);
}

void Addresses::forget(const std::string& userid) {
  database_.run("DELETE FROM wanted WHERE userid = ?", userid);
}

std::string Addresses::unconfirmed_at(const std::string& address) {
  const auto all = database_.texts(
      "SELECT userid FROM wanted JOIN account USING (userid) WHERE sent IS NOT NULL AND "
      "account.address = '' AND wanted.address = ? COLLATE NOCASE ORDER BY sent LIMIT 1",
      address);
  return all.empty() ? "" : all.front();
}

std::vector<std::string> Addresses::unsent() {
  return database_.texts("SELECT userid FROM wanted WHERE sent IS NULL");
}

void Addresses::sent(const std::string& userid, std::optional<Time> at) {
  database_.run("UPDATE wanted SET sent = ? WHERE userid = ?", at, userid);
}

Result<std::string> Addresses::confirm(const std::string& userid, std::string_view code, Time now) {
  const auto wanted = this->wanted(userid);
  if (!wanted) return Refusal{"No address of " + userid + " waits to be confirmed."};
  if (!wanted->sent)
    return Refusal{"No code was sent to " + wanted->address + ": say change address again."};
  std::size_t& wrong = wrong_[userid];
  if (*wanted->sent + kCodeLasts <= now || wrong >= kMaxWrong)
    return Refusal{"The code for " + wanted->address +
                   " counts no more: change address has another one sent."};
  if (lower(code) != wanted->code) {
    ++wrong;
    return Refusal{"That is not the code that went to " + wanted->address + "."};
  }
  wrong_.erase(userid);
  forget(userid);
  return wanted->address;
}

void Addresses::count(const std::string& to, NoticeKind kind, Time now) {
  database_.run("DELETE FROM mailed WHERE at <= ?", now - kDay);
  database_.run("INSERT INTO mailed VALUES (?, ?, ?)", mailbox_of(to), now, static_cast<int>(kind));
}

std::size_t Addresses::left(const std::string& to, Time now) {
  const std::size_t n = database_.count("SELECT count(*) FROM mailed WHERE receiver = ? AND at > ?",
                                        mailbox_of(to), now - kDay);
  return kMaxADay - std::min(n, kMaxADay);
}

std::optional<Time> Addresses::full_until(const std::string& to, Time now) {
  if (left(to, now) > 0) return std::nullopt;
  return Time(std::chrono::seconds(
             database_.number("SELECT min(at) FROM mailed WHERE receiver = ? AND at > ?",
                              mailbox_of(to), now - kDay))) +
         kDay;
}

}  // namespace pbm
