// SPDX-License-Identifier: MIT
#include "server/tables/addresses.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {

namespace {

constexpr std::chrono::hours kDay{24};

}  // namespace

std::optional<Addresses::PendingAddress> Addresses::find_pending(const std::string& userid) {
  const auto make = [](const Database::Rows& row) {
    return PendingAddress{row.text(0), row.text(1), row.get_optional<Time>(2)};
  };
  return database_.query_first(make, "SELECT address, code, sent FROM wanted WHERE userid = ?",
                               userid);
}

Result<Success> Addresses::check_send(MailKind kind, const std::string& address, Time now) {
  if (database_.query_number("SELECT 1 FROM mailed WHERE receiver = ? AND kind = ? AND at > ?",
                             normalize_mailbox(address), static_cast<int>(kind),
                             now - kCodeInterval) != 0)
    return Refusal{"A code went to that address within the last hour: try again in another."};
  if (mails_left(address, now) == 0)
    return Refusal{"Nothing more goes to that address today: try again tomorrow."};
  return Success{};
}

void Addresses::set_pending(const std::string& userid, const std::string& address,
                            const std::string& code) {
  database_.run("REPLACE INTO wanted VALUES (?, ?, ?, NULL)", userid, address, code);
  wrong_codes_.erase(userid);
}

void Addresses::drop_pending(const std::string& userid) {
  database_.run("DELETE FROM wanted WHERE userid = ?", userid);
}

std::string Addresses::first_pending_user(const std::string& address) {
  const auto all = database_.query_texts(
      "SELECT userid FROM wanted JOIN account USING (userid) WHERE sent IS NOT NULL AND "
      "account.address = '' AND wanted.address = ? COLLATE NOCASE ORDER BY sent LIMIT 1",
      address);
  return all.empty() ? "" : all.front();
}

std::vector<std::string> Addresses::unsent_userids() {
  return database_.query_texts("SELECT userid FROM wanted WHERE sent IS NULL");
}

void Addresses::set_sent(const std::string& userid, std::optional<Time> at) {
  database_.run("UPDATE wanted SET sent = ? WHERE userid = ?", at, userid);
}

Result<std::string> Addresses::confirm(const std::string& userid, std::string_view code, Time now) {
  const auto wanted = this->find_pending(userid);
  if (!wanted) return Refusal{"No address of " + userid + " waits to be confirmed."};
  if (!wanted->sent_at)
    return Refusal{"No code was sent to " + wanted->address + ": say change address again."};
  std::size_t& wrong = wrong_codes_[userid];
  if (*wanted->sent_at + kCodeLifetime <= now || wrong >= kMaxWrongCodes)
    return Refusal{"The code for " + wanted->address +
                   " counts no more: change address has another one sent."};
  if (lower(code) != wanted->code) {
    ++wrong;
    return Refusal{"That is not the code that went to " + wanted->address + "."};
  }
  wrong_codes_.erase(userid);
  drop_pending(userid);
  return wanted->address;
}

void Addresses::count_mail(const std::string& to, MailKind kind, Time now) {
  database_.run("DELETE FROM mailed WHERE at <= ?", now - kDay);
  database_.run("INSERT INTO mailed VALUES (?, ?, ?)", normalize_mailbox(to), now,
                static_cast<int>(kind));
}

std::size_t Addresses::mails_left(const std::string& to, Time now) {
  const std::size_t n =
      database_.query_count("SELECT count(*) FROM mailed WHERE receiver = ? AND at > ?",
                            normalize_mailbox(to), now - kDay);
  return kMaxMailsPerDay - std::min(n, kMaxMailsPerDay);
}

std::optional<Time> Addresses::full_until(const std::string& to, Time now) {
  if (mails_left(to, now) > 0) return std::nullopt;
  return Time(std::chrono::seconds(
             database_.query_number("SELECT min(at) FROM mailed WHERE receiver = ? AND at > ?",
                                    normalize_mailbox(to), now - kDay))) +
         kDay;
}

}  // namespace pbm
