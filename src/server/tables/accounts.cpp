// SPDX-License-Identifier: MIT
#include "server/tables/accounts.hpp"

#include "base/text.hpp"

namespace pbm {

namespace {

Account account_in(const Database::Rows& row) {
  Account a;
  a.userid = row.text(0);
  a.hash = row.text(1);
  a.address = row.text(2);
  a.since = row.time(3);
  a.closed = row.number(4) != 0;
  a.computer = row.number(5) != 0;
  a.muted = row.number(6) != 0;
  a.banned = row.maybe<Time>(7);
  a.banned_why = row.text(8);
  a.notices = read_notice_wish(row.text(9)).value_or(NoticeWish{});
  a.renamed = row.text(12);
  return a;
}

}  // namespace

std::size_t Accounts::size() { return database_.count("SELECT count(*) FROM account"); }

std::optional<Account> Accounts::ever(std::string_view userid) {
  const std::string known = lower(userid);
  return accounts_.get(known, [&] {
    return database_.first(account_in, "SELECT * FROM account WHERE userid = ?", known);
  });
}

std::optional<Account> Accounts::find(std::string_view userid) {
  auto account = ever(userid);
  if (account && account->closed) account.reset();
  return account;
}

std::vector<Account> Accounts::all() {
  return database_.all(account_in, "SELECT * FROM account WHERE NOT closed ORDER BY userid");
}

std::optional<std::size_t> Accounts::limit(const std::string& userid, std::string_view game) {
  auto row = database_.ask("SELECT boards FROM choice WHERE userid = ? AND game = ?", userid, game);
  return row.next() ? row.maybe<std::size_t>(0) : std::nullopt;
}

std::optional<char> Accounts::field(const std::string& userid, const GameType& game) {
  return fields_.get(userid + ' ' + std::string(game.name), [&]() -> std::optional<char> {
    auto row =
        database_.ask("SELECT field FROM choice WHERE userid = ? AND game = ?", userid, game.name);
    if (!row.next() || row.null(0)) return std::nullopt;
    const char field = row.text(0).front();
    return game.fields.find(field) != std::string_view::npos ? std::optional(field) : std::nullopt;
  });
}

std::set<std::string> Accounts::subscriptions(const std::string& userid) {
  const auto all = database_.texts("SELECT board FROM subscription WHERE userid = ?", userid);
  return {all.begin(), all.end()};
}

NoticeWish Accounts::notices(const Account& account, const std::string& board) {
  auto row = database_.ask("SELECT wish FROM notice WHERE userid = ? AND board = ?", account.userid,
                           board);
  return row.next() ? read_notice_wish(row.text(0)).value_or(account.notices) : account.notices;
}

std::vector<std::string> Accounts::at(const std::string& address) {
  return database_.texts(
      "SELECT userid FROM account WHERE address = ? COLLATE NOCASE AND address <> '' "
      "ORDER BY userid",
      address);
}

std::vector<std::string> Accounts::blocked(const std::string& userid) {
  return database_.texts("SELECT blocked FROM block WHERE userid = ?", userid);
}

bool Accounts::has_blocked(const std::string& userid, const std::string& other) {
  return database_.number("SELECT 1 FROM block WHERE userid = ? AND blocked = ?", userid, other) !=
         0;
}

Result<Done> Accounts::may_meet(const std::string& userid, const std::string& other) {
  for (const auto& [who, whom] : {std::pair(userid, other), std::pair(other, userid)})
    if (has_blocked(who, whom)) return Refusal{who + " has blocked " + whom + "."};
  return Done{};
}

void Accounts::leave_out_blocking(std::vector<std::string>& users, const std::string& userid) {
  std::erase_if(users, [&](const std::string& user) { return has_blocked(user, userid); });
}

const std::vector<std::string>& Accounts::subscribers(const std::string& board,
                                                      const std::string& game) {
  return subscribers_.get(board, [&] {
    return database_.texts(
        "SELECT DISTINCT userid FROM subscription WHERE board IN (?, ?) ORDER BY userid", board,
        game);
  });
}

void Accounts::put(const Account& a) {
  database_.run(
      "INSERT INTO account (userid, hash, address, since, closed, computer, muted, banned, "
      "banned_why, notices) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
      "ON CONFLICT DO UPDATE SET hash = ?2, address = ?3, since = ?4, closed = ?5, computer = ?6, "
      "muted = ?7, banned = ?8, banned_why = ?9, notices = ?10",
      a.userid, a.hash, a.address, a.since, a.closed, a.computer, a.muted, a.banned, a.banned_why,
      to_string(a.notices));
}
void Accounts::close(const std::string& userid) {
  database_.run("UPDATE account SET closed = 1, hash = '', address = '' WHERE userid = ?", userid);
  database_.run("DELETE FROM subscription WHERE userid = ?", userid);
  database_.run("DELETE FROM wanted WHERE userid = ?", userid);
}
void Accounts::set_notices(const std::string& userid, const std::string& board,
                           const NoticeWish& wish) {
  database_.run("REPLACE INTO notice VALUES (?, ?, ?)", userid, board, to_string(wish));
}
void Accounts::sweep_notices() {
  database_.run(
      "DELETE FROM notice WHERE board NOT IN (SELECT board FROM board) AND NOT EXISTS "
      "(SELECT 1 FROM letter WHERE letter.userid = notice.userid AND letter.board = notice.board)");
}
void Accounts::set_limit(const std::string& userid, std::string_view game,
                         std::optional<std::size_t> most) {
  database_.run(
      "INSERT INTO choice (userid, game, boards) VALUES (?, ?, ?) "
      "ON CONFLICT DO UPDATE SET boards = excluded.boards",
      userid, game, most);
}
void Accounts::set_field(const std::string& userid, std::string_view game, char field) {
  database_.run(
      "INSERT INTO choice (userid, game, field) VALUES (?, ?, ?) "
      "ON CONFLICT DO UPDATE SET field = excluded.field",
      userid, game, std::string_view(&field, 1));
}
void Accounts::subscribe(const std::string& userid, const std::string& what, bool on) {
  database_.run(on ? "INSERT OR IGNORE INTO subscription (userid, board) VALUES (?, ?)"
                   : "DELETE FROM subscription WHERE userid = ? AND board = ?",
                userid, what);
}
void Accounts::rename(const std::string& userid, const std::string& now) {
  database_.run("UPDATE account SET userid = ? WHERE userid = ?", now, userid);
  database_.run(
      "INSERT INTO account (userid, hash, address, since, closed, renamed) "
      "SELECT ?, '', '', since, 1, userid FROM account WHERE userid = ?",
      userid, now);
}
bool Accounts::signups() {
  return database_.number("SELECT 1 FROM setting WHERE name = 'signups' AND value = 0") == 0;
}
void Accounts::set_signups(bool open) {
  database_.run("REPLACE INTO setting VALUES ('signups', ?)", open);
}
void Accounts::block(const std::string& userid, const std::string& other, bool on) {
  database_.run(on ? "INSERT OR IGNORE INTO block VALUES (?, ?)"
                   : "DELETE FROM block WHERE userid = ? AND blocked = ?",
                userid, other);
}

}  // namespace pbm
