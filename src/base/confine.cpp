// SPDX-License-Identifier: MIT
#include "base/confine.hpp"

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
  std::uint64_t files, net, scoped;
};
struct PortRule {
  std::uint64_t allowed, port;
};
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;     // ABI 3
constexpr std::uint64_t kDeviceIoctl = std::uint64_t{1} << 15;  // ABI 5
constexpr std::uint64_t kBind = 1, kConnect = 2;                // ABI 4
constexpr std::uint64_t kAbstractSockets = 1, kSignals = 2;     // ABI 6
constexpr int kPortRule = 2;

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER | kTruncate;
constexpr std::uint64_t kNever = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                 LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                 kDeviceIoctl;
// The rights that a rule for a file, not a directory, may contain.
constexpr std::uint64_t kOfFiles =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;

bool allow(const UniqueFd& ruleset, const std::filesystem::path& path, std::uint64_t allowed) {
  const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place.open() || ::fstat(place.get(), &status) != 0) return true;
  if (!S_ISDIR(status.st_mode)) allowed &= kOfFiles;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = allowed;
  rule.parent_fd = place.get();
  return ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

bool confine(const Confines& confines) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  // Version 1 forbids every rename from one directory to another.
  if (abi < 2) return false;
  std::uint64_t known = ~std::uint64_t{0};
  if (abi < 3) known &= ~kTruncate;
  if (abi < 5) known &= ~kDeviceIoctl;
  Ruleset rules{(kRead | kWrite | kNever) & known, 0, 0};
  std::size_t size = sizeof rules.files;
  if (abi >= 4) {
    rules.net = kBind | kConnect;
    size += sizeof rules.net;
  }
  if (abi >= 6) {
    rules.scoped = kAbstractSockets | kSignals;
    size += sizeof rules.scoped;
  }
  const UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
  if (!ruleset.open()) return false;
  bool done = true;
  for (const auto& path : confines.read) done = done && allow(ruleset, path, kRead);
  for (const auto& path : confines.write)
    done = done && allow(ruleset, path, (kRead | kWrite) & known);
  if (abi >= 4 && confines.port) {
    const PortRule rule{kConnect, *confines.port};
    done = done && ::syscall(SYS_landlock_add_rule, ruleset.get(), kPortRule, &rule, 0) == 0;
  }
  return done && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

}  // namespace pbm
