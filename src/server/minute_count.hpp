// SPDX-License-Identifier: MIT
// How often something was done within the last minute, by who did it, and whether it may be done
// once more. Leaves to its callers what counts.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace pbm {

class MinuteCount {
 public:
  // At most so often a minute; `refusal` says that it was.
  MinuteCount(std::size_t most, std::string refusal) : most_(most), refusal_(std::move(refusal)) {}
  // Refuses `n` times more than may be.
  Result<Done> may(const std::string& who, Moment now, std::size_t n = 1) {
    std::deque<Moment>& times = times_[who];
    while (!times.empty() && times.front() + std::chrono::minutes(1) <= now) times.pop_front();
    if (times.size() + n > most_) return Refusal{refusal_};
    return Done{};
  }
  void add(const std::string& who, Moment now, std::size_t n = 1) {
    std::deque<Moment>& times = times_[who];
    times.insert(times.end(), n, now);
  }
  // The two in one: counts it where it may be.
  Result<Done> take(const std::string& who, Moment now) {
    auto out = may(who, now);
    if (out) add(who, now);
    return out;
  }

 private:
  std::size_t most_;
  std::string refusal_;
  std::map<std::string, std::deque<Moment>> times_;
};

}  // namespace pbm
