// SPDX-License-Identifier: MIT
// The chat of each board: its last lines, deleted with the board, and how many of them each user
// has not read. Leaves the permissions to commands/.
#pragma once

#include <functional>
#include <vector>

#include "protocol/people.hpp"
#include "store/database.hpp"

namespace pbm {

class Chats {
 public:
  static constexpr std::size_t kMaxLines = 500;  // of a board, and as many aside; the latest stay

  explicit Chats(Database& database) : database_(database), unread_(database, "unread") {}

  // Deletes the chat of boards that no longer exist.
  void delete_orphans(const std::function<bool(const std::string& board)>& there);
  // True if a board has any chat.
  bool has_chat(const std::string& board);
  // Deletes the chat of an earlier board that had the same number.
  void clear(const std::string& board);

  // Adds lines. `aside` is true if a watcher wrote them during the game. Throws Error.
  void add_lines(const std::string& board, const std::string& userid,
                 const std::vector<std::string>& said, bool aside, Time at);
  // Changes the userid of an author, so that blocks still apply to these lines.
  void rename(const std::string& userid, const std::string& now);
  // Returns the lines after number `behind`, the oldest first.
  std::vector<ChatLine> lines(const std::string& board, std::size_t behind = 0);

  // Returns how many lines a user has not read there. With `over`, lines that a player may read
  // only after the game count too. Only unread lines have a row, so other boards cost nothing.
  static constexpr std::size_t kMaxUnreadBoards =
      1000;  // with unread lines of one user; others count 0
  std::size_t unread_count(const std::string& userid, const std::string& board, bool over = false);
  // Both throw Error. Adds unread lines, up to kMaxLines; `later` if a player may read them only
  // after the game. mark_read() marks them as read.
  void add_unread(const std::string& userid, const std::string& board, std::size_t lines,
                  bool later);
  void mark_read(const std::string& userid, const std::string& board, bool over);

 private:
  Database& database_;
  QueryCache<std::pair<std::size_t, std::size_t>> unread_;  // unread lines, and those for later
};

}  // namespace pbm
