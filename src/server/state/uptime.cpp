// SPDX-License-Identifier: MIT
#include "server/state/uptime.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "store/recovery.hpp"

namespace pbm {

Uptime::Uptime(CommitLog& log)
    : file_(log.directory() / kServerFiles / "up"),
      journal_(log, "downs.yaml", "When the server was down.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) { live(keep); }}) {}

void Uptime::take(const Record& r) {
  const auto from = read_iso_time(r.get("from")), to = read_iso_time(r.get("to"));
  if (!from || !to || *to < *from || (!downs_.empty() && *from < downs_.back().to)) return;
  downs_.push_back({*from, *to});
  if (downs_.size() > kMaxDowns) downs_.erase(downs_.begin());
}

void Uptime::live(const Journal::Take& keep) const {
  for (const Span& s : downs_)
    keep(Record().put("from", iso_time(s.from)).put("to", iso_time(s.to)));
}

std::string Uptime::load() {
  const std::string said = journal_.load();
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return said;
  const auto text = read_file(file_, 100);
  // A power cut may leave anything: then it was down, nobody knows how long.
  seen_ = (text ? read_iso_time(trim(*text)) : std::nullopt).value_or(Time::max());
  return said;
}

void Uptime::see(Time now) {
  // What the clock said then it has taken back since.
  while (!downs_.empty() && downs_.back().to > now) downs_.pop_back();
  const bool unknown = seen_ == Time::max();
  if (unknown || seen_ == Time{}) seen_ = now;
  const Time last = watched_ == Time{} ? seen_ : watched_;
  watched_ = now;
  if (!unknown && now - last <= kDown) return;
  const Record record = Record().put("from", iso_time(last)).put("to", iso_time(now));
  take(record);
  try {
    journal_.add(record);
  } catch (const Error&) {
    // The disk is full: this server knows it all the same.
  }
}

void Uptime::keep(Time now) {
  seen_ = now;
  const std::string text = iso_time(now) + "\n";
  if (!fd_.open())
    fd_ = UniqueFd(
        ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600));
  // Where it cannot be written the next server takes this one to have been down.
  if (fd_.open()) static_cast<void>(write_at(fd_.get(), text, 0));
}

}  // namespace pbm
