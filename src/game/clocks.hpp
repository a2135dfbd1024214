// SPDX-License-Identifier: MIT
// The time limits of a game and the arithmetic of its clocks. Every function depends only on its
// arguments. Leaves storing times, and ending a game whose time has run out, to server/.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "game/game.hpp"

namespace pbm {

// The time limits of a game in whole days. A member without a value sets no limit.
struct TimeLimits {
  static constexpr int kMaxDays = 3650;
  std::optional<int> reminder_days;  // for one ply: the player to move gets a reminder after it
  std::optional<int> forfeit_days;   // for one ply: the player to move loses after it
  std::optional<int> total_days;     // for all plies of one seat together
  bool has_limit() const { return reminder_days || forfeit_days || total_days; }
  // Returns "late after 7 days, lost after 21 days", or "" if there is no limit.
  std::string text() const;
  // Returns "" for the default limits, else text(), or "without a clock".
  std::string non_default_text() const;
  // Returns the options of a challenge that set these limits: {"--nagtime=3"}. Omits defaults.
  std::vector<std::string> option_words() const;
  friend bool operator==(const TimeLimits&, const TimeLimits&) = default;
};
// The limits of a challenge that names no limits.
inline constexpr TimeLimits kDefaultLimits{7, 21, std::nullopt};

// Removes --nagtime=DAYS, --forfeittime=DAYS and --totaltime=DAYS from `options` and returns the
// limits. Accepts one dash or two. `none` switches a limit off. Missing options mean the default.
Result<TimeLimits> take_time_limits(std::vector<std::string>& options);

// A span of time from `from` up to, but not including, `to`.
struct TimeSpan {
  Time start, end;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};
// Spans in order of time that neither overlap nor touch.
using TimeSpans = std::vector<TimeSpan>;
// Returns the union of `a` and `b`, without the spans that end before or at `since`.
TimeSpans merge_spans(const TimeSpans& a, const TimeSpans& b, Time since);
// Adds `more` at the end. Pre: it begins no earlier than the last span.
void append_span(TimeSpans& spans, TimeSpan more);

// The seat that is to move since a moment, or no seat if the game was over then.
struct Turn {
  std::optional<Seat> seat;
  Time start;
};

// The running clock of a game. Only the clock of the seat to move runs.
struct RunningClock {
  TimeLimits limits;
  Time turn_start{};  // start of the seat's turn; Time{} if unknown: then no limit holds
  std::chrono::seconds used_time{
      0};  // on the seat's earlier turns; set only if there is a total limit
  friend bool operator==(const RunningClock&, const RunningClock&) = default;
};
// Returns how long `seat` thought in all turns except the last, which may still run.
std::chrono::seconds thinking_time(const std::vector<Turn>& turns, Seat seat,
                                   const TimeSpans& stops);

// The clock of a game as players see it.
struct BoardClock {
  // When the seat to move becomes late, and when it loses. Time{}: never.
  Time late_time{}, loss_time{};
  std::vector<std::pair<Seat, Time>> vacation_ends;  // seats on vacation, each with the end of it
  bool is_late(Time now) const { return late_time != Time{} && late_time <= now; }
  bool is_lost(Time now) const { return loss_time != Time{} && loss_time <= now; }
  // Describes the clock of `seat`, with the time left rounded up: "2 days left", "late since
  // yesterday, 13 days left", "on vacation until Dec 1". Returns "" if there is nothing to say.
  std::string text(Seat seat, std::optional<Seat> to_move, Time now) const;
  // Describes the clock of the seat to move in a few columns: "2 days left" if less than four days
  // are left, "late 3 days", "on vacation"; else "".
  std::string short_text(std::optional<Seat> to_move, Time now) const;
  friend bool operator==(const BoardClock&, const BoardClock&) = default;
};
// The time after a start of the server in which no game is lost on time.
inline constexpr auto kGracePeriod = std::chrono::hours(48);
// `stops`: when the clock of the seat to move stood still. `up`: the last start of the server.
BoardClock board_clock(const RunningClock& clock, const TimeSpans& stops, std::optional<Time> up);

// Vacation days that a player may take in a calendar year (UTC). A day counts from its start.
inline constexpr int kMaxVacationDays = 30;
// Returns the first year in which `vacations` exceed kMaxVacationDays, or nothing.
std::optional<int> first_overlong_year(const TimeSpans& vacations);
// Returns how many vacation days are left in `year`.
int vacation_days_left(const TimeSpans& vacations, int year);
int year_of(Time t);
// Returns the end of the vacation that covers `now`, or nothing.
std::optional<Time> vacation_end(const TimeSpans& vacations, Time now);

}  // namespace pbm
