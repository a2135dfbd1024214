// SPDX-License-Identifier: MIT
// Who is, was or will be on vacation. Leaves what that does to clocks to game/clocks.hpp.
#pragma once

#include <map>

#include "game/clocks.hpp"
#include "server/state/journal.hpp"

namespace pbm {

class Vacations {
 public:
  explicit Vacations(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }
  // Runs `then` once all of that is on disk.
  void after(CommitLog::Then then) { journal_.after(std::move(then)); }

  // Of somebody in lower case; none where he never was.
  const Spans& of(const std::string& userid);
  // From `now` on for so many days, in place of what is left of one that runs; 0 ends it. Refuses
  // more than a year has. Throws Error; both change nothing.
  Result<Done> set(const std::string& userid, int days, Time now);

 private:
  void take(const Record& record);
  void live(const Journal::Take& keep) const;

  std::map<std::string, Spans> vacations_;
  Journal journal_;
};

}  // namespace pbm
