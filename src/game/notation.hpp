// SPDX-License-Identifier: MIT
// Accepts plies that players write with extra or missing punctuation.
// Leaves the rules to the games: their parse() comes first, and its refusal counts if no ply fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// An accepted spelling of a legal ply in lower case, and the ply it means.
struct Spelling {
  std::string text, ply;
  friend auto operator<=>(const Spelling&, const Spelling&) = default;
};

// A typed text reduced to its letters and digits, and the only ply that has the same ones, if there
// is exactly one.
struct LooseReading {
  std::string plain_text;
  std::optional<std::string> ply;
};
// Returns nothing if the text has characters that no ply has, or begins or ends with a punctuation
// character. Punctuation stands only between letters and digits.
std::optional<LooseReading> read_loosely(std::string_view typed,
                                         const std::vector<Spelling>& spellings);

// An index of a position's legal plies by their letters and digits. It ignores blanks, dashes,
// '.', ':', ',' and an x that no ply has, and reads 0 as O. The first and the last square of a
// chain are enough if no other ply has the same two.
class SpellingIndex {
 public:
  SpellingIndex() = default;
  explicit SpellingIndex(const std::vector<Spelling>& spellings);

  // A completion: a spelling, and how many of its bytes the player has typed. Each ply has one,
  // its canonical spelling if possible.
  struct Completion {
    std::string spelling, ply;
    std::size_t typed_bytes;
  };
  // Returns the completions of all plies that begin with these letters and digits.
  std::vector<Completion> completions(std::string_view typed) const;

 private:
  struct Entry {
    std::string key, spelling, ply;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries_;  // sorted
  bool has_x_ = false;
};

}  // namespace pbm
