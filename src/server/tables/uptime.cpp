// SPDX-License-Identifier: MIT
#include "server/tables/uptime.hpp"

namespace pbm {

Uptime::Uptime(Database& database) : database_(database) {
  const auto span = [](const Database::Rows& row) { return Span{row.time(0), row.time(1)}; };
  downs_ = database_.all(span, "SELECT begins, ends FROM down ORDER BY begins");
  seen_ =
      Time(std::chrono::seconds(database_.number("SELECT value FROM setting WHERE name = 'seen'")));
}

void Uptime::see(Time now) {
  // What the clock said then it has taken back since.
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
    // The disk is full: this server knows it all the same.
  }
}

void Uptime::keep(Time now) {
  seen_ = now;
  try {
    database_.run("REPLACE INTO setting VALUES ('seen', ?)", now);
  } catch (const Error&) {
    // The next server takes this one to have been down.
  }
}

}  // namespace pbm
