// SPDX-License-Identifier: MIT
// What a server that was killed had promised is in its commit log (commit_log.hpp): whoever opens
// the directory next, be it a server, the lobby or a command, replays that first. The form of a log
// is log_format.hpp's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

// Where a server keeps what is its own, in the directory of its boards.
inline constexpr const char* kServerFiles = ".server";

// The log of that number.
std::filesystem::path log_file(const std::filesystem::path& directory, std::uint64_t number);

// Held by whoever writes a directory's logs or replays them. Waits for others who replay; not open
// when somebody has them longer. Pre: the directory of the server's own files is there.
UniqueFd hold_logs(const std::filesystem::path& directory);

// Makes the files what the logs say, on disk, and removes the logs. Doing it twice does no harm.
// What somebody else wrote meanwhile in the place of something logged stays, and the other version
// is put beside it: a sentence for each. Refuses, with nothing changed, a log that is damaged
// before its end. Throws Error. Pre: hold_logs() is ours.
Result<std::vector<std::string>> replay_logs(const std::filesystem::path& directory);

// The same for who only uses the boards there, where there are logs and no server has them. Whoever
// may not write there does not recover them either.
Result<Done> recover(const std::filesystem::path& directory);

}  // namespace pbm
