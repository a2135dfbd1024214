// SPDX-License-Identifier: MIT
// Records and mails that quote them. A record that was read must be written and read as the same
// one.
#include "protocol/match_description.hpp"
#include "protocol/record.hpp"
#include "save/save.hpp"
#include "target.hpp"

namespace pbm::test {

void try_input(std::string_view input) {
  const auto match = read_record(input, "x");
  if (!match) {
    REQUIRE(is_sentence(match.refusal().reason));
    REQUIRE(match.refusal().reason.starts_with("x, line "));
    return;
  }
  const std::string record = record_text(*match, {});
  const auto again = read_record(record, "x");
  REQUIRE(again.ok());
  REQUIRE(record_text(*again, {}) == record);
  REQUIRE(load_match(save_text(*match), "x").ok());
}

}  // namespace pbm::test
