// SPDX-License-Identifier: MIT
#include "protocol/userid.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/board_id.hpp"

namespace pbm {
namespace {

constexpr auto is_userid_character = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };

Refusal userid_refusal(std::string_view typed) {
  return Refusal{"'" + fit(typed, 24) + "' cannot be a userid. A userid has 1 to " +
                 std::to_string(kMaxUseridLength) +
                 " letters, digits, '_', '.' and '-', but no '.' or '-' first or last."};
}

}  // namespace

Refusal reserved_userid_refusal(std::string_view typed) {
  return Refusal{"'" + lower(typed) +
                 "' cannot be a userid. It looks like the owner of the server."};
}

Result<std::string> check_userid(std::string_view typed) {
  const auto fine = [](char c) { return is_userid_character(c) || c == '.' || c == '-'; };
  // A trailing dot would be lost in a sentence: "fred." looks like "fred".
  if (typed.empty() || typed.size() > kMaxUseridLength || !is_userid_character(typed.front()) ||
      !is_userid_character(typed.back()) || !std::ranges::all_of(typed, fine))
    return userid_refusal(typed);
  for (const std::string_view word : {"admin", "administrator", "moderator", "owner", "pbmplay",
                                      "root", "server", "staff", "system"})
    if (equals_ignoring_case(word, typed)) return reserved_userid_refusal(typed);
  // Commands use these words where a userid may stand.
  for (const std::string_view word : {"all", "active", "inactive", "next", "none", "new"})
    if (equals_ignoring_case(word, typed))
      return Refusal{"'" + lower(typed) + "' cannot be a userid. It is a word of the commands."};
  return lower(typed);
}

Result<std::string> check_new_userid(std::string_view typed) {
  if (equals_ignoring_case(typed, "you"))
    return Refusal{"'you' cannot be a userid. Everybody is called you on their own screen."};
  constexpr std::string_view kComputer = "computer";
  if (starts_with_ignoring_case(typed, kComputer) &&
      std::all_of(typed.begin() + kComputer.size(), typed.end(), is_digit))
    return Refusal{"'" + std::string(typed) +
                   "' cannot be a userid. It means the program's own player."};
  // The owner's file of trusted logins uses this word.
  if (equals_ignoring_case(typed, "keys"))
    return Refusal{"'keys' cannot be a userid. Choose another one."};
  if (read_board_id(lower(typed)))
    return Refusal{"'" + lower(typed) + "' cannot be a userid. It is the name of a board."};
  return check_userid(typed);
}

bool is_fingerprint(std::string_view text) {
  constexpr std::string_view kStart = "SHA256:";
  return text.size() == kStart.size() + 43 && text.starts_with(kStart) &&
         std::all_of(text.begin() + kStart.size(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/'; });
}

Result<Success> check_new_password(std::string_view typed, std::size_t shortest) {
  // The messages never show the password.
  if (typed == "*")
    return Refusal{"'*' cannot be a password. It stands for the one you signed in with."};
  const bool fine = std::ranges::none_of(typed, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\'' || c == ':';
  });
  if (typed.size() < shortest || typed.size() > kMaxPasswordLength || typed.front() == '-' || !fine)
    return Refusal{"A password has " + std::to_string(shortest) + " to " +
                   std::to_string(kMaxPasswordLength) +
                   " bytes, without blanks, quotes or colons, and does not start with a dash."};
  return Success{};
}

Result<Success> check_password(std::string_view typed) { return check_new_password(typed, 1); }

bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= 200 && at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) {
           return c > ' ' && c < 0x7F &&
                  std::string_view("<>()[],;:\"\\").find(c) == std::string_view::npos;
         });
}

std::string normalize_mailbox(std::string_view address) {
  std::string out = lower(address);
  const std::size_t plus = out.find('+'), at = out.rfind('@');
  if (at != std::string::npos && plus < at) out.erase(plus, at - plus);
  return out;
}

}  // namespace pbm
