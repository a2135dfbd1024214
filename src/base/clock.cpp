// SPDX-License-Identifier: MIT
#include "base/clock.hpp"

#include <array>
#include <ctime>

#include "base/text.hpp"

namespace pbm {
namespace {

std::tm local_parts(Time t) {
  const std::time_t seconds = t.time_since_epoch().count();
  std::tm out{};
  ::localtime_r(&seconds, &out);
  return out;
}

std::string format_local(Time t, const char* format) {
  const std::tm parts = local_parts(t);
  std::array<char, 40> out{};
  return std::string(out.data(), std::strftime(out.data(), out.size(), format, &parts));
}

}  // namespace

Time now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

StableClock::StableClock()
    : StableClock(now, [] {
        timespec since{};
        ::clock_gettime(CLOCK_BOOTTIME, &since);
        return std::chrono::seconds(since.tv_sec);
      }) {}

StableClock::StableClock(std::function<Time()> wall, ElapsedTime elapsed)
    : system_time_(std::move(wall)),
      elapsed_time_(std::move(elapsed)),
      start_time_(system_time_() - elapsed_time_()) {}

Time StableClock::operator()() {
  constexpr auto kFollowed = std::chrono::minutes(10);
  const Time wall = system_time_(), own = start_time_ + elapsed_time_();
  if (std::chrono::abs(wall - own) > kFollowed) return own;
  start_time_ += wall - own;
  return wall;
}

// Formats by hand, since a server calls this several times a ply. A clock in nanoseconds reaches
// only from 1678 to 2262. The library writes years before 1000 with fewer than four digits.
std::string iso_time(Time t) {
  const auto day = std::chrono::floor<std::chrono::days>(t);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(t - day);
  std::string out = "0000-00-00T00:00:00Z";
  const auto put = [&](std::size_t last, std::int64_t value) {
    for (; value > 0; value /= 10) out[last--] = static_cast<char>('0' + value % 10);
  };
  put(3, static_cast<int>(date.year()) % 10'000);
  put(6, static_cast<unsigned>(date.month()));
  put(9, static_cast<unsigned>(date.day()));
  put(12, time.hours().count());
  put(15, time.minutes().count());
  put(18, time.seconds().count());
  return out;
}

std::optional<Time> read_iso_time(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) {
    int n = 0;
    for (std::size_t i = at; i < at + digits; ++i) n = n * 10 + (text[i] - '0');
    return n;
  };
  using namespace std::chrono;
  const year_month_day date{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                            day(static_cast<unsigned>(number(8, 2)))};
  const int h = number(11, 2), m = number(14, 2), s = number(17, 2);
  if (!date.ok() || h > 23 || m > 59 || s > 59) return std::nullopt;
  return sys_days(date) + hours(h) + minutes(m) + seconds(s);
}

std::string short_time(Time t, Time today) {
  if (t == Time{}) return "";
  // Compares numbers, not texts: this is called for each row of a list at each key press.
  const std::tm then = local_parts(t), now = local_parts(today);
  if (then.tm_yday == now.tm_yday && then.tm_year == now.tm_year) return format_local(t, "%H:%M");
  const auto age = today - t;
  if (age < std::chrono::days(330) && age > -std::chrono::days(30)) return format_local(t, "%b %e");
  return format_local(t, "%F");
}

std::int64_t local_day(Time t) {
  const std::tm parts = local_parts(t);
  const std::chrono::year_month_day day{std::chrono::year(parts.tm_year + 1900),
                                        std::chrono::month(static_cast<unsigned>(parts.tm_mon) + 1),
                                        std::chrono::day(static_cast<unsigned>(parts.tm_mday))};
  return std::chrono::sys_days(day).time_since_epoch().count();
}

std::optional<Time> read_long_time(std::string_view text) {
  std::tm parts{};
  const std::string whole(text);
  const char* const end = ::strptime(whole.c_str(), "%Y-%m-%d %H:%M", &parts);
  if (!end || *end != '\0') return std::nullopt;
  parts.tm_isdst = -1;
  const Time out{std::chrono::seconds(std::mktime(&parts))};
  return long_time(out) == whole ? std::optional(out) : std::nullopt;
}

std::string long_time(Time t) { return t == Time{} ? "" : format_local(t, "%F %H:%M"); }

}  // namespace pbm
