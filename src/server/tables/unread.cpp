// SPDX-License-Identifier: MIT
#include "server/tables/unread.hpp"

#include <algorithm>
#include <vector>

#include "server/tables/chats.hpp"

namespace pbm {

void Unread::sweep(const std::function<bool(const std::string& board)>& there) {
  for (const std::string& board : database_.texts("SELECT DISTINCT board FROM unread"))
    if (!there(board)) database_.run("DELETE FROM unread WHERE board = ?", board);
}

std::size_t Unread::of(const std::string& userid, const std::string& board, bool over) {
  const auto& [lines, later] = unread_.get(userid + ' ' + board, [&] {
    auto row = database_.ask("SELECT lines, later FROM unread WHERE userid = ? AND board = ?",
                             userid, board);
    return row.next() ? std::pair(row.size(0), row.size(1)) : std::pair<std::size_t, std::size_t>();
  });
  return lines + (over ? later : 0);
}

void Unread::add(const std::string& userid, const std::string& board, std::size_t lines,
                 bool later) {
  if (of(userid, board, true) == 0 &&
      database_.count("SELECT count(*) FROM unread WHERE userid = ?", userid) >= kMaxBoards)
    return;
  database_.run(
      "INSERT INTO unread VALUES (?1, ?2, min(?3, ?5), min(?4, ?5)) ON CONFLICT DO UPDATE SET "
      "lines = min(lines + ?3, ?5), later = min(later + ?4, ?5)",
      userid, board, later ? 0 : lines, later ? lines : 0, Chats::kMaxLines);
}

void Unread::forget(const std::string& userid, const std::string& board, bool over) {
  if (of(userid, board, over) == 0) return;
  database_.run("UPDATE unread SET lines = 0, later = later * ?3 WHERE userid = ?1 AND board = ?2",
                userid, board, !over);
  database_.run("DELETE FROM unread WHERE userid = ? AND board = ? AND later = 0", userid, board);
}

}  // namespace pbm
