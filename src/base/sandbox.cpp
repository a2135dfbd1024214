// SPDX-License-Identifier: MIT
#include "base/sandbox.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/unique_fd.hpp"

namespace pbm {
namespace {

// Definitions of newer <linux/landlock.h> files, which older systems lack. They belong to the
// kernel's ABI and never change.
struct Ruleset {
  std::uint64_t file_rights, network_rights, scopes;
};
struct PortRule {
  std::uint64_t rights, port;
};
constexpr std::uint64_t kTruncateRight = std::uint64_t{1} << 14;     // ABI 3
constexpr std::uint64_t kDeviceIoctlRight = std::uint64_t{1} << 15;  // ABI 5
constexpr std::uint64_t kBindRight = 1, kConnectRight = 2;           // ABI 4
constexpr std::uint64_t kScopeSockets = 1, kScopeSignals = 2;        // ABI 6
constexpr int kPortRuleType = 2;

constexpr std::uint64_t kReadRights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWriteRights =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER |
    kTruncateRight;
constexpr std::uint64_t kDeniedRights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |
    kDeviceIoctlRight;
// The rights that a rule for a file, not a directory, may contain.
constexpr std::uint64_t kFileRights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncateRight;

bool allow_path(const UniqueFd& ruleset, const std::filesystem::path& path, std::uint64_t allowed) {
  const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place.is_open() || ::fstat(place.get(), &status) != 0) return true;
  if (!S_ISDIR(status.st_mode)) allowed &= kFileRights;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = allowed;
  rule.parent_fd = place.get();
  return ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

bool enter_sandbox(const SandboxRules& confines) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  // Version 1 forbids every rename from one directory to another.
  if (abi < 2) return false;
  std::uint64_t known = ~std::uint64_t{0};
  if (abi < 3) known &= ~kTruncateRight;
  if (abi < 5) known &= ~kDeviceIoctlRight;
  Ruleset rules{(kReadRights | kWriteRights | kDeniedRights) & known, 0, 0};
  std::size_t size = sizeof rules.file_rights;
  if (abi >= 4) {
    rules.network_rights = kBindRight | kConnectRight;
    size += sizeof rules.network_rights;
  }
  if (abi >= 6) {
    rules.scopes = kScopeSockets | kScopeSignals;
    size += sizeof rules.scopes;
  }
  const UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
  if (!ruleset.is_open()) return false;
  bool done = true;
  for (const auto& path : confines.readable) done = done && allow_path(ruleset, path, kReadRights);
  for (const auto& path : confines.writable)
    done = done && allow_path(ruleset, path, (kReadRights | kWriteRights) & known);
  if (abi >= 4 && confines.connect_port) {
    const PortRule rule{kConnectRight, *confines.connect_port};
    done = done && ::syscall(SYS_landlock_add_rule, ruleset.get(), kPortRuleType, &rule, 0) == 0;
  }
  return done && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

}  // namespace pbm
