// SPDX-License-Identifier: MIT
// Plies that wait: queued ones, and trees of them, until their player's turn comes, submitted ones
// until they are confirmed. Nobody but their owner sees them. Also which plies were played from
// here, to be marked (Auto). Leaves playing them to board_actions.hpp.
#pragma once

#include <vector>

#include "store/database.hpp"

namespace pbm {

// Where one ply may wait.
struct Place {
  std::string board;  // "toot-101"
  std::string user;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Queued {
  std::string move;                // as typed; or a tree of answers
  std::optional<std::size_t> ply;  // the number it must become, if its owner said one
  std::size_t entries = 0;         // things done on the board when it was queued
  bool tree = false;
  // "CO#4".
  std::string to_string() const { return move + (ply ? "#" + std::to_string(*ply) : ""); }
};

class Premoves {
 public:
  static constexpr std::size_t kMaxSubmitted = 20;  // of one user; the oldest is forgotten

  explicit Premoves(Database& database) : database_(database), queued_(database, "queued") {}

  // Nothing when nothing is queued.
  std::optional<Queued> find(const Place& place);
  // Replaces what was queued there. Throws Error.
  void put(const Place& place, const Queued& queued);
  void drop(const Place& place);
  // Boards on which anything is queued.
  std::vector<std::string> boards();

  // Notes that the ply of that number, played at that time, was queued.
  void mark_auto(const std::string& board, std::size_t ply, Time at);
  bool is_auto(const std::string& board, std::size_t ply, Time at);

  // Submitted plies are not kept on disk: who has not confirmed starts again.
  void submit(const Place& place, const Queued& submitted);
  const Queued* submitted(const Place& place) const;

 private:
  Database& database_;
  Remembered<std::optional<Queued>> queued_;
  std::vector<std::pair<Place, Queued>> submitted_;  // the oldest first
};

}  // namespace pbm
