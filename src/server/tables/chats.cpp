// SPDX-License-Identifier: MIT
#include "server/tables/chats.hpp"

namespace pbm {

void Chats::delete_orphans(const std::function<bool(const std::string& board)>& there) {
  std::string board;
  const auto next = [&] {
    auto row = database_.query("SELECT board FROM chat WHERE board > ? LIMIT 1", board);
    return row.next() ? row.text(0) : "";
  };
  while (!(board = next()).empty())
    if (!there(board)) clear(board);
}

bool Chats::has_chat(const std::string& board) {
  return database_.query_number("SELECT 1 FROM chat WHERE board = ?", board) != 0;
}

void Chats::clear(const std::string& board) {
  if (!has_chat(board)) return;
  database_.run("DELETE FROM chat WHERE board = ?", board);
  database_.run("DELETE FROM unread WHERE board = ?", board);
}

void Chats::add_lines(const std::string& board, const std::string& userid,
                      const std::vector<std::string>& said, bool aside, Time at) {
  std::int64_t last = database_.query_number("SELECT max(line) FROM chat WHERE board = ?", board);
  for (const std::string& line : said)
    database_.run("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)", board, ++last, at, userid, line,
                  aside);
  database_.run(
      "DELETE FROM chat WHERE board = ?1 AND aside = ?2 AND line <= (SELECT line FROM chat WHERE "
      "board = ?1 AND aside = ?2 ORDER BY line DESC LIMIT 1 OFFSET ?3)",
      board, aside, kMaxLines);
}

void Chats::rename(const std::string& userid, const std::string& now) {
  database_.run("UPDATE chat SET userid = ? WHERE userid = ?", now, userid);
}

std::vector<ChatLine> Chats::lines(const std::string& board, std::size_t behind) {
  const auto make = [](const Database::Rows& row) {
    return ChatLine{row.size(0), row.time(1), row.text(2), row.text(3), false, row.number(4) != 0};
  };
  return database_.query_all(
      make,
      "SELECT line, at, userid, text, aside FROM chat WHERE board = ? AND line > ? ORDER BY line",
      board, behind);
}

std::size_t Chats::unread_count(const std::string& userid, const std::string& board, bool over) {
  const auto& [lines, later] = unread_.get(userid + ' ' + board, [&] {
    auto row = database_.query("SELECT lines, later FROM unread WHERE userid = ? AND board = ?",
                               userid, board);
    return row.next() ? std::pair(row.size(0), row.size(1)) : std::pair<std::size_t, std::size_t>();
  });
  return lines + (over ? later : 0);
}

void Chats::add_unread(const std::string& userid, const std::string& board, std::size_t lines,
                       bool later) {
  if (unread_count(userid, board, true) == 0 &&
      database_.query_count("SELECT count(*) FROM unread WHERE userid = ?", userid) >=
          kMaxUnreadBoards)
    return;
  database_.run(
      "INSERT INTO unread VALUES (?1, ?2, min(?3, ?5), min(?4, ?5)) ON CONFLICT DO UPDATE SET "
      "lines = min(lines + ?3, ?5), later = min(later + ?4, ?5)",
      userid, board, later ? 0 : lines, later ? lines : 0, kMaxLines);
}

void Chats::mark_read(const std::string& userid, const std::string& board, bool over) {
  if (unread_count(userid, board, over) == 0) return;
  database_.run("UPDATE unread SET lines = 0, later = later * ?3 WHERE userid = ?1 AND board = ?2",
                userid, board, !over);
  database_.run("DELETE FROM unread WHERE userid = ? AND board = ? AND later = 0", userid, board);
}

}  // namespace pbm
