// SPDX-License-Identifier: MIT
// How often something was done within the last minute, by who did it. Leaves what is too often to
// its callers.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "base/clock.hpp"

namespace pbm {

class MinuteCount {
 public:
  std::size_t of(const std::string& who, Moment now) const {
    const auto found = times_.find(who);
    if (found == times_.end()) return 0;
    return static_cast<std::size_t>(
        std::count_if(found->second.begin(), found->second.end(),
                      [&](Moment t) { return t + std::chrono::minutes(1) > now; }));
  }
  void add(const std::string& who, std::size_t n, Moment now) {
    std::deque<Moment>& times = times_[who];
    while (!times.empty() && times.front() + std::chrono::minutes(1) <= now) times.pop_front();
    times.insert(times.end(), n, now);
  }

 private:
  std::map<std::string, std::deque<Moment>> times_;
};

}  // namespace pbm
