// SPDX-License-Identifier: MIT
// What people write in a ply beside its letters and digits, and may leave out:
// the one place that overlooks it. Leaves the rules to the games, whose parse()
// comes first and has the word when nothing can be meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// An accepted spelling of a legal ply, lower case, and the ply it stands for.
struct Spelling {
  std::string typed, ply;
  friend auto operator<=>(const Spelling&, const Spelling&) = default;
};

// What was typed, without what may be left out, and the one ply that has just
// its letters and digits.
struct Meant {
  std::string plain;
  std::optional<std::string> ply;
};
// Nothing where the text has what no ply has, or begins or ends with a sign:
// signs stand between letters and digits.
std::optional<Meant> meant_by(std::string_view typed, const std::vector<Spelling>& spellings);

// The legal plies of a position by their letters and digits alone. Blanks,
// dashes, '.', ':', ',' and an x that no ply has are left out, 0 is an O, and of
// a chain the first and the last place say enough where no other one joins them.
class Notation {
 public:
  Notation() = default;
  explicit Notation(const std::vector<Spelling>& spellings);

  // A spelling that begins as typed, and up to where; one for each ply, where
  // that can be its own.
  struct Way {
    std::string spelling, ply;
    std::size_t typed;
  };
  // Of all that begins with these letters and digits.
  std::vector<Way> ways_on(std::string_view typed) const;

 private:
  struct Row {
    std::string key, spelling, ply;
    friend auto operator<=>(const Row&, const Row&) = default;
  };
  std::vector<Row> rows_;  // sorted
  bool has_x_ = false;
};

}  // namespace pbm
