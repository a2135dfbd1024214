// SPDX-License-Identifier: MIT
#include "server/tables/chats.hpp"

namespace pbm {

void Chats::sweep(const std::function<bool(const std::string& board)>& there) {
  std::string board;
  const auto next = [&] {
    auto row = database_.ask("SELECT board FROM chat WHERE board > ? LIMIT 1", board);
    return row.next() ? row.text(0) : "";
  };
  while (!(board = next()).empty())
    if (!there(board)) begin(board);
}

bool Chats::has(const std::string& board) {
  return database_.number("SELECT 1 FROM chat WHERE board = ?", board) != 0;
}

void Chats::begin(const std::string& board) {
  if (has(board)) database_.run("DELETE FROM chat WHERE board = ?", board);
}

void Chats::keep(const std::string& board, const std::string& userid,
                 const std::vector<std::string>& said, bool aside, Time at) {
  std::int64_t last = database_.number("SELECT max(line) FROM chat WHERE board = ?", board);
  for (const std::string& line : said)
    database_.run("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)", board, ++last, at, userid, line,
                  aside);
  database_.run(
      "DELETE FROM chat WHERE board = ?1 AND aside = ?2 AND line <= (SELECT line FROM chat WHERE "
      "board = ?1 AND aside = ?2 ORDER BY line DESC LIMIT 1 OFFSET ?3)",
      board, aside, kMaxLines);
}

std::vector<ChatLine> Chats::lines(const std::string& board, std::size_t behind) {
  const auto make = [](const Database::Rows& row) {
    return ChatLine{row.size(0), row.time(1), row.text(2), row.text(3), false, row.number(4) != 0};
  };
  return database_.all(
      make,
      "SELECT line, at, userid, text, aside FROM chat WHERE board = ? AND line > ? ORDER BY line",
      board, behind);
}

}  // namespace pbm
