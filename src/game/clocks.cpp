// SPDX-License-Identifier: MIT
#include "game/clocks.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace pbm {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::seconds;

namespace {

// Returns the time between `from` and `to` outside `stops`.
seconds counted(Time from, Time to, const Spans& stops) {
  if (to <= from) return seconds(0);
  seconds out = to - from;
  for (auto s = stops.rbegin(); s != stops.rend() && s->to > from; ++s)
    out -= std::max(seconds(0), std::min(to, s->to) - std::max(from, s->from));
  return out;
}

// Returns when `left` of time outside `stops` has passed since `from`.
Time when(Time from, seconds left, const Spans& stops) {
  Time at = from;
  for (const Span& stop : stops) {
    if (stop.to <= at) continue;
    if (stop.from - at >= left) break;
    left -= std::max(seconds(0), stop.from - at);
    at = stop.to;
  }
  return at + left;
}

std::size_t whole(seconds time, seconds unit) {
  return static_cast<std::size_t>(std::max(seconds(0), time) / unit);
}

// Returns "2 days", "30 hours" or "5 minutes".
std::string long_as(seconds time) {
  if (time >= 48h) return count_of(whole(time, days(1)), "day", "days");
  if (time >= 2h) return count_of(whole(time, 1h), "hour", "hours");
  return count_of(whole(time, 1min), "minute", "minutes");
}

// Rounds up: on the first day of 21 days it returns "21 days left".
std::string left_of(seconds time) {
  if (time <= 0s) return "out of time";
  const seconds unit = time > 47h ? days(1) : time > 119min ? seconds(1h) : seconds(1min);
  return long_as((time + unit - 1s) / unit * unit) + " left";
}

std::string since(Time then, Time now) {
  return local_day(now) - local_day(then) == 1 ? "yesterday"
                                               : joined(words(short_time(then, now)), 0, 2);
}

struct LimitWord {
  std::string_view name;
  std::optional<int> TimeLimits::*limit;
};
constexpr std::array<LimitWord, 3> kWords{{{"nagtime", &TimeLimits::nag},
                                           {"forfeittime", &TimeLimits::forfeit},
                                           {"totaltime", &TimeLimits::total}}};

}  // namespace

