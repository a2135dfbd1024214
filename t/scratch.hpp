// SPDX-License-Identifier: MIT
// A temporary directory for programs that are no tests; its destructor removes it. Tests use
// TemporaryDirectory of support.hpp.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "terminal.hpp"

namespace pbm::test {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "pbmplay-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw TerminalError("No temporary directory.");
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pbm::test
