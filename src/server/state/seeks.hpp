// SPDX-License-Identifier: MIT
// Open challenges, kept until somebody takes them, they are taken back, or two weeks have passed.
// Leaves who may take which to commands/.
#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "protocol/people.hpp"
#include "server/state/journal.hpp"

namespace pbm {

class Seeks {
 public:
  static constexpr std::size_t kMaxOfOne = 5, kMaxOfAll = 1000;
  static constexpr auto kKept = std::chrono::hours(24 * 14);

  explicit Seeks(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // By number: those that are open at that time.
  const std::map<std::size_t, Seek>& open(Time now);
  std::size_t count(const std::string& userid, Time now);

  // Both throw Error with nothing changed. Keeps one, under the next number, which it returns; no
  // number comes twice.
  std::size_t add(Seek seek);
  void drop(std::size_t number);
  // One that was dropped and not taken after all.
  void put_back(const Seek& seek);
  // Runs `then` once all of that is on disk.
  void after(CommitLog::Then then) { journal_.after(std::move(then)); }

 private:
  void take(const Record& record);
  void live(const Journal::Take& keep) const;

  std::map<std::size_t, Seek> seeks_;
  std::size_t last_ = 0;
  Journal journal_;
};

}  // namespace pbm
