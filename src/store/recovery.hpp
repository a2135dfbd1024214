// SPDX-License-Identifier: MIT
// Restores the saves after a server was killed, from the table `tail` of its database
// (board_store.hpp). Each program that opens the directory does this first. Also locks directories:
// only one server may write in each. Leaves an unfinished last line to board_files.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace pbm {

class Database;

// The directory of the server's own files, inside that of its boards, and the database there.
inline constexpr const char* kServerDirectory = ".server";
inline constexpr const char* kDatabaseFile = "server.db";

// Locks a directory for a server until the descriptor is closed. Waits up to two seconds for other
// programs. Throws Error, also if another server has the lock.
UniqueFd lock_server_directory(const std::filesystem::path& directory);

// Locks a directory for a program that only reads. Refuses if a server runs. The descriptor is not
// open if there is no such directory.
Result<UniqueFd> lock_for_reading(const std::filesystem::path& directory);

// Locks a directory for another program that writes saves, and calls recover_directory(). Refuses
// as recover_directory() does, and if a server runs, with what to do instead. The descriptor is not
// open if there is no such directory.
Result<UniqueFd> lock_for_writing(const std::filesystem::path& directory);

// Restores the saves from the rows of the database, on disk, and deletes the rows. A second call
// does no harm. If another program has changed a save since, keeps its version and writes the other
// beside it; returns a sentence for each. Throws Error. Pre: no other program does the same.
std::vector<std::string> restore_saves(const std::filesystem::path& directory, Database& database);

// Does the same for a program without a server, if there are rows and no server runs. Does nothing
// if the user may not write there.
Result<Success> recover_directory(const std::filesystem::path& directory);

}  // namespace pbm
