// SPDX-License-Identifier: MIT
// Events of a server as sentences for people. Leaves their effects on boards to remote_boards.hpp.
#pragma once

#include "protocol/events.hpp"

namespace pbm {

// A message that something happened on the server; the text is safe for any terminal.
struct Notification {
  enum class Kind : std::uint8_t {
    message,     // a chat line or a message
    ply,         // an action on a board, which shows it
    offer,       // an offer, or the answer to one
    turn,        // the user's turn has come
    board,       // anything else about a board: a watcher
    connection,  // lost or back, and what happened to a ply meanwhile
    board_gone,  // the board does not exist any more
    challenge,   // a new board
  };
  Kind kind = Kind::message;
  std::string board;    // the board it is about, or ""
  std::string text;     // "wilma: have fun"
  bool is_own = false;  // caused by this program
};

// The notifications that are not shown yet, at most `kMaxSize`, the latest ones.
class NotificationQueue {
 public:
  static constexpr std::size_t kMaxSize = 1000;
  void add(Notification::Kind kind, const std::string& board, const std::string& text,
           bool own = false);
  // Adds a notification about the connection and its effect on `board`, or on none ("").
  void add_connection(const std::string& text, const std::string& board = "") {
    add(Notification::Kind::connection, board, text);
  }
  bool empty() const { return queue_.empty(); }
  // Returns the notifications since the last call, oldest first.
  std::vector<Notification> take() { return std::exchange(queue_, {}); }

 private:
  std::vector<Notification> queue_;
};

// Returns nothing for an event that means nothing to people.
std::optional<Notification> to_notification(const Event& event);

}  // namespace pbm
