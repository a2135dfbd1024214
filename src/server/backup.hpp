// SPDX-License-Identifier: MIT
// Copies a server's directory, also while the server runs, so that another server can start on the
// copy, and says which files the server cannot write. Leaves the place and the time of backups to
// the server's owner.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace pbm {

// The file in a copy's own files that marks it as a copy. A server removes it when it starts there.
inline constexpr const char* kBackupMark = "backup";

// Makes `to` a copy of `from` that has everything acknowledged before the call. Creates `to` if
// necessary, and deletes files there that `from` no longer has. If it is interrupted, `to` holds
// older and newer boards, and is usable. Refuses a `from` that no server has used, and a `to` that
// is in use or holds anything but a copy. Returns the number of files as a text. Throws Error.
Result<std::string> back_up(const std::filesystem::path& from, const std::filesystem::path& to);

// Returns a sentence if the login `owner` cannot write the directory, its deleted boards or a save
// there, with the first such file, the number of others and what to do. Returns "" if it can.
std::string describe_unwritable(const std::filesystem::path& directory, uid_t owner);

}  // namespace pbm
