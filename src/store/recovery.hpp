// SPDX-License-Identifier: MIT
// What a server that was killed had promised and its saves lack is in the table `tail` of its
// database (board_store.hpp): whoever opens the directory next, be it a server, the lobby or a
// command, puts it there first. And who may write in a directory: a server has one for itself.
// Leaves a torn last line to save_file.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

class Database;

// Where a server keeps what is its own, in the directory of its boards; and its database there.
inline constexpr const char* kServerFiles = ".server";
inline constexpr const char* kDatabase = "server.db";

// Held by the server that has a directory, until it ends. Waits a moment for others who write or
// recover there. Throws Error, also where another server has it.
UniqueFd hold_directory(const std::filesystem::path& directory);

// Held by whoever else writes on saves there, for as long as he does; recover() was called then.
// Refuses as that does, and where a server runs, with what to do in place of it. Not open where
// there is no such directory.
Result<UniqueFd> write_beside(const std::filesystem::path& directory);

// Makes the saves what the rows of that database say, on disk, and deletes the rows. Doing it twice
// does no harm. What somebody else wrote meanwhile in the place of something stays, and the other
// version is put beside it: a sentence for each. Throws Error. Pre: nobody else does it.
std::vector<std::string> bring_back(const std::filesystem::path& directory, Database& database);

// The same for who only uses the boards there, where a server was and none is. Whoever may not
// write there does not recover them either.
Result<Done> recover(const std::filesystem::path& directory);

}  // namespace pbm
