// SPDX-License-Identifier: MIT
// Passwords that wait to be hashed, in an order in which nobody can shut out anybody else. Whoever
// guesses - a login of this machine, a port, a userid that came by a door - waits in a line of its
// own; the lines take turns, and one in which wrong ones were found takes them more slowly. Leaves
// hashing to password.hpp and what is answered to session.hpp.
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

// How long the answer to the `wrong`-th wrong password in a row is kept back.
std::chrono::seconds wait_after(std::size_t wrong);

class HashQueue {
 public:
  static constexpr std::size_t kMaxWaiting = 32;  // of one guesser
  // The pause between two passwords of one guesser: kPauseForEach for each wrong one of the last
  // minute, at most kMaxPause.
  static constexpr std::chrono::milliseconds kPauseForEach{50}, kMaxPause{250};

  // `fresh`: the connection has guessed no wrong one yet. When too many wait, another job is
  // dropped for this one; returns the connection that asked for that, else 0.
  std::uint64_t add(const std::string& guesser, bool fresh, std::unique_ptr<HashJob> job);
  // Drops what that connection waits for.
  void leave(std::uint64_t session);
  // The next one, or nullptr when nobody's turn has come.
  std::unique_ptr<HashJob> take(Moment now);
  // When somebody's turn comes; nothing while nobody waits.
  std::optional<Moment> due() const;
  // Counts a wrong one; `program` is the guesser's process, 0 where that is not known.
  void wrong(const std::string& guesser, Moment now, pid_t program = 0);
  // Whether that program guessed wrong lately, and oftener than a person who mistypes.
  bool guesses(const std::string& guesser, pid_t program) const;

 private:
  struct Waiting {
    bool fresh;
    std::unique_ptr<HashJob> job;
  };
  struct Guesser {
    std::vector<Waiting> waiting;  // as they came
    std::size_t turns = 0;
    std::size_t wrong = 0;                  // until there is none for a minute
    std::map<pid_t, std::size_t> programs;  // and which of his programs these were
    Moment last_wrong{}, not_before{};
  };
  static std::unique_ptr<HashJob> pick(Guesser& guesser);

  std::map<std::string, Guesser> guessers_;
  std::string last_;  // whose turn it was
  std::size_t turns_ = 0;
};

}  // namespace pbm
