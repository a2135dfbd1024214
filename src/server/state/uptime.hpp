// SPDX-License-Identifier: MIT
// When the server was down: not started, killed, or asleep with its machine. A small file says when
// it was last seen up, and is written over in place: a crash leaves the one before or none. Leaves
// what that does to clocks to game/clocks.hpp.
#pragma once

#include "base/unique_fd.hpp"
#include "game/clocks.hpp"
#include "server/state/journal.hpp"

namespace pbm {

class Uptime {
 public:
  // A server that is started anew within that time was not down.
  static constexpr auto kDown = std::chrono::minutes(10);
  static constexpr std::size_t kMaxDowns = 1000;  // of which is known; the oldest are forgotten

  explicit Uptime(CommitLog& log);
  // Returns a sentence about what could not be read, or "".
  std::string load();
  void tidy() { journal_.tidy(); }

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
  void take(const Record& record);
  void live(const Journal::Take& keep) const;

  Spans downs_;
  Time seen_{};     // nothing: no server ever was
  Time watched_{};  // the same, of this one alone
  std::filesystem::path file_;
  UniqueFd fd_;
  Journal journal_;
};

}  // namespace pbm
