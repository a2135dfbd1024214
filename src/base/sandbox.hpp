// SPDX-License-Identifier: MIT
// A sandbox: this process gives up rights for good, so that an attacker who takes it over gains
// little. The only user of Landlock. Leaves the choice of the rights to its callers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace pbm {

// The rights that remain. Paths that do not exist are skipped.
struct SandboxRules {
  std::vector<std::filesystem::path> readable;  // files and directories
  std::vector<std::filesystem::path> writable;  // directories: everything below them
  std::optional<std::uint16_t>
      connect_port;  // the only TCP port to connect to, if the kernel can restrict ports
};

// Denies this process all other files from now on, and tracing other programs. A newer kernel also
// denies it signals to them and TCP ports other than `port`. Open files stay open, and sockets with
// a path can still be connected to. Returns false and changes nothing if the kernel cannot do this
// (before Linux 5.19, or Landlock is off).
bool enter_sandbox(const SandboxRules& confines);

}  // namespace pbm
