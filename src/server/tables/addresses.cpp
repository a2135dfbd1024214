// SPDX-License-Identifier: MIT
#include "server/tables/addresses.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {
namespace {

constexpr std::chrono::hours kDay{24};
// The `kind` of the row that says since when an address gets one notification a day.
constexpr int kLimited = 3;

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
    return Refusal{"That address got a code within the last hour. Try again in an hour."};
  // The limit of notifications does not keep a player from a code or a userid.
  if (count_mails(address, now) >= kMaxMailsPerDay)
    return Refusal{"That address got " + std::to_string(kMaxMailsPerDay) +
                   " mails today, the most there may be. Try again tomorrow."};
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
  if (!wanted) return Refusal{userid + " has no address to confirm."};
  if (!wanted->sent_at)
    return Refusal{"The server sent no code to " + wanted->address +
                   ". Type change address again."};
  std::size_t& wrong = wrong_codes_[userid];
  if (*wanted->sent_at + kCodeLifetime <= now || wrong >= kMaxWrongCodes)
    return Refusal{"The code for " + wanted->address +
                   " is no longer valid. Type change address to get a new one."};
  if (lower(code) != wanted->code) {
    ++wrong;
    return Refusal{"That is not the code that we sent to " + wanted->address + "."};
  }
  wrong_codes_.erase(userid);
  drop_pending(userid);
  return wanted->address;
}

void Addresses::count_mail(const std::string& to, MailKind kind, Time now) {
  const bool last = kind == MailKind::notification && mails_left(to, now) <= 1;
  database_.run("DELETE FROM mailed WHERE at <= ? AND kind <> ?", now - kDay, kLimited);
  if (last) mark_answered(to);
  database_.run("INSERT INTO mailed VALUES (?, ?, ?)", normalize_mailbox(to), now,
                last ? kLimited : static_cast<int>(kind));
}

void Addresses::mark_answered(const std::string& to) {
  if (!has_unanswered(to, Time())) return;  // a command that only shows something writes nothing
  database_.run("DELETE FROM mailed WHERE receiver = ? AND kind IN (?, ?)", normalize_mailbox(to),
                static_cast<int>(MailKind::notification), kLimited);
}

bool Addresses::has_unanswered(const std::string& to, Time since) {
  return database_.query_number(
             "SELECT 1 FROM mailed WHERE receiver = ? AND at >= ? AND kind IN (?, ?) LIMIT 1",
             normalize_mailbox(to), since, static_cast<int>(MailKind::notification), kLimited) != 0;
}

std::size_t Addresses::mails_left(const std::string& to, Time now) {
  const auto limited = database_.query_first(
      [](const Database::Rows& row) { return row.time(0); },
      "SELECT at FROM mailed WHERE receiver = ? AND kind = ?", normalize_mailbox(to), kLimited);
  if (limited) return *limited + kDay <= now;
  return kMaxMailsPerDay - std::min(count_mails(to, now), kMaxMailsPerDay);
}

std::size_t Addresses::count_mails(const std::string& to, Time now) {
  return database_.query_count(
      "SELECT count(*) FROM mailed WHERE receiver = ? AND at > ? AND kind <> ?",
      normalize_mailbox(to), now - kDay, kLimited);
}

}  // namespace pbm
