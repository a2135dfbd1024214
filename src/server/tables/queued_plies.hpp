// SPDX-License-Identifier: MIT
// Queued plies and answer trees, which are played on their player's turn, and submitted plies,
// which the player has yet to confirm. Only their player sees them. Also records which plies came
// from the queue, to mark them (Auto). Leaves playing them to board_actions.hpp.
#pragma once

#include <vector>

#include "store/database.hpp"

namespace pbm {

// A player on a board, who may have one ply queued there.
struct QueueKey {
  std::string board;  // "toot-101"
  std::string user;
  friend auto operator<=>(const QueueKey&, const QueueKey&) = default;
};

struct QueuedPly {
  std::string move;                // as typed; or a tree of answers
  std::optional<std::size_t> ply;  // the number it must get, if the player gave one
  std::size_t entry_count = 0;     // entries of the board when it was queued
  bool is_tree = false;
  // Returns "CO#4".
  std::string to_string() const { return move + (ply ? "#" + std::to_string(*ply) : ""); }
};

class QueuedPlies {
 public:
  static constexpr std::size_t kMaxSubmitted = 20;  // of one user; the oldest is forgotten

  explicit QueuedPlies(Database& database) : database_(database), queued_(database, "queued") {}

  std::optional<QueuedPly> find(const QueueKey& place);
  // Replaces the queued ply. Throws Error.
  void put(const QueueKey& place, const QueuedPly& queued);
  void drop(const QueueKey& place);
  // Returns the boards with queued plies.
  std::vector<std::string> queued_boards();

  // Records that the ply of that number and time was queued.
  void mark_automatic(const std::string& board, std::size_t ply, Time at);
  bool is_automatic(const std::string& board, std::size_t ply, Time at);

  // Keeps a submitted ply in memory only. After a restart the player must submit it again.
  void submit(const QueueKey& place, const QueuedPly& submitted);
  const QueuedPly* find_submitted(const QueueKey& place) const;

 private:
  Database& database_;
  QueryCache<std::optional<QueuedPly>> queued_;
  std::vector<std::pair<QueueKey, QueuedPly>> submitted_;  // the oldest first
};

}  // namespace pbm
