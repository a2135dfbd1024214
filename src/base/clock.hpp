// SPDX-License-Identifier: MIT
// Moments as saves write them and as people read them. Leaves waiting to wait_set.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pbm {

// Whole seconds since 1970, UTC. The epoch itself stands for "not known".
using Time = std::chrono::sys_seconds;

// On a clock that nobody sets: for how long something takes.
using Moment = std::chrono::steady_clock::time_point;

Time now();

// The same, for who counts people's time: whoever sets the clock of the machine by more than ten
// minutes changes nothing, until the program is started anew; smaller corrections are followed.
class OwnClock {
 public:
  using Elapsed = std::function<std::chrono::seconds()>;
  // By the clock of the machine, and by how long it runs, asleep or not.
  OwnClock();
  OwnClock(std::function<Time()> wall, Elapsed elapsed);
  Time operator()();

 private:
  std::function<Time()> wall_;
  Elapsed elapsed_;
  Time began_;  // when nothing had elapsed
};

// "2026-11-21T11:35:10Z", and back; nothing when `text` is not of that form or no such moment
// exists.
std::string iso_time(Time t);
std::optional<Time> read_iso_time(std::string_view text);

// Days since 1970 by the local calendar.
std::int64_t local_day(Time t);

// For lists, in local time, at most 10 columns: "14:05" today, "Nov 20" within a year, "2024-03-01"
// before; "" when not known.
std::string short_time(Time t, Time today);

// In full, local time: "2026-11-21 14:05"; "" when not known.
std::string long_time(Time t);

}  // namespace pbm
