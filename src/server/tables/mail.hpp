// SPDX-License-Identifier: MIT
// What was said to users while they were not watching, kept until they are.
#pragma once

#include <vector>

#include "store/database.hpp"

namespace pbm {

class Mail {
 public:
  static constexpr std::size_t kMaxKept = 100;  // for one user; the oldest go

  explicit Mail(Database& database) : database_(database) {}

  // Keeps an event for `userid`, with when it was. Throws Error.
  void keep(const std::string& userid, const std::string& what, Time at);
  std::size_t count(const std::string& userid);
  // Everything kept for `userid`, the oldest first.
  struct Letter {
    std::string what;
    Time at{};
    std::size_t number = 0;  // later ones have higher ones
  };
  std::vector<Letter> letters(const std::string& userid);
  // It was read up to that number, and is not kept any longer. Throws Error.
  void read(const std::string& userid, std::size_t last);

 private:
  Database& database_;
};

}  // namespace pbm
