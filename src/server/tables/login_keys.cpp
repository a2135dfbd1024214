// SPDX-License-Identifier: MIT
#include "server/tables/login_keys.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

LoginKey read_key(const Database::Rows& row) {
  return {row.text(0), row.text(1), row.text(2), row.time(3), row.get_optional<Time>(4)};
}

}  // namespace

std::optional<LoginKey> LoginKeys::find(const std::string& fingerprint) {
  return database_.query_first(read_key, "SELECT * FROM login_key WHERE fingerprint = ?",
                               fingerprint);
}

std::vector<LoginKey> LoginKeys::find_all(const std::string& userid) {
  auto out = database_.query_all(
      read_key, "SELECT * FROM login_key WHERE userid = ? ORDER BY added, fingerprint", userid);
  for (LoginKey& key : out)
    if (const auto used = uses_.find(key.fingerprint); used != uses_.end())
      key.last_used = used->second;
  return out;
}

Result<Success> LoginKeys::add(const std::string& fingerprint, const std::string& userid,
                               Time now) {
  if (find_all(userid).size() >= kMaxPerUser)
    return Refusal{userid + " has " + std::to_string(kMaxPerUser) +
                   " keys, the most there may be. Drop one first, with keys drop and its number."};
  database_.run("INSERT INTO login_key VALUES (?, ?, '', ?, NULL)", fingerprint, userid, now);
  return Success{};
}

void LoginKeys::drop(const std::string& fingerprint) {
  database_.run("DELETE FROM login_key WHERE fingerprint = ?", fingerprint);
}

void LoginKeys::drop_all(const std::string& userid) {
  database_.run("DELETE FROM login_key WHERE userid = ?", userid);
}

void LoginKeys::set_label(const std::string& fingerprint, const std::string& label) {
  database_.run("UPDATE login_key SET label = ? WHERE fingerprint = ?", label, fingerprint);
}

void LoginKeys::store_uses() {
  for (const auto& [fingerprint, at] : uses_)
    database_.run("UPDATE login_key SET last_used = ? WHERE fingerprint = ?", at, fingerprint);
  uses_.clear();
}

std::string LoginKeys::make_code(const std::string& fingerprint, const std::string& fresh,
                                 Time now) {
  std::erase_if(codes_, [&](const auto& code) { return code.second.expires <= now; });
  for (const auto& [code, made] : codes_)
    if (made.fingerprint == fingerprint) return code;
  if (codes_.size() >= kMaxCodes)
    codes_.erase(
        std::ranges::min_element(codes_, {}, [](const auto& code) { return code.second.expires; }));
  codes_[fresh] = {fingerprint, now + kCodeLifetime};
  return fresh;
}

std::string LoginKeys::find_code(const std::string& code, Time now) const {
  const auto found = codes_.find(lower(code));
  return found == codes_.end() || found->second.expires <= now ? "" : found->second.fingerprint;
}

Result<Success> LoginKeys::add_invitation(const Invitation& wanted, Time now) {
  database_.run("DELETE FROM invitation WHERE expires <= ?", now);
  if (wanted.inviter && database_.query_count("SELECT count(*) FROM invitation WHERE inviter = ?",
                                              *wanted.inviter) >= kMaxInvitations)
    return Refusal{"You have " + std::to_string(kMaxInvitations) +
                   " open invitations, the most there may be. Each is open for a week at most."};
  database_.run("INSERT INTO invitation VALUES (?, ?, ?, ?)", wanted.code, wanted.inviter,
                wanted.userid, wanted.expires);
  return Success{};
}

std::optional<Invitation> LoginKeys::find_invitation(const std::string& code, Time now) {
  const auto read = [](const Database::Rows& row) {
    return Invitation{row.text(0), row.is_null(1) ? std::nullopt : std::optional(row.text(1)),
                      row.text(2), row.time(3)};
  };
  return database_.query_first(read, "SELECT * FROM invitation WHERE code = ? AND expires > ?",
                               lower(code), now);
}

void LoginKeys::drop_invitations(const std::string& inviter) {
  database_.run("DELETE FROM invitation WHERE inviter = ?", inviter);
}

void LoginKeys::drop_invitation(const std::string& code) {
  database_.run("DELETE FROM invitation WHERE code = ?", lower(code));
}

}  // namespace pbm
