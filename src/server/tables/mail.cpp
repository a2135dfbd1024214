// SPDX-License-Identifier: MIT
#include "server/tables/mail.hpp"

namespace pbm {
namespace {

std::string_view kind_name(Event::Kind kind) {
  return event_rows()[static_cast<std::size_t>(kind)].name;
}

}  // namespace

void Mail::add(const std::string& userid, const Event& event, const std::string& what, Time at) {
  const bool said = event.kind == Event::Kind::message || event.kind == Event::Kind::chat;
  database_.run(
      "INSERT INTO letter (userid, at, kind, board, sender, what) VALUES (?, ?, ?, ?, ?, ?)",
      userid, at, kind_name(event.kind), event.board ? event.board->id() : "",
      said ? event.userid : "", what);
  if (database_.query_count("SELECT count(*) FROM letter WHERE userid = ? AND (sender <> '') = ?",
                            userid, said) <= kMaxKept)
    return;
  database_.run(
      "DELETE FROM letter WHERE number = (SELECT min(number) FROM letter WHERE userid = ? AND "
      "sender = (SELECT sender FROM letter WHERE userid = ? AND (sender <> '') = ? "
      "GROUP BY sender ORDER BY count(*) DESC LIMIT 1))",
      userid, userid, said);
}

std::set<std::string> Mail::withdraw_challenge(const std::string& board) {
  const std::string_view challenge = kind_name(Event::Kind::challenge);
  const auto all = database_.query_texts("SELECT userid FROM letter WHERE board = ? AND kind = ?",
                                         board, challenge);
  if (!all.empty())
    database_.run("DELETE FROM letter WHERE board = ? AND kind = ?", board, challenge);
  return {all.begin(), all.end()};
}

std::size_t Mail::count(const std::string& userid) {
  return database_.query_count("SELECT count(*) FROM letter WHERE userid = ?", userid);
}

std::vector<Mail::Letter> Mail::letters(const std::string& userid, bool untold) {
  const auto make = [](const Database::Rows& row) {
    return Letter{row.text(0), row.time(1), row.size(2)};
  };
  return database_.query_all(make,
                             "SELECT what, at, number FROM letter JOIN account USING (userid) "
                             "WHERE userid = ? AND number > heard * ? ORDER BY number",
                             userid, untold);
}

void Mail::delete_read(const std::string& userid, std::size_t last) {
  database_.run("DELETE FROM letter WHERE userid = ? AND number <= ?", userid, last);
}

}  // namespace pbm
