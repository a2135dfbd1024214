// SPDX-License-Identifier: MIT
// Who is, was or will be on vacation. Leaves what that does to clocks to game/clocks.hpp.
#pragma once

#include "game/clocks.hpp"
#include "store/database.hpp"

namespace pbm {

class Vacations {
 public:
  explicit Vacations(Database& database) : database_(database), vacations_(database, "vacation") {}

  // Of somebody in lower case; none where he never was.
  const Spans& of(const std::string& userid);
  // From `now` on for so many days, in place of what is left of one that runs; 0 ends it. Refuses
  // more than a year has, with nothing changed. Throws Error.
  Result<Done> set(const std::string& userid, int days, Time now);

 private:
  Database& database_;
  Remembered<Spans> vacations_;
};

}  // namespace pbm
