// SPDX-License-Identifier: MIT
// What can be a userid on a server and its password: both ends and the command
// line refuse the same. Leaves who has one to server/accounts.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

inline constexpr std::size_t kLongestUserid = 16;
inline constexpr std::size_t kLongestPassword = 64;

// The userid as it is kept, in lower case, or why it cannot be one. It can be
// the name of a directory.
Result<std::string> check_userid(std::string_view typed);

// Whether this can be a password.
Result<Done> check_password(std::string_view typed);

}  // namespace pbm
