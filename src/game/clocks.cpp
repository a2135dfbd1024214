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
seconds running_time(Time from, Time to, const TimeSpans& stops) {
  if (to <= from) return seconds(0);
  seconds out = to - from;
  for (auto s = stops.rbegin(); s != stops.rend() && s->end > from; ++s)
    out -= std::max(seconds(0), std::min(to, s->end) - std::max(from, s->start));
  return out;
}

// Returns when `left` of time outside `stops` has passed since `from`.
Time add_running_time(Time from, seconds left, const TimeSpans& stops) {
  Time at = from;
  for (const TimeSpan& stop : stops) {
    if (stop.end <= at) continue;
    if (stop.start - at >= left) break;
    left -= std::max(seconds(0), stop.start - at);
    at = stop.end;
  }
  return at + left;
}

std::size_t whole_units(seconds time, seconds unit) {
  return static_cast<std::size_t>(std::max(seconds(0), time) / unit);
}

// Returns "2 days", "30 hours" or "5 minutes".
std::string duration_text(seconds time) {
  if (time >= 48h) return format_count(whole_units(time, days(1)), "day", "days");
  if (time >= 2h) return format_count(whole_units(time, 1h), "hour", "hours");
  return format_count(whole_units(time, 1min), "minute", "minutes");
}

// Rounds up: on the first day of 21 days it returns "21 days left".
std::string time_left_text(seconds time) {
  if (time <= 0s) return "out of time";
  const seconds unit = time > 47h ? days(1) : time > 119min ? seconds(1h) : seconds(1min);
  return duration_text((time + unit - 1s) / unit * unit) + " left";
}

std::string since_text(Time then, Time now) {
  return local_day(now) - local_day(then) == 1
             ? "yesterday"
             : join_words(split_words(short_time(then, now)), 0, 2);
}

struct LimitOption {
  std::string_view name;
  std::optional<int> TimeLimits::*limit;
};
constexpr std::array<LimitOption, 3> kLimitOptions{{{"nagtime", &TimeLimits::reminder_days},
                                                    {"forfeittime", &TimeLimits::forfeit_days},
                                                    {"totaltime", &TimeLimits::total_days}}};

}  // namespace

