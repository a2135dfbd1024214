// SPDX-License-Identifier: MIT
// Queues passwords for hashing so that an attacker who guesses passwords cannot lock out others.
// Each source of guesses (a login of this machine, an address, or a userid that `as` signed in) has
// its own queue. The queues take turns; one with wrong passwords waits longer. Leaves hashing to
// password.hpp and replies to session.hpp.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "server/password.hpp"

namespace pbm {

// Returns how long the reply to the `wrong`-th wrong password in a row is delayed.
std::chrono::seconds delay_after(std::size_t wrong);

class HashQueue {
 public:
  static constexpr std::size_t kMaxQueued = 32;  // jobs of one source
  // After a wrong password its source pauses: kPauseForEach times its recent wrong passwords, at
  // most kMaxPause. The count restarts after a minute without one.
  static constexpr std::chrono::milliseconds kPauseForEach{50}, kMaxPause{250};

  // Adds a job. `fresh` is true if neither its connection nor its program has guessed wrong. If the
  // source has too many jobs, drops one and returns its connection, else 0.
  std::uint64_t add(const std::string& guesser, bool fresh, std::unique_ptr<HashJob> job);
  // Drops the jobs of a closed connection.
  void remove(std::uint64_t session);
  // Returns the next job, or nullptr if none is queued or all sources pause.
  std::unique_ptr<HashJob> take(SteadyTime now);
  // Returns when the next job may start, or nothing if none is queued.
  std::optional<SteadyTime> next_due() const;
  // Counts a wrong password. `program` is the process id of the client, 0 if it is not known.
  void add_wrong_guess(const std::string& guesser, SteadyTime now, pid_t program = 0);
  // True if that process sent more wrong passwords lately than a person mistypes.
  bool is_guesser(const std::string& guesser, pid_t program) const;

 private:
  struct QueuedJob {
    bool is_fresh;
    std::unique_ptr<HashJob> job;
  };
  struct Source {
    std::vector<QueuedJob> jobs;  // in order of arrival
    std::size_t turn_count = 0;
    std::size_t wrong_count = 0;                    // wrong passwords since the last quiet minute
    std::map<pid_t, std::size_t> wrong_by_process;  // the same for each process
    SteadyTime last_wrong{}, not_before{};
  };
  static std::unique_ptr<HashJob> take_from(Source& guesser);

  std::map<std::string, Source> sources_;
  std::string last_source_;  // the source that had the last turn
  std::size_t turn_count_ = 0;
};

}  // namespace pbm
