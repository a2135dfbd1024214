// SPDX-License-Identifier: MIT
// Bytes that take long to make, kept in a file for the next time. Leaves what they mean, and where
// the file is, to whoever asks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace pbm {

// What `file` keeps; where it is missing or damaged, what make() gives, which is then kept. Where
// it cannot be kept, or make() gives nothing, nothing is: no reason to fail.
std::vector<std::uint8_t> kept_bytes(const std::filesystem::path& file,
                                     const std::function<std::vector<std::uint8_t>()>& make);

}  // namespace pbm
