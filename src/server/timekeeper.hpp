// SPDX-License-Identifier: MIT
// When something is due on a board by its clock: one queue for all boards that run, looked at every
// minute, so that a clock that ticks costs nothing. Also what stops clocks, vacations and the
// server's own. Leaves computing to game/clocks.hpp and what is done then to board_actions.hpp.
#pragma once

#include <map>
#include <set>

#include "server/tables/stops.hpp"
#include "store/board_store.hpp"

namespace pbm {

class Timekeeper {
 public:
  static constexpr auto kLook = std::chrono::minutes(1);

  explicit Timekeeper(Database& database) : vacations(database), uptime(database) {}
  Vacations vacations;
  Uptime uptime;

  // When time stood still for a seat of that name, from `since` on.
  Spans stops(const std::string& name, Time since);
  // What players are told of a board that runs.
  BoardClock clock_of(const BoardSummary& board, Time now);

  // Looks at a board's clock anew.
  void expect(const BoardSummary& board, Time now);
  void forget(const BoardKey& key);
  // The boards on which something is due, which are expected no more.
  std::vector<BoardKey> take_due(Time now);

 private:
  std::set<std::pair<Time, BoardKey>> queue_;
  std::map<BoardKey, Time> due_;  // the same by board
};

}  // namespace pbm
