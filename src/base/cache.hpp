// SPDX-License-Identifier: MIT
// Bytes that take long to make and are always the same, kept in a file for all processes. Leaves
// what they mean, and where the file is, to whoever asks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pbm {

// Of Fowler, Noll and Vo (1991), a word at a time: enough to see that bytes are not what they were.
std::uint64_t sum_of(std::span<const std::uint8_t> bytes);

class KeptBytes {
 public:
  // None.
  KeptBytes() = default;
  // Those of `file`, read where they lie: all who have them share one copy. None where it is
  // missing, or has not that size and sum.
  static KeptBytes in(const std::filesystem::path& file, std::size_t size, std::uint64_t sum);
  // Keeps `bytes` there, the whole of them or nothing; where that fails, in memory only.
  static KeptBytes keep(const std::filesystem::path& file, std::vector<std::uint8_t> bytes);

  std::span<const std::uint8_t> get() const { return bytes_; }

 private:
  KeptBytes(std::shared_ptr<const void> owner, std::span<const std::uint8_t> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  std::shared_ptr<const void> owner_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace pbm
