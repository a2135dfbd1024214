// SPDX-License-Identifier: MIT
// A copy of the directory of a server that may run meanwhile, for another server to be started
// with. Leaves where copies lie, and how often they are made, to the owner.
#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace pbm {

// In the server's own files of a copy: no server has used it.
inline constexpr const char* kBackupMark = "backup";

// Makes `to`, which is made if need be, a copy of `from`: all that was acknowledged before is in
// it. Broken off it is one of boards older and newer, and good too. What has gone from `from` goes
// from the copy. Refuses a `from` that no server ever had, and a `to` in which anything else is
// than such a copy, or that is in use. Throws Error. Says how many files there are.
Result<std::string> back_up(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace pbm
