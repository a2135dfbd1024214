// SPDX-License-Identifier: MIT
#include "server/state/accounts.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {
Accounts::Accounts(CommitLog& log)
    : journal_(log, "accounts.yaml", "Who has a userid here. Written by the server only.",
               {[this](const Record& r) { take(r); }, [this] { return live(); }}) {}

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
  const std::string& userid = record.get("user");
  if (userid.empty()) return;
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
  if (record.has("computer")) a.computer = record.get("computer") == "yes";
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

std::vector<Record> Accounts::live() const {
  std::vector<Record> out;
  for (const auto& [userid, a] : accounts_) {
    const auto begin = [&out, &user = userid]() -> Record& {
      return out.emplace_back().put("user", user);
    };
    begin().put("since", iso_time(a.since)).put("password", a.hash).put("address", a.address);
    if (a.computer) begin().put("computer", "yes");
    for (const auto& [game, most] : a.limits) begin().put("game", game).put("limit", most);
    for (const auto& [game, field] : a.fields)
      begin().put("game", game).put("field", std::string(1, field));
    for (const std::string& what : a.subscriptions) begin().put("subscribe", what);
    for (const std::string& other : a.blocked) begin().put("block", other);
    if (a.closed) begin().put("closed", "yes");
  }
  return out;
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
void Accounts::block(const std::string& userid, const std::string& other, bool on) {
  add(Record().put("user", userid).put(on ? "block" : "unblock", other));
}

}  // namespace pbm
