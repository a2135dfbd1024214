// SPDX-License-Identifier: MIT
// Events for users who were not watching, kept until they watch. Leaves notifications by an
// external program to notifier.hpp.
#pragma once

#include <set>
#include <vector>

#include "protocol/events.hpp"
#include "store/database.hpp"

namespace pbm {

class Mail {
 public:
  // The most events kept for one user, and the most chat lines and messages. The oldest goes first;
  // of chat and messages, the oldest of the busiest sender, so that no sender displaces others.
  static constexpr std::size_t kMaxKept = 100;

  explicit Mail(Database& database) : database_(database) {}

  // Keeps an event for `userid`; `what` is its encoded line. Throws Error.
  void add(const std::string& userid, const Event& event, const std::string& what, Time at);
  // Deletes unread mail about a challenge that is gone. Returns the users who had such mail.
  std::set<std::string> withdraw_challenge(const std::string& board);
  std::size_t count(const std::string& userid);
  // Returns all mail of `userid`, the oldest first; or only the mail after the last notification.
  struct Letter {
    std::string event_line;
    Time sent_at{};
    std::size_t number = 0;  // rises with each kept event
  };
  std::vector<Letter> letters(const std::string& userid, bool untold = false);
  // Deletes mail that was read, up to number `last`. Throws Error.
  void delete_read(const std::string& userid, std::size_t last);

 private:
  Database& database_;
};

}  // namespace pbm
