// SPDX-License-Identifier: MIT
// Boards on a server, as the server last reported them: the list of the user's boards, and the
// matches of those opened lately. Each report about an action updates them. Leaves asking the
// server to remote_boards.hpp.
#pragma once

#include <map>

#include "protocol/board_summary.hpp"

namespace pbm {

class FollowedBoards {
 public:
  // Sorted by is_listed_before().
  const std::vector<BoardSummary>& list() const { return list_; }
  void clear() { list_.clear(); }
  // Adds boards that are not listed yet, up to 2000 in all. Returns true if there is room for more.
  bool add(std::vector<BoardSummary> boards, const std::string& user);
  // Returns the listed board with that id, or null.
  const BoardSummary* find(const std::string& id) const;

  // Returns the key of a full id, which need not be listed, or of a bare number that one listed
  // board has. Refuses an id that names no board or several.
  Result<BoardKey> find_key(const std::string& id) const;

  // Marks the chat of that board as read. Returns false if it was read already.
  bool mark_read(const std::string& id);

  // Keeps a match that was just read. If there are too many, drops the one opened longest ago.
  void keep_match(const std::string& id, Match match);
  // Returns the match of a board, or null if an action on it is missing here.
  const Match* find_match(const std::string& id) const;
  void forget_match(const std::string& id) {
    std::erase_if(matches_, [&](const FollowedMatch& f) { return f.id == id; });
  }
  void forget_matches() { matches_.clear(); }

  // Takes in a report about a board of `user`, from a reply or an event. Forgets a match that does
  // not fit the report.
  void apply(BoardSummary update, const std::string& user);

 private:
  struct FollowedMatch {
    std::string id;
    Match match;
    std::map<std::size_t, LogEntry> early_actions =
        {};  // actions reported too early, by their place
    bool apply(const BoardSummary& update);
  };

  void sort(const std::string& user);

  std::vector<BoardSummary> list_;
  std::vector<FollowedMatch> matches_;  // the one opened last is at the end
};

}  // namespace pbm
