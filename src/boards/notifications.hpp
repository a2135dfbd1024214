// SPDX-License-Identifier: MIT
// Events of a server in words for people. Leaves what they change to remote_boards.hpp.
#pragma once

#include "protocol/events.hpp"

namespace pbm {

// What came from a server by itself, in words for the person, harmless to any terminal.
struct Notification {
  enum class Kind : std::uint8_t {
    talk,        // somebody said it
    ply,         // something was done on a board, which shows it
    offer,       // something was offered there, or such an offer answered
    turn,        // it is one's turn there now
    board,       // anything else about a board: a challenge, who watches
    connection,  // lost, back, and what became of a ply meanwhile
    gone,        // that board is not there any more
  };
  Kind kind = Kind::talk;
  std::string board;  // the board it is about, or ""
  std::string text;   // "wilma: have fun"
  bool own = false;   // said from here
};

// What came and nobody has taken, the latest of it.
class NotificationQueue {
 public:
  static constexpr std::size_t kMost = 1000;
  void add(Notification::Kind kind, const std::string& board, const std::string& text,
           bool own = false);
  // Of the connection, and what that means to a board or "".
  void add_of_line(const std::string& text, const std::string& board = "") {
    add(Notification::Kind::connection, board, text);
  }
  bool empty() const { return queue_.empty(); }
  // What came since the last call, the oldest first.
  std::vector<Notification> take() { return std::exchange(queue_, {}); }

 private:
  std::vector<Notification> queue_;
};

// Nothing for an event that says nothing to people.
std::optional<Notification> notification_of(const Event& event);

}  // namespace pbm
