// SPDX-License-Identifier: MIT
// Counts how often each user did something in the last minute, and refuses more than a limit.
// Leaves to its callers what they count.
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
  // `most` is the limit for each name; `refusal` is the message for those who exceed it.
  MinuteCount(std::size_t most, std::string refusal) : most_(most), refusal_(std::move(refusal)) {}
  // Refuses if `n` more would exceed the limit.
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
  // Counts one more if may() allows it.
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
