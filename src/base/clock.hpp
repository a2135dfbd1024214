// SPDX-License-Identifier: MIT
// Times as saves write them and as players read them. Leaves waiting to wait_set.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pbm {

// A time in whole seconds since 1970, UTC. The epoch itself means "not known".
using Time = std::chrono::sys_seconds;

// A time of the monotonic clock, which nobody can set. It measures durations.
using SteadyTime = std::chrono::steady_clock::time_point;

Time now();

// The system clock without jumps, for players' thinking time. If somebody sets the system clock by
// more than ten minutes, it ignores that until the program restarts. It follows smaller changes.
class StableClock {
 public:
  using ElapsedTime = std::function<std::chrono::seconds()>;
  // Uses the system clock and the time since the machine started, which includes sleep.
  StableClock();
  StableClock(std::function<Time()> wall, ElapsedTime elapsed);
  Time operator()();

 private:
  std::function<Time()> system_time_;
  ElapsedTime elapsed_time_;
  Time start_time_;  // the time at which elapsed_time_() was 0
};

// Formats a time as "2026-11-21T11:35:10Z". read_iso_time() returns nothing if `text` has another
// form or names a time that does not exist.
std::string iso_time(Time t);
std::optional<Time> read_iso_time(std::string_view text);

// Returns the days since 1970 by the local calendar.
std::int64_t local_day(Time t);

// Formats a local time for lists, in at most 10 columns: "14:05" today, "Nov 20" within a year,
// "2024-03-01" before. Returns "" for the epoch, which means "not known".
std::string short_time(Time t, Time today);

// Formats a full local time: "2026-11-21 14:05". Returns "" for the epoch.
std::string long_time(Time t);
// Returns the time that long_time() formats like that, or nothing.
std::optional<Time> read_long_time(std::string_view text);

}  // namespace pbm
