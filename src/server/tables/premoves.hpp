// SPDX-License-Identifier: MIT
// Queued plies and answer trees, which are played on their player's turn, and submitted plies,
// which the player has yet to confirm. Only their player sees them. Also records which plies came
// from the queue, to mark them (Auto). Leaves playing them to board_actions.hpp.
#pragma once

#include <vector>

#include "store/database.hpp"

namespace pbm {

// A player on a board, who may have one ply queued there.
struct Place {
  std::string board;  // "toot-101"
  std::string user;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Queued {
  std::string move;                // as typed; or a tree of answers
  std::optional<std::size_t> ply;  // the number it must get, if the player gave one
  std::size_t entries = 0;         // entries of the board when it was queued
  bool tree = false;
  // Returns "CO#4".
  std::string to_string() const { return move + (ply ? "#" + std::to_string(*ply) : ""); }
};

class Premoves {
 public:
  static constexpr std::size_t kMaxSubmitted = 20;  // of one user; the oldest is forgotten

  explicit Premoves(Database& database) : database_(database), queued_(database, "queued") {}

  std::optional<Queued> find(const Place& place);
  // Replaces the queued ply. Throws Error.
  void put(const Place& place, const Queued& queued);
  void drop(const Place& place);
  // Returns the boards with queued plies.
  std::vector<std::string> boards();

  // Records that the ply of that number and time was queued.
  void mark_auto(const std::string& board, std::size_t ply, Time at);
  bool is_auto(const std::string& board, std::size_t ply, Time at);

  // Keeps a submitted ply in memory only. After a restart the player must submit it again.
  void submit(const Place& place, const Queued& submitted);
  const Queued* submitted(const Place& place) const;

 private:
  Database& database_;
  Remembered<std::optional<Queued>> queued_;
  std::vector<std::pair<Place, Queued>> submitted_;  // the oldest first
};

}  // namespace pbm
