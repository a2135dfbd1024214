// SPDX-License-Identifier: MIT
#include "protocol/mail_address.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

bool is_plain_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= 200 && at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos && text.front() != '-' &&
         std::ranges::all_of(text, [](char c) {
           return c > ' ' && c < 0x7F &&
                  std::string_view("<>()[],;:\"\\").find(c) == std::string_view::npos;
         });
}

std::string mailbox_of(std::string_view address) {
  std::string out = lower(address);
  const std::size_t plus = out.find('+'), at = out.rfind('@');
  if (at != std::string::npos && plus < at) out.erase(plus, at - plus);
  return out;
}

}  // namespace pbm
