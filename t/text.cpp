// SPDX-License-Identifier: MIT
// Lists as sentences have them.
#include "base/text.hpp"

#include "support.hpp"

using namespace pbm;

namespace {
using Words = std::vector<std::string>;
}  // namespace

TEST_CASE("a list ends in or, or in and", "[text]") {
  CHECK(one_of(Words{}) == "");
  CHECK(one_of(Words{"A"}) == "A");
  CHECK(one_of(Words{"A", "B"}) == "A or B");
  CHECK(one_of(Words{"A", "B", "C"}) == "A, B or C");
  CHECK(all_of(Words{}) == "");
  CHECK(all_of(Words{"A"}) == "A");
  CHECK(all_of(Words{"A", "B"}) == "A and B");
  CHECK(all_of(Words{"A", "B", "C"}) == "A, B and C");
}

TEST_CASE("a list too long for a sentence counts what it leaves out", "[text]") {
  CHECK(one_of(Words{}, 3) == "");
  CHECK(one_of(Words{"A"}, 3) == "A");
  CHECK(one_of(Words{"A", "B", "C"}, 3) == "A, B or C");
  CHECK(one_of(Words{"A", "B", "C", "D"}, 3) == "A, B or 2 others");
  CHECK(one_of(Words{"A", "B", "C", "D", "E"}, 3) == "A, B or 3 others");
  CHECK(one_of(Words{"A", "B", "C"}, 2) == "A or 2 others");
}
