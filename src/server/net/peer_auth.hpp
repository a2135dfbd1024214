// SPDX-License-Identifier: MIT
// Decides which logins of this machine may sign in as which userids without a password: the owner
// of the server as all, others as the owner's file says. Leaves the identity of the peer to
// acceptor.cpp.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pbm {
// True if the `text` of such a file trusts `login` with `who`: a userid, or the fingerprint of a
// key. Each line has a login and the userids it may sign in as, '*' for all; none means the userid
// of the same name. The word "keys" stands for all fingerprints. A '#' begins a comment.
bool trusts_login(std::string_view text, std::string_view login, std::string_view who);

// Returns the text of such a file, "" if there is none. Refuses one that others than this login
// could have written, with what to do.
Result<std::string> read_trusted_logins(const std::filesystem::path& file);

// Checks if the login `peer` may sign in as `who`, as above; this process runs as the owner.
// Refuses with advice, also if the server ignores `file`.
Result<Success> check_trust(const std::filesystem::path& file, uid_t peer, const std::string& who);

// Returns the logins that the `text` of such a file, or the file, trusts with `who`; none if
// the server ignores the file.
std::vector<std::string> trusted_logins(const std::string& text, std::string_view who);
std::vector<std::string> trusted_logins(const std::filesystem::path& file, std::string_view who);

}  // namespace pbm
