// SPDX-License-Identifier: MIT
// A file of computed bytes that the processes of this machine share. The bytes take long to compute
// and never change. Leaves the meaning of the bytes and the place of the file to its callers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pbm {

// Returns a checksum that detects damage: the hash of Fowler, Noll and Vo (1991), on 8-byte words.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

class CachedBytes {
 public:
  // Holds no bytes.
  CachedBytes() = default;
  // Maps `file` into memory; all processes that do this share one copy. Returns no bytes if the
  // file is missing or has another size or checksum.
  static CachedBytes load(const std::filesystem::path& file, std::size_t size, std::uint64_t sum);
  // Writes `bytes` to `file`, completely or not at all. If that fails, holds them in memory only.
  static CachedBytes store(const std::filesystem::path& file, std::vector<std::uint8_t> bytes);

  std::span<const std::uint8_t> get() const { return bytes_; }

 private:
  CachedBytes(std::shared_ptr<const void> owner, std::span<const std::uint8_t> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  std::shared_ptr<const void> owner_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace pbm
