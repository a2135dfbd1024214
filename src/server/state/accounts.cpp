// SPDX-License-Identifier: MIT
#include "server/state/accounts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {
Accounts::Accounts(CommitLog& log)
    : journal_(log, "accounts.yaml", "Who has a userid here. Written by the server only.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) { live(keep); }}) {}

const Account* Accounts::ever(std::string_view userid) {
  journal_.touch();
  const auto found = accounts_.find(lower(userid));
  return found == accounts_.end() ? nullptr : &found->second;
}

const Account* Accounts::find(std::string_view userid) {
  const Account* account = ever(userid);
  return account && !account->closed ? account : nullptr;
}

Result<std::string> Accounts::userid(std::string_view typed) {
  return ever(typed) ? Result<std::string>(lower(typed)) : check_new_userid(typed);
}

const std::map<std::string, Account>& Accounts::all() {
  journal_.touch();
  return accounts_;
}

bool Accounts::has_blocked(const std::string& userid, const std::string& other) const {
  const auto found = accounts_.find(userid);
  return found != accounts_.end() && found->second.blocked.count(other) > 0;
}

std::set<std::string> Accounts::subscribers(const std::string& board,
                                            const std::string& game) const {
  std::set<std::string> out;
  for (const std::string& what : {board, game})
    if (const auto found = subscribers_.find(what); found != subscribers_.end())
      out.insert(found->second.begin(), found->second.end());
  return out;
}

void Accounts::take(const Record& record) {
  if (record.has("signups")) signups_ = record.get("signups") == "open";
  const std::string& userid = record.get("user");
  if (userid.empty()) return;
  if (record.has("renamed")) return take_new_name(userid, record.get("renamed"));
  Account& a = accounts_[userid];
  a.userid = userid;
  const std::string& game = record.get("game");
  if (record.has("since")) a.since = read_iso_time(record.get("since")).value_or(Time{});
  if (record.has("password")) a.hash = record.get("password");
  if (record.has("address")) a.address = record.get("address");
  if (record.has("closed")) {
    a.closed = true;
    a.hash.clear();
    a.address.clear();
    for (const std::string& what : a.subscriptions) subscribers_[what].erase(userid);
    a.subscriptions.clear();
  }
  if (record.has("muted")) a.muted = record.get("muted") == "yes";
  if (record.has("banned")) {
    const std::string& until = record.get("banned");
    a.banned = until == "for good" ? Time::max() : std::optional<Time>();
    if (const auto at = read_iso_time(until)) a.banned = *at;
    a.banned_why = record.get("why");
  }
  if (record.has("computer")) a.computer = record.get("computer") == "yes";
  if (record.has("notices"))
    a.notices = read_notice_wish(record.get("notices")).value_or(NoticeWish{});
  if (record.has("limit")) {
    if (record.get("limit") == "all") a.limits.erase(game);
    else a.limits[game] = record.number("limit");
  }
  if (!record.get("field").empty()) a.fields[game] = record.get("field").front();
  if (record.has("subscribe")) {
    a.subscriptions.insert(record.get("subscribe"));
    subscribers_[record.get("subscribe")].insert(userid);
  }
  if (record.has("block")) a.blocked.insert(record.get("block"));
  if (record.has("unblock")) a.blocked.erase(record.get("unblock"));
  if (record.has("unsubscribe")) {
    a.subscriptions.erase(record.get("unsubscribe"));
    subscribers_[record.get("unsubscribe")].erase(userid);
  }
}

// All that was the one's is the other's; the old one stays taken.
void Accounts::take_new_name(const std::string& userid, const std::string& now) {
  Account moved = accounts_[userid];
  moved.userid = now;
  for (const std::string& what : moved.subscriptions) {
    subscribers_[what].erase(userid);
    subscribers_[what].insert(now);
  }
  for (auto& [name, account] : accounts_)
    if (account.blocked.erase(userid) > 0) account.blocked.insert(now);
  accounts_[now] = std::move(moved);
  accounts_[userid] = {};
  accounts_[userid].userid = userid;
  accounts_[userid].since = accounts_[now].since;
  accounts_[userid].closed = true;
}

void Accounts::live(const Journal::Take& keep) const {
  if (!signups_) keep(Record().put("signups", "closed"));
  for (const auto& [userid, a] : accounts_) {
    const auto of = [&user = userid] { return Record().put("user", user); };
    keep(of().put("since", iso_time(a.since)).put("password", a.hash).put("address", a.address));
    if (a.computer) keep(of().put("computer", "yes"));
    if (a.muted) keep(of().put("muted", "yes"));
    if (a.banned)
      keep(of().put("banned", *a.banned == Time::max() ? "for good" : iso_time(*a.banned))
               .put("why", a.banned_why));
    if (a.notices != NoticeWish{}) keep(of().put("notices", to_string(a.notices)));
    for (const auto& [game, most] : a.limits) keep(of().put("game", game).put("limit", most));
    for (const auto& [game, field] : a.fields)
      keep(of().put("game", game).put("field", std::string(1, field)));
    for (const std::string& what : a.subscriptions) keep(of().put("subscribe", what));
    for (const std::string& other : a.blocked) keep(of().put("block", other));
    if (a.closed) keep(of().put("closed", "yes"));
  }
}

void Accounts::add(const Record& record) {
  journal_.add(record);
  take(record);
}

void Accounts::sign_up(const std::string& userid, const std::string& hash,
                       const std::string& address, Time at) {
  add(Record()
          .put("user", userid)
          .put("since", iso_time(at))
          .put("password", hash)
          .put("address", address));
}
void Accounts::set_password(const std::string& userid, const std::string& hash) {
  add(Record().put("user", userid).put("password", hash));
}
void Accounts::set_address(const std::string& userid, const std::string& address) {
  add(Record().put("user", userid).put("address", address));
}
void Accounts::close(const std::string& userid) {
  add(Record().put("user", userid).put("closed", "yes"));
}
void Accounts::set_computer(const std::string& userid, bool on) {
  add(Record().put("user", userid).put("computer", on ? "yes" : "no"));
}
void Accounts::set_notices(const std::string& userid, const NoticeWish& wish) {
  add(Record().put("user", userid).put("notices", to_string(wish)));
}
void Accounts::set_limit(const std::string& userid, std::string_view game,
                         std::optional<std::size_t> most) {
  add(Record()
          .put("user", userid)
          .put("game", game)
          .put("limit", most ? std::to_string(*most) : "all"));
}
void Accounts::set_field(const std::string& userid, std::string_view game, char field) {
  add(Record().put("user", userid).put("game", game).put("field", std::string(1, field)));
}
void Accounts::subscribe(const std::string& userid, const std::string& what, bool on) {
  add(Record().put("user", userid).put(on ? "subscribe" : "unsubscribe", what));
}
void Accounts::ban(const std::string& userid, std::optional<Time> until, const std::string& why) {
  add(Record()
          .put("user", userid)
          .put("banned", !until                  ? "no"
                         : *until == Time::max() ? "for good"
                                                 : iso_time(*until))
          .put("why", why));
}
void Accounts::mute(const std::string& userid, bool on) {
  add(Record().put("user", userid).put("muted", on ? "yes" : "no"));
}
void Accounts::rename(const std::string& userid, const std::string& now) {
  add(Record().put("user", userid).put("renamed", now));
}
void Accounts::set_signups(bool open) { add(Record().put("signups", open ? "open" : "closed")); }
void Accounts::block(const std::string& userid, const std::string& other, bool on) {
  add(Record().put("user", userid).put(on ? "block" : "unblock", other));
}

}  // namespace pbm
