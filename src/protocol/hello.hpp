// SPDX-License-Identifier: MIT
// The reply to `hello`: which version of the language a server speaks, and what it can.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// 1: before there was `hello`. 2: replies and events have lines for programs.
inline constexpr unsigned kProtocol = 2;

struct Hello {
  unsigned version = 1;
  std::vector<std::string> commands = {};  // "move", "change password"
  friend bool operator==(const Hello&, const Hello&) = default;
};

// "{protocol: 2, commands: [help, list]}".
std::string encode(const Hello& hello);
std::optional<Hello> decode_hello(std::string_view line);

}  // namespace pbm
