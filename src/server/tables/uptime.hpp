// SPDX-License-Identifier: MIT
// When the server was down: not started, killed, or asleep with its machine. Leaves what that does
// to clocks to game/clocks.hpp.
#pragma once

#include "game/clocks.hpp"
#include "store/database.hpp"

namespace pbm {

class Uptime {
 public:
  // A server that is started anew within that time was not down.
  static constexpr auto kDown = std::chrono::minutes(10);
  static constexpr std::size_t kMaxDowns = 1000;  // of which is known; the oldest are forgotten

  explicit Uptime(Database& database);

  // It is up now. Since when it was last seen before that was down, if that is long ago.
  void see(Time now);
  // When it was last seen up, by a server before this one too; what was due until then is done.
  Time seen() const { return seen_; }
  // Writes that down.
  void keep(Time now);

  const Spans& downs() const { return downs_; }
  // When it was last back; nothing where it was never down.
  std::optional<Time> back() const {
    return downs_.empty() ? std::nullopt : std::optional(downs_.back().to);
  }

 private:
  Database& database_;
  Spans downs_;
  Time seen_{};     // nothing: no server ever was
  Time watched_{};  // the same, of this one alone
};

}  // namespace pbm
