// SPDX-License-Identifier: MIT
#include "server/state/vacations.hpp"

#include "base/text.hpp"

namespace pbm {

namespace {

// From then on nothing is left of a vacation; a later one that begins before its end follows it.
void cut_off(Spans& spans, Time at) {
  if (!spans.empty() && spans.back().to > at) spans.back().to = at;
  if (!spans.empty() && spans.back().to <= spans.back().from) spans.pop_back();
}

}  // namespace

Vacations::Vacations(CommitLog& log)
    : journal_(log, "vacations.yaml", "Who is or was on vacation, and when.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) { live(keep); }}) {}

void Vacations::take(const Record& r) {
  const auto from = read_iso_time(r.get("from")), to = read_iso_time(r.get("to"));
  if (!from || !to || r.get("user").empty()) return;
  Spans& spans = vacations_[r.get("user")];
  cut_off(spans, *from);
  lengthen(spans, {*from, *to});
}

void Vacations::live(const Journal::Take& keep) const {
  for (const auto& [user, spans] : vacations_)
    for (const Span& s : spans)
      keep(Record().put("user", user).put("from", iso_time(s.from)).put("to", iso_time(s.to)));
}

const Spans& Vacations::of(const std::string& userid) {
  static const Spans none;
  const auto found = vacations_.find(userid);
  if (found == vacations_.end()) return none;
  journal_.touch();
  return found->second;
}

Result<Done> Vacations::set(const std::string& userid, int days, Time now) {
  const Record record = Record()
                            .put("user", userid)
                            .put("from", iso_time(now))
                            .put("to", iso_time(now + std::chrono::days(days)));
  Spans before = of(userid);
  cut_off(before, now);
  Spans then = before;
  lengthen(then, {now, now + std::chrono::days(days)});
  if (const auto year = too_long_in(then); year && days > 0)
    return Refusal{"Vacations have at most " + std::to_string(kVacationDays) +
                   " days a calendar year: " + userid + " has " +
                   count_of(static_cast<std::size_t>(vacation_left(before, *year)), "day", "days") +
                   " left of " + std::to_string(*year) + "."};
  journal_.add(record);
  take(record);
  return Done{};
}

}  // namespace pbm
