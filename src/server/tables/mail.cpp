// SPDX-License-Identifier: MIT
#include "server/tables/mail.hpp"

#include <algorithm>

namespace pbm {

namespace {

std::string_view name_of(Event::Kind kind) {
  return std::ranges::find_if(event_rows(), [&](const EventRow& row) { return row.kind == kind; })
      ->name;
}

}  // namespace

void Mail::keep(const std::string& userid, const Event& event, const std::string& what, Time at) {
  const bool said = event.kind == Event::Kind::message || event.kind == Event::Kind::chat;
  database_.run(
      "INSERT INTO letter (userid, at, kind, board, sender, what) VALUES (?, ?, ?, ?, ?, ?)",
      userid, at, name_of(event.kind), event.board ? event.board->id() : "",
      said ? event.userid : "", what);
  if (database_.number("SELECT count(*) FROM letter WHERE userid = ? AND (sender <> '') = ?",
                       userid, said) <= static_cast<std::int64_t>(kMaxKept))
    return;
  database_.run(
      "DELETE FROM letter WHERE number = (SELECT min(number) FROM letter WHERE userid = ? AND "
      "sender = (SELECT sender FROM letter WHERE userid = ? AND (sender <> '') = ? "
      "GROUP BY sender ORDER BY count(*) DESC LIMIT 1))",
      userid, userid, said);
}

std::set<std::string> Mail::take_back(const std::string& board) {
  std::set<std::string> out;
  const std::string_view challenge = name_of(Event::Kind::challenge);
  for (auto row = database_.ask("SELECT userid FROM letter WHERE board = ? AND kind = ?", board,
                                challenge);
       row.next();)
    out.insert(row.text(0));
  if (!out.empty())
    database_.run("DELETE FROM letter WHERE board = ? AND kind = ?", board, challenge);
  return out;
}

std::size_t Mail::count(const std::string& userid) {
  return static_cast<std::size_t>(
      database_.number("SELECT count(*) FROM letter WHERE userid = ?", userid));
}

std::vector<Mail::Letter> Mail::letters(const std::string& userid) {
  std::vector<Letter> out;
  for (auto row = database_.ask(
           "SELECT what, at, number FROM letter WHERE userid = ? ORDER BY number", userid);
       row.next();)
    out.push_back({row.text(0), row.time(1), row.size(2)});
  return out;
}

void Mail::read(const std::string& userid, std::size_t last) {
  database_.run("DELETE FROM letter WHERE userid = ? AND number <= ?", userid, last);
}

}  // namespace pbm
