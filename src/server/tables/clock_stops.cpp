// SPDX-License-Identifier: MIT
#include "server/tables/clock_stops.hpp"

#include "base/text.hpp"

namespace pbm {

const TimeSpans& Vacations::find(const std::string& userid) {
  return vacations_.get(userid, [&] {
    TimeSpans out;
    for (auto row = database_.query(
             "SELECT begins, ends FROM vacation WHERE userid = ? ORDER BY begins", userid);
         row.next();)
      append_span(out, {row.time(0), row.time(1)});
    return out;
  });
}

Result<Success> Vacations::set(const std::string& userid, int days, Time now) {
  const Time until = now + std::chrono::days(days);
  TimeSpans before = find(userid);
  // Ends the current vacation now, and drops one that would begin later.
  if (!before.empty() && before.back().end > now) before.back().end = now;
  if (!before.empty() && before.back().end <= before.back().start) before.pop_back();
  TimeSpans then = before;
  append_span(then, {now, until});
  if (const auto year = first_overlong_year(then); year && days > 0)
    return Refusal{
        "A calendar year has at most " + std::to_string(kMaxVacationDays) +
        " vacation days. You have " +
        format_count(static_cast<std::size_t>(vacation_days_left(before, *year)), "day", "days") +
        " left in " + std::to_string(*year) + "."};
  database_.run("UPDATE vacation SET ends = ? WHERE userid = ? AND ends > ?", now, userid, now);
  if (days > 0) database_.run("REPLACE INTO vacation VALUES (?, ?, ?)", userid, now, until);
  database_.run("DELETE FROM vacation WHERE userid = ? AND ends <= begins", userid);
  return Success{};
}

Uptime::Uptime(Database& database) : database_(database) {
  const auto span = [](const Database::Rows& row) { return TimeSpan{row.time(0), row.time(1)}; };
  downtimes_ = database_.query_all(span, "SELECT begins, ends FROM down ORDER BY begins");
  last_up_ = query_last_up();
}

Time Uptime::query_last_up() {
  return Time(std::chrono::seconds(
      database_.query_number("SELECT value FROM setting WHERE name = 'seen'")));
}

void Uptime::record_up(Time now) {
  // The clock was set back since then, so those downtimes are wrong.
  while (!downtimes_.empty() && downtimes_.back().end > now) downtimes_.pop_back();
  try {
    last_up_ = query_last_up();  // a commit may have failed since store_last_up()
  } catch (const Error&) {
    // The disk has no room for a query.
  }
  if (last_up_ == Time{}) last_up_ = now;
  begin_ = begin_ == Time{} ? now : std::min(begin_, now);
  const Time last = last_check_ == Time{} ? last_up_ : last_check_;
  last_check_ = now;
  if (now - last <= kMinDowntime) return;
  downtimes_.push_back({last, now});
  if (downtimes_.size() > kMaxDowntimes) downtimes_.erase(downtimes_.begin());
}

void Uptime::store_last_up(Time now) {
  last_up_ = now;
  try {
    Database::Savepoint all(database_);
    const Time first = downtimes_.empty() ? Time{} : downtimes_.front().start;
    database_.run("DELETE FROM down WHERE ends >= ? OR begins < ?", begin_, first);
    for (const TimeSpan& down : downtimes_)
      if (down.end >= begin_) database_.run("INSERT INTO down VALUES (?, ?)", down.start, down.end);
    database_.run("REPLACE INTO setting VALUES ('seen', ?)", now);
    all.keep();
  } catch (const Error&) {
    // The disk is full. The next server will take this time for a downtime.
  }
}

}  // namespace pbm
