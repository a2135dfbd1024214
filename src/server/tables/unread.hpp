// SPDX-License-Identifier: MIT
// How many lines were said on boards that somebody has not read there. Only what is unread is kept,
// so that it costs nothing for all other boards. Leaves the lines to chats.hpp.
#pragma once

#include <functional>

#include "store/database.hpp"

namespace pbm {

class Unread {
 public:
  static constexpr std::size_t kMaxBoards = 1000;  // of one user; on more nothing is counted

  explicit Unread(Database& database) : database_(database), unread_(database, "unread") {}

  // Counts nothing any more on boards that are no more.
  void sweep(const std::function<bool(const std::string& board)>& there);

  // `over`: with what a player may read once the game is.
  std::size_t of(const std::string& userid, const std::string& board, bool over = false);
  // Both throw Error. So many more were said, but no more than a board keeps, and those to be read
  // `later`; and he has read them, or there is no such board any more.
  void add(const std::string& userid, const std::string& board, std::size_t lines, bool later);
  void forget(const std::string& userid, const std::string& board, bool over);

 private:
  Database& database_;
  Remembered<std::pair<std::size_t, std::size_t>> unread_;  // lines, and later ones
};

}  // namespace pbm
