// SPDX-License-Identifier: MIT
// What can be a userid on a server, its password and its address of mail: both ends, the command
// line and the mail gateway refuse the same. Leaves who has one to server/tables/accounts.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

inline constexpr std::size_t kMaxUserid = 16;
inline constexpr std::size_t kShortestPassword = 8, kMaxPassword = 64;  // bytes

// The userid as it is kept, in lower case; it can also be the name of a directory. Refuses what
// cannot be one, or could be mistaken for another.
Result<std::string> check_userid(std::string_view typed);
// Why nobody gets a name that sounds as if its bearer owned the server.
Refusal owners_name(std::string_view typed);

// Refuses what cannot be a password. An old one may be shorter than a new one.
Result<Done> check_password(std::string_view typed);
Result<Done> check_new_password(std::string_view typed, std::size_t shortest = kShortestPassword);

// Whether it can be written to: one address, and nothing that a header or a program would take for
// something else.
bool is_plain_address(std::string_view text);
// Without what stands behind a plus, in small letters: that leads to the same mailbox.
std::string mailbox_of(std::string_view address);

}  // namespace pbm
