// SPDX-License-Identifier: MIT
// Checks that the database and the saves of a server agree, while no server runs. Writes nothing
// there: it reads a copy of the database, and of the saves that the next start would complete.
// Leaves repairs to the server's owner.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace pbm {

struct DataReport {
  std::vector<std::string> problems;   // a sentence each
  std::vector<std::string> leftovers;  // the same; the server does not need or repairs these
  std::size_t boards = 0, accounts = 0, tournaments = 0, ladder_games = 0;
};

// Refuses a directory that a server uses or that cannot be read.
Result<DataReport> check_data(const std::filesystem::path& directory);

}  // namespace pbm
