// SPDX-License-Identifier: MIT
// Counts how often each user did something in the last minute or day, and refuses more than a
// limit. Leaves to its callers what they count.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace pbm {

class MinuteLimit {
 public:
  // `most` is the limit for each name; `refusal` is the message for those who exceed it.
  MinuteLimit(std::size_t most, std::string refusal,
              std::chrono::minutes span = std::chrono::minutes(1))
      : limit_(most), refusal_(std::move(refusal)), span_(span) {}
  // Refuses if `n` more would exceed the limit.
  Result<Success> check(const std::string& who, SteadyTime now, std::size_t n = 1) {
    constexpr std::size_t kManyNames = 1000;
    if (times_.size() > kManyNames)
      std::erase_if(times_, [&](const auto& each) {
        return each.second.empty() || each.second.back() + span_ <= now;
      });
    std::deque<SteadyTime>& times = times_[who];
    while (!times.empty() && times.front() + span_ <= now) times.pop_front();
    if (times.size() + n > limit_) return Refusal{refusal_};
    return Success{};
  }
  void add(const std::string& who, SteadyTime now, std::size_t n = 1) {
    std::deque<SteadyTime>& times = times_[who];
    times.insert(times.end(), n, now);
  }
  // Counts one more if check() allows it.
  Result<Success> check_and_add(const std::string& who, SteadyTime now) {
    auto out = check(who, now);
    if (out) add(who, now);
    return out;
  }

 private:
  std::size_t limit_;
  std::string refusal_;
  std::chrono::minutes span_;
  std::map<std::string, std::deque<SteadyTime>> times_;
};

}  // namespace pbm
