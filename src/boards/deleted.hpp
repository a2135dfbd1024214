// SPDX-License-Identifier: MIT
// The directory of boards that were put away. Leaves putting them there, and
// bringing them back, to directory.hpp and the server's store.hpp.
#pragma once

#include <cstddef>
#include <filesystem>

namespace pbm {

// Takes away for good what was put into `deleted` longest ago, but for the last
// `most` files; and but for the highest number of each game, as a number is never
// given to a second board. What cannot be taken away stays.
void keep_last_deleted(const std::filesystem::path& deleted, std::size_t most);

}  // namespace pbm
