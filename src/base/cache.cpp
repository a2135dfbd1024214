// SPDX-License-Identifier: MIT
#include "base/cache.hpp"

#include "base/error.hpp"
#include "base/files.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 28;

// Fowler, Noll and Vo 1991: enough to see that a file is not what it was.
std::string sum_of(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325U;
  for (const char c : bytes) sum = (sum ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(sum >> (8 * i) & 0xFF);
  return out;
}

}  // namespace

std::vector<std::uint8_t> kept_bytes(const std::filesystem::path& file,
                                     const std::function<std::vector<std::uint8_t>()>& make) {
  if (const auto text = read_file(file, kMost); text && text->size() > 8) {
    const std::string_view bytes = std::string_view(*text).substr(0, text->size() - 8);
    if (text->substr(bytes.size()) == sum_of(bytes)) return {bytes.begin(), bytes.end()};
  }
  std::vector<std::uint8_t> made = make();
  if (made.empty()) return made;
  const std::string text(made.begin(), made.end());
  try {
    if (!create_file(file, text + sum_of(text))) replace_file(file, text + sum_of(text));
  } catch (const Error&) {
    // It is made anew the next time.
    return made;
  }
  return made;
}

}  // namespace pbm
