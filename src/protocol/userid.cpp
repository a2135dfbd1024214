// SPDX-License-Identifier: MIT
#include "protocol/userid.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

namespace {

constexpr auto is_plain = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };

Refusal no_userid(std::string_view typed) {
  return Refusal{"'" + fit(typed, 24) + "' cannot be a userid: it has 1 to " +
                 std::to_string(kMaxUserid) +
                 " letters, digits, '_', '.' and '-', and neither '.' nor '-' first or last."};
}

}  // namespace

Refusal owners_name(std::string_view typed) {
  return Refusal{"'" + lower(typed) +
                 "' cannot be a userid: it would be taken for the owner of a server."};
}

Result<std::string> check_userid(std::string_view typed) {
  const auto fine = [](char c) { return is_plain(c) || c == '.' || c == '-'; };
  // A trailing dot would be lost in a sentence: "fred." looks like "fred".
  if (typed.empty() || typed.size() > kMaxUserid || !is_plain(typed.front()) ||
      !is_plain(typed.back()) || !std::ranges::all_of(typed, fine))
    return no_userid(typed);
  for (const std::string_view word : {"admin", "administrator", "moderator", "owner", "pbmplay",
                                      "root", "server", "staff", "system"})
    if (same_ignoring_case(word, typed)) return owners_name(typed);
  // Commands use these words where a userid may stand.
  for (const std::string_view word : {"all", "active", "inactive", "next", "none", "new"})
    if (same_ignoring_case(word, typed))
      return Refusal{"'" + lower(typed) + "' cannot be a userid: it is a word of the commands."};
  return lower(typed);
}

Result<Done> check_new_password(std::string_view typed, std::size_t shortest) {
  // The messages never show the password.
  if (typed == "*")
    return Refusal{"'*' is no password: it stands for the one a connection has proved."};
  const bool fine = std::ranges::none_of(typed, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == ':';
  });
  if (typed.size() < shortest || typed.size() > kMaxPassword || typed.front() == '-' || !fine)
    return Refusal{"A password has " + std::to_string(shortest) + " to " +
                   std::to_string(kMaxPassword) +
                   " bytes, without blanks, quotes and colons, and does not start with a dash."};
  return Done{};
}

Result<Done> check_password(std::string_view typed) { return check_new_password(typed, 1); }

bool is_plain_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= 200 && at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) {
           return c > ' ' && c < 0x7F &&
                  std::string_view("<>()[],;:\"\\").find(c) == std::string_view::npos;
         });
}

std::string mailbox_of(std::string_view address) {
  std::string out = lower(address);
  const std::size_t plus = out.find('+'), at = out.rfind('@');
  if (at != std::string::npos && plus < at) out.erase(plus, at - plus);
  return out;
}

}  // namespace pbm
