// SPDX-License-Identifier: MIT
#include "server/tables/accounts.hpp"

#include "base/text.hpp"

namespace pbm {

namespace {

Account read_account(const Database::Rows& row) {
  Account a;
  a.userid = row.text(0);
  a.password_hash = row.text(1);
  a.address = row.text(2);
  a.created = row.time(3);
  a.is_closed = row.number(4) != 0;
  a.is_computer = row.number(5) != 0;
  a.is_muted = row.number(6) != 0;
  a.banned_until = row.get_optional<Time>(7);
  a.ban_reason = row.text(8);
  a.notification_choice = read_notification_choice(row.text(9)).value_or(NotificationChoice{});
  a.new_userid = row.text(12);
  return a;
}

}  // namespace

std::size_t Accounts::size() { return database_.query_count("SELECT count(*) FROM account"); }

std::optional<Account> Accounts::find_any(std::string_view userid) {
  const std::string known = lower(userid);
  return accounts_.get(known, [&] {
    return database_.query_first(read_account, "SELECT * FROM account WHERE userid = ?", known);
  });
}

std::optional<Account> Accounts::find(std::string_view userid) {
  auto account = find_any(userid);
  if (account && account->is_closed) account.reset();
  return account;
}

std::string Accounts::current_userid(const std::string& name) {
  const auto account = find_any(name);
  return account && !account->new_userid.empty() ? account->new_userid : lower(name);
}

std::vector<Account> Accounts::all() {
  return database_.query_all(read_account,
                             "SELECT * FROM account WHERE NOT closed ORDER BY userid");
}

std::optional<std::size_t> Accounts::board_limit(const std::string& userid, std::string_view game) {
  auto row =
      database_.query("SELECT boards FROM choice WHERE userid = ? AND game = ?", userid, game);
  return row.next() ? row.get_optional<std::size_t>(0) : std::nullopt;
}

std::optional<char> Accounts::chosen_field(const std::string& userid, const GameType& game) {
  return fields_.get(userid + ' ' + std::string(game.name), [&]() -> std::optional<char> {
    auto row = database_.query("SELECT field FROM choice WHERE userid = ? AND game = ?", userid,
                               game.name);
    if (!row.next() || row.is_null(0)) return std::nullopt;
    const char field = row.text(0).front();
    return game.drawing_styles.find(field) != std::string_view::npos ? std::optional(field)
                                                                     : std::nullopt;
  });
}

std::set<std::string> Accounts::subscriptions(const std::string& userid) {
  const auto all = database_.query_texts("SELECT board FROM subscription WHERE userid = ?", userid);
  return {all.begin(), all.end()};
}

NotificationChoice Accounts::notification_choice(const Account& account, const std::string& board) {
  auto row = database_.query("SELECT wish FROM notice WHERE userid = ? AND board = ?",
                             account.userid, board);
  return row.next() ? read_notification_choice(row.text(0)).value_or(account.notification_choice)
                    : account.notification_choice;
}

std::vector<std::string> Accounts::find_by_address(const std::string& address) {
  return database_.query_texts(
      "SELECT userid FROM account WHERE address = ? COLLATE NOCASE AND address <> '' "
      "ORDER BY userid",
      address);
}

std::vector<std::string> Accounts::blocked_userids(const std::string& userid) {
  return database_.query_texts("SELECT blocked FROM block WHERE userid = ?", userid);
}

bool Accounts::has_blocked(const std::string& userid, const std::string& other) {
  return database_.query_number("SELECT 1 FROM block WHERE userid = ? AND blocked = ?", userid,
                                other) != 0;
}

Result<Success> Accounts::check_blocks(const std::string& userid, const std::string& other) {
  for (const auto& [who, whom] : {std::pair(userid, other), std::pair(other, userid)})
    if (has_blocked(who, whom)) return Refusal{who + " has blocked " + whom + "."};
  return Success{};
}

void Accounts::remove_blockers(std::vector<std::string>& users, const std::string& userid) {
  std::erase_if(users, [&](const std::string& user) { return has_blocked(user, userid); });
}

const std::vector<std::string>& Accounts::subscribers(const std::string& board,
                                                      const std::string& game) {
  return subscribers_.get(board, [&] {
    return database_.query_texts(
        "SELECT DISTINCT userid FROM subscription WHERE board IN (?, ?) ORDER BY userid", board,
        game);
  });
}

std::size_t Accounts::count_since(Time start) {
  return database_.query_count("SELECT count(*) FROM account WHERE since > ? AND renamed IS NULL",
                               start);
}

std::vector<std::string> Accounts::former_userids(const std::string& userid) {
  return database_.query_texts("SELECT userid FROM account WHERE renamed = ?", userid);
}

bool Accounts::has_played(const std::string& userid) {
  return database_.query_number(
             "SELECT 1 FROM seat WHERE name = ?1 UNION SELECT 1 FROM finished_seat WHERE userid = "
             "?1 UNION SELECT 1 FROM chat WHERE userid = ?1 UNION SELECT 1 FROM letter WHERE "
             "sender = ?1 UNION SELECT 1 FROM entry WHERE userid = ?1 UNION SELECT 1 FROM "
             "tournament WHERE creator = ?1 UNION SELECT 1 FROM rung WHERE userid = ?1 UNION "
             "SELECT 1 FROM ladder_game WHERE ?1 IN (challenger, challenged)",
             userid) != 0;
}

void Accounts::put(const Account& a) {
  database_.run(
      "INSERT INTO account (userid, hash, address, since, closed, computer, muted, banned, "
      "banned_why, notices) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
      "ON CONFLICT DO UPDATE SET hash = ?2, address = ?3, since = ?4, closed = ?5, computer = ?6, "
      "muted = ?7, banned = ?8, banned_why = ?9, notices = ?10",
      a.userid, a.password_hash, a.address, a.created, a.is_closed, a.is_computer, a.is_muted,
      a.banned_until, a.ban_reason, to_string(a.notification_choice));
}
void Accounts::close(const std::string& userid) {
  database_.run("UPDATE account SET closed = 1, hash = '', address = '' WHERE userid = ?", userid);
  database_.run("DELETE FROM subscription WHERE userid = ?", userid);
  database_.run("DELETE FROM wanted WHERE userid = ?", userid);
}
void Accounts::remove(const std::string& userid) {
  for (const char* what :
       {"DELETE FROM wanted WHERE userid = ?", "DELETE FROM choice WHERE userid = ?",
        "DELETE FROM notice WHERE userid = ?", "DELETE FROM subscription WHERE userid = ?",
        "DELETE FROM block WHERE ? IN (userid, blocked)", "DELETE FROM vacation WHERE userid = ?",
        "DELETE FROM letter WHERE userid = ?", "DELETE FROM unread WHERE userid = ?",
        "DELETE FROM seek WHERE userid = ?", "DELETE FROM queued WHERE userid = ?",
        "DELETE FROM login_key WHERE userid = ?", "DELETE FROM invitation WHERE inviter = ?",
        "DELETE FROM account WHERE renamed = ?", "DELETE FROM account WHERE userid = ?"})
    database_.run(what, userid);
}
void Accounts::set_notification_choice(const std::string& userid, const std::string& board,
                                       const NotificationChoice& wish) {
  database_.run("REPLACE INTO notice VALUES (?, ?, ?)", userid, board, to_string(wish));
}
void Accounts::delete_old_choices() {
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
void Accounts::set_subscription(const std::string& userid, const std::string& what, bool on) {
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
bool Accounts::has_open_signups() {
  return database_.query_number("SELECT 1 FROM setting WHERE name = 'signups' AND value = 0") == 0;
}
void Accounts::set_signups(bool open) {
  database_.run("REPLACE INTO setting VALUES ('signups', ?)", open);
}
bool Accounts::may_invite() {
  return database_.query_number("SELECT 1 FROM setting WHERE name = 'invites' AND value = 1") != 0;
}
void Accounts::set_invites(bool open) {
  database_.run("REPLACE INTO setting VALUES ('invites', ?)", open);
}
void Accounts::set_block(const std::string& userid, const std::string& other, bool on) {
  database_.run(on ? "INSERT OR IGNORE INTO block VALUES (?, ?)"
                   : "DELETE FROM block WHERE userid = ? AND blocked = ?",
                userid, other);
}

}  // namespace pbm