std::string TimeLimits::in_words() const {
  const auto after = [](int n) { return count_of(static_cast<std::size_t>(n), "day", "days"); };
  std::vector<std::string> out;
  if (nag && !(forfeit && *forfeit <= *nag)) out.push_back("late after " + after(*nag));
  if (forfeit) out.push_back("lost after " + after(*forfeit));
  if (total) out.push_back("lost after " + after(*total) + " of all one's moves");
  std::string text;
  for (const std::string& part : out) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string TimeLimits::unusual_in_words() const {
  return *this == kUsualLimits ? "" : any() ? in_words() : "without a clock";
}

std::vector<std::string> TimeLimits::words() const {
  std::vector<std::string> out;
  for (const LimitWord& row : kWords)
    if (const auto n = this->*(row.limit); n != kUsualLimits.*(row.limit))
      out.push_back("--" + std::string(row.name) + "=" + (n ? std::to_string(*n) : "none"));
  return out;
}

Result<TimeLimits> take_limits(std::vector<std::string>& options) {
  TimeLimits out = kUsualLimits;
  std::vector<std::string> others;
  std::vector<std::string_view> said;
  for (const std::string& word : options) {
    const std::string_view text =
        std::string_view(word).substr(std::min(word.find_first_not_of('-'), word.size()));
    const std::string_view name = text.substr(0, text.find('='));
    const auto row = std::ranges::find_if(
        kWords, [&](const LimitWord& w) { return same_ignoring_case(w.name, name); });
    if (row == kWords.end()) {
      others.push_back(word);
      continue;
    }
    const std::string option = "--" + std::string(row->name);
    if (std::ranges::find(said, row->name) != said.end())
      return Refusal{option + " is said twice."};
    said.push_back(row->name);
    const std::string_view value = name.size() == text.size() ? "" : text.substr(name.size() + 1);
    const auto n = read_whole_number<int>(value);
    if (!same_ignoring_case(value, "none") && (!n || *n < 1 || *n > TimeLimits::kMost))
      return Refusal{"'" + fit(word, 30) + "': write " + option + "=DAYS, a number from 1 to " +
                     std::to_string(TimeLimits::kMost) + ", or " + option + "=none."};
    out.*(row->limit) = n;
  }
  options = std::move(others);
  return out;
}

void lengthen(Spans& spans, Span more) {
  if (more.to <= more.from) return;
  if (!spans.empty() && spans.back().to >= more.from)
    spans.back().to = std::max(spans.back().to, more.to);
  else spans.push_back(more);
}

Spans both(const Spans& a, const Spans& b, Time since) {
  const auto first = [&](const Spans& spans) {
    return std::partition_point(spans.begin(), spans.end(),
                                [&](const Span& s) { return s.to <= since; });
  };
  Spans out;
  auto i = first(a), j = first(b);
  while (i != a.end() || j != b.end())
    lengthen(out, j == b.end() || (i != a.end() && i->from <= j->from) ? *i++ : *j++);
  return out;
}

std::chrono::seconds thought(const std::vector<Turn>& turns, Seat seat, const Spans& stops) {
  seconds out{0};
  for (std::size_t i = 0; i + 1 < turns.size(); ++i)
    if (turns[i].seat == seat && turns[i].since != Time{} && turns[i + 1].since != Time{})
      out += counted(turns[i].since, turns[i + 1].since, stops);
  return out;
}

BoardClock told_of(const RunningClock& clock, const Spans& stops, std::optional<Time> up) {
  BoardClock out;
  if (clock.since == Time{}) return out;
  const auto after = [&](seconds left) { return when(clock.since, std::max(0s, left), stops); };
  if (clock.limits.nag) out.late = after(days(*clock.limits.nag));
  if (clock.limits.forfeit) out.lost = after(days(*clock.limits.forfeit));
  if (clock.limits.total) {
    const Time end = after(days(*clock.limits.total) - clock.used);
    out.lost = clock.limits.forfeit ? std::min(out.lost, end) : end;
  }
  if (out.lost != Time{} && up) out.lost = std::max(out.lost, *up + kGrace);
  return out;
}

std::string BoardClock::in_words(Seat seat, std::optional<Seat> to_move, Time now) const {
  for (const auto& [who, until] : away)
    if (who == seat && now < until)
      return "on vacation until " + joined(words(short_time(until, now)), 0, 2);
  if (seat != to_move) return "";
  std::string out = is_late(now) ? "late since " + since(late, now) : "";
  if (lost != Time{}) out += (out.empty() ? "" : ", ") + left_of(lost - now);
  return out;
}

std::string BoardClock::in_short(std::optional<Seat> to_move, Time now) const {
  constexpr auto kSoon = days(4);
  for (const auto& [who, until] : away)
    if (who == to_move && now < until) return "on vacation";
  if (to_move && lost != Time{} && lost - now < kSoon) return left_of(lost - now);
  return to_move && is_late(now) ? "late " + long_as(now - late) : "";
}

namespace {

using std::chrono::year;
using std::chrono::year_month_day;

Time begin_of(int y) { return std::chrono::sys_days(year(y) / 1 / 1); }

int days_in(const Spans& vacations, int y) {
  int out = 0;
  for (const Span& s : vacations) {
    const Time from = std::max(s.from, begin_of(y)), to = std::min(s.to, begin_of(y + 1));
    if (from < to) out += static_cast<int>(std::chrono::ceil<days>(to - from).count());
  }
  return out;
}

}  // namespace

int year_of(Time t) { return static_cast<int>(year_month_day(std::chrono::floor<days>(t)).year()); }

std::optional<int> too_long_in(const Spans& vacations) {
  for (const Span& s : vacations)
    for (int y = year_of(s.from); y <= year_of(s.to); ++y)
      if (days_in(vacations, y) > kVacationDays) return y;
  return std::nullopt;
}

int vacation_left(const Spans& vacations, int year) {
  return std::max(0, kVacationDays - days_in(vacations, year));
}

std::optional<Time> back_at(const Spans& vacations, Time now) {
  for (auto s = vacations.rbegin(); s != vacations.rend() && s->to > now; ++s)
    if (s->from <= now) return s->to;
  return std::nullopt;
}

}  // namespace pbm
