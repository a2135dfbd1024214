// SPDX-License-Identifier: MIT
// Open challenges, kept until a player accepts one, its owner takes it back, or two weeks have
// passed. Leaves the permissions to commands/.
#pragma once

#include <chrono>
#include <vector>

#include "protocol/people.hpp"
#include "store/database.hpp"

namespace pbm {

class Seeks {
 public:
  static constexpr std::size_t kMaxPerUser = 5, kMaxPerSource = 100, kMaxTotal = 1000;
  static constexpr auto kLifetime = std::chrono::hours(24 * 14);

  explicit Seeks(Database& database) : database_(database) {}

  // Returns the challenges that are open at that time, by number; and the one with that number.
  std::vector<Seek> find_open(Time now);
  std::optional<Seek> find(std::size_t number, Time now);
  // Returns how many came from one source (Session::limit_source()), under any userid.
  std::size_t count_by_source(const std::string& asker, Time now);

  // Both throw Error. Adds a challenge and returns its number, which no other ever gets.
  std::size_t add(const Seek& seek, const std::string& asker);
  void drop(std::size_t number);

 private:
  Database& database_;
};

}  // namespace pbm
