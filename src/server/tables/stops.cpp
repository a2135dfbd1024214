// SPDX-License-Identifier: MIT
#include "server/tables/stops.hpp"

#include "base/text.hpp"

namespace pbm {

const Spans& Vacations::of(const std::string& userid) {
  return vacations_.get(userid, [&] {
    Spans out;
    for (auto row = database_.ask(
             "SELECT begins, ends FROM vacation WHERE userid = ? ORDER BY begins", userid);
         row.next();)
      lengthen(out, {row.time(0), row.time(1)});
    return out;
  });
}

Result<Done> Vacations::set(const std::string& userid, int days, Time now) {
  const Time until = now + std::chrono::days(days);
  Spans before = of(userid);
  // Ends the current vacation now, and drops one that would begin later.
  if (!before.empty() && before.back().to > now) before.back().to = now;
  if (!before.empty() && before.back().to <= before.back().from) before.pop_back();
  Spans then = before;
  lengthen(then, {now, until});
  if (const auto year = too_long_in(then); year && days > 0)
    return Refusal{"Vacations have at most " + std::to_string(kVacationDays) +
                   " days a calendar year: " + userid + " has " +
                   count_of(static_cast<std::size_t>(vacation_left(before, *year)), "day", "days") +
                   " left of " + std::to_string(*year) + "."};
  database_.run("UPDATE vacation SET ends = ? WHERE userid = ? AND ends > ?", now, userid, now);
  if (days > 0) database_.run("REPLACE INTO vacation VALUES (?, ?, ?)", userid, now, until);
  database_.run("DELETE FROM vacation WHERE userid = ? AND ends <= begins", userid);
  return Done{};
}

Uptime::Uptime(Database& database) : database_(database) {
  const auto span = [](const Database::Rows& row) { return Span{row.time(0), row.time(1)}; };
  downs_ = database_.all(span, "SELECT begins, ends FROM down ORDER BY begins");
  seen_ =
      Time(std::chrono::seconds(database_.number("SELECT value FROM setting WHERE name = 'seen'")));
}

void Uptime::see(Time now) {
  // The clock was set back since then, so those downtimes are wrong.
  while (!downs_.empty() && downs_.back().to > now) downs_.pop_back();
  if (seen_ == Time{}) seen_ = now;
  const Time last = watched_ == Time{} ? seen_ : watched_;
  watched_ = now;
  if (now - last <= kDown) return;
  downs_.push_back({last, now});
  if (downs_.size() > kMaxDowns) downs_.erase(downs_.begin());
  try {
    database_.run("DELETE FROM down WHERE ends > ? OR begins < ?", last, downs_.front().from);
    database_.run("REPLACE INTO down VALUES (?, ?)", last, now);
  } catch (const Error&) {
    // The disk is full. This server knows the downtime without it.
  }
}

void Uptime::keep(Time now) {
  seen_ = now;
  try {
    database_.run("REPLACE INTO setting VALUES ('seen', ?)", now);
  } catch (const Error&) {
    // The disk is full. The next server will take this time for a downtime.
  }
}

}  // namespace pbm
