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
  const Spans& of(const std::string& userid);
  // Sets a vacation of so many days from `now` on, which replaces the current one; 0 ends it.
  // Refuses more days than the year has left, and changes nothing then. Throws Error.
  Result<Done> set(const std::string& userid, int days, Time now);

 private:
  Database& database_;
  Remembered<Spans> vacations_;
};

class Uptime {
 public:
  // A shorter pause between two servers is no downtime.
  static constexpr auto kDown = std::chrono::minutes(10);
  static constexpr std::size_t kMaxDowns = 1000;  // downtimes kept; the oldest are forgotten

  explicit Uptime(Database& database);

  // Records that the server is up. If it was last up over kDown ago, records a downtime.
  void see(Time now);
  // Returns when a server was last up, as keep() stored it. Everything due before that is done.
  Time seen() const { return seen_; }
  // Stores `now` for seen().
  void keep(Time now);

  const Spans& downs() const { return downs_; }
  // Returns when the last downtime ended, or nothing without one.
  std::optional<Time> back() const {
    return downs_.empty() ? std::nullopt : std::optional(downs_.back().to);
  }

 private:
  Database& database_;
  Spans downs_;
  Time seen_{};     // as keep() stored it; Time{} before the first server
  Time watched_{};  // the last see() of this server
};

}  // namespace pbm
