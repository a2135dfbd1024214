// SPDX-License-Identifier: MIT
// What was said to users while they were not watching, kept until they are. Leaves sending it by
// mail to messenger.hpp.
#pragma once

#include <set>
#include <vector>

#include "protocol/events.hpp"
#include "store/database.hpp"

namespace pbm {

class Mail {
 public:
  // For one user, of what people say and of other events each. The oldest go; of what is said those
  // of whoever has most of it there, so that nobody pushes out what others wrote.
  static constexpr std::size_t kMaxKept = 100;

  explicit Mail(Database& database) : database_(database) {}

  // Keeps an event for `userid`, as its line has it, with when it was. Throws Error.
  void keep(const std::string& userid, const Event& event, const std::string& what, Time at);
  // A challenge is taken back: who has not read of it does not any more. Returns these.
  std::set<std::string> take_back(const std::string& board);
  std::size_t count(const std::string& userid);
  // Everything kept for `userid`, the oldest first; or what no notice has told.
  struct Letter {
    std::string what;
    Time at{};
    std::size_t number = 0;  // later ones have higher ones
  };
  std::vector<Letter> letters(const std::string& userid, bool untold = false);
  // It was read up to that number, and is not kept any longer. Throws Error.
  void read(const std::string& userid, std::size_t last);

 private:
  Database& database_;
};

}  // namespace pbm
