// SPDX-License-Identifier: MIT
// The times when clocks stop: vacations, and the server's downtimes (not started, killed, or the
// machine asleep). Leaves the effect on clocks to game/clocks.hpp.
#pragma once

#include "game/clocks.hpp"
#include "store/database.hpp"

namespace pbm {

class Vacations {
 public:
  explicit Vacations(Database& database) : database_(database), vacations_(database, "vacation") {}

  // Returns all vacations of a userid in lower case.
  const TimeSpans& find(const std::string& userid);
  // Sets a vacation of so many days from `now` on, which replaces the current one; 0 ends it.
  // Refuses more days than the year has left, and changes nothing then. Throws Error.
  Result<Success> set(const std::string& userid, int days, Time now);

 private:
  Database& database_;
  QueryCache<TimeSpans> vacations_;
};

class Uptime {
 public:
  // A shorter pause between two servers is no downtime.
  static constexpr auto kMinDowntime = std::chrono::minutes(10);
  static constexpr std::size_t kMaxDowntimes = 1000;  // downtimes kept; the oldest are forgotten

  explicit Uptime(Database& database);

  // Notes that the server is up. If it was last up over kMinDowntime ago, notes a downtime.
  void record_up(Time now);
  // Returns when a server was last up, as store_last_up() stored it. Everything due before that is
  // done.
  Time last_up() const { return last_up_; }
  // Stores `now` for last_up(), and with it the downtimes of this server. If the disk is full, the
  // next server takes the time since the last store for a downtime.
  void store_last_up(Time now);

  const TimeSpans& downtimes() const { return downtimes_; }
  // Returns when the last downtime ended, or nothing without one.
  std::optional<Time> last_restart() const {
    return downtimes_.empty() ? std::nullopt : std::optional(downtimes_.back().end);
  }

 private:
  Time query_last_up();

  Database& database_;
  TimeSpans downtimes_;
  Time begin_{};       // the first record_up() of this server, or an earlier one by the clock
  Time last_up_{};     // as store_last_up() stored it; Time{} before the first server
  Time last_check_{};  // the last record_up() of this server
};

}  // namespace pbm
