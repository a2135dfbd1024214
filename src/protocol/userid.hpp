// SPDX-License-Identifier: MIT
// What can be a userid on a server and its password: both ends and the command
// line refuse the same. Leaves who has one to server/accounts.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

inline constexpr std::size_t kMaxUserid = 16;
inline constexpr std::size_t kShortestPassword = 8, kMaxPassword = 64;  // bytes

// The userid as it is kept, in lower case, or why it cannot be one. It can be
// the name of a directory.
Result<std::string> check_userid(std::string_view typed);
// The same for a new one, which must not be mistaken for another; older ones are
// let in still.
Result<std::string> check_new_userid(std::string_view typed);

// Whether this can be a password; it may be short, as older ones are.
Result<Done> check_password(std::string_view typed);
Result<Done> check_new_password(std::string_view typed, std::size_t shortest = kShortestPassword);

}  // namespace pbm