std::string TimeLimits::text() const {
  const auto after = [](int n) { return format_count(static_cast<std::size_t>(n), "day", "days"); };
  std::vector<std::string> out;
  if (reminder_days && !(forfeit_days && *forfeit_days <= *reminder_days))
    out.push_back("late after " + after(*reminder_days));
  if (forfeit_days) out.push_back("lost after " + after(*forfeit_days));
  if (total_days) out.push_back("lost after " + after(*total_days) + " in total");
  std::string text;
  for (const std::string& part : out) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string TimeLimits::non_default_text() const {
  return *this == kDefaultLimits ? "" : has_limit() ? text() : "without a clock";
}

std::vector<std::string> TimeLimits::option_words() const {
  std::vector<std::string> out;
  for (const LimitOption& row : kLimitOptions)
    if (const auto n = this->*(row.limit); n != kDefaultLimits.*(row.limit))
      out.push_back("--" + std::string(row.name) + "=" + (n ? std::to_string(*n) : "none"));
  return out;
}

Result<TimeLimits> take_time_limits(std::vector<std::string>& options) {
  TimeLimits out = kDefaultLimits;
  std::vector<std::string> others;
  std::vector<std::string_view> said;
  for (const std::string& word : options) {
    const std::string_view text =
        std::string_view(word).substr(std::min(word.find_first_not_of('-'), word.size()));
    const std::string_view name = text.substr(0, text.find('='));
    const auto row = std::ranges::find_if(
        kLimitOptions, [&](const LimitOption& w) { return equals_ignoring_case(w.name, name); });
    if (row == kLimitOptions.end()) {
      others.push_back(word);
      continue;
    }
    const std::string option = "--" + std::string(row->name);
    if (std::ranges::find(said, row->name) != said.end())
      return Refusal{option + " is given twice. Write it once."};
    said.push_back(row->name);
    const std::string_view value = name.size() == text.size() ? "" : text.substr(name.size() + 1);
    const auto n = read_whole_number<int>(value);
    if (!equals_ignoring_case(value, "none") && (!n || *n < 1 || *n > TimeLimits::kMaxDays))
      return Refusal{"'" + fit(option + word.substr(std::min(word.find('='), word.size())), 30) +
                     "' is not valid. Write " + option + "=DAYS, a number from 1 to " +
                     std::to_string(TimeLimits::kMaxDays) + ", or " + option + "=none."};
    out.*(row->limit) = n;
  }
  options = std::move(others);
  return out;
}

void append_span(TimeSpans& spans, TimeSpan more) {
  if (more.end <= more.start) return;
  if (!spans.empty() && spans.back().end >= more.start)
    spans.back().end = std::max(spans.back().end, more.end);
  else spans.push_back(more);
}

TimeSpans merge_spans(const TimeSpans& a, const TimeSpans& b, Time since) {
  const auto first = [&](const TimeSpans& spans) {
    return std::partition_point(spans.begin(), spans.end(),
                                [&](const TimeSpan& s) { return s.end <= since; });
  };
  TimeSpans out;
  auto i = first(a), j = first(b);
  while (i != a.end() || j != b.end())
    append_span(out, j == b.end() || (i != a.end() && i->start <= j->start) ? *i++ : *j++);
  return out;
}

std::chrono::seconds thinking_time(const std::vector<Turn>& turns, Seat seat,
                                   const TimeSpans& stops) {
  seconds out{0};
  for (std::size_t i = 0; i + 1 < turns.size(); ++i)
    if (turns[i].seat == seat && turns[i].start != Time{} && turns[i + 1].start != Time{})
      out += running_time(turns[i].start, turns[i + 1].start, stops);
  return out;
}

BoardClock board_clock(const RunningClock& clock, const TimeSpans& stops, std::optional<Time> up) {
  BoardClock out;
  if (clock.turn_start == Time{}) return out;
  const auto after = [&](seconds left) {
    return add_running_time(clock.turn_start, std::max(0s, left), stops);
  };
  if (clock.limits.reminder_days) out.late_time = after(days(*clock.limits.reminder_days));
  if (clock.limits.forfeit_days) out.loss_time = after(days(*clock.limits.forfeit_days));
  if (clock.limits.total_days) {
    const Time end = after(days(*clock.limits.total_days) - clock.used_time);
    out.loss_time = clock.limits.forfeit_days ? std::min(out.loss_time, end) : end;
  }
  if (out.loss_time != Time{} && up) out.loss_time = std::max(out.loss_time, *up + kGracePeriod);
  return out;
}

std::string BoardClock::text(Seat seat, std::optional<Seat> to_move, Time now) const {
  for (const auto& [who, until] : vacation_ends)
    if (who == seat && now < until)
      return "on vacation until " + join_words(split_words(short_time(until, now)), 0, 2);
  if (seat != to_move) return "";
  std::string out = is_late(now) ? "late since " + since_text(late_time, now) : "";
  if (loss_time != Time{}) out += (out.empty() ? "" : ", ") + time_left_text(loss_time - now);
  return out;
}

std::string BoardClock::short_text(std::optional<Seat> to_move, Time now) const {
  constexpr auto kSoon = days(4);
  for (const auto& [who, until] : vacation_ends)
    if (who == to_move && now < until) return "on vacation";
  if (to_move && loss_time != Time{} && loss_time - now < kSoon)
    return time_left_text(loss_time - now);
  return to_move && is_late(now) ? "late " + duration_text(now - late_time) : "";
}

namespace {

using std::chrono::year;
using std::chrono::year_month_day;

Time year_begin(int y) { return std::chrono::sys_days(year(y) / 1 / 1); }

int vacation_days_in(const TimeSpans& vacations, int y) {
  int out = 0;
  for (const TimeSpan& s : vacations) {
    const Time from = std::max(s.start, year_begin(y)), to = std::min(s.end, year_begin(y + 1));
    if (from < to) out += static_cast<int>(std::chrono::ceil<days>(to - from).count());
  }
  return out;
}

}  // namespace

int year_of(Time t) { return static_cast<int>(year_month_day(std::chrono::floor<days>(t)).year()); }

std::optional<int> first_overlong_year(const TimeSpans& vacations) {
  for (const TimeSpan& s : vacations)
    for (int y = year_of(s.start); y <= year_of(s.end); ++y)
      if (vacation_days_in(vacations, y) > kMaxVacationDays) return y;
  return std::nullopt;
}

int vacation_days_left(const TimeSpans& vacations, int year) {
  return std::max(0, kMaxVacationDays - vacation_days_in(vacations, year));
}

std::optional<Time> vacation_end(const TimeSpans& vacations, Time now) {
  for (auto s = vacations.rbegin(); s != vacations.rend() && s->end > now; ++s)
    if (s->start <= now) return s->end;
  return std::nullopt;
}

}  // namespace pbm
