// SPDX-License-Identifier: MIT
// What was said on boards: of each the last lines, in a file of their own that is read when somebody
// asks for them and goes when the board does. Leaves who may say or read what to commands/.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "protocol/board_id.hpp"
#include "protocol/chat.hpp"
#include "store/commit_log.hpp"

namespace pbm {

class Chats {
 public:
  static constexpr std::size_t kMaxLines = 500;  // of one board; the oldest go

  // `tell` takes a sentence about what could not be read.
  Chats(CommitLog& log, std::function<void(const std::string&)> tell)
      : log_(log), tell_(std::move(tell)) {}

  // Removes what was said on boards that are no more, not even put away. Pre: none of them is in
  // the log.
  void sweep(const std::function<bool(const BoardKey&)>& there);
  // Whether anything was said on a board.
  bool has(const BoardKey& key) const;
  // A board is new: what was said on another one of that number is not said on it.
  void begin(const BoardKey& key);

  // Keeps what somebody says. Throws Error with nothing kept.
  void keep(const BoardKey& key, const std::string& userid, const std::vector<std::string>& said,
            Time at);
  // Runs `then` once all of that is on disk. Pre: something was kept on this board just now.
  void after(const BoardKey& key, CommitLog::Then then) {
    log_.after(*open(key).file, std::move(then));
  }
  // The oldest first; good until the next call. Throws Error.
  const std::vector<ChatLine>& lines(const BoardKey& key);

 private:
  struct Chat {
    FilePtr file;  // null: nothing was said
    std::vector<ChatLine> lines;
    std::size_t records = 0, last = 0;  // lines of the file, and the number of the last one
  };
  static std::string name(const BoardKey& key);
  std::filesystem::path path(const BoardKey& key) const;
  Chat& open(const BoardKey& key);
  void read(const BoardKey& key, Chat& chat);
  FilePtr open_file(const BoardKey& key) const;
  void write_anew(const BoardKey& key, Chat& chat);

  CommitLog& log_;
  std::function<void(const std::string&)> tell_;
  std::map<BoardKey, Chat> open_;  // those lately used
};

}  // namespace pbm
