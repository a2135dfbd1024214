// SPDX-License-Identifier: MIT
// What was said to users while they were not watching, kept until they are.
#pragma once

#include <map>

#include "base/clock.hpp"
#include "server/state/journal.hpp"

namespace pbm {

class Mail {
 public:
  static constexpr std::size_t kMaxKept = 100;  // for one user; the oldest go

  explicit Mail(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // Keeps an event for `userid`, with when it was. Throws Error with nothing kept.
  void keep(const std::string& userid, const std::string& what, Time at);
  std::size_t count(const std::string& userid);
  // Everything kept for `userid`, the oldest first.
  struct Letter {
    std::string what;
    Time at{};
    std::size_t number = 0;  // later ones have higher ones, while the server runs
  };
  std::vector<Letter> letters(const std::string& userid);
  // It was read up to that number, and is not kept any longer. Throws Error.
  void read(const std::string& userid, std::size_t last);

 private:
  void take(const Record& record);

  std::size_t last_number_ = 0;
  std::map<std::string, std::vector<Letter>> letters_;
  Journal journal_;
};

}  // namespace pbm
