// SPDX-License-Identifier: MIT
// Which logins of this machine may speak for which userids without a password: the owner of the
// server for all, others by a file only the owner can write. Leaves who is at the other end of a
// socket to listener.cpp.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pbm {

// The text of such a file: one login a line, and the userids it may speak for behind it, '*' for
// all; none there: the userid of the same name. What follows a '#' is a comment.
bool trusts(std::string_view text, std::string_view login, std::string_view userid);

// Whether whoever runs as `peer` may speak for `userid` with a server that runs as this process
// does. Refuses with what would do; so does a file that others than the owner could have written.
Result<Done> may_speak_for(const std::filesystem::path& file, uid_t peer,
                           const std::string& userid);

}  // namespace pbm
