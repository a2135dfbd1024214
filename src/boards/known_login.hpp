// SPDX-License-Identifier: MIT
// Whose program answers at a Unix socket: the login that was there the first time, or somebody
// else, who is to be told no password. Leaves sockets to line_client.hpp.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace pbm {

class KnownLogin {
 public:
  // Remembered in `file` from one run to the next; empty: only while this lives.
  KnownLogin(std::string place, std::filesystem::path file)
      : place_(std::move(place)), file_(std::move(file)) {}

  // Refuses another login than the first one. Never refuses nothing, which is what a port tells.
  Result<Done> check(std::optional<uid_t> peer);

 private:
  std::string place_;
  std::filesystem::path file_;
  std::optional<uid_t> known_;
};

}  // namespace pbm
