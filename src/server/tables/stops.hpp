// SPDX-License-Identifier: MIT
// When clocks stand still: who is, was or will be on vacation; and when the server was down, as it
// was not started, killed, or asleep with its machine. Leaves what that does to clocks to
// game/clocks.hpp.
#pragma once

#include "game/clocks.hpp"
#include "store/database.hpp"

namespace pbm {

class Vacations {
 public:
  explicit Vacations(Database& database) : database_(database), vacations_(database, "vacation") {}

  // Of somebody in lower case; none where he never was.
  const Spans& of(const std::string& userid);
  // From `now` on for so many days, in place of what is left of one that runs; 0 ends it. Refuses
  // more than a year has, with nothing changed. Throws Error.
  Result<Done> set(const std::string& userid, int days, Time now);

 private:
  Database& database_;
  Remembered<Spans> vacations_;
};

class Uptime {
 public:
  // A server that is started anew within that time was not down.
  static constexpr auto kDown = std::chrono::minutes(10);
  static constexpr std::size_t kMaxDowns = 1000;  // of which is known; the oldest are forgotten

  explicit Uptime(Database& database);

  // It is up now. Since when it was last seen before that was down, if that is long ago.
  void see(Time now);
  // When it was last seen up, by a server before this one too; what was due until then is done.
  Time seen() const { return seen_; }
  // Writes that down.
  void keep(Time now);

  const Spans& downs() const { return downs_; }
  // When it was last back; nothing where it was never down.
  std::optional<Time> back() const {
    return downs_.empty() ? std::nullopt : std::optional(downs_.back().to);
  }

 private:
  Database& database_;
  Spans downs_;
  Time seen_{};     // nothing: no server ever was
  Time watched_{};  // the same, of this one alone
};

}  // namespace pbm
