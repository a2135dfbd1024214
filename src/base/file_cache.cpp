// SPDX-License-Identifier: MIT
#include "base/file_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/files.hpp"

namespace pbm {

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t kPrime = 0x100000001B3U;
  std::uint64_t sum = 0xCBF29CE484222325U ^ bytes.size();
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), sizeof sum))) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < std::min(bytes.size(), sizeof word); ++i)
      word |= std::uint64_t{bytes[i]} << 8 * i;
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32;  // mixes high bits into the low ones, which the product depends on
  }
  return sum;
}

CachedBytes CachedBytes::load(const std::filesystem::path& file, std::size_t size,
                              std::uint64_t sum) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat is {};
  // Reading mapped pages behind the end of a file would crash, so the size must be right.
  if (!fd.is_open() || ::fstat(fd.get(), &is) != 0 || !S_ISREG(is.st_mode) ||
      static_cast<std::size_t>(is.st_size) != size)
    return {};
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (at == MAP_FAILED) return {};
  const std::shared_ptr<const void> owner(
      at, [size](const void* bytes) { ::munmap(const_cast<void*>(bytes), size); });
  const std::span bytes(static_cast<const std::uint8_t*>(at), size);
  return checksum(bytes) == sum ? CachedBytes(owner, bytes) : CachedBytes();
}

CachedBytes CachedBytes::store(const std::filesystem::path& file, std::vector<std::uint8_t> bytes) {
  try {
    make_directory(parent_directory(file));
    TempFile fresh(file);
    // Read-only: a writer would change the mapped bytes of running processes.
    fresh.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, 0444);
    fresh.replace_target();
    if (CachedBytes out = load(file, bytes.size(), checksum(bytes)); !out.get().empty()) return out;
  } catch (const Error&) {  // the next process computes the bytes again
  }
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return {owner, *owner};
}

}  // namespace pbm
