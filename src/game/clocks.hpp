// SPDX-License-Identifier: MIT
// The time that a board gives its players. Everything that computes time is here, and is a function
// of what it is given: a board's limits, whose turn it was since when, when time stood still, and
// now. Leaves who keeps that, and what is done when time has run out, to server/.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "game/game.hpp"

namespace pbm {

// In whole days; nothing: there is no such limit.
struct TimeLimits {
  static constexpr int kMost = 3650;
  std::optional<int> nag;      // for a ply, until whoever is to move is reminded
  std::optional<int> forfeit;  // for a ply, until his game is lost
  std::optional<int> total;    // for all of a seat's plies on a board
  bool any() const { return nag || forfeit || total; }
  // "late after 7 days, lost after 21 days", or "".
  std::string in_words() const;
  // "" for the usual ones; else the same, or "without a clock".
  std::string unusual_in_words() const;
  // What a challenge has to say for them, "--nagtime=3"; nothing for the usual ones.
  std::vector<std::string> words() const;
  friend bool operator==(const TimeLimits&, const TimeLimits&) = default;
};
// What a challenge has that says nothing else.
inline constexpr TimeLimits kUsualLimits{7, 21, std::nullopt};

// Takes --nagtime=DAYS, --forfeittime=DAYS and --totaltime=DAYS out of the options of a challenge,
// with one dash or two; `none` switches a limit off. What is not there is as usual.
Result<TimeLimits> take_limits(std::vector<std::string>& options);

// From one moment up to another.
struct Span {
  Time from, to;
  friend bool operator==(const Span&, const Span&) = default;
};
// In order, none touching another.
using Spans = std::vector<Span>;
// All that is in either, from `since` on.
Spans both(const Spans& a, const Spans& b, Time since);
// Adds a span that begins no earlier than the last.
void lengthen(Spans& spans, Span more);

// It has been that seat's turn since then; nothing: the game was over.
struct Turn {
  std::optional<Seat> seat;
  Time since;
};

// The clock of a board that runs: that of the seat to move, as no other one does.
struct RunningClock {
  TimeLimits limits;
  Time since{};                  // its turn; nothing is known of time where that is not known
  std::chrono::seconds used{0};  // on its turns before, where there is a limit for all of them
  friend bool operator==(const RunningClock&, const RunningClock&) = default;
};
// What one seat has thought on all its turns but the last of all, by the turns of a match.
std::chrono::seconds thought(const std::vector<Turn>& turns, Seat seat, const Spans& stops);

// What players are told of it.
struct BoardClock {
  // From when on whoever is to move is, or will be; nothing is known where there is no limit.
  Time late{}, lost{};
  std::vector<std::pair<Seat, Time>> away;  // who is on vacation, and until when
  bool is_late(Time now) const { return late != Time{} && late <= now; }
  bool is_lost(Time now) const { return lost != Time{} && lost <= now; }
  // Of that seat, what is left rounded up: "2 days left", "late since yesterday, 13 days left", "on
  // vacation until Dec 1"; "" where there is nothing to tell.
  std::string in_words(Seat seat, std::optional<Seat> to_move, Time now) const;
  // What is to be told of the seat to move where there is little room, and only if it matters:
  // "2 days left", "late 3 days", "on vacation"; else "".
  std::string in_short(std::optional<Seat> to_move, Time now) const;
  friend bool operator==(const BoardClock&, const BoardClock&) = default;
};
// Nobody's time runs out within that time of the server having been down.
inline constexpr auto kGrace = std::chrono::hours(48);
// `stops`: when time stood still for the seat to move. `up`: when the server was last back.
BoardClock told_of(const RunningClock& clock, const Spans& stops, std::optional<Time> up);

// Vacations: at most so many days of a calendar year (UTC), each begun day counted.
inline constexpr int kVacationDays = 30;
// The years of which `vacations` has more, the first of them.
std::optional<int> too_long_in(const Spans& vacations);
// How many days are left of a year.
int vacation_left(const Spans& vacations, int year);
int year_of(Time t);
// When he is back who is on vacation now.
std::optional<Time> back_at(const Spans& vacations, Time now);

}  // namespace pbm
