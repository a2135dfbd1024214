// SPDX-License-Identifier: MIT
// Saves: each accepted save can be written, read again, replayed in part and continued.
#include "save/save.hpp"

#include "target.hpp"

namespace pbm::test {

namespace {

void check_next_ply(std::string_view text, const Match& match) {
  const Seat seat = match.to_move().value_or(0);
  const auto legal = match.position().legal_plies();
  const auto entry =
      match.validate(seat, legal.empty() || match.ending() ? "undo" : legal.front(), Time{});
  if (!entry) return;
  const auto addition = add_to_save(text, "fuzz.yaml", {*entry});
  if (!addition) {
    REQUIRE(is_sentence(addition.refusal().reason));
    return;
  }
  const auto then = load_match(
      std::string(text.substr(0, addition->kept_bytes)) + addition->new_text, "then.yaml");
  REQUIRE(then.ok());
  Match wanted = match;
  wanted.add(*entry);
  REQUIRE(then->match.log() == wanted.log());
}

}  // namespace

void try_input(std::string_view input) {
  const std::string text(input);
  const auto loaded = load_match(text, "fuzz.yaml");
  if (!loaded) {
    REQUIRE(loaded.refusal().reason.starts_with("fuzz.yaml"));
    REQUIRE(is_sentence(loaded.refusal().reason));
    return;
  }
  const Match& match = loaded->match;
  const std::string written = save_text(match);
  const auto again = load_match(written, "again.yaml");
  REQUIRE(again.ok());
  REQUIRE(again->warning.empty());
  REQUIRE(again->match.log() == match.log());
  REQUIRE(again->match.names() == match.names());
  REQUIRE(again->match.position() == match.position());
  REQUIRE(again->match.status() == match.status());
  REQUIRE(save_text(again->match) == written);
  REQUIRE(is_sentence(match.status()));
  for (std::size_t n = 0; n <= std::min<std::size_t>(match.plies().size(), 40); ++n) {
    const Match cut = match.prefix_copy(n);
    REQUIRE(cut.plies().size() == n);
    if (match.seats() == 2) REQUIRE(cut.position() == match.position_after(n));
  }
  check_next_ply(text, match);
}

}  // namespace pbm::test
