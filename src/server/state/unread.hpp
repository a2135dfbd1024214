// SPDX-License-Identifier: MIT
// How many lines were said on boards that somebody has not read there. Only what is unread is kept,
// so that it costs nothing for all other boards. Leaves the lines to chats.hpp.
#pragma once

#include <map>

#include "server/state/journal.hpp"

namespace pbm {

class Unread {
 public:
  static constexpr std::size_t kMaxBoards = 1000;  // of one user; on more nothing is counted

  explicit Unread(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // Counts nothing any more on boards that are no more.
  void sweep(const std::function<bool(const std::string& board)>& there);

  std::size_t of(const std::string& userid, const std::string& board) const;
  // Both throw Error with nothing changed. So many more were said, but no more than a board keeps;
  // and he has read them, or there is no such board any more.
  void add(const std::string& userid, const std::string& board, std::size_t lines);
  void forget(const std::string& userid, const std::string& board);

 private:
  void take(const Record& record);
  void put(const std::string& userid, const std::string& board, std::size_t lines);

  std::map<std::string, std::map<std::string, std::size_t>> lines_;  // by userid, and board
  Journal journal_;
};

}  // namespace pbm
