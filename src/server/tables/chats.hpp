// SPDX-License-Identifier: MIT
// What was said on boards: of each the last lines, which go when the board does, and how many of
// them somebody has not read. Leaves who may say or read what to commands/.
#pragma once

#include <functional>
#include <vector>

#include "protocol/people.hpp"
#include "store/database.hpp"

namespace pbm {

class Chats {
 public:
  static constexpr std::size_t kMaxLines = 500;  // of one board, and as many aside; the oldest go

  explicit Chats(Database& database) : database_(database), unread_(database, "unread") {}

  // Removes what was said on boards that are no more, and how much of it is unread.
  void sweep(const std::function<bool(const std::string& board)>& there);
  // Whether anything was said on a board.
  bool has(const std::string& board);
  // A board is new: what was said on another one of that number is not said on it.
  void begin(const std::string& board);

  // Keeps what somebody says; `aside`: watching a game that runs. Throws Error.
  void keep(const std::string& board, const std::string& userid,
            const std::vector<std::string>& said, bool aside, Time at);
  // Somebody is called otherwise, also by whoever has blocked him.
  void rename(const std::string& userid, const std::string& now);
  // Those behind that line, the oldest first.
  std::vector<ChatLine> lines(const std::string& board, std::size_t behind = 0);

  // How many lines somebody has not read there; `over`: with what a player may read once the game
  // is. Only what is unread is kept, so that it costs nothing for all other boards.
  static constexpr std::size_t kMaxBoards = 1000;  // of one user; on more nothing is counted
  std::size_t unread(const std::string& userid, const std::string& board, bool over = false);
  // Both throw Error. So many more were said, but no more than a board keeps, and those to be read
  // `later`; and he has read them, or there is no such board any more.
  void add_unread(const std::string& userid, const std::string& board, std::size_t lines,
                  bool later);
  void read(const std::string& userid, const std::string& board, bool over);

 private:
  Database& database_;
  Remembered<std::pair<std::size_t, std::size_t>> unread_;  // lines, and later ones
};

}  // namespace pbm
