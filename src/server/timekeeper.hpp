// SPDX-License-Identifier: MIT
// Finds the boards whose clocks have something due: one queue for all running boards, looked at
// every minute, so that a running clock costs nothing. Also has the times when clocks stop:
// vacations, and the server's downtimes. Leaves computing to game/clocks.hpp and acting to
// board_actions.hpp.
#pragma once

#include <map>
#include <set>

#include "server/tables/clock_stops.hpp"
#include "store/board_store.hpp"

namespace pbm {

class Timekeeper {
 public:
  static constexpr auto kCheckInterval = std::chrono::minutes(1);

  explicit Timekeeper(Database& database) : vacations(database), uptime(database) {}
  Vacations vacations;
  Uptime uptime;

  // Returns when the clock of a player of that name was stopped, from `since` on.
  TimeSpans clock_stops(const std::string& name, Time since) {
    return merge_spans(vacations.find(lower(name)), uptime.downtimes(), since);
  }
  // Returns the clock of a board as its players see it.
  BoardClock board_clock(const BoardSummary& board, Time now);

  // Queues a board by its clock, again if it was queued before.
  void schedule(const BoardSummary& board, Time now);
  void unschedule(const BoardKey& key);
  // Removes the boards that are due from the queue and returns them.
  std::vector<BoardKey> take_due(Time now);

 private:
  std::set<std::pair<Time, BoardKey>> queue_;
  std::map<BoardKey, Time> due_by_board_;  // the same by board
};

}  // namespace pbm
