// SPDX-License-Identifier: MIT
// What a server has told of the boards that somebody plays or watches there: the list of them, and
// the matches of those lately opened, kept up to date by what it tells of each thing that is done.
// Leaves asking the server to remote_boards.hpp.
#pragma once

#include <map>

#include "protocol/board_summary.hpp"

namespace pbm {

class FollowedBoards {
 public:
  // In the order of listed_before().
  const std::vector<BoardSummary>& list() const { return list_; }
  void clear() { list_.clear(); }
  // Adds those that are not there yet, up to 2000. Whether there is room for more.
  bool add(std::vector<BoardSummary> boards, const std::string& user);
  // The board of that id in the list, or null.
  const BoardSummary* find(const std::string& id) const;

  // The board of that id, or of that number where one in the list has it; it need not be there.
  // Refuses what names none, or several.
  Result<BoardKey> key_of(const std::string& id) const;

  // What was said on that board was read. False when nothing is new by that.
  bool read(const std::string& id);

  // Keeps a match that was just read, in place of the one that was opened longest ago.
  void follow(const std::string& id, Match match);
  // The match of a board, or null where not all is known that was done on it.
  const Match* match(const std::string& id) const;
  void forget_match(const std::string& id) {
    std::erase_if(matches_, [&](const Followed& f) { return f.id == id; });
  }
  void forget_matches() { matches_.clear(); }

  // What a reply or an event tells of a board of `user`. A match that cannot have become what is
  // told is forgotten.
  void take(BoardSummary update, const std::string& user);

 private:
  struct Followed {
    std::string id;
    Match match;
    std::map<std::size_t, Action> ahead = {};  // told before what comes before it, by its place
    bool go_on(const BoardSummary& update);
  };

  void sort(const std::string& user);

  std::vector<BoardSummary> list_;
  std::vector<Followed> matches_;  // the latest opened last
};

}  // namespace pbm
