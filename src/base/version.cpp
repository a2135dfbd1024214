// SPDX-License-Identifier: MIT
#include "base/version.hpp"

namespace pbm {

std::string version_text() {
  // The Makefile defines PBM_COMMIT: "v1.0.0", "v1.0.0-3-g4666fb2c99", "4666fb2c99", or "".
  const std::string_view commit = PBM_COMMIT;
  std::string version(kVersion);
  if (!commit.empty() && commit != "v" + version) version.append(" (").append(commit).append(")");
  return version;
}

}  // namespace pbm
