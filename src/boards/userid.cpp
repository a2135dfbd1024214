// SPDX-License-Identifier: MIT
#include "boards/userid.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

Result<std::string> check_userid(std::string_view typed) {
  const auto first = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  const auto fine = [&](char c) { return first(c) || c == '.' || c == '-'; };
  if (typed.empty() || typed.size() > kLongestUserid || !first(typed.front()) || !std::all_of(typed.begin(), typed.end(), fine))
    return Refusal{"'" + fit(typed, 24) + "' cannot be a userid: it has 1 to " + std::to_string(kLongestUserid) +
                   " letters, digits, '_', '.' and '-', and neither '.' nor '-' first."};
  // These mean something where a userid may stand.
  for (const std::string_view word : {"all", "active", "inactive", "next", "none", "new"})
    if (same_ignoring_case(word, typed)) return Refusal{"'" + lower(typed) + "' cannot be a userid: it is a word of the commands."};
  return lower(typed);
}

Result<Done> check_password(std::string_view typed) {
  // It is not shown, whatever is wrong with it.
  if (typed == "*") return Refusal{"'*' is no password: it stands for the one a connection has proved."};
  const bool fine = std::none_of(typed.begin(), typed.end(), [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == ':'; });
  if (typed.empty() || typed.size() > kLongestPassword || typed.front() == '-' || !fine)
    return Refusal{"A password has 1 to " + std::to_string(kLongestPassword) +
                   " bytes, without blanks, quotes and colons, and does not start with a dash."};
  return Done{};
}

}  // namespace pbm
