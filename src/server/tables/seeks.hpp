// SPDX-License-Identifier: MIT
// Open challenges, kept until somebody takes them, they are taken back, or two weeks have passed.
// Leaves who may take which to commands/.
#pragma once

#include <chrono>
#include <vector>

#include "protocol/people.hpp"
#include "store/database.hpp"

namespace pbm {

class Seeks {
 public:
  static constexpr std::size_t kMaxOfOne = 5, kMaxOfAsker = 100, kMaxOfAll = 1000;
  static constexpr auto kKept = std::chrono::hours(24 * 14);

  explicit Seeks(Database& database) : database_(database) {}

  // By number: those that are open at that time; and one of them.
  std::vector<Seek> open(Time now);
  std::optional<Seek> find(std::size_t number, Time now);
  // How many came from one asker, whatever userids he took.
  std::size_t count_from(const std::string& asker, Time now);

  // Both throw Error. Keeps one, under the next number, which it returns; no number comes twice.
  std::size_t add(const Seek& seek, const std::string& asker);
  void drop(std::size_t number);

 private:
  Database& database_;
};

}  // namespace pbm
