// SPDX-License-Identifier: MIT
#include "server/tables/unread.hpp"

#include <algorithm>
#include <vector>

#include "server/tables/chats.hpp"

namespace pbm {

void Unread::sweep(const std::function<bool(const std::string& board)>& there) {
  std::vector<std::string> boards;
  for (auto row = database_.ask("SELECT DISTINCT board FROM unread"); row.next();)
    if (!there(row.text(0))) boards.push_back(row.text(0));
  for (const std::string& board : boards)
    database_.run("DELETE FROM unread WHERE board = ?", board);
}

std::size_t Unread::of(const std::string& userid, const std::string& board) {
  return unread_.get(userid + ' ' + board, [&] {
    return static_cast<std::size_t>(
        database_.number("SELECT lines FROM unread WHERE userid = ? AND board = ?", userid, board));
  });
}

void Unread::add(const std::string& userid, const std::string& board, std::size_t lines) {
  const std::size_t before = of(userid, board);
  if (before == 0 && database_.number("SELECT count(*) FROM unread WHERE userid = ?", userid) >=
                         static_cast<std::int64_t>(kMaxBoards))
    return;
  database_.run("REPLACE INTO unread VALUES (?, ?, ?)", userid, board,
                std::min(before + lines, Chats::kMaxLines));
}

void Unread::forget(const std::string& userid, const std::string& board) {
  if (of(userid, board) > 0)
    database_.run("DELETE FROM unread WHERE userid = ? AND board = ?", userid, board);
}

}  // namespace pbm
